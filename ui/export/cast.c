#include "ui/export/cast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/file.h"
#include "core/json.h"
#include "ui/draw/draw.h"
#include "ui/export/ansi.h"

struct cast {
    struct file_writer *file;
    char *title, *header; /* the header is written with the first frame */
    bool failed;          /* nothing more is written */
    bool began;           /* the header was made */
    bool useful;          /* it contains a frame */
    bool drawn;           /* a player's screen shows `shown` */
    struct grid shown;
    struct palette palette; /* the last frame's */
};

static enum status put_line(struct cast *cast, cJSON *line, struct error *error) {
    char *text = json_finish(line, false), *whole = NULL;
    const char *const header = cast->header ? cast->header : "";
    const int size = text ? asprintf(&whole, "%s%s%s\n", header, *header ? "\n" : "", text) : -1;
    cJSON_free(text);
    cJSON_free(cast->header);
    cast->header = NULL;
    if (size < 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = file_writer_append(cast->file, whole, (size_t)size, error);
    cast->failed |= status != STATUS_OK;
    free(whole);
    return status;
}

static enum status put_event(struct cast *cast, double seconds, const char *code, const char *data,
                             struct error *error) {
    json_begin();
    cJSON *event = cJSON_CreateArray();
    json_append(event, cJSON_CreateRaw(PRINT("%.6f", seconds)));
    json_append(event, cJSON_CreateString(code));
    json_append(event, cJSON_CreateString(data));
    return put_line(cast, event, error);
}

/* Sets the size of `shown`; writes a resize event for every size but the first. */
static enum status fit_cast(struct cast *cast, int cols, int rows, double seconds,
                            struct error *error) {
    if (cast->began && cols == cast->shown.cols && rows == cast->shown.rows)
        return STATUS_OK;
    grid_finish(&cast->shown);
    cast->drawn = false;
    if (!grid_init(&cast->shown, cols, rows)) {
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
        cast->header = json_finish(header, false);
        return cast->header ? STATUS_OK : error_set(error, STATUS_INTERNAL, "out of memory");
    }
    return put_event(cast, seconds, "r", PRINT("%dx%d", cols, rows), error);
}

enum status cast_frame(struct cast *cast, const struct grid *grid, const struct palette *palette,
                       double seconds, struct error *error) {
    char *data = NULL;
    size_t size = 0;
    if (cast->failed)
        return STATUS_OK;
    enum status status = fit_cast(cast, grid->cols, grid->rows, seconds, error);
    if (status)
        return status;
    struct ansi_writer writer = {.file = open_memstream(&data, &size), .palette = palette, .x = -1};
    if (!writer.file)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    ansi_change_palette(&cast->shown, &cast->palette, palette);
    cast->palette = *palette;
    if (!cast->drawn) {
        fputs("\033[?25l", writer.file);
        ansi_clear(&writer, &cast->shown, false);
    }
    ansi_put_changes(&writer, &cast->shown, grid);
    ansi_end_style(&writer);
    const bool bad = fflush(writer.file) || ferror(writer.file);
    fclose(writer.file);
    if (bad)
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    else if (size > 0)
        status = put_event(cast, seconds, "o", data, error);
    free(data);
    cast->drawn = !status;
    cast->useful |= !status;
    return status;
}

enum status cast_marker(struct cast *cast, const char *label, double seconds, struct error *error) {
    return cast->failed || !cast->began ? STATUS_OK : put_event(cast, seconds, "m", label, error);
}

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
    free(cast->title);
    cJSON_free(cast->header);
    free(cast);
    return status;
}
