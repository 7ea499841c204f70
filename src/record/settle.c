#include "record/settle.h"

#include <stdio.h>

#include "core/text.h"
#include "record/recorded.h"

/* ---- what the recordings are ---------------------------------------------------------------- */

static enum status describe(struct config *config, int l, struct error *error) {
    struct plan *plan = &config->plan;
    struct recorded recorded;
    enum status status = recorded_open(&plan->recordings[l], &recorded, error);
    if (!status)
        status = recorded_describe(&recorded, &plan->lanes[l], error);
    recorded_close(&recorded);
    return status;
}

static bool same_task(const struct engine_spec *a, const struct engine_spec *b) {
    return a->problem == b->problem && a->mesh.Nx == b->mesh.Nx && a->mesh.Ny == b->mesh.Ny;
}

static enum status differ(const struct plan *plan, int a, int b, struct error *error) {
    const struct engine_spec *one = &plan->lanes[a].engine, *other = &plan->lanes[b].engine;
    char grid[32], other_grid[32];
    return error_set(error, STATUS_BAD_INPUT,
                     "--compare: %.150s is of %s at %s, %.150s of %s at %s: allowed are lanes of "
                     "one problem and grid",
                     plan->recordings[a].path, one->problem->name,
                     text_grid(grid, sizeof grid, one->mesh.Nx, one->mesh.Ny),
                     plan->recordings[b].path, other->problem->name,
                     text_grid(other_grid, sizeof other_grid, other->mesh.Nx, other->mesh.Ny));
}

/* *first: the first recorded lane. */
static enum status describe_all(struct config *config, int *first, struct error *error) {
    struct plan *plan = &config->plan;
    *first = -1;
    for (int l = 0; l < plan->lane_count; l++) {
        if (!*plan->recordings[l].path)
            continue;
        const enum status status = describe(config, l, error);
        if (status)
            return status;
        if (*first < 0)
            *first = l;
        if (!same_task(&plan->lanes[*first].engine, &plan->lanes[l].engine))
            return differ(plan, *first, l, error);
    }
    return STATUS_OK;
}

/* ---- what the options say ------------------------------------------------------------------- */

static enum status check_options(const struct config *config, const struct lane_spec *asked,
                                 int first, struct error *error) {
    const struct engine_spec *there = &config->plan.lanes[first].engine;
    const char *path = config->plan.recordings[first].path;
    char grid[32];
    if (config_was_given(config, "replay"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--replay and --compare with %.150s: allowed is one of them", path);
    if (*config->record)
        return error_set(error, STATUS_BAD_INPUT,
                         "--record: %.150s is a recording: allowed are lanes that are computed",
                         path);
    if (config_was_given(config, "problem") && asked->engine.problem != there->problem)
        return error_set(error, STATUS_BAD_INPUT,
                         "--problem %s: %.150s is a recording of %s: allowed is that, or nothing",
                         asked->engine.problem->name, path, there->problem->name);
    if (config_was_given(config, "grid") &&
        (asked->engine.mesh.Nx != there->mesh.Nx || asked->engine.mesh.Ny != there->mesh.Ny))
        return error_set(error, STATUS_BAD_INPUT,
                         "--grid %dx%d: %.150s is a recording at %s: allowed is that, or nothing",
                         asked->engine.mesh.Nx, asked->engine.mesh.Ny, path,
                         text_grid(grid, sizeof grid, there->mesh.Nx, there->mesh.Ny));
    return STATUS_OK;
}

static void fit(const struct config *config, const struct lane_spec *model,
                struct lane_spec *lane) {
    lane->engine.problem = model->engine.problem;
    lane->engine.mesh = model->engine.mesh;
    if (!config_was_given(config, "iterations"))
        lane->iterations = model->iterations;
    if (!config_was_given(config, "tolerance"))
        lane->tolerance = model->tolerance;
}

enum status settle_lanes(struct config *config, struct error *error) {
    struct plan *plan = &config->plan;
    const struct lane_spec asked = plan->lanes[0];
    int first;
    if (plan_recorded_count(plan) == 0)
        return STATUS_OK;
    enum status status = describe_all(config, &first, error);
    if (!status)
        status = check_options(config, &asked, first, error);
    if (status)
        return status;
    config->replay[0] = '\0';
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            fit(config, &plan->lanes[first], &plan->lanes[l]);
    return STATUS_OK;
}
