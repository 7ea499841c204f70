/* Wraps every back end of the program in one that fails on request: its probe, its checks, its
 * opening, and each call into the opened engine. The linker's --wrap substitutes these tables for
 * the real ones. */
#include <math.h>
#include <stdlib.h>

#include "solver/backend.h"
#include "tests/faults/faults.h"

static const char told[] = "the back end was told to fail";

static enum status comes(enum status status, struct error *error) {
    return fault_comes(FAULT_BACKEND, (char)('0' + status)) ? error_set(error, status, told)
                                                            : STATUS_OK;
}

/* ---- engines: the replacement table keeps a pointer to the real functions */

struct faulty_ops {
    struct engine_ops ops;
    const struct engine_ops *real;
    struct slab_ops slab;
    const struct slab_ops *real_slab; /* NULL: the engine is not a slab */
};

static const struct engine_ops *real(const struct engine *engine) {
    return ((const struct faulty_ops *)engine->ops)->real;
}

static const struct slab_ops *real_slab(const struct engine *engine) {
    return ((const struct faulty_ops *)engine->ops)->real_slab;
}

/* Defines `name`, which calls the engine's `operation` or fails. */
#define FAILING(name, of, operation, parameters, arguments)                                        \
    static enum status name parameters {                                                           \
        const enum status status = comes(STATUS_DEVICE_FAILED, error);                             \
        return status ? status : of(engine)->operation arguments;                                  \
    }

FAILING(kernel, real, kernel, (struct engine * engine, enum phase phase, struct error *error),
        (engine, phase, error))
FAILING(norm, real, norm, (struct engine * engine, double *sum, struct error *error),
        (engine, sum, error))
FAILING(advance, real, advance,
        (struct engine * engine, long count, double tolerance, double *residuals, long *done,
         struct error *error),
        (engine, count, tolerance, residuals, done, error))
FAILING(pass, real, pass, (struct engine * engine, int depth, double *sums, struct error *error),
        (engine, depth, sums, error))

static void accept_pass(struct engine *engine) {
    real(engine)->accept(engine);
}

FAILING(downsample, real, downsample,
        (struct engine * engine, const struct downsample *wanted, double *sums,
         struct error *error),
        (engine, wanted, sums, error))
FAILING(read_U, real, read, (struct engine * engine, double *U, struct error *error),
        (engine, U, error))

FAILING(boundary_rows, real_slab, boundary_rows,
        (struct engine * engine, int depth, struct error *error), (engine, depth, error))
FAILING(end_batch, real_slab, end, (struct engine * engine, double *sums, struct error *error),
        (engine, sums, error))

static void close_engine(struct engine *engine) {
    struct faulty_ops *faulty = (struct faulty_ops *)engine->ops;
    engine->ops = faulty->real;
    engine->slab = faulty->real_slab;
    free(faulty);
    engine->ops->close(engine);
}

static const struct engine_ops phases = {.kernel = kernel,
                                         .norm = norm,
                                         .pass = pass,
                                         .accept = accept_pass,
                                         .downsample = downsample,
                                         .read = read_U,
                                         .close = close_engine};

static const struct engine_ops whole_iterations = {
    .advance = advance, .downsample = downsample, .read = read_U, .close = close_engine};

/* ---- back ends */

static enum status probe(const struct backend *backend, struct device_list *devices,
                         struct error *error) {
    devices->count = 0;
    const enum status status = comes(STATUS_UNAVAILABLE, error);
    return status ? status : backend->probe(devices, error);
}

static enum status supports(const struct backend *backend, const struct engine_spec *spec,
                            struct error *error) {
    const enum status status = comes(STATUS_UNAVAILABLE, error);
    return status ? status : backend->supports(spec, error);
}

/* A failure here reports a run that can't fit. */
static struct footprint footprint(const struct backend *backend, const struct engine_spec *spec) {
    if (comes(STATUS_BAD_INPUT, NULL))
        return (struct footprint){.host_bytes = UINT64_MAX / 16, .device_bytes = UINT64_MAX / 16};
    return backend->footprint(spec);
}

/* ---- values: a problem with one value of the initial guess that is not finite */

enum { PLANTED_I = 5, PLANTED_J = 4 };

static struct {
    const struct problem *real;
    struct problem problem;
    double value;
} planted;

static void planted_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    if (planted.real->fill_row)
        planted.real->fill_row(mesh, j, U, RHS);
    if (j == PLANTED_J && mesh->Nx > PLANTED_I)
        U[PLANTED_I] = planted.value;
}

static const struct problem *plant(const struct problem *problem) {
    const bool is_nan = fault_comes(FAULT_NAN, '0' + STATUS_DIVERGED);
    if (!is_nan && !fault_comes(FAULT_INF, '0' + STATUS_DIVERGED))
        return problem;
    planted.real = problem;
    planted.problem = *problem;
    planted.problem.fill_row = planted_row;
    planted.value = is_nan ? (double)NAN : (double)INFINITY;
    return &planted.problem;
}

static enum status open_engine(const struct backend *backend, const struct engine_spec *spec,
                               struct event_log *events, struct engine **engine,
                               struct error *error) {
    enum status status = comes(STATUS_DEVICE_FAILED, error);
    struct engine_spec with_value = *spec;
    with_value.problem = plant(spec->problem);
    if (!status)
        status = backend->open(&with_value, events, engine, error);
    if (status)
        return status;
    struct faulty_ops *faulty = malloc(sizeof *faulty);
    if (!faulty) {
        (*engine)->ops->close(*engine);
        *engine = NULL; /* callers close every engine that they receive */
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    faulty->real = (*engine)->ops;
    faulty->ops = faulty->real->advance ? whole_iterations : phases;
    (*engine)->ops = &faulty->ops;
    faulty->real_slab = (*engine)->slab;
    if (faulty->real_slab) {
        faulty->slab = *faulty->real_slab;
        faulty->slab.boundary_rows = boundary_rows;
        faulty->slab.end = end_batch;
        (*engine)->slab = &faulty->slab;
    }
    return STATUS_OK;
}

/* A failure here doesn't end the run: it continues without a roof. */
static enum status measure_roof(const struct backend *backend, int device,
                                const struct tuning *tuning, struct roof *roof,
                                struct error *error) {
    if (fault_comes(FAULT_BACKEND, '0'))
        return error_set(error, STATUS_DEVICE_FAILED, told);
    return backend->measure_roof(device, tuning, roof, error);
}

/* The functions of a back end don't receive its identity, so each back end has its own wrappers. */
#define FAULTY(which)                                                                              \
    extern const struct backend __real_##which;                                                    \
    extern struct backend __wrap_##which;                                                          \
    struct backend __wrap_##which;                                                                 \
                                                                                                   \
    static enum status which##_probe(struct device_list *devices, struct error *error) {           \
        return probe(&__real_##which, devices, error);                                             \
    }                                                                                              \
    static enum status which##_supports(const struct engine_spec *spec, struct error *error) {     \
        return supports(&__real_##which, spec, error);                                             \
    }                                                                                              \
    static struct footprint which##_footprint(const struct engine_spec *spec) {                    \
        return footprint(&__real_##which, spec);                                                   \
    }                                                                                              \
    static enum status which##_open(const struct engine_spec *spec, struct event_log *events,      \
                                    struct engine **engine, struct error *error) {                 \
        return open_engine(&__real_##which, spec, events, engine, error);                          \
    }                                                                                              \
    static enum status which##_roof(int device, const struct tuning *tuning, struct roof *roof,    \
                                    struct error *error) {                                         \
        return measure_roof(&__real_##which, device, tuning, roof, error);                         \
    }                                                                                              \
    __attribute__((constructor)) static void which##_begin(void) {                                 \
        __wrap_##which = __real_##which;                                                           \
        __wrap_##which.probe = which##_probe;                                                      \
        if (__real_##which.open) {                                                                 \
            __wrap_##which.supports = which##_supports;                                            \
            __wrap_##which.footprint = which##_footprint;                                          \
            __wrap_##which.open = which##_open;                                                    \
        }                                                                                          \
        if (__real_##which.measure_roof)                                                           \
            __wrap_##which.measure_roof = which##_roof;                                            \
    }

FAULTY(serial_backend)
FAULTY(threads_backend)
FAULTY(omp_backend)
FAULTY(hip_backend)
