#include "exercise/kernel_builder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/child.h"
#include "core/format.h"
#include "core/limits.h"
#include "core/paths.h"
#include "core/system.h"
#include "core/text.h"
#include "exercise/compiler.h"
#include "kernels/backends.h"

enum { LOG_SIZE = 1 << 16 };

struct kernel_builder {
    const struct backend *backend; /* for the folder's files */
    struct compiler compiler;
    struct source_folder folder;
    char library[PATH_SIZE];  /* built by this attempt */
    char previous[PATH_SIZE]; /* the last good library before status.good; "": none */
    struct user_library previous_found;
    char failed[PATH_SIZE]; /* a good library that failed in the run; "": none */
    struct schedule asked;  /* the requested one; the fallback may replace it */
    struct check_request request;
    char own[PATH_SIZE];       /* folder of the generated files */
    char temporary[PATH_SIZE]; /* the compiler's folder, within `own` */
    struct child child;
    bool runs;
    int64_t began_ns;
    char log[LOG_SIZE];
    FILE *log_file;
    int shared; /* descriptor of the verdict's memory */
    struct check_verdict *written, verdict;
    char architecture[48];
    struct kernel_builder_status status;
};

/* ---- compiler and check --------------------------------------------------------------------- */

static void settle(struct kernel_builder *builder, enum build_state state, const char *line) {
    snprintf(builder->status.line, sizeof builder->status.line, "%s", line);
    text_sanitize(builder->status.line);
    builder->status.state = state;
    builder->runs = false;
}

static void begin_process(struct kernel_builder *builder, const char *path, char *const arguments[],
                          int shared) {
    struct error error = {0};
    builder->child.echo = builder->log_file;
    builder->began_ns = clock_awake_ns();
    builder->runs = true;
    if (child_start(&builder->child,
                    &(struct child_command){.path = path,
                                            .arguments = arguments,
                                            .title = path ? path : "the check",
                                            .shared = shared},
                    &error)) {
        settle(builder, BUILD_FAILED, error.message);
        return;
    }
    child_limit(&builder->child, RLIMIT_FSIZE, 1 << 26);
    close(builder->child.to);
    builder->child.to = -1;
}

/* Ends the compiler or the check if it is running. Removes temporary files: a killed compiler
 * leaves all its object files. */
static void end_process(struct kernel_builder *builder) {
    child_close(&builder->child, 0);
    fflush(builder->log_file);
    remove_tree(builder->temporary);
    builder->runs = false;
}

static void begin_compiling(struct kernel_builder *builder) {
    const char *paths[FILES_MAX];
    for (int f = 0; f < builder->folder.current.count; f++)
        paths[f] = builder->folder.current.files[f].path;
    unlink(builder->library);
    mkdir(builder->own, 0700); /* another machine may have removed it as a leftover */
    mkdir(builder->temporary, 0700);
    fseek(builder->log_file, 0, SEEK_SET);
    memset(builder->log, 0, LOG_SIZE);
    builder->status.state = BUILD_COMPILING;
    builder->status.compile_seconds = builder->status.check_seconds = NAN;
    begin_process(builder, "/usr/bin/env",
                  compiler_arguments(&builder->compiler, builder->architecture, paths,
                                     builder->folder.current.count, builder->library,
                                     builder->temporary),
                  0);
    if (builder->runs) {
        child_limit(&builder->child, RLIMIT_CPU, ceil(limit_of(LIMIT_COMPILE)));
        child_limit(&builder->child, RLIMIT_AS, 0x1p32);
    }
}

static void begin_attempt(struct kernel_builder *builder) {
    if (builder->status.state != BUILD_RIGHT)
        unlink(builder->library);
    builder->status.number++;
    builder->status.line[0] = '\0';
    format_text(builder->library, sizeof builder->library, "%s/%u.%s", builder->own,
                builder->status.number, builder->backend->name);
    begin_compiling(builder);
}

/* `exit_reason` is "" if the check exited normally. */
static void read_verdict(struct kernel_builder *builder, bool too_late, const char *exit_reason) {
    struct check_verdict *verdict = &builder->verdict;
    char words[ERROR_MESSAGE_SIZE];
    *verdict = *builder->written;
    check_verdict_bound(verdict);
    if (too_late || *exit_reason || verdict->outcome == CHECK_UNFINISHED) {
        verdict->outcome = CHECK_FAILED;
        settle(builder, BUILD_FAILED,
               check_unfinished_reason(words, sizeof words, verdict->running, &builder->child,
                                       too_late, exit_reason));
    } else if (verdict->outcome == CHECK_RIGHT) {
        unlink(builder->failed);
        unlink(builder->previous);
        memcpy(builder->previous, builder->status.good, sizeof builder->previous);
        builder->previous_found = builder->status.found;
        memcpy(builder->status.good, builder->library, sizeof builder->library);
        builder->status.found = verdict->found;
        settle(builder, BUILD_RIGHT, "");
    } else if (verdict->outcome == CHECK_WRONG) {
        settle(builder, BUILD_WRONG, check_verdict_words(words, sizeof words, verdict));
    } else {
        settle(builder, verdict->outcome == CHECK_OVER_BUDGET ? BUILD_OVER_BUDGET : BUILD_FAILED,
               verdict->message);
    }
}

bool kernel_builder_revert(struct kernel_builder *builder) {
    unlink(builder->failed);
    memcpy(builder->failed, builder->status.good, sizeof builder->failed);
    memcpy(builder->status.good, builder->previous, sizeof builder->previous);
    builder->status.found = builder->previous_found;
    builder->previous[0] = '\0';
    return *builder->status.good;
}

static void begin_check(struct kernel_builder *builder) {
    char *arguments[] = {(char[]){"jacobi-tui"}, (char[]){"--check"}, NULL};
    memset(builder->written, 0, sizeof *builder->written);
    builder->written->request = builder->request;
    memcpy(builder->written->request.library, builder->library, PATH_SIZE);
    builder->status.state = BUILD_CHECKING;
    begin_process(builder, NULL, arguments, builder->shared);
}

/* After the compiler has ended with that exit status. */
static void finish_compiling(struct kernel_builder *builder, bool too_late, int status,
                             const char *exit_reason) {
    char line[ERROR_MESSAGE_SIZE];
    builder->status.has_warnings = strstr(builder->log, "warning: ") != NULL;
    if (too_late)
        settle(builder, BUILD_BROKEN, "the compiler was stopped: it took too long");
    else if (status < 0)
        settle(builder, BUILD_BROKEN, PRINT("the compiler %s", exit_reason));
    else if (status > 0)
        settle(builder, BUILD_BROKEN,
               compiler_first_error(&builder->compiler, builder->log, builder->folder.path, line,
                                    sizeof line));
    else
        begin_check(builder);
}

/* The same for the check. If it fails because it needs a GPU's code, compiles for that GPU from now
 * on. */
static void finish_check(struct kernel_builder *builder, bool too_late, int status,
                         const char *exit_reason) {
    read_verdict(builder, too_late, too_late || status != 0 ? exit_reason : "");
    const char *wanted = builder->verdict.found.architecture;
    if (builder->status.state == BUILD_FAILED && *wanted && !*builder->architecture) {
        memcpy(builder->architecture, wanted, sizeof builder->architecture);
        begin_compiling(builder);
    }
}

/* Handles the end of the compiler or the check, or ends it if it is over its time limit. */
static void poll_process(struct kernel_builder *builder) {
    const bool compiles = builder->status.state == BUILD_COMPILING;
    const bool is_over = child_has_ended(&builder->child);
    const bool too_late = !is_over && clock_awake_ns() - builder->began_ns >
                                          limit_ns(compiles ? LIMIT_COMPILE : LIMIT_CHECK);
    char ignored[4096], reason[ERROR_MESSAGE_SIZE];
    child_read_stderr(&builder->child);
    fflush(builder->log_file);
    while (read(builder->child.from, ignored, sizeof ignored) > 0)
        continue;
    if (!is_over && !too_late)
        return;
    const int status = child_exit_status(&builder->child);
    child_exit_reason(&builder->child, reason, sizeof reason);
    *(compiles ? &builder->status.compile_seconds : &builder->status.check_seconds) =
        1e-9 * (double)(clock_awake_ns() - builder->began_ns);
    end_process(builder);
    (compiles ? finish_compiling : finish_check)(builder, too_late, status, reason);
}

bool kernel_builder_poll(struct kernel_builder *builder) {
    const enum build_state state = builder->status.state;
    const unsigned number = builder->status.number;
    const bool is_running = builder->runs;
    if (is_running)
        poll_process(builder);
    if (builder->runs == is_running && source_folder_changed(&builder->folder)) {
        if (builder->runs) /* an older save no longer matters */
            end_process(builder);
        begin_attempt(builder);
    }
    return builder->status.state != state || builder->status.number != number;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static enum status open_parts(struct kernel_builder *builder, const struct config *config,
                              struct error *error) {
    const struct run_id *run = &config->plan.lanes[0].engine.run;
    builder->request = (struct check_request){.mapping = run->mapping,
                                              .omega = run->omega,
                                              .launches = config->check_launches,
                                              .copies = config->check_copies};
    builder->child = (struct child){.leads = true, .pidfd = -1, .to = -1, .from = -1, .errors = -1};
    builder->log_file = fmemopen(builder->log, LOG_SIZE - 1, "w");
    builder->written = check_verdict_share(&builder->shared);
    if (!builder->log_file || !builder->written)
        return error_set(error, STATUS_INTERNAL, "no memory for the check: %s", strerror(errno));
    /* Containers may share the folder, and their pids may be equal. */
    if (!user_path(builder->own, sizeof builder->own, USER_CACHE,
                   PRINT("kernels/%ld-XXXXXX", (long)getpid()))) {
        builder->own[0] = '\0';
        return error_set(error, STATUS_INTERNAL,
                         "no folder for compiled kernels: expected HOME or XDG_CACHE_HOME");
    }
    if (!path_make_folders(builder->own) || !user_folder_is_own(USER_CACHE) ||
        !mkdtemp(builder->own)) {
        error_set(error, STATUS_INTERNAL, "%.300s: no folder for compiled kernels: %s",
                  builder->own, strerror(errno));
        builder->own[0] = '\0';
        return error->status;
    }
    remove_leftovers(builder->own);
    format_text(builder->temporary, sizeof builder->temporary, "%s/temporary", builder->own);
    return STATUS_OK;
}

/* Finds the back end for the folder's files. */
static enum status find_backend(struct kernel_builder *builder, const struct config *config,
                                struct error *error) {
    const char *asked = config->plan.lanes[0].choices[0]->name;
    for (const struct backend *const *backend = backends; *backend; backend++) {
        if (!(*backend)->user_kernels)
            continue;
        builder->folder.suffix = (*backend)->user_kernels->suffix;
        if (source_folder_list(&builder->folder) == 0)
            continue;
        if (builder->folder.current.has_more)
            return error_set(error, STATUS_BAD_INPUT,
                             "--kernels %.200s: expected at most %d files that end in %s",
                             builder->folder.path, FILES_MAX, builder->folder.suffix);
        if (builder->backend)
            return error_set(error, STATUS_BAD_INPUT,
                             "--kernels %.200s: expected files that end in %s or in %s, not both",
                             builder->folder.path, builder->backend->user_kernels->suffix,
                             builder->folder.suffix);
        builder->backend = *backend;
    }
    if (!builder->backend)
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels %.200s: there is no C file in it, and no .hip file: expected "
                         "OpenMP target regions or HIP kernels",
                         builder->folder.path);
    builder->folder.suffix = builder->backend->user_kernels->suffix;
    source_folder_list(&builder->folder);
    if (config_is_set(config, "backend") && strcmp(asked, builder->backend->name) != 0)
        return error_set(error, STATUS_BAD_INPUT, "--backend %s: expected %s: your files end in %s",
                         asked, builder->backend->name, builder->backend->user_kernels->suffix);
    return STATUS_OK;
}

static enum status open_builder(struct kernel_builder *builder, const struct config *config,
                                struct error *error) {
    char *folder = builder->folder.path;
    struct stat about;
    builder->shared = -1;
    builder->status.log = builder->log;
    builder->status.verdict = &builder->verdict;
    builder->asked = config->plan.lanes[0].engine.run.schedule;
    /* The compiler would take a name that begins with '-' for an option, with '@' for a list. */
    format_text(folder, sizeof builder->folder.path, "%s%s",
                strspn(config->kernels, "-@") ? "./" : "", config->kernels);
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = '\0';
    if (stat(folder, &about) || !S_ISDIR(about.st_mode))
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels %.200s: no such folder: expected one with C or .hip files",
                         folder);
    TRY(find_backend(builder, config, error));
    TRY(compiler_find(&builder->compiler, builder->backend, error));
    TRY(open_parts(builder, config, error));
    builder->status.file = builder->folder.current.files[0].path;
    begin_attempt(builder);
    return STATUS_OK;
}

enum status kernel_builder_open(const struct config *config, struct kernel_builder **builder,
                                struct error *error) {
    struct kernel_builder *opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (open_builder(opened, config, error)) {
        kernel_builder_close(opened);
        return error->status;
    }
    *builder = opened;
    return STATUS_OK;
}

const struct kernel_builder_status *kernel_builder_status(const struct kernel_builder *builder) {
    return &builder->status;
}

void kernel_builder_close(struct kernel_builder *builder) {
    if (!builder)
        return;
    if (builder->runs)
        end_process(builder);
    if (*builder->own)
        remove_tree(builder->own);
    check_verdict_unshare(builder->written, builder->shared);
    if (builder->log_file)
        fclose(builder->log_file);
    free(builder);
}

/* ---- the run that follows ------------------------------------------------------------------- */

void kernel_builder_fallback(const struct kernel_builder *builder, struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    struct error ignored = {0};
    if (backend_check(builder->backend, &lane->engine, &ignored) == STATUS_OK)
        return;
    lane_spec_set_backend(lane, "serial");
    lane->engine.run.schedule = (struct schedule){SCHEDULE_CLASSIC, 0};
    config->plan.lane_count = 1;
}

enum status kernel_builder_plan(const struct kernel_builder *builder, struct config *config,
                                struct error *error) {
    const struct user_library *found = &builder->status.found;
    struct plan *plan = &config->plan;
    struct lane_spec *yours = &plan->lanes[0];
    if (config_is_set(config, "compare"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels and --compare can't be combined: your kernels run beside the "
                         "program's");
    plan_compute_all(plan);
    yours->engine.run.user_kernels = true;
    if (plan->lane_count > 1) /* the exercise defines its own comparison */
        return STATUS_OK;
    if (yours->choices[0] != builder->backend)
        yours->engine.run.schedule = builder->asked;
    lane_spec_set_backend(yours, builder->backend->name);
    if (!config_is_set(config, "schedule")) {
        enum schedule_kind kind = builder->backend->user_kernels->schedule;
        kind = found->phases[PHASE_FUSED] ? SCHEDULE_FUSED : kind;
        kind = found->phases[PHASE_BLOCKED] ? SCHEDULE_BLOCKED : kind;
        yours->engine.run.schedule = (struct schedule){kind, kind == SCHEDULE_BLOCKED ? 2 : 0};
    }
    plan->lanes[1] = *yours;
    plan->lanes[1].engine.run.user_kernels = false;
    plan->lane_count = 2;
    return STATUS_OK;
}
