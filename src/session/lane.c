#include "session/lane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"

enum { RESIDUALS_AT_ONCE = 1024 };

static enum status choose_backend(struct lane *lane, struct error *error) {
    const struct lane_spec *spec = &lane->spec;
    int choice = 0;
    const enum status status = lane_spec_choose(spec, &choice, lane->fallback_reason, error);
    if (status)
        return status;
    lane->backend = spec->choices[choice];
    if (choice > 0 && !spec->any_backend)
        lane->fallback_from = spec->choices[0];
    else
        lane->fallback_reason[0] = '\0';
    return STATUS_OK;
}

static enum status describe_device(struct lane *lane, struct error *error) {
    struct device_list list = {0};
    const enum status status = lane->backend->probe(&list, error);
    for (int d = 0; d < list.count && !status; d++)
        if (list.devices[d].index == lane->spec.engine.device)
            lane->device = list.devices[d];
    return status ? error_prefix(error, "%s", lane->backend->name) : STATUS_OK;
}

static enum status measure_start(struct lane *lane, struct error *error) {
    const struct lane_spec *spec = &lane->spec;
    const enum status status = problem_initial_residual(spec->engine.problem, &spec->engine.mesh,
                                                        &lane->initial_residual, error);
    if (status)
        return status;
    lane->residual = lane->initial_residual;
    if (!(lane->initial_residual > spec->tolerance))
        lane->state = LANE_CONVERGED;
    return STATUS_OK;
}

enum status lane_open(const struct lane_spec *spec, struct lane **opened, struct error *error) {
    struct lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    lane->spec = *spec;
    event_log_reset(&lane->log);
    history_reset(&lane->history);
    enum status status = choose_backend(lane, error);
    if (!status)
        status = describe_device(lane, error);
    if (!status)
        status = measure_start(lane, error);
    if (!status)
        status = lane->backend->open(&spec->engine, &lane->log, &lane->engine, error);
    if (status) {
        free(lane);
        return status;
    }
    *opened = lane;
    return STATUS_OK;
}

/* Names the first cell of U that is not a finite number. */
static void locate_divergence(struct lane *lane) {
    const struct mesh *mesh = &lane->spec.engine.mesh;
    const size_t N = mesh_unknowns(mesh);
    error_set(&lane->error, STATUS_DIVERGED, "the solution diverged in iteration %ld",
              lane->iterations);
    double *U = malloc(N * sizeof *U);
    if (U && lane->engine->ops->read(lane->engine, U, NULL) == STATUS_OK)
        for (size_t id = 0; id < N; id++)
            if (!isfinite(U[id])) {
                error_set(&lane->error, STATUS_DIVERGED,
                          "the solution diverged in iteration %ld: U(%zu, %zu) is %f",
                          lane->iterations, id % (size_t)mesh->Nx, id / (size_t)mesh->Nx, U[id]);
                break;
            }
    free(U);
}

static void take_residuals(struct lane *lane, const double *residuals, long done) {
    for (long k = 0; k < done; k++)
        history_add(&lane->history, lane->iterations + k, residuals[k]);
    lane->iterations += done;
    if (done > 0)
        lane->residual = residuals[done - 1];
    if (!isfinite(lane->residual)) {
        lane->state = LANE_FAILED;
        locate_divergence(lane);
    } else if (!(lane->residual > lane->spec.tolerance)) {
        lane->state = LANE_CONVERGED;
    } else if (lane->iterations >= lane->spec.iterations) {
        lane->state = LANE_LIMIT_REACHED;
    }
}

long lane_pass(const struct lane *lane) {
    const struct schedule *schedule = &lane->engine->spec.schedule;
    return schedule->kind == SCHEDULE_BLOCKED && schedule->depth > 0 ? schedule->depth : 1;
}

enum status lane_advance(struct lane *lane, long count) {
    double residuals[RESIDUALS_AT_ONCE];
    const long at_once = RESIDUALS_AT_ONCE - RESIDUALS_AT_ONCE % lane_pass(lane);
    while (count > 0 && lane->state == LANE_RUNNING) {
        long batch = lane->spec.iterations - lane->iterations;
        batch = batch < count ? batch : count;
        batch = batch < at_once ? batch : at_once;
        long done = 0;
        const int64_t start = clock_now_ns();
        const enum status status = engine_advance(lane->engine, batch, lane->spec.tolerance,
                                                  residuals, &done, &lane->error);
        lane->seconds += 1e-9 * (double)(clock_now_ns() - start);
        take_residuals(lane, residuals, done);
        if (status)
            lane->state = LANE_FAILED;
        if (done == 0)
            break;
        count -= done;
    }
    return lane->state == LANE_FAILED ? lane->error.status : STATUS_OK;
}

enum status lane_downsample(struct lane *lane, const struct downsample *downsample, float *cells,
                            struct error *error) {
    const int64_t start = clock_now_ns();
    const enum status status =
        lane->engine->ops->downsample(lane->engine, downsample, cells, error);
    lane->downsample_seconds += 1e-9 * (double)(clock_now_ns() - start);
    return status;
}

static enum status note(struct lane *lane, enum status status) {
    if (status)
        lane->state = LANE_FAILED;
    return status;
}

enum status lane_look(struct lane *lane, const struct downsample *downsample, float *cells) {
    if (lane->state == LANE_FAILED)
        return lane->error.status;
    return note(lane, lane_downsample(lane, downsample, cells, &lane->error));
}

enum status lane_read(struct lane *lane, double *U) {
    if (lane->state == LANE_FAILED)
        return lane->error.status;
    return note(lane, lane->engine->ops->read(lane->engine, U, &lane->error));
}

void lane_close(struct lane *lane) {
    if (!lane)
        return;
    engine_close(lane->engine);
    free(lane);
}
