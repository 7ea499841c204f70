#include <string.h>

#include "kernels/cpu/strip.h"
#include "kernels/serial/serial.h"

/* Several iterations in one pass: kernels/cpu/strip.c has the method and the loop. One core
 * computes the strips of the whole grid one after the other. */
void serial_blocked(const struct mesh *mesh, struct row_range rows, int depth, const real *RHS,
                    const real *U, real *U_next, double *sums, void *work) {
    const struct cpu_window *window = work;
    memset(sums, 0, (size_t)depth * sizeof *sums);
    cpu_strips(mesh, window, depth, rows.begin, rows.end, RHS, U, U_next, sums,
               cpu_window_of(window, 0));
}
