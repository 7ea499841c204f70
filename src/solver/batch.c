#include "solver/batch.h"

#include <stdlib.h>
#include <string.h>

bool batch_open(struct slab_batch *batch) {
    batch->sums = calloc((size_t)SLAB_BATCH_MAX * SCHEDULE_MAX_DEPTH, sizeof *batch->sums);
    return batch->sums != NULL;
}

void batch_close(struct slab_batch *batch) {
    free(batch->sums);
}

enum status batch_begin(struct engine *engine, bool checkpoint, struct error *error) {
    struct slab_batch *batch = engine->batch;
    batch->made = 0;
    batch->fresh = true;
    batch->checkpoints = checkpoint;
    return checkpoint && engine->spec.run.schedule.kind == SCHEDULE_CLASSIC
               ? batch->checkpoint(engine, error)
               : STATUS_OK;
}

enum status batch_boundary_rows(struct engine *engine, int depth, struct error *error) {
    struct slab_batch *batch = engine->batch;
    const struct engine_ops *ops = engine->ops;
    const bool fused = engine->spec.run.schedule.kind == SCHEDULE_FUSED;
    enum status status;
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        event_log_enter(engine->events, PHASE_LAPLACIAN);
        status = ops->laplacian(engine, error);
        event_log_enter(engine->events, PHASE_BOUNDARY);
        if (!status)
            status = ops->boundary(engine, error);
        event_log_enter(engine->events, PHASE_UPDATE);
        return status ? status : ops->update(engine, error);
    }
    event_log_enter(engine->events, fused ? PHASE_FUSED : PHASE_BLOCKED);
    status = ops->pass(engine, depth, batch->sums + batch->made, error);
    if (status)
        return status;
    ops->accept(engine);
    const bool saves = batch->fresh && batch->checkpoints;
    batch->fresh = false;
    return saves ? batch->checkpoint(engine, error) : STATUS_OK;
}

enum status batch_interior_rows(struct engine *engine, int depth, struct error *error) {
    struct slab_batch *batch = engine->batch;
    enum status status = STATUS_OK;
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        event_log_enter(engine->events, PHASE_NORM);
        status = engine->ops->norm(engine, batch->sums + batch->made, error);
    }
    batch->made += depth;
    return status;
}

enum status batch_end(struct engine *engine, double *sums, struct error *error) {
    const struct slab_batch *batch = engine->batch;
    memcpy(sums, batch->sums, (size_t)batch->made * sizeof *sums);
    return STATUS_OK;
}
