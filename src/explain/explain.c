#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends.h"
#include "kernels/hip/hip.h"
#include "metrics/costs.h"
#include "metrics/labels.h"

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The function of that name in a folder ("kernels/omp/"); NULL if there is none. */
static const struct excerpt *excerpt_find(const char *folder, const char *name) {
    for (const struct excerpt *excerpt = excerpts; excerpt->name; excerpt++)
        if (strcmp(excerpt->name, name) == 0 && starts_with(excerpt->file, folder))
            return excerpt;
    return NULL;
}

/* ---- finding ------------------------------------------------------------------------------ */

static const char *const phase_words[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = "laplacian",
    [PHASE_BOUNDARY] = "boundary",
    [PHASE_UPDATE] = "update",
    [PHASE_NORM] = "norm",
    [PHASE_FUSED] = "fused",
    [PHASE_BLOCKED] = "blocked",
    [PHASE_SWEEP] = "sweep",
    [PHASE_RESTRICTION] = "restriction",
    [PHASE_PROLONGATION] = "prolongation",
};

/* What the names of kernels that only a method has begin with, after the back end's prefix. */
struct owner {
    const char *function, *kernel;
};

static struct owner owner_of(const struct lane_sample *lane, enum phase phase) {
    const enum method method = lane->run.method;
    const bool has_colours =
        method == METHOD_SOR || (method == METHOD_MULTIGRID && lane->run.cycle.red_black);
    if (method == METHOD_CHEBYSHEV && (phase == PHASE_UPDATE || phase == PHASE_FUSED))
        return (struct owner){"chebyshev_", "Chebyshev"};
    return has_colours && phase == PHASE_UPDATE ? (struct owner){"colour_", "Colour"}
                                                : (struct owner){"", ""};
}

static const struct excerpt *find_phase(const char *folder, const char *prefix, enum phase phase,
                                        const char *suffix) {
    return excerpt_find(folder, PRINT("%s%s%s", prefix, phase_words[phase], suffix));
}

/* GPU kernels have their own folder; those of the host device are the fallback. */
static const struct excerpt *find_target(bool on_gpu, const char *prefix, enum phase phase,
                                         const char *suffix) {
    const struct excerpt *found =
        on_gpu ? find_phase("kernels/omp/device/gpu/", prefix, phase, suffix) : NULL;
    return found ? found : find_phase("kernels/omp/", prefix, phase, suffix);
}

/* Finds the device function named after the phase. Blocked has two per depth, one of them for dx =
 * dy without damping: Blocked4, Blocked4Any. */
static const struct excerpt *find_device(const struct lane_sample *lane, const char *prefix,
                                         enum phase phase) {
    const struct mesh mesh = run_mesh(&lane->run, lane->nx, lane->ny);
    const char *const name =
        PRINT("%s%s%s", prefix, phase_names[phase],
              phase == PHASE_FUSED && lane->run.devices.count > 1 ? "OfSlab" : "");
    for (const struct excerpt *at = excerpts; at->name; at++) {
        if (!starts_with(at->file, "kernels/hip/device/") || !starts_with(at->name, name))
            continue;
        char *end;
        const long depth = strtol(at->name + strlen(name), &end, 10);
        if (phase != PHASE_BLOCKED ||
            (depth >= lane->run.schedule.depth && !*end == hip_blocked_is_even(&mesh)))
            return at;
    }
    return NULL;
}

/* A recording may name a back end that this program doesn't have. */
static enum backend_model model_of(const struct lane_sample *lane) {
    const struct backend *backend = backend_find(lane->run.backend);
    return backend ? backend->model : MODEL_HOST_LOOPS;
}

static const char blog_hip[] = "kernels/hip/device/blog.hip";

bool explain_has_blog(const struct lane_sample *lane) {
    return backend_maps(lane->run.backend) && schedule_has_four_kernels(lane->run.schedule) &&
           lane->run.method == METHOD_JACOBI;
}

static struct phase_source launched_source(const struct lane_sample *lane, enum phase phase,
                                           enum source_kind kind) {
    const bool structured = lane->run.mapping == MAPPING_STRUCTURED;
    const bool plain = lane->run.schedule.kind == SCHEDULE_PLAIN;
    const bool four = schedule_has_four_kernels(lane->run.schedule);
    const struct owner owner = owner_of(lane, phase);
    if (kind == SOURCE_BLOG)
        return (struct phase_source){
            .mapping = structured ? find_phase(blog_hip, "structured_", phase, "") : NULL,
            .launch = find_phase(blog_hip, "launch_", phase, ""),
            .kernel = find_device(lane, "Plain", phase)};
    return (struct phase_source){
        .mapping = !structured ? NULL
                   : four      ? find_phase("kernels/hip/structured.c", "structured_", phase, "")
                               : excerpt_find("kernels/hip/", "map_pass"),
        .launch = find_phase("kernels/hip/",
                             plain                         ? "launch_plain_"
                             : four && *owner.function     ? PRINT("hip_launch_%s", owner.function)
                             : four && phase < PHASE_SWEEP ? "launch_"
                                                           : "hip_launch_",
                             phase, ""),
        .kernel = find_device(lane, plain ? "Plain" : owner.kernel, phase)};
}

struct phase_source explain_phase(const struct lane_sample *lane, enum phase phase,
                                  enum source_kind kind) {
    const enum backend_model model = model_of(lane);
    const bool plain = kind == SOURCE_BLOG || lane->run.schedule.kind == SCHEDULE_PLAIN;
    const bool on_gpu = lane_is_on_gpu(lane);
    const char *owner = owner_of(lane, phase).function;
    const char *prefix = plain ? "target_plain_" : PRINT("target_%s", owner);
    struct phase_source source = {0};
    if (!phase_words[phase])
        return source;
    if (model == MODEL_KERNEL_LAUNCHES)
        return launched_source(lane, phase, kind);
    if (model == MODEL_TARGET_REGIONS) {
        if (lane->run.mapping == MAPPING_STRUCTURED)
            source.mapping = find_target(on_gpu, PRINT("target_%s", owner), phase, "_structured");
        source.kernel = find_target(on_gpu, prefix, phase, "");
        return source;
    }
    source.kernel = find_phase(PRINT("kernels/%s/", lane->run.backend),
                               PRINT("%s_%s", lane->run.backend, owner), phase, "");
    /* The functions that serial and threads share: for one row, or for several. */
    if (!source.kernel)
        source.kernel = find_phase("kernels/cpu/", owner, phase, "_row");
    if (!source.kernel)
        source.kernel = find_phase("kernels/cpu/", owner, phase, "_rows");
    return source;
}

struct loop_source explain_loop(const struct lane_sample *lane, enum source_kind kind) {
    const bool classic = schedule_has_four_kernels(lane->run.schedule);
    const enum backend_model model = model_of(lane);
    struct loop_source loop = {0};
    if (lane->run.mapping != MAPPING_UNSTRUCTURED)
        return loop;
    if (model == MODEL_TARGET_REGIONS) {
        loop.enter =
            excerpt_find("kernels/omp/", classic ? "target_enter_classic" : "target_enter_fused");
        loop.exit =
            excerpt_find("kernels/omp/", classic ? "target_exit_classic" : "target_exit_fused");
    } else if (model == MODEL_KERNEL_LAUNCHES && kind == SOURCE_BLOG) {
        loop.enter = excerpt_find(blog_hip, "unstructured_enter");
        loop.exit = excerpt_find(blog_hip, "unstructured_exit");
    }
    return loop;
}

/* ---- directives --------------------------------------------------------------------------- */

static bool line_has(const char *line, int length, const char *word) {
    return memmem(line, (size_t)length, word, strlen(word)) != NULL;
}

static struct directive directive_of(const char *line, int length, int number) {
    const enum event_kind kind = line_has(line, length, "HostToDevice")   ? EVENT_TO_DEVICE
                                 : line_has(line, length, "DeviceToHost") ? EVENT_FROM_DEVICE
                                                                          : EVENT_KERNEL;
    while (length > 0 && *line == ' ') {
        line++;
        length--;
    }
    return (struct directive){line, length, number, false, kind};
}

int explain_directives(const struct excerpt *excerpt, struct directive found[DIRECTIVES_MAX]) {
    static const char *const openings[] = {
        "#pragma omp",  "hip_stream_launch(",   "hip_launch_threads(",
        "launch_pass(", "hip_launch_norm(",     "hipMemcpy(",
        ">>>(",         "const struct use uses"};
    int count = 0, number = excerpt->line;
    bool inside = false, pragma = false;
    for (const char *line = excerpt->text; *line && count < DIRECTIVES_MAX; number++) {
        const int length = (int)strcspn(line, "\n");
        const bool was_inside = inside;
        for (size_t k = 0; k < sizeof openings / sizeof *openings && !inside; k++) {
            inside = line_has(line, length, openings[k]);
            pragma = line_has(line, length, "#pragma");
        }
        if (inside) {
            found[count] = directive_of(line, length, number);
            found[count++].is_continued = was_inside;
            /* A pragma continues after a backslash, a statement up to its semicolon. */
            inside = length > 0 && (pragma ? line[length - 1] == '\\' : line[length - 1] != ';');
        }
        line += length + (line[length] == '\n');
    }
    if (count == 0)
        found[count++] =
            directive_of(excerpt->text, (int)strcspn(excerpt->text, "\n"), excerpt->line);
    return count;
}

bool explain_is_timing(const char *line, int length) {
    static const char *const parts[] = {"span_", "SPAN_", "_spans", "->timed"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (line_has(line, length, parts[p]))
            return true;
    return false;
}

/* ---- the sentence ------------------------------------------------------------------------- */

char *explain_why(char *buffer, size_t size, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const char *bytes = AS(format_bytes, fmax(0, costs_of_run(sample, l).copied_bytes));
    if (!backend_maps(lane->run.backend))
        snprintf(buffer, size,
                 "%s computes in the host's own memory: nothing is mapped, nothing is copied.",
                 lane->run.backend);
    else if (lane->run.mapping == MAPPING_STRUCTURED)
        snprintf(buffer, size,
                 "Structured: each kernel copies its arrays in and out, %s%s per iteration. "
                 "Unstructured maps them once.",
                 bytes, lane->run.host_memory == HOST_PINNED ? " of pinned memory" : "");
    else if (lane->run.mapping == MAPPING_UNSTRUCTURED)
        snprintf(buffer, size,
                 "Unstructured: mapped once, before the loop; an iteration copies %s.", bytes);
    else
        snprintf(buffer, size, "Unified: nothing is mapped. %s",
                 model_of(lane) == MODEL_KERNEL_LAUNCHES
                     ? "The arrays stay in pinned host memory: what the device's caches don't "
                       "hold crosses the bus."
                 : lane_is_on_gpu(lane)
                     ? "The arrays' pages migrate to the host or the GPU on access."
                     : "The device is this processor, and uses the host's arrays.");
    return buffer;
}
