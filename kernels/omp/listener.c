#include "kernels/omp/listener.h"

#include <stddef.h>

#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/omp/omp.h"

static _Thread_local struct listener *current;
static bool possible;

/* ---- attribution -------------------------------------------------------------------------- */

static struct listened_array *find_by_host(struct listener *listener, const char *address) {
    for (int a = 0; a < listener->array_count; a++) {
        struct listened_array *array = &listener->arrays[a];
        if (address >= array->host && address < array->host + array->bytes)
            return array;
    }
    return NULL;
}

static enum array array_at(const struct listened_array *array, size_t bytes) {
    if (array)
        return array->array;
    return bytes == sizeof(double) ? ARRAY_NORM : ARRAY_NONE;
}

/* ---- callbacks ---------------------------------------------------------------------------- */

static enum phase phase_now(const struct listener *listener) {
    return atomic_load_explicit(&listener->log->phase, memory_order_relaxed);
}

/* The host device's, whose launch lasts as long as its kernel. */
static void kernel_ended(struct listener *listener) {
    listener->kernels++;
    if (listener->log)
        event_log_add(listener->log, EVENT_KERNEL, ARRAY_NONE, CLOCK_OMPT, listener->submit_ns,
                      clock_now_ns() - listener->submit_ns,
                      engine_step_bytes(listener->engine, phase_now(listener)));
}

/* ---- a GPU's regions ---------------------------------------------------------------------- */

static void add_copy(struct listener *listener, const struct listened_copy *copy, enum phase phase,
                     long iteration, int64_t start_ns, int64_t end_ns) {
    const struct event event = {.kind = copy->kind,
                                .phase = phase,
                                .array = copy->array,
                                .clock = start_ns < end_ns ? CLOCK_OMPT : CLOCK_NONE,
                                .iteration = iteration,
                                .start_ns = start_ns,
                                .duration_ns = end_ns - start_ns,
                                .bytes = copy->bytes};
    event_log_add_full(listener->log, &event);
}

static struct event event_of_region(const struct listener *listener, enum event_kind kind,
                                    const struct listened_region *region) {
    return (struct event){
        .kind = kind,
        .phase = region->phase,
        .clock = CLOCK_TARGET_REGION,
        .iteration = region->iteration,
        .start_ns = kind == EVENT_KERNEL ? region->submit_ns : region->start_ns,
        .duration_ns = region->end_ns - region->start_ns - region->data_ns,
        .bytes = kind == EVENT_KERNEL ? engine_step_bytes(listener->engine, region->phase) : 0,
    };
}

/* A kernel lasts no longer than its region; its clock's steps may make it seem to. */
static bool is_new_span(const struct listener *listener, const struct listened_region *region,
                        const struct offload_span *span, double tick_ns) {
    const double slack_ns = 2000;
    return span->begin != 0 && span->begin != listener->begun[region->phase] &&
           span->end >= span->begin &&
           tick_ns * (double)(span->end - span->begin) <=
               (double)(region->end_ns - region->start_ns) + slack_ns;
}

/* What the host's clock shows when the device's shows `zero`: a kernel begins after its launch
 * began and ends before its region does, which leaves little choice. */
static int64_t host_time_of(const struct listener *listener, const struct offload_span *spans,
                            double tick_ns, uint64_t zero) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (int r = 0; r < listener->region_count; r++) {
        const struct listened_region *region = &listener->regions[r];
        const struct offload_span *span = &spans[region->phase];
        if (!is_new_span(listener, region, span, tick_ns))
            continue;
        const int64_t after =
            region->submit_ns - (int64_t)(tick_ns * (double)(int64_t)(span->begin - zero));
        const int64_t before =
            region->end_ns - (int64_t)(tick_ns * (double)(int64_t)(span->end - zero));
        low = after > low ? after : low;
        high = before < high ? before : high;
    }
    return low / 2 + high / 2;
}

void listener_deliver(struct listener *listener, const struct offload_span *spans, double tick_ns) {
    const int count = listener->region_count;
    if (count == 0)
        return;
    const uint64_t zero = spans ? spans[listener->regions[0].phase].begin : 0;
    const int64_t origin = spans ? host_time_of(listener, spans, tick_ns, zero) : 0;
    for (int r = 0; r < count; r++) {
        const struct listened_region *region = &listener->regions[r];
        struct event kernel = event_of_region(listener, EVENT_KERNEL, region);
        struct event wait = event_of_region(listener, EVENT_WAIT, region);
        const struct offload_span *span = spans ? &spans[region->phase] : NULL;
        const struct listened_copy *copy = &region->copy;
        int64_t copy_start_ns = copy->start_ns;
        if (span && is_new_span(listener, region, span, tick_ns)) {
            kernel.clock = CLOCK_COUNTER;
            kernel.start_ns = origin + (int64_t)(tick_ns * (double)(int64_t)(span->begin - zero));
            kernel.duration_ns = (int64_t)(tick_ns * (double)(span->end - span->begin));
            /* The copy began when the kernel had ended; if its call had, too, nobody timed it. */
            const int64_t kernel_end_ns = kernel.start_ns + kernel.duration_ns;
            copy_start_ns = kernel_end_ns > copy_start_ns ? kernel_end_ns : copy_start_ns;
            if (copy_start_ns < copy->end_ns)
                wait.duration_ns += copy_start_ns - copy->start_ns;
            event_log_add_full(listener->log, &wait);
            listener->begun[region->phase] = span->begin;
        }
        event_log_add_full(listener->log, &kernel);
        if (region->copy_count > 0)
            add_copy(listener, copy, region->phase, region->iteration, copy_start_ns, copy->end_ns);
    }
    listener->region_count = 0;
}

static void region_ended(struct listener *listener) {
    listener->kernels++;
    if (!listener->log)
        return;
    const struct listened_region region = {
        .phase = phase_now(listener),
        .iteration = listener->log->iteration,
        .start_ns = listener->region_start_ns,
        .submit_ns = listener->submit_ns,
        .end_ns = clock_now_ns(),
        .data_ns = listener->data_ns,
        .copy_count = listener->copy_count,
        .copy = listener->copy,
    };
    const bool in_loop = (int)region.phase < OFFLOAD_PHASES;
    if (in_loop && listener->timing == LISTEN_COUNT) {
        const struct event kernel = event_of_region(listener, EVENT_KERNEL, &region);
        const struct event wait = event_of_region(listener, EVENT_WAIT, &region);
        event_log_add_untimed(listener->log, &kernel, 1);
        event_log_add_untimed(listener->log, &wait, 1);
        if (region.copy_count > 0) {
            const struct event copy = {
                .kind = region.copy.kind, .phase = region.phase, .bytes = region.copy.bytes};
            event_log_add_untimed(listener->log, &copy, 1);
        }
        return;
    }
    /* An iteration that was stopped leaves regions whose spans are not fetched. */
    if (!in_loop || listener->region_count == LISTENER_REGIONS)
        listener_deliver(listener, NULL, 0);
    listener->regions[listener->region_count++] = region;
    if (!in_loop || listener->timing == LISTEN_REGION)
        listener_deliver(listener, NULL, 0);
}

/* ---- a GPU's data constructs -------------------------------------------------------------- */

/* A copy from pinned memory goes on after the call that begins it; the construct ends when all its
 * copies have. So what it took beyond them and its allocations is theirs, by their bytes. */
static void construct_ended(struct listener *listener) {
    const int64_t whole_ns = clock_now_ns() - listener->construct_start_ns;
    int64_t spare_ns = whole_ns - listener->construct_alloc_ns, at_ns = 0;
    uint64_t bytes = 0;
    for (int c = 0; c < listener->construct_copies; c++) {
        spare_ns -= listener->copies[c].end_ns - listener->copies[c].start_ns;
        bytes += listener->copies[c].bytes;
    }
    spare_ns = spare_ns > 0 ? spare_ns : 0;
    for (int c = 0; c < listener->construct_copies && listener->log; c++) {
        const struct listened_copy *copy = &listener->copies[c];
        const double share = bytes > 0 ? (double)copy->bytes / (double)bytes : 0;
        const int64_t start_ns = copy->start_ns > at_ns ? copy->start_ns : at_ns;
        at_ns = start_ns + copy->end_ns - copy->start_ns + (int64_t)(share * (double)spare_ns);
        add_copy(listener, copy, phase_now(listener), listener->log->iteration, start_ns, at_ns);
    }
    listener->construct_copies = 0;
    listener->in_construct = false;
}

static void on_data_construct(struct listener *listener, ompt_scope_endpoint_t endpoint) {
    if (endpoint == ompt_scope_end) {
        construct_ended(listener);
        return;
    }
    listener->construct_start_ns = clock_now_ns();
    listener->construct_alloc_ns = 0;
    listener->construct_copies = 0;
    listener->in_construct = true;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                      ompt_data_t *task_data, ompt_data_t *target_task_data,
                      ompt_data_t *target_data, const void *code) {
    (void)device_num, (void)task_data, (void)target_task_data, (void)target_data, (void)code;
    struct listener *listener = current;
    if (!listener)
        return;
    if (kind != ompt_target) {
        if (listener->is_gpu)
            on_data_construct(listener, endpoint);
        return;
    }
    if (endpoint == ompt_scope_end) {
        if (listener->submitted && listener->is_gpu)
            region_ended(listener);
        listener->in_region = false;
        return;
    }
    listener->region_start_ns = clock_now_ns();
    listener->data_ns = 0;
    listener->submitted = false;
    listener->in_region = true;
    listener->copy_count = 0;
    listener->copy = (struct listened_copy){0};
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
                      ompt_id_t *host_op_id, unsigned int requested_num_teams) {
    (void)target_data, (void)host_op_id, (void)requested_num_teams;
    struct listener *listener = current;
    if (!listener)
        return;
    if (endpoint == ompt_scope_begin) {
        for (int a = 0; a < listener->array_count && listener->hides; a++)
            if (listener->arrays[a].array != ARRAY_NORM)
                sandbox_hide((void *)listener->arrays[a].host, listener->arrays[a].bytes,
                             array_name(listener->arrays[a].array));
        listener->submit_ns = clock_now_ns();
        listener->submitted = true;
    } else if (!listener->is_gpu) {
        kernel_ended(listener);
        sandbox_show();
    }
}

static void data_op_ended(struct listener *listener, enum event_kind kind, enum array array,
                          size_t bytes) {
    /* A copy that may have waited for the kernel is not timed: the kernel is. */
    const int64_t end = clock_now_ns();
    const int64_t start = listener->waited_in_copy ? end : listener->start_ns;
    const int64_t duration = end - start;
    const bool is_copy = kind != EVENT_ALLOC;
    const struct listened_copy copy = {kind, array, start, end, bytes};
    listener->data_ns += duration;
    listener->copies_seen += is_copy;
    if (!is_copy)
        listener->construct_alloc_ns += duration;
    if (is_copy && listener->in_construct && listener->construct_copies < LISTENER_COPIES) {
        listener->copies[listener->construct_copies++] = copy;
        return;
    }
    if (is_copy && listener->in_region && listener->submitted && listener->is_gpu &&
        listener->copy_count == 0) {
        listener->copy = copy;
        listener->copy_count++;
        return;
    }
    if (listener->log)
        event_log_add(listener->log, kind, array, CLOCK_OMPT, start, duration, bytes);
}

static bool copies_back(ompt_target_data_op_t operation) {
    return operation == ompt_target_data_transfer_from_device ||
           operation == ompt_target_data_transfer_from_device_async;
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
                       ompt_data_t *target_data, ompt_id_t *host_op_id,
                       ompt_target_data_op_t operation, void *source, int source_device,
                       void *destination, int destination_device, size_t bytes, const void *code) {
    (void)target_task_data, (void)target_data, (void)host_op_id;
    (void)source_device, (void)destination_device, (void)code;
    struct listener *listener = current;
    if (!listener)
        return;
    if (endpoint == ompt_scope_begin) {
        listener->waited_in_copy = listener->waits && listener->in_region && listener->submitted &&
                                   listener->copy_count == 0 && copies_back(operation) &&
                                   !cuda_wait();
        listener->start_ns = clock_now_ns();
        return;
    }
    struct listened_array *array = NULL;
    switch (operation) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async:
        if ((array = find_by_host(listener, source)))
            array->device = destination;
        data_op_ended(listener, EVENT_ALLOC, array_at(array, bytes), bytes);
        break;
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
        for (int a = 0; a < listener->array_count && !array; a++)
            if (source && listener->arrays[a].device == source)
                array = &listener->arrays[a];
        data_op_ended(listener, EVENT_ALLOC, array_at(array, 0), 0);
        if (array)
            array->device = NULL;
        break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
        data_op_ended(listener, EVENT_TO_DEVICE, array_at(find_by_host(listener, source), bytes),
                      bytes);
        break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
        data_op_ended(listener, EVENT_FROM_DEVICE,
                      array_at(find_by_host(listener, destination), bytes), bytes);
        break;
    default:
        break;
    }
}

/* ---- the back end's side ------------------------------------------------------------------ */

void listener_start(ompt_function_lookup_t lookup) {
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    possible =
        set && set(ompt_callback_target_emi, (ompt_callback_t)on_target) == ompt_set_always &&
        set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op) == ompt_set_always &&
        set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit) == ompt_set_always;
}

bool listener_possible(void) {
    return possible;
}

void listener_set(struct listener *listener) {
    current = listener;
}

void listener_name(struct listener *listener, enum array array, const void *host, size_t bytes) {
    if (!host || listener->array_count == LISTENER_ARRAYS)
        return;
    listener->arrays[listener->array_count++] =
        (struct listened_array){.array = array, .host = host, .bytes = bytes};
}
