/* Starts the program with one fault (faults.h) after the other, but executes it only once. A
 * program with JACOBI_FAULT_SERVER in its environment waits at that socket, before main, and forks
 * a copy of itself for each fault. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

/* A request at the socket, sent with LAUNCH_FDS descriptors. The replies are the copy's process
 * number, a pid_t, and, once it has ended, its status as from waitpid, an int. */
struct fault_launch {
    char fault[48];
    bool elsewhere; /* the fault is for the solver's process started by `--on ./there` */
    bool leads;     /* in a session of its own, on the terminal that is its standard input */
};

enum { LAUNCH_IN, LAUNCH_OUT, LAUNCH_ERR, LAUNCH_TOLD, LAUNCH_FDS };

struct launcher {
    int socket;
    pid_t server, copy;
};

/* Executes the program with `line` (options, separated by one blank) and with `variables`
 * ("NAME=VALUE", terminated by NULL) in its environment. */
void launcher_open(struct launcher *launcher, const char *line, const char *const variables[]);
void launcher_close(struct launcher *launcher);

/* Starts a copy and returns its process number. The socket becomes readable when the copy has
 * ended. */
pid_t launcher_start(struct launcher *launcher, const struct fault_launch *launch,
                     const int fds[LAUNCH_FDS]);

/* Returns its status as from waitpid; -1: it did not end within LIMIT_SECONDS and was killed. */
int launcher_wait(struct launcher *launcher);

/* For pty_open (fixtures/pty.h): starts a copy on a terminal; `user` is a struct launch_on. */
struct launch_on {
    struct launcher *launcher;
    struct fault_launch launch;
    int told;
};
pid_t launcher_begin(void *user, int slave, int *end);

/* Runs the program with that fault ("alloc:7+", of faults.h); returns the file of its report, which
 * the caller closes. */
typedef int fault_run(void *user, const char *fault);

/* Surveys all calls of that kind, then makes one run per failing call. Full mode takes the 1st
 * call, the 1 + step-th, and so on until a run succeeds. Otherwise it takes every `step`th of the
 * first calls from each call stack that has not failed in this way before, with any command line.
 * With "+" for `on`, all later calls fail, too. Returns the number of failed calls. */
long fail_each(fault_run *run, void *user, const char *kind, const char *on, int step);

/* The mark of the call that failed, from `fd`; '\0' if none failed. */
char launch_mark(int fd);

/* A file without a name. */
int launch_file(void);
