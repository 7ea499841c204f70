/* What is typed, clicked and answered, at any size of the screen and in any state of the run. */
#include "tests/fuzz/fuzz.h"

#include "tests/compare_example.h"
#include "ui/terminal/answers.h"
#include "ui/input/keymap.h"
#include "ui/ui.h"

/* Bytes from here on are not text but something that happens. */
enum { SPECIAL_KEY = 0x80, CLICK = 0xa0, RESIZE, STATE, COMPARE };

struct still {
    struct source base;
    struct sample *sample;
};

static const struct sample *latest(struct source *source) {
    return ((struct still *)source)->sample;
}

static void take_command(struct source *source, const struct command *command) {
    (void)source, (void)command;
}

static int no_descriptor(const struct source *source) {
    (void)source;
    return -1;
}

static void no_close(struct source *source) {
    (void)source;
}

static const struct source_ops still_ops = {latest, take_command, no_descriptor, no_close};

static void resize(struct ui *ui, int cols, int rows) {
    grid_finish(&ui->grid);
    if (!grid_init(&ui->grid, cols + 1, rows + 1))
        abort();
}

/* Takes what begins at `bytes`; returns how many bytes that was. */
static size_t happen(struct ui *ui, struct still *still, const uint8_t *bytes, size_t left) {
    const int a = left > 1 ? bytes[1] : 0, b = left > 2 ? bytes[2] : 0;
    switch (bytes[0]) {
    case CLICK:
        ui_click(ui, a, b);
        return 3;
    case RESIZE:
        resize(ui, a, b % 100);
        return 3;
    case STATE:
        still->sample->state = (enum session_state)(a % (SESSION_FAILED + 1));
        still->sample->lanes[0].state = (enum lane_state)(b % (LANE_FAILED + 1));
        ui_take_sample(ui);
        return 3;
    case COMPARE:
        still->sample->lane_count = a % (LANES_MAX + 1);
        ui_take_sample(ui);
        return 2;
    default:
        /* Pictures and recordings are files: not a million of them. */
        if (bytes[0] >= SPECIAL_KEY)
            ui_key(ui, KEYMAP_UP + (bytes[0] - SPECIAL_KEY) % 12);
        else if (bytes[0] != 'x' && bytes[0] != 'R')
            ui_key(ui, bytes[0]);
        return 1;
    }
}

static void answer(const uint8_t *bytes, size_t size) {
    struct answers answers = {0};
    char typed[256];
    answers_question(&answers);
    for (size_t at = 0; at < size;) {
        const size_t count = size - at < sizeof typed ? size - at : sizeof typed;
        memcpy(typed, bytes + at, count);
        if (answers_take(&answers, typed, count) > count)
            abort();
        at += count;
    }
}

static void start(struct config *config, struct still *still) {
    if (still->sample)
        return;
    config_init(config);
    config->plan.lane_count = 1;
    still->base.ops = &still_ops;
    still->sample = compare_example(3);
    if (!still->sample)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct config config;
    static struct still still;
    static struct ui ui;
    start(&config, &still);
    still.sample->state = SESSION_RUNNING;
    still.sample->lane_count = 1;
    answer(bytes, size);
    if (!ui_init(&ui, &config, &still.base))
        abort();
    resize(&ui, 79, 23);
    ui_take_sample(&ui);
    for (size_t at = 0; at < size && at < 128;) {
        at += happen(&ui, &still, bytes + at, size - at);
        if (at % 16 == 0)
            ui_draw(&ui);
    }
    ui_draw(&ui);
    ui_finish(&ui);
    return 0;
}
