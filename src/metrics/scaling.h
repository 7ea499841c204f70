/* Scaling over several devices: speed-up, waits, cost and overlap of the halo exchange, surface
 * against volume. Pure. Times are ms per iteration, of the whole run so far; NaN: not measured. */
#ifndef JACOBI_METRICS_SCALING_H
#define JACOBI_METRICS_SCALING_H

#include "metrics/labels.h"

struct scaling {
    int count;      /* of devices; 0: the run has one */
    int hosts;      /* the machines that they are in */
    double wall_ms; /* of an iteration, by the host's clock */
    double least_kernel_ms, mean_kernel_ms, most_kernel_ms; /* of a device */
    int slowest;       /* the one with the longest kernel time; -1: not known */
    double halo_ms;    /* in halo copies, the mean of a device */
    double wait_ms;    /* waiting for neighbours, likewise */
    double overlap;    /* the share of halo_ms behind kernels; a lower bound if waits_hold_halos */
    double halo_bytes; /* per iteration, all devices together */
    double surface;    /* those over the kernels' minimum traffic: surface against volume */
    double redundant_rows; /* rows that two devices hold, over all rows: the price of a deep pass */
};

/* Slabs wait on the device; wait time = loop − kernels, exposed halos included. */
bool waits_hold_halos(const struct lane_sample *lane);

struct scaling scaling_make(const struct sample *sample, int lane);

/* The ms per iteration of one device in kernels, halo copies and waits. */
struct scaling_share {
    double kernel_ms, halo_ms, wait_ms;
};
struct scaling_share scaling_share(const struct lane_sample *lane, int device);

/* Strong: the same grid on more devices. Weak: the same rows per device. */
enum scaling_kind { SCALING_NONE, SCALING_STRONG, SCALING_WEAK };

/* Whether each device of both lanes has as many rows, and only the number of devices differs. */
bool scaling_is_weak(const struct lane_sample *a, const struct lane_sample *b);

struct speed_up {
    enum scaling_kind kind;
    int base;          /* the lane with the fewest devices */
    double times;      /* as many lattice updates per second as the base */
    double efficiency; /* that over the ratio of their devices: in weak scaling the base's time
                          over the lane's */
};

/* Of a lane against the one with the fewest devices, if only their number differs; else
 * SCALING_NONE, as for the base itself. */
struct speed_up scaling_compare(const struct sample *sample, int lane);

/* What is said of lanes that differ in their number of devices; "" of other comparisons. */
struct scaling_words {
    char sentence[SENTENCE_SIZE]; /* "strong scaling (same 4096²): 1.78× on 2, 3.56× on 4;
                                     efficiency 89 %, 89 %", or "weak scaling (4096×2048 per
                                     device): efficiency t1/tP 97 % on 2" */
    char definition[64];          /* of that efficiency */
    char claim[SENTENCE_SIZE];    /* of weak scaling, for the most devices */
    char efficiency[16];          /* theirs, "97 %" */
};

struct scaling_words scaling_words(const struct sample *sample);

/* "on 2 nodes · rows · mpi, host-staged": how a run on several devices is spread; "" of one. */
char *scaling_spread(char *buffer, size_t size, const struct lane_sample *lane);

#endif
