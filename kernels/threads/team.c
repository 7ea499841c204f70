/* The number of threads, and their cores. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
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

int threads_count(int requested) {
    pthread_once(&cores_once, find_cores);
    const int count = requested > 0 ? requested : cores.threads;
    return count < omp_get_thread_limit() ? count : omp_get_thread_limit();
}

void threads_pin(int first, int count) {
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
