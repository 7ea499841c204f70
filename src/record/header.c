#include "record/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "build_info.h"
#include "core/json.h"
#include "core/text.h"

enum { FIGURE_MAX = 1000000000 }; /* as in presets */

static const char format_name[] = "jacobi-tui recording";

/* ---- conversion from and to the configuration ----------------------------------------------- */

void header_from_config(struct recording_header *header, const struct config *config) {
    memset(header, 0, sizeof *header);
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(header->date, sizeof header->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(header->program_version, sizeof header->program_version, "%s", BUILD_VERSION);
    snprintf(header->command, sizeof header->command, "%s", config->command);
    snprintf(header->preset, sizeof header->preset, "%s", config->plan.preset);
    snprintf(header->teaches, sizeof header->teaches, "%s", config->teaches);
    header->view = config->view;
    header->reference = config->reference;
    header->second_reference = config->second_reference;
    header->machine = config->machine;
}

void header_to_config(const struct recording_header *header, struct config *config) {
    snprintf(config->teaches, sizeof config->teaches, "%s", header->teaches);
    /* A layout requested now overrides the recorded one. */
    int ignored;
    if (strcmp(config->view.layout, layout_default) == 0 &&
        value_choice(header->view.layout, layout_names, &ignored))
        snprintf(config->view.layout, sizeof config->view.layout, "%s", header->view.layout);
    config->view.colormap = header->view.colormap;
    config->view.scale = header->view.scale;
    config->view.x0 = header->view.x0;
    config->view.x1 = header->view.x1;
    config->view.y0 = header->view.y0;
    config->view.y1 = header->view.y1;
    config->reference = header->reference;
    config->second_reference = header->second_reference;
    if (*header->machine.device) /* else the preset's, if it names the device */
        config->machine = header->machine;
}

/* ---- the members: one description for both directions ---------------------------------------- */

/* The JSON object to read or to extend. */
struct members {
    bool reading;
    cJSON *object;
};

static void code_text(const struct members *of, const char *name, char *text, size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(of->object, name);
    if (!of->reading) {
        cJSON_AddStringToObject(of->object, name, text);
        return;
    }
    snprintf(text, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
    text_sanitize(text);
}

static void code_figure(const struct members *of, const char *name, double *figure) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(of->object, name);
    if (of->reading)
        *figure = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= FIGURE_MAX
                      ? item->valuedouble
                      : NAN;
    else
        json_add_figure(of->object, name, *figure);
}

/* A number between 0 and 1; otherwise `otherwise`. */
static void code_fraction(const struct members *of, const char *name, double *value,
                          double otherwise) {
    code_figure(of, name, value);
    if (!(*value >= 0 && *value <= 1))
        *value = otherwise;
}

static void code_side(const struct members *of, const char *name, int *side) {
    double value = *side;
    code_figure(of, name, &value);
    *side = value >= 1 && value <= MESH_MAX_SIDE ? (int)value : 0;
}

/* One of the names; the first for an unknown name. */
static int code_choice(const struct members *of, const char *name, int choice,
                       const char *const names[]) {
    char text[16];
    snprintf(text, sizeof text, "%s", names[choice]);
    code_text(of, name, text, sizeof text);
    return value_choice(text, names, &choice) ? choice : 0;
}

static struct members code_object(const struct members *of, const char *name) {
    return (struct members){of->reading, of->reading
                                             ? cJSON_GetObjectItemCaseSensitive(of->object, name)
                                             : cJSON_AddObjectToObject(of->object, name)};
}

static void code_by_phase(const struct members *of, const char *name, double *figures) {
    const struct members phases = code_object(of, name);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (of->reading || isfinite(figures[phase]))
            code_figure(&phases, phase_names[phase], &figures[phase]);
}

static void code_reference(const struct members *of, const char *name,
                           struct reference *reference) {
    const struct members members = code_object(of, name);
    code_text(&members, "source", reference->source, sizeof reference->source);
    code_side(&members, "nx", &reference->nx);
    code_side(&members, "ny", &reference->ny);
    if (!reference->nx || !reference->ny)
        reference->nx = reference->ny = 0;
    code_figure(&members, "ms_per_iteration", &reference->ms_per_iteration);
    code_figure(&members, "structured_ms_per_iteration", &reference->structured_ms);
    code_figure(&members, "gflops", &reference->gflops);
    code_by_phase(&members, "kernel_ms", reference->kernel_ms);
    code_by_phase(&members, "kernel_percent", reference->kernel_percent);
    code_by_phase(&members, "kernel_gbs", reference->kernel_gbs);
}

static void code_header(const struct members *of, struct recording_header *header) {
    static const char *const scales[] = {"linear", "log", NULL};
    struct view_settings *const view = &header->view;
    code_text(of, "program_version", header->program_version, sizeof header->program_version);
    code_text(of, "date", header->date, sizeof header->date);
    code_text(of, "command", header->command, sizeof header->command);
    code_text(of, "device", header->device, sizeof header->device);
    code_text(of, "driver", header->driver, sizeof header->driver);
    code_text(of, "architecture", header->architecture, sizeof header->architecture);
    code_text(of, "preset", header->preset, sizeof header->preset);
    code_text(of, "teaches", header->teaches, sizeof header->teaches);
    const struct members looks = code_object(of, "view");
    code_text(&looks, "layout", view->layout, sizeof view->layout);
    view->colormap = (enum colormap)code_choice(&looks, "colormap", view->colormap, colormap_names);
    view->scale = (enum field_scale)code_choice(&looks, "scale", view->scale, scales);
    code_fraction(&looks, "x0", &view->x0, 0);
    code_fraction(&looks, "x1", &view->x1, 1);
    code_fraction(&looks, "y0", &view->y0, 0);
    code_fraction(&looks, "y1", &view->y1, 1);
    code_reference(of, "reference", &header->reference);
    if (of->reading || *header->second_reference.source)
        code_reference(of, "second_reference", &header->second_reference);
    const struct members machine = code_object(of, "machine");
    code_text(&machine, "device", header->machine.device, sizeof header->machine.device);
    code_figure(&machine, "bandwidth_gbs", &header->machine.bandwidth_gbs);
    code_figure(&machine, "gflops", &header->machine.gflops);
}

/* ---- the line ------------------------------------------------------------------------------- */

/* The end of the line: the CRC-32 of all bytes before its digits. */
enum { CRC_SIZE = sizeof "01234567\"}" };

static char *print_crc(const char *line, size_t size, char *crc) {
    snprintf(crc, CRC_SIZE, "%08lx\"}", crc32(0, (const uint8_t *)line, (uInt)size));
    return crc;
}

char *header_print(struct recording_header *header) {
    json_begin();
    const struct members root = {.object = cJSON_CreateObject()};
    cJSON_AddStringToObject(root.object, "format", format_name);
    cJSON_AddNumberToObject(root.object, "version", RECORDING_VERSION);
    code_header(&root, header);
    cJSON_AddStringToObject(root.object, "crc32", "01234567"); /* replaced by the CRC */
    char *text = json_finish(root.object, false), *line = NULL, crc[CRC_SIZE];
    const size_t used = text ? strlen(text) - (CRC_SIZE - 1) : 0;
    if (text && asprintf(&line, "%.*s%s\n", (int)used, text, print_crc(text, used, crc)) < 0)
        line = NULL;
    cJSON_free(text);
    return line;
}

enum status header_parse(const char *bytes, size_t size, struct recording_header *header,
                         size_t *line_size, struct error *error) {
    const char *newline = memchr(bytes, '\n', size < HEADER_MAX_BYTES ? size : HEADER_MAX_BYTES);
    if (size == 0)
        return error_set(error, STATUS_BAD_INPUT, "byte 0: it is empty: nothing was recorded");
    if (bytes[0] != '{' || !newline)
        return error_set(error, STATUS_BAD_INPUT,
                         "byte 0: not a recording: its first line is not a JSON object");
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(bytes, (size_t)(newline - bytes), &end, false);
    if (!cJSON_IsObject(root)) {
        cJSON_Delete(root);
        return error_set(error, STATUS_BAD_INPUT, "byte %td: the first line is not valid JSON",
                         end ? end - bytes : (ptrdiff_t)0);
    }
    char crc[CRC_SIZE];
    const size_t used = (size_t)(newline - bytes), length = CRC_SIZE - 1;
    const bool is_whole = used > length && memcmp(print_crc(bytes, used - length, crc),
                                                  newline - length, length) == 0;
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "version");
    enum status status = STATUS_OK;
    if (!cJSON_IsString(format) || strcmp(format->valuestring, format_name) != 0)
        status = error_set(error, STATUS_BAD_INPUT, "byte 0: not a recording of jacobi-tui");
    else if (!cJSON_IsNumber(version) || version->valuedouble != RECORDING_VERSION)
        status = error_set(error, STATUS_BAD_INPUT,
                           "byte 0: recording of version %g; this program reads version %d",
                           cJSON_IsNumber(version) ? version->valuedouble : NAN, RECORDING_VERSION);
    else if (!is_whole)
        status = error_set(error, STATUS_BAD_INPUT, "byte 0: the first line is damaged");
    memset(header, 0, sizeof *header);
    if (!status)
        code_header(&(struct members){.reading = true, .object = root}, header);
    /* A lane without a date would count as live. Only the day is shown. */
    if (!*header->date || strspn(header->date, "0123456789-:TZ") < strlen(header->date))
        snprintf(header->date, sizeof header->date, "undated");
    cJSON_Delete(root);
    *line_size = (size_t)(newline - bytes) + 1;
    return status;
}
