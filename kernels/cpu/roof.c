#include "kernels/cpu/roof.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/cpu/arch.h"

enum { THREADS_MAX = 256, REPEATS = 4, FMA_ROUNDS = 60000 };

/* All three arrays together: larger than the cache, small enough for a quick measurement. */
static const size_t bytes_least = (size_t)96 << 20, bytes_most = (size_t)384 << 20;

struct team {
    int threads;
    size_t length;                     /* doubles per array and thread */
    pthread_mutex_t gate;              /* held until the size of the team is known */
    pthread_barrier_t barrier;         /* initialised then */
    int64_t triad_ns, read_ns, fma_ns; /* the best times of the slowest thread */
    _Atomic bool failed, contended;
};

struct worker {
    struct team *team;
    bool leads;
    double *a, *b, *c;
    pthread_t thread;
};

static void do_triad(struct worker *worker) {
    probe_triad(worker->team->length / LINE_REALS, 3.0, worker->b, worker->c, worker->a);
}

/* All arrays, so that no cache holds them; `a` first, because the triad leaves b and c there. */
static void do_read(struct worker *worker) {
    const size_t length = worker->team->length;
    double sum = probe_read(length, worker->a);
    sum += probe_read(length, worker->b);
    worker->a[0] = sum + probe_read(length, worker->c);
}

static void do_fma(struct worker *worker) {
    worker->a[0] = probe_fma(FMA_ROUNDS, 0.999999, 1e-6);
}

/* The calling thread's time on a processor. */
static int64_t cpu_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The best of several repetitions, each from the start of all threads to the end of the last. */
static void best_of(struct worker *worker, void (*loop)(struct worker *), int64_t *best) {
    struct team *team = worker->team;
    bool calm = false; /* at least once this thread had its processor alone */
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        pthread_barrier_wait(&team->barrier);
        const int64_t start = clock_now_ns(), cpu_start = cpu_now_ns();
        loop(worker);
        const int64_t cpu_ns = cpu_now_ns() - cpu_start;
        calm |= 10 * cpu_ns > 9 * (clock_now_ns() - start);
        pthread_barrier_wait(&team->barrier);
        const int64_t ns = clock_now_ns() - start;
        if (worker->leads && (*best == 0 || ns < *best))
            *best = ns;
    }
    if (!calm)
        team->contended = true;
}

static void *run_worker(void *argument) {
    struct worker *worker = argument;
    struct team *team = worker->team;
    pthread_mutex_lock(&team->gate);
    pthread_mutex_unlock(&team->gate);
    worker->a = alloc_pages(team->length * sizeof(double));
    worker->b = alloc_pages(team->length * sizeof(double));
    worker->c = alloc_pages(team->length * sizeof(double));
    const bool ready = worker->a && worker->b && worker->c;
    if (!ready)
        team->failed = true;
    pthread_barrier_wait(&team->barrier);
    if (ready && !team->failed) {
        for (size_t i = 0; i < team->length; i++)
            worker->b[i] = worker->c[i] = 1.0;
        best_of(worker, do_triad, &team->triad_ns);
        best_of(worker, do_read, &team->read_ns);
        best_of(worker, do_fma, &team->fma_ns);
    }
    free(worker->a);
    free(worker->b);
    free(worker->c);
    return NULL;
}

/* Starts as many threads as possible, and only then sets their number. */
static bool run_team(struct team *team, struct worker *workers) {
    int started = 0;
    pthread_mutex_lock(&team->gate);
    for (; started < team->threads; started++) {
        workers[started] = (struct worker){.team = team, .leads = started == 0};
        if (pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]))
            break;
    }
    team->threads = started;
    if (started > 0) {
        const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
        size_t bytes = cache > 0 ? (size_t)cache / 2 * 3 : bytes_least;
        bytes = bytes < bytes_least ? bytes_least : bytes > bytes_most ? bytes_most : bytes;
        team->length = bytes / 3 / CACHE_LINE / (size_t)started * LINE_REALS;
        pthread_barrier_init(&team->barrier, NULL, (unsigned)started);
    }
    pthread_mutex_unlock(&team->gate);
    for (int t = 0; t < started; t++)
        pthread_join(workers[t].thread, NULL);
    if (started > 0)
        pthread_barrier_destroy(&team->barrier);
    return started > 0 && !team->failed;
}

enum status cpu_roof_measure(int threads, struct roof *roof, struct error *error) {
    if (threads <= 0)
        threads = cpus_usable();
    struct team team = {.threads = threads < THREADS_MAX ? threads : THREADS_MAX};
    struct worker *workers = calloc((size_t)team.threads, sizeof *workers);
    pthread_mutex_init(&team.gate, NULL);
    const bool measured = workers && run_team(&team, workers);
    pthread_mutex_destroy(&team.gate);
    free(workers);
    if (!measured)
        return error_set(error, STATUS_INTERNAL, "no memory or threads for the bandwidth probe");
    const double bytes = 3.0 * sizeof(double) * (double)team.length * team.threads;
    const int64_t ns = team.triad_ns < team.read_ns ? team.triad_ns : team.read_ns;
    roof->origin = ROOF_MEASURED;
    roof->contended = team.contended;
    roof->bandwidth_gbs = bytes / (double)ns;
    roof->gflops = 2.0 * PROBE_LANES * FMA_ROUNDS * team.threads / (double)team.fma_ns;
    return STATUS_OK;
}
