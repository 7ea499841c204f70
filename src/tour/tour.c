#include "tour/tour.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "config/inifile.h"
#include "config/settings.h"
#include "core/format.h"
#include "core/text.h"

#define REFUSE(...) error_set(error, STATUS_BAD_INPUT, __VA_ARGS__)

static const char built_in[] = "blog";

static const struct inifile_folders folders = {.config = "tours", .data = "presets/tours"};

struct tour_reading {
    struct tour *tour; /* grows scene by scene */
    const struct config *base;
    bool is_strict, in_scene;
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
        return REFUSE("the previous scene has no %s", *scene->title ? "text" : "title");
    TRY(question_finish(scene, reading->is_strict, error));
    const struct plan *plan = &scene->config.plan;
    if (plan->study_count && *scene->config.compare)
        return REFUSE("the previous scene has both sizes and compare: expected one of them");
    if (plan->study_count && mesh_unknowns(&plan->lanes[0].engine.mesh) <=
                                 mesh_unknowns(&plan->study[plan->study_count - 1]))
        return REFUSE("the previous scene has another grid after its sizes: expected one of them");
    return config_make_lanes(&scene->config, error)
               ? error->status
               : config_check_outputs(reading->base, &scene->config, error);
}

static enum status read_tour_section(void *user, const char *section, struct error *error) {
    struct tour_reading *reading = user;
    struct tour *tour = reading->tour;
    const bool is_scene = strcmp(section, "scene") == 0;
    if (!is_scene && strcmp(section, "tour") != 0)
        return REFUSE("unknown section [%s]: expected tour or scene", section);
    TRY(finish_scene(reading, error));
    reading->in_scene = is_scene;
    if (!is_scene)
        return STATUS_OK;
    if (tour->count == TOUR_SCENES_MAX)
        return REFUSE("too many scenes (at most %d)", TOUR_SCENES_MAX);
    const size_t size = sizeof *tour + ((size_t)tour->count + 1) * sizeof *tour->scenes;
    struct tour *longer = realloc(tour, size);
    if (!longer)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    reading->tour = tour = longer;
    struct scene *scene = &tour->scenes[tour->count++];
    *scene = (struct scene){.question = {.value = NAN, .tolerance = 1.25}};
    /* The defaults, with the user's terminal settings. */
    config_init(&scene->config);
    scene->config.view.terminal = reading->base->view.terminal;
    scene->config.plan.fps = reading->base->plan.fps;
    return STATUS_OK;
}

/* ---- keys ----------------------------------------------------------------------------------- */

struct scene_key {
    const char *name;
    enum status (*set)(struct tour_reading *reading, const struct scene_key *key, const char *value,
                       struct error *error);
    size_t offset, size; /* of the text in struct scene */
};

static char *text_of(struct tour_reading *reading, const struct scene_key *key) {
    return (char *)last_scene(reading) + key->offset;
}

static enum status refuse_second(struct error *error) {
    return REFUSE("this key is given twice in one scene");
}

/* Lines with the same key form one paragraph; an empty line starts another. */
static enum status add_line(char *text, size_t size, const char *line, struct error *error) {
    const size_t used = strlen(text);
    const char *between = !used ? "" : !*line ? "\n" : text[used - 1] == '\n' ? "" : " ";
    if (used + strlen(between) + strlen(line) >= size)
        return REFUSE("this text is too long (at most %zu bytes)", size - 1);
    snprintf(text + used, size - used, "%s%s", between, line);
    text_sanitize(text + used + strlen(between));
    return STATUS_OK;
}

static enum status set_line(struct tour_reading *reading, const struct scene_key *key,
                            const char *value, struct error *error) {
    char *text = text_of(reading, key);
    return *text ? refuse_second(error) : add_line(text, key->size, value, error);
}

/* The text may contain figures, and names that this or an earlier scene keeps. */
static enum status add_text(struct tour_reading *reading, const struct scene_key *key,
                            const char *value, struct error *error) {
    char unknown[FIGURE_NAME_SIZE], names[ERROR_MESSAGE_SIZE];
    const char *rest = value;
    while (reading->is_strict && (rest = template_unknown(rest, unknown))) {
        bool is_kept = false;
        for (int s = 0; s < reading->tour->count; s++)
            is_kept |= strcmp(reading->tour->scenes[s].export_as, unknown) == 0;
        if (!is_kept)
            return REFUSE("there is no figure {%s}: expected one of %.500s", unknown,
                          template_names(names, sizeof names));
    }
    return add_line(text_of(reading, key), key->size, value, error);
}

static enum status set_panels(struct tour_reading *reading, const struct scene_key *key,
                              const char *value, struct error *error) {
    /* The first layout has several panels. */
    const char *const *panels = setting_find_key("view", "layout")->names + 1;
    const char separator = strcmp(key->name, "hide") == 0 ? ',' : '\n'; /* one panel is shown */
    char list[SCENE_HIDE_SIZE], all[256] = "", *rest = list;
    int index;
    TRY(set_line(reading, key, value, error));
    if (!reading->is_strict)
        return STATUS_OK;
    snprintf(list, sizeof list, "%s", value);
    for (const char *name; (name = value_next(&rest, separator));) {
        if (value_choice(name, panels, &index))
            continue;
        for (; *panels; panels++)
            format_list(all, sizeof all, *panels);
        return REFUSE("%s: there is no panel '%s': expected one of %s", key->name, name, all);
    }
    return STATUS_OK;
}

static enum status set_recording(struct tour_reading *reading, const struct scene_key *key,
                                 const char *value, struct error *error) {
    TRY(set_line(reading, key, value, error));
    return reading->is_strict
               ? scene_check_recordings(last_scene(reading), text_of(reading, key), error)
               : STATUS_OK;
}

static enum status set_preset(struct tour_reading *reading, const struct scene_key *key,
                              const char *value, struct error *error) {
    return preset_load(value, &last_scene(reading)->config, error);
}

/* At least two grids, each larger than the previous one. The largest is shown; the others are its
 * grid study. */
static enum status set_sizes(struct tour_reading *reading, const struct scene_key *key,
                             const char *value, struct error *error) {
    struct plan *plan = &last_scene(reading)->config.plan;
    struct mesh meshes[STUDY_MAX + 1];
    char text[128], *rest = text;
    int count = 0, nx, ny;
    bool is_good = value_text(value, sizeof text, text);
    if (plan->study_count)
        return refuse_second(error);
    for (char *size; is_good && (size = value_next(&rest, ',')); count++) {
        is_good = count <= STUDY_MAX && value_pair(size, 1, MESH_MAX_SIDE, true, &nx, &ny);
        if (!is_good)
            break;
        meshes[count] = mesh_make(nx, ny);
        is_good = !count || mesh_unknowns(&meshes[count]) > mesh_unknowns(&meshes[count - 1]);
    }
    if (!is_good || count < 2)
        return REFUSE("sizes = %.80s: expected 2 to %d comma-separated grids, N or NxNY, the "
                      "smallest first",
                      value, STUDY_MAX + 1);
    plan->lanes[0].engine.mesh = meshes[count - 1];
    plan->study_count = count - 1;
    memcpy(plan->study, meshes, (size_t)plan->study_count * sizeof *plan->study);
    return STATUS_OK;
}

static enum status set_answer(struct tour_reading *reading, const struct scene_key *key,
                              const char *value, struct error *error) {
    struct question *question = &last_scene(reading)->question;
    const size_t length = strlen(value);
    char names[ERROR_MESSAGE_SIZE];
    if (question->figure || !isnan(question->value))
        return refuse_second(error);
    if (length > 2 && value[0] == '{' && value[length - 1] == '}')
        question->figure = figure_find(value + 1, length - 2, &question->lane);
    if (question->figure || value_real(value, 0, NUMBER_MAX, &question->value))
        return STATUS_OK;
    return REFUSE("answer = %.80s: expected a number, or in braces one of %.350s", value,
                  template_names(names, sizeof names));
}

static enum status add_choice(struct tour_reading *reading, const struct scene_key *key,
                              const char *value, struct error *error) {
    struct question *question = &last_scene(reading)->question;
    if (question->choice_count == QUESTION_CHOICES_MAX)
        return REFUSE("too many choices (at most %d)", QUESTION_CHOICES_MAX);
    return add_line(question->choices[question->choice_count++], QUESTION_TEXT_SIZE, value, error);
}

static enum status set_within(struct tour_reading *reading, const struct scene_key *key,
                              const char *value, struct error *error) {
    if (value_real(value, 1, 1000, &last_scene(reading)->question.tolerance))
        return STATUS_OK;
    return REFUSE("within = %.80s: expected a factor, 1 to 1000", value);
}

/* Parses "51 MI250 (the blog)" or, for the key `recorded`, lanes as in `compare`. */
static enum status add_bar(struct tour_reading *reading, const struct scene_key *key,
                           const char *value, struct error *error) {
    struct scene *scene = last_scene(reading);
    struct question *question = &scene->question;
    if (question->bar_count == QUESTION_BARS_MAX)
        return REFUSE("too many figures to show beside the measured one (at most %d)",
                      QUESTION_BARS_MAX);
    struct question_bar *bar = &question->bars[question->bar_count++];
    const bool is_recorded = strcmp(key->name, "recorded") == 0;
    char text[sizeof bar->recordings], *label = text;
    const bool fits = value_text(value, sizeof text, text);
    *bar = (struct question_bar){.value = NAN};
    if (fits && is_recorded) {
        memcpy(bar->recordings, text, sizeof text);
        return reading->is_strict ? scene_read_bar(scene, bar, error) : STATUS_OK;
    }
    const char *number = value_next(&label, ' ');
    if (fits && label && value_real(number, 0, NUMBER_MAX, &bar->value) &&
        value_text(label + strspn(label, " "), sizeof bar->label, bar->label))
        return STATUS_OK;
    return REFUSE("%s = %.80s: expected %s", key->name, value,
                  is_recorded ? "recordings, separated by commas"
                              : "a number and its source, as in '51 MI250 (the blog)'");
}

#define TEXT(member) offsetof(struct scene, member), sizeof(((struct scene *)0)->member)

static const struct scene_key scene_keys[] = {
    {"title", set_line, TEXT(title)},
    {"text", add_text, TEXT(text)},
    {"note", add_text, TEXT(note)},
    {"ask", add_text, TEXT(ask)},
    {"choice", add_choice, 0, 0},
    {"answer", set_answer, 0, 0},
    {"within", set_within, 0, 0},
    {"unit", set_line, TEXT(question.unit)},
    {"keep", set_line, TEXT(export_as)},
    {"hide", set_panels, TEXT(hide)},
    {"reveal", add_text, TEXT(reveal)},
    {"reference", add_bar, 0, 0},
    {"recorded", add_bar, 0, 0},
    {"preset", set_preset, 0, 0},
    {"recording", set_recording, TEXT(recording)},
    {"panel", set_panels, TEXT(panel)},
    {"sizes", set_sizes, 0, 0},
    {0},
};

/* Sets a key that presets have, too. */
static enum status set_setting(struct scene *scene, const char *name, const char *value,
                               struct error *error) {
    char text[ERROR_MESSAGE_SIZE] = "";
    const struct setting *setting = setting_find_key("run", name);
    if (!setting)
        setting = setting_find_key("view", name);
    if (setting && setting->set(&scene->config, setting, value))
        return STATUS_OK;
    if (setting)
        return REFUSE("%s = %.80s: expected %s", name, value,
                      setting_allowed(setting, text, sizeof text));
    for (const struct scene_key *key = scene_keys; key->name; key++)
        format_list(text, sizeof text, key->name);
    return REFUSE("a scene has no key '%s': expected one of %.200s or those of a preset's [run] "
                  "and [view]",
                  name, text);
}

static enum status set_in_scene(struct tour_reading *reading, const char *name, const char *value,
                                struct error *error) {
    static const char *const sources[] = {"preset", "compare", "replay", NULL};
    struct scene *scene = last_scene(reading);
    const struct scene_key *key = scene_keys;
    int source;
    while (key->name && strcmp(key->name, name) != 0)
        key++;
    if (key->name ? key->set(reading, key, value, error) : set_setting(scene, name, value, error))
        return error->status;
    return reading->is_strict && value_choice(name, sources, &source)
               ? scene_check_recordings(scene, NULL, error)
               : STATUS_OK;
}

static enum status read_tour_key(void *user, const char *section, const char *name,
                                 const char *value, struct error *error) {
    struct tour_reading *reading = user;
    char *title = reading->tour->title;
    if (reading->in_scene)
        return set_in_scene(reading, name, value, error);
    if (strcmp(section, "tour") == 0 && strcmp(name, "core") == 0)
        return value_whole(value, 1, TOUR_SCENES_MAX, &reading->tour->core)
                   ? STATUS_OK
                   : REFUSE("core = %.80s: expected 1 to %d", value, TOUR_SCENES_MAX);
    if (strcmp(section, "tour") != 0 || strcmp(name, "title") != 0)
        return REFUSE("unexpected key '%s': expected title or core in [tour]", name);
    return *title ? refuse_second(error)
                  : add_line(title, sizeof reading->tour->title, value, error);
}

/* ---- files ---------------------------------------------------------------------------------- */

enum status tour_load(const char *name, const struct config *base, bool is_strict,
                      struct tour **tour, struct error *error) {
    char path[PATH_SIZE];
    struct tour_reading reading = {.base = base, .is_strict = is_strict};
    const struct inifile_reader reader = {
        .section = read_tour_section, .key = read_tour_key, .user = &reading};
    if (!*name)
        name = built_in;
    if (!inifile_find(&folders, name, path, sizeof path))
        return inifile_refuse(&folders, "tour", name, error);
    if (!(reading.tour = calloc(1, sizeof **tour)))
        return error_set(error, STATUS_INTERNAL, "out of memory");
    snprintf(reading.tour->name, sizeof reading.tour->name, "%.63s", name);
    text_sanitize(reading.tour->name);
    snprintf(reading.tour->path, sizeof reading.tour->path, "%s", path);
    text_sanitize(reading.tour->path);
    enum status status = inifile_read(path, &reader, error);
    if (!status && finish_scene(&reading, error))
        status = error_prefix(error, "%s: at its end", path);
    if (!status && reading.tour->count == 0)
        status = REFUSE("%s: it has no [scene]", path);
    if (status)
        free(reading.tour);
    else
        *tour = reading.tour;
    return status;
}

int tour_entries(const struct config *base, struct preset *tours) {
    struct inifile_name names[TOURS_MAX];
    const int count = inifile_list(&folders, names, TOURS_MAX);
    for (int t = 0; t < count; t++) {
        struct tour *tour = NULL;
        tours[t] = (struct preset){0};
        memcpy(tours[t].name, names[t].text, sizeof tours[t].name);
        tour_load(names[t].text, base, false, &tour, &tours[t].error);
        if (tour)
            format_text(tours[t].teaches, TEACHES_SIZE, "%s, in %d scenes",
                        *tour->title ? tour->title : tour->name, tour->count);
        free(tour);
    }
    return count;
}
