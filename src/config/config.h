/* The configuration, from the command line, the preset and the settings file, resolved and checked.
 *
 * Later wins: defaults (config.c), the user's settings and the preset (preset.c),
 * the options (command_line.c), whatever their order on the command line. All options and keys are
 * rows of one table, settings.c, whose values values.c reads; generate.c prints the table. */
#ifndef JACOBI_CONFIG_CONFIG_H
#define JACOBI_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/paths.h"
#include "core/process.h"
#include "run/plan.h"
#include "solver/field_stats.h"

/* What to do. */
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

/* Real pixels: if the terminal reports them, by either protocol or by one; or never. */
enum pixel_mode { PIXELS_AUTO, PIXELS_KITTY, PIXELS_SIXEL, PIXELS_OFF };

enum theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_PROJECTOR };

enum field_scale { SCALE_LINEAR, SCALE_LOG };

/* How the terminal is used. */
struct terminal_settings {
    enum color_mode colors;
    enum theme theme;
    enum pixel_mode pixels;
    bool ascii, mouse;
};

extern const char layout_default[]; /* "standard" */

enum colormap { COLORMAP_VIRIDIS, COLORMAP_MAGMA, COLORMAP_CIVIDIS, COLORMAP_COUNT };
extern const char *const colormap_names[]; /* ended by NULL */

/* How the screen looks: [view] of a preset, and the options that go with it. */
struct view_settings {
    char layout[32]; /* layout_default unless asked for */
    enum colormap colormap;
    enum field_scale scale;
    enum field_kind kind;  /* what the field shows */
    double x0, x1, y0, y1; /* part of the field shown, fractions of the grid; 0 … 1 is all */
    struct terminal_settings terminal;
};

/* Published figures, shown beside the measured ones: [reference] of a preset. NaN if not given. */
struct reference {
    char source[160];        /* "" for none */
    int nx, ny;              /* the grid of the preset that holds them; 0 if not known */
    double ms_per_iteration; /* arrays resident */
    double structured_ms;    /* the same with the arrays mapped around each kernel */
    double gflops;
    double kernel_ms[PHASE_COUNT];
    double kernel_percent[PHASE_COUNT]; /* of all kernels */
    double kernel_gbs[PHASE_COUNT];
    char second_reference[64]; /* the preset whose reference is shown next to this one; "": none */
};

/* [machine] of a preset; NaN if it has to be measured. */
struct machine {
    char device[96]; /* the device that the figures are of: a part of its name, or the beginning
                        of its architecture; "": not said */
    double bandwidth_gbs, gflops;
};

enum { COMPARE_SIZE = 1024, TEACHES_SIZE = 512 };

struct config {
    enum action action;
    bool headless; /* asked for, or implied by --format */
    enum report_format format;
    bool probes_roof;  /* a headless run measures the peaks first, */
    bool scans_tuning; /* and with its first iterations each launch geometry */
    struct plan plan;
    char teaches[TEACHES_SIZE]; /* what the preset teaches */
    struct view_settings view;
    struct reference reference, second_reference;
    struct machine machine;
    char record[PATH_SIZE], replay[PATH_SIZE], screenshot[PATH_SIZE]; /* "" if not asked for */
    char cast[PATH_SIZE];
    bool follow;                   /* the replay's file still grows */
    bool overwrite;                /* overwrite existing files */
    double replay_speed;           /* 1: as recorded */
    double at_seconds, at_percent; /* where in a replay; NaN if not asked for */
    int screenshot_cols, screenshot_rows;
    char on[PATH_SIZE];      /* the command that reaches the solver's machine; "": none */
    bool serve;              /* be the other side of that */
    bool alone;              /* whatever a launcher's variables say */
    char kernels[PATH_SIZE]; /* the folder of the user's kernels; with `serve` their library; "" if
                                not asked for */
    double check_launches;   /* what their check allows per iteration: kernels, */
    double check_copies;     /* and doubles copied either way per unknown; NaN: anything */
    bool check;              /* be the process that checks a library of them */
    bool exercise;
    char exercise_name[PATH_SIZE]; /* "" for the first that is not solved */
    bool tour;
    char tour_name[PATH_SIZE]; /* "" for the built-in one */
    char worksheet[PATH_SIZE]; /* what a tour leaves; "" if not asked for */

    char compare[COMPARE_SIZE];       /* as typed; the plan's lanes are made from it at the end */
    char warning[ERROR_MESSAGE_SIZE]; /* to be shown: a broken settings file, idle options */
    char generate[16];                /* what ACTION_GENERATE writes */
    uint64_t given[2];                /* the settings given as options: config_is_set */
    bool is_bare;                     /* only the look of the screen was asked for */
    char command[512];                /* as typed, sanitised */
};

/* Everything at its default: blog at 4096², whichever back end can run. */
void config_init(struct config *config);

/* The default demo, if nothing is asked for. The screen paces it. */
void config_demo_plan(struct config *config);

/* Makes a checked configuration from the command line, the settings file and the preset.
 * STATUS_BAD_INPUT: what is wrong, and what is allowed. `config` need not be initialised. */
enum status config_from_command_line(struct config *config, int argc, char *const argv[],
                                     struct error *error);

/* Whether the command line has the option `option`, named as in the settings table: "grid". */
bool config_is_set(const struct config *config, const char *option);

/* Adds to config->warning those of `options` (names of the settings table, ended by NULL; NULL: all
 * that change the run) that the command line has, for they have no effect `when`: "without
 * --replay".
 */
void config_warn_idle(struct config *config, const char *const options[], const char *when);

/* STATUS_BAD_INPUT: a launcher has started the screen as one of several processes. The message
 * shows the command to use, with the launcher in --on. */
enum status config_refuse_launcher(const struct config *config, const struct launch *launch,
                                   struct error *error);

/* Makes the plan's lanes from `compare` (one lane if it is ""); lane 0 supplies what an entry
 * leaves out. An entry that names a file or an installed recording is a recorded lane, not opened
 * yet. */
enum status config_make_lanes(struct config *config, struct error *error);

/* ---- Presets: INI files of settings, each opening with what it teaches. */

/* Reads a file of settings into `config`, but for those that were given as options; if `section` is
 * not NULL, the file may hold only that section. STATUS_BAD_INPUT: "file:line: what is wrong, what
 * is allowed"; `config` is then as it was. */
enum status preset_read(const char *path, const char *section, struct config *config,
                        struct error *error);

/* The same from memory, unless `bytes` is NULL. */
enum status preset_parse(const void *bytes, size_t size, const char *path, const char *section,
                         struct config *config, struct error *error);

/* Finds and reads the preset: the file `name` if it has a '/' or ends in ".ini", else NAME.ini in
 * the user's configuration folder, then in the program's own presets. The plan then carries its
 * name. STATUS_BAD_INPUT, with the names there are, if there is no such file. On failure `config`
 * is as it was. */
enum status preset_load(const char *name, struct config *config, struct error *error);

struct preset {
    char name[64];
    char teaches[TEACHES_SIZE]; /* its opening comment */
    struct error error;         /* why it can't be used; status STATUS_OK if it can */
};

enum { PRESETS_MAX = 64 };

/* All presets that can be named, in alphabetical order, each read to see whether it can be used.
 * Returns their number, at most PRESETS_MAX; `presets` has room for so many. */
int preset_list(struct preset *presets);

/* ---- The saved settings: [view] of a preset, in settings.ini in the user's configuration folder.
 */

/* Loads the saved settings, if any. A broken file is ignored with a config->warning. */
void user_settings_load(struct config *config);

/* Saves config->view and the frames per second, replacing the whole file. STATUS_BAD_INPUT if the
 * file there is broken: it stays. STATUS_INTERNAL if it can't be written. */
enum status user_settings_save(const struct config *config, struct error *error);

/* ---- The environment */

/* STATUS_BAD_INPUT, with what is allowed, if an environment variable would make the OpenMP runtime
 * end the process or hang. Call it before probing back ends. */
enum status environment_check(struct error *error);

#endif
