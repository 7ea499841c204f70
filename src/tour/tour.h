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

/* The line numbers of a scene's keys; 0: not given. `source` is the line of `replay`, `compare` or
 * the preset that names one. */
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
    char export_as[FIGURE_NAME_SIZE]; /* the answer's name in later scenes; "": none */
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
    struct error warning; /* an unknown figure, which is shown as written; STATUS_OK: none */
    int count;
    struct scene scenes[];
};

/* Reads the tour `name`: a file if it has a '/' or ends in ".ini", else tours/NAME.ini of the user
 * or of the program; "" is "blog". Each scene starts from `base`'s terminal settings and the
 * defaults. STATUS_BAD_INPUT: "file:line: what is wrong, what is allowed". The caller frees *tour.
 */
enum status tour_load(const char *name, const struct config *base, struct tour **tour,
                      struct error *error);

/* The same from memory; `name` is the tour's name and path. */
enum status tour_parse(const void *bytes, size_t size, const char *name, const struct config *base,
                       struct tour **tour, struct error *error);

/* A tour that can be named. */
struct tour_entry {
    char name[64], title[80];
    int scenes;
    struct error error; /* why it can't be shown; status STATUS_OK if it can */
};

enum { TOURS_MAX = 16 };

/* Lists the user's and the program's tours, in alphabetical order, each read and checked. Returns
 * their number; `entries` has room for TOURS_MAX. */
int tour_entries(const struct config *base, struct tour_entry *entries);

/* How a scene can be shown here. */
enum scene_way {
    SCENE_LIVE,      /* its first back end runs */
    SCENE_RECORDED,  /* it does not, and there is a recording */
    SCENE_OTHERWISE, /* neither: the next back end of its list runs */
    SCENE_NEITHER,   /* nothing can be shown */
};

/* Asks the back ends where `source` runs (NULL: here), which may take long the first time. `why` is
 * the reason if the scene is not SCENE_LIVE. */
enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why);

/* Whether every scene can be shown as written. STATUS_BAD_INPUT, "file:line: what is wrong, what is
 * allowed", for unknown panels or figures, unreadable recordings, and questions or answers without
 * the other. tour_load accepts these, so that tours of other versions keep working. `panels` lists
 * the panels, ended by NULL. */
enum status tour_check(const struct tour *tour, const char *const *panels, struct error *error);

/* Checks the tour, and lists its scenes with how each can be shown here. */
enum status tour_list(const struct config *config, const char *const *panels, FILE *out,
                      struct error *error);

#endif
