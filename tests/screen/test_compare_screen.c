/* Golden screens of comparisons, replays, the timeline, the explanation; clicks; every size. */
#include "config/settings.h"
#include "tests/fixtures/example.h"
#include "tests/fixtures/screen_fixture.h"
#include "tests/fixtures/tours.h"
#include "ui/panels/layout.h"
#include "ui/panels/timeline.h"
#include "ui/panels/view.h"

static int set_up(void **state) {
    fixture_use(compare_example(2));
    return 0;
}

/* No lane of a replay may look live. */
TEST(replayed_lanes) {
    for (int l = 1; l >= 0; l--) {
        struct lane_sample *lane = &fixture.sample->lanes[l];
        print_to(lane->device, "NVIDIA H200");
        print_to(lane->recorded, "2026-11-22");
        fixture_check(80, 24, l ? "compare-replay-live" : "compare-replays");
        fixture.sample->playback =
            (struct playback){.label = "replay: NVIDIA H200, 2026-11-22", .rate = 1, .races = true};
    }
    print_to(fixture.sample->playback.label,
             "replay: A Processor of Many Words (R) @ 2.80GHz, 16 cores, 2026-11-22");
    fixture_check(80, 24, "compare-replays-named"); /* the progress stays visible */
    fixture_check(56, 16, "compare-replays-named");
    print_to(fixture.sample->lanes[1].device, "2 × NVIDIA H200");
    assert_contains(fixture_text(120, 40), "replay: 2 × NVIDIA H200");
    fixture.sample->playback.races = false; /* lanes of one recording, which the header names */
    assert_null(strstr(fixture_text(120, 40), "2 × NVIDIA"));
}

/* With --no-events no kernels were timed and no copies seen: no zeros may appear. */
TEST(nothing_observed) {
    for (int l = 0; l < 2; l++) {
        memset(&fixture.sample->lanes[l].totals, 0, sizeof fixture.sample->lanes[l].totals);
        memset(&fixture.sample->lanes[l].window, 0, sizeof fixture.sample->lanes[l].window);
    }
    fixture_check(120, 40, "compare-unobserved");
}

/* A narrow screen shows that it cuts a unit, or omits the figure. */
TEST(cut_figures_have_an_ellipsis) {
    static const char *const forms[] = {" ms ", "…", " s "};
    fixture.state.full = panel_find("costs");
    fixture.sample->lanes[0].seconds = 1.717;
    for (int cols = 40; cols < 80; cols++) {
        const char *total = strstr(fixture_text(cols, 16), " it. in ");
        bool whole = !total;
        for (int f = 0; f < 3 && total; f++)
            whole |= strstr(total, forms[f]) && strstr(total, forms[f]) < strchr(total, '\n');
        if (!whole)
            fail_msg("%d columns: %.40s", cols, total);
    }
}

/* B's kernels take 36 ms, its iterations 32 ms: its bars are no longer than an iteration. */
TEST(parts_beyond_the_iteration) {
    char expected[80];
    print_to(expected, "scaled from%*s", 28 + 9, "36.0 ms"); /* beyond the bars */
    fixture.sample->lanes[1].seconds = 0.032 * EXAMPLE_ITERATIONS;
    assert_contains(fixture_text(120, 40), expected);
    assert_contains(fixture_text(120, 40), " 32.0 ms         │");
    fixture.state.full = panel_find("costs");
    assert_contains(fixture_text(120, 40), "timed separately: 36.0 ms");
    /* Their sum would answer the question on the lanes. */
    owned_lesson lesson =
        lesson_of("[scene]\ntitle = T\ncompare = omp/structured, omp/unstructured\ntext = T\n"
                  "ask = How many times?\nanswer = {ratio}\nhide = lane\n");
    const struct scene_view scene = {.lesson = lesson, .way = "live"};
    fixture.screen.scene = &scene;
    fixture.state.full = NULL;
    assert_null(strstr(fixture_text(120, 40), "scaled from"));
    assert_contains(fixture_text(120, 40), "other     ?");
    fixture.screen.scene = NULL;
}

/* B's norm is read in every eighth iteration: there is no eighth of a copy.
 * The fixture masks the panel's digits. */
TEST(effort_of_seldom_copies) {
    fixture.sample->lanes[1].totals.of[EVENT_FROM_DEVICE][PHASE_NORM].count =
        EXAMPLE_ITERATIONS / 8;
    fixture.sample->lanes[1].totals.of[EVENT_FROM_DEVICE][PHASE_NORM].bytes =
        EXAMPLE_ITERATIONS / 8 * 128;
    fixture.state.full = panel_find("effort");
    assert_contains(fixture_text(120, 40), "# launches, # copy (### B) per # iterations");
    /* Sums over eight devices are a copy of 128 B on each. */
    fixture.sample->lanes[1].device_stats.count = 8;
    fixture.sample->lanes[1].totals.of[EVENT_FROM_DEVICE][PHASE_NORM].count = EXAMPLE_ITERATIONS;
    fixture.sample->lanes[1].totals.of[EVENT_FROM_DEVICE][PHASE_NORM].bytes =
        EXAMPLE_ITERATIONS * 128;
    assert_contains(fixture_text(120, 40), "each device: ");
    assert_contains(fixture_text(120, 40), "# copy (### B) per # iterations");
}

/* Whether the panel is on an 80x24 screen whose field has at least that many pixels per side. */
static bool is_shown_with(const struct panel *panel, int pixels) {
    const struct layout layout = screen_layout(&fixture.screen, 80, 24);
    return layout_find(&layout, panel) && layout.view.cols >= pixels && layout.view.rows >= pixels;
}

/* Equal iterates share a large field. Different ones have one each, and different methods none: the
 * residual distinguishes them. */
TEST(subjects) {
    for (int lanes = 2; lanes <= LANES_MAX; lanes++) {
        fixture_use(compare_example(lanes));
        assert_true(is_shown_with(&picture_panel, 36));
        print_to(fixture.sample->playback.label, "replay");
        fixture.sample->playback.length_s = 1; /* a row for the progress */
        assert_true(is_shown_with(&picture_panel, 36));
    }
    fixture_use(compare_example(2));
    for (int l = 0; l < 2; l++) /* no copies */
        fixture.sample->lanes[l].totals = fixture.sample->lanes[1].totals;
    memset(fixture.sample->lanes[0].totals.of[EVENT_FROM_DEVICE], 0,
           sizeof fixture.sample->lanes[0].totals.of[EVENT_FROM_DEVICE]);
    fixture.sample->lanes[1].totals = fixture.sample->lanes[0].totals;
    /* On a large screen the residual fills the rows below the lanes. */
    for (int l = 0; l < 2; l++)
        fixture.sample->lanes[l].run.mapping = MAPPING_UNSTRUCTURED;
    const struct layout large = screen_layout(&fixture.screen, 200, 60);
    assert_int_equal(layout_find(&large, &residual_panel)->area.x,
                     layout_find(&large, &lane_bars_panel)->area.x);
    fixture.sample->lanes[0].run.mapping = MAPPING_STRUCTURED;
    fixture.sample->lanes[1].run.omega = 0.8;
    assert_true(is_shown_with(&lane_panel, 32));
    /* The timeline leaves fields as high as they are wide their rows. */
    const struct layout fields = screen_layout(&fixture.screen, 120, 40);
    assert_true(fields.view.rows >= 40);
    /* The figures of both lanes are in the same place, however long their names are. */
    fixture.sample->lanes[1].run.omega = 1;
    fixture.sample->race = RACE_SAME_TIME;
    assert_null(strstr(fixture_text(68, 24), "ms/it ─╮"));
    fixture.sample->race = RACE_SAME_ITERATIONS;
    fixture.sample->lanes[1].run.omega = 1;
    fixture.sample->lanes[1].run.method = METHOD_MULTIGRID;
    assert_true(is_shown_with(&residual_panel, 0));
}

/* On a large screen the curves of four methods are more than half as wide as the screen. The fields
 * beside them are squares, and lose no row. Three fields would be too small. */
TEST(large_curves) {
    for (int lanes = 3; lanes <= LANES_MAX; lanes++) {
        fixture_use(compare_example(lanes));
        fixture.sample->lanes[1].run.method = METHOD_MULTIGRID;
        const struct layout layout = screen_layout(&fixture.screen, 200, 60);
        assert_true(layout_find(&layout, &residual_panel)->area.cols > 100);
        const struct slot *lane = layout_find(&layout, &lane_panel);
        assert_int_equal(lane != NULL, lanes == LANES_MAX);
        if (lane)
            assert_int_equal(layout.view.cols, layout.view.rows);
    }
}

/* One, two and four GPUs: the speed-up with its definition. */
TEST(scaling) {
    fixture_use(compare_example(3));
    for (int l = 0; l < 3; l++)
        example_devices(&fixture.sample->lanes[l], 1 << l, 0);
    fixture_check(120, 40, "compare-scaling");
    fixture.state.full = panel_find("devices");
    fixture.sample->lanes[2].times = (struct iteration_times){.count = 3, .median = 1000};
    assert_contains(fixture_text(80, 24), "settling, so far"); /* and not "the same bytes" */
}

/* A disagreement comes first, and in words. */
TEST(disagreement) {
    fixture.sample->lanes[1].history.residuals[20] *= 1.001;
    fixture_check(80, 24, "compare-disagree");
}

/* Bytes to scale, times, and the outcome of each precision: single stagnates after 800 iterations,
 * and mixed has converged. */
TEST(precisions) {
    static const double bytes[PRECISION_COUNT] = {24, 12, 12.6}, us[PRECISION_COUNT] = {40, 20, 21};
    enum { SIDE = 64, ITERATIONS = 6400 };
    fixture_use(compare_example(PRECISION_COUNT));
    fixture.sample->nx = fixture.sample->ny = SIDE;
    fixture.sample->iteration_limit = 10000;
    for (int l = 0; l < PRECISION_COUNT; l++) {
        struct lane_sample *lane = &fixture.sample->lanes[l];
        lane->run = fixture.sample->lanes[0].run;
        lane->run.precision = (enum precision)l;
        lane->run.schedule.kind = SCHEDULE_FUSED;
        lane->nx = lane->ny = SIDE;
        lane->iterations = ITERATIONS;
        lane->seconds = 1e-6 * us[l] * ITERATIONS;
        const double ms = 1e-3 * us[l];
        lane->times = (struct iteration_times){ITERATIONS, ms, 0.9 * ms, ms, 1.1 * ms, ms};
        lane->totals = (struct event_totals){0};
        lane->totals.of[EVENT_KERNEL][PHASE_FUSED] = (struct event_stats){
            .count = ITERATIONS, .bytes = (uint64_t)(bytes[l] * SIDE * SIDE * ITERATIONS)};
        history_reset(&lane->history);
        for (long k = 0; k < ITERATIONS; k++)
            history_add(&lane->history, k,
                        l == PRECISION_SINGLE && k > 800 ? 5e-3 : 5e-2 * exp(-(double)k / 600));
        lane->residual = lane->history.residuals[lane->history.count - 1];
    }
    fixture.sample->lanes[PRECISION_MIXED].state = LANE_CONVERGED;
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "compare-precisions");
    /* Both curves end in the same place. */
    fixture.sample->lanes[PRECISION_MIXED].state = LANE_RUNNING;
    assert_contains(fixture_text(80, 24), " C mixed, A double ");
    fixture.sample->lanes[0].times =
        (struct iteration_times){.count = 200, .p25 = 0.0680, .median = 0.0780, .p75 = 0.1151};
    assert_contains(fixture_text(80, 24), " 24 B 78.0 µs (68.0 to 115.1) ");
    /* Too wide an interval gives way to the time. */
    fixture.sample->lanes[0].times.p75 = 11293.2;
    assert_contains(fixture_text(80, 24), " 24 B                 78.0 µs ");
    /* Below the curves how far each is from double's: none of mixed, of the same residuals. */
    const char *below = strstr(fixture_text(120, 40), "Difference from A's residual, relative");
    assert_non_null(below);
    assert_true(strstr(below, " B ") < strstr(below, " C "));
}

/* The axis has a tick per decade, up to 10 000: the second run ends at a quarter of it. */
TEST(methods) {
    fixture_use(compare_example(2));
    for (int l = 0; l < 2; l++) {
        struct lane_sample *lane = &fixture.sample->lanes[l];
        lane->run.method = l == 0 ? METHOD_JACOBI : METHOD_CHEBYSHEV;
        example_decay(lane, l == 0 ? 1000 : 10, 1e-2, pow(10, -3.0 / 1000));
    }
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "compare-methods");
}

/* Runs with different iterates have a curve each; equal ones share one. */
TEST(whose_residual_is_shown) {
    fixture.state.full = panel_find("residual");
    assert_contains(fixture_text(80, 24), "⣒ measured");
    fixture.sample->lanes[1].run.omega = 0.8;
    const char *text = fixture_text(80, 24);
    assert_contains(text, "⣒ A structured/ω 1 ");
    assert_contains(text, "⣒ B unstructured/ω 0.8 ");
}

/* Four converged runs, of which B and C end close together: each label is between the end of its
 * own curve and of the next one, or else of the one before. */
TEST(converged_methods) {
    static const enum method methods[] = {METHOD_JACOBI, METHOD_CHEBYSHEV, METHOD_SOR,
                                          METHOD_MULTIGRID};
    static const long lasts[] = {9000, 1155, 637, 15};
    fixture_use(compare_example(4));
    fixture.sample->tolerance = 1e-6;
    for (int l = 0; l < 4; l++) {
        struct lane_sample *lane = &fixture.sample->lanes[l];
        lane->run.method = methods[l];
        lane->state = LANE_CONVERGED;
        lane->iterations = lasts[l];
        history_reset(&lane->history);
        for (long k = 0; k < lasts[l]; k++)
            history_add(&lane->history, k, pow(10, -2 - 4.1 * (double)k / (double)lasts[l]));
        lane->residual = lane->history.residuals[lane->history.count - 1];
    }
    fixture.state.full = panel_find("residual");
    fixture_check(80, 24, "compare-converged");
}

/* A click on a cell selects the event drawn there. */
TEST(clicks) {
    fixture_use(compare_example(1));
    owned_grid grid;
    const struct area area = {0, 1, 120, 38, &grid};
    assert_true(grid_init(&grid, 120, 40));
    panel_find("timeline")->draw(area, &fixture.screen);
    int picked = 0;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 120; x++) {
            const int hit = timeline_panel_hit(area, &fixture.screen, x, y);
            const uint32_t glyph = grid_at(&grid, x, y)->glyph;
            const bool bar = glyph == 0x2588 && x > 12 && y < 10;
            assert_true(hit < fixture.sample->lanes[0].event_count);
            if (bar && hit < 0)
                fail_msg("nothing at (%d, %d), where a bar is drawn", x, y);
            picked += hit >= 0;
        }
    assert_true(picked > 100);
    assert_int_equal(timeline_panel_hit(area, &fixture.screen, 0, 0), -1);
    assert_int_equal(timeline_panel_hit((struct area){0, 0, 1, 1, NULL}, &fixture.screen, 5, 5),
                     -1);
}

TEST(roofline) {
    fixture.config.machine.bandwidth_gbs = 1638;
    fixture.config.reference.kernel_gbs[PHASE_UPDATE] = 1306;
    fixture.config.reference.kernel_gbs[PHASE_LAPLACIAN] = 1240;
    fixture.state.full = panel_find("roofline");
    fixture_check(200, 60, "roofline-reference");
    struct config *config = &fixture.config;
    print_to(config->reference.source, "A blog: HIP, one GCD");
    config->second_reference = config->reference;
    print_to(config->second_reference.source, "A blog: OpenMP unstructured, one GCD");
    config->second_reference.kernel_gbs[PHASE_UPDATE] = 1297;
    config->second_reference.kernel_gbs[PHASE_LAPLACIAN] = 1091;
    fixture_check(80, 24, "roofline-two-references");
    fixture_check(120, 40, "roofline-two-references");
    fixture.state.full = panel_find("table");
    fixture_check(80, 24, "table-two-references");
    fixture.state.full = panel_find("roofline");
    config->second_reference.source[0] = '\0';
    config->second_reference.kernel_gbs[PHASE_UPDATE] = NAN;
    config->second_reference.kernel_gbs[PHASE_LAPLACIAN] = NAN;
    for (int l = 0; l < 2; l++)
        fixture.sample->lanes[l].roof =
            (struct roof){.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    fixture_check(80, 24, "roofline-unknown");
    print_to(fixture.config.machine.device, "host device");
    fixture_check(80, 24, "roofline-given");
    config->machine.bandwidth_gbs = NAN;
    print_to(fixture.sample->playback.label, "replay");
    assert_contains(fixture_text(80, 24), "peak not recorded");
}

/* With many lanes, one is compared with the fastest. */
TEST(chosen_lane) {
    fixture_use(compare_example(LANES_MAX));
    fixture.state.layout = "costs";
    fixture.state.chosen_lane = LANES_MAX + 1 + 3; /* wraps around: C */
    fixture_check(80, 24, "costs-four-chosen");
    fixture.state.chosen_lane = 0; /* the slowest */
    fixture_check(100, 28, "costs-four");
}

/* As long as a run's time settles, it is in words, not in big digits; the other's is big. */
TEST(big_times_have_settled) {
    static const int sizes[][2] = {{60, 14}, {80, 24}, {120, 40}, {200, 60}};
    fixture.state.full = panel_find("costs");
    for (int s = 0; s < 4; s++)
        for (int lanes = 2; lanes <= 4; lanes++) {
            fixture_use(compare_example(lanes));
            fixture.state.full = panel_find("costs");
            fixture.sample->lanes[0].times =
                (struct iteration_times){.count = 3, .median = 1000, .p25 = 900, .p75 = 1100};
            assert_contains(fixture_text(sizes[s][0], sizes[s][1]), "settling ");
            fixture.sample->lanes[0].times.count = 100;
            assert_null(strstr(fixture_text(sizes[s][0], sizes[s][1]), "settling"));
        }
}

/* Beside a wide ratio the totals lose their copies, not the unit of their last time. */
TEST(totals_keep_their_units) {
    fixture.state.full = panel_find("costs");
    assert_contains(fixture_text(120, 40), "so far: copies, and total");
    assert_contains(fixture_text(120, 40), "  1.48 GB ");
    fixture.sample->lanes[0].device_stats.count =
        8; /* their sum, as in the lanes and the verdict */
    assert_contains(fixture_text(120, 40), "  1.48 GB ");
    fixture.sample->lanes[0].device_stats.count = 0;
    fixture.sample->lanes[0].seconds *= 100;
    fixture.sample->lanes[1].seconds = 4.1e-3;
    const char *text = fixture_text(80, 24);
    assert_contains(text, "40 it. in 4.10 ms");
    assert_null(strstr(text, "so far: copies"));
}

/* On a projector a comparison shows its costs, unless the user or its layout decides otherwise. */
TEST(projector_shows_costs) {
    assert_false(screen_shows_costs(&fixture.screen));
    fixture.config.view.terminal.theme = THEME_PROJECTOR;
    assert_true(screen_shows_costs(&fixture.screen));
    fixture.state.other_view = !fixture.state.other_view;
    assert_false(screen_shows_costs(&fixture.screen));
    fixture.state.other_view = !fixture.state.other_view;
    assert_true(screen_shows_costs(&fixture.screen));
    fixture.sample->lane_count = 1;
    assert_false(screen_shows_costs(&fixture.screen));
}

TEST(race) {
    fixture.sample->race = RACE_SAME_TIME;
    fixture.sample->lanes[1].iterations = 1000;
    fixture.sample->lanes[1].state = LANE_LIMIT_REACHED;
    fixture_check(80, 24, "race");
    fixture.state.layout = "costs";
    fixture_check(120, 40, "race-costs");
    fixture.sample->lanes[1].state = LANE_CONVERGED; /* by its own tolerance, not the other's */
    fixture.sample->lanes[1].iterations = 250;
    fixture_check(80, 24, "race-won");
    fixture_use(compare_example(4)); /* a row each: the duration is whole */
    fixture.sample->race = RACE_SAME_TIME;
    for (int l = 0; l < 4; l++)
        fixture.sample->lanes[l].run.method = (enum method)l;
    fixture.sample->lanes[3].state = LANE_CONVERGED;
    fixture.sample->lanes[3].seconds = 0.391;
    assert_contains(fixture_text(80, 24), "✓ 391 ms ");
}

/* ---- explanation ----------------------------------------------------------------------------- */

struct explained {
    const char *name, *backend, *title, *device, *architecture;
    enum mapping mapping;
};

static const struct explained explained[] = {
    {"explain-omp-structured", "omp", "OpenMP offload", "host device (x86-64)", "x86-64",
     MAPPING_STRUCTURED},
    {"explain-hip-structured", "hip", "HIP", "some GPU", "gfx90a", MAPPING_STRUCTURED},
    {"explain-omp-unstructured", "omp", "OpenMP offload", "host device (x86-64)", "x86-64",
     MAPPING_UNSTRUCTURED},
    {"explain-hip-unstructured", "hip", "HIP", "some GPU", "gfx90a", MAPPING_UNSTRUCTURED},
    {"explain-threads", "threads", "OpenMP threads", "some processor", "x86-64",
     MAPPING_UNSTRUCTURED},
};

/* One lane in the middle of an iteration. */
static void explain_set(const struct explained *as) {
    const struct mesh mesh = mesh_make(4096, 4096);
    fixture_use(compare_example(1));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    lane->event_count = 0;
    lane->window = (struct event_totals){0};
    example_lane(lane, &mesh, as->mapping);
    example_events(lane, &mesh);
    print_to(lane->run.backend, "%s", as->backend);
    print_to(lane->title, "%s", as->title);
    print_to(lane->device, "%s", as->device);
    print_to(lane->architecture, "%s", as->architecture);
    memset(lane->usage, 0, sizeof lane->usage);
    if (strcmp(as->backend, "hip") == 0) {
        lane->usage[PHASE_LAPLACIAN] = (struct kernel_usage){30, 87.5};
        lane->usage[PHASE_UPDATE].registers = 32;
        lane->usage[PHASE_NORM].occupancy = 100;
    }
    if (as->mapping == MAPPING_UNSTRUCTURED && strcmp(as->backend, "threads") != 0)
        lane->totals.of[EVENT_TO_DEVICE][PHASE_SETUP] =
            (struct event_stats){.count = 4, .bytes = 4 * 8 * mesh_unknowns(&mesh)};
    fixture.state.full = panel_find("explain");
}

TEST(explain) {
    for (size_t e = 1; e < count_of(explained); e++) { /* the first is a panel's */
        explain_set(&explained[e]);
        fixture_check(80, 24, explained[e].name);
        fixture_check(120, 40, explained[e].name);
    }
}

/* U's copy after the loop is not one before it. */
TEST(copies_before_the_loop) {
    explain_set(&explained[3]);
    fixture.sample->lanes[0].totals.of[EVENT_FROM_DEVICE][PHASE_SETUP] =
        (struct event_stats){.count = 1, .bytes = 134217728};
    assert_contains(fixture_text(120, 40), "before the loop  → 537 MB, once");
    fixture.state.full = panel_find("timing");
    assert_contains(fixture_text(120, 40), "before the loop, once: 537 MB");
}

static bool is_lit(const struct grid *grid, int y) {
    return grid_at(grid, grid->cols / 2, y)->background == ROLE_SELECT;
}

/* Whether the row contains that text, in ASCII. */
static bool row_has(const struct grid *grid, int y, const char *text) {
    char row[128] = "";
    for (int x = 0; x < grid->cols; x++) {
        const uint32_t glyph = grid_at(grid, x, y)->glyph;
        row[x] = glyph == 0 ? ' ' : glyph < 128 ? (char)glyph : '?';
    }
    return strstr(row, text) != NULL;
}

/* At 80x24 some lines of the running phase are highlighted, and no others. */
static void check_lit(enum phase running) {
    owned_grid grid;
    int section = -1, lit = 0;
    fixture_draw(&grid, 80, 24);
    for (int y = 4; y < 22; y++) {
        section +=
            section < PHASE_NORM && row_has(&grid, y, PRINT("%s  ?", phase_names[section + 1]));
        if (is_lit(&grid, y) && section != (int)running)
            fail_msg("row %d is lit while %s runs", y, phase_names[running]);
        lit += is_lit(&grid, y);
    }
    assert_int_equal(section, PHASE_NORM);
    assert_true(lit >= 2);
}

TEST(the_running_phase_is_lit) {
    for (int e = 0; e < 2; e++) {
        explain_set(&explained[e]);
        for (int running = PHASE_LAPLACIAN; running <= PHASE_NORM; running++) {
            fixture.sample->lanes[0].phase = (enum phase)running;
            check_lit((enum phase)running);
        }
    }
}

/* At 80 columns, too, a directive is shown in full, because its clauses are the point. */
TEST(directives_are_shown_whole) {
    explain_set(&explained[0]);
    const char *text = fixture_text(80, 24);
    for_each_word(word, "map(tofrom : AU[:N])", "map(to : RHS[:N], AU[:N])", "map(from : RES[:N])",
                  "map(tofrom : U[:N])", "map(to : RES[:N])")
        assert_contains(text, word);
}

TEST(panels_stay_inside) {
    for (int lanes = 0; lanes <= LANES_MAX; lanes++) {
        fixture_use(compare_example(lanes > 0 ? lanes : 1));
        fixture.sample->lane_count = lanes;
        fixture_check_bounds();
    }
}

/* Presets may name any panel as their layout, and nothing else. */
TEST(layouts) {
    struct config config;
    char allowed[512], panels_there[512] = "";
    const struct setting *layout = setting_find_key("view", "layout");
    config_init(&config);
    format_list(panels_there, sizeof panels_there, layout_default);
    for (int p = 0; panels[p]; p++) {
        assert_true(layout->set(&config, layout, panels[p]->name));
        format_list(panels_there, sizeof panels_there, panels[p]->name);
    }
    assert_string_equal(setting_allowed(layout, allowed, sizeof allowed), panels_there);
    assert_false(layout->set(&config, layout, "heatmap"));
}

/* Of the blog's kernels beside the optimised ones, both sources are shown. */
TEST(sources_of_two_schedules) {
    fixture_use(compare_example(2));
    fixture.state.full = panel_find("explain");
    for (int l = 0; l < 2; l++) {
        struct run_id *run = &fixture.sample->lanes[l].run;
        run->mapping = MAPPING_UNSTRUCTURED;
        run->schedule.kind = l == 0 ? SCHEDULE_PLAIN : SCHEDULE_CLASSIC;
    }
    const char *text = fixture_text(120, 40);
    assert_contains(text, "Source as in the blog: omp/unstructured/plain");
    assert_contains(text, "Source: omp/unstructured/classic");
}

TEST_MODULE_SETTING_UP_EACH(compare_screen, set_up, NULL)
