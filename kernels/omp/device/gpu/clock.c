#include "kernels/omp/device/gpu/gpu.h"

/* Reads the clock until it has moved on some times; a step is never less than a reading takes. */
void target_measure_clock(struct offload_clock *clock) {
    enum { READINGS = 4096 };
    double tick = 0.0;
    uint64_t least = UINT64_MAX;

#pragma omp target map(from : tick, least)
    {
        uint64_t last = __builtin_readsteadycounter(), shortest = UINT64_MAX;
        for (int n = 0; n < READINGS; n++) {
            const uint64_t now = __builtin_readsteadycounter();
            if (now != last && now - last < shortest)
                shortest = now - last;
            last = now;
        }
        least = shortest;
        tick = omp_get_wtick();
    }
    clock->tick_ns = 1e9 * tick;
    clock->step_ns = clock->tick_ns * (double)least;
}
