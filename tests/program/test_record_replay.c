#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/folder.h"

/* The program itself, recording, replaying and taking pictures without a terminal. */

static const char *program;

static int run(const char *options) {
    char command[2048];
    snprintf(command, sizeof command, "'%s' %s 2>>messages", program, options);
    return WEXITSTATUS(system(command));
}

/* The whole of a file, which is not empty; to be freed. */
static char *text_of(const char *path) {
    enum { ROOM = 1 << 22 };
    char *text = calloc(1, ROOM);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    assert_non_null(file);
    const size_t size = fread(text, 1, ROOM - 1, file);
    assert_true(size > 0 && size < ROOM - 1);
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

/* ---- recordings side by side ----------------------------------------------------------------- */

static void record_as(const char *file, const char *lane, const char *grid) {
    char options[256];
    unlink(file);
    snprintf(options, sizeof options,
             "%s --grid %s --iterations 300 --tolerance 0 --headless --record %s > %s.txt", lane,
             grid, file, file);
    assert_int_equal(run(options), 0);
}

static void assert_refused(const char *options, const char *reason) {
    unlink("messages");
    assert_int_equal(run(options), 2);
    assert_holds("messages", reason);
    char *text = text_of("messages");
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one line */
    free(text);
}

static void test_recordings_are_compared(void **state) {
    (void)state;
    record_as("one.rec", "--backend serial", "40");
    record_as("two.rec", "--backend serial --schedule fused", "40");
    assert_int_equal(run("--compare one.rec,two.rec --headless > compared.txt"), 0);
    assert_holds("compared.txt", "Side by side");
    assert_holds("compared.txt", "B fused");
    assert_holds("compared.txt", "same stop and residual after 300 iterations");
    assert_holds("compared.txt", "\nreplay: ");
    assert_int_equal(run("--compare one.rec,two.rec --format json > compared.json"), 0);
    assert_int_equal(run("--compare one.rec,two.rec --format csv > compared.csv"), 0);
    char *text = text_of("compared.json");
    const char *first = strstr(text, "\"replay\":\t\"replay: ");
    assert_non_null(first);
    const char *second = strstr(first + 1, "\"replay\":\t\"replay: ");
    assert_non_null(second);                                        /* of all … */
    assert_non_null(strstr(second + 1, "\"replay\":\t\"replay: ")); /* … and of each run */
    free(text);
}

static void test_what_can_not_be_compared(void **state) {
    (void)state;
    record_as("one.rec", "--backend serial", "40");
    record_as("small.rec", "--backend serial", "30");
    record_as("pair.rec", "--compare serial,serial/unstructured/fused", "40");
    assert_refused("--compare one.rec,small.rec",
                   "one.rec is of blog at 40², small.rec of blog at 30²: expected lanes of one "
                   "problem and grid");
    assert_refused("--compare one.rec,absent.rec", "absent.rec: can't read it: ");
    assert_refused("--compare one.rec,pair.rec", "pair.rec: it holds 2 lanes: expected pair.rec:A");
    assert_refused("--compare one.rec,pair.rec:C", "pair.rec: it holds 2 lanes: expected");
    assert_refused("--compare one.rec:B,pair.rec:A",
                   "one.rec: it holds 1 lane: expected one.rec:A");
    assert_refused("--compare one.rec,one.rec --grid 30", "one.rec is a recording at 40²");
    assert_refused("--compare one.rec,one.rec --problem charges", "one.rec is a recording of blog");
    assert_refused("--compare one.rec,one.rec --record new.rec", "expected lanes that are comp");
    assert_refused("--compare one.rec,one.rec --replay one.rec", "expected only one of them");
    assert_refused("--compare one.rec", "expected 2 to 4");
    assert_int_equal(run("--compare one.rec,pair.rec:B --grid 40 --headless > pair.txt"), 0);
    assert_holds("pair.txt", "B fused");
}

/* The live lane takes its grid and limit from the recording. */
static void test_a_recording_beside_a_live_lane(void **state) {
    (void)state;
    record_as("one.rec", "--backend serial", "40");
    assert_int_equal(run("--compare serial/unstructured/fused,one.rec --headless > mixed.txt"), 0);
    assert_holds("mixed.txt", "blog, 40 x 40 unknowns");
    assert_holds("mixed.txt", "A fused");
    assert_holds("mixed.txt", "B classic/replay");
    assert_holds("mixed.txt", "same stop and residual after 300 iterations");
    assert_int_equal(run("--compare one.rec,serial --iterations 100 --format json > mixed.json"),
                     0);
    char *text = text_of("mixed.json");
    const char *first = strstr(text, "\"replay\":\t\"replay: ");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"replay\":")); /* of the recorded run, and nothing else */
    assert_non_null(strstr(first, "\"iterations\":\t100,"));
    free(text);
    assert_int_equal(run("--compare one.rec,serial --format jsonl > mixed.jsonl"), 0);
    assert_holds("mixed.jsonl", "\"type\":\"sample\",\"run\":1,");
    assert_int_equal(run("--compare serial,one.rec --size 80x24 --screenshot mixed.shot.txt"), 0);
    assert_holds("mixed.shot.txt", "B is a replay");
    assert_holds("mixed.shot.txt", " live ");
    assert_refused("--compare serial,one.rec --grid 30", "one.rec is a recording at 40²");
    assert_refused("--compare serial,one.rec --record new.rec", "expected lanes that are comp");
}

static void test_comparisons_are_deterministic(void **state) {
    (void)state;
    record_as("one.rec", "--backend serial", "40");
    record_as("two.rec", "--backend serial --schedule fused", "40");
    for (int k = 0; k < 2; k++) {
        char options[128];
        snprintf(options, sizeof options,
                 "--compare one.rec,two.rec --at 50%% --size 80x24 --screenshot %d.txt", k);
        assert_int_equal(run(options), 0);
    }
    assert_int_equal(system("cmp 0.txt 1.txt"), 0);
    assert_holds("0.txt", "replay: ");
    assert_holds("0.txt", "replayed by recorded iteration");
    assert_int_equal(run("--compare one.rec,two.rec --race time --screenshot time.txt"), 0);
    assert_holds("time.txt", "replayed by recorded time");
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
        cmocka_unit_test(test_recordings_are_compared),
        cmocka_unit_test(test_what_can_not_be_compared),
        cmocka_unit_test(test_a_recording_beside_a_live_lane),
        cmocka_unit_test(test_comparisons_are_deterministic),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
