#include "kernels/hip/user_kernels.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/file.h"
#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/cpu/row.h"
#include "kernels/hip/emulator/emulator.h"
#include "kernels/hip/hip.h"

enum { PHASES = PHASE_FUSED + 1, ARRAYS = 6, IMAGE_MAX = 1 << 24, NAMED_ITERATIONS = 8 };

static struct {
    char *image;                                      /* for a GPU, */
    void *library;                                    /* or for this CPU */
    const struct emulator_kernel *kernels, *programs; /* by phase */
    __typeof__(&emulator_launch) launch;
    bool phases[PHASES];
} own;

bool hip_user_kernels_is_emulated(void) {
    return own.library != NULL;
}

/* ---- loading -------------------------------------------------------------------------------- */

/* Whether an image has that kernel, by the line of PTX or the symbol of a code object that it must
 * have. */
static bool image_has(const char *image, size_t size, const char *kernel) {
    char entry[64], symbol[64];
    snprintf(entry, sizeof entry, ".entry %s(", kernel);
    snprintf(symbol, sizeof symbol, "%s.kd", kernel);
    return memmem(image, size, entry, strlen(entry)) || memmem(image, size, symbol, strlen(symbol));
}

static enum status load_emulated(const char *path, struct error *error) {
    sandbox_enter("loading");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    sandbox_enter(NULL);
    if (!library)
        return error_set(error, STATUS_BAD_INPUT, "%s", dlerror());
    own.kernels = dlsym(library, "emulator_kernels");
    own.programs = dlsym(library, "program_kernels");
    *(void **)&own.launch = dlsym(library, "emulator_launch");
    void (**failed)(const char *) = (void (**)(const char *))dlsym(library, "emulator_failed");
    const struct emulator_position *place = dlsym(library, "emulator_position");
    if (!own.kernels || !own.programs || !own.launch || !failed || !place) {
        dlclose(library);
        return error_set(error, STATUS_INTERNAL, "your kernels are not compiled for this CPU");
    }
    *failed = sandbox_fail;
    sandbox_place(&place->block, &place->thread);
    for (int phase = 0; phase < PHASES; phase++)
        own.phases[phase] = dlsym(library, phase_name((enum phase)phase)) != NULL;
    own.library = library;
    return STATUS_OK;
}

enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error) {
    const struct hip_gpu *gpu;
    size_t size = 0;
    *found = (struct user_library){0};
    const bool has_gpu = hip_gpu_find(0, &gpu, NULL) == STATUS_OK;
    if (has_gpu && !gpu->image)
        return error_set(error, STATUS_UNAVAILABLE, "this program holds no kernels for %s",
                         gpu->architecture);
    if (has_gpu)
        snprintf(found->architecture, sizeof found->architecture, "%s", gpu->architecture);
    found->emulated = !has_gpu;
    enum status status =
        has_gpu ? file_read(path, IMAGE_MAX, &own.image, &size, error) : load_emulated(path, error);
    for (int phase = 0; phase < PHASES && has_gpu && !status; phase++)
        own.phases[phase] = image_has(own.image, size, phase_name((enum phase)phase));
    bool any = false;
    for (int phase = 0; phase < PHASES && !status; phase++)
        any |= found->phases[phase] = own.phases[phase];
    if (!status && !any)
        status = error_set(error, STATUS_BAD_INPUT,
                           "none of your files has a kernel Laplacian, BoundaryConditions, Update, "
                           "Norm or Fused with the arguments that hip.h gives it");
    return status;
}

enum status hip_user_kernels_supports(const struct engine_spec *spec, struct error *error) {
    const struct tuning *tuning = &spec->run.tuning;
    const enum schedule_kind kind = spec->run.schedule.kind;
    if (!own.library && !spec->run.user_kernels)
        return STATUS_OK;
    if ((kind != SCHEDULE_PLAIN && kind != SCHEDULE_FUSED) || spec->run.method != METHOD_JACOBI)
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s run with --schedule plain or fused, and Jacobi's method",
                         own.library ? "without a GPU HIP kernels" : "HIP kernels of your own");
    if (spec->run.user_kernels && kind == SCHEDULE_FUSED && !own.phases[PHASE_FUSED])
        return error_set(error, STATUS_BAD_INPUT,
                         "--schedule fused: none of your files has a kernel Fused");
    if (own.library && spec->run.mapping != MAPPING_UNSTRUCTURED)
        return error_set(error, STATUS_UNAVAILABLE,
                         "without a GPU nothing is copied: only --mapping unstructured");
    if (own.library && kind == SCHEDULE_PLAIN && (tuning->block > 256 || tuning->norm_block > 512))
        return error_set(error, STATUS_BAD_INPUT,
                         "the plain kernels are bound to 256 threads per block, Norm to 512");
    return STATUS_OK;
}

/* ---- on a GPU ------------------------------------------------------------------------------- */

enum status hip_user_kernels_replace(struct hip_stream *stream, struct error *error) {
    const struct hip_driver *driver = stream->driver;
    if (!own.image)
        return error_set(error, STATUS_UNAVAILABLE, "no kernels of your own are loaded");
    sandbox_forget_memory(); /* what driver and program take is not theirs */
    enum status status = hip_check(driver, driver->module_load(&stream->user_module, own.image),
                                   "your kernels can't be loaded", error);
    for (int phase = 0; phase < PHASES && !status; phase++) {
        const int kernel = phase == PHASE_FUSED ? KERNEL_FUSED : KERNEL_PLAIN_LAPLACIAN + phase;
        const char *name = phase_name((enum phase)phase);
        if (own.phases[phase])
            status = hip_check(
                driver,
                driver->module_function(&stream->functions[kernel], stream->user_module, name),
                name, error);
    }
    return status;
}

void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase) {
    const bool named = hip->base.events->iteration < NAMED_ITERATIONS;
    if (hip->base.spec.run.user_kernels)
        sandbox_enter(named ? phase_name(phase) : "your kernels");
}

enum status hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase,
                                   struct error *error) {
    struct error failure = {0};
    const bool waits = hip->base.events->iteration < NAMED_ITERATIONS ||
                       hip->context.mapping == MAPPING_STRUCTURED;
    if (!hip->base.spec.run.user_kernels || !waits)
        return STATUS_OK;
    const enum status status = hip_stream_synchronize(&hip->context.stream, &failure);
    sandbox_enter(NULL);
    return status ? error_set(error, status, "%s: %.400s", phase_name(phase), failure.message)
                  : STATUS_OK;
}

/* ---- on this CPU: an engine whose device memory ends where a page ends ------------------------
 */

struct own_array {
    char *pages;
    size_t size; /* of all pages, of which the last can't be touched */
    double *values;
    uint64_t *spare; /* what lies between the last value and that page; NULL: nothing */
};

struct own_engine {
    struct engine base;
    int stride;                   /* unknowns from one row to the next */
    struct hip_geometry geometry; /* of the program's Fused */
    union {
        struct {
            struct own_array U, AU, RHS, RES, U_next, sums;
        };
        struct own_array arrays[ARRAYS];
    };
};

void hip_user_kernels_describe(struct device *device) {
    *device = (struct device){0};
    snprintf(device->name, sizeof device->name, DEVICE_EMULATED);
    snprintf(device->architecture, sizeof device->architecture, "x86-64");
}

/* What lies before the values, up to their page's begin, is no number. Nor is the one that may lie
 * behind them: one that signals, for arithmetic makes another of it, and of each array its own, so
 * that hardly any write leaves it as it is. */
static uint64_t spare_pattern(const struct own_array *array) {
    return 0x7ff4000000000000 | ((uintptr_t)array->values & 0xffffffffff);
}

/* Ends on a page's end, as near as alignment lets it. */
static bool open_guarded(struct own_array *array, size_t count) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = (count * sizeof(double) + 15) / 16 * 16; /* as a GPU aligns at least */
    const size_t used = (bytes + page - 1) / page * page;
    array->size = used + page;
    array->pages =
        mmap(NULL, array->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array->pages == MAP_FAILED)
        array->pages = NULL;
    if (!array->pages || mprotect(array->pages + used, page, PROT_NONE))
        return false;
    void *const values = array->pages + used - bytes;
    array->values = values;
    memset(array->pages, 0xff, used - bytes);
    if (bytes > count * sizeof(double)) {
        array->spare = (uint64_t *)values + count;
        *array->spare = spare_pattern(array);
    }
    return true;
}

static void emulated_close(struct engine *engine) {
    struct own_engine *emulated = (struct own_engine *)engine;
    for (int a = 0; a < ARRAYS; a++)
        if (emulated->arrays[a].pages)
            munmap(emulated->arrays[a].pages, emulated->arrays[a].size);
    free(emulated);
}

static enum status emulate_phase(struct own_engine *emulated, enum phase phase, unsigned blocks,
                                 unsigned block, void **arguments, struct error *error) {
    static const char *const names[ARRAYS] = {"U", "AU", "RHS", "RES", "U_next", "sums"};
    const struct engine_spec *spec = &emulated->base.spec;
    const bool is_own = spec->run.user_kernels && own.phases[phase];
    const int64_t start = clock_now_ns();
    if (is_own)
        sandbox_enter(phase_name(phase));
    const int refused =
        own.launch(&(is_own ? own.kernels : own.programs)[phase], blocks, block, arguments);
    if (is_own)
        sandbox_enter(NULL);
    if (refused)
        return error_set(error, STATUS_BAD_INPUT, "%s: a block of %u threads is too large",
                         phase_name(phase), block);
    for (int a = 0; a < ARRAYS && is_own; a++) {
        const struct own_array *array = &emulated->arrays[a];
        if (array->spare && *array->spare != spare_pattern(array))
            return error_set(error, STATUS_DEVICE_FAILED, "%s wrote beyond the end of %s",
                             phase_name(phase), names[a]);
    }
    if (!spec->without_events)
        event_log_add(emulated->base.events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                      clock_now_ns() - start, engine_step_bytes(&emulated->base, phase));
    return STATUS_OK;
}

/* With a thread per unknown, or whatever it takes. */
static enum status emulate_threads(struct own_engine *emulated, enum phase phase, uint64_t threads,
                                   void **arguments, struct error *error) {
    const unsigned block = (unsigned)emulated->base.spec.run.tuning.block;
    return emulate_phase(emulated, phase, hip_blocks_for(threads, block), block, arguments, error);
}

/* With as many blocks as leave a sum each, which are added up. */
static enum status emulate_sums(struct own_engine *emulated, enum phase phase, void **arguments,
                                double *sum, struct error *error) {
    const struct tuning *tuning = &emulated->base.spec.run.tuning;
    const enum status status = emulate_phase(emulated, phase, (unsigned)tuning->norm_blocks,
                                             (unsigned)tuning->norm_block, arguments, error);
    *sum = 0;
    for (int block = 0; block < tuning->norm_blocks && !status; block++)
        *sum += emulated->sums.values[block];
    return status;
}

/* Laplacian or BoundaryConditions: both make AU of U. */
static enum status emulate_AU(struct engine *engine, enum phase phase, uint64_t threads,
                              struct error *error) {
    struct own_engine *emulated = (struct own_engine *)engine;
    struct mesh *mesh = &engine->spec.mesh;
    void *arguments[] = {&mesh->Nx,      &mesh->Ny,           &mesh->_1bydx2,
                         &mesh->_1bydy2, &emulated->U.values, &emulated->AU.values};
    return emulate_threads(emulated, phase, threads, arguments, error);
}

static enum status emulated_laplacian(struct engine *engine, struct error *error) {
    return emulate_AU(engine, PHASE_LAPLACIAN, mesh_unknowns(&engine->spec.mesh), error);
}

static enum status emulated_boundary(struct engine *engine, struct error *error) {
    const struct mesh *mesh = &engine->spec.mesh;
    const uint64_t rim = 2 * (uint64_t)mesh->Nx + 2 * (uint64_t)mesh->Ny - 2;
    return emulate_AU(engine, PHASE_BOUNDARY, rim, error);
}

static enum status emulated_update(struct engine *engine, struct error *error) {
    struct own_engine *emulated = (struct own_engine *)engine;
    struct mesh *mesh = &engine->spec.mesh;
    long N = (long)mesh_unknowns(mesh);
    void *arguments[] = {&N,
                         &mesh->factor,
                         &emulated->RHS.values,
                         &emulated->AU.values,
                         &emulated->RES.values,
                         &emulated->U.values};
    return emulate_threads(emulated, PHASE_UPDATE, (uint64_t)N, arguments, error);
}

static enum status emulated_norm(struct engine *engine, double *sum, struct error *error) {
    struct own_engine *emulated = (struct own_engine *)engine;
    long N = (long)mesh_unknowns(&engine->spec.mesh);
    void *arguments[] = {&N, &emulated->RES.values, &emulated->sums.values};
    return emulate_sums(emulated, PHASE_NORM, arguments, sum, error);
}

static enum status emulated_pass(struct engine *engine, int depth, double *sum,
                                 struct error *error) {
    struct own_engine *emulated = (struct own_engine *)engine;
    struct mesh *mesh = &engine->spec.mesh;
    double *const RHS = emulated->RHS.values, *const U = emulated->U.values;
    double *const U_next = emulated->U_next.values, *const sums = emulated->sums.values;
    if (engine->spec.run.user_kernels) {
        void *arguments[] = {&mesh->Nx,      &mesh->Ny,       &mesh->_1bydx2,
                             &mesh->_1bydy2, &mesh->factor,   (void *)&RHS,
                             (void *)&U,     (void *)&U_next, (void *)&sums};
        return emulate_sums(emulated, PHASE_FUSED, arguments, sum, error);
    }
    int first = 0, backwards = 0, rows = (int)emulated->geometry.rows;
    double limit = -1; /* never stops */
    unsigned state[STATE_BYTES / sizeof(unsigned)] = {0};
    void *const state_at = state, *const sum_at = sum;
    void *arguments[] = {
        &mesh->Nx,     &mesh->Ny,       &first,           &mesh->Ny,      &emulated->stride,
        &rows,         &rows,           &backwards,       &mesh->_1bydx2, &mesh->_1bydy2,
        &mesh->factor, &limit,          (void *)&RHS,     (void *)&U,     (void *)&U_next,
        (void *)&sums, (void *)&sum_at, (void *)&state_at};
    return emulate_phase(emulated, PHASE_FUSED, emulated->geometry.blocks, FUSED_BLOCK, arguments,
                         error);
}

static void emulated_accept(struct engine *engine) {
    struct own_engine *emulated = (struct own_engine *)engine;
    const struct own_array next = emulated->U_next;
    emulated->U_next = emulated->U;
    emulated->U = next;
}

static enum status emulated_downsample(struct engine *engine, const struct downsample *downsample,
                                       double *sums, struct error *error) {
    const struct own_engine *emulated = (struct own_engine *)engine;
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(&engine->spec, emulated->stride, downsample, row, emulated->U.values,
                           sums + (size_t)row * (size_t)downsample->cols);
    return STATUS_OK;
}

static enum status emulated_read(struct engine *engine, double *U, struct error *error) {
    const struct own_engine *emulated = (struct own_engine *)engine;
    const size_t Nx = (size_t)engine->spec.mesh.Nx;
    for (size_t j = 0; j < (size_t)engine->spec.mesh.Ny; j++)
        memcpy(U + j * Nx, emulated->U.values + j * (size_t)emulated->stride, Nx * sizeof *U);
    return STATUS_OK;
}

enum status hip_user_kernels_open(const struct engine_spec *spec, struct event_log *events,
                                  struct engine **engine, struct error *error) {
    static const struct engine_ops ops = {
        .laplacian = emulated_laplacian,
        .boundary = emulated_boundary,
        .update = emulated_update,
        .norm = emulated_norm,
        .pass = emulated_pass,
        .accept = emulated_accept,
        .downsample = emulated_downsample,
        .read = emulated_read,
        .close = emulated_close,
    };
    struct own_engine *emulated = calloc(1, sizeof *emulated);
    if (!emulated)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    emulated->base = (struct engine){.ops = &ops, .spec = *spec, .events = events};
    engine_set_method(&emulated->base);
    emulated->base.spec.run.host_memory = HOST_PAGEABLE;
    struct tuning *tuning = &emulated->base.spec.run.tuning;
    tuning->block = tuning->block > 0 ? tuning->block : 256;
    tuning->norm_block = tuning->norm_block > 0 ? tuning->norm_block : 512;
    tuning->norm_blocks = tuning->norm_blocks > 0 ? tuning->norm_blocks : 8;
    const struct mesh *mesh = &spec->mesh;
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    emulated->stride = hip_stride(spec);
    emulated->geometry = hip_geometry_fused(mesh, 1, FUSED_BLOCKS_TRIED);
    const size_t stride = (size_t)emulated->stride, N = stride * (size_t)mesh->Ny;
    const size_t sums =
        four || spec->run.user_kernels ? (size_t)tuning->norm_blocks : emulated->geometry.blocks;
    if (!open_guarded(&emulated->U, N) || !open_guarded(&emulated->RHS, N) ||
        (four && (!open_guarded(&emulated->AU, N) || !open_guarded(&emulated->RES, N))) ||
        (!four && !open_guarded(&emulated->U_next, N)) || !open_guarded(&emulated->sums, sums)) {
        emulated_close(&emulated->base);
        return error_set(error, STATUS_INTERNAL, "out of memory for a grid of %d×%d unknowns",
                         mesh->Nx, mesh->Ny);
    }
    for (int j = 0; j < mesh->Ny; j++)
        spec->problem->fill_row(mesh, j, emulated->U.values + (size_t)j * stride,
                                emulated->RHS.values + (size_t)j * stride);
    *engine = &emulated->base;
    return STATUS_OK;
}
