/* Command line, presets and saved settings: accepted and rejected values, and the messages. */
#include "config/settings.h"
#include "core/system.h"
#include "tests/fixtures/program.h"
#include "tests/fixtures/runs.h"

static const char path[] = "jacobi-tui/presets/mine.ini", saved[] = "jacobi-tui/settings.ini";
static struct config config; /* the last command line's */

/* Uses the tests' folder as a configuration folder, too. */
static int set_up(void **state) {
    return setenv("XDG_CONFIG_HOME", folder_path, 1) || !path_make_folders(path);
}

/* Parses options like a shell. */
static enum status parse(const char *options) {
    char words[512], *argv[32] = {(char *)"jacobi-tui"};
    print_to(words, "%s", options);
    error = (struct error){0};
    return config_from_command_line(&config, split_words(words, argv, 1), argv, &error);
}

static void take(const char *options) {
    if (parse(options))
        fail_msg("%s: %s", options, error.message);
}

/* Reads a preset with this text. */
static enum status read_preset(const char *text) {
    file_write_text(path, "%s", text);
    config_init(&config);
    error = (struct error){0};
    return preset_read(path, NULL, &config, &error);
}

TEST(defaults) {
    take("");
    const struct lane_spec *lane = &config.plan.lanes[0];
    assert_contains(run_name(lane), "/unstructured/classic, blog 4096×4096");
    assert_int_equal(lane->iterations, 1000);
    assert_true(lane->tolerance == 1e-5);
    assert_true(lane->any_backend);
    assert_int_equal(config.plan.lane_count, 1);
    assert_string_equal(config.plan.preset, "");
}

TEST(options_are_taken) {
    take("--problem hot-plate --grid=640x480 --backend serial --mapping structured --schedule "
         "blocked:7 --iterations 12 --tolerance 0 --format json --size 80x24 --tour short "
         "--no-mouse --norm-blocks 128");
    const struct lane_spec *lane = &config.plan.lanes[0];
    assert_string_equal(run_name(lane), "serial/structured/blocked:7, hot-plate 640×480");
    assert_int_equal(lane->choice_count, 1);
    assert_int_equal(lane->engine.run.tuning.norm_blocks, 128);
    assert_int_equal(lane->iterations, 12);
    assert_true(lane->tolerance == 0);
    assert_true(config.headless);
    assert_int_equal(config.format, FORMAT_JSON);
    assert_int_equal(config.screenshot_cols, 80);
    assert_int_equal(config.screenshot_rows, 24);
    assert_true(config.tour);
    assert_string_equal(config.tour_name, "short");
    assert_false(config.view.terminal.mouse);
}

TEST(names_of_recordings_may_hold_anything) {
    take("--compare 'a, b.rec:B,caf\xe9.rec, serial' --grid 32");
    assert_int_equal(config.plan.lane_count, 3);
    assert_string_equal(config.plan.recordings[0].path, "a, b.rec");
    assert_int_equal(config.plan.recordings[0].lane, 1);
    assert_string_equal(config.plan.recordings[1].path, "caf\xe9.rec");
    assert_string_equal(config.plan.recordings[2].path, "");
}

/* Each lane, as a lane of --compare would name it. An open or empty part of a lane takes its value
 * from the options. A lane's cycle has colons instead of --cycle's commas. An explicit ω of 1 is
 * kept: SOR is then Gauss-Seidel. */
TEST(compare_makes_lanes) {
    static const struct {
        const char *options, *lanes[3];
    } cases[] = {
        {"'serial, threads/structured/fused' --mapping unstructured",
         {"serial/unstructured/classic", "threads/structured/fused"}},
        {"'serial, serial//fused+omega=0.8,threads+omega=1' --omega 0.5 --schedule blocked",
         {"serial/unstructured/blocked+omega=0.5", "serial/unstructured/fused+omega=0.8",
          "threads/unstructured/blocked"}},
        {"serial+sor,serial+sor+omega=1",
         {"serial/unstructured/classic+sor", "serial/unstructured/classic+sor+omega=1"}},
        {"serial+multigrid,serial+multigrid+cycle=2:1:red-black --cycle 3,0",
         {"serial/unstructured/classic+multigrid+cycle=3:0",
          "serial/unstructured/classic+multigrid+cycle=2:1:red-black"}},
        {"'hip/structured, hip/structured+pageable, omp+pinned+omega=0.8' --host-memory pinned",
         {"hip/structured/classic+pinned", "hip/structured/classic",
          "omp/unstructured/classic+omega=0.8+pinned"}},
        {"serial,serial+mixed+omega=0.8,serial+double --precision single",
         {"serial/unstructured/classic+single", "serial/unstructured/classic+omega=0.8+mixed",
          "serial/unstructured/classic"}},
    };
    for_each(row, cases) {
        take(PRINT("--grid 32 --compare %s", row->options));
        assert_int_equal(config.plan.lane_count, row->lanes[2] ? 3 : 2);
        for (int l = 0; l < config.plan.lane_count; l++) {
            assert_string_equal(run_name(&config.plan.lanes[l]),
                                PRINT("%s, blog 32×32", row->lanes[l]));
        }
    }
}

TEST(omega_damps_the_run) {
    take("--omega 0.5 --grid 32");
    const struct lane_spec *lane = &config.plan.lanes[0];
    const struct mesh mesh = run_mesh(&lane->engine.run, 32, 32);
    assert_close(mesh.factor, 0.5 / (4 * 33.0 * 33.0), 1e-15); /* 4/h² is the diagonal of A */
    file_write_text(path, "[run]\nomega = 0.25\ngrid = 16\n");
    take("--preset ./jacobi-tui/presets/mine.ini --grid 8");
    assert_true(lane->engine.run.omega == 0.25);
    assert_int_equal(lane->engine.mesh.Nx, 8);
}

TEST(a_back_end_undoes_a_presets_comparison) {
    file_write_text(path, "[run]\ncompare = serial, threads\n");
    take("--preset mine");
    assert_int_equal(config.plan.lane_count, 2);
    take("--preset mine --backend serial");
    assert_int_equal(config.plan.lane_count, 1);
}

/* One lane fits; two together don't. */
TEST(memory_of_all_lanes_is_checked) {
    const int side = (int)sqrt(0.7 * (double)memory_usable() / (4 * sizeof(double)));
    const int fitting = side < MESH_MAX_SIDE ? side : MESH_MAX_SIDE;
    const struct mesh mesh = mesh_make(fitting, fitting);
    take("--backend serial");
    config.plan.lanes[0].engine.mesh = mesh;
    assert_ok(plan_check(&config.plan, &error));
    take("--compare serial,serial");
    config.plan.lanes[0].engine.mesh = config.plan.lanes[1].engine.mesh = mesh;
    if (side > MESH_MAX_SIDE)
        skip();
    assert_refused(plan_check(&config.plan, &error), STATUS_BAD_INPUT, "GB");
}

/* Reduces the grid only if a preset falls back to a CPU and the plan allows it. */
TEST(a_large_grid_fits_a_cpu) {
    struct plan *plan = &config.plan;
    file_write_text(path, "[run]\nbackend = hip, serial\n");
    take("--preset mine");
    if (!backend_check(plan->lanes[0].choices[0], &plan->lanes[0].engine, &error))
        skip(); /* its GPU runs it */
    plan->lanes[0].engine.mesh = mesh_make(16384, 16384);
    plan_fit(plan);
    assert_int_equal(plan->lanes[0].engine.mesh.Nx, 16384);
    plan->most_unknowns = 5000000;
    plan_fit(plan);
    assert_int_equal(plan->lanes[0].engine.mesh.Nx, 2048);
    assert_int_equal(plan->most_unknowns, 0);
    take("--backend serial");
    plan->lanes[0].engine.mesh = mesh_make(16384, 16384);
    plan->most_unknowns = 5000000;
    plan_fit(plan);
    assert_int_equal(plan->lanes[0].engine.mesh.Nx, 16384);
}

/* Each line is rejected, and its message contains both texts: the error and the allowed values. */
TEST(bad_lines_name_what_is_allowed) {
    static const struct {
        const char *line, *wrong, *allowed;
    } lines[] = {
        {"--grid 0", "--grid 0", "1 to 65536"},
        {"--grid 4096x", "--grid 4096x", "NxNY"},
        {"--grid -4", "--grid -4", "NxNY"},
        {"--grid 99999999999", "99999999999", "1 to 65536"},
        {"--grid 65537", "65537", "1 to 65536"},
        {"--grid '64 '", "--grid", "NxNY"},
        {"--grid", "--grid needs a value", "NxNY"},
        {"--schedule blocked:0", "blocked:0", "1 to 64"},
        {"--schedule blocked:65", "blocked:65", "1 to 64"},
        {"--schedule blocked:", "blocked:", "1 to 64"},
        {"--schedule blocked:+8", "blocked:+8", "1 to 64"},
        {"--schedule plain:4", "plain:4", "plain"},
        {"--host-memory paged", "--host-memory paged", "pinned"},
        {"--compare omp+fast,omp", "omp+fast", "BACKEND"},
        {"--iterations 0", "--iterations 0", "1 to"},
        {"--iterations 1.5", "--iterations 1.5", "whole"},
        {"--residual l2", "--residual l2", "relative"},
        {"--tolerance -1", "--tolerance -1", "0 or more"},
        {"--tolerance nan", "--tolerance nan", "finite"},
        {"--tolerance inf", "--tolerance inf", "finite"},
        {"--tolerance 1e999", "1e999", "finite"},
        {"--tolerance 1e-400", "1e-400", "finite"},
        {"--tolerance ''", "--tolerance", "finite"},
        {"--backend cuda", "--backend cuda", "serial"},
        {"--problem heat", "--problem heat", "hot-plate"},
        {"--mapping auto", "--mapping auto", "unstructured"},
        {"--format xml", "--format xml", "jsonl"},
        {"--compare serial", "--compare serial", "2 to 4"},
        {"--compare serial,serial,serial,serial,serial", "--compare", "2 to 4"},
        {"--compare serial,", "--compare", "BACKEND"},
        {"--compare serial,omp/x", "omp/x", "MAPPING"},
        {"--compare serial,omp/structured/classic/x", "--compare", "SCHEDULE"},
        {"--compare serial,serial+omega=2", "--compare", "+omega=X"},
        {"--compare serial,serial+0.8", "--compare", "+omega=X"},
        {"--compare serial,serial+multigrid+cycle=2", "cycle=2", "+cycle="},
        {"--compare serial,serial+multigrid+cycle=2:5", "cycle=2:5", "+cycle="},
        {"--compare serial,serial+multigrid+cycle=2:1:black", "cycle=2:1:black", "+cycle="},
        {"--compare serial,serial+multigrid+cycle=2:1:", "cycle=2:1:", "+cycle="},
        {"--compare serial,serial+multigrid+cycle=:", "cycle=:", "+cycle="},
        {"--compare serial,serial+multigrid+cycle=2:1:red-black:x", "red-black:x", "+cycle="},
        {"--precision half", "--precision half", "mixed"},
        {"--omega 2", "--omega 2", "above 0 and below 2"},
        {"--omega 0", "--omega 0", "above 0 and below 2"},
        {"--omega nan", "--omega nan", "above 0 and below 2"},
        {"--screenshot picture.gif", "picture.gif", ".svg"},
        {"--size 80", "--size 80", "COLSxROWS"},
        {"--fps 0", "--fps 0", "1 to 120"},
        {"--colormap turbo", "turbo", "viridis"},
        {"--norm-block 100", "--norm-block 100", "power of two"},
        {"--gird 64", "--gird", "did you mean '--grid'?"},
        {"--bakend=serial", "--bakend", "did you mean '--backend'?"},
        {"--backend serail", "--backend serail", "did you mean 'serial'?"},
        {"--theme drak", "--theme drak", "did you mean 'dark'?"},
        {"--preset mnie", "no preset 'mnie'", "did you mean 'mine'?"},
        {"--preset .", "no preset '.' (the folder here is './.')", "mine"},
        {"--s", "--s", "ambiguous option '--s' (see --help)"},
        {"--nothing-like-it", "--nothing", "option '--nothing-like-it' (see --help)"},
        {"-x", "-x", "--help"},
        {"--headless=yes", "--headless", "no value"},
        {"--grid 64 stray", "stray", "--help"},
        {"--preset nosuch", "nosuch", "mine"},
        {"--preset ./nosuch.ini", "nosuch.ini", "No such file"},
    };
    file_write_text(path, "; Nothing.\n");
    for_each(row, lines) {
        assert_int_equal(parse(row->line), STATUS_BAD_INPUT);
        if (!strstr(error.message, row->wrong) || !strstr(error.message, row->allowed))
            fail_msg("'%s' does not name '%s' and '%s'", error.message, row->wrong, row->allowed);
        assert_null(strchr(error.message, '\n'));
    }
}

/* The warning names exactly the options that have no effect. In any order, a comparison names its
 * own back ends. */
TEST(idle_options_are_named) {
#define REPLAYED " ignored on a replay: it shows runs as they were recorded"
    static const char *const cases[][2] = {
        {"--grid 64 --replay x.rec", "--grid" REPLAYED},
        {"--compare serial,omp --replay x.rec --grid 64", "--grid, --compare" REPLAYED},
        {"--compare x.rec,y.rec --race time --threads 3", "--threads" REPLAYED},
        {"--compare x.rec,y.rec --roof", "--roof" REPLAYED},
        {"--compare x.rec,serial --roof", ""},
        {"--speed 2 --replay x.rec", ""},
        {"--speed 2 --size 80x24",
         "--speed ignored without --replay; --size ignored without --screenshot or --cast"},
        {"--tour --speed 2 --cycle 2,2", ""},
        {"--compare x.rec,serial --at 50%", "--at ignored without --replay"},
        {"--backend serial --threads 2 --block 64 --norm-blocks 4 --cycle 2,2 --race time",
         "--cycle ignored without multigrid; --race ignored without --compare; "
         "--threads ignored without back end threads; --block ignored without back end hip; "
         "--norm-blocks ignored without back end hip or omp"},
        {"--backend auto --threads 2 --block 64 --norm-blocks 4 --method multigrid --cycle 2,2",
         ""},
        {"--compare serial+multigrid,omp,threads --threads 2 --norm-blocks 4 --cycle 2,2 "
         "--race time --devices 0,1",
         ""},
        {"--device 3 --devices 0,1", "--device ignored beside --devices"},
        {"--compare serial,serial --backend threads", "--backend ignored beside --compare"},
        {"--size 80x24 --cast x.cast", ""},
    };
    for (size_t c = 0; c < count_of(cases); c++) {
        take(cases[c][0]);
        assert_string_equal(config.warning, cases[c][1]);
        assert_false(config.is_bare);
    }
    /* "size" must not match "resize". */
    config_warn_idle(&config, (const char *const[]){"resize", "at", NULL}, "here");
    assert_string_equal(config.warning, "");
    config_warn_idle(&config, (const char *const[]){"size", "at", NULL}, "here");
    assert_string_equal(config.warning, "--size ignored here");
    take("--compare serial,serial --backend threads");
    assert_int_equal(config.plan.lane_count, 2);
}

TEST(options_win_over_the_preset) {
    file_write_text(path, "; What it teaches,\n; in two lines.\n[run]\ngrid = 32\niterations = 7\n"
                          "backend = hip, serial ; first that can run\n");
    take("--iterations 9 --preset mine --grid 48");
    assert_string_equal(config.plan.preset, "mine");
    assert_string_equal(config.teaches, "What it teaches, in two lines.");
    assert_int_equal(config.plan.lanes[0].engine.mesh.Nx, 48);
    assert_int_equal(config.plan.lanes[0].iterations, 9);
    assert_int_equal(config.plan.lanes[0].choice_count, 2);
    assert_string_equal(config.plan.lanes[0].choices[0]->name, "hip");
    assert_string_equal(config.plan.lanes[0].choices[1]->name, "serial");
    take("--backend serial --preset ./jacobi-tui/presets/mine.ini");
    assert_int_equal(config.plan.lanes[0].choice_count, 1);
    assert_string_equal(config.plan.preset, "mine");
}

TEST(preset_keys_are_taken) {
    assert_ok(read_preset("[run]\ncompare = serial, threads\nresidual = rms\n"
                          "[view]\nscale = log\nfield = sign\nzoom = 0, 0.5, 0.25, 1\n"
                          "mouse = no\n[tuning]\nnorm_block = 256\n[reference]\nsource = Somebody\n"
                          "ms_per_iteration = 0.858\nUpdate = 0.51\nUpdate_gbs = 1306\n"
                          "[machine]\ndevice = gfx90a\nbandwidth_gbs = 1638\n"));
    assert_int_equal(config.view.scale, SCALE_LOG);
    assert_int_equal(config.view.kind, FIELD_SIGN);
    assert_int_equal(config.plan.lanes[0].measure, MEASURE_RMS);
    assert_true(config.view.x1 == 0.5 && config.view.y0 == 0.25);
    assert_false(config.view.terminal.mouse);
    assert_int_equal(config.plan.lanes[0].engine.run.tuning.norm_block, 256);
    assert_string_equal(config.reference.source, "Somebody");
    assert_true(config.reference.kernel_ms[PHASE_UPDATE] == 0.51);
    assert_true(config.reference.kernel_gbs[PHASE_UPDATE] == 1306);
    assert_true(isnan(config.reference.kernel_ms[PHASE_NORM]));
    assert_true(config.machine.bandwidth_gbs == 1638);
    assert_string_equal(config.machine.device, "gfx90a");
}

/* Line ends and encodings of other systems and editors are accepted. */
TEST(lines_of_other_systems) {
    char text[3072];
    if (read_preset(
            "\xef\xbb\xbf[run] ; a mark before it\r\n  grid\t: 8x4 ; unknowns\r\n\t# no\r\n\r\n"
            "  ; grid = 2\r\niterations=5;0\niterations = 5"))
        assert_contains(error.message, ":6: iterations = 5;0: expected");
    assert_int_equal(config.plan.lanes[0].iterations, 1000);
    print_to(text, "[run]\ngrid = 8x4%2000s; long\n", "");
    assert_ok(read_preset(text));
    assert_int_equal(config.plan.lanes[0].engine.mesh.Ny, 4);
}

/* Each text is rejected at the given line, and the message names the allowed values. */
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
        {"[run] grid = 4\n", 1, "[section]"},
        {"[view]\nscale = cubic\n", 2, "linear, log"},
        {"[view]\nzoom = 0, 2, 0, 1\n", 2, "fractions"},
        {"[view]\nzoom = 0.5, 0.5, 0, 1\n", 2, "fractions"},
        {"[reference]\nUpdate = fast\n", 2, "1e-6 to 1e9"},
        {"[reference]\nUpdate_percent = 101\n", 2, "1e-6 to 100"},
        {"[reference]\nms_per_iteration = 1e308\n", 2, "1e-6 to 1e9"},
        {"[machine]\nbandwidth_gbs = 0\n", 2, "1e-6 to 1e9"},
        {"[machine]\ndevice =\n", 2, "a device's name"},
        {"[run]\n  grid = 64\n  gird = 64\n", 3, "grid"},
    };
    for_each(preset, presets) {
        struct config before;
        char place[64];
        config_init(&before);
        assert_int_equal(read_preset(preset->text), STATUS_BAD_INPUT);
        print_to(place, "%s:%d: ", path, preset->line);
        if (strncmp(error.message, place, strlen(place)) != 0 ||
            !strstr(error.message, preset->allowed))
            fail_msg("'%s' is not at line %d or does not name '%s'", error.message, preset->line,
                     preset->allowed);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

TEST(files_that_are_no_presets) {
    shell_ok("head -c 8000 /dev/zero | tr '\\0' x >%s", path);
    assert_refused(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT, ":1: ");
    shell_ok("printf '[run]\\n\\0\\n' >%s", path);
    assert_refused(preset_read(path, NULL, &config, &error), STATUS_BAD_INPUT, ":2: ");
    assert_int_equal(preset_read(folder_path, NULL, &config, &error), STATUS_BAD_INPUT);
    assert_ok(read_preset(""));
}

/* `beside` names another preset; only its figures are used. */
TEST(a_reference_beside) {
    config_init(&config);
    config.second_reference.gflops = 1; /* left by an earlier preset */
    static const char other[] = "jacobi-tui/presets/other.ini";
    file_write_text(other, "[run]\ngrid = 4096\n[reference]\ngflops = 332\n");
    file_write_text(path, "[run]\ngrid = 64\n[reference]\nsource = A: own, here\nbeside = other\n");
    assert_ok(preset_load("mine", &config, &error));
    assert_string_equal(config.plan.preset, "mine");
    assert_int_equal(config.plan.lanes[0].engine.mesh.Nx, 64);
    assert_string_equal(config.reference.source, "A: own, here");
    assert_int_equal(config.reference.nx, 64);
    assert_true(config.second_reference.gflops == 332);
    assert_int_equal(config.second_reference.nx, 4096);
    unlink(other);
    file_write_text(path, "[reference]\nbeside = nobody\n");
    assert_refused(preset_load("mine", &config, &error), STATUS_BAD_INPUT, "nobody");
    file_write_text(path, "[reference]\nbeside = mine\n"); /* itself: must not recurse */
    assert_ok(preset_load("mine", &config, &error));
    file_write_text(path, "%s", "");
    assert_ok(preset_load("mine", &config, &error));
    assert_string_equal(config.second_reference.source, "");
}

TEST(control_characters_stay_out) {
    assert_int_equal(read_preset("; teaches \033[2J\n[reference]\nsource = a\033[31mb\n"),
                     STATUS_BAD_INPUT);
    assert_null(strchr(error.message, '\033'));
    assert_ok(read_preset("; teaches \033[2J\n"));
    assert_null(strchr(config.teaches, '\033'));
}

TEST(settings_are_saved_and_loaded) {
    struct config loaded;
    config_init(&config);
    config.view.terminal.theme = THEME_LIGHT;
    config.view.scale = SCALE_LOG;
    config.view.terminal.mouse = false;
    config.plan.fps = 12;
    config.view.colormap = COLORMAP_CIVIDIS;
    assert_ok(user_settings_save(&config, &error));
    config_init(&loaded);
    user_settings_load(&loaded);
    assert_string_equal(loaded.warning, "");
    assert_int_equal(loaded.view.terminal.theme, THEME_LIGHT);
    assert_int_equal(loaded.view.scale, SCALE_LOG);
    assert_false(loaded.view.terminal.mouse);
    assert_int_equal(loaded.plan.fps, 12);
    assert_int_equal(loaded.view.colormap, COLORMAP_CIVIDIS);
}

/* The settings file may be a link: the link remains, and its target is written. */
TEST(settings_are_written_through_a_link) {
    struct stat about;
    unlink(saved);
    file_write_text(path, "%s", "");
    assert_int_equal(symlink("presets/mine.ini", saved), 0);
    config_init(&config);
    config.view.terminal.theme = THEME_LIGHT;
    assert_ok(user_settings_save(&config, &error));
    assert_int_equal(lstat(saved, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_contains(folder_text(path), "light");
    unlink(saved);
}

TEST(broken_settings_are_kept) {
    static const char text[] = "[view]\nscale = log\ncolour = red\n";
    file_write_text(saved, "%s", text);
    config_init(&config);
    user_settings_load(&config);
    assert_contains(config.warning, "settings.ini:3: ");
    assert_int_equal(config.view.scale, SCALE_LINEAR);
    assert_int_equal(user_settings_save(&config, &error), STATUS_BAD_INPUT);
    assert_string_equal(folder_text(saved), text);
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

TEST_MODULE(config, set_up, NULL)
