/* Determines how a tour's scenes can be shown on this machine (tour/tour.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/text.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "tour/tour.h"

/* Whether all recordings of a list, separated by commas, exist. */
static bool all_there(const char *list) {
    char names[sizeof((struct scene *)0)->recording], *rest = names, path[PATH_SIZE];
    snprintf(names, sizeof names, "%s", list);
    bool there = true;
    for (char *name = value_next(&rest, ','); name; name = value_next(&rest, ','))
        there &= data_path(path, sizeof path, PRINT("recordings/%s.rec", name));
    return there;
}

enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why) {
    struct plan wanted = scene->config.plan;
    struct error ignored;
    if (config_is_replay(&scene->config))
        return SCENE_RECORDED;
    for (int l = 0; l < wanted.lane_count; l++)
        wanted.lanes[l].choice_count = 1;
    if (!source_check(source, &wanted, why))
        return SCENE_LIVE;
    if (*scene->recording && all_there(scene->recording))
        return SCENE_RECORDED;
    return source_check(source, &scene->config.plan, &ignored) ? SCENE_NEITHER : SCENE_OTHERWISE;
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* Loads the recordings of a list, or, if it is NULL, of the scene's own run. *playlist is NULL if
 * that run is computed. */
static enum status load_recordings(const struct scene *scene, const char *list,
                                   struct playlist **playlist, struct error *error) {
    struct config *config = malloc(sizeof *config);
    *playlist = NULL;
    if (!config)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    *config = scene->config;
    enum status status =
        list ? resolve_list(list, config, error) : config_make_lanes(config, error);
    if (!status && !list)
        status = resolve_recordings(config, error);
    if (!status && config_is_replay(config))
        status = replay_load(config, playlist, error);
    free(config);
    return status;
}

enum status scene_check_recordings(const struct scene *scene, const char *list,
                                   struct error *error) {
    struct playlist *playlist;
    if (list && !all_there(list))
        return error_set(error, STATUS_BAD_INPUT,
                         "there is no recording '%s': expected one of those in recordings/, "
                         "without its .rec, or several separated by commas",
                         list);
    TRY(load_recordings(scene, list, &playlist, error));
    playlist_close(playlist);
    return STATUS_OK;
}

/* Uses the last sample of the recordings side by side. */
enum status scene_read_bar(const struct scene *scene, struct question_bar *bar,
                           struct error *error) {
    const struct question *question = &scene->question;
    struct playlist *playlist;
    const enum status status = load_recordings(scene, bar->recordings, &playlist, error);
    if (status || !playlist)
        return status;
    const struct sample *sample = playlist_sample(playlist, playlist->count - 1);
    if (question->figure)
        bar->value = figure_value(question->figure, sample, question->lane);
    snprintf(bar->label, sizeof bar->label, "%.20s, recorded", sample->lanes[0].device);
    playlist_close(playlist);
    return STATUS_OK;
}

enum status scene_read_bars(struct scene *scene, struct error *error) {
    struct error ignored;
    enum status status = STATUS_OK;
    for (int b = 0; b < scene->question.bar_count; b++) {
        struct question_bar *bar = &scene->question.bars[b];
        if (!*bar->recordings || !isnan(bar->value))
            continue;
        const enum status one = scene_read_bar(scene, bar, status ? &ignored : error);
        status = status ? status : one;
    }
    return status;
}

/* ---- the list -------------------------------------------------------------------------------- */

enum status tour_list(const struct config *config, FILE *out, struct error *error) {
    static const char *const words[] = {"live", "recorded", "live, on another back end",
                                        "not here"};
    struct tour *tour = NULL;
    TRY(tour_load(config->tour_name, config, true, &tour, error));
    fprintf(out, "%s\n", *tour->title ? tour->title : tour->name);
    int widest = 0;
    for (int s = 0; s < tour->count; s++) {
        const int cols = (int)strlen(tour->scenes[s].title);
        widest = cols > widest ? cols : widest;
    }
    for (int s = 0; s < tour->count; s++) {
        struct error why = {0};
        char reason[ERROR_MESSAGE_SIZE];
        const enum scene_way way = scene_way(&tour->scenes[s], NULL, &why);
        text_clause(reason, sizeof reason, why.message); /* --list shows the full reason */
        fprintf(out, "%3d  %-*s  %s%s%s%s\n", s + 1, widest, tour->scenes[s].title, words[way],
                *reason ? " (" : "", reason, *reason ? ")" : "");
        if (*tour->scenes[s].note)
            fprintf(out, "     %s\n", tour->scenes[s].note);
    }
    free(tour);
    return STATUS_OK;
}
