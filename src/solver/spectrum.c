#include "solver/spectrum.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bins by the exponent and the highest 9 bits of the mantissa of 1 - |λ|, 2⁻⁴⁰ … 1. */
enum { BIN_BITS = 9, EXPONENTS = 40, BINS = (EXPONENTS << BIN_BITS) + 1 };

/* The curve: points of equal distance in log(1 + iterate), from 0 to 10¹². */
enum { CURVE_POINTS = 512 };
static const double curve_end = 1e12;

struct spectrum {
    double scale; /* from sqrt(sum(RES²)) to the blog's residual */
    double middle;
    int count; /* of the bins in use */
    struct bin {
        double energy, decay; /* sum(r²), -log|λ| */
    } bins[BINS];
    double curve[CURVE_POINTS];
};

/* The sine modes in one direction. */
struct axis {
    int n, middle;   /* unknowns; the one whose solution is asked for */
    double weight;   /* 1/dx² of 1/dx² + 1/dy² */
    double *sines;   /* sin(mπ/(n+1)), 0 ≤ m < 2(n+1) */
    double *longer;  /* weight*(1 - cos(kπ/(n+1))) of mode k = 1 … n: 0 for the longest waves */
    double *shorter; /* weight*(1 + cos(kπ/(n+1))) */
    double *products[PRODUCTS_MAX]; /* a product's factor, transformed */
};

static bool axis_init(struct axis *axis, int n, double weight) {
    const double pi = acos(-1.0);
    const size_t size = (size_t)n;
    *axis = (struct axis){.n = n, .middle = n / 2, .weight = weight};
    axis->sines = calloc((4 + PRODUCTS_MAX) * size + 2, sizeof *axis->sines);
    if (!axis->sines)
        return false;
    axis->longer = axis->sines + 2 * size + 2;
    axis->shorter = axis->longer + size;
    for (int m = 0; m < 2 * (n + 1); m++)
        axis->sines[m] = m == n + 1 ? 0 : sin(m * pi / (n + 1));
    for (int k = 1; k <= n; k++) { /* 1 ± cos without cancellation */
        const double half = k * pi / (2 * (n + 1.0));
        axis->longer[k - 1] = 2 * weight * sin(half) * sin(half);
        axis->shorter[k - 1] = 2 * weight * cos(half) * cos(half);
    }
    for (int p = 0; p < PRODUCTS_MAX; p++)
        axis->products[p] = axis->shorter + (size_t)(p + 1) * size;
    return true;
}

/* The orthonormal sine transform, straight from its definition; zeros cost nothing. What is only
 * rounding becomes 0. False if *stop became true. */
static bool axis_transform(const struct axis *axis, const double *values, double *modes,
                           const atomic_bool *stop) {
    const int n = axis->n, period = 2 * (n + 1);
    const double scale = sqrt(2.0 / (n + 1));
    double most = 0;
    memset(modes, 0, (size_t)n * sizeof *modes);
    for (int i = 0; i < n; i++) {
        if (atomic_load_explicit(stop, memory_order_relaxed))
            return false;
        for (int k = 0, m = i + 1; k < n && values[i] != 0; k++) {
            modes[k] += scale * values[i] * axis->sines[m];
            m += i + 1;
            m -= m >= period ? period : 0;
        }
    }
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(modes[k]));
    for (int k = 0; k < n; k++)
        modes[k] = fabs(modes[k]) > 1e-14 * most ? modes[k] : 0;
    return true;
}

/* Transforms the factors of all products; returns how many there are, 0 if there are none or *stop
 * became true. */
static int transform_products(const struct problem *problem, const struct mesh *mesh,
                              struct axis *x, struct axis *y, const atomic_bool *stop) {
    double *factors = calloc((size_t)mesh->Nx + (size_t)mesh->Ny, sizeof *factors);
    int count = 0;
    while (factors && count < PRODUCTS_MAX &&
           problem->product(mesh, count, factors, factors + mesh->Nx)) {
        if (!axis_transform(x, factors, x->products[count], stop) ||
            !axis_transform(y, factors + mesh->Nx, y->products[count], stop)) {
            count = 0;
            break;
        }
        count++;
        memset(factors, 0, ((size_t)mesh->Nx + (size_t)mesh->Ny) * sizeof *factors);
    }
    free(factors);
    return count;
}

static int bin_of(double distance) {
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    const int bin = (int)(bits >> (52 - BIN_BITS)) - ((1023 - EXPONENTS) << BIN_BITS);
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* Adds the modes (k, l) of one l. Meanwhile a bin's `decay` is the sum of energy*(1 - |λ|). */
static void add_modes(struct spectrum *spectrum, const struct axis *x, const struct axis *y,
                      int products, int l, double omega) {
    const double scale = sqrt(2.0 / (x->n + 1)) * sqrt(2.0 / (y->n + 1));
    const double here = scale * y->sines[(long)(l + 1) * (y->middle + 1) % (2 * (y->n + 1))];
    const int period = 2 * (x->n + 1);
    for (int k = 0, m = x->middle + 1; k < x->n; k++, m += x->middle + 1) {
        double r = 0;
        m -= m >= period ? period : 0;
        for (int p = 0; p < products; p++)
            r += x->products[p][k] * y->products[p][l];
        if (r == 0)
            continue;
        const double step = x->longer[k] + y->longer[l]; /* λ = 1 - ω*step */
        const double distance = omega * step <= 1
                                    ? omega * step
                                    : 2 - 2 * omega + omega * (x->shorter[k] + y->shorter[l]);
        struct bin *bin = &spectrum->bins[bin_of(distance)];
        bin->energy += r * r;
        bin->decay += r * r * distance;
        spectrum->middle += r / step * here * x->sines[m];
    }
}

/* Brings the bins in use to the front, their decay to -log|λ|, and makes the curve. */
static void finish_bins(struct spectrum *spectrum) {
    const double vanished = 40; /* e⁻⁴⁰ after one iteration */
    double whole = 0;
    for (int b = 0; b < BINS; b++)
        whole += spectrum->bins[b].energy;
    for (int b = 0; b < BINS; b++) {
        const struct bin bin = spectrum->bins[b];
        if (bin.energy > 1e-32 * whole)
            spectrum->bins[spectrum->count++] =
                (struct bin){bin.energy, fmin(-log1p(-bin.decay / bin.energy), vanished)};
    }
    for (int point = 0; point < CURVE_POINTS; point++)
        spectrum->curve[point] =
            spectrum_residual(spectrum, expm1(point * log1p(curve_end) / (CURVE_POINTS - 1)));
}

struct spectrum *spectrum_make(const struct problem *problem, const struct mesh *mesh,
                               const atomic_bool *stop) {
    const double whole = mesh->_1bydx2 + mesh->_1bydy2;
    struct axis x = {0}, y = {0};
    if (!problem->product || mesh_spectral_radius(mesh) >= 1)
        return NULL;
    struct spectrum *spectrum = calloc(1, sizeof *spectrum);
    int products = 0;
    if (spectrum && axis_init(&x, mesh->Nx, mesh->_1bydx2 / whole) &&
        axis_init(&y, mesh->Ny, mesh->_1bydy2 / whole))
        products = transform_products(problem, mesh, &x, &y, stop);
    for (int l = 0; l < mesh->Ny && products > 0; l++) {
        add_modes(spectrum, &x, &y, products, l, mesh->omega);
        if (atomic_load_explicit(stop, memory_order_relaxed))
            products = 0;
    }
    free(x.sines);
    free(y.sines);
    if (products == 0) {
        free(spectrum);
        return NULL;
    }
    spectrum->scale = mesh_residual(mesh, 1);
    spectrum->middle /= 2 * whole;
    finish_bins(spectrum);
    return spectrum;
}

void spectrum_destroy(struct spectrum *spectrum) {
    free(spectrum);
}

double spectrum_residual(const struct spectrum *spectrum, double iterate) {
    double sum = 0;
    for (int b = 0; b < spectrum->count; b++)
        sum += spectrum->bins[b].energy * exp(-2 * iterate * spectrum->bins[b].decay);
    return spectrum->scale * sqrt(sum);
}

double spectrum_curve(const struct spectrum *spectrum, double iterate) {
    const double at = fmax(0, log1p(iterate) / log1p(curve_end) * (CURVE_POINTS - 1));
    const int before = at < CURVE_POINTS - 2 ? (int)at : CURVE_POINTS - 2;
    const double a = spectrum->curve[before], b = spectrum->curve[before + 1];
    /* Between two points as a power of 1 + iterate; where it falls faster it is as good as 0. */
    return a > 0 && b > 0 ? a * pow(b / a, fmin(at - before, 1)) : 0;
}

double spectrum_first_below(const struct spectrum *spectrum, double limit) {
    const double most = 1e15;
    double above = -1, below = 0; /* iterates with a residual above the limit, and not */
    while (spectrum_residual(spectrum, below) > limit) {
        above = below;
        below = 2 * below + 1;
        if (below > most)
            return INFINITY;
    }
    while (below - above > 1) {
        const double between = floor(above + (below - above) / 2);
        if (spectrum_residual(spectrum, between) > limit)
            above = between;
        else
            below = between;
    }
    return below;
}

double spectrum_middle(const struct spectrum *spectrum) {
    return spectrum->middle;
}
