/* The configuration: command line, preset and settings file, combined and checked.
 *
 * Later sources override earlier ones: defaults (config.c), the user's settings and the preset
 * (preset.c), the options (command_line.c), in any order on the command line. All options and keys
 * are rows of one table, settings.c; values.c reads their values, and generate.c prints it. */
#pragma once

#include <stdbool.h>

#include "core/paths.h"
#include "core/process.h"
#include "run/plan.h"
#include "solver/field_stats.h"

enum action {
    ACTION_RUN,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST,
    ACTION_DOCTOR,
    ACTION_GENERATE
};

enum report_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_JSONL, FORMAT_CSV, FORMAT_MARKDOWN };

enum color_mode { COLORS_AUTO, COLORS_DIRECT, COLORS_256, COLORS_16, COLORS_8, COLORS_MONO };

/* Pixel graphics: with any protocol that the terminal reports, with only one, or never. */
enum pixel_mode { PIXELS_AUTO, PIXELS_KITTY, PIXELS_SIXEL, PIXELS_OFF };

enum theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_PROJECTOR };

enum field_scale { SCALE_LINEAR, SCALE_LOG };

struct terminal_settings {
    enum color_mode colors;
    enum theme theme;
    enum pixel_mode pixels;
    bool ascii, mouse;
};

extern const char layout_default[]; /* "standard" */

enum colormap { COLORMAP_VIRIDIS, COLORMAP_MAGMA, COLORMAP_CIVIDIS, COLORMAP_COUNT };
extern const char *const colormap_names[]; /* ended by NULL */
extern const char *const layout_names[];   /* ended by NULL */

/* The look of the screen: [view] of a preset, and the options that belong to it. */
struct view_settings {
    char layout[32]; /* layout_default unless given */
    enum colormap colormap;
    enum field_scale scale;
    enum field_kind kind;  /* the quantity that the field shows */
    double x0, x1, y0, y1; /* the visible part, as fractions of the grid; 0 … 1: all */
    struct terminal_settings terminal;
};

/* Published figures, shown beside the measured ones: [reference] of a preset. NaN: not given. */
struct reference {
    char source[160];        /* "": none */
    int nx, ny;              /* the grid of the preset that contains them; 0: unknown */
    double ms_per_iteration; /* with the arrays resident on the device */
    double structured_ms;    /* the same with the arrays mapped around each kernel */
    double gflops;
    double kernel_ms[PHASE_COUNT];
    double kernel_percent[PHASE_COUNT]; /* of the time of all kernels */
    double kernel_gbs[PHASE_COUNT];
    char second_reference[64]; /* the preset with the reference shown beside this one; "": none */
};

/* [machine] of a preset; NaN: to be measured. */
struct machine {
    char device[96]; /* the device of the figures: a part of its name, or the beginning of its
                        architecture; "": not given */
    double bandwidth_gbs, gflops;
};

enum { COMPARE_SIZE = 1024, TEACHES_SIZE = 512, SETTINGS_MAX = 128 };

struct config {
    enum action action;
    bool headless; /* requested, or implied by --format */
    enum report_format format;
    bool probes_roof;  /* a headless run first measures the peaks */
    bool scans_tuning; /* a headless run first times each launch geometry */
    struct plan plan;
    char teaches[TEACHES_SIZE]; /* the preset's lesson */
    struct view_settings view;
    struct reference reference, second_reference;
    struct machine machine;
    char record[PATH_SIZE], replay[PATH_SIZE], screenshot[PATH_SIZE]; /* "": not requested */
    char cast[PATH_SIZE];
    bool follow;                   /* the replay's file is still growing */
    bool overwrite;                /* overwrite existing files */
    double replay_speed;           /* 1: as recorded */
    double at_seconds, at_percent; /* position in a replay; NaN: not given */
    int screenshot_cols, screenshot_rows;
    char on[PATH_SIZE];      /* the command that reaches the solver's machine; "": none */
    bool serve;              /* run as the remote end of `on` */
    bool alone;              /* ignore a launcher's variables */
    char kernels[PATH_SIZE]; /* the folder of the user's kernels; with `serve`, their library; "":
                                none */
    double check_launches;   /* launches per iteration that the check allows; NaN: any */
    double check_copies;     /* same for doubles copied per unknown, both directions; NaN: any */
    bool check;              /* run as the process that checks a library of user kernels */
    bool exercise;
    char exercise_name[PATH_SIZE]; /* "": the first unsolved exercise */
    bool tour;
    char tour_name[PATH_SIZE]; /* "": the built-in tour */
    char worksheet[PATH_SIZE]; /* the output file of a tour; "": none */

    char compare[COMPARE_SIZE];       /* as typed; the plan's lanes are made from it last */
    char warning[ERROR_MESSAGE_SIZE]; /* for display: a damaged settings file, idle options */
    char generate[16];                /* the document that ACTION_GENERATE prints */
    bool given[SETTINGS_MAX];         /* by row of the settings table: as an option */
    bool is_bare;                     /* the options concern only the look of the screen */
    char command[512];                /* as typed, sanitised */
};

/* Sets all defaults: blog at 4096², on any back end that can run. */
void config_init(struct config *config);

/* Sets the plan of the default demo, for a start without options. The screen sets its pace. */
void config_demo_plan(struct config *config);

/* Makes a checked configuration from the command line, the settings file and the preset.
 * STATUS_BAD_INPUT, with the problem and the allowed values. `config` need not be initialised. */
enum status config_from_command_line(struct config *config, int argc, char *const argv[],
                                     struct error *error);

/* Checks that each output replaces neither another output nor a file that is read. Called again
 * when further files are known: the exercise's, and the `inputs` of each of a tour's scenes. */
enum status config_check_outputs(const struct config *config, const struct config *inputs,
                                 struct error *error);

/* Whether the command line has `option`, named as in the settings table. */
bool config_is_set(const struct config *config, const char *option);

/* Whether only recordings are requested: --replay, or --compare without computed lanes. */
bool config_is_replay(const struct config *config);

/* Adds to config->warning those of `options` that the command line has, because they have no effect
 * `when`: "without --replay". `options` are names of the settings table, ended by NULL; NULL: all
 * that change the run. */
void config_warn_idle(struct config *config, const char *const options[], const char *when);

/* Reports STATUS_BAD_INPUT: a launcher has started as one of several processes a run with a screen,
 * or one whose solver is another process. The message shows the command to use, if there is one
 * with the launcher in --on. */
enum status config_refuse_launcher(const struct config *config, const struct launch *launch,
                                   struct error *error);

/* Makes the plan's lanes from `compare` (one lane if it is ""); lane 0 supplies the parts that an
 * entry omits. An entry that names a file or an installed recording becomes a recorded lane, which
 * is not opened yet. */
enum status config_make_lanes(struct config *config, struct error *error);

/* ---- Presets: INI files of settings, each with its lesson as the opening comment. */

/* Reads a file of settings into `config`, except settings given as options. If `section` is not
 * NULL, the file may contain only that section. STATUS_BAD_INPUT: "file:line: problem, allowed
 * values"; `config` is then unchanged. */
enum status preset_read(const char *path, const char *section, struct config *config,
                        struct error *error);

/* Finds and reads the preset: the file `name` if it has a '/' or ends in ".ini", else NAME.ini in
 * the user's configuration folder, then in the program's own presets. Sets the plan's preset name.
 * STATUS_BAD_INPUT, with the available names, if there is no such file. On failure `config` is
 * unchanged. */
enum status preset_load(const char *name, struct config *config, struct error *error);

struct preset {
    char name[64];
    char teaches[TEACHES_SIZE]; /* the file's opening comment */
    struct error error;         /* the reason it can't be used; STATUS_OK if it can */
};

enum { PRESETS_MAX = 64 };

/* Lists all presets in alphabetical order, and reads each to check whether it can be used. Returns
 * their number, at most PRESETS_MAX, for which `presets` must have room. */
int preset_list(struct preset *presets);

/* ---- The saved settings: [view] of a preset, in the user's configuration folder, settings.ini. */

/* Loads the saved settings, if any. A damaged file is ignored, with a config->warning. */
void user_settings_load(struct config *config);

/* Saves config->view and the frames per second, replacing the whole file. STATUS_BAD_INPUT if the
 * existing file is damaged: it is kept. STATUS_INTERNAL if it can't be written. */
enum status user_settings_save(const struct config *config, struct error *error);

/* ---- The environment */

/* Checks the environment. STATUS_BAD_INPUT, with the allowed values, if a variable would make the
 * OpenMP runtime end the process or hang. Call it before probing back ends. */
enum status environment_check(struct error *error);
