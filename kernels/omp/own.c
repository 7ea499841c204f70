#include "kernels/omp/own.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "core/sandbox.h"
#include "kernels/omp/omp.h"

/* The user's functions, as exercises/kernels.h declares them. */
static struct {
    void *library;
    void (*laplacian)(long nx, long ny, double dx, double dy, const double *U, double *AU);
    void (*boundary)(long nx, long ny, double dx, double dy, const double *U, double *AU);
    void (*update)(long nx, long ny, double dx, double dy, double omega, const double *RHS,
                   const double *AU, double *RES, double *U);
    double (*norm)(long nx, long ny, const double *RES);
    double (*fused)(long nx, long ny, double dx, double dy, double omega, const double *RHS,
                    const double *U, double *U_next);
    void (*blocked)(long nx, long ny, double dx, double dy, double omega, int depth,
                    const double *RHS, const double *U, double *U_next, double *sums);
    void (*enter)(long nx, long ny, double *U, double *AU, double *RES, double *RHS);
    void (*leave)(long nx, long ny, double *U, double *AU, double *RES, double *RHS);
    int (*is_present)(const void *host, int device);
    int (*default_device)(void);
} own;

/* ---- as a module's phases ------------------------------------------------------------------- */

static void own_laplacian(const struct mesh *mesh, const double *U, double *AU,
                          struct offload_sums *sums) {
    sandbox_enter("laplacian");
    own.laplacian(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, U, AU);
    sandbox_enter(NULL);
}

static void own_boundary(const struct mesh *mesh, const double *U, double *AU,
                         struct offload_sums *sums) {
    sandbox_enter("boundary");
    own.boundary(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, U, AU);
    sandbox_enter(NULL);
}

static void own_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                       double *U, struct offload_sums *sums) {
    sandbox_enter("update");
    own.update(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, RHS, AU, RES, U);
    sandbox_enter(NULL);
}

static double own_norm(const struct mesh *mesh, const double *RES, struct offload_sums *sums) {
    sandbox_enter("norm");
    const double sum = own.norm(mesh->Nx, mesh->Ny, RES);
    sandbox_enter(NULL);
    return sum;
}

static double own_fused(const struct mesh *mesh, struct band rows, const double *RHS,
                        const double *U, double *U_next, struct offload_sums *sums) {
    sandbox_enter("fused");
    const double sum =
        own.fused(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, RHS, U, U_next);
    sandbox_enter(NULL);
    return sum;
}

static void own_blocked(const struct mesh *mesh, struct band rows, int depth, const double *RHS,
                        const double *U, double *U_next, double *norms, struct offload_sums *sums,
                        struct offload_window *window) {
    sandbox_enter("blocked");
    own.blocked(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, depth, RHS, U, U_next, norms);
    sandbox_enter(NULL);
}

void own_replace(struct offload_phases *phases) {
    phases->laplacian = own.laplacian ? own_laplacian : phases->laplacian;
    phases->boundary = own.boundary ? own_boundary : phases->boundary;
    phases->update = own.update ? own_update : phases->update;
    phases->norm = own.norm ? own_norm : phases->norm;
    phases->fused = own.fused ? own_fused : phases->fused;
    phases->blocked = own.blocked ? own_blocked : phases->blocked;
}

bool own_enter(const struct mesh *mesh, double *const arrays[ARRAY_COUNT], const char **missing) {
    *missing = NULL;
    if (!own.enter)
        return false;
    sandbox_enter("enter");
    own.enter(mesh->Nx, mesh->Ny, arrays[ARRAY_U], arrays[ARRAY_AU], arrays[ARRAY_RES],
              arrays[ARRAY_RHS]);
    sandbox_enter(NULL);
    for (int a = ARRAY_RES; a >= ARRAY_U && own.is_present; a--)
        if (!own.is_present(arrays[a], own.default_device()))
            *missing = array_name((enum array)a);
    return true;
}

bool own_leave(const struct mesh *mesh, double *const arrays[ARRAY_COUNT]) {
    if (!own.leave)
        return false;
    sandbox_enter("leave");
    own.leave(mesh->Nx, mesh->Ny, arrays[ARRAY_U], arrays[ARRAY_AU], arrays[ARRAY_RES],
              arrays[ARRAY_RHS]);
    sandbox_enter(NULL);
    return true;
}

/* ---- loading -------------------------------------------------------------------------------- */

bool own_is_loaded(void) {
    return own.library != NULL;
}

/* A function of that name in the user's own library, not in those that it is linked with. */
static bool find_function(const char *name, void *function) {
    struct link_map *map = NULL, *home = NULL;
    Dl_info info;
    void *found = dlsym(own.library, name);
    if (found && (dlinfo(own.library, RTLD_DI_LINKMAP, &map) ||
                  !dladdr1(found, &info, (void **)&home, RTLD_DL_LINKMAP) || home != map))
        found = NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

enum status own_load(const char *path, struct own_found *found, struct error *error) {
    struct device_list devices;
    struct offload offload;
    *found = (struct own_found){0};
    enum status status = omp_backend.probe(&devices, error);
    if (!status)
        status = offload_load(&offload, error);
    if (status)
        return status;
    if (devices.devices[0].is_gpu)
        snprintf(found->architecture, sizeof found->architecture, "%s",
                 devices.devices[0].architecture);
    sandbox_enter("loading");
    own.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    sandbox_enter("loading to the device"); /* which the next region does, whoever's it is */
    const bool is_there = own.library && offload.module->try_out();
    sandbox_enter(NULL);
    if (!own.library)
        return error_set(error, STATUS_BAD_INPUT, "%s", dlerror());
    if (!is_there)
        return error_set(error, STATUS_DEVICE_FAILED,
                         "your kernels can't be loaded onto the device");
    *(void **)&own.is_present = dlsym(own.library, "omp_target_is_present");
    *(void **)&own.default_device = dlsym(own.library, "omp_get_default_device");
    bool *const phases = found->phases;
    phases[PHASE_LAPLACIAN] = find_function("laplacian", &own.laplacian);
    phases[PHASE_BOUNDARY] = find_function("boundary", &own.boundary);
    phases[PHASE_UPDATE] = find_function("update", &own.update);
    phases[PHASE_NORM] = find_function("norm", &own.norm);
    phases[PHASE_FUSED] = find_function("fused", &own.fused);
    phases[PHASE_BLOCKED] = find_function("blocked", &own.blocked);
    found->enter = find_function("enter", &own.enter);
    found->leave = find_function("leave", &own.leave);
    bool any = found->enter;
    for (int phase = 0; phase < OFFLOAD_PHASES; phase++)
        any |= phases[phase];
    return any ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT,
                           "none of your files has a function laplacian, boundary, update, norm, "
                           "fused, blocked or enter (see kernels.h)");
}
