#include "config/settings.h"

#include <string.h>

static const char *const format_names[] = {"table", "json", "jsonl", "csv", "markdown", NULL};
static const char *const color_names[] = {"auto", "direct", "256", "16", "8", "mono", NULL};
static const char *const theme_names[] = {"auto", "dark", "light", "projector", NULL};
static const char *const pixel_names[] = {"auto", "kitty", "sixel", "off", NULL};
const char *const colormap_names[] = {"viridis", "magma", "cividis", NULL};
/* The panels' names (ui/panels/panels.c), preceded by the layout with all panels side by side. */
const char *const layout_names[] = {
    layout_default, "field",   "residual", "timing", "timeline", "roofline", "table",
    "mesh",         "levels",  "stencil",  "lane",   "effort",   "devices",  "sweep",
    "motion",       "explain", "costs",    "race",   "verdict",  "rates",    NULL};
static const char *const scale_names[] = {"linear", "log", NULL};
static const char *const field_kind_names[] = {"U", "residual", "sign", "error", NULL};
static const char *const race_names[] = {"iterations", "time", NULL};
static const char *const yes_no_names[] = {"no", "yes", NULL};
static const char *const generate_names[] = {"options", "presets", "recordings", "tours",
                                             "lanes",   "grids",   "exercises",  NULL};

/* The value's location in struct config. */
#define AT(member)                                                                                 \
    .offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member)
#define LANE plan.lanes[0]

#define FLAG(member, is_on) .set = set_flag, .min = is_on, AT(member)
#define YES_NO(member) .set = set_yes_no, .names = yes_no_names, AT(member)
#define TEXT(member) .set = set_text, AT(member)
#define PATH(member) .set = set_path, AT(member)
#define CHOICE(member, list) .set = set_choice, .names = list, AT(member)
#define NAME(member, list) .set = set_name, .names = list, AT(member)
#define WHOLE(member, least, most) .set = set_whole, .min = least, .max = most, AT(member)
#define POWER_OF_TWO(member, least, most)                                                          \
    .set = set_power_of_two, .min = least, .max = most, AT(member)
#define REAL(member, least, most) .set = set_real, .min = least, .max = most, AT(member)
#define FIGURE(member) REAL(member, 1e-6, 1e9), .allowed = "a number from 1e-6 to 1e9"
#define SHARE(member) REAL(member, 1e-6, 100), .allowed = "a percentage from 1e-6 to 100"
#define ACTION(which) .set = set_action, .min = which

/* Rows: the group of --help, a preset's section or NULL, name, argument or NULL, help; then the
 * value's setter, and the rest of struct setting. A KEY is not an option. */
#define OPTION(heading, part, option, value, text, ...)                                            \
    {.group = SETTING_##heading,                                                                   \
     .section = part,                                                                              \
     .name = option,                                                                               \
     .argument = value,                                                                            \
     .help = text,                                                                                 \
     __VA_ARGS__}
#define KEY(part, key, ...) {.group = SETTING_KEY_ONLY, .section = part, .name = key, __VA_ARGS__}

#define KERNEL_KEYS(suffix, KIND, member)                                                          \
    KEY("reference", "Laplacian" suffix, KIND(reference.member[PHASE_LAPLACIAN])),                 \
        KEY("reference", "BoundaryConditions" suffix, KIND(reference.member[PHASE_BOUNDARY])),     \
        KEY("reference", "Update" suffix, KIND(reference.member[PHASE_UPDATE])),                   \
        KEY("reference", "Norm" suffix, KIND(reference.member[PHASE_NORM]))

const struct setting settings[] = {
    OPTION(PROBLEM, NULL, "preset", "NAME|FILE", "start from a preset; options override it",
           .generated = "presets"),
    OPTION(PROBLEM, "run", "problem", "NAME", "the problem to solve (--list describes all)",
           .set = set_problem, .list = list_problems),
    OPTION(PROBLEM, "run", "grid", "N|NxNY", "interior unknowns in x and y (4096)", .set = set_grid,
           .allowed = "N or NxNY, each 1 to 65536", .generated = "grids", .min = 1,
           .max = MESH_MAX_SIDE),
    OPTION(PROBLEM, "run", "iterations", "N", "stop after N iterations (1000)",
           WHOLE(LANE.iterations, 1, 1e9)),
    OPTION(PROBLEM, "run", "tolerance", "X", "stop when the residual is at most X (1e-5); 0: never",
           REAL(LANE.tolerance, 0, DBL_MAX), .allowed = "a finite number, 0 or more"),
    OPTION(PROBLEM, "run", "residual", "NAME",
           "which residual is drawn and compared with the tolerance (blog)",
           CHOICE(LANE.measure, measure_names)),
    OPTION(RUN, NULL, "backend", "NAME", "the back end (auto: the first of --list that can run)",
           .set = set_backend, .list = list_backends, .yields_to = "compare"),
    KEY("run", "backend", .set = set_backend_list,
        .allowed = "auto, or a comma-separated list of hip, omp, threads, serial, each once"),
    OPTION(RUN, "run", "mapping", "NAME", "how arrays reach the device (unstructured)",
           CHOICE(LANE.engine.run.mapping, mapping_names)),
    OPTION(RUN, "run", "host-memory", "KIND",
           "host memory that structured mapping copies (pageable)",
           CHOICE(LANE.engine.run.host_memory, host_memory_names)),
    OPTION(RUN, "run", "schedule", "NAME",
           "classic, plain: 4 kernels; fused: 1; blocked: 1 per DEPTH iterations (classic)",
           .set = set_schedule,
           .allowed = "classic, fused, plain, blocked, or blocked:DEPTH with DEPTH 1 to 64",
           .list = list_schedules),
    OPTION(RUN, "run", "precision", "NAME",
           "precision of the iteration; mixed: correction in single (double)",
           CHOICE(LANE.engine.run.precision, precision_names)),
    OPTION(RUN, "run", "method", "NAME", "what an iteration does to U (jacobi)",
           CHOICE(LANE.engine.run.method, method_names)),
    OPTION(RUN, "run", "cycle", "B,A[,red-black]",
           "multigrid: smoothing steps before and after the coarser grids (1,1)", .set = set_cycle,
           .allowed = "B,A or B,A,red-black with 1 to 4 smoothing steps before and 0 to 4 after",
           .needs = "multigrid"),
    OPTION(RUN, "run", "omega", "X",
           "relaxation factor (1; sor: optimal; multigrid: 0.8, red-black 1)",
           REAL(LANE.engine.run.omega, OMEGA_MIN, OMEGA_MAX),
           .allowed = "a number above 0 and below 2"),
    OPTION(RUN, "run", "device", "N", "which device of the back end (0)",
           WHOLE(LANE.engine.run.device, 0, 255),
           .allowed = "a whole number, 0 to 255, as --list shows it", .yields_to = "devices"),
    OPTION(RUN, "run", "devices", "A,B[,…]", "several devices, a slab of rows each: 0,1 or all",
           .set = set_devices,
           .allowed = "comma-separated devices as --list shows them, 16 at most, or all"),
    OPTION(RUN, "run", "compare", "A,B[,C[,D]]",
           "runs in lockstep, each " LANE_SYNTAX " (@N: on N devices) or FILE.rec[:RUN]",
           .set = set_compare, AT(compare), .generated = "lanes",
           .allowed =
               "2 to 4 comma-separated runs, each " LANE_SYNTAX " or a recording FILE.rec[:RUN]"),
    OPTION(RUN, "run", "race", "BY", "what runs share: iterations (lockstep) or time",
           CHOICE(plan.race, race_names), .needs = "--compare"),
    KEY("run", "speed", WHOLE(plan.iterations_per_second, 0, RUN_SPEED_MAX),
        .allowed = "iterations per second, 0 to 1000000 (0: as fast as possible)"),
    KEY("run", "paused", YES_NO(plan.paused)),
    OPTION(RUN, NULL, "on", "COMMAND", "run the solver through COMMAND: 'ssh gpu1', 'mpirun -n 4'",
           TEXT(on), .allowed = "a shell command that runs what follows it, such as 'ssh gpu1'"),
    OPTION(RUN, NULL, "serve", NULL, "serve --on: no screen, samples as lines", FLAG(serve, true)),
    OPTION(RUN, NULL, "alone", NULL,
           "ignore a launcher's variables: this process is a run of its own", FLAG(alone, true)),
    OPTION(RUN, NULL, "kernels", "DIR",
           "run kernels of your own, beside the program's: DIR/*.c or DIR/*.hip", PATH(kernels),
           .allowed = "a folder with C or .hip files"),
    OPTION(TUNING, "tuning", "threads", "N", "CPU threads of `threads` (one per core)",
           WHOLE(LANE.engine.run.tuning.threads, 1, 1024), .needs = "back end threads"),
    OPTION(TUNING, "tuning", "block", "N", "HIP threads per block (autotuned; the blog: 256)",
           POWER_OF_TWO(LANE.engine.run.tuning.block, 32, 1024), .needs = "back end hip"),
    OPTION(TUNING, "tuning", "norm-block", "N",
           "HIP threads per block of Norm (autotuned; the blog: 512)",
           POWER_OF_TWO(LANE.engine.run.tuning.norm_block, 32, 1024), .needs = "back end hip"),
    OPTION(TUNING, "tuning", "norm-blocks", "N",
           "blocks or teams of Norm (autotuned; the blog: 256)",
           WHOLE(LANE.engine.run.tuning.norm_blocks, 1, 65535), .needs = "back end hip or omp"),
    OPTION(TUNING, "tuning", "fused-blocks", "N",
           "blocks or teams of Fused per multiprocessor (autotuned)",
           WHOLE(LANE.engine.run.tuning.fused_blocks, 1, 32), .needs = "back end hip or omp"),
    OPTION(TUNING, "tuning", "blocked-blocks", "N",
           "HIP blocks of Blocked per multiprocessor (autotuned)",
           WHOLE(LANE.engine.run.tuning.blocked_blocks, 1, 32), .needs = "back end hip"),
    OPTION(TUNING, NULL, "no-events", NULL,
           "time only the whole loop, to see the overhead of events",
           FLAG(LANE.engine.without_events, true)),
    OPTION(OUTPUT, NULL, "headless", NULL, "no screen (also if standard output is not a terminal)",
           FLAG(headless, true)),
    OPTION(OUTPUT, NULL, "format", "NAME", "format of the report (table); implies --headless",
           .set = set_format, AT(format), .names = format_names),
    OPTION(OUTPUT, NULL, "roof", NULL,
           "measure the device's peak first, to report a headless run's bottleneck",
           FLAG(probes_roof, true)),
    OPTION(OUTPUT, NULL, "sweep", NULL,
           "begin a headless run by timing iterations with each block size or count (GPU)",
           FLAG(scans_tuning, true)),
    OPTION(OUTPUT, NULL, "record", "FILE", "record the run", PATH(record),
           .allowed = "a file name"),
    OPTION(OUTPUT, "run", "replay", "FILE", "show a recorded run", PATH(replay),
           .allowed = "a file name", .generated = "recordings"),
    OPTION(OUTPUT, NULL, "follow", NULL, "follow a recording that is still being written",
           FLAG(follow, true)),
    OPTION(OUTPUT, NULL, "speed", "X", "speed of the replay (1: as recorded)",
           REAL(replay_speed, 0.01, 1000), .allowed = "a number, 0.01 to 1000",
           .needs = "--replay"),
    OPTION(OUTPUT, NULL, "at", "WHEN",
           "where the replay begins or the picture is taken: seconds or N%", .set = set_at,
           .allowed = "seconds, or a percentage such as 40%", .needs = "--replay"),
    OPTION(OUTPUT, NULL, "screenshot", "FILE", "save a picture: .svg, .png, .txt or .ans",
           .set = set_picture_path, AT(screenshot),
           .allowed = "a file name that ends in .svg, .png, .txt or .ans"),
    OPTION(OUTPUT, NULL, "size", "COLSxROWS", "size of the picture (120x40)", .set = set_size,
           .allowed = "COLSxROWS, each 1 to 500", .min = 1, .max = 500,
           .needs = "--screenshot or --cast"),
    OPTION(OUTPUT, NULL, "cast", "FILE", "save a screencast (asciicast), with a marker per chapter",
           PATH(cast), .allowed = "a file name"),
    OPTION(OUTPUT, NULL, "worksheet", "FILE",
           "write the tour's questions, answers, figures; --headless: a blank sheet",
           PATH(worksheet), .allowed = "a file name"),
    OPTION(OUTPUT, NULL, "overwrite", NULL, "overwrite existing files", FLAG(overwrite, true)),
    OPTION(SCREEN, "view", "fps", "N", "frames per second at most (30)", WHOLE(plan.fps, 1, 120)),
    OPTION(SCREEN, "view", "colors", "N", "colours that the terminal can show (auto)",
           CHOICE(view.terminal.colors, color_names)),
    OPTION(SCREEN, "view", "colormap", "NAME", "colour map of the field (viridis)",
           CHOICE(view.colormap, colormap_names)),
    OPTION(SCREEN, "view", "theme", "NAME", "colours of everything else (auto)",
           CHOICE(view.terminal.theme, theme_names)),
    OPTION(SCREEN, "view", "pixels", "HOW",
           "the field in real pixels, if the terminal supports them (auto)",
           CHOICE(view.terminal.pixels, pixel_names)),
    OPTION(SCREEN, NULL, "ascii", NULL, "ASCII characters only", FLAG(view.terminal.ascii, true)),
    OPTION(SCREEN, NULL, "no-mouse", NULL, "leave the mouse to the terminal",
           FLAG(view.terminal.mouse, false)),
    OPTION(SCREEN, NULL, "exercise", "[NAME]", "solve an exercise; with --list: list them",
           .set = set_exercise, AT(exercise_name),
           .allowed = "an exercise's name, or a folder with one", .generated = "exercises"),
    OPTION(SCREEN, NULL, "tour", "[NAME]", "show a guided tour", .set = set_tour, AT(tour_name),
           .allowed = "a tour's name or file", .generated = "tours"),
    KEY("view", "layout", NAME(view.layout, layout_names)),
    KEY("view", "scale", CHOICE(view.scale, scale_names)),
    KEY("view", "field", CHOICE(view.kind, field_kind_names)),
    KEY("view", "zoom", .set = set_zoom,
        .allowed = "x0, x1, y0, y1: fractions of the grid, 0 <= x0 < x1 <= 1, 0 <= y0 < y1 <= 1"),
    KEY("view", "ascii", YES_NO(view.terminal.ascii)),
    KEY("view", "mouse", YES_NO(view.terminal.mouse)),
    OPTION(OTHER, NULL, "list", NULL, "list back ends, devices, presets and problems",
           ACTION(ACTION_LIST)),
    OPTION(OTHER, NULL, "doctor", NULL,
           "report what this machine has and lacks; as JSON with --format json",
           ACTION(ACTION_DOCTOR)),
    OPTION(OTHER, NULL, "help", NULL, "this text", ACTION(ACTION_HELP), .letter = 'h'),
    OPTION(OTHER, NULL, "version", NULL, "the program's version", ACTION(ACTION_VERSION),
           .letter = 'V'),
    OPTION(INTERNAL, NULL, "check", NULL,
           "compare a library of kernels with plain C, as descriptor 3 asks", FLAG(check, true)),
    OPTION(INTERNAL, NULL, "generate", "WHAT", "write documents made from this table",
           ACTION(ACTION_GENERATE), AT(generate), .names = generate_names),

    KEY("check", "launches", REAL(check_launches, DBL_MIN, DBL_MAX),
        .allowed = "a number above 0: kernels per iteration"),
    KEY("check", "copies", REAL(check_copies, 0, DBL_MAX),
        .allowed = "a number, 0 or more: doubles copied per unknown and iteration"),
    KEY("reference", "source", TEXT(reference.source), .allowed = "a string of at most 159 bytes"),
    KEY("reference", "beside", TEXT(reference.second_reference),
        .allowed = "a preset's name of at most 63 bytes"),
    KEY("reference", "ms-per-iteration", FIGURE(reference.ms_per_iteration)),
    KEY("reference", "structured-ms-per-iteration", FIGURE(reference.structured_ms)),
    KEY("reference", "gflops", FIGURE(reference.gflops)),
    KERNEL_KEYS("", FIGURE, kernel_ms),
    KEY("reference", "Fused", FIGURE(reference.kernel_ms[PHASE_FUSED])),
    KEY("reference", "Blocked", FIGURE(reference.kernel_ms[PHASE_BLOCKED])),
    KERNEL_KEYS("-percent", SHARE, kernel_percent),
    KERNEL_KEYS("-gbs", FIGURE, kernel_gbs),
    KEY("reference", "Fused-gbs", FIGURE(reference.kernel_gbs[PHASE_FUSED])),
    KEY("reference", "Blocked-gbs", FIGURE(reference.kernel_gbs[PHASE_BLOCKED])),

    KEY("machine", "device", TEXT(machine.device),
        .allowed = "a string of at most 95 bytes: part of a device's name, or its architecture"),
    KEY("machine", "bandwidth-gbs", FIGURE(machine.bandwidth_gbs)),
    KEY("machine", "gflops", FIGURE(machine.gflops)),
    {0},
};
