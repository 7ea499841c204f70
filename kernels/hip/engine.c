#include "kernels/hip/user_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "kernels/cpu/row.h"

enum { ROW_ALIGNMENT = 16, DOWNSAMPLE_BLOCK = 128, STAGING_BYTES = 16 << 20 };

struct hip_engine *hip_engine_of(struct engine *engine) {
    return (struct hip_engine *)engine;
}

int hip_stride(const struct engine_spec *spec) {
    const int Nx = spec->mesh.Nx;
    return schedule_has_four_kernels(spec->run.schedule) || spec->run.user_kernels
               ? Nx
               : (Nx + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

unsigned hip_boundary_ends(const struct engine_spec *spec) {
    const struct row_range own = engine_own_rows(spec);
    const struct slab *slab = &spec->slab;
    const bool splits = !schedule_has_four_kernels(spec->run.schedule) &&
                        own.end - own.begin > slab->below + slab->above;
    return splits ? (unsigned)((slab->below > 0) + (slab->above > 0)) : 0;
}

int hip_engine_reverse(struct hip_engine *hip) {
    hip->backwards = !hip->backwards;
    return hip->backwards;
}

bool hip_engine_stop_requested(const struct hip_engine *hip) {
    const atomic_bool *stop = hip->base.spec.stop;
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

enum status hip_engine_synchronize(struct hip_engine *hip, struct error *error) {
    const enum status status = hip_context_synchronize(&hip->context, error);
    return status ? status : hip_timer_collect(&hip->context.timer, error);
}

/* ---- U's cells ------------------------------------------------------------------------------- */

/* The level of engine->step: where its U begins in the array, and from one row to the next. */
static size_t level_begin(const struct hip_engine *hip) {
    return hip->base.levels.begin[hip->base.step.level];
}

static int level_stride(const struct hip_engine *hip) {
    return hip->base.step.level > 0 ? engine_step_mesh(&hip->base)->Nx : hip->stride;
}

static enum status downsample_on_device(struct hip_engine *hip, const struct downsample *downsample,
                                        double *sums, struct error *error) {
    struct hip_context *context = &hip->context;
    const struct engine_spec *spec = &hip->base.spec;
    int first = spec->slab.first;
    struct row_range own = engine_own_rows(spec);
    struct downsample d = *downsample;
    const unsigned count = (unsigned)(d.cols * d.rows);
    const size_t bytes = count * sizeof *sums;
    enum status status = STATUS_OK;
    if (hip->cells.bytes < bytes) {
        hip_vector_destroy(context, &hip->cells);
        status = hip_vector_create(context, &hip->cells, ARRAY_NONE, bytes, error);
    }
    int stride = level_stride(hip);
    double *U = hip->U.device + level_begin(hip);
    void *arguments[] = {&stride, &first, &own.begin, &own.end, &d.i0, &d.i1,
                         &d.j0,   &d.j1,  &d.cols,    &d.rows,  &U,    &hip->cells.device};
    if (!status)
        status = hip_timer_before(&context->timer, error);
    if (!status)
        status = hip_stream_launch(&context->stream, KERNEL_DOWNSAMPLE, count, DOWNSAMPLE_BLOCK,
                                   arguments, error);
    if (!status)
        status = hip_timer_after(
            &context->timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE,
            phase_minimum_bytes(PHASE_DOWNSAMPLE, engine_step_mesh(&hip->base)), error);
    if (!status)
        status = hip_stream_synchronize(&context->stream, error);
    return status ? status : hip_vector_read(context, &hip->cells, 0, sums, bytes, error);
}

/* Structured: U stays on the host between kernels, so it is downsampled there. */
static void downsample_on_host(struct hip_engine *hip, const struct downsample *downsample,
                               double *sums) {
    const int64_t start = clock_now_ns();
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(&hip->base.spec, level_stride(hip), downsample, row,
                           hip->U.host + level_begin(hip),
                           sums + (size_t)row * (size_t)downsample->cols);
    hip_timer_note(&hip->context.timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE, CLOCK_HOST,
                   start, clock_now_ns() - start,
                   phase_minimum_bytes(PHASE_DOWNSAMPLE, engine_step_mesh(&hip->base)));
}

enum status hip_engine_downsample(struct engine *engine, const struct downsample *downsample,
                                  double *sums, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    hip->context.phase = PHASE_DOWNSAMPLE;
    hip_timer_step(&hip->context.timer, engine->events->iteration);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status && hip->context.mapping == MAPPING_STRUCTURED)
        downsample_on_host(hip, downsample, sums);
    else if (!status)
        status = downsample_on_device(hip, downsample, sums, error);
    if (!status)
        status = hip_engine_synchronize(hip, error);
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

/* ---- rows to and from the host --------------------------------------------------------------- */

/* Rows that are transferred at a time, through memory of the host laid out as the vectors are. */
static int rows_at_a_time(const struct hip_engine *hip) {
    const int Ny = hip->base.spec.mesh.Ny;
    const int rows = (int)(STAGING_BYTES / ((size_t)hip->stride * sizeof(double)));
    return rows < 1 ? 1 : rows > Ny ? Ny : rows;
}

static enum status write_start(struct hip_engine *hip, struct error *error) {
    const struct engine_spec *spec = &hip->base.spec;
    const struct mesh mesh = engine_spec_problem_mesh(spec);
    const size_t stride = (size_t)hip->stride, row_bytes = stride * sizeof(double);
    const int most = rows_at_a_time(hip);
    double *U = calloc((size_t)most, row_bytes), *RHS = calloc((size_t)most, row_bytes);
    enum status status = U && RHS ? STATUS_OK : error_set(error, STATUS_INTERNAL, "out of memory");
    for (int j = 0; j < spec->mesh.Ny && !status; j += most) {
        const int left = spec->mesh.Ny - j, rows = left < most ? left : most;
        const size_t offset = (size_t)j * row_bytes, bytes = (size_t)rows * row_bytes;
        for (int n = 0; n < rows; n++)
            spec->problem->fill_row(&mesh, spec->slab.first + j + n, U + (size_t)n * stride,
                                    RHS + (size_t)n * stride);
        status = hip_vector_write(&hip->context, &hip->U, offset, U, bytes, error);
        if (!status)
            status = hip_vector_write(&hip->context, &hip->RHS, offset, RHS, bytes, error);
        if (!status && hip_timer_is_full(&hip->context.timer, 4))
            status = hip_engine_synchronize(hip, error);
    }
    free(U);
    free(RHS);
    return status;
}

enum status hip_engine_read_rows(struct hip_engine *hip, int row, int count, double *U,
                                 struct error *error) {
    const size_t Nx = (size_t)hip->base.spec.mesh.Nx;
    const size_t stride = (size_t)hip->stride, row_bytes = stride * sizeof(double);
    enum status status = STATUS_OK;
    if (stride == Nx) {
        status = hip_vector_read(&hip->context, &hip->U, (size_t)row * row_bytes, U,
                                 (size_t)count * row_bytes, error);
        return status ? status : hip_engine_synchronize(hip, error);
    }
    const int most = rows_at_a_time(hip);
    double *staged = calloc((size_t)most, row_bytes);
    if (!staged)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    for (int j = 0; j < count && !status; j += most) {
        const int left = count - j, rows = left < most ? left : most;
        status = hip_vector_read(&hip->context, &hip->U, (size_t)(row + j) * row_bytes, staged,
                                 (size_t)rows * row_bytes, error);
        for (int n = 0; n < rows && !status; n++)
            memcpy(U + (size_t)(j + n) * Nx, staged + (size_t)n * stride, Nx * sizeof *U);
        if (!status && hip_timer_is_full(&hip->context.timer, 4))
            status = hip_engine_synchronize(hip, error);
    }
    free(staged);
    return status ? status : hip_engine_synchronize(hip, error);
}

enum status hip_engine_read(struct engine *engine, double *U, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip->context.phase = engine->events->phase; /* the caller's: the end, or an inspection */
    const enum status status = hip_stream_make_current(&hip->context.stream, error);
    return status ? status : hip_engine_read_rows(hip, 0, engine->spec.mesh.Ny, U, error);
}

/* ---- batches --------------------------------------------------------------------------------- */

double *hip_engine_limit(const struct hip_engine *hip) {
    return (double *)hip->state + LIMIT_AT / sizeof(double);
}

static enum status set_limit(struct hip_engine *hip, double limit, struct error *error) {
    const struct hip_stream *stream = &hip->context.stream;
    hip->limit = limit;
    return hip_check(stream->driver,
                     stream->driver->copy_to(hip_engine_limit(hip), &hip->limit, sizeof hip->limit,
                                             stream->handle),
                     "copying the limit to the device", error);
}

/* Finds the largest sum(RES²) whose residual is not above the tolerance, to the last bit, by
 * halving the bit patterns of the numbers from 0 to infinity: so the device decides exactly as the
 * host. */
enum status hip_engine_set_tolerance(struct hip_engine *hip, double tolerance,
                                     struct error *error) {
    if (hip->tolerance == tolerance)
        return STATUS_OK;
    const double infinity = INFINITY;
    uint64_t low = 0, high; /* low's residual is not above, high's is */
    memcpy(&high, &infinity, sizeof high);
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        double sum;
        memcpy(&sum, &middle, sizeof sum);
        if (mesh_residual(&hip->base.spec.mesh, sum) > tolerance)
            high = middle;
        else
            low = middle;
    }
    double limit;
    memcpy(&limit, &low, sizeof limit);
    hip->tolerance = tolerance;
    return set_limit(hip, limit, error);
}

long hip_engine_batch_for(double seconds, long most) {
    static const double batch_seconds = 0.004;
    const double fit = batch_seconds / seconds;
    if (fit < 1)
        return 1;
    return fit < (double)most ? (long)fit : most;
}

enum status hip_engine_clear_state(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    return hip_check(driver, driver->fill(hip->state, 0, STATE_BYTES, hip->context.stream.handle),
                     "clearing the device's memory", error);
}

enum status hip_engine_fetch_sums(struct hip_engine *hip, size_t count, struct error *error) {
    const struct hip_stream *stream = &hip->context.stream;
    struct hip_timer *timer = &hip->context.timer;
    const size_t bytes = count * sizeof(double);
    enum status status = hip_timer_before(timer, error);
    if (!status)
        status =
            hip_check(stream->driver,
                      stream->driver->copy_from(hip->sums, hip->pass_sums, bytes, stream->handle),
                      "copying the norms from the device", error);
    if (!status)
        status =
            hip_timer_after(timer, EVENT_FROM_DEVICE, hip->context.phase, ARRAY_NORM, bytes, error);
    return status ? status : hip_context_synchronize(&hip->context, error);
}

long hip_engine_take_residuals(const struct hip_engine *hip, long count, double tolerance,
                               double *residuals) {
    for (long made = 0; made < count; made++) {
        residuals[made] = mesh_residual(&hip->base.spec.mesh, hip->sums[made]);
        if (!(residuals[made] > tolerance))
            return made + 1;
    }
    return count;
}

/* ---- opening and closing --------------------------------------------------------------------- */

void hip_engine_close(struct engine *engine) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_context *context = &hip->context;
    const struct hip_driver *driver = context->stream.driver;
    if (driver && hip_stream_make_current(&context->stream, NULL) == STATUS_OK)
        hip_stream_synchronize(&context->stream, NULL);
    struct hip_vector *vectors[] = {&hip->U,   &hip->RHS,    &hip->AU,
                                    &hip->RES, &hip->U_next, &hip->cells};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
        hip_vector_destroy(context, vectors[v]);
    if (hip->partials)
        driver->release(hip->partials);
    if (hip->pass_sums)
        driver->release(hip->pass_sums);
    if (hip->state)
        driver->release(hip->state);
    if (hip->sums)
        driver->host_release(hip->sums);
    hip_slab_close(hip);
    hip_graph_release(&hip->iterations, &context->stream);
    hip_timer_close(&context->timer);
    hip_stream_close(&context->stream);
    free(hip);
}

/* Pinned, so that the device writes them through a pointer of its own. `plain` takes the blog's
 * non-coherent kind on AMD, whose writes the host sees once it has waited for the stream. */
enum status hip_engine_allocate_sums(struct hip_engine *hip, size_t count, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    const bool as_the_blog =
        hip->base.spec.run.schedule.kind == SCHEDULE_PLAIN && driver->vendor == VENDOR_AMD;
    const unsigned flags = hipHostMallocMapped | (as_the_blog ? hipHostMallocNonCoherent : 0);
    void *host = NULL, *device = NULL;
    enum status status =
        hip_check(driver, driver->host_allocate(&host, count * sizeof(double), flags),
                  "no pinned memory for the norm", error);
    hip->sums = host;
    if (!status)
        status = hip_check(driver, driver->host_pointer(&device, host, 0),
                           "the norm's pinned memory has no address on the device", error);
    hip->sums_device = device;
    return status;
}

enum status hip_engine_allocate_batch(struct hip_engine *hip, size_t partials, size_t sums,
                                      struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    void *device_sums = NULL;
    hip->tolerance = NAN;
    enum status status = STATUS_OK;
    if (!hip->sums)
        status = hip_engine_allocate_sums(hip, sums, error);
    if (!status)
        status = hip_check(driver, driver->allocate(&hip->partials, partials * sizeof(double)),
                           "no memory on the device for partial sums", error);
    if (!status)
        status = hip_check(driver, driver->allocate(&device_sums, sums * sizeof(double)),
                           "no memory on the device for the norms", error);
    hip->pass_sums = device_sums;
    if (!status)
        status = hip_check(driver, driver->allocate(&hip->state, LIMIT_AT + sizeof hip->limit),
                           "no memory on the device for the pass's state", error);
    if (!status)
        status = set_limit(hip, -1, error);
    return status ? status : hip_engine_clear_state(hip, error);
}

enum status hip_engine_open(const struct engine_spec *spec, const struct hip_schedule *schedule,
                            struct event_log *events, struct engine **engine, struct error *error) {
    struct hip_engine *hip = calloc(1, sizeof *hip);
    if (!hip)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    struct hip_context *context = &hip->context;
    const struct hip_gpu *gpu;
    hip->base = (struct engine){.ops = schedule->ops, .spec = *spec, .events = events};
    engine_set_method(&hip->base);
    hip->stride = hip_stride(spec);
    context->mapping = spec->run.mapping;
    if (spec->run.mapping != MAPPING_STRUCTURED)
        hip->base.spec.run.host_memory = HOST_PAGEABLE;
    context->host_memory = hip->base.spec.run.host_memory;
    context->phase = PHASE_SETUP;
    /* Update and Norm take pairs, which are aligned: a slab's own rows must begin so. */
    if (schedule_has_four_kernels(spec->run.schedule))
        context->shift = (size_t)(spec->slab.below * spec->mesh.Nx % 2) * sizeof(double);

    const struct levels *levels = &hip->base.levels;
    const size_t numbers = schedule_has_four_kernels(spec->run.schedule)
                               ? levels->begin[levels->count]
                               : (size_t)hip->stride * (size_t)spec->mesh.Ny;
    const size_t bytes = numbers * sizeof(double);
    enum status status = hip_gpu_find(spec->run.device, &gpu, error);
    if (!status)
        status = hip_stream_open(&context->stream, gpu, error);
    if (!status && spec->run.user_kernels)
        status = hip_user_kernels_replace(&context->stream, error);
    if (!status)
        status =
            hip_timer_open(&context->timer, &context->stream, events, !spec->without_events, error);
    if (!status)
        status = hip_vector_create(context, &hip->U, ARRAY_U, bytes, error);
    if (!status)
        status = hip_vector_create(context, &hip->RHS, ARRAY_RHS, bytes, error);
    if (!status)
        status = schedule->open(hip, error);
    if (!status && spec->slab.problem_Ny > 0)
        status = hip_slab_open(hip, error);
    if (!status)
        status = write_start(hip, error);
    if (!status)
        status = hip_engine_synchronize(hip, error);
    if (status) {
        hip_engine_close(&hip->base);
        return status;
    }
    *engine = &hip->base;
    return STATUS_OK;
}
