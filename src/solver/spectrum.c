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

/* Modes of one direction that lie within 1/128 of each other, as sums over them; `pairs` are the
 * products of two factors x_p x_q, p ≤ q, of which p < q count twice in the square of a sum. */
struct group {
    double longer, shorter; /* means */
    struct pair {
        double energy;          /* sum(x_p x_q) */
        double longer, shorter; /* sum(x_p x_q longer), sum(x_p x_q shorter) */
    } pairs[PRODUCTS_MAX * (PRODUCTS_MAX + 1) / 2];
    double middle[PRODUCTS_MAX]; /* sum(x_p w), w the mode at the unknown in the middle */
    double slope[PRODUCTS_MAX];  /* sum(x_p w longer) */
};

/* The sine modes in one direction. */
struct axis {
    int n;
    double weight;                  /* 1/dx² of 1/dx² + 1/dy² */
    double *products[PRODUCTS_MAX]; /* a product's factor, transformed */
    int group_count;
    struct group *groups; /* room for n */
};

static bool axis_init(struct axis *axis, int n, double weight) {
    *axis = (struct axis){.n = n, .weight = weight};
    axis->products[0] = calloc(PRODUCTS_MAX * (size_t)n, sizeof *axis->products[0]);
    axis->groups = calloc((size_t)n, sizeof *axis->groups);
    for (int p = 1; p < PRODUCTS_MAX && axis->products[0]; p++)
        axis->products[p] = axis->products[0] + (size_t)p * (size_t)n;
    return axis->products[0] && axis->groups;
}

static void axis_free(struct axis *axis) {
    free(axis->products[0]);
    free(axis->groups);
}

/* ---- the sine transform --------------------------------------------------------------------- */

struct complex_number {
    double re, im;
};

static struct complex_number times(struct complex_number a, struct complex_number b) {
    return (struct complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* One step of a fast Fourier transform of `m` numbers, a power of two, on halves `half` apart: the
 * forward steps go from m/2 down to 1 and leave the result in bit-reversed order; the backward ones
 * go up again, and multiply by m. turns[j] = exp(-2πij/m), j < m/2. */
static void fourier_step(struct complex_number *values, int m, int half, bool forward,
                         const struct complex_number *turns) {
    for (int start = 0; start < m; start += 2 * half)
        for (int j = 0; j < half; j++) {
            struct complex_number *a = &values[start + j], *b = a + half;
            const struct complex_number turn = turns[(long)j * (m / (2 * half))];
            const struct complex_number back = {turn.re, -turn.im};
            const struct complex_number second = forward ? *b : times(*b, back);
            const struct complex_number sum = {a->re + second.re, a->im + second.im};
            const struct complex_number rest = {a->re - second.re, a->im - second.im};
            *a = sum;
            *b = forward ? times(rest, turn) : rest;
        }
}

/* The orthonormal sine transform of any length (Bluestein): ik = (i² + k² - (k-i)²)/2 makes it a
 * convolution with the chirp exp(iπm²/2(n+1)). What is only rounding becomes 0. */
static bool sine_transform(const double *values, double *modes, int n, const atomic_bool *stop) {
    const double pi = acos(-1.0), scale = sqrt(2.0 / (n + 1));
    int m = 2;
    while (m < 2 * n + 2)
        m *= 2;
    struct complex_number *room = calloc(2 * (size_t)m + (size_t)m / 2, sizeof *room);
    if (!room)
        return false;
    struct complex_number *signal = room, *chirp = room + m, *turns = room + 2 * (size_t)m;
    for (int j = 0; j < m / 2; j++)
        turns[j] = (struct complex_number){cos(2 * pi * j / m), -sin(2 * pi * j / m)};
    for (int i = 0; i <= n; i++) {
        const double angle =
            pi * (double)((int64_t)i * i % (4 * ((int64_t)n + 1))) / (2.0 * (n + 1));
        const double value = i > 0 ? values[i - 1] : 0;
        const struct complex_number turn = {cos(angle), sin(angle)};
        chirp[i] = chirp[(m - i) % m] = turn;
        signal[i] = (struct complex_number){value * turn.re, -value * turn.im};
    }
    for (int half = m / 2; half > 0; half /= 2) {
        fourier_step(signal, m, half, true, turns);
        fourier_step(chirp, m, half, true, turns);
    }
    for (int j = 0; j < m; j++)
        signal[j] = times(signal[j], chirp[j]);
    for (int half = 1; half < m; half *= 2)
        fourier_step(signal, m, half, false, turns);
    double most = 0;
    for (int k = 1; k <= n; k++) {
        const double angle =
            pi * (double)((int64_t)k * k % (4 * ((int64_t)n + 1))) / (2.0 * (n + 1));
        modes[k - 1] = -scale / m * (signal[k].im * cos(angle) - signal[k].re * sin(angle));
        most = fmax(most, fabs(modes[k - 1]));
    }
    for (int k = 0; k < n; k++)
        modes[k] = fabs(modes[k]) > 1e-13 * most ? modes[k] : 0;
    free(room);
    return !atomic_load_explicit(stop, memory_order_relaxed);
}

/* Transforms the factors of all products; returns how many there are, 0 if there are none or *stop
 * became true. */
static int transform_products(const struct problem *problem, const struct mesh *mesh,
                              struct axis *x, struct axis *y, const atomic_bool *stop) {
    double *factors = calloc((size_t)mesh->Nx + (size_t)mesh->Ny, sizeof *factors);
    int count = 0;
    while (factors && count < PRODUCTS_MAX &&
           problem->product(mesh, count, factors, factors + mesh->Nx)) {
        if (!sine_transform(factors, x->products[count], x->n, stop) ||
            !sine_transform(factors + mesh->Nx, y->products[count], y->n, stop)) {
            count = 0;
            break;
        }
        count++;
        memset(factors, 0, ((size_t)mesh->Nx + (size_t)mesh->Ny) * sizeof *factors);
    }
    free(factors);
    return count;
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* Of the longest and the shortest waves each has a group of its own. */
static void group_modes(struct axis *axis, int products) {
    const double pi = acos(-1.0), scale = sqrt(2.0 / (axis->n + 1)), width = 1.0 / 128;
    const int period = 2 * (axis->n + 1), middle = axis->n / 2 + 1;
    double first = 0; /* longer of the first mode of the group */
    int members = 0;
    for (int k = 1; k <= axis->n; k++) {
        /* weight*(1 ∓ cos(kπ/(n+1))) without cancellation */
        const double half = k * pi / (2 * (axis->n + 1.0));
        const double longer = 2 * axis->weight * sin(half) * sin(half);
        const double shorter = 2 * axis->weight * cos(half) * cos(half);
        const double wave =
            scale * sin((double)((int64_t)k * middle % period) * pi / (axis->n + 1));
        if (members == 0 || longer - first > width * fmin(first, shorter)) {
            axis->group_count++;
            first = longer;
            members = 0;
        }
        struct group *group = &axis->groups[axis->group_count - 1];
        group->longer += (longer - group->longer) / ++members;
        group->shorter += (shorter - group->shorter) / members;
        struct pair *pair = group->pairs;
        for (int p = 0; p < products; p++) {
            const double at_middle = axis->products[p][k - 1] * wave;
            group->middle[p] += at_middle;
            group->slope[p] += at_middle * longer;
            for (int q = p; q < products; q++, pair++) {
                const double energy = axis->products[p][k - 1] * axis->products[q][k - 1];
                pair->energy += energy;
                pair->longer += energy * longer;
                pair->shorter += energy * shorter;
            }
        }
    }
}

static int bin_of(double distance) {
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    const int bin = (int)(bits >> (52 - BIN_BITS)) - ((1023 - EXPONENTS) << BIN_BITS);
    return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* Adds the modes of two groups. Meanwhile a bin's `decay` is the sum of energy*(1 - |λ|). */
static void add_modes(struct spectrum *spectrum, const struct group *x, const struct group *y,
                      int products, double omega) {
    const struct pair *a = x->pairs, *b = y->pairs;
    const double step = x->longer + y->longer; /* λ = 1 - ω*step */
    double energy = 0, longer = 0, shorter = 0;
    for (int p = 0; p < products; p++) {
        /* The waves' signs alternate there: 1/step counts to first order within a group. */
        const double moment = x->slope[p] * y->middle[p] + x->middle[p] * y->slope[p];
        spectrum->middle += (2 * x->middle[p] * y->middle[p] - moment / step) / step;
        for (int q = p; q < products; q++, a++, b++) {
            const double twice = q > p ? 2 : 1;
            energy += twice * a->energy * b->energy;
            longer += twice * (a->longer * b->energy + a->energy * b->longer);
            shorter += twice * (a->shorter * b->energy + a->energy * b->shorter);
        }
    }
    if (!(energy > 0))
        return;
    const double decay =
        omega * step <= 1 ? omega * longer : (2 - 2 * omega) * energy + omega * shorter;
    struct bin *bin = &spectrum->bins[bin_of(decay / energy)];
    bin->energy += energy;
    bin->decay += decay;
}

/* Of at most `count` bins brings those in use to the front, their decay to -log|λ|; returns how
 * many they are. */
static int finish_bins(struct bin *bins, int count, double whole) {
    const double vanished = 40; /* e⁻⁴⁰ after one iteration */
    int used = 0;
    for (int b = 0; b < count; b++) {
        const struct bin bin = bins[b];
        if (bin.energy > 1e-32 * whole)
            bins[used++] =
                (struct bin){bin.energy, fmin(-log1p(-bin.decay / bin.energy), vanished)};
    }
    return used;
}

/* sum(RES²) of an iterate. */
static double bins_sum(const struct bin *bins, int count, double iterate) {
    const double vanished = 120; /* e⁻¹²⁰ of the first bin, the slowest */
    double sum = 0;
    for (int b = 0; b < count && 2 * iterate * (bins[b].decay - bins[0].decay) <= vanished; b++)
        sum += bins[b].energy * exp(-2 * iterate * bins[b].decay);
    return sum;
}

/* Finishes the bins, and makes the curve, which need not be as exact, of sixteen bins in one. */
static void finish_spectrum(struct spectrum *spectrum) {
    enum { TOGETHER = 16 };
    struct bin coarse[BINS / TOGETHER + 1] = {0};
    double whole = 0;
    for (int b = 0; b < BINS; b++) {
        whole += spectrum->bins[b].energy;
        coarse[b / TOGETHER].energy += spectrum->bins[b].energy;
        coarse[b / TOGETHER].decay += spectrum->bins[b].decay;
    }
    spectrum->count = finish_bins(spectrum->bins, BINS, whole);
    const int count = finish_bins(coarse, BINS / TOGETHER + 1, whole);
    for (int point = 0; point < CURVE_POINTS; point++) {
        const double iterate = expm1(point * log1p(curve_end) / (CURVE_POINTS - 1));
        spectrum->curve[point] = spectrum->scale * sqrt(bins_sum(coarse, count, iterate));
    }
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
    if (products > 0) {
        group_modes(&x, products);
        group_modes(&y, products);
    }
    for (int l = 0; l < y.group_count && products > 0; l++) {
        for (int k = 0; k < x.group_count; k++)
            add_modes(spectrum, &x.groups[k], &y.groups[l], products, mesh->omega);
        if (atomic_load_explicit(stop, memory_order_relaxed))
            products = 0;
    }
    axis_free(&x);
    axis_free(&y);
    if (products == 0) {
        free(spectrum);
        return NULL;
    }
    spectrum->scale = mesh_residual(mesh, 1);
    spectrum->middle /= 2 * whole;
    finish_spectrum(spectrum);
    return spectrum;
}

void spectrum_destroy(struct spectrum *spectrum) {
    free(spectrum);
}

double spectrum_residual(const struct spectrum *spectrum, double iterate) {
    return spectrum->scale * sqrt(bins_sum(spectrum->bins, spectrum->count, iterate));
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
