#include "exercise/workshop.h"

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

#include "core/limits.h"
#include "core/paths.h"
#include "core/system.h"
#include "core/text.h"
#include "exercise/check.h"
#include "exercise/compiler.h"
#include "kernels/backends.h"
#include "remote/process.h"

enum { LOG_SIZE = 1 << 16, ARGUMENTS_MAX = 12, LOOK_MS = 500, REST_MS = 50 };

/* A file of the folder, and how to see that it has changed. */
struct source_file {
    char path[PATH_SIZE];
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct workshop {
    const struct backend *backend; /* that takes the files */
    struct compiler compiler;
    char folder[PATH_SIZE];
    char library[PATH_SIZE];  /* that of this attempt */
    char previous[PATH_SIZE]; /* that was right before news.good; "" if none was */
    struct own_found previous_found;
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
    struct process process;
    bool runs;
    int64_t began_ns;
    char log[LOG_SIZE];
    FILE *log_file;
    int shared; /* the verdict's memory */
    struct check_verdict *written, verdict;
    char architecture[48];
    struct workshop_news news;
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
static bool files_changed(struct workshop *workshop) {
    struct source_file files[FILES_MAX];
    char events[4096];
    const int64_t now = clock_now_ns();
    const int64_t pause = INT64_C(1000000) * (workshop->changing ? REST_MS : LOOK_MS);
    const bool told = workshop->watch >= 0 && read(workshop->watch, events, sizeof events) > 0;
    if (!told && now - workshop->looked_ns < pause)
        return false;
    workshop->looked_ns = now;
    const int count = list_files(workshop->folder, workshop->backend->own_suffix, files);
    const size_t size = (size_t)count * sizeof *files;
    workshop->changing = count != workshop->seen_count || memcmp(files, workshop->seen, size) != 0;
    workshop->seen_count = count;
    memcpy(workshop->seen, files, size);
    if (workshop->changing || count == 0 ||
        (count == workshop->file_count && memcmp(files, workshop->files, size) == 0))
        return false;
    workshop->file_count = count;
    memcpy(workshop->files, files, size);
    return true;
}

/* ---- compiler and check --------------------------------------------------------------------- */

static void limit_resource(pid_t pid, int resource, rlim_t most) {
    const struct rlimit limit = {most, most};
    prlimit(pid, (enum __rlimit_resource)resource, &limit, NULL);
}

static void workshop_settle(struct workshop *workshop, enum workshop_state state,
                            const char *line) {
    snprintf(workshop->news.line, sizeof workshop->news.line, "%s", line);
    text_sanitize(workshop->news.line);
    workshop->news.state = state;
    workshop->runs = false;
}

static void begin_process(struct workshop *workshop, const char *path, char *const arguments[],
                          int shared) {
    struct error error = {0};
    workshop->process.echo = workshop->log_file;
    workshop->began_ns = clock_now_ns();
    workshop->runs = true;
    if (process_spawn(&workshop->process, path, arguments, shared, &error)) {
        workshop_settle(workshop, WORKSHOP_FAILED, error.message);
        return;
    }
    limit_resource(workshop->process.pid, RLIMIT_FSIZE, 1 << 26);
    close(workshop->process.to);
    workshop->process.to = -1;
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
static void end_process(struct workshop *workshop) {
    process_close(&workshop->process, 0);
    fflush(workshop->log_file);
    remove_whole(workshop->temporary);
    workshop->runs = false;
}

static void begin_compiling(struct workshop *workshop) {
    const char *paths[FILES_MAX];
    for (int f = 0; f < workshop->file_count; f++)
        paths[f] = workshop->files[f].path;
    unlink(workshop->library);
    mkdir(workshop->temporary, 0700);
    fseek(workshop->log_file, 0, SEEK_SET);
    memset(workshop->log, 0, LOG_SIZE);
    workshop->news.state = WORKSHOP_COMPILING;
    workshop->news.compile_seconds = workshop->news.check_seconds = NAN;
    begin_process(workshop, "/usr/bin/env",
                  compiler_arguments(&workshop->compiler, workshop->architecture, paths,
                                     workshop->file_count, workshop->library, workshop->temporary),
                  -1);
    if (workshop->runs) {
        limit_resource(workshop->process.pid, RLIMIT_CPU, (rlim_t)ceil(limit_of(LIMIT_COMPILE)));
        limit_resource(workshop->process.pid, RLIMIT_AS, (rlim_t)1 << 32);
    }
}

static void begin_attempt(struct workshop *workshop) {
    char name[64];
    if (workshop->news.state != WORKSHOP_RIGHT)
        unlink(workshop->library);
    workshop->news.number++;
    workshop->news.line[0] = '\0';
    snprintf(name, sizeof name, "kernels/%ld-%u.%s", (long)getpid(), workshop->news.number,
             workshop->backend->name);
    path_of_cache(workshop->library, sizeof workshop->library, name);
    begin_compiling(workshop);
}

/* The first line that tells of an error, without the folder; else the last that says anything. */
static void settle_broken(struct workshop *workshop) {
    const char *line = workshop->log, *found = NULL, *last = "the compiler failed without a word";
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
    const size_t prefix = strlen(workshop->folder);
    if (strncmp(found, workshop->folder, prefix) == 0)
        found += prefix + 1;
    snprintf(words, sizeof words, "%.*s", (int)strcspn(found, "\n"), found);
    compiler_name_missing(&workshop->compiler, words, sizeof words);
    workshop_settle(workshop, WORKSHOP_BROKEN, words);
}

/* Why the check has no verdict. The guard's line, its last, says most. */
static void settle_unfinished(struct workshop *workshop, bool too_late, const char *why_ended) {
    const struct process *process = &workshop->process;
    const char *running = workshop->verdict.running;
    const char *last =
        process->ended ? guard_end_words(process->status, process_last_line(process)) : "";
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
    workshop->verdict.outcome = CHECK_FAILED;
    workshop_settle(workshop, WORKSHOP_FAILED, words);
}

/* `why_ended`: "" if it has ended as it should. */
static void take_verdict(struct workshop *workshop, bool too_late, const char *why_ended) {
    struct check_verdict *verdict = &workshop->verdict;
    char words[ERROR_MESSAGE_SIZE];
    *verdict = *workshop->written;
    check_verdict_bound(verdict);
    if (too_late || *why_ended || verdict->outcome == CHECK_UNFINISHED) {
        settle_unfinished(workshop, too_late, *why_ended ? why_ended : "ended the process");
    } else if (verdict->outcome == CHECK_RIGHT) {
        unlink(workshop->failed);
        unlink(workshop->previous);
        memcpy(workshop->previous, workshop->news.good, sizeof workshop->previous);
        workshop->previous_found = workshop->news.found;
        memcpy(workshop->news.good, workshop->library, sizeof workshop->library);
        workshop->news.found = verdict->found;
        workshop_settle(workshop, WORKSHOP_RIGHT, "");
    } else if (verdict->outcome == CHECK_WRONG) {
        workshop_settle(workshop, WORKSHOP_WRONG,
                        check_verdict_words(words, sizeof words, verdict));
    } else {
        workshop_settle(workshop,
                        verdict->outcome == CHECK_COSTLY ? WORKSHOP_COSTLY : WORKSHOP_FAILED,
                        verdict->message);
    }
}

bool workshop_fall_back(struct workshop *workshop) {
    unlink(workshop->failed);
    memcpy(workshop->failed, workshop->news.good, sizeof workshop->failed);
    memcpy(workshop->news.good, workshop->previous, sizeof workshop->previous);
    workshop->news.found = workshop->previous_found;
    workshop->previous[0] = '\0';
    return *workshop->news.good;
}

bool workshop_turn(struct workshop *workshop) {
    const enum workshop_state before = workshop->news.state;
    const unsigned number = workshop->news.number;
    char ignored[4096];
    bool has_ended = false, too_late = false;
    if (workshop->runs) {
        too_late =
            clock_now_ns() - workshop->began_ns >
            limit_ns(workshop->news.state == WORKSHOP_COMPILING ? LIMIT_COMPILE : LIMIT_CHECK);
        process_hear(&workshop->process);
        while (read(workshop->process.from, ignored, sizeof ignored) > 0)
            continue;
        has_ended = process_has_ended(&workshop->process) || too_late;
    }
    if (has_ended) {
        const double seconds = 1e-9 * (double)(clock_now_ns() - workshop->began_ns);
        char words[ERROR_MESSAGE_SIZE];
        const bool compiling = workshop->news.state == WORKSHOP_COMPILING;
        process_end_words(&workshop->process, words, sizeof words);
        const bool failed = too_late || process_status(&workshop->process) != 0;
        end_process(workshop);
        *(compiling ? &workshop->news.compile_seconds : &workshop->news.check_seconds) = seconds;
        if (compiling)
            workshop->news.has_warnings = strstr(workshop->log, "warning: ") != NULL;
        if (compiling && too_late)
            workshop_settle(workshop, WORKSHOP_BROKEN,
                            "the compiler was stopped: it took too long");
        else if (compiling && failed)
            settle_broken(workshop);
        else if (compiling) {
            const struct {
                const char *option;
                char *value;
            } options[] = {{"--kernels", workshop->library},
                           {"--mapping", workshop->mapping},
                           {"--omega", workshop->omega},
                           {"--launches", workshop->launches},
                           {"--copies", workshop->copies}};
            char *arguments[ARGUMENTS_MAX] = {(char[]){"jacobi-tui"}, (char[]){"--check"}};
            int count = 2;
            for (size_t o = 0; o < sizeof options / sizeof *options; o++)
                if (*options[o].value) {
                    arguments[count++] = (char *)options[o].option;
                    arguments[count++] = options[o].value;
                }
            memset(workshop->written, 0, sizeof *workshop->written);
            workshop->news.state = WORKSHOP_CHECKING;
            begin_process(workshop, NULL, arguments, workshop->shared);
        } else {
            take_verdict(workshop, too_late, failed ? words : "");
        }
        const char *wanted = workshop->verdict.found.architecture;
        if (workshop->news.state == WORKSHOP_FAILED &&
            strcmp(wanted, workshop->architecture) != 0 && !*workshop->architecture) {
            /* A GPU's code is asked for: compiled for it from now on. */
            memcpy(workshop->architecture, wanted, sizeof workshop->architecture);
            begin_compiling(workshop);
        }
    } else if (files_changed(workshop)) {
        /* What was saved before is of no interest any more. */
        if (workshop->runs)
            end_process(workshop);
        begin_attempt(workshop);
    }
    return workshop->news.state != before || workshop->news.number != number;
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

static enum status open_parts(struct workshop *workshop, const struct config *config,
                              struct error *error) {
    const struct engine_spec *spec = &config->plan.lanes[0].engine;
    char name[64];
    snprintf(workshop->mapping, sizeof workshop->mapping, "%s", mapping_name(spec->run.mapping));
    if (spec->run.omega != OMEGA_OWN)
        snprintf(workshop->omega, sizeof workshop->omega, "%.17g", spec->run.omega);
    if (!isnan(config->check_launches))
        snprintf(workshop->launches, sizeof workshop->launches, "%.17g", config->check_launches);
    if (!isnan(config->check_copies))
        snprintf(workshop->copies, sizeof workshop->copies, "%.17g", config->check_copies);
    workshop->process = (struct process){.to = -1, .from = -1, .errors = -1};
    workshop->log_file = fmemopen(workshop->log, LOG_SIZE - 1, "w");
    workshop->shared = memfd_create("verdict", MFD_CLOEXEC);
    workshop->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (!workshop->log_file || workshop->shared < 0 ||
        ftruncate(workshop->shared, sizeof *workshop->written))
        return error_set(error, STATUS_INTERNAL, "no memory for the check: %s", strerror(errno));
    workshop->written = mmap(NULL, sizeof *workshop->written, PROT_READ | PROT_WRITE, MAP_SHARED,
                             workshop->shared, 0);
    if (workshop->written == MAP_FAILED) {
        workshop->written = NULL;
        return error_set(error, STATUS_INTERNAL, "no memory for the check: %s", strerror(errno));
    }
    if (workshop->watch >= 0)
        inotify_add_watch(workshop->watch, workshop->folder,
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
    if (!path_of_cache(workshop->library, sizeof workshop->library, "kernels/x.so") ||
        !path_make_folders(workshop->library))
        return error_set(error, STATUS_INTERNAL,
                         "no folder for what is compiled: expected HOME or XDG_CACHE_HOME");
    remove_leftovers(workshop->library);
    workshop->library[0] = '\0';
    snprintf(name, sizeof name, "kernels/%ld%s", (long)getpid(), temporary_suffix);
    path_of_cache(workshop->temporary, sizeof workshop->temporary, name);
    memcpy(workshop->seen, workshop->files, sizeof workshop->seen);
    workshop->seen_count = workshop->file_count;
    return STATUS_OK;
}

/* Finds the back end that takes the folder's files. */
static enum status find_backend(struct workshop *workshop, const struct config *config,
                                struct error *error) {
    const char *asked = config->plan.lanes[0].choices[0]->name;
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const char *suffix = (*backend)->own_suffix;
        const int count = suffix ? list_files(workshop->folder, suffix, workshop->files) : 0;
        if (count > 0 && workshop->backend)
            return error_set(error, STATUS_BAD_INPUT,
                             "--kernels %.200s: expected files that end in %s or in %s, not both",
                             workshop->folder, workshop->backend->own_suffix, suffix);
        if (count > 0)
            workshop->backend = *backend;
    }
    if (!workshop->backend)
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels %.200s: there is no C file in it, and no .hip file: expected "
                         "OpenMP target regions or HIP kernels",
                         workshop->folder);
    workshop->file_count =
        list_files(workshop->folder, workshop->backend->own_suffix, workshop->files);
    if (config_was_given(config, "backend") && strcmp(asked, workshop->backend->name) != 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "--backend %s: expected %s, for your files end in %s", asked,
                         workshop->backend->name, workshop->backend->own_suffix);
    return STATUS_OK;
}

enum status workshop_open(const struct config *config, struct workshop **workshop,
                          struct error *error) {
    struct workshop *opened = calloc(1, sizeof *opened);
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
        workshop_close(opened);
        return status;
    }
    begin_attempt(opened);
    *workshop = opened;
    return STATUS_OK;
}

bool workshop_rests(const struct workshop *workshop) {
    return !workshop->runs;
}

const struct workshop_news *workshop_latest(const struct workshop *workshop) {
    return &workshop->news;
}

const char *workshop_log(const struct workshop *workshop) {
    fflush(workshop->log_file);
    return workshop->log;
}

const struct check_verdict *workshop_verdict(const struct workshop *workshop) {
    return &workshop->verdict;
}

const char *workshop_file(const struct workshop *workshop) {
    return workshop->files[0].path;
}

void workshop_close(struct workshop *workshop) {
    if (!workshop)
        return;
    if (workshop->runs)
        end_process(workshop);
    const char *const made[] = {workshop->library, workshop->news.good, workshop->previous,
                                workshop->failed, workshop->temporary};
    for (size_t m = 0; m < sizeof made / sizeof *made; m++)
        remove_whole(made[m]);
    if (workshop->written)
        munmap(workshop->written, sizeof *workshop->written);
    if (workshop->log_file)
        fclose(workshop->log_file);
    if (workshop->shared >= 0)
        close(workshop->shared);
    if (workshop->watch >= 0)
        close(workshop->watch);
    free(workshop);
}

/* ---- what then runs ------------------------------------------------------------------------- */

void workshop_stand_in(const struct workshop *workshop, struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    struct error ignored = {0};
    if (backend_check(workshop->backend, &lane->engine, &ignored) == STATUS_OK)
        return;
    lane_spec_set_backend(lane, "serial");
    lane->engine.run.schedule = (struct schedule){SCHEDULE_CLASSIC, 0};
    config->plan.lane_count = 1;
}

enum status workshop_plan(const struct workshop *workshop, struct config *config,
                          struct error *error) {
    const struct own_found *found = &workshop->news.found;
    struct plan *plan = &config->plan;
    struct lane_spec *yours = &plan->lanes[0];
    if (config_was_given(config, "compare"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--kernels and --compare: expected only one of them, for your kernels run "
                         "beside the program's");
    plan_compute_all(plan);
    yours->engine.run.user_kernels = true;
    if (plan->lane_count > 1) /* an exercise says what they are held against */
        return STATUS_OK;
    if (yours->choices[0] != workshop->backend)
        yours->engine.run.schedule = workshop->asked;
    lane_spec_set_backend(yours, workshop->backend->name);
    if (!config_was_given(config, "schedule")) {
        enum schedule_kind kind = workshop->backend->own_schedule;
        kind = found->phases[PHASE_FUSED] ? SCHEDULE_FUSED : kind;
        kind = found->phases[PHASE_BLOCKED] ? SCHEDULE_BLOCKED : kind;
        yours->engine.run.schedule = (struct schedule){kind, kind == SCHEDULE_BLOCKED ? 2 : 0};
    }
    plan->lanes[1] = *yours;
    plan->lanes[1].engine.run.user_kernels = false;
    plan->lane_count = 2;
    return STATUS_OK;
}
