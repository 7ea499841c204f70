#include "kernels/backends.h"
#include "tests/fixtures/support.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cJSON.h>

#include "solver/backend.h"

/* The whole program, as built, and the folder of fake drivers, if there is one; named by the
 * arguments of this one. */
static const char *program, *fake;

struct result {
    int status; /* exit status, or -1 if a signal ended it */
    char out[1 << 16], err[4096];
};

static void read_all(FILE *file, char *text, size_t size) {
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static pid_t start(char *const argv[], FILE *out, FILE *err) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
    assert_int_equal(posix_spawn(&child, program, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static int wait_for(pid_t child) {
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs the program with the words of `line`. */
static struct result *run(const char *line) {
    static struct result result;
    char words[512], *argv[32] = {(char *)"jacobi-tui"}, *rest = NULL;
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    FILE *out = tmpfile(), *err = tmpfile();
    result.status = wait_for(start(argv, out, err));
    read_all(out, result.out, sizeof result.out);
    read_all(err, result.err, sizeof result.err);
    return &result;
}

TEST(exit_statuses) {
    static const struct {
        const char *line;
        int status;
        const char *says;
    } cases[] = {
        {"--help", 0, NULL},
        {"--version", 0, NULL},
        {"--list", 0, NULL},
        {"--doctor", 0, NULL},
        {"--backend serial --grid 16 --iterations 3", 0, NULL},
        {"--backend serial --grid 16 --tolerance 1", 0, NULL},
        {"--grid 0", 2, "1 to 65536"},
        {"--gird 4", 2, "--gird"},
        {"--preset nosuch", 2, "mi250"},
        {"--backend serial --grid 65536", 2, "GB"},
        {"--backend serial --grid 16 --device 3", 3, "device 3"},
        {"--backend serial --grid 16 --mapping unified", 3, "unified"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct result *result = run(cases[c].line);
        if (result->status != cases[c].status)
            fail_msg("%s: status %d, %s", cases[c].line, result->status, result->err);
        if (!cases[c].says) {
            assert_string_equal(result->err, "");
            assert_true(strlen(result->out) > 0);
            continue;
        }
        assert_string_equal(result->out, "");
        assert_contains(result->err, cases[c].says);
        assert_ptr_equal(strchr(result->err, '\n'), result->err + strlen(result->err) - 1);
    }
}

/* Who asked for a sweep that can't be made is told why; the run goes on. */
TEST(a_sweep_that_is_none) {
    const struct result *result =
        run("--backend serial --devices 0,0 --grid 16 --iterations 3 --sweep --headless");
    assert_int_equal(result->status, 0);
    assert_contains(result->err, "on one device, not on several");
    assert_true(strlen(result->out) > 0);
    result = run("--backend serial --grid 16 --iterations 3 --sweep --headless");
    assert_contains(result->err, "no block sizes here");
}

static const cJSON *finding_of(const cJSON *examination, const char *part, const char *name) {
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(examination, "findings")) {
        if (strcmp(cJSON_GetObjectItem(finding, "part")->valuestring, part) == 0 &&
            strcmp(cJSON_GetObjectItem(finding, "name")->valuestring, name) == 0)
            return finding;
    }
    fail_msg("no finding for %s %s", part, name);
    return NULL;
}

static bool is_there(const cJSON *examination, const char *part, const char *name) {
    return cJSON_IsTrue(cJSON_GetObjectItem(finding_of(examination, part, name), "there"));
}

/* What it says of a back end is what the back end says; what is missing comes with advice. */
TEST(doctor) {
    unsetenv("XDG_CACHE_HOME");
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    unsetenv("HOME");
    cJSON *examination = cJSON_Parse(run("--doctor --format json")->out);
    setenv("HOME", home, 1);
    free(home);
    assert_non_null(examination);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(examination, "can_run")));
    assert_true(strlen(cJSON_GetObjectItem(examination, "commit")->valuestring) > 0);
    for (const struct backend *const *at = backends; *at; at++) {
        const struct backend *backend = *at;
        struct device_list devices;
        assert_int_equal(is_there(examination, "back end", backend->name),
                         backend->probe(&devices, NULL) == STATUS_OK);
        for (const struct library *library = backend->libraries; library && library->title;
             library++) {
            const cJSON *finding =
                finding_of(examination, library->is_module ? "module" : "library", library->title);
            const char *what = cJSON_GetObjectItem(finding, "what")->valuestring;
            if (cJSON_IsTrue(cJSON_GetObjectItem(finding, "there")))
                assert_int_equal(*what, '/');
            for (int n = 0;
                 n < LIBRARY_NAMES && library->names[n] && !library->is_module && *what != '/'; n++)
                assert_contains(what, library->names[n]);
        }
    }
    assert_true(is_there(examination, "program", "presets"));
    assert_false(is_there(examination, "folder", "cache"));
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(examination, "findings")) {
        const bool there = cJSON_IsTrue(cJSON_GetObjectItem(finding, "there"));
        assert_int_equal(there, cJSON_IsNull(cJSON_GetObjectItem(finding, "advice")));
    }
    cJSON_Delete(examination);
}

/* The variable would end the process that asks the runtime: it is told instead. */
TEST(doctor_of_a_bad_environment) {
    setenv("OMP_NUM_THREADS", "abc", 1);
    const struct result *result = run("--doctor");
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(result->status, 2);
    assert_contains(result->out, "no  machine environment: environment: OMP_NUM_THREADS");
    assert_contains(result->out, "no run is possible");
    assert_contains(result->err, "OMP_NUM_THREADS");
}

/* A driver that ends the process which asks it, and folders that nobody has made yet. */
TEST(doctor_of_a_bad_driver) {
    setenv("XDG_CONFIG_HOME", "/jacobi-no-such-folder", 1);
    setenv("XDG_CACHE_HOME", "/jacobi-no-such-folder//", 1);
    if (fake)
        setenv("LD_LIBRARY_PATH", fake, 1);
    setenv("FAKE_GPU_EXITS", "1", 1);
    const struct result *result = run("--doctor");
    unsetenv("FAKE_GPU_EXITS");
    unsetenv("LD_LIBRARY_PATH");
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    unsetenv("XDG_CACHE_HOME");
    assert_int_equal(result->status, 0);
    assert_contains(result->out, "settings: /jacobi-no-such-folder/jacobi-tui, / has mode");
    assert_contains(result->out, "cache: /jacobi-no-such-folder///jacobi-tui, / has mode");
    if (fake)
        assert_contains(result->out, "hip: ended the process when it was asked (status 7)");
}

TEST(version_tells_the_commit) {
    const char *out = run("--version")->out;
    assert_contains(out, ", commit ");
    assert_contains(out, "\nbuilt in: serial");
}

TEST(back_ends_that_can_not_run) {
    for (const struct backend *const *backend = backends; *backend; backend++) {
        struct device_list devices;
        char line[64];
        if ((*backend)->probe(&devices, NULL) == STATUS_OK)
            continue;
        snprintf(line, sizeof line, "--backend %s --grid 16", (*backend)->name);
        assert_int_equal(run(line)->status, 3);
        assert_true(strlen(run(line)->err) > strlen("jacobi-tui: \n"));
    }
}

TEST(shipped_presets_are_good) {
    static const char *const names[] = {"classroom", "laptop", "mi250", "mi250-openmp", "smoother"};
    cJSON *list = cJSON_Parse(run("--list --format json")->out);
    assert_non_null(list);
    const cJSON *preset;
    cJSON_ArrayForEach(preset, cJSON_GetObjectItem(list, "presets")) {
        const cJSON *error = cJSON_GetObjectItem(preset, "error");
        if (!cJSON_IsNull(error))
            fail_msg("%s", cJSON_GetStringValue(error));
        assert_true(cJSON_IsString(cJSON_GetObjectItem(preset, "teaches")));
    }
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char line[96];
        snprintf(line, sizeof line,
                 "--preset %s --grid 16 --iterations 2 --backend serial --format json", names[n]);
        cJSON *report = cJSON_Parse(run(line)->out);
        assert_non_null(report);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(report, "preset")), names[n]);
        cJSON_Delete(report);
    }
    cJSON_Delete(list);
}

/* Recordings of versions 1 and 2 know nothing of damping: there was none. */
TEST(shipped_recordings_can_be_read) {
    static const char *const names[] = {"h200-hip-classic", "h200-omp-unstructured",
                                        "cpu-omp-compare"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char line[96];
        snprintf(line, sizeof line, "--replay %s --headless --format json", names[n]);
        cJSON *report = cJSON_Parse(run(line)->out);
        assert_non_null(report);
        const cJSON *runs = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "runs"), 0);
        assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(runs, "omega")) == 1);
        cJSON_Delete(report);
    }
}

/* Ended by a signal, the program still reports what it has and says which signal it was. */
TEST(a_signal_ends_it_cleanly) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        char *argv[] = {(char *)"jacobi-tui", (char *)"--backend",    (char *)"serial",
                        (char *)"--grid",     (char *)"64",           (char *)"--tolerance",
                        (char *)"0",          (char *)"--iterations", (char *)"1000000000",
                        (char *)"--format",   (char *)"jsonl",        NULL};
        struct result result;
        FILE *out = tmpfile(), *err = tmpfile();
        const pid_t child = start(argv, out, err);
        while (lseek(fileno(out), 0, SEEK_END) == 0) /* its first line: it has begun */
            usleep(10000);
        kill(child, signals[s]);
        assert_int_equal(wait_for(child), 128 + signals[s]);
        read_all(out, result.out, sizeof result.out);
        read_all(err, result.err, sizeof result.err);
        assert_string_equal(result.err, "");
    }
}

TEST(a_full_disk_is_told) {
    char *argv[] = {(char *)"jacobi-tui", (char *)"--backend",
                    (char *)"serial",     (char *)"--grid",
                    (char *)"16",         (char *)"--iterations",
                    (char *)"2",          (char *)"--format",
                    (char *)"json",       NULL};
    FILE *out = fopen("/dev/full", "w"), *err = tmpfile();
    char message[4096];
    assert_non_null(out);
    assert_int_equal(wait_for(start(argv, out, err)), 1);
    fclose(out);
    read_all(err, message, sizeof message);
    assert_contains(message, "written");
}

/* A lesson is only listed without a screen: there is no run to draw, record or report. */
TEST(nothing_of_a_lesson) {
    static const char *const options[] = {"--screenshot t.txt", "--cast t.cast", "--record t.rec",
                                          "--format json"};
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        char line[64];
        snprintf(line, sizeof line, "--tour --headless %s", options[o]);
        const struct result *result = run(line);
        assert_int_equal(result->status, 2);
        assert_string_equal(result->out, "");
    }
}

TEST_MODULE_WITH_ARGUMENTS(program) {
    if (argc < 2)
        return 77;
    program = argv[1];
    fake = argc > 2 ? argv[2] : NULL;
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    return run_file_tests(NULL, NULL);
}
