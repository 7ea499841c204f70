#include "kernels/omp/loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/omp/cuda.h"
#include "kernels/omp/listener.h"
#include "omp-paths.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct offload loaded;
static struct error reason;
static enum status outcome;

/* Where modules lie, seen from the folder of the program: beside a program in the build tree, in a
 * test's build tree, installed. */
static const char *const places[] = {"kernels/omp", "../kernels/omp", OMP_INSTALLED_MODULES};

static bool program_folder(char folder[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length < 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

static bool find_module(const char *name, char path[PATH_MAX]) {
    char folder[PATH_MAX];
    if (!program_folder(folder))
        return false;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const int length = snprintf(path, PATH_MAX, "%s/%s/%s", folder, places[p], name);
        if (length < PATH_MAX && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* libomptarget tells libomp of its doings only if it can open it by this very name, which works
 * because the program, with its RUNPATH, has opened it by that name before. */
static enum status open_runtime(void) {
    if (dlopen("libomp.so", RTLD_NOW | RTLD_GLOBAL))
        return STATUS_OK;
    return error_set(&reason, STATUS_UNAVAILABLE, "no OpenMP runtime: %s", dlerror());
}

/* The module's own libraries are asked, libomptarget first: libomp's function of that name may not
 * see a libomptarget that was opened later. */
static int count_devices(void *library) {
    int (*count)(void);
    *(void **)&count = dlsym(library, "omp_get_num_devices");
    return count ? count() : 0;
}

static enum status open_module(const char *name) {
    char path[PATH_MAX];
    if (!find_module(name, path))
        return error_set(&reason, STATUS_UNAVAILABLE, "%s was not built", name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(&reason, STATUS_UNAVAILABLE, "%s", dlerror());
    const struct offload_module *module = dlsym(library, "offload_module");
    const int devices = count_devices(library);
    if (!module || module->version != OFFLOAD_MODULE_VERSION || devices < 1) {
        /* Not only tidy: images without a device change how the runtime maps for the others. */
        dlclose(library);
        return error_set(&reason, STATUS_UNAVAILABLE, "%s %s", name,
                         devices < 1 ? "finds no device" : "is of another version");
    }
    loaded = (struct offload){.module = module, .devices = devices};
    return STATUS_OK;
}

/* Offload that runs elsewhere, or in silence, would show wrong costs: it is refused. */
static enum status try_out(void) {
    struct listener listener = {.is_gpu = loaded.module->is_gpu};
    listener_set(&listener);
    loaded.module->choose(0);
    const bool on_device = loaded.module->try_out();
    listener_set(NULL);
    if (!on_device)
        return error_set(&reason, STATUS_UNAVAILABLE,
                         "the OpenMP runtime runs target regions on the host itself (is "
                         "OMP_TARGET_OFFLOAD set?)");
    if (!listener_possible() || listener.kernels != 1 || listener.copies != 2)
        return error_set(&reason, STATUS_UNAVAILABLE,
                         "the OpenMP runtime does not report its copies (OMPT is silent; is "
                         "OMP_TOOL set?)");
    return STATUS_OK;
}

/* Opens the module for GPUs, or returns why the host device has to do. */
static const char *open_gpus(void) {
    static const char name[] = "jacobi-omp-gpu.so";
    char path[PATH_MAX];
    if (!find_module(name, path))
        return "no module for GPUs";
    cuda_prepare();
    return open_module(name) ? "no GPU found" : NULL;
}

static void load(void) {
    outcome = open_runtime();
    if (outcome)
        return;
    const char *no_gpu = open_gpus();
    if (no_gpu)
        outcome = open_module("jacobi-omp-host.so");
    loaded.no_gpu = no_gpu;
    if (!outcome)
        outcome = try_out();
}

enum status offload_load(struct offload *offload, struct error *why_not) {
    pthread_once(&once, load);
    if (outcome) {
        if (why_not)
            *why_not = reason;
        return outcome;
    }
    *offload = loaded;
    return STATUS_OK;
}
