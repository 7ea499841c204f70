/* Assembles the program: configuration, then a run with or without a screen, or a document. Only
 * this file prints errors and chooses the exit status. */
#include <stdio.h>
#include <string.h>

#include "core/crash.h"
#include "core/limits.h"
#include "core/system.h"
#include "exercise/exercise.h"
#include "record/resolve.h"
#include "remote/server.h"
#include "report/report.h"
#include "session/ranks.h"
#include "start.h"
#include "tour/lesson.h"
#include "ui/app/app.h"

/* ---- options and their conflicts ------------------------------------------------------------- */

enum {
    ON = 1 << 0,
    REPLAY = 1 << 1,   /* --replay */
    RECORDED = 1 << 2, /* --replay, or recordings alone in --compare */
    FOLLOW = 1 << 3,
    KERNELS = 1 << 4,   /* --kernels or --exercise */
    SELF_TEST = 1 << 5, /* --exercise FOLDER */
    TOUR = 1 << 6,
    WORKSHEET = 1 << 7,
    SCREENSHOT = 1 << 8,
    CAST = 1 << 9,
    RECORD = 1 << 10,
    FORMAT = 1 << 11,
    GROWING = 1 << 12, /* a recording that --follow reads */
    ROOF = 1 << 13,
    NO_EVENTS = 1 << 14,
    ANYTHING = 1 << 15,
};

static unsigned find_asked(const struct config *config) {
    const bool is_recorded = config_is_replay(config);
    return (*config->on ? ON : 0) | (*config->replay ? REPLAY : 0) | (is_recorded ? RECORDED : 0) |
           (config->follow ? FOLLOW : 0) | (*config->kernels || config->exercise ? KERNELS : 0) |
           (config->exercise && strchr(config->exercise_name, '/') ? SELF_TEST : 0) |
           (config->tour ? TOUR : 0) | (*config->worksheet ? WORKSHEET : 0) |
           (*config->screenshot ? SCREENSHOT : 0) | (*config->cast ? CAST : 0) |
           (*config->record ? RECORD : 0) | (config->format != FORMAT_TABLE ? FORMAT : 0) |
           (is_recorded && config->follow ? GROWING : 0) | (config->probes_roof ? ROOF : 0) |
           (config->plan.lanes[0].engine.without_events ? NO_EVENTS : 0) | ANYTHING;
}

#define NOT_RUN(option, name, other, other_name)                                                   \
    {option, other, 0, name " and " other_name " can't be combined: without a screen nothing runs"}
#define NOTHING_RUNS(other, name)                                                                  \
    NOT_RUN(SCREENSHOT, "--screenshot", other, name), NOT_RUN(CAST, "--cast", other, name),        \
        NOT_RUN(RECORD, "--record", other, name), NOT_RUN(FORMAT, "--format", other, name)

struct rule {
    unsigned asked, excludes, needs;
    const char *message;
};

static const struct rule rules[] = {
    {FOLLOW, 0, REPLAY, "--follow needs --replay FILE"},
    {ON, REPLAY, 0, "--on and --replay can't be combined: recordings are local"},
    {RECORD, REPLAY, 0, "--record and --replay can't be combined: only live runs are recorded"},
    {KERNELS, ON | REPLAY, 0,
     "--kernels can't be combined with --on or --replay: your kernels run on this machine"},
    {ROOF, NO_EVENTS, 0,
     "--roof and --no-events can't be combined: a bottleneck is found from events"},
    {0}};

static const struct rule headless_rules[] = {{WORKSHEET, 0, TOUR, "--worksheet needs --tour"},
                                             NOTHING_RUNS(TOUR, "--tour"),
                                             NOTHING_RUNS(SELF_TEST, "an exercise's folder"),
                                             {0}};

static enum status check_rules(const struct rule *rule, unsigned asked, struct error *error) {
    for (; rule->asked; rule++)
        if (asked & rule->asked && (asked & rule->excludes || (rule->needs & ~asked)))
            return error_set(error, STATUS_BAD_INPUT, "%s", rule->message);
    return STATUS_OK;
}

/* ---- without a screen ------------------------------------------------------------------------ */

static enum status list_tour(struct config *config, FILE *out, struct error *error) {
    const enum status status = tour_list(config, out, error);
    return status || !*config->worksheet ? status : worksheet_write_blank(config, error);
}

/* The first row with a requested option runs. */
static const struct {
    unsigned asked;
    enum status (*run)(struct config *config, FILE *out, struct error *error);
} headless_runs[] = {{TOUR, list_tour},         {SELF_TEST, exercise_self_test},
                     {KERNELS, start_kernels},  {ON | SCREENSHOT | CAST | GROWING, start_source},
                     {RECORDED, report_replay}, {ANYTHING, headless_run}};

static void show_progress(const char *line) {
    fprintf(stderr, "\r\x1b[K%s", line ? line : "");
}

static enum status run_headless(struct config *config, struct error *error) {
    const unsigned asked = find_asked(config);
    int row = 0;
    interrupt_install();
    progress_switch_on(show_progress);
    TRY(check_rules(headless_rules, asked, error));
    while (!(asked & headless_runs[row].asked))
        row++;
    return headless_runs[row].run(config, process_output(), error);
}

static void print_warning(const struct config *config) {
    if (*config->warning)
        fprintf(stderr, "jacobi-tui: %s\n", config->warning);
}

static void warn_of_outputs(struct config *config, const char *when) {
    const char *const format = config->format > FORMAT_JSONL ? "format" : NULL;
    config_warn_idle(
        config, (const char *const[]){"record", "screenshot", "cast", "worksheet", format, NULL},
        when);
    print_warning(config);
}

static enum status run(struct config *config, int *signal, struct error *error) {
    if (check_rules(rules, find_asked(config), error) ||
        (!config->tour && resolve_recordings(config, error)))
        return error->status;
    const bool is_wanted = start_wants_screen(config), screen = is_wanted && ui_is_built();
    if (is_wanted && !screen)
        fputs("jacobi-tui: no screen: this program was built without ncursesw "
              "(libncurses-dev); runs as with --headless\n",
              stderr);
    if (screen && config->is_bare)
        config_demo_plan(config);
    if (!screen && process_output()) /* before drivers are examined: they may crash or print */
        crash_install_headless();
    const bool is_in_child = screen || *config->on || *config->kernels; /* child checks the plan */
    if (!config_is_replay(config) && !config->tour && !is_in_child &&
        plan_check(&config->plan, error))
        return error->status;
    print_warning(config);
    if (screen)
        config_warn_idle(config, (const char *const[]){"roof", "sweep", NULL},
                         "on the screen, where f and B measure");
    const enum status status =
        screen ? start_screen(config, signal, error) : run_headless(config, error);
    *signal = *signal ? *signal : interrupt_signal();
    return status;
}

static enum status act(struct config *config, int *number, struct error *error) {
    if (config->action != ACTION_RUN) {
        warn_of_outputs(config, "because nothing runs");
        return start_document(config, number, error);
    }
    TRY(limits_read(error));
    TRY(environment_check(error));
    struct error warning = {0};
    bool is_done;
    enum status status = start_launched(config, &is_done, &warning, error);
    if (warning.status && !is_done)
        fprintf(stderr, "jacobi-tui: rank 0 computes alone: %s\n", warning.message);
    if (config->serve)
        warn_of_outputs(config, "with --serve: the screen makes them");
    if (!is_done)
        status = config->serve ? server_run(&config->plan, config->kernels, error)
                               : run(config, number, error);
    return status == STATUS_UNAVAILABLE ? resolve_offer_recording(&config->plan, error) : status;
}

int main(int argc, char *argv[]) {
    static struct config config; /* too large for a small stack */
    struct error error = {0};
    int signal = 0;
    if (!process_init())
        return STATUS_INTERNAL; /* an error can't be printed */
    enum status status = process_check(&error);
    if (!status)
        status = config_from_command_line(&config, argc, argv, &error);
    if (config.alone)
        process_ignore_launcher();
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
