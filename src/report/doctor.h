/* --doctor: what a run needs and what it could use, which of it is here, and what to do about the
 * rest. Issue reporters paste it.
 *
 * An examination is a list of findings that several parts of the program add to: the report what it
 * knows of back ends, files and folders, the screen what it knows of the terminal. */
#ifndef JACOBI_REPORT_DOCTOR_H
#define JACOBI_REPORT_DOCTOR_H

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
    struct error refusal; /* why no run is possible at all; STATUS_OK if one is */
    int count;
    struct finding findings[FINDINGS_MAX];
};

/* Adds a finding, its `what` as printf has it; the advice, which may be NULL, counts only if it is
 * not there. What is too many is left out. */
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
