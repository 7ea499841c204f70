/* What the user saves of a live screen, pictures by the key, in each format, recordings and
 * screencasts, and what recordings do on a screen. */
#include "tests/fixtures/support.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/folder.h"
#include "tests/fixtures/pty.h"

static char *program;

static void open_rows(struct pty *pty, const char *const argv[], int rows) {
    pty_open(pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 100, .rows = rows, .argv = (char *const *)argv});
}

/* `cast`: the screencast to write, NULL for none. */
static void open_running(struct pty *pty, const char *cast) {
    const char *const argv[] = {
        program,       "--backend", "serial",       "--grid",     "64",
        "--tolerance", "0",         "--iterations", "1000000000", cast ? "--cast" : NULL,
        cast,          NULL};
    open_rows(pty, argv, 30);
    pty_wait_for(pty, "/iteration");
    pty_wait_for(pty, "quit");
}

/* The first bytes of the only file with that ending. */
static void read_start(const char *ending, char *bytes, size_t size) {
    char pattern[32];
    glob_t found;
    snprintf(pattern, sizeof pattern, "jacobi-*%s", ending);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    FILE *file = fopen(found.gl_pathv[0], "rb");
    assert_non_null(file);
    bytes[fread(bytes, 1, size - 1, file)] = '\0';
    fclose(file);
    globfree(&found);
}

/* Each row of the menu writes its sort of file and says which; none of them shows the menu. */
TEST(pictures) {
    static const struct {
        const char *keys, *ending, *start;
    } rows[] = {
        {"\r", ".svg", "<svg "},
        {"\x1bOB\r", ".png", "\x89PNG"},
        {"\x1bOB\r", ".ans", "\033["},
        {"\x1bOB\r", ".txt", " serial"},
    };
    struct pty pty;
    open_running(&pty, NULL);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char bytes[65536];
        pty_type(&pty, "x");
        pty_wait_for(&pty, "Save the screen as");
        const bool possible = !pty_shows(&pty, "× PNG") || strcmp(rows[k].ending, ".png") != 0;
        pty_type(&pty, rows[k].keys);
        if (!possible) { /* built without PNG: the row says so, and the next one is taken */
            pty_type(&pty, "\x1b");
            continue;
        }
        pty_wait_for(&pty, rows[k].ending);
        read_start(rows[k].ending, bytes, sizeof bytes);
        assert_memory_equal(bytes, rows[k].start, strlen(rows[k].start));
        assert_null(strstr(bytes, "Save the screen"));
    }
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

/* The names that the keys make, of this minute's pictures and recordings, are taken by links that
 * lead nowhere: the keys find others. */
TEST(names_that_links_have) {
    assert_int_equal(
        system("mkdir links && cd links && now=$(date +%s) && for k in $(seq 0 60); do "
               "stamp=$(date -d @$((now + k)) +%Y%m%d-%H%M%S); "
               "ln -s stolen jacobi-$stamp.svg; ln -s stolen jacobi-$stamp.rec; done"),
        0);
    assert_int_equal(chdir("links"), 0);
    struct pty pty;
    open_running(&pty, NULL);
    pty_type(&pty, "x");
    pty_wait_for(&pty, "Save the screen as");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "the screen is saved as");
    pty_type(&pty, "R");
    pty_wait_for(&pty, "recording to");
    pty_type(&pty, "R");
    pty_wait_for(&pty, "the recording has ended");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    assert_int_equal(system("test ! -e stolen && test $(find . -type l | wc -l) = 122 && "
                            "test $(find . -type f | wc -l) = 2"),
                     0);
    assert_int_equal(chdir(".."), 0);
}

/* The menu of presets ends in the tours. */
TEST(tour_by_menu) {
    struct pty pty;
    open_running(&pty, NULL);
    pty_type(&pty, "p");
    pty_wait_for(&pty, "tour: blog");
    for (int k = 0; k < 40; k++)
        pty_type(&pty, "\x1bOB");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "1 of ");
    pty_type(&pty, "L");
    pty_wait_until_gone(&pty, "1 of ");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

/* What R recorded of a tour that runs on several grids shows the curves of them all. */
TEST(recorded_sizes) {
    FILE *tour = fopen("sizes.ini", "w");
    assert_non_null(tour);
    fputs("[scene]\ntitle = Sizes\ntext = Several at once.\nsizes = 16, 24, 32\nresidual = "
          "relative\nlayout = residual\n",
          tour);
    fclose(tour);
    const char *const argv[] = {program, "--tour", "sizes.ini", "--backend", "serial", NULL};
    struct pty pty;
    open_rows(&pty, argv, 40);
    pty_wait_for(&pty, "16²");
    pty_wait_for(&pty, "Residual: relative");
    pty_type(&pty, "R");
    pty_wait_for(&pty, "recording to");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    glob_t found;
    assert_int_equal(glob("jacobi-*.rec", 0, NULL, &found), 0);
    char command[4096];
    snprintf(command, sizeof command,
             "'%s' --replay '%s' --at 100%% --size 100x40 --screenshot r.txt", program,
             found.gl_pathv[0]);
    globfree(&found);
    assert_int_equal(system(command), 0);
    assert_int_equal(system("grep -q '16²' r.txt && grep -q '24²' r.txt"), 0);
}

/* A question is answered by keys; a clicker goes on without an answer; what was answered stays. */
TEST(answers) {
    FILE *tour = fopen("asks.ini", "w");
    assert_non_null(tour);
    fputs("[scene]\ntitle = One\ntext = a\nbackend = serial\ngrid = 64\nask = How many unknowns?\n"
          "answer = {unknowns}\nwithin = 1\nreveal = It has {unknowns}.\n"
          "[scene]\ntitle = Two\ntext = b\nbackend = serial\ngrid = 32\nask = Which?\n"
          "choice = 64²\nchoice = 32²\nanswer = {grid}\nreveal = {grid} it is.\n",
          tour);
    fclose(tour);
    const char *const argv[] = {program, "--tour", "asks.ini", "--worksheet", "sheet.md", NULL};
    struct pty pty;
    open_rows(&pty, argv, 30);
    pty_wait_for(&pty, "hidden until you have answered");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "type a number first");
    pty_type(&pty, "40967");
    pty_wait_for(&pty, "your guess: 40967_");
    pty_type(&pty, "\x7f");
    pty_wait_for(&pty, "your guess: 4096_");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "It has 4 096.");
    pty_wait_for(&pty, "1 of 1 right");
    pty_type(&pty, "\x1b[6~"); /* PgDn: the next scene, and then its answer without a guess */
    pty_wait_for(&pty, "2 of 2  Two");
    pty_type(&pty, "1");
    pty_wait_for(&pty, "your guess: 1_");
    pty_type(&pty, "\x1b[6~");
    pty_wait_for(&pty, "32² it is.");
    pty_wait_for(&pty, "1 of 1 right");
    pty_type(&pty, "\x1b[5~");
    pty_wait_for(&pty, "It has 4 096.");
    pty_type(&pty, "L");
    pty_wait_until_gone(&pty, "1 of 2  One");
    pty_type(&pty, "L");
    pty_wait_for(&pty, "It has 4 096.");
    pty_wait_for(&pty, "1 of 1 right");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    assert_int_equal(system("grep -q 'Your guess: 4 096' sheet.md && grep -q '32² it is' sheet.md"),
                     0);
    open_rows(&pty, argv, 30); /* a name that is taken is refused before anything begins */
    assert_int_equal(WEXITSTATUS(pty_wait(&pty)), 2);
    pty_close(&pty);
}

/* ---- screencasts: every line is JSON, times never run backwards */

struct cast_counts {
    int frames, resizes, markers;
    char last_marker[64];
};

static void count_event(struct cast_counts *counts, const cJSON *event, double *time) {
    assert_int_equal(cJSON_GetArraySize(event), 3);
    assert_true(cJSON_GetArrayItem(event, 0)->valuedouble >= *time);
    *time = cJSON_GetArrayItem(event, 0)->valuedouble;
    const char *code = cJSON_GetArrayItem(event, 1)->valuestring;
    const char *data = cJSON_GetArrayItem(event, 2)->valuestring;
    counts->frames += strcmp(code, "o") == 0;
    counts->resizes += strcmp(code, "r") == 0;
    counts->markers += strcmp(code, "m") == 0;
    if (strcmp(code, "m") == 0)
        snprintf(counts->last_marker, sizeof counts->last_marker, "%s", data);
}

static struct cast_counts read_cast(const char *path) {
    struct cast_counts counts = {0};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    double time = 0;
    assert_non_null(file);
    for (int number = 0; getline(&line, &room, file) > 0; number++) {
        assert_int_equal(line[strlen(line) - 1], '\n');
        cJSON *json = cJSON_Parse(line);
        assert_non_null(json);
        if (number > 0) {
            count_event(&counts, json, &time);
        } else {
            assert_int_equal(cJSON_GetObjectItem(json, "version")->valueint, 2);
            assert_int_equal(cJSON_GetObjectItem(json, "width")->valueint, 100);
            assert_int_equal(cJSON_GetObjectItem(json, "height")->valueint, 30);
        }
        cJSON_Delete(json);
    }
    free(line);
    fclose(file);
    return counts;
}

TEST(cast) {
    struct pty pty;
    open_running(&pty, "a.cast");
    pty_type(&pty, "g");
    pty_wait_for(&pty, "Grid: interior unknowns");
    pty_type(&pty, "\x1bOB\r"); /* 128² */
    pty_wait_for(&pty, "128²");
    pty_resize(&pty, 90, 28);
    while (system("grep -q '\"r\"' a.cast && grep -q '\"m\",\"blog 128x128' a.cast") != 0)
        pty_pump(&pty, 50);
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    const struct cast_counts counts = read_cast("a.cast");
    assert_true(counts.frames >= 3);
    assert_true(counts.resizes >= 1);
    assert_int_equal(counts.markers, 2);
    assert_string_equal(counts.last_marker, "blog 128x128: serial/unstructured/classic");
}

TEST(cast_of_a_killed_program) {
    struct pty pty;
    open_running(&pty, "b.cast");
    kill(pty.pid, SIGKILL);
    pty_wait(&pty);
    pty_close(&pty);
    assert_true(read_cast("b.cast").frames >= 1);
}

/* The screen goes on without them, but the program's end tells of it. */
TEST(full_disk) {
    char command[4096];
    snprintf(command, sizeof command,
             "trap '' XFSZ; ulimit -f 400; exec '%s' --backend serial --grid 300 --tolerance 0 "
             "--iterations 1000000000 --cast full.cast --record full.rec 2>told",
             program);
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    struct pty pty;
    open_rows(&pty, argv, 30);
    pty_wait_for(&pty, "full.cast: writing stopped after ");
    pty_type(&pty, "q");
    const int status = pty_wait(&pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    pty_close(&pty);
    assert_int_equal(system("grep -q 'full.cast: writing stopped after .*: File too large' told"),
                     0);
    assert_int_equal(system("test $(wc -l < told) = 1"), 0);
    assert_true(read_cast("full.cast").frames >= 1);
}

/* A file of that name is never overwritten, and no screen begins. */
TEST(cast_that_exists) {
    FILE *file = fopen("c.cast", "w");
    assert_non_null(file);
    fclose(file);
    const char *const argv[] = {program, "--backend", "serial", "--cast", "c.cast", NULL};
    struct pty pty;
    open_rows(&pty, argv, 30);
    const int status = pty_wait(&pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    assert_true(pty_shows(&pty, "c.cast"));
    pty_close(&pty);
}

/* A recording of two thousand iterations, without a screen. */
static void record_here(const char *name, const char *schedule) {
    char command[512];
    snprintf(command, sizeof command,
             "'%s' --backend serial --schedule %s --grid 64 --iterations 2000 --tolerance 0 "
             "--headless --record %s > /dev/null",
             program, schedule, name);
    assert_int_equal(system(command), 0);
}

/* The sentence says that it is of a replay, and is told to its end. */
TEST(screen_reader_of_a_replay) {
    struct pty pty;
    record_here("a.rec", "fused");
    const char *const argv[] = {program, "--replay", "a.rec", "--ascii", "--colors", "mono", NULL};
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 80, .rows = 24, .argv = (char *const *)argv});
    pty_wait_for(&pty, "finished: 2 000");
    pty_type(&pty, "S");
    pty_wait_for(&pty, "NOTE  replay: ");
    pty_wait_for(&pty, "serial/fused");
    assert_int_equal(unlink("a.rec"), 0);
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

/* Recordings side by side take the keys of a replay, beside a live lane those of a live run. */
TEST(recordings_side_by_side) {
    struct pty pty;
    record_here("a.rec", "classic");
    record_here("b.rec", "fused");
    const char *const both[] = {program, "--compare", "a.rec,b.rec", NULL};
    open_rows(&pty, both, 30);
    pty_wait_for(&pty, "replayed by recorded iteration");
    pty_wait_for(&pty, "finished: 2 000"); /* the recorded run took less than a second */
    pty_type(&pty, ",");                   /* one frame back */
    pty_wait_for(&pty, "paused at");
    pty_type(&pty, "T");
    pty_wait_for(&pty, "replayed by recorded time");
    pty_type(&pty, "+");
    pty_wait_for(&pty, "2 times the recorded speed");
    pty_type(&pty, "]]"); /* to the end of one, and of the other */
    pty_wait_for(&pty, "finished: 2 000");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    const char *const mixed[] = {program, "--compare", "serial,a.rec", NULL};
    open_rows(&pty, mixed, 30);
    pty_wait_for(&pty, "B is a replay");
    pty_wait_for(&pty, "finished: 2 000");
    pty_type(&pty, " r");
    pty_wait_for(&pty, "paused at 0 of");
    pty_type(&pty, " ");
    pty_wait_for(&pty, "finished: 2 000");
    pty_type(&pty, "R");
    pty_wait_for(&pty, "only live lanes are recorded");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
    assert_int_equal(unlink("a.rec") | unlink("b.rec"), 0);
}

/* A replay says what can't be changed, shows the recording that is otherwise mapped, and goes back;
 * at its end it can be played again. */
TEST(replay_keys) {
    struct pty pty;
    const char *const argv[] = {program, "--replay", "cpu-omp-structured", "--at", "50%", NULL};
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 120, .rows = 40, .argv = (char *const *)argv});
    pty_wait_for(&pty, "▸ unstructured");
    pty_type(&pty, "g");
    pty_wait_for(&pty, "grid: not in a replay");
    pty_type(&pty, "m");
    pty_wait_for(&pty, "recorded: cpu-omp-unstructured");
    pty_wait_for(&pty, "Esc goes back");
    pty_wait_for(&pty, "▸ structured");
    pty_type(&pty, "\x1b"); /* a hint is no level of its own */
    pty_wait_for(&pty, "▸ unstructured");
    pty_type(&pty, "z");
    pty_wait_for(&pty, "whole field");
    pty_type(&pty, "m"); /* keeps the zoom, the first level that Esc leaves: no other is promised */
    pty_wait_for(&pty, "recorded: cpu-omp-unstructured");
    pty_wait_for(&pty, "whole field");
    assert_false(pty_shows(&pty, "Esc goes back"));
    pty_type(&pty, "g");
    pty_wait_for(&pty, "what was recorded stays");
    pty_type(&pty, "\x1b");
    pty_wait_for(&pty, "leave the recording");
    pty_type(&pty, "\x1b");
    pty_wait_for(&pty, "▸ unstructured");
    pty_type(&pty, "]]]]]]>>>>>>>>>>>>>>>>>>>>");
    pty_wait_for(&pty, "play again");
    pty_type(&pty, " ");
    pty_wait_until_gone(&pty, "play again");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

TEST_MODULE_WITH_ARGUMENTS(recording_actions) {
    program = folder_program(argc, argv);
    return run_file_tests(folder_enter, folder_leave);
}
