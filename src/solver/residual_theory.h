/* The exact residuals of Jacobi's iteration, computed without iterating.
 *
 * The residual of U⁰ is a sum of sine modes (k, l), 1 ≤ k ≤ Nx, 1 ≤ l ≤ Ny, and each iteration
 * multiplies mode (k, l) by
 *
 *     λ(k,l) = 1 - ω + ω (cos(kπ/(Nx+1))/dx² + cos(lπ/(Ny+1))/dy²) / (1/dx² + 1/dy²)
 *
 * so sum(RES²) of iterate n is the sum of r(k,l)² λ(k,l)^(2n), r the sine transform of the initial
 * residual. If RHS is a sum of a few products x(i)*y(j) and U⁰ = 0 (see struct problem), r needs
 * only one-dimensional transforms, and sums over modes are products of sums over k and over l.
 *
 * Two steps reduce up to 65536² modes to a few terms. In each direction modes are grouped by
 * octaves of 1 - |cos|. An octave with at most 9 modes keeps them; any other becomes 9 points, to
 * which its modes are distributed by polynomial interpolation. Then pairs (k, l) are grouped by 1 -
 * |λ| in the same way. Nearly all of the smoothest modes have their own bin; others are distributed
 * to 40 points per octave. That leaves 200 terms at 64², 700 at 4096² and 1000 at 65536². The
 * residual is accurate to 10⁻⁷ from the first iterate on, and exact once only the smoothest modes
 * remain. Round-off is ignored. */
#pragma once

#include <stdatomic.h>

#include "solver/problem.h"

struct residual_theory;

/* Predicts the residuals of a run. NULL if the run diverges (ω > 2/(1 + ρ)), RHS is not a sum of
 * products, *stop became true or memory runs out. Takes about 5 ms at 4096² and 40 ms at 32768²;
 * three times that with the manufactured solution's products. The caller frees it. */
struct residual_theory *theory_make(const struct problem *problem, const struct mesh *mesh,
                                    const atomic_bool *stop);

/* Returns the blog's residual of iterate `iterate`, 0 for U⁰. Takes up to 1000 exponentials. */
double theory_residual(const struct residual_theory *theory, double iterate);

/* Returns the same from a precomputed curve, accurate to half a percent, for drawing. */
double theory_curve(const struct residual_theory *theory, double iterate);

/* Returns the first iterate whose residual (the blog's) is not above `limit`; INFINITY if it is
 * beyond 10¹⁵. The program then makes one more iteration, because it computes the residual of an
 * iterate during the next iteration. */
double theory_first_below(const struct residual_theory *theory, double limit);

/* Returns the discrete solution, A U = RHS, at the unknown (Nx/2, Ny/2). */
double theory_middle(const struct residual_theory *theory);
