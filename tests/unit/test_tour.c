/* Tours: accepted and rejected files, the messages, and the modes of scenes. */
#include "tests/fixtures/folder.h"

#include <libgen.h>

#include "tests/fixtures/tours.h"

static const char *path; /* of the loaded tour */
static struct tour *tour;

static int free_tour(void **state) {
    free(tour);
    tour = NULL;
    return 0;
}

/* Loads that text as `tour`. */
static enum status read_text(const char *text, bool is_strict) {
    struct config base;
    free_tour(NULL);
    file_write_text(path, "%s", text);
    config_init(&base);
    base.view.terminal.theme = THEME_PROJECTOR;
    return tour_load(path, &base, is_strict, &tour, &error);
}

static enum status load(const char *text) {
    return read_text(text, false);
}

TEST(scenes) {
    assert_ok(
        load("[tour]\ntitle = T\n"
             "[scene]\ntitle = One\ntext = a\ntext = b\ntext =\ntext = c\nnote = n\nnote = o\n"
             "grid = 32x16\nbackend = serial\n"
             "[scene]\ntitle = Two\ntext = x\nask = How much?\nreveal = Much.\n"
             "compare = serial,serial/unstructured/fused\npanel = timing\nrecording = r\n"));
    assert_string_equal(tour->title, "T");
    assert_int_equal(tour->count, 2);
    const struct scene *one = &tour->scenes[0], *two = &tour->scenes[1];
    assert_string_equal(one->title, "One");
    assert_string_equal(one->text, "a b\nc");
    assert_string_equal(one->note, "n o");
    assert_int_equal(one->config.plan.lanes[0].engine.mesh.Ny, 16);
    assert_int_equal(one->config.view.terminal.theme, THEME_PROJECTOR);
    assert_string_equal(one->ask, "");
    assert_string_equal(two->ask, "How much?");
    assert_string_equal(two->reveal, "Much.");
    assert_int_equal(two->config.plan.lane_count, 2);
    assert_int_equal(two->config.plan.lanes[1].engine.run.schedule.kind, SCHEDULE_FUSED);
    assert_int_equal(scene_way(one, NULL, &error), SCENE_LIVE);
}

/* A scene reads its recordings when it is entered, long after the outputs are opened. */
TEST(recordings_of_scenes_are_not_replaced) {
    static struct config base;
    config_init(&base);
    base.overwrite = true;
    snprintf(base.record, sizeof base.record, "./a.rec");
    for_each_word(source, "replay = a.rec", "compare = a.rec:A, serial") {
        file_write_text(path, "[scene]\ntitle = One\ntext = a\n%s\n", source);
        assert_refused(tour_load(path, &base, false, &tour, &error), STATUS_BAD_INPUT,
                       "./a.rec: expected a different name");
    }
}

TEST(sizes) {
    assert_ok(load("[scene]\ntitle = a\ntext = b\nsizes = 32, 64x48, 64\nomega = 0.8\n"
                   "[scene]\ntitle = a\ntext = b\nsizes = 32, 64\nmethod = sor\n"));
    assert_int_equal(tour->scenes[0].config.plan.study_count, 2);
    assert_int_equal(tour->scenes[0].config.plan.study[1].Ny, 48);
    assert_int_equal(tour->scenes[0].config.plan.lanes[0].engine.mesh.Ny, 64);
    assert_true(tour->scenes[0].config.plan.lanes[0].engine.run.omega == 0.8);
    assert_true(tour->scenes[1].config.plan.lanes[0].engine.run.omega == OMEGA_OWN);
}

TEST(errors_name_the_line) {
    static const struct {
        const char *text;
        int line; /* 0: the whole file */
    } bad[] = {
        {"", 0},
        {"title = x\n", 1},
        {"[tour]\ntext = x\n", 2},
        {"[tour]\ncore = 0\n", 2},
        {"[act]\n", 1},
        {"[scene]\ntitle = a\ntitle = b\n", 3},
        {"[scene]\ntitle = a\ntext = b\ngrid = many\n", 4},
        {"[scene]\ntitle = a\ntext = b\ncolour = red\n", 4},
        {"[scene]\ntitle = a\ntext = b\npreset = no-such\n", 4},
        {"[scene]\ntitle = a\n[scene]\n", 3},
        {"[scene]\ntext = a\n[scene]\n", 3},
        {"[scene]\ntitle = a\ntext = b\nno equals sign\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 64\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 64, many\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 128, 64\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 1, 2, 3, 4, 5\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 64, 99999999\n", 4},
        {"[scene]\ntitle = a\ntext = b\nsizes = 8, 9\nsizes = 8, 9\n", 5},
        {"[scene]\ntitle = a\ntext = b\nsizes = 8, 9\ncompare = serial, threads\n[scene]\n", 6},
        {"[scene]\ntitle = a\ntext = b\nsizes = 8, 9\ngrid = 7\n[scene]\n", 6},
        {"[scene]\ntitle = a\ntext = b\nanswer = {size}\n", 4},
        {"[scene]\ntitle = a\ntext = b\nanswer = 1\nanswer = 1\n", 5},
        {"[scene]\ntitle = a\ntext = b\nwithin = 0.5\n", 4},
        {"[scene]\ntitle = a\ntext = b\nreference = MI250\n", 4},
        {"[scene]\ntitle = a\ntext = b\nanswer = 1\n[scene]\n", 5},
        {"[scene]\ntitle = a\ntext = b\nask = c\nchoice = d\nanswer = 1\n[scene]\n", 7},
        {"[scene]\ntitle = a\ntext = b\nask = c\nchoice = d\nchoice = e\n[scene]\n", 7},
        {"[scene]\ntitle = a\ntext = b\nask = c\nchoice = d\nchoice = e\nanswer = 3\n[scene]\n", 8},
        {"[scene]\ntitle = a\ntext = b\nask = c\nanswer = {slowest}\n[scene]\n", 6},
    };
    for_each(row, bad) {
        char where[64];
        assert_int_equal(load(row->text), STATUS_BAD_INPUT);
        assert_null(tour);
        print_to(where, "%s:%d: ", path, row->line);
        assert_true(strncmp(error.message, where, row->line ? strlen(where) : strlen(path)) == 0);
    }
}

/* Titles are printed with visible control characters for a lecturer who checks a tour. */
TEST(control_characters_are_visible) {
    assert_ok(load("[tour]\ntitle = a\033]0;b\a\n"
                   "[scene]\ntitle = \033[2Jc\ntext = \302\2335n\ntext =\ntext = \303\274\n"));
    assert_string_equal(tour->title, "a?]0;b?");
    assert_string_equal(tour->scenes[0].title, "?[2Jc");
    assert_string_equal(tour->scenes[0].text, "??5n\n\303\274");
}

TEST(the_last_scene_is_checked) {
    assert_int_equal(load("[scene]\ntitle = a\n"), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "tour.ini: at its end: the previous scene has no text"));
}

TEST(bounds) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (int k = 0; k <= TOUR_SCENES_MAX; k++)
        fprintf(file, "[scene]\ntitle = %d\ntext = x\n", k);
    fclose(file);
    assert_refused(load(text), STATUS_BAD_INPUT, "too many scenes");
    free(text);
    file = open_memstream(&text, &size);
    fputs("[scene]\ntitle = long\n", file);
    for (int k = 0; k < 20; k++)
        fprintf(file, "text = %0150d\n", k);
    fclose(file);
    assert_refused(load(text), STATUS_BAD_INPUT, "too long");
    free(text);
}

/* ---- the check of a tour -------------------------------------------------------------------- */

/* A tour from a version without typed answers still works unchanged. */
TEST(an_old_tour_works) {
    assert_ok(read_text("; A lesson of an older version.\n[tour]\ntitle = Old\n"
                        "[scene]\ntitle = One\ngrid = 256\npanel = timing\n"
                        "text = Look.\n"
                        "[scene]\ntitle = Two\nmapping = structured\n"
                        "text = Each kernel maps what it needs.\nask = How much slower?\n"
                        "reveal = Much: {see the bars}.\n",
                        true));
    assert_int_equal(tour->scenes[0].question.kind, QUESTION_NONE);
    assert_int_equal(tour->scenes[1].question.kind, QUESTION_OPEN);
    assert_string_equal(tour->scenes[1].reveal, "Much: {see the bars}.");
}

/* Content that can't be shown as written is rejected only by the check, with its line. */
TEST(the_check_refuses) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"panel = heatmap\n",
         ":4: panel: there is no panel 'heatmap': expected one of field, residual"},
        {"panel = timing, roofline\n", ":4: panel: there is no panel 'timing, roofline': expected"},
        {"ask = a\nanswer = 1\nhide = timing, bars\n",
         ":6: hide: there is no panel 'bars': expected"},
        {"recording = h300\n", ":4: there is no recording 'h300': expected one of"},
        {"reveal = Much.\n",
         ": at its end: the previous scene has a reveal without a question: expected 'ask'"},
        {"ask = Much?\n",
         ": at its end: the previous scene has a question without an answer: expected"},
        {"ask = a\nreveal = b\nkeep = c\n",
         ": at its end: the previous scene has nothing to keep: expected 'answer'"},
        {"ask = a\nanswer = 1\nreveal = b\nreveal = {mss}\n",
         ":7: there is no figure {mss}: expected one of ratio, "},
        {"ask = a\nanswer = {ratio}\nrecorded = serial, h300\n", ":6: run 2: expected"},
        {"compare = recordings/cpu-omp-unstructured.rec, recordings/h200-hip-classic.rec\n",
         ":4: --compare: "},
        {"compare = serial, recordings/none.rec\n", ":4: recordings/none.rec can't be read"},
        {"replay = h300\n", ":4: h300 can't be read"},
        {"grid = 9\nreplay = .\n", ":5: . can't be read: "},
    };
    for_each(row, bad) {
        char text[512], says[256];
        print_to(text, "[scene]\ntitle = a\ntext = b\n%s", row->text);
        assert_int_equal(read_text(text, true), STATUS_BAD_INPUT);
        assert_null(tour);
        print_to(says, "%s%s", path, row->says);
        if (strncmp(error.message, says, strlen(says)) != 0)
            fail_msg("%s\ninstead of\n%s", error.message, says);
        assert_ok(load(text));
    }
}

/* A recorded figure comes from recordings, of each run's mean in its whole one: 40 iterations in
 * 6307.437 ms, 15 000 in 4959.604 ms. */
TEST(recorded_figures) {
    assert_ok(load("[scene]\ntitle = a\ntext = b\nask = c\nanswer = {ratio}\n"
                   "recorded = recordings/h200-omp-structured.rec, "
                   "recordings/h200-omp-unstructured.rec\nreference = 46 MI250\n"));
    struct question *question = &tour->scenes[0].question;
    assert_true(isnan(question->bars[0].value));
    assert_ok(scene_read_bars(&tour->scenes[0], &error));
    assert_close(question->bars[0].value, 6307.437 / (40 / 15000.0 * 4959.604), 1e-5);
    assert_string_equal(question->bars[0].label, "NVIDIA H200, recorded");
    assert_close(question->bars[1].value, 46, 0);
    assert_string_equal(question->bars[1].label, "MI250");
}

/* The tour that ships with the program passes its own check, and each scene is available or states
 * the reason. */
TEST(the_blogs_story) {
    char command[1100], line[1024];
    int scenes = 0;
    print_to(command, "'%s' --tour --headless", program);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    while (fgets(line, sizeof line, output)) {
        scenes += strstr(line, "live") || strstr(line, "recorded") || strstr(line, "not here");
    }
    assert_int_equal(pclose(output), 0);
    assert_true(scenes >= 12);
}

TEST_MODULE_WITH_ARGUMENTS(tour) {
    assert_true(argc == 2);
    set_up_each(NULL, free_tour);
    owned_memory char *file = NULL;
    assert_true(asprintf(&file, "%s/tour.ini", folder_path) > 0);
    path = file;
    /* The folder of the recordings that ship with the program. */
    assert_int_equal(chdir(dirname(strdupa(program))), 0);
    const int status = run_file_tests(NULL, NULL);
    return status;
}
