/* Launches recorded once and replayed as a whole. A launch costs the host about 2 µs, a replay of
 * many hardly more. The device starts a kernel of a graph as soon as its predecessors have ended.
 *
 * On NVIDIA each launch is a node with the predecessors that it names. If the GPU `has_pdl`, a
 * kernel may begin even earlier; every kernel of a graph must first call wait_for_earlier, which
 * then waits (device/nvidia/vendor.h). On AMD the stream captures the launches as a chain: ROCm
 * runs branches on several queues, whose barriers cost more than they gain.
 *
 * Not every driver has graphs, and not every driver's graphs are faster: see self_check.h. */
#pragma once

#include "kernels/hip/stream.h"

enum { GRAPH_AFTER_MAX = 3 };

struct hip_graph {
    hipGraph_t graph;             /* during recording */
    bool is_captured;             /* the stream's launches are being captured */
    hipGraphExec_t executable;    /* NULL: nothing is recorded */
    void *after[GRAPH_AFTER_MAX]; /* predecessors of the next kernel; NULL entries are none */
    void *node;                   /* the kernel added last */
};

bool hip_graph_exists(const struct hip_driver *driver);

/* Between the two calls hip_stream_launch adds kernels to the graph, with the current values of
 * their arguments. hip_graph_end makes it executable; after any failure nothing is recorded. */
void hip_graph_begin(struct hip_graph *graph, struct hip_stream *stream);
void hip_graph_end(struct hip_graph *graph, struct hip_stream *stream);

/* Adds a kernel; called by hip_stream_launch during recording, unless the launch is captured. */
void hip_graph_add(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                   unsigned threads, void **arguments);

/* Enqueues all recorded kernels; releases them, if there are any. */
void hip_graph_replay(const struct hip_graph *graph, const struct hip_stream *stream);
void hip_graph_release(struct hip_graph *graph, const struct hip_stream *stream);
