#include "kernels/omp/listener.h"

#include <stddef.h>

#include "core/system.h"

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

static void kernel_ended(struct listener *listener, enum clock_source clock, int64_t duration) {
    listener->kernels++;
    if (!listener->log)
        return;
    const enum phase phase = atomic_load_explicit(&listener->log->phase, memory_order_relaxed);
    event_log_add(listener->log, EVENT_KERNEL, ARRAY_NONE, clock, listener->submit_ns, duration,
                  phase_minimum_bytes(phase, &listener->mesh));
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                      ompt_data_t *task_data, ompt_data_t *target_task_data,
                      ompt_data_t *target_data, const void *code) {
    (void)device_num, (void)task_data, (void)target_task_data, (void)target_data, (void)code;
    struct listener *listener = current;
    if (!listener || kind != ompt_target)
        return;
    if (endpoint == ompt_scope_end) {
        /* A GPU's kernel has ended when its region has; what remains of the region is the kernel.
         */
        if (listener->submitted && listener->is_gpu)
            kernel_ended(listener, CLOCK_TARGET_REGION,
                         clock_now_ns() - listener->region_start_ns - listener->data_ns);
        return;
    }
    listener->region_start_ns = clock_now_ns();
    listener->data_ns = 0;
    listener->submitted = false;
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
                      ompt_id_t *host_op_id, unsigned int requested_num_teams) {
    (void)target_data, (void)host_op_id, (void)requested_num_teams;
    struct listener *listener = current;
    if (!listener)
        return;
    if (endpoint == ompt_scope_begin) {
        listener->submit_ns = clock_now_ns();
        listener->submitted = true;
    } else if (!listener->is_gpu) {
        kernel_ended(listener, CLOCK_OMPT, clock_now_ns() - listener->submit_ns);
    }
}

static void data_op_ended(struct listener *listener, enum event_kind kind, enum array array,
                          size_t bytes) {
    const int64_t duration = clock_now_ns() - listener->start_ns;
    listener->data_ns += duration;
    listener->copies += kind != EVENT_ALLOC;
    if (listener->log)
        event_log_add(listener->log, kind, array, CLOCK_OMPT, listener->start_ns, duration, bytes);
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
