/* A process at the other end of three pipes: how it starts, what it says, how it ends. */
#ifndef JACOBI_REMOTE_PROCESS_H
#define JACOBI_REMOTE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/status.h"

enum { WORDS_KEPT = 8, WORDS_LINE = 160, ECHO_LINE = 512 };

struct process {
    pid_t pid;            /* 0: none */
    bool leads;           /* a group: what it has started ends with it */
    int to, from, errors; /* its standard input, output and error, not blocking; -1: closed */
    bool ended;           /* `status` is what waitpid told */
    int status;

    FILE *echo;                         /* where its words go, too; NULL: nowhere */
    char words[WORDS_KEPT][WORDS_LINE]; /* the last lines of what it says, made visible */
    int words_count;                    /* all of them: line n is at n % WORDS_KEPT */
    char line[ECHO_LINE];               /* of standard error, not ended yet */
    size_t line_used;
};

/* Starts "COMMAND jacobi-tui --serve" by /bin/sh, or "COMMAND --serve" if COMMAND ends in a path of
 * a jacobi-tui. NULL: this program itself, which with `kernels` loads that library of the user's.
 * STATUS_INTERNAL if no process can be made. */
enum status process_start(struct process *process, const char *command, const char *kernels,
                          struct error *error);

/* Starts a program with those arguments, the first of which is its name; `path` NULL: this program
 * itself. `shared`, if it is not -1, becomes its descriptor 3. It leads a group. STATUS_INTERNAL if
 * no process can be made. */
enum status process_spawn(struct process *process, const char *path, char *const arguments[],
                          int shared, struct error *error);

/* Runs "COMMAND jacobi-tui OPTIONS" to its end, with nothing to read, on this program's standard
 * output and error. STATUS_UNAVAILABLE if it ends with another status than 0, STATUS_INTERNAL if no
 * process can be made. */
enum status process_run(const char *command, const char *options, struct error *error);

/* Keeps a line. */
void process_say(struct process *process, const char *line);

/* The last line that was kept; "" if there is none. */
const char *process_last_line(const struct process *process);

/* Reads what has come on standard error, at most a pipe's worth, and keeps it. */
void process_hear(struct process *process);

/* Whether it has ended. */
bool process_has_ended(struct process *process);

/* Its exit status; -1 if it has not ended, or was ended by a signal. */
int process_status(const struct process *process);

/* "was ended by signal 9 (Killed): LAST WORDS", or that it has closed its standard output if it has
 * not ended. Returns `buffer`. */
char *process_end_words(const struct process *process, char *buffer, size_t size);

/* Closes the pipes, which ends it; kills it if that takes longer than `patience_ms`. What can't
 * even be killed, stuck in a driver, is left behind after some seconds, and that is said. */
void process_close(struct process *process, int patience_ms);

#endif
