#include "metrics/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/costs.h"
#include "metrics/labels.h"

static const int flops_of[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = 9,    [PHASE_BOUNDARY] = 9,      [PHASE_UPDATE] = 3, [PHASE_NORM] = 2,
    [PHASE_FUSED] = 14,       [PHASE_BLOCKED] = 14,      [PHASE_SWEEP] = 6, /* half of the unknowns,
                                                                               12 FLOP each */
    [PHASE_RESTRICTION] = 10, [PHASE_PROLONGATION] = 10,
};

/* Floating-point operations per kernel call, counted in our source. The table is per unknown, in
 * BoundaryConditions per unknown next to the boundary. For blocked, the back end reports the count
 * of a pass, or it is 14 per unknown and iteration; it grows evenly with the pass's `iterations`,
 * which may be a mean. `lane` may be NULL. */
static double flops_of_call(enum phase phase, const struct mesh *mesh,
                            const struct lane_sample *lane, double iterations) {
    const int Nx = mesh->Nx, Ny = mesh->Ny;
    const double inner = Nx > 2 && Ny > 2 ? (Nx - 2.0) * (Ny - 2.0) : 0;
    const double unknowns = (double)mesh_unknowns(mesh) - (phase == PHASE_BOUNDARY ? inner : 0);
    const struct backend *backend = lane ? backend_find(lane->run.backend) : NULL;
    const enum method method = lane ? lane->run.method : METHOD_JACOBI;
    const bool corrects = phase == PHASE_UPDATE || phase == PHASE_FUSED;
    /* Chebyshev goes further along the last step; SOR's Update corrects half of the unknowns. */
    const int more = !corrects ? 0 : method == METHOD_CHEBYSHEV ? 3 : -(method == METHOD_SOR);
    if (phase != PHASE_BLOCKED || !lane)
        return (flops_of[phase] + more) * unknowns;
    if (!backend || !backend->blocked_flops)
        return flops_of[phase] * unknowns * iterations;
    const struct mesh damped = mesh_damped(*mesh, lane->run.omega);
    const int first = backend->blocked_flops(&damped, 1, lane_is_on_gpu(lane));
    const int next = backend->blocked_flops(&damped, 2, lane_is_on_gpu(lane)) - first;
    return unknowns * (first + next * (iterations - 1));
}

/* The part of the grid that a call computes: a slab, or, on average, a level of multigrid. */
static double part_of_call(const struct lane_sample *lane, const struct mesh *mesh,
                           const struct cost *cost) {
    struct levels levels;
    if (lane->run.method != METHOD_MULTIGRID)
        return lane->device_stats.count > 1 ? 1.0 / lane->device_stats.count : 1;
    levels_make(&levels, mesh, lane->run.method);
    return cost->bytes / (double)method_minimum_bytes(lane->run.method, &levels, cost->phase, 0);
}

char roofline_letter(enum phase phase) {
    return phase == PHASE_BLOCKED ? 'T' : phase_names[phase][0]; /* B is BoundaryConditions */
}

double roof_at(const struct roof *roof, double intensity) {
    if (roof->origin == ROOF_UNKNOWN)
        return INFINITY;
    const double memory = isnan(roof->bandwidth_gbs) ? INFINITY : roof->bandwidth_gbs * intensity;
    return isnan(roof->gflops) || memory < roof->gflops ? memory : roof->gflops;
}

/* ---- peaks -------------------------------------------------------------------------------- */

static const struct roof unknown_roof = {
    .origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};

static struct roof given_roof(const struct machine *machine) {
    if (!(machine->bandwidth_gbs > 0))
        return unknown_roof;
    return (struct roof){
        .origin = ROOF_GIVEN, .bandwidth_gbs = machine->bandwidth_gbs, .gflops = machine->gflops};
}

static struct roof roof_of(const struct lane_sample *lane, const struct machine *machine) {
    const size_t length = strlen(machine->device);
    const bool about_it =
        length > 0 && (strcasestr(lane->device, machine->device) ||
                       strncasecmp(lane->architecture, machine->device, length) == 0);
    struct roof roof =
        lane->roof.origin != ROOF_UNKNOWN || !about_it ? lane->roof : given_roof(machine);
    if (roof.contended) /* too low by an unknown amount */
        roof = (struct roof){
            .origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN, .contended = true};
    if (lane->run.precision != PRECISION_DOUBLE)
        roof.gflops = NAN; /* measured in double */
    return roof;
}

/* ---- bottlenecks -------------------------------------------------------------------------- */

const char *bottleneck_name(enum bottleneck_kind kind) {
    static const char *const names[] = {[BOTTLENECK_MEMORY] = "memory",
                                        [BOTTLENECK_FP64] = "FP64",
                                        [BOTTLENECK_CACHES] = "caches",
                                        [BOTTLENECK_LAUNCH] = "launch",
                                        [BOTTLENECK_COPIES] = "copies"};
    return names[kind];
}

char *format_bottleneck(char *buffer, size_t size, struct bottleneck bottleneck) {
    *buffer = '\0';
    if (bottleneck.kind != BOTTLENECK_NONE)
        format_append(buffer, size, "%s", bottleneck_name(bottleneck.kind));
    if (!isnan(bottleneck.percent))
        format_append(buffer, size, ", %s", AS(format_percent, bottleneck.percent));
    return buffer;
}

/* A measured ceiling may be up to 10 % too low. */
static const double above_roof = 110, half_way = 50;

struct bottleneck roofline_bottleneck(const struct roofline *roofline, int lane, enum phase phase) {
    for (int p = 0; p < roofline->count; p++)
        if (roofline->points[p].lane == lane && roofline->points[p].phase == phase)
            return roofline->points[p].bottleneck;
    return (struct bottleneck){BOTTLENECK_NONE, NAN};
}

/* ---- points ------------------------------------------------------------------------------- */

static void add_point(struct roofline *roofline, struct roofline_point point, double flops,
                      double bytes, double seconds, double launch_percent) {
    if (!(flops > 0) || !(bytes > 0) || !(seconds > 0))
        return;
    point.intensity = flops / bytes;
    point.gflops = 1e-9 * flops / seconds;
    point.gbs = 1e-9 * bytes / seconds;
    const double memory = 100 * point.gbs / point.roof.bandwidth_gbs;
    const double fp64 = 100 * point.gflops / point.roof.gflops;
    const bool at_memory = memory >= half_way && !(fp64 > memory);
    const bool below_both = !at_memory && fp64 < half_way && !isnan(memory);
    point.bottleneck = (struct bottleneck){BOTTLENECK_NONE, NAN};
    if (launch_percent >= half_way)
        point.bottleneck = (struct bottleneck){BOTTLENECK_LAUNCH, launch_percent};
    else if (memory > above_roof || (at_memory && point.fits) ||
             (below_both && point.phase == PHASE_BLOCKED))
        point.bottleneck.kind = BOTTLENECK_CACHES;
    else if (at_memory)
        point.bottleneck = (struct bottleneck){BOTTLENECK_MEMORY, memory};
    else if (fp64 >= half_way)
        point.bottleneck = (struct bottleneck){BOTTLENECK_FP64, fp64};
    roofline->points[roofline->count++] = point;
}

static void add_points(struct roofline *roofline, const struct sample *sample,
                       const struct config *config) {
    const struct mesh mesh = mesh_make(sample->nx, sample->ny);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const struct mesh own = mesh_make(lane->nx, lane->ny);
        const struct costs costs = costs_of_run(sample, l);
        /* Half of the cache, because other data occupies a part of it. Not for several devices,
         * each of which has a cache. */
        const uint64_t arrays = schedule_has_four_kernels(lane->run.schedule) ? 4 : 3;
        const bool fits = lane->device_stats.count == 0 &&
                          2 * arrays * precision_bytes(lane->run.precision) * mesh_unknowns(&own) <=
                              lane->cache_bytes;
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
            const struct cost *cost = &costs.kernels[phase];
            const struct roofline_point point = {.phase = cost->phase,
                                                 .lane = l,
                                                 .roof = roof_of(lane, &config->machine),
                                                 .fits = fits,
                                                 .total_ms = cost->total_ms};
            const double calls = cost->count_per_iteration;
            const double flops = flops_of_call(cost->phase, &own, lane, 1 / calls);
            add_point(roofline, point, flops * part_of_call(lane, &own, cost), cost->bytes,
                      1e-3 * cost->ms, 100 * cost->launch_ms / (cost->launch_ms + cost->ms));
        }
    }
    /* References provide GB/s; their kernels are taken to compute and move as much as ours. Not
     * BoundaryConditions: its bytes are a model here, but whole cache lines in a profiler. */
    for (int r = 0; r < 2 && sample->lane_count > 0; r++) {
        const double *gbs = (r ? &config->second_reference : &config->reference)->kernel_gbs;
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
            const struct roofline_point point = {
                .phase = (enum phase)phase, .lane = -1 - r, .roof = unknown_roof, .total_ms = NAN};
            const double bytes = (double)phase_minimum_bytes(point.phase, &mesh);
            if (gbs[phase] > 0 && phase != PHASE_BOUNDARY)
                add_point(roofline, point, flops_of_call(point.phase, &mesh, NULL, 1), bytes,
                          1e-9 * bytes / gbs[phase], NAN);
        }
    }
}

/* ---- intervals ---------------------------------------------------------------------------- */

static void interval_include(struct interval *interval, double value) {
    if (!(value > 0) || !isfinite(value))
        return;
    interval->low = fmin(interval->low, value);
    interval->high = fmax(interval->high, value);
}

static void include_roof(struct roofline *roofline, const struct roof *roof) {
    if (roof->origin == ROOF_UNKNOWN || !(roof->bandwidth_gbs > 0))
        return;
    if (roof->gflops > 0) {
        interval_include(&roofline->intensity, 2 * roof->gflops / roof->bandwidth_gbs);
        interval_include(&roofline->gflops, 1.6 * roof->gflops);
    }
    interval_include(&roofline->gflops, roof->bandwidth_gbs * roofline->intensity.low);
}

/* ---- the sentence ------------------------------------------------------------------------- */

/* Appends the bottleneck of the costliest kernel and its figures. */
static void append_kernel(struct roofline *roofline, const struct roofline_point *point) {
    char *text = roofline->sentence;
    const size_t size = sizeof roofline->sentence;
    const struct roof *roof = &point->roof;
    const char *name = phase_names[point->phase];
    const char *who = roof->origin == ROOF_MEASURED ? "a probe measured on this device"
                                                    : "the preset gives for this device";
    const char *gbs = AS(format_rate, point->gbs);
    const char *gflops = AS(format_rate, point->gflops);
    const char *top = AS(format_rate, roof->bandwidth_gbs);
    const char *of_memory = AS(format_percent, 100 * point->gbs / roof->bandwidth_gbs);
    const char *of_fp64 = AS(format_percent, 100 * point->gflops / roof->gflops);
    if (point->bottleneck.kind != BOTTLENECK_NONE)
        format_append(text, size, "%s is bound by %s", name,
                      AS(format_bottleneck, point->bottleneck));
    if (point->bottleneck.kind == BOTTLENECK_MEMORY)
        format_append(text, size, " (%s of the %s GB/s that %s)", gbs, top, who);
    else if (point->bottleneck.kind == BOTTLENECK_FP64)
        format_append(text, size, " (%s of the %s GFLOP/s that %s)", gflops,
                      AS(format_rate, roof->gflops), who);
    else if (point->bottleneck.kind == BOTTLENECK_LAUNCH)
        format_append(text, size, " of its calls");
    else if (point->bottleneck.kind == BOTTLENECK_CACHES && point->gbs > roof->bandwidth_gbs)
        format_append(text, size, " (its %s GB/s are %s of the main memory's %s)", gbs, of_memory,
                      top);
    else if (point->bottleneck.kind == BOTTLENECK_CACHES && point->fits)
        format_append(text, size,
                      " (all arrays fit in the last; %s GB/s, %s of the main memory's %s)", gbs,
                      of_memory, top);
    else if (point->bottleneck.kind == BOTTLENECK_CACHES)
        format_append(text, size, " (memory only %s, FP64 only %s)", of_memory, of_fp64);
    else if (roof->origin == ROOF_UNKNOWN || !(roof->bandwidth_gbs > 0))
        format_append(
            text, size, "%s runs at %s GB/s and %s GFLOP/s; this device's peak is not known%s",
            name, gbs, gflops,
            roof->contended                        ? ": others use it"
            : roofline->given.origin == ROOF_GIVEN ? ", the dotted one is another machine's"
                                                   : "");
    else
        format_append(text, size, "%s reaches no ceiling: memory %s of the %s GB/s that %s", name,
                      of_memory, top, who);
}

/* Sets the lane's bottleneck and sentence. */
static void roofline_conclude(struct roofline *roofline, int lane, const struct costs *costs) {
    const struct roofline_point *point = NULL; /* the costliest kernel */
    for (int p = 0; p < roofline->count; p++)
        if (roofline->points[p].lane == lane &&
            (!point || roofline->points[p].total_ms > point->total_ms))
            point = &roofline->points[p];
    roofline->bottleneck = (struct bottleneck){BOTTLENECK_NONE, NAN};
    format_append(roofline->sentence, sizeof roofline->sentence, "%s",
                  point ? "" : "no kernel measured yet");
    if (!point)
        return;
    /* With device events, the rest of the loop is only launching and waiting. */
    const double launch = costs->kernel_clock == CLOCK_DEVICE ? costs->rest.percent_of_loop
                                                              : costs->launching.percent_of_loop;
    const double copies = costs->moving.percent_of_loop;
    roofline->bottleneck = launch >= half_way   ? (struct bottleneck){BOTTLENECK_LAUNCH, launch}
                           : copies >= half_way ? (struct bottleneck){BOTTLENECK_COPIES, copies}
                                                : point->bottleneck;
    if (fmax(launch, copies) >= half_way)
        format_append(roofline->sentence, sizeof roofline->sentence,
                      "The run is bound by %s of the loop. ",
                      AS(format_bottleneck, roofline->bottleneck));
    append_kernel(roofline, point);
}

struct roofline roofline_make(const struct sample *sample, const struct config *config, int lane) {
    struct roofline roofline = {
        .roof = unknown_roof,
        .given = given_roof(&config->machine),
    };
    if (lane < sample->lane_count)
        roofline.roof = roof_of(&sample->lanes[lane], &config->machine);
    if (roofline.roof.origin == ROOF_GIVEN)
        roofline.given = unknown_roof;
    add_points(&roofline, sample, config);
    /* Add a margin around all points. */
    roofline.intensity = (struct interval){0.04, 2};
    roofline.gflops = (struct interval){INFINITY, 0};
    for (int p = 0; p < roofline.count; p++) {
        interval_include(&roofline.intensity, roofline.points[p].intensity);
        interval_include(&roofline.gflops, roofline.points[p].gflops);
    }
    include_roof(&roofline, &roofline.roof);
    include_roof(&roofline, &roofline.given);
    if (!(roofline.gflops.high > 0))
        roofline.gflops = (struct interval){0.1, 100};
    roofline.gflops.low /= 1.5;
    roofline.gflops.high *= 1.5;
    if (lane < sample->lane_count) {
        const struct costs costs = costs_of_run(sample, lane);
        roofline_conclude(&roofline, lane, &costs);
    }
    return roofline;
}
