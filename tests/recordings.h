/* Recordings of a small run, in a folder of their own, for the tests of what is kept and of what is
 * refused. */
#ifndef JACOBI_TESTS_RECORDINGS_H
#define JACOBI_TESTS_RECORDINGS_H

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/recorder.h"
#include "record/recording.h"
#include "tests/samples.h"

enum { SAMPLES = 12 };

static char directory[] = "/tmp/jacobi-recording-XXXXXX";
static char path[64];

static inline int make_directory(void **state) {
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/run.rec", directory);
    return 0;
}

static inline int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static inline struct recording_about about_test(void) {
    struct config config = {
        .view = {.layout = "standard", .colormap = "viridis", .scale = SCALE_LOG}};
    config.view.x1 = config.view.y1 = 1;
    config.machine = (struct machine){.device = "Xeon", .bandwidth_gbs = 26.6, .gflops = NAN};
    config.reference.ms_per_iteration = 0.858;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        config.reference.kernel_ms[phase] = config.reference.kernel_gbs[phase] = NAN;
    config.reference.kernel_ms[PHASE_UPDATE] = 0.51;
    snprintf(config.command, sizeof config.command, "jacobi-tui --grid=20x13");
    struct recording_about about;
    about_from_config(&about, &config);
    return about;
}

static inline struct recorder *record_to(const char *where) {
    const struct recording_about about = about_test();
    struct recorder *recorder = NULL;
    struct error error = {0};
    unlink(where);
    if (recorder_open(where, &about, &recorder, &error))
        fail_msg("%s", error.message);
    return recorder;
}

static inline void open_run(struct sampled_run *run) {
    struct lane_spec specs[2] = {
        run_spec("blog", 20, 13, "serial", MAPPING_UNSTRUCTURED, "classic"),
        run_spec("blog", 20, 13, "serial", MAPPING_UNSTRUCTURED, "fused"),
    };
    specs[0].iterations = specs[1].iterations = 5 * SAMPLES;
    sampled_run_open(run, specs, 2, 10, 6);
}

/* None for a while, then more and fewer; the first has not begun at first. */
static inline void set_grids_beside(struct sample *sample, int k) {
    sample->beside_count = k < SAMPLES / 4 ? 0 : k < SAMPLES / 2 ? 3 : 2;
    for (int b = 0; b < sample->beside_count; b++) {
        struct beside *beside = &sample->beside[b];
        const struct lane_sample *lane = &sample->lanes[b % 2];
        *beside = (struct beside){0};
        if (b == 0 && k < SAMPLES / 3)
            continue;
        *beside = (struct beside){.nx = 7 + b,
                                  .ny = 9,
                                  .iterations = lane->iterations + b,
                                  .residual = 0.5 * lane->residual,
                                  .state = b == 1 ? LANE_CONVERGED : LANE_RUNNING,
                                  .history = lane->history};
    }
}

/* Records a run, keeping copies of its samples. */
static inline void record_run(struct sample **kept) {
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    open_run(&run);
    for (int k = 0; k < SAMPLES; k++) {
        const struct sample *sample = sampled_run_next(&run, 5);
        set_grids_beside(run.sample, k);
        assert_int_equal(recorder_add(recorder, sample, &error), STATUS_OK);
        if (kept) {
            assert_non_null(kept[k] = sample_create());
            sample_copy(kept[k], sample);
        }
    }
    recorder_close(recorder);
    sampled_run_close(&run);
}

static inline uint8_t *read_whole(const char *where, size_t *size) {
    struct stat info;
    FILE *file = fopen(where, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    *size = (size_t)info.st_size;
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline struct recording *load(const char *where) {
    struct recording *recording = NULL;
    struct error error = {0};
    if (recording_load(where, &recording, &error))
        fail_msg("%s", error.message);
    return recording;
}

#endif
