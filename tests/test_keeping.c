#include "tests/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program itself, recording, replaying and taking pictures without a terminal. */

static const char *program;
static char directory[] = "/tmp/jacobi-keeping-XXXXXX";

static int make_recording(void **state) {
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_all(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return chdir("/") || system(command);
}

static int run(const char *options) {
    char command[2048];
    snprintf(command, sizeof command, "'%s' %s 2>>messages", program, options);
    return WEXITSTATUS(system(command));
}

/* The whole of a file; to be freed. */
static char *text_of(const char *path) {
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&text, &room, '\0', file) > 0);
    fclose(file);
    return text;
}

static void assert_holds(const char *path, const char *wanted) {
    char *text = text_of(path);
    if (!strstr(text, wanted))
        fail_msg("%s holds no '%s': %.2000s", path, wanted, text);
    free(text);
}

static const char recorded[] = "--backend serial --grid 40 --iterations 300 --tolerance 0";

static void record(const char *file) {
    char options[256];
    unlink(file);
    snprintf(options, sizeof options, "%s --headless --format json --record %s > live.json",
             recorded, file);
    assert_int_equal(run(options), 0);
}

static void test_report_of_a_replay(void **state) {
    (void)state;
    record("a.rec");
    assert_int_equal(run("--replay a.rec --headless --format json > replay.json"), 0);
    assert_holds("replay.json", "\"iterations\":\t300");
    assert_holds("replay.json", "replay: ");
    assert_holds("live.json", "\"iterations\":\t300");
    assert_int_equal(run("--replay a.rec --headless > replay.txt"), 0);
    assert_holds("replay.txt", "replay: ");
}

static void test_nothing_is_overwritten(void **state) {
    (void)state;
    char options[256];
    record("b.rec");
    snprintf(options, sizeof options, "%s --headless --record b.rec", recorded);
    assert_int_equal(run(options), 2);
    assert_int_equal(run("--replay b.rec --headless > /dev/null"), 0);
}

static void test_damaged_files(void **state) {
    (void)state;
    record("c.rec");
    assert_int_equal(system("head -c -1 c.rec > cut.rec"), 0);
    assert_int_equal(run("--replay cut.rec --headless > /dev/null"), 0);
    assert_int_equal(system("head -c 300 c.rec > stump.rec"), 0);
    assert_int_equal(run("--replay stump.rec --headless"), 2);
    assert_holds("messages", "stump.rec: byte ");
    assert_int_equal(system("{ head -n 1 c.rec; printf 'rubbish%.0s' 1 2 3 4 5 6 7; } > bad.rec"),
                     0);
    assert_int_equal(run("--replay bad.rec --headless"), 2);
    assert_holds("messages", "bad.rec: byte ");
    assert_int_equal(run("--replay none.rec --headless"), 2);
}

/* The same moment of the same recording gives the same screen, however it was reached. */
static void test_pictures_are_deterministic(void **state) {
    (void)state;
    record("d.rec");
    assert_int_equal(run("--replay d.rec --at 50% --screenshot one.txt --size 100x30"), 0);
    assert_int_equal(run("--replay d.rec --at 50% --screenshot two.txt --size 100x30"), 0);
    assert_int_equal(system("cmp one.txt two.txt"), 0);
    assert_holds("one.txt", "replay: ");
    assert_holds("one.txt", "Residual");
    assert_int_equal(run("--replay d.rec --screenshot end.svg"), 0);
    assert_holds("end.svg", "replay: ");
    assert_int_equal(run("--replay d.rec --screenshot end.gif"), 2);
}

/* Each format, from the same point of a replay and at the end of a live run. */
static void test_every_format(void **state) {
    (void)state;
    static const struct {
        const char *ending, *start;
    } formats[] = {{"svg", "<svg "}, {"png", "\x89PNG"}, {"ans", "\033["}, {"txt", " "}};
    record("f.rec");
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char options[256], path[32];
        for (int live = 0; live <= 1; live++) {
            snprintf(path, sizeof path, "format%d.%s", live, formats[f].ending);
            snprintf(options, sizeof options, "%s --screenshot %s --size 90x28",
                     live ? recorded : "--replay f.rec --at 40%", path);
            if (run(options) == 2 && strcmp(formats[f].ending, "png") == 0) {
                assert_holds("messages", "built without PNG");
                continue;
            }
            char start[8] = "";
            FILE *file = fopen(path, "rb");
            assert_non_null(file);
            assert_true(fread(start, 1, sizeof start, file) == sizeof start);
            fclose(file);
            assert_memory_equal(start, formats[f].start, strlen(formats[f].start));
        }
    }
}

static void test_cast(void **state) {
    (void)state;
    record("e.rec");
    assert_int_equal(run("--replay e.rec --cast e.cast --size 80x24"), 0);
    assert_holds("e.cast", "\"width\":80");
    assert_holds("e.cast", ",\"m\",\"finished after 300 iterations\"]");
}

static void test_picture_of_a_live_run(void **state) {
    (void)state;
    char options[256];
    snprintf(options, sizeof options, "%s --screenshot live.txt", recorded);
    assert_int_equal(run(options), 0);
    assert_holds("live.txt", "iteration 300");
}

int main(int argc, char *argv[]) {
    assert_true(argc == 2);
    program = realpath(argv[1], NULL); /* the tests leave this folder */
    assert_non_null(program);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_of_a_replay),
        cmocka_unit_test(test_nothing_is_overwritten),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_pictures_are_deterministic),
        cmocka_unit_test(test_every_format),
        cmocka_unit_test(test_cast),
        cmocka_unit_test(test_picture_of_a_live_run),
    };
    return cmocka_run_group_tests(tests, make_recording, remove_all);
}
