/* The whole program without a screen: exit statuses, --doctor, --list, and related options. The
 * arguments are the program and the folder of fake drivers, if there is one. */
#include "tests/fixtures/program.h"

#include "tests/fixtures/runs.h"

static const char *fake;

/* The last run's output as JSON. */
static const cJSON *json_of(const char *options) {
    program_run("%s", options);
    return program_report();
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
        {"--record same --cast same", 2, "same: expected a different name"},
        {"--record same --cast ./same --overwrite", 2, "./same: expected a different name"},
        {"--replay cpu-omp-compare --record none.rec", 2, "only live runs are recorded"},
        {"--replay same --cast same --overwrite", 2, "same: expected a different name"},
        {"--replay cpu-omp-compare --cast \"${PROGRAM%/*}/recordings/cpu-omp-compare.rec\"", 2,
         "expected a different name"},
        {"--roof --no-events", 2, "--roof and --no-events can't be combined"},
        {"--preset nosuch", 2, "mi250"},
        {"--backend serial --grid 65536", 2, "GB"},
        {"--backend serial --grid 16 --device 3", 3, "device 3"},
        {"--backend serial --grid 16 --mapping unified", 3, "unified"},
        {"--backend serial --grid 16 --method sor --precision mixed", 2, "sor computes in double"},
        {"--backend serial --grid 16 --iterations 3 --precision single", 0, NULL},
    };
    for_each(row, cases) {
        program_expect(row->status, row->says, "%s", row->line);
        assert_int_equal(*folder_text("out") == '\0', row->status != 0);
        if (row->status == 0)
            assert_string_equal(folder_text("messages"), "");
        else
            assert_one_message();
    }
}

TEST(outputs_that_are_not_made) {
    program_expect(0, "--format, --record, --worksheet ignored because nothing runs",
                   "--list --record a --worksheet b --format csv");
    program_expect(0, "--cast ignored with --serve", "--serve --cast c </dev/null");
}

/* If a requested tuning sweep is impossible, the reason is reported and the run continues. */
TEST(a_sweep_that_is_none) {
    program_expect(0, "on one device only",
                   "--backend serial --devices 0,0 --grid 16 --iterations 3 --sweep --headless");
    program_expect(0, "no block sizes here",
                   "--backend serial --grid 16 --iterations 3 --sweep --headless");
}

static const cJSON *finding_of(const cJSON *examination, const char *part, const char *name) {
    const cJSON *finding;
    cJSON_ArrayForEach(finding, item_of(examination, "findings")) {
        if (strcmp(string_of(finding, "part"), part) == 0 &&
            strcmp(string_of(finding, "name"), name) == 0)
            return finding;
    }
    fail_msg("no finding for %s %s", part, name);
    return NULL;
}

static bool is_there(const cJSON *examination, const char *part, const char *name) {
    return is_true(finding_of(examination, part, name), "there");
}

/* The report on a back end matches the back end's own; missing parts come with advice. */
TEST(doctor) {
    program_expect_after("env -u XDG_CACHE_HOME -u HOME", 0, NULL, "--doctor --format json");
    const cJSON *examination = program_report();
    assert_true(is_true(examination, "can_run"));
    assert_true(strlen(string_of(examination, "commit")) > 0);
    for (const struct backend *const *at = backends; *at; at++) {
        const struct backend *backend = *at;
        assert_int_equal(is_there(examination, "back end", backend->name),
                         backend_is_here(backend->name));
        for (const struct library *library = backend->libraries; library && library->title;
             library++) {
            const cJSON *finding =
                finding_of(examination, library->is_module ? "module" : "library", library->title);
            const char *what = string_of(finding, "what");
            if (is_true(finding, "there"))
                assert_int_equal(*what, '/');
            for (int n = 0;
                 n < LIBRARY_NAMES && library->names[n] && !library->is_module && *what != '/'; n++)
                assert_contains(what, library->names[n]);
        }
    }
    assert_true(is_there(examination, "program", "presets"));
    assert_false(is_there(examination, "folder", "cache"));
    const cJSON *finding;
    cJSON_ArrayForEach(finding, item_of(examination, "findings")) {
        assert_int_equal(is_true(finding, "there"), is_null(finding, "advice"));
    }
}

/* The variable would end the process that queries the runtime; it is reported instead. */
TEST(doctor_of_a_bad_environment) {
    program_expect_after("OMP_NUM_THREADS=abc", 2,
                         "no  machine environment: environment: OMP_NUM_THREADS", "--doctor");
    assert_holds("out", "no run is possible");
    assert_holds("messages", "OMP_NUM_THREADS");
}

/* A driver that ends the process that queries it, and folders that don't exist yet. */
TEST(doctor_of_a_bad_driver) {
    shell_ok("export XDG_CONFIG_HOME=/jacobi-no-such-folder FAKE_GPU_EXITS=1 "
             "XDG_CACHE_HOME=/jacobi-no-such-folder// LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH; "
             "\"$PROGRAM\" --list >list && \"$PROGRAM\" --doctor >out 2>messages",
             fake ? fake : "");
    if (fake)
        assert_holds("list", "not available: ended the process during the check (status 7)");
    assert_holds("out", "settings: /jacobi-no-such-folder/jacobi-tui, / has mode");
    assert_holds("out", "cache: /jacobi-no-such-folder///jacobi-tui, / has mode");
    if (fake)
        assert_holds("out", "hip: ended the process during the check (status 7)");
}

/* Without a screen there is no other process: one line names the way around. */
TEST(driver_that_crashes) {
    if (!fake || IS_SANITIZED)
        skip();
    assert_int_equal(shell("FAKE_GPU_EXITS=crash LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH \"$PROGRAM\" "
                           "--headless --grid 16 >out 2>messages",
                           fake),
                     128 + SIGSEGV);
    assert_holds("messages", "crashed by signal 11, in a back end");
    assert_holds("messages", "--backend");
}

/* Nothing was computed: not status 0. A driver's own output does not spoil the report. A driver
 * that hangs is reported, and waited for. */
TEST(driver_that_exits_or_hangs) {
    if (!fake || IS_SANITIZED)
        skip();
    char before[512];
    for (int quickly = 0; quickly < 2; quickly++) {
        print_to(before, "FAKE_GPU_EXITS=%s LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH",
                 quickly ? "quickly" : "0", fake);
        program_expect_after(before, 3, "ended the process, perhaps a back end's driver",
                             "--headless --grid 16");
    }
    print_to(before, "FAKE_GPU_EXITS=later LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH", fake);
    program_expect_after(before, 0, "printed by a driver",
                         "--headless --grid 16 --iterations 9 --format json");
    assert_non_null(program_report());
    for (int ends = 0; ends < 2; ends++) { /* its exit hangs after the report: a signal ends it */
        const pid_t child = fork();
        if (child == 0) {
            char line[1024];
            print_to(line,
                     "FAKE_GPU_EXITS=%s JACOBI_LIMITS=doctor=0.1 "
                     "LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH exec \"$PROGRAM\" --headless --grid 16 "
                     "--iterations 9 2>messages",
                     ends ? "badly" : "never", fake);
            execl("/bin/sh", "sh", "-c", line, NULL);
            _exit(127);
        }
        file_await("messages", ends ? "blocked by a driver"
                                    : "still waiting for a back end's driver: --backend");
        kill(child, ends ? SIGTERM : SIGKILL);
        assert_int_equal(child_status(child), 128 + (ends ? SIGTERM : SIGKILL));
    }
}

/* In a folder such as /tmp, someone else could put a library beside the program. */
TEST(library_of_another_user) {
    if (shell("\"$PROGRAM\" --list | grep -q '^ *omp .*not built'") == 0)
        skip();
    shell_ok("mkdir -p shared/program shared/kernels/omp && cp \"$PROGRAM\" shared/program/it && "
             "echo planted >shared/kernels/omp/jacobi-omp-host.so && ln -s ../kernels "
             "shared/program/kernels");
    shell_ok(
        "shared/program/it --list >out && grep jacobi-omp-host.so out | grep -q -e short -e ELF");
    if (chown("shared/kernels", 54321, 54321) == 0) { /* only root can */
        assert_int_equal(lchown("shared/program/kernels", 54321, 54321), 0);
        shell_ok("shared/program/it --list >out && grep -q 'jacobi-omp-host.so was not built' out");
    }
}

/* A file's name is always shown with control characters replaced. */
TEST(names_of_presets) {
    file_write_text("x\033[2J\xe4.ini", "[run]\ngrid = 16\niterations = 3\nbackend = serial\n");
    program_expect(0, "preset x?[2J?", "--preset './x\033[2J\xe4.ini' --headless");
    program_expect(0, "\"x?[2J?\"", "--preset './x\033[2J\xe4.ini' --format json");
    setenv("XDG_CONFIG_HOME", folder_path, 1);
    shell_ok("mkdir -p jacobi-tui/presets && cp x* jacobi-tui/presets/ && for n in "
             "$(seq 70); do cp x* jacobi-tui/presets/a$n.ini; done");
    program_expect(0, "\n  mi250 ", "--list");
    assert_null(strchr(folder_text("out"), '\033'));
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

TEST(version_tells_the_commit) {
    program_expect(0, ", commit ", "--version");
    assert_holds("out", "\nbuilt in: serial");
}

TEST(back_ends_that_can_not_run) {
    for (const struct backend *const *backend = backends; *backend; backend++) {
        if (!backend_is_here((*backend)->name))
            program_expect(3, (*backend)->name, "--backend %s --grid 16", (*backend)->name);
    }
}

TEST(shipped_presets_are_good) {
    const cJSON *list = json_of("--list --format json");
    const cJSON *preset;
    cJSON_ArrayForEach(preset, item_of(list, "presets")) {
        if (!is_null(preset, "error"))
            fail_msg("%s", string_of(preset, "error"));
        assert_non_null(string_of(preset, "teaches"));
    }
    for_each_word(name, "classroom", "laptop", "mi250", "mi250-openmp", "smoother") {
        program_run("--preset %s --grid 16 --iterations 2 --backend serial --format json", name);
        const cJSON *report = program_report();
        assert_string_equal(string_of(report, "preset"), name);
    }
}

/* The reason is the folder, not a variable. */
TEST(no_folder_for_an_exercise) {
    setenv("XDG_DATA_HOME", "/proc/none", 1);
    program_expect(1,
                   "/proc/none/jacobi-tui/exercises/01-tofrom: no folder for your files: No such",
                   "--headless --exercise 1");
    unsetenv("XDG_DATA_HOME");
}

/* Without a screen a tour is only listed: there is no run to draw, record or report. */
TEST(nothing_of_a_lesson) {
    for_each_word(option, "--screenshot t.txt", "--cast t.cast", "--record t.rec",
                  "--format json") {
        program_expect(2, NULL, "--tour --headless %s", option);
        assert_string_equal(folder_text("out"), "");
    }
}

TEST_MODULE_WITH_ARGUMENTS(command_line) {
    fake = argc > 2 ? argv[2] : NULL;
    return run_file_tests(program_set_up, NULL);
}
