#include "core/gate.h"

#include <sched.h>

#include "core/system.h"

void gate_init(struct gate *gate) {
    atomic_init(&gate->value, 0);
    pthread_mutex_init(&gate->mutex, NULL);
    pthread_cond_init(&gate->risen, NULL);
}

void gate_finish(struct gate *gate) {
    pthread_cond_destroy(&gate->risen);
    pthread_mutex_destroy(&gate->mutex);
}

void gate_raise(struct gate *gate, long value) {
    pthread_mutex_lock(&gate->mutex);
    if (value > atomic_load_explicit(&gate->value, memory_order_relaxed))
        atomic_store_explicit(&gate->value, value, memory_order_release);
    pthread_cond_broadcast(&gate->risen);
    pthread_mutex_unlock(&gate->mutex);
}

void gate_wait(struct gate *gate, long value) {
    enum { PATIENCE_NS = 50000 };
    const int64_t start = clock_now_ns();
    while (atomic_load_explicit(&gate->value, memory_order_acquire) < value) {
        if (clock_now_ns() - start < PATIENCE_NS) {
            sched_yield();
            continue;
        }
        pthread_mutex_lock(&gate->mutex);
        while (atomic_load_explicit(&gate->value, memory_order_acquire) < value)
            pthread_cond_wait(&gate->risen, &gate->mutex);
        pthread_mutex_unlock(&gate->mutex);
    }
}
