/* Bluestein's algorithm: ik = (i² + k² - (k-i)²)/2 turns the transform into a convolution with the
 * chirp exp(iπd²/2(n+1)), which a fast Fourier transform of power-of-two length computes. */
#include "solver/sine_transform.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

struct sine_transform {
    int n, modes;
    int m;                  /* length of the Fourier transform */
    double complex *signal; /* m numbers, overwritten by each run */
    double complex *chirp;  /* m: its Fourier transform */
    double complex *turns;  /* m/2: exp(-2πij/m) */
    double complex *waves;  /* n+1: the chirp itself */
    double complex memory[];
};

/* One step of a fast Fourier transform, on halves `half` apart. The forward steps go from m/2 down
 * to 1 and leave the result in bit-reversed order. The backward steps go from 1 to m/2 and scale
 * the result by m. */
static void fourier_step(const struct sine_transform *transform, double complex *values, int half,
                         bool forward) {
    const int m = transform->m;
    for (int start = 0; start < m; start += 2 * half)
        for (int j = 0; j < half; j++) {
            double complex *a = &values[start + j], *b = a + half;
            const double complex turn = transform->turns[(long)j * (m / (2 * half))];
            const double complex second = forward ? *b : *b * conj(turn), rest = *a - second;
            *a += second;
            *b = forward ? rest * turn : rest;
        }
}

/* One eighth of the turns determines the others by symmetry. */
static void fill_turns(double complex *turns, int m) {
    for (int j = 0; j <= m / 8; j++) {
        const double c = cos(2 * pi * j / m), s = sin(2 * pi * j / m);
        turns[j] = c - I * s;
        turns[m / 4 - j] = s - I * c;
        turns[(m / 4 + j) % (m / 2)] = -s - I * c;
        turns[(m / 2 - j) % (m / 2)] = -c - I * s;
    }
    turns[0] = 1;
}

struct sine_transform *sine_transform_create(int n, int modes) {
    struct sine_transform *transform = NULL;
    int m = 2;
    while (m < n + modes + 2)
        m *= 2;
    transform = calloc(1, sizeof *transform + (2 * (size_t)m + (size_t)m / 2 + (size_t)n + 1) *
                                                  sizeof *transform->memory);
    if (!transform)
        return NULL;
    *transform = (struct sine_transform){.n = n, .modes = modes, .m = m};
    transform->signal = transform->memory;
    transform->chirp = transform->signal + m;
    transform->turns = transform->chirp + m;
    transform->waves = transform->turns + m / 2;
    fill_turns(transform->turns, m);
    for (int i = 0; i <= n; i++) {
        const int64_t period = 4 * ((int64_t)n + 1), square = (int64_t)i * i % period;
        const double angle = pi * (double)square / (2.0 * (n + 1));
        transform->waves[i] = cos(angle) + I * sin(angle);
        transform->chirp[(m - i) % m] = transform->waves[i];
        if (i <= modes)
            transform->chirp[i] = transform->waves[i];
    }
    for (int half = m / 2; half > 0; half /= 2)
        fourier_step(transform, transform->chirp, half, true);
    return transform;
}

void sine_transform_run(struct sine_transform *transform, const double *values, double *modes) {
    const int n = transform->n, m = transform->m;
    const double scale = sqrt(2.0 / (n + 1)) / m;
    const double complex *waves = transform->waves;
    double complex *signal = transform->signal;
    memset(signal, 0, (size_t)m * sizeof *signal);
    for (int i = 1; i <= n; i++)
        signal[i] = values[i - 1] * conj(waves[i]);
    for (int half = m / 2; half > 0; half /= 2)
        fourier_step(transform, signal, half, true);
    for (int j = 0; j < m; j++)
        signal[j] *= transform->chirp[j];
    for (int half = 1; half < m; half *= 2)
        fourier_step(transform, signal, half, false);
    for (int k = 1; k <= transform->modes; k++)
        modes[k - 1] = -scale * cimag(signal[k] * conj(waves[k]));
}
