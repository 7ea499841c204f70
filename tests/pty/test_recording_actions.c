/* The user's saves from a live screen: pictures by key, in each format, recordings and screencasts;
 * and recordings shown on a screen. */
#include "tests/fixtures/program.h"
#include "tests/fixtures/pty.h"
#include "tests/fixtures/vterms.h"

#include <glob.h>

/* The endless run with more options. */
static void open_running(const char *options) {
    pty_run(100, 30, PRINT(PTY_ENDLESS "%s", options));
    PTY_PLAY({.shows = "/iteration"}, {.shows = "quit"});
}

/* Reads the first bytes of the only file with that ending. */
static void read_start(const char *ending, char *bytes, size_t size) {
    glob_t found;
    assert_int_equal(glob(PRINT("jacobi-*%s", ending), 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    FILE *file = fopen(found.gl_pathv[0], "rb");
    assert_non_null(file);
    bytes[fread(bytes, 1, size - 1, file)] = '\0';
    fclose(file);
    globfree(&found);
}

/* Each row of the menu writes its kind of file and reports it; no file shows the menu. A library
 * that warns does not write on the screen. */
TEST(pictures) {
    static const struct {
        const char *keys, *ending, *start;
    } rows[] = {
        {"\r", ".svg", "<svg "},
        {"\x1bOB\r", ".png", "\x89PNG"},
        {"\x1bOB\r", ".ans", "\033["},
        {"\x1bOB\r", ".txt", " serial"},
    };
    file_write_text("fonts.conf", "<fontconfig><nosuch/><dir>/usr/share/fonts</dir></fontconfig>");
    setenv("FONTCONFIG_FILE", PRINT("%s/fonts.conf", folder_path), 1);
    open_running("");
    unsetenv("FONTCONFIG_FILE");
    for_each(row, rows) {
        char bytes[65536];
        PTY_PLAY({"x", "Save the screen as"});
        const bool possible = !pty_shows("× PNG") || strcmp(row->ending, ".png") != 0;
        pty_type(row->keys);
        if (!possible) { /* built without PNG: the row shows it; skip to the next */
            pty_type("\x1b");
            continue;
        }
        pty_wait_for(row->ending);
        read_start(row->ending, bytes, sizeof bytes);
        assert_memory_equal(bytes, row->start, strlen(row->start));
        assert_null(strstr(bytes, "Save the screen"));
        assert_false(pty_shows("nosuch"));
    }
    pty_quit();
}

/* Links without targets occupy this minute's names for pictures and recordings; the keys find other
 * names. */
TEST(names_that_links_have) {
    assert_int_equal(
        system("mkdir links && cd links && now=$(date +%s) && for k in $(seq 0 60); do "
               "stamp=$(date -d @$((now + k)) +%Y%m%d-%H%M%S); "
               "ln -s stolen jacobi-$stamp.svg; ln -s stolen jacobi-$stamp.rec; done"),
        0);
    assert_int_equal(chdir("links"), 0);
    open_running("");
    PTY_PLAY({"x", "Save the screen as"}, {"\r", "the screen is saved as"}, {"R", "recording to"},
             {"R", "the recording has ended"});
    pty_quit();
    shell_ok("test ! -e stolen && test $(find . -type l | wc -l) = 122 && "
             "test $(find . -type f | wc -l) = 2");
    assert_int_equal(chdir(".."), 0);
}

/* The menu of presets contains the tours at its end. */
static void choose_last_tour(void) {
    PTY_PLAY({"p", "tour: blog"});
    for (int k = 0; k < 40; k++)
        pty_type("\x1bOB");
    PTY_PLAY({"\r", "1 of "});
}

TEST(tour_by_menu) {
    open_running("");
    choose_last_tour();
    PTY_PLAY({"L", "!1 of "});
    pty_quit();
}

/* R's recording of a tour that runs on several grids shows all their curves. */
TEST(recorded_sizes) {
    file_write_text("sizes.ini", "[scene]\ntitle = Sizes\ntext = Several at once.\n"
                                 "sizes = 16, 24, 32\nresidual = relative\nlayout = residual\n");
    pty_run(100, 40, "--tour sizes.ini --backend serial");
    PTY_PLAY({.shows = "16²"}, {.shows = "Residual: relative"}, {"R", "recording to"});
    pty_quit();
    program_expect(0, NULL, "--replay jacobi-*.rec --at 100%% --size 100x40 --screenshot r.txt");
    assert_holds("r.txt", "16²");
    assert_holds("r.txt", "24²");
}

/* Keys answer a question; a clicker continues without an answer; answers remain. */
static void write_tour(void) {
    file_write_text(
        "asks.ini",
        "[scene]\ntitle = One\ntext = a\nbackend = serial\ngrid = 64\nask = How many unknowns?\n"
        "answer = {unknowns}\nwithin = 1\nreveal = It has {unknowns}.\n"
        "[scene]\ntitle = Two\ntext = b\nbackend = serial\ngrid = 32\nask = Which?\n"
        "choice = 64²\nchoice = 32²\nanswer = {grid}\nreveal = {grid} it is.\n");
}

TEST(answers) {
    write_tour();
    pty_run(100, 30, "--tour asks.ini --worksheet sheet.md");
    PTY_PLAY({.shows = "finished: 1 000"}, {"\r", "type a number first"},
             {"40967", "your guess: 40967_"}, {"\x7f", "your guess: 4096_"},
             {"\r", "It has 4 096."}, {.shows = "1 of 1 right"}, {"\x1b[6~", "2 of 2  Two"},
             /* PgDn: the next scene, then its answer without a guess */ {"1", "your guess: 1_"},
             {"\x1b[6~", "32² it is."}, {.shows = "1 of 1 right"}, {"\x1b[5~", "It has 4 096."},
             {"L", "!1 of 2  One"}, {"L", "It has 4 096."}, {.shows = "1 of 1 right"});
    assert_int_equal(access("sheet.md", F_OK), 0); /* nobody else can take the name */
    /* A preset or another tour leaves the answers. */
    PTY_PLAY({"L", "!1 of 2  One"}, {"p", "Presets: "}, {"\r", "128²"});
    choose_last_tour();
    pty_quit();
    assert_holds("sheet.md", "Your guess: 4 096");
    assert_holds("sheet.md", "32² it is");
    assert_holds("sheet.md", "# One run on several devices");
    /* An existing name is rejected before anything begins. */
    program_expect(2, "sheet.md", "--tour asks.ini --worksheet sheet.md");
}

/* The scene's panel is shown while it asks, and its run waits. 4 · 4096 counts the corners twice:
 * the mistake that this scene is about. */
TEST(corners_belong_to_two_sides) {
    pty_run(100, 30, "--tour blog");
    PTY_PLAY({.shows = "9 × 9 = 81 unknowns"}, {.shows = "paused at 0"}, {"16384", "16384_"},
             {"\r", "Not right."}, {.shows = "!paused"});
    pty_quit();
}

/* ---- screencasts */

TEST(cast) {
    open_running("--cast a.cast");
    PTY_PLAY({"g", "Grid: interior unknowns"});
    pty_type("\x1bOB\r"); /* 128² */
    pty_wait_for("128²");
    pty_resize(90, 28);
    while (system("grep -q '\"r\"' a.cast && grep -q '\"m\",\"blog 128x128' a.cast") != 0)
        pty_pump(50);
    pty_quit();
    const struct cast_counts counts = cast_read("a.cast", NULL);
    assert_int_equal(counts.cols, 100);
    assert_int_equal(counts.rows, 30);
    assert_true(counts.frames >= 3);
    assert_true(counts.resizes >= 1);
    assert_int_equal(counts.markers, 2);
    assert_string_equal(counts.last_marker, "blog 128x128: serial/unstructured/classic");
}

/* The signal can cut the write of the last line. */
TEST(cast_of_a_killed_program) {
    open_running("--cast b.cast");
    kill(pty.pid, SIGKILL);
    pty_wait();
    pty_close();
    shell_ok("head -n -1 b.cast > whole.cast");
    assert_true(cast_read("whole.cast", NULL).frames >= 1);
}

/* Runs the program with files of at most that many blocks, as on a full disk. */
static void run_limited(int blocks, const char *options) {
    char *const before = program;
    char command[4096];
    print_to(command, "-c 'trap \"\" XFSZ; ulimit -f %d; exec \"%s\" %s'", blocks, program,
             options);
    program = (char *)"/bin/sh";
    pty_run(100, 30, command);
    program = before;
}

/* The screen continues without them, and the program's final message reports it. */
TEST(full_disk) {
    run_limited(400, "--backend serial --grid 300 --tolerance 0 --iterations 1000000000 "
                     "--cast full.cast --record full.rec 2>told");
    PTY_PLAY({.shows = "full.cast: writing stopped after "}, {.keys = "q"});
    pty_end(1);
    shell_ok("grep -q 'full.cast: writing stopped after .*: File too large' told && "
             "test $(wc -l < told) = 1");
    assert_true(cast_read("full.cast", NULL).frames >= 1);
}

/* A recording's failure doesn't cost the answers. */
TEST(worksheet_beside_a_full_disk) {
    write_tour();
    run_limited(8, "--tour asks.ini --worksheet w.md --record full2.rec");
    PTY_PLAY({.shows = "What is asked"}, {"4096\r", "It has 4 096."},
             {.shows = "full2.rec: writing stopped after "}, {.keys = "q"});
    pty_end(1);
    assert_holds("w.md", "Your guess: 4 096");
}

/* Records a run of two thousand iterations, without a screen. */
static void record_here(const char *name, const char *schedule) {
    program_expect(0, NULL,
                   "--backend serial --schedule %s --grid 64 --iterations 2000 "
                   "--tolerance 0 --headless --record %s",
                   schedule, name);
}

/* The sentence names the replay, and is complete. */
TEST(screen_reader_of_a_replay) {
    record_here("a.rec", "fused");
    pty_run(80, 24, "--replay a.rec --ascii --colors mono");
    PTY_PLAY({.shows = "finished: 2 000"}, {"S", "NOTE  replay: "}, {.shows = "serial/fused"});
    assert_int_equal(unlink("a.rec"), 0);
    pty_quit();
}

/* Recordings side by side use the keys of a replay, and those of a live run beside a live lane. */
TEST(recordings_side_by_side) {
    record_here("a.rec", "classic");
    record_here("b.rec", "fused");
    pty_run(100, 30, "--compare a.rec,b.rec");
    PTY_PLAY({.shows = "replayed by recorded iteration"},
             {.shows = "finished: 2 000"}, /* the recorded run took less than a second */
             {",", "paused at"}, /* one frame back */ {"T", "replayed by recorded time"},
             {"+", "2 times the recorded speed"},
             {"]]", "finished: 2 000"}); /* to the end of the first, then of the second */
    pty_quit();
    pty_run(100, 30, "--compare serial,a.rec");
    PTY_PLAY({.shows = "B is a replay"}, {.shows = "finished: 2 000"}, {" r", "paused at 0 of"},
             {" ", "finished: 2 000"}, {"R", "only live runs are recorded"});
    pty_quit();
    assert_int_equal(unlink("a.rec") | unlink("b.rec"), 0);
}

/* A replay reports fixed settings, shows the recording with the other mapping, and goes back; at
 * its end it can be played again. */
TEST(replay_keys) {
    pty_run(120, 40, "--replay cpu-omp-structured --at 50%");
    PTY_PLAY({.shows = "▸ unstructured"}, {"g", "grid: not in a replay"},
             {"T", "race: not in a replay"}, {"m", "recorded: cpu-omp-unstructured"},
             {.shows = "Esc goes back"}, {.shows = "▸ structured"}, {"\x1b", "▸ unstructured"},
             /* a hint is not a level */ {"z", "whole field"},
             {"m", "recorded: cpu-omp-unstructured"},
             /* keeps the zoom, which Esc leaves first; the hint promises no other level */
             {.shows = "whole field"});
    assert_false(pty_shows("Esc goes back"));
    PTY_PLAY({"g", "recordings are fixed"}, {"\x1b", "leave the recording"},
             {"\x1b", "▸ unstructured"}, {"]]]]]]>>>>>>>>>>>>>>>>>>>>", "play again"},
             {" ", "!play again"});
    pty_quit();
}

/* While a recording is awaited or takes long to read, q or a signal ends the program. */
TEST(quit_while_loading) {
    for (int number = 0; number <= SIGTERM; number += SIGTERM) {
        pty_run(80, 24, "--replay absent.rec --follow");
        /* From then on it is watched. */
        for (struct termios modes = {.c_lflag = ECHO}; modes.c_lflag & ECHO;) {
            pty_pump(20);
            assert_int_equal(tcgetattr(pty.slave, &modes), 0);
        }
        if (number)
            kill(pty.pid, number);
        else
            pty_type("xq");
        const int status = pty_wait();
        if (number ? !WIFSIGNALED(status) || WTERMSIG(status) != number : status)
            fail_msg("signal %d: %x", number, (unsigned)status);
        pty_assert_given_back();
        pty_close();
    }
}

TEST_MODULE(recording_actions, program_set_up, NULL)
