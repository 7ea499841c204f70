/* Measures a GPU's ceilings: its bandwidth by a triad, its arithmetic by multiply-adds. */
#include "core/system.h"
#include "kernels/hip/hip.h"
#include "kernels/hip/stream.h"

enum { ARRAYS = 3, BLOCK = 256, LAUNCHES = 20, ROUNDS = 4096, CHAINS = 8 };

/* Seconds per launch, averaged over many. */
static double time_launches(const struct hip_stream *stream, enum hip_kernel kernel,
                            unsigned blocks, void **arguments) {
    hip_stream_launch(stream, kernel, blocks, BLOCK, arguments);
    hip_stream_synchronize(stream);
    const int64_t start = clock_now_ns();
    for (int n = 0; n < LAUNCHES; n++)
        hip_stream_launch(stream, kernel, blocks, BLOCK, arguments);
    hip_stream_synchronize(stream);
    return 1e-9 * (double)(clock_now_ns() - start) / LAUNCHES;
}

/* A triad for the bandwidth, multiply-adds for the arithmetic (device/probe.hip). The arrays are
 * larger than any GPU's last-level cache, but use a small part of its memory. */
static void time_kernels(const struct hip_stream *stream, struct roof *roof) {
    const size_t most = (size_t)512 << 20, share = stream->gpu->device.memory_bytes / 64;
    const size_t bytes = share < most ? share / 4096 * 4096 : most;
    void *arrays[ARRAYS];
    for (int a = 0; a < ARRAYS; a++)
        arrays[a] = hip_stream_allocate(stream, bytes, "measuring its peak");

    long pairs = (long)(bytes / (2 * sizeof(double)));
    double s = 3;
    void *triad[] = {&pairs, &s, &arrays[0], &arrays[1], &arrays[2]};
    roof->bandwidth_gbs =
        1e-9 * ARRAYS * (double)bytes /
        time_launches(stream, KERNEL_TRIAD, (unsigned)((pairs + BLOCK - 1) / BLOCK), triad);

    const unsigned blocks = 4 * (unsigned)stream->gpu->multiprocessors *
                            hip_stream_resident_blocks(stream, KERNEL_MULTIPLY_ADD, BLOCK);
    int rounds = ROUNDS;
    double m = 0.5, d = 1;
    void *multiply_add[] = {&rounds, &m, &d, &arrays[0]};
    roof->gflops = 1e-9 * 2 * CHAINS * ROUNDS * (double)blocks * BLOCK /
                   time_launches(stream, KERNEL_MULTIPLY_ADD, blocks, multiply_add);
    for (int a = 0; a < ARRAYS; a++)
        if (arrays[a])
            stream->driver->release(arrays[a]);
}

enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error) {
    const struct hip_gpu *gpu;
    struct hip_stream stream;
    struct error failure = {0};
    struct roof found = {.origin = ROOF_MEASURED};
    TRY(hip_gpu_find(device, &gpu, error));
    if (gpu->is_emulated)
        return error_set(error, STATUS_UNAVAILABLE, "the emulator has no peak to measure");
    hip_stream_open(&stream, gpu, PRECISION_DOUBLE, &failure);
    if (!failure.status) {
        time_kernels(&stream, &found);
        hip_stream_close(&stream);
    }
    if (!failure.status)
        *roof = found;
    return hip_take_failure(&failure, error);
}
