#include "exercise/exercise.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "core/file.h"
#include "core/format.h"
#include "core/paths.h"
#include "core/process.h"
#include "core/text.h"

/* A path, in a buffer that lasts until the end of the block. */
enum { JOINED_SIZE = 2 * PATH_SIZE };
#define JOINED(...) format_text((char[JOINED_SIZE]){""}, JOINED_SIZE, __VA_ARGS__)

static const char *const text_names[] = {"text", "hint", "afterword"};

char *exercise_text(const struct exercise *exercise, const char *which) {
    char *text = NULL;
    size_t size;
    if (file_read(JOINED("%s/%s.txt", exercise->folder, which), EXERCISE_TEXT_MAX, &text, &size,
                  NULL))
        return NULL;
    /* Keep line ends: they separate paragraphs. */
    for (char *line = text; *line;) {
        char *end = strchrnul(line, '\n');
        const bool more = *end == '\n';
        *end = '\0';
        text_sanitize(line);
        if (more)
            *end = '\n';
        line = end + more;
    }
    return text;
}

/* Fills in the remaining fields from the exercise's folder. False: not an exercise. */
static bool describe_exercise(struct exercise *exercise) {
    char *text = exercise_text(exercise, "text");
    if (!text)
        return false;
    snprintf(exercise->title, sizeof exercise->title, "%.*s", (int)strcspn(text, "\n"), text);
    text_sanitize(exercise->title); /* the cut may have split a character */
    free(text);
    if (!user_path(exercise->work, sizeof exercise->work, USER_DATA,
                   JOINED("exercises/%s", exercise->name)))
        exercise->work[0] = '\0';
    exercise->begun = *exercise->work && file_exists(exercise->work);
    exercise->solved = exercise->begun && file_exists(JOINED("%s/solved", exercise->work));
    return true;
}

/* Lists the program's exercises, sorted by name. Returns their number, at most EXERCISES_MAX, the
 * size of `exercises`. */
static int exercise_all(struct exercise *exercises) {
    char folder[PATH_SIZE];
    struct dirent **entries = NULL;
    int count = 0;
    const int there = data_path(folder, sizeof folder, "exercises")
                          ? scandir(folder, &entries, NULL, alphasort)
                          : 0;
    for (int e = 0; e < there; e++) {
        struct exercise exercise = {0};
        const char *name = entries[e]->d_name;
        const bool fits = name[0] != '.' && strlen(name) < sizeof exercise.name &&
                          snprintf(exercise.folder, PATH_SIZE, "%s/%s", folder, name) < PATH_SIZE;
        snprintf(exercise.name, sizeof exercise.name, "%.63s", name);
        if (fits && count < EXERCISES_MAX && describe_exercise(&exercise))
            exercises[count++] = exercise;
        free(entries[e]);
    }
    free(entries);
    return count;
}

enum status exercise_find(const char *name, struct exercise *exercise, struct error *error) {
    static struct exercise all[EXERCISES_MAX];
    char names[ERROR_MESSAGE_SIZE] = "";
    int found = -1, exact = -1, matches = 0;
    if (strchr(name, '/')) {
        *exercise = (struct exercise){0};
        char *folder = realpath(name, NULL); /* "./" must also yield a name */
        if (folder && strlen(folder) < sizeof exercise->folder) {
            strcpy(exercise->folder, folder);
            snprintf(exercise->name, sizeof exercise->name, "%.63s", strrchr(folder, '/') + 1);
            text_sanitize(exercise->name);
        }
        free(folder);
        return *exercise->folder && describe_exercise(exercise)
                   ? STATUS_OK
                   : error_set(error, STATUS_BAD_INPUT,
                               "--exercise %.200s: expected a folder with text.txt", name);
    }
    const int count = exercise_all(all);
    for (int e = 0; e < count; e++) {
        const char *dash = strchr(all[e].name, '-');
        const bool is_meant = (dash && strcmp(dash + 1, name) == 0) ||
                              (*name && atoi(name) > 0 && atoi(name) == atoi(all[e].name));
        if (!*name ? found < 0 && (!all[e].solved || e == count - 1) : is_meant) {
            found = e;
            matches++;
        }
        exact = strcmp(all[e].name, name) == 0 ? e : exact;
        format_list(names, sizeof names, all[e].name);
    }
    if (exact < 0 && matches != 1)
        return error_set(error, STATUS_BAD_INPUT, "--exercise %.80s: expected one of %s", name,
                         *names ? names : "(none installed)");
    *exercise = all[exact < 0 ? found : exact];
    return STATUS_OK;
}

bool exercise_after(const char *name, struct exercise *next) {
    static struct exercise all[EXERCISES_MAX];
    const int count = exercise_all(all);
    int e = 0;
    while (e < count && strcmp(all[e].name, name) != 0)
        e++;
    if (++e < count)
        *next = all[e];
    return e < count;
}

/* Loads the exercise's run.ini, and makes the configuration run the files of `folder`. */
static enum status load_settings(const struct exercise *exercise, const char *folder,
                                 struct config *config, struct error *error) {
    config->is_bare = false;
    snprintf(config->kernels, sizeof config->kernels, "%s", folder);
    return preset_read(JOINED("%s/run.ini", exercise->folder), NULL, config, error) ||
                   config_make_lanes(config, error)
               ? error->status
               : config_check_outputs(config, config, error);
}

enum status exercise_begin(struct exercise *exercise, struct config *config, struct error *error) {
    struct dirent **entries = NULL;
    if (!*exercise->work)
        return error_set(error, STATUS_INTERNAL,
                         "no folder for your files: expected HOME or XDG_DATA_HOME");
    if (!path_make_folders(JOINED("%s/x", exercise->work)))
        return error_set(error, STATUS_INTERNAL, "%.300s: no folder for your files: %s",
                         exercise->work, strerror(errno));
    const int there = scandir(exercise->folder, &entries, NULL, alphasort);
    enum status status = STATUS_OK;
    for (int e = 0; e < there; e++) {
        const char *const name = entries[e]->d_name;
        const char *const from = JOINED("%s/%s", exercise->folder, name);
        const char *const to = JOINED("%s/%s", exercise->work, name);
        char *bytes = NULL;
        size_t size;
        const bool is_source = text_ends_in(name, ".c") || text_ends_in(name, ".hip");
        if (!status && is_source && !file_exists(to) &&
            !(status = file_read(from, EXERCISE_TEXT_MAX, &bytes, &size, error)))
            status = file_write(to, false, bytes, size, error);
        free(bytes);
        free(entries[e]);
    }
    free(entries);
    exercise->begun = true;
    return status ? status : load_settings(exercise, exercise->work, config, error);
}

enum status exercise_solve(struct exercise *exercise, struct error *error) {
    exercise->solved = true;
    return file_write(JOINED("%s/solved", exercise->work), true, "solved\n", 7, error);
}

void exercise_list(FILE *out) {
    static struct exercise all[EXERCISES_MAX];
    const int count = exercise_all(all);
    int solved = 0;
    for (int e = 0; e < count; e++) {
        solved += all[e].solved;
        fprintf(out, "%-7s %-18s %s\n",
                all[e].solved  ? "solved"
                : all[e].begun ? "begun"
                               : "",
                all[e].name, all[e].title);
    }
    fprintf(out, "\n%d of %d solved; jacobi-tui --exercise NAME begins any of them\n", solved,
            count);
}

/* ---- without a screen ----------------------------------------------------------------------- */

static enum status await_build(struct kernel_builder *builder, struct error *error) {
    while (kernel_builder_status(builder)->state <= BUILD_CHECKING && !interrupt_signal()) {
        poll(NULL, 0, 5);
        kernel_builder_poll(builder);
    }
    return interrupt_signal() ? error_set(error, STATUS_UNAVAILABLE, "interrupted") : STATUS_OK;
}

enum status exercise_build(struct config *config, struct kernel_builder **builder,
                           struct error *error) {
    enum { SHOWN = 100 };
    struct exercise exercise = {0};
    *builder = NULL;
    if (config->exercise) {
        TRY(exercise_find(config->exercise_name, &exercise, error));
        TRY(exercise_begin(&exercise, config, error));
    }
    TRY(kernel_builder_open(config, builder, error));
    TRY(await_build(*builder, error));
    const struct kernel_builder_status *built = kernel_builder_status(*builder);
    if (built->state == BUILD_FAILED && !built->verdict->is_unusable)
        return error_set(error, STATUS_DEVICE_FAILED, "%s", built->line);
    if (built->state != BUILD_RIGHT)
        return error_set(error, STATUS_BAD_INPUT, "%s%s",
                         built->state == BUILD_WRONG ? "wrong: " : "", built->line);
    TRY(kernel_builder_plan(*builder, config, error));
    if (!config->exercise)
        return STATUS_OK;
    /* On the screen the user ends the run; here, a few iterations are enough to show the speed. */
    const bool is_limited =
        config_is_set(config, "iterations") || config_is_set(config, "tolerance");
    for (int l = 0; l < config->plan.lane_count && !is_limited; l++)
        if (config->plan.lanes[l].iterations > SHOWN)
            config->plan.lanes[l].iterations = SHOWN;
    return exercise_solve(&exercise, error);
}

/* ---- for authors ---------------------------------------------------------------------------- */

/* Compiles and checks the files of a folder. */
static enum status try_folder(const struct exercise *exercise, const char *folder,
                              struct config *config, struct kernel_builder_status *news,
                              struct error *error) {
    struct kernel_builder *builder;
    TRY(load_settings(exercise, folder, config, error));
    TRY(kernel_builder_open(config, &builder, error));
    const enum status status = await_build(builder, error);
    *news = *kernel_builder_status(builder);
    kernel_builder_close(builder);
    return status;
}

enum status exercise_self_test(struct config *config, FILE *out, struct error *error) {
    struct exercise found, *const exercise = &found;
    struct config trial = *config;
    struct kernel_builder_status given = {0}, solution = {0};
    TRY(exercise_find(config->exercise_name, exercise, error));
    for (size_t t = 0; t < sizeof text_names / sizeof *text_names; t++) {
        char *text = exercise_text(exercise, text_names[t]);
        if (!text)
            return error_set(error, STATUS_BAD_INPUT, "%s/%s.txt: expected a text of at most %d kB",
                             exercise->folder, text_names[t], EXERCISE_TEXT_MAX / 1000);
        free(text);
    }
    TRY(try_folder(exercise, exercise->folder, &trial, &given, error));
    fprintf(out, "%s: %s\nas given: %s\n", exercise->name, exercise->title,
            given.state == BUILD_RIGHT ? "passes its check" : given.line);
    trial = *config;
    TRY(try_folder(exercise, JOINED("%s/solution", exercise->folder), &trial, &solution, error));
    fprintf(out, "solution: %s\n",
            solution.state == BUILD_RIGHT ? "passes its check" : solution.line);
    if (given.state == BUILD_RIGHT)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: the file as given passes its check: expected it to fail",
                         exercise->name);
    if (solution.state != BUILD_RIGHT)
        return error_set(error, STATUS_BAD_INPUT, "%s: the solution does not pass its check",
                         exercise->name);
    return STATUS_OK;
}
