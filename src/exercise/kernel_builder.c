#include "exercise/kernel_builder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/child.h"
#include "core/limits.h"
#include "core/paths.h"
#include "core/system.h"
#include "core/text.h"
#include "exercise/check.h"
#include "exercise/compiler.h"
#include "kernels/backends.h"

enum { LOG_SIZE = 1 << 16, ARGUMENTS_MAX = 12, LOOK_MS = 500, REST_MS = 50 };

/* A file of the folder, and how to see that it has changed. */
struct source_file {
    char path[PATH_SIZE];
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct kernel_builder {
    const struct backend *backend; /* that takes the files */
    struct compiler compiler;
    char folder[PATH_SIZE];
    char library[PATH_SIZE];  /* that of this attempt */
    char previous[PATH_SIZE]; /* that was right before news.good; "" if none was */
    struct user_library previous_found;
    char failed[PATH_SIZE]; /* that was right, and failed in the run; "" if none did */
    struct schedule asked;  /* which a stand-in's takes the place of */
    char mapping[16], omega[32], launches[32], copies[32]; /* for the check; "": no limit */
    char temporary[PATH_SIZE];                             /* the compiler's folder */
    int file_count, seen_count;
    struct source_file files[FILES_MAX]; /* of this attempt */
    struct source_file seen[FILES_MAX];  /* at the last look, */
    int64_t looked_ns;                   /* which was then; */
    bool changing;                       /* and they were others than at the one before */
    int watch;                           /* inotify, or -1 */
    struct child child;
    bool runs;
    int64_t began_ns;
    char log[LOG_SIZE];
    FILE *log_file;
    int shared; /* the verdict's memory */
    struct check_verdict *written, verdict;
    char architecture[48];
    struct kernel_builder_status news;
};

static const char temporary_suffix[] = ".temporary";

/* ---- the folder ----------------------------------------------------------------------------- */

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct source_file *)a)->path, ((const struct source_file *)b)->path);
}

/* Lists the files there are now whose names end so. Returns how many. */
static int list_files(const char *folder, const char *suffix, struct source_file files[FILES_MAX]) {
    DIR *entries = opendir(folder);
    int count = 0;
    for (struct dirent *entry; entries && count < FILES_MAX && (entry = readdir(entries));) {
        struct source_file *file = &files[count];
        struct stat about;
        memset(file, 0, sizeof *file);
        if (entry->d_name[0] == '.' || !text_ends_in(entry->d_name, suffix) ||
            snprintf(file->path, PATH_SIZE, "%s/%s", folder, entry->d_name) >= PATH_SIZE ||
            stat(file->path, &about) || !S_ISREG(about.st_mode))
            continue;
        file->inode = about.st_ino;
        file->size = about.st_size;
        file->changed = about.st_mtim;
        count++;
    }
    if (entries)
        closedir(entries);
    qsort(files, (size_t)count, sizeof *files, compare_files);
    return count;
}

/* Whether the files are others than those of the attempt, and at rest: editors save in steps, and
 * take a file away for a moment. They are looked at at once where the system tells of changes, else
 * (as on network file systems) within half a second. */
static bool files_changed(struct kernel_builder *builder) {
    struct source_file files[FILES_MAX];
    char events[4096];
    const int64_t now = clock_now_ns();
    const int64_t pause = INT64_C(1000000) * (builder->changing ? REST_MS : LOOK_MS);
    const bool told = builder->watch >= 0 && read(builder->watch, events, sizeof events) > 0;
    if (!told && now - builder->looked_ns < pause)
        return false;
    builder->looked_ns = now;
    const int count = list_files(builder->folder, builder->backend->user_suffix, files);
    const size_t size = (size_t)count * sizeof *files;
    builder->changing = count != builder->seen_count || memcmp(files, builder->seen, size) != 0;
    builder->seen_count = count;
    memcpy(builder->seen, files, size);
    if (builder->changing || count == 0 ||
        (count == builder->file_count && memcmp(files, builder->files, size) == 0))
        return false;
    builder->file_count = count;
    memcpy(builder->files, files, size);
    return true;
}

/* ---- compiler and check --------------------------------------------------------------------- */

static void settle(struct kernel_builder *builder, enum build_state state, const char *line) {
    snprintf(builder->news.line, sizeof builder->news.line, "%s", line);
    text_sanitize(builder->news.line);
    builder->news.state = state;
    builder->runs = false;
}

static void begin_process(struct kernel_builder *builder, const char *path, char *const arguments[],
                          int shared) {
    struct error error = {0};
    builder->child.echo = builder->log_file;
    builder->began_ns = clock_now_ns();
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

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place) {
    return remove(path);
}

/* Removes a file, or a folder with all that is in it. */
static void remove_whole(const char *path) {
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Ends compiler or check, if it has not ended, and removes what the compiler has left: if it is
 * killed, all its object files. */
static void end_process(struct kernel_builder *builder) {
    child_close(&builder->child, 0);
    fflush(builder->log_file);
    remove_whole(builder->temporary);
    builder->runs = false;
}

static void begin_compiling(struct kernel_builder *builder) {
    const char *paths[FILES_MAX];
    for (int f = 0; f < builder->file_count; f++)
        paths[f] = builder->files[f].path;
    unlink(builder->library);
    mkdir(builder->temporary, 0700);
    fseek(builder->log_file, 0, SEEK_SET);
    memset(builder->log, 0, LOG_SIZE);
    builder->news.state = BUILD_COMPILING;
    builder->news.compile_seconds = builder->news.check_seconds = NAN;
    begin_process(builder, "/usr/bin/env",
                  compiler_arguments(&builder->compiler, builder->architecture, paths,
                                     builder->file_count, builder->library, builder->temporary),
                  0);
    if (builder->runs) {
        child_limit(&builder->child, RLIMIT_CPU, ceil(limit_of(LIMIT_COMPILE)));
        child_limit(&builder->child, RLIMIT_AS, 0x1p32);
    }
}

static void begin_attempt(struct kernel_builder *builder) {
    char name[64];
    if (builder->news.state != BUILD_RIGHT)
        unlink(builder->library);
    builder->news.number++;
    builder->news.line[0] = '\0';
    snprintf(name, sizeof name, "kernels/%ld-%u.%s", (long)getpid(), builder->news.number,
             builder->backend->name);
    cache_path(builder->library, sizeof builder->library, name);
    begin_compiling(builder);
}

/* The first line that tells of an error, without the folder; else the last that says anything. */
static void settle_broken(struct kernel_builder *builder) {
    const char *line = builder->log, *found = NULL, *last = "the compiler failed without a word";
    char words[ERROR_MESSAGE_SIZE];
    for (const char *end; !found && *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        snprintf(words, sizeof words, "%.*s", (int)(end - line), line);
        if (strstr(words, "error:") || strstr(words, "undefined reference"))
            found = line;
        if (*words)
            last = line;
    }
    if (!found)
        found = last;
    const size_t prefix = strlen(builder->folder);
    if (strncmp(found, builder->folder, prefix) == 0)
        found += prefix + 1;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(found, "\n"), found);
    compiler_name_missing(&builder->compiler, words, sizeof words);
    settle(builder, BUILD_BROKEN, words);
}

/* Why the check has no verdict. The guard's line, its last, says most. */
static void settle_unfinished(struct kernel_builder *builder, bool too_late,
                              const char *why_ended) {
    const struct child *child = &builder->child;
    const char *running = builder->verdict.running;
    const char *last =
        child->ended ? sandbox_exit_reason(child->status, child_last_line(child)) : "";
    char words[ERROR_MESSAGE_SIZE];
    if (!*running && strncmp(last, "your kernels: signal ", 21) == 0)
        /* None of them was being called: the allocator found what one had left. */
        snprintf(words, sizeof words,
                 "after a kernel had returned%s: did it write beyond the end of an array?",
                 last + strlen("your kernels"));
    else if (*running && strncmp(last, running, strlen(running)) == 0 &&
             last[strlen(running)] == ':')
        snprintf(words, sizeof words, "%s", last);
    else if (*running && strncmp(last, "your kernels: ", 14) == 0)
        snprintf(words, sizeof words, "%s%s", running, last + strlen("your kernels"));
    else if (too_late)
        snprintf(words, sizeof words, "the check was stopped: it took more than %g s%s%s",
                 limit_of(LIMIT_CHECK), *running ? ", at last in " : "", running);
    else {
        snprintf(words, sizeof words, "%.40s: %.400s", *running ? running : "the check", why_ended);
        if (*running) /* what it has printed does not tell why */
            *strchrnul(words + strlen(running) + 2, ':') = '\0';
    }
    builder->verdict.outcome = CHECK_FAILED;
    settle(builder, BUILD_FAILED, words);
}

/* `why_ended`: "" if it has ended as it should. */
static void take_verdict(struct kernel_builder *builder, bool too_late, const char *why_ended) {
    struct check_verdict *verdict = &builder->verdict;
    char words[ERROR_MESSAGE_SIZE];
    *verdict = *builder->written;
    check_verdict_bound(verdict);
    if (too_late || *why_ended || verdict->outcome == CHECK_UNFINISHED) {
        settle_unfinished(builder, too_late, *why_ended ? why_ended : "ended the process");
    } else if (verdict->outcome == CHECK_RIGHT) {
        unlink(builder->failed);
        unlink(builder->previous);
        memcpy(builder->previous, builder->news.good, sizeof builder->previous);
        builder->previous_found = builder->news.found;
        memcpy(builder->news.good, builder->library, sizeof builder->library);
        builder->news.found = verdict->found;
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
    memcpy(builder->failed, builder->news.good, sizeof builder->failed);
    memcpy(builder->news.good, builder->previous, sizeof builder->previous);
    builder->news.found = builder->previous_found;
    builder->previous[0] = '\0';
    return *builder->news.good;
}

bool kernel_builder_poll(struct kernel_builder *builder) {
    const enum build_state before = builder->news.state;
    const unsigned number = builder->news.number;
    char ignored[4096];
    bool has_ended = false, too_late = false;
    if (builder->runs) {
        too_late = clock_now_ns() - builder->began_ns >
                   limit_ns(builder->news.state == BUILD_COMPILING ? LIMIT_COMPILE : LIMIT_CHECK);
        child_read_stderr(&builder->child);
        while (read(builder->child.from, ignored, sizeof ignored) > 0)
            continue;
        has_ended = child_has_ended(&builder->child) || too_late;
    }
    if (has_ended) {
        const double seconds = 1e-9 * (double)(clock_now_ns() - builder->began_ns);
        char words[ERROR_MESSAGE_SIZE];
        const bool compiling = builder->news.state == BUILD_COMPILING;
        child_exit_reason(&builder->child, words, sizeof words);
        const bool failed = too_late || child_status(&builder->child) != 0;
        end_process(builder);
        *(compiling ? &builder->news.compile_seconds : &builder->news.check_seconds) = seconds;
        if (compiling)
            builder->news.has_warnings = strstr(builder->log, "warning: ") != NULL;
        if (compiling && too_late)
            settle(builder, BUILD_BROKEN, "the compiler was stopped: it took too long");
        else if (compiling && failed)
            settle_broken(builder);
        else if (compiling) {
            const struct {
                const char *option;
                char *value;
            } options[] = {{"--kernels", builder->library},
                           {"--mapping", builder->mapping},
                           {"--omega", builder->omega},
                           {"--launches", builder->launches},
                           {"--copies", builder->copies}};
            char *arguments[ARGUMENTS_MAX] = {(char[]){"jacobi-tui"}, (char[]){"--check"}};
            int count = 2;
            for (size_t o = 0; o < sizeof options / sizeof *options; o++)
                if (*options[o].value) {
                    arguments[count++] = (char *)options[o].option;
                    arguments[count++] = options[o].value;
                }
            memset(builder->written, 0, sizeof *builder->written);
            builder->news.state = BUILD_CHECKING;
            begin_process(builder, NULL, arguments, builder->shared);
        } else {
            take_verdict(builder, too_late, failed ? words : "");
        }
        const char *wanted = builder->verdict.found.architecture;
        if (builder->news.state == BUILD_FAILED && strcmp(wanted, builder->architecture) != 0 &&
            !*builder->architecture) {
            /* A GPU's code is asked for: compiled for it from now on. */
            memcpy(builder->architecture, wanted, sizeof builder->architecture);
            begin_compiling(builder);
        }
    } else if (files_changed(builder)) {
        /* What was saved before is of no interest any more. */
        if (builder->runs)
            end_process(builder);
        begin_attempt(builder);
    }
    return builder->news.state != before || builder->news.number != number;
}

/* ---- opening and closing -------------------------------------------------------------------- */

/* Removes what a program that was killed has left in the folder of a library: PID-NUMBER.BACKEND,
 * and PID.temporary, if there is no such process. Not before a day has passed: other machines may
 * share the folder. */
static void remove_leftovers(const char *library) {
    enum { DAY_SECONDS = 86400 };
    char path[PATH_SIZE + 300];
    const int length = (int)(strrchr(library, '/') - library);
    snprintf(path, sizeof path, "%.*s", length, library);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct stat about;
        snprintf(path, sizeof path, "%.*s/%s", length, library, entry->d_name);
        if (pid > 0 && (*end == '-' || strcmp(end, temporary_suffix) == 0) && kill((pid_t)pid, 0) &&
            errno == ESRCH && lstat(path, &about) == 0 && about.st_mtime + DAY_SECONDS < time(NULL))
            remove_whole(path);
    }
    if (entries)
        closedir(entries);
}

static enum status open_parts(struct kernel_builder *builder, const struct config *config,
                              struct error *error) {
    const struct engine_spec *spec = &config->plan.lanes[0].engine;
    char name[64];
    snprintf(builder->mapping, sizeof builder->mapping, "%s", mapping_name(spec->run.mapping));
    if (spec->run.omega != OMEGA_OWN)
        snprintf(builder->omega, sizeof builder->omega, "%.17g", spec->run.omega);
    if (!isnan(config->check_launches))
        snprintf(builder->launches, sizeof builder->launches, "%.17g", config->check_launches);
    if (!isnan(config->check_copies))
        snprintf(builder->copies, sizeof builder->copies, "%.17g", config->check_copies);
    builder->child = (struct child){.leads = true, .pidfd = -1, .to = -1, .from = -1, .errors = -1};
    builder->log_file = fmemopen(builder->log, LOG_SIZE - 1, "w");
    builder->shared = memfd_create("verdict", MFD_CLOEXEC);
    builder->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (!builder->log_file || builder->shared < 0 ||
        ftruncate(builder->shared, sizeof *builder->written))
        return error_set(error, STATUS_INTERNAL, "no memory for the check: %s", strerror(errno));
    builder->written = mmap(NULL, sizeof *builder->written, PROT_READ | PROT_WRITE, MAP_SHARED,
                            builder->shared, 0);
    if (builder->written == MAP_FAILED) {
        builder->written = NULL;
        return error_set(error, STATUS_INTERNAL, "no memory for the check: %s", strerror(errno));
    }
    if (builder->watch >= 0)
        inotify_add_watch(builder->watch, builder->folder,
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
    if (!cache_path(builder->library, sizeof builder->library, "kernels/x.so") ||
        !path_make_folders(builder->library))
        return error_set(error, STATUS_INTERNAL,
                         "no folder for what is compiled: expected HOME or XDG_CACHE_HOME");
    remove_leftovers(builder->library);
    builder->library[0] = '\0';
    snprintf(name, sizeof name, "kernels/%ld%s", (long)getpid(), temporary_suffix);
    cache_path(builder->temporary, sizeof builder->temporary, name);
    memcpy(builder->seen, builder->files, sizeof builder->seen);
    builder->seen_count = builder->file_count;
    return STATUS_OK;
}

/* Finds the back end that takes the folder's files. */
static enum status find_backend(struct kernel_builder *builder, const struct config *config,
                                struct error *error) {
    const char *asked = config->plan.lanes[0].choices[0]->name;
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const char *suffix = (*backend)->user_suffix;
        const int count = suffix ? list_files(builder->folder, suffix, builder->files) : 0;
        if (count > 0 && builder->backend)
            return error_set(error, STATUS_BAD_INPUT,
                             "--kernels %.200s: expected files that end in %s or in %s, not both",
                             builder->folder, builder->backend->user_suffix, suffix);
        if (count > 0)
            builder->backend = *backend;
    }
    if (!builder->backend)
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels %.200s: there is no C file in it, and no .hip file: expected "
                         "OpenMP target regions or HIP kernels",
                         builder->folder);
    builder->file_count =
        list_files(builder->folder, builder->backend->user_suffix, builder->files);
    if (config_is_set(config, "backend") && strcmp(asked, builder->backend->name) != 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "--backend %s: expected %s, for your files end in %s", asked,
                         builder->backend->name, builder->backend->user_suffix);
    return STATUS_OK;
}

enum status kernel_builder_open(const struct config *config, struct kernel_builder **builder,
                                struct error *error) {
    struct kernel_builder *opened = calloc(1, sizeof *opened);
    struct stat about;
    if (!opened)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    opened->shared = opened->watch = -1;
    opened->asked = config->plan.lanes[0].engine.run.schedule;
    memcpy(opened->folder, config->kernels, sizeof opened->folder);
    for (size_t end = strlen(opened->folder); end > 1 && opened->folder[end - 1] == '/'; end--)
        opened->folder[end - 1] = '\0';
    enum status status = STATUS_OK;
    if (stat(opened->folder, &about) || !S_ISDIR(about.st_mode))
        status = error_set(error, STATUS_BAD_INPUT,
                           "--kernels %.200s: no such folder: expected one with C or .hip files",
                           opened->folder);
    if (!status)
        status = find_backend(opened, config, error);
    if (!status)
        status = compiler_find(&opened->compiler, opened->backend, error);
    if (!status)
        status = open_parts(opened, config, error);
    if (status) {
        kernel_builder_close(opened);
        return status;
    }
    begin_attempt(opened);
    *builder = opened;
    return STATUS_OK;
}

bool kernel_builder_is_idle(const struct kernel_builder *builder) {
    return !builder->runs;
}

const struct kernel_builder_status *kernel_builder_status(const struct kernel_builder *builder) {
    return &builder->news;
}

const char *kernel_builder_log(const struct kernel_builder *builder) {
    fflush(builder->log_file);
    return builder->log;
}

const struct check_verdict *kernel_builder_verdict(const struct kernel_builder *builder) {
    return &builder->verdict;
}

const char *kernel_builder_file(const struct kernel_builder *builder) {
    return builder->files[0].path;
}

void kernel_builder_close(struct kernel_builder *builder) {
    if (!builder)
        return;
    if (builder->runs)
        end_process(builder);
    const char *const made[] = {builder->library, builder->news.good, builder->previous,
                                builder->failed, builder->temporary};
    for (size_t m = 0; m < sizeof made / sizeof *made; m++)
        remove_whole(made[m]);
    if (builder->written)
        munmap(builder->written, sizeof *builder->written);
    if (builder->log_file)
        fclose(builder->log_file);
    if (builder->shared >= 0)
        close(builder->shared);
    if (builder->watch >= 0)
        close(builder->watch);
    free(builder);
}

/* ---- what then runs ------------------------------------------------------------------------- */

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
    const struct user_library *found = &builder->news.found;
    struct plan *plan = &config->plan;
    struct lane_spec *yours = &plan->lanes[0];
    if (config_is_set(config, "compare"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels and --compare: expected only one of them, for your kernels run "
                         "beside the program's");
    plan_compute_all(plan);
    yours->engine.run.user_kernels = true;
    if (plan->lane_count > 1) /* an exercise says what they are held against */
        return STATUS_OK;
    if (yours->choices[0] != builder->backend)
        yours->engine.run.schedule = builder->asked;
    lane_spec_set_backend(yours, builder->backend->name);
    if (!config_is_set(config, "schedule")) {
        enum schedule_kind kind = builder->backend->user_schedule;
        kind = found->phases[PHASE_FUSED] ? SCHEDULE_FUSED : kind;
        kind = found->phases[PHASE_BLOCKED] ? SCHEDULE_BLOCKED : kind;
        yours->engine.run.schedule = (struct schedule){kind, kind == SCHEDULE_BLOCKED ? 2 : 0};
    }
    plan->lanes[1] = *yours;
    plan->lanes[1].engine.run.user_kernels = false;
    plan->lane_count = 2;
    return STATUS_OK;
}
