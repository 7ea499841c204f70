#include "kernels/hip/roof.h"

#include "core/clock.h"
#include "kernels/hip/stream.h"

enum { ARRAYS = 3, BLOCK = 256, LAUNCHES = 20, ROUNDS = 4096, CHAINS = 8 };

/* Larger than any GPU's last cache, and a small part of its memory. */
static size_t array_bytes(const struct hip_stream *stream) {
    const size_t most = (size_t)256 << 20, share = stream->gpu->device.memory_bytes / 64;
    return share < most ? share / 4096 * 4096 : most;
}

/* Seconds that one launch takes, from many in a row. */
static enum status time_launches(const struct hip_stream *stream, enum hip_kernel kernel,
                                 unsigned blocks, void **arguments, double *seconds,
                                 struct error *error) {
    enum status status = hip_stream_launch(stream, kernel, blocks, BLOCK, arguments, error);
    if (!status)
        status = hip_stream_synchronize(stream, error);
    const int64_t start = clock_now_ns();
    for (int n = 0; n < LAUNCHES && !status; n++)
        status = hip_stream_launch(stream, kernel, blocks, BLOCK, arguments, error);
    if (!status)
        status = hip_stream_synchronize(stream, error);
    *seconds = 1e-9 * (double)(clock_now_ns() - start) / LAUNCHES;
    return status;
}

static enum status measure_bandwidth(const struct hip_stream *stream, void *arrays[ARRAYS],
                                     double *gbs, struct error *error) {
    long pairs = (long)(array_bytes(stream) / (2 * sizeof(double)));
    double s = 3, seconds;
    void *arguments[] = {&pairs, &s, &arrays[0], &arrays[1], &arrays[2]};
    const enum status status = time_launches(
        stream, KERNEL_TRIAD, (unsigned)((pairs + BLOCK - 1) / BLOCK), arguments, &seconds, error);
    *gbs = 1e-9 * ARRAYS * (double)array_bytes(stream) / seconds;
    return status;
}

static enum status measure_arithmetic(const struct hip_stream *stream, void *result, double *gflops,
                                      struct error *error) {
    const unsigned blocks = 4 * hip_stream_resident_blocks(stream, KERNEL_MULTIPLY_ADD, BLOCK);
    int rounds = ROUNDS;
    double m = 0.5, d = 1, seconds;
    void *arguments[] = {&rounds, &m, &d, &result};
    const enum status status =
        time_launches(stream, KERNEL_MULTIPLY_ADD, blocks, arguments, &seconds, error);
    *gflops = 1e-9 * 2 * CHAINS * ROUNDS * (double)blocks * BLOCK / seconds;
    return status;
}

static enum status measure(const struct hip_stream *stream, struct roof *roof,
                           struct error *error) {
    const struct hip_driver *driver = stream->driver;
    void *arrays[ARRAYS] = {0};
    enum status status = STATUS_OK;
    for (int a = 0; a < ARRAYS && !status; a++)
        status = hip_check(driver, driver->allocate(&arrays[a], array_bytes(stream)),
                           "no memory on the device to measure its roof", error);
    if (!status)
        status = measure_bandwidth(stream, arrays, &roof->bandwidth_gbs, error);
    if (!status)
        status = measure_arithmetic(stream, arrays[0], &roof->gflops, error);
    for (int a = 0; a < ARRAYS; a++)
        if (arrays[a])
            driver->release(arrays[a]);
    return status;
}

enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error) {
    (void)tuning;
    const struct hip_gpu *gpu = hip_gpu_find(device);
    if (!gpu)
        return error_set(error, STATUS_UNAVAILABLE, "there is no GPU %d", device);
    struct hip_stream stream;
    struct roof found = {.origin = ROOF_MEASURED};
    enum status status = hip_stream_open(&stream, gpu, error);
    if (status)
        return status;
    status = measure(&stream, &found, error);
    hip_stream_close(&stream);
    if (!status)
        *roof = found;
    return status;
}
