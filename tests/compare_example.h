/* A made-up comparison with round figures: structured against unstructured, events included. */
#ifndef JACOBI_TESTS_COMPARE_EXAMPLE_H
#define JACOBI_TESTS_COMPARE_EXAMPLE_H

#include "tests/example.h"

/* Appends an event and moves the clock on. */
static inline void example_event(struct lane_sample *lane, int64_t *now, enum event_kind kind,
                                 enum phase phase, enum array array, double ms, double bytes) {
    const struct event event = {
        .kind = kind,
        .phase = phase,
        .array = array,
        .clock = CLOCK_OMPT,
        .iteration = EXAMPLE_ITERATIONS - 1,
        .start_ns = *now,
        .duration_ns = (int64_t)(ms * 1e6),
        .bytes = (uint64_t)bytes,
    };
    lane->events[lane->event_count++] = event;
    *now += event.duration_ns;
}

/* One iteration: in 800 ms of copies what the example's totals say, or none of them. */
static inline void example_events(struct lane_sample *lane, const struct mesh *mesh) {
    static const double kernel_ms[4] = {10, 1, 20, 5};
    static const enum array to[4][3] = {
        {ARRAY_U, ARRAY_AU}, {ARRAY_U, ARRAY_AU}, {ARRAY_RHS, ARRAY_AU, ARRAY_U}, {ARRAY_RES}};
    static const enum array from[4] = {ARRAY_AU, ARRAY_AU, ARRAY_U, ARRAY_NONE};
    const double array = 8.0 * (double)mesh_unknowns(mesh);
    int64_t now = 5000000000;
    for (int phase = 0; phase < 4; phase++) {
        const bool copies = lane->mapping == MAPPING_STRUCTURED;
        if (copies)
            example_event(lane, &now, EVENT_ALLOC, (enum phase)phase, ARRAY_U, 25, array);
        for (int k = 0; copies && k < 3 && to[phase][k]; k++)
            example_event(lane, &now, EVENT_TO_DEVICE, (enum phase)phase, to[phase][k], 75, array);
        example_event(lane, &now, EVENT_KERNEL, (enum phase)phase, ARRAY_NONE, kernel_ms[phase],
                      (double)phase_minimum_bytes((enum phase)phase, mesh));
        if (copies && from[phase])
            example_event(lane, &now, EVENT_FROM_DEVICE, (enum phase)phase, from[phase], 200.0 / 3,
                          array);
    }
    lane->phase = PHASE_UPDATE;
    lane->roof = (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 40, .gflops = 200};
}

/* 1 to 4 lanes: structured, unstructured, and the same again as others' schedules. */
static inline struct sample *compare_example(int lane_count) {
    struct sample *sample = example_sample(MAPPING_STRUCTURED);
    const struct mesh mesh = mesh_make(4096, 4096);
    if (!sample)
        return NULL;
    sample->lane_count = lane_count;
    for (int l = 0; l < lane_count; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        if (l > 0)
            example_lane(lane, &mesh, l == 1 ? MAPPING_UNSTRUCTURED : MAPPING_STRUCTURED);
        if (l > 1)
            snprintf(lane->backend, sizeof lane->backend, l == 2 ? "threads" : "serial");
        example_events(lane, &mesh);
    }
    return sample;
}

#endif
