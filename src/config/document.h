/* Documents made from the settings table: --help, the man page's options, the completions. */
#ifndef JACOBI_CONFIG_DOCUMENT_H
#define JACOBI_CONFIG_DOCUMENT_H

#include <stdio.h>

void document_help(FILE *out);

/* "man-options" and "man-keys" (parts of the man page, in scdoc's language), "bash", "zsh",
 * "presets" (their names, one a line, for the completions). */
void document_generate(FILE *out, const char *what);

#endif
