#include "remote/command.h"

#include <stdlib.h>
#include <string.h>

static const char program[] = "jacobi-tui";

/* "COMMAND jacobi-tui OPTIONS", to be freed; NULL if there is no memory. The name is left out if
 * the command's last word, without quotes, is a path of this program. */
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
                               enum child_streams streams, const char *title, struct error *error) {
    char *line = command_line(command, options);
    char *const arguments[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
    if (!line)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = child_start(
        child,
        &(struct child_command){
            .path = "/bin/sh", .arguments = arguments, .title = title, .streams = streams},
        error);
    free(line);
    return status;
}

enum status command_start(struct child *child, const char *command, const char *kernels,
                          struct error *error) {
    static const char title[] = "the solver";
    if (command)
        return start_shell(child, command, "--serve", CHILD_PIPES, title, error);
    char option[] = "--kernels";
    char *const arguments[] = {(char *)program, (char[]){"--serve"}, kernels ? option : NULL,
                               (char *)kernels, NULL};
    return child_start(child, &(struct child_command){.arguments = arguments, .title = title},
                       error);
}

enum status command_run(const char *command, const char *options, struct error *error) {
    enum { DAY_MS = 86400000 };
    struct child child = {0};
    char text[ERROR_MESSAGE_SIZE];
    snprintf(text, sizeof text, "'%.100s'", command);
    const enum status status = start_shell(&child, command, options, CHILD_NO_INPUT, text, error);
    if (status)
        return status;
    while (!child_wait(&child, DAY_MS))
        continue;
    if (child_exit_status(&child) == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%.100s %s", command,
                     child_exit_reason(&child, text, sizeof text));
}
