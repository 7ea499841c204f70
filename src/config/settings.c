#include "config/settings.h"

#include <float.h>
#include <string.h>

#include "config/values.h"
#include "core/text.h"

static const char *const format_names[] = {"table", "json", "jsonl", "csv", NULL};
static const char *const color_names[] = {"auto", "direct", "256", "16", "8", "mono", NULL};
static const char *const theme_names[] = {"auto", "dark", "light", "projector", NULL};
static const char *const pixel_names[] = {"auto", "kitty", "sixel", "off", NULL};
static const char *const colormap_names[] = {"viridis", "magma", "cividis", NULL};
/* The panels' names (ui/panels/panels.c), and all of them beside each other. */
static const char *const layout_names[] = {
    layout_default, "field",  "residual", "timing",  "timeline", "roofline", "table",
    "mesh",         "levels", "stencil",  "lane",    "effort",   "devices",  "sweep",
    "explain",      "costs",  "race",     "verdict", NULL};
static const char *const scale_names[] = {"linear", "log", NULL};
static const char *const quantity_names[] = {"U", "residual", "sign", "error", NULL};
static const char *const race_names[] = {"iterations", "time", NULL};
static const char *const yes_no_names[] = {"no", "yes", NULL};
static const char *const generate_names[] = {"man-options", "man-keys", "bash",       "zsh",
                                             "fish",        "presets",  "recordings", "tours",
                                             "lanes",       "grids",    "exercises",  NULL};

#define IN_CONFIG(member)                                                                          \
    .offset = offsetof(struct config, member), .size = sizeof(((struct config *)0)->member)
#define IN_LANE(member) IN_CONFIG(plan.lanes[0].member)
#define YES_NO .names = yes_no_names, .set = set_yes_no
#define POSITIVE .allowed = "a number above 0", .min = DBL_MIN, .max = DBL_MAX, .set = set_real
/* Keys that are no options: a figure above 0, and a text. */
#define FIGURE(part, key, member)                                                                  \
    {.name = key, .section = part, .group = SETTING_KEY_ONLY, IN_CONFIG(member), POSITIVE}
#define TEXT(part, key, what, member)                                                              \
    {.name = key,                                                                                  \
     .section = part,                                                                              \
     .group = SETTING_KEY_ONLY,                                                                    \
     .allowed = what,                                                                              \
     .set = set_text,                                                                              \
     IN_CONFIG(member)}

const struct setting settings[] = {
    {.name = "preset",
     .group = SETTING_PROBLEM,
     .argument = "NAME|FILE",
     .help = "start from a preset; options win over it",
     .generated = "presets"},
    {.name = "problem",
     .section = "run",
     .group = SETTING_PROBLEM,
     .argument = "NAME",
     .help = "what to solve (--list describes them)",
     .list = list_problems,
     .set = set_problem},
    {.name = "grid",
     .section = "run",
     .group = SETTING_PROBLEM,
     .argument = "N|NxNY",
     .allowed = "N or NxNY, each 1 to 65536",
     .help = "interior unknowns in x and y (4096)",
     .generated = "grids",
     .set = set_grid,
     .min = 1,
     .max = MESH_MAX_SIDE},
    {.name = "iterations",
     .section = "run",
     .group = SETTING_PROBLEM,
     .argument = "N",
     .allowed = "a whole number, 1 to 1000000000",
     .help = "stop after N iterations (1000)",
     .set = set_long,
     IN_LANE(iterations),
     .min = 1,
     .max = 1e9},
    {.name = "tolerance",
     .section = "run",
     .group = SETTING_PROBLEM,
     .argument = "X",
     .allowed = "a finite number, 0 or more",
     .help = "stop when the residual is not above X (1e-5); 0: never",
     .set = set_real,
     IN_LANE(tolerance),
     .max = DBL_MAX},
    {.name = "residual",
     .section = "run",
     .group = SETTING_PROBLEM,
     .argument = "NAME",
     .help = "which residual is drawn and held against the tolerance (blog)",
     .names = measure_names,
     .set = set_choice,
     IN_LANE(measure)},

    {.name = "backend",
     .group = SETTING_RUN,
     .argument = "NAME",
     .help = "what computes (auto: the first of --list that can run)",
     .list = list_backends,
     .set = set_backend},
    {.name = "backend",
     .section = "run",
     .group = SETTING_KEY_ONLY,
     .allowed = "auto, or a comma-separated list of hip, omp, threads, serial, each once",
     .set = set_backend_list},
    {.name = "mapping",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "NAME",
     .help = "how arrays reach the device (unstructured)",
     .list = list_mappings,
     .set = set_mapping},
    {.name = "host-memory",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "KIND",
     .help = "what structured mapping copies from (pageable)",
     .names = host_memory_names,
     .set = set_choice,
     IN_LANE(engine.host_memory)},
    {.name = "schedule",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "NAME",
     .allowed = "classic, fused, plain, blocked, or blocked:DEPTH with DEPTH 1 to 64",
     .help = "four kernels (plain: untuned), one, DEPTH iterations per pass (classic)",
     .list = list_schedules,
     .set = set_schedule},
    {.name = "method",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "NAME",
     .help = "what an iteration does to U (jacobi)",
     .names = method_names,
     .set = set_choice,
     IN_LANE(engine.method)},
    {.name = "cycle",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "B,A[,red-black]",
     .allowed = "B,A or B,A,red-black with 1 to 4 smoothing steps before and 0 to 4 after",
     .help = "multigrid: smoothing steps before and after the coarser grids (1,1)",
     .set = set_cycle},
    {.name = "omega",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "X",
     .allowed = "a number above 0 and below 2",
     .help = "each step goes X times as far (1; sor: optimal, multigrid: 0.8)",
     .set = set_omega,
     .min = OMEGA_MIN,
     .max = OMEGA_MAX},
    {.name = "device",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "N",
     .allowed = "a whole number, 0 to 255, as --list shows it",
     .help = "which device of the back end (0)",
     .set = set_int,
     IN_LANE(engine.device),
     .max = 255},
    {.name = "devices",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "A,B[,…]",
     .allowed = "comma-separated devices as --list shows them, 16 at most, or all",
     .help = "several devices, a slab of rows each: 0,1 or all",
     .set = set_devices},
    {.name = "compare",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "A,B[,C[,D]]",
     .allowed = "2 to 4 comma-separated lanes, each "
                "BACKEND[@N][/MAPPING[/SCHEDULE]][+METHOD][+cycle=B:A][+omega=X][+pinned] or a "
                "recording FILE.rec[:LANE]",
     .help = "lanes in lockstep, each "
             "BACKEND[@N][/MAPPING[/SCHEDULE]][+METHOD][+cycle=B:A][+omega=X][+pinned] (@N: on N "
             "devices) or "
             "FILE.rec[:LANE]",
     .generated = "lanes",
     .set = set_compare,
     IN_CONFIG(compare)},
    {.name = "race",
     .section = "run",
     .group = SETTING_RUN,
     .argument = "BY",
     .help = "what lanes share: iterations (lockstep) or time",
     .names = race_names,
     .set = set_choice,
     IN_CONFIG(plan.race)},
    {.name = "speed",
     .section = "run",
     .group = SETTING_KEY_ONLY,
     .allowed = "iterations per second, 0 to 1000000 (0: as fast as possible)",
     .set = set_int,
     IN_CONFIG(plan.speed),
     .max = 1000000},
    {.name = "paused", .section = "run", .group = SETTING_KEY_ONLY, YES_NO, IN_CONFIG(plan.paused)},

    {.name = "on",
     .group = SETTING_RUN,
     .argument = "COMMAND",
     .allowed = "a shell command that runs what follows it, such as 'ssh gpu1'",
     .help = "run where COMMAND takes it: 'ssh gpu1', 'mpirun -n 4'",
     .set = set_text,
     IN_CONFIG(on)},
    {.name = "serve",
     .group = SETTING_RUN,
     .help = "be the other side of --on: no screen, samples as lines",
     .set = set_true,
     IN_CONFIG(serve)},

    {.name = "kernels",
     .group = SETTING_RUN,
     .argument = "DIR",
     .allowed = "a folder with C or .hip files",
     .help = "run kernels of your own, beside the program's: DIR/*.c or DIR/*.hip",
     .set = set_path,
     IN_CONFIG(kernels)},

    {.name = "threads",
     .section = "tuning",
     .group = SETTING_TUNING,
     .argument = "N",
     .allowed = "a whole number, 1 to 1024",
     .help = "CPU threads of `threads` (one per core)",
     .set = set_int,
     IN_LANE(engine.tuning.threads),
     .min = 1,
     .max = 1024},
    {.name = "block",
     .section = "tuning",
     .group = SETTING_TUNING,
     .argument = "N",
     .allowed = "a power of two, 32 to 1024",
     .help = "GPU threads per block (a trial's best; the blog: 256)",
     .set = set_power_of_two,
     IN_LANE(engine.tuning.block),
     .min = 32,
     .max = 1024},
    {.name = "norm-block",
     .section = "tuning",
     .group = SETTING_TUNING,
     .argument = "N",
     .allowed = "a power of two, 32 to 1024",
     .help = "GPU threads per block of Norm (a trial's best; 512)",
     .set = set_power_of_two,
     IN_LANE(engine.tuning.norm_block),
     .min = 32,
     .max = 1024},
    {.name = "norm-blocks",
     .section = "tuning",
     .group = SETTING_TUNING,
     .argument = "N",
     .allowed = "a whole number, 1 to 65535",
     .help = "blocks of Norm (a trial's best; the blog: 256)",
     .set = set_int,
     IN_LANE(engine.tuning.norm_blocks),
     .min = 1,
     .max = 65535},
    {.name = "fused-blocks",
     .section = "tuning",
     .group = SETTING_TUNING,
     .argument = "N",
     .allowed = "a whole number, 1 to 32",
     .help = "GPU blocks of Fused per multiprocessor (a trial's best)",
     .set = set_int,
     IN_LANE(engine.tuning.fused_blocks),
     .min = 1,
     .max = 32},
    {.name = "no-events",
     .group = SETTING_TUNING,
     .help = "time only the whole loop, to see what measuring costs",
     .set = set_true,
     IN_LANE(engine.without_events)},

    {.name = "headless",
     .group = SETTING_OUTPUT,
     .help = "no screen (also if standard output is not a terminal)",
     .set = set_true,
     IN_CONFIG(headless)},
    {.name = "format",
     .group = SETTING_OUTPUT,
     .argument = "NAME",
     .help = "format of the report (table); implies --headless",
     .names = format_names,
     .set = set_format,
     IN_CONFIG(format)},
    {.name = "roof",
     .group = SETTING_OUTPUT,
     .help = "measure the device's roof first, to say what wall a headless run stands at",
     .set = set_true,
     IN_CONFIG(probes_roof)},
    {.name = "sweep",
     .group = SETTING_OUTPUT,
     .help = "begin a headless run with some iterations of each block size (hip), and report their "
             "times",
     .set = set_true,
     IN_CONFIG(sweeps)},
    {.name = "record",
     .group = SETTING_OUTPUT,
     .argument = "FILE",
     .allowed = "a file name",
     .help = "record the run",
     .set = set_path,
     IN_CONFIG(record)},
    {.name = "replay",
     .section = "run",
     .group = SETTING_OUTPUT,
     .argument = "FILE",
     .allowed = "a file name",
     .help = "show a recorded run",
     .generated = "recordings",
     .set = set_path,
     IN_CONFIG(replay)},
    {.name = "follow",
     .group = SETTING_OUTPUT,
     .help = "the replayed recording still grows: show what comes to it",
     .set = set_true,
     IN_CONFIG(follow)},
    {.name = "speed",
     .group = SETTING_OUTPUT,
     .argument = "X",
     .allowed = "a number, 0.01 to 1000",
     .help = "speed of the replay (1: as recorded)",
     .set = set_real,
     IN_CONFIG(replay_speed),
     .min = 0.01,
     .max = 1000},
    {.name = "at",
     .group = SETTING_OUTPUT,
     .argument = "WHEN",
     .allowed = "seconds, or a percentage as in 40%",
     .help = "when to begin the replay or take the picture: seconds or N%",
     .set = set_at},
    {.name = "screenshot",
     .group = SETTING_OUTPUT,
     .argument = "FILE",
     .allowed = "a file name that ends in .svg, .png, .txt or .ans",
     .help = "save a picture: .svg, .png, .txt or .ans",
     .set = set_picture_path,
     IN_CONFIG(screenshot)},
    {.name = "size",
     .group = SETTING_OUTPUT,
     .argument = "COLSxROWS",
     .allowed = "COLSxROWS, each 1 to 500",
     .help = "size of the picture (120x40)",
     .set = set_size,
     .min = 1,
     .max = 500},
    {.name = "cast",
     .group = SETTING_OUTPUT,
     .argument = "FILE",
     .allowed = "a file name",
     .help = "save a screencast (asciicast), with a marker per chapter",
     .set = set_path,
     IN_CONFIG(cast)},
    {.name = "worksheet",
     .group = SETTING_OUTPUT,
     .argument = "FILE",
     .allowed = "a file name",
     .help = "after a lesson: questions, answers, figures; --headless: blank",
     .set = set_path,
     IN_CONFIG(worksheet)},
    {.name = "overwrite",
     .group = SETTING_OUTPUT,
     .help = "what is written may replace a file",
     .set = set_true,
     IN_CONFIG(overwrite)},

    {.name = "fps",
     .section = "view",
     .group = SETTING_SCREEN,
     .argument = "N",
     .allowed = "a whole number, 1 to 120",
     .help = "frames per second at most (30)",
     .set = set_int,
     IN_CONFIG(plan.fps),
     .min = 1,
     .max = 120},
    {.name = "colors",
     .section = "view",
     .group = SETTING_SCREEN,
     .argument = "N",
     .help = "colours that the terminal can show (auto)",
     .names = color_names,
     .set = set_choice,
     IN_CONFIG(view.colors)},
    {.name = "colormap",
     .section = "view",
     .group = SETTING_SCREEN,
     .argument = "NAME",
     .help = "colour map of the field (viridis)",
     .names = colormap_names,
     .set = set_name,
     IN_CONFIG(view.colormap)},
    {.name = "theme",
     .section = "view",
     .group = SETTING_SCREEN,
     .argument = "NAME",
     .help = "colours of everything else (auto)",
     .names = theme_names,
     .set = set_choice,
     IN_CONFIG(view.theme)},
    {.name = "pixels",
     .section = "view",
     .group = SETTING_SCREEN,
     .argument = "HOW",
     .help = "the field in real pixels, if the terminal says that it has them (auto)",
     .names = pixel_names,
     .set = set_choice,
     IN_CONFIG(view.pixels)},
    {.name = "ascii",
     .group = SETTING_SCREEN,
     .help = "ASCII characters only",
     .set = set_true,
     IN_CONFIG(view.ascii)},
    {.name = "no-mouse",
     .group = SETTING_SCREEN,
     .help = "leave the mouse to the terminal",
     .set = set_false,
     IN_CONFIG(view.mouse)},
    {.name = "exercise",
     .group = SETTING_SCREEN,
     .argument = "[NAME]",
     .allowed = "an exercise's name, or a folder with one",
     .help = "solve an exercise; with --list: which there are",
     .generated = "exercises",
     .set = set_exercise,
     IN_CONFIG(exercise_name)},
    {.name = "tour",
     .group = SETTING_SCREEN,
     .argument = "[NAME]",
     .allowed = "a tour's name or file",
     .help = "show a guided tour",
     .generated = "tours",
     .set = set_tour,
     IN_CONFIG(tour_name)},
    {.name = "layout",
     .section = "view",
     .group = SETTING_KEY_ONLY,
     .names = layout_names,
     .set = set_name,
     IN_CONFIG(view.layout)},
    {.name = "scale",
     .section = "view",
     .group = SETTING_KEY_ONLY,
     .names = scale_names,
     .set = set_choice,
     IN_CONFIG(view.scale)},
    {.name = "field",
     .section = "view",
     .group = SETTING_KEY_ONLY,
     .names = quantity_names,
     .set = set_choice,
     IN_CONFIG(view.quantity)},
    {.name = "zoom",
     .section = "view",
     .group = SETTING_KEY_ONLY,
     .allowed = "x0, x1, y0, y1: fractions of the grid, 0 <= x0 < x1 <= 1, 0 <= y0 < y1 <= 1",
     .set = set_zoom},
    {.name = "ascii", .section = "view", .group = SETTING_KEY_ONLY, YES_NO, IN_CONFIG(view.ascii)},
    {.name = "mouse", .section = "view", .group = SETTING_KEY_ONLY, YES_NO, IN_CONFIG(view.mouse)},

    {.name = "list",
     .group = SETTING_OTHER,
     .help = "list back ends, devices, presets and problems",
     .set = set_action,
     .min = ACTION_LIST},
    {.name = "doctor",
     .group = SETTING_OTHER,
     .help = "say what is there and what is missing here; with --format json too",
     .set = set_action,
     .min = ACTION_DOCTOR},
    {.name = "help",
     .group = SETTING_OTHER,
     .letter = 'h',
     .help = "this text",
     .set = set_action,
     .min = ACTION_HELP},
    {.name = "version",
     .group = SETTING_OTHER,
     .letter = 'V',
     .help = "the program's version",
     .set = set_action,
     .min = ACTION_VERSION},
    {.name = "launches",
     .section = "check",
     .group = SETTING_INTERNAL,
     .argument = "N",
     .allowed = "a number above 0: kernels per iteration",
     .help = "an exercise's check allows so many kernels per iteration",
     .min = DBL_MIN,
     .max = DBL_MAX,
     .set = set_real,
     IN_CONFIG(check_launches)},
    {.name = "copies",
     .section = "check",
     .group = SETTING_INTERNAL,
     .argument = "X",
     .allowed = "a number, 0 or more: doubles copied per unknown and iteration",
     .help = "an exercise's check allows so many doubles copied per unknown and iteration",
     .max = DBL_MAX,
     .set = set_real,
     IN_CONFIG(check_copies)},
    {.name = "check",
     .group = SETTING_INTERNAL,
     .help = "compare the library of --kernels with plain C, into descriptor 3",
     .set = set_true,
     IN_CONFIG(check)},
    {.name = "generate",
     .group = SETTING_INTERNAL,
     .argument = "WHAT",
     .help = "write documents made from this table",
     .names = generate_names,
     .set = set_action,
     IN_CONFIG(generate),
     .min = ACTION_GENERATE},

    TEXT("reference", "source", "a text of at most 159 bytes", reference.source),
    TEXT("reference", "beside", "a preset's name of at most 63 bytes", reference.beside),
    FIGURE("reference", "ms-per-iteration", reference.ms_per_iteration),
    FIGURE("reference", "structured-ms-per-iteration", reference.structured_ms),
    FIGURE("reference", "gflops", reference.gflops),
    FIGURE("reference", "Laplacian", reference.kernel_ms[PHASE_LAPLACIAN]),
    FIGURE("reference", "BoundaryConditions", reference.kernel_ms[PHASE_BOUNDARY]),
    FIGURE("reference", "Update", reference.kernel_ms[PHASE_UPDATE]),
    FIGURE("reference", "Norm", reference.kernel_ms[PHASE_NORM]),
    FIGURE("reference", "Fused", reference.kernel_ms[PHASE_FUSED]),
    FIGURE("reference", "Blocked", reference.kernel_ms[PHASE_BLOCKED]),
    FIGURE("reference", "Laplacian-percent", reference.kernel_percent[PHASE_LAPLACIAN]),
    FIGURE("reference", "BoundaryConditions-percent", reference.kernel_percent[PHASE_BOUNDARY]),
    FIGURE("reference", "Update-percent", reference.kernel_percent[PHASE_UPDATE]),
    FIGURE("reference", "Norm-percent", reference.kernel_percent[PHASE_NORM]),
    FIGURE("reference", "Laplacian-gbs", reference.kernel_gbs[PHASE_LAPLACIAN]),
    FIGURE("reference", "BoundaryConditions-gbs", reference.kernel_gbs[PHASE_BOUNDARY]),
    FIGURE("reference", "Update-gbs", reference.kernel_gbs[PHASE_UPDATE]),
    FIGURE("reference", "Norm-gbs", reference.kernel_gbs[PHASE_NORM]),
    FIGURE("reference", "Fused-gbs", reference.kernel_gbs[PHASE_FUSED]),
    FIGURE("reference", "Blocked-gbs", reference.kernel_gbs[PHASE_BLOCKED]),

    TEXT("machine", "device",
         "a text of at most 95 bytes: part of a device's name, or its architecture",
         machine.device),
    FIGURE("machine", "bandwidth-gbs", machine.bandwidth_gbs),
    FIGURE("machine", "gflops", machine.gflops),
    {0},
};

bool setting_is_option(const struct setting *setting) {
    return setting->group != SETTING_KEY_ONLY;
}

bool setting_is_shown(const struct setting *setting) {
    return setting->group < SETTING_INTERNAL;
}

bool setting_argument_optional(const struct setting *setting) {
    return setting->argument && setting->argument[0] == '[';
}

/* Whether they are the same but for '-' and '_'. */
static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
            return false;
    return *a == *b;
}

const struct setting *setting_find_key(const char *section, const char *name) {
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && same_name(setting->name, name) &&
            same_name(setting->section, section))
            return setting;
    return NULL;
}

bool setting_section_exists(const char *section) {
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && same_name(setting->section, section))
            return true;
    return false;
}

void setting_words(const struct setting *setting, struct words *words) {
    words->count = 0;
    if (setting->list)
        setting->list(words);
    for (int n = 0; setting->names && setting->names[n]; n++)
        words->word[words->count++] = setting->names[n];
}

char *setting_allowed(const struct setting *setting, char *buffer, size_t size) {
    struct words words;
    buffer[0] = '\0';
    if (setting->allowed)
        return text_list(buffer, size, setting->allowed);
    setting_words(setting, &words);
    for (int w = 0; w < words.count; w++)
        text_list(buffer, size, words.word[w]);
    return buffer;
}

char *setting_keys(const char *section, char *buffer, size_t size) {
    buffer[0] = '\0';
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting->section)
            continue;
        /* Rows of one section mostly stand together: the first of them names it. */
        const struct setting *first = settings;
        while (!first->section || !same_name(first->section, setting->section))
            first++;
        if (section && same_name(setting->section, section))
            text_list(buffer, size, setting->name);
        else if (!section && first == setting)
            text_list(buffer, size, setting->section);
    }
    for (char *c = buffer; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return buffer;
}
