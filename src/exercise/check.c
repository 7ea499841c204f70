#include "exercise/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/format.h"
#include "core/limits.h"
#include "core/system.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "kernels/serial/serial.h"

enum { ITERATIONS = 6, ROUNDS = 2 };

/* All unknowns and right-hand sides differ, without a symmetry that could hide a mistake: steps of
 * a linear congruential generator. */
static void fill_check_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    uint64_t state = (uint64_t)j * 0x9e3779b97f4a7c15 + 1;
    for (int i = 0; i < mesh->Nx; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        U[i] = (double)(state >> 40) * 0x1p-24 - 0.5;
        RHS[i] = ((double)(state >> 20 & 0xffffff) * 0x1p-24 - 0.5) * mesh->_1bydx2;
    }
}

static const struct problem check_problem = {
    .name = "check", .title = "Check", .teaches = "", .fill_row = fill_check_row};

/* ---- comparing ------------------------------------------------------------------------------ */

struct comparison {
    struct check_verdict *verdict;
    struct engine *reference, *own;
};

/* Compares both after `done` iterations. The residual is compared as the sum of squares that the
 * user's function returns. */
static enum status compare_iterates(struct comparison *pair, long done, int made,
                                    const double *expected, const double *got,
                                    struct error *error) {
    static double reference[CHECK_SIDE * CHECK_SIDE], own[CHECK_SIDE * CHECK_SIDE]; /* U of each */
    struct check_verdict *verdict = pair->verdict;
    const struct mesh *mesh = &pair->own->spec.mesh;
    const int N = mesh->Nx * mesh->Ny;
    double largest = 0;
    TRY(pair->reference->ops->read(pair->reference, reference, error));
    TRY(pair->own->ops->read(pair->own, own, error));
    for (int id = 0; id < N; id++)
        largest = fmax(largest, fabs(reference[id]));
    verdict->wrong = 0;
    for (int id = N - 1; id >= 0; id--) {
        const double difference = own[id] - reference[id];
        verdict->differences[id] = (float)difference;
        if (fabs(difference) <= 1e-12 * largest)
            continue;
        verdict->wrong++;
        verdict->i = id % mesh->Nx;
        verdict->j = id / mesh->Nx;
        verdict->expected = reference[id];
        verdict->got = own[id];
    }
    verdict->iteration = done;
    for (int k = 0; k < made && !verdict->wrong; k++) {
        if (fabs(got[k] - expected[k]) <= 1e-10 * expected[k])
            continue;
        const double to_sum = (double)N * N / (mesh->dx * mesh->dy);
        verdict->is_residual = true;
        verdict->wrong = 1;
        verdict->iteration = done - made + k + 1;
        verdict->expected = expected[k] * expected[k] * to_sum;
        verdict->got = got[k] * got[k] * to_sum;
    }
    return STATUS_OK;
}

/* Whether the loop has launched and copied no more than the exercise allows. */
static enum status compare_costs(const struct check_request *allowed, const struct event_log *log,
                                 double unknowns, struct error *error) {
    const double launches =
        (double)event_totals_loop(&log->totals, EVENT_KERNEL).count / ITERATIONS;
    const double bytes = (double)event_totals_loop(&log->totals, EVENT_TO_DEVICE).bytes +
                         (double)event_totals_loop(&log->totals, EVENT_FROM_DEVICE).bytes;
    const double copies = bytes / (sizeof(double) * ITERATIONS * unknowns);
    if (launches > allowed->launches)
        return error_set(error, STATUS_BAD_INPUT,
                         "right, but %g kernels per iteration: expected at most %g", launches,
                         allowed->launches);
    /* Copying the norm adds a little. */
    if (copies > allowed->copies + (allowed->copies > 0 ? 0.1 : 0))
        return error_set(error, STATUS_BAD_INPUT,
                         "right, but %.3g doubles copied per unknown and iteration: expected at "
                         "most %g",
                         copies, allowed->copies);
    return STATUS_OK;
}

/* Runs both, compares their iterates up to the first difference, then compares the costs. */
static enum status compare_runs(struct comparison *pair, const struct check_request *request,
                                const struct event_log *log, struct error *error) {
    const struct check_verdict *verdict = pair->verdict;
    const struct schedule schedule = verdict->schedule;
    const int depth = schedule.kind == SCHEDULE_BLOCKED ? schedule.depth : 1;
    for (long done = 0; done < ITERATIONS && !verdict->wrong; done += depth) {
        double expected[2] = {0}, got[2] = {0};
        long made = 0;
        TRY(engine_advance(pair->reference, depth, 0, expected, &made, error));
        TRY(engine_advance(pair->own, depth, -1, got, &made, error));
        /* A residual of NaN ends a run early; it is wrong in any case. */
        for (long k = made; k < depth; k++)
            got[k] = NAN;
        TRY(compare_iterates(pair, done + depth, depth, expected, got, error));
    }
    if (verdict->wrong || !compare_costs(request, log, (double)verdict->nx * verdict->ny, error))
        return STATUS_OK;
    pair->verdict->outcome = CHECK_OVER_BUDGET;
    return error->status;
}

/* A grid, and the geometry of launches on it: kernels must not assume one. Norm has too few threads
 * to cover the whole grid in one step. */
struct check_grid {
    int nx, ny;
    double damping; /* of the requested omega, unless that is 1: kernels must use theirs */
    struct tuning launch;
};

/* Checks one schedule on one grid. */
static enum status check_schedule(struct check_verdict *verdict,
                                  const struct check_request *request,
                                  const struct backend *backend, const struct check_grid *grid,
                                  struct schedule schedule, struct error *error) {
    static struct event_log logs[2];
    const int nx = grid->nx, ny = grid->ny;
    struct engine_spec plain = {.problem = &check_problem, .run = {.omega = request->omega}};
    if (request->omega != 1)
        plain.run.omega *= grid->damping;
    struct comparison pair = {.verdict = verdict};
    plain.mesh = run_mesh(&plain.run, nx, ny);
    struct engine_spec spec = plain;
    spec.run.mapping = request->mapping;
    spec.run.schedule = schedule;
    spec.run.user_kernels = true;
    spec.run.tuning = grid->launch;
    verdict->schedule = schedule;
    verdict->nx = nx;
    verdict->ny = ny;
    event_log_reset(&logs[0]);
    event_log_reset(&logs[1]);
    const bool failed = serial_backend.open(&plain, &logs[0], &pair.reference, error) ||
                        backend->supports(&spec, error) ||
                        backend->open(&spec, &logs[1], &pair.own, error);
    const enum status status =
        failed ? error->status : compare_runs(&pair, request, &logs[1], error);
    engine_close(pair.reference);
    engine_close(pair.own);
    return status;
}

/* Checks every schedule that uses the user's functions, on all grids. */
static enum status check_all(struct check_verdict *verdict, const struct check_request *request,
                             const struct backend *backend, struct error *error) {
    const bool *phases = verdict->found.phases;
    const bool four = phases[PHASE_LAPLACIAN] || phases[PHASE_BOUNDARY] || phases[PHASE_UPDATE] ||
                      phases[PHASE_NORM] || verdict->found.enter;
    /* The last grid has boundaries between tiles of up to 128, and partial tiles at its ends. The
     * last, partial block of the last two reaches into the row below the upper boundary. */
    static const struct check_grid grids[] = {
        {64, 64, 1, {.block = 64, .norm_block = 64, .norm_blocks = 3}},
        {37, 23, 0.9, {.block = 128, .norm_block = 128, .norm_blocks = 2}},
        {131, CHECK_SIDE, 0.8, {.block = 256, .norm_block = 512, .norm_blocks = 5}},
    };
    const struct {
        bool wanted;
        struct schedule schedule;
    } schedules[] = {
        {four, {backend->user_kernels->schedule, 0}},
        {phases[PHASE_FUSED], {SCHEDULE_FUSED, 0}},
        {phases[PHASE_BLOCKED], {SCHEDULE_BLOCKED, 2}},
        {phases[PHASE_BLOCKED], {SCHEDULE_BLOCKED, 1}},
    };
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++)
        for (size_t g = 0; g < sizeof grids / sizeof *grids && schedules[s].wanted; g++) {
            const enum status status =
                check_schedule(verdict, request, backend, &grids[g], schedules[s].schedule, error);
            if (status || verdict->wrong)
                return status;
        }
    return STATUS_OK;
}

/* A race needs two threads, also on one core and in spite of the user's variables. The runtime
 * reads them when it is first called. */
static void use_several_threads(void) {
    static const char *const limits[] = {"OMP_THREAD_LIMIT",       "OMP_DYNAMIC",
                                         "OMP_NUM_TEAMS",          "KMP_LIBRARY",
                                         "KMP_TEAMS_THREAD_LIMIT", "KMP_DEVICE_THREAD_LIMIT",
                                         "KMP_ALL_THREADS"};
    const char *const threads = PRINT("%d", cpus_usable() > 2 ? cpus_usable() : 2);
    for (size_t v = 0; v < sizeof limits / sizeof *limits; v++)
        unsetenv(limits[v]);
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OMP_TEAMS_THREAD_LIMIT", threads, 1);
}

enum status check_serve(struct error *error) {
    const struct sandbox_limits limits = {.cpu_seconds = limit_of(LIMIT_CPU),
                                          .wall_seconds = limit_of(LIMIT_CALL),
                                          .memory_bytes = (uint64_t)(1e9 * limit_of(LIMIT_MEMORY)),
                                          .output_bytes = 1 << 13};
    struct device_list devices;
    struct check_verdict *verdict =
        mmap(NULL, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED, CHECK_DESCRIPTOR, 0);
    if (verdict == MAP_FAILED)
        return error_set(error, STATUS_BAD_INPUT,
                         "--check: expected to be started by this program");
    const struct check_request request = verdict->request; /* kernels may overwrite the original */
    use_several_threads();
    const struct backend *backend = backend_of_library(request.library);
    backend->probe(&devices, NULL); /* drivers start their threads before the sandbox */
    sandbox_share(verdict->running);
    bool failed = sandbox_begin(&limits, error);
    if (!failed)
        failed = backend->user_kernels->load(request.library, &verdict->found, error);
    verdict->is_unusable = failed && error->status == STATUS_BAD_INPUT;
    if (backend->user_kernels->find_races)
        backend->user_kernels->find_races();
    /* Several rounds: the threads interleave differently in each. */
    for (int round = 0; round < ROUNDS && !failed && !verdict->wrong; round++)
        failed = check_all(verdict, &request, backend, error);
    if (failed)
        snprintf(verdict->message, sizeof verdict->message, "%s", error->message);
    if (verdict->outcome != CHECK_OVER_BUDGET)
        verdict->outcome = failed ? CHECK_FAILED : verdict->wrong ? CHECK_WRONG : CHECK_RIGHT;
    /* Lost output of the user's functions is not a failure of the check. */
    fflush(stdout);
    __fpurge(stdout);
    clearerr(stdout);
    return STATUS_OK;
}

/* ---- for the reader ------------------------------------------------------------------------- */

struct check_verdict *check_verdict_share(int *descriptor) {
    struct check_verdict *verdict = MAP_FAILED;
    *descriptor = memfd_create("verdict", MFD_CLOEXEC);
    if (*descriptor >= 0 && ftruncate(*descriptor, sizeof *verdict) == 0)
        verdict = mmap(NULL, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    return verdict == MAP_FAILED ? NULL : verdict;
}

void check_verdict_unshare(struct check_verdict *verdict, int descriptor) {
    if (verdict)
        munmap(verdict, sizeof *verdict);
    if (descriptor >= 0)
        close(descriptor);
}

void check_verdict_bound(struct check_verdict *verdict) {
    struct user_library *found = &verdict->found;
    char *const texts[] = {verdict->running, verdict->message, found->architecture};
    const size_t sizes[] = {sizeof verdict->running, sizeof verdict->message,
                            sizeof found->architecture};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        texts[t][sizes[t] - 1] = '\0';
        text_sanitize(texts[t]);
    }
    const bool fits = verdict->nx > 0 && verdict->nx <= CHECK_SIDE && verdict->ny > 0 &&
                      verdict->ny <= CHECK_SIDE && verdict->outcome <= CHECK_FAILED &&
                      verdict->schedule.kind < SCHEDULE_COUNT;
    if (verdict->outcome == CHECK_WRONG && !fits) {
        verdict->outcome = CHECK_FAILED;
        snprintf(verdict->message, sizeof verdict->message, "wrote over the check's own memory");
    }
}

char *check_verdict_words(char *buffer, size_t size, const struct check_verdict *verdict) {
    const double expected = verdict->expected, got = verdict->got;
    int digits = 3; /* that distinguish the numbers; one more is printed */
    while (digits < DBL_DECIMAL_DIG &&
           strcmp(PRINT("%.*g", digits, expected), PRINT("%.*g", digits, got)) == 0)
        digits++;
    return format_text(buffer, size, "%s, iteration %ld on %s: %s: expected %.*g, got %.*g",
                       AS(schedule_print, verdict->schedule), verdict->iteration,
                       AS(format_grid, verdict->nx, verdict->ny),
                       verdict->is_residual ? "sum(RES²)"
                                            : PRINT("U at (%d, %d)", verdict->i, verdict->j),
                       digits + 1, expected, digits + 1, got);
}

char *check_unfinished_reason(char *buffer, size_t size, const char *running,
                              const struct child *child, bool too_late, const char *exit_reason) {
    static const char unnamed[] = "your kernels";
    const char *last =
        child->ended ? sandbox_exit_reason(child->status, child_last_line(child)) : "";
    const size_t length = strlen(running);
    const bool is_unnamed = strncmp(last, unnamed, strlen(unnamed)) == 0;
    const char *rest = is_unnamed ? last + strlen(unnamed) : "";
    if (!*running && strncmp(rest, ": signal ", 9) == 0)
        /* No kernel was running: the allocator detected damage that an earlier one had caused. */
        return format_text(
            buffer, size, "after a kernel had returned%s: did it write beyond the end of an array?",
            rest);
    if (*running && strncmp(last, running, length) == 0 && last[length] == ':')
        return format_text(buffer, size, "%s", last);
    if (*running && strncmp(rest, ": ", 2) == 0)
        return format_text(buffer, size, "%s%s", running, rest);
    if (too_late)
        return format_text(buffer, size, "the check was stopped: it took more than %g s%s%s",
                           limit_of(LIMIT_CHECK), *running ? ", last in " : "", running);
    format_text(buffer, size, "%.40s: %.400s", *running ? running : "the check",
                *exit_reason ? exit_reason : "ended the process");
    if (*running) /* its printed lines don't show the reason */
        *strchrnul(buffer + length + 2, ':') = '\0';
    return buffer;
}
