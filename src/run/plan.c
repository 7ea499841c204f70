#include "run/plan.h"

#include <stdio.h>
#include <string.h>

#include "core/system.h"
#include "core/text.h"
#include "kernels/backends.h"

bool lane_spec_set_backend(struct lane_spec *spec, const char *name) {
    const struct backend *backend = backend_find(name);
    const bool any = strcmp(name, "auto") == 0;
    if (!backend && !any)
        return false;
    spec->any_backend = any;
    spec->choices[0] = backend;
    spec->choice_count = 1;
    if (any)
        for (spec->choice_count = 0; backends[spec->choice_count]; spec->choice_count++)
            spec->choices[spec->choice_count] = backends[spec->choice_count];
    return true;
}

/* Adds "hip: no device" to the reasons gathered so far. */
static void add_reason(char *reasons, const struct backend *backend, const struct error *reason) {
    const size_t used = strlen(reasons);
    snprintf(reasons + used, ERROR_MESSAGE_SIZE - used, "%s%s: %.200s", used ? "; " : "",
             backend->name, reason->message);
}

enum status lane_spec_choose(const struct lane_spec *spec, int *choice, char *reasons,
                             struct error *error) {
    reasons[0] = '\0';
    for (int c = 0; c < spec->choice_count; c++) {
        struct error reason = {0};
        const enum status status = backend_check(spec->choices[c], &spec->engine, &reason);
        if (status == STATUS_OK) {
            *choice = c;
            return STATUS_OK;
        }
        if (spec->choice_count == 1 || status != STATUS_UNAVAILABLE)
            return error_set(error, status, "%s: %s", spec->choices[c]->name, reason.message);
        add_reason(reasons, spec->choices[c], &reason);
    }
    return error_set(error, STATUS_UNAVAILABLE, "no back end can run this: %s", reasons);
}

int plan_recorded_count(const struct plan *plan) {
    int count = 0;
    for (int l = 0; l < plan->lane_count; l++)
        count += plan->recordings[l].path[0] != '\0';
    return count;
}

void plan_compute_all(struct plan *plan) {
    memset(plan->recordings, 0, sizeof plan->recordings);
}

static bool same_task(const struct engine_spec *a, const struct engine_spec *b) {
    return a->problem == b->problem && a->mesh.Nx == b->mesh.Nx && a->mesh.Ny == b->mesh.Ny;
}

static enum status check_beside(const struct plan *plan, const struct engine_spec *recorded,
                                struct error *error) {
    char grid[32];
    for (int l = 0; l < plan->lane_count; l++)
        if (!same_task(&plan->lanes[l].engine, recorded))
            return error_set(error, STATUS_BAD_INPUT,
                             "beside a recorded lane: allowed is its problem and grid, %s at %s",
                             recorded->problem->name,
                             text_grid(grid, sizeof grid, recorded->mesh.Nx, recorded->mesh.Ny));
    return STATUS_OK;
}

enum status plan_check_recorded(const struct plan *plan, struct error *error) {
    if (plan_recorded_count(plan) == plan->lane_count)
        return error_set(error, STATUS_BAD_INPUT,
                         "recordings alone are replayed: allowed is --compare as an option");
    for (int l = 0; l < plan->lane_count; l++)
        if (*plan->recordings[l].path)
            return check_beside(plan, &plan->lanes[l].engine, error);
    return STATUS_OK;
}

static enum status too_much(const struct plan *plan, const char *where, uint64_t needed,
                            uint64_t there, struct error *error) {
    const struct mesh *mesh = &plan->lanes[0].engine.mesh;
    char grid[32], need[32], have[32];
    return error_set(error, STATUS_BAD_INPUT,
                     "%d lanes of grid %s are too large together: they need %s of %s memory, there "
                     "are %s",
                     plan->lane_count, text_grid(grid, sizeof grid, mesh->Nx, mesh->Ny),
                     text_bytes(need, sizeof need, (double)needed), where,
                     text_bytes(have, sizeof have, (double)there));
}

/* *bytes = UINT64_MAX where the device does not say. */
static enum status device_memory(const struct backend *backend, int index, uint64_t *bytes,
                                 struct error *error) {
    struct device_list list = {0};
    const enum status status = backend->probe(&list, error);
    *bytes = UINT64_MAX;
    for (int d = 0; d < list.count && !status; d++)
        if (list.devices[d].index == index && list.devices[d].memory_bytes)
            *bytes = list.devices[d].memory_bytes;
    return status ? error_prefix(error, "%s", backend->name) : STATUS_OK;
}

/* What the lanes up to `last` need on that one's device together. */
static uint64_t shared_with(const struct plan *plan, const struct backend *const *chosen,
                            int last) {
    uint64_t bytes = 0;
    for (int l = 0; l <= last; l++)
        if (chosen[l] == chosen[last] && !*plan->recordings[l].path &&
            plan->lanes[l].engine.device == plan->lanes[last].engine.device)
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): all up to `last` are chosen */
            bytes += chosen[l]->footprint(&plan->lanes[l].engine).device_bytes;
    return bytes;
}

static enum status check_together(const struct plan *plan, const struct backend *const *chosen,
                                  struct error *error) {
    const uint64_t usable = memory_usable();
    uint64_t host = 0;
    for (int l = 0; l < plan->lane_count; l++) {
        if (!chosen[l])
            continue;
        const uint64_t device = shared_with(plan, chosen, l);
        uint64_t there;
        if (device_memory(chosen[l], plan->lanes[l].engine.device, &there, error))
            return STATUS_UNAVAILABLE;
        host += chosen[l]->footprint(&plan->lanes[l].engine).host_bytes;
        if (device > there)
            return too_much(plan, "device", device, there, error);
        if (host > usable)
            return too_much(plan, "host", host, usable, error);
    }
    return STATUS_OK;
}

enum status plan_check(const struct plan *plan, struct error *error) {
    const struct backend *chosen[LANES_MAX] = {0};
    if (plan_check_recorded(plan, error))
        return STATUS_BAD_INPUT;
    for (int l = 0; l < plan->lane_count; l++) {
        if (*plan->recordings[l].path)
            continue;
        char reasons[ERROR_MESSAGE_SIZE];
        int choice;
        const enum status status = lane_spec_choose(&plan->lanes[l], &choice, reasons, error);
        if (status)
            return status;
        chosen[l] = plan->lanes[l].choices[choice];
    }
    return check_together(plan, chosen, error);
}
