/* The exact course of Jacobi's iteration, without making it.
 *
 * The residual of U⁰ is a sum of sine modes (k, l), 1 ≤ k ≤ Nx, 1 ≤ l ≤ Ny, and each iteration
 * multiplies mode (k, l) by
 *
 *     λ(k,l) = 1 - ω + ω (cos(kπ/(Nx+1))/dx² + cos(lπ/(Ny+1))/dy²) / (1/dx² + 1/dy²)
 *
 * so sum(RES²) of iterate n is the sum of r(k,l)² λ(k,l)^(2n), r the sine transform of the first
 * residual. If RHS is a sum of a few products x(i)*y(j) and U⁰ = 0 (struct problem says so), r is
 * made of one-dimensional transforms alone, and sums over modes are products of sums over k and
 * over l.
 *
 * There are up to 65536² modes, of which few terms are made, in two steps. In each direction modes
 * are taken by octaves of 1 - |cos|: an octave with at most 9 of them keeps them, any other becomes
 * 9 points, and each of its modes is shared out to those as a polynomial is known from its values
 * there. Then pairs (k, l) are taken by 1 - |λ| in the same way: the longest waves have a bin each,
 * or nearly so, others are shared out to 40 points per octave. That leaves 200 terms at 64², 700 at
 * 4096² and 1000 at 65536², and keeps the residual right to 10⁻⁷ from the first iterate on; it is
 * exact as soon as only the longest waves are left. All of this is in exact arithmetic: it knows of
 * no rounding.
 */
#ifndef JACOBI_SOLVER_RESIDUAL_THEORY_H
#define JACOBI_SOLVER_RESIDUAL_THEORY_H

#include <stdatomic.h>

#include "solver/problem.h"

struct residual_theory;

/* NULL if the problem has no such form, if the run diverges (ω > 2/(1 + ρ)), if *stop became true,
 * or if there is no memory. Takes some 5 ms at 4096² and 40 at 32768², with the manufactured
 * solution's products three times that. */
struct residual_theory *theory_make(const struct problem *problem, const struct mesh *mesh,
                                    const atomic_bool *stop);

/* NULL is allowed. */
void theory_destroy(struct residual_theory *theory);

/* The residual (the blog's) of iterate `iterate`, 0 being U⁰. Up to a thousand exponentials. */
double theory_residual(const struct residual_theory *theory, double iterate);

/* The same, read off a curve made beforehand: within half a percent, for drawing. */
double theory_curve(const struct residual_theory *theory, double iterate);

/* The first iterate whose residual (the blog's) is not above `limit`; INFINITY if it is beyond
 * 10¹⁵. The program has then made one iteration more: it learns the residual of an iterate while it
 * makes the next. */
double theory_first_below(const struct residual_theory *theory, double limit);

/* The discrete solution, A U = RHS, at the unknown (Nx/2, Ny/2). */
double theory_middle(const struct residual_theory *theory);

#endif
