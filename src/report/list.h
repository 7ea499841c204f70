/* --list: back ends with state and reason, devices, presets, problems. */
#ifndef JACOBI_REPORT_LIST_H
#define JACOBI_REPORT_LIST_H

#include <stdio.h>

#include "core/status.h"

void list_text(FILE *out);

/* One object. STATUS_INTERNAL where there is no memory. */
enum status list_json(FILE *out, struct error *error);

#endif
