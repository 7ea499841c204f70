#include "solver/residual_theory.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solver/sine_transform.h"

static const double pi = 3.14159265358979323846;

/* The curve: equidistant points in log(1 + iterate), from 0 to 10¹². */
enum { CURVE_POINTS = 128 };
static const double curve_end = 1e12;

/* Modes are grouped by 1 - |λ|, in octaves from 2⁻ᵒᶜᵗᵃᵛᵉˢ to 1. In the first octaves they go into
 * bins, most of which then hold one mode; in the others they are distributed to points. */
enum { OCTAVES_MAX = 60, FINE_OCTAVES = 7, FINE_BITS = 9, POINTS_PER_OCTAVE = 40 };
enum { BINS = FINE_OCTAVES << FINE_BITS, POINTS = (OCTAVES_MAX + 1) * POINTS_PER_OCTAVE + 1 };

struct residual_theory {
    double scale; /* converts sqrt(sum(RES²)) to the blog's residual */
    double middle;
    struct term {
        double energy, decay; /* sum(r²), -log|λ| */
    } terms[BINS + POINTS];   /* in ascending order of decay */
    int count;
    double curve[CURVE_POINTS];
};

struct gathered {
    int octaves;
    double middle;
    struct bin {
        double energy, distance; /* sum(r²), sum(r² (1 - |λ|)) */
    } bins[BINS];
    double points[POINTS]; /* sum(r²), may be negative */
};

enum { PAIRS_MAX = PRODUCTS_MAX * (PRODUCTS_MAX + 1) / 2, NODES = 9 };

/* The sine modes in one direction. A node is a mode, or a point that represents the modes around
 * it: its values are sums over these. */
struct axis {
    int n;
    double weight; /* the share of 1/dx² in 1/dx² + 1/dy², or of 1/dy² */
    double *room;
    double *factors[PRODUCTS_MAX];    /* of the products, from the problem */
    double *modes[PRODUCTS_MAX];      /* transformed */
    struct sine_transform *transform; /* NULL until it is needed */
    int transformed;
    int node_count;                  /* at most n */
    double *longer, *shorter;        /* weight*(1 ∓ cos) */
    double *energy[PAIRS_MAX];       /* x_p x_q, p ≤ q; times √2 if p < q: they count twice */
    double *middle[PRODUCTS_MAX];    /* x_p w, w the mode at the unknown in the middle */
    double *row_energy, *row_middle; /* for all nodes with one node of the other direction */
};

static bool axis_init(struct axis *axis, int n, double weight) {
    *axis = (struct axis){.n = n, .weight = weight};
    double **const arrays[] = {axis->factors, axis->modes, axis->energy, axis->middle};
    const int counts[] = {PRODUCTS_MAX, PRODUCTS_MAX, PAIRS_MAX, PRODUCTS_MAX};
    double *next = axis->room =
        calloc((3 * PRODUCTS_MAX + PAIRS_MAX + 4) * (size_t)n, sizeof *next);
    if (!next)
        return false;
    for (int a = 0; a < 4; a++)
        for (int p = 0; p < counts[a]; p++, next += n)
            arrays[a][p] = next;
    axis->longer = next;
    axis->shorter = next + n;
    axis->row_energy = next + 2 * (size_t)n;
    axis->row_middle = next + 3 * (size_t)n;
    return true;
}

/* ---- transforms ----------------------------------------------------------------------------- */

/* Transforms a few non-zero values: each adds a wave. */
static void transform_few(const double *values, double *modes, int n) {
    const double scale = sqrt(2.0 / (n + 1));
    for (int64_t i = 1; i <= n; i++)
        for (int k = 1; k <= n && values[i - 1] != 0; k++)
            modes[k - 1] +=
                scale * values[i - 1] * sin((double)(i * k % (2 * n + 2)) * pi / (n + 1));
}

/* Computes the factor's modes, whose array is initially 0. Pure round-off becomes 0. */
static bool transform_values(struct axis *axis, const double *values, double *modes) {
    enum { FEW = 4 };
    int count = 0;
    double most = 0;
    for (int i = 0; i < axis->n; i++)
        count += values[i] != 0;
    if (count > FEW && !axis->transform)
        axis->transform = sine_transform_create(axis->n, axis->n);
    if (count <= FEW)
        transform_few(values, modes, axis->n);
    else if (axis->transform)
        sine_transform_run(axis->transform, values, modes);
    else
        return false;
    for (int k = 0; k < axis->n; k++)
        most = fmax(most, fabs(modes[k]));
    for (int k = 0; k < axis->n; k++)
        modes[k] = fabs(modes[k]) > 1e-13 * most ? modes[k] : 0;
    return true;
}

/* Transforms factor p, or copies the modes if the other axis has transformed the same factor. */
static bool transform_factor(struct axis *axis, int p, const struct axis *other,
                             const atomic_bool *stop) {
    const size_t size = (size_t)axis->n * sizeof *axis->modes[p];
    axis->transformed++;
    for (int q = 0; q < other->transformed && other->n == axis->n; q++)
        if (memcmp(other->factors[q], axis->factors[p], size) == 0) {
            memcpy(axis->modes[p], other->modes[q], size);
            return true;
        }
    return transform_values(axis, axis->factors[p], axis->modes[p]) &&
           !atomic_load_explicit(stop, memory_order_relaxed);
}

/* Transforms the factors of all products. Returns their number; 0 if there are none or *stop became
 * true. */
static int transform_products(const struct problem *problem, const struct mesh *mesh,
                              struct axis *x, struct axis *y, const atomic_bool *stop) {
    for (int p = 0; p < problem->product_count; p++) {
        problem->add_x(mesh, p, 1, x->factors[p]);
        for (int j = 0; j < mesh->Ny; j++)
            y->factors[p][j] = problem->y(mesh, p, j);
        if (!transform_factor(x, p, y, stop) || !transform_factor(y, p, x, stop))
            return 0;
    }
    return problem->product_count;
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* Returns (1 - |cos(kπ/(n+1))|)/2: below a half, equal for the longest and the shortest waves. */
static double mode_distance(int n, int k) {
    const double wave = sin(fmin(k, n + 1.0 - k) * pi / (2 * (n + 1.0)));
    return wave * wave;
}

/* Adds a node where 1 - cos is twice `distance`, or for oscillatory modes twice 1 - distance. */
static void add_node(struct axis *axis, double distance, bool is_long) {
    const double near = 2 * axis->weight * distance, far = 2 * axis->weight * (1 - distance);
    axis->longer[axis->node_count] = is_long ? near : far;
    axis->shorter[axis->node_count++] = is_long ? far : near;
}

/* Distributes mode k to some nodes. */
static void add_mode(struct axis *axis, int products, int k, int first, int count,
                     const double *shares) {
    const int64_t period = 2 * ((int64_t)axis->n + 1), middle = axis->n / 2 + 1;
    const double wave =
        sqrt(2.0 / (axis->n + 1)) * sin((double)(k * middle % period) * pi / (axis->n + 1));
    for (int p = 0, pair = 0; p < products; p++) {
        const double x = axis->modes[p][k - 1];
        for (int m = 0; m < count && x != 0; m++)
            axis->middle[p][first + m] += shares[m] * x * wave;
        for (int q = p; q < products; q++, pair++) {
            const double energy = (q > p ? sqrt(2) : 1) * x * axis->modes[q][k - 1];
            for (int m = 0; m < count && energy != 0; m++)
                axis->energy[pair][first + m] += shares[m] * energy;
        }
    }
}

/* Modes `first` to before `end` are in one octave of mode_distance. There |λ|^(2n) is smooth, so
 * its values at a few Chebyshev points determine it. If there are many modes, each is distributed
 * to these points by Lagrange interpolation. */
static void gather_octave(struct axis *axis, int products, int first, int end) {
    const bool is_long = 2 * first <= axis->n + 1;
    const double begin = mode_distance(axis->n, first);
    const double width = mode_distance(axis->n, end - 1) - begin;
    const int node = axis->node_count;
    double distances[NODES], weights[NODES], shares[NODES] = {1};
    for (int k = first; k < end && end - first <= NODES; k++) {
        add_node(axis, mode_distance(axis->n, k), is_long);
        add_mode(axis, products, k, axis->node_count - 1, 1, shares);
    }
    if (end - first <= NODES)
        return;
    for (int m = 0; m < NODES; m++) {
        const double angle = (m + 0.5) * pi / NODES;
        weights[m] = (m % 2 ? -1 : 1) * sin(angle);
        distances[m] = begin + width * (1 - cos(angle)) / 2;
        add_node(axis, distances[m], is_long);
    }
    for (int k = first; k < end; k++) {
        const double distance = mode_distance(axis->n, k);
        double sum = 0;
        for (int m = 0; m < NODES; m++) {
            const double apart = distance - distances[m];
            sum += shares[m] = weights[m] / (apart != 0 ? apart : DBL_MIN);
        }
        for (int m = 0; m < NODES; m++)
            shares[m] /= sum;
        add_mode(axis, products, k, node, NODES, shares);
    }
}

static void gather_modes(struct axis *axis, int products) {
    for (int first = 1, end; first <= axis->n; first = end) {
        const int octave = ilogb(mode_distance(axis->n, first));
        const bool is_long = 2 * first <= axis->n + 1;
        end = first + 1;
        while (end <= axis->n && (2 * end <= axis->n + 1) == is_long &&
               ilogb(mode_distance(axis->n, end)) == octave)
            end++;
        gather_octave(axis, products, first, end);
    }
}

/* Adds modes with the same 1 - |λ|. With an error of fourth order, a value between four points is a
 * weighted sum of the values there (Lagrange interpolation), so each point receives its share. */
static void gathered_add(struct gathered *gathered, double energy, double distance) {
    uint64_t bits;
    distance = fmax(distance, 0); /* round-off, if the run is about to diverge */
    memcpy(&bits, &distance, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int octave = (int)(bits >> 52) - 1023 + gathered->octaves;
    if (octave < FINE_OCTAVES) {
        struct bin *bin = gathered->bins;
        if (octave >= 0)
            bin += (octave << FINE_BITS) + (int)(fraction >> (52 - FINE_BITS));
        bin->energy += energy;
        bin->distance += energy * distance;
        return;
    }
    const double place = 0x1p-52 * (double)(int64_t)fraction * POINTS_PER_OCTAVE;
    const int below = place < 1                       ? 1
                      : place < POINTS_PER_OCTAVE - 2 ? (int)place
                                                      : POINTS_PER_OCTAVE - 2;
    const double t = place - below;
    double *point = &gathered->points[octave * POINTS_PER_OCTAVE + below - 1];
    point[0] -= energy * t * (t - 1) * (t - 2) / 6;
    point[1] += energy * (t + 1) * (t - 1) * (t - 2) / 2;
    point[2] -= energy * (t + 1) * t * (t - 2) / 2;
    point[3] += energy * (t + 1) * t * (t - 1) / 6;
}

/* Adds all pairs of nodes of x with node l of y. */
static void gather_row(struct gathered *gathered, struct axis *x, const struct axis *y, int l,
                       int products, double omega) {
    const int count = x->node_count;
    double *energy = x->row_energy, *middle = x->row_middle;
    memset(energy, 0, (size_t)count * sizeof *energy);
    memset(middle, 0, (size_t)count * sizeof *middle);
    for (int p = 0; p < products * (products + 1) / 2; p++) {
        const double *const of_x = x->energy[p], of_y = y->energy[p][l];
        for (int k = 0; k < count; k++)
            energy[k] += of_x[k] * of_y;
    }
    for (int p = 0; p < products; p++) {
        const double *const of_x = x->middle[p], of_y = y->middle[p][l];
        for (int k = 0; k < count; k++)
            middle[k] += of_x[k] * of_y;
    }
    for (int k = 0; k < count; k++) {
        const double step = x->longer[k] + y->longer[l]; /* λ = 1 - ω*step */
        gathered->middle += middle[k] / step;
        if (energy[k] != 0)
            gathered_add(gathered, energy[k],
                         omega * step <= 1
                             ? omega * step
                             : 2 - 2 * omega + omega * (x->shorter[k] + y->shorter[l]));
    }
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Adds a term unless its energy is negligible. */
static void add_term(struct residual_theory *theory, double energy, double distance, double whole) {
    const double vanished = 40; /* e⁻⁴⁰ after one iteration */
    if (fabs(energy) > 1e-32 * whole)
        theory->terms[theory->count++] = (struct term){energy, fmin(-log1p(-distance), vanished)};
}

/* Returns sum(RES²) of an iterate. */
static double sum_terms(const struct term *terms, int count, double iterate) {
    const double vanished = 80; /* e⁻⁸⁰ of the first term, the slowest */
    double sum = 0;
    for (int t = 0; t < count && 2 * iterate * (terms[t].decay - terms[0].decay) <= vanished; t++)
        sum += terms[t].energy * exp(-2 * iterate * terms[t].decay);
    return fmax(sum, 0);
}

/* Computes the terms and the curve. */
static void finish_theory(struct residual_theory *theory, const struct gathered *gathered) {
    const int points = gathered->octaves * POINTS_PER_OCTAVE + POINTS_PER_OCTAVE;
    double whole = 0;
    for (int b = 0; b < BINS; b++)
        whole += gathered->bins[b].energy;
    for (int p = 0; p < points; p++)
        whole += gathered->points[p];
    for (int b = 0; b < BINS; b++)
        if (gathered->bins[b].energy > 0)
            add_term(theory, gathered->bins[b].energy,
                     gathered->bins[b].distance / gathered->bins[b].energy, whole);
    for (int p = FINE_OCTAVES * POINTS_PER_OCTAVE; p < points; p++) {
        const double fraction = (double)(p % POINTS_PER_OCTAVE) / POINTS_PER_OCTAVE;
        const int octave = p / POINTS_PER_OCTAVE - gathered->octaves;
        add_term(theory, gathered->points[p], fmin(ldexp(1 + fraction, octave), 1), whole);
    }
    for (int point = 0; point < CURVE_POINTS; point++)
        theory->curve[point] =
            theory_residual(theory, expm1(point * log1p(curve_end) / (CURVE_POINTS - 1)));
}

/* Computes all terms. False if memory runs out, RHS has no products, or *stop became true. */
static bool make_terms(struct residual_theory *theory, struct gathered *gathered, struct axis *x,
                       struct axis *y, const struct problem *problem, const struct mesh *mesh,
                       const atomic_bool *stop) {
    const double whole = mesh->_1bydx2 + mesh->_1bydy2;
    if (!theory || !gathered || !axis_init(x, mesh->Nx, mesh->_1bydx2 / whole) ||
        !axis_init(y, mesh->Ny, mesh->_1bydy2 / whole))
        return false;
    const int products = transform_products(problem, mesh, x, y, stop);
    if (products == 0)
        return false;
    const int octaves = 1 - ilogb(1 - mesh_spectral_radius(mesh));
    gathered->octaves = octaves < OCTAVES_MAX ? octaves : OCTAVES_MAX;
    gather_modes(x, products);
    gather_modes(y, products);
    for (int l = 0; l < y->node_count; l++) {
        gather_row(gathered, x, y, l, products, mesh->omega);
        if (atomic_load_explicit(stop, memory_order_relaxed))
            return false;
    }
    theory->scale = mesh_residual(mesh, 1);
    theory->middle = gathered->middle / (2 * whole);
    finish_theory(theory, gathered);
    return true;
}

struct residual_theory *theory_make(const struct problem *problem, const struct mesh *mesh,
                                    const atomic_bool *stop) {
    struct axis x = {0}, y = {0};
    if (problem->product_count == 0 || mesh_spectral_radius(mesh) >= 1)
        return NULL;
    struct residual_theory *theory = calloc(1, sizeof *theory);
    struct gathered *gathered = calloc(1, sizeof *gathered);
    const bool done = make_terms(theory, gathered, &x, &y, problem, mesh, stop);
    free(x.transform);
    free(y.transform);
    free(x.room);
    free(y.room);
    free(gathered);
    if (done)
        return theory;
    free(theory);
    return NULL;
}

double theory_residual(const struct residual_theory *theory, double iterate) {
    return theory->scale * sqrt(sum_terms(theory->terms, theory->count, iterate));
}

double theory_curve(const struct residual_theory *theory, double iterate) {
    const double at = log1p(fmax(0, iterate)) / log1p(curve_end) * (CURVE_POINTS - 1);
    const int before = at < 1 ? 1 : at < CURVE_POINTS - 3 ? (int)at : CURVE_POINTS - 3;
    const double t = at - before, *curve = &theory->curve[before - 1];
    if (!(curve[3] > 0)) /* a power of 1 + iterate between two points, then nearly 0 */
        return curve[1] > 0 && curve[2] > 0 ? curve[1] * pow(curve[2] / curve[1], fmin(t, 1)) : 0;
    return exp(log(curve[1]) * (t + 1) * (t - 1) * (t - 2) / 2 -
               log(curve[0]) * t * (t - 1) * (t - 2) / 6 -
               log(curve[2]) * (t + 1) * t * (t - 2) / 2 +
               log(curve[3]) * (t + 1) * t * (t - 1) / 6);
}

double theory_first_below(const struct residual_theory *theory, double limit) {
    const double most = 1e15;
    double above = -1, below = 0; /* iterates with a residual above the limit, and not above it */
    while (theory_residual(theory, below) > limit) {
        above = below;
        below = 2 * below + 1;
        if (below > most)
            return INFINITY;
    }
    while (below - above > 1) {
        const double between = floor(above + (below - above) / 2);
        if (theory_residual(theory, between) > limit)
            above = between;
        else
            below = between;
    }
    return below;
}

double theory_middle(const struct residual_theory *theory) {
    return theory->middle;
}
