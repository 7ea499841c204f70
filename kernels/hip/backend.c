/* The back end `hip`: its devices, the specs it supports, their memory and their schedules. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "kernels/hip/emulator_driver.h"
#include "kernels/hip/engine.h"
#include "kernels/hip/hip.h"
#include "kernels/hip/self_check.h"
#include "solver/tuner.h"

enum { BLOCK_MAX = 1024, NORM_BLOCKS_MAX = 1 << 20 };
enum { PLAIN_BLOCK_MAX = 256, PLAIN_NORM_BLOCK_MAX = 512 };
enum { TRIAL_SIDE = 4096, TRIAL_ITERATIONS = 96, DEVICE_SIZE = 200 };
enum { GEOMETRY_MIN = 1 << 14, BLOCKED_MAX = 1 << 28 }; /* unknowns */

/* If there is no device, the reason also names the kernels for AMD that this build left out. */
static enum status hip_probe(struct device_list *devices, struct error *error) {
    const struct hip_gpu *gpus;
    struct error reason = {0};
    devices->count = 0;
    const enum status status = hip_gpus_find(&gpus, &devices->count, &reason);
    for (int d = 0; d < devices->count; d++) {
        devices->devices[d] = gpus[d].device;
        hip_self_check_describe(&gpus[d], &devices->devices[d]);
    }
    if (status == STATUS_OK)
        return STATUS_OK;
    return error_set(error, status, "%.380s%s%.100s", reason.message,
                     *hip_images_without_amd ? "; AMD code objects not built: " : "",
                     hip_images_without_amd);
}

static enum status hip_supports(const struct engine_spec *spec, struct error *error) {
    const struct tuning *tuning = &spec->run.tuning;
    const struct hip_gpu *gpu;
    TRY(hip_gpu_find(spec->run.device, &gpu, error));
    TRY(hip_user_kernels_supports(spec, gpu, error));
    const char *name = gpu->device.name;
    const char *because = gpu->driver->vendor == VENDOR_AMD ? hip_images_without_amd : "";
    if (!gpu->image)
        return error_set(error, STATUS_UNAVAILABLE, "this program has no kernels for %s (%s)%s%s",
                         gpu->architecture, name, *because ? "; not built: " : "", because);
    if (gpu->wave < 1)
        return error_set(error, STATUS_UNAVAILABLE, "%s does not report how wide its waves are",
                         name);
    if (spec->run.mapping == MAPPING_UNIFIED && !gpu->maps_host)
        return error_set(error, STATUS_UNAVAILABLE,
                         "mapping 'unified': %s can't address the host's memory", name);
    if (tuning->block > BLOCK_MAX || tuning->norm_block > BLOCK_MAX)
        return error_set(error, STATUS_BAD_INPUT, "a block has at most %d threads on a GPU",
                         BLOCK_MAX);
    if (spec->run.schedule.kind == SCHEDULE_PLAIN &&
        (tuning->block > PLAIN_BLOCK_MAX || tuning->norm_block > PLAIN_NORM_BLOCK_MAX))
        return error_set(error, STATUS_BAD_INPUT,
                         "the plain kernels allow %d threads per block, Norm %d", PLAIN_BLOCK_MAX,
                         PLAIN_NORM_BLOCK_MAX);
    if (tuning->norm_blocks > NORM_BLOCKS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "Norm runs with at most %d blocks",
                         NORM_BLOCKS_MAX);
    return STATUS_OK;
}

/* Classic and plain hold U, AU, RHS and RES; fused and blocked U, U_next and RHS. A slab also holds
 * U_next and its batch's start in any case, and mixed precision U and RHS in double. */
static struct footprint hip_footprint(const struct engine_spec *spec) {
    const struct hip_gpu *gpu;
    const bool emulated =
        hip_gpu_find(spec->run.device, &gpu, NULL) == STATUS_OK && gpu->is_emulated;
    const bool four_kernels = schedule_has_four_kernels(spec->run.schedule);
    const uint64_t one = (uint64_t)hip_stride(spec) * (uint64_t)spec->mesh.Ny;
    const uint64_t slab = spec->slab.problem_Ny == 0 ? 0 : four_kernels ? 2 : 1;
    const uint64_t numbers = (four_kernels ? engine_numbers(spec) : 3 * one) + slab * one;
    const uint64_t kept = spec->run.precision == PRECISION_MIXED ? 2 * one : 0;
    const uint64_t all = numbers * precision_bytes(spec->run.precision) + kept * sizeof(double);
    return (struct footprint){
        .host_bytes = spec->run.mapping == MAPPING_UNSTRUCTURED && !emulated ? 0 : all,
        .device_bytes = spec->run.mapping == MAPPING_UNIFIED ? 0 : all,
    };
}

/* The name in the tuner's cache. */
static void name_device(const struct hip_gpu *gpu, char device[DEVICE_SIZE]) {
    snprintf(device, DEVICE_SIZE, "hip %s, %s", gpu->device.name, gpu->device.driver);
}

/* Iterations can be replayed, with three exceptions: a slab's; Chebyshev's, whose weight changes;
 * and SOR's, whose few kernels gain nothing. */
static bool may_record(const struct engine_spec *spec, const struct hip_gpu *gpu) {
    const struct run_id *run = &spec->run;
    return run->schedule.kind == SCHEDULE_CLASSIC && run->mapping != MAPPING_STRUCTURED &&
           (run->method == METHOD_JACOBI || run->method == METHOD_MULTIGRID) &&
           !run->user_kernels && spec->slab.problem_Ny == 0 && hip_graph_exists(gpu->driver);
}

/* Opens the engine with the values chosen so far, and the usual values for the open ones. */
static enum status open_chosen(const struct engine_spec *spec, struct event_log *events,
                               struct engine **engine, struct error *error) {
    const struct run_id *run = &spec->run;
    const bool four = schedule_has_four_kernels(run->schedule);
    const bool stepwise = run->schedule.kind == SCHEDULE_PLAIN || run->user_kernels ||
                          (four && run->mapping == MAPPING_STRUCTURED);
    const struct hip_schedule *schedule = stepwise                       ? &hip_plain
                                          : !four                        ? &hip_passes
                                          : run->method == METHOD_JACOBI ? &hip_classic
                                                                         : &hip_methods;
    const struct hip_gpu *gpu;
    bool faster = false;
    TRY(hip_gpu_find(run->device, &gpu, error));
    if (may_record(spec, gpu))
        TRY(hip_self_check(gpu, FASTER_GRAPHS, &faster, error));
    if (run->schedule.kind == SCHEDULE_BLOCKED && gpu->has_copies)
        TRY(hip_self_check(gpu, hip_faster_copies(run->schedule.depth), &faster, error));
    return hip_engine_open(gpu, spec, schedule, faster, events, engine, error);
}

/* Limits the depth to the kernels' maximum. Replaces an open depth (0) by the fastest one on this
 * device. */
static enum status choose_depth(const struct hip_gpu *gpu, struct engine_spec *spec,
                                uint64_t *tried, struct error *error) {
    struct autotune_choice choice = {.field = TUNING_DEPTH};
    int *depth = &spec->run.schedule.depth, most = hip_blocked_kernels[0].depth;
    bool goes_deep = false;
    if (*depth == 0 || *depth > most) {
        TRY(hip_self_check(gpu, FASTER_DEPTH, &goes_deep, error));
    }
    most = goes_deep ? BLOCKED_DEPTH_MAX : most;
    *depth = *depth > most ? most : *depth;
    struct tuning no_tuning;
    char device[DEVICE_SIZE];
    name_device(gpu, device);
    for (int k = 0; hip_blocked_kernels[k].depth && hip_blocked_kernels[k].depth <= most; k++)
        choice.candidates[k] = hip_blocked_kernels[k].depth;
    const struct autotune plan = {.device = device,
                                  .choices = &choice,
                                  .choice_count = 1,
                                  .rounds = 1,
                                  .open = open_chosen,
                                  .side = TRIAL_SIDE,
                                  .iterations = TRIAL_ITERATIONS};
    return autotune(&plan, spec, tried, &no_tuning, error);
}

/* The candidates for blocked: the model's best number of blocks per multiprocessor, half and twice
 * that number, if the grid allows these cuts. None if `tried` has no bits for them. */
static void blocked_choice(const struct hip_stream *stream, const struct engine_spec *spec,
                           struct autotune_choice *choice) {
    const int usual = (int)hip_blocked_geometry(stream, spec, 0).each;
    const int wanted[] = {usual, usual / 2, 2 * usual};
    for (int n = 0, count = 0; n < 3 && usual < TUNING_TRIED_BITS; n++)
        if (wanted[n] > 0 && wanted[n] < TUNING_TRIED_BITS &&
            (int)hip_blocked_geometry(stream, spec, wanted[n]).each == wanted[n])
            choice->candidates[count++] = wanted[n];
}

/* Autotunes the open block sizes and numbers of blocks. On a small grid a kernel ends before they
 * matter. Other methods launch other kernels, and other mappings are bound by copies. For blocked
 * the best number depends on the particular grid, and a large grid takes a while to fill; for slabs
 * the model chooses the number. Leaves `stream` open if the model needed the kernels' occupancy. */
static enum status choose_geometry(const struct hip_gpu *gpu, struct hip_stream *stream,
                                   struct engine_spec *spec, struct tuning *tried,
                                   struct error *error) {
    static const struct autotune_choice classic[] = {
        {TUNING_BLOCK, {256, 128, 512}},
        {TUNING_NORM_BLOCK, {512, 256, 1024}},
        {TUNING_NORM_BLOCKS, {256, 512, NORM_BLOCKS_TRIED}},
    };
    static const struct autotune_choice fused = {TUNING_FUSED_BLOCKS, {4, 2, FUSED_BLOCKS_TRIED}};
    struct autotune_choice blocked = {.field = TUNING_BLOCKED_BLOCKS};
    const enum schedule_kind kind = spec->run.schedule.kind;
    const size_t unknowns = mesh_unknowns(&spec->mesh);
    char device[DEVICE_SIZE];
    if (kind == SCHEDULE_PLAIN || spec->run.user_kernels || spec->run.method != METHOD_JACOBI ||
        spec->run.mapping != MAPPING_UNSTRUCTURED || unknowns < GEOMETRY_MIN)
        return STATUS_OK;
    name_device(gpu, device);
    if (kind == SCHEDULE_BLOCKED) {
        if (spec->run.tuning.blocked_blocks > 0 || unknowns > BLOCKED_MAX ||
            spec->slab.problem_Ny > 0)
            return STATUS_OK;
        struct error failure = {0};
        hip_stream_open(stream, gpu, spec->run.precision, &failure);
        if (failure.status)
            return hip_take_failure(&failure, error);
        blocked_choice(stream, spec, &blocked);
        const size_t length = strlen(device);
        snprintf(device + length, sizeof device - length, ", depth %d, %d×%d",
                 spec->run.schedule.depth, spec->mesh.Nx, spec->mesh.Ny);
        if (!blocked.candidates[0] || !blocked.candidates[1])
            return STATUS_OK;
    }
    const struct autotune plan = {
        .device = device,
        .choices = kind == SCHEDULE_CLASSIC ? classic
                   : kind == SCHEDULE_FUSED ? &fused
                                            : &blocked,
        .choice_count = kind == SCHEDULE_CLASSIC ? sizeof classic / sizeof *classic : 1,
        .rounds = 2,
        .open = open_chosen,
        .side = kind == SCHEDULE_BLOCKED ? INT_MAX : TRIAL_SIDE,
        .iterations = TRIAL_ITERATIONS / 2,
    };
    return autotune(&plan, spec, &(uint64_t){0}, tried, error);
}

/* Chooses the open values. */
static enum status hip_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct engine_spec chosen = *spec;
    struct tuning tuning_tried = {0};
    uint64_t depths_tried = 0;
    const struct hip_gpu *gpu;
    struct hip_stream stream = {0};
    enum status status = STATUS_OK;
    TRY(hip_gpu_find(spec->run.device, &gpu, error));
    if (gpu->is_emulated)
        return open_chosen(spec, events, engine, error);
    if (spec->run.schedule.kind == SCHEDULE_BLOCKED)
        status = choose_depth(gpu, &chosen, &depths_tried, error);
    if (!status)
        status = choose_geometry(gpu, &stream, &chosen, &tuning_tried, error);
    if (!status)
        status = open_chosen(&chosen, events, engine, error);
    hip_stream_close(&stream); /* not earlier: the device's context would be created again */
    if (status)
        return status;
    (*engine)->depths_tried = depths_tried;
    (*engine)->tuning_tried = tuning_tried;
    return STATUS_OK;
}

static const struct user_kernels_ops user_kernels = {".hip", SCHEDULE_PLAIN, hip_user_kernels_load,
                                                     hip_emulator_find_races};

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .needs = "an AMD or NVIDIA GPU with its driver",
    .advice =
        "a GPU whose driver is loaded and open to this user (AMD: /dev/kfd, group render; in a "
        "container too), not hidden by ROCR_, HIP_ or CUDA_VISIBLE_DEVICES",
    .libraries = hip_libraries,
    .model = MODEL_KERNEL_LAUNCHES,
    .precisions = 1 << PRECISION_SINGLE | 1 << PRECISION_MIXED,
    .probe = hip_probe,
    .supports = hip_supports,
    .footprint = hip_footprint,
    .transport = "peer copies",
    .connect = hip_peer_connect,
    .open = hip_open,
    .user_kernels = &user_kernels,
    .measure_roof = hip_measure_roof,
    .blocked_flops = hip_blocked_flops,
};
