#include "ui/export/cast.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/export/ansi.h"

struct cast {
    FILE *file;
    char *path;
    struct grid shown; /* what a player has on its screen */
    struct grid next;
    bool began;
};

static enum status check(const struct cast *cast, struct error *error) {
    if (fflush(cast->file) || ferror(cast->file))
        return error_set(error, STATUS_INTERNAL, "%s: can't write it: %s", cast->path,
                         strerror(errno));
    return STATUS_OK;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void put_line(const struct cast *cast, cJSON *line) {
    char *text = cJSON_PrintUnformatted(line);
    if (text)
        fprintf(cast->file, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(line);
}

static void put_header(const struct cast *cast, long timestamp, const char *title) {
    cJSON *header = cJSON_CreateObject();
    cJSON *environment = cJSON_CreateObject();
    cJSON_AddNumberToObject(header, "version", 2);
    cJSON_AddNumberToObject(header, "width", cast->shown.cols);
    cJSON_AddNumberToObject(header, "height", cast->shown.rows);
    cJSON_AddNumberToObject(header, "timestamp", (double)timestamp);
    cJSON_AddStringToObject(header, "title", title);
    cJSON_AddStringToObject(environment, "TERM", "xterm-256color");
    cJSON_AddItemToObject(header, "env", environment);
    put_line(cast, header);
}

static void put_event(const struct cast *cast, double seconds, const char *code, const char *data) {
    cJSON *event = cJSON_CreateArray();
    char time[32];
    snprintf(time, sizeof time, "%.6f", seconds);
    cJSON_AddItemToArray(event, cJSON_CreateRaw(time));
    cJSON_AddItemToArray(event, cJSON_CreateString(code));
    cJSON_AddItemToArray(event, cJSON_CreateString(data));
    put_line(cast, event);
}

/* ---- frames --------------------------------------------------------------------------------- */

static bool same_cell(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && a->ink == b->ink && a->paper == b->paper &&
           a->attributes == b->attributes;
}

/* Brings the grid to the cast's size. */
static void fit(struct cast *cast, const struct grid *grid) {
    grid_clear(&cast->next);
    for (int y = 0; y < grid->rows && y < cast->next.rows; y++)
        for (int x = 0; x < grid->cols && x < cast->next.cols; x++)
            cast->next.cells[x + y * cast->next.cols] = grid->cells[x + y * grid->cols];
}

/* A gap of fewer unchanged cells than this is written along. */
enum { BRIDGE = 4 };

/* [x, *end): the next stretch of changed cells in row y; false where there is none. */
static bool next_stretch(const struct cast *cast, int y, int *x, int *end) {
    const struct cell *now = cast->next.cells + (size_t)y * (size_t)cast->next.cols;
    const struct cell *then = cast->shown.cells + (size_t)y * (size_t)cast->shown.cols;
    while (*x < cast->next.cols && cast->began && same_cell(&now[*x], &then[*x]))
        ++*x;
    *end = *x;
    for (int k = *x; k < cast->next.cols && k < *end + BRIDGE; k++)
        if (!cast->began || !same_cell(&now[k], &then[k]))
            *end = k + 1;
    return *end > *x;
}

static void put_changes(const struct cast *cast, FILE *file, const struct look *look) {
    const struct cell *last = NULL;
    if (!cast->began)
        fputs("\033[?25l\033[2J", file);
    for (int y = 0; y < cast->next.rows; y++)
        for (int x = 0, end; next_stretch(cast, y, &x, &end); x = end) {
            fprintf(file, "\033[%d;%dH", y + 1, x + 1);
            last = ansi_put_cells(file, &cast->next, look, y, x, end, last);
        }
    if (last)
        fputs("\033[0m", file);
}

enum status cast_frame(struct cast *cast, const struct grid *grid, const struct look *look,
                       double seconds, struct error *error) {
    char *data = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&data, &size);
    if (!memory)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    fit(cast, grid);
    put_changes(cast, memory, look);
    fclose(memory);
    if (size > 0)
        put_event(cast, seconds, "o", data);
    free(data);
    memcpy(cast->shown.cells, cast->next.cells,
           (size_t)cast->next.cols * (size_t)cast->next.rows * sizeof *cast->next.cells);
    cast->began = true;
    return check(cast, error);
}

enum status cast_marker(struct cast *cast, const char *label, double seconds, struct error *error) {
    put_event(cast, seconds, "m", label);
    return check(cast, error);
}

/* ---- opening and closing -------------------------------------------------------------------- */

enum status cast_open(const char *path, int cols, int rows, long timestamp, const char *title,
                      struct cast **cast, struct error *error) {
    struct cast *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path)) || !grid_init(&made->shown, cols, rows) ||
        !grid_init(&made->next, cols, rows)) {
        cast_close(made);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    made->file = fopen(path, "wxe");
    if (!made->file) {
        const int reason = errno;
        cast_close(made);
        return error_set(error, reason == EEXIST ? STATUS_BAD_INPUT : STATUS_INTERNAL,
                         "%s: can't write it: %s", path, strerror(reason));
    }
    put_header(made, timestamp, title);
    *cast = made;
    return check(made, error);
}

void cast_close(struct cast *cast) {
    if (!cast)
        return;
    if (cast->file)
        fclose(cast->file);
    grid_finish(&cast->shown);
    grid_finish(&cast->next);
    free(cast->path);
    free(cast);
}
