#include "core/process.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/limits.h"
#include "core/system.h"

/* Process 1 of a container inherits orphans and would never wait for them, and a signal with its
 * default action does not end it. It therefore runs the program in a child, passes signals on to
 * it, and reaps every process. It exits when the child does. Terminal signals reach both. */
static void leave_first_place(void) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t program = getpid() == 1 ? fork() : 0;
    while (program > 0) {
        siginfo_t info;
        int status;
        const int number = sigwaitinfo(&all, &info);
        if (number > 0 && number != SIGCHLD && (info.si_code <= 0 || number == SIGHUP))
            kill(program, number);
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
            if (ended == program && WIFSTOPPED(status))
                kill(program, SIGCONT); /* no shell would resume it */
            else if (ended == program)
                _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        }
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static pid_t unfinished; /* this process, until its output is closed */

static void report_exit(void) {
    static const char line[] = "jacobi-tui: a library ended the process, perhaps a back end's "
                               "driver: --backend chooses another\n";
    if (unfinished != getpid())
        return;
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    _exit(STATUS_UNAVAILABLE);
}

static char left_by_others[64]; /* a file that stops LLVM's OpenMP runtime */

/* The runtime ends a process at start if a killed process with the same pid has left this file
 * empty; without /proc, also if it has text. */
void process_remove_file(pid_t pid) {
    static const char *const folders[] = {"/dev/shm", "/tmp"};
    for (int f = 0; f < 2; f++) {
        char left[64];
        snprintf(left, sizeof left, "%s/__KMP_REGISTERED_LIB_%d_%d", folders[f], (int)pid,
                 (int)getuid());
        if (unlink(left) && access(left, F_OK) == 0 && pid == getpid())
            snprintf(left_by_others, sizeof left_by_others, "%s", left);
    }
}

bool process_init(void) {
    /* open returns the lowest free descriptor: this one. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
            return false;
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && flags & O_NONBLOCK) /* a full pipe would count as a failure */
        fcntl(STDOUT_FILENO, F_SETFL, flags & ~O_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* otherwise a child's status is lost */
    leave_first_place();
    process_remove_file(getpid());
    /* The runtime also ends the process if the system forbids setting the affinity of threads. */
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(0, sizeof set, &set) != 0)
        setenv("KMP_AFFINITY", "disabled", 1);
    /* All threads allocate from one arena: glibc trims the 64 MiB heaps of other arenas regardless
     * of mallopt, which memory_keep_freed calls. */
    mallopt(M_ARENA_MAX, 1);
    unfinished = atexit(report_exit) == 0 && at_quick_exit(report_exit) == 0 ? getpid() : 0;
    return true;
}

enum status process_check(struct error *error) {
    enum { LEAST = 128 << 10 };
    struct rlimit stack;
    if (*left_by_others)
        return error_set(error, STATUS_INTERNAL,
                         "%s, another user's file, stops OpenMP in this process: start again",
                         left_by_others);
    if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= LEAST)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "ulimit -s %lu: expected at least %d KiB for the stack",
                     (unsigned long)stack.rlim_cur >> 10, LEAST >> 10);
}

/* PMIx doesn't report the count; a rank above 0 implies more than one. */
static const struct {
    const char *launcher, *rank, *count;
} launchers[] = {{"mpirun -n", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"srun -n", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
                 {"mpirun -n", "PMI_RANK", "PMI_SIZE"},
                 {"mpirun -n", "PMIX_RANK", NULL}};

void process_ignore_launcher(void) {
    for (size_t l = 0; l < sizeof launchers / sizeof *launchers; l++)
        unsetenv(launchers[l].rank);
}

bool process_is_launched(struct launch *launch) {
    for (size_t l = 0; l < sizeof launchers / sizeof *launchers; l++) {
        const char *number = getenv(launchers[l].rank);
        const char *count = launchers[l].count ? getenv(launchers[l].count) : NULL;
        *launch = (struct launch){launchers[l].launcher, launchers[l].rank,
                                  number ? atoi(number) : 0, count ? atoi(count) : 0};
        if (number && (launch->rank > 0 || launch->count > 1))
            return true;
    }
    return false;
}

static enum status cannot_write(const char *what, struct error *error) {
    return error_set(error, STATUS_INTERNAL, "%s can't be written: %s", what, strerror(errno));
}

enum status process_flush(FILE *file, const char *what, struct error *error) {
    errno = EIO; /* the reason of an earlier failed write is lost */
    return fflush(file) == 0 && !ferror(file) ? STATUS_OK : cannot_write(what, error);
}

static FILE *output;        /* NULL: stdout */
static atomic_bool is_over; /* signals end the process: a library may block its exit */

FILE *process_output(void) {
    const int fd = output ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0 && fflush(stdout) == 0 && (output = fdopen(fd, "w")))
        dup2(STDERR_FILENO, STDOUT_FILENO);
    else if (fd >= 0)
        close(fd);
    return output ? output : stdout;
}

enum status process_close_output(struct error *error) {
    static const char what[] = "standard output";
    FILE *const out = output ? output : stdout;
    unfinished = 0;
    atomic_store(&is_over, true);
    const enum status status = process_flush(out, what, error);
    return fclose(out) == 0 || status ? status : cannot_write(what, error);
}

/* ---- progress ------------------------------------------------------------------------------- */

static struct {
    pthread_mutex_t mutex;
    void (*show)(const char *line); /* NULL: off */
    bool is_shown;
    int64_t next_ns; /* earliest time to replace the line; 0: no work has begun */
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void progress_switch_on(void (*show)(const char *line)) {
    progress.show = isatty(STDERR_FILENO) ? show : NULL;
}

bool progress_is_on(void) {
    return progress.show != NULL;
}

void progress_update(enum progress_kind kind, const char *format, ...) {
    static const int64_t patience_ns = 500000000, period_ns = 200000000;
    if (!progress.show)
        return;
    pthread_mutex_lock(&progress.mutex);
    const int64_t now_ns = clock_now_ns();
    if (!progress.next_ns && kind == PROGRESS_STEP) {
        progress.next_ns = now_ns + patience_ns;
    } else if (now_ns >= progress.next_ns || kind == PROGRESS_NEWS) {
        char line[80]; /* a line that wraps could not be wiped; terminals may be this narrow */
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        progress.show(line);
        progress.is_shown = true;
        progress.next_ns = now_ns + period_ns;
    }
    pthread_mutex_unlock(&progress.mutex);
}

void progress_end(void) {
    pthread_mutex_lock(&progress.mutex);
    if (progress.is_shown)
        progress.show(NULL);
    progress.is_shown = false;
    progress.next_ns = 0;
    pthread_mutex_unlock(&progress.mutex);
}

/* ---- signals -------------------------------------------------------------------------------- */

void signals_that_end(sigset_t *set) {
    static const int harmless[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                   SIGCHLD, SIGCONT, SIGURG,  SIGWINCH};
    sigemptyset(set);
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction now;
        if (!signal_is_of_a_crash(number) && sigaction(number, NULL, &now) == 0 &&
            now.sa_handler == SIG_DFL)
            sigaddset(set, number);
    }
    for (size_t h = 0; h < sizeof harmless / sizeof *harmless; h++)
        sigdelset(set, harmless[h]);
}

static atomic_bool interrupted;
static atomic_int first_signal;
static atomic_int_fast64_t first_signal_ns;

static void interrupt_call(int number) {
}

static void remember_signal(int number) {
    /* A call that blocks after the flag was checked, but before this signal, would never notice it.
     * The same holds for later calls. */
    static const struct itimerval ticks = {.it_interval.tv_usec = 20000, .it_value.tv_usec = 20000};
    static const struct sigaction tick = {.sa_handler = interrupt_call};
    /* timeout(1) sends every signal twice, and launchers forward those of the terminal. */
    static const int64_t echo_ns = 500000000;
    const int64_t now_ns = clock_now_ns();
    int_fast64_t first_ns = 0;
    const bool is_first = atomic_compare_exchange_strong(&first_signal_ns, &first_ns, now_ns);
    if (is_first && !atomic_load(&is_over)) {
        atomic_store(&first_signal, number);
        sigaction(SIGALRM, &tick, NULL);
        setitimer(ITIMER_REAL, &ticks, NULL);
    } else if (is_first || now_ns - first_ns > echo_ns) { /* it was not obeyed */
        signal(number, SIG_DFL);
        raise(number);
    }
    atomic_store(&interrupted, true);
}

void interrupt_install(void) {
    const struct sigaction action = {.sa_handler = remember_signal};
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t ends;
    sigemptyset(&ends);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        struct sigaction before;
        sigaddset(&ends, numbers[n]);
        if (sigaction(numbers[n], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[n], &action, NULL);
    }
    pthread_sigmask(SIG_UNBLOCK, &ends, NULL); /* the parent may have blocked them */
}

const atomic_bool *interrupt_flag(void) {
    return &interrupted;
}

int interrupt_signal(void) {
    return atomic_load(&first_signal);
}

static struct {
    bool is_on, has_changed, is_typed;
    int64_t from_ns;
    sigset_t ends, before;
    struct termios modes;
} key;

void interrupt_by_key(void) {
    static const int64_t patience_ns = 300000000;
    key.is_on = tcgetattr(STDIN_FILENO, &key.modes) == 0;
    key.has_changed = key.is_typed = false;
    key.from_ns = clock_now_ns() + patience_ns;
    signals_that_end(&key.ends);
    pthread_sigmask(SIG_BLOCK, &key.ends, &key.before);
}

bool interrupt_by_key_end(void) {
    if (key.has_changed)
        tcsetattr(STDIN_FILENO, TCSANOW, &key.modes);
    pthread_sigmask(SIG_SETMASK, &key.before, NULL);
    key.is_on = false;
    return key.is_typed;
}

bool interrupt_is_wanted(void) {
    struct pollfd typed = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t waiting;
    char byte;
    if (atomic_load(&interrupted) || !key.is_on || clock_now_ns() < key.from_ns)
        return atomic_load(&interrupted);
    if (!key.has_changed) {
        struct termios modes = key.modes;
        modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        key.has_changed = tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
    }
    while (!key.is_typed && poll(&typed, 1, 0) == 1 && read(STDIN_FILENO, &byte, 1) == 1)
        key.is_typed = byte == 'q';
    sigpending(&waiting);
    sigandset(&waiting, &waiting, &key.ends);
    return key.is_typed || !sigisemptyset(&waiting);
}

/* ---- drivers -------------------------------------------------------------------------------- */

static void report_wait(int number, siginfo_t *info, void *context) {
    static const char line[] = "jacobi-tui: still waiting for a back end's driver: --backend "
                               "chooses another\n";
    const bool is_late = info->si_code == SI_TIMER && !atomic_load(&interrupted);
    (void)!(is_late ? write(STDERR_FILENO, line, sizeof line - 1) : 0);
    if (info->si_code == SI_TIMER)
        return;
    signal(number, SIG_DFL); /* another's signal ends the process, as without this handler */
    raise(number);
}

bool process_watch_driver(timer_t *watch) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    const struct sigaction action = {.sa_sigaction = report_wait,
                                     .sa_flags = SA_SIGINFO | SA_RESTART};
    const struct itimerspec once = {.it_value = {.tv_sec = limit_ns(LIMIT_DOCTOR) / 1000000000,
                                                 .tv_nsec = limit_ns(LIMIT_DOCTOR) % 1000000000}};
    if (atomic_load(&interrupted) || timer_create(CLOCK_MONOTONIC, &event, watch))
        return false;
    sigaction(SIGALRM, &action, NULL);
    return timer_settime(*watch, 0, &once, NULL) == 0;
}
