#include "run/plan.h"

#include <string.h>

#include "core/format.h"
#include "core/process.h"
#include "core/system.h"
#include "kernels/backends.h"
#include "mpi/world.h"

bool lane_spec_set_backend(struct lane_spec *spec, const char *name) {
    const bool any = strcmp(name, "auto") == 0;
    if (!any && !backend_find(name))
        return false;
    spec->any_backend = any;
    spec->choice_count = 0;
    for (int b = 0; backends[b]; b++)
        if (any || backends[b] == backend_find(name))
            spec->choices[spec->choice_count++] = backends[b];
    return true;
}

bool lane_spec_drop_choice(struct lane_spec *spec) {
    if (spec->choice_count < 2)
        return false;
    spec->choice_count--;
    memmove(spec->choices, spec->choices + 1, (size_t)spec->choice_count * sizeof *spec->choices);
    return true;
}

enum status lane_spec_choose(const struct lane_spec *spec, int *choice, char *reasons,
                             struct error *error) {
    reasons[0] = '\0';
    for (int c = 0; c < spec->choice_count; c++) {
        struct error reason = {0};
        struct engine_spec mine; /* the part that this process computes */
        enum status status = world_cut(spec->choices[c], &spec->engine, &mine, &reason);
        timer_t watch;
        const bool is_watched = !status && process_watch_driver(&watch);
        if (!status)
            status = backend_check(spec->choices[c], &mine, &reason);
        if (is_watched)
            timer_delete(watch);
        if (status == STATUS_OK) {
            *choice = c;
            return STATUS_OK;
        }
        if (spec->choice_count == 1 || status != STATUS_UNAVAILABLE)
            return error_set(error, status, "%s: %s", spec->choices[c]->name, reason.message);
        format_append(reasons, ERROR_MESSAGE_SIZE, "%s%s: %.200s", *reasons ? "; " : "",
                      spec->choices[c]->name, reason.message);
    }
    return error_set(error, STATUS_UNAVAILABLE, "no back end can run this: %s", reasons);
}

bool lane_spec_same_task(const struct lane_spec *a, const struct lane_spec *b) {
    const struct engine_spec *one = &a->engine, *other = &b->engine;
    return one->problem == other->problem && one->mesh.Nx == other->mesh.Nx &&
           one->mesh.Ny == other->mesh.Ny;
}

int plan_recorded_count(const struct plan *plan) {
    int count = 0;
    for (int l = 0; l < plan->lane_count; l++)
        count += plan->recordings[l].path[0] != '\0';
    return count;
}

const struct lane_spec *plan_first_computed(const struct plan *plan) {
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            return &plan->lanes[l];
    return &plan->lanes[0];
}

void plan_compute_all(struct plan *plan) {
    memset(plan->recordings, 0, sizeof plan->recordings);
}

/* Checks that a computed lane exists, and that any recorded lanes share its problem and grid. */
static enum status plan_check_recorded(const struct plan *plan, struct error *error) {
    int recorded = 0;
    if (plan_recorded_count(plan) == plan->lane_count)
        return error_set(error, STATUS_BAD_INPUT,
                         "every run is a recording: expected --compare as an option");
    while (recorded < plan->lane_count && !*plan->recordings[recorded].path)
        recorded++;
    for (int l = 0; l < plan->lane_count && recorded < plan->lane_count; l++) {
        const struct engine_spec *there = &plan->lanes[recorded].engine;
        if (!lane_spec_same_task(&plan->lanes[l], &plan->lanes[recorded]))
            return error_set(
                error, STATUS_BAD_INPUT,
                "not what the recorded run solves: expected its problem and grid, %s at %s",
                there->problem->name, AS(format_grid, there->mesh.Nx, there->mesh.Ny));
    }
    return STATUS_OK;
}

/* Checks whether the computed lanes together fit into the memory of the host and the devices. */
static enum status plan_check_memory(const struct plan *plan, const struct backend *const *chosen,
                                     struct error *error) {
    for (int l = 0; l < plan->lane_count; l++) {
        struct memory_needs needs = {0}, elsewhere = {0}; /* of the same back end, and of others */
        for (int other = 0; other < plan->lane_count && chosen[l]; other++) {
            struct engine_spec mine;
            if (!chosen[other])
                continue;
            TRY(world_cut(chosen[other], &plan->lanes[other].engine, &mine, error));
            TRY(backend_add_needs(chosen[other], &mine,
                                  chosen[other] == chosen[l] ? &needs : &elsewhere, error));
        }
        needs.host_bytes += elsewhere.host_bytes;
        if (chosen[l])
            TRY(backend_check_memory(chosen[l], &plan->lanes[l].engine, plan->lane_count, &needs,
                                     error));
    }
    return STATUS_OK;
}

long plan_cpu_unknowns(void) {
    enum { PER_CORE = 12000000 }; /* per 0.1 s, at 64 B each: 8 GB/s */
    return (long)PER_CORE * cpus_usable();
}

void plan_fit(struct plan *plan) {
    const struct lane_spec *spec = &plan->lanes[0];
    struct mesh *mesh = &plan->lanes[0].engine.mesh;
    const size_t most = (size_t)plan->most_unknowns;
    char reasons[ERROR_MESSAGE_SIZE];
    int choice = 0;
    const bool may = most > 0 && plan->lane_count == 1 && !*plan->recordings[0].path;
    plan->most_unknowns = 0;
    if (!may || mesh_unknowns(mesh) <= most || lane_spec_choose(spec, &choice, reasons, NULL) ||
        choice == 0 || spec->any_backend ||
        backend_is_on_gpu(spec->choices[choice], spec->engine.run.device))
        return;
    while (mesh_unknowns(mesh) > most)
        *mesh = mesh_make(mesh->Nx / 2, mesh->Ny / 2);
}

enum status plan_check(const struct plan *wanted, struct error *error) {
    const struct backend *chosen[LANES_MAX] = {0};
    struct plan fitted = *wanted;
    const struct plan *plan = &fitted;
    plan_fit(&fitted);
    if (plan_check_recorded(plan, error))
        return STATUS_BAD_INPUT;
    for (int l = 0; l < plan->lane_count; l++) {
        if (*plan->recordings[l].path)
            continue;
        char reasons[ERROR_MESSAGE_SIZE];
        int choice = 0;
        TRY(lane_spec_choose(&plan->lanes[l], &choice, reasons, error));
        chosen[l] = plan->lanes[l].choices[choice];
    }
    return plan_check_memory(plan, chosen, error);
}
