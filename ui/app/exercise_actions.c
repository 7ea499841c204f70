#include "ui/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/child.h"
#include "core/file.h"
#include "exercise/exercise.h"
#include "remote/client.h"
#include "ui/terminal/terminal.h"

enum { SCROLL_ROWS = 3 };

struct exercise_session {
    struct kernel_builder *builder;
    bool has_exercise;
    struct exercise exercise;
    char *text, *hint, *afterword, *code;
    bool wants_next;
    struct source *source; /* of the runs; set at the first poll */
    struct exercise_view shown;
};

/* The afterword, and how to continue; frees `afterword`. */
static char *with_next(char *afterword) {
    char *words = NULL;
    if (afterword && asprintf(&words, "%s\n\nN begins the next one.", afterword) < 0)
        words = NULL;
    free(afterword);
    return words;
}

/* Reads the user's saved file; keeps the previous text if the file can't be read. */
static void read_code(struct exercise_session *session) {
    enum { CODE_MAX = 1 << 16 };
    char *code = NULL;
    size_t size = 0;
    if (file_read(session->shown.news->file, CODE_MAX, &code, &size, NULL))
        return;
    free(session->code);
    session->code = strndup(code, size);
    session->shown.code = session->code;
    free(code);
}

static enum status begin_exercise(struct exercise_session *session, struct config *config,
                                  struct error *error) {
    struct exercise *exercise = &session->exercise;
    session->has_exercise = true;
    TRY(exercise_find(config->exercise_name, exercise, error));
    TRY(exercise_begin(exercise, config, error));
    session->text = exercise_text(exercise, "text");
    session->hint = exercise_text(exercise, "hint");
    session->afterword = with_next(exercise_text(exercise, "afterword"));
    return STATUS_OK;
}

enum status exercise_session_prepare(struct config *config, struct exercise_session **session,
                                     struct error *error) {
    struct exercise_session *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_set(error, STATUS_INTERNAL, "out of memory for the exercise");
    if ((config->exercise && begin_exercise(opened, config, error)) ||
        kernel_builder_open(config, &opened->builder, error)) {
        exercise_session_close(opened);
        return error->status;
    }
    kernel_builder_fallback(opened->builder, config);
    struct exercise_view *shown = &opened->shown;
    shown->text = opened->text;
    shown->solved = opened->exercise.solved;
    shown->news = kernel_builder_status(opened->builder);
    read_code(opened);
    format_text(shown->title, sizeof shown->title, "%s",
                opened->has_exercise
                    ? PRINT("%s  %s", opened->exercise.name, opened->exercise.title)
                    : "Kernels of your own");
    *session = opened;
    return STATUS_OK;
}

/* Runs the kernels that passed the check. */
static void run_kernels(struct app *app) {
    struct exercise_session *session = app->exercise;
    struct config config = app->config;
    struct error error = {0};
    config.plan = app->plan;
    if (kernel_builder_plan(session->builder, &config, &error)) {
        app_show_message(app, true, "%s", error.message);
        return;
    }
    app->plan = config.plan;
    app->state.view.cols = 0;
    client_load(session->source, kernel_builder_status(session->builder)->good, &app->plan);
}

/* Continues a failed run with the last kernels that passed the check, or with the program's own. */
static void replace_failed(struct app *app) {
    struct exercise_session *session = app->exercise;
    snprintf(session->shown.failure, sizeof session->shown.failure, "%s",
             app->sample->error.message);
    if (kernel_builder_revert(session->builder)) {
        run_kernels(app);
    } else {
        app->plan.lanes[0].engine.run.user_kernels = false;
        if (app->config.plan.lane_count == 1) /* the other lane is the same */
            app->plan.lane_count = 1;
        app_run_plan(app);
    }
}

static void show_build(struct app *app) {
    struct exercise_session *session = app->exercise;
    struct exercise_view *shown = &session->shown;
    shown->failure[0] = '\0';
    read_code(session);
    if (shown->news->state == BUILD_COMPILING)
        shown->afterword = NULL;
    shown->waits = shown->news->state == BUILD_RIGHT;
    if (shown->waits && session->has_exercise) {
        struct error error;
        if (exercise_solve(&session->exercise, &error))
            app_show_message(app, true, "%s", error.message);
        shown->solved = true;
        shown->afterword = session->afterword;
        shown->top = 0;
    }
}

bool exercise_session_poll(struct app *app) {
    struct exercise_session *session = app->exercise;
    if (!session)
        return false;
    if (!session->source)
        session->source = app->source;
    const bool has_failed = app->source == session->source &&
                            app->sample->state == SESSION_FAILED &&
                            app->plan.lanes[0].engine.run.user_kernels;
    if (has_failed)
        replace_failed(app);
    const bool has_news = kernel_builder_poll(session->builder);
    if (has_news)
        show_build(app);
    const bool begins = session->shown.waits && app->source == session->source && !app->tour;
    if (begins) {
        session->shown.waits = false;
        run_kernels(app);
    }
    return has_failed || has_news || begins;
}

const struct exercise_view *exercise_session_view(const struct exercise_session *session) {
    return session ? &session->shown : NULL;
}

bool exercise_session_next(const struct exercise_session *session, char *name, size_t size) {
    struct exercise next;
    if (!session || !session->wants_next || !exercise_after(session->exercise.name, &next))
        return false;
    snprintf(name, size, "%s", next.name);
    return true;
}

void exercise_session_close(struct exercise_session *session) {
    if (!session)
        return;
    kernel_builder_close(session->builder);
    free(session->text);
    free(session->hint);
    free(session->afterword);
    free(session->code);
    free(session);
}

/* ---- keys ----------------------------------------------------------------------------------- */

void action_edit(struct app *app, int key) {
    app->edits = true; /* the loop starts it, since it has the terminal */
}

void action_hint(struct app *app, int key) {
    struct exercise_session *session = app->exercise;
    session->shown.hint = session->shown.hint ? NULL : session->hint;
    session->shown.afterword = NULL;
    session->shown.top = 0;
}

void action_next_exercise(struct app *app, int key) {
    struct exercise next;
    app->quit = app->exercise->wants_next = exercise_after(app->exercise->exercise.name, &next);
    if (!app->quit)
        app_show_message(app, false, "this is the last exercise");
}

void action_exercise_scroll(struct app *app, int key) {
    int *top = &app->exercise->shown.top;
    *top += key == TERMINAL_PAGE_UP ? -SCROLL_ROWS : SCROLL_ROWS;
    *top = *top < 0 ? 0 : *top > 60 ? 60 : *top;
}

void action_log(struct app *app, int key) {
    const char *line = kernel_builder_status(app->exercise->builder)->log;
    menu_begin(app, "Output of the compiler and of your kernels", NULL);
    app->menu.shown.is_read = true;
    while (*line) {
        const size_t length = strcspn(line, "\n");
        const char *file = app->exercise->shown.news->file;
        const size_t folder = (size_t)(strrchr(file, '/') - file) + 1;
        const size_t skip = strncmp(line, file, folder) == 0 ? folder : 0;
        if (length > skip)
            menu_add(app, "", NULL, false, "%.*s", (int)(length - skip), line + skip);
        line += length + (line[length] == '\n');
    }
    /* The path of the file, for another editor: on a small screen the frame has no room for it. */
    menu_add(app, "", NULL, false, "%sThe file is %s",
             app->menu.shown.count > 0 ? "" : "Compiler and check have printed nothing. ",
             app->exercise->shown.news->file);
    menu_open(app);
}

/* ---- the editor ----------------------------------------------------------------------------- */

enum status exercise_session_edit(struct app *app, struct error *error) {
    enum { LOOK_MS = 50, NOT_FOUND = 127 };
    const char *editor = getenv("VISUAL");
    char *command = NULL;
    struct child child = {.is_resumed = true};
    if (!editor || !*editor)
        editor = getenv("EDITOR");
    if (!editor || !*editor)
        editor = "vi";
    /* The variable may contain options; the file's name may contain any characters. */
    if (asprintf(&command, "%s \"$1\"", editor) < 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    char *const arguments[] = {(char[]){"sh"},
                               (char[]){"-c"},
                               command,
                               (char[]){"sh"},
                               (char *)app->exercise->shown.news->file,
                               NULL};
    const enum status status = child_start(
        &child,
        &(struct child_command){
            .path = "/bin/sh", .arguments = arguments, .title = "the editor", .inherits = true},
        error);
    free(command);
    if (status)
        return status;
    while (!child_wait(&child, LOOK_MS)) {
        sigset_t pending;
        exercise_session_poll(app); /* compiles saved files immediately */
        if (sigpending(&pending) == 0 &&
            (sigismember(&pending, SIGTERM) || sigismember(&pending, SIGHUP))) {
            child_close(&child, 0); /* the loop reads the signal */
            return STATUS_OK;
        }
    }
    if (child_exit_status(&child) == NOT_FOUND)
        return error_set(error, STATUS_INTERNAL,
                         "no editor '%.60s': set EDITOR, or edit the file that Enter names",
                         editor);
    return STATUS_OK;
}
