/* The OpenMP runtime's tool in a build for ThreadSanitizer: LLVM's archer, which reports the order
 * imposed by the runtime's barriers and joins to the sanitizer, followed by the program's tracer.
 * libomp starts only one tool; the two register different callbacks. */
#include <dlfcn.h>
#include <stddef.h>

#include "kernels/omp/ompt_tracer.h"

typedef ompt_start_tool_result_t *(*start_function)(unsigned int omp_version,
                                                    const char *runtime_version);

static ompt_start_tool_result_t *archer;

static int start(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data) {
    if (archer)
        archer->initialize(lookup, initial_device_num, tool_data);
    tracer_start(lookup);
    return 1;
}

static void end(ompt_data_t *tool_data) {
    if (archer)
        archer->finalize(tool_data);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {.initialize = start, .finalize = end};
    void *library = dlopen("libarcher.so", RTLD_NOW);
    start_function start_archer = NULL;
    if (library)
        *(void **)&start_archer = dlsym(library, "ompt_start_tool");
    if (start_archer)
        archer = start_archer(omp_version, runtime_version);
    return &result;
}
