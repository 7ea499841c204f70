#include "kernels/hip/engine.h"

#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "kernels/cpu/row.h"

enum { ROW_BYTES = 128, DOWNSAMPLE_BLOCK = 128, STAGING_BYTES = 16 << 20 };

struct hip_engine *hip_engine_of(struct engine *engine) {
    return (struct hip_engine *)engine;
}

int hip_stride(const struct engine_spec *spec) {
    const int Nx = spec->mesh.Nx;
    const int aligned = ROW_BYTES / (int)precision_bytes(spec->run.precision);
    return schedule_has_four_kernels(spec->run.schedule) || spec->run.user_kernels
               ? Nx
               : (Nx + aligned - 1) / aligned * aligned;
}

int hip_engine_reverse(struct hip_engine *hip) {
    hip->backwards = !hip->backwards;
    return hip->backwards;
}

enum status hip_engine_status(struct hip_engine *hip, struct error *error) {
    return hip_take_failure(&hip->context.failure, error);
}

void hip_engine_launch(struct hip_engine *hip, enum hip_kernel kernel, unsigned blocks,
                       unsigned threads, void **arguments) {
    const struct hip_stream *stream = &hip->context.stream;
    const enum phase phase = hip->context.phase;
    const bool is_known = hip->used[phase].kernel == kernel && hip->used[phase].threads == threads;
    if (hip->context.timer.enabled && !is_known && !hip_failed(stream)) {
        hip->base.events->usage[phase] = hip_stream_usage(stream, kernel, threads);
        hip->used[phase].kernel = kernel;
        hip->used[phase].threads = threads;
    }
    hip_stream_launch(stream, kernel, blocks, threads, arguments);
}

/* Waits for the stream, and passes all times to the log. */
static void hip_engine_synchronize(struct hip_engine *hip) {
    hip_context_synchronize(&hip->context);
    hip_timer_collect(&hip->context.timer);
}

/* ---- U's cells ------------------------------------------------------------------------------- */

/* The level of engine->step: the start of its U in the array, and its distance between rows. */
static size_t level_begin(const struct hip_engine *hip) {
    return hip->base.levels.begin[hip->base.step.level];
}

static int level_stride(const struct hip_engine *hip) {
    return hip->base.step.level > 0 ? engine_step_mesh(&hip->base)->Nx : hip->stride;
}

static void downsample_on_device(struct hip_engine *hip, const struct downsample *downsample,
                                 double *sums) {
    struct hip_context *context = &hip->context;
    const struct engine_spec *spec = &hip->base.spec;
    int first = spec->slab.first;
    struct row_range own = engine_own_rows(spec);
    struct downsample d = *downsample;
    const unsigned count = (unsigned)(d.cols * d.rows);
    const size_t bytes = count * sizeof *sums;
    if (hip->cells.bytes < bytes) {
        hip_vector_destroy(context, &hip->cells);
        hip_vector_create(context, &hip->cells, ARRAY_NONE, bytes);
    }
    int stride = level_stride(hip);
    void *U = hip_number(hip, &hip->U, level_begin(hip));
    void *arguments[] = {&stride,
                         &first,
                         &own.begin,
                         &own.end,
                         &d.i0,
                         &d.i1,
                         &d.j0,
                         &d.j1,
                         &d.cols,
                         &d.rows,
                         &U,
                         &hip->kept_U.device,
                         &hip->cells.device};
    hip_timer_before(&context->timer);
    hip_stream_launch(&context->stream, KERNEL_DOWNSAMPLE, count, DOWNSAMPLE_BLOCK, arguments);
    hip_timer_after(&context->timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE,
                    engine_step_bytes(&hip->base, PHASE_DOWNSAMPLE));
    hip_stream_synchronize(&context->stream);
    hip_vector_read(context, &hip->cells, 0, sums, bytes);
}

/* The CPU's downsampling for float (kernels/cpu/row.h). */
void cpu_downsample_row_single(void *reduction, int row);

/* With structured mapping U stays on the host between kernels, so it is downsampled there. */
static void downsample_on_host(struct hip_engine *hip, const struct downsample *downsample,
                               double *sums) {
    const int64_t start = clock_now_ns();
    const void *U = hip->U.host ? hip->U.host : hip->U.device; /* the emulator's is host memory */
    const bool is_double = hip_number_bytes(hip) == sizeof(double);
    const void *of_level = (const char *)U + level_begin(hip) * hip_number_bytes(hip);
    struct reduction reduction = {&hip->base.spec, downsample,       level_stride(hip),
                                  of_level,        hip->kept_U.host, sums};
    for (int row = 0; row < downsample->rows; row++)
        (is_double ? cpu_downsample_row : cpu_downsample_row_single)(&reduction, row);
    hip_timer_note(&hip->context.timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE, CLOCK_HOST,
                   start, clock_now_ns() - start, engine_step_bytes(&hip->base, PHASE_DOWNSAMPLE));
}

static enum status downsample(struct engine *engine, const struct downsample *wanted, double *sums,
                              struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    hip->context.phase = PHASE_DOWNSAMPLE;
    hip_timer_step(&hip->context.timer, engine->events->iteration);
    hip_stream_make_current(&hip->context.stream);
    if (hip->context.mapping == MAPPING_STRUCTURED || hip->context.stream.gpu->is_emulated)
        downsample_on_host(hip, wanted, sums);
    else
        downsample_on_device(hip, wanted, sums);
    hip_engine_synchronize(hip);
    event_log_enter(engine->events, PHASE_SETUP);
    return hip_engine_status(hip, error);
}

/* ---- rows to and from the host --------------------------------------------------------------- */

/* Rows to transfer together, through host memory with the layout of the vectors. */
static int rows_at_a_time(const struct hip_engine *hip) {
    const int Ny = hip->base.spec.mesh.Ny;
    const int rows = (int)(STAGING_BYTES / ((size_t)hip->stride * sizeof(double)));
    return rows < 1 ? 1 : rows > Ny ? Ny : rows;
}

/* Converts doubles to floats in place, if the iteration's numbers are floats. */
static void narrow(const struct hip_engine *hip, double *values, size_t count) {
    for (size_t n = 0; n < count && hip_number_bytes(hip) == sizeof(float); n++) {
        const float narrowed = (float)values[n];
        memcpy((char *)values + n * sizeof narrowed, &narrowed, sizeof narrowed);
    }
}

static void write_start(struct hip_engine *hip) {
    const struct engine_spec *spec = &hip->base.spec;
    const bool keeps = spec->run.precision == PRECISION_MIXED;
    struct hip_vector *to_U = keeps ? &hip->kept_U : &hip->U;
    struct hip_vector *to_RHS = keeps ? &hip->kept_RHS : &hip->RHS;
    const struct mesh mesh = engine_spec_problem_mesh(spec);
    const size_t stride = (size_t)hip->stride, row_bytes = stride * sizeof(double);
    const int most = rows_at_a_time(hip);
    double *U = malloc((size_t)most * row_bytes), *RHS = malloc((size_t)most * row_bytes);
    if (!U || !RHS)
        error_set(&hip->context.failure, STATUS_INTERNAL, "out of memory");
    for (int j = 0; U && RHS && j < spec->mesh.Ny && !hip_failed(&hip->context.stream); j += most) {
        if (spec->on_filling)
            spec->on_filling(spec->filling_context, (double)j / spec->mesh.Ny);
        engine_spec_stopped(spec, &hip->context.failure);
        const int left = spec->mesh.Ny - j, rows = left < most ? left : most;
        const size_t number = keeps ? sizeof(double) : hip_number_bytes(hip);
        memset(U, 0, (size_t)rows * row_bytes); /* the gaps between the rows */
        memset(RHS, 0, (size_t)rows * row_bytes);
        const size_t offset = (size_t)j * stride * number, bytes = (size_t)rows * stride * number;
        for (int n = 0; n < rows; n++)
            problem_fill_row(spec->problem, &mesh, spec->slab.first + j + n, U + (size_t)n * stride,
                             RHS + (size_t)n * stride);
        if (!keeps) {
            narrow(hip, U, (size_t)rows * stride);
            narrow(hip, RHS, (size_t)rows * stride);
        }
        hip_vector_write(&hip->context, to_U, offset, U, bytes);
        hip_vector_write(&hip->context, to_RHS, offset, RHS, bytes);
        if (hip_timer_is_full(&hip->context.timer, 4))
            hip_engine_synchronize(hip);
    }
    free(U);
    free(RHS);
    if (keeps)
        hip_refine(hip);
}

/* Converts the iteration's numbers to double; mixed precision adds the values kept in double. */
static void widen(const float *numbers, const double *kept, size_t count, double *to) {
    for (size_t n = 0; n < count; n++)
        to[n] = kept ? kept[n] + (double)numbers[n] : (double)numbers[n];
}

/* Copies whole rows with the vector's layout. */
static void read_numbers(struct hip_engine *hip, const struct hip_vector *vector, int row,
                         int count, void *to) {
    const size_t number = vector == &hip->kept_U ? sizeof(double) : hip_number_bytes(hip);
    const size_t row_bytes = (size_t)hip->stride * number;
    hip_vector_read(&hip->context, vector, (size_t)row * row_bytes, to, (size_t)count * row_bytes);
}

void hip_engine_read_rows(struct hip_engine *hip, int row, int count, double *U) {
    const size_t Nx = (size_t)hip->base.spec.mesh.Nx, stride = (size_t)hip->stride;
    const bool in_place = stride == Nx && hip_number_bytes(hip) == sizeof *U;
    const int most = in_place ? count : rows_at_a_time(hip);
    void *staged = in_place ? NULL : calloc((size_t)most * stride, hip_number_bytes(hip));
    double *kept = hip->kept_U.bytes ? calloc((size_t)most * stride, sizeof *kept) : NULL;
    if ((!staged && !in_place) || (!kept && hip->kept_U.bytes))
        error_set(&hip->context.failure, STATUS_INTERNAL, "out of memory");
    for (int j = 0; j < count && !hip_failed(&hip->context.stream); j += most) {
        const int left = count - j, rows = left < most ? left : most;
        read_numbers(hip, &hip->U, row + j, rows, staged ? staged : U);
        if (kept)
            read_numbers(hip, &hip->kept_U, row + j, rows, kept);
        for (int n = 0; n < rows && staged; n++) {
            double *to = U + (size_t)(j + n) * Nx;
            const size_t from = (size_t)n * stride;
            if (hip_number_bytes(hip) == sizeof *U)
                memcpy(to, (const double *)staged + from, Nx * sizeof *U);
            else
                widen((const float *)staged + from, kept ? kept + from : NULL, Nx, to);
        }
        if (hip_timer_is_full(&hip->context.timer, 4))
            hip_engine_synchronize(hip);
    }
    free(staged);
    free(kept);
    hip_engine_synchronize(hip);
}

static enum status read_U(struct engine *engine, double *U, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip->context.phase = engine->events->phase; /* the caller's: the end, or an inspection */
    hip_stream_make_current(&hip->context.stream);
    hip_engine_read_rows(hip, 0, engine->spec.mesh.Ny, U);
    return hip_engine_status(hip, error);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void close_engine(struct engine *engine) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_context *context = &hip->context;
    const struct hip_driver *driver = context->stream.driver;
    if (driver) {
        hip_stream_make_current(&context->stream);
        hip_stream_synchronize(&context->stream);
    }
    struct hip_vector *vectors[] = {&hip->U,      &hip->RHS,   &hip->AU,     &hip->RES,
                                    &hip->U_next, &hip->cells, &hip->kept_U, &hip->kept_RHS};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
        hip_vector_destroy(context, vectors[v]);
    void *const memory[] = {hip->partials, hip->pass_sums, hip->state};
    for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
        if (memory[m])
            driver->release(memory[m]);
    if (hip->sums)
        driver->host_release(hip->sums);
    hip_slab_close(hip);
    hip_graph_release(&hip->graph, &context->stream);
    hip_timer_close(&context->timer);
    hip_stream_close(&context->stream);
    free(hip);
}

static enum status retune(struct engine *engine, const struct tuning *tuning, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip_stream_make_current(&hip->context.stream);
    hip->schedule->retune(hip, tuning);
    return hip_engine_status(hip, error);
}

static void open_arrays(struct hip_engine *hip) {
    struct hip_context *context = &hip->context;
    const struct engine_spec *spec = &hip->base.spec;
    const struct levels *levels = &hip->base.levels;
    const size_t bytes = hip_number_bytes(hip);
    const size_t numbers = schedule_has_four_kernels(spec->run.schedule)
                               ? levels->begin[levels->count]
                               : (size_t)hip->stride * (size_t)spec->mesh.Ny;
    if (spec->run.user_kernels)
        hip_user_kernels_replace(&context->stream);
    hip_timer_open(&context->timer, &context->stream, hip->base.events, !spec->without_events);
    if (spec->run.precision == PRECISION_MIXED) {
        hip_vector_create(context, &hip->kept_U, ARRAY_U, numbers * sizeof(double));
        hip_vector_create(context, &hip->kept_RHS, ARRAY_RHS, numbers * sizeof(double));
    }
    /* Packs are aligned, so a slab's own rows must start on a pack. */
    if (schedule_has_four_kernels(spec->run.schedule))
        context->shift =
            -((size_t)spec->slab.below * (size_t)hip->stride * bytes) & (PACK_BYTES - 1);
    hip_vector_create(context, &hip->U, ARRAY_U, numbers * bytes);
    hip_vector_create(context, &hip->RHS, ARRAY_RHS, numbers * bytes);
    if (!hip_failed(&context->stream))
        hip->schedule->open(hip);
    if (!hip_failed(&context->stream) && spec->slab.problem_Ny > 0)
        hip_slab_open(hip);
    context->shift = 0;
    write_start(hip);
    hip_engine_synchronize(hip);
}

enum status hip_engine_open(const struct hip_gpu *gpu, const struct engine_spec *spec,
                            const struct hip_schedule *schedule, bool faster,
                            struct event_log *events, struct engine **engine, struct error *error) {
    struct hip_engine *hip = calloc(1, sizeof *hip);
    if (!hip)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    struct hip_context *context = &hip->context;
    hip->ops = (struct engine_ops){.advance = hip_advance,
                                   .retune = schedule->retune ? retune : NULL,
                                   .downsample = downsample,
                                   .read = read_U,
                                   .close = close_engine};
    hip->base = (struct engine){.ops = &hip->ops, .spec = *spec, .events = events};
    engine_set_method(&hip->base);
    hip->schedule = schedule;
    hip->faster = faster;
    hip->depth = 1;
    hip->batch_passes = 1;
    hip->stride = hip_stride(spec);
    context->mapping = spec->run.mapping;
    if (spec->run.mapping != MAPPING_STRUCTURED)
        hip->base.spec.run.host_memory = HOST_PAGEABLE;
    context->host_memory = hip->base.spec.run.host_memory;
    context->phase = PHASE_SETUP;

    hip_stream_open(&context->stream, gpu, spec->run.precision, &context->failure);
    if (!context->failure.status)
        open_arrays(hip);
    const enum status status = hip_engine_status(hip, error);
    if (status)
        close_engine(&hip->base);
    else
        *engine = &hip->base;
    return status;
}
