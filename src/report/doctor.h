/* --doctor, for bug reports: the things that a run needs or can use, whether they are present, and
 * what to do if not. The report examines back ends, files and folders; the screen examines the
 * terminal. */
#pragma once

#include <stdatomic.h>
#include <stdio.h>

#include "config/config.h"

struct finding {
    char part[16]; /* "back end", "library", "terminal" */
    char name[32]; /* "hip", "NVIDIA's driver" */
    bool is_there;
    char what[512];   /* its location, or the names that were tried and why each failed */
    char advice[192]; /* "" if it is present or nothing can be done */
};

enum { FINDINGS_MAX = 32 };

/* What a back end reports of this machine. */
struct probed {
    bool is_available;
    struct error reason; /* if it is not */
    struct device_list devices;
};

struct examination {
    atomic_bool is_complete;                /* a child process has finished its part */
    struct probed probed[LANE_CHOICES_MAX]; /* by back end; for --list only */
    struct error refusal;                   /* why no run is possible; STATUS_OK if one is */
    int count;
    struct finding findings[FINDINGS_MAX];
};

/* Adds a finding, with a formatted `what`. The advice, or NULL, is for a missing item. At most
 * FINDINGS_MAX are kept. */
void examination_add(struct examination *examination, const char *part, const char *name,
                     bool is_there, const char *advice, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* --list: back ends with state and reason, devices, presets, problems; as text, or as one JSON
 * object. `probed` has an element for each of `backends`. */
enum status list_text(FILE *out, const struct probed *probed);
enum status list_json(FILE *out, const struct probed *probed, struct error *error);

/* --list and --doctor, for this machine or the one that config->on reaches. Of several processes
 * only the first writes. `examine_screen` adds findings about the screen and the terminal. */
enum status machine_describe(FILE *out, const struct config *config,
                             void (*examine_screen)(const struct config *config,
                                                    struct examination *examination),
                             struct error *error);
