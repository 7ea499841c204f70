#include "core/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/system.h"

#define UNNAMED "your kernels"
#define REFUSED "tried to start a process, or to signal one"

enum { LOOK_MS = 20, X32_CALLS = 1 << 30, HIDDEN_MAX = 8 };

static struct sandbox_limits limits;
static atomic_uint_fast64_t resident_before;
static int report_fd = -1; /* the original standard error */
static int printed = -1;   /* the read end of the pipe for printed output */
static char *shared_name;
static _Atomic(const char *) running; /* the function's name; NULL: our own code */
static const unsigned *running_block, *running_thread;
static atomic_uint_fast64_t calls;
static struct hidden {
    char *memory;
    size_t bytes;
    const char *name;
} hidden[HIDDEN_MAX];
static int hidden_count;

/* Begins a line about the running function. Safe in a signal handler, like report_line. */
static struct crash_line begin_line(void) {
    struct crash_line line = {.used = 0};
    const char *name = atomic_load(&running);
    crash_add(&line, name ? name : UNNAMED);
    crash_add(&line, ": ");
    return line;
}

static void report_line(const char *what, const char *more) {
    struct crash_line line = begin_line();
    crash_add(&line, what);
    crash_add(&line, more);
    crash_write(&line, report_fd);
}

void sandbox_share(char *name) {
    shared_name = name;
}

void sandbox_place(const unsigned *block, const unsigned *thread) {
    running_block = block;
    running_thread = thread;
}

void sandbox_fail(const char *why) {
    report_line(why, "");
    _exit(STATUS_DEVICE_FAILED);
}

void sandbox_enter(const char *name) {
    static _Thread_local bool has_stack;
    if (name && report_fd >= 0 && !has_stack) {
        crash_take_stack();
        has_stack = true;
    }
    atomic_store(&running, name);
    if (shared_name)
        snprintf(shared_name, SANDBOX_NAME_SIZE, "%s", name ? name : "");
    atomic_fetch_add(&calls, 1);
}

void sandbox_hide(void *memory, size_t bytes, const char *name) {
    if (report_fd < 0 || hidden_count == HIDDEN_MAX || mprotect(memory, bytes, PROT_NONE))
        return;
    hidden[hidden_count++] = (struct hidden){memory, bytes, name};
}

void sandbox_show(void) {
    while (hidden_count > 0) {
        hidden_count--;
        mprotect(hidden[hidden_count].memory, hidden[hidden_count].bytes, PROT_READ | PROT_WRITE);
    }
}

/* ---- its output ----------------------------------------------------------------------------- */

static char trouble[96]; /* the end of the first printed line that reports an error */

/* LLVM's runtime prints the reason for an abort. */
static void look_for_trouble(const char *bytes, size_t size) {
    static char line[256];
    static size_t used;
    for (size_t b = 0; b < size && !*trouble; b++) {
        if (bytes[b] != '\n') {
            line[used] = bytes[b];
            used += used < sizeof line - 1;
            continue;
        }
        line[used] = '\0';
        used = 0;
        const char *found = strstr(line, "error: ");
        for (const char *next = found; next; next = strstr(found, ": "))
            found = next + 2;
        snprintf(trouble, sizeof trouble, "%s", found ? found : "");
    }
}

/* Runs in one thread at a time; another waits for it. A thread that has crashed does not, as it may
 * hold the lock: it passes `why`, as large as `trouble`, instead. */
static void pass_output_on(char *why) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t passed;
    char bytes[1024];
    ssize_t size;
    if (why && pthread_mutex_trylock(&mutex))
        return;
    if (!why)
        pthread_mutex_lock(&mutex);
    /* At most a pipe's worth at a time: user code may print without end. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): this pipe does not block */
    for (int piece = 0; piece < 64 && (size = read(printed, bytes, sizeof bytes)) > 0; piece++) {
        const uint64_t before = passed;
        passed += (uint64_t)size;
        look_for_trouble(bytes, (size_t)size);
        if (before > limits.output_bytes)
            continue;
        const bool is_last = before + (uint64_t)size > limits.output_bytes;
        if (is_last)
            bytes[size - 1] = '\n';
        (void)!write(report_fd, bytes, (size_t)size);
        if (is_last)
            report_line("printed too much: the rest is omitted", "");
    }
    if (why)
        memcpy(why, trouble, sizeof trouble);
    pthread_mutex_unlock(&mutex);
}

/* ---- exit ----------------------------------------------------------------------------------- */

static void report_crash(int number, const siginfo_t *info) {
    struct crash_line line = begin_line();
    char why[sizeof trouble] = "";
    const char *hit = NULL;
    for (int h = 0; h < hidden_count && number == SIGSEGV; h++)
        if ((uintptr_t)info->si_addr - (uintptr_t)hidden[h].memory < hidden[h].bytes)
            hit = hidden[h].name;
    pass_output_on(why);
    if (number == SIGSYS) {
        crash_add(&line, REFUSED);
    } else if (hit) {
        crash_add(&line, "reads or writes ");
        crash_add(&line, hit);
        crash_add(&line, " in the host's memory: it is not mapped");
    } else {
        const char *name = sigabbrev_np(number);
        crash_add(&line, "signal ");
        crash_add_number(&line, (unsigned)number);
        crash_add(&line, " ");
        crash_add(&line, name ? name : "");
        if (running_block && atomic_load(&running)) {
            crash_add(&line, " in block ");
            crash_add_number(&line, *running_block);
            crash_add(&line, ", thread ");
            crash_add_number(&line, *running_thread);
        } else if (number == SIGABRT && *why) {
            crash_add(&line, ": ");
            crash_add(&line, why);
        }
    }
    crash_write(&line, report_fd);
}

const char *sandbox_exit_reason(int status, const char *line) {
    bool has_told = WIFEXITED(status) && WEXITSTATUS(status) == STATUS_DEVICE_FAILED;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS && !strstr(line, REFUSED))
        return UNNAMED ": " REFUSED;
    has_told |= WIFSIGNALED(status) && signal_is_of_a_crash(WTERMSIG(status));
    return has_told ? line : "";
}

static void on_exit_called(void) {
    pass_output_on(NULL);
    if (!atomic_load(&running))
        return;
    report_line("called exit", "");
    _exit(STATUS_DEVICE_FAILED);
}

static double process_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t resident_bytes(void) {
    char text[64] = "";
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    const char *second = size > 0 ? strchr(text, ' ') : NULL;
    if (file >= 0)
        close(file);
    return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

void sandbox_forget_memory(void) {
    resident_before = resident_bytes();
}

/* Runs in its own thread. */
static void *sandbox_watch(void *unused) {
    uint64_t call = 0;
    double cpu = 0;
    int64_t began = 0;
    for (;;) {
        char words[80];
        struct pollfd ready = {.fd = printed, .events = POLLIN};
        if (poll(&ready, 1, LOOK_MS) > 0)
            poll(NULL, 0, LOOK_MS); /* collect more output */
        pass_output_on(NULL);
        const uint64_t now = atomic_load(&calls);
        if (now != call || !atomic_load(&running)) {
            call = now;
            cpu = process_seconds();
            began = clock_awake_ns();
        }
        if (process_seconds() - cpu > limits.cpu_seconds)
            snprintf(words, sizeof words, "computed for more than %g s", limits.cpu_seconds);
        else if (1e-9 * (double)(clock_awake_ns() - began) > limits.wall_seconds)
            snprintf(words, sizeof words, "did not end within %g s", limits.wall_seconds);
        else if (atomic_load(&running) && resident_bytes() > resident_before + limits.memory_bytes)
            snprintf(words, sizeof words, "used more than %.3g GB of memory",
                     1e-9 * (double)limits.memory_bytes);
        else
            continue;
        report_line("stopped: ", words);
        _exit(STATUS_DEVICE_FAILED);
    }
    return NULL;
}

/* The clone flag with which sanitizers start the process that inspects all threads. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||                                 \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZER_CLONE CLONE_UNTRACED
#else
#define SANITIZER_CLONE 0
#endif

/* Allows threads and forbids processes. A filter can't see the flags of clone3, so that call fails
 * with ENOSYS and the C library calls clone. */
static void forbid_processes(void) {
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define EQUALS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define REFUSE_CALL(number) EQUALS(number, 0, 1), REFUSE
#define REFUSE_REQUESTS(number, one, other)                                                        \
    EQUALS(number, 0, 5), LOAD(args[1]), EQUALS(one, 2, 0), EQUALS(other, 1, 0), ALLOW, REFUSE
    struct sock_filter filter[] = {
#ifdef __x86_64__ /* 32-bit and x32 system calls have other numbers */
        LOAD(arch),
        EQUALS(AUDIT_ARCH_X86_64, 1, 0),
        REFUSE,
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        REFUSE,
#endif
        LOAD(nr),
#ifdef SYS_fork
        REFUSE_CALL(SYS_fork),
        REFUSE_CALL(SYS_vfork),
#endif
        REFUSE_CALL(SYS_execve),
        REFUSE_CALL(SYS_execveat),
        REFUSE_CALL(SYS_kill),
        REFUSE_CALL(SYS_tkill),
        REFUSE_CALL(SYS_rt_sigqueueinfo),
        REFUSE_CALL(SYS_rt_tgsigqueueinfo),
        REFUSE_CALL(SYS_pidfd_send_signal),
#if !SANITIZER_CLONE /* their inspection of threads uses it */
        REFUSE_CALL(SYS_ptrace),
#endif
        EQUALS(SYS_prlimit64, 0, 5),
        LOAD(args[0]), /* a process over its limit of time gets a signal */
        EQUALS(0, 1, 0),
        EQUALS((uint32_t)getpid(), 0, 1),
        ALLOW,
        REFUSE,
        /* The recipient of a signal, of a descriptor or a socket. */
        REFUSE_REQUESTS(SYS_fcntl, F_SETOWN, F_SETOWN_EX),
        REFUSE_REQUESTS(SYS_ioctl, FIOSETOWN, SIOCSPGRP),
        EQUALS(SYS_tgkill, 0, 8),
        LOAD(args[2]), /* SIGSTOP to SIGTTOU would also stop the watcher */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, SIGSTOP, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, SIGTTOU, 1, 0),
        REFUSE,
        LOAD(args[0]),
        EQUALS((uint32_t)getpid(), 1, 0), /* raise, abort */
        REFUSE,
        ALLOW,
        EQUALS(SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        EQUALS(SYS_clone, 1, 0),
        ALLOW,
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD | SANITIZER_CLONE, 0, 1),
        ALLOW,
        REFUSE,
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum status sandbox_begin(const struct sandbox_limits *wanted, struct error *error) {
    const struct rlimit no_core = {0, 0}, file_size = {1 << 26, 1 << 26};
    pthread_t watcher;
    int ends[2];
    limits = *wanted;
    resident_before = resident_bytes();
    report_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (report_fd < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return error_set(error, STATUS_INTERNAL, "no descriptor: %s", strerror(errno));
    printed = ends[0];
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &file_size);
    crash_install(report_crash);
    atexit(on_exit_called);
    const int reason = thread_start(&watcher, sandbox_watch, NULL);
    if (reason)
        return error_set(error, STATUS_INTERNAL, "can't start the guard: %s", strerror(reason));
    pthread_detach(watcher);
    forbid_processes();
    return STATUS_OK;
}
