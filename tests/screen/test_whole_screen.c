/* Golden screens of one run: sizes, states, a grid study, ASCII, help, menus. */
#include "solver/residual_theory.h"

#include <glob.h>

#include "tests/fixtures/example.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/samples.h"
#include "tests/fixtures/screen_fixture.h"
#include "tests/fixtures/tours.h"
#include "ui/app/keymap.h"
#include "ui/panels/view.h"

static int set_up(void **state) {
    fixture_use(example_sample(MAPPING_STRUCTURED));
    return 0;
}

/* Smaller than any panel's golden. */
TEST(small_sizes) {
    fixture_check(40, 12, "structured");
    fixture_check(20, 5, "structured");
}

TEST(unstructured) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    fixture.state.scale = SCALE_LOG;
    fixture_check(80, 24, "unstructured");
}

TEST(reference_and_signed_field) {
    const struct mesh mesh = mesh_make(4096, 4096);
    example_field(&fixture.sample->lanes[0], &mesh, 64, 48, true);
    fixture.sample->lanes[0].run.mapping = MAPPING_UNSTRUCTURED;
    fixture.config.reference.kernel_ms[PHASE_LAPLACIAN] = 15;
    fixture.config.reference.kernel_ms[PHASE_UPDATE] = 0.51;
    fixture.state.full = panel_find("timing");
    print_to(fixture.config.reference.source, "A title: HIP, one GCD of an MI250");
    fixture_check(100, 24, "timing-with-reference");
    fixture.state.full = NULL;
    assert_contains(fixture_text(120, 40), "╰─ ┃ MI250 ");
}

/* Kernels of 36 ms in a loop of 32 ms per iteration: the 100 % is the base of the shares. */
TEST(parts_beyond_the_loop) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    lane->seconds = 0.032 * (double)lane->iterations;
    fixture.state.full = panel_find("timing");
    assert_contains(fixture_text(80, 24), " parts: 36.0 ms = 100 % ");
    assert_contains(fixture_text(80, 24), " loop          32.0 ms: parts timed separately");
    assert_contains(fixture_text(80, 24), "100 % computing");
    lane->times = (struct iteration_times){.count = 1702, .median = 32};
    assert_contains(fixture_text(80, 24), "One iteration: typical of 1 702 ");
}

/* The line of a bare run has whole figures, and every kernel a name. */
TEST(compact_line) {
    fixture_use(compare_example(1));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    lane->times = (struct iteration_times){200, 5000, 770, 5000, 8010, 5000};
    lane->seconds = lane->window_seconds = 5.0 * EXAMPLE_ITERATIONS;
    const char *text = fixture_text(80, 24);
    assert_contains(text, " 5 000 ms/iteration  copying 18 %, "); /* its interval is dropped */
    assert_contains(text, " rest 81 %\n");
    assert_contains(text, " to, from, allocation, Lap, BC, Upd, Norm ─");
}

/* An unmeasured quantity must not look like a measured zero. */
TEST(nothing_measured) {
    struct lane_sample *lane = &fixture.sample->lanes[0];
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            lane->totals.of[kind][phase].timed = 0;
            lane->totals.of[kind][phase].clock = CLOCK_NONE;
        }
    fixture_check(80, 24, "untimed");
}

TEST(states) {
    struct lane_sample *lane = &fixture.sample->lanes[0];
    fixture.sample->state = SESSION_FINISHED;
    lane->state = LANE_CONVERGED;
    print_to(lane->fallback_from, "hip");
    print_to(fixture.state.message, "omp runs instead of hip: no GPU was found");
    fixture_check(120, 40, "converged-after-fallback");
    lane->state = LANE_FAILED;
    fixture.sample->state = SESSION_FAILED;
    fixture.state.message_is_bad = true;
    print_to(fixture.state.message, "the solution diverged in iteration 40: U(3, 4) is nan");
    fixture_check(80, 24, "failed");
    fixture.sample->lane_count = 0;
    fixture.sample->state = SESSION_OPENING;
    fixture.state.message[0] = 0;
    fixture_check(80, 24, "opening");
    fixture.plan = fixture.config.plan;
    fixture.plan.lanes[0].engine.mesh = mesh_make(2048, 2048); /* takes a noticeable time */
    fixture.plan.lane_count = 2;
    fixture.sample->filled = 0.75; /* of both runs' arrays */
    print_to(fixture.plan.preset, "mine");
    print_to(fixture.config.teaches, "What it shows.");
    assert_contains(fixture_text(80, 24), "filled: 75 %, run B of 2");
    assert_contains(fixture_text(80, 24), "What it shows.");
    fixture.sample->state = SESSION_RUNNING;
    fixture.sample->lane_count = 1;
    lane->state = LANE_RUNNING;
    lane->iterations = 0;
    fixture.sample->filled = 0;
    fixture.plan.lanes[0].engine.mesh = mesh_make(1024, 1024);
    assert_null(strstr(fixture_text(80, 24), "What it shows."));
    fixture.state.layout = motion_panel.name; /* needs an iteration */
    assert_contains(fixture_text(80, 24), "What it shows.");
    lane->iterations = 1;
    assert_null(strstr(fixture_text(80, 24), "What it shows."));
    fixture.state.layout = "standard";
    fixture.sample->state = SESSION_OPENING;
    fixture.sample->lane_count = 0;
    fixture.plan = (struct plan){0};
    print_to(fixture.sample->playback.label, "replay: NVIDIA H200, 2026-01-31");
    fixture_check(80, 24, "replay");
    print_to(fixture.config.plan.preset, "h200-replay"); /* not the recorded run's, mi250 */
    assert_contains(fixture_text(120, 40), " preset h200-replay ");
}

/* A V-cycle: its levels side by side, its kernels by level, its residual over work. The times are
 * made up: a nanosecond per byte, and one µs per kernel. */
TEST(multigrid) {
    struct sampled_run run;
    const struct lane_spec spec = run_of("serial/unstructured/classic+multigrid --problem charges "
                                         "--grid 255 --tolerance 1e-9");
    sampled_run_open(&run, &spec, 1, 34, 34);
    sampled_run_next(&run, 6);
    struct lane_sample *lane = &run.sample->lanes[0];
    int64_t now = 0;
    for (int e = 0; e < lane->event_count; e++) {
        struct event *event = &lane->events[e];
        event->start_ns = now;
        event->duration_ns = 1000 + (int64_t)event->bytes;
        now += event->duration_ns;
    }
    lane->seconds = lane->window_seconds = 1e-9 * (double)now;
    lane->times = (struct iteration_times){0};
    lane->typical = (struct loop_totals){0};
    print_to(lane->device, "a CPU");
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    fixture.screen.sample = run.sample;
    assert_contains(fixture_text(120, 40), " Residual: RMS / unknowns over updates ");
    for_each_word(panel, "levels", "timeline", "residual") {
        fixture.state.full = panel_find(panel);
        fixture_check(120, 40, PRINT("multigrid-%s", panel));
        fixture.screen.ascii = fixture.screen.no_color = true;
        fixture_check(80, 24, PRINT("multigrid-%s-ascii", panel));
        fixture.screen.ascii = fixture.screen.no_color = false;
    }
    run.sample->lanes[0].run.method = METHOD_JACOBI;
    fixture.state.full = panel_find("levels");
    assert_contains(fixture_text(80, 24), " Only multigrid has levels, and no run uses it");
    assert_contains(fixture_text(80, 24), " 1 Field U ");
    sampled_run_close(&run);
}

/* If nothing is copied, the kernels get the rows: all four are shown below an error, too, and
 * beside a tour's text. */
TEST(rows_are_for_kernels) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    fixture.scene_rows = 7;
    fixture_check(80, 24, "copies-with-note");
    fixture.scene_rows = 0;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            if (kind != EVENT_KERNEL)
                lane->totals.of[kind][phase] = (struct event_stats){0};
    print_to(lane->run.backend, "serial");
    print_to(lane->title, "serial");
    print_to(fixture.state.message, "something worth telling");
    fixture_check(80, 24, "host");
    fixture.state.message[0] = 0;
    fixture.scene_rows = 7;
    fixture_check(80, 24, "host-with-note");
}

/* The predicted residuals from the first iterate on: 0.05 ρ^k. */
static void put_theory(struct lane_sample *lane, int side, long iterations) {
    const struct mesh mesh = mesh_make(side, side);
    lane->nx = lane->ny = side;
    example_decay(lane, iterations, 0.05, mesh_spectral_radius(&mesh));
}

/* Three simultaneous grids, the smallest one finished: a curve, a slope and a line each. */
TEST(grid_study) {
    static const int sides[] = {64, 128};
    static const long iterations[] = {7292, 8000};
    struct sample *sample = fixture.sample;
    struct lane_sample *lane = &sample->lanes[0];
    sample->iteration_limit = lane->iteration_limit = 100000;
    sample->nx = sample->ny = 256;
    for (int k = 0; k < 2; k++) {
        put_theory(&sample->study[k], sides[k], iterations[k]);
        sample->study[k].state = k ? LANE_RUNNING : LANE_CONVERGED;
    }
    sample->study_count = 2;
    put_theory(lane, 256, 8000);
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "grids-beside");
}

/* For a run at 64² that has just begun, the prediction is drawn to the end of the axis. */
TEST(exact_theory) {
    static const atomic_bool never;
    struct sample *sample = fixture.sample;
    struct lane_sample *lane = &sample->lanes[0];
    const struct mesh mesh = mesh_make(64, 64);
    struct residual_theory *theory = theory_make(problem_find("blog"), &mesh, &never);
    const struct forecast forecasts[FORECASTS_MAX] = {{THEORY_EXACT, theory, 4908}};
    assert_non_null(theory);
    sample->iteration_limit = lane->iteration_limit = 10000;
    sample->nx = sample->ny = lane->nx = lane->ny = 64;
    lane->iterations = 60;
    history_reset(&lane->history);
    for (int k = 0; k < lane->iterations; k++)
        history_add(&lane->history, k, theory_residual(theory, k));
    lane->initial_residual = lane->history.residuals[0];
    lane->residual = lane->history.residuals[59];
    fixture.screen.forecasts = forecasts;
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "theory");
    fixture.state.measure = MEASURE_RELATIVE;
    fixture_check(80, 24, "theory-relative");
    free(theory);
}

/* Four GPUs in two machines are readable at 80×24; 64 in eight still show the slowest. */
TEST(devices) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    example_devices(&fixture.sample->lanes[0], 4, 2);
    fixture_check(80, 24, "devices-4");
    fixture_check(120, 40, "devices-4");
    example_devices(&fixture.sample->lanes[0], 64, 8);
    fixture_check(80, 24, "devices-64");
    fixture_check(120, 40, "devices-64");
}

/* True errors are stored by iterate, thinned when there are too many, and restart with the run.
 * They fall to the discretisation error, here 3e-4, while the residual continues to fall. */
TEST(true_error) {
    static struct error_curve errors;
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    struct field *field = &lane->field;
    field->stats.error_l2 = 0.5;
    error_curve_add(&errors, fixture.sample);
    assert_int_equal(errors.count, 0); /* the field shows U */
    field->kind = FIELD_ERROR;
    for (int k = 0; k < 2 * ERRORS_MAX; k++) {
        lane->iterations = field->iteration = k;
        field->stats.error_l2 = 3e-4 + exp(-0.01 * k);
        error_curve_add(&errors, fixture.sample);
        error_curve_add(&errors, fixture.sample); /* the same sample again */
    }
    assert_in_range(errors.count, ERRORS_MAX / 2, ERRORS_MAX);
    for (int k = 1; k < errors.count; k++)
        assert_true(errors.iterations[k] > errors.iterations[k - 1]);
    for (int k = 0; k < errors.count; k++)
        assert_close(errors.errors[k], 3e-4 + exp(-0.01 * (double)errors.iterations[k]), 1e-12);
    fixture.screen.errors = &errors;
    fixture.state.kind = FIELD_ERROR;
    fixture.state.full = panel_find("residual");
    fixture.sample->iteration_limit = lane->iteration_limit = 2000;
    fixture_check(80, 24, "true-error");
    lane->iterations = field->iteration = 3;
    error_curve_add(&errors, fixture.sample);
    assert_int_equal(errors.count, 1);
    fixture.sample->lane_count = 0;
    error_curve_add(&errors, fixture.sample);
    assert_int_equal(errors.count, 0);
}

/* A flag marks the iterate where a run has converged, and nothing covers the curve. */
TEST(converged) {
    struct sample *sample = fixture.sample;
    struct lane_sample *lane = &sample->lanes[0];
    sample->state = SESSION_FINISHED;
    sample->iteration_limit = lane->iteration_limit = 10000;
    sample->nx = sample->ny = 64;
    lane->state = LANE_CONVERGED;
    put_theory(lane, 64, 7292); /* 0.05 ρ^k is 1e-5 there */
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "converged");
}

/* A small grid as numbers: U = (i + j)/100, which is the mean of its neighbours in the interior. */
TEST(stencil) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    struct field *field = &fixture.sample->lanes[0].field;
    fixture.state.full = panel_find("stencil");
    fixture_check(80, 24, "stencil-too-large");
    fixture.sample->nx = fixture.sample->ny = fixture.sample->lanes[0].nx =
        fixture.sample->lanes[0].ny = 9;
    field->downsample = (struct downsample){0, 9, 0, 9, 9, 9};
    for (int k = 0; k < 81; k++)
        field->cells[k] = (float)(k % 9 + k / 9) / 100;
    const struct view view = stencil_panel.view(grid_area(&(struct grid){0}), &fixture.screen);
    assert_int_equal(view.cols, 9);
    assert_int_equal(view.rows, 9);
    fixture_check(80, 24, "stencil");
    /* Beside the hot edge, dx = 1/10 and dy = 1/6: 36 / (2 * 100 + 2 * 36). */
    fixture.sample->ny = fixture.sample->lanes[0].ny = 5;
    field->downsample = (struct downsample){0, 9, 0, 5, 9, 5};
    memset(field->cells, 0, 45 * sizeof *field->cells);
    print_to(fixture.sample->problem, "hot-plate");
    assert_contains(fixture_text(80, 24), "The weighted mean of the four is 0.132:");
}

/* The whole mesh, and its corners if rows are few. */
TEST(mesh) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    fixture.state.full = panel_find("mesh");
    fixture.sample->nx = 9;
    fixture.sample->ny = 5;
    fixture_check(120, 40, "mesh-small");
    fixture.sample->ny = 9;
    fixture_check(80, 13, "mesh-small");
    assert_contains(fixture_text(200, 46), "Field U"); /* beside it */
}

TEST(menu) {
    static struct menu menu = {.title = "Back end: what computes", .count = 3};
    static const struct menu_item items[] = {
        {.label = "hip: HIP",
         .note = "needs a GPU",
         .error = {STATUS_UNAVAILABLE, "hip: no GPU was found: libcuda.so.1 is not there"},
         .instead = "h200-hip-classic"},
        {.label = "omp: OpenMP offload", .note = "needs LLVM's runtime", .is_current = true},
        {.label = "serial: serial", .note = "needs nothing", .is_checking = true}};
    memcpy(menu.items, items, sizeof items);
    fixture.screen.menu = &menu;
    fixture.state.overlay = OVERLAY_MENU;
    fixture_check(80, 24, "menu");
    /* The first row stays visible while the others scroll; it shows a typed number. */
    menu = (struct menu){.title = "Grid: interior unknowns: choose, or type N or NxNY",
                         .count = 20,
                         .has_head = true};
    for (int i = 0; i < menu.count; i++) {
        print_to(menu.items[i].label, i ? "%d²" : "%d_", 300 + i);
        print_to(menu.items[i].note, "%d unknowns", 300 * 300);
    }
    fixture.state.overlay_row = 17;
    fixture_check(80, 24, "menu-scrolled");
    menu = (struct menu){.title = "Find by name: the_", .is_searched = true};
    keymap_list(&fixture.screen, "the", &menu);
    fixture.state.overlay_row = 1;
    fixture_check(80, 24, "palette");
}

/* A start without options: the title half way and at its end, at any size; the demo's finale. */
TEST(title_and_finale) {
    print_to(fixture.state.message, "No GPU found: OpenMP on the CPU");
    fixture.plan.lanes[0].engine.mesh = mesh_make(192, 192);
    fixture.state.overlay = OVERLAY_TITLE;
    fixture.state.overlay_seconds = 1;
    fixture_check(80, 24, "title-begins");
    fixture.state.overlay_seconds = 3;
    fixture_check(80, 24, "title");
    fixture_check_bounds();
    fixture.state.overlay = OVERLAY_NONE;
    fixture.state.message[0] = '\0';
    fixture.state.is_demo = true;
    const struct view before = screen_layout(&fixture.screen, 80, 24).view;
    fixture.sample->lanes[0].state = LANE_CONVERGED;
    const struct view after = screen_layout(&fixture.screen, 80, 24).view;
    assert_true(before.cols >= 36 && after.cols == before.cols && after.rows == before.rows);
    fixture_check(80, 24, "finale");
    fixture_check_bounds();
}

/* Before anything is measured. */
TEST(panels_stay_inside) {
    fixture_check_bounds();
}

/* ---- a lesson: question, guess, answer ------------------------------------------------------- */

static const char lesson_text[] =
    "[scene]\ntitle = What does mapping cost?\n"
    "compare = omp/structured, omp/unstructured\n"
    "text = The same kernels, but every array is copied to the device before each kernel and\n"
    "text = back after it.\n"
    "ask = How many times longer will one iteration take?\nanswer = {ratio}\nwithin = 3\n"
    "reference = 46 MI250 (the blog)\nreference = 454 NVIDIA H200, recorded\n"
    "reveal = {slowest} copies {bytes_a} per iteration at {copy_gbs_a}, {fastest} {bytes_b}.\n"
    "[scene]\ntitle = Where does the time go?\ntext = Four kernels.\n"
    "ask = Which of them takes the longest?\nchoice = Laplacian\nchoice = BoundaryConditions\n"
    "choice = Update\nchoice = Norm\nanswer = {slowest}\n"
    "reveal = {slowest} takes {slowest_percent} of the kernels' time.\n"
    "[scene]\ntitle = An open question\ntext = Four kernels.\n"
    "ask = What stops them?\nreveal = Memory.\n";

static void check_lesson(const struct lesson *lesson, bool is_wide, const char *name) {
    static struct scene_view scene;
    scene = (struct scene_view){.lesson = lesson, .way = "live"};
    char file[64];
    print_to(scene.title, "%d of %d  %s", lesson->scene + 1, lesson->tour->count,
             lesson_scene(lesson)->title);
    fixture.screen.scene = &scene;
    scene.goes_on = scene_goes_on(screen_layout(&fixture.screen, 80, 24).scene, &fixture.screen);
    print_to(file, "lesson-%s", name);
    fixture_check(80, 24, file);
    if (is_wide)
        fixture_check(120, 40, file);
}

TEST(lesson_of_a_number) {
    owned_lesson lesson = lesson_of(lesson_text);
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    lesson_type_keys(lesson, "10");
    check_lesson(lesson, true, "number-asked");
    sample_destroy(fixture.sample);
    fixture.screen.sample = fixture.sample = compare_example(2);
    fixture.state.full = &verdict_panel;
    check_lesson(lesson, false, "copies-drawn"); /* eight arrays in, four out */
    fixture.state.full = NULL;
    lesson_answer_keys(lesson, "", fixture.sample);
    check_lesson(lesson, true, "number-answered");
}

TEST(lesson_of_a_choice) {
    owned_lesson lesson = lesson_of(lesson_text);
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    lesson_enter(lesson, 1);
    lesson_type(lesson, '1');
    check_lesson(lesson, false, "choice-asked");
    fixture.state.full = &timing_panel;
    check_lesson(lesson, true, "kernels-drawn");
    struct layout large = screen_layout(&fixture.screen, 200, 60);
    assert_null(layout_find(&large, &field_panel));
    lesson_answer_keys(lesson, "", fixture.sample);
    large = screen_layout(&fixture.screen, 200, 60);
    assert_non_null(layout_find(&large, &field_panel)); /* below the few rows of the bars */
    fixture.state.full = NULL;
    check_lesson(lesson, false, "choice-answered");
    lesson_enter(lesson, 2);
    check_lesson(lesson, false, "open-asked");
    lesson_show(lesson);
    check_lesson(lesson, false, "open-revealed");
}

/* Until the answer the picture differs where the answer does. */
TEST(lesson_of_kernels) {
    struct lesson *lesson = lesson_of("[scene]\ntitle = Roof\ntext = a\npanel = roofline\n"
                                      "ask = What share?\nanswer = {roof_percent}\nreveal = b\n");
    fixture_use(compare_example(2));
    struct lane_sample *lanes = fixture.sample->lanes;
    fixture.state.full = &verdict_panel;
    for (int l = 0; l < 2; l++) {
        lanes[l].run.mapping = MAPPING_UNSTRUCTURED;
        print_to(lanes[l].run.backend, l == 0 ? "hip" : "omp");
    }
    check_lesson(lesson, false, "launches-drawn"); /* one wait, and four */
    for (int l = 0; l < 2; l++) {
        print_to(lanes[l].run.backend, "hip");
        lanes[l].run.schedule.kind = l == 0 ? SCHEDULE_FUSED : SCHEDULE_BLOCKED;
        lanes[l].run.schedule.depth = l == 0 ? 0 : 8;
    }
    check_lesson(lesson, false, "sweeps-drawn"); /* eight reads and writes, and one of each */
    fixture.state.full = &roofline_panel;
    check_lesson(lesson, false, "ceiling-drawn");
    fixture.sample->lane_count = 0;
    fixture.sample->state = SESSION_OPENING;
    fixture.sample->filled = 0.6;
    fixture.plan = fixture.config.plan;
    assert_contains(fixture_text(80, 24), "filled: 60 %");
    lesson_end(lesson);
}

TEST(lesson_of_devices) {
    owned_lesson lesson = lesson_of(lesson_text);
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    example_devices(&fixture.sample->lanes[0], 4, 2);
    fixture.state.full = &verdict_panel;
    check_lesson(lesson, false, "slabs-drawn");
}

/* An explanation that does not fit is announced, and then shown alone: its end appears. */
TEST(lesson_of_a_long_reveal) {
    static const char line[] =
        "reveal = This line of the explanation is as long as a line of it.\n";
    char text[1024];
    print_to(text,
             "[scene]\ntitle = Long\ntext = a\nask = How many?\nanswer = 1\n%s%s%s%s%s%s%s"
             "reveal = The end.\n",
             line, line, line, line, line, line, line);
    owned_lesson lesson = lesson_of(text);
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    lesson_answer_keys(lesson, "300", fixture.sample);
    check_lesson(lesson, false, "long");
    lesson->reads_on = true;
    check_lesson(lesson, false, "long-goes-on");
}

static bool shows_words(const char *text) {
    static char screen[1 << 14], words[2 * SCENE_TEXT_SIZE + 1];
    copy_words(screen, fixture_text(80, 24));
    copy_words(words, text);
    return strstr(screen, words) != NULL;
}

/* Shows the explanation of the lesson's scene, with the fixture's figures. */
static void check_reveal(struct lesson *lesson) {
    const struct scene *scene = lesson_scene(lesson);
    const struct scene_view view = {.title = "1 of 12  T", .lesson = lesson, .way = "live"};
    struct lesson_result *result = &lesson->results[lesson->scene];
    *result =
        (struct lesson_result){.answered = true, .typed = "1", .known = true, .lane_count = 3};
    lesson_fill(result->said, sizeof result->said, lesson, scene->reveal, fixture.sample);
    lesson->asking = lesson->reads_on = false;
    fixture.screen.scene = &view;
    lesson->reads_on = scene_goes_on(screen_layout(&fixture.screen, 80, 24).scene, &fixture.screen);
    if (!shows_words(result->said))
        fail_msg("%s: the explanation does not fit:\n%s", scene->title, fixture_text(80, 24));
}

/* In the tours that ship with the program each explanation is whole beside the answer, or alone.
 * Their presets and recordings, which this program does not find, don't matter. */
TEST(every_reveal_fits_two_pages) {
    glob_t tours;
    int reveals = 0;
    fixture_use(compare_example(3));
    assert_int_equal(glob(SOURCE_FOLDER "/presets/tours/*.ini", 0, NULL, &tours), 0);
    for (size_t t = 0; t < tours.gl_pathc; t++) {
        owned_memory char *text = strdup(folder_text(tours.gl_pathv[t]));
        for (char *line = text; (line = strchr(line, '\n')); line++)
            if (strncmp(line, "\npreset", 7) == 0 || strncmp(line, "\ncompare", 8) == 0)
                line[1] = ';';
        owned_lesson lesson = lesson_of(text);
        for (int s = 0; s < lesson->tour->count; s++) {
            lesson_enter(lesson, s);
            check_reveal(lesson);
            reveals += *lesson_scene(lesson)->reveal != 0;
        }
    }
    globfree(&tours);
    assert_true(reveals >= 20);
}

TEST(logarithmic_bars_without_a_guess) {
    owned_lesson lesson = lesson_of(lesson_text);
    owned_sample nothing = sample_create();
    const struct scene_view scene = {.title = "1 of 3  T", .lesson = lesson, .way = "live"};
    fixture_use(compare_example(2));
    fixture.screen.scene = &scene;
    lesson_await(lesson, nothing);
    lesson_show(lesson);
    lesson_update(lesson, fixture.sample);
    assert_true(shows_words("The bars are logarithmic. structured copies"));
}

/* If times can't be told apart, what the explanation has no figure for is left out. */
TEST(lesson_without_an_answer) {
    owned_lesson lesson = lesson_of("[scene]\ntitle = T\ntext = a\nask = How many?\n"
                                    "answer = {ratio}\nreveal = It is {ratio}. Copies cost it.\n");
    const struct scene_view scene = {.title = "1 of 1  T", .lesson = lesson, .way = "live"};
    fixture_use(compare_example(2));
    for (int l = 0; l < 2; l++)
        fixture.sample->lanes[l].times = (struct iteration_times){100, 10, 20, 30, 40, 50};
    fixture.screen.scene = &scene;
    lesson_answer_keys(lesson, "7", fixture.sample);
    assert_true(shows_words("differ by no more than their spread. Copies cost it."));
}

/* At any size everything stays inside the screen, before and after the answer. */
TEST(lessons_fit) {
    owned_lesson lesson = lesson_of(lesson_text);
    const struct scene_view scene = {.title = "1 of 3  T", .lesson = lesson, .way = "live"};
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    fixture.screen.scene = &scene;
    for (int asked = 1; asked >= 0; asked--) {
        lesson_enter(lesson, 0);
        if (!asked)
            lesson_answer_keys(lesson, "7", fixture.sample);
        for (int rows = 1; rows <= 50; rows++)
            for (int cols = 1; cols <= 130; cols += cols < 30 ? 1 : 11) {
                owned_grid grid;
                const struct layout layout = screen_layout(&fixture.screen, cols, rows);
                assert_true(grid_init(&grid, cols, rows));
                assert_true(layout.scene.rows + layout.body.rows <= rows);
                screen_draw(&grid, &fixture.screen, &layout);
            }
    }
}

TEST_MODULE_SETTING_UP_EACH(whole_screen, set_up, NULL)
