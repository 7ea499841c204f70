/* The tracer turns the OpenMP runtime's reports to its tool (OMPT) into events.
 *
 * The program is its own tool (tool.c): it exports `ompt_start_tool`, which libomp calls when it
 * starts, on the first OpenMP call of any library. No environment variable is needed. (libomptarget
 * reports to libomp only if it can open it by its bare name: see loader.c.) Callbacks run on the
 * thread that encounters the target region, and reach the tracer that this thread has set. */
#pragma once

#include <omp-tools.h>

#include "kernels/omp/module.h"
#include "solver/events.h"

enum { TRACER_ARRAYS = 10, TRACER_REGIONS = 4, TRACER_COPIES = 8 };

/* A mapped array: its host address, and its device address while it is mapped. */
struct traced_array {
    enum array array;
    const char *host;
    size_t bytes;
    const void *device;
};

/* How the kernels of a GPU are timed. A launch returns immediately, so OMPT alone reports only a
 * region's total time. */
enum tracer_timing {
    TRACE_REGION, /* by the whole target region, minus its copies */
    TRACE_SPAN,   /* by the device: regions are kept until tracer_deliver */
    TRACE_COUNT   /* not at all: kernels are only counted */
};

/* A copy, timed by the host's clock around the call that starts it. */
struct traced_copy {
    enum event_kind kind;
    enum array array;
    int64_t start_ns, end_ns;
    uint64_t bytes;
};

/* A target region, timed by the host's clock. */
struct traced_region {
    enum phase phase;
    long iteration;
    int64_t start_ns, submit_ns, end_ns;
    int64_t data_ns;         /* the time of its copies and allocations */
    int copy_count;          /* after its launch: the call may have waited for the kernel, too */
    struct traced_copy copy; /* the first copy; later ones are reported immediately */
};

struct ompt_tracer {
    struct event_log *log;       /* NULL: count, but report nothing */
    const struct engine *engine; /* for the kernels' minimum bytes */
    bool is_gpu;                 /* launches are asynchronous */
    bool hides;                  /* the arrays' host memory (sandbox_hide) while a kernel runs */
    bool waits;   /* for a user's kernel before its region's first copy back: it has no span */
    bool refines; /* the regions are the two of a refinement */
    enum tracer_timing timing;
    uint64_t kernels, copies_seen; /* so far; a region that ran on the host adds nothing */

    int array_count;
    struct traced_array arrays[TRACER_ARRAYS];

    /* The open target region, data construct and data operation. */
    bool in_region, in_construct;
    bool submitted; /* the region has launched its kernel */
    struct traced_region region;
    struct {
        int64_t start_ns, alloc_ns; /* alloc_ns: the time of its allocations */
        int copy_count;
        struct traced_copy copies[TRACER_COPIES];
    } construct;
    struct {
        int64_t start_ns;
        bool waited; /* may have waited for the kernel */
    } operation;

    /* Regions that have ended, kept until the device's spans arrive. */
    int region_count;
    struct traced_region regions[TRACER_REGIONS];
    uint64_t begun[OFFLOAD_PHASES]; /* start of the last delivered span of each phase */
};

/* Registers the callbacks with the runtime, through the lookup function that the tool got. */
void tracer_start(ompt_function_lookup_t lookup);

/* From now on one thread of each parallel region of the CPU is held in the middle of its work until
 * the others have ended theirs, so that unsynchronised accesses to shared data collide. */
void tracer_interleave(void);

/* Whether the runtime has accepted all callbacks that a tracer needs. */
bool tracer_possible(void);

/* From now on this thread's regions are reported to `tracer`; NULL: they are not reported. */
void tracer_set(struct ompt_tracer *tracer);

/* Names an array, to attribute its copies. */
void tracer_name(struct ompt_tracer *tracer, enum array array, const void *host, size_t bytes);

/* Reports the kept regions, each as a kernel timed by its span and a wait of the host for it. A
 * region without a new span is reported as with TRACE_REGION. `spans` has one per phase, or is
 * NULL. The device's clock is mapped to the host's so that every kernel is within its region. */
void tracer_deliver(struct ompt_tracer *tracer, const struct offload_span *spans, double tick_ns);
