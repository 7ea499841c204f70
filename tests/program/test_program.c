#include "kernels/backends.h"
#include "tests/fixtures/support.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cJSON.h>

#include "solver/backend.h"

/* The whole program, as built; named by the first argument of this one. */
static const char *program;

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

static void test_exit_statuses(void **state) {
    static const struct {
        const char *line;
        int status;
        const char *says;
    } cases[] = {
        {"--help", 0, NULL},
        {"--version", 0, NULL},
        {"--list", 0, NULL},
        {"--backend serial --grid 16 --iterations 3", 0, NULL},
        {"--backend serial --grid 16 --tolerance 1", 0, NULL},
        {"--grid 0", 2, "1 to 65536"},
        {"--gird 4", 2, "--gird"},
        {"--preset nosuch", 2, "mi250"},
        {"--backend serial --grid 65536", 2, "GB"},
        {"--backend serial --grid 16 --device 3", 3, "device 3"},
        {"--backend serial --grid 16 --mapping unified", 3, "unified"},
    };
    (void)state;
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
        assert_non_null(strstr(result->err, cases[c].says));
        assert_ptr_equal(strchr(result->err, '\n'), result->err + strlen(result->err) - 1);
    }
}

static void test_back_ends_that_can_not_run(void **state) {
    (void)state;
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

static void test_shipped_presets_are_good(void **state) {
    static const char *const names[] = {"classroom", "laptop", "mi250", "mi250-openmp", "smoother"};
    (void)state;
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
static void test_shipped_recordings_can_be_read(void **state) {
    static const char *const names[] = {"h200-hip-classic", "h200-omp-unstructured",
                                        "cpu-omp-compare"};
    (void)state;
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
static void test_a_signal_ends_it_cleanly(void **state) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    (void)state;
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

static void test_a_full_disk_is_told(void **state) {
    (void)state;
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
    assert_non_null(strstr(message, "written"));
}

int main(int argc, char *argv[]) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_statuses),
        cmocka_unit_test(test_back_ends_that_can_not_run),
        cmocka_unit_test(test_shipped_presets_are_good),
        cmocka_unit_test(test_shipped_recordings_can_be_read),
        cmocka_unit_test(test_a_signal_ends_it_cleanly),
        cmocka_unit_test(test_a_full_disk_is_told),
    };
    if (argc < 2)
        return 77;
    program = argv[1];
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
