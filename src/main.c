/* Puts the program together: configuration, then a run with or without a screen, or a document. The
 * only place that prints errors and chooses the exit status. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"
#include "build_parts.h"
#include "config/settings.h"
#include "core/crash.h"
#include "core/limits.h"
#include "core/process.h"
#include "core/system.h"
#include "exercise/exercise.h"
#include "exercise/kernel_builder.h"
#include "kernels/backends.h"
#include "mpi/world.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "record/resolve.h"
#include "remote/client.h"
#include "remote/command.h"
#include "remote/server.h"
#include "report/doctor.h"
#include "report/report.h"
#include "session/ranks.h"
#include "tour/lesson.h"
#include "ui/app/app.h"
#include "ui/panels/panel.h"

enum { ITERATIONS_SHOWN = 100 }; /* of an exercise without a screen */

/* Whether a live run happens in another process: the screen, and all that came, outlive a runtime
 * that ends its process. */
static bool is_remote(const struct config *config, bool screen) {
    return *config->on || *config->kernels || screen;
}

/* A run elsewhere, a recording that still grows, or any run that is drawn, to the end of its run.
 */
static enum status run_source(struct config *config, const char *kernels, struct error *error) {
    if (*config->screenshot || *config->cast)
        return offscreen_run(config, kernels, stdout, interrupt_flag(), error);
    const struct client_settings remote = {.command = *config->on ? config->on : NULL,
                                           .kernels = kernels,
                                           .check = true,
                                           .echo = stderr,
                                           .stop = interrupt_flag()};
    const struct view view = recorder_view(&config->view);
    struct source *source;
    config->plan.paused = false;
    enum status status = *config->on || kernels
                             ? client_start(&remote, &config->plan, &view, &source, error)
                             : replay_open(config, NULL, &source, error);
    if (status)
        return status;
    status = report_source(config, source, stdout, stderr, interrupt_flag(), error);
    source->ops->close(source);
    return status;
}

/* Compiles and checks the user's kernels, and runs them beside the program's if they are right. */
static enum status run_kernels(struct config *config, struct error *error) {
    struct kernel_builder *builder;
    struct exercise exercise;
    enum status status = STATUS_OK;
    if (config->exercise)
        status = exercise_find(config->exercise_name, &exercise, error);
    if (config->exercise && !status)
        status = exercise_begin(&exercise, config, error);
    if (!status)
        status = kernel_builder_open(config, &builder, error);
    if (status)
        return status;
    while (!kernel_builder_is_idle(builder) && !interrupt_signal()) {
        poll(NULL, 0, 5);
        kernel_builder_poll(builder);
    }
    const struct kernel_builder_status *news = kernel_builder_status(builder);
    if (news->state != BUILD_RIGHT)
        status =
            error_set(error, news->state == BUILD_FAILED ? STATUS_DEVICE_FAILED : STATUS_BAD_INPUT,
                      "%s%s", news->state == BUILD_WRONG ? "wrong: " : "", news->line);
    else
        status = kernel_builder_plan(builder, config, error);
    if (!status && config->exercise)
        exercise_solve(&exercise);
    /* On the screen the user ends the run; here a few iterations show how fast they are. */
    if (!status && config->exercise && !config_is_set(config, "iterations") &&
        !config_is_set(config, "tolerance"))
        for (int l = 0; l < config->plan.lane_count; l++)
            if (config->plan.lanes[l].iterations > ITERATIONS_SHOWN)
                config->plan.lanes[l].iterations = ITERATIONS_SHOWN;
    if (!status)
        status = run_source(config, news->good, error);
    kernel_builder_close(builder);
    return status;
}

/* Nothing runs without a screen if a lesson is listed or an exercise proved: refuses what would be
 * made of a run. */
static enum status refuse_output(const struct config *config, struct error *error) {
    const char *option = *config->screenshot              ? "--screenshot"
                         : *config->cast                  ? "--cast"
                         : *config->record                ? "--record"
                         : config->format != FORMAT_TABLE ? "--format"
                                                          : NULL;
    if (!option)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "%s with %s: expected only one of them, for without a screen nothing is run",
                     option, config->tour ? "--tour" : "an exercise's folder");
}

static enum status run_headless(struct config *config, struct error *error) {
    interrupt_install();
    crash_install_headless();
    progress_switch_on();
    const bool proves = config->exercise && strchr(config->exercise_name, '/');
    if (*config->worksheet && !config->tour)
        return error_set(error, STATUS_BAD_INPUT, "--worksheet: expected --tour with it");
    if ((config->tour || proves) && refuse_output(config, error))
        return error->status;
    if (config->tour) {
        const enum status status = tour_list(config, panel_names(), stdout, error);
        return status || !*config->worksheet ? status : worksheet_write_blank(config, error);
    }
    if (proves) {
        struct exercise exercise;
        const enum status status = exercise_find(config->exercise_name, &exercise, error);
        return status ? status : exercise_self_test(&exercise, config, stdout, error);
    }
    if (*config->kernels || config->exercise)
        return run_kernels(config, error);
    if (*config->on || *config->screenshot || *config->cast ||
        (replay_is_asked(config) && config->follow))
        return run_source(config, NULL, error);
    if (replay_is_asked(config))
        return report_replay(config, stdout, error);
    return headless_run(config, stdout, stderr, interrupt_flag(), error);
}

static enum status open_source(struct config *config, struct source **source, struct error *error) {
    const struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    if (replay_is_asked(config))
        return replay_open(config, NULL, source, error);
    const struct client_settings elsewhere = {.command = *config->on ? config->on : NULL,
                                              .check = !config->tour,
                                              .echo = *config->on ? stderr : NULL};
    return client_start(&elsewhere, &config->plan, &view, source, error);
}

/* What runs while a lesson asks its first question: small, and worth watching. */
static void take_lesson_plan(struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    lane_spec_set_backend(lane, "serial");
    lane->engine.mesh = mesh_make(96, 96);
    lane->engine.problem = problem_find("hot-plate");
    lane->iterations = 100000;
    config->plan.lane_count = 1;
    config->plan.iterations_per_second = 200;
}

/* What runs if nothing is asked for: it moves on any machine from the first second on, in the same
 * time on all, and leaves the machine free for other work. */
static void default_demo_plan(struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    lane->engine.mesh = mesh_make(192, 192);
    lane->engine.problem = problem_find("hot-plate");
    lane->iterations = 1000000;
    lane->tolerance = 1e-6;
    config->plan.iterations_per_second = 1000;
}

/* The screen; *signal as ui_run has it. */
static enum status run_screen(struct config *config, int *signal, struct error *error) {
    struct source *source;
    struct exercise_session *session = NULL;
    if (config->tour)
        take_lesson_plan(config);
    enum status status = STATUS_OK;
    if (*config->kernels || config->exercise)
        status = exercise_session_prepare(config, &session, error);
    if (!status)
        status = open_source(config, &source, error);
    if (status) {
        exercise_session_close(session);
        return status;
    }
    if (source->ops->check)
        client_quiet(source);
    status = ui_run(config, source, session, signal, error);
    /* A live run that the user has left may have failed. */
    const struct sample *last = source->ops->latest(source);
    if (!status && !*signal && last && last->state == SESSION_FAILED && !*last->playback.label) {
        *error = last->error;
        status = error->status;
    }
    if (!status && !*signal && last && !config->tour)
        report_summary(stdout, config, last);
    source->ops->close(source);
    exercise_session_close(session);
    return status;
}

/* A screencast of a live run is made of the screen that the user sees and drives. */
static bool wants_screen(const struct config *config) {
    const bool pictures = *config->screenshot || (*config->cast && *config->replay);
    if (config->headless || pictures || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    if (!ui_is_built())
        fputs("jacobi-tui: no screen: this program was built without ncursesw "
              "(libncurses-dev); runs as with --headless\n",
              stderr);
    return ui_is_built();
}

/* Prints the command to use: the launcher within --on, and what else was asked for behind it. */
static enum status refuse_launcher(const struct config *config, const struct launch *launch,
                                   struct error *error) {
    const char *options = strchr(config->command, ' ');
    char count[16] = "N";
    if (launch->count > 0)
        snprintf(count, sizeof count, "%d", launch->count);
    return error_set(
        error, STATUS_BAD_INPUT,
        "started as one of several processes, which can't have the screen: --headless, "
        "or, without the launcher: jacobi-tui --on '%s %s'%.300s",
        launch->launcher, count, options ? options : "");
}

static enum status run(struct config *config, int *signal, struct error *error) {
    struct launch launch;
    bool is_launched = process_is_launched(&launch);
    if (config->check)
        return check_serve(config, error);
    /* A screen is never one of several processes: it starts them. One line is enough for all; if
     * the others failed, a launcher would end the one that has something to say. */
    if (is_launched && !config->serve && !config->headless)
        return launch.rank > 0 ? STATUS_OK : refuse_launcher(config, &launch, error);
    if (is_launched && world_join(&launch, error)) {
        if (launch.rank == 0)
            fprintf(stderr, "jacobi-tui: rank 0 computes alone: %s\n", error->message);
        *error = (struct error){0};
        is_launched = false;
        if (launch.rank > 0)
            return STATUS_OK;
    }
    if (is_launched && launch.rank > 0)
        return ranks_follow(error);
    if (config->serve)
        return server_run(&config->plan, config->kernels, error);
    if (config->follow && !*config->replay)
        return error_set(error, STATUS_BAD_INPUT, "--follow: expected --replay FILE");
    if (*config->on && *config->replay)
        return error_set(error, STATUS_BAD_INPUT,
                         "--on and --replay: expected only one of them, for a recording is here");
    if ((*config->kernels || config->exercise) && (*config->on || *config->replay))
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels with --on or --replay: expected --kernels alone, for they run "
                         "on this machine");
    if (!config->tour && resolve_recordings(config, error))
        return error->status;
    const bool screen = wants_screen(config);
    if (screen)
        config_warn_idle(config, (const char *const[]){"roof", "sweep", NULL},
                         "on the screen, where f and B measure");
    if (screen && config->is_bare)
        default_demo_plan(config);
    if (!replay_is_asked(config) && !config->tour && !is_remote(config, screen) &&
        plan_check(&config->plan, error))
        return error->status;
    if (screen)
        return run_screen(config, signal, error);
    const enum status status = run_headless(config, error);
    *signal = interrupt_signal();
    return status;
}

/* Adds to why a run is not available here which recording shows it; returns the error's status. */
static enum status offer_recording(const struct plan *plan, struct error *error) {
    struct lane_spec wanted = plan->lanes[0];
    char name[PATH_SIZE], device[96];
    const struct error why = *error;
    wanted.engine.mesh.Nx = 0; /* on any grid */
    if (why.status == STATUS_UNAVAILABLE && plan->lane_count == 1 && wanted.choice_count == 1 &&
        resolve_similar(&wanted, "", name, device))
        error_set(error, why.status, "%.400s (recorded: --replay %.64s)", why.message, name);
    return why.status;
}

/* --list and --doctor, of the other side if there is one. */
static enum status describe_machine(const struct config *config, struct error *error) {
    const bool as_json = config->format == FORMAT_JSON || config->format == FORMAT_JSONL;
    const bool examines = config->action == ACTION_DOCTOR;
    struct examination examination = {0};
    struct launch launch;
    if (limits_read(error))
        return error->status;
    if (process_is_launched(&launch) && launch.rank > 0) { /* the first of several tells */
        if (examines && !*config->on)
            examine_ranks(&examination);
        return STATUS_OK;
    }
    if (*config->on) {
        char options[40];
        snprintf(options, sizeof options, "--%s%s", examines ? "doctor" : "list",
                 as_json ? " --format json" : "");
        return command_run(config->on, options, error);
    }
    if (examines) {
        crash_install_headless();
        examine_machine(&examination);
        ui_examine(config, &examination);
        return examination_write(stdout, config, &examination, error);
    }
    if (environment_check(error))
        return error->status;
    if (as_json)
        return list_json(stdout, error);
    list_text(stdout);
    return STATUS_OK;
}

static enum status act(struct config *config, int *signal, struct error *error) {
    switch (config->action) {
    case ACTION_HELP:
        generate_help(stdout);
        return STATUS_OK;
    case ACTION_VERSION:
        printf("jacobi-tui %s, commit %s\nbuilt in: %s\n", BUILD_VERSION, build_commit,
               BUILD_PARTS);
        return STATUS_OK;
    case ACTION_GENERATE:
        generate_document(stdout, config->generate);
        return STATUS_OK;
    case ACTION_LIST:
        if (config->exercise) {
            exercise_list(stdout);
            return STATUS_OK;
        }
        return describe_machine(config, error);
    case ACTION_DOCTOR:
        return describe_machine(config, error);
    case ACTION_RUN: {
        if (limits_read(error) || environment_check(error))
            return error->status;
        const enum status status = run(config, signal, error);
        return status == STATUS_UNAVAILABLE ? offer_recording(&config->plan, error) : status;
    }
    }
    return STATUS_INTERNAL;
}

int main(int argc, char *argv[]) {
    struct config config;
    struct error error = {0};
    int signal = 0;
    if (!process_init())
        return STATUS_INTERNAL; /* nowhere to say it */
    struct launch launch;
    const bool is_silent = process_is_launched(&launch) && launch.rank > 0;
    enum status status = config_from_command_line(&config, argc, argv, &error);
    if (status && is_silent) /* rank 0 says it */
        return STATUS_OK;
    if (!status && *config.warning)
        fprintf(stderr, "jacobi-tui: %s\n", config.warning);
    if (!status)
        status = act(&config, &signal, &error);
    progress_end();
    const enum status written = process_close_output(status ? NULL : &error);
    status = status ? status : written;
    if (status || signal == SIGXCPU)
        fprintf(stderr, "jacobi-tui: %s\n", status ? error.message : out_of_time);
    ranks_dismiss(); /* at last: it may end this process */
    return signal ? 128 + signal : (int)status;
}
