#include "tests/fake/cuda.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fake/kernels.h"

enum { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_FOUND = 500, FAKE = 999 };

static long fail_at, held;
static bool lost, failed;

static int mark_fd = -1;         /* where to say that the call has failed */
static bool first_questions_too; /* those that are asked once a process */

__attribute__((constructor)) static void read_environment(void) {
    const char *at = getenv("FAKE_CUDA_FAIL_AT");
    fake_cuda_fail(at ? atol(at) : 0, getenv("FAKE_CUDA_LOST") != NULL);
    const char *fault = getenv("JACOBI_FAULT"), *fd = getenv("JACOBI_FAULT_FD");
    if (!fault || !fd || strncmp(fault, "driver:", 7) != 0)
        return;
    fake_cuda_fail(atol(fault + 7), strchr(fault, '+') != NULL);
    mark_fd = atoi(fd);
    first_questions_too = true;
}

void fake_cuda_fail(long at, bool and_lost) {
    fail_at = at;
    lost = and_lost;
    failed = false;
}

bool fake_cuda_has_failed(void) {
    return failed;
}

long fake_cuda_held(void) {
    return held;
}

/* What every call begins with. */
static int answer(void) {
    if (failed && lost)
        return FAKE;
    if (fail_at > 0 && --fail_at == 0) {
        failed = true;
        if (mark_fd >= 0 && write(mark_fd, "!", 1) != 1)
            abort();
        return FAKE;
    }
    return CUDA_SUCCESS;
}

static int answer_first(void) {
    return first_questions_too ? answer() : CUDA_SUCCESS;
}

/* A release counts even where it is said to have failed: there is no second try. */
static int give_back(void *memory) {
    free(memory);
    held--;
    return answer();
}

static int take(void **memory, size_t bytes) {
    const int code = answer();
    if (code)
        return code;
    *memory = malloc(bytes ? bytes : 1);
    if (!*memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memset(*memory, 0x40,
           bytes < 1 << 20 ? bytes : 1 << 20); /* not zero, as memory is: doubles of 32.5 */
    held++;
    return CUDA_SUCCESS;
}

/* ---- the device -------------------------------------------------------------------------------
 */

int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int length, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuGetErrorString(int code, const char **text);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuCtxSetCurrent(void *context);

int cuInit(unsigned flags) {
    return flags ? FAKE : answer_first();
}

int cuDriverGetVersion(int *version) {
    const int code = answer_first();
    if (!code)
        *version = 12000;
    return code;
}

int cuDeviceGetCount(int *count) {
    const int code = answer_first();
    if (!code)
        *count = 1;
    return code;
}

int cuDeviceGet(int *device, int ordinal) {
    const int code = answer_first();
    if (!code)
        *device = ordinal;
    return code;
}

int cuDeviceGetName(char *name, int length, int device) {
    const int code = answer_first();
    if (!code)
        snprintf(name, (size_t)length, "Fake GPU %d", device);
    return code;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    const int code = answer_first();
    if (!code)
        *bytes = (size_t)(device + 1) << 30;
    return code;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    static const struct {
        int attribute, value;
    } attributes[] = {{10, 32}, {16, 4}, {19, 1}, {75, 7}, {76, 0}};
    const int code = answer_first();
    (void)device;
    for (size_t a = 0; a < sizeof attributes / sizeof *attributes && !code; a++)
        if (attributes[a].attribute == attribute)
            *value = attributes[a].value;
    return code;
}

int cuGetErrorString(int code, const char **text) {
    *text = code == FAKE ? "the fake device was told to fail" : "some other failure";
    return CUDA_SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    (void)device;
    return take(context, 1);
}

static void *the_context;

int cuDevicePrimaryCtxRelease_v2(int device) {
    (void)device;
    void *context = the_context;
    the_context = NULL;
    return give_back(context);
}

int cuCtxSetCurrent(void *context) {
    the_context = context;
    return answer();
}

/* ---- modules and launches ---------------------------------------------------------------------
 */

int cuModuleLoadData(void **module, const void *image);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **arguments, void **extra);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared_bytes);

int cuModuleLoadData(void **module, const void *image) {
    return strstr(image, ".version") ? take(module, 1) : FAKE;
}

int cuModuleUnload(void *module) {
    return give_back(module);
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    const fake_kernel kernel = fake_kernel_find(name);
    const int code = answer();
    (void)module;
    memcpy(function, &kernel, sizeof *function);
    return code || kernel ? code : CUDA_ERROR_NOT_FOUND;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **arguments, void **extra) {
    const int code = answer();
    fake_kernel kernel;
    memcpy(&kernel, &function, sizeof kernel);
    if (code || !stream || extra || shared_bytes || grid_y * grid_z * block_y * block_z != 1)
        return code ? code : FAKE;
    if (grid_x == 0 || block_x == 0 || block_x > 1024)
        return FAKE;
    kernel(grid_x, block_x, arguments);
    return CUDA_SUCCESS;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                size_t shared_bytes) {
    const int code = answer_first();
    (void)function;
    (void)shared_bytes;
    if (!code)
        *blocks = 2048 / threads;
    return code;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

int cuMemAlloc_v2(void **pointer, size_t bytes);
int cuMemFree_v2(void *pointer);
int cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags);
int cuMemFreeHost(void *pointer);
int cuMemHostGetDevicePointer_v2(void **device, void *host, unsigned flags);
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream);
int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *stream);
int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, void *stream);

int cuMemAlloc_v2(void **pointer, size_t bytes) {
    return take(pointer, bytes);
}

int cuMemFree_v2(void *pointer) {
    return give_back(pointer);
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    (void)flags;
    return take(pointer, bytes);
}

int cuMemFreeHost(void *pointer) {
    return give_back(pointer);
}

int cuMemHostGetDevicePointer_v2(void **device, void *host, unsigned flags) {
    (void)flags;
    *device = host;
    return answer();
}

static int copy(void *to, const void *from, size_t bytes) {
    const int code = answer();
    if (!code)
        memcpy(to, from, bytes);
    return code;
}

int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream) {
    (void)stream;
    return copy(to, from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *stream) {
    (void)stream;
    return copy(to, from, bytes);
}

int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, void *stream) {
    const int code = answer();
    (void)stream;
    if (!code)
        memset(to, value, bytes);
    return code;
}

/* ---- streams and events -----------------------------------------------------------------------
 */

int cuStreamCreate(void **stream, unsigned flags);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *milliseconds, void *start, void *stop);

int cuStreamCreate(void **stream, unsigned flags) {
    (void)flags;
    return take(stream, 1);
}

int cuStreamDestroy_v2(void *stream) {
    return give_back(stream);
}

int cuStreamSynchronize(void *stream) {
    (void)stream;
    return answer();
}

int cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    return take(event, sizeof(struct timespec));
}

int cuEventDestroy_v2(void *event) {
    return give_back(event);
}

int cuEventRecord(void *event, void *stream) {
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, event);
    return answer();
}

int cuEventSynchronize(void *event) {
    (void)event;
    return answer();
}

int cuEventElapsedTime(float *milliseconds, void *start, void *stop) {
    const struct timespec *a = start, *b = stop;
    const long seconds = b->tv_sec - a->tv_sec, nanoseconds = b->tv_nsec - a->tv_nsec;
    *milliseconds = (float)(1e3 * (double)seconds + 1e-6 * (double)nanoseconds);
    return answer();
}
