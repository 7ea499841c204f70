/* Measures a GPU's roof: a triad for its bandwidth, chains of multiply-adds for its arithmetic. */
#include "core/system.h"
#include "kernels/hip/hip.h"
#include "kernels/hip/stream.h"

enum { ARRAYS = 3, BLOCK = 256, LAUNCHES = 20, ROUNDS = 4096, CHAINS = 8 };

/* Seconds per launch, from many in a row. */
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

/* Triad for the bandwidth, multiply-adds for the arithmetic (device/probe.hip). The arrays are
 * larger than any GPU's last cache, and a small part of its memory. */
static enum status time_kernels(const struct hip_stream *stream, struct roof *roof,
                                struct error *error) {
    const struct hip_driver *driver = stream->driver;
    const size_t most = (size_t)256 << 20, share = stream->gpu->device.memory_bytes / 64;
    const size_t bytes = share < most ? share / 4096 * 4096 : most;
    void *arrays[ARRAYS] = {0};
    double seconds = 0;
    enum status status = STATUS_OK;
    for (int a = 0; a < ARRAYS && !status; a++)
        status = hip_check(driver, driver->allocate(&arrays[a], bytes),
                           "no memory on the device to measure its peak", error);

    if (!status) {
        long pairs = (long)(bytes / (2 * sizeof(double)));
        double s = 3;
        void *arguments[] = {&pairs, &s, &arrays[0], &arrays[1], &arrays[2]};
        status = time_launches(stream, KERNEL_TRIAD, (unsigned)((pairs + BLOCK - 1) / BLOCK),
                               arguments, &seconds, error);
        roof->bandwidth_gbs = 1e-9 * ARRAYS * (double)bytes / seconds;
    }
    if (!status) {
        const unsigned blocks = 4 * (unsigned)stream->gpu->multiprocessors *
                                hip_stream_resident_blocks(stream, KERNEL_MULTIPLY_ADD, BLOCK);
        int rounds = ROUNDS;
        double m = 0.5, d = 1;
        void *arguments[] = {&rounds, &m, &d, &arrays[0]};
        status = time_launches(stream, KERNEL_MULTIPLY_ADD, blocks, arguments, &seconds, error);
        roof->gflops = 1e-9 * 2 * CHAINS * ROUNDS * (double)blocks * BLOCK / seconds;
    }
    for (int a = 0; a < ARRAYS; a++)
        if (arrays[a])
            driver->release(arrays[a]);
    return status;
}

enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error) {
    const struct hip_gpu *gpu;
    struct hip_stream stream;
    struct roof found = {.origin = ROOF_MEASURED};
    enum status status = hip_gpu_find(device, &gpu, error);
    if (!status && gpu->is_emulated)
        return error_set(error, STATUS_UNAVAILABLE, "the emulator has no peak to measure");
    if (!status)
        status = hip_stream_open(&stream, gpu, error);
    if (status)
        return status;
    status = time_kernels(&stream, &found, error);
    hip_stream_close(&stream);
    if (!status)
        *roof = found;
    return status;
}
