/* Launches recorded once and replayed as a whole. A launch costs the host about 2 µs, a replay of
 * many hardly more. The device starts a kernel of a graph as soon as its predecessors have ended.
 *
 * On NVIDIA each launch is a node, after those that it names. If the GPU `has_pdl`, the kernel may
 * even begin before, and waits by its first instruction (device/nvidia/vendor.h: wait_for_earlier,
 * which every kernel of a graph must call). On AMD the launches are captured on the stream: a
 * chain, since ROCm runs branches on several queues, whose barriers cost more than they gain.
 *
 * Not every driver has graphs, and not every driver's are faster: self_check.h. */
#ifndef JACOBI_HIP_GRAPH_H
#define JACOBI_HIP_GRAPH_H

#include "kernels/hip/stream.h"

enum { GRAPH_AFTER_MAX = 3 };

struct hip_graph {
    hipGraph_t graph;             /* while it is recorded */
    bool is_captured;             /* so is what the stream gets */
    hipGraphExec_t executable;    /* NULL: nothing was recorded */
    void *after[GRAPH_AFTER_MAX]; /* the next kernel comes after these; NULL entries are none */
    void *node;                   /* the kernel that was added last */
};

/* Whether the driver has them. */
bool hip_graph_exists(const struct hip_driver *driver);

/* Between the two calls hip_stream_launch adds to the graph, with the arguments' values of that
 * moment. hip_graph_end makes it ready; if anything has failed, nothing was recorded. */
void hip_graph_begin(struct hip_graph *graph, struct hip_stream *stream);
void hip_graph_end(struct hip_graph *graph, struct hip_stream *stream);

/* What hip_stream_launch does meanwhile, unless the launch is captured. */
void hip_graph_add(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                   unsigned threads, void **arguments);

/* Enqueues all that was recorded. */
void hip_graph_replay(const struct hip_graph *graph, const struct hip_stream *stream);

/* Does nothing if nothing was recorded. */
void hip_graph_release(struct hip_graph *graph, const struct hip_stream *stream);

#endif
