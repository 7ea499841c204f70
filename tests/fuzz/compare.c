/* Several recordings from the web side by side, played as on the screen: found, checked, aligned by
 * iterations or by time, scrolled, shown or reported.
 *
 * Three bytes select whether to show or report and how, and the number and race mode of the lanes.
 * Then for each lane a byte selects the lane of its recording (0: it has only one), two give the
 * recording's length (0: the previous recording), and the recording follows (see parts.h). Files
 * and samples come from memory that is reused: new allocations would take longer than everything
 * else. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include "record/replay.h"
#include "record/resolve.h"
#include "tests/fuzz/parts.h"
#include "tests/fuzz/show.h"

/* FILE_MAX: the largest file of parts_pack for an input of the size that scripts/fuzz allows. */
enum { HEAD = 3, LANE_HEAD = 3, FILE_MAX = 1 << 16, SAMPLES_MAX = 3 * LANES_MAX + 4 };

static struct file {
    uint8_t bytes[FILE_MAX];
    size_t size;
} files[LANES_MAX];

/* ---- replacements of the program's functions, by the linker's --wrap ------------------------- */

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum status __wrap_recording_load(const char *path, struct recording **recording,
                                  struct error *error) {
    const struct file *file = &files[path[1] - 'A'];
    return recording_parse(file->bytes, file->size, path, recording, error);
}

static struct sample *samples[SAMPLES_MAX];
static bool taken[SAMPLES_MAX];

/* Resets the sample to its state after creation. */
static struct sample *cleared(struct sample *sample) {
    float *cells[LANES_MAX];
    struct level_fields levels[LANES_MAX];
    for (int l = 0; l < LANES_MAX; l++) {
        cells[l] = sample->lanes[l].field.cells;
        levels[l] = sample->lanes[l].levels;
        levels[l].count = 0;
    }
    memset(sample, 0, sizeof *sample);
    for (int l = 0; l < LANES_MAX; l++) {
        sample->lanes[l].field.cells = cells[l];
        sample->lanes[l].levels = levels[l];
    }
    return sample;
}

struct sample *__real_sample_create(void);
struct sample *__wrap_sample_create(void) {
    for (int s = 0; s < SAMPLES_MAX; s++)
        if (!taken[s]) {
            taken[s] = true;
            return cleared(samples[s]);
        }
    abort(); /* a caller does not return its samples */
}

void __wrap_sample_destroy(struct sample *sample) {
    for (int s = 0; s < SAMPLES_MAX; s++)
        if (samples[s] == sample)
            taken[s] = false;
}

/* ---- playing ------------------------------------------------------------------------------------
 */

static int64_t now_ns;

static int64_t fuzz_clock(void) {
    return now_ns += 30000000;
}

static void check_sample(const struct sample *sample, int lanes) {
    if (sample->lane_count != lanes || sample_recorded_count(sample) != lanes)
        abort();
    fuzz_check_sample(sample);
}

/* Steps forward, seeks, changes the race, and continues from there. */
static void play(struct config *config, struct source *source, uint8_t way, uint8_t how) {
    const struct command commands[] = {
        {.kind = COMMAND_VIEW, .view = {.cols = 40, .rows = 12, .x1 = 1, .y1 = 1}},
        {.kind = COMMAND_STEP, .value = 1 + way % 4},
        {.kind = COMMAND_SEEK, .value = 4 * how},
        {.kind = COMMAND_RACE, .value = config->plan.race == RACE_SAME_ITERATIONS},
        {.kind = COMMAND_CHAPTER, .value = 1},
        {.kind = COMMAND_PAUSE, .value = 0},
    };
    const int lanes = config->plan.lane_count;
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        source->ops->command(source, &commands[c]);
        check_sample(source->ops->latest(source), lanes);
    }
    if (way % 8 == 0) /* drawing takes longer than everything else, and has its own target */
        show_sample(config, source->ops->latest(source), way / 8, how);
}

/* Reads the lanes' files and selected lanes; false if there is no file. */
static bool take_files(const uint8_t *bytes, size_t size, struct plan *plan) {
    struct file *file = NULL;
    for (int l = 0; l < plan->lane_count; l++) {
        struct plan_recording *named = &plan->recordings[l];
        const size_t length = size < LANE_HEAD ? 0 : bytes[1] | (size_t)bytes[2] << 8;
        named->lane = size < LANE_HEAD ? -1 : bytes[0] % (LANES_MAX + 2) - 1;
        bytes += size < LANE_HEAD ? size : LANE_HEAD;
        size -= size < LANE_HEAD ? size : LANE_HEAD;
        if (length > 0 && size > 0) {
            const size_t part = length < size ? length : size;
            size_t packed;
            const uint8_t *whole = parts_pack(bytes, part, &packed);
            file = &files[l];
            file->size = packed < FILE_MAX ? packed : FILE_MAX;
            memcpy(file->bytes, whole, file->size);
            bytes += part;
            size -= part;
        }
        if (!file)
            return false;
        snprintf(named->path, sizeof named->path, "/%c", (char)('A' + (file - files)));
    }
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    for (int s = 0; s < SAMPLES_MAX; s++)
        if (!(samples[s] = __real_sample_create()))
            abort();
    show_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct config config;
    struct error error = {0};
    struct source *source = NULL;
    if (size < HEAD)
        return 0;
    config_init(&config);
    config.plan.lane_count = 2 + bytes[2] % (LANES_MAX - 1);
    config.plan.race = bytes[2] & 0x80 ? RACE_SAME_TIME : RACE_SAME_ITERATIONS;
    for (int l = 1; l < config.plan.lane_count; l++)
        config.plan.lanes[l] = config.plan.lanes[0];
    if (!take_files(bytes + HEAD, size - HEAD, &config.plan))
        return 0;
    enum status status = resolve_recordings(&config, &error);
    if (!status)
        status = replay_open(&config, fuzz_clock, &source, &error);
    fuzz_check(status, &error);
    if (!source)
        return 0;
    play(&config, source, bytes[0], bytes[1]);
    source->ops->close(source);
    return 0;
}
