/* What several devices make of a run: the speed-up with its definition, what each device waits for,
 * what the exchange of halos costs and how much of it kernels hide, surface against volume.
 *
 * Pure; made from one sample. Times are ms per iteration, of the whole run so far. What was not
 * measured is NaN.
 */
#ifndef JACOBI_METRICS_SCALING_H
#define JACOBI_METRICS_SCALING_H

#include "metrics/labels.h"

struct scaling {
    int count;                                              /* of devices; 0: the run has one */
    int hosts;                                              /* the machines that they are in */
    double wall_ms;                                         /* of an iteration, by the wall clock */
    double least_kernel_ms, mean_kernel_ms, most_kernel_ms; /* of a device */
    int slowest;    /* the one whose kernels take the longest; -1: not known */
    double halo_ms; /* in halo copies, the mean of a device */
    double wait_ms; /* waiting for neighbours, likewise */
    double overlap; /* the share of halo_ms behind kernels: what wall time, kernels and waits leave
                      no room for; at least so much if waits_hold_halos */
    double halo_bytes;     /* per iteration, all devices together */
    double surface;        /* those over the kernels' minimum traffic: surface against volume */
    double redundant_rows; /* rows that two devices hold, over all rows: the price of a deep pass */
};

/* Whether its waits are all that kernels leave of the time, so that halos which nothing hides are
 * among them: on GPUs. */
bool waits_hold_halos(const struct lane_sample *lane);

struct scaling scaling_make(const struct sample *sample, int lane);

/* The ms per iteration of one device in kernels, halo copies and waits. */
struct scaling_share {
    double kernel_ms, halo_ms, wait_ms;
};
struct scaling_share scaling_share(const struct lane_sample *lane, int part);

/* Strong: the same grid on more devices; ideal: in proportion faster. Weak: as many rows of the
 * same length for each device; ideal: as fast. */
enum scaling_kind { SCALING_NONE, SCALING_STRONG, SCALING_WEAK };

/* Whether two lanes fit into a comparison of weak scaling: each of their devices has as many rows,
 * and nothing but the number of devices differs: back end, mapping, schedule, method, kernels. */
bool scaling_is_weak(const struct lane_sample *a, const struct lane_sample *b);

struct speed_up {
    enum scaling_kind kind;
    int base;          /* the lane with the fewest devices */
    double times;      /* as many lattice updates per second as the base */
    double efficiency; /* that over the ratio of their devices: in weak scaling the base's time
                          over the lane's */
};

/* Of a lane against the one with the fewest devices, if nothing but their number differs: back
 * end, mapping, schedule, method. Else SCALING_NONE, as for the base itself. */
struct speed_up scaling_compare(const struct sample *sample, int lane);

/* "strong scaling (same 4096²): 1.78× on 2, 3.56× on 4; efficiency 89 %, 89 %", "weak scaling
 * (4096×2048 per device): efficiency t1/tP 97 % on 2"; "" if the sample's lanes are no such
 * comparison. And how that efficiency is defined, likewise. Of weak scaling what the most devices
 * come to: the claim, and their efficiency, "97 %"; both "" of another comparison. Return `buffer`.
 */
char *scaling_sentence(char *buffer, size_t size, const struct sample *sample);
char *scaling_definition(char *buffer, size_t size, const struct sample *sample);
char *scaling_weak_claim(char *buffer, size_t size, const struct sample *sample,
                         char efficiency[16]);

/* "on 2 nodes · rows · mpi, host-staged": how a run on several devices is spread; "" of one. */
char *scaling_spread(char *buffer, size_t size, const struct lane_sample *lane);

#endif
