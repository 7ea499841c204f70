#include "session/ranks.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"
#include "kernels/backends.h"
#include "mpi/transport.h"
#include "mpi/world.h"
#include "record/format/plan_codec.h"
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

/* What rank 0 wants of all ranks. */
struct request {
    enum request_kind kind;
    int run;
    long count; /* of REQUEST_ADVANCE, as is the tolerance */
    double tolerance;
    struct downsample downsample;  /* of REQUEST_DOWNSAMPLE */
    const struct backend *backend; /* of REQUEST_OPEN, as is the specification */
    struct engine_spec spec;
};

enum { REQUEST_SIZE = 1 << 10 }; /* bytes of an encoded one, at most */

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

/* What a rank has done since its last report. */
struct report_of_rank {
    struct device_stats device_stats;
    struct event_totals totals;
    uint64_t halo_bytes;
    int event_count;
    struct event events[REPORTED_EVENTS]; /* the last ones, their times as of rank 0's clock */
};

/* A run as each rank has it. */
struct run {
    struct mpi_group *group; /* NULL: this rank has no part in it */
    struct engine *slabs;    /* of this rank's slab */
    struct event_log *log;
    struct event_log own_log; /* of a follower */
    struct event_totals reported;
    uint64_t events_reported;
    int total;
};

/* Rank 0's. */
struct led_engine {
    struct engine base;
    struct run run;
    struct device_stats_list device_stats;
    int number;
    struct report_of_rank *reports; /* one per rank */
};

static bool numbers_taken[RUNS_MAX];
static bool is_lost; /* a call has failed here: the others may wait for ever */

bool ranks_are_led(void) {
    return world_mpi() && world_place()->mpi.rank == 0;
}

/* Whether this rank can open its slab: the memory of its host is shared by the ranks there. */
static enum status check_slab(const struct backend *backend, const struct engine_spec *slab,
                              struct error *error) {
    char need[32], have[32];
    const enum status status = backend_check(backend, slab, error);
    if (status)
        return status;
    const uint64_t each = backend->footprint(slab).host_bytes;
    const uint64_t there = memory_usable() / (uint64_t)world_place()->mpi.local_count;
    if (each <= there)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "its slab is too large: it needs %s of host memory, there are %s per process",
                     format_bytes(need, sizeof need, (double)each),
                     format_bytes(have, sizeof have, (double)there));
}

/* ---- what every rank does ------------------------------------------------------------------- */

static enum status open_engine(struct run *run, const struct request *request,
                               struct event_log *log, struct error *error) {
    const struct backend *backend = request->backend;
    const struct mpi_module *mpi = world_mpi();
    struct mpi_connection connection = {0};
    struct engine_spec slab;
    struct error failure = {0};
    *run = (struct run){.log = log};
    enum status status = world_count(&request->spec, &run->total, error);
    if (!status)
        status =
            world_error(mpi->group_open(run->total, &run->group), "MPI, forming a group", error);
    if (status || !run->group)
        return status;
    if (!world_cut(backend, &request->spec, &slab, &failure))
        check_slab(backend, &slab, &failure);
    status = mpi_agree(run->group, &failure);
    if (!status) {
        connection.group = run->group;
        const struct slabs_spec slabs = {.backend = backend,
                                         .first = world_place()->mpi.rank,
                                         .total = run->total,
                                         .count = 1,
                                         .devices = {slab.run.device},
                                         .local_rank = slab.slab.local_rank,
                                         .local_size = slab.slab.local_size,
                                         .connect = mpi_transport_open,
                                         .context = &connection};
        status = slabs_open(&slabs, &request->spec, log, &run->slabs, &failure);
        if (status && !connection.was_asked)
            mpi_agree(run->group, &failure);
    }
    if (!status)
        return STATUS_OK;
    mpi->group_close(run->group);
    run->group = NULL;
    return error_set(error, failure.status, "%s", failure.message);
}

static void close_run(struct run *run) {
    if (!run->group)
        return;
    engine_close(run->slabs);
    world_mpi()->group_close(run->group);
    run->group = NULL;
}

/* What this rank has done since it was asked last. */
static void make_report(struct run *run, struct report_of_rank *report) {
    const struct device_stats_list *devices = run->slabs->device_stats;
    const struct event_log *log = run->log;
    const struct world_place *place = world_place();
    const uint64_t news = log->count - run->events_reported;
    const int count = news < REPORTED_EVENTS ? (int)news : REPORTED_EVENTS;
    memset(report, 0, sizeof *report);
    report->device_stats =
        devices
            ->device[place->mpi.rank < DEVICE_STATS_MAX ? place->mpi.rank : DEVICE_STATS_MAX - 1];
    if (place->mpi.hosts > 1)
        snprintf(report->device_stats.host, sizeof report->device_stats.host, "%s",
                 place->mpi.host);
    report->halo_bytes = devices->halo_bytes;
    report->totals = event_totals_since(&log->totals, &run->reported);
    for (int e = 0; e < count; e++) {
        report->events[e] = log->ring[(log->count - (uint64_t)(count - e)) % EVENT_RING];
        report->events[e].device = place->mpi.rank;
        report->events[e].start_ns += place->clock_offset_ns;
    }
    report->event_count = count;
    run->reported = log->totals;
    run->events_reported = log->count;
}

/* Lets rank 0 know; `reports`, one per rank, is rank 0's. */
static enum status report_run(struct run *run, struct report_of_rank *reports,
                              struct error *error) {
    struct report_of_rank *mine = malloc(sizeof *mine);
    if (!mine)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    make_report(run, mine);
    const int code = world_mpi()->gather(run->group, mine, (int)sizeof *mine, reports);
    free(mine);
    return world_error(code, "MPI, reporting", error);
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
    return world_error(world_mpi()->tell(bytes, (int)sizeof bytes), "MPI, telling the ranks",
                       error);
}

static int compare_starts(const void *a, const void *b) {
    const struct event *one = a, *other = b;
    return (one->start_ns > other->start_ns) - (one->start_ns < other->start_ns);
}

/* Puts what the other ranks have reported beside what this one has logged since `before`. */
static void take_reports(struct led_engine *led, uint64_t before) {
    struct event_log *log = led->base.events;
    const int shown = led->run.total < DEVICE_STATS_MAX ? led->run.total : DEVICE_STATS_MAX;
    led->device_stats.halo_bytes = 0;
    for (int rank = 0; rank < led->run.total; rank++) {
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
    led->run.reported = log->totals;
    led->run.events_reported = log->count;
    /* In the order of their start, as far back as that is worth it. */
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

static enum status led_advance(struct engine *engine, long count, double tolerance,
                               double *residuals, long *done, struct error *error) {
    struct led_engine *led = (struct led_engine *)engine;
    const struct request request = {
        .kind = REQUEST_ADVANCE, .run = led->number, .count = count, .tolerance = tolerance};
    const uint64_t before = engine->events->count;
    enum status status = send_request(&request, error);
    if (status)
        return status;
    status = engine_advance(led->run.slabs, count, tolerance, residuals, done, error);
    if (!status)
        status = report_run(&led->run, led->reports, error);
    if (status)
        is_lost = true;
    else
        take_reports(led, before);
    return status;
}

static enum status led_downsample(struct engine *engine, const struct downsample *downsample,
                                  double *sums, struct error *error) {
    struct led_engine *led = (struct led_engine *)engine;
    const struct request request = {
        .kind = REQUEST_DOWNSAMPLE, .run = led->number, .downsample = *downsample};
    enum status status = send_request(&request, error);
    if (status)
        return status;
    status = led->run.slabs->ops->downsample(led->run.slabs, downsample, sums, error);
    is_lost |= status != STATUS_OK;
    return status;
}

static enum status led_read(struct engine *engine, double *U, struct error *error) {
    struct led_engine *led = (struct led_engine *)engine;
    const struct request request = {.kind = REQUEST_READ, .run = led->number};
    enum status status = send_request(&request, error);
    if (status)
        return status;
    status = led->run.slabs->ops->read(led->run.slabs, U, error);
    is_lost |= status != STATUS_OK;
    return status;
}

static void led_close(struct engine *engine) {
    struct led_engine *led = (struct led_engine *)engine;
    const struct request request = {.kind = REQUEST_CLOSE, .run = led->number};
    if (led->run.group && send_request(&request, NULL) == STATUS_OK)
        close_run(&led->run);
    if (led->number < RUNS_MAX)
        numbers_taken[led->number] = false;
    free(led->reports);
    free(led);
}

static const struct engine_ops led_ops = {
    .advance = led_advance,
    .downsample = led_downsample,
    .read = led_read,
    .close = led_close,
};

/* All ranks compute to the same depth: rank 0 chooses it, for its slab and by itself. */
static enum status agree_on_depth(struct led_engine *led, const struct backend *backend,
                                  struct engine_spec *spec, int total, struct error *error) {
    struct engine_spec mine;
    int depth;
    enum status status = world_cut(backend, spec, &mine, error);
    if (status)
        return status;
    status = backend_check(backend, &mine, error);
    if (status)
        return status;
    const struct slabs_spec slabs = {.backend = backend,
                                     .total = total,
                                     .devices = {mine.run.device},
                                     .local_rank = mine.slab.local_rank,
                                     .local_size = mine.slab.local_size};
    status = slabs_choose_depth(&slabs, spec, &depth, &led->base.depths_tried, error);
    if (!status && spec->run.schedule.kind == SCHEDULE_BLOCKED)
        spec->run.schedule.depth = depth;
    return status;
}

/* Opens the run on all ranks. */
static enum status open_led(struct led_engine *led, const struct backend *backend,
                            const struct engine_spec *spec, struct event_log *events,
                            struct error *error) {
    struct request request = {.kind = REQUEST_OPEN, .backend = backend, .spec = *spec};
    int total = 0;
    enum status status = world_count(spec, &total, error);
    if (status)
        return status;
    led->reports = calloc((size_t)total, sizeof *led->reports);
    if (!led->reports)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    while (led->number < RUNS_MAX && numbers_taken[led->number])
        led->number++;
    if (led->number == RUNS_MAX)
        return error_set(error, STATUS_INTERNAL, "more than %d runs at once", RUNS_MAX);
    request.run = led->number;
    status = agree_on_depth(led, backend, &request.spec, total, error);
    if (status)
        return status;
    status = send_request(&request, error);
    return status ? status : open_engine(&led->run, &request, events, error);
}

enum status ranks_open(const struct backend *backend, const struct engine_spec *spec,
                       struct event_log *events, struct engine **engine, struct error *error) {
    struct led_engine *led = calloc(1, sizeof *led);
    if (!led)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = open_led(led, backend, spec, events, error);
    if (status || !led->run.slabs) { /* every group has rank 0 */
        free(led->reports);
        free(led);
        return status ? status : STATUS_INTERNAL;
    }
    numbers_taken[led->number] = true;
    const uint64_t tried = led->base.depths_tried;
    led->base = *led->run.slabs;
    led->base.ops = &led_ops;
    led->base.depths_tried = tried;
    led->device_stats = *led->run.slabs->device_stats;
    led->base.device_stats = led->run.total > 1 ? &led->device_stats : NULL;
    status = report_run(&led->run, led->reports, error);
    if (status) {
        is_lost = true;
        led_close(&led->base);
        return status;
    }
    take_reports(led, events->count);
    *engine = &led->base;
    return STATUS_OK;
}

void ranks_shutdown(void) {
    const struct request request = {.kind = REQUEST_END};
    if (!world_mpi())
        return;
    if (!ranks_are_led() || is_lost || send_request(&request, NULL)) {
        /* A launcher that ends all processes drops what it has not yet passed on of standard error.
         */
        poll(NULL, 0, PASS_ON_MS);
        world_mpi()->leave(STATUS_DEVICE_FAILED); /* the others may wait for this one for ever */
    }
    world_part();
}

/* ---- the others ----------------------------------------------------------------------------- */

/* Room for what the engine's call returns, of which no more is touched than this rank's part. */
static void *room_for(const struct run *run, const struct request *request) {
    size_t count = mesh_unknowns(&run->slabs->spec.mesh);
    if (request->kind == REQUEST_ADVANCE)
        count = (size_t)request->count;
    else if (request->kind == REQUEST_DOWNSAMPLE)
        count = (size_t)request->downsample.cols * (size_t)request->downsample.rows;
    return malloc(count * sizeof(double));
}

/* A failure is one that rank 0 does not know of. */
static enum status handle_request(struct run *run, const struct request *request,
                                  struct error *error) {
    enum status status = STATUS_OK;
    long done;
    if (request->kind == REQUEST_OPEN) {
        struct error known = {0}; /* to rank 0, too */
        event_log_reset(&run->own_log);
        open_engine(run, request, &run->own_log, &known);
        return run->group ? report_run(run, NULL, error) : STATUS_OK;
    }
    if (request->kind == REQUEST_CLOSE)
        close_run(run);
    if (!run->group)
        return STATUS_OK;
    void *room = room_for(run, request);
    if (!room)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (request->kind == REQUEST_ADVANCE)
        status = engine_advance(run->slabs, request->count, request->tolerance, room, &done, error);
    else if (request->kind == REQUEST_DOWNSAMPLE)
        status = run->slabs->ops->downsample(run->slabs, &request->downsample, room, error);
    else
        status = run->slabs->ops->read(run->slabs, room, error);
    if (!status && request->kind == REQUEST_ADVANCE)
        status = report_run(run, NULL, error);
    free(room);
    return status;
}

/* Waits for the next request. */
static enum status receive_request(struct request *request, struct error *error) {
    uint8_t bytes[REQUEST_SIZE];
    struct codec codec = codec_reader(bytes, sizeof bytes);
    const enum status status =
        world_error(world_mpi()->hear(bytes, (int)sizeof bytes), "MPI, hearing", error);
    if (status)
        return status;
    *request = (struct request){0};
    code_request(&codec, request);
    return codec.failed ? error_set(error, STATUS_INTERNAL, "rank 0's request: %s", codec.failed)
                        : STATUS_OK;
}

enum status ranks_worker_loop(struct error *error) {
    struct run *runs = calloc(RUNS_MAX, sizeof *runs);
    struct request request = {0};
    enum status status = STATUS_OK;
    if (!runs)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    /* A launcher passes signals on to all ranks; rank 0 handles them. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    while (!status) {
        status = receive_request(&request, error);
        if (status || request.kind == REQUEST_END)
            break;
        status = handle_request(&runs[request.run], &request, error);
    }
    free(runs);
    if (!status)
        world_part();
    else
        error_prefix(error, "rank %d on %s", world_place()->mpi.rank, world_place()->mpi.host);
    return status;
}
