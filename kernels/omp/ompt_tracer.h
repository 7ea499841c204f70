/* The tracer turns the OpenMP runtime's reports to its tool (OMPT) into events.
 *
 * The program is its own tool (tool.c): it exports `ompt_start_tool`, which libomp finds when it
 * starts, whoever makes the first OpenMP call; no environment variable is needed. (libomptarget
 * reports to libomp only if it can open it by its bare name: see loader.c.) Callbacks come on the
 * thread that meets the target region, and are delivered to the tracer that this thread has set.
 */
#ifndef JACOBI_KERNELS_OMP_OMPT_TRACER_H
#define JACOBI_KERNELS_OMP_OMPT_TRACER_H

#include <omp-tools.h>

#include "kernels/omp/module.h"
#include "solver/events.h"

enum { TRACER_ARRAYS = 10, TRACER_REGIONS = 4, TRACER_COPIES = 8 };

/* A mapped array: host addresses, and the device's while it is there. */
struct traced_array {
    enum array array;
    const char *host;
    size_t bytes;
    const void *device;
};

/* How the kernels of a GPU are timed. A launch returns at once, so OMPT alone knows a region's time
 * from end to end. */
enum tracer_timing {
    TRACE_REGION, /* by the whole target region, less its copies */
    TRACE_SPAN,   /* by the device: regions are kept until tracer_deliver */
    TRACE_COUNT   /* not at all: they are only counted */
};

/* A copy, by the host's clock around the call that begins it. */
struct traced_copy {
    enum event_kind kind;
    enum array array;
    int64_t start_ns, end_ns;
    uint64_t bytes;
};

/* A target region, by the host's clock. */
struct traced_region {
    enum phase phase;
    long iteration;
    int64_t start_ns, submit_ns, end_ns;
    int64_t data_ns;         /* what its copies and allocations took */
    int copy_count;          /* after its launch: the call may have waited for the kernel, too */
    struct traced_copy copy; /* the first of them; more are reported as they are */
};

struct ompt_tracer {
    struct event_log *log;       /* NULL: count, but report nothing */
    const struct engine *engine; /* for the kernels' minimum bytes */
    bool is_gpu;                 /* launches are asynchronous */
    bool hides;                  /* the arrays' host memory (sandbox_hide) while a kernel runs */
    bool waits;   /* for a kernel, before its region's first copy back: the user's have no span */
    bool refines; /* the regions are the two of a refinement */
    enum tracer_timing timing;
    uint64_t kernels, copies_seen; /* so far; a region that ran on the host counts none */

    int array_count;
    struct traced_array arrays[TRACER_ARRAYS];

    /* The target region, the data construct and the data operation that are open. */
    bool in_region, in_construct;
    bool submitted; /* the region has launched its kernel */
    struct traced_region region;
    struct {
        int64_t start_ns, alloc_ns; /* alloc_ns: what its allocations took */
        int copy_count;
        struct traced_copy copies[TRACER_COPIES];
    } construct;
    struct {
        int64_t start_ns;
        bool waited; /* may have waited for the kernel */
    } operation;

    /* Regions that have ended, until the device's clock is known. */
    int region_count;
    struct traced_region regions[TRACER_REGIONS];
    uint64_t begun[OFFLOAD_PHASES]; /* of each phase's last span delivered */
};

/* Asks the runtime for its callbacks, with the lookup that it gave its tool. */
void tracer_start(ompt_function_lookup_t lookup);

/* From now on the threads of a parallel region of the CPU begin at the same moment, so that they
 * meet in what they share without a rule. */
void tracer_start_together(void);

/* Whether the runtime accepted all callbacks that a tracer needs. */
bool tracer_possible(void);

/* From now on this thread's regions are reported to `tracer`; NULL: to nobody. */
void tracer_set(struct ompt_tracer *tracer);

/* Names an array, for attributing its copies. */
void tracer_name(struct ompt_tracer *tracer, enum array array, const void *host, size_t bytes);

/* Reports the regions that were kept, each as a kernel timed by its span and a wait of the host for
 * it; one whose span is not there, or not new, as TRACE_REGION would. `spans` are by phase; NULL:
 * there are none. The device's clock is mapped to the host's so that every kernel is in its
 * region. */
void tracer_deliver(struct ompt_tracer *tracer, const struct offload_span *spans, double tick_ns);

#endif
