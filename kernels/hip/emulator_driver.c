#include "kernels/hip/emulator_driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/hip/emulator/emulator.h"

enum { ALIGNMENT = 16, OUT_OF_MEMORY = 2, TOO_MANY_THREADS = 9, NOT_FOUND = 500 };

struct memory {
    struct memory *next;
    char *pages;
    size_t size; /* of all pages; the last page is inaccessible */
    char *values;
    uint64_t *spare; /* between the last value and that page; NULL if there is no room */
    const char *label;
};

static struct {
    void *library;
    __typeof__(&hip_emulator_launch) launch;
    struct memory *memories;
} emulator;

/* ---- memory ---------------------------------------------------------------------------------- */

/* The memory before the values is NaN. The spare number after them is a signalling NaN, which
 * arithmetic changes, and which differs for each array: almost any write changes it. */
static uint64_t spare_pattern(const struct memory *memory) {
    return 0x7ff4000000000000 | ((uintptr_t)memory->values & 0xffffffffff);
}

static hipError_t allocate(void **values, size_t wanted) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t used = (bytes + page - 1) / page * page;
    struct memory *memory = calloc(1, sizeof *memory);
    char *pages =
        mmap(NULL, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!memory || pages == MAP_FAILED || mprotect(pages + used, page, PROT_NONE)) {
        if (pages != MAP_FAILED)
            munmap(pages, used + page);
        free(memory);
        return (hipError_t)OUT_OF_MEMORY;
    }
    *memory = (struct memory){emulator.memories,    pages, used + page,
                              pages + used - bytes, NULL,  "an array"};
    emulator.memories = memory;
    memset(pages, 0xff, used - bytes);
    if (bytes - wanted >= sizeof *memory->spare) {
        /* NOLINTNEXTLINE(bugprone-casting-through-void): the end of a page */
        memory->spare = (uint64_t *)(void *)(pages + used) - 1;
        *memory->spare = spare_pattern(memory);
    }
    *values = memory->values;
    return hipSuccess;
}

static hipError_t release(void *values) {
    struct memory **at = &emulator.memories;
    while (*at && (*at)->values != values)
        at = &(*at)->next;
    struct memory *memory = *at;
    if (!memory)
        return hipErrorUnknown;
    *at = memory->next;
    munmap(memory->pages, memory->size);
    free(memory);
    return hipSuccess;
}

static void label(void *values, const char *name) {
    for (struct memory *memory = emulator.memories; memory; memory = memory->next)
        if (memory->values == values)
            memory->label = name;
}

const char *hip_emulator_overrun(void) {
    for (const struct memory *memory = emulator.memories; memory; memory = memory->next)
        if (memory->spare && *memory->spare != spare_pattern(memory))
            return memory->label;
    return NULL;
}

static hipError_t host_allocate(void **values, size_t bytes, unsigned flags) {
    return allocate(values, bytes);
}

static hipError_t host_pointer(void **device, void *host, unsigned flags) {
    *device = host;
    return hipSuccess;
}

static hipError_t copy_to(hipDeviceptr_t to, void *from, size_t bytes, hipStream_t stream) {
    memcpy(to, from, bytes);
    return hipSuccess;
}

static hipError_t copy_from(void *to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
    memcpy(to, from, bytes);
    return hipSuccess;
}

static hipError_t fill(hipDeviceptr_t to, unsigned char value, size_t bytes, hipStream_t stream) {
    memset(to, value, bytes);
    return hipSuccess;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static hipError_t module_load(hipModule_t *module, const void *kernels) {
    *module = (hipModule_t)kernels;
    return hipSuccess;
}

static hipError_t module_unload(hipModule_t module) {
    return hipSuccess;
}

static hipError_t module_function(hipFunction_t *function, hipModule_t module, const char *name) {
    const struct emulator_kernel *kernel = (const void *)module;
    while (kernel->name && strcmp(kernel->name, name) != 0)
        kernel++;
    *function = (hipFunction_t)(kernel->name ? kernel : NULL);
    return kernel->name ? hipSuccess : (hipError_t)NOT_FOUND;
}

static hipError_t launch(hipFunction_t function, unsigned blocks, unsigned grid_y, unsigned grid_z,
                         unsigned threads, unsigned block_y, unsigned block_z,
                         unsigned shared_bytes, hipStream_t stream, void **arguments,
                         void **extra) {
    const int refused = emulator.launch((const void *)function, blocks, threads, arguments);
    return refused ? (hipError_t)TOO_MANY_THREADS : hipSuccess;
}

/* ---- streams and events: no wait is needed --------------------------------------------------- */

static hipError_t set_device(int device) {
    return hipSuccess;
}

static hipError_t stream_create(hipStream_t *stream, unsigned flags) {
    *stream = NULL;
    return hipSuccess;
}

static hipError_t with_stream(hipStream_t stream) {
    return hipSuccess;
}

struct ihipEvent_t {
    int64_t recorded_ns;
};

static hipError_t event_create(hipEvent_t *event, unsigned flags) {
    *event = calloc(1, sizeof **event);
    return *event ? hipSuccess : (hipError_t)OUT_OF_MEMORY;
}

static hipError_t event_destroy(hipEvent_t event) {
    free(event);
    return hipSuccess;
}

static hipError_t event_record(hipEvent_t event, hipStream_t stream) {
    event->recorded_ns = clock_now_ns();
    return hipSuccess;
}

static hipError_t event_elapsed(float *milliseconds, hipEvent_t start, hipEvent_t stop) {
    *milliseconds = (float)(1e-6 * (double)(stop->recorded_ns - start->recorded_ns));
    return hipSuccess;
}

static const char *error_string(hipError_t code) {
    return (int)code == OUT_OF_MEMORY      ? "out of memory"
           : (int)code == TOO_MANY_THREADS ? "a block has too many threads"
                                           : "not in the emulator";
}

static const struct hip_driver driver = {
    .vendor = VENDOR_AMD,
    .library = "emulator",
    .set_device = set_device,
    .module_load = module_load,
    .module_unload = module_unload,
    .module_function = module_function,
    .launch = launch,
    .allocate = allocate,
    .release = release,
    .host_allocate = host_allocate,
    .host_release = release,
    .host_pointer = host_pointer,
    .copy_to = (__typeof__(&hipMemcpyHtoDAsync))copy_to, /* newer headers: from const memory */
    .copy_from = copy_from,
    .fill = fill,
    .stream_create = stream_create,
    .stream_destroy = with_stream,
    .stream_wait = with_stream,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_elapsed = event_elapsed,
    .error_string = error_string,
    .label = label,
};

/* ---- opening --------------------------------------------------------------------------------- */

bool hip_emulator_has(const char *kernel) {
    return dlsym(emulator.library, kernel) != NULL;
}

void hip_emulator_find_races(void) {
    bool *finds = emulator.library ? dlsym(emulator.library, "emulator_finds_races") : NULL;
    if (finds)
        *finds = true;
}

enum status hip_emulator_open(const char *path, const void **kernels, struct error *error) {
    static struct hip_image programs = {.architecture = "x86-64"};
    sandbox_enter("loading");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    sandbox_enter(NULL);
    if (!library)
        return error_set(error, STATUS_BAD_INPUT, "%s", dlerror());
    *kernels = dlsym(library, "emulator_kernels");
    programs.data[0] = dlsym(library, "program_kernels");
    *(void **)&emulator.launch = dlsym(library, "hip_emulator_launch");
    void (**failed)(const char *) = (void (**)(const char *))dlsym(library, "emulator_failed");
    const struct emulator_position *at = dlsym(library, "emulator_position");
    if (!*kernels || !programs.data[0] || !emulator.launch || !failed || !at) {
        dlclose(library);
        return error_set(error, STATUS_INTERNAL, "your kernels are not compiled for this CPU");
    }
    *failed = sandbox_fail;
    sandbox_place(&at->block, &at->thread);
    emulator.library = library;
    hip_gpus_replace(&(struct hip_gpu){
        .driver = &driver,
        .image = &programs,
        .device = {.name = DEVICE_EMULATED, .architecture = "x86-64"},
        .multiprocessors = 1,
        .wave = 1,
        .is_emulated = true,
        .architecture = "x86-64",
    });
    return STATUS_OK;
}
