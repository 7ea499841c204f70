/* --list, as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "core/json.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "report/doctor.h"

static struct preset presets[PRESETS_MAX]; /* too large for a small stack */

/* OpenMP's runtime offers one CPU as several devices. */
static bool is_same(const struct device *a, const struct device *b) {
    return !*a->bus_id && strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0 &&
           a->memory_bytes == b->memory_bytes && !a->is_gpu && !b->is_gpu;
}

enum status list_text(FILE *out, const struct probed *probed) {
    fputs("Back ends, in the order in which auto tries them\n", out);
    for (const struct backend *const *backend = backends; *backend; backend++, probed++) {
        const struct device_list *devices = &probed->devices;
        const bool available = probed->is_available;
        char precisions[64] = "";
        for (int p = 0; p < PRECISION_COUNT && (*backend)->precisions; p++)
            if (backend_has_precision(*backend, (enum precision)p))
                format_list(precisions, sizeof precisions, precision_names[p]);
        text_item(out, 11, "  %-8s %s: %s%s", (*backend)->name, (*backend)->title,
                  !available               ? "not available: "
                  : (*backend)->precisions ? "available in "
                                           : "available",
                  available ? precisions : probed->reason.message);
        for (int d = 0, last; d < devices->count && available; d = last + 1) {
            const struct device *device = &devices->devices[d];
            for (last = d;
                 last + 1 < devices->count && is_same(device, &devices->devices[last + 1]);)
                last++;
            const char *const others =
                last > d ? PRINT(" to %d", devices->devices[last].index) : "";
            const char *const memory =
                device->memory_bytes ? AS(format_bytes, (double)device->memory_bytes) : "";
            text_item(out, 16, "      device %d%s: %s%s%s%s%s%s%s%s%s%s%s", device->index, others,
                      device->name, *device->bus_id ? ", " : "", device->bus_id,
                      *memory ? ", " : "", memory, *device->driver ? ", " : "", device->driver,
                      *device->architecture ? ", " : "", device->architecture,
                      *device->note ? "; " : "", device->note);
        }
    }
    const int count = preset_list(presets);
    fputs("\nPresets\n", out);
    for (int p = 0; p < count; p++)
        text_item(out, 17, "  %-14s %s%s", presets[p].name,
                  presets[p].error.status ? "broken: " : "",
                  presets[p].error.status ? presets[p].error.message : presets[p].teaches);
    fputs("\nProblems\n", out);
    for (const struct problem *problem = problems; problem->name; problem++)
        text_item(out, 17, "  %-14s %s", problem->name, problem->teaches);
    return STATUS_OK;
}

static cJSON *device_json(const struct device *device) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "index", device->index);
    json_add_text(object, "name", device->name);
    json_add_text(object, "bus_id", device->bus_id);
    json_add_figure(object, "memory_bytes",
                    device->memory_bytes ? (double)device->memory_bytes : NAN);
    json_add_text(object, "driver", device->driver);
    json_add_text(object, "architecture", device->architecture);
    json_add_text(object, "note", device->note);
    cJSON_AddBoolToObject(object, "gpu", device->is_gpu);
    return object;
}

enum status list_json(FILE *out, const struct probed *probed, struct error *error) {
    json_begin();
    cJSON *list = cJSON_CreateObject();
    cJSON *array = cJSON_AddArrayToObject(list, "backends");
    for (const struct backend *const *at = backends; *at; at++, probed++) {
        const struct backend *backend = *at;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", backend->name);
        cJSON_AddStringToObject(object, "title", backend->title);
        cJSON_AddBoolToObject(object, "available", probed->is_available);
        json_add_text(object, "reason", probed->reason.message);
        json_add_text(object, "needs", backend->needs);
        cJSON *precisions = cJSON_AddArrayToObject(object, "precisions");
        for (int p = 0; p < PRECISION_COUNT; p++)
            if (backend_has_precision(backend, (enum precision)p))
                json_append(precisions, cJSON_CreateString(precision_names[p]));
        cJSON *list_of_devices = cJSON_AddArrayToObject(object, "devices");
        for (int d = 0; d < probed->devices.count && probed->is_available; d++)
            json_append(list_of_devices, device_json(&probed->devices.devices[d]));
        json_append(array, object);
    }
    const int count = preset_list(presets);
    array = cJSON_AddArrayToObject(list, "presets");
    for (int p = 0; p < count; p++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", presets[p].name);
        json_add_text(object, "teaches", presets[p].teaches);
        json_add_text(object, "error", presets[p].error.message);
        json_append(array, object);
    }
    array = cJSON_AddArrayToObject(list, "problems");
    for (const struct problem *problem = problems; problem->name; problem++) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "name", problem->name);
        cJSON_AddStringToObject(object, "title", problem->title);
        cJSON_AddStringToObject(object, "teaches", problem->teaches);
        json_append(array, object);
    }
    return json_print(out, list, true, error);
}
