/* The configuration: what command line, preset and settings ask for, resolved and checked. */
#ifndef JACOBI_CONFIG_CONFIG_H
#define JACOBI_CONFIG_CONFIG_H

#include <stdbool.h>

#include "session/plan.h"

/* What to do, in the order in which the command line decides it. */
enum action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_LIST };

enum report_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_JSONL, FORMAT_CSV };

enum color_mode { COLORS_AUTO, COLORS_DIRECT, COLORS_256, COLORS_16, COLORS_8, COLORS_MONO };

enum theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_PROJECTOR };

enum field_scale { SCALE_LINEAR, SCALE_LOG };

enum { PATH_SIZE = 1024 };

/* How the screen looks: [view] of a preset, and the options that go with it. */
struct view_settings {
    char layout[32];   /* "standard" */
    char colormap[32]; /* "viridis" */
    enum field_scale scale;
    double x0, x1, y0, y1; /* part of the field shown, fractions of the grid; 0 … 1 is all */
    enum color_mode colors;
    enum theme theme;
    bool ascii, mouse;
};

/* Figures to stand beside the measured ones: [reference] of a preset. NaN where not given. */
struct reference {
    char source[160];
    double ms_per_iteration;
    double kernel_ms[PHASE_COUNT];
    double kernel_gbs[PHASE_COUNT];
};

/* [machine] of a preset; NaN where it has to be measured. */
struct machine {
    double bandwidth_gbs, gflops;
};

struct config {
    enum action action;
    bool headless;
    enum report_format format;
    struct plan plan;
    char teaches[512]; /* what the preset teaches */
    struct view_settings view;
    struct reference reference;
    struct machine machine;
    char record[PATH_SIZE], replay[PATH_SIZE], screenshot[PATH_SIZE]; /* "" where not asked */
    double replay_speed;
    int screenshot_cols, screenshot_rows;
    bool tour;
    char tour_name[PATH_SIZE];
};

#endif
