/* Command line, presets and saved settings: what is taken, what is refused and in which words. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/preset.h"
#include "config/settings.h"
#include "core/system.h"

/* A configuration folder of the test's own. */
static char home[] = "/tmp/jacobi-config-XXXXXX";
static char path[PATH_SIZE];

static int make_home(void **state) {
    if (!mkdtemp(home))
        return -1;
    snprintf(path, sizeof path, "%s/jacobi-tui/presets/mine.ini", home);
    return setenv("XDG_CONFIG_HOME", home, 1) || !path_make_folders(path);
}

static int remove_home(void **state) {
    static const char *const inside[] = {"jacobi-tui/presets/mine.ini", "jacobi-tui/settings.ini",
                                         "jacobi-tui/presets", "jacobi-tui", ""};
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "%s/%s", home, inside[k]);
        remove(name);
    }
    return 0;
}

static void write_bytes(const char *name, const char *text, size_t size) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_preset(const char *text) {
    write_bytes(path, text, strlen(text));
}

static enum status parse(struct config *config, struct error *error, const char *const argv[]) {
    int argc = 0;
    while (argv[argc])
        argc++;
    *error = (struct error){0};
    return config_from_command_line(config, argc, (char *const *)argv, error);
}

#define PARSE(config, error, ...)                                                                  \
    parse(config, error, (const char *[]){"jacobi-tui", __VA_ARGS__, NULL})

TEST(defaults) {
    struct config config;
    struct error error;
    assert_int_equal(parse(&config, &error, (const char *[]){"jacobi-tui", NULL}), STATUS_OK);
    const struct lane_spec *lane = &config.plan.lanes[0];
    assert_string_equal(lane->engine.problem->name, "blog");
    assert_int_equal(lane->engine.mesh.Nx, 4096);
    assert_int_equal(lane->engine.mesh.Ny, 4096);
    assert_int_equal(lane->iterations, 1000);
    assert_true(lane->tolerance == 1e-5);
    assert_true(lane->any_backend);
    assert_int_equal(config.plan.lane_count, 1);
    assert_string_equal(config.plan.preset, "");
}

TEST(options_are_taken) {
    struct config config;
    struct error error;
    assert_int_equal(PARSE(&config, &error, "--problem", "hot-plate", "--grid=640x480", "--backend",
                           "serial", "--mapping", "structured", "--schedule", "blocked:7",
                           "--iterations", "12", "--tolerance", "0", "--format", "json", "--size",
                           "80x24", "--tour", "short", "--no-mouse", "--norm-blocks", "128"),
                     STATUS_OK);
    const struct lane_spec *lane = &config.plan.lanes[0];
    assert_string_equal(lane->engine.problem->name, "hot-plate");
    assert_int_equal(lane->engine.mesh.Nx, 640);
    assert_int_equal(lane->engine.mesh.Ny, 480);
    assert_int_equal(lane->choice_count, 1);
    assert_string_equal(lane->choices[0]->name, "serial");
    assert_int_equal(lane->engine.run.mapping, MAPPING_STRUCTURED);
    assert_int_equal(lane->engine.run.schedule.kind, SCHEDULE_BLOCKED);
    assert_int_equal(lane->engine.run.schedule.depth, 7);
    assert_int_equal(lane->engine.run.tuning.norm_blocks, 128);
    assert_int_equal(lane->iterations, 12);
    assert_true(lane->tolerance == 0);
    assert_true(config.headless);
    assert_int_equal(config.format, FORMAT_JSON);
    assert_int_equal(config.screenshot_cols, 80);
    assert_int_equal(config.screenshot_rows, 24);
    assert_true(config.tour);
    assert_string_equal(config.tour_name, "short");
    assert_false(config.view.mouse);
}

TEST(compare_makes_lanes) {
    struct config config;
    struct error error;
    assert_int_equal(PARSE(&config, &error, "--compare", "serial, threads/structured/fused",
                           "--grid", "32", "--mapping", "unstructured"),
                     STATUS_OK);
    assert_int_equal(config.plan.lane_count, 2);
    const struct lane_spec *lanes = config.plan.lanes;
    assert_string_equal(lanes[0].choices[0]->name, "serial");
    assert_int_equal(lanes[0].engine.run.mapping, MAPPING_UNSTRUCTURED);
    assert_int_equal(lanes[0].engine.run.schedule.kind, SCHEDULE_CLASSIC);
    assert_string_equal(lanes[1].choices[0]->name, "threads");
    assert_int_equal(lanes[1].engine.run.mapping, MAPPING_STRUCTURED);
    assert_int_equal(lanes[1].engine.run.schedule.kind, SCHEDULE_FUSED);
    assert_int_equal(lanes[1].engine.mesh.Nx, 32);
}

/* ω belongs to a lane; what a lane leaves open, or empty, is as the options say. */
TEST(lanes_are_damped) {
    struct config config;
    struct error error;
    assert_int_equal(PARSE(&config, &error, "--compare",
                           "serial, serial//fused+omega=0.8,threads+omega=1", "--omega", "0.5",
                           "--schedule", "blocked", "--grid", "32"),
                     STATUS_OK);
    const struct lane_spec *lanes = config.plan.lanes;
    assert_true(lanes[0].engine.run.omega == 0.5 && lanes[1].engine.run.omega == 0.8);
    assert_true(lanes[2].engine.run.omega == 1);
    assert_int_equal(lanes[1].engine.run.schedule.kind, SCHEDULE_FUSED);
    assert_int_equal(lanes[1].engine.run.mapping, MAPPING_UNSTRUCTURED);
    assert_int_equal(lanes[2].engine.run.schedule.kind, SCHEDULE_BLOCKED);
    const struct mesh mesh = run_mesh(&lanes[0].engine.run, 32, 32);
    assert_close(mesh.factor, 0.5 / (4 * 33.0 * 33.0), 1e-15); /* 4/h² is the diagonal of A */
    write_preset("[run]\nomega = 0.25\ngrid = 16\n");
    assert_int_equal(PARSE(&config, &error, "--preset", path, "--grid", "8"), STATUS_OK);
    assert_true(config.plan.lanes[0].engine.run.omega == 0.25);
    assert_int_equal(config.plan.lanes[0].engine.mesh.Nx, 8);
    /* An ω of 1 is one that was asked for: SOR is then Gauss-Seidel. */
    assert_int_equal(
        PARSE(&config, &error, "--compare", "serial+sor,serial+sor+omega=1", "--grid", "8"),
        STATUS_OK);
    assert_true(lanes[0].engine.run.omega == OMEGA_OWN && lanes[1].engine.run.omega == 1);
}

/* Colons stand for the commas of --cycle; a lane without one has that of the options. */
TEST(a_lane_names_its_cycle) {
    static const char *const wrong[] = {"2", "2:5", "2:1:black", "2:1:", ":", "2:1:red-black:x"};
    struct config config;
    struct error error;
    assert_int_equal(PARSE(&config, &error, "--compare",
                           "serial+multigrid,serial+multigrid+cycle=2:1:red-black", "--cycle",
                           "3,0"),
                     STATUS_OK);
    const struct lane_spec *lanes = config.plan.lanes;
    assert_true(cycle_equal(lanes[0].engine.run.cycle, (struct cycle){3, 0, false}));
    assert_true(cycle_equal(lanes[1].engine.run.cycle, (struct cycle){2, 1, true}));
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        char text[96];
        snprintf(text, sizeof text, "serial,serial+multigrid+cycle=%s", wrong[w]);
        assert_int_equal(PARSE(&config, &error, "--compare", text), STATUS_BAD_INPUT);
    }
}

TEST(a_lane_names_its_host_memory) {
    struct config config;
    struct error error;
    assert_int_equal(PARSE(&config, &error, "--compare",
                           "hip/structured, hip/structured+pageable, omp+pinned+omega=0.8",
                           "--host-memory", "pinned"),
                     STATUS_OK);
    const struct lane_spec *lanes = config.plan.lanes;
    assert_int_equal(lanes[0].engine.run.host_memory, HOST_PINNED);
    assert_int_equal(lanes[1].engine.run.host_memory, HOST_PAGEABLE);
    assert_int_equal(lanes[2].engine.run.host_memory, HOST_PINNED);
    assert_true(lanes[2].engine.run.omega == 0.8);
}

TEST(a_back_end_undoes_a_presets_comparison) {
    struct config config;
    struct error error;
    write_preset("[run]\ncompare = serial, threads\n");
    assert_int_equal(PARSE(&config, &error, "--preset", "mine"), STATUS_OK);
    assert_int_equal(config.plan.lane_count, 2);
    assert_int_equal(PARSE(&config, &error, "--preset", "mine", "--backend", "serial"), STATUS_OK);
    assert_int_equal(config.plan.lane_count, 1);
}

/* One lane fits; two together don't. */
TEST(memory_of_all_lanes_is_checked) {
    struct config config;
    struct error error;
    char grid[32];
    const int side = (int)sqrt(0.7 * (double)memory_usable() / (4 * sizeof(double)));
    snprintf(grid, sizeof grid, "%d", side < MESH_MAX_SIDE ? side : MESH_MAX_SIDE);
    assert_int_equal(PARSE(&config, &error, "--backend", "serial", "--grid", grid), STATUS_OK);
    assert_int_equal(plan_check(&config.plan, &error), STATUS_OK);
    assert_int_equal(PARSE(&config, &error, "--compare", "serial,serial", "--grid", grid),
                     STATUS_OK);
    if (side > MESH_MAX_SIDE)
        skip();
    assert_int_equal(plan_check(&config.plan, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "GB"));
}

/* Each line is refused, and its message holds both texts: what is wrong and what is allowed. */
TEST(bad_lines_name_what_is_allowed) {
    static const struct {
        const char *argv[4], *wrong, *allowed;
    } lines[] = {
        {{"--grid", "0"}, "--grid 0", "1 to 65536"},
        {{"--grid", "4096x"}, "--grid 4096x", "NxNY"},
        {{"--grid", "-4"}, "--grid -4", "NxNY"},
        {{"--grid", "99999999999"}, "99999999999", "1 to 65536"},
        {{"--grid", "65537"}, "65537", "1 to 65536"},
        {{"--grid", "64 "}, "--grid", "NxNY"},
        {{"--grid"}, "--grid needs a value", "NxNY"},
        {{"--schedule", "blocked:0"}, "blocked:0", "1 to 64"},
        {{"--schedule", "blocked:65"}, "blocked:65", "1 to 64"},
        {{"--schedule", "blocked:"}, "blocked:", "1 to 64"},
        {{"--schedule", "plain:4"}, "plain:4", "plain"},
        {{"--host-memory", "paged"}, "--host-memory paged", "pinned"},
        {{"--compare", "omp+fast,omp"}, "omp+fast", "BACKEND"},
        {{"--iterations", "0"}, "--iterations 0", "1 to"},
        {{"--iterations", "1.5"}, "--iterations 1.5", "whole"},
        {{"--residual", "l2"}, "--residual l2", "relative"},
        {{"--tolerance", "-1"}, "--tolerance -1", "0 or more"},
        {{"--tolerance", "nan"}, "--tolerance nan", "finite"},
        {{"--tolerance", "inf"}, "--tolerance inf", "finite"},
        {{"--tolerance", "1e999"}, "1e999", "finite"},
        {{"--tolerance", ""}, "--tolerance", "finite"},
        {{"--backend", "cuda"}, "--backend cuda", "serial"},
        {{"--problem", "heat"}, "--problem heat", "hot-plate"},
        {{"--mapping", "auto"}, "--mapping auto", "unstructured"},
        {{"--format", "xml"}, "--format xml", "jsonl"},
        {{"--compare", "serial"}, "--compare serial", "2 to 4"},
        {{"--compare", "serial,serial,serial,serial,serial"}, "--compare", "2 to 4"},
        {{"--compare", "serial,"}, "--compare", "BACKEND"},
        {{"--compare", "serial,omp/x"}, "omp/x", "MAPPING"},
        {{"--compare", "serial,omp/structured/classic/x"}, "--compare", "SCHEDULE"},
        {{"--compare", "serial,serial+omega=2"}, "--compare", "+omega=X"},
        {{"--compare", "serial,serial+0.8"}, "--compare", "+omega=X"},
        {{"--omega", "2"}, "--omega 2", "above 0 and below 2"},
        {{"--omega", "0"}, "--omega 0", "above 0 and below 2"},
        {{"--omega", "nan"}, "--omega nan", "above 0 and below 2"},
        {{"--screenshot", "picture.gif"}, "picture.gif", ".svg"},
        {{"--size", "80"}, "--size 80", "COLSxROWS"},
        {{"--fps", "0"}, "--fps 0", "1 to 120"},
        {{"--colormap", "turbo"}, "turbo", "viridis"},
        {{"--norm-block", "100"}, "--norm-block 100", "power of two"},
        {{"--gird", "64"}, "--gird", "did you mean '--grid'?"},
        {{"--bakend=serial"}, "--bakend", "did you mean '--backend'?"},
        {{"--backend", "serail"}, "--backend serail", "did you mean 'serial'?"},
        {{"--theme", "drak"}, "--theme drak", "did you mean 'dark'?"},
        {{"--preset", "mnie"}, "no preset 'mnie'", "did you mean 'mine'?"},
        {{"--preset", "."}, "no preset '.' (the folder here is './.')", "mine"},
        {{"--s"}, "--s", "ambiguous option '--s' (see --help)"},
        {{"--nothing-like-it"}, "--nothing", "option '--nothing-like-it' (see --help)"},
        {{"-x"}, "-x", "--help"},
        {{"--headless=yes"}, "--headless", "no value"},
        {{"--grid", "64", "stray"}, "stray", "--help"},
        {{"--preset", "nosuch"}, "nosuch", "mine"},
        {{"--preset", "./nosuch.ini"}, "nosuch.ini", "No such file"},
    };
    write_preset("; Nothing.\n");
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        const char *argv[6] = {"jacobi-tui"};
        struct config config;
        struct error error;
        for (int a = 0; a < 4; a++)
            argv[a + 1] = lines[l].argv[a];
        assert_int_equal(parse(&config, &error, argv), STATUS_BAD_INPUT);
        if (!strstr(error.message, lines[l].wrong) || !strstr(error.message, lines[l].allowed))
            fail_msg("'%s' does not name '%s' and '%s'", error.message, lines[l].wrong,
                     lines[l].allowed);
        assert_null(strchr(error.message, '\n'));
    }
}

/* What a replay can't follow is named; what it can is not. */
TEST(idle_options_are_named) {
    struct config config;
    struct error error;
    const char *const idle[] = {"jacobi-tui", "--grid", "64", "--replay", "x.rec", NULL};
    const char *const obeyed[] = {"jacobi-tui", "--speed", "2", "--replay", "x.rec", NULL};
    assert_int_equal(parse(&config, &error, idle), STATUS_OK);
    assert_non_null(strstr(config.warning, "no effect of --grid"));
    assert_false(config.is_bare);
    assert_int_equal(parse(&config, &error, obeyed), STATUS_OK);
    assert_string_equal(config.warning, "");
    assert_int_equal(PARSE(&config, &error, "--speed", "2", "--size", "80x24"), STATUS_OK);
    assert_string_equal(config.warning, "no effect of --speed without --replay; "
                                        "no effect of --size without --screenshot or --cast");
    assert_int_equal(PARSE(&config, &error, "--tour", "--speed", "2"), STATUS_OK);
    assert_string_equal(config.warning, "");
    assert_int_equal(PARSE(&config, &error, "--size", "80x24", "--cast", "x.cast"), STATUS_OK);
    assert_string_equal(config.warning, "");
    /* "size" is no part of "resize". */
    config_warn_idle(&config, (const char *const[]){"resize", "at", NULL}, "here");
    assert_string_equal(config.warning, "");
    config_warn_idle(&config, (const char *const[]){"size", "at", NULL}, "here");
    assert_string_equal(config.warning, "no effect of --size here");
}

TEST(options_win_over_the_preset) {
    struct config config;
    struct error error;
    write_preset("; What it teaches,\n; in two lines.\n[run]\ngrid = 32\niterations = 7\n"
                 "backend = hip, serial ; first that can run\n");
    assert_int_equal(
        PARSE(&config, &error, "--iterations", "9", "--preset", "mine", "--grid", "48"), STATUS_OK);
    assert_string_equal(config.plan.preset, "mine");
    assert_string_equal(config.teaches, "What it teaches, in two lines.");
    assert_int_equal(config.plan.lanes[0].engine.mesh.Nx, 48);
    assert_int_equal(config.plan.lanes[0].iterations, 9);
    assert_int_equal(config.plan.lanes[0].choice_count, 2);
    assert_string_equal(config.plan.lanes[0].choices[0]->name, "hip");
    assert_string_equal(config.plan.lanes[0].choices[1]->name, "serial");
    assert_int_equal(PARSE(&config, &error, "--backend", "serial", "--preset", path), STATUS_OK);
    assert_int_equal(config.plan.lanes[0].choice_count, 1);
    assert_string_equal(config.plan.preset, "mine");
}

TEST(preset_keys_are_taken) {
    struct config config;
    config_init(&config);
    write_preset("[run]\ncompare = serial, threads\nresidual = rms\n"
                 "[view]\nscale = log\nfield = sign\nzoom = 0, 0.5, 0.25, 1\n"
                 "mouse = no\n[tuning]\nnorm_block = 256\n[reference]\nsource = Somebody\n"
                 "ms_per_iteration = 0.858\nUpdate = 0.51\nUpdate_gbs = 1306\n"
                 "[machine]\ndevice = gfx90a\nbandwidth_gbs = 1638\n");
    struct error error = {0};
    if (preset_read(path, NULL, &config, &error))
        fail_msg("%s", error.message);
    assert_int_equal(config.view.scale, SCALE_LOG);
    assert_int_equal(config.view.kind, FIELD_SIGN);
    assert_int_equal(config.plan.lanes[0].measure, MEASURE_RMS);
    assert_true(config.view.x1 == 0.5 && config.view.y0 == 0.25);
    assert_false(config.view.mouse);
    assert_int_equal(config.plan.lanes[0].engine.run.tuning.norm_block, 256);
    assert_string_equal(config.reference.source, "Somebody");
    assert_true(config.reference.kernel_ms[PHASE_UPDATE] == 0.51);
    assert_true(config.reference.kernel_gbs[PHASE_UPDATE] == 1306);
    assert_true(isnan(config.reference.kernel_ms[PHASE_NORM]));
    assert_true(config.machine.bandwidth_gbs == 1638);
    assert_string_equal(config.machine.device, "gfx90a");
}

/* Each text is refused at the line given, and the message says what is allowed there. */
TEST(bad_presets_name_the_line) {
    static const struct {
        const char *text;
        int line;
        const char *allowed;
    } presets[] = {
        {"[run]\ngrid = 0\n", 2, "1 to 65536"},
        {"; teaches\n\n[run]\ngird = 64\n", 4, "grid"},
        {"[runs]\ngrid = 64\n", 1, "run"},
        {"[run]\n[empty]\n", 2, "view"},
        {"grid = 64\n", 1, "run"},
        {"[run]\ngrid = 64\niterations = 5\ngrid = 64\n", 4, "once"},
        {"[run]\nbackend = hip, cuda\n", 2, "serial"},
        {"[run]\nbackend = hip, hip\n", 2, "once"},
        {"[run]\nbackend =\n", 2, "serial"},
        {"[run]\ntolerance = -1\n", 2, "0 or more"},
        {"[run]\nproblem = heat\n", 2, "hot-plate"},
        {"[run]\nschedule = blocked:99\n", 2, "1 to 64"},
        {"[run]\ngrid\n", 2, "key = value"},
        {"[run\ngrid = 4\n", 1, "[section]"},
        {"[view]\nscale = cubic\n", 2, "linear, log"},
        {"[view]\nzoom = 0, 2, 0, 1\n", 2, "fractions"},
        {"[view]\nzoom = 0.5, 0.5, 0, 1\n", 2, "fractions"},
        {"[reference]\nUpdate = fast\n", 2, "above 0"},
        {"[machine]\nbandwidth_gbs = 0\n", 2, "above 0"},
        {"[machine]\ndevice =\n", 2, "a device's name"},
        {"[run]\n  grid = 64\n  gird = 64\n", 3, "grid"},
    };
    for (size_t p = 0; p < sizeof presets / sizeof *presets; p++) {
        struct config config, before;
        struct error error = {0};
        char place[PATH_SIZE + 16];
        config_init(&config);
        before = config;
        write_preset(presets[p].text);
        assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT);
        snprintf(place, sizeof place, "%s:%d: ", path, presets[p].line);
        if (strncmp(error.message, place, strlen(place)) != 0 ||
            !strstr(error.message, presets[p].allowed))
            fail_msg("'%s' is not at line %d or does not name '%s'", error.message, presets[p].line,
                     presets[p].allowed);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

TEST(files_that_are_no_presets) {
    struct config config;
    struct error error = {0};
    static char long_line[8000];
    config_init(&config);
    memset(long_line, 'x', sizeof long_line);
    write_bytes(path, long_line, sizeof long_line);
    assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":1: "));
    write_bytes(path, "[run]\n\0\n", 8);
    assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, ":2: "));
    assert_int_equal(preset_read(home, NULL, &config, &error), STATUS_BAD_INPUT);
    write_preset("");
    assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_OK);
}

/* `beside` names another preset, of which the figures alone are taken. */
TEST(a_reference_beside) {
    struct config config;
    struct error error = {0};
    config_init(&config);
    config.second_reference.gflops = 1; /* of an earlier preset */
    char other[PATH_SIZE];
    static const char other_text[] = "[run]\ngrid = 4096\n[reference]\ngflops = 332\n";
    snprintf(other, sizeof other, "%s/jacobi-tui/presets/other.ini", home);
    write_bytes(other, other_text, strlen(other_text));
    write_preset("[run]\ngrid = 64\n[reference]\nsource = A: own, here\nbeside = other\n");
    assert_int_equal(preset_load("mine", &config, &error), STATUS_OK);
    assert_string_equal(config.plan.preset, "mine");
    assert_int_equal(config.plan.lanes[0].engine.mesh.Nx, 64);
    assert_string_equal(config.reference.source, "A: own, here");
    assert_int_equal(config.reference.nx, 64);
    assert_true(config.second_reference.gflops == 332);
    assert_int_equal(config.second_reference.nx, 4096);
    unlink(other);
    write_preset("[reference]\nbeside = nobody\n");
    assert_int_equal(preset_load("mine", &config, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "nobody"));
    write_preset("[reference]\nbeside = mine\n"); /* itself: no circle */
    assert_int_equal(preset_load("mine", &config, &error), STATUS_OK);
    write_preset("");
    assert_int_equal(preset_load("mine", &config, &error), STATUS_OK);
    assert_string_equal(config.second_reference.source, "");
}

TEST(control_characters_stay_out) {
    struct config config;
    struct error error = {0};
    config_init(&config);
    write_preset("; teaches \033[2J\n[reference]\nsource = a\033[31mb\n");
    assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT);
    assert_null(strchr(error.message, '\033'));
    write_preset("; teaches \033[2J\n");
    assert_int_equal(preset_read(path, NULL, &config, &error), STATUS_OK);
    assert_null(strchr(config.teaches, '\033'));
}

TEST(settings_are_saved_and_loaded) {
    struct config config, loaded;
    struct error error = {0};
    config_init(&config);
    config.view.theme = THEME_LIGHT;
    config.view.scale = SCALE_LOG;
    config.view.mouse = false;
    config.plan.fps = 12;
    strcpy(config.view.colormap, "cividis");
    if (user_settings_save(&config, &error))
        fail_msg("%s", error.message);
    config_init(&loaded);
    user_settings_load(&loaded);
    assert_string_equal(loaded.warning, "");
    assert_int_equal(loaded.view.theme, THEME_LIGHT);
    assert_int_equal(loaded.view.scale, SCALE_LOG);
    assert_false(loaded.view.mouse);
    assert_int_equal(loaded.plan.fps, 12);
    assert_string_equal(loaded.view.colormap, "cividis");
}

/* Somebody's settings may lie elsewhere: the link stays, and what it leads to is written. */
TEST(settings_are_written_through_a_link) {
    char name[PATH_SIZE], elsewhere[PATH_SIZE];
    struct config config;
    struct stat about;
    struct error error = {0};
    snprintf(name, sizeof name, "%s/jacobi-tui/settings.ini", home);
    snprintf(elsewhere, sizeof elsewhere, "%s/jacobi-tui/presets/mine.ini", home);
    unlink(name);
    write_bytes(elsewhere, "", 0);
    assert_int_equal(symlink("presets/mine.ini", name), 0);
    config_init(&config);
    config.view.theme = THEME_LIGHT;
    if (user_settings_save(&config, &error))
        fail_msg("%s", error.message);
    assert_int_equal(lstat(name, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(elsewhere, &about), 0);
    assert_true(about.st_size > 0);
    unlink(name);
}

TEST(broken_settings_are_kept) {
    static const char text[] = "[view]\nscale = log\ncolour = red\n";
    char name[PATH_SIZE], kept[100] = "";
    struct config config;
    struct error error = {0};
    snprintf(name, sizeof name, "%s/jacobi-tui/settings.ini", home);
    write_bytes(name, text, strlen(text));
    config_init(&config);
    user_settings_load(&config);
    assert_non_null(strstr(config.warning, "settings.ini:3: "));
    assert_int_equal(config.view.scale, SCALE_LINEAR);
    assert_int_equal(user_settings_save(&config, &error), STATUS_BAD_INPUT);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_int_equal(fread(kept, 1, sizeof kept - 1, file), strlen(text));
    fclose(file);
    assert_string_equal(kept, text);
}

TEST(every_row_can_be_used) {
    char allowed[ERROR_MESSAGE_SIZE];
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (setting_is_option(setting))
            assert_non_null(setting->help);
        if (setting->section)
            assert_ptr_equal(setting_find_key(setting->section, setting->name), setting);
        if (setting->set && setting->argument)
            assert_true(strlen(setting_allowed(setting, allowed, sizeof allowed)) > 0);
    }
}

TEST_MODULE(config, make_home, remove_home)
