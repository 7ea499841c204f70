/* Opens LLVM's offload runtime and the module of target regions that fits the devices here. */
#include "kernels/omp/omp.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/paths.h"
#include "kernels/omp/ompt_tracer.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct offload loaded;
static struct error reason;
static enum status outcome;

static const char for_gpus[] = "jacobi-omp-gpu.so", for_host[] = "jacobi-omp-host.so";
static const char not_built[] =
    "not built into this program: see --version and the summary of meson setup";

const struct library omp_libraries[] = {
    {.title = "OpenMP runtime",
     .names = {"libomp.so"},
     .advice = "install LLVM's: libomp-19-dev (Fedora: libomp, Arch: openmp)"},
    {.title = "offload runtime",
     .names = {"libomptarget.so", "libomptarget.so.19.1"},
     .advice = "install LLVM's: libomp5-19 or libomp-19-dev; other versions may lack it"},
    {.title = for_gpus, .names = {for_gpus}, .advice = not_built, .is_module = true},
    {.title = for_host, .names = {for_host}, .advice = not_built, .is_module = true},
    {0}};

static enum status open_module(const char *name) {
    char path[PATH_SIZE];
    if (!module_path(path, sizeof path, name))
        return error_set(&reason, STATUS_UNAVAILABLE, "%s was not built", name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(&reason, STATUS_UNAVAILABLE, "%s", dlerror());
    const struct offload_module *module = dlsym(library, "offload_module");
    /* Of the module's own libraries, libomptarget first: libomp's function of that name may not see
     * a libomptarget that was opened later. */
    int (*count)(void);
    *(void **)&count = dlsym(library, "omp_get_num_devices");
    const int devices = count ? count() : 0;
    if (!module || module->version != OFFLOAD_MODULE_VERSION || devices < 1) {
        /* Has to be closed: images without a device change how the runtime maps for the others. */
        dlclose(library);
        return error_set(&reason, STATUS_UNAVAILABLE, "%s %s", name,
                         devices < 1 ? "finds no device" : "is of another version");
    }
    loaded = (struct offload){.module = module, .devices = devices};
    return STATUS_OK;
}

/* Refuses regions that run elsewhere or are not reported: their costs would be wrong. */
static enum status try_out(void) {
    struct ompt_tracer tracer = {.is_gpu = loaded.module->is_gpu};
    tracer_set(&tracer);
    loaded.module->choose(0, NULL);
    const bool on_device = loaded.module->try_out();
    tracer_set(NULL);
    if (!on_device)
        return error_set(&reason, STATUS_UNAVAILABLE,
                         "the OpenMP runtime runs target regions on the host itself (is "
                         "OMP_TARGET_OFFLOAD set?)");
    if (!tracer_possible() || tracer.kernels != 1 || tracer.copies_seen != 2)
        return error_set(&reason, STATUS_UNAVAILABLE,
                         "the OpenMP runtime does not report its copies (OMPT is silent; is "
                         "OMP_TOOL set?)");
    return STATUS_OK;
}

/* LLVM's host device writes the image of its target regions to /tmp/tmpfile_XXXXXX, opens that as
 * a library, and leaves it there. What is open needs no name. */
static int remove_image(struct dl_phdr_info *library, size_t size, void *unused) {
    static const char begins[] = "/tmp/tmpfile_", whole[] = "/tmp/tmpfile_XXXXXX";
    if (strncmp(library->dlpi_name, begins, sizeof begins - 1) == 0 &&
        strlen(library->dlpi_name) == sizeof whole - 1)
        unlink(library->dlpi_name);
    return 0;
}

/* Opens the module for GPUs, else the host device's. */
static void load_offload(void) {
    const char *no_gpu = "no module for GPUs";
    char path[PATH_SIZE];
    /* libomptarget reports to libomp only if it can open it by this very name, which works because
     * the program, with its RUNPATH, has opened it by that name before. */
    if (!dlopen(omp_libraries[0].names[0], RTLD_NOW | RTLD_GLOBAL)) {
        outcome = error_set(&reason, STATUS_UNAVAILABLE, "no OpenMP runtime: %s", dlerror());
        return;
    }
    if (module_path(path, sizeof path, for_gpus)) {
        cuda_prepare();
        no_gpu = open_module(for_gpus) ? "no GPU found" : NULL;
    }
    if (no_gpu)
        outcome = open_module(for_host);
    loaded.no_gpu = no_gpu;
    if (!outcome)
        outcome = try_out();
    dl_iterate_phdr(remove_image, NULL);
}

enum status offload_load(struct offload *offload, struct error *error) {
    pthread_once(&once, load_offload);
    if (outcome) {
        if (error)
            *error = reason;
        return outcome;
    }
    *offload = loaded;
    return STATUS_OK;
}
