/* Kernels of the user's own on the screen: what does not compile, what is wrong, what crashes, and
 * what is right. The program is the first argument. */
#include "tests/fixtures/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>

#include "tests/fixtures/folder.h"
#include "tests/fixtures/pty.h"

static const char *program;

/* Saves a norm of which `before` is the beginning and `sum` what is returned. */
static void save_norm(const char *name, const char *before, const char *sum) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(
        file,
        "double norm(long nx, long ny, const double *RES) {\n"
        "    const long N = nx * ny;\n    double sum = 0;\n%s"
        "#pragma omp target teams distribute parallel for map(to : RES[:N]) reduction(+ : sum)\n"
        "    for (long id = 0; id < N; id++)\n        sum += RES[id] * RES[id];\n"
        "    return %s;\n}\n",
        before, sum);
    assert_int_equal(fclose(file), 0);
}

static void test_each_save_is_told(void **state) {
    const char *argv[] = {program, "--kernels",    "own",       "--grid",
                          "160",   "--problem",    "hot-plate", "--tolerance",
                          "0",     "--iterations", "100000000", NULL};
    struct pty pty;
    save_norm("own/norm.c", "    retrun;\n", "sum");
    save_norm("right.c", "", "sum");
    pty_open(&pty,
             &(struct pty_start){.term = "xterm-256color",
                                 .cols = 120,
                                 .rows = 40,
                                 .argv = (char *const *)argv,
                                 .variables = (char *const[]){
                                     (char[]){"VISUAL="}, (char[]){"EDITOR=cp right.c"}, NULL}});
    pty_wait_for(&pty, "norm.c:4:5: error: ");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "What the compiler and your kernels have said");
    pty_wait_for(&pty, "↑ ↓ line  Esc back");
    pty_wait_for(&pty, "The file is own/norm.c");
    pty_type(&pty, "\033");
    pty_wait_until_gone(&pty, "What the compiler");
    /* The editor, a copier, and the same screen again. */
    pty_type(&pty, "E");
    pty_wait_for(&pty, "Right. Yours runs as lane A");
    pty_wait_for(&pty, "ours");
    save_norm("own/norm.c", "", "2 * sum");
    pty_wait_for(&pty, "Wrong: classic, iteration 1 on 64²: sum(RES²): expected ");
    pty_wait_for(&pty, "the last good one runs on");
    assert_false(pty_shows(&pty, "Enter warnings"));
    save_norm("own/norm.c", "    int unused;\n", "3 * sum");
    pty_wait_for(&pty, "Enter warnings");
    save_norm("own/norm.c", "    *(volatile int *)8 = 1;\n", "sum");
    pty_wait_for(&pty, "norm: signal 11 SEGV; the last good one runs on");
    /* Right on the check's grids, and in the run it crashes: the one before goes on. */
    save_norm("own/norm.c", "    if (nx > 150)\n        __builtin_trap();\n", "sum");
    pty_wait_for(&pty, "norm: signal 4 ILL; the last good one runs on");
    pty_wait_for(&pty, "yours");
    save_norm("own/norm.c", "    if (nx > 150)\n        __builtin_unreachable();\n    retrun;\n",
              "sum");
    pty_wait_for(&pty, "norm.c:6:5: error: ");
    /* A long line is whole: compilers put what matters at its end. */
    save_norm("own/norm.c",
              "#error a line that is longer than any terminal is wide, as those about templates and"
              " directives are, that goes on and on, and has its point where nobody would look for"
              " it, at the end\n",
              "sum");
    pty_wait_for(&pty, "at the end");
    save_norm("own/norm.c", "", "sum");
    pty_wait_for(&pty, "Right. Yours runs as lane A");
    pty_type(&pty, "e");
    pty_wait_for(&pty, "your kernels run; shown are the program's own");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    assert_int_equal(system("test -z \"$(ls jacobi-tui/kernels)\""), 0);
}

/* Waits until somebody reads the pipe, whose end it returns, or with `pipe` NULL until there is a
 * file "began". */
static int wait_for_attempt(struct pty *pty, const char *pipe) {
    int end = -1;
    for (int turn = 0; turn < 6000 && end < 0; turn++) {
        pty_pump(pty, 10);
        end = pipe ? open(pipe, O_WRONLY | O_NONBLOCK) : open("began", O_RDONLY);
    }
    assert_true(end >= 0);
    return end;
}

/* What is saved while the compiler or the check is busy ends it, and nothing is left of it. */
static void test_a_save_ends_the_attempt_before(void **state) {
    static const char slow[] = "    extern int creat(const char *, unsigned);\n"
                               "    extern int usleep(unsigned);\n    creat(\"began\", 0600);\n"
                               "    usleep(8000000);\n    creat(\"ended\", 0600);\n";
    const char *argv[] = {program,       "--kernels", "own",          "--grid",    "96",
                          "--tolerance", "0",         "--iterations", "100000000", NULL};
    struct pty pty;
    assert_int_equal(mkfifo("own/pipe.h", 0600), 0);
    assert_int_equal(mkdir("temporary", 0700), 0);
    save_norm("own/norm.c", "#include \"pipe.h\"\n", "sum");
    pty_open(&pty,
             &(struct pty_start){.term = "xterm-256color",
                                 .cols = 120,
                                 .rows = 40,
                                 .argv = (char *const *)argv,
                                 .variables = (char *const[]){(char[]){"TMPDIR=temporary"}, NULL}});
    const int pipe =
        wait_for_attempt(&pty, "own/pipe.h"); /* nothing comes: it would wait for ever */
    save_norm("own/norm.c", slow, "sum");
    close(wait_for_attempt(&pty, NULL));
    save_norm("own/norm.c", "", "2 * sum");
    pty_wait_for(&pty, "Wrong: classic, iteration 1 on 64²: sum(RES²): expected ");
    save_norm("own/norm.c", "", "sum");
    pty_wait_for(&pty, "Right. Yours runs as lane A");
    assert_int_equal(unlink("began"), 0);
    save_norm("own/norm.c", slow, "sum");
    close(wait_for_attempt(&pty, NULL));
    pty_wait_for(&pty, "checking");
    assert_true(pty_shows(&pty, "yours")); /* the last good one runs on */
    save_norm("own/norm.c", "    retrun;\n", "sum");
    pty_wait_for(&pty, "norm.c:4:5: error: ");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    close(pipe);
    assert_int_equal(access("ended", F_OK), -1);
    assert_int_equal(rmdir("temporary"), 0); /* it is empty */
    assert_int_equal(system("test -z \"$(ls jacobi-tui/kernels)\""), 0);
    assert_int_equal(unlink("own/pipe.h"), 0);
}

/* One that was never right before: then the program's own go on, alone. What it has printed is not
 * part of what is said. */
static void test_first_one_fails_in_the_run(void **state) {
    const char *argv[] = {program,       "--kernels", "own",          "--grid",    "160",
                          "--tolerance", "0",         "--iterations", "100000000", NULL};
    struct pty pty;
    save_norm(
        "own/norm.c",
        "    extern int puts(const char *);\n    extern void exit(int);\n"
        "    if (nx > 150) {\n        puts(\"(a word): of mine\");\n        exit(3);\n    }\n",
        "sum");
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 80, .rows = 24, .argv = (char *const *)argv});
    pty_wait_for(&pty, "│ norm: called exit; the program's own runs on");
    pty_wait_for(&pty, "1 Field U");
    pty_type(&pty, "q");
    assert_int_equal(pty_wait(&pty), 0);
    pty_close(&pty);
}

/* Before they are right something else runs, with another schedule. */
static void test_schedule_that_was_asked_for_runs(void **state) {
    const char *argv[] = {program,     "--kernels",    "fused",     "--schedule", "fused",
                          "--mapping", "unstructured", "--grid",    "32",         "--tolerance",
                          "0",         "--iterations", "100000000", NULL};
    struct pty pty;
    if (WITHOUT_HIP)
        skip();
    assert_int_equal(system("mkdir fused && cp '" SOURCE_FOLDER
                            "/tests/exercises/18-hip-fused/fused.hip' fused"),
                     0);
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 80, .rows = 24, .argv = (char *const *)argv});
    pty_wait_for(&pty, "Right. Yours runs as lane A");
    pty_wait_for(&pty, "B  ours");
    pty_type(&pty, "q");
    assert_int_equal(pty_wait(&pty), 0);
    pty_close(&pty);
}

static void test_exercise_is_solved(void **state) {
    const char *argv[] = {program, "--exercise", "12", NULL};
    struct pty pty;
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 80, .rows = 24, .argv = (char *const *)argv});
    pty_wait_for(&pty, "12-damping  Your own damping");
    pty_wait_for(&pty, "Wrong: classic, iteration 1");
    pty_wait_for(&pty, "|U - expected|, by decades");
    pty_type(&pty, "H");
    pty_wait_for(&pty, "omega belongs in the factor");
    assert_int_equal(system("sed -i 's/factor = 1/factor = omega/' "
                            "jacobi-tui/exercises/12-damping/update.c"),
                     0);
    pty_wait_for(&pty, "One multiplication outside the loop");
    pty_wait_for(&pty, "solved");
    pty_wait_for(&pty, "B  ours");
    pty_type(&pty, "q");
    pty_wait_for(&pty, "yours: omp/unstructured/classic+omega=0.8 on ");
    pty_wait_for(&pty, "ours: omp/unstructured/classic+omega=0.8 on ");
    pty_wait_for(&pty, "Again: jacobi-tui --exercise 12");
    assert_int_equal(pty_wait(&pty), 0);
    pty_assert_given_back(&pty);
    pty_close(&pty);
    assert_int_equal(system("test -e jacobi-tui/exercises/12-damping/solved"), 0);
}

TEST_MODULE(exercise_screen) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_save_is_told),
        cmocka_unit_test(test_a_save_ends_the_attempt_before),
        cmocka_unit_test(test_first_one_fails_in_the_run),
        cmocka_unit_test(test_schedule_that_was_asked_for_runs),
        cmocka_unit_test(test_exercise_is_solved),
    };
    program = folder_program(argc, argv);
    return cmocka_run_group_tests(tests, folder_enter_home, folder_leave);
}
