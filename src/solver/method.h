/* Methods: the list of kernels, on one grid or several, with which an iteration changes U.
 *
 * Jacobi and Chebyshev update all unknowns together, SOR first one colour of a checkerboard and
 * then the other. Multigrid's iteration is a V-cycle. After some smoothing steps the residual
 * equation is restricted to a grid of half as many unknowns per side and solved there in the same
 * way. Then the correction is interpolated and added, followed by more smoothing steps. The
 * mathematics is in docs/method.md. */
#pragma once

#include "core/status.h"
#include "solver/phase.h"

enum method { METHOD_JACOBI, METHOD_CHEBYSHEV, METHOD_SOR, METHOD_MULTIGRID, METHOD_COUNT };

/* Names on the command line: "jacobi", "chebyshev", "sor", "multigrid"; ended by NULL. Titles:
 * "Jacobi", "Chebyshev", "red-black SOR", "multigrid". */
extern const char *const method_names[METHOD_COUNT + 1];
extern const char *const method_titles[METHOD_COUNT];

/* A V-cycle with smoothing steps on the way down and up, V(before, after). Each step is an
 * iteration of damped Jacobi or of red-black Gauss-Seidel. A `before` of 0 means V(1,1). */
struct cycle {
    int before, after;
    bool red_black;
};

enum { SMOOTHING_MAX = 4, CYCLE_SIZE = 16 };

/* Parses "1,1" or "2,1,red-black": 1 to SMOOTHING_MAX steps before, 0 to SMOOTHING_MAX after. */
bool cycle_parse(const char *text, struct cycle *cycle);

bool cycle_equal(struct cycle a, struct cycle b);

/* Writes the cycle in cycle_parse's syntax to `buffer`, CYCLE_SIZE bytes. Returns `buffer`. */
char *cycle_print(char *buffer, struct cycle cycle);

/* The grids of a run, finest first. A coarser grid has half as many unknowns per side, rounded
 * down, in the directions with the closest neighbours; the last has one unknown. All grids cover
 * the same square, so any grid has such levels, odd or even. Every array holds all levels, level l
 * from begin[l] on; begin[count] is its length. Methods other than multigrid have one level. */
enum { LEVELS_MAX = 20 };

struct levels {
    int count;
    struct mesh mesh[LEVELS_MAX]; /* with the damping of the method's smoothing */
    size_t begin[LEVELS_MAX + 1];
};

void levels_make(struct levels *levels, const struct mesh *mesh, enum method method);

/* In a plan: the user requested no ω, so the method's own is used. */
enum { OMEGA_OWN = 0 };

/* Returns a method's own ω: SOR's optimum 2/(1 + sqrt(1 - ρ²)), multigrid's 4/5 (1 with red-black),
 * or 1 for the others. */
double method_omega(enum method method, struct cycle cycle, const struct mesh *mesh);

/* Returns the weight of Chebyshev's next iteration: 1, 1/(1 - ρ²/2), then 1/(1 - ρ²ω/4). `before`
 * is the last iteration's weight, 0 at the start. u⁺ = weight*(u + RES*factor - u⁻) + u⁻. */
double chebyshev_weight(const struct mesh *mesh, double before);

/* One kernel of an iteration. */
enum colour { COLOUR_ALL = -1, COLOUR_RED, COLOUR_BLACK }; /* of (i, j): (i + j) % 2 */

struct step {
    enum phase phase;
    int level;          /* Restriction and Prolongation: the finer of the two levels */
    enum colour colour; /* of the unknowns that Update and Sweep change */
};

enum { STEPS_MAX = LEVELS_MAX * (6 * SMOOTHING_MAX + 4) + 1 };

/* Lists the kernels of one iteration of a four-kernel schedule, in order. Norm occurs once, for the
 * iterate before. Returns their number. */
int method_steps(enum method method, struct cycle cycle, const struct levels *levels,
                 struct step steps[STEPS_MAX]);

/* Lists the phases of an iteration, each once, in order of first use. Returns their number. */
int method_phases(enum method method, struct cycle cycle, const struct mesh *mesh,
                  struct schedule schedule, enum phase phases[PHASE_COUNT]);

/* Returns the lattice updates per iteration and unknown of the finest grid: 1, or for multigrid the
 * smoothing steps of all levels (residuals and transfers do not count). */
double method_work(enum method method, struct cycle cycle, const struct mesh *mesh);

/* Returns the minimum bytes that a call of that step moves: phase_minimum_bytes plus the extra
 * traffic of other methods and levels. Chebyshev reads one more iterate. Restriction reads RHS and
 * AU, and writes the coarser RHS and U. */
uint64_t method_minimum_bytes(enum method method, const struct levels *levels, enum phase phase,
                              int level);

/* Checks the method with that schedule and damping, which may be OMEGA_OWN. STATUS_BAD_INPUT, with
 * the allowed values, if they can't run together. */
enum status method_check(enum method method, struct schedule schedule, double omega,
                         struct error *error);
