/* What the user saves: how the screen looks, [view] of a preset, in settings.ini in the XDG
 * configuration folder. */
#ifndef JACOBI_CONFIG_SAVED_H
#define JACOBI_CONFIG_SAVED_H

#include "config/config.h"

/* Takes the saved settings over, if there are any. A file that is broken is left alone and told of
 * in config->notice. */
void saved_load(struct config *config);

/* Saves config->view and the pictures a second. The file is replaced as a whole or not at all, and
 * never where it is broken: then STATUS_BAD_INPUT says what is wrong with it. STATUS_INTERNAL where
 * it can't be written. */
enum status saved_save(const struct config *config, struct error *error);

#endif
