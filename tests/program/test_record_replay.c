#include "tests/fixtures/program.h"
#include "tests/fixtures/recordings.h"

#include <glob.h>
#include <sys/resource.h>

#include "core/system.h"

/* The program itself, recording, replaying and taking pictures without a terminal. */

static void assert_ascii(const char *file) {
    for (const char *c = folder_text(file); *c; c++)
        if ((unsigned char)*c >= 0x80)
            fail_msg("%s is not ASCII: %.60s", file, c);
}

#define RECORDED "--backend serial --grid 40 --iterations 300 --tolerance 0 "

/* The recordings of the group: a.rec of RECORDED, and those that are compared. */
static int make_recordings(void **state) {
    static const struct {
        const char *file, *lane, *grid;
    } compared[] = {{"one.rec", "--backend serial", "40"},
                    {"two.rec", "--backend serial --schedule fused", "40"},
                    {"small.rec", "--backend serial", "30"},
                    {"pair.rec", "--compare serial,serial/unstructured/fused", "40"},
                    {"few.rec", "--backend serial", "40x30"},
                    {"twice.rec", "--backend serial --devices 0,0", "40x60"},
                    {"more.rec", "--backend serial --devices 0,0", "40x61"},
                    {"other.rec", "--backend serial", "40x60"},
                    {"fused.rec", "--backend serial --schedule fused", "40x30"}};
    if (program_set_up(state))
        return 1;
    program_expect(0, NULL, RECORDED "--headless --format json --record a.rec >live.json");
    for_each(row, compared)
        program_expect(0, NULL,
                       "%s --grid %s --iterations 300 --tolerance 0 --headless --record %s",
                       row->lane, row->grid, row->file);
    return 0;
}

TEST(report_of_a_replay) {
    program_expect(0, "\"iterations\":\t300", "--replay a.rec --headless --format json");
    assert_holds("out", "replay: ");
    assert_holds("live.json", "\"iterations\":\t300");
    program_expect(0, "replay: ", "--replay a.rec --headless");
}

/* Recording, picture and screencast: a name that exists, as a file or a link, is rejected before
 * anything runs. With --overwrite the file is replaced, and a link still has the same target. */
TEST(nothing_is_overwritten) {
    static const struct {
        const char *option, *file, *link, *holds;
    } kinds[] = {
        {"--record", "b.rec", "b-link.rec", "jacobi-tui recording"},
        {"--screenshot", "b.svg", "b-link.svg", "<svg "},
        {"--cast", "b.cast", "b-link.cast", "\"version\":2"},
    };
    for_each(kind, kinds)
        for (int linked = 0; linked <= 1; linked++) {
            const char *const file = kind->file, *const link = kind->link;
            const char *const name = linked ? link : file;
            shell_ok("echo mine >%s && ln -sf %s %s", file, file, link);
            program_expect(2, "--overwrite", RECORDED "--headless %s %s >told", kind->option, name);
            assert_holds(file, "mine");
            shell_ok("test ! -s told");
            program_expect(0, NULL, RECORDED "--headless --overwrite %s %s", kind->option, name);
            assert_holds(file, kind->holds);
            shell_ok("test -h %s && test $(ls %s* | wc -l) = 1", link, file);
        }
    program_expect(0, NULL, "--replay b-link.rec --headless");
}

/* What the run reads is no output, under any name. */
TEST(inputs_are_not_replaced) {
    static const char source[] = "--exercise 1 --record jacobi-tui/exercises/01-tofrom/laplacian.c";
    static const char *const lines[] = {"--preset ./p.ini --record p.ini",
                                        "--preset ./p.ini --preset mi250 --cast p-link.ini",
                                        "--preset q.ini --record p.ini",
                                        "--tour jacobi-tui/tours/mine.ini --worksheet t-link.ini",
                                        "--tour mine --worksheet t-link.ini",
                                        "--kernels . --record ./k.c",
                                        "--kernels . --record other/j.c",
                                        "--kernels . --record link/d.inc",
                                        source,
                                        "--compare kept.rec,serial --cast kept-link.rec",
                                        "--replay kept.rec --cast kept-link.rec"};
    shell_ok("echo '[reference]' >p.ini && ln -sf p.ini p-link.ini && echo >k.c");
    shell_ok("printf '[reference]\\nbeside = p.ini\\n' >q.ini && ln -sf kept.rec kept-link.rec");
    shell_ok("mkdir -p other jacobi-tui/tours && echo >other/j.c && echo >other/d.inc && ln -sf "
             "other link && ln -sf "
             "other/j.c j.c && "
             "cp " SOURCE_FOLDER "/presets/tours/scaling.ini jacobi-tui/tours/mine.ini && "
             "ln -sf jacobi-tui/tours/mine.ini t-link.ini");
    setenv("XDG_CONFIG_HOME", folder_path, 1);
    setenv("XDG_DATA_HOME", folder_path, 1);
    program_expect(0, NULL, RECORDED "--headless --record kept.rec");
    for_each(line, lines)
        program_expect(2, "expected a different name", "--headless --overwrite %s", *line);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_DATA_HOME");
    assert_holds("p.ini", "[reference]");
    shell_ok("rm -r k.c j.c p.ini q.ini kept.rec other link jacobi-tui");
}

/* ---- full disks: files are limited to this number of 512-byte blocks */

static void expect_full(int blocks, const char *says, const char *options) {
    const int status = shell("trap '' XFSZ; ulimit -f %d; exec \"$PROGRAM\" %s 2>messages "
                             ">%s",
                             blocks, options, blocks < 20 ? "/dev/null" : "out");
    assert_int_equal(status, 1);
    assert_holds("messages", says);
}

/* Nothing complete could be written: there is no file, or the previous one. */
TEST(full_from_the_start) {
    expect_full(1, "full.rec", RECORDED "--headless --record full.rec");
    expect_full(1, ": File too large", RECORDED "--headless --screenshot full.svg");
    expect_full(1, "full.cast", RECORDED "--headless --cast full.cast");
    expect_full(1, "full.cast", "--replay a.rec --cast full.cast");
    shell_ok("test $(ls full.* 2>/dev/null | wc -l) = 0 && cp a.rec kept.rec");
    expect_full(1, "kept.rec", RECORDED "--headless --overwrite --record kept.rec");
    shell_ok("cmp a.rec kept.rec");
}

/* Complete parts are kept and can be shown. */
TEST(full_in_the_middle) {
    program_expect(0, NULL, "--replay a.rec --cast all.cast");
    const size_t all = strlen(folder_text("all.cast"));
    /* Less than the whole file, even if its last block is full. */
    expect_full((int)((all - 1) / 512), "part.cast: writing stopped after ",
                "--replay a.rec --cast part.cast");
    const char *part = folder_text("part.cast");
    assert_true(strlen(part) < all && part[strlen(part) - 1] == '\n');
    expect_full(20, "part.rec: writing stopped after ",
                "--backend serial --grid 500 --iterations 100000 --tolerance 0 --headless "
                "--record part.rec");
    assert_holds("out", "residual"); /* the results so far are not lost */
    program_expect(0, "replay: ", "--replay part.rec --headless");
}

/* ---- files without an end */

TEST(only_regular_files_are_read) {
    static const char *const options[] = {"--replay ", "--compare serial,", "--preset ./",
                                          "--tour=./"};
    for_each_word(way, "mkfifo endless.ini", "ln -s /dev/zero endless.ini", "mkdir endless.ini",
                  "truncate -s 1T endless.ini") {
        shell_ok("rm -rf endless.ini home && %s", way);
        for (size_t o = 0; o < count_of(options); o++)
            program_expect(2, "endless.ini can't be read: ", "%sendless.ini%s --headless",
                           options[o], o == 1 ? ":A" : "");
        /* Saved settings of this kind are ignored with a warning; a cache counts as empty. */
        shell_ok("mkdir -p home/jacobi-tui && mv endless.ini "
                 "home/jacobi-tui/settings.ini && ln -s settings.ini "
                 "home/jacobi-tui/tuner.json && XDG_CONFIG_HOME=$PWD/home "
                 "XDG_CACHE_HOME=$PWD/home timeout %d \"$PROGRAM\" " RECORDED
                 "--schedule blocked --headless >/dev/null 2>messages",
                 LIMIT_SECONDS);
        assert_holds("messages", "your saved settings are ignored: ");
    }
}

TEST(damaged_files) {
    shell_ok("head -c 300 a.rec > stump.rec");
    program_expect(2, "stump.rec: byte ", "--replay stump.rec --headless");
    shell_ok("{ head -n 1 a.rec; printf 'rubbish%%.0s' 1 2 3 4 5 6 7; } > bad.rec");
    program_expect(2, "bad.rec: byte ", "--replay bad.rec --headless");
}

/* The same moment of the same recording gives the same screen, however it was reached. */
TEST(pictures_are_deterministic) {
    program_expect(0, NULL, "--replay a.rec --at 50%% --screenshot one.txt --size 100x30");
    program_expect(0, NULL, "--replay a.rec --at 50%% --screenshot two.txt --size 100x30");
    shell_ok("cmp one.txt two.txt");
    assert_holds("one.txt", "replay: ");
    assert_holds("one.txt", "Residual");
    program_expect(0, NULL, "--replay a.rec --screenshot end.svg");
    assert_holds("end.svg", "replay: ");
    program_expect(2, NULL, "--replay a.rec --screenshot end.gif");
}

/* --ascii also applies to files: the frames, the spelled-out squares, the cast. With --colors mono
 * there are no frames. */
TEST(pictures_in_ascii) {
    for_each_word(file, "ascii.txt", "ascii.ans", "ascii.svg", "spoken.txt") {
        program_expect(0, NULL, "--replay a.rec --ascii --size 160x40 %s --screenshot %s",
                       strcmp(file, "spoken.txt") == 0 ? "--colors mono" : "", file);
        assert_holds(file, "40^2");
        assert_ascii(file);
    }
    assert_holds("ascii.txt", "+- 2 Residual: RMS / unknowns");
    shell_ok("! grep -q '^[+|]' spoken.txt");
    program_expect(0, NULL, "--replay a.rec --ascii --cast a.cast");
    assert_ascii("a.cast");
}

/* --colors mono also applies to files: no colours in .ans and .cast, only text and background in
 * .svg, the field in shades. */
TEST(pictures_without_colors) {
    program_expect(0, NULL, "--replay a.rec --screenshot colored.ans");
    shell_ok("grep -q '[34]8;2;' colored.ans");
    program_expect(0, NULL, "--replay a.rec --colors mono --screenshot mono.ans --cast mono.cast");
    shell_ok("! grep -q '[34]8;2;' mono.ans mono.cast");
    assert_holds("mono.ans", "shades");
    assert_holds("mono.ans", "\033[0;1;7mserial"); /* the header is in reverse video */
    program_expect(0, NULL, "--replay a.rec --colors mono --screenshot mono.svg");
    shell_ok("test $(grep -o '#[0-9a-f]\\{6\\}' mono.svg | sort -u | wc -l) = 2");
}

/* A preset's layout also applies to a recording, alone or in a comparison; without one, the
 * recorded layout is used. */
TEST(layout_of_a_replay) {
    shell_ok("printf '[view]\nlayout = table\n' > table.ini");
    program_expect(0, NULL, "--replay a.rec --preset ./table.ini --screenshot alone.txt");
    assert_holds("alone.txt", "Table: typical iterations");
    program_expect(0, NULL, "--compare a.rec,a.rec --preset ./table.ini --screenshot both.txt");
    assert_holds("both.txt", "Table: typical iterations");
    program_expect(0, NULL,
                   "--backend serial --grid 40 --iterations 9 --preset ./table.ini "
                   "--headless --record t.rec");
    program_expect(0, NULL, "--replay t.rec --screenshot recorded.txt");
    assert_holds("recorded.txt", "Table: typical iterations");
}

/* Each format, from the same point of a replay and at the end of a live run. */
TEST(every_format) {
    static const struct {
        const char *ending, *start;
    } formats[] = {{"svg", "<svg "}, {"png", "\x89PNG"}, {"ans", "\033["}, {"txt", " "}};
    for_each(format, formats)
        for (int live = 0; live <= 1; live++) {
            char file[32];
            print_to(file, "format%d.%s", live, format->ending);
            const int status = program_run("%s --screenshot %s --size 90x28",
                                           live ? RECORDED : "--replay a.rec --at 40%", file);
            if (status == 2 && strcmp(format->ending, "png") == 0)
                assert_holds("messages", "built without PNG");
            else
                assert_memory_equal(folder_text(file), format->start, strlen(format->start));
        }
}

TEST(cast) {
    program_expect(0, NULL, "--replay a.rec --cast e.cast --size 80x24");
    assert_holds("e.cast", "\"width\":80");
    assert_holds("e.cast", ",\"m\",\"finished after 300 iterations\"]");
}

TEST(picture_of_a_live_run) {
    /* Converged, but only near the heated edge; the middle is outside the zoomed part. */
    shell_ok("printf '[view]\nzoom = 0, 0.1, 0, 0.1\n' > zoom.ini");
    program_expect(0, NULL,
                   "--preset ./zoom.ini --problem hot-plate --backend serial --grid 64 "
                   "--tolerance 1e-2 --screenshot corner.txt --size 120x40");
    assert_holds("corner.txt", "the centre has not converged");
    program_expect(0, NULL, RECORDED "--screenshot live.txt --record live.rec");
    assert_holds("live.txt", "iteration 300");
    program_expect(0, "replay: ", "--replay live.rec --headless");
    /* A pause can't be ended here. A requested report is written beside the picture. */
    shell_ok("printf '[run]\nbackend = serial\ngrid = 16\niterations = 5\n"
             "paused = yes\n' > paused.ini");
    program_expect(0, NULL, "--preset ./paused.ini --screenshot paused.txt --format json");
    assert_holds("paused.txt", "iteration 5");
    assert_holds("out", "\"iterations\":\t5");
}

static double cpu_seconds(void) {
    struct rusage all;
    getrusage(RUSAGE_CHILDREN, &all);
    return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
           1e-6 * (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec);
}

/* Waiting for a sample leaves the core to the solver. On a busy machine its CPU share is
 * smaller. */
TEST(picture_waits_asleep) {
    const double before = cpu_seconds();
    const int64_t start_ns = clock_now_ns();
    program_expect(0, NULL,
                   "--backend serial --grid 512 --iterations 1000 --tolerance 0 "
                   "--screenshot long.txt");
    const double wall = 1e-9 * (double)(clock_now_ns() - start_ns);
    assert_true(cpu_seconds() - before < 1.5 * wall);
}

/* ---- recordings side by side ----------------------------------------------------------------- */

static void expect_no_comparison(const char *options, const char *reason) {
    program_expect(2, reason, "--compare %s", options);
    assert_one_message();
}

TEST(recordings_are_compared) {
    program_expect(0, "Side by side", "--compare one.rec,two.rec --headless");
    assert_holds("out", "B fused");
    assert_holds("out", "same stop and residual after 300 iterations");
    assert_holds("out", "\nreplay: ");
    program_expect(0, NULL, "--compare one.rec,two.rec --format csv");
    program_expect(0, NULL, "--compare one.rec,two.rec --format json");
    const cJSON *report = program_report();
    for_each_word(path, "replay", "runs.0.replay", "runs.1.replay")
        assert_contains(string_of(report, path), "replay: ");
}

/* The longer run is shown at the shorter one's end. Its residual there was not recorded: of so many
 * iterations only every other is, and of so short a run no sample in between. */
TEST(unknown_residuals_are_left_out) {
    /* Passes of 7 never end where the other recording does. */
    program_expect(0, NULL,
                   "--backend serial --grid 40 --iterations 2996 --tolerance 0 --headless --record "
                   "long.rec --schedule blocked:7");
    program_expect(0, NULL, "--compare long.rec,one.rec --headless");
    assert_holds("out", " at the start, – at the end: stopped early\nRMS residual – at the end, "
                        "relative to the start –\n");
    program_expect(0, NULL, "--compare long.rec,one.rec --format csv");
    assert_holds("out", ",pageable,jacobi,,");
    assert_null(strstr(folder_text("out"), "nan"));
}

/* Weak scaling: equal rows per device. Both grids are named, and each run reports its own. */
TEST(weak_scaling) {
    program_expect(0, "weak scaling (40×30 per device): efficiency t1/tP ",
                   "--compare few.rec,twice.rec --headless");
    assert_holds("out", "2 devices: 2.00× the unknowns in ");
    assert_holds("out", "classic, 40 x 30 unknowns\n");
    assert_holds("out", "classic, 40 x 60 unknowns\n");
    program_expect(0, NULL, "--compare twice.rec,few.rec --format json");
    const cJSON *report = program_report();
    assert_true(number_of(report, "runs.0.grid.ny") == 60);
    assert_true(number_of(report, "runs.1.grid.ny") == 30);
    program_expect(0, NULL, "--compare few.rec,twice.rec --size 120x40 --screenshot weak.shot.txt");
    assert_holds("weak.shot.txt", "efficiency: time of 1 device / time of P");
    assert_holds("weak.shot.txt", "40×30, 40×60");
    for_each_word(options, "fused.rec,more.rec", "more.rec,few.rec", "few.rec,twice.rec,other.rec")
        expect_no_comparison(options, "or, for weak scaling, equal rows per device");
    expect_no_comparison("few.rec,twice.rec,threads", "for weak scaling");
}

TEST(what_can_not_be_compared) {
    expect_no_comparison(
        "one.rec,small.rec",
        "one.rec has blog at 40², small.rec blog at 30²: expected one problem and grid");
    expect_no_comparison("one.rec,absent.rec", "absent.rec can't be read: ");
    expect_no_comparison("one.rec,pair.rec", "pair.rec: it has 2 runs: expected pair.rec:A");
    expect_no_comparison("one.rec,pair.rec:C", "pair.rec: it has 2 runs: expected");
    expect_no_comparison("one.rec:B,pair.rec:A", "one.rec: it has 1 run: expected one.rec:A");
    expect_no_comparison("one.rec,one.rec --grid 30", "one.rec is a recording at 40²");
    expect_no_comparison("one.rec,one.rec --problem charges", "one.rec is a recording of blog");
    expect_no_comparison("one.rec,one.rec --record new.rec", "expected live runs");
    expect_no_comparison("one.rec,one.rec --replay one.rec", "can't be combined");
    expect_no_comparison("one.rec", "expected 2 to 4");
    program_expect(0, "B fused", "--compare one.rec,pair.rec:B --grid 40 --headless");
}

/* The live lane takes its grid and limit from the recording. */
TEST(a_recording_beside_a_live_lane) {
    program_expect(0, "blog, 40 x 40 unknowns",
                   "--compare serial/unstructured/fused,one.rec --headless");
    assert_holds("out", "A fused");
    assert_holds("out", "B classic/replay");
    assert_holds("out", "same stop and residual after 300 iterations");
    program_expect(0, NULL, "--compare one.rec,serial --iterations 100 --format json");
    const cJSON *report = program_report();
    assert_contains(string_of(report, "runs.0.replay"), "replay: ");
    assert_null(cJSON_GetObjectItem(item_of(report, "runs.1"), "replay"));
    assert_null(cJSON_GetObjectItem(report, "replay"));
    assert_true(number_of(report, "runs.0.iterations") == 100);
    program_expect(0, "\"type\":\"sample\",\"run\":1,", "--compare one.rec,serial --format jsonl");
    program_expect(0, NULL, "--compare serial,one.rec --size 80x24 --screenshot mixed.shot.txt");
    assert_holds("mixed.shot.txt", "B is a replay");
    assert_holds("mixed.shot.txt", " live ");
    expect_no_comparison("serial,one.rec --grid 30", "one.rec is a recording at 40²");
    expect_no_comparison("serial,one.rec --record new.rec", "expected live runs");
}

TEST(comparisons_are_deterministic) {
    for (int k = 0; k < 2; k++)
        program_expect(0, NULL, "--compare one.rec,two.rec --at 50%% --screenshot %d.txt", k);
    shell_ok("cmp 0.txt 1.txt");
    assert_holds("0.txt", "replay: ");
    assert_holds("0.txt", "replayed by recorded iteration");
    program_expect(0, NULL, "--compare one.rec,two.rec --race time --screenshot time.txt");
    assert_holds("time.txt", "replayed by recorded time");
}

/* The recordings that ship with the program. Those of versions 1 and 2 contain no damping: there
 * was none. */
TEST(shipped_recordings) {
    glob_t files;
    assert_int_equal(glob(SOURCE_FOLDER "/recordings/*.rec", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 14);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        program_expect(0, NULL, "--replay '%s' --headless --format json", files.gl_pathv[f]);
        const cJSON *report = program_report();
        assert_true(number_of(report, "runs.0.residual") > 0);
        if (strcmp(string_of(report, "runs.0.method"), "jacobi") == 0)
            assert_true(number_of(report, "runs.0.omega") == 1);
    }
    globfree(&files);
}

/* A film of a gap of days would take too long to make. */
TEST(long_gap) {
    const struct recording_header header = header_test();
    const struct lane_spec spec = run_of("serial --grid 20");
    struct sampled_run run;
    sampled_run_begin(&run, &spec, 1, 10, 6, "gap.rec", &header);
    for (int k = 0; k < 2; k++) {
        sampled_run_next(&run, 5);
        run.sample->time_ns = k * INT64_C(108000000000000);
        sampled_run_record(&run);
    }
    sampled_run_close(&run);
    program_expect(2, "takes 30 hours", "--replay gap.rec --cast gap.cast");
    assert_int_not_equal(access("gap.cast", F_OK), 0);
}

TEST_MODULE(record_replay, make_recordings, NULL)
