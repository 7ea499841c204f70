/* Keys, clicks and terminal replies, at any size of the screen and in any state of the run. */
#include "tests/fuzz/fuzz.h"

#include "tests/fixtures/example.h"
#include "tour/lesson.h"
#include "ui/app/app.h"
#include "ui/app/background.h"
#include "ui/terminal/terminal.h"

/* ---- the validator of menus, without its thread: the input determines its results and their time
 */

struct plan_validator {
    int count;
    bool answered[MENU_ROWS_MAX];
    struct error errors[MENU_ROWS_MAX];
};

static struct plan_validator only;

/* Sets the result for plan `index` of the last request: it can run (NULL), or why it can't. */
static void set_answer(int index, const char *refusal) {
    if (index < 0 || index >= only.count)
        return;
    only.answered[index] = true;
    only.errors[index] = (struct error){0};
    if (refusal)
        error_set(&only.errors[index], STATUS_UNAVAILABLE, "%s", refusal);
}

struct plan_validator *plan_validator_create(struct source *source, int wake) {
    return &only;
}

void plan_validator_destroy(struct plan_validator *validator) {
}

void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count) {
    validator->count = count < MENU_ROWS_MAX ? count : MENU_ROWS_MAX;
    memset(validator->answered, 0, sizeof validator->answered);
}

bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error) {
    if (index >= validator->count || !validator->answered[index])
        return false;
    *error = validator->errors[index];
    return true;
}

/* ---- the screen */

/* Bytes from here on are events, not text. */
enum { SPECIAL_KEY = 0x80, CLICK = 0xa0, RESIZE, STATE, COMPARE, ANSWER, REPLAY };

/* The number of input bytes processed before the screen is drawn. */
enum { BYTES_MAX = 64 };

/* The smallest screen with room for three panels: drawing takes most of the time. */
enum { COLS = 58, ROWS = 15 };

struct fixed_source {
    struct source base;
    struct sample *sample;
};

static const struct sample *latest(struct source *source) {
    return ((struct fixed_source *)source)->sample;
}

static void take_command(struct source *source, const struct command *command) {
    (void)source, (void)command;
}

static int no_descriptor(const struct source *source) {
    return -1;
}

static void no_close(struct source *source) {
}

static const struct source_ops fixed_ops = {
    .latest = latest, .command = take_command, .descriptor = no_descriptor, .close = no_close};

/* One screen for all inputs; each input begins with its initial state. */
static struct fixed_source fixed = {.base = {.ops = &fixed_ops}};
static struct app app, fresh;

static void resize(int cols, int rows) {
    grid_finish(&app.grid);
    if (!grid_init(&app.grid, cols, rows))
        abort();
}

static void change_state(int state, int lane_state) {
    fixed.sample->state = (enum session_state)(state % (SESSION_FAILED + 1));
    fixed.sample->lanes[0].state = (enum lane_state)(lane_state % (LANE_FAILED + 1));
    app_take_sample(&app);
}

static void answer(int index, int how) {
    set_answer(index % 8, how % 2 ? "it needs an \033[7m AMD GPU" : NULL);
    app_take_results(&app);
}

static void replay(int chapter, int rate) {
    struct playback *playback = &fixed.sample->playback;
    *playback = (struct playback){.position_s = chapter, .length_s = 100, .rate = rate / 16.0};
    playback->chapter_count = chapter % 5;
    playback->chapter = chapter % 5 - 1;
    if (chapter)
        snprintf(playback->label, sizeof playback->label, "replay: a GPU, 2026-11-21");
    app_take_sample(&app);
}

static void press(int byte) {
    /* Pictures and recordings would create too many files. */
    if (byte >= SPECIAL_KEY)
        app_key(&app, TERMINAL_UP + (byte - SPECIAL_KEY) % 12);
    else if (byte != 'x' && byte != 'R')
        app_key(&app, byte);
}

/* Handles the event at `bytes`; returns its length in bytes. */
static size_t happen(const uint8_t *bytes, size_t left) {
    const int a = left > 1 ? bytes[1] : 0, b = left > 2 ? bytes[2] : 0;
    switch (bytes[0]) {
    case CLICK:
        app_lay_out(&app);
        app_click(&app, a, b);
        return 3;
    case RESIZE:
        resize(1 + a % 120, 1 + b % 40);
        return 3;
    case STATE:
        change_state(a, b);
        return 3;
    case COMPARE:
        fixed.sample->lane_count = a % (LANES_MAX + 1);
        app_take_sample(&app);
        return 2;
    case ANSWER:
        answer(a, b);
        return 3;
    case REPLAY:
        replay(a, b);
        return 3;
    default:
        press(bytes[0]);
        return 1;
    }
}

/* Doesn't read or write a user's settings, presets or tours. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const struct mesh mesh = mesh_make(4096, 4096);
    struct config config;
    setenv("XDG_CONFIG_HOME", "/dev/null/none", 1);
    config_init(&config);
    config.plan.lane_count = 1;
    fixed.sample = compare_example(LANES_MAX);
    if (!fixed.sample || !app_init(&fresh, &config, &fixed.base))
        abort();
    for (int l = 0; l < LANES_MAX; l++)
        example_field(&fixed.sample->lanes[l], &mesh, 12, 8, l % 2);
    return 0;
}

static void begin(void) {
    fixed.sample->state = SESSION_RUNNING;
    fixed.sample->lane_count = 1;
    fixed.sample->lanes[0].state = LANE_RUNNING;
    fixed.sample->playback = (struct playback){0};
    grid_finish(&app.grid);
    app = fresh;
    resize(COLS, ROWS);
    app_take_sample(&app);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    begin();
    for (size_t at = 0; at < size && at < BYTES_MAX;)
        at += happen(bytes + at, size - at);
    app_lay_out(&app);
    screen_draw(&app.grid, &app.screen, &app.layout);
    tour_view_close(&app);
    recording_leave(&app);
    lesson_end(app.lesson);
    app_recording_close(&app, &error);
    return 0;
}
