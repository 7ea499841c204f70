#include "kernels/hip/engine.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "kernels/cpu/downsample.h"
#include "kernels/hip/depth.h"
#include "kernels/hip/share.h"

enum { ROW_ALIGNMENT = 16, DOWNSAMPLE_BLOCK = 128, SETUP_BYTES = 16 << 20 };

struct hip_engine *hip_engine_of(struct engine *engine) {
    return (struct hip_engine *)engine;
}

int hip_engine_reverse(struct hip_engine *hip) {
    hip->backwards = !hip->backwards;
    return hip->backwards;
}

enum status hip_engine_synchronize(struct hip_engine *hip, struct error *error) {
    const enum status status = hip_stream_synchronize(&hip->context.stream, error);
    return status ? status : hip_timer_collect(&hip->context.timer, error);
}

unsigned hip_block(const struct hip_engine *hip) {
    const int block = hip->base.spec.tuning.block;
    return block > 0 ? (unsigned)block : 256;
}

unsigned hip_norm_block(const struct hip_engine *hip) {
    const int block = hip->base.spec.tuning.norm_block;
    return block > 0 ? (unsigned)block : 512;
}

unsigned hip_norm_blocks(const struct hip_engine *hip) {
    const int blocks = hip->base.spec.tuning.norm_blocks;
    return blocks > 0 ? (unsigned)blocks : 256;
}

/* ---- the picture ------------------------------------------------------------------------------
 */

/* Structured: U is at home on the host, so that is where it is reduced. */
static void reduce_on_host(struct hip_engine *hip, const struct downsample *downsample,
                           float *cells) {
    struct mesh rows = hip->base.spec.mesh;
    const int64_t start = clock_now_ns();
    rows.Nx = hip->stride;
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(&rows, downsample, row, hip->U.host,
                           cells + (size_t)row * (size_t)downsample->cols);
    hip_timer_note(&hip->context.timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE, CLOCK_HOST,
                   start, clock_now_ns() - start,
                   phase_minimum_bytes(PHASE_DOWNSAMPLE, &hip->base.spec.mesh));
}

static enum status launch_downsample(struct hip_engine *hip, const struct downsample *downsample,
                                     const struct hip_vector *cells, struct error *error) {
    struct downsample r = *downsample;
    void *arguments[] = {&hip->stride, &r.i0,          &r.i1,
                         &r.j0,        &r.j1,          &r.cols,
                         &r.rows,      &hip->U.device, (void *)&cells->device};
    struct hip_timer *timer = &hip->context.timer;
    enum status status = hip_timer_before(timer, error);
    if (!status)
        status = hip_stream_launch(&hip->context.stream, KERNEL_DOWNSAMPLE,
                                   (unsigned)(r.cols * r.rows), DOWNSAMPLE_BLOCK, arguments, error);
    if (!status)
        status =
            hip_timer_after(timer, EVENT_KERNEL, PHASE_DOWNSAMPLE, ARRAY_NONE,
                            phase_minimum_bytes(PHASE_DOWNSAMPLE, &hip->base.spec.mesh), error);
    return status;
}

static enum status make_room_for_picture(struct hip_engine *hip, size_t bytes,
                                         struct error *error) {
    if (hip->picture.bytes >= bytes)
        return STATUS_OK;
    hip_vector_destroy(&hip->context, &hip->picture);
    return hip_vector_create(&hip->context, &hip->picture, ARRAY_NONE, bytes, error);
}

static enum status reduce_on_device(struct hip_engine *hip, const struct downsample *downsample,
                                    float *cells, struct error *error) {
    const size_t bytes = (size_t)downsample->cols * (size_t)downsample->rows * sizeof *cells;
    enum status status = make_room_for_picture(hip, bytes, error);
    if (!status)
        status = launch_downsample(hip, downsample, &hip->picture, error);
    if (!status)
        status = hip_stream_synchronize(&hip->context.stream, error);
    if (!status)
        status = hip_vector_read(&hip->context, &hip->picture, 0, cells, bytes, error);
    return status;
}

enum status hip_engine_downsample(struct engine *engine, const struct downsample *downsample,
                                  float *cells, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    hip->context.phase = PHASE_DOWNSAMPLE;
    hip_timer_iteration(&hip->context.timer, engine->events->iteration);
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status && hip->context.mapping == MAPPING_STRUCTURED)
        reduce_on_host(hip, downsample, cells);
    else if (!status)
        status = reduce_on_device(hip, downsample, cells, error);
    if (!status)
        status = hip_engine_synchronize(hip, error);
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

/* ---- rows to and from the host ----------------------------------------------------------------
 */

/* Rows that are set up or read at a time, in memory of the host laid out as the vectors are. */
struct rows {
    int count;
    size_t bytes; /* of one row */
    double *U, *RHS;
};

static enum status rows_create(const struct hip_engine *hip, struct rows *rows,
                               struct error *error) {
    const int Ny = hip->base.spec.mesh.Ny;
    rows->bytes = (size_t)hip->stride * sizeof(double);
    rows->count = (int)(SETUP_BYTES / rows->bytes);
    rows->count = rows->count < 1 ? 1 : rows->count > Ny ? Ny : rows->count;
    rows->U = calloc((size_t)rows->count, rows->bytes);
    rows->RHS = calloc((size_t)rows->count, rows->bytes);
    if (rows->U && rows->RHS)
        return STATUS_OK;
    free(rows->U);
    free(rows->RHS);
    error_set(error, STATUS_INTERNAL, "out of memory");
    return STATUS_INTERNAL;
}

static void rows_destroy(struct rows *rows) {
    free(rows->U);
    free(rows->RHS);
}

static enum status write_rows(struct hip_engine *hip, const struct rows *rows, int j, int count,
                              struct error *error) {
    const size_t offset = (size_t)j * rows->bytes, bytes = (size_t)count * rows->bytes;
    const enum status status =
        hip_vector_write(&hip->context, &hip->U, offset, rows->U, bytes, error);
    return status ? status
                  : hip_vector_write(&hip->context, &hip->RHS, offset, rows->RHS, bytes, error);
}

static enum status write_start(struct hip_engine *hip, struct error *error) {
    const struct engine_spec *spec = &hip->base.spec;
    struct rows rows;
    enum status status = rows_create(hip, &rows, error);
    if (status)
        return status;
    for (int j = 0; j < spec->mesh.Ny && !status; j += rows.count) {
        const int left = spec->mesh.Ny - j, count = left < rows.count ? left : rows.count;
        for (int n = 0; n < count; n++)
            spec->problem->fill_row(&spec->mesh, j + n, rows.U + (size_t)n * (size_t)hip->stride,
                                    rows.RHS + (size_t)n * (size_t)hip->stride);
        status = write_rows(hip, &rows, j, count, error);
        if (!status && hip_timer_is_full(&hip->context.timer, 4))
            status = hip_engine_synchronize(hip, error);
    }
    rows_destroy(&rows);
    return status;
}

static enum status read_rows(struct hip_engine *hip, double *U, struct error *error) {
    const struct mesh *mesh = &hip->base.spec.mesh;
    struct rows rows;
    enum status status = rows_create(hip, &rows, error);
    if (status)
        return status;
    for (int j = 0; j < mesh->Ny && !status; j += rows.count) {
        const int left = mesh->Ny - j, count = left < rows.count ? left : rows.count;
        status = hip_vector_read(&hip->context, &hip->U, (size_t)j * rows.bytes, rows.U,
                                 (size_t)count * rows.bytes, error);
        for (int n = 0; n < count && !status; n++)
            memcpy(U + (size_t)(j + n) * (size_t)mesh->Nx, rows.U + (size_t)n * (size_t)hip->stride,
                   (size_t)mesh->Nx * sizeof *U);
        if (!status && hip_timer_is_full(&hip->context.timer, 4))
            status = hip_engine_synchronize(hip, error);
    }
    rows_destroy(&rows);
    return status;
}

enum status hip_engine_read(struct engine *engine, double *U, struct error *error) {
    struct hip_engine *hip = hip_engine_of(engine);
    hip->context.phase = PHASE_SETUP;
    enum status status = hip_stream_make_current(&hip->context.stream, error);
    if (!status && hip->stride == engine->spec.mesh.Nx)
        status = hip_vector_read(&hip->context, &hip->U, 0, U, hip->U.bytes, error);
    else if (!status)
        status = read_rows(hip, U, error);
    return status ? status : hip_engine_synchronize(hip, error);
}

/* ---- opening and closing ----------------------------------------------------------------------
 */

void hip_engine_close(struct engine *engine) {
    struct hip_engine *hip = hip_engine_of(engine);
    struct hip_context *context = &hip->context;
    const struct hip_driver *driver = context->stream.driver;
    if (driver && hip_stream_make_current(&context->stream, NULL) == STATUS_OK)
        hip_stream_synchronize(&context->stream, NULL);
    struct hip_vector *vectors[] = {&hip->U,   &hip->RHS,    &hip->AU,
                                    &hip->RES, &hip->U_next, &hip->picture};
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
    if (hip->done)
        driver->event_destroy(hip->done);
    hip_timer_close(&context->timer);
    hip_stream_close(&context->stream);
    free(hip);
}

static size_t sums_needed(const struct hip_engine *hip) {
    return hip->base.spec.schedule.kind == SCHEDULE_CLASSIC
               ? hip_norm_blocks(hip)
               : (size_t)PASSES_MAX * BLOCKED_DEPTH_MAX;
}

/* The norm's pinned memory, which the device writes through a pointer of its own. */
static enum status open_sums(struct hip_engine *hip, struct error *error) {
    const struct hip_driver *driver = hip->context.stream.driver;
    void *host = NULL, *device = NULL;
    enum status status = hip_check(
        driver,
        driver->host_allocate(&host, sums_needed(hip) * sizeof(double), hipHostMallocMapped),
        "no pinned memory for the norm", error);
    hip->sums = host;
    if (!status)
        status = hip_check(driver, driver->host_pointer(&device, host, 0),
                           "the norm's pinned memory has no address on the device", error);
    hip->sums_device = device;
    return status;
}

static enum status open_arrays(struct hip_engine *hip, struct error *error) {
    const struct engine_spec *spec = &hip->base.spec;
    const size_t bytes = (size_t)hip->stride * (size_t)spec->mesh.Ny * sizeof(double);
    enum status status = hip_vector_create(&hip->context, &hip->U, ARRAY_U, bytes, error);
    if (!status)
        status = hip_vector_create(&hip->context, &hip->RHS, ARRAY_RHS, bytes, error);
    if (!status)
        status = open_sums(hip, error);
    if (status)
        return status;
    return spec->schedule.kind == SCHEDULE_CLASSIC ? hip_classic_open(hip, error)
                                                   : hip_passes_open(hip, error);
}

static enum status open_all(struct hip_engine *hip, struct error *error) {
    const struct hip_gpu *gpu = hip_gpu_find(hip->base.spec.device);
    if (!gpu)
        return error_set(error, STATUS_UNAVAILABLE, "there is no GPU %d", hip->base.spec.device);
    enum status status = hip_stream_open(&hip->context.stream, gpu, error);
    if (!status)
        status = hip_timer_open(&hip->context.timer, &hip->context.stream, hip->base.events,
                                !hip->base.spec.without_events, error);
    if (!status)
        status = open_arrays(hip, error);
    if (!status)
        status = write_start(hip, error);
    return status ? status : hip_engine_synchronize(hip, error);
}

static const struct engine_ops *ops_for(const struct engine_spec *spec) {
    if (spec->schedule.kind != SCHEDULE_CLASSIC)
        return &hip_passes_ops;
    return spec->mapping == MAPPING_STRUCTURED ? &hip_classic_structured_ops
                                               : &hip_classic_resident_ops;
}

static int stride_for(const struct engine_spec *spec) {
    if (spec->schedule.kind == SCHEDULE_CLASSIC)
        return spec->mesh.Nx;
    return (spec->mesh.Nx + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

enum status hip_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct hip_engine *hip = calloc(1, sizeof *hip);
    if (!hip)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    hip->base = (struct engine){.ops = ops_for(spec), .spec = *spec, .events = events};
    hip->context.mapping = spec->mapping;
    hip->context.phase = PHASE_SETUP;
    hip->stride = stride_for(spec);
    enum status status = STATUS_OK;
    if (spec->schedule.kind == SCHEDULE_BLOCKED)
        status = hip_depth_choose(spec, &hip->base.spec.schedule.depth, error);
    if (!status)
        status = open_all(hip, error);
    if (status) {
        hip_engine_close(&hip->base);
        return status;
    }
    *engine = &hip->base;
    return STATUS_OK;
}
