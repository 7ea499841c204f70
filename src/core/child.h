/* A child process: how it starts, what it writes to standard error, how it ends. */
#ifndef JACOBI_CORE_CHILD_H
#define JACOBI_CORE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/status.h"

enum { CHILD_LINES = 8, CHILD_LINE_SIZE = 160, ECHO_LINE = 512 };

struct child {
    pid_t pid;            /* 0: none */
    int pidfd;            /* readable once it has ended; -1: ended, or the kernel has no pidfds */
    bool leads;           /* a group: what it has started ends with it */
    bool is_resumed;      /* when it stops itself: it has no shell that would */
    int to, from, errors; /* its standard input, output and error, not blocking; -1: closed */
    bool ended;           /* `status` is waitpid's */
    int status;

    FILE *echo;                               /* where its lines go, too; NULL: nowhere */
    char lines[CHILD_LINES][CHILD_LINE_SIZE]; /* the last of standard error, sanitised */
    int line_count;                           /* of all: line n is at n % CHILD_LINES */
    char partial[ECHO_LINE];                  /* the line that has not ended yet */
    size_t partial_size;
};

struct child_command {
    const char *path;       /* of the program; NULL: this program */
    char *const *arguments; /* the first is its name, NULL the last */
    const char *title;      /* in messages: "no process for TITLE" */
    bool inherits;          /* this process's standard streams; else they are to, from and errors */
    int shared;             /* becomes its descriptor 3; 0: none */
};

/* Starts it; child->echo, leads and is_resumed are set before. STATUS_INTERNAL if no process can be
 * made. */
enum status child_start(struct child *child, const struct child_command *command,
                        struct error *error);

/* Calls the function in a child process, which then exits with status 0; its standard output and
 * error are /dev/null. False if no process can be made. */
bool child_call(struct child *child, void (*function)(void *argument), void *argument);

/* Limits a resource of setrlimit. */
void child_limit(const struct child *child, int resource, double most);

/* Keeps a line. */
void child_log(struct child *child, const char *line);

/* The last line that was kept; "" if there is none. */
const char *child_last_line(const struct child *child);

/* Reads and keeps what has come on standard error, at most a pipe's worth. */
void child_read_stderr(struct child *child);

/* Whether it has ended, or never started. */
bool child_has_ended(struct child *child);

/* Reads standard error until the child has ended, for `ms` at most. Returns whether it has. */
bool child_wait(struct child *child, int64_t ms);

/* Its exit status; -1 if it has not ended, or was ended by a signal. */
int child_exit_status(const struct child *child);

/* "was ended by signal 9 (Killed): LAST LINES", or that it has closed its standard output if it has
 * not ended. Returns `buffer`. */
char *child_exit_reason(const struct child *child, char *buffer, size_t size);

/* Closes the pipes, which ends it, and kills it after `patience_ms`, or if interrupt_flag is set. A
 * process that even signal 9 can't end, as one in a driver, is left behind after some seconds, and
 * a line reports it. */
void child_close(struct child *child, int patience_ms);

#endif
