#include "solver/phase.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

const char *const phase_names[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = "Laplacian",
    [PHASE_BOUNDARY] = "BoundaryConditions",
    [PHASE_UPDATE] = "Update",
    [PHASE_NORM] = "Norm",
    [PHASE_FUSED] = "Fused",
    [PHASE_BLOCKED] = "Blocked",
    [PHASE_SWEEP] = "Sweep",
    [PHASE_RESTRICTION] = "Restriction",
    [PHASE_PROLONGATION] = "Prolongation",
    [PHASE_DOWNSAMPLE] = "Downsample",
    [PHASE_SETUP] = "Setup",
};

const char *const array_names[ARRAY_COUNT] = {
    [ARRAY_NONE] = "",   [ARRAY_U] = "U",     [ARRAY_AU] = "AU",
    [ARRAY_RHS] = "RHS", [ARRAY_RES] = "RES", [ARRAY_NORM] = "norm",
};

const char *const mapping_names[MAPPING_COUNT + 1] = {
    [MAPPING_STRUCTURED] = "structured",
    [MAPPING_UNSTRUCTURED] = "unstructured",
    [MAPPING_UNIFIED] = "unified",
};

const char *const host_memory_names[HOST_MEMORY_COUNT + 1] = {
    [HOST_PAGEABLE] = "pageable",
    [HOST_PINNED] = "pinned",
};

const char *const schedule_names[SCHEDULE_COUNT] = {
    [SCHEDULE_CLASSIC] = "classic",
    [SCHEDULE_FUSED] = "fused",
    [SCHEDULE_BLOCKED] = "blocked",
    [SCHEDULE_PLAIN] = "plain",
};

uint64_t phase_minimum_bytes(enum phase phase, const struct mesh *mesh) {
    static const int bytes_per_unknown[PHASE_COUNT] = {
        [PHASE_LAPLACIAN] = 16, [PHASE_UPDATE] = 40,      [PHASE_NORM] = 8,
        [PHASE_FUSED] = 24,     [PHASE_BLOCKED] = 24,     [PHASE_DOWNSAMPLE] = 8,
        [PHASE_SWEEP] = 24,     [PHASE_RESTRICTION] = 16, [PHASE_PROLONGATION] = 16,
    };
    if (phase != PHASE_BOUNDARY)
        return (uint64_t)bytes_per_unknown[phase] * mesh_unknowns(mesh);
    /* Writes the unknowns next to the boundary; reads them and the ring inside them. */
    const uint64_t Nx = (uint64_t)mesh->Nx, Ny = (uint64_t)mesh->Ny, N = Nx * Ny;
    const uint64_t inner = Nx > 2 && Ny > 2 ? (Nx - 2) * (Ny - 2) : 0;
    const uint64_t inmost = Nx > 4 && Ny > 4 ? (Nx - 4) * (Ny - 4) : 0;
    return 8 * (N - inner) + 8 * (N - inmost);
}

char *schedule_print(char *buffer, size_t size, struct schedule schedule) {
    if (schedule.kind == SCHEDULE_BLOCKED && schedule.depth > 0)
        snprintf(buffer, size, "blocked:%d", schedule.depth);
    else
        snprintf(buffer, size, "%s", schedule_names[schedule.kind]);
    return buffer;
}

bool schedule_parse(const char *text, struct schedule *schedule) {
    static const char with_depth[] = "blocked:";
    if (strncmp(text, with_depth, sizeof with_depth - 1) == 0) {
        long depth;
        if (!value_whole(text + sizeof with_depth - 1, 1, SCHEDULE_MAX_DEPTH, &depth))
            return false;
        *schedule = (struct schedule){.kind = SCHEDULE_BLOCKED, .depth = (int)depth};
        return true;
    }
    for (int k = 0; k < SCHEDULE_COUNT; k++)
        if (strcmp(text, schedule_names[k]) == 0) {
            *schedule = (struct schedule){.kind = (enum schedule_kind)k};
            return true;
        }
    return false;
}
