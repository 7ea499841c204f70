/* The header of a recording: its first line, a JSON object about the run and its machine.
 *
 * It contains everything that the screen shows apart from the samples, so that a replay needs
 * neither the preset nor the machine of the recording. */
#pragma once

#include <stddef.h>

#include "config/config.h"

enum { RECORDING_VERSION = 1, HEADER_MAX_BYTES = 1 << 16 };

struct recording_header {
    char program_version[32];
    char date[32];                                 /* UTC, "2026-11-21T23:05:00Z" */
    char command[512];                             /* as typed */
    char device[96], driver[64], architecture[48]; /* of the first lane */
    char preset[64], teaches[512];
    struct view_settings view; /* only layout, colormap, scale and the displayed part are stored */
    struct reference reference, second_reference;
    struct machine machine;
};

/* Fills in the fields that come from the configuration, with the current date. */
void header_from_config(struct recording_header *header, const struct config *config);

/* Copies teaches, view, reference and machine of a recording into a configuration. Its preset and
 * the user's terminal settings (colours, theme, ASCII, mouse) are kept. */
void header_to_config(const struct recording_header *header, struct config *config);

/* Returns the line, with its newline; NULL if out of memory. The caller frees it. */
char *header_print(struct recording_header *header);

/* Parses the line at the start of `bytes`. Sets *line_size to its length with the newline.
 * STATUS_BAD_INPUT: the message is "byte N: what". All strings are sanitised. */
enum status header_parse(const char *bytes, size_t size, struct recording_header *header,
                         size_t *line_size, struct error *error);
