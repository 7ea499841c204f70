#include "ui/app/exercise_actions.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exercise/exercise.h"
#include "remote/remote.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"
#include "ui/terminal/terminal.h"

enum { SCROLL_ROWS = 3 };

struct exercise_bench {
    struct workshop *workshop;
    bool has_exercise;
    struct exercise exercise;
    char *text, *hint, *afterword;
    bool hint_shown;
    struct source *source; /* of the runs; known from the first turn on */
    struct exercise_view shown;
};

/* The afterword, and how to go on; `afterword` is freed. */
static char *with_next(char *afterword) {
    char *words = NULL;
    if (afterword &&
        asprintf(&words, "%s\n\nThe next one: q, and jacobi-tui --exercise.", afterword) < 0)
        words = NULL;
    free(afterword);
    return words;
}

enum status exercise_bench_prepare(struct config *config, struct exercise_bench **bench,
                                   struct error *error) {
    struct exercise_bench *opened = calloc(1, sizeof *opened);
    enum status status = STATUS_OK;
    if (!opened)
        return error_set(error, STATUS_INTERNAL, "out of memory for the exercise");
    if (!status && config->exercise) {
        opened->has_exercise = true;
        status = exercise_find(config->exercise_name, &opened->exercise, error);
        if (!status)
            status = exercise_begin(&opened->exercise, config, error);
        if (!status) {
            opened->text = exercise_text(&opened->exercise, "text");
            opened->hint = exercise_text(&opened->exercise, "hint");
            opened->afterword = with_next(exercise_text(&opened->exercise, "afterword"));
        }
    }
    if (!status)
        status = workshop_open(config, &opened->workshop, error);
    if (status) {
        exercise_bench_close(opened);
        return status;
    }
    workshop_stand_in(opened->workshop, config);
    struct exercise_view *shown = &opened->shown;
    shown->text = opened->text;
    shown->solved = opened->exercise.solved;
    shown->file = workshop_file(opened->workshop);
    shown->news = *workshop_latest(opened->workshop);
    if (opened->has_exercise)
        snprintf(shown->title, sizeof shown->title, "%s  %s", opened->exercise.name,
                 opened->exercise.title);
    else
        snprintf(shown->title, sizeof shown->title, "Kernels of your own");
    *bench = opened;
    return STATUS_OK;
}

/* Runs what is right, in the place of what ran. */
static void run_kernels(struct app *app) {
    struct exercise_bench *bench = app->bench;
    struct config *config = malloc(sizeof *config);
    struct error error = {0};
    if (!config)
        return;
    *config = app->config;
    config->plan = app->plan;
    if (workshop_plan(bench->workshop, config, &error))
        app_show_message(app, true, "%s", error.message);
    else {
        app->plan = config->plan;
        app->state.view.cols = 0;
        remote_load(bench->source, workshop_latest(bench->workshop)->good, &app->plan);
    }
    free(config);
}

static void show_solved(struct exercise_bench *bench) {
    exercise_solve(&bench->exercise);
    bench->shown.solved = true;
    bench->shown.afterword = bench->afterword;
    bench->shown.top = 0;
}

bool exercise_bench_turn(struct app *app) {
    struct exercise_bench *bench = app->bench;
    bool changed = false;
    if (!bench)
        return false;
    if (!bench->source)
        bench->source = app->source;
    /* A run that has failed goes on with the kernels that were right before, or with the program's.
     */
    if (app->source == bench->source && app->sample->state == SESSION_FAILED &&
        app->plan.lanes[0].engine.run.user_kernels) {
        snprintf(bench->shown.failure, sizeof bench->shown.failure, "%s",
                 app->sample->error.message);
        if (workshop_fall_back(bench->workshop)) {
            run_kernels(app);
        } else {
            app->plan.lanes[0].engine.run.user_kernels = false;
            if (app->config.plan.lane_count == 1) /* the other lane is the same */
                app->plan.lane_count = 1;
            app_command(app, &(struct command){.kind = COMMAND_PLAN, .plan = &app->plan});
        }
        bench->shown.news = *workshop_latest(bench->workshop);
        changed = true;
    }
    if (workshop_turn(bench->workshop)) {
        struct exercise_view *shown = &bench->shown;
        shown->news = *workshop_latest(bench->workshop);
        shown->verdict = *workshop_verdict(bench->workshop);
        shown->failure[0] = '\0';
        if (shown->news.state == WORKSHOP_COMPILING)
            shown->afterword = NULL;
        /* While a recording is shown it waits: what is saved next takes its place. */
        if (shown->news.state == WORKSHOP_RIGHT && app->source == bench->source) {
            run_kernels(app);
            if (bench->has_exercise)
                show_solved(bench);
        }
        changed = true;
    }
    return changed;
}

const struct exercise_view *exercise_bench_view(const struct exercise_bench *bench) {
    return bench ? &bench->shown : NULL;
}

void exercise_bench_close(struct exercise_bench *bench) {
    if (!bench)
        return;
    workshop_close(bench->workshop);
    free(bench->text);
    free(bench->hint);
    free(bench->afterword);
    free(bench);
}

/* ---- keys ----------------------------------------------------------------------------------- */

bool in_exercise(const struct screen *screen) {
    return screen->exercise != NULL;
}

bool has_hint(const struct screen *screen) {
    return screen->exercise && screen->exercise->text;
}

void action_edit(struct app *app, int key) {
    app->edits = true; /* by the loop, which has the terminal */
}

void action_hint(struct app *app, int key) {
    struct exercise_bench *bench = app->bench;
    bench->hint_shown = !bench->hint_shown;
    bench->shown.hint = bench->hint_shown ? bench->hint : NULL;
    bench->shown.afterword = NULL;
    bench->shown.top = 0;
}

void action_exercise_scroll(struct app *app, int key) {
    int *top = &app->bench->shown.top;
    *top += key == TERMINAL_PAGE_UP ? -SCROLL_ROWS : SCROLL_ROWS;
    *top = *top < 0 ? 0 : *top > 60 ? 60 : *top;
}

void action_log(struct app *app, int key) {
    const char *line = workshop_log(app->bench->workshop);
    menu_begin(app, "What the compiler and your kernels have said", choose_nothing);
    app->menu.shown.is_read = true;
    while (*line) {
        char text[TEACHES_SIZE];
        const size_t length = strcspn(line, "\n");
        const char *file = app->bench->shown.file;
        const size_t folder = (size_t)(strrchr(file, '/') - file) + 1;
        const size_t skip = strncmp(line, file, folder) == 0 ? folder : 0;
        snprintf(text, sizeof text, "%.*s", (int)(length - skip), line + skip);
        struct menu_item *item = *text ? menu_add(app, "", NULL, false) : NULL;
        if (item)
            snprintf(item->note, sizeof item->note, "%s", text);
        line += length + (line[length] == '\n');
    }
    /* Where the file is, for another editor: the frame has no room for it on a small screen. */
    struct menu_item *last = menu_add(app, "", NULL, false);
    if (last)
        snprintf(last->note, sizeof last->note, "%sThe file is %s",
                 app->menu.shown.count > 1 ? "" : "Nothing, up to the end of the check. ",
                 app->bench->shown.file);
    menu_open(app);
}

/* ---- the editor ----------------------------------------------------------------------------- */

enum status exercise_bench_edit(struct app *app, struct error *error) {
    extern char **environ;
    const char *editor = getenv("VISUAL");
    char *command = NULL;
    sigset_t none;
    posix_spawnattr_t attributes;
    pid_t pid;
    int status = 0;
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor)
        editor = "vi";
    /* The variable may hold options; the file's name may hold anything. */
    if (asprintf(&command, "%s \"$1\"", editor) < 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    char *const arguments[] = {(char[]){"sh"},
                               (char[]){"-c"},
                               command,
                               (char[]){"sh"},
                               (char *)app->bench->shown.file,
                               NULL};
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int failed = posix_spawn(&pid, "/bin/sh", NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    free(command);
    if (failed)
        return error_set(error, STATUS_INTERNAL, "no process for the editor: %s", strerror(failed));
    /* What is saved meanwhile is compiled at once. */
    while (waitpid(pid, &status, WNOHANG | WUNTRACED) == 0) {
        poll(NULL, 0, 50);
        exercise_bench_turn(app);
    }
    while (WIFSTOPPED(status)) { /* it has nobody to wake it up */
        kill(pid, SIGCONT);
        if (waitpid(pid, &status, WUNTRACED) < 0)
            break;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return error_set(error, STATUS_INTERNAL,
                         "no editor '%.60s': set EDITOR, or edit the file that Enter names",
                         editor);
    return STATUS_OK;
}
