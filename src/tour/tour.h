/* Guided tours: scenes that are each a preset with a text. The format is in docs/tours.md. */
#ifndef JACOBI_TOUR_TOUR_H
#define JACOBI_TOUR_TOUR_H

#include <stdio.h>

#include "config/config.h"
#include "run/sample.h"
#include "run/source.h"
#include "tour/question.h"

enum { SCENE_SIZES_MAX = STUDY_MAX + 1 };
enum { TOUR_SCENES_MAX = 48, SCENE_TEXT_SIZE = 1600, SCENE_ASK_SIZE = 400, SCENE_HIDE_SIZE = 128 };

/* The lines of the file at which a scene's keys stand; 0: it has none. `source` is that of `replay`
 * or `compare`, or of the preset from which the scene has it. */
struct scene_lines {
    int ask, reveal, recording, panel, hide, recorded, source, export_as;
};

struct scene {
    char title[80];
    char text[SCENE_TEXT_SIZE];   /* paragraphs with a newline between */
    char ask[SCENE_ASK_SIZE];     /* to be predicted before the scene runs; "" for nothing */
    char reveal[SCENE_TEXT_SIZE]; /* shown once it does; may hold figures (metrics/template.h) */
    struct question question;
    char hide[SCENE_HIDE_SIZE]; /* panels hidden until it is answered; "": as usual */
    char recording[128];        /* replayed if the first back end can't run here; "" for none */
    char export_as[FIGURE_NAME_SIZE]; /* the name under which later scenes tell the answer; "": none
                                       */
    char panel[32];                   /* shown alone; "" for all */
    int size_count; /* grids on which the same runs side by side, smallest first; 0: just one */
    struct mesh sizes[SCENE_SIZES_MAX];
    struct config config; /* what runs: plan, view, reference */
    struct scene_lines lines;
};

struct tour {
    char title[80];
    char name[64];
    char path[PATH_SIZE];
    struct error
        warning; /* a figure that there is not: shown as it is written; STATUS_OK if none */
    int count;
    struct scene scenes[];
};

/* The tour's file (`name` itself if it has a '/' or ends in ".ini"; else tours/NAME.ini in the
 * user's configuration folder, then in the program's presets; "" is the built-in "blog") is read
 * and checked. Each scene begins from `base`'s terminal settings and the defaults of everything
 * else. STATUS_BAD_INPUT: "file:line: what is wrong, what is allowed". The caller frees *tour. */
enum status tour_load(const char *name, const struct config *base, struct tour **tour,
                      struct error *error);

/* The same from memory; `name` is what messages and the tour itself call it. */
enum status tour_parse(const void *bytes, size_t size, const char *name, const struct config *base,
                       struct tour **tour, struct error *error);

/* A tour that can be named. */
struct tour_entry {
    char name[64], title[80];
    int scenes;
    struct error error; /* why it can't be shown; status STATUS_OK if it can */
};

enum { TOURS_MAX = 16 };

/* Lists the tours in the user's configuration folder and in the program's presets, in alphabetical
 * order, each read and checked. Returns their number, at most TOURS_MAX; `entries` has room for so
 * many.
 */
int tour_entries(const struct config *base, struct tour_entry *entries);

/* How a scene can be shown here. */
enum scene_way {
    SCENE_LIVE,      /* its first back end runs */
    SCENE_RECORDED,  /* it does not, and there is a recording */
    SCENE_OTHERWISE, /* neither: the next back end of its list runs */
    SCENE_NEITHER,   /* nothing can be shown */
};

/* Asks the back ends there are where `source` runs (NULL: here): the first time this may take long.
 * `why` gets the reason if it is not SCENE_LIVE. */
enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why);

/* Whether every scene can be shown as it is written: STATUS_BAD_INPUT with "file:line: what, what
 * is allowed" for a panel or a figure that there is not, a recording that can't be read, an answer
 * without a question, a question without an answer. tour_load lets these pass, so that a
 * lecturer's tour of another version goes on working. `panels`, ended by NULL, are those that there
 * are. */
enum status tour_check(const struct tour *tour, const char *const *panels, struct error *error);

/* Checks the tour, and lists its scenes, a line each, with how they can be had here: for a lecturer
 * who checks a tour. */
enum status tour_list(const struct config *config, const char *const *panels, FILE *out,
                      struct error *error);

#endif
