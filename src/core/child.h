/* A child process: starting it, capturing its standard error, ending it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/status.h"

enum { CHILD_LINES = 8, CHILD_LINE_SIZE = 160, ECHO_LINE = 512 };

struct child {
    pid_t pid;            /* 0: none */
    int pidfd;            /* readable once the child has ended; -1: ended, or not supported */
    bool leads;           /* a process group, which ends with it */
    bool is_resumed;      /* if stopped: it has no shell that would resume it */
    int to, from, errors; /* its standard input, output and error, non-blocking; -1: closed */
    bool ended;           /* `status` is from waitpid */
    int status;

    FILE *echo;                               /* a second destination of its lines; NULL: none */
    char lines[CHILD_LINES][CHILD_LINE_SIZE]; /* the last lines of its standard error, sanitised */
    int line_count;                           /* lines so far: line n is at n % CHILD_LINES */
    char partial[ECHO_LINE];                  /* the incomplete last line */
    size_t partial_size;
};

struct child_command {
    const char *path;       /* of the program; NULL: this program */
    char *const *arguments; /* argv: the name first, NULL last */
    const char *title;      /* in messages: "no process for TITLE" */
    bool inherits;          /* our standard streams; otherwise they are to, from and errors */
    int shared;             /* becomes its descriptor 3; 0: none */
};

/* Starts the child. Set child->echo, leads and is_resumed first. STATUS_INTERNAL if no process can
 * be created. */
enum status child_start(struct child *child, const struct child_command *command,
                        struct error *error);

/* Calls the function in a child process, which then exits with status 0. Its standard output and
 * error are /dev/null. False if no process can be created. */
bool child_call(struct child *child, void (*function)(void *argument), void *argument);

void child_limit(const struct child *child, int resource, double most); /* setrlimit */

/* Stores a line; returns the last stored one, "" if there is none. */
void child_log(struct child *child, const char *line);
const char *child_last_line(const struct child *child);

/* Reads and stores the pending standard error, at most a pipe's worth. */
void child_read_stderr(struct child *child);

/* Whether the child has ended or never started. child_wait first reads standard error until it has,
 * for at most `ms`. */
bool child_has_ended(struct child *child);
bool child_wait(struct child *child, int64_t ms);

/* The child's exit status; -1 if it is running or was ended by a signal. */
int child_exit_status(const struct child *child);

/* "was ended by signal 9 (Killed): LAST LINES"; for a running child, that it has closed its
 * standard output. Returns `buffer`. */
char *child_exit_reason(const struct child *child, char *buffer, size_t size);

/* Closes the pipes, which ends the child. Kills it after `patience_ms`, or when interrupt_flag is
 * set. If even signal 9 can't end it (it is blocked in a driver), leaves it running after some
 * seconds and reports that in a line. */
void child_close(struct child *child, int patience_ms);
