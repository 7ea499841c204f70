/* Shell completions made from the settings table. */
#ifndef JACOBI_CONFIG_COMPLETION_H
#define JACOBI_CONFIG_COMPLETION_H

#include <stdio.h>

void completion_bash(FILE *out);
void completion_zsh(FILE *out);

#endif
