#include "remote/command.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"

static const char program[] = "jacobi-tui";

/* Builds "COMMAND jacobi-tui OPTIONS", which the caller frees; NULL if out of memory. The name is
 * omitted if the command's last word, without quotes, is a path of this program. */
static char *command_line(const char *command, const char *options) {
    const size_t length = sizeof program - 1;
    size_t end = strlen(command);
    char *line;
    while (end > 0 && strchr(" \t\n'\"", command[end - 1]))
        end--;
    const bool is_named = end >= length && strncmp(command + end - length, program, length) == 0 &&
                          (end == length || strchr("/ \t\n'\"", command[end - length - 1]));
    return asprintf(&line, "%s %s%s%s", command, is_named ? "" : program, is_named ? "" : " ",
                    options) < 0
               ? NULL
               : line;
}

static enum status start_shell(struct child *child, const char *command, const char *options,
                               const char *title, struct error *error) {
    char *line = command_line(command, options);
    char *const arguments[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
    if (!line)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = child_start(
        child, &(struct child_command){.path = "/bin/sh", .arguments = arguments, .title = title},
        error);
    free(line);
    return status;
}

enum status command_start(struct child *child, const char *command, const char *kernels,
                          struct error *error) {
    static const char title[] = "the solver";
    if (command)
        return start_shell(child, command, "--serve", title, error);
    char option[] = "--kernels";
    char *const arguments[] = {(char *)program, (char[]){"--serve"}, kernels ? option : NULL,
                               (char *)kernels, NULL};
    return child_start(child, &(struct child_command){.arguments = arguments, .title = title},
                       error);
}

struct piece {
    char text[4096];
    size_t used;
};

static void print_piece(struct piece *piece, FILE *out) {
    piece->text[piece->used] = '\0';
    piece->used = 0;
    text_sanitize(piece->text);
    fputs(piece->text, out);
}

enum status command_run(const char *command, const char *options, FILE *out, struct error *error) {
    enum { END_MS = 10000 };
    struct child child = {.echo = stderr};
    struct piece piece = {.used = 0};
    char text[ERROR_MESSAGE_SIZE], bytes[4096];
    ssize_t size = 1;
    snprintf(text, sizeof text, "'%.100s'", command);
    const enum status status = start_shell(&child, command, options, text, error);
    if (status)
        return status;
    close(child.to);
    child.to = -1;
    bool has_ended = false; /* processes that it left behind may keep its output open */
    while (size > 0 || (size < 0 && !has_ended && (errno == EAGAIN || errno == EINTR))) {
        struct pollfd ready[] = {{.fd = child.from, .events = POLLIN},
                                 {.fd = child.errors, .events = POLLIN},
                                 {.fd = child.pidfd, .events = POLLIN}};
        poll(ready, 3, -1);
        has_ended = child_has_ended(&child);
        child_read_stderr(&child);
        size = read(child.from, bytes, sizeof bytes);
        for (ssize_t b = 0; b < size; b++) { /* newlines and tabs are kept, and end a piece */
            const bool ends = bytes[b] == '\n' || bytes[b] == '\t';
            if (ends || piece.used == sizeof piece.text - 1)
                print_piece(&piece, out);
            if (ends)
                fputc(bytes[b], out);
            else
                piece.text[piece.used++] = bytes[b] ? bytes[b] : '?';
        }
    }
    print_piece(&piece, out);
    child_close(&child, END_MS);
    if (child_exit_status(&child) == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%.100s %s", command,
                     child_exit_reason(&child, text, sizeof text));
}
