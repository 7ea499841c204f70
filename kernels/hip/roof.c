#include "kernels/hip/roof.h"

#include "core/clock.h"
#include "kernels/hip/queue.h"

enum { ARRAYS = 3, BLOCK = 256, LAUNCHES = 20, ROUNDS = 4096, CHAINS = 8 };

/* Larger than any GPU's last cache, and a small part of its memory. */
static size_t array_bytes(const struct queue *queue) {
    const size_t most = (size_t)256 << 20, share = queue->gpu->device.memory_bytes / 64;
    return share < most ? share / 4096 * 4096 : most;
}

/* Seconds that one launch takes, from many in a row. */
static enum status time_launches(const struct queue *queue, enum kernel kernel, unsigned blocks,
                                 void **arguments, double *seconds, struct error *error) {
    enum status status = queue_launch(queue, kernel, blocks, BLOCK, arguments, error);
    if (!status)
        status = queue_wait(queue, error);
    const int64_t start = clock_now_ns();
    for (int n = 0; n < LAUNCHES && !status; n++)
        status = queue_launch(queue, kernel, blocks, BLOCK, arguments, error);
    if (!status)
        status = queue_wait(queue, error);
    *seconds = 1e-9 * (double)(clock_now_ns() - start) / LAUNCHES;
    return status;
}

static enum status measure_bandwidth(const struct queue *queue, void *arrays[ARRAYS], double *gbs,
                                     struct error *error) {
    long pairs = (long)(array_bytes(queue) / (2 * sizeof(double)));
    double s = 3, seconds;
    void *arguments[] = {&pairs, &s, &arrays[0], &arrays[1], &arrays[2]};
    const enum status status = time_launches(
        queue, KERNEL_TRIAD, (unsigned)((pairs + BLOCK - 1) / BLOCK), arguments, &seconds, error);
    *gbs = 1e-9 * ARRAYS * (double)array_bytes(queue) / seconds;
    return status;
}

static enum status measure_arithmetic(const struct queue *queue, void *result, double *gflops,
                                      struct error *error) {
    const unsigned blocks = 4 * queue_resident_blocks(queue, KERNEL_MULTIPLY_ADD, BLOCK);
    int rounds = ROUNDS;
    double m = 0.5, d = 1, seconds;
    void *arguments[] = {&rounds, &m, &d, &result};
    const enum status status =
        time_launches(queue, KERNEL_MULTIPLY_ADD, blocks, arguments, &seconds, error);
    *gflops = 1e-9 * 2 * CHAINS * ROUNDS * (double)blocks * BLOCK / seconds;
    return status;
}

static enum status measure(const struct queue *queue, struct roof *roof, struct error *error) {
    const struct driver *driver = queue->driver;
    void *arrays[ARRAYS] = {0};
    enum status status = STATUS_OK;
    for (int a = 0; a < ARRAYS && !status; a++)
        status = driver_check(driver, driver->allocate(&arrays[a], array_bytes(queue)),
                              "no memory on the device to measure its roof", error);
    if (!status)
        status = measure_bandwidth(queue, arrays, &roof->bandwidth_gbs, error);
    if (!status)
        status = measure_arithmetic(queue, arrays[0], &roof->gflops, error);
    for (int a = 0; a < ARRAYS; a++)
        if (arrays[a])
            driver->release(arrays[a]);
    return status;
}

enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error) {
    (void)tuning;
    const struct gpu *gpu = gpu_find(device);
    if (!gpu)
        return error_set(error, STATUS_UNAVAILABLE, "there is no GPU %d", device);
    struct queue queue;
    struct roof found = {.origin = ROOF_MEASURED};
    enum status status = queue_open(&queue, gpu, error);
    if (status)
        return status;
    status = measure(&queue, &found, error);
    queue_close(&queue);
    if (!status)
        *roof = found;
    return status;
}
