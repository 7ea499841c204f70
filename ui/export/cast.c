#include "ui/export/cast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/file.h"
#include "core/json.h"

struct cast {
    struct file_writer *file;
    char *title;
    bool failed; /* nothing more is written */
    bool began;  /* the header is written */
    bool useful; /* a frame is in it */
    bool drawn;  /* a player's screen holds `shown` */
    struct grid shown, next;
};

/* ---- lines ---------------------------------------------------------------------------------- */

static enum status put_line(struct cast *cast, cJSON *line, struct error *error) {
    char *text = json_finish(line, false), *whole = NULL;
    const int size = text ? asprintf(&whole, "%s\n", text) : -1;
    cJSON_free(text);
    if (size < 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = file_writer_append(cast->file, whole, (size_t)size, error);
    cast->failed |= status != STATUS_OK;
    free(whole);
    return status;
}

static enum status put_event(struct cast *cast, double seconds, const char *code, const char *data,
                             struct error *error) {
    char time[32];
    snprintf(time, sizeof time, "%.6f", seconds);
    json_begin();
    cJSON *event = cJSON_CreateArray();
    json_append(event, cJSON_CreateRaw(time));
    json_append(event, cJSON_CreateString(code));
    json_append(event, cJSON_CreateString(data));
    return put_line(cast, event, error);
}

/* ---- frames --------------------------------------------------------------------------------- */

/* A gap of fewer unchanged cells than this is written along. */
enum { BRIDGE = 4 };

/* [x, *end): the next stretch of changed cells in row y; false if there is none. */
static bool next_stretch(const struct cast *cast, int y, int *x, int *end) {
    const struct cell *now = cast->next.cells + (size_t)y * (size_t)cast->next.cols;
    const struct cell *then = cast->shown.cells + (size_t)y * (size_t)cast->shown.cols;
    while (*x < cast->next.cols && cast->drawn && cell_equals(&now[*x], &then[*x]))
        ++*x;
    *end = *x;
    for (int k = *x; k < cast->next.cols && k < *end + BRIDGE; k++)
        if (!cast->drawn || !cell_equals(&now[k], &then[k]))
            *end = k + 1;
    return *end > *x;
}

/* Makes both grids that size; a player is told of all but the first. */
static enum status fit_cast(struct cast *cast, int cols, int rows, double seconds,
                            struct error *error) {
    char size[32];
    if (cast->began && cols == cast->shown.cols && rows == cast->shown.rows)
        return STATUS_OK;
    grid_finish(&cast->shown);
    grid_finish(&cast->next);
    cast->drawn = false;
    if (!grid_init(&cast->shown, cols, rows) || !grid_init(&cast->next, cols, rows)) {
        cast->failed = true;
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    if (!cast->began) {
        json_begin();
        cJSON *header = cJSON_CreateObject();
        cJSON_AddNumberToObject(header, "version", 2);
        cJSON_AddNumberToObject(header, "width", cols);
        cJSON_AddNumberToObject(header, "height", rows);
        cJSON_AddNumberToObject(header, "timestamp", (double)time(NULL));
        cJSON_AddStringToObject(header, "title", cast->title);
        cJSON *environment = cJSON_AddObjectToObject(header, "env");
        cJSON_AddStringToObject(environment, "TERM", "xterm-256color");
        cast->began = true;
        return put_line(cast, header, error);
    }
    snprintf(size, sizeof size, "%dx%d", cols, rows);
    return put_event(cast, seconds, "r", size, error);
}

/* What has changed from `shown` to `next`. */
static enum status put_frame(struct cast *cast, const struct appearance *appearance, double seconds,
                             struct error *error) {
    char *data = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&data, &size);
    const struct cell *last = NULL;
    if (!memory)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (!cast->drawn)
        fputs("\033[?25l\033[2J", memory);
    for (int y = 0; y < cast->next.rows; y++)
        for (int x = 0, end; next_stretch(cast, y, &x, &end); x = end) {
            fprintf(memory, "\033[%d;%dH", y + 1, x + 1);
            last = ansi_put_cells(memory, &cast->next, appearance, y, x, end, last);
        }
    if (last)
        fputs("\033[0m", memory);
    const bool bad = fflush(memory) || ferror(memory);
    fclose(memory);
    enum status status = STATUS_OK;
    if (bad)
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    else if (size > 0)
        status = put_event(cast, seconds, "o", data, error);
    free(data);
    return status;
}

enum status cast_frame(struct cast *cast, const struct grid *grid,
                       const struct appearance *appearance, double seconds, struct error *error) {
    const size_t bytes = (size_t)grid->cols * (size_t)grid->rows * sizeof *grid->cells;
    if (cast->failed)
        return STATUS_OK;
    enum status status = fit_cast(cast, grid->cols, grid->rows, seconds, error);
    if (status)
        return status;
    memcpy(cast->next.cells, grid->cells, bytes);
    status = put_frame(cast, appearance, seconds, error);
    if (status)
        return status;
    memcpy(cast->shown.cells, cast->next.cells, bytes);
    cast->drawn = cast->useful = true;
    return STATUS_OK;
}

enum status cast_marker(struct cast *cast, const char *label, double seconds, struct error *error) {
    return cast->failed || !cast->began ? STATUS_OK : put_event(cast, seconds, "m", label, error);
}

/* ---- opening and closing -------------------------------------------------------------------- */

enum status cast_open(const char *path, bool replace, const char *title, struct cast **cast,
                      struct error *error) {
    struct cast *made = calloc(1, sizeof *made);
    if (!made || !(made->title = strdup(title))) {
        free(made);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    const enum status status = file_writer_open(path, replace, &made->file, error);
    if (status)
        cast_close(made, NULL);
    else
        *cast = made;
    return status;
}

enum status cast_close(struct cast *cast, struct error *error) {
    if (!cast)
        return STATUS_OK;
    const enum status status = file_writer_close(cast->file, cast->useful, error);
    grid_finish(&cast->shown);
    grid_finish(&cast->next);
    free(cast->title);
    free(cast);
    return status;
}
