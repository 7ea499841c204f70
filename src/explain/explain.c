#include "explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "kernels/backends.h"
#include "metrics/label.h"

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

const struct excerpt *excerpt_find(const char *folder, const char *name) {
    for (const struct excerpt *excerpt = excerpts; excerpt->name; excerpt++)
        if (strcmp(excerpt->name, name) == 0 && starts_with(excerpt->file, folder))
            return excerpt;
    return NULL;
}

/* ---- finding ------------------------------------------------------------------------------ */

static const char *const phase_words[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = "laplacian", [PHASE_BOUNDARY] = "boundary", [PHASE_UPDATE] = "update",
    [PHASE_NORM] = "norm",           [PHASE_FUSED] = "fused",       [PHASE_BLOCKED] = "blocked",
};

static const struct excerpt *find(const char *folder, const char *prefix, enum phase phase,
                                  const char *suffix) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", prefix, phase_words[phase], suffix);
    return excerpt_find(folder, name);
}

static bool on_gpu(const struct lane_sample *lane) {
    return starts_with(lane->architecture, "sm_") || starts_with(lane->architecture, "gfx");
}

/* A GPU's kernels have a folder of their own; what is not there is the host device's. */
static const struct excerpt *find_target(const struct lane_sample *lane, enum phase phase,
                                         const char *suffix) {
    const struct excerpt *found =
        on_gpu(lane) ? find("kernels/omp/device/gpu/", "target_", phase, suffix) : NULL;
    return found ? found : find("kernels/omp/", "target_", phase, suffix);
}

static struct phase_source explain_omp(const struct lane_sample *lane, enum phase phase) {
    const bool structured = lane->mapping == MAPPING_STRUCTURED;
    return (struct phase_source){
        .mapping = structured ? find_target(lane, phase, "_structured") : NULL,
        .kernel = find_target(lane, phase, ""),
    };
}

/* The device's function bears the phase's name; Blocked comes in several depths: the first. */
static const struct excerpt *device_function(enum phase phase) {
    for (const struct excerpt *excerpt = excerpts; excerpt->name; excerpt++)
        if (starts_with(excerpt->file, "kernels/hip/device/") &&
            starts_with(excerpt->name, phase_name(phase)))
            return excerpt;
    return NULL;
}

static struct phase_source explain_hip(const struct lane_sample *lane, enum phase phase) {
    struct phase_source source = {
        .launch = find("kernels/hip/", "launch_", phase, ""),
        .kernel = device_function(phase),
    };
    if (lane->mapping == MAPPING_STRUCTURED)
        source.mapping = lane->schedule.kind == SCHEDULE_CLASSIC
                             ? find("kernels/hip/", "structured_", phase, "")
                             : excerpt_find("kernels/hip/", "map_pass");
    return source;
}

/* A recording may name a back end that this program doesn't have. */
static enum backend_model model_of(const struct lane_sample *lane) {
    const struct backend *backend = backend_find(lane->backend);
    return backend ? backend->model : MODEL_HOST_LOOPS;
}

struct phase_source explain_phase(const struct lane_sample *lane, enum phase phase) {
    char folder[48], prefix[32];
    if (!phase_words[phase])
        return (struct phase_source){0};
    const enum backend_model model = model_of(lane);
    if (model == MODEL_TARGET_REGIONS)
        return explain_omp(lane, phase);
    if (model == MODEL_KERNEL_LAUNCHES)
        return explain_hip(lane, phase);
    snprintf(folder, sizeof folder, "kernels/%s/", lane->backend);
    snprintf(prefix, sizeof prefix, "%s_", lane->backend);
    return (struct phase_source){.kernel = find(folder, prefix, phase, "")};
}

struct loop_source explain_loop(const struct lane_sample *lane) {
    const bool classic = lane->schedule.kind == SCHEDULE_CLASSIC;
    if (model_of(lane) != MODEL_TARGET_REGIONS || lane->mapping != MAPPING_UNSTRUCTURED)
        return (struct loop_source){0};
    return (struct loop_source){
        .enter =
            excerpt_find("kernels/omp/", classic ? "target_enter_classic" : "target_enter_fused"),
        .exit = excerpt_find("kernels/omp/", classic ? "target_exit_classic" : "target_exit_fused"),
    };
}

int explain_phases(const struct lane_sample *lane, enum phase phases[PHASE_COUNT]) {
    if (lane->schedule.kind != SCHEDULE_CLASSIC) {
        phases[0] = lane->schedule.kind == SCHEDULE_FUSED ? PHASE_FUSED : PHASE_BLOCKED;
        return 1;
    }
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
        phases[phase] = (enum phase)phase;
    return PHASE_NORM + 1;
}

/* ---- directives --------------------------------------------------------------------------- */

static bool line_has(const char *line, int length, const char *word) {
    return memmem(line, (size_t)length, word, strlen(word)) != NULL;
}

/* Whether a directive begins in this line. */
static bool begins(const char *line, int length) {
    static const char *const words[] = {"#pragma omp", "hip_stream_launch(", "const struct use uses"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (line_has(line, length, words[w]))
            return true;
    return false;
}

/* A pragma goes on after a backslash, a statement up to its semicolon. */
static bool goes_on(const char *line, int length, bool pragma) {
    if (length == 0)
        return false;
    return pragma ? line[length - 1] == '\\' : line[length - 1] != ';';
}

static struct directive directive_of(const char *line, int length, int number) {
    while (length > 0 && *line == ' ') {
        line++;
        length--;
    }
    return (struct directive){line, length, number};
}

int explain_directives(const struct excerpt *excerpt, struct directive found[DIRECTIVES_MAX]) {
    int count = 0, number = excerpt->line;
    bool inside = false, pragma = false;
    for (const char *line = excerpt->text; *line && count < DIRECTIVES_MAX; number++) {
        const int length = (int)strcspn(line, "\n");
        if (!inside && begins(line, length)) {
            inside = true;
            pragma = line_has(line, length, "#pragma");
        }
        if (inside) {
            found[count++] = directive_of(line, length, number);
            inside = goes_on(line, length, pragma);
        }
        line += length + (line[length] == '\n');
    }
    if (count == 0) {
        const int length = (int)strcspn(excerpt->text, "\n");
        found[count++] = directive_of(excerpt->text, length, excerpt->line);
    }
    return count;
}

/* ---- the sentence ------------------------------------------------------------------------- */

static double copied_an_iteration(const struct lane_sample *lane) {
    const struct tally to = event_totals_loop(&lane->totals, EVENT_TO_DEVICE);
    const struct tally from = event_totals_loop(&lane->totals, EVENT_FROM_DEVICE);
    return lane->iterations > 0 ? (double)(to.bytes + from.bytes) / (double)lane->iterations : 0;
}

char *explain_why(char *buffer, size_t size, const struct lane_sample *lane) {
    char bytes[32];
    text_bytes(bytes, sizeof bytes, copied_an_iteration(lane));
    if (!backend_maps(lane->backend))
        snprintf(buffer, size,
                 "%s computes in the host's own memory: nothing is mapped, nothing is copied.",
                 lane->backend);
    else if (lane->mapping == MAPPING_STRUCTURED)
        snprintf(
            buffer, size,
            "Structured: each kernel brings its arrays and takes them back, so every iteration "
            "pays for %s of copies; unstructured maps them once, before the loop.",
            bytes);
    else if (lane->mapping == MAPPING_UNSTRUCTURED)
        snprintf(
            buffer, size,
            "Unstructured: the arrays are mapped once before the loop and released after it, so "
            "an iteration copies %s; structured would bring and take them around each kernel.",
            bytes);
    else
        snprintf(
            buffer, size,
            "Unified: host and device share one memory; nothing is mapped, pages move on demand.");
    return buffer;
}
