#include "explain/effort.h"

#include <stdio.h>
#include <string.h>

#include "explain/explain.h"

/* A line of code without the blanks around it. */
struct code {
    const char *text;
    int length;
};

static bool code_has(struct code code, const char *word) {
    return memmem(code.text, (size_t)code.length, word, strlen(word)) != NULL;
}

/* The next line of code at *text, which moves behind it; its `text` is NULL at the end. Comments
 * and blank lines are passed over. */
static struct code next_code(const char **text) {
    bool comment = false;
    while (**text) {
        struct code code = {*text, (int)strcspn(*text, "\n")};
        *text += code.length + ((*text)[code.length] == '\n');
        while (code.length > 0 && *code.text == ' ') {
            code.text++;
            code.length--;
        }
        comment |= strncmp(code.text, "/*", 2) == 0;
        const bool passed = comment || code.length == 0;
        comment = comment && !code_has(code, "*/");
        if (!passed)
            return code;
    }
    return (struct code){0};
}

/* Where the function's lines begin: behind the line that ends in its brace. */
static const char *body_of(const struct excerpt *excerpt) {
    const char *brace = strstr(excerpt->text, "{\n");
    return brace ? brace + 2 : "";
}

static bool is_in(struct code wanted, const struct excerpt *excerpt) {
    const char *text = body_of(excerpt);
    for (struct code code = next_code(&text); code.text; code = next_code(&text))
        if (code.length == wanted.length &&
            strncmp(code.text, wanted.text, (size_t)code.length) == 0)
            return true;
    return false;
}

/* How many arrays a line copies: those of map clauses by their direction, or calls by hand. */
static int copies_in(struct code code) {
    static const struct {
        const char *word;
        int copies;
    } ways[] = {{"map(to :", 1},
                {"map(from :", 1},
                {"map(tofrom :", 2},
                {"hip_vector_write(", 1},
                {"hip_vector_read(", 1}};
    int copies = 0;
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        const char *end = code.text + code.length;
        const char *at = memmem(code.text, (size_t)code.length, ways[w].word, strlen(ways[w].word));
        if (!at)
            continue;
        int arrays = 1; /* one more for each comma up to the clause's end */
        for (at += strlen(ways[w].word); ways[w].word[0] == 'm' && at < end && *at != ')'; at++)
            arrays += *at == ',';
        copies += arrays * ways[w].copies;
    }
    return copies;
}

/* Counts what a function's lines do; returns how many they are. Its last one, the brace, is not
 * counted. NULL is allowed. `serial`: not NULL to count as new those that none of these four has.
 */
static int count_function(struct effort *effort, const struct excerpt *excerpt,
                          const struct phase_source *serial) {
    int lines = 0;
    const char *text = excerpt ? body_of(excerpt) : "";
    for (struct code code = next_code(&text); code.text && *text; code = next_code(&text)) {
        static const char *const timing[] = {"span", "SPAN", "->timed", "hip_note"};
        bool times = false;
        for (size_t w = 0; w < sizeof timing / sizeof *timing; w++)
            times |= code_has(code, timing[w]);
        if (times)
            continue;
        lines++;
        effort->directives += code_has(code, "#pragma omp");
        effort->launches += code_has(code, "hip_stream_launch(");
        effort->copies += copies_in(code);
        bool known = !serial;
        for (int phase = 0; phase <= PHASE_NORM && !known; phase++)
            known = is_in(code, serial[phase].kernel);
        effort->kernel_new += !known;
    }
    return lines;
}

struct effort effort_of(enum programming_model model) {
    static const struct {
        const char *backend;
        enum mapping mapping;
        const char *before[2]; /* the loop: what places the arrays on the device; and after it */
        const char *folder;
    } models[MODEL_COUNT] = {
        [MODEL_SERIAL] = {"serial", MAPPING_UNSTRUCTURED, {0}, ""},
        [MODEL_OMP_STRUCTURED] = {"omp", MAPPING_STRUCTURED, {0}, ""},
        [MODEL_OMP_UNSTRUCTURED] = {"omp",
                                    MAPPING_UNSTRUCTURED,
                                    {"target_enter_classic", "target_exit_classic"},
                                    "kernels/omp/"},
        [MODEL_HIP] = {"hip",
                       MAPPING_UNSTRUCTURED,
                       {"hip_four_kernels_open", "write_start"},
                       "kernels/hip/"},
    };
    struct effort effort = {0}, ignored = {0};
    struct phase_source serial[PHASE_NORM + 1];
    struct lane_sample lane = {.run.mapping = models[model].mapping};
    snprintf(lane.run.backend, sizeof lane.run.backend, "%s", models[MODEL_SERIAL].backend);
    for (int phase = 0; phase <= PHASE_NORM; phase++)
        serial[phase] = explain_phase(&lane, (enum phase)phase);
    snprintf(lane.run.backend, sizeof lane.run.backend, "%s", models[model].backend);
    snprintf(lane.architecture, sizeof lane.architecture, "sm_90"); /* some GPU's */
    for (int phase = 0; phase <= PHASE_NORM; phase++) {
        lane.run.schedule.kind = SCHEDULE_CLASSIC;
        const struct phase_source tuned = explain_phase(&lane, (enum phase)phase);
        lane.run.schedule.kind = SCHEDULE_PLAIN;
        const struct phase_source plain =
            model == MODEL_SERIAL ? serial[phase] : explain_phase(&lane, (enum phase)phase);
        effort.kernel_lines += count_function(&effort, plain.kernel, serial);
        effort.host_lines += count_function(&effort, plain.launch, NULL);
        effort.host_lines += count_function(&effort, plain.mapping, NULL);
        if (model != MODEL_SERIAL)
            effort.tuned_lines += count_function(&ignored, tuned.kernel, NULL);
    }
    for (int k = 0; k < 2 && models[model].before[k]; k++)
        effort.host_lines += count_function(
            &effort, excerpt_find(models[model].folder, models[model].before[k]), NULL);
    effort.copies_each_iteration = models[model].mapping == MAPPING_STRUCTURED;
    return effort;
}
