#include "tour/tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/inifile.h"
#include "config/preset.h"
#include "config/values.h"
#include "core/text.h"

static const char built_in[] = "blog";

static const struct inifile_folders folders = {.config = "tours", .data = "presets/tours"};

struct tour_reading {
    struct tour *tour; /* grows scene by scene */
    const struct config *base;
    bool in_scene;
    int line;
};

/* ---- scenes --------------------------------------------------------------------------------- */

static struct scene *last_scene(struct tour_reading *reading) {
    return &reading->tour->scenes[reading->tour->count - 1];
}

static enum status finish_scene(struct tour_reading *reading, struct error *error) {
    if (!reading->in_scene)
        return STATUS_OK;
    struct scene *scene = last_scene(reading);
    if (!*scene->title || !*scene->text)
        return error_set(error, STATUS_BAD_INPUT, "the scene before this has no %s",
                         *scene->title ? "text" : "title");
    if (question_finish(&scene->question, *scene->ask, error))
        return error->status;
    if (scene->size_count && *scene->config.compare)
        return error_set(error, STATUS_BAD_INPUT,
                         "the scene before this has both sizes and compare: expected one of them");
    if (scene->size_count) { /* the largest grid is shown, the others are its grid study */
        struct plan *plan = &scene->config.plan;
        struct mesh *mesh = &plan->lanes[0].engine.mesh;
        *mesh = scene->sizes[scene->size_count - 1];
        plan->study_count = scene->size_count - 1;
        memcpy(plan->study, scene->sizes, (size_t)plan->study_count * sizeof *plan->study);
    }
    return config_make_lanes(&scene->config, error);
}

static enum status read_tour_section(void *user, const char *section, struct error *error) {
    struct tour_reading *reading = user;
    struct tour *tour = reading->tour;
    const bool is_scene = strcmp(section, "scene") == 0;
    if (!is_scene && strcmp(section, "tour") != 0)
        return error_set(error, STATUS_BAD_INPUT, "unknown section [%s]: expected tour or scene",
                         section);
    if (finish_scene(reading, error))
        return error->status;
    reading->in_scene = is_scene;
    if (!is_scene)
        return STATUS_OK;
    if (tour->count == TOUR_SCENES_MAX)
        return error_set(error, STATUS_BAD_INPUT, "too many scenes (at most %d)", TOUR_SCENES_MAX);
    const size_t size = sizeof *tour + ((size_t)tour->count + 1) * sizeof *tour->scenes;
    struct tour *longer = realloc(tour, size);
    if (!longer)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    reading->tour = tour = longer;
    struct scene *scene = &tour->scenes[tour->count++];
    *scene = (struct scene){0};
    question_init(&scene->question);
    /* The defaults, with what the user chose for the terminal. */
    config_init(&scene->config);
    config_keep_terminal(&scene->config, reading->base);
    scene->config.plan.fps = reading->base->plan.fps;
    return STATUS_OK;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Lines of one key make one paragraph; an empty line begins another. */
static enum status add_line(char *text, size_t size, const char *line, struct error *error) {
    const size_t used = strlen(text);
    const char *between = !used ? "" : !*line ? "\n" : text[used - 1] == '\n' ? "" : " ";
    if (used + strlen(between) + strlen(line) >= size)
        return error_set(error, STATUS_BAD_INPUT, "this text is too long (at most %zu bytes)",
                         size - 1);
    snprintf(text + used, size - used, "%s%s", between, line);
    text_sanitize(text + used + strlen(between));
    return STATUS_OK;
}

static enum status set_once(char *text, size_t size, const char *value, struct error *error) {
    if (*text)
        return error_set(error, STATUS_BAD_INPUT, "this key is given twice in one scene");
    return add_line(text, size, value, error);
}

/* Two grids at least, each larger than the one before. */
static bool parse_sizes(struct scene *scene, const char *value) {
    char text[128], *rest = text;
    if (!value_text(value, sizeof text, text))
        return false;
    size_t before = 0;
    for (char *size = value_next(&rest, ','); size; size = value_next(&rest, ',')) {
        int nx, ny;
        if (scene->size_count == SCENE_SIZES_MAX ||
            !value_pair(size, 1, MESH_MAX_SIDE, true, &nx, &ny))
            return false;
        const struct mesh mesh = mesh_make(nx, ny);
        if (mesh_unknowns(&mesh) <= before)
            return false;
        before = mesh_unknowns(&mesh);
        scene->sizes[scene->size_count++] = mesh;
    }
    return scene->size_count > 1;
}

/* An unknown figure is only a warning, for tour_check. */
static enum status add_checked_text(struct tour_reading *reading, char *text, size_t size,
                                    const char *value, struct error *error) {
    struct tour *tour = reading->tour;
    char unknown[FIGURE_NAME_SIZE], names[ERROR_MESSAGE_SIZE];
    const char *rest = value;
    while ((rest = template_unknown(rest, unknown))) {
        bool kept = false; /* by a scene up to this one */
        for (int s = 0; s < tour->count; s++)
            kept |= strcmp(tour->scenes[s].export_as, unknown) == 0;
        if (!tour->warning.status && !kept)
            error_set(&tour->warning, STATUS_BAD_INPUT,
                      "%.300s:%d: there is no figure {%s}: expected one of %.500s", tour->path,
                      reading->line, unknown, template_names(names, sizeof names));
    }
    return add_line(text, size, value, error);
}

static enum status set_text_of_scene(struct tour_reading *reading, const char *name,
                                     const char *value, bool *taken, struct error *error) {
    struct scene *scene = last_scene(reading);
    struct scene_lines *lines = &scene->lines;
    const struct {
        const char *name;
        char *text;
        size_t size;
        int *line;
        bool is_paragraph;
    } texts[] = {
        {"title", scene->title, sizeof scene->title, NULL, false},
        {"text", scene->text, sizeof scene->text, NULL, true},
        {"ask", scene->ask, sizeof scene->ask, &lines->ask, true},
        {"reveal", scene->reveal, sizeof scene->reveal, &lines->reveal, true},
        {"recording", scene->recording, sizeof scene->recording, &lines->recording, false},
        {"panel", scene->panel, sizeof scene->panel, &lines->panel, false},
        {"hide", scene->hide, sizeof scene->hide, &lines->hide, false},
        {"keep", scene->export_as, sizeof scene->export_as, &lines->export_as, false},
    };
    *taken = false;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        if (strcmp(name, texts[t].name) != 0)
            continue;
        *taken = true;
        if (texts[t].line && !*texts[t].line)
            *texts[t].line = reading->line;
        return texts[t].is_paragraph
                   ? add_checked_text(reading, texts[t].text, texts[t].size, value, error)
                   : set_once(texts[t].text, texts[t].size, value, error);
    }
    return STATUS_OK;
}

static enum status set_in_scene(struct tour_reading *reading, const char *name, const char *value,
                                struct error *error) {
    struct scene *scene = last_scene(reading);
    int index;
    bool taken;
    const enum status status = set_text_of_scene(reading, name, value, &taken, error);
    if (taken)
        return status;
    if (value_choice(name, question_keys, &index)) {
        if (strcmp(name, "recorded") == 0)
            scene->lines.recorded = reading->line;
        return question_set(&scene->question, name, value, error);
    }
    const bool is_preset = strcmp(name, "preset") == 0;
    if (is_preset || strcmp(name, "compare") == 0 || strcmp(name, "replay") == 0)
        scene->lines.source = reading->line;
    if (is_preset)
        return preset_load(value, &scene->config, error);
    if (strcmp(name, "sizes") == 0) {
        if (scene->size_count)
            return error_set(error, STATUS_BAD_INPUT, "this key is given twice in one scene");
        if (parse_sizes(scene, value))
            return STATUS_OK;
        return error_set(error, STATUS_BAD_INPUT,
                         "sizes = %.80s: expected 2 to %d comma-separated grids, N or NxNY, "
                         "the smallest first",
                         value, SCENE_SIZES_MAX);
    }
    char allowed[ERROR_MESSAGE_SIZE];
    const struct setting *setting = setting_find_key("run", name);
    if (!setting)
        setting = setting_find_key("view", name);
    if (!setting)
        return error_set(
            error, STATUS_BAD_INPUT,
            "a scene has no key '%s': expected one of title, text, ask, choice, answer, within, "
            "unit, keep, hide, reveal, reference, recorded, preset, recording, panel, sizes or "
            "those of a preset's [run] and [view]",
            name);
    if (!setting->set(&scene->config, setting, value))
        return error_set(error, STATUS_BAD_INPUT, "%s = %.80s: expected %s", name, value,
                         setting_allowed(setting, allowed, sizeof allowed));
    return STATUS_OK;
}

static enum status read_tour_key(void *user, const char *section, const char *name,
                                 const char *value, struct error *error) {
    struct tour_reading *reading = user;
    if (reading->in_scene)
        return set_in_scene(reading, name, value, error);
    if (strcmp(section, "tour") == 0 && strcmp(name, "title") == 0)
        return set_once(reading->tour->title, sizeof reading->tour->title, value, error);
    return error_set(error, STATUS_BAD_INPUT, "unexpected key '%s': expected title in [tour]",
                     name);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* From memory, or with `bytes` NULL from the file `path`. */
static enum status read_tour(const char *name, const char *path, const void *bytes, size_t size,
                             const struct config *base, struct tour **tour, struct error *error) {
    struct tour_reading reading = {.tour = calloc(1, sizeof **tour), .base = base};
    const struct inifile_reader reader = {.section = read_tour_section,
                                          .key = read_tour_key,
                                          .user = &reading,
                                          .line = &reading.line};
    if (!reading.tour)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    snprintf(reading.tour->name, sizeof reading.tour->name, "%.63s", name);
    text_sanitize(reading.tour->name);
    snprintf(reading.tour->path, sizeof reading.tour->path, "%s", path);
    text_sanitize(reading.tour->path);
    enum status status = inifile_read(path, bytes, size, &reader, error);
    if (!status && finish_scene(&reading, error))
        status = error_prefix(error, "%s: at its end", path);
    if (!status && reading.tour->count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "%s: it has no [scene]", path);
    if (status)
        free(reading.tour);
    else
        *tour = reading.tour;
    return status;
}

enum status tour_parse(const void *bytes, size_t size, const char *name, const struct config *base,
                       struct tour **tour, struct error *error) {
    return read_tour(name, name, bytes, size, base, tour, error);
}

enum status tour_load(const char *name, const struct config *base, struct tour **tour,
                      struct error *error) {
    char path[PATH_SIZE];
    if (!*name)
        name = built_in;
    if (inifile_find(&folders, name, path, sizeof path))
        return read_tour(name, path, NULL, 0, base, tour, error);
    return inifile_refuse(&folders, "tour", name, error);
}

int tour_entries(const struct config *base, struct tour_entry *entries) {
    struct inifile_name names[TOURS_MAX];
    const int count = inifile_list(&folders, names, TOURS_MAX);
    for (int e = 0; e < count; e++) {
        struct tour *tour = NULL;
        struct tour_entry *entry = &entries[e];
        *entry = (struct tour_entry){0};
        snprintf(entry->name, sizeof entry->name, "%.63s", names[e].text);
        tour_load(entry->name, base, &tour, &entry->error);
        if (!tour)
            continue;
        snprintf(entry->title, sizeof entry->title, "%s", *tour->title ? tour->title : tour->name);
        entry->scenes = tour->count;
        free(tour);
    }
    return count;
}
