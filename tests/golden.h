/* Golden screens: a grid compared with a text file that somebody has looked at.
 *
 * In it the pixels of a field stand as digits 0 … 9, a … v, their level; everything else as it is.
 * JACOBI_GOLDEN=update writes the files anew: look at the difference before you commit it.
 */
#ifndef JACOBI_TESTS_GOLDEN_H
#define JACOBI_TESTS_GOLDEN_H

#include "ui/draw/grid.h"

/* Fails the test where the grid differs from tests/golden/NAME.txt, and shows the first line that
 * does. */
void golden_check(const struct grid *grid, const char *name);

#endif
