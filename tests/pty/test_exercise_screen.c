/* The user's own kernels on the screen: ones that don't compile, wrong, crashing and correct ones.
 * The program is the first argument. */
#include "tests/fixtures/program.h"
#include "tests/fixtures/pty.h"

#include <fcntl.h>

#include "core/system.h"

/* Saves a norm that begins with `before` and returns `sum`. */
static void save_norm(const char *name, const char *before, const char *sum) {
    file_write_text(
        name,
        "double norm(long nx, long ny, const double *RES) {\n"
        "    const long N = nx * ny;\n    double sum = 0;\n%s"
        "#pragma omp target teams distribute parallel for map(to : RES[:N]) reduction(+ : sum)\n"
        "    for (long id = 0; id < N; id++)\n        sum += RES[id] * RES[id];\n"
        "    return %s;\n}\n",
        before, sum);
}

TEST(each_save_is_told) {
    save_norm("own/norm.c", "    retrun;\n", "sum");
    save_norm("right.c", "", "sum");
    pty_run(120, 40,
            "VISUAL= 'EDITOR=cp right.c' --kernels own --grid 160 --problem hot-plate "
            "--tolerance 0 --iterations 100000000");
    PTY_PLAY({.shows = "norm.c:4:5: error: "}, {"\r", "Output of the compiler and of your kernels"},
             {.shows = "↑ ↓ line  Esc back"}, {.shows = "The file is own/norm.c"},
             {"\033", "!What the compiler"});
    /* The editor, here a copier, and the same screen again. */
    PTY_PLAY({"E", "Right. Yours is run A"}, {.shows = "ours"});
    save_norm("own/norm.c", "", "2 * sum");
    PTY_PLAY({.shows = "Wrong: classic, iteration 1 on 64²: sum(RES²): expected "},
             {.shows = "the last good one continues"});
    assert_false(pty_shows("Enter warnings"));
    save_norm("own/norm.c", "    int unused;\n", "3 * sum");
    pty_wait_for("Enter warnings");
    save_norm("own/norm.c", "    *(volatile int *)8 = 1;\n", "sum");
    pty_wait_for("norm: signal 11 SEGV; the last good one continues");
    /* Right on the check's grids, but crashes in the run: the previous one continues. */
    save_norm("own/norm.c", "    if (nx > 150)\n        __builtin_trap();\n", "sum");
    PTY_PLAY({.shows = "norm: signal 4 ILL; the last good one continues"}, {.shows = "yours"});
    save_norm("own/norm.c", "    if (nx > 150)\n        __builtin_unreachable();\n    retrun;\n",
              "sum");
    pty_wait_for("norm.c:6:5: error: ");
    /* A long line is shown in full: compilers put the important part at its end. */
    save_norm("own/norm.c",
              "#error a line that is longer than any terminal is wide, as those about templates and"
              " directives are, that goes on and on, and has its point where nobody would look for"
              " it, at the end\n",
              "sum");
    pty_wait_for("at the end");
    save_norm("own/norm.c", "", "sum");
    PTY_PLAY({.shows = "Right. Yours is run A"}, {.keys = "e"});
    pty_wait_for("One clock"); /* the panel of data movement */
    PTY_PLAY({"e", "your kernels run; the blog's are shown"});
    pty_quit();
    shell_ok("test -z \"$(ls jacobi-tui/kernels)\"");
}

/* A signal while the editor has the terminal. */
TEST(signal_while_editing) {
    save_norm("own/norm.c", "", "sum");
    script_write("editor", "echo $$ >editing; exec sleep 1000");
    pty_run(120, 40, "VISUAL= EDITOR=./editor --kernels own --grid 64");
    PTY_PLAY({.shows = "Right. Yours is"}, {.keys = "E"});
    pty_await_file("editing", "\n");
    kill(pty.pid, SIGTERM);
    pty_end(128 + SIGTERM);
    assert_true(process_has_gone((pid_t)atol(folder_text("editing"))));
}

static void pump_until(int64_t *end_ns) {
    *end_ns = *end_ns ? *end_ns : clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    assert_true(clock_now_ns() < *end_ns);
    pty_pump(10);
}

/* Waits until the compiler reads the pipe; returns its other end. */
static int wait_for_compiler(const char *pipe) {
    int end = -1;
    for (int64_t end_ns = 0; (end = open(pipe, O_WRONLY | O_NONBLOCK)) < 0;)
        pump_until(&end_ns);
    return end;
}

/* Waits until a kernel has written into the pipe, which stays open while that kernel runs. */
static void wait_for_kernel(int pipe) {
    char byte;
    for (int64_t end_ns = 0; read(pipe, &byte, 1) != 1;)
        pump_until(&end_ns);
}

/* Whether no process has the pipe's other end open. */
static bool kernel_has_ended(int pipe) {
    struct pollfd ended = {.fd = pipe};
    return poll(&ended, 1, 1000 * LIMIT_SECONDS) == 1 && ended.revents & POLLHUP;
}

/* A save while the compiler or the check is busy ends that attempt, and leaves no files. */
TEST(a_save_ends_the_attempt_before) {
    static const char endless[] =
        "    extern int open(const char *, int, ...), pause(void);\n"
        "    extern long write(int, const void *, unsigned long);\n"
        "    const int pipe = open(\"alive\", 1);\n    write(pipe, \"\", 1);\n"
        "    for (;;)\n        pause();\n";
    skip_unless_full();
    assert_int_equal(mkfifo("own/pipe.h", 0600), 0);
    assert_int_equal(mkfifo("alive", 0600), 0);
    const int alive = open("alive", O_RDONLY | O_NONBLOCK);
    assert_int_equal(mkdir("temporary", 0700), 0);
    save_norm("own/norm.c", "#include \"pipe.h\"\n", "sum");
    pty_run(180, 40,
            "TMPDIR=temporary --kernels own --grid 96 --tolerance 0 --iterations 100000000");
    const int pipe = wait_for_compiler("own/pipe.h"); /* the compiler waits for input */
    save_norm("own/norm.c", endless, "sum");
    wait_for_kernel(alive);
    save_norm("own/norm.c", "", "2 * sum");
    pty_wait_for("Wrong: classic, iteration 1 on 64²: sum(RES²): expected ");
    save_norm("own/norm.c", "", "sum");
    pty_wait_for("Right. Yours is run A");
    assert_true(kernel_has_ended(alive));
    save_norm("own/norm.c", endless, "sum");
    wait_for_kernel(alive);
    pty_wait_for("checking");
    assert_true(pty_shows("yours")); /* the last good one continues */
    save_norm("own/norm.c", "    retrun;\n", "sum");
    pty_wait_for("norm.c:4:5: error: ");
    pty_quit();
    close(pipe);
    assert_true(kernel_has_ended(alive));
    close(alive);
    assert_int_equal(rmdir("temporary"), 0); /* it is empty */
    shell_ok("test -z \"$(ls jacobi-tui/kernels)\"");
    assert_int_equal(unlink("own/pipe.h"), 0);
}

/* The first version fails in the run: then the program's own kernel continues, alone. Its printed
 * text is not part of the message. */
TEST(first_one_fails_in_the_run) {
    save_norm(
        "own/norm.c",
        "    extern int puts(const char *);\n    extern void exit(int);\n"
        "    if (nx > 150) {\n        puts(\"(a word): of mine\");\n        exit(3);\n    }\n",
        "sum");
    pty_run(80, 24, "--kernels own --grid 160 --tolerance 0 --iterations 100000000");
    PTY_PLAY({.shows = "│ norm: called exit; the program's own continues"}, {.shows = "1 Field U"});
    pty_quit();
}

/* Until the kernels are right, another kernel runs with another schedule. */
TEST(schedule_that_was_asked_for_runs) {
    skip_unless_full();
    if (WITHOUT_HIP)
        skip();
    solve_exercise("18-hip-fused", "fused");
    pty_run(80, 24,
            "--kernels fused --schedule fused --mapping unstructured --grid 32 --tolerance 0 "
            "--iterations 100000000");
    PTY_PLAY({.shows = "Right. Yours is run A"}, {.shows = "B  ours"});
    pty_quit();
}

TEST(source_is_shown_and_the_next_begins) {
    pty_run(80, 24, "--exercise 01");
    PTY_PLAY({.shows = "#pragma omp target teams"}, {"N", "02-needless"});
    pty_quit();
}

TEST(exercise_is_solved) {
    pty_run(80, 24, "--exercise 12");
    PTY_PLAY({.shows = "12-damping  Your own damping"}, {.shows = "Wrong: classic, iteration 1"},
             {.shows = "|U - expected|, by decades"}, {"H", "omega belongs in the factor"});
    shell_ok("sed -i 's/factor = 1/factor = omega/' "
             "jacobi-tui/exercises/12-damping/update.c");
    PTY_PLAY({.shows = "Damping costs one multiplication"}, {.shows = "solved"},
             {.shows = "B  ours"}, {"q", "yours: omp/unstructured/classic+omega=0.8 on "},
             {.shows = "ours: omp/unstructured/classic+omega=0.8 on "},
             {.shows = "Again: jacobi-tui --exercise 12"});
    pty_end(0);
    shell_ok("test -e jacobi-tui/exercises/12-damping/solved");
}

/* A scene of a tour keeps its own run; the kernels follow it. */
TEST(kernels_wait_for_the_end_of_a_tour) {
    pty_run(120, 40, "--exercise 05");
    PTY_PLAY({.shows = "Wrong: classic, iteration 1"}, {"L", "1 of 12  The mesh"});
    shell_ok("cd jacobi-tui/exercises/05-reduction && "
             "sed -i 's/map(to : RES.*/& reduction(+ : sum)/' norm.c && "
             "timeout 100 sh -c 'until test -e solved; do sleep 0.1; done'");
    PTY_PLAY({"  ", "2 of 12"}, {"L", "Right. Yours is run A"}, {.shows = "Comparing 2 runs"});
    pty_quit();
}

/* A class's exercises may have one number, or none. */
TEST(exercises_follow_by_name) {
    shell_ok("mkdir -p class/exercises && cd class && cp \"$PROGRAM\" jacobi-tui && "
             "ln -s \"$(dirname \"$PROGRAM\")/kernels\" . && cd exercises && "
             "cp '" SOURCE_FOLDER "'/exercises/*.h . && for name in 20-mine 20-other last; do "
             "cp -r '" SOURCE_FOLDER "/exercises/12-damping' $name; done");
    char *const tested = program;
    program = (char[]){"class/jacobi-tui"};
    pty_run(80, 24, "--exercise 20-mine");
    program = tested;
    PTY_PLAY({.shows = "20-mine  Your own"}, {"N", "20-other  Your own"}, {"N", "last  Your own"},
             {"N", "this is the last exercise"});
    pty_quit();
}

TEST_MODULE(exercise_screen, program_set_up_kernels, NULL)
