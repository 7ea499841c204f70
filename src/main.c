/* Puts the program together: configuration, then a run with or without a screen, or a document. The
 * only place that prints errors and chooses the exit status. */
#include <stdio.h>
#include <unistd.h>

#include "build_info.h"
#include "config/settings.h"
#include "core/process.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "report/headless.h"
#include "report/report.h"
#include "session/session.h"
#include "tour/tour.h"
#include "ui/app/app.h"

static enum status run_headless(struct config *config, struct error *error) {
    interrupt_catch();
    if (config->tour)
        return tour_list(config, stdout, error);
    if (*config->screenshot || *config->cast)
        return offscreen_run(config, interrupt_flag(), error);
    if (replay_is_asked(config))
        return report_replay(config, stdout, error);
    return headless_run(config, stdout, stderr, interrupt_flag(), error);
}

static enum status open_source(struct config *config, struct source **source, struct error *error) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    if (replay_is_asked(config))
        return replay_open(config, NULL, source, error);
    return session_start(&config->plan, &view, source, error);
}

/* The error of a live run that the user has left, if it failed. */
static enum status last_failure(struct source *source, struct error *error) {
    const struct sample *last = source->ops->latest(source);
    if (!last || last->state != SESSION_FAILED || *last->playback.label)
        return STATUS_OK;
    *error = last->error;
    return error->status;
}

/* The screen; *signal as ui_run has it. */
static enum status run_screen(struct config *config, int *signal, struct error *error) {
    struct source *source;
    enum status status = open_source(config, &source, error);
    if (status)
        return status;
    status = ui_run(config, source, signal, error);
    if (!status && !*signal)
        status = last_failure(source, error);
    source->ops->close(source);
    return status;
}

/* A screencast of a live run is made of the screen that the user sees and drives. */
static bool wants_screen(const struct config *config) {
    const bool pictures = *config->screenshot || (*config->cast && *config->replay);
    if (config->headless || pictures || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    if (!ui_is_built())
        fputs("jacobi-tui: built without a screen (it needs ncursesw): --headless\n", stderr);
    return ui_is_built();
}

static enum status run(struct config *config, int *signal, struct error *error) {
    if (!config->tour && resolve_recordings(config, error))
        return error->status;
    if (!replay_is_asked(config) && !config->tour && plan_check(&config->plan, error))
        return error->status;
    if (wants_screen(config))
        return run_screen(config, signal, error);
    const enum status status = run_headless(config, error);
    *signal = interrupt_signal();
    return status;
}

static enum status list(const struct config *config, struct error *error) {
    if (config->format == FORMAT_JSON || config->format == FORMAT_JSONL)
        return list_json(stdout, error);
    list_text(stdout);
    return STATUS_OK;
}

static enum status act(struct config *config, int *signal, struct error *error) {
    switch (config->action) {
    case ACTION_HELP:
        document_help(stdout);
        return STATUS_OK;
    case ACTION_VERSION:
        puts("jacobi-tui " BUILD_VERSION);
        return STATUS_OK;
    case ACTION_GENERATE:
        document_generate(stdout, config->generate);
        return STATUS_OK;
    case ACTION_LIST:
        return environment_check(error) ? error->status : list(config, error);
    case ACTION_RUN:
        return environment_check(error) ? error->status : run(config, signal, error);
    }
    return STATUS_INTERNAL;
}

int main(int argc, char *argv[]) {
    struct config config;
    struct error error = {0};
    int signal = 0;
    if (!process_prepare())
        return STATUS_INTERNAL; /* nowhere to say it */
    enum status status = config_from_command_line(&config, argc, argv, &error);
    if (!status && *config.notice)
        fprintf(stderr, "jacobi-tui: %s\n", config.notice);
    if (!status)
        status = act(&config, &signal, &error);
    const enum status written = process_close_output(status ? NULL : &error);
    status = status ? status : written;
    if (status)
        fprintf(stderr, "jacobi-tui: %s\n", error.message);
    return signal ? 128 + signal : (int)status;
}
