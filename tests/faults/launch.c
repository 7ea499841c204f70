#include "tests/faults/launch.h"
#include "tests/fixtures/support.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "tests/faults/faults.h"
#include "tests/fixtures/folder.h"

void launcher_open(struct launcher *launcher, const char *line, const char *const variables[]) {
    char number[32], words[1024], *argv[32] = {program};
    int ends[2];
    print_to(words, "%s", line);
    split_words(words, argv, 1);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    fflush(NULL);
    *launcher = (struct launcher){.socket = ends[0], .server = fork()};
    assert_true(launcher->server >= 0);
    if (launcher->server > 0) {
        close(ends[1]);
        return;
    }
    const int end = dup(ends[1]);
    print_to(number, "%d", end);
    setenv("JACOBI_FAULT_SERVER", number, 1);
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH, 1);
    for (; *variables; variables++)
        putenv((char *)*variables);
    execv(program, argv);
    _exit(96);
}

void launcher_close(struct launcher *launcher) {
    close(launcher->socket);
    waitpid(launcher->server, NULL, 0);
}

static int answer_of(const struct launcher *launcher) {
    int answer;
    if (read(launcher->socket, &answer, sizeof answer) != sizeof answer)
        fail_msg("the program can't be started, or not again");
    return answer;
}

pid_t launcher_start(struct launcher *launcher, const struct fault_launch *launch,
                     const int fds[LAUNCH_FDS]) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(LAUNCH_FDS * sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)launch, sizeof *launch};
    const struct msghdr message = {.msg_iov = &part,
                                   .msg_iovlen = 1,
                                   .msg_control = &control,
                                   .msg_controllen = sizeof control};
    control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
                                    .cmsg_type = SCM_RIGHTS,
                                    .cmsg_len = CMSG_LEN(LAUNCH_FDS * sizeof(int))};
    memcpy(CMSG_DATA(&control.head), fds, LAUNCH_FDS * sizeof(int));
    assert_int_equal(sendmsg(launcher->socket, &message, MSG_NOSIGNAL), sizeof *launch);
    return launcher->copy = answer_of(launcher);
}

int launcher_wait(struct launcher *launcher) {
    struct pollfd ready = {.fd = launcher->socket, .events = POLLIN};
    if (poll(&ready, 1, 1000 * LIMIT_SECONDS) > 0)
        return answer_of(launcher);
    kill(launcher->copy, SIGKILL);
    answer_of(launcher);
    return -1;
}

pid_t launcher_begin(void *user, int slave, int *end) {
    struct launch_on *on = user;
    const int fds[LAUNCH_FDS] = {slave, slave, slave, on->told};
    on->launch.leads = true;
    *end = on->launcher->socket;
    return launcher_start(on->launcher, &on->launch, fds);
}

/* ---- reports */

int launch_file(void) {
    const int fd = memfd_create("jacobi-fault", MFD_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

char launch_mark(int fd) {
    char mark;
    return pread(fd, &mark, 1, 0) == 1 ? mark : '\0';
}

/* The position of hit `h` among its process's hits; 0: an earlier one there has the same stack. */
static long number_of(const struct fault_hit *hits, size_t h) {
    long number = 1;
    for (size_t before = 0; before < h; before++) {
        if (hits[before].process != hits[h].process)
            continue;
        if (hits[before].stack == hits[h].stack)
            return 0;
        number++;
    }
    return number;
}

static bool is_among(const long *numbers, size_t count, long number) {
    while (count > 0)
        if (numbers[--count] == number)
            return true;
    return false;
}

/* Stacks whose calls have already failed in this way, with any command line. Planted values are not
 * calls. */
static struct failed {
    uint64_t stack;
    char kind, way; /* for "alloc:7+": 'a', '+' */
} known[1 << 14];
static size_t known_count;

static bool is_known(const struct failed *failed) {
    for (size_t k = 0; k < known_count; k++)
        if (known[k].kind == failed->kind && known[k].way == failed->way &&
            known[k].stack == failed->stack)
            return true;
    return false;
}

/* Selects calls from a survey: every `step`th of the first calls from each call stack in each
 * process. Skips stacks that have already failed in this way with an earlier command line. Returns
 * the calls' numbers, in order; the caller frees them. */
static long *launch_points(int fd, const char *kind, const char *way, int step, size_t *count) {
    struct stat info;
    assert_int_equal(fstat(fd, &info), 0);
    const size_t size = (size_t)info.st_size, all = size / sizeof(struct fault_hit);
    struct fault_hit *hits = malloc(size + 1);
    long *numbers = malloc((all + 1) * sizeof *numbers), found = 0;
    assert_true(hits && numbers);
    assert_int_equal(pread(fd, hits, size, 0), size);
    *count = 0;
    for (size_t h = 0; h < all; h++) {
        const struct failed failed = {hits[h].stack, *kind, *way};
        const long number = number_of(hits, h);
        const bool is_call = strcmp(kind, "nan") != 0 && strcmp(kind, "inf") != 0;
        if (number == 0 || (is_call && is_known(&failed)) || is_among(numbers, *count, number) ||
            found++ % step != 0)
            continue;
        assert_true(known_count < count_of(known));
        known[known_count++] = failed;
        numbers[(*count)++] = number;
    }
    free(hits);
    return numbers;
}

/* ---- each call in turn */

/* Makes one call fail; returns whether the call was reached. */
static bool fail_one(fault_run *run, void *user, const char *kind, long number, const char *on) {
    char fault[48];
    print_to(fault, "%s:%ld%s", kind, number, on);
    const int told = run(user, fault);
    const bool reached = launch_mark(told) != '\0';
    close(told);
    return reached;
}

long fail_each(fault_run *run, void *user, const char *kind, const char *on, int step) {
    enum { POINTS_MAX = 100000 };
    char survey[48];
    size_t count = 0;
    long points = 0, *numbers = NULL;
    print_to(survey, "%s:?", kind);
    const int told = run(user, survey);
    if (!tests_are_full())
        numbers = launch_points(told, kind, on, step, &count);
    else
        while (fail_one(run, user, kind, 1 + points * step, on))
            if (++points == POINTS_MAX)
                fail_msg("%s never comes through", kind);
    for (size_t n = 0; n < count; n++)
        points += fail_one(run, user, kind, numbers[n], on);
    free(numbers);
    close(told);
    return points;
}
