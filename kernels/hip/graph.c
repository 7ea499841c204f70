#include "kernels/hip/graph.h"

bool hip_graph_exists(const struct hip_driver *driver) {
    return driver->graph_launch && driver->graph_instantiate && driver->graph_release &&
           driver->graph_destroy &&
           ((driver->capture_begin && driver->capture_end) ||
            (driver->graph_create && driver->graph_add_kernel));
}

/* Other threads' calls do not invalidate the capture. */
void hip_graph_begin(struct hip_graph *graph, struct hip_stream *stream) {
    static const char failed[] = "graph recording can't begin";
    const bool captures = stream->driver->capture_begin != NULL;
    *graph = (struct hip_graph){0};
    if (captures)
        HIP_CALL(stream, capture_begin(stream->handle, hipStreamCaptureModeThreadLocal), failed);
    else
        HIP_CALL(stream, graph_create(&graph->graph, 0), failed);
    graph->is_captured = captures && !hip_failed(stream);
    stream->recording = graph;
}

void hip_graph_add(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                   unsigned threads, void **arguments) {
    enum { PORT_BEGUN = 1, PROGRAMMATIC = 1 };
    const struct hip_driver *driver = stream->driver;
    struct hip_graph *graph = stream->recording;
    void *after[GRAPH_AFTER_MAX], *to[GRAPH_AFTER_MAX];
    struct cuda_graph_edge edges[GRAPH_AFTER_MAX];
    size_t count = 0;
    for (int n = 0; n < GRAPH_AFTER_MAX; n++)
        if (graph->after[n])
            after[count++] = graph->after[n];
    const struct cuda_kernel_node node = {.function = stream->functions[kernel],
                                          .grid = {blocks, 1, 1},
                                          .block = {threads, 1, 1},
                                          .arguments = arguments};
    const bool early = stream->gpu->has_pdl && count > 0;
    const char *name = hip_kernel_signatures[kernel].name;
    hip_check(driver,
              driver->graph_add_kernel(&graph->node, graph->graph, after, early ? 0 : count, &node),
              name, stream->failure);
    if (hip_failed(stream) || !early)
        return;
    for (size_t n = 0; n < count; n++) {
        edges[n] = (struct cuda_graph_edge){.from_port = PORT_BEGUN, .type = PROGRAMMATIC};
        to[n] = graph->node;
    }
    hip_check(driver, driver->graph_add_edges(graph->graph, after, to, edges, count), name,
              stream->failure);
}

void hip_graph_end(struct hip_graph *graph, struct hip_stream *stream) {
    const struct hip_driver *driver = stream->driver;
    stream->recording = NULL;
    if (graph->is_captured) /* also after a failed launch: the capture must end */
        hip_check(driver, driver->capture_end(stream->handle, &graph->graph),
                  "a graph can't be captured", stream->failure);
    HIP_CALL(stream, graph_instantiate(&graph->executable, graph->graph, 0),
             "a graph can't be instantiated");
    if (hip_failed(stream))
        graph->executable = NULL;
    if (graph->graph)
        driver->graph_destroy(graph->graph);
    graph->graph = NULL;
}

void hip_graph_replay(const struct hip_graph *graph, const struct hip_stream *stream) {
    HIP_CALL(stream, graph_launch(graph->executable, stream->handle), "a graph can't be launched");
}

void hip_graph_release(struct hip_graph *graph, const struct hip_stream *stream) {
    if (graph->executable)
        stream->driver->graph_release(graph->executable);
    *graph = (struct hip_graph){0};
}
