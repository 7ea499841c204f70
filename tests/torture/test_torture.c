/* Every allocation and every operation on a file fails in turn, once and from then on, until a run
 * comes through untouched: the program must end by itself, with a status that the manual names, one
 * clear line, and nothing half written. Leaks are found where this is built with AddressSanitizer.
 *
 * The first argument is the program with tests/torture/faults.c linked in. */
#include "tests/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cJSON.h>

#include "core/clock.h"
#include "record/recording.h"

enum { LIMIT_SECONDS = 60, POINTS_MAX = 100000 };

static char *program;
static char folder[] = "/tmp/jacobi-torture-XXXXXX";

struct ending {
    int status;   /* exit status; -1: a signal; -2: it did not end */
    bool reached; /* the call that was to fail */
    char line[2048], out[1 << 16];
};

/* ---- running it */

static void read_back(int fd, char *text, size_t size) {
    const ssize_t count = pread(fd, text, size - 1, 0);
    text[count > 0 ? count : 0] = '\0';
}

static int temporary(void) {
    char path[128];
    snprintf(path, sizeof path, "%s.out", folder);
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

static int wait_for(pid_t child) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (clock_now_ns() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -2;
        }
        poll(NULL, 0, 1);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static pid_t start(const char *line, const char *fault, int hit, int out, int err) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    char words[1024], number[16], *argv[32] = {program}, *rest = NULL;
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &rest); word && argc < 31;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    snprintf(number, sizeof number, "%d", hit);
    setenv("JACOBI_FAULT", fault, 1);
    setenv("JACOBI_FAULT_FD", number, 1);
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    if (chdir(folder))
        _exit(98);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execv(program, argv);
    _exit(96);
}

static struct ending run(const char *line, const char *fault) {
    struct ending ending = {0};
    char hit_text[2];
    const int hit = temporary(), out = temporary(), err = temporary();
    ending.status = wait_for(start(line, fault, hit, out, err));
    read_back(hit, hit_text, sizeof hit_text);
    ending.reached = *hit_text;
    read_back(err, ending.line, sizeof ending.line);
    read_back(out, ending.out, sizeof ending.out);
    close(hit);
    close(out);
    close(err);
    return ending;
}

/* ---- what must be true of every ending */

static bool is_one_line(const char *text) {
    const char *end = strchr(text, '\n');
    return strncmp(text, "jacobi-tui: ", 12) == 0 && strlen(text) > 20 && end && !end[1];
}

/* How many fields a JSON text has. */
static int fields(const char *text) {
    int count = 0;
    for (const char *at = strstr(text, "\":"); at; at = strstr(at + 1, "\":"))
        count++;
    return count;
}

/* What went through all the same is whole: JSON with as many fields as that of a run untouched. */
static bool is_whole(const char *line, const char *out) {
    static char known_line[256], known_out[1 << 16];
    if (strstr(line, "--screenshot"))
        return true;
    if (!strstr(line, "json"))
        return *out != '\0';
    if (strcmp(known_line, line) != 0) {
        snprintf(known_line, sizeof known_line, "%s", line);
        snprintf(known_out, sizeof known_out, "%s", run(line, "alloc:1000000").out);
    }
    cJSON *json = cJSON_Parse(out);
    const bool whole = json && fields(out) == fields(known_out);
    cJSON_Delete(json);
    return whole;
}

static void check_ending(const char *line, const char *fault, const struct ending *ending) {
    const bool good = ending->status == 0
                          ? is_whole(line, ending->out)
                          : ending->status >= 1 && ending->status <= 3 && is_one_line(ending->line);
    if (!good)
        fail_msg("%s with %s: status %d, says: %s", line, fault, ending->status, ending->line);
}

/* Nothing but whole files: no temporary ones, no recording that can't be read. */
static void check_folder(const char *line, const char *fault, int status) {
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        char path[512];
        struct recording *recording = NULL;
        struct error error = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, "new.", 4) != 0)
            continue;
        if (strlen(entry->d_name) != strlen("new.rec"))
            fail_msg("%s with %s leaves %s", line, fault, entry->d_name);
        if (strcmp(entry->d_name, "new.rec") == 0) {
            if (recording_load(path, &recording, &error))
                fail_msg("%s with %s: status %d, but %s", line, fault, status, error.message);
            recording_close(recording);
        }
        unlink(path);
    }
    closedir(entries);
}

/* The number of points that failed; every `step`th is tried. */
static long fail_in_turn(const char *line, const char *kind, const char *on, int step) {
    for (long n = 1, points = 0; n < POINTS_MAX; n += step, points++) {
        char fault[64];
        snprintf(fault, sizeof fault, "%s:%ld%s", kind, n, on);
        const struct ending ending = run(line, fault);
        check_ending(line, fault, &ending);
        check_folder(line, fault, ending.status);
        if (!ending.reached)
            return points;
    }
    fail_msg("%s never comes through", line);
    return 0;
}

static void torture(const char *what, const char *line) {
    const long allocations = fail_in_turn(line, "alloc", "", 1);
    const long files = fail_in_turn(line, "file", "", 1);
    const long more = fail_in_turn(line, "alloc", "+", 5) + fail_in_turn(line, "file", "+", 5);
    print_message("%-12s %4ld allocations, %4ld operations; %ld from then on\n", what, allocations,
                  files, more);
    assert_true(allocations > 0 && files > 0);
}

/* ---- the runs */

static void test_headless(void **state) {
    (void)state;
    torture("headless", "--headless --format json --backend serial --grid 16 --iterations 3");
}

static void test_compare(void **state) {
    (void)state;
    torture("compare", "--headless --grid 16 --iterations 3 --tolerance 0 --compare "
                       "serial,serial/unstructured/blocked");
}

static void test_presets(void **state) {
    (void)state;
    torture("preset", "--headless --preset good.ini --format csv");
}

static void test_list(void **state) {
    (void)state;
    torture("list", "--list --format json");
}

static void test_record(void **state) {
    (void)state;
    torture("record", "--headless --backend serial --grid 16 --iterations 3 --record new.rec");
}

static void test_replay(void **state) {
    (void)state;
    torture("replay", "--headless --replay good.rec --format json");
}

static void test_screenshot(void **state) {
    (void)state;
    torture("screenshot", "--headless --replay good.rec --screenshot new.svg");
}

/* A preset and a recording for the others, and whatever may be cached is. */
static int prepare(void **state) {
    char path[128];
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/good.ini", folder);
    FILE *preset = fopen(path, "w");
    if (!preset)
        return 1;
    fputs("; Teaches nothing.\n[run]\nbackend = serial\ngrid = 16\niterations = 3\n", preset);
    fclose(preset);
    const char *line = "--headless --backend serial --grid 16 --iterations 3 --record good.rec";
    return run(line, "alloc:1000000").status;
}

static int clear(void **state) {
    char command[160];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(int argc, char *argv[]) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headless),   cmocka_unit_test(test_compare),
        cmocka_unit_test(test_presets),    cmocka_unit_test(test_list),
        cmocka_unit_test(test_record),     cmocka_unit_test(test_replay),
        cmocka_unit_test(test_screenshot),
    };
    if (argc < 2)
        return 2;
    program = realpath(argv[1], NULL); /* runs are made in another folder */
    const int failed = cmocka_run_group_tests(tests, prepare, clear);
    free(program);
    return failed;
}
