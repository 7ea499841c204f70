/* Lessons: the figures that a text may reference, the criteria of a right answer, and a lesson's
 * progress with keys and samples. */
#include "tests/fixtures/example.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/tours.h"

/* ---- figures: from the example. Its structured lane takes 1000 ms per iteration and moves 8
 * arrays of 4096² doubles to the device and 3 back; its other lane takes 40 ms. */

static double value_of(const char *name, const struct sample *sample) {
    int lane;
    const struct figure *figure = figure_find(name, strlen(name), &lane);
    assert_non_null(figure);
    return figure_value(figure, sample, lane);
}

TEST(figures_of_a_comparison) {
    owned_sample sample = compare_example(2);
    const double array = 8.0 * 4096 * 4096;
    assert_close(value_of("ratio", sample), 25, 1e-12);
    assert_close(value_of("ms", sample), 1000, 1e-12);
    assert_close(value_of("ms_b", sample), 40, 1e-12);
    assert_close(value_of("bytes_a", sample), 11 * array, 1e-12);
    assert_close(value_of("bytes_b", sample), 8, 1e-12);
    assert_close(value_of("copies", sample), 11, 1e-12);
    struct lane_sample *seldom = &sample->lanes[1]; /* a copy by one of two devices, now and then */
    seldom->device_stats.count = 2;
    assert_close(value_of("copies_b", sample), 1, 1e-12);
    seldom->totals.of[EVENT_FROM_DEVICE][PHASE_NORM].count = EXAMPLE_ITERATIONS / 8;
    assert_string_equal(AS(template_fill, "{copies_b}", sample), "1/8");
    seldom->totals.of[EVENT_FROM_DEVICE][PHASE_NORM].count = EXAMPLE_ITERATIONS;
    seldom->device_stats.count = 0;
    assert_close(value_of("copy_ms", sample), 800, 1e-9);
    assert_close(value_of("copy_gbs", sample), 11 * array / 0.8e9, 1e-9);
    assert_close(value_of("moving", sample), 90, 1e-9);
    assert_close(value_of("computing", sample), 3.6, 1e-12);
    assert_close(value_of("laplacian", sample), 100 * 10.0 / 36, 1e-12);
    assert_close(value_of("iterations", sample), EXAMPLE_ITERATIONS, 0);
    assert_close(value_of("roof", sample), 40, 0);
    assert_close(value_of("roof_percent", sample), 100 * 64 * 4096.0 * 4096 / 1e9 / 40, 1e-12);
    sample->lanes[0].roof.contended = true; /* the roofline then has no ceiling either */
    assert_true(isnan(value_of("roof", sample)) && isnan(value_of("roof_percent", sample)));
    assert_true(isnan(value_of("ms_c", sample)));
    sample->lanes[1].field.stats.rough_share = 0.25;
    assert_close(value_of("rough_b", sample), 25, 1e-12);
    sample->lanes[0].field.stats.rough_share = 0.9962;
    assert_string_equal(AS(template_fill, "{rough}, {rough_b}", sample),
                        "99.6 %, 25.0 %"); /* as in the field's frame */
    /* U in the middle of the example's field, which is cold there; unknown if it shows another
     * quantity. */
    assert_true(fabs(value_of("middle", sample)) < 1e-3);
    sample->lanes[0].field.kind = FIELD_RESIDUAL;
    assert_true(isnan(value_of("middle", sample)));
    assert_true(isnan(value_of("iterations_1", sample)));
    assert_string_equal(
        AS(template_fill,
           "{slowest} takes {ms_a}, {fastest} {ms_b}: {ratio}. It {ms_d}? (Or {hardest}.) {what}, "
           "{Ms} and { stay; {bytes_b}",
           sample),
        "structured takes 1 000 ms, unstructured 40.0 ms: 25.0×. {what}, {Ms} "
        "and { stay; 8 B");
}

/* Times that differ by no more than their spreads have no ratio. */
TEST(no_ratio_within_the_spread) {
    struct sample *sample = compare_example(2);
    sample->lanes[0].times = (struct iteration_times){100, 10, 20, 30, 40, 50};
    sample->lanes[1].times = (struct iteration_times){100, 9, 15, 25, 35, 50};
    assert_true(isnan(value_of("ratio", sample)));
    sample->lanes[1].times.median = 10;
    sample->lanes[1].times.p75 = 11;
    assert_close(value_of("ratio", sample), 3, 1e-12);
    sample_destroy(sample);
}

/* In a single run the kernels are compared, over the run, like in its bars. */
TEST(figures_of_one_run) {
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    sample->lanes[0].seconds *= 2;
    assert_string_equal(
        AS(template_fill,
           "{slowest} takes {slowest_percent}, {fastest} the least; {ms}, {grid}, {mapping}, "
           "{schedule}",
           sample),
        "Update takes 56 %, BoundaryConditions the least; 80.0 ms, 4096², "
        "unstructured, classic");
}

/* The hardest grid is known once all grids have converged. */
TEST(figures_of_several_grids) {
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    static const long iterations[] = {100, 700};
    sample->study_count = 2;
    for (int g = 0; g < 2; g++) {
        sample->study[g].nx = sample->study[g].ny = 64 << g;
        sample->study[g].state = LANE_CONVERGED;
        sample->study[g].iterations = iterations[g];
        history_reset(&sample->study[g].history);
        history_add(&sample->study[g].history, 0, 0.5 - 0.1 * g);
    }
    assert_close(value_of("initial_residual_2", sample), 0.4, 0);
    assert_true(isnan(value_of("most_iterations", sample)));
    sample->lanes[0].state = LANE_CONVERGED;
    assert_string_equal(AS(template_fill,
                           "{hardest} took {most_iterations}: {iterations_1}, {grid_3} "
                           "{iterations_3}. {iterations_4}",
                           sample),
                        "128² took 700: 100, 4096² 40.");
}

/* A residual that falls by a constant factor takes ln 10 / -ln(factor) iterations per digit, for
 * any stride of the history. */
TEST(iterations_of_the_last_digit) {
    static const double factors[] = {0.98, 0.99}; /* the smaller grid's, and the largest one's */
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    sample->study_count = 1;
    for (int g = 0; g < 2; g++) {
        struct lane_sample *lane = g ? &sample->lanes[0] : &sample->study[0];
        lane->state = LANE_CONVERGED;
        lane->nx = lane->ny = 64 << g;
        lane->iterations = 3 * HISTORY_POINTS + 5;
        history_reset(&lane->history);
        for (long k = 0; k < lane->iterations; k++)
            history_add(&lane->history, k, lane->residual = pow(factors[g], (double)k));
        assert_close(value_of(g ? "last_digit_2" : "last_digit_1", sample),
                     log(10) / -log(factors[g]), 1e-9);
    }
    assert_close(value_of("digit_ratio", sample), log(0.98) / log(0.99), 1e-9);
    sample->lanes[0].state = LANE_RUNNING;
    assert_true(isnan(value_of("digit_ratio", sample)));
    sample->study[0].iterations = 3; /* no digit yet */
    history_reset(&sample->study[0].history);
    for (int k = 0; k < 3; k++)
        history_add(&sample->study[0].history, k, sample->study[0].residual = 1 - 0.1 * k);
    assert_true(isnan(value_of("last_digit_1", sample)));
    /* The middle value of a converged run takes precedence over a cell of its field. */
    sample->lanes[0].middle_known = true;
    sample->lanes[0].middle = 0.25;
    assert_close(value_of("middle", sample), 0.25, 0);
}

TEST(every_figure_has_a_unit_and_is_found) {
    char name[FIGURE_NAME_SIZE], text[64];
    assert_string_equal(AS(figure_print, UNIT_COUNT, 0.0625), "1/16");
    for (const struct figure *figure = figures; figure->name; figure++) {
        int lane = -1;
        assert_ptr_equal(figure_find(figure->name, strlen(figure->name), &lane), figure);
        assert_int_equal(lane, 0);
        print_to(text, "{%s_d}", figure->name);
        assert_null(template_unknown(text, name));
    }
    assert_string_equal(template_unknown("{ms} {ms_e} it/s", name), " it/s");
    assert_string_equal(name, "ms_e");
    assert_null(figure_find("m", 1, NULL));
    assert_null(figure_find("_a", 2, NULL));
}

/* docs/tours.md lists all of them. */
TEST(every_figure_is_documented) {
    const char *text = folder_text(SOURCE_FOLDER "/docs/tours.md");
    char name[FIGURE_NAME_SIZE + 2];
    for (const struct figure *figure = figures; figure->name; figure++) {
        print_to(name, "`%s`", figure->name);
        if (!strstr(text, name))
            fail_msg("docs/tours.md has no figure %s", name);
    }
}

/* ---- questions ------------------------------------------------------------------------------ */

/* The question of a scene with these keys. */
static struct question question_of(const char *keys) {
    char text[512];
    print_to(text, "[scene]\ntitle = a\ntext = b\nask = c\n%s", keys);
    struct tour *tour = tour_of(text);
    const struct question question = tour->scenes[0].question;
    free(tour);
    return question;
}

TEST(a_number_is_right_within_a_factor) {
    const struct question question = question_of("answer = {ratio}\nwithin = 3\n");
    assert_int_equal(question.kind, QUESTION_NUMBER);
    assert_true(question_is_right(&question, 10, 25, ""));
    assert_true(question_is_right(&question, 75, 25, ""));
    assert_false(question_is_right(&question, 75.1, 25, ""));
    assert_false(question_is_right(&question, 8, 25, ""));
    assert_false(question_is_right(&question, 0, 25, ""));
    assert_false(question_is_right(&question, NAN, 25, ""));
    assert_true(question_is_right(&question, 0, 0, ""));
    assert_close(question_number(&question, "2,5"), 2.5, 0);
    assert_true(isnan(question_number(&question, "")));
    assert_true(isnan(question_number(&question, ".")));
}

/* Guesses of bytes are in MB. */
TEST(units_of_a_guess) {
    const struct question bytes = question_of("answer = {bytes}\n");
    assert_close(question_number(&bytes, "100"), 1e8, 0);
    const struct question share = {.figure = figure_find("moving", 6, NULL)};
    assert_close(question_number(&share, "100"), 100, 0);
    assert_true(isnan(question_number(&share, "480")));
    const struct question efficiency = {.figure = figure_find("efficiency", 10, NULL)};
    assert_close(question_number(&efficiency, "110"), 110, 0); /* caches may add up */
    const struct question roof = {.figure = figure_find("roof_percent", 12, NULL)};
    assert_close(question_number(&roof, "110"), 110, 0); /* or hold the arrays */
    assert_string_equal(question_unit(&bytes), "MB");
    assert_string_equal(AS(question_print, &bytes, 1e8), "100 MB");
    const struct question fixed = question_of("answer = 2.667\nunit = FLOP/B\n");
    assert_string_equal(AS(question_print, &fixed, 2.5), "2.5 FLOP/B");
}

TEST(a_choice_is_right_if_it_is_the_one) {
    const struct question measured =
        question_of("choice = Update: 40 bytes\nchoice = Norm\nanswer = {slowest}\n");
    assert_int_equal(measured.kind, QUESTION_CHOICE);
    assert_true(question_is_right(&measured, 1, NAN, "Update"));
    assert_false(question_is_right(&measured, 2, NAN, "Update"));
    assert_false(question_is_right(&measured, 1, NAN, "Upd"));
    const struct question fixed = question_of("choice = more\nchoice = fewer\nanswer = 2\n");
    assert_true(question_is_right(&fixed, 2, 2, "fewer"));
    assert_false(question_is_right(&fixed, 1, 2, "fewer"));
}

/* ---- a lesson ------------------------------------------------------------------------------- */

static const char three[] = "[scene]\ntitle = a\ntext = a\nask = How much?\nanswer = {ratio}\n"
                            "reveal = {ratio} it is.\n"
                            "[scene]\ntitle = b\ntext = b\nask = Which?\nchoice = structured\n"
                            "choice = unstructured\nanswer = {slowest}\nhide = field\n"
                            "[scene]\ntitle = c\ntext = c\nask = What?\nreveal = That.\n";

TEST(typing_is_bounded) {
    owned_lesson lesson = lesson_of(three);
    assert_true(lesson->asking);
    assert_false(lesson_answer(lesson));
    assert_false(lesson_type(lesson, 'g'));
    assert_false(lesson_type(lesson, 0x110000));
    lesson_type_keys(lesson, "12.3.4567890123456789");
    assert_string_equal(lesson->typed, "12.3456789012345"); /* any number up to NUMBER_MAX fits */
    assert_true(lesson_erase(lesson, false));
    assert_string_equal(lesson->typed, "12.345678901234");
    assert_true(lesson_erase(lesson, true));
    assert_false(lesson_erase(lesson, true));
    assert_false(lesson_erase(lesson, false));
    lesson_enter(lesson, 1); /* only an available choice counts, and only the last one */
    lesson_type_keys(lesson, "13");
    assert_string_equal(lesson->typed, "1");
    lesson_type_keys(lesson, "2");
    assert_string_equal(lesson->typed, "2");
    assert_false(lesson_type(lesson, '.'));
    lesson_enter(lesson, 2);
    assert_true(lesson->asking);
    assert_false(lesson_type(lesson, '1'));
}

/* From the guess to the score. Measurements of another run don't count. */
TEST(answers_are_judged_by_the_scenes_run) {
    owned_lesson lesson = lesson_of(three);
    owned_sample before = compare_example(1);
    owned_sample run = compare_example(2);
    lesson_type_keys(lesson, "30");
    assert_true(lesson_hides(lesson, "verdict"));
    assert_true(lesson_hides(lesson, "motion"));
    assert_false(lesson_hides(lesson, "field"));
    assert_true(lesson_answer(lesson));
    lesson_await(lesson, before);
    lesson_show(lesson);
    assert_false(lesson_hides(lesson, "verdict"));
    lesson_update(lesson, before);
    assert_false(lesson->results[0].known);
    assert_string_equal(AS(lesson_score, lesson), "");
    lesson_update(lesson, run);
    assert_true(lesson->results[0].known);
    assert_true(lesson->results[0].right);
    assert_string_equal(lesson->results[0].said, "25.0× it is.");
    assert_string_equal(lesson->results[0].right_text, "25.0×");
    assert_string_equal(AS(lesson_score, lesson), "1 of 1 right");

    lesson_enter(lesson, 1);
    assert_true(lesson_hides(lesson, "field"));
    assert_false(lesson_hides(lesson, "verdict"));
    lesson_answer_keys(lesson, "2", run);
    assert_false(lesson->results[1].right);
    assert_string_equal(AS(lesson_score, lesson), "1 of 2 right");
}

/* A guess is right anywhere in the interval of the ratio, also if that is wider than the factor. */
TEST(a_guess_in_the_interval_is_right) {
    owned_lesson lesson = lesson_of(three); /* right within a factor of 2 */
    owned_sample run = compare_example(2);
    owned_sample scaled = compare_example(2);
    run->lanes[0].times = (struct iteration_times){100, 100, 200, 400, 500, 600};
    run->lanes[1].times = (struct iteration_times){100, 20, 40, 50, 100, 110};
    lesson_answer_keys(lesson, "2.1", run); /* the ratio is 400 / 50, 200 / 100 to 500 / 40 */
    assert_true(lesson->results[0].right);
    run->lanes[1].times.p75 = 99;
    run->lanes[0].times.p25 = 210;
    lesson_update(lesson, run);
    assert_false(lesson->results[0].right);

    example_devices(&scaled->lanes[0], 1, 0);
    example_devices(&scaled->lanes[1], 2, 0);
    scaled->lanes[0].times = (struct iteration_times){1000, 2, 3, 4, 5, 6};
    scaled->lanes[1].times = (struct iteration_times){1000, 2, 2.5, 2.8, 2.9, 7};
    const struct figure *speed_up = figure_find("speed_up", 8, NULL);
    const struct figure *efficiency = figure_find("efficiency", 10, NULL);
    assert_true(figure_holds(speed_up, scaled, 1, 1.04)); /* 3 / 2.9 to 5 / 2.5 */
    assert_false(figure_holds(speed_up, scaled, 1, 1.03));
    assert_false(figure_holds(speed_up, scaled, 1, 2.01));
    assert_true(figure_holds(efficiency, scaled, 1, 52));
    assert_false(figure_holds(efficiency, scaled, 1, 51));
    scaled->lanes[1].times.p75 = 6; /* the times may as well be equal: no figure */
    assert_false(figure_holds(speed_up, scaled, 1, 1.04));
    assert_false(figure_holds(efficiency, scaled, 1, 52));
    assert_false(figure_holds(figure_find("ms", 2, NULL), scaled, 1, 1));
}

/* As the verdict refuses a ratio after too few iterations, so does the answer. */
TEST(a_ratio_is_not_known_while_it_settles) {
    owned_lesson lesson = lesson_of(three);
    owned_sample run = compare_example(2);
    run->lanes[1].times = (struct iteration_times){4, 38, 39, 40, 41, 42};
    lesson_answer_keys(lesson, "30", run);
    assert_false(lesson->results[0].known);
    assert_string_equal(lesson->results[0].said, "");
    run->lanes[1].times.count = 40;
    lesson_update(lesson, run);
    assert_true(lesson->results[0].known);

    owned_sample scaled = compare_example(2);
    example_devices(&scaled->lanes[0], 1, 0);
    example_devices(&scaled->lanes[1], 2, 0);
    assert_close(value_of("speed_up_b", scaled), 4 / 2.25, 1e-9);
    scaled->lanes[0].times = (struct iteration_times){4, 4, 4, 4, 4, 4};
    assert_true(isnan(value_of("speed_up_b", scaled)) && isnan(value_of("efficiency_b", scaled)));
}

/* A run whose times answer goes on while they are covered: they have settled when they are shown.
 * Another waits, because its iterations would answer. */
TEST(runs_that_would_answer_wait) {
    owned_lesson lesson = lesson_of(three);
    owned_sample run = compare_example(2);
    assert_false(lesson_holds(lesson));
    lesson_await(lesson, run); /* the scene begins the same run again, and asks */
    run->lanes[0].iterations = 0;
    lesson_update(lesson, run);
    lesson_show(lesson);
    run->lanes[0].iterations = EXAMPLE_ITERATIONS;
    lesson_update(lesson, run);
    assert_true(lesson->results[0].known);
    /* The next scene's run is the same, and has ended before it is seen. */
    lesson->results[0].known = false;
    lesson_await(lesson, run);
    lesson_update(lesson, run);
    assert_false(lesson->results[0].known);
    run->lanes[0].seconds *= 1.01;
    lesson_update(lesson, run);
    assert_true(lesson->results[0].known);
    lesson_enter(lesson, 1); /* has `hide` */
    assert_true(lesson_holds(lesson));
    lesson_show(lesson);
    assert_false(lesson_holds(lesson));
    lesson_enter(lesson, 2); /* is open */
    assert_true(lesson_holds(lesson));
}

/* An answer remains. A skipped question is asked again, and doesn't count. */
TEST(going_back) {
    owned_lesson lesson = lesson_of(three);
    owned_sample run = compare_example(2);
    owned_sample nothing = sample_create();
    lesson_await(lesson, nothing);
    lesson_show(lesson); /* like a clicker */
    lesson_update(lesson, run);
    assert_true(lesson->results[0].known);
    assert_string_equal(AS(lesson_score, lesson), "");
    lesson_enter(lesson, 1);
    lesson_answer_keys(lesson, "1", run);
    lesson_enter(lesson, 0);
    assert_true(lesson->asking);
    lesson_enter(lesson, 1);
    assert_false(lesson->asking);
    assert_string_equal(AS(lesson_score, lesson), "1 of 1 right");
}

/* ---- worksheets ----------------------------------------------------------------------------- */

static char *write_worksheet(const struct lesson *lesson) {
    size_t size;
    char *text = worksheet_make(lesson, &size);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    return text;
}

/* A blank worksheet reveals no answers. */
TEST(a_blank_worksheet) {
    owned_lesson lesson =
        lesson_of("[tour]\ntitle = T\n[scene]\ntitle = a\ntext = It takes {ms}.\nask = How much?\n"
                  "answer = {ratio}\nreference = 46 MI250\nreveal = Much.\n[scene]\ntitle = b\n"
                  "text = b\nask = Which?\nchoice = this\nchoice = that\nanswer = 2\n");
    owned_memory char *text = write_worksheet(lesson);
    assert_contains(text, "# T\n\nName: ____");
    assert_contains(text, "## 1. a\n\nIt takes ______.\n\n**How much?**\n\nYour guess: ____");
    assert_contains(text, "Measured: ____");
    assert_contains(text, "1. this\n2. that\n\nYour guess: ____");
    assert_contains(text, "Why? ____");
    assert_null(strstr(text, "46"));
    assert_null(strstr(text, "Much"));
}

TEST(a_worksheet_of_what_was_answered) {
    owned_lesson lesson = lesson_of(three);
    owned_sample run = compare_example(2);
    run->lanes[1].ny = 2048; /* each run's own grid */
    lesson_answer_keys(lesson, "30", run);
    owned_memory char *text = write_worksheet(lesson);
    assert_contains(text, "unstructured/classic | 4096×2048 | ");
    assert_contains(text, "1 of 1 right.");
    assert_contains(text, "Your guess: 30.0×\n\nMeasured: 25.0× (the guess was right)\n\n"
                          "25.0× it is.\n");
    assert_contains(text, "| host device (x86-64): omp/structured/classic | 4096×4096 | 40 | "
                          "1 000 ms | 1.48 GB |\n");
    assert_contains(text, "## 2. b\n\nb\n\n**Which?**");
}

/* A lesson that was left continues when it is opened again; another tour does not. */
TEST(resuming) {
    struct lesson *again = lesson_of(three);
    owned_lesson lesson = lesson_of(three);
    owned_lesson other = lesson_of("[scene]\ntitle = a\ntext = b\n");
    char edited[sizeof three];
    strcpy(edited, three);
    memcpy(strstr(edited, "{slowest}"), "2        ", 9);
    owned_lesson changed = lesson_of(edited); /* its answers are others */
    lesson_type_keys(lesson, "30");
    assert_true(lesson_answer(lesson));
    lesson_enter(lesson, 1);
    assert_false(lesson_resume(lesson, other->tour));
    assert_false(lesson_resume(lesson, changed->tour));
    assert_true(lesson_resume(lesson, again->tour));
    assert_ptr_equal(lesson->tour, again->tour);
    assert_int_equal(lesson->scene, 1);
    assert_true(lesson->results[0].answered);
    free(again);
}

TEST_MODULE(lesson, NULL, NULL)
