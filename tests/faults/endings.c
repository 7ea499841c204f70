#include "tests/faults/endings.h"

#include "tests/fixtures/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cJSON.h>

#include "core/system.h"
#include "record/recording.h"

enum { POINTS_MAX = 100000 };

static char *program;
static char folder[] = "/tmp/jacobi-faults-XXXXXX";

struct ending {
    int status; /* exit status; 128+n: signal n; -1: it did not end */
    char mark;  /* of the call that failed, as faults.h has it; '\0': none did */
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
            return -1;
        }
        poll(NULL, 0, 1);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether the solver runs in a process of its own, and the faults are in that. */
static bool is_elsewhere(const char *line) {
    return strstr(line, "--on ") != NULL;
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
    setenv(is_elsewhere(line) ? "JACOBI_FAULT_THERE" : "JACOBI_FAULT", fault, 1);
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
    ending.mark = *hit_text;
    read_back(err, ending.line, sizeof ending.line);
    read_back(out, ending.out, sizeof ending.out);
    close(hit);
    close(out);
    close(err);
    return ending;
}

/* ---- what must be true of every ending */

/* Of a solver elsewhere also what that has said, and never that it ended well. */
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

/* How many fields a JSON text has. */
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

/* The same solution, or none told, as in a list. */
static bool same_solution(const cJSON *json, const cJSON *known) {
    const cJSON *solution = first_solution(json);
    return !solution || cJSON_IsNull(cJSON_GetObjectItem(solution, "min")) ||
           cJSON_Compare(solution, first_solution(known), true);
}

/* What went through all the same is whole: JSON with as many fields as that of a run untouched, and
 * the same solution. */
static bool is_whole(const char *line, const char *out) {
    static char known_line[256], known_out[1 << 16];
    if (strstr(line, "--screenshot") || strstr(line, "--cast"))
        return true;
    if (!strstr(line, "json"))
        return *out != '\0';
    if (strcmp(known_line, line) != 0) {
        snprintf(known_line, sizeof known_line, "%s", line);
        snprintf(known_out, sizeof known_out, "%s", run(line, "alloc:1000000").out);
    }
    cJSON *json = cJSON_Parse(out), *known = cJSON_Parse(known_out);
    const bool whole = json && fields(out) == fields(known_out) && same_solution(json, known);
    cJSON_Delete(json);
    cJSON_Delete(known);
    return whole;
}

/* Of the calls that fail, the last ones may come after a picture is complete: the session goes on
 * below it until it is closed. So few of them, of those with `line` so far, may end well. */
enum { LATE_MOST = 3 };

static int late;

/* The manual's statuses for what can fail here; the very one if the mark says which, and nothing
 * else fails after it. */
static bool is_documented(const char *line, const char *fault, const struct ending *ending) {
    if (ending->mark < '0' || ending->mark > '9' || strchr(fault, '+'))
        return ending->status >= 0 && ending->status <= 4;
    if (ending->status == 0 && strstr(line, "--screenshot"))
        return ++late <= LATE_MOST;
    return ending->status == ending->mark - '0';
}

static void check_ending(const char *line, const char *fault, const struct ending *ending) {
    const bool told = ending->status == 0 ? is_whole(line, ending->out)
                                          : is_one_line(ending->line, is_elsewhere(line));
    /* From U(5, 4) one iteration spreads the value to its neighbours: the first of them in rows. */
    const bool located = ending->status != STATUS_DIVERGED || strstr(ending->line, "U(5, 3) is ");
    if (!told || !located || !is_documented(line, fault, ending))
        fail_msg("%s with %s (mark %c): status %d, says: %s", line, fault,
                 ending->mark ? ending->mark : '-', ending->status, ending->line);
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

long endings_fail_in_turn(const char *line, const char *kind, const char *on, int step) {
    step *= fault_step();
    late = 0;
    for (long n = 1, points = 0; n < POINTS_MAX; n += step, points++) {
        char fault[64];
        snprintf(fault, sizeof fault, "%s:%ld%s", kind, n, on);
        const struct ending ending = run(line, fault);
        check_ending(line, fault, &ending);
        check_folder(line, fault, ending.status);
        if (!ending.mark)
            return points;
    }
    fail_msg("%s never comes through", line);
    return 0;
}

/* ---- the folder */

/* A preset, a recording and a solver elsewhere for the others, and whatever may be cached is. */
void endings_of_program(int argc, char *argv[]) {
    if (argc < 2)
        exit(2);
    program = realpath(argv[1], NULL); /* runs are made in another folder */
}

int endings_begin(void **state) {
    (void)state;
    char path[128];
    if (!program || !mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/good.ini", folder);
    FILE *preset = fopen(path, "w");
    if (!preset)
        return 1;
    fputs("; Teaches nothing.\n[run]\nbackend = serial\ngrid = 16\niterations = 3\n", preset);
    fclose(preset);
    snprintf(path, sizeof path, "%s/there", folder);
    FILE *script = fopen(path, "w");
    if (!script)
        return 1;
    fprintf(script, "#!/bin/sh\nJACOBI_FAULT=$JACOBI_FAULT_THERE exec '%s' --serve\n", program);
    fclose(script);
    if (chmod(path, 0700))
        return 1;
    const char *line = "--headless --backend serial --grid 16 --iterations 3 --record good.rec";
    return run(line, "alloc:1000000").status;
}

int endings_end(void **state) {
    (void)state;
    char command[160];
    free(program);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
