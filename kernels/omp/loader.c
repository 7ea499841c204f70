/* Opens LLVM's offload runtime and the module of target regions for this machine's devices. */
#include "kernels/omp/omp.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/paths.h"
#include "core/system.h"
#include "kernels/omp/ompt_tracer.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct offload loaded;
static struct error reason; /* why nothing can be loaded */

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

static enum status open_module(const char *name, struct offload *opened, struct error *error) {
    char path[PATH_SIZE];
    if (!module_path(path, sizeof path, name))
        return error_set(error, STATUS_UNAVAILABLE, "%s was not built", name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return error_set(error, STATUS_UNAVAILABLE, "%s", dlerror());
    const struct offload_module *module = dlsym(library, "offload_module");
    /* Look in the module's own libraries, libomptarget first: libomp's function of that name may
     * not find a libomptarget that was opened later. */
    int (*count)(void);
    *(void **)&count = dlsym(library, "omp_get_num_devices");
    const int devices = count ? count() : 0;
    if (!module || module->version != OFFLOAD_MODULE_VERSION || devices < 1) {
        /* Close it: images without a device change the runtime's mapping for the others. */
        dlclose(library);
        return error_set(error, STATUS_UNAVAILABLE, "%s %s", name,
                         devices < 1 ? "finds no device" : "is a different version");
    }
    *opened = (struct offload){.module = module, .devices = devices};
    return STATUS_OK;
}

/* The host's OpenMP runtime; omp.h would be clang's, which other compilers can't use. */
extern int omp_get_max_threads(void), omp_get_thread_limit(void);

enum status offload_check_team(const struct offload_module *module, bool starts,
                               struct error *error) {
    const int wanted = omp_get_max_threads(), most = omp_get_thread_limit();
    return module->is_gpu
               ? STATUS_OK
               : thread_check_team(wanted < most ? wanted : most, "OMP_NUM_THREADS", starts, error);
}

/* Rejects a runtime whose regions run elsewhere or are not reported: their costs would be wrong. */
static void try_out(void) {
    struct ompt_tracer tracer = {.is_gpu = loaded.module->is_gpu};
    tracer_set(&tracer);
    loaded.module->choose(0, NULL);
    const bool on_device = loaded.module->try_out();
    tracer_set(NULL);
    if (!on_device)
        error_set(&reason, STATUS_UNAVAILABLE,
                  "the OpenMP runtime runs target regions on the host itself (is "
                  "OMP_TARGET_OFFLOAD set?)");
    else if (!tracer_possible() || tracer.kernels != 1 || tracer.copies_seen != 2)
        error_set(&reason, STATUS_UNAVAILABLE,
                  "the OpenMP runtime does not report its copies (OMPT is silent; is "
                  "OMP_TOOL set?)");
}

/* The name that LLVM's host device passes to mkstemp, and the directory of files in memory. */
static const char image[] = "/tmp/tmpfile_XXXXXX", in_memory[] = "/proc/self/fd/";

/* LLVM's host device writes the image of its target regions to a file from mkstemp, opens it as a
 * library, and never removes it. This function replaces the C library's: it makes the file in
 * memory, so that no file remains however the process ends. The file stays open, because the
 * dynamic linker loads a name only once. Without /proc or another descriptor the file has LLVM's
 * name, and is removed once it is loaded: after try_out, before the next one, or at exit. */
static char on_disk[sizeof image];

static void remove_image(void) {
    if (*on_disk)
        unlink(on_disk);
    *on_disk = '\0';
}

__attribute__((visibility("default"))) int make_image(char *name) __asm__("mkstemp");

int make_image(char *name) {
    const int kept = strcmp(name, image) == 0 ? memfd_create("image", MFD_CLOEXEC) : -1;
    char path[sizeof image];
    snprintf(path, sizeof path, "%s%d", in_memory, kept);
    const int fd = kept < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        memcpy(name, path, sizeof path);
    else if (kept >= 0)
        close(kept);
    if (fd >= 0)
        return fd;
    const bool is_image = strcmp(name, image) == 0;
    const int file = mkostemp(name, 0);
    if (file >= 0 && is_image) {
        remove_image();
        memcpy(on_disk, name, sizeof on_disk);
    }
    return file;
}

/* Writes and maps a file as large as the module that holds the image: if LLVM can't do this, it
 * ends the process. */
static enum status try_image(const char *module) {
    char name[sizeof image];
    struct stat about;
    memcpy(name, image, sizeof image);
    const int fd = make_image(name);
    int failed = fd < 0 || stat(module, &about) ? errno : posix_fallocate(fd, 0, about.st_size);
    void *memory = MAP_FAILED;
    if (!failed)
        memory = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    if (!failed && memory == MAP_FAILED)
        failed = errno;
    if (memory != MAP_FAILED)
        munmap(memory, 1);
    if (fd >= 0)
        close(fd);
    const size_t folder = sizeof in_memory - 1;
    if (strncmp(name, in_memory, folder) == 0)
        close(atoi(name + folder));
    remove_image();
    return failed ? error_set(&reason, STATUS_UNAVAILABLE, "can't write or execute a code file: %s",
                              strerror(failed))
                  : STATUS_OK;
}

/* Opens the module for GPUs, or else the host device's module. */
static void load_offload(void) {
    const char *no_gpu = "no module for GPUs";
    enum status status = STATUS_OK;
    char path[PATH_SIZE];
    /* libomptarget reports to libomp only if it can open it by exactly this name. It can, because
     * the program, with its RUNPATH, has already opened libomp by that name. */
    if (!dlopen(omp_libraries[0].names[0], RTLD_NOW | RTLD_GLOBAL)) {
        error_set(&reason, STATUS_UNAVAILABLE, "no OpenMP runtime: %s", dlerror());
        return;
    }
    if (module_path(path, sizeof path, for_gpus)) {
        cuda_prepare();
        no_gpu = open_module(for_gpus, &loaded, NULL) ? "no GPU found" : NULL;
    }
    if (no_gpu && module_path(path, sizeof path, for_host))
        status = try_image(path);
    if (no_gpu && !status)
        status = open_module(for_host, &loaded, &reason);
    loaded.no_gpu = no_gpu;
    if (!status && !offload_check_team(loaded.module, false, &reason))
        try_out();
    remove_image();
    atexit(remove_image);
}

static pthread_once_t once_single = PTHREAD_ONCE_INIT;
static struct error reason_single;
static struct offload loaded_single;

static void load_single(void) {
    open_module(loaded.module->is_gpu ? "jacobi-omp-gpu-single.so" : "jacobi-omp-host-single.so",
                &loaded_single, &reason_single);
}

enum status offload_load(enum precision precision, struct offload *offload, struct error *error) {
    const struct error *why = &reason;
    pthread_once(&once, load_offload);
    *offload = loaded;
    if (!reason.status && precision != PRECISION_DOUBLE) {
        pthread_once(&once_single, load_single);
        offload->module = loaded_single.module;
        why = &reason_single;
    }
    if (why->status && error)
        *error = *why;
    return why->status;
}
