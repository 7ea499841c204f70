/* --doctor: what a run needs or could use, whether it is here, and what to do if not, for bug
 * reports. The report adds findings about back ends, files and folders, the screen about the
 * terminal. */
#ifndef JACOBI_REPORT_DOCTOR_H
#define JACOBI_REPORT_DOCTOR_H

#include <stdatomic.h>
#include <stdio.h>

#include "config/config.h"

struct finding {
    char part[16]; /* "back end", "library", "terminal" */
    char name[32]; /* "hip", "NVIDIA's driver" */
    bool is_there;
    char what[512];   /* where it is, or which names were tried and why each was refused */
    char advice[192]; /* "" if it is there or nothing can be done */
};

enum { FINDINGS_MAX = 32 };

struct examination {
    atomic_bool is_complete; /* a child process has ended its part */
    struct error refusal;    /* why no run is possible at all; STATUS_OK if one is */
    int count;
    struct finding findings[FINDINGS_MAX];
};

/* Adds a finding, with `what` formatted; the advice, or NULL, is for a missing one. At most
 * FINDINGS_MAX are kept. */
void examination_add(struct examination *examination, const char *part, const char *name,
                     bool is_there, const char *advice, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* --list and --doctor: of this machine, or of the one that config->on reaches. Of several processes
 * the first alone writes. `examine_screen` adds what is found of the screen and the terminal. */
enum status machine_describe(FILE *out, const struct config *config,
                             void (*examine_screen)(const struct config *config,
                                                    struct examination *examination),
                             struct error *error);

#endif
