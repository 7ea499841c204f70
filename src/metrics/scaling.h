/* Scaling over several devices: speed-up, waits, cost and overlap of the halo exchange, surface to
 * volume. Pure. Times are in ms per iteration, of the whole run so far; NaN: not measured. */
#pragma once

#include "metrics/labels.h"

struct scaling {
    int count;      /* number of devices; 0: the run uses one */
    int hosts;      /* number of their machines */
    double wall_ms; /* of a median iteration, by the host's clock */
    double scale;   /* wall_ms over the mean: devices' times are means, scaled by it */
    double least_kernel_ms, mean_kernel_ms, most_kernel_ms; /* per device */
    int slowest;    /* the device with the longest kernel time; -1: unknown */
    double halo_ms; /* halo copies, mean of the devices */
    double wait_ms; /* waits for neighbours, likewise */
    double overlap; /* share of halo_ms that kernels overlap; a lower bound if waits_hold_halos */
    double halo_bytes;     /* per iteration, sum of the devices */
    double surface;        /* halo_bytes over the kernels' minimum traffic: surface to volume */
    double redundant_rows; /* share of all rows that two devices store: the cost of deep passes */
};

/* Whether slabs wait on the device: then the wait is loop − kernels, with exposed halos. */
bool waits_hold_halos(const struct lane_sample *lane);

struct scaling scaling_make(const struct sample *sample, int lane);

/* One device's ms per iteration in kernels, halo copies and waits. */
struct scaling_share {
    double kernel_ms, halo_ms, wait_ms;
};
struct scaling_share scaling_share(const struct scaling *scaling, const struct lane_sample *lane,
                                   int device);

/* Strong: the same grid on more devices. Weak: the same number of rows per device. */
enum scaling_kind { SCALING_NONE, SCALING_STRONG, SCALING_WEAK };

/* Whether all devices of both lanes have equally many rows, and only their number differs. */
bool scaling_is_weak(const struct lane_sample *a, const struct lane_sample *b);

struct speed_up {
    enum scaling_kind kind;
    int base;          /* the lane with the fewest devices */
    double times;      /* lattice updates per second, relative to the base */
    double low, high;  /* its bounds from the quartiles of both lanes; NaN: unknown */
    double efficiency; /* `times` over the ratio of device numbers; in weak scaling, the base's time
                          over the lane's */
    bool is_settling;  /* too few iterations of either lane for the figures */
};

/* Compares a lane with the one that has the fewest devices. SCALING_NONE for that lane itself, or
 * if more than the number of devices differs. */
struct speed_up scaling_compare(const struct sample *sample, int lane);

/* Texts on lanes that differ in their number of devices; "" for other comparisons. */
struct scaling_words {
    char sentence[SENTENCE_SIZE]; /* "strong scaling (same 4096²): 1.78× on 2, 3.56× on 4;
                                     efficiency 89 %, 89 %", or "weak scaling (4096×2048 per
                                     device): efficiency t1/tP 97 % on 2" */
    char definition[64];          /* of the efficiency in `sentence` */
    char claim[SENTENCE_SIZE];    /* for weak scaling on the most devices */
    char efficiency[16];          /* on the most devices, "97 %" */
};

struct scaling_words scaling_words(const struct sample *sample);

/* "on 2 nodes · rows · mpi, host-staged": the distribution over several devices; "" for one. */
char *scaling_spread(char *buffer, size_t size, const struct lane_sample *lane);
