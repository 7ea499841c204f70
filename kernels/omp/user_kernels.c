/* The user's own kernels in place of a module's target regions. */
#include "kernels/omp/omp.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "core/sandbox.h"

/* The user's functions, as declared in exercises/kernels.h. */
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
} user;

/* ---- as a module's phases ------------------------------------------------------------------- */

static void run_laplacian(const struct mesh *mesh, const double *U, double *AU) {
    sandbox_enter("laplacian");
    user.laplacian(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, U, AU);
    sandbox_enter(NULL);
}

static void run_boundary(const struct mesh *mesh, const double *U, double *AU) {
    sandbox_enter("boundary");
    user.boundary(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, U, AU);
    sandbox_enter(NULL);
}

static void run_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                       double *U) {
    sandbox_enter("update");
    user.update(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, RHS, AU, RES, U);
    sandbox_enter(NULL);
}

static double run_norm(const struct mesh *mesh, const double *RES) {
    sandbox_enter("norm");
    const double sum = user.norm(mesh->Nx, mesh->Ny, RES);
    sandbox_enter(NULL);
    return sum;
}

static double run_fused(const struct mesh *mesh, struct row_range rows, const double *RHS,
                        const double *U, double *U_next) {
    sandbox_enter("fused");
    const double sum =
        user.fused(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, RHS, U, U_next);
    sandbox_enter(NULL);
    return sum;
}

static void run_blocked(const struct mesh *mesh, struct row_range rows, int depth,
                        const double *RHS, const double *U, double *U_next, double *norms,
                        void *work) {
    sandbox_enter("blocked");
    user.blocked(mesh->Nx, mesh->Ny, mesh->dx, mesh->dy, mesh->omega, depth, RHS, U, U_next, norms);
    sandbox_enter(NULL);
}

void user_kernels_replace(struct kernels *kernels) {
    kernels->laplacian = user.laplacian ? run_laplacian : kernels->laplacian;
    kernels->boundary = user.boundary ? run_boundary : kernels->boundary;
    kernels->update = user.update ? run_update : kernels->update;
    kernels->norm = user.norm ? run_norm : kernels->norm;
    kernels->fused = user.fused ? run_fused : kernels->fused;
    kernels->blocked = user.blocked ? run_blocked : kernels->blocked;
}

bool user_kernels_enter(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS,
                        const char **missing) {
    const double *const arrays[] = {RES, RHS, AU, U};
    static const char *const names[] = {"RES", "RHS", "AU", "U"};
    if (!user.enter)
        return false;
    sandbox_enter("enter");
    user.enter(mesh->Nx, mesh->Ny, U, AU, RES, RHS);
    sandbox_enter(NULL);
    for (int a = 0; a < 4 && user.is_present; a++)
        if (!user.is_present(arrays[a], user.default_device()))
            *missing = names[a];
    return true;
}

bool user_kernels_leave(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS) {
    if (!user.leave)
        return false;
    sandbox_enter("leave");
    user.leave(mesh->Nx, mesh->Ny, U, AU, RES, RHS);
    sandbox_enter(NULL);
    return true;
}

/* ---- loading -------------------------------------------------------------------------------- */

bool user_kernels_is_loaded(void) {
    return user.library != NULL;
}

bool user_kernels_has(enum schedule_kind schedule) {
    const bool has_four = user.laplacian || user.boundary || user.update || user.norm;
    return user.enter || (schedule == SCHEDULE_FUSED     ? user.fused != NULL
                          : schedule == SCHEDULE_BLOCKED ? user.blocked != NULL
                                                         : has_four);
}

/* Finds a function of that name in the user's own library, not in the libraries linked to it. */
static bool find_function(const char *name, void *function) {
    struct link_map *map = NULL, *home = NULL;
    Dl_info info;
    void *found = dlsym(user.library, name);
    if (found && (dlinfo(user.library, RTLD_DI_LINKMAP, &map) ||
                  !dladdr1(found, &info, (void **)&home, RTLD_DL_LINKMAP) || home != map))
        found = NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

enum status user_kernels_load(const char *path, struct user_library *found, struct error *error) {
    struct device_list devices;
    struct offload offload;
    *found = (struct user_library){0};
    TRY(omp_backend.probe(&devices, error));
    TRY(offload_load(PRECISION_DOUBLE, &offload, error));
    if (devices.devices[0].is_gpu)
        snprintf(found->architecture, sizeof found->architecture, "%s",
                 devices.devices[0].architecture);
    sandbox_enter("loading");
    user.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    sandbox_enter("loading to the device"); /* the next region loads it, the user's or ours */
    const bool is_there = user.library && offload.module->try_out();
    sandbox_enter(NULL);
    if (!user.library)
        return error_set(error, STATUS_BAD_INPUT, "%s", dlerror());
    if (!is_there)
        return error_set(error, STATUS_DEVICE_FAILED,
                         "your kernels can't be loaded onto the device");
    *(void **)&user.is_present = dlsym(user.library, "omp_target_is_present");
    *(void **)&user.default_device = dlsym(user.library, "omp_get_default_device");
    bool *const phases = found->phases;
    phases[PHASE_LAPLACIAN] = find_function("laplacian", &user.laplacian);
    phases[PHASE_BOUNDARY] = find_function("boundary", &user.boundary);
    phases[PHASE_UPDATE] = find_function("update", &user.update);
    phases[PHASE_NORM] = find_function("norm", &user.norm);
    phases[PHASE_FUSED] = find_function("fused", &user.fused);
    phases[PHASE_BLOCKED] = find_function("blocked", &user.blocked);
    found->enter = find_function("enter", &user.enter);
    found->leave = find_function("leave", &user.leave);
    bool any = found->enter;
    for (int phase = 0; phase < OFFLOAD_PHASES; phase++)
        any |= phases[phase];
    return any ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT,
                           "none of your files has a function laplacian, boundary, update, norm, "
                           "fused, blocked or enter (see kernels.h)");
}
