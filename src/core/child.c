#include "core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/format.h"
#include "core/paths.h"
#include "core/process.h"
#include "core/system.h"
#include "core/text.h"

extern char **environ;

/* ---- starting ------------------------------------------------------------------------------- */

static const struct child no_child = {.pidfd = -1, .to = -1, .from = -1, .errors = -1};

/* Makes `ends` the child's first descriptors. */
static int spawn(struct child *child, const char *path, char *const arguments[], const int ends[],
                 int count) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored); /* process_init ignores these; other programs don't expect that */
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    for (int fd = 0; fd < count && !failed; fd++)
        failed = posix_spawn_file_actions_adddup2(&actions, ends[fd], fd);
    if (!failed) {
        /* The screen reads its signals from a descriptor: they are blocked in this process. */
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &ignored);
        posix_spawnattr_setflags(&attributes,
                                 (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                         (child->leads ? POSIX_SPAWN_SETPGROUP : 0)));
        failed = posix_spawn(&child->pid, path, &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static int spawn_in_pipes(struct child *child, const char *path,
                          const struct child_command *command) {
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int failed = 0;
    for (int p = 0; p < 3 && !failed; p++)
        failed = pipe2(pipes[p], O_CLOEXEC) ? errno : 0;
    for (int p = 0; p < 3 && !failed; p++) /* a blocking read would hang */
        failed = fcntl(pipes[p][p == 0], F_SETFL, O_NONBLOCK) ? errno : 0;
    const int ends[] = {pipes[0][0], pipes[1][1], pipes[2][1], command->shared};
    int *const ours[] = {&child->to, &child->from, &child->errors};
    if (!failed)
        failed = spawn(child, path, command->arguments, ends, command->shared ? 4 : 3);
    for (int p = 0; p < 3; p++) {
        const int own = pipes[p][p == 0];
        if (ends[p] >= 0)
            close(ends[p]);
        if (own >= 0 && failed)
            close(own);
        if (!failed)
            *ours[p] = own;
    }
    return failed;
}

enum status child_start(struct child *child, const struct child_command *command,
                        struct error *error) {
    /* The link leads to this program even if another file now has its name. */
    char own[PATH_SIZE] = "/proc/self/exe";
    if (!command->path && access(own, X_OK) != 0)
        program_path(own, sizeof own);
    const char *path = command->path ? command->path : own;
    const struct child asked = *child;
    *child = no_child;
    child->echo = asked.echo;
    child->leads = asked.leads;
    child->is_resumed = asked.is_resumed;
    const int failed = command->inherits ? spawn(child, path, command->arguments, NULL, 0)
                                         : spawn_in_pipes(child, path, command);
    if (failed) {
        child->pid = 0;
        return error_set(error, STATUS_INTERNAL, "can't start %s: %s", command->title,
                         strerror(failed));
    }
    child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    return STATUS_OK;
}

bool child_call(struct child *child, void (*function)(void *argument), void *argument) {
    *child = no_child;
    fflush(NULL);
    child->pid = fork();
    if (child->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* the function may never return */
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO && nowhere >= 0; fd++)
            dup2(nowhere, fd);
        function(argument);
        exit(STATUS_OK); /* not _exit: MPICH 5 reports the end to its launcher only from exit */
    }
    if (child->pid < 0)
        child->pid = 0;
    else
        child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    return child->pid;
}

void child_limit(const struct child *child, int resource, double most) {
    const struct rlimit limit = {(rlim_t)most, (rlim_t)most};
    prlimit(child->pid, (enum __rlimit_resource)resource, &limit, NULL);
}

/* ---- standard error -------------------------------------------------------------------------- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

void child_log(struct child *child, const char *line) {
    char visible[ECHO_LINE];
    snprintf(visible, sizeof visible, "%s", line);
    text_sanitize(visible);
    if (child->echo && *visible && fprintf(child->echo, "%s\n", visible) < 0)
        child->echo = NULL;         /* an interrupted write: the program ends, and nobody reads */
    if (!strpbrk(visible, letters)) /* skip rules of dashes */
        return;
    char *kept = child->lines[child->line_count++ % CHILD_LINES];
    snprintf(kept, CHILD_LINE_SIZE, "%.*s", CHILD_LINE_SIZE - 1, visible);
    text_sanitize(kept); /* the cut may have split a character */
}

const char *child_last_line(const struct child *child) {
    const int count = child->line_count;
    return count > 0 ? child->lines[(count - 1) % CHILD_LINES] : "";
}

static void close_end(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end_line(struct child *child) {
    child->partial[child->partial_size] = '\0';
    child->partial_size = 0;
    child_log(child, child->partial);
}

void child_read_stderr(struct child *child) {
    enum { PIECES = 32 };
    char bytes[4096];
    ssize_t size = 0;
    for (int piece = 0; piece < PIECES && child->errors >= 0; piece++) {
        size = read(child->errors, bytes, sizeof bytes);
        if (size <= 0)
            break;
        for (ssize_t k = 0; k < size; k++) {
            if (bytes[k] == '\n' || bytes[k] == '\r')
                end_line(child);
            else if (child->partial_size < sizeof child->partial - 1)
                child->partial[child->partial_size++] = bytes[k] ? bytes[k] : '?';
        }
    }
    if (child->errors >= 0 && size <= 0 && (size == 0 || (errno != EAGAIN && errno != EINTR))) {
        close_end(&child->errors);
        end_line(child);
    }
}

/* ---- exit ----------------------------------------------------------------------------------- */

bool child_has_ended(struct child *child) {
    if (child->pid && !child->ended) {
        const int stops = child->is_resumed ? WUNTRACED : 0;
        const pid_t found = waitpid(child->pid, &child->status, WNOHANG | stops);
        const bool is_stopped = found > 0 && WIFSTOPPED(child->status);
        if (is_stopped)
            kill(child->pid, SIGCONT);
        child->ended = found != 0 && !is_stopped;
        if (child->ended) {
            close_end(&child->pidfd);
            process_remove_file(child->pid);
        }
    }
    return child->pid == 0 || child->ended;
}

bool child_wait(struct child *child, int64_t ms) {
    enum { STEP_MS = 5 };
    const int64_t end_ns = clock_now_ns() + 1000000 * ms;
    for (int64_t left = ms; !child_has_ended(child) && left > 0;) {
        struct pollfd ends[] = {{.fd = child->pidfd, .events = POLLIN},
                                {.fd = child->errors, .events = POLLIN}};
        poll(ends, 2, (int)(child->pidfd < 0 && left > STEP_MS ? STEP_MS : left));
        child_read_stderr(child);
        left = (end_ns - clock_now_ns()) / 1000000;
    }
    child_read_stderr(child);
    return child_has_ended(child);
}

int child_exit_status(const struct child *child) {
    return child->ended && WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1;
}

char *child_exit_reason(const struct child *child, char *buffer, size_t size) {
    const int last = child->line_count - 1;
    if (!child->ended)
        format_text(buffer, size, "has closed its standard output");
    else if (WIFSIGNALED(child->status))
        format_text(buffer, size, "was ended by signal %d (%s)", WTERMSIG(child->status),
                    strsignal(WTERMSIG(child->status)));
    else
        format_text(buffer, size, "ended with status %d", WEXITSTATUS(child->status));
    /* Two lines, because the last one alone is often only "Aborted". Launchers report the cause, or
     * name the option that would help, and then write more lines. */
    const char *const telling[] = {"jacobi-tui: ", " --", "signal "};
    const int oldest = last >= CHILD_LINES ? last - CHILD_LINES + 1 : 0;
    int first = -1;
    for (int t = 0; t < 3 && first < 0; t++)
        for (int n = oldest; n <= last; n++)
            if (strstr(child->lines[n % CHILD_LINES], telling[t]))
                first = n;
    if (first < 0 || first == last)
        first = last > 0 ? last - 1 : 0;
    for (int n = first; n <= last && n < first + 2; n++)
        format_append(buffer, size, "%s%s", n == first ? ": " : "; ",
                      child->lines[n % CHILD_LINES]);
    return buffer;
}

/* Ends the descendants of the shell that runs COMMAND. A shell that waits for them then exits by
 * itself; a shell that was killed would leave them running. Signal 9 ends the shell, too. If the
 * kernel does not list children, only the shell is ended. */
static void end_with_children(pid_t pid, int number) {
    int child;
    bool has_children = false;
    /* Of any length: a cut number would be another process's. */
    FILE *list = fopen(PRINT("/proc/%d/task/%d/children", (int)pid, (int)pid), "re");
    for (; list && fscanf(list, "%d", &child) == 1; has_children = true)
        end_with_children(child, number);
    if (list)
        fclose(list);
    if (!has_children || number == SIGKILL)
        kill(pid, number);
}

void child_close(struct child *child, int patience_ms) {
    enum { STEP_MS = 5, KILLED_MS = 500, LEFT_MS = 3000 };
    close_end(&child->to);
    close_end(&child->from);
    for (int waited = 0;
         !child_has_ended(child) && waited < patience_ms && !atomic_load(interrupt_flag());
         waited += STEP_MS)
        child_wait(child, STEP_MS);
    for (int waited = 0; !child_has_ended(child) && waited < LEFT_MS; waited += STEP_MS) {
        const int number = waited >= KILLED_MS ? SIGKILL : SIGTERM;
        if (child->leads)
            kill(-child->pid, number);
        end_with_children(child->pid, number); /* it may have left its group */
        child_wait(child, STEP_MS);
    }
    child_read_stderr(child);
    if (!child_has_ended(child))
        child_log(child, PRINT("jacobi-tui: process %d can't be ended, not even by signal 9: it is "
                               "left running",
                               (int)child->pid));
    close_end(&child->errors);
    close_end(&child->pidfd);
    child->pid = 0;
}
