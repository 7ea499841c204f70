/* Methods: what an iteration does to U, as a list of kernels on one grid or several.
 *
 * Jacobi and Chebyshev change all unknowns at once, SOR one colour of a chessboard after the other.
 * Multigrid's iteration is a V-cycle. After some smoothing steps the residual equation is
 * restricted to a grid of half as many unknowns per side and solved there in the same way. Then the
 * correction is interpolated and added, followed by more smoothing steps. docs/method.md has the
 * mathematics.
 */
#ifndef JACOBI_SOLVER_METHOD_H
#define JACOBI_SOLVER_METHOD_H

#include "core/status.h"
#include "solver/phase.h"

enum method { METHOD_JACOBI, METHOD_CHEBYSHEV, METHOD_SOR, METHOD_MULTIGRID, METHOD_COUNT };

/* As typed: "jacobi", "chebyshev", "sor", "multigrid"; ended by NULL. As said: "Jacobi",
 * "Chebyshev", "red-black SOR", "multigrid". */
extern const char *const method_names[METHOD_COUNT + 1];
extern const char *const method_titles[METHOD_COUNT];

/* A V-cycle: smoothing steps on the way down and up, V(before, after); each is an iteration of
 * damped Jacobi, or of red-black Gauss-Seidel. `before` of 0 stands for V(1,1). */
struct cycle {
    int before, after;
    bool red_black;
};

enum { SMOOTHING_MAX = 4, CYCLE_SIZE = 16 };

/* "1,1", "2,1,red-black": 1 to SMOOTHING_MAX steps before, 0 to SMOOTHING_MAX after. */
bool cycle_parse(const char *text, struct cycle *cycle);

/* Whether they are the same cycle. */
bool cycle_equal(struct cycle a, struct cycle b);

/* As cycle_parse takes it; `buffer` has CYCLE_SIZE bytes. Returns it. */
char *cycle_print(char *buffer, struct cycle cycle);

/* The grids of a run, the finest first. Each coarser one has half as many unknowns per side,
 * rounded down, in the directions in which neighbours are closest; the last has one unknown. All
 * are on the same square, so any grid has such levels, odd or even. Every array holds all of them,
 * level l from begin[l] on; begin[count] is its length. Methods other than multigrid have one. */
enum { LEVELS_MAX = 20 };

struct levels {
    int count;
    struct mesh mesh[LEVELS_MAX]; /* damped as the method's smoothing is */
    size_t begin[LEVELS_MAX + 1];
};

void levels_make(struct levels *levels, const struct mesh *mesh, enum method method);

/* In a plan: the user has asked for no ω, so it is the method's own. */
enum { OMEGA_OWN = 0 };

/* A method's own ω: SOR's optimum 2/(1 + sqrt(1 - ρ²)), multigrid's 4/5 (1 with red-black); 1 for
 * others. */
double method_omega(enum method method, struct cycle cycle, const struct mesh *mesh);

/* The weight of Chebyshev's next iteration: 1, 1/(1 - ρ²/2), then 1/(1 - ρ²ω/4). `before` is the
 * weight of the last one. u⁺ = weight*(u + RES*factor - u⁻) + u⁻. */
double chebyshev_weight(const struct mesh *mesh, double before);

/* One kernel of an iteration. */
enum colour { COLOUR_ALL = -1, COLOUR_RED, COLOUR_BLACK }; /* of (i, j): (i + j) % 2 */

struct step {
    enum phase phase;
    int level;          /* Restriction: the finer of its two, Prolongation likewise */
    enum colour colour; /* of the unknowns that Update and Sweep change */
};

enum { STEPS_MAX = LEVELS_MAX * (6 * SMOOTHING_MAX + 4) + 1 };

/* The kernels of one iteration with four kernels, in their order. The one Norm is that of the
 * iterate before. Returns how many. */
int method_steps(enum method method, struct cycle cycle, const struct levels *levels,
                 struct step steps[STEPS_MAX]);

/* The phases of an iteration, each once, in the order in which they first come. Returns how many.
 */
int method_phases(enum method method, struct cycle cycle, const struct mesh *mesh,
                  struct schedule schedule, enum phase phases[PHASE_COUNT]);

/* Lattice updates per iteration and unknown of the finest grid: 1, and for multigrid the smoothing
 * steps of all levels (residuals and transfers change no unknown by themselves). */
double method_work(enum method method, struct cycle cycle, const struct mesh *mesh);

/* What a call of that step must at least move: phase_minimum_bytes, and for what other methods do
 * more or do on other levels: Chebyshev reads an iterate more, Restriction reads RHS and AU and
 * writes the coarser RHS and U. */
uint64_t method_minimum_bytes(enum method method, const struct levels *levels, enum phase phase,
                              int level);

/* Whether it can run with that schedule and damping, which may be OMEGA_OWN: STATUS_BAD_INPUT and
 * what is allowed if not. */
enum status method_check(enum method method, struct schedule schedule, double omega,
                         struct error *error);

#endif
