#include "kernels/omp/ompt_tracer.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <ucontext.h>

#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/omp/omp.h"

static _Thread_local struct ompt_tracer *current;
static bool possible;
static ompt_set_callback_t set_callback;

/* ---- attribution -------------------------------------------------------------------------- */

static bool holds(const char *begin, size_t bytes, const char *address) {
    return begin && address >= begin && address < begin + bytes;
}

/* The array that holds the address, on the host or on the device. */
static struct traced_array *find_array(struct ompt_tracer *tracer, const char *address) {
    for (int a = 0; a < tracer->array_count; a++) {
        struct traced_array *array = &tracer->arrays[a];
        if (holds(array->host, array->bytes, address) ||
            holds(array->device, array->bytes, address))
            return array;
    }
    return NULL;
}

static enum array array_at(const struct traced_array *array, size_t bytes) {
    if (array)
        return array->array;
    return bytes == sizeof(double) ? ARRAY_NORM : ARRAY_NONE;
}

/* ---- callbacks ---------------------------------------------------------------------------- */

static enum phase phase_now(const struct ompt_tracer *tracer) {
    return atomic_load_explicit(&tracer->log->phase, memory_order_relaxed);
}

static uint64_t kernel_bytes(const struct ompt_tracer *tracer, enum phase phase) {
    return tracer->refines ? engine_refine_bytes(&tracer->engine->spec.mesh) / 2
                           : engine_step_bytes(tracer->engine, phase);
}

/* For the host device, whose launch lasts as long as its kernel. */
static void kernel_ended(struct ompt_tracer *tracer) {
    tracer->kernels++;
    if (tracer->log)
        event_log_add(tracer->log, EVENT_KERNEL, ARRAY_NONE, CLOCK_OMPT, tracer->region.submit_ns,
                      clock_now_ns() - tracer->region.submit_ns,
                      kernel_bytes(tracer, phase_now(tracer)));
}

/* ---- a GPU's regions ---------------------------------------------------------------------- */

static void add_copy(struct ompt_tracer *tracer, const struct traced_copy *copy, enum phase phase,
                     long iteration, int64_t start_ns, int64_t end_ns) {
    const struct event event = {.kind = copy->kind,
                                .phase = phase,
                                .array = copy->array,
                                .clock = start_ns < end_ns ? CLOCK_OMPT : CLOCK_NONE,
                                .iteration = iteration,
                                .start_ns = start_ns,
                                .duration_ns = end_ns - start_ns,
                                .bytes = copy->bytes};
    event_log_add_full(tracer->log, &event);
}

static struct event event_of_region(const struct ompt_tracer *tracer, enum event_kind kind,
                                    const struct traced_region *region) {
    return (struct event){
        .kind = kind,
        .phase = region->phase,
        .clock = CLOCK_TARGET_REGION,
        .iteration = region->iteration,
        .start_ns = kind == EVENT_KERNEL ? region->submit_ns : region->start_ns,
        .duration_ns = region->end_ns - region->start_ns - region->data_ns,
        .bytes = kind == EVENT_KERNEL ? kernel_bytes(tracer, region->phase) : 0,
    };
}

/* A kernel takes no longer than its region; the clock's steps may make it seem longer. */
static bool is_new_span(const struct ompt_tracer *tracer, const struct traced_region *region,
                        const struct offload_span *span, double tick_ns) {
    const double slack_ns = 2000;
    return span->begin != 0 && span->begin != tracer->begun[region->phase] &&
           span->end >= span->begin &&
           tick_ns * (double)(span->end - span->begin) <=
               (double)(region->end_ns - region->start_ns) + slack_ns;
}

/* The host clock's time at the device clock's time `zero`. A kernel begins after the start of its
 * launch and ends before its region does, so the possible interval is narrow. */
static int64_t host_time_of(const struct ompt_tracer *tracer, const struct offload_span *spans,
                            double tick_ns, uint64_t zero) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (int r = 0; r < tracer->region_count; r++) {
        const struct traced_region *region = &tracer->regions[r];
        const struct offload_span *span = &spans[region->phase];
        if (!is_new_span(tracer, region, span, tick_ns))
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

void tracer_deliver(struct ompt_tracer *tracer, const struct offload_span *spans, double tick_ns) {
    const int count = tracer->region_count;
    if (count == 0)
        return;
    const uint64_t zero = spans ? spans[tracer->regions[0].phase].begin : 0;
    const int64_t origin = spans ? host_time_of(tracer, spans, tick_ns, zero) : 0;
    for (int r = 0; r < count; r++) {
        const struct traced_region *region = &tracer->regions[r];
        struct event kernel = event_of_region(tracer, EVENT_KERNEL, region);
        struct event wait = event_of_region(tracer, EVENT_WAIT, region);
        const struct offload_span *span = spans ? &spans[region->phase] : NULL;
        const struct traced_copy *copy = &region->copy;
        int64_t copy_start_ns = copy->start_ns;
        if (span && is_new_span(tracer, region, span, tick_ns)) {
            kernel.clock = CLOCK_COUNTER;
            kernel.start_ns = origin + (int64_t)(tick_ns * (double)(int64_t)(span->begin - zero));
            kernel.duration_ns = (int64_t)(tick_ns * (double)(span->end - span->begin));
            /* The copy starts after the kernel. If its call had ended by then, it is untimed. */
            const int64_t kernel_end_ns = kernel.start_ns + kernel.duration_ns;
            copy_start_ns = kernel_end_ns > copy_start_ns ? kernel_end_ns : copy_start_ns;
            if (copy_start_ns < copy->end_ns)
                wait.duration_ns += copy_start_ns - copy->start_ns;
            event_log_add_full(tracer->log, &wait);
            tracer->begun[region->phase] = span->begin;
        }
        event_log_add_full(tracer->log, &kernel);
        if (region->copy_count > 0)
            add_copy(tracer, copy, region->phase, region->iteration, copy_start_ns, copy->end_ns);
    }
    tracer->region_count = 0;
}

static void region_ended(struct ompt_tracer *tracer) {
    tracer->kernels++;
    /* A refinement's regions belong to no phase: they count only in the time per iteration. */
    if (!tracer->log || tracer->refines)
        return;
    struct traced_region region = tracer->region;
    region.phase = phase_now(tracer);
    region.iteration = tracer->log->iteration;
    region.end_ns = clock_now_ns();
    const bool in_loop = (int)region.phase < OFFLOAD_PHASES;
    if (in_loop && tracer->timing == TRACE_COUNT) {
        const struct event kernel = event_of_region(tracer, EVENT_KERNEL, &region);
        const struct event wait = event_of_region(tracer, EVENT_WAIT, &region);
        event_log_add_untimed(tracer->log, &kernel, 1);
        event_log_add_untimed(tracer->log, &wait, 1);
        if (region.copy_count > 0) {
            const struct event copy = {
                .kind = region.copy.kind, .phase = region.phase, .bytes = region.copy.bytes};
            event_log_add_untimed(tracer->log, &copy, 1);
        }
        return;
    }
    /* A stopped iteration leaves regions whose spans are not fetched. */
    if (!in_loop || tracer->region_count == TRACER_REGIONS)
        tracer_deliver(tracer, NULL, 0);
    tracer->regions[tracer->region_count++] = region;
    if (!in_loop || tracer->timing == TRACE_REGION)
        tracer_deliver(tracer, NULL, 0);
}

/* ---- a GPU's data constructs -------------------------------------------------------------- */

/* A copy from pinned memory continues after the call that starts it; the construct ends after all
 * its copies. They share its time beyond calls and allocations, by their bytes. */
static void construct_ended(struct ompt_tracer *tracer) {
    const int64_t whole_ns = clock_now_ns() - tracer->construct.start_ns;
    int64_t spare_ns = whole_ns - tracer->construct.alloc_ns, at_ns = 0;
    uint64_t bytes = 0;
    for (int c = 0; c < tracer->construct.copy_count; c++) {
        spare_ns -= tracer->construct.copies[c].end_ns - tracer->construct.copies[c].start_ns;
        bytes += tracer->construct.copies[c].bytes;
    }
    spare_ns = spare_ns > 0 ? spare_ns : 0;
    for (int c = 0; c < tracer->construct.copy_count && tracer->log; c++) {
        const struct traced_copy *copy = &tracer->construct.copies[c];
        const double share = bytes > 0 ? (double)copy->bytes / (double)bytes : 0;
        const int64_t start_ns = copy->start_ns > at_ns ? copy->start_ns : at_ns;
        at_ns = start_ns + copy->end_ns - copy->start_ns + (int64_t)(share * (double)spare_ns);
        add_copy(tracer, copy, phase_now(tracer), tracer->log->iteration, start_ns, at_ns);
    }
    tracer->construct.copy_count = 0;
    tracer->in_construct = false;
}

static void on_data_construct(struct ompt_tracer *tracer, ompt_scope_endpoint_t endpoint) {
    if (endpoint == ompt_scope_end) {
        construct_ended(tracer);
        return;
    }
    tracer->construct.start_ns = clock_now_ns();
    tracer->construct.alloc_ns = 0;
    tracer->construct.copy_count = 0;
    tracer->in_construct = true;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                      ompt_data_t *task_data, ompt_data_t *target_task_data,
                      ompt_data_t *target_data, const void *code) {
    struct ompt_tracer *tracer = current;
    if (!tracer)
        return;
    if (kind != ompt_target) {
        if (tracer->is_gpu)
            on_data_construct(tracer, endpoint);
        return;
    }
    if (endpoint == ompt_scope_end) {
        if (tracer->submitted && tracer->is_gpu)
            region_ended(tracer);
        tracer->in_region = false;
        return;
    }
    tracer->submitted = false;
    tracer->in_region = true;
    tracer->region = (struct traced_region){.start_ns = clock_now_ns()};
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
                      ompt_id_t *host_op_id, unsigned int requested_num_teams) {
    struct ompt_tracer *tracer = current;
    if (!tracer)
        return;
    if (endpoint == ompt_scope_begin) {
        for (int a = 0; a < tracer->array_count && tracer->hides; a++)
            if (tracer->arrays[a].array != ARRAY_NORM)
                sandbox_hide((void *)tracer->arrays[a].host, tracer->arrays[a].bytes,
                             array_names[tracer->arrays[a].array]);
        tracer->region.submit_ns = clock_now_ns();
        tracer->submitted = true;
    } else if (!tracer->is_gpu) {
        kernel_ended(tracer);
        sandbox_show();
    }
}

static void data_op_ended(struct ompt_tracer *tracer, enum event_kind kind, enum array array,
                          size_t bytes) {
    /* A copy that may have waited for the kernel is not timed: the kernel is. */
    const int64_t end = clock_now_ns();
    const int64_t start = tracer->operation.waited ? end : tracer->operation.start_ns;
    const int64_t duration = end - start;
    const bool is_copy = kind != EVENT_ALLOC;
    const struct traced_copy copy = {kind, array, start, end, bytes};
    tracer->region.data_ns += duration;
    tracer->copies_seen += is_copy;
    if (!is_copy)
        tracer->construct.alloc_ns += duration;
    if (is_copy && tracer->in_construct && tracer->construct.copy_count < TRACER_COPIES) {
        tracer->construct.copies[tracer->construct.copy_count++] = copy;
        return;
    }
    if (is_copy && tracer->in_region && tracer->submitted && tracer->is_gpu &&
        tracer->region.copy_count == 0) {
        tracer->region.copy = copy;
        tracer->region.copy_count++;
        return;
    }
    if (tracer->log)
        event_log_add(tracer->log, kind, array, CLOCK_OMPT, start, duration, bytes);
}

static bool copies_back(ompt_target_data_op_t operation) {
    return operation == ompt_target_data_transfer_from_device ||
           operation == ompt_target_data_transfer_from_device_async;
}

static void on_data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task_data,
                       ompt_data_t *target_data, ompt_id_t *host_op_id,
                       ompt_target_data_op_t operation, void *source, int source_device,
                       void *destination, int destination_device, size_t bytes, const void *code) {
    struct ompt_tracer *tracer = current;
    if (!tracer)
        return;
    if (endpoint == ompt_scope_begin) {
        tracer->operation.waited = tracer->waits && tracer->in_region && tracer->submitted &&
                                   tracer->region.copy_count == 0 && copies_back(operation) &&
                                   !cuda_wait();
        tracer->operation.start_ns = clock_now_ns();
        return;
    }
    struct traced_array *array = NULL;
    switch (operation) {
    case ompt_target_data_alloc:
    case ompt_target_data_alloc_async:
        if ((array = find_array(tracer, source)))
            array->device = destination;
        if (array && !tracer->is_gpu)
            memory_use_large_pages(destination, bytes);
        data_op_ended(tracer, EVENT_ALLOC, array_at(array, bytes), bytes);
        break;
    case ompt_target_data_delete:
    case ompt_target_data_delete_async:
        array = find_array(tracer, source);
        data_op_ended(tracer, EVENT_ALLOC, array_at(array, 0), 0);
        if (array)
            array->device = NULL;
        break;
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
        array = find_array(tracer, source);
        data_op_ended(tracer, EVENT_TO_DEVICE, array_at(array, bytes), bytes);
        break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
        if (!(array = find_array(tracer, destination)))
            array = find_array(tracer, source);
        data_op_ended(tracer, EVENT_FROM_DEVICE, array_at(array, bytes), bytes);
        break;
    default:
        break;
    }
}

/* ---- the back end's side ------------------------------------------------------------------ */

/* For the check. In each parallel region of the CPU one thread is held in the middle of the user's
 * code until all others, which begin after it, have reached the end: what it had read is then out
 * of date, and what it writes overwrites theirs. The processor counts its instructions, so the
 * machine's load doesn't matter. Thread and instruction change with each region. Later regions are
 * not worth the time. */
enum { TRAP_FLAG = 0x100, NEAR = 1 << 16, LEAST_STEPS = 20, MORE_STEPS = 61, MOST_REGIONS = 80 };
static const uint64_t HOLDS = 1ull << 32; /* added to the count when a thread is in place */

static _Atomic uintptr_t user_code; /* near the newest loop's code */
static atomic_uint regions;
static _Thread_local struct {
    _Atomic uint64_t *arrived; /* threads at the region's end */
    unsigned others, steps;    /* 0 steps: the thread is not held */
} held;

/* Threads that wait for the held one (in `critical`) end its patience. */
static void wait_until(uint64_t count) {
    static const int64_t patience_ns = 20000000, patience_of_all_ns = 1000000000;
    static _Atomic int64_t waited_ns;
    const int64_t begin_ns = clock_now_ns();
    while (atomic_load(held.arrived) < count && clock_now_ns() - begin_ns < patience_ns &&
           atomic_load(&waited_ns) < patience_of_all_ns)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    atomic_fetch_add(&waited_ns, clock_now_ns() - begin_ns);
}

#ifdef __x86_64__
static void step_by_step(bool wanted) {
    const unsigned long long flags = __builtin_ia32_readeflags_u64();
    __builtin_ia32_writeeflags_u64(wanted ? flags | TRAP_FLAG : flags & ~TRAP_FLAG);
}

static void on_step(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uintptr_t distance = (uintptr_t)registers[REG_RIP] - atomic_load(&user_code) + NEAR;
    if (held.steps > 0 && distance <= 2 * NEAR)
        held.steps--;
    if (held.steps > 0)
        return;
    registers[REG_EFL] &= ~TRAP_FLAG;
    if (held.arrived) {
        atomic_fetch_add(held.arrived, HOLDS);
        wait_until(HOLDS + held.others);
    }
}
#else
static void step_by_step(bool wanted) {
    if (wanted) {
        atomic_fetch_add(held.arrived, HOLDS);
        wait_until(HOLDS + held.others);
    }
}
#endif

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned threads, int flags, const void *code) {
    parallel->value = 0;
    atomic_fetch_add(&regions, 1);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned threads, unsigned index, int flags) {
    const unsigned region = atomic_load(&regions), random = region * 2654435761u;
    if (endpoint != ompt_scope_begin || !parallel || threads < 2 || region > MOST_REGIONS)
        return;
    held.arrived = (_Atomic uint64_t *)&parallel->value;
    held.others = threads - 1;
    held.steps = (random >> 8) % threads == index ? LEAST_STEPS + (random >> 16) % MORE_STEPS : 0;
}

/* A loop whose iterations the threads share begins. */
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code) {
    if (endpoint != ompt_scope_begin || !held.arrived)
        return;
    if (held.steps > 0) {
        atomic_store(&user_code, (uintptr_t)code);
        step_by_step(true);
    } else {
        wait_until(HOLDS);
    }
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *code) {
    if (endpoint != ompt_scope_begin || kind == ompt_sync_region_taskwait ||
        kind == ompt_sync_region_taskgroup || kind == ompt_sync_region_reduction)
        return;
    if (held.arrived)
        atomic_fetch_add(held.arrived, held.steps > 0 ? HOLDS + 1 : 1);
    held.steps = 0;
    held.arrived = NULL;
    step_by_step(false);
}

void tracer_interleave(void) {
    if (!set_callback)
        return;
#ifdef __x86_64__
    const struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGTRAP, &action, NULL);
#endif
    set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set_callback(ompt_callback_work, (ompt_callback_t)on_work);
    set_callback(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
}

void tracer_start(ompt_function_lookup_t lookup) {
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback = set;
    possible =
        set && set(ompt_callback_target_emi, (ompt_callback_t)on_target) == ompt_set_always &&
        set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_op) == ompt_set_always &&
        set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit) == ompt_set_always;
}

bool tracer_possible(void) {
    return possible;
}

void tracer_set(struct ompt_tracer *tracer) {
    current = tracer;
}

void tracer_name(struct ompt_tracer *tracer, enum array array, const void *host, size_t bytes) {
    if (!host || tracer->array_count == TRACER_ARRAYS)
        return;
    tracer->arrays[tracer->array_count++] =
        (struct traced_array){.array = array, .host = host, .bytes = bytes};
}
