#include "report/list.h"
#include "core/json.h"

#include <stdlib.h>

#include "config/preset.h"
#include "core/text.h"
#include "kernels/backends.h"

/* What a back end says of itself here. */
struct finding {
    const struct backend *backend;
    enum status status;
    struct error reason; /* where it can't run */
    struct device_list devices;
};

static struct finding probe(const struct backend *backend) {
    struct finding finding = {.backend = backend};
    finding.status = backend->probe(&finding.devices, &finding.reason);
    return finding;
}

static void device_text(FILE *out, const struct device *device) {
    char memory[32];
    fprintf(out, "      device %d: %s", device->index, device->name);
    if (device->memory_bytes)
        fprintf(out, ", %s", text_bytes(memory, sizeof memory, (double)device->memory_bytes));
    if (*device->driver)
        fprintf(out, ", %s", device->driver);
    if (*device->architecture)
        fprintf(out, ", %s", device->architecture);
    fputc('\n', out);
}

static void backend_text(FILE *out, const struct finding *finding) {
    fprintf(out, "  %-8s %s: ", finding->backend->name, finding->backend->title);
    if (finding->status) {
        fprintf(out, "not available: %s\n", finding->reason.message);
        return;
    }
    fputs("available\n", out);
    for (int d = 0; d < finding->devices.count; d++)
        device_text(out, &finding->devices.devices[d]);
}

static void presets_text(FILE *out) {
    struct preset *presets = malloc(PRESETS_MAX * sizeof *presets);
    const int count = presets ? preset_list(presets) : 0;
    fputs("\nPresets\n", out);
    for (int p = 0; p < count; p++)
        fprintf(out, "  %-14s %s%s\n", presets[p].name, presets[p].error.status ? "broken: " : "",
                presets[p].error.status ? presets[p].error.message : presets[p].teaches);
    free(presets);
}

void list_text(FILE *out) {
    fputs("Back ends, in the order in which auto tries them\n", out);
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const struct finding finding = probe(*backend);
        backend_text(out, &finding);
    }
    presets_text(out);
    fputs("\nProblems\n", out);
    for (const struct problem *problem = problems; problem->name; problem++)
        fprintf(out, "  %-14s %s\n", problem->name, problem->teaches);
}

static void add_text(cJSON *object, const char *name, const char *text) {
    if (*text)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

static cJSON *device_json(const struct device *device) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "index", device->index);
    add_text(object, "name", device->name);
    if (device->memory_bytes)
        cJSON_AddNumberToObject(object, "memory_bytes", (double)device->memory_bytes);
    else
        cJSON_AddNullToObject(object, "memory_bytes");
    add_text(object, "driver", device->driver);
    add_text(object, "architecture", device->architecture);
    cJSON_AddBoolToObject(object, "gpu", device->is_gpu);
    return object;
}

static cJSON *backend_json(const struct finding *finding) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", finding->backend->name);
    cJSON_AddStringToObject(object, "title", finding->backend->title);
    cJSON_AddBoolToObject(object, "available", finding->status == STATUS_OK);
    add_text(object, "reason", finding->reason.message);
    add_text(object, "needs", finding->backend->needs);
    cJSON *devices = cJSON_AddArrayToObject(object, "devices");
    for (int d = 0; d < finding->devices.count && !finding->status; d++)
        json_append(devices, device_json(&finding->devices.devices[d]));
    return object;
}

static void add_presets(cJSON *list) {
    struct preset *presets = malloc(PRESETS_MAX * sizeof *presets);
    const int count = presets ? preset_list(presets) : 0;
    cJSON *array = cJSON_AddArrayToObject(list, "presets");
    for (int p = 0; p < count; p++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", presets[p].name);
        add_text(object, "teaches", presets[p].teaches);
        add_text(object, "error", presets[p].error.message);
        json_append(array, object);
    }
    free(presets);
}

static void add_problems(cJSON *list) {
    cJSON *array = cJSON_AddArrayToObject(list, "problems");
    for (const struct problem *problem = problems; problem->name; problem++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", problem->name);
        cJSON_AddStringToObject(object, "title", problem->title);
        cJSON_AddStringToObject(object, "teaches", problem->teaches);
        json_append(array, object);
    }
}

enum status list_json(FILE *out, struct error *error) {
    json_begin();
    cJSON *list = cJSON_CreateObject();
    cJSON *array = cJSON_AddArrayToObject(list, "backends");
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const struct finding finding = probe(*backend);
        json_append(array, backend_json(&finding));
    }
    add_presets(list);
    add_problems(list);
    char *text = json_finish(list, true);
    if (!text)
        return error_set(error, STATUS_INTERNAL, "out of memory for the list");
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    return STATUS_OK;
}
