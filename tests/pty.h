/* A program on a terminal of its own: a pseudo-terminal with libvterm behind it.
 *
 * All waiting is for something to happen, with a generous limit: a slow machine makes a test slow,
 * not red. Everything fails the test itself when it goes wrong.
 */
#ifndef JACOBI_TESTS_PTY_H
#define JACOBI_TESTS_PTY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

struct pty {
    int fd;    /* the master's side */
    int slave; /* kept open, so that the terminal outlives the program; -1 where it is gone */
    pid_t pid;
    VTerm *vterm;
    VTermScreen *screen;
    int cols, rows;
    struct termios before;  /* the modes when the program began */
    size_t bytes;           /* written by the program */
    bool alternate, cursor; /* the alternate screen is shown; the cursor is visible */
    int mouse;              /* 0: off */
};

/* How a program starts. */
struct pty_start {
    const char *term, *locale;
    int cols, rows;
    char *const *argv;      /* argv[0] is a path; NULL: `function` */
    int (*function)(void);  /* what the child does; its result is the exit status */
    char *const *variables; /* "NAME=VALUE", ended by NULL; may be NULL */
};

void pty_open(struct pty *pty, const struct pty_start *start);

/* Ends the program where it still runs, and frees. */
void pty_close(struct pty *pty);

/* Reads what the program writes, for so many milliseconds or until it ends. */
void pty_pump(struct pty *pty, int milliseconds);

/* Reads until nothing has come for a tenth of a second. */
void pty_settle(struct pty *pty);

/* Reads until the text stands in one row of the screen. */
void pty_wait_for(struct pty *pty, const char *text);

/* Reads until it stands nowhere. */
void pty_wait_until_gone(struct pty *pty, const char *text);
bool pty_shows(struct pty *pty, const char *text);

void pty_type(struct pty *pty, const char *keys);
void pty_resize(struct pty *pty, int cols, int rows);

/* Waits for the end; returns what waitpid says. */
int pty_wait(struct pty *pty);

/* Row `row` of the screen as UTF-8, blanks at its end cut off; valid until the next call. */
const char *pty_row(const struct pty *pty, int row);

/* Fails unless the terminal is as it was: modes, main screen, visible cursor, no mouse. */
void pty_assert_given_back(struct pty *pty);

#endif
