#include "solver/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

const char *const method_names[METHOD_COUNT + 1] = {
    [METHOD_JACOBI] = "jacobi",
    [METHOD_CHEBYSHEV] = "chebyshev",
    [METHOD_SOR] = "sor",
    [METHOD_MULTIGRID] = "multigrid",
};

const char *const method_titles[METHOD_COUNT] = {
    [METHOD_JACOBI] = "Jacobi",
    [METHOD_CHEBYSHEV] = "Chebyshev",
    [METHOD_SOR] = "red-black SOR",
    [METHOD_MULTIGRID] = "multigrid",
};

bool cycle_parse(const char *text, struct cycle *cycle) {
    char copy[32], *rest = copy;
    long before, after;
    if (!value_text(text, sizeof copy, copy))
        return false;
    const char *first = value_next(&rest, ','), *second = value_next(&rest, ','),
               *order = value_next(&rest, ',');
    if (!second || !value_whole(first, 1, SMOOTHING_MAX, &before) ||
        !value_whole(second, 0, SMOOTHING_MAX, &after) ||
        (order && strcmp(order, "red-black") != 0) || rest)
        return false;
    *cycle = (struct cycle){(int)before, (int)after, order != NULL};
    return true;
}

/* Returns the cycle in use: a `before` of 0 means V(1,1). */
static struct cycle cycle_meant(struct cycle cycle) {
    return cycle.before ? cycle : (struct cycle){1, 1, cycle.red_black};
}

char *cycle_print(char *buffer, struct cycle cycle) {
    cycle = cycle_meant(cycle);
    snprintf(buffer, CYCLE_SIZE, "%d,%d%s", cycle.before, cycle.after,
             cycle.red_black ? ",red-black" : "");
    return buffer;
}

bool cycle_equal(struct cycle a, struct cycle b) {
    a = cycle_meant(a);
    b = cycle_meant(b);
    return a.before == b.before && a.after == b.after && a.red_black == b.red_black;
}

/* ---- levels ------------------------------------------------------------------------------- */

/* The closer the neighbours in a direction, the stronger their coupling, and smoothing is effective
 * only along strong coupling. A direction whose neighbours are far apart, compared with the other
 * direction's, keeps its unknowns. */
static struct mesh coarser(const struct mesh *fine) {
    const double apart = 1.1 * fmin(fine->Nx > 1 ? fine->dx : 1, fine->Ny > 1 ? fine->dy : 1);
    const bool in_x = fine->Nx > 1 && fine->dx <= apart, in_y = fine->Ny > 1 && fine->dy <= apart;
    return mesh_damped(mesh_make(in_x ? fine->Nx / 2 : fine->Nx, in_y ? fine->Ny / 2 : fine->Ny),
                       fine->omega);
}

void levels_make(struct levels *levels, const struct mesh *mesh, enum method method) {
    enum { ALIGNMENT = 32 }; /* of a level in its array, in unknowns */
    levels->count = 1;
    levels->mesh[0] = *mesh;
    levels->begin[0] = 0;
    levels->begin[1] = mesh_unknowns(mesh);
    while (method == METHOD_MULTIGRID && mesh_unknowns(&levels->mesh[levels->count - 1]) > 1) {
        const int level = levels->count++;
        levels->mesh[level] = coarser(&levels->mesh[level - 1]);
        levels->begin[level] = (levels->begin[level] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        levels->begin[level + 1] = levels->begin[level] + mesh_unknowns(&levels->mesh[level]);
    }
    if (levels->count > 1) /* one step solves the last level */
        levels->mesh[levels->count - 1] = mesh_damped(levels->mesh[levels->count - 1], 1);
}

/* ---- weights ------------------------------------------------------------------------------ */

static double jacobi_radius(const struct mesh *mesh) {
    const struct mesh undamped = mesh_damped(*mesh, 1);
    return mesh_spectral_radius(&undamped);
}

double method_omega(enum method method, struct cycle cycle, const struct mesh *mesh) {
    const double rho = jacobi_radius(mesh);
    return method == METHOD_SOR                             ? 2 / (1 + sqrt(1 - rho * rho))
           : method == METHOD_MULTIGRID && !cycle.red_black ? 0.8
                                                            : 1;
}

double chebyshev_weight(const struct mesh *mesh, double before) {
    const double rho = jacobi_radius(mesh);
    return before == 0   ? 1
           : before == 1 ? 1 / (1 - rho * rho / 2)
                         : 1 / (1 - rho * rho * before / 4);
}

/* ---- kernels of an iteration -------------------------------------------------------------- */

struct list {
    struct step *steps;
    int count;
};

static void add_step(struct list *list, enum phase phase, int level, enum colour colour) {
    list->steps[list->count++] = (struct step){phase, level, colour};
}

/* The first smoothing step on the finest level computes RES of the whole iterate for Norm. */
static void add_smoothing(struct list *list, int level, bool red_black) {
    const bool first = list->count == 0;
    if (first || !red_black) {
        add_step(list, PHASE_LAPLACIAN, level, COLOUR_ALL);
        add_step(list, PHASE_BOUNDARY, level, COLOUR_ALL);
        add_step(list, PHASE_UPDATE, level, red_black ? COLOUR_RED : COLOUR_ALL);
    } else {
        add_step(list, PHASE_SWEEP, level, COLOUR_RED);
    }
    if (red_black)
        add_step(list, PHASE_SWEEP, level, COLOUR_BLACK);
    if (first)
        add_step(list, PHASE_NORM, level, COLOUR_ALL);
}

int method_steps(enum method method, struct cycle cycle, const struct levels *levels,
                 struct step steps[STEPS_MAX]) {
    struct list list = {.steps = steps};
    const bool cycles = method == METHOD_MULTIGRID;
    const bool red_black = method == METHOD_SOR || (cycles && cycle.red_black);
    const struct cycle made = cycles ? cycle_meant(cycle) : (struct cycle){.before = 1};
    const int last = levels->count - 1;
    for (int level = 0; level < last || level == 0; level++) {
        for (int n = 0; n < made.before; n++)
            add_smoothing(&list, level, red_black);
        if (level == last)
            return list.count;
        add_step(&list, PHASE_LAPLACIAN, level, COLOUR_ALL);
        add_step(&list, PHASE_BOUNDARY, level, COLOUR_ALL);
        add_step(&list, PHASE_RESTRICTION, level, COLOUR_ALL);
    }
    add_step(&list, PHASE_SWEEP, last, COLOUR_RED);
    for (int level = last - 1; level >= 0; level--) {
        add_step(&list, PHASE_PROLONGATION, level, COLOUR_ALL);
        for (int n = 0; n < made.after; n++)
            add_smoothing(&list, level, red_black);
    }
    return list.count;
}

int method_phases(enum method method, struct cycle cycle, const struct mesh *mesh,
                  struct schedule schedule, enum phase phases[PHASE_COUNT]) {
    struct levels levels;
    struct step steps[STEPS_MAX];
    int count = 0;
    phases[0] = schedule_first_phase(schedule);
    if (!schedule_has_four_kernels(schedule))
        return 1;
    levels_make(&levels, mesh, method);
    const int all = method_steps(method, cycle, &levels, steps);
    for (int s = 0; s < all; s++) {
        int known = 0;
        while (known < count && phases[known] != steps[s].phase)
            known++;
        if (known == count)
            phases[count++] = steps[s].phase;
    }
    return count;
}

double method_work(enum method method, struct cycle cycle, const struct mesh *mesh) {
    struct levels levels;
    struct step steps[STEPS_MAX];
    double updates = 0;
    levels_make(&levels, mesh, method);
    const int count = method_steps(method, cycle, &levels, steps);
    for (int s = 0; s < count; s++)
        if (steps[s].phase == PHASE_UPDATE || steps[s].phase == PHASE_SWEEP)
            updates += (steps[s].colour == COLOUR_ALL ? 1 : 0.5) *
                       (double)mesh_unknowns(&levels.mesh[steps[s].level]);
    return updates / (double)mesh_unknowns(mesh);
}

uint64_t method_minimum_bytes(enum method method, const struct levels *levels, enum phase phase,
                              int level) {
    const struct mesh *mesh = &levels->mesh[level];
    const bool iterates_more = method == METHOD_CHEBYSHEV;
    uint64_t bytes = phase_minimum_bytes(phase, mesh);
    if (iterates_more && (phase == PHASE_UPDATE || phase == PHASE_FUSED))
        bytes += sizeof(double) * mesh_unknowns(mesh);
    if (phase == PHASE_RESTRICTION)
        bytes += 2 * sizeof(double) * mesh_unknowns(&levels->mesh[level + 1]);
    if (phase == PHASE_PROLONGATION)
        bytes += sizeof(double) * mesh_unknowns(&levels->mesh[level + 1]);
    return bytes;
}

enum status method_check(enum method method, struct schedule schedule, double omega,
                         struct error *error) {
    const bool fuses = method == METHOD_JACOBI || method == METHOD_CHEBYSHEV;
    const bool runs = method == METHOD_JACOBI || schedule.kind == SCHEDULE_CLASSIC ||
                      (fuses && schedule.kind == SCHEDULE_FUSED);
    if (!runs)
        return error_set(error, STATUS_BAD_INPUT, "%s has no schedule '%s': expected classic%s",
                         method_names[method], schedule_names[schedule.kind],
                         fuses ? " or fused" : "");
    if (method == METHOD_CHEBYSHEV && omega != OMEGA_OWN && omega != 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "chebyshev chooses its own weights: expected no omega");
    return STATUS_OK;
}
