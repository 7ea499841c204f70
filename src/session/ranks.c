#include "session/ranks.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"
#include "kernels/backends.h"
#include "mpi/world.h"
#include "record/format/sample_codec.h"
#include "solver/slabs.h"

enum { RUNS_MAX = 16, REPORTED_EVENTS = 64, PASS_ON_MS = 200 };

enum request_kind {
    REQUEST_OPEN,
    REQUEST_ADVANCE,
    REQUEST_DOWNSAMPLE,
    REQUEST_READ,
    REQUEST_CLOSE,
    REQUEST_END,
};

/* A request of rank 0 to all ranks. */
struct request {
    enum request_kind kind;
    int run;
    long count; /* of REQUEST_ADVANCE, like the tolerance */
    double tolerance;
    struct downsample downsample;  /* of REQUEST_DOWNSAMPLE */
    const struct backend *backend; /* of REQUEST_OPEN, like the specification */
    struct engine_spec spec;
};

enum { REQUEST_SIZE = 1 << 10 }; /* the most bytes of an encoded request */

static const struct codec_field request_fields[] = {
    CHOICE(struct request, kind, REQUEST_END + 1),
    CHOICE(struct request, run, RUNS_MAX),
    COUNT(struct request, count),
    REAL(struct request, tolerance),
    {.what = NULL},
};

static void code_request(struct codec *codec, struct request *request) {
    static const struct request nothing;
    struct mesh *mesh = &request->spec.mesh;
    codec_fields(codec, request, &nothing, request_fields);
    codec_fields(codec, &request->downsample, &nothing.downsample, downsample_fields);
    if (request->kind != REQUEST_OPEN)
        return;
    backend_code(codec, &request->backend);
    engine_spec_code(codec, &request->spec);
    if (codec->reading && !codec->failed)
        *mesh = run_mesh(&request->spec.run, mesh->Nx, mesh->Ny);
}

/* A rank's work since its last report. */
struct report_of_rank {
    struct device_stats device_stats;
    struct event_totals totals;
    uint64_t halo_bytes;
    int event_count;
    struct event events[REPORTED_EVENTS]; /* the last ones, with times on rank 0's clock */
};

/* A run on each rank. */
struct run {
    struct engine base;      /* on rank 0: the lane calls it */
    int number, total;       /* index in `runs`; number of ranks */
    struct mpi_group *group; /* NULL: this rank takes no part */
    struct engine *slabs;    /* of this rank's slab */
    struct event_log *log;   /* on rank 0: the lane's */
    struct event_log own_log;
    struct event_totals reported;
    uint64_t events_reported;
    struct device_stats_list device_stats; /* only on rank 0, like: */
    struct report_of_rank *reports;        /* one per rank */
};

static struct run *runs[RUNS_MAX];
static bool is_lost; /* a call has failed here: others may wait forever */

bool ranks_are_led(void) {
    return world_mpi() && world_place()->rank == 0;
}

/* Whether this rank can open its slab. The ranks on a host share its memory. */
static enum status check_slab(const struct backend *backend, const struct engine_spec *slab,
                              struct error *error) {
    TRY(backend_check(backend, slab, error));
    const uint64_t each = backend->footprint(slab).host_bytes;
    const uint64_t there = memory_usable() / (uint64_t)world_place()->host_count;
    if (each <= there)
        return STATUS_OK;
    return error_set(
        error, STATUS_BAD_INPUT,
        "its slab is too large: it needs %s of host memory; %s is available per process",
        AS(format_bytes, (double)each), AS(format_bytes, (double)there));
}

/* ---- on every rank -------------------------------------------------------------------------- */

/* Whether all ranks of a group have succeeded. Otherwise every rank gets the failure of the lowest
 * rank, with that rank's name. Blocks until all ranks have called it. */
static enum status agree(struct mpi_group *group, struct error *error) {
    struct {
        struct error error;
        char host[MPI_HOST_SIZE];
    } first = {.error = *error};
    int rank = -1;
    memcpy(first.host, world_place()->host, sizeof first.host);
    const int code = world_mpi()->take_first(group, error->status != STATUS_OK, &first,
                                             (int)sizeof first, &rank);
    if (code || rank < 0)
        return world_error(code, "MPI, agreeing on a status", error);
    return error_set(error, first.error.status, "rank %d on %s: %.400s", rank, first.host,
                     first.error.message);
}

/* Frees nothing if other ranks are lost: closing would wait for them. */
static void free_run(struct run *run) {
    if (is_lost)
        return;
    engine_close(run->slabs);
    if (run->group)
        world_mpi()->group_close(run->group);
    free(run->reports);
    free(run);
}

/* On failure the run is open on no rank. */
static enum status open_on_ranks(struct run *run, const struct request *request,
                                 struct error *error) {
    struct slabs_spec slabs = {.backend = request->backend,
                               .first = world_place()->rank,
                               .count = 1,
                               .connect = world_open_transport};
    struct error failure = {0};
    const size_t halo_values = (size_t)slab_depth(&request->spec) * (size_t)request->spec.mesh.Nx;
    TRY(world_count(&request->spec, &slabs.total, error));
    TRY(world_error(world_mpi()->group_open(slabs.total, halo_values, &run->group),
                    "MPI, forming a group", error));
    if (!run->group)
        return STATUS_OK;
    slabs.context = run->group;
    run->total = slabs.total;
    if (!world_cut(request->backend, &request->spec, &slabs.slabs[0], &failure) &&
        !check_slab(request->backend, &slabs.slabs[0], &failure))
        slabs_open(&slabs, &request->spec, run->log, &run->slabs, &failure);
    const enum status status = agree(run->group, &failure);
    return status ? error_set(error, status, "%s", failure.message) : STATUS_OK;
}

/* Collects this rank's work since its last report. */
static void make_report(struct run *run, struct report_of_rank *report) {
    const struct device_stats_list *devices = run->slabs->device_stats;
    const struct event_log *log = run->log;
    const struct mpi_place *place = world_place();
    const uint64_t news = log->count - run->events_reported;
    const int count = news < REPORTED_EVENTS ? (int)news : REPORTED_EVENTS;
    memset(report, 0, sizeof *report);
    report->device_stats =
        devices->device[place->rank < DEVICE_STATS_MAX ? place->rank : DEVICE_STATS_MAX - 1];
    if (place->hosts > 1)
        snprintf(report->device_stats.host, sizeof report->device_stats.host, "%s", place->host);
    report->halo_bytes = devices->halo_bytes;
    report->totals = event_totals_since(&log->totals, &run->reported);
    for (int e = 0; e < count; e++) {
        report->events[e] = log->ring[(log->count - (uint64_t)(count - e)) % EVENT_RING];
        report->events[e].device = place->rank;
        report->events[e].start_ns += place->clock_offset_ns;
    }
    report->event_count = count;
    run->reported = log->totals;
    run->events_reported = log->count;
}

/* Whether a report can be shown: its rank's memory may be damaged. */
static bool is_sound(const struct report_of_rank *report) {
    const struct device_stats *stats = &report->device_stats;
    bool sound = report->event_count >= 0 && report->event_count <= REPORTED_EVENTS &&
                 memchr(stats->host, '\0', sizeof stats->host) &&
                 memchr(stats->device, '\0', sizeof stats->device) &&
                 memchr(stats->bus_id, '\0', sizeof stats->bus_id);
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            sound &= report->totals.of[kind][phase].clock < CLOCK_COUNT;
    for (int e = 0; sound && e < report->event_count; e++) {
        const struct event *event = &report->events[e];
        sound = event->kind < EVENT_KIND_COUNT && event->phase < PHASE_COUNT &&
                event->array < ARRAY_COUNT && event->clock < CLOCK_COUNT;
    }
    return sound;
}

/* Sends this rank's report to rank 0. */
static enum status report_run(struct run *run, struct error *error) {
    struct report_of_rank *mine = malloc(sizeof *mine);
    if (!mine)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    make_report(run, mine);
    const int code = world_mpi()->gather(run->group, mine, (int)sizeof *mine, run->reports);
    free(mine);
    for (int rank = 0; !code && run->reports && rank < run->total; rank++)
        if (!is_sound(&run->reports[rank]))
            return error_set(error, STATUS_DEVICE_FAILED, "rank %d: its report is damaged", rank);
    return world_error(code, "MPI, reporting", error);
}

/* Calls the engine, which sets `values` and *done. */
static enum status handle_call(struct run *run, const struct request *request, double *values,
                               long *done, struct error *error) {
    struct engine *slabs = run->slabs;
    if (request->kind == REQUEST_DOWNSAMPLE)
        return slabs->ops->downsample(slabs, &request->downsample, values, error);
    if (request->kind == REQUEST_READ)
        return slabs->ops->read(slabs, values, error);
    TRY(engine_advance(slabs, request->count, request->tolerance, values, done, error));
    return report_run(run, error);
}

/* ---- rank 0 --------------------------------------------------------------------------------- */

static enum status send_request(const struct request *request, struct error *error) {
    uint8_t bytes[REQUEST_SIZE] = {0};
    struct codec codec = codec_writer(bytes, sizeof bytes);
    struct request sent = *request;
    if (is_lost)
        return error_set(error, STATUS_DEVICE_FAILED,
                         "the other processes are lost: restart all with the launcher");
    code_request(&codec, &sent);
    return world_error(world_mpi()->tell(bytes, (int)sizeof bytes),
                       "MPI, broadcasting to the ranks", error);
}

static int compare_starts(const void *a, const void *b) {
    const struct event *one = a, *other = b;
    return (one->start_ns > other->start_ns) - (one->start_ns < other->start_ns);
}

/* Merges the other ranks' reports with the events that this rank has logged since `before`. */
static void take_reports(struct run *led, uint64_t before) {
    struct event_log *log = led->log;
    const int shown = led->total < DEVICE_STATS_MAX ? led->total : DEVICE_STATS_MAX;
    led->device_stats.halo_bytes = 0;
    for (int rank = 0; rank < led->total; rank++) {
        const struct report_of_rank *report = &led->reports[rank];
        led->device_stats.halo_bytes += report->halo_bytes;
        if (rank < shown)
            led->device_stats.device[rank] = report->device_stats;
        if (rank == 0)
            continue;
        event_totals_add(&log->totals, &report->totals);
        for (int e = 0; e < report->event_count; e++)
            log->ring[log->count++ % EVENT_RING] = report->events[e];
    }
    led->reported = log->totals;
    led->events_reported = log->count;
    /* Sort events by start, as far back as the ring reaches. */
    uint64_t news = log->count - before;
    news = news < EVENT_RING ? news : EVENT_RING;
    struct event *sorted = news ? malloc(news * sizeof *sorted) : NULL;
    for (uint64_t e = 0; sorted && e < news; e++)
        sorted[e] = log->ring[(log->count - news + e) % EVENT_RING];
    if (sorted)
        qsort(sorted, news, sizeof *sorted, compare_starts);
    for (uint64_t e = 0; sorted && e < news; e++)
        log->ring[(log->count - news + e) % EVENT_RING] = sorted[e];
    free(sorted);
}

/* Makes all ranks call their engines. */
static enum status lead(struct engine *engine, struct request request, double *values, long *done,
                        struct error *error) {
    struct run *led = (struct run *)engine;
    request.run = led->number;
    TRY(send_request(&request, error));
    const enum status status = handle_call(led, &request, values, done, error);
    is_lost |= status != STATUS_OK;
    return status;
}

static enum status led_advance(struct engine *engine, long count, double tolerance,
                               double *residuals, long *done, struct error *error) {
    const uint64_t before = engine->events->count;
    const struct request request = {
        .kind = REQUEST_ADVANCE, .count = count, .tolerance = tolerance};
    TRY(lead(engine, request, residuals, done, error));
    take_reports((struct run *)engine, before);
    return STATUS_OK;
}

static enum status led_downsample(struct engine *engine, const struct downsample *downsample,
                                  double *sums, struct error *error) {
    const struct request request = {.kind = REQUEST_DOWNSAMPLE, .downsample = *downsample};
    return lead(engine, request, sums, NULL, error);
}

static enum status led_read(struct engine *engine, double *U, struct error *error) {
    return lead(engine, (struct request){.kind = REQUEST_READ}, U, NULL, error);
}

static void led_close(struct engine *engine) {
    struct run *led = (struct run *)engine;
    const struct request request = {.kind = REQUEST_CLOSE, .run = led->number};
    runs[led->number] = NULL;
    is_lost |= send_request(&request, NULL) != STATUS_OK;
    free_run(led);
}

static const struct engine_ops led_ops = {
    .advance = led_advance,
    .downsample = led_downsample,
    .read = led_read,
    .close = led_close,
};

/* Opens the run on all ranks. They use the same depth: rank 0 chooses it for its own slab. */
static enum status open_led(struct run *led, struct request *request, struct error *error) {
    const struct backend *backend = request->backend;
    struct engine_spec mine;
    uint64_t tried = 0;
    while (led->number < RUNS_MAX && runs[led->number])
        led->number++;
    if (led->number == RUNS_MAX)
        return error_set(error, STATUS_INTERNAL, "more than %d runs at once", RUNS_MAX);
    request->run = led->number;
    led->reports = calloc((size_t)world_place()->count, sizeof *led->reports);
    if (!led->reports)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    TRY(world_cut(backend, &request->spec, &mine, error));
    TRY(backend_check(backend, &mine, error));
    TRY(slabs_choose_depth(backend, &mine, &request->spec, &tried, error));
    TRY(send_request(request, error));
    TRY(open_on_ranks(led, request, error));
    led->base = *led->slabs;
    led->base.ops = &led_ops;
    led->base.depths_tried = tried;
    led->device_stats = *led->slabs->device_stats;
    led->base.device_stats = led->total > 1 ? &led->device_stats : NULL;
    const enum status status = report_run(led, error);
    is_lost |= status != STATUS_OK;
    return status;
}

enum status ranks_open(const struct backend *backend, const struct engine_spec *spec,
                       struct event_log *events, struct engine **engine, struct error *error) {
    struct request request = {.kind = REQUEST_OPEN, .backend = backend, .spec = *spec};
    struct run *led = calloc(1, sizeof *led);
    if (!led)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    led->log = events;
    const enum status status = open_led(led, &request, error);
    if (status) {
        free_run(led);
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): threads of a lost run may still use it */
        return status;
    }
    runs[led->number] = led;
    take_reports(led, events->count);
    *engine = &led->base;
    return STATUS_OK;
}

void ranks_shutdown(void) {
    const struct request request = {.kind = REQUEST_END};
    if (!world_mpi())
        return;
    if (!ranks_are_led() || is_lost || send_request(&request, NULL)) {
        /* A launcher that ends all processes may drop pending standard error. */
        poll(NULL, 0, PASS_ON_MS);
        world_mpi()->leave(STATUS_DEVICE_FAILED); /* others may wait forever for this one */
    }
    world_part();
}

/* ---- on the other ranks --------------------------------------------------------------------- */

static enum status handle_open(const struct request *request, struct error *error) {
    struct error known = {0}; /* rank 0 knows it, too */
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    run->log = &run->own_log;
    event_log_reset(run->log);
    if (open_on_ranks(run, request, &known) || !run->group) {
        free_run(run);
        return STATUS_OK;
    }
    runs[request->run] = run;
    return report_run(run, error);
}

/* Returns only failures that are unknown to rank 0. */
static enum status handle_request(const struct request *request, struct error *error) {
    struct run *run = runs[request->run];
    long done;
    if (request->kind == REQUEST_OPEN)
        return handle_open(request, error);
    if (!run)
        return STATUS_OK;
    if (request->kind == REQUEST_CLOSE) {
        runs[request->run] = NULL;
        free_run(run);
        return STATUS_OK;
    }
    /* Room for the engine's results. Only this rank's part is written. */
    size_t count = mesh_unknowns(&run->slabs->spec.mesh);
    if (request->kind == REQUEST_ADVANCE)
        count = (size_t)request->count;
    else if (request->kind == REQUEST_DOWNSAMPLE)
        count = (size_t)request->downsample.cols * (size_t)request->downsample.rows;
    double *room = malloc(count * sizeof *room);
    if (!room)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = handle_call(run, request, room, &done, error);
    free(room);
    return status;
}

/* Waits for the next request. */
static enum status receive_request(struct request *request, struct error *error) {
    uint8_t bytes[REQUEST_SIZE] = {0}; /* the message may be shorter */
    struct codec codec = codec_reader(bytes, sizeof bytes);
    TRY(world_error(world_mpi()->hear(bytes, (int)sizeof bytes), "MPI, hearing", error));
    *request = (struct request){0};
    code_request(&codec, request);
    return codec.failed ? error_set(error, STATUS_INTERNAL, "rank 0's request: %s", codec.failed)
                        : STATUS_OK;
}

enum status ranks_worker_loop(struct error *error) {
    struct request request = {0};
    enum status status = STATUS_OK;
    /* A launcher forwards signals to all ranks; rank 0 handles them. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    while (!status) {
        status = receive_request(&request, error);
        if (status || request.kind == REQUEST_END)
            break;
        status = handle_request(&request, error);
    }
    if (!status)
        world_part();
    else
        error_prefix(error, "rank %d on %s", world_place()->rank, world_place()->host);
    return status;
}
