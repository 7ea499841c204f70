/* The back end `threads`: its kernels in the engine that it shares with serial (kernels/cpu). */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "kernels/cpu/roof.h"
#include "kernels/cpu/row.h"
#include "kernels/threads/threads.h"

static struct {
    int count;
    int cpus[CPU_SETSIZE]; /* one per core */
    int threads;           /* unless another number is requested */
} cores;

static pthread_once_t cores_once = PTHREAD_ONCE_INIT;

/* The lowest CPU that shares a core with `cpu`; `cpu` itself if the system doesn't report it. */
static int first_sibling(int cpu) {
    char path[96];
    int first = cpu;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *list = fopen(path, "r");
    if (!list)
        return cpu;
    if (fscanf(list, "%d", &first) != 1)
        first = cpu;
    fclose(list);
    return first;
}

static void find_cores(void) {
    cpu_set_t allowed, taken;
    CPU_ZERO(&taken);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        cores.count = cores.threads = 1;
        return;
    }
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        const int core = first_sibling(cpu);
        if (CPU_ISSET(core, &taken))
            continue;
        CPU_SET(core, &taken);
        cores.cpus[cores.count++] = cpu;
    }
    const int usable = cpus_usable();
    cores.threads = getenv("OMP_NUM_THREADS") ? omp_get_max_threads()
                    : usable < cores.count    ? usable
                                              : cores.count;
}

/* The number of threads: the request, or for 0 one per core that this process may use. */
static int threads_count(int requested) {
    pthread_once(&cores_once, find_cores);
    const int count = requested > 0 ? requested : cores.threads;
    return count < omp_get_thread_limit() ? count : omp_get_thread_limit();
}

/* Pins each of `count` threads except the calling one to its own core, from core `first` on, so
 * that a thread stays close to the memory that it touched first. The calling thread belongs to the
 * program, not to OpenMP: the scheduler places it on the remaining core. */
static void threads_pin(int first, int count) {
    pthread_once(&cores_once, find_cores);
    /* No pinning with more threads than cores, or if the user has placed the threads. */
    const bool pins = first + count <= cores.count && omp_get_proc_bind() == omp_proc_bind_false;
#pragma omp parallel num_threads(count)
    if (pins && omp_get_thread_num() > 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(cores.cpus[first + omp_get_thread_num()], &set);
        sched_setaffinity(0, sizeof set, &set);
    }
}

static enum status threads_probe(struct device_list *devices, struct error *error) {
    return cpu_probe(threads_count(0), devices);
}

/* The threads of one engine: a run's slabs share its threads. */
static int threads_of(const struct engine_spec *spec) {
    const int all = threads_count(spec->run.tuning.threads);
    const int local_size = spec->slab.local_size > 1 ? spec->slab.local_size : 1;
    return all > local_size ? all / local_size : 1;
}

static struct footprint threads_footprint(const struct engine_spec *spec) {
    return cpu_footprint(spec, threads_of(spec));
}

static enum status check_team(const struct engine_spec *spec, bool starts, struct error *error) {
    return thread_check_team(threads_of(spec), "--threads", starts, error);
}

static enum status threads_supports(const struct engine_spec *spec, struct error *error) {
    TRY(cpu_supports(spec, error));
    return check_team(spec, false, error);
}

static enum status threads_open(const struct engine_spec *spec, struct event_log *events,
                                struct engine **engine, struct error *error) {
    const int threads = threads_of(spec);
    TRY(check_team(spec, true, error));
    threads_pin(threads * spec->slab.local_rank, threads);
    if (spec->run.precision == PRECISION_DOUBLE)
        return cpu_open(&threads_kernels, threads, spec, events, engine, error);
    return cpu_open_single(&threads_kernels_single, threads, spec, events, engine, error);
}

static enum status threads_roof(int device, const struct tuning *tuning, struct roof *roof,
                                struct error *error) {
    return cpu_roof_measure(threads_count(tuning->threads), roof, error);
}

const struct backend threads_backend = {
    .name = "threads",
    .title = "OpenMP threads",
    .needs = "a compiler with OpenMP",
    .model = MODEL_HOST_LOOPS,
    .probe = threads_probe,
    .supports = threads_supports,
    .footprint = threads_footprint,
    .transport = "host copies",
    .open = threads_open,
    .precisions = 1 << PRECISION_SINGLE | 1 << PRECISION_MIXED,
    .blocked_flops = cpu_blocked_flops,
    .measure_roof = threads_roof,
};
