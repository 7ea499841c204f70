/* Assembles the program: configuration, then a run with or without a screen, or a document. Only
 * this file prints errors and chooses the exit status. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "build_info.h"
#include "build_parts.h"
#include "config/settings.h"
#include "core/crash.h"
#include "core/limits.h"
#include "core/system.h"
#include "exercise/exercise.h"
#include "mpi/world.h"
#include "record/format/sample_codec.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "remote/client.h"
#include "remote/server.h"
#include "report/doctor.h"
#include "report/report.h"
#include "session/ranks.h"
#include "tour/lesson.h"
#include "ui/app/app.h"

/* ---- options and their conflicts ------------------------------------------------------------- */

static bool has_kernels(const struct config *config) {
    return *config->kernels || config->exercise;
}

/* --exercise FOLDER */
static bool is_self_test(const struct config *config) {
    return config->exercise && strchr(config->exercise_name, '/');
}

static enum status check_conflicts(const struct config *config, struct error *error) {
    const char *conflict = NULL;
    if (config->follow && !*config->replay)
        conflict = "--follow needs --replay FILE";
    else if (*config->on && *config->replay)
        conflict = "--on and --replay can't be combined: recordings are local";
    else if (has_kernels(config) && (*config->on || *config->replay))
        conflict = "--kernels can't be combined with --on or --replay: your kernels run on this "
                   "machine";
    return conflict ? error_set(error, STATUS_BAD_INPUT, "%s", conflict) : STATUS_OK;
}

/* A tour and an exercise's folder run nothing without a screen. */
static enum status check_headless_conflicts(const struct config *config, struct error *error) {
    const char *idle = config->tour           ? "--tour"
                       : is_self_test(config) ? "an exercise's folder"
                                              : NULL;
    const char *of_runs = *config->screenshot              ? "--screenshot"
                          : *config->cast                  ? "--cast"
                          : *config->record                ? "--record"
                          : config->format != FORMAT_TABLE ? "--format"
                                                           : NULL;
    if (*config->worksheet && !config->tour)
        return error_set(error, STATUS_BAD_INPUT, "--worksheet needs --tour");
    if (!idle || !of_runs)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s and %s can't be combined: without a screen nothing runs", of_runs, idle);
}

/* ---- sources --------------------------------------------------------------------------------- */

static enum status open_source(struct config *config, const struct client_settings *solver,
                               const struct view *view, struct source **source,
                               struct error *error) {
    if (replay_is_asked(config))
        return replay_open(config, NULL, source, error);
    return client_start(solver, &config->plan, view, source, error);
}

/* Reports a remote run, a growing recording, or any run that is drawn. */
static enum status run_source(struct config *config, const char *kernels, FILE *out,
                              struct error *error) {
    if (*config->screenshot || *config->cast)
        return offscreen_run(config, kernels, out, interrupt_flag(), error);
    const struct client_settings solver = {.command = *config->on ? config->on : NULL,
                                           .kernels = kernels,
                                           .check = true,
                                           .echo = stderr,
                                           .stop = interrupt_flag()};
    const struct view view = recorder_view(&config->view);
    struct source *source;
    config->plan.paused = false;
    if (open_source(config, &solver, &view, &source, error))
        return error->status;
    const enum status status = report_source(config, source, out, stderr, interrupt_flag(), error);
    source->ops->close(source);
    return status;
}

/* Compiles and checks the user's kernels, runs them, and reports the run. */
static enum status run_kernels(struct config *config, FILE *out, struct error *error) {
    struct kernel_builder *builder;
    enum status status = exercise_build(config, &builder, error);
    if (!status)
        status = run_source(config, kernel_builder_status(builder)->good, out, error);
    kernel_builder_close(builder);
    return status;
}

/* ---- without a screen ------------------------------------------------------------------------ */

static void show_progress(const char *line) {
    fprintf(stderr, "\r\x1b[K%s", line ? line : "");
}

static enum status run_headless(struct config *config, struct error *error) {
    const bool is_recorded = replay_is_asked(config);
    interrupt_install();
    crash_install_headless();
    progress_switch_on(show_progress);
    if (check_headless_conflicts(config, error))
        return error->status;
    FILE *const out = process_output();
    if (config->tour) {
        const enum status status = tour_list(config, out, error);
        return status || !*config->worksheet ? status : worksheet_write_blank(config, error);
    }
    if (is_self_test(config))
        return exercise_self_test(config, out, error);
    if (has_kernels(config))
        return run_kernels(config, out, error);
    if (*config->on || *config->screenshot || *config->cast || (is_recorded && config->follow))
        return run_source(config, NULL, out, error);
    if (is_recorded)
        return report_replay(config, out, error);
    return headless_run(config, out, stderr, interrupt_flag(), error);
}

/* ---- with a screen --------------------------------------------------------------------------- */

/* The screencast of a live run is made from the screen that the user sees and drives. */
static bool wants_screen(const struct config *config) {
    const bool pictures = *config->screenshot || (*config->cast && *config->replay);
    return !config->headless && !pictures && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* Sets `next` to the exercise to begin then; "" if the user has quit. */
static enum status show_screen(struct config *config, int *signal, char next[16],
                               struct error *error) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    const struct client_settings solver = {.command = *config->on ? config->on : NULL,
                                           .check = !config->tour,
                                           .echo = *config->on ? stderr : NULL,
                                           .echoes_start = true};
    struct source *source;
    struct exercise_session *session = NULL;
    enum status status = STATUS_OK;
    if (config->tour)
        lesson_first_plan(config);
    else
        config->plan.fits = !*config->on && !config_is_set(config, "grid");
    if (*config->kernels || config->exercise)
        status = exercise_session_prepare(config, &session, error);
    const bool loads = replay_is_asked(config); /* loading a large recording takes time */
    if (loads)
        interrupt_by_key();
    if (!status)
        status = open_source(config, &solver, &view, &source, error);
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
    const bool goes_on = !status && !*signal && exercise_session_next(session, next, 16);
    if (!status && !*signal && last && !config->tour && !goes_on)
        report_summary(stdout, config, last);
    source->ops->close(source);
    exercise_session_close(session);
    return status;
}

/* Shows the source until the user quits; *signal as in ui_run. */
static enum status run_screen(struct config *config, int *signal, struct error *error) {
    struct config *asked = malloc(sizeof *asked);
    char next[16] = "";
    if (!asked)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    *asked = *config;
    enum status status = show_screen(config, signal, next, error);
    while (!status && *next) {
        *config = *asked;
        snprintf(config->exercise_name, sizeof config->exercise_name, "%s", next);
        *next = '\0';
        status = show_screen(config, signal, next, error);
    }
    free(asked);
    return status;
}

/* ---- several processes ----------------------------------------------------------------------- */

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

/* Runs a process that is one of several, or a check. *is_done is false for rank 0 and for a single
 * process. `warning`: the reason why rank 0 computes alone. A process with a screen is never one of
 * several: it starts them. One process reports an error for all, and the others succeed: if they
 * failed, a launcher would end the reporting one. */
static enum status run_launched(const struct config *config, bool *is_done, struct error *warning,
                                struct error *error) {
    struct launch launch;
    const bool is_launched = process_is_launched(&launch);
    *is_done = true;
    if (config->check)
        return check_serve(error);
    if (is_launched && !config->serve && !config->headless)
        return config_refuse_launcher(config, &launch, error);
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

/* ---- the program ----------------------------------------------------------------------------- */

static enum status run(struct config *config, int *signal, struct error *error) {
    if (check_conflicts(config, error) || (!config->tour && resolve_recordings(config, error)))
        return error->status;
    const bool is_wanted = wants_screen(config), screen = is_wanted && ui_is_built();
    if (is_wanted && !screen)
        fputs("jacobi-tui: no screen: this program was built without ncursesw "
              "(libncurses-dev); runs as with --headless\n",
              stderr);
    if (screen)
        config_warn_idle(config, (const char *const[]){"roof", "sweep", NULL},
                         "on the screen, where f and B measure");
    if (screen && config->is_bare)
        config_demo_plan(config);
    const bool is_in_child = screen || *config->on || *config->kernels; /* child checks the plan */
    if (!replay_is_asked(config) && !config->tour && !is_in_child &&
        plan_check(&config->plan, error))
        return error->status;
    const enum status status =
        screen ? run_screen(config, signal, error) : run_headless(config, error);
    *signal = *signal ? *signal : interrupt_signal();
    return status;
}

/* Prints the document requested instead of a run. */
static enum status print_document(const struct config *config, struct error *error) {
    signal(SIGPIPE, SIG_DFL); /* so that the program ends when its reader stops reading */
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
        return machine_describe(stdout, config, ui_examine, error);
    return STATUS_OK;
}

static enum status act(struct config *config, int *number, struct error *error) {
    if (config->action != ACTION_RUN)
        return print_document(config, error);
    if (limits_read(error) || environment_check(error))
        return error->status;
    struct error warning = {0};
    bool is_done;
    enum status status = run_launched(config, &is_done, &warning, error);
    if (warning.status && !is_done)
        fprintf(stderr, "jacobi-tui: rank 0 computes alone: %s\n", warning.message);
    if (!is_done)
        status = config->serve ? server_run(&config->plan, config->kernels, error)
                               : run(config, number, error);
    return status == STATUS_UNAVAILABLE ? resolve_offer_recording(&config->plan, error) : status;
}

int main(int argc, char *argv[]) {
    struct config config;
    struct error error = {0};
    int signal = 0;
    if (!process_init())
        return STATUS_INTERNAL; /* an error can't be printed */
    enum status status = config_from_command_line(&config, argc, argv, &error);
    if (config.alone)
        process_ignore_launcher();
    if (!status && *config.warning)
        fprintf(stderr, "jacobi-tui: %s\n", config.warning);
    if (!status)
        status = act(&config, &signal, &error);
    progress_end();
    const enum status written = process_close_output(status ? NULL : &error);
    status = status ? status : written;
    if (status || signal == SIGXCPU)
        fprintf(stderr, "jacobi-tui: %s\n", status ? error.message : out_of_time);
    ranks_shutdown(); /* last: it may end this process */
    return signal ? 128 + signal : (int)status;
}
