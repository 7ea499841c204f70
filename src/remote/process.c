#include "remote/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"

extern char **environ;

static const char program[] = "jacobi-tui";

/* ---- starting ------------------------------------------------------------------------------- */

static int spawn_process(struct process *process, const char *path, char *const arguments[],
                         const int ends[], int count) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    for (int fd = 0; fd < count && !failed; fd++)
        failed = posix_spawn_file_actions_adddup2(&actions, ends[fd], fd);
    if (!failed) {
        /* The screen takes its signals from a descriptor: they are blocked here. */
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(
            &attributes,
            (short)(POSIX_SPAWN_SETSIGMASK | (process->leads ? POSIX_SPAWN_SETPGROUP : 0)));
        failed = posix_spawn(&process->pid, path, &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* `shared`: what becomes its descriptor 3, or -1. */
static int start_in_pipes(struct process *process, const char *path, char *const arguments[],
                          int shared) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int failed = 0;
    for (int p = 0; p < 3 && !failed; p++)
        failed = pipe2(pipes[p], O_CLOEXEC) ? errno : 0;
    const int ends[] = {pipes[0][0], pipes[1][1], pipes[2][1], shared};
    const int ours[] = {pipes[0][1], pipes[1][0], pipes[2][0]};
    if (!failed)
        failed = spawn_process(process, path, arguments, ends, shared < 0 ? 3 : 4);
    for (int p = 0; p < 3; p++) {
        if (ends[p] >= 0)
            close(ends[p]);
        if (ours[p] >= 0 && failed)
            close(ours[p]);
        else if (ours[p] >= 0)
            fcntl(ours[p], F_SETFL, O_NONBLOCK);
    }
    if (failed) {
        process->pid = 0;
        return failed;
    }
    process->to = ours[0];
    process->from = ours[1];
    process->errors = ours[2];
    return 0;
}

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

/* This program. */
static int start_itself(struct process *process, char *const arguments[], int shared) {
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): so the kernel tells it */
    const char *const itself[] = {"/proc/self/exe", (const char *)getauxval(AT_EXECFN)};
    int failed = ENOENT;
    for (int p = 0; p < 2 && failed; p++)
        if (itself[p] && access(itself[p], X_OK) == 0)
            failed = start_in_pipes(process, itself[p], arguments, shared);
    return failed;
}

static enum status refuse_process(int reason, const char *what, struct error *error) {
    return error_set(error, STATUS_INTERNAL, "no process for %s: %s", what, strerror(reason));
}

enum status process_spawn(struct process *process, const char *path, char *const arguments[],
                          int shared, struct error *error) {
    *process =
        (struct process){.to = -1, .from = -1, .errors = -1, .echo = process->echo, .leads = true};
    const int failed = path ? start_in_pipes(process, path, arguments, shared)
                            : start_itself(process, arguments, shared);
    return failed ? refuse_process(failed, path ? path : "the check", error) : STATUS_OK;
}

enum status process_start(struct process *process, const char *command, const char *kernels,
                          struct error *error) {
    *process = (struct process){.to = -1, .from = -1, .errors = -1, .echo = process->echo};
    int failed;
    if (command) {
        char *line = command_line(command, "--serve");
        if (!line)
            return error_set(error, STATUS_INTERNAL, "out of memory");
        char *const arguments[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
        failed = start_in_pipes(process, "/bin/sh", arguments, -1);
        free(line);
    } else {
        char option[] = "--kernels";
        char *const arguments[] = {(char *)program, (char[]){"--serve"}, kernels ? option : NULL,
                                   (char *)kernels, NULL};
        failed = start_itself(process, arguments, -1);
    }
    return failed ? refuse_process(failed, "the solver", error) : STATUS_OK;
}

enum status process_run(const char *command, const char *options, struct error *error) {
    struct process process = {0};
    char words[ERROR_MESSAGE_SIZE];
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    char *line = command_line(command, options);
    char *const arguments[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
    int failed = nothing < 0 || !line ? ENOMEM : 0;
    if (!failed)
        failed = spawn_process(&process, "/bin/sh", arguments,
                               (const int[]){nothing, STDOUT_FILENO, STDERR_FILENO}, 3);
    if (nothing >= 0)
        close(nothing);
    free(line);
    if (failed)
        return error_set(error, STATUS_INTERNAL, "no process for '%.100s': %s", command,
                         strerror(failed));
    while (waitpid(process.pid, &process.status, 0) < 0 && errno == EINTR)
        continue;
    process.ended = true;
    const int status = process_status(&process);
    if (status == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%.100s %s", command,
                     process_end_words(&process, words, sizeof words));
}

/* ---- what it says --------------------------------------------------------------------------- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

void process_say(struct process *process, const char *line) {
    char visible[ECHO_LINE];
    snprintf(visible, sizeof visible, "%s", line);
    text_sanitize(visible);
    if (process->echo && *visible)
        fprintf(process->echo, "%s\n", visible);
    if (!strpbrk(visible, letters)) /* no rules of dashes */
        return;
    char *kept = process->words[process->words_count++ % WORDS_KEPT];
    snprintf(kept, WORDS_LINE, "%.*s", WORDS_LINE - 1, visible);
    text_sanitize(kept); /* it may have been cut within a character */
}

const char *process_last_line(const struct process *process) {
    const int count = process->words_count;
    return count > 0 ? process->words[(count - 1) % WORDS_KEPT] : "";
}

void process_hear(struct process *process) {
    enum { PIECES = 32 };
    char bytes[4096];
    ssize_t size = 0;
    for (int piece = 0; piece < PIECES && process->errors >= 0; piece++) {
        size = read(process->errors, bytes, sizeof bytes);
        if (size <= 0)
            break;
        for (ssize_t k = 0; k < size; k++) {
            const bool ends = bytes[k] == '\n' || bytes[k] == '\r';
            if (!ends && process->line_used < sizeof process->line - 1)
                process->line[process->line_used++] = bytes[k] ? bytes[k] : '?';
            if (!ends)
                continue;
            process->line[process->line_used] = '\0';
            process->line_used = 0;
            process_say(process, process->line);
        }
    }
    if (process->errors >= 0 && size <= 0 && (size == 0 || (errno != EAGAIN && errno != EINTR))) {
        close(process->errors);
        process->errors = -1;
        process->line[process->line_used] = '\0';
        process->line_used = 0;
        process_say(process, process->line);
    }
}

/* ---- its end -------------------------------------------------------------------------------- */

bool process_has_ended(struct process *process) {
    if (process->pid && !process->ended)
        process->ended = waitpid(process->pid, &process->status, WNOHANG) != 0;
    return process->pid == 0 || process->ended;
}

int process_status(const struct process *process) {
    return process->ended && WIFEXITED(process->status) ? WEXITSTATUS(process->status) : -1;
}

char *process_end_words(const struct process *process, char *buffer, size_t size) {
    const int last = process->words_count - 1;
    int used;
    if (!process->ended)
        used = snprintf(buffer, size, "has closed its standard output");
    else if (WIFSIGNALED(process->status))
        used = snprintf(buffer, size, "was ended by signal %d (%s)", WTERMSIG(process->status),
                        strsignal(WTERMSIG(process->status)));
    else
        used = snprintf(buffer, size, "ended with status %d", WEXITSTATUS(process->status));
    /* Two lines: the last alone is often no more than "Aborted". Launchers tell what has happened,
     * or name the option that would help, and go on talking. */
    const char *const telling[] = {"jacobi-tui: ", " --", "signal "};
    const int oldest = last >= WORDS_KEPT ? last - WORDS_KEPT + 1 : 0;
    int first = -1;
    for (int t = 0; t < 3 && first < 0; t++)
        for (int n = oldest; n <= last; n++)
            if (strstr(process->words[n % WORDS_KEPT], telling[t]))
                first = n;
    if (first < 0 || first == last)
        first = last > 0 ? last - 1 : 0;
    for (int n = first; n <= last && n < first + 2 && used < (int)size; n++)
        used += snprintf(buffer + used, size - (size_t)used, "%s%s", n == first ? ": " : "; ",
                         process->words[n % WORDS_KEPT]);
    return buffer;
}

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Ends what the shell that COMMAND was given to has started: a shell that waits for it ends by
 * itself then, and one that is killed would leave it behind. Signal 9 ends them all. Where the
 * kernel does not list children, the process alone. */
static void end_with_children(pid_t pid, int number) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    int list = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = list < 0 ? 0 : read(list, text, sizeof text - 1);
    close_end(&list);
    text[size > 0 ? size : 0] = '\0';
    char *at = text;
    for (long child; (child = strtol(at, &at, 10)) > 0;)
        end_with_children((pid_t)child, number);
    if (size <= 0 || number == SIGKILL)
        kill(pid, number);
}

void process_close(struct process *process, int patience_ms) {
    enum { KILLED_MS = 500, LEFT_MS = 3000 };
    close_end(&process->to);
    close_end(&process->from);
    for (int waited = 0; !process_has_ended(process) && waited < patience_ms + LEFT_MS;
         waited += 5) {
        process_hear(process);
        const int number = waited >= patience_ms + KILLED_MS ? SIGKILL : SIGTERM;
        if (waited >= patience_ms && process->leads)
            kill(-process->pid, number);
        else if (waited >= patience_ms)
            end_with_children(process->pid, number);
        poll(NULL, 0, 5);
    }
    process_hear(process);
    if (!process_has_ended(process)) {
        char line[WORDS_LINE];
        snprintf(line, sizeof line,
                 "jacobi-tui: process %d can't be ended, not even by signal 9: it is left behind",
                 (int)process->pid);
        process_say(process, line);
    }
    close_end(&process->errors);
    process->pid = 0;
}
