#include "tests/support.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "tests/pty.h"

enum { LIMIT_SECONDS = 20 };

static int on_property(VTermProp property, VTermValue *value, void *user) {
    struct pty *pty = user;
    if (property == VTERM_PROP_ALTSCREEN)
        pty->alternate = value->boolean;
    else if (property == VTERM_PROP_CURSORVISIBLE)
        pty->cursor = value->boolean;
    else if (property == VTERM_PROP_MOUSE)
        pty->mouse = value->number;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

static void be_the_program(const struct pty *pty, const struct pty_start *start) {
    close(pty->fd);
    setsid();
    ioctl(pty->slave, TIOCSCTTY, 0);
    for (int fd = 0; fd <= 2; fd++)
        dup2(pty->slave, fd);
    close(pty->slave);
    setenv("TERM", start->term, 1);
    setenv("LC_ALL", start->locale ? start->locale : "C.UTF-8", 1);
    unsetenv("COLORTERM");
    unsetenv("COLORFGBG");
    unsetenv("NO_COLOR");
    for (char *const *variable = start->variables; variable && *variable; variable++)
        putenv(*variable);
    if (start->argv) {
        execv(start->argv[0], start->argv);
        _exit(127);
    }
    _exit(start->function());
}

static void make_screen(struct pty *pty) {
    pty->vterm = vterm_new(pty->rows, pty->cols);
    vterm_set_utf8(pty->vterm, 1);
    pty->screen = vterm_obtain_screen(pty->vterm);
    vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_reset(pty->screen, 1);
    pty->cursor = true;
}

void pty_open(struct pty *pty, const struct pty_start *start) {
    *pty = (struct pty){.cols = start->cols, .rows = start->rows};
    const struct winsize size = {.ws_col = (unsigned short)start->cols,
                                 .ws_row = (unsigned short)start->rows};
    pty->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(pty->fd >= 0 && grantpt(pty->fd) == 0 && unlockpt(pty->fd) == 0);
    pty->slave = open(ptsname(pty->fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(pty->slave >= 0 && ioctl(pty->slave, TIOCSWINSZ, &size) == 0);
    assert_int_equal(tcgetattr(pty->slave, &pty->before), 0);
    make_screen(pty);
    fflush(NULL);
    pty->pid = fork();
    assert_true(pty->pid >= 0);
    if (pty->pid == 0)
        be_the_program(pty, start);
}

void pty_close(struct pty *pty) {
    if (pty->pid > 0) {
        kill(pty->pid, SIGKILL);
        waitpid(pty->pid, NULL, 0);
    }
    close(pty->fd);
    if (pty->slave >= 0)
        close(pty->slave);
    vterm_free(pty->vterm);
}

/* Answers of the terminal, as to a question for its background, go back to the program. */
static void pass_answers(struct pty *pty) {
    char answer[256];
    const size_t count = vterm_output_read(pty->vterm, answer, sizeof answer);
    if (count > 0)
        assert_int_equal(write(pty->fd, answer, count), count);
}

/* Reads once; false: nothing came in time. */
static bool read_some(struct pty *pty, int milliseconds) {
    char bytes[16384];
    struct pollfd ready = {.fd = pty->fd, .events = POLLIN};
    if (poll(&ready, 1, milliseconds) <= 0)
        return false;
    const ssize_t count = read(pty->fd, bytes, sizeof bytes);
    if (count <= 0)
        return false;
    pty->bytes += (size_t)count;
    vterm_input_write(pty->vterm, bytes, (size_t)count);
    pass_answers(pty);
    return true;
}

void pty_pump(struct pty *pty, int milliseconds) {
    const int64_t end = clock_now_ns() + INT64_C(1000000) * milliseconds;
    for (int64_t left; (left = (end - clock_now_ns()) / 1000000) > 0;)
        read_some(pty, (int)left);
}

void pty_settle(struct pty *pty) {
    while (read_some(pty, 100))
        ;
}

static void print_screen(const struct pty *pty) {
    for (int row = 0; row < pty->rows; row++)
        fprintf(stderr, "|%s\n", pty_row(pty, row));
}

static void wait_for(struct pty *pty, const char *text, bool wanted) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    while (pty_shows(pty, text) != wanted) {
        if (clock_now_ns() > end) {
            print_screen(pty);
            fail_msg("waited for \"%s\" to %s the screen", text, wanted ? "be on" : "leave");
        }
        read_some(pty, 100);
    }
}

void pty_wait_for(struct pty *pty, const char *text) {
    wait_for(pty, text, true);
}

void pty_wait_until_gone(struct pty *pty, const char *text) {
    wait_for(pty, text, false);
}

bool pty_shows(struct pty *pty, const char *text) {
    for (int row = 0; row < pty->rows; row++)
        if (strstr(pty_row(pty, row), text))
            return true;
    return false;
}

void pty_type(struct pty *pty, const char *keys) {
    assert_int_equal(write(pty->fd, keys, strlen(keys)), strlen(keys));
}

void pty_resize(struct pty *pty, int cols, int rows) {
    const struct winsize size = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};
    pty->cols = cols;
    pty->rows = rows;
    vterm_set_size(pty->vterm, rows, cols);
    assert_int_equal(ioctl(pty->fd, TIOCSWINSZ, &size), 0);
}

int pty_wait(struct pty *pty) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    int status = 0;
    while (waitpid(pty->pid, &status, WNOHANG) == 0) {
        if (clock_now_ns() > end)
            fail_msg("the program did not end");
        read_some(pty, 10);
    }
    pty->pid = 0;
    while (read_some(pty, 50)) /* the kernel hands the last bytes over in its own time */
        ;
    return status;
}

static int encode(uint32_t glyph, char *utf8) {
    if (glyph < 0x80)
        return utf8[0] = (char)glyph, 1;
    if (glyph < 0x800) {
        utf8[0] = (char)(0xc0 | glyph >> 6);
        utf8[1] = (char)(0x80 | (glyph & 0x3f));
        return 2;
    }
    utf8[0] = (char)(0xe0 | glyph >> 12);
    utf8[1] = (char)(0x80 | (glyph >> 6 & 0x3f));
    utf8[2] = (char)(0x80 | (glyph & 0x3f));
    return 3;
}

const char *pty_row(const struct pty *pty, int row) {
    static char text[4 * 512];
    size_t used = 0, end = 0;
    for (int col = 0; col < pty->cols && used + 4 < sizeof text; col++) {
        VTermScreenCell cell;
        vterm_screen_get_cell(pty->screen, (VTermPos){.row = row, .col = col}, &cell);
        const uint32_t glyph = cell.chars[0] && cell.chars[0] != UINT32_MAX ? cell.chars[0] : ' ';
        used += (size_t)encode(glyph, text + used);
        end = glyph == ' ' ? end : used;
    }
    text[end] = 0;
    return text;
}

void pty_assert_given_back(struct pty *pty) {
    struct termios now;
    assert_int_equal(tcgetattr(pty->slave, &now), 0);
    assert_int_equal(now.c_iflag, pty->before.c_iflag);
    assert_int_equal(now.c_oflag, pty->before.c_oflag);
    assert_int_equal(now.c_cflag, pty->before.c_cflag);
    assert_int_equal(now.c_lflag, pty->before.c_lflag);
    assert_memory_equal(now.c_cc, pty->before.c_cc, sizeof now.c_cc);
    assert_false(pty->alternate);
    assert_true(pty->cursor);
    assert_int_equal(pty->mouse, 0);
}
