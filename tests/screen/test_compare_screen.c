/* Golden screens of comparisons, replays, the timeline, clicks, and every panel at every size. */
#include "tests/fixtures/support.h"

#include "config/settings.h"
#include "core/text.h"
#include "tests/fixtures/compare_example.h"
#include "tests/fixtures/golden.h"
#include "ui/app/app_state.h"
#include "ui/app/keymap.h"
#include "ui/panels/timeline.h"
#include "ui/panels/view.h"

struct stage {
    struct sample *sample;
    struct config config;
    struct plan plan;
    struct app_state state;
    struct screen screen;
};

static void stage_set(struct stage *stage, int lane_count) {
    *stage = (struct stage){.sample = compare_example(lane_count)};
    assert_non_null(stage->sample);
    config_init(&stage->config);
    stage->state = (struct app_state){
        .layout = "standard", .view = {.x1 = 1, .y1 = 1}, .timeline = {.zoom = 1, .selected = -1}};
    stage->screen = (struct screen){.sample = stage->sample,
                                    .config = &stage->config,
                                    .plan = &stage->plan,
                                    .state = &stage->state};
}

static void stage_clear(struct stage *stage) {
    sample_destroy(stage->sample);
}

static void draw_stage(struct grid *grid, const struct stage *stage, int cols, int rows) {
    struct key_hint hints[KEY_HINTS_MAX];
    struct screen screen = stage->screen;
    screen.hints = hints;
    screen.hint_count = keymap_hints(&stage->screen, hints);
    const struct layout layout = screen_layout(&screen, cols, rows);
    assert_true(grid_init(grid, cols, rows));
    screen_draw(grid, &screen, &layout);
}

static bool is_digit(const struct cell *cell) {
    return cell->glyph >= '0' && cell->glyph <= '9';
}

/* What changes with every line of our source is '#': the counts of panel effort, the numbers of the
 * lines that the explanation quotes. */
static void mask_source(struct grid *grid, const struct panel *panel) {
    enum { NUMBER = 3, NUMBER_END = 7 };
    const bool counts = panel == panel_find("effort");
    for (int y = 1; y < grid->rows - 1 && (counts || panel == panel_find("explain")); y++) {
        struct cell *row = grid->cells + y * grid->cols;
        const bool quotes = is_digit(&row[NUMBER_END - 1]);
        bool number = false; /* behind "….c:" */
        for (int x = 0; x < grid->cols; x++) {
            number = number ? is_digit(&row[x])
                            : x > 2 && row[x - 1].glyph == ':' && row[x - 2].glyph == 'c' &&
                                  row[x - 3].glyph == '.';
            if (counts ? is_digit(&row[x]) : number || (quotes && x >= NUMBER && x < NUMBER_END))
                row[x].glyph = '#';
        }
    }
}

static void check_screen(const struct stage *stage, int cols, int rows, const char *name) {
    struct grid grid;
    char file[96];
    snprintf(file, sizeof file, "%s-%dx%d", name, cols, rows);
    draw_stage(&grid, stage, cols, rows);
    mask_source(&grid, stage->state.full);
    if (stage->screen.ascii)
        glyphs_reduce(&grid, GLYPHS_ASCII);
    golden_check(&grid, file);
    grid_finish(&grid);
}

static void check_sizes(const struct stage *stage, const char *name) {
    check_screen(stage, 80, 24, name);
    check_screen(stage, 120, 40, name);
    check_screen(stage, 200, 60, name);
}

static void check_panel(int lane_count, const char *panel, const char *name) {
    struct stage stage;
    stage_set(&stage, lane_count);
    stage.state.full = panel_find(panel);
    assert_non_null(stage.state.full);
    check_sizes(&stage, name);
    stage_clear(&stage);
}

static void test_compare(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    stage.screen.no_color = true; /* bars are told apart all the same */
    check_screen(&stage, 80, 24, "compare-no-color");
    stage_clear(&stage);
}

/* No lane of a replay can be taken for a live one. */
static void test_replayed_lanes(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    for (int l = 1; l >= 0; l--) {
        struct lane_sample *lane = &stage.sample->lanes[l];
        snprintf(lane->device, sizeof lane->device, "NVIDIA H200");
        snprintf(lane->recorded, sizeof lane->recorded, "2026-11-22");
        check_screen(&stage, 80, 24, l ? "compare-replay-live" : "compare-replays");
        check_screen(&stage, 120, 40, l ? "compare-replay-live" : "compare-replays");
        stage.sample->playback =
            (struct playback){.label = "replay: NVIDIA H200, 2026-11-22", .rate = 1, .races = true};
    }
    snprintf(stage.sample->playback.label, sizeof stage.sample->playback.label,
             "replay: A Processor of Many Words (R) @ 2.80GHz, 16 cores, 2026-11-22");
    check_screen(&stage, 80, 24, "compare-replays-named"); /* how far it is stays in sight */
    check_screen(&stage, 56, 16, "compare-replays-named");
    stage_clear(&stage);
}

/* With --no-events nobody timed a kernel or saw a copy: no zeros then. */
static void test_nothing_observed(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    for (int l = 0; l < 2; l++) {
        memset(&stage.sample->lanes[l].totals, 0, sizeof stage.sample->lanes[l].totals);
        memset(&stage.sample->lanes[l].window, 0, sizeof stage.sample->lanes[l].window);
    }
    check_screen(&stage, 120, 40, "compare-unobserved");
    stage_clear(&stage);
}

/* One, two and four GPUs: the speed-up with its definition. */
static void test_scaling(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 3);
    for (int l = 0; l < 3; l++)
        example_devices(&stage.sample->lanes[l], 1 << l, 0);
    check_screen(&stage, 80, 24, "compare-scaling");
    check_screen(&stage, 120, 40, "compare-scaling");
    stage_clear(&stage);
}

/* A disagreement is said first, and in words. */
static void test_disagreement(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    stage.sample->lanes[1].history.residuals[20] *= 1.001;
    check_screen(&stage, 80, 24, "compare-disagree");
    stage_clear(&stage);
}

static void test_timeline(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 1);
    stage.state.full = panel_find("timeline");
    stage.state.timeline = (struct timeline_view){.zoom = 4, .position = 0.5, .selected = 9};
    check_screen(&stage, 120, 40, "timeline-zoomed");
    stage_clear(&stage);
}

/* A lane too fast to be seen beside the other is shown magnified as well, and says how much. */
static void test_slivers(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    struct lane_sample *fast = &stage.sample->lanes[1];
    for (int e = 0; e < fast->event_count; e++) {
        const int64_t first = fast->events[0].start_ns;
        fast->events[e].start_ns = first + (fast->events[e].start_ns - first) / 10;
        fast->events[e].duration_ns /= 10;
    }
    stage.state.full = panel_find("timeline");
    check_screen(&stage, 120, 40, "timeline-sliver");
    stage_clear(&stage);
}

/* What is drawn at a cell is what a click there picks. */
static void test_clicks(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 1);
    const struct rect area = {0, 1, 120, 38};
    struct grid grid;
    assert_true(grid_init(&grid, 120, 40));
    panel_find("timeline")->draw(&grid, area, &stage.screen);
    int picked = 0;
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 120; x++) {
            const int hit = timeline_panel_hit(area, &stage.screen, x, y);
            const uint32_t glyph = grid_at(&grid, x, y)->glyph;
            const bool bar = glyph == 0x2588 && x > 12 && y < 10;
            assert_true(hit < stage.sample->lanes[0].event_count);
            if (bar && hit < 0)
                fail_msg("nothing at (%d, %d), where a bar is drawn", x, y);
            picked += hit >= 0;
        }
    assert_true(picked > 100);
    assert_int_equal(timeline_panel_hit(area, &stage.screen, 0, 0), -1);
    assert_int_equal(timeline_panel_hit((struct rect){0, 0, 1, 1}, &stage.screen, 5, 5), -1);
    grid_finish(&grid);
    stage_clear(&stage);
}

static void test_roofline(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    stage.config.machine.bandwidth_gbs = 1638;
    stage.config.reference.kernel_gbs[PHASE_UPDATE] = 1306;
    stage.config.reference.kernel_gbs[PHASE_LAPLACIAN] = 1240;
    stage.state.full = panel_find("roofline");
    check_sizes(&stage, "roofline-reference");
    struct config *config = &stage.config;
    snprintf(config->reference.source, sizeof config->reference.source, "A blog: HIP, one GCD");
    config->second_reference = config->reference;
    snprintf(config->second_reference.source, sizeof config->second_reference.source,
             "A blog: OpenMP unstructured, one GCD");
    config->second_reference.kernel_gbs[PHASE_UPDATE] = 1297;
    config->second_reference.kernel_gbs[PHASE_LAPLACIAN] = 1091;
    check_screen(&stage, 80, 24, "roofline-two-references");
    check_screen(&stage, 120, 40, "roofline-two-references");
    stage.state.full = panel_find("table");
    check_screen(&stage, 80, 24, "table-two-references");
    check_screen(&stage, 120, 40, "table-two-references");
    stage.state.full = panel_find("roofline");
    config->second_reference.source[0] = '\0';
    config->second_reference.kernel_gbs[PHASE_UPDATE] = NAN;
    config->second_reference.kernel_gbs[PHASE_LAPLACIAN] = NAN;
    for (int l = 0; l < 2; l++)
        stage.sample->lanes[l].roof =
            (struct roof){.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    check_screen(&stage, 80, 24, "roofline-unknown");
    snprintf(stage.config.machine.device, sizeof stage.config.machine.device, "host device");
    check_screen(&stage, 80, 24, "roofline-given");
    stage_clear(&stage);
}

/* Of many lanes one is held against the fastest. */
static void test_chosen_lane(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, LANES_MAX);
    stage.state.layout = "costs";
    stage.state.chosen_lane = LANES_MAX + 1 + 3; /* goes round: C */
    check_screen(&stage, 80, 24, "costs-four-chosen");
    stage.state.chosen_lane = 0; /* the slowest */
    check_screen(&stage, 80, 24, "costs-four");
    check_screen(&stage, 100, 28, "costs-four");
    stage_clear(&stage);
}

/* On a projector a comparison is its costs, unless the user or its layout says otherwise. */
static void test_projector_shows_costs(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    assert_false(screen_shows_costs(&stage.screen));
    stage.config.view.theme = THEME_PROJECTOR;
    assert_true(screen_shows_costs(&stage.screen));
    app_state_switch_costs(&stage.state);
    assert_false(screen_shows_costs(&stage.screen));
    app_state_switch_costs(&stage.state);
    assert_true(screen_shows_costs(&stage.screen));
    stage.sample->lane_count = 1;
    assert_false(screen_shows_costs(&stage.screen));
    stage_clear(&stage);
}

static void test_race(void **state) {
    (void)state;
    struct stage stage;
    stage_set(&stage, 2);
    stage.sample->race = RACE_SAME_TIME;
    stage.sample->lanes[1].iterations = 1000;
    stage.sample->lanes[1].state = LANE_LIMIT_REACHED;
    check_sizes(&stage, "race");
    stage.state.layout = "costs";
    check_sizes(&stage, "race-costs");
    stage_clear(&stage);
}

/* ---- explanation -------------------------------------------------------------------------- */

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
static void explain_set(struct stage *stage, const struct explained *as) {
    const struct mesh mesh = mesh_make(4096, 4096);
    stage_set(stage, 1);
    struct lane_sample *lane = &stage->sample->lanes[0];
    lane->event_count = 0;
    lane->window = (struct event_totals){0};
    example_lane(lane, &mesh, as->mapping);
    example_events(lane, &mesh);
    snprintf(lane->backend, sizeof lane->backend, "%s", as->backend);
    snprintf(lane->title, sizeof lane->title, "%s", as->title);
    snprintf(lane->device, sizeof lane->device, "%s", as->device);
    snprintf(lane->architecture, sizeof lane->architecture, "%s", as->architecture);
    if (as->mapping == MAPPING_UNSTRUCTURED && strcmp(as->backend, "threads") != 0)
        lane->totals.of[EVENT_TO_DEVICE][PHASE_SETUP] =
            (struct tally){.count = 4, .bytes = 4 * 8 * mesh_unknowns(&mesh)};
    stage->state.full = panel_find("explain");
}

static void test_explain(void **state) {
    (void)state;
    check_panel(2, "explain", "explain-compare");
    for (size_t e = 0; e < sizeof explained / sizeof *explained; e++) {
        struct stage stage;
        explain_set(&stage, &explained[e]);
        check_sizes(&stage, explained[e].name);
        stage_clear(&stage);
    }
}

static bool is_lit(const struct grid *grid, int y) {
    return grid_at(grid, grid->cols / 2, y)->paper == INK_SELECT;
}

/* Whether the row has that text, in ASCII, somewhere. */
static bool row_has(const struct grid *grid, int y, const char *text) {
    char row[128] = "";
    for (int x = 0; x < grid->cols; x++) {
        const uint32_t glyph = grid_at(grid, x, y)->glyph;
        row[x] = glyph == 0 ? ' ' : glyph < 128 ? (char)glyph : '?';
    }
    return strstr(row, text) != NULL;
}

/* At 80x24 some of the running phase's lines are lit, and no others. */
static void check_lit(const struct stage *stage, enum phase running) {
    struct grid grid;
    int section = -1, lit = 0;
    draw_stage(&grid, stage, 80, 24);
    for (int y = 4; y < 22; y++) {
        char heading[48];
        snprintf(heading, sizeof heading, "%s  ?", phase_name((enum phase)(section + 1)));
        section += section < PHASE_NORM && row_has(&grid, y, heading);
        if (is_lit(&grid, y) && section != (int)running)
            fail_msg("row %d is lit while %s runs", y, phase_name(running));
        lit += is_lit(&grid, y);
    }
    assert_int_equal(section, PHASE_NORM);
    assert_true(lit >= 2);
    grid_finish(&grid);
}

static void test_the_running_phase_is_lit(void **state) {
    (void)state;
    for (int e = 0; e < 2; e++) {
        struct stage stage;
        explain_set(&stage, &explained[e]);
        for (int running = PHASE_LAPLACIAN; running <= PHASE_NORM; running++) {
            stage.sample->lanes[0].phase = (enum phase)running;
            check_lit(&stage, (enum phase)running);
        }
        stage_clear(&stage);
    }
}

/* At 80 columns, too, a directive is shown to its end: what it maps is what it is shown for. */
static void test_directives_are_shown_whole(void **state) {
    (void)state;
    static const char *const words[] = {"map(tofrom : AU[:N])", "map(to : RHS[:N], AU[:N])",
                                        "map(from : RES[:N])", "map(tofrom : U[:N])",
                                        "map(to : RES[:N])"};
    struct stage stage;
    struct grid grid;
    explain_set(&stage, &explained[0]);
    draw_stage(&grid, &stage, 80, 24);
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        bool shown = false;
        for (int y = 0; y < grid.rows; y++)
            shown |= row_has(&grid, y, words[w]);
        if (!shown)
            fail_msg("'%s' is not on the screen", words[w]);
    }
    grid_finish(&grid);
    stage_clear(&stage);
}

/* Every panel and layout at three sizes, in colour with the roles of its colours, and in ASCII
 * without; the levels are of a real run, elsewhere. Explain shows our own source, and effort counts
 * in it: digits that change with every line are '#'. What a role looks like in a theme and on a
 * terminal is in the sheet of colours; what else a projector changes is here. */
static void check_sheets(int cols, int rows) {
    static const struct {
        const char *name;
        int lanes;
        bool full;
        enum race race;
        enum theme theme;
    } shown[] = {{"standard", 1, false, 0, 0},
                 {"standard", 2, false, 0, 0},
                 {"costs", 1, false, 0, 0},
                 {"costs", 2, false, 0, 0},
                 {"standard", 4, false, 0, 0},
                 {"costs", 3, false, 0, 0},
                 {"costs", 4, false, 0, 0},
                 {"roofline", 1, true, 0, 0},
                 {"verdict", 1, true, 0, 0},
                 {"costs", 2, false, RACE_SAME_TIME, 0},
                 {"field", 1, true, 0, 0},
                 {"residual", 1, true, 0, 0},
                 {"timing", 1, true, 0, 0},
                 {"timeline", 1, true, 0, 0},
                 {"timeline", 2, true, 0, 0},
                 {"stencil", 1, true, 0, 0},
                 {"mesh", 1, true, 0, 0},
                 {"roofline", 2, true, 0, 0},
                 {"table", 2, true, 0, 0},
                 {"verdict", 2, true, 0, 0},
                 {"effort", 1, true, 0, 0},
                 {"effort", 2, true, 0, 0},
                 {"explain", 1, true, 0, 0},
                 {"explain", 2, true, 0, 0},
                 {"devices", 1, true, 0, 0},
                 {"sweep", 1, true, 0, 0},
                 {"standard", 2, false, RACE_SAME_TIME, 0},
                 {"standard", 1, false, 0, THEME_PROJECTOR},
                 {"standard", 2, false, 0, THEME_PROJECTOR},
                 {"standard", 3, false, 0, THEME_PROJECTOR},
                 {"residual", 1, true, 0, THEME_PROJECTOR},
                 {"timing", 1, true, 0, THEME_PROJECTOR}};
    for (int plain = 0; plain < 2; plain++) {
        FILE *sheet = golden_sheet_open();
        for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
            struct stage stage;
            struct grid grid;
            char name[64];
            stage_set(&stage, shown[s].lanes);
            stage.screen.ascii = stage.screen.no_color = plain;
            stage.sample->race = shown[s].race;
            stage.config.view.theme = shown[s].theme;
            if (strcmp(shown[s].name, "devices") == 0)
                example_devices(&stage.sample->lanes[0], 4, 2);
            if (strcmp(shown[s].name, "sweep") == 0)
                stage.sample->lanes[0].sweep =
                    (struct sweep){5, TUNING_BLOCK, {64, 128, 256, 512, 1024}, {9, 7, 6, 6.5, 8}};
            if (shown[s].full)
                stage.state.full = panel_find(shown[s].name);
            else
                stage.state.layout = shown[s].name;
            snprintf(name, sizeof name, "%s, %d lane%s%s%s", shown[s].name, shown[s].lanes,
                     shown[s].lanes > 1 ? "s" : "", shown[s].race ? ", same time" : "",
                     shown[s].theme ? ", on a projector" : "");
            draw_stage(&grid, &stage, cols, rows);
            mask_source(&grid, stage.state.full);
            if (plain)
                glyphs_reduce(&grid, GLYPHS_ASCII);
            golden_sheet_add(sheet, &grid, name, !plain);
            grid_finish(&grid);
            stage_clear(&stage);
        }
        char name[64];
        snprintf(name, sizeof name, "panels%s-%dx%d", plain ? "-ascii" : "", cols, rows);
        golden_sheet_check(sheet, name);
    }
}

static void test_every_panel(void **state) {
    (void)state;
    check_sheets(80, 24);
    check_sheets(120, 40);
    check_sheets(200, 60);
}

static void write_color(FILE *sheet, enum palette_depth depth, int color) {
    fprintf(sheet, depth == PALETTE_DIRECT ? " %06x" : " %d", (unsigned)color);
}

/* What every role looks like in every theme on every palette, as ink and as paper, and a ramp over
 * all levels of the maps: four rows of pixels, as they are dithered. Rows that are alike are one.
 */
static void test_every_color(void **state) {
    (void)state;
    static const char *const themes[] = {
        [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_PROJECTOR] = "projector"};
    FILE *sheet = golden_sheet_open();
    for (int theme = THEME_DARK; theme <= THEME_PROJECTOR; theme++) {
        fprintf(sheet, "== %s: ink and paper in RGB, of 256, 16, 8 colours\n", themes[theme]);
        for (int ink = 0; ink < INK_ROLES; ink++) {
            fprintf(sheet, "%-9s", golden_ink_name(ink));
            for (int depth = PALETTE_DIRECT; depth > PALETTE_MONO; depth--)
                for (int paper = 0; paper < 2; paper++) {
                    const struct palette palette = {.depth = (enum palette_depth)depth,
                                                    .theme = (enum theme)theme};
                    write_color(sheet, palette.depth,
                                palette_color(&palette, (enum ink)ink, paper, 0, 0));
                }
            fputc('\n', sheet);
        }
        for (int map = 0; map <= COLORMAP_COUNT; map++) {
            const bool is_signed = map == COLORMAP_COUNT;
            for (int depth = PALETTE_DIRECT; depth > PALETTE_MONO; depth--) {
                const struct palette palette = {.depth = (enum palette_depth)depth,
                                                .theme = (enum theme)theme,
                                                .map = (enum colormap)(is_signed ? 0 : map)};
                int row[INK_LEVELS], before[INK_LEVELS];
                fprintf(sheet, "%s, %s\n", is_signed ? "signed" : colormap_name((enum colormap)map),
                        (const char *[]){"", "8", "16", "256", "RGB"}[depth]);
                for (int y = 0; y < 4; y++) {
                    for (int x = 0; x < INK_LEVELS; x++)
                        row[x] = palette_color(
                            &palette, (enum ink)((is_signed ? INK_SIGNED0 : INK_LEVEL0) + x), y % 2,
                            x, y / 2);
                    if (y > 0 && memcmp(row, before, sizeof row) == 0)
                        continue;
                    memcpy(before, row, sizeof row);
                    for (int x = 0, end; x < INK_LEVELS; x = end) {
                        for (end = x + 1; end < INK_LEVELS && row[end] == row[x]; end++)
                            ;
                        write_color(sheet, palette.depth, row[x]);
                        if (end > x + 1)
                            fprintf(sheet, "*%d", end - x);
                    }
                    fputc('\n', sheet);
                }
            }
        }
    }
    golden_sheet_check(sheet, "colors");
}

/* No panel writes outside its area, whatever the size and the number of lanes. */
static void test_every_size(void **state) {
    (void)state;
    static const char *const names[] = {"timeline", "roofline", "table", "verdict",
                                        "lane",     "explain",  "costs", "race"};
    for (int lanes = 0; lanes <= LANES_MAX; lanes++) {
        struct stage stage;
        stage_set(&stage, lanes > 0 ? lanes : 1);
        stage.sample->lane_count = lanes;
        for (int cols = 0; cols <= 200; cols += cols < 30 ? 1 : 17)
            for (int rows = 0; rows <= 60; rows += rows < 20 ? 1 : 9) {
                struct grid grid;
                assert_true(grid_init(&grid, cols + 2, rows + 2));
                for (size_t n = 0; n < sizeof names / sizeof *names; n++)
                    panel_find(names[n])->draw(&grid, (struct rect){1, 1, cols, rows},
                                               &stage.screen);
                for (int c = 0; c < grid.cols * grid.rows; c++) {
                    const int x = c % grid.cols, y = c / grid.cols;
                    if (x == 0 || y == 0 || x == grid.cols - 1 || y == grid.rows - 1)
                        assert_int_equal(grid.cells[c].glyph, 0);
                }
                grid_finish(&grid);
            }
        stage_clear(&stage);
    }
}

/* Presets may name every panel as their layout, and nothing else. */
static void test_layouts(void **state) {
    (void)state;
    struct config config;
    char allowed[512], panels_there[512] = "";
    const struct setting *layout = setting_find_key("view", "layout");
    config_init(&config);
    text_list(panels_there, sizeof panels_there, layout_default);
    for (const char *const *name = panel_names(); *name; name++) {
        assert_true(layout->set(&config, layout, *name));
        text_list(panels_there, sizeof panels_there, *name);
    }
    assert_string_equal(setting_allowed(layout, allowed, sizeof allowed), panels_there);
    assert_false(layout->set(&config, layout, "heatmap"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_replayed_lanes),
        cmocka_unit_test(test_nothing_observed),
        cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_disagreement),
        cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_slivers),
        cmocka_unit_test(test_clicks),
        cmocka_unit_test(test_roofline),
        cmocka_unit_test(test_chosen_lane),
        cmocka_unit_test(test_projector_shows_costs),
        cmocka_unit_test(test_race),
        cmocka_unit_test(test_explain),
        cmocka_unit_test(test_the_running_phase_is_lit),
        cmocka_unit_test(test_directives_are_shown_whole),
        cmocka_unit_test(test_every_panel),
        cmocka_unit_test(test_every_color),
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
