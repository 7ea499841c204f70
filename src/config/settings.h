/* The table of everything that an option, a preset's key, or both can set.
 *
 * getopt's array, --help, the man page, the completions and the preset reader are made from it. To
 * add an option or a key, add a row. */
#pragma once

#include <float.h>
#include <stdio.h>

#include "config/config.h"
#include "core/text.h"

/* Relaxation factor: above 0 and below 2. */
#define OMEGA_MIN DBL_MIN
#define OMEGA_MAX (2 - DBL_EPSILON)

/* A lane of --compare. */
#define LANE_SYNTAX                                                                                \
    "BACKEND[@N][/MAPPING[/SCHEDULE]][+METHOD][+cycle=B:A][+omega=X][+pinned][+PRECISION]"

/* Headings of --help, up to SETTING_OTHER; SETTING_KEY_ONLY is a preset's key without an option. */
enum setting_group {
    SETTING_PROBLEM,
    SETTING_RUN,
    SETTING_TUNING,
    SETTING_OUTPUT,
    SETTING_SCREEN,
    SETTING_OTHER,
    SETTING_INTERNAL, /* options that only the build and the program itself use */
    SETTING_KEY_ONLY
};

enum { WORDS_MAX = 64 };

/* Words that a value can be, or begin with. */
struct words {
    int count;
    const char *word[WORDS_MAX];
};

struct setting;
typedef bool setter(struct config *config, const struct setting *setting, const char *value);

struct setting {
    const char *name;    /* "norm-block": the option --norm-block, the key norm_block */
    const char *section; /* section of a preset file; NULL: an option only */
    enum setting_group group;
    char letter;          /* short option; 0: none */
    const char *argument; /* "N|NxNY"; "[NAME]" is optional; NULL: none */
    const char *allowed;  /* the values in words; NULL: use `words` */
    const char *help;

    /* The option is ignored, with a note, unless the run has one of the back ends, methods or
     * options in the text `needs`, and beside the option `yields_to`. NULL: never. */
    const char *needs, *yields_to;

    const char *generated; /* the --generate document that lists the values; NULL: none */

    const char *const *names;          /* the words, ended by NULL; NULL: none */
    void (*list)(struct words *words); /* lists the words instead; NULL: see `names` */

    /* Stores the value (NULL: there is none) in the configuration; false if it is not allowed. */
    setter *set;

    /* For the general setters: the value's location in struct config, and its bounds. */
    size_t offset, size;
    double min, max;
};

/* The table, ended by a row whose name is NULL. */
extern const struct setting settings[];

/* ---- Queries of the table (values.c). */

bool setting_is_option(const struct setting *setting);
bool setting_is_shown(const struct setting *setting); /* in --help */
bool setting_argument_optional(const struct setting *setting);

/* Finds the key `name` of `section`, or any if `name` is NULL; '_' equals '-'. NULL: none. */
const struct setting *setting_find_key(const char *section, const char *name);

/* Lists the completions of the value. */
void setting_words(const struct setting *setting, struct words *words);

/* Writes the allowed values, "auto, serial, threads, omp, hip"; cut at `size`. Returns `buffer`. */
char *setting_allowed(const struct setting *setting, char *buffer, size_t size);

/* Writes the names of a section's keys, or of all sections if it is NULL. Returns `buffer`. */
char *setting_keys(const char *section, char *buffer, size_t size);

/* ---- Setters into the configuration: `set` of struct setting. */

setter set_whole, set_real, set_choice, set_name, set_text, set_path, set_yes_no, set_flag,
    set_power_of_two;

/* For one row each. */
setter set_problem, set_grid, set_devices, set_backend, set_backend_list, set_schedule, set_cycle,
    set_compare, set_zoom, set_format, set_picture_path, set_at, set_size, set_tour, set_exercise,
    set_action;

/* ---- Lists of the words that a value can be: `list` of struct setting. */

void list_problems(struct words *words);
void list_backends(struct words *words); /* including "auto" */
void list_schedules(struct words *words);

/* ---- Documents made from the table (generate.c). */

void generate_help(FILE *out);

/* Prints a document. "options" is this table as JSON, from which docs/man/documents.py makes the
 * man page and the shells' completions. One per line: "presets", "tours", "recordings", "exercises"
 * (installed ones), "lanes" (of a comparison), "grids" (usual ones). */
void generate_document(FILE *out, const char *what);
