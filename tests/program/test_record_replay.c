#include "tests/fixtures/support.h"

#include <glob.h>
#include <math.h>
#include <stdbool.h>
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

static void assert_ascii(const char *path) {
    char *text = text_of(path);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 0x80)
            fail_msg("%s is not ASCII: %.60s", path, c);
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

TEST(report_of_a_replay) {
    record("a.rec");
    assert_int_equal(run("--replay a.rec --headless --format json > replay.json"), 0);
    assert_holds("replay.json", "\"iterations\":\t300");
    assert_holds("replay.json", "replay: ");
    assert_holds("live.json", "\"iterations\":\t300");
    assert_int_equal(run("--replay a.rec --headless > replay.txt"), 0);
    assert_holds("replay.txt", "replay: ");
}

/* Recording, picture and screencast: a name that is taken, by a file or a link, is refused before
 * anything runs; with --overwrite the file is replaced, and a link still leads to it. */
TEST(nothing_is_overwritten) {
    static const struct {
        const char *option, *file, *link, *holds;
    } kinds[] = {
        {"--record", "b.rec", "b-link.rec", "jacobi-tui recording"},
        {"--screenshot", "b.svg", "b-link.svg", "<svg "},
        {"--cast", "b.cast", "b-link.cast", "\"version\":2"},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (int linked = 0; linked <= 1; linked++) {
            const char *name = linked ? kinds[k].link : kinds[k].file;
            char options[256], command[256];
            snprintf(command, sizeof command, "echo mine > %s && ln -sf %s %s", kinds[k].file,
                     kinds[k].file, kinds[k].link);
            assert_int_equal(system(command), 0);
            snprintf(options, sizeof options, "%s --headless %s %s > told", recorded,
                     kinds[k].option, name);
            unlink("messages");
            assert_int_equal(run(options), 2);
            assert_holds("messages", "--overwrite");
            assert_holds(kinds[k].file, "mine");
            assert_int_equal(system("test ! -s told"), 0);
            snprintf(options, sizeof options, "%s --headless --overwrite %s %s > told", recorded,
                     kinds[k].option, name);
            assert_int_equal(run(options), 0);
            assert_holds(kinds[k].file, kinds[k].holds);
            snprintf(command, sizeof command, "test -h %s && test $(ls %s* | wc -l) = 1",
                     kinds[k].link, kinds[k].file);
            assert_int_equal(system(command), 0);
        }
    }
    assert_int_equal(run("--replay b-link.rec --headless > /dev/null"), 0);
}

/* ---- full disks: files may have so many blocks of 512 bytes */

static int run_within(int blocks, const char *options) {
    char command[2048];
    snprintf(command, sizeof command,
             "trap '' XFSZ; ulimit -f %d; exec '%s' %s 2>>messages >/dev/null", blocks, program,
             options);
    unlink("messages");
    return WEXITSTATUS(system(command));
}

/* Nothing whole could be written: there is no file, or the one before. */
TEST(full_from_the_start) {
    static const char *const options[] = {"--record full.rec", "--screenshot full.svg",
                                          "--cast full.cast"};
    record("g.rec");
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        char line[256];
        snprintf(line, sizeof line, "%s --headless %s", recorded, options[o]);
        assert_int_equal(run_within(1, line), 1);
        assert_holds("messages", strrchr(options[o], ' ') + 1);
        assert_holds("messages", ": File too large");
        assert_int_equal(system("test $(ls full.* 2>/dev/null | wc -l) = 0"), 0);
    }
    assert_int_equal(system("cp g.rec kept.rec"), 0);
    char line[256];
    snprintf(line, sizeof line, "%s --headless --overwrite --record kept.rec", recorded);
    assert_int_equal(run_within(1, line), 1);
    assert_int_equal(system("cmp g.rec kept.rec"), 0);
    assert_int_equal(run_within(1, "--replay g.rec --cast full.cast"), 1);
    assert_int_equal(system("test $(ls full.* 2>/dev/null | wc -l) = 0"), 0);
}

/* What was complete is kept and can be shown. */
TEST(full_in_the_middle) {
    record("h.rec");
    assert_int_equal(run("--replay h.rec --cast all.cast"), 0);
    char *all = text_of("all.cast");
    const int blocks = (int)((strlen(all) - 1) / 512); /* not all, though its last may be full */
    assert_int_equal(run_within(blocks, "--replay h.rec --cast part.cast"), 1);
    assert_holds("messages", "part.cast: writing stopped after ");
    char *part = text_of("part.cast");
    assert_int_equal(part[strlen(part) - 1], '\n');
    assert_true(strlen(part) < strlen(all));
    free(part);
    free(all);
    const char *line = "--backend serial --grid 500 --iterations 100000 --tolerance 0 --headless "
                       "--record part.rec";
    assert_int_equal(run_within(20, line), 1);
    assert_holds("messages", "part.rec: writing stopped after ");
    assert_int_equal(run("--replay part.rec --headless > part.txt"), 0);
    assert_holds("part.txt", "replay: ");
}

/* ---- files that would never end */

TEST(only_regular_files_are_read) {
    static const struct {
        const char *options;
        int status;
    } cases[] = {
        {"--replay %s --headless", 2},
        {"--compare %s:A,serial --headless", 2},
        {"--preset ./%s --headless", 2},
        {"--tour=./%s --headless", 2},
    };
    static const char *const ways[] = {"mkfifo endless.ini", "ln -s /dev/zero endless.ini",
                                       "mkdir endless.ini", "truncate -s 1T endless.ini"};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char command[2048];
        assert_int_equal(system("rm -rf endless.ini home"), 0);
        assert_int_equal(system(ways[w]), 0);
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            char options[128];
            unlink("messages");
            snprintf(options, sizeof options, cases[c].options, "endless.ini");
            snprintf(command, sizeof command, "timeout -s KILL 20 '%s' %s >/dev/null 2>messages",
                     program, options);
            assert_int_equal(WEXITSTATUS(system(command)), cases[c].status);
            assert_holds("messages", "endless.ini: can't read it: ");
        }
        /* Saved settings are left out, which is told; a cache counts as empty. */
        snprintf(
            command, sizeof command,
            "mkdir -p home/jacobi-tui && mv endless.ini home/jacobi-tui/settings.ini && "
            "ln -s settings.ini home/jacobi-tui/tuner.json && XDG_CONFIG_HOME=$PWD/home "
            "XDG_CACHE_HOME=$PWD/home timeout -s KILL 20 '%s' %s --schedule blocked --headless "
            "> /dev/null 2>messages",
            program, recorded);
        assert_int_equal(WEXITSTATUS(system(command)), 0);
        assert_holds("messages", "your saved settings are ignored: ");
    }
}

TEST(damaged_files) {
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
TEST(pictures_are_deterministic) {
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

/* --ascii holds for what is written, too: the frames, the squares that are spelled, the cast; and
 * with --colors mono there are no frames. */
TEST(pictures_in_ascii) {
    static const char *const files[] = {"ascii.txt", "ascii.ans", "ascii.svg", "spoken.txt"};
    record("a.rec");
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char command[128];
        snprintf(command, sizeof command, "--replay a.rec --ascii --size 160x40 %s --screenshot %s",
                 strcmp(files[f], "spoken.txt") == 0 ? "--colors mono" : "", files[f]);
        assert_int_equal(run(command), 0);
        assert_holds(files[f], "40^2");
        assert_ascii(files[f]);
    }
    assert_holds("ascii.txt", "+- 2 Residual -");
    assert_int_equal(system("! grep -q '^[+|]' spoken.txt"), 0);
    assert_int_equal(run("--replay a.rec --ascii --cast a.cast"), 0);
    assert_ascii("a.cast");
}

/* --colors mono holds for what is written: no colour in .ans and .cast, in .svg text and background
 * alone, the field in shades. */
TEST(pictures_without_colors) {
    record("m.rec");
    assert_int_equal(run("--replay m.rec --screenshot colored.ans"), 0);
    assert_int_equal(system("grep -q '[34]8;2;' colored.ans"), 0);
    assert_int_equal(run("--replay m.rec --colors mono --screenshot mono.ans --cast mono.cast"), 0);
    assert_int_equal(system("! grep -q '[34]8;2;' mono.ans mono.cast"), 0);
    assert_holds("mono.ans", "shades");
    assert_holds("mono.ans", "\033[0;1;7mserial"); /* the header is a bar */
    assert_int_equal(run("--replay m.rec --colors mono --screenshot mono.svg"), 0);
    assert_int_equal(system("test $(grep -o '#[0-9a-f]\\{6\\}' mono.svg | sort -u | wc -l) = 2"),
                     0);
}

/* A preset's layout is shown of a recording, too, alone or in a comparison; without one, what was
 * recorded is. */
TEST(layout_of_a_replay) {
    record("l.rec");
    assert_int_equal(system("printf '[view]\nlayout = table\n' > table.ini"), 0);
    assert_int_equal(run("--replay l.rec --preset ./table.ini --screenshot alone.txt"), 0);
    assert_holds("alone.txt", "Table: means");
    assert_int_equal(run("--compare l.rec,l.rec --preset ./table.ini --screenshot both.txt"), 0);
    assert_holds("both.txt", "Table: means");
    assert_int_equal(run("--backend serial --grid 40 --iterations 9 --preset ./table.ini "
                         "--headless --record t.rec > /dev/null"),
                     0);
    assert_int_equal(run("--replay t.rec --screenshot recorded.txt"), 0);
    assert_holds("recorded.txt", "Table: means");
}

/* Each format, from the same point of a replay and at the end of a live run. */
TEST(every_format) {
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

TEST(cast) {
    record("e.rec");
    assert_int_equal(run("--replay e.rec --cast e.cast --size 80x24"), 0);
    assert_holds("e.cast", "\"width\":80");
    assert_holds("e.cast", ",\"m\",\"finished after 300 iterations\"]");
}

TEST(picture_of_a_live_run) {
    /* Converged, but only near the heated edge; the middle is not in the part that is shown. */
    assert_int_equal(system("printf '[view]\nzoom = 0, 0.1, 0, 0.1\n' > zoom.ini"), 0);
    assert_int_equal(run("--preset ./zoom.ini --problem hot-plate --backend serial --grid 64 "
                         "--tolerance 1e-2 --screenshot corner.txt --size 120x40"),
                     0);
    assert_holds("corner.txt", "the middle is not there yet");
    char options[256];
    snprintf(options, sizeof options, "%s --screenshot live.txt --record live.rec", recorded);
    assert_int_equal(run(options), 0);
    assert_holds("live.txt", "iteration 300");
    assert_int_equal(run("--replay live.rec --headless > live.report.txt"), 0);
    assert_holds("live.report.txt", "replay: ");
    /* Nobody is there to end a pause. A report that is asked for comes beside the picture. */
    assert_int_equal(system("printf '[run]\nbackend = serial\ngrid = 16\niterations = 5\n"
                            "paused = yes\n' > paused.ini"),
                     0);
    assert_int_equal(
        run("--preset ./paused.ini --screenshot paused.txt --format json > paused.json"), 0);
    assert_holds("paused.txt", "iteration 5");
    assert_holds("paused.json", "\"iterations\":\t5");
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
    const char *text = folder_text("messages");
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); /* one line */
}

TEST(recordings_are_compared) {
    record_as("one.rec", "--backend serial", "40");
    record_as("two.rec", "--backend serial --schedule fused", "40");
    assert_int_equal(run("--compare one.rec,two.rec --headless > compared.txt"), 0);
    assert_holds("compared.txt", "Side by side");
    assert_holds("compared.txt", "B fused");
    assert_holds("compared.txt", "same stop and residual after 300 iterations");
    assert_holds("compared.txt", "\nreplay: ");
    assert_int_equal(run("--compare one.rec,two.rec --format json > compared.json"), 0);
    assert_int_equal(run("--compare one.rec,two.rec --format csv > compared.csv"), 0);
    const char *text = folder_text("compared.json");
    const char *first = strstr(text, "\"replay\":\t\"replay: ");
    assert_non_null(first);
    const char *second = strstr(first + 1, "\"replay\":\t\"replay: ");
    assert_non_null(second);                                        /* of all … */
    assert_non_null(strstr(second + 1, "\"replay\":\t\"replay: ")); /* … and of each run */
}

/* Weak scaling: as many rows for each device. Both grids are named, and each run has its own. */
TEST(weak_scaling) {
    static const char *const refused[] = {"fused.rec,more.rec", "more.rec,one.rec",
                                          "one.rec,two.rec,other.rec"};
    char options[128];
    record_as("one.rec", "--backend serial", "40x30");
    record_as("two.rec", "--backend serial --devices 0,0", "40x60");
    record_as("more.rec", "--backend serial --devices 0,0", "40x61");
    record_as("other.rec", "--backend serial", "40x60");
    record_as("fused.rec", "--backend serial --schedule fused", "40x30");
    assert_int_equal(run("--compare one.rec,two.rec --headless > weak.txt"), 0);
    assert_holds("weak.txt", "weak scaling (40×30 per device): efficiency t1/tP ");
    assert_holds("weak.txt", "2 devices: 2.00× the unknowns in ");
    assert_holds("weak.txt", "classic, 40 x 30 unknowns\n");
    assert_holds("weak.txt", "classic, 40 x 60 unknowns\n");
    assert_int_equal(run("--compare two.rec,one.rec --format json > weak.json"), 0);
    const char *text = folder_text("weak.json");
    const char *runs = strstr(text, "\"runs\"");
    assert_non_null(runs);
    const char *second = strstr(runs, "\"ny\":\t60");
    assert_non_null(second);
    assert_non_null(strstr(second, "\"ny\":\t30"));
    assert_int_equal(run("--compare one.rec,two.rec --size 120x40 --screenshot weak.shot.txt"), 0);
    assert_holds("weak.shot.txt", "efficiency: time of 1 device / time of P");
    assert_holds("weak.shot.txt", "40×30, 40×60");
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        snprintf(options, sizeof options, "--compare %s", refused[k]);
        assert_refused(options, "or, of weak scaling, as many rows per device in all");
    }
    assert_refused("--compare one.rec,two.rec,threads", "of weak scaling");
}

TEST(what_can_not_be_compared) {
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
TEST(a_recording_beside_a_live_lane) {
    record_as("one.rec", "--backend serial", "40");
    assert_int_equal(run("--compare serial/unstructured/fused,one.rec --headless > mixed.txt"), 0);
    assert_holds("mixed.txt", "blog, 40 x 40 unknowns");
    assert_holds("mixed.txt", "A fused");
    assert_holds("mixed.txt", "B classic/replay");
    assert_holds("mixed.txt", "same stop and residual after 300 iterations");
    assert_int_equal(run("--compare one.rec,serial --iterations 100 --format json > mixed.json"),
                     0);
    const char *text = folder_text("mixed.json");
    const char *first = strstr(text, "\"replay\":\t\"replay: ");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"replay\":")); /* of the recorded run, and nothing else */
    assert_non_null(strstr(first, "\"iterations\":\t100,"));
    assert_int_equal(run("--compare one.rec,serial --format jsonl > mixed.jsonl"), 0);
    assert_holds("mixed.jsonl", "\"type\":\"sample\",\"run\":1,");
    assert_int_equal(run("--compare serial,one.rec --size 80x24 --screenshot mixed.shot.txt"), 0);
    assert_holds("mixed.shot.txt", "B is a replay");
    assert_holds("mixed.shot.txt", " live ");
    assert_refused("--compare serial,one.rec --grid 30", "one.rec is a recording at 40²");
    assert_refused("--compare serial,one.rec --record new.rec", "expected lanes that are comp");
}

TEST(comparisons_are_deterministic) {
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

/* The first figure of that name in a report. */
static double figure_of(const char *path, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *place = strstr(folder_text(path), key);
    if (!place)
        fail_msg("%s: no %s", path, name);
    return strtod(place + strlen(key), NULL);
}

/* The recordings that come with the program. */
TEST(shipped_recordings) {
    glob_t files;
    assert_int_equal(glob(SOURCE_FOLDER "/recordings/*.rec", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 15);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        char line[640];
        snprintf(line, sizeof line, "--replay '%s' --headless --format json >then.json",
                 files.gl_pathv[f]);
        if (run(line) || !(figure_of("then.json", "residual") > 0))
            fail_msg("%s can't be read", files.gl_pathv[f]);
    }
    globfree(&files);
}

TEST_MODULE_WITH_ARGUMENTS(record_replay) {
    program = folder_program(argc, argv);
    return run_file_tests(folder_enter, folder_leave);
}
