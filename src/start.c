#include "start.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "build_info.h"
#include "build_parts.h"
#include "config/settings.h"
#include "core/format.h"
#include "core/process.h"
#include "core/system.h"
#include "exercise/exercise.h"
#include "mpi/world.h"
#include "record/format/sample_codec.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "remote/client.h"
#include "report/doctor.h"
#include "report/report.h"
#include "session/ranks.h"
#include "tour/lesson.h"
#include "ui/app/app.h"

enum status start_document(struct config *config, int *number, struct error *error) {
    signal(SIGPIPE, SIG_DFL); /* so that the program ends when its reader stops reading */
    enum status status = STATUS_OK;
    if (*config->on)
        interrupt_install(); /* COMMAND ends first */
    if (config->action == ACTION_HELP)
        generate_help(stdout);
    else if (config->action == ACTION_VERSION)
        printf("jacobi-tui %s, commit %s\nbuilt in: %s\n", BUILD_VERSION, build_commit,
               BUILD_PARTS);
    else if (config->action == ACTION_GENERATE)
        generate_document(stdout, config->generate);
    else if (config->action == ACTION_LIST && config->exercise)
        exercise_list(stdout);
    else
        status = machine_describe(stdout, config, ui_examine, error);
    *number = interrupt_signal();
    return status;
}

static enum status open_source(struct config *config, const struct client_settings *client,
                               const struct view *view, struct source **source,
                               struct error *error) {
    if (config_is_replay(config))
        return replay_open(config, NULL, source, error);
    return client_start(client, &config->plan, view, source, error);
}

static enum status run_source(struct config *config, const char *kernels, FILE *out,
                              struct error *error) {
    if (*config->screenshot || *config->cast)
        return offscreen_run(config, kernels, out, error);
    const struct client_settings client = {.command = *config->on ? config->on : NULL,
                                           .kernels = kernels,
                                           .check = true,
                                           .echo = stderr};
    const struct view view = recorder_view(&config->view);
    struct source *source;
    config->plan.paused = false;
    TRY(open_source(config, &client, &view, &source, error));
    const enum status status = report_source(config, source, out, error);
    source->ops->close(source);
    return status;
}

enum status start_source(struct config *config, FILE *out, struct error *error) {
    return run_source(config, NULL, out, error);
}

enum status start_kernels(struct config *config, FILE *out, struct error *error) {
    struct kernel_builder *builder;
    enum status status = exercise_build(config, &builder, error);
    if (!status)
        status = run_source(config, kernel_builder_status(builder)->good, out, error);
    kernel_builder_close(builder);
    return status;
}

/* Opens the source. If the solver's process can't start, a driver may have ended or blocked it: it
 * starts again without the first back end of each run that has others. */
static enum status open_somehow(struct config *config, const struct client_settings *client,
                                const struct view *view, struct source **source,
                                struct error *error) {
    enum status status = open_source(config, client, view, source, error);
    struct error ignored = {0};
    char left_out[80] = "";
    for (bool any = !*config->on; any && status == STATUS_UNAVAILABLE;) {
        format_list(left_out, sizeof left_out, config->plan.lanes[0].choices[0]->name);
        any = false;
        for (int l = 0; l < config->plan.lane_count; l++)
            any |= lane_spec_drop_choice(&config->plan.lanes[l]);
        if (any)
            status = open_source(config, client, view, source, &ignored);
    }
    if (!status && *left_out)
        fprintf(stderr, "jacobi-tui: %s left out: %s\n", left_out, error->message);
    return status ? error->status : STATUS_OK;
}

/* Sets `next` to the exercise to begin then; "" if the user has quit. */
static enum status show_screen(struct config *config, int *signal, char next[16],
                               struct error *error) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    const struct client_settings client = {.command = *config->on ? config->on : NULL,
                                           .check = !config->tour,
                                           .echo = *config->on ? stderr : NULL,
                                           .echoes_start = true};
    struct source *source;
    struct exercise_session *session = NULL;
    enum status status = STATUS_OK;
    if (config->tour)
        lesson_first_plan(config);
    else
        config->plan.most_unknowns =
            *config->on || config_is_set(config, "grid") ? 0 : plan_cpu_unknowns();
    if (*config->kernels || config->exercise)
        status = exercise_session_prepare(config, &session, error);
    const bool loads = config_is_replay(config); /* loading a large recording takes time */
    if (loads)
        interrupt_by_key();
    if (!status)
        status = open_somehow(config, &client, &view, &source, error);
    const bool has_quit = loads && interrupt_by_key_end();
    if (status) {
        exercise_session_close(session);
        return has_quit ? STATUS_OK : status;
    }
    status = ui_run(config, source, session, signal, error);
    /* A live run may have failed before the user quit. */
    const struct sample *last = source->ops->latest(source);
    if (!status && !*signal && last && last->state == SESSION_FAILED && !*last->playback.label) {
        *error = last->error;
        status = error->status;
    }
    const bool goes_on = !status && !*signal && exercise_session_next(session, next, 64);
    if (!status && !*signal && last && !config->tour && !goes_on)
        report_summary(stdout, config, last);
    source->ops->close(source);
    exercise_session_close(session);
    return status;
}

enum status start_screen(struct config *config, int *signal, struct error *error) {
    struct config *asked = malloc(sizeof *asked);
    char next[64] = "";
    if (!asked)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    *asked = *config;
    enum status status = show_screen(config, signal, next, error);
    while (!status && *next) {
        *config = *asked;
        if (*config->record || *config->cast)
            snprintf(config->warning, sizeof config->warning,
                     "--record and --cast ended with the first exercise");
        config->record[0] = config->cast[0] = '\0';
        snprintf(config->exercise_name, sizeof config->exercise_name, "%s", next);
        *next = '\0';
        status = show_screen(config, signal, next, error);
    }
    free(asked);
    return status;
}

bool start_wants_screen(const struct config *config) {
    const bool pictures = *config->screenshot || (*config->cast && *config->replay);
    return !config->headless && !pictures && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* Returns a digest of the data that all ranks must share: the build and the task. */
static uint32_t digest_task(const struct config *config) {
    static uint8_t bytes[1 << 13];
    static struct plan plan;
    struct codec codec = codec_writer(bytes, sizeof bytes);
    plan = config->plan;
    plan_code(&codec, &plan);
    uLong sum = crc32(config->serve, (const uint8_t *)build_commit, (uInt)strlen(build_commit));
    sum = crc32(sum, (const uint8_t *)BUILD_VERSION, sizeof BUILD_VERSION);
    return (uint32_t)crc32(sum, bytes, (uInt)codec.at);
}

/* Whether the run's solver is another process. It would inherit the launcher's variables, but not
 * the rank that they describe. */
static bool needs_process(const struct config *config) {
    const bool draws = *config->screenshot || *config->cast;
    return *config->on || *config->kernels || config->exercise ||
           (draws && !config_is_replay(config));
}

enum status start_launched(const struct config *config, bool *is_done, struct error *warning,
                           struct error *error) {
    struct launch launch;
    const bool is_launched = process_is_launched(&launch);
    *is_done = true;
    if (config->check)
        return check_serve(error);
    if (is_launched && !config->serve && (!config->headless || needs_process(config)))
        return config_refuse_launcher(config, &launch, error);
    if (is_launched && !config->serve)
        process_output(); /* launchers join all ranks' output: only the report may be in it */
    const enum status joined =
        is_launched ? world_join(&launch, digest_task(config), warning) : STATUS_OK;
    if (joined == STATUS_BAD_INPUT && launch.rank > 0) /* rank 0 reports it */
        return STATUS_OK;
    if (joined && joined != STATUS_UNAVAILABLE) {
        *error = *warning;
        return joined;
    }
    if (is_launched && launch.rank > 0 && !warning->status)
        return ranks_worker_loop(error);
    if (is_launched && launch.rank > 0 && !config->serve) /* otherwise rank 0 reports it */
        return error_set(error, STATUS_UNAVAILABLE,
                         "%s is %d, and this process computes nothing: %.300s; --alone makes it "
                         "run alone",
                         launch.variable, launch.rank, warning->message);
    if (is_launched && launch.rank > 0)
        return STATUS_OK;
    *is_done = false;
    return STATUS_OK;
}
