#include "kernels/hip/engine.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/sandbox.h"
#include "kernels/hip/emulator_driver.h"

enum { PHASES = PHASE_FUSED + 1, IMAGE_MAX = 1 << 24, NAMED_ITERATIONS = 8 };

static struct {
    const void *image; /* for a driver's module; NULL: none is loaded */
    bool phases[PHASES];
} user;

/* Whether an image has that kernel: searches for the line of PTX or the symbol of a code object
 * that defines it. */
static bool image_has(const char *image, size_t size, const char *kernel) {
    char entry[64], symbol[64];
    snprintf(entry, sizeof entry, ".entry %s(", kernel);
    snprintf(symbol, sizeof symbol, "%s.kd", kernel);
    return memmem(image, size, entry, strlen(entry)) || memmem(image, size, symbol, strlen(symbol));
}

static enum status load_image(const char *path, struct error *error) {
    char *image = NULL;
    size_t size = 0;
    const enum status status = file_read(path, IMAGE_MAX, &image, &size, error);
    for (int phase = 0; phase < PHASES && !status; phase++)
        user.phases[phase] = image_has(image, size, phase_names[phase]);
    user.image = image;
    return status;
}

static enum status load_emulated(const char *path, struct error *error) {
    const enum status status = hip_emulator_open(path, &user.image, error);
    for (int phase = 0; phase < PHASES && !status; phase++)
        user.phases[phase] = hip_emulator_has(phase_names[phase]);
    return status;
}

enum status hip_user_kernels_load(const char *path, struct user_library *found,
                                  struct error *error) {
    const struct hip_gpu *gpu;
    const bool has_gpu = hip_gpu_find(0, &gpu, NULL) == STATUS_OK;
    *found = (struct user_library){.emulated = !has_gpu};
    if (has_gpu && !gpu->image)
        return error_set(error, STATUS_UNAVAILABLE, "this program has no kernels for %s",
                         gpu->architecture);
    if (has_gpu)
        snprintf(found->architecture, sizeof found->architecture, "%s", gpu->architecture);
    TRY(has_gpu ? load_image(path, error) : load_emulated(path, error));
    memcpy(found->phases, user.phases, sizeof user.phases);
    for (int phase = 0; phase < PHASES; phase++)
        if (user.phases[phase])
            return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "none of your files has a kernel Laplacian, BoundaryConditions, Update, Norm "
                     "or Fused with the arguments that hip.h gives it");
}

enum status hip_user_kernels_supports(const struct engine_spec *spec, const struct hip_gpu *gpu,
                                      struct error *error) {
    const enum schedule_kind kind = spec->run.schedule.kind;
    if (!gpu->is_emulated && !spec->run.user_kernels)
        return STATUS_OK;
    if ((kind != SCHEDULE_PLAIN && kind != SCHEDULE_FUSED) || spec->run.method != METHOD_JACOBI)
        return error_set(
            error, STATUS_UNAVAILABLE, "%s run with --schedule plain or fused, and Jacobi's method",
            gpu->is_emulated ? "without a GPU HIP kernels" : "HIP kernels of your own");
    const bool has_four = user.phases[PHASE_LAPLACIAN] || user.phases[PHASE_BOUNDARY] ||
                          user.phases[PHASE_UPDATE] || user.phases[PHASE_NORM];
    const bool is_fused = kind == SCHEDULE_FUSED;
    if (spec->run.user_kernels && !(is_fused ? user.phases[PHASE_FUSED] : has_four))
        return error_set(error, STATUS_BAD_INPUT,
                         "--schedule %s: none of your files has a kernel %s", schedule_names[kind],
                         is_fused ? "Fused" : "Laplacian, BoundaryConditions, Update or Norm");
    if (gpu->is_emulated && spec->run.mapping != MAPPING_UNSTRUCTURED)
        return error_set(error, STATUS_UNAVAILABLE,
                         "without a GPU nothing is copied: only --mapping unstructured");
    if (gpu->is_emulated && spec->slab.problem_Ny > 0)
        return error_set(error, STATUS_UNAVAILABLE, "without a GPU HIP kernels run on one device");
    return STATUS_OK;
}

void hip_user_kernels_replace(struct hip_stream *stream) {
    const struct hip_driver *driver = stream->driver;
    if (!user.image) {
        error_set(stream->failure, STATUS_UNAVAILABLE, "no kernels of your own are loaded");
        return;
    }
    sandbox_forget_memory(); /* memory of driver and program does not count as the user's */
    hip_check(driver, driver->module_load(&stream->user_module, user.image),
              "your kernels can't be loaded", stream->failure);
    for (int phase = 0; phase < PHASES && !hip_failed(stream); phase++) {
        const int kernel = phase == PHASE_FUSED ? KERNEL_FUSED : KERNEL_PLAIN_LAPLACIAN + phase;
        const char *name = phase_names[phase];
        if (user.phases[phase])
            hip_check(
                driver,
                driver->module_function(&stream->functions[kernel], stream->user_module, name),
                name, stream->failure);
    }
}

static bool is_the_users(const struct hip_engine *hip, enum phase phase) {
    return hip->base.spec.run.user_kernels && user.phases[phase];
}

void hip_user_kernels_enter(const struct hip_engine *hip, enum phase phase) {
    const bool named =
        hip->base.events->iteration < NAMED_ITERATIONS || hip->context.stream.gpu->is_emulated;
    if (is_the_users(hip, phase))
        sandbox_enter(named ? phase_names[phase] : "your kernels");
}

void hip_user_kernels_leave(const struct hip_engine *hip, enum phase phase) {
    const struct hip_stream *stream = &hip->context.stream;
    const bool emulated = stream->gpu->is_emulated;
    const bool waits = hip->base.events->iteration < NAMED_ITERATIONS || emulated ||
                       hip->context.mapping == MAPPING_STRUCTURED;
    if (!is_the_users(hip, phase) || !waits || hip_failed(stream))
        return;
    hip_stream_synchronize(stream);
    sandbox_enter(NULL);
    const char *array = emulated ? hip_emulator_overrun() : NULL;
    if (hip_failed(stream))
        error_prefix(stream->failure, "%s", phase_names[phase]);
    else if (array)
        error_set(stream->failure, STATUS_DEVICE_FAILED, "%s wrote beyond the end of %s",
                  phase_names[phase], array);
}
