/* The entry point at which libomp starts its tool: only the program's tracer. */
#include "kernels/omp/ompt_tracer.h"

static int tool_start(ompt_function_lookup_t lookup, int initial_device_num,
                      ompt_data_t *tool_data) {
    tracer_start(lookup);
    return 1;
}

static void tool_end(ompt_data_t *tool_data) {
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {.initialize = tool_start, .finalize = tool_end};
    return &result;
}
