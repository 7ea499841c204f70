/* A worksheet of a lesson, in Markdown that reads well as plain text: texts and questions, what was
 * answered and measured, and blanks for what was not. */
#ifndef JACOBI_TOUR_WORKSHEET_H
#define JACOBI_TOUR_WORKSHEET_H

#include "tour/lesson.h"

/* Writes it to `path` (file_write, with its statuses). A lesson of which nothing has been shown
 * makes a blank sheet, for a class to fill in. */
enum status worksheet_write(const char *path, bool replace, const struct lesson *lesson,
                            struct error *error);

/* The blank sheet of the tour that the configuration asks for. */
enum status worksheet_write_blank(const struct config *config, struct error *error);

#endif
