/* What can be had here of a tour, and whether all of it can be had at all (tour/tour.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/values.h"
#include "core/format.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "tour/tour.h"

/* ---- how a scene can be shown --------------------------------------------------------------- */

/* The recordings of a list, separated by commas. */
static bool all_there(const char *list) {
    char names[sizeof((struct scene *)0)->recording], *rest = names, path[PATH_SIZE];
    snprintf(names, sizeof names, "%s", list);
    bool there = true;
    for (char *name = value_next(&rest, ','); name; name = value_next(&rest, ',')) {
        char relative[PATH_SIZE];
        snprintf(relative, sizeof relative, "recordings/%s.rec", name);
        there &= data_path(path, sizeof path, relative);
    }
    return there;
}

enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why) {
    struct plan wanted = scene->config.plan;
    struct error ignored;
    if (replay_is_asked(&scene->config))
        return SCENE_RECORDED;
    for (int l = 0; l < wanted.lane_count; l++)
        wanted.lanes[l].choice_count = 1;
    if (!source_check(source, &wanted, why))
        return SCENE_LIVE;
    if (*scene->recording && all_there(scene->recording))
        return SCENE_RECORDED;
    return source_check(source, &scene->config.plan, &ignored) ? SCENE_NEITHER : SCENE_OTHERWISE;
}

/* ---- whether all of it can be had ----------------------------------------------------------- */

static enum status refuse_line(const struct tour *tour, int line, struct error *error,
                               const struct error *why) {
    return error_set(error, STATUS_BAD_INPUT, "%.400s:%d: %.500s", tour->path, line, why->message);
}

/* Each name of a list, separated by commas, is to be a panel's. */
static enum status check_panels(const char *key, const char *list, const char *const *panels,
                                struct error *why) {
    char names[SCENE_HIDE_SIZE], all[256] = "", *rest = names;
    snprintf(names, sizeof names, "%s", list);
    for (char *name = *list ? value_next(&rest, ',') : NULL; name; name = value_next(&rest, ',')) {
        bool there = false;
        all[0] = '\0';
        for (const char *const *panel = panels; *panel; panel++) {
            there |= strcmp(*panel, name) == 0;
            format_list(all, sizeof all, *panel);
        }
        if (there)
            continue;
        return error_set(why, STATUS_BAD_INPUT, "%s: there is no panel '%s': expected one of %s",
                         key, name, all);
    }
    return STATUS_OK;
}

/* Those that the scene is shown from: of its key `recording` (`is_listed`), or of `replay`,
 * `compare` or its preset. */
static enum status check_recordings(const struct scene *scene, bool is_listed, struct error *why) {
    struct config *config;
    struct playlist *playlist;
    if (is_listed && !*scene->recording)
        return STATUS_OK;
    if (is_listed && !all_there(scene->recording))
        return error_set(why, STATUS_BAD_INPUT,
                         "there is no recording '%s': expected one of those in recordings/, "
                         "without its .rec, or several separated by commas",
                         scene->recording);
    if (!(config = malloc(sizeof *config)))
        return error_set(why, STATUS_INTERNAL, "out of memory");
    *config = scene->config;
    enum status status =
        is_listed ? resolve_list(scene->recording, config, why) : resolve_recordings(config, why);
    if (!status && replay_is_asked(config)) {
        status = replay_load(config, &playlist, why);
        if (!status)
            playlist_close(playlist);
    }
    free(config);
    return status;
}

static enum status check_scene(const struct tour *tour, const struct scene *scene,
                               const char *const *panels, struct error *error) {
    const struct scene_lines *lines = &scene->lines;
    struct question question = scene->question;
    struct error why = {0};
    if (check_panels("panel", scene->panel, panels, &why))
        return refuse_line(tour, lines->panel, error, &why);
    if (check_panels("hide", scene->hide, panels, &why))
        return refuse_line(tour, lines->hide, error, &why);
    if (check_recordings(scene, true, &why))
        return refuse_line(tour, lines->recording, error, &why);
    if (*scene->export_as && (question.kind == QUESTION_NONE || question.kind == QUESTION_OPEN)) {
        error_set(&why, STATUS_BAD_INPUT, "nothing to keep: expected 'answer' in its scene");
        return refuse_line(tour, lines->export_as, error, &why);
    }
    if (check_recordings(scene, false, &why))
        return refuse_line(tour, lines->source, error, &why);
    if (question_read_bars(&question, &why))
        return refuse_line(tour, lines->recorded, error, &why);
    if (*scene->reveal && !*scene->ask) {
        error_set(&why, STATUS_BAD_INPUT, "a reveal without a question: expected 'ask' before it");
        return refuse_line(tour, lines->reveal, error, &why);
    }
    if (question.kind == QUESTION_OPEN && !*scene->reveal) {
        error_set(&why, STATUS_BAD_INPUT,
                  "a question without an answer: expected 'answer', "
                  "'reveal' or both in its scene");
        return refuse_line(tour, lines->ask, error, &why);
    }
    return STATUS_OK;
}

enum status tour_check(const struct tour *tour, const char *const *panels, struct error *error) {
    for (int s = 0; s < tour->count; s++)
        if (check_scene(tour, &tour->scenes[s], panels, error))
            return error->status;
    if (tour->warning.status)
        *error = tour->warning;
    return tour->warning.status;
}

enum status tour_list(const struct config *config, const char *const *panels, FILE *out,
                      struct error *error) {
    static const char *const words[] = {"live", "recorded", "live, on another back end",
                                        "not here"};
    struct tour *tour = NULL;
    enum status status = tour_load(config->tour_name, config, &tour, error);
    if (!status)
        status = tour_check(tour, panels, error);
    if (status) {
        free(tour);
        return status;
    }
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
        text_clause(reason, sizeof reason, why.message); /* the whole is in --list */
        fprintf(out, "%3d  %-*s  %s%s%s%s\n", s + 1, widest, tour->scenes[s].title, words[way],
                *reason ? " (" : "", reason, *reason ? ")" : "");
    }
    free(tour);
    return STATUS_OK;
}
