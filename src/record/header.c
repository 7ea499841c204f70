#include "record/header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "build_info.h"
#include "core/json.h"
#include "core/text.h"

static const char format_name[] = "jacobi-tui recording";

/* ---- from and to the configuration ---------------------------------------------------------- */

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
    snprintf(config->plan.preset, sizeof config->plan.preset, "%s", header->preset);
    snprintf(config->teaches, sizeof config->teaches, "%s", header->teaches);
    /* A layout that was asked for now wins over the one that was recorded. */
    if (strcmp(config->view.layout, layout_default) == 0)
        snprintf(config->view.layout, sizeof config->view.layout, "%s", header->view.layout);
    config->view.colormap = header->view.colormap;
    config->view.scale = header->view.scale;
    config->view.x0 = header->view.x0;
    config->view.x1 = header->view.x1;
    config->view.y0 = header->view.y0;
    config->view.y1 = header->view.y1;
    config->reference = header->reference;
    config->second_reference = header->second_reference;
    config->machine = header->machine;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* What ends the first line: the CRC-32 of all before its digits. */
enum { CRC_SIZE = sizeof "01234567\"}" };

static char *print_crc(const char *line, size_t size, char *crc) {
    snprintf(crc, CRC_SIZE, "%08lx\"}", crc32(0, (const uint8_t *)line, (uInt)size));
    return crc;
}

static void add_by_phase(cJSON *parent, const char *name, const double *figures) {
    cJSON *object = cJSON_AddObjectToObject(parent, name);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (isfinite(figures[phase]))
            json_add_figure(object, phase_name((enum phase)phase), figures[phase]);
}

static void add_reference(cJSON *root, const char *name, const struct reference *reference) {
    cJSON *object = cJSON_AddObjectToObject(root, name);
    cJSON_AddStringToObject(object, "source", reference->source);
    cJSON_AddNumberToObject(object, "nx", reference->nx);
    cJSON_AddNumberToObject(object, "ny", reference->ny);
    json_add_figure(object, "ms_per_iteration", reference->ms_per_iteration);
    json_add_figure(object, "structured_ms_per_iteration", reference->structured_ms);
    json_add_figure(object, "gflops", reference->gflops);
    add_by_phase(object, "kernel_ms", reference->kernel_ms);
    add_by_phase(object, "kernel_percent", reference->kernel_percent);
    add_by_phase(object, "kernel_gbs", reference->kernel_gbs);
}

char *header_print(const struct recording_header *header) {
    json_begin();
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", format_name);
    cJSON_AddNumberToObject(root, "version", RECORDING_VERSION);
    cJSON_AddStringToObject(root, "program_version", header->program_version);
    cJSON_AddStringToObject(root, "date", header->date);
    cJSON_AddStringToObject(root, "command", header->command);
    cJSON_AddStringToObject(root, "device", header->device);
    cJSON_AddStringToObject(root, "driver", header->driver);
    cJSON_AddStringToObject(root, "architecture", header->architecture);
    cJSON_AddStringToObject(root, "preset", header->preset);
    cJSON_AddStringToObject(root, "teaches", header->teaches);

    cJSON *view = cJSON_AddObjectToObject(root, "view");
    cJSON_AddStringToObject(view, "layout", header->view.layout);
    cJSON_AddStringToObject(view, "colormap", colormap_names[header->view.colormap]);
    cJSON_AddStringToObject(view, "scale", header->view.scale == SCALE_LOG ? "log" : "linear");
    json_add_figure(view, "x0", header->view.x0);
    json_add_figure(view, "x1", header->view.x1);
    json_add_figure(view, "y0", header->view.y0);
    json_add_figure(view, "y1", header->view.y1);

    add_reference(root, "reference", &header->reference);
    if (*header->second_reference.source)
        add_reference(root, "second_reference", &header->second_reference);

    cJSON *machine = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddStringToObject(machine, "device", header->machine.device);
    json_add_figure(machine, "bandwidth_gbs", header->machine.bandwidth_gbs);
    json_add_figure(machine, "gflops", header->machine.gflops);

    char *text = json_finish(root, false), *line = NULL;
    const int length = text ? (int)strlen(text) - 1 : 0; /* without the last brace */
    char *open_line = NULL, crc[CRC_SIZE];
    if (text && asprintf(&open_line, "%.*s,\"crc32\":\"", length, text) >= 0 &&
        asprintf(&line, "%s%s\n", open_line, print_crc(open_line, strlen(open_line), crc)) < 0)
        line = NULL;
    free(open_line);
    cJSON_free(text);
    return line;
}

/* ---- reading -------------------------------------------------------------------------------- */

static void get_text(const cJSON *object, const char *name, char *to, size_t size) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    snprintf(to, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
    text_sanitize(to);
}

static double get_figure(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

/* A number between 0 and 1, or `otherwise`. */
static double get_fraction(const cJSON *object, const char *name, double otherwise) {
    const double value = get_figure(object, name);
    return value >= 0 && value <= 1 ? value : otherwise;
}

static void get_by_phase(const cJSON *parent, const char *name, double *figures) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(parent, name);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        figures[phase] = get_figure(object, phase_name((enum phase)phase));
}

static void get_reference(const cJSON *root, const char *name, struct reference *reference) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, name);
    const double nx = get_figure(object, "nx"), ny = get_figure(object, "ny");
    const bool has_grid = nx >= 1 && nx <= MESH_MAX_SIDE && ny >= 1 && ny <= MESH_MAX_SIDE;
    get_text(object, "source", reference->source, sizeof reference->source);
    reference->nx = has_grid ? (int)nx : 0;
    reference->ny = has_grid ? (int)ny : 0;
    reference->ms_per_iteration = get_figure(object, "ms_per_iteration");
    reference->structured_ms = get_figure(object, "structured_ms_per_iteration");
    reference->gflops = get_figure(object, "gflops");
    get_by_phase(object, "kernel_ms", reference->kernel_ms);
    get_by_phase(object, "kernel_percent", reference->kernel_percent);
    get_by_phase(object, "kernel_gbs", reference->kernel_gbs);
}

static void get_header(const cJSON *root, struct recording_header *header) {
    memset(header, 0, sizeof *header);
    get_text(root, "program_version", header->program_version, sizeof header->program_version);
    get_text(root, "date", header->date, sizeof header->date);
    /* What has no day would pass for a live lane; only the day is shown of others. */
    if (!*header->date || strspn(header->date, "0123456789-:TZ") < strlen(header->date))
        snprintf(header->date, sizeof header->date, "undated");
    get_text(root, "command", header->command, sizeof header->command);
    get_text(root, "device", header->device, sizeof header->device);
    get_text(root, "driver", header->driver, sizeof header->driver);
    get_text(root, "architecture", header->architecture, sizeof header->architecture);
    get_text(root, "preset", header->preset, sizeof header->preset);
    get_text(root, "teaches", header->teaches, sizeof header->teaches);

    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "view");
    struct view_settings *view = &header->view;
    char scale[16], colormap[16];
    get_text(object, "layout", view->layout, sizeof view->layout);
    get_text(object, "colormap", colormap, sizeof colormap);
    for (int m = 0; m < COLORMAP_COUNT; m++)
        if (strcmp(colormap, colormap_names[m]) == 0)
            view->colormap = (enum colormap)m;
    get_text(object, "scale", scale, sizeof scale);
    view->scale = strcmp(scale, "log") == 0 ? SCALE_LOG : SCALE_LINEAR;
    view->x0 = get_fraction(object, "x0", 0);
    view->x1 = get_fraction(object, "x1", 1);
    view->y0 = get_fraction(object, "y0", 0);
    view->y1 = get_fraction(object, "y1", 1);

    get_reference(root, "reference", &header->reference);
    get_reference(root, "second_reference", &header->second_reference);

    object = cJSON_GetObjectItemCaseSensitive(root, "machine");
    get_text(object, "device", header->machine.device, sizeof header->machine.device);
    header->machine.bandwidth_gbs = get_figure(object, "bandwidth_gbs");
    header->machine.gflops = get_figure(object, "gflops");
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
    else
        get_header(root, header);
    cJSON_Delete(root);
    *line_size = (size_t)(newline - bytes) + 1;
    return status;
}
