#include "kernels/hip/graph.h"

static const char failed_words[] = "the iterations can't be recorded";

enum status hip_graph_begin(struct hip_graph *graph, struct hip_stream *stream,
                            struct error *error) {
    *graph = (struct hip_graph){0};
    const enum status status = hip_check(
        stream->driver, stream->driver->graph_create(&graph->graph, 0), failed_words, error);
    if (!status)
        stream->recording = graph;
    return status;
}

enum status hip_graph_add(const struct hip_stream *stream, enum hip_kernel kernel, unsigned blocks,
                          unsigned threads, void **arguments, struct error *error) {
    struct hip_graph *graph = stream->recording;
    void *after[GRAPH_AFTER_MAX];
    size_t count = 0;
    for (int n = 0; n < GRAPH_AFTER_MAX; n++)
        if (graph->after[n])
            after[count++] = graph->after[n];
    const struct cuda_kernel_node node = {.function = stream->functions[kernel],
                                          .grid = {blocks, 1, 1},
                                          .block = {threads, 1, 1},
                                          .arguments = arguments};
    const struct hip_driver *driver = stream->driver;
    const bool early = stream->gpu->has_pdl && count > 0;
    const char *name = hip_kernel_signatures[kernel].name;
    const enum status status = hip_check(
        driver,
        driver->graph_add_kernel(&graph->node, graph->graph, after, early ? 0 : count, &node), name,
        error);
    if (status || !early)
        return status;
    enum { PORT_BEGUN = 1, PROGRAMMATIC = 1 };
    struct cuda_graph_edge edges[GRAPH_AFTER_MAX];
    void *to[GRAPH_AFTER_MAX];
    for (size_t n = 0; n < count; n++) {
        edges[n] = (struct cuda_graph_edge){.from_port = PORT_BEGUN, .type = PROGRAMMATIC};
        to[n] = graph->node;
    }
    return hip_check(driver, driver->graph_add_edges(graph->graph, after, to, edges, count), name,
                     error);
}

enum status hip_graph_end(struct hip_graph *graph, struct hip_stream *stream, bool failed,
                          struct error *error) {
    const struct hip_driver *driver = stream->driver;
    enum status status = STATUS_OK;
    stream->recording = NULL;
    if (!failed)
        status = hip_check(driver, driver->graph_instantiate(&graph->executable, graph->graph, 0),
                           failed_words, error);
    if (status)
        graph->executable = NULL;
    if (graph->graph)
        driver->graph_destroy(graph->graph);
    graph->graph = NULL;
    return status;
}

enum status hip_graph_replay(const struct hip_graph *graph, const struct hip_stream *stream,
                             struct error *error) {
    return hip_check(stream->driver,
                     stream->driver->graph_launch(graph->executable, stream->handle),
                     "the iterations can't be replayed", error);
}

void hip_graph_release(struct hip_graph *graph, const struct hip_stream *stream) {
    if (graph->executable)
        stream->driver->graph_release(graph->executable);
    *graph = (struct hip_graph){0};
}
