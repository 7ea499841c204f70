#include "ui/terminal/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system.h"

/* Allocated up front, so that restoring the terminal needs no memory. */
enum { ROOM_KEPT = 1 << 14 };

enum status tty_open(struct tty *tty, struct error *error) {
    *tty = (struct tty){.in = STDIN_FILENO, .out = -1, .standard = {-1, -1}};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(error, STATUS_BAD_INPUT,
                         "standard input or output is not a terminal: use --headless");
    if (tcgetattr(tty->in, &tty->before))
        return error_set(error, STATUS_BAD_INPUT, "can't read the terminal's modes: %s",
                         strerror(errno));
    /* Opens the same terminal again: otherwise O_NONBLOCK would remain set on the shell's
     * descriptor. */
    char path[128];
    if (!ttyname_r(STDOUT_FILENO, path, sizeof path))
        tty->out = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (tty->out < 0)
        tty->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (tty->out < 0)
        return error_set(error, STATUS_INTERNAL, "can't open the terminal: %s", strerror(errno));
    struct stat screen, other;
    for (int s = 0; s < 2; s++)
        if (!fstat(tty->out, &screen) && !fstat(STDOUT_FILENO + s, &other) &&
            screen.st_rdev == other.st_rdev)
            tty->standard[s] = fcntl(STDOUT_FILENO + s, F_DUPFD_CLOEXEC, 3);
    tty->waiting = malloc(ROOM_KEPT);
    if (!tty->waiting)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    tty->waiting_room = ROOM_KEPT;
    return STATUS_OK;
}

void tty_close(struct tty *tty) {
    if (tty->out < 0)
        return;
    tty_drain(tty, 1000);
    tty_restore(tty);
    close(tty->out);
    for (int s = 0; s < 2; s++)
        if (tty->standard[s] >= 0)
            close(tty->standard[s]);
    free(tty->waiting);
    *tty = (struct tty){.in = -1, .out = -1};
}

static void hide_output(const struct tty *tty) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int s = 0; s < 2 && nothing >= 0; s++)
        if (tty->standard[s] >= 0)
            dup2(nothing, STDOUT_FILENO + s);
    if (nothing >= 0)
        close(nothing);
}

void tty_restore_output(const struct tty *tty) {
    for (int s = 0; s < 2; s++)
        if (tty->standard[s] >= 0)
            dup2(tty->standard[s], STDOUT_FILENO + s);
}

void tty_raw(struct tty *tty) {
    struct termios raw = tty->before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHOE | ECHOK | ECHONL | IEXTEN);
    /* Without NOFLSH a signal key would flush typed input, and a read after poll would block. */
    raw.c_lflag |= ISIG | NOFLSH;
    raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
    raw.c_oflag &= ~(tcflag_t)OPOST;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(tty->in, TCSADRAIN, &raw);
    hide_output(tty);
    tty->raw = true;
}

void tty_restore(struct tty *tty) {
    if (tty->raw) {
        tcsetattr(tty->in, TCSANOW, &tty->before);
        tty_restore_output(tty);
    }
    tty->raw = false;
}

/* The number in the variable, or `otherwise`. */
static int size_in(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    char *end = NULL;
    const long size = text ? strtol(text, &end, 10) : 0;
    return size < 1 || *end ? otherwise : size < INT_MAX ? (int)size : INT_MAX;
}

struct tty_size tty_size(const struct tty *tty) {
    struct winsize size = {0};
    const bool known = ioctl(tty->in, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    const int cols = known ? size.ws_col : size_in("COLUMNS", 80);
    const int rows = known ? size.ws_row : size_in("LINES", 24);
    return (struct tty_size){.cols = cols < TTY_COLS_MAX ? cols : TTY_COLS_MAX,
                             .rows = rows < TTY_ROWS_MAX ? rows : TTY_ROWS_MAX,
                             .cell_width = known ? (double)size.ws_xpixel / size.ws_col : 0,
                             .cell_height = known ? (double)size.ws_ypixel / size.ws_row : 0};
}

bool tty_write(struct tty *tty, const char *bytes, size_t count) {
    if (tty->waiting_count + count > tty->waiting_room) {
        const size_t room = 2 * (tty->waiting_count + count);
        char *waiting = realloc(tty->waiting, room);
        if (waiting) {
            tty->waiting = waiting;
            tty->waiting_room = room;
        } else {
            tty_drain(tty, 1000); /* pending bytes must be written first */
        }
    }
    if (tty->waiting_count + count > tty->waiting_room)
        return false;
    memcpy(tty->waiting + tty->waiting_count, bytes, count);
    tty->waiting_count += count;
    return true;
}

bool tty_write_text(struct tty *tty, const char *text) {
    return tty_write(tty, text, strlen(text));
}

void tty_flush(struct tty *tty) {
    while (tty->waiting_count > 0 && !tty->gone) {
        const ssize_t written = write(tty->out, tty->waiting, tty->waiting_count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            tty->gone = errno != EAGAIN;
            return;
        }
        tty->waiting_count -= (size_t)written;
        memmove(tty->waiting, tty->waiting + written, tty->waiting_count);
    }
}

void tty_drain(struct tty *tty, int milliseconds) {
    const int64_t end = clock_now_ns() + INT64_C(1000000) * milliseconds;
    while (tty->waiting_count > 0 && !tty->gone) {
        const int64_t left = (end - clock_now_ns()) / 1000000;
        struct pollfd ready = {.fd = tty->out, .events = POLLOUT};
        if (left <= 0 || poll(&ready, 1, (int)left) == 0)
            break;
        tty_flush(tty);
    }
    tty->waiting_count = 0;
}

size_t tty_read(struct tty *tty, char *bytes, size_t room) {
    ssize_t got;
    do
        got = read(tty->in, bytes, room);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        return (size_t)got;
    tty->gone = got == 0 || errno != EAGAIN;
    return 0;
}
