#include "tests/faults/fault_runner.h"

#include <dirent.h>
#include <fcntl.h>

#include <cJSON.h>

#include "record/recording.h"
#include "tests/faults/launch.h"
#include "tests/fixtures/folder.h"

static int nothing; /* /dev/null */

struct ending {
    int status; /* exit status; 128+n: signal n; -1: it did not end */
    char mark;  /* the failed call's mark, defined in faults.h; '\0': no call failed */
    char line[2048], out[1 << 16];
};

static struct ending untouched; /* the current line's run without a fault */

/* ---- running the program */

static void read_back(int fd, char *text, size_t size) {
    const ssize_t count = pread(fd, text, size - 1, 0);
    text[count > 0 ? count : 0] = '\0';
    close(fd);
}

/* Whether the solver runs in its own process. */
static bool is_elsewhere(const char *line) {
    return strstr(line, "--on ") != NULL;
}

static void open_launcher(struct launcher *launcher, const char *line) {
    const char *const variables[] = {PRINT("XDG_CONFIG_HOME=%s", folder_path),
                                     PRINT("XDG_CACHE_HOME=%s", folder_path), NULL};
    launcher_open(launcher, line, variables);
}

/* *told: the file of the process's report; the caller closes it. */
static struct ending run(struct launcher *launcher, const char *line, const char *fault,
                         int *told) {
    struct fault_launch launch = {.elsewhere = strstr(line, "--on ./there") != NULL};
    const int fds[LAUNCH_FDS] = {nothing, launch_file(), launch_file(), launch_file()};
    struct ending ending;
    print_to(launch.fault, "%s", fault);
    launcher_start(launcher, &launch, fds);
    const int status = launcher_wait(launcher);
    ending.status = status == -1        ? -1
                    : WIFEXITED(status) ? WEXITSTATUS(status)
                                        : 128 + WTERMSIG(status);
    read_back(fds[LAUNCH_OUT], ending.out, sizeof ending.out);
    read_back(fds[LAUNCH_ERR], ending.line, sizeof ending.line);
    ending.mark = '\0';
    *told = fds[LAUNCH_TOLD];
    return ending;
}

/* ---- conditions that every ending must meet */

/* A remote solver's own lines may come first; it must never report an end with status 0. */
static bool is_one_line(const char *text, bool elsewhere) {
    const char *end = strchr(text, '\n');
    while (elsewhere && end && end[1]) {
        text = end + 1;
        end = strchr(text, '\n');
    }
    if (elsewhere && strstr(text, "ended with status 0"))
        return false;
    return strncmp(text, "jacobi-tui: ", 12) == 0 && strlen(text) > 20 && end && !end[1];
}

/* The number of fields in a JSON text. */
static int fields(const char *text) {
    int count = 0;
    for (const char *at = strstr(text, "\":"); at; at = strstr(at + 1, "\":"))
        count++;
    return count;
}

static const cJSON *first_solution(const cJSON *json) {
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "runs"), 0);
    return cJSON_GetObjectItem(run, "solution");
}

/* Whether the solution is the same, or missing, as in a list. */
static bool same_solution(const cJSON *json, const cJSON *known) {
    const cJSON *solution = first_solution(json);
    return !solution || cJSON_IsNull(cJSON_GetObjectItem(solution, "min")) ||
           cJSON_Compare(solution, first_solution(known), true);
}

/* Output despite a fault must be complete: JSON with as many fields as in a run without faults, and
 * the same solution. A back end whose threads can't be started has no devices to list. */
static bool is_whole(const char *line, const char *out) {
    if (strstr(line, "--screenshot") || strstr(line, "--cast"))
        return true;
    if (!strstr(line, "json"))
        return *out != '\0';
    cJSON *json = cJSON_Parse(out), *known = cJSON_Parse(untouched.out);
    const bool is_same = fields(out) == fields(untouched.out);
    const bool lists_less = strstr(line, "--list") && strstr(out, " threads can be started here ");
    const bool whole = json && (is_same || lists_less) && same_solution(json, known);
    cJSON_Delete(json);
    cJSON_Delete(known);
    return whole;
}

/* The last failing calls may come after a picture is complete: the session continues below it until
 * it is closed. At most this many of a line's failing calls may end with status 0. */
enum { LATE_MAX = 3 };

static int late;

/* Whether the manual allows this status. If the mark determines the status and no later call fails,
 * only that status is allowed. */
static bool is_documented(const char *line, const char *fault, const struct ending *ending) {
    if (ending->mark < '0' || ending->mark > '9' || strchr(fault, '+') || is_elsewhere(line))
        return ending->status >= 0 && ending->status <= 4;
    if (ending->status == 0 && strstr(line, "--screenshot"))
        return ++late <= LATE_MAX;
    return ending->status == ending->mark - '0';
}

static void check_ending(const char *line, const char *fault, const struct ending *ending) {
    const bool told = ending->status == 0 ? is_whole(line, ending->out)
                                          : is_one_line(ending->line, is_elsewhere(line));
    /* One iteration spreads the value from U(5, 4) to its neighbours; the first row's is U(5,
     * 3). */
    const bool located = ending->status != STATUS_DIVERGED || strstr(ending->line, "U(5, 3) is ");
    if (!told || !located || !is_documented(line, fault, ending))
        fail_msg("%s with %s (mark %c): status %d, says: %s", line, fault,
                 ending->mark ? ending->mark : '-', ending->status, ending->line);
}

/* Only complete files may remain: no temporary files, no recording that can't be read. */
static void check_folder(const char *line, const char *fault, int status) {
    DIR *entries = opendir(".");
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        struct recording *recording = NULL;
        struct error error = {0};
        if (strncmp(entry->d_name, "new.", 4) != 0)
            continue;
        if (strlen(entry->d_name) != strlen("new.rec"))
            fail_msg("%s with %s leaves %s", line, fault, entry->d_name);
        if (strcmp(entry->d_name, "new.rec") == 0) {
            if (recording_load(entry->d_name, &recording, &error))
                fail_msg("%s with %s: status %d, but %s", line, fault, status, error.message);
            recording_close(recording);
        }
        unlink(entry->d_name);
    }
    closedir(entries);
}

struct faulty_line {
    struct launcher launcher;
    const char *line;
};

static int run_and_check(void *user, const char *fault) {
    struct faulty_line *faulty = user;
    const bool survey = strchr(fault, '?') != NULL;
    int told;
    struct ending ending = run(&faulty->launcher, faulty->line, fault, &told);
    if (survey) {
        untouched = ending;
        assert_int_equal(ending.status, 0);
    } else {
        ending.mark = launch_mark(told);
    }
    check_ending(faulty->line, fault, &ending);
    check_folder(faulty->line, fault, ending.status);
    return told;
}

int fault_sample(int step) {
    return tests_are_full() ? 1 : step;
}

long fault_runner_fail_each(const char *line, const char *kind, const char *on, int step) {
    struct faulty_line faulty = {.line = line};
    late = 0;
    open_launcher(&faulty.launcher, line);
    const long points = fail_each(run_and_check, &faulty, kind, on, step);
    launcher_close(&faulty.launcher);
    return points;
}

/* ---- the folder */

/* Creates a preset, a recording and a remote solver for the tests, and fills the caches. */
int fault_runner_setup(void **state) {
    const char *line = "--headless --backend serial --grid 16 --iterations 3 --record good.rec";
    struct launcher launcher;
    int told;
    nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    file_write_text("good.ini",
                    "; Teaches nothing.\n[run]\nbackend = serial\ngrid = 16\niterations = 3\n");
    file_write_text("there", "#!/bin/sh\nJACOBI_FAULT=$JACOBI_FAULT_THERE exec '%s' --serve\n",
                    program);
    file_write_text("sound", "#!/bin/sh\nunset JACOBI_FAULT\nexec '%s' --serve\n", program);
    if (chmod("there", 0700) || chmod("sound", 0700))
        return 1;
    open_launcher(&launcher, line);
    const int status = run(&launcher, line, "alloc:0", &told).status;
    close(told);
    launcher_close(&launcher);
    return status;
}
