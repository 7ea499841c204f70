#include "ui/app/recording_actions.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/system.h"
#include "core/text.h"
#include "record/recorder.h"
#include "ui/export/picture.h"

/* ---- recording ------------------------------------------------------------------------------ */

static enum status begin(struct ui *ui, const char *path, struct error *error) {
    struct recording_about about;
    if (plan_recorded_count(&ui->plan) > 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "a lane here is a recording already: only live lanes are recorded");
    about_from_config(&about, &ui->config);
    about.view.scale = ui->state.scale;
    const enum status status = recorder_open(path, &about, &ui->recorder, error);
    ui->state.recording = !status;
    return status;
}

enum status keep_open(struct ui *ui, struct error *error) {
    enum status status = film_open(&ui->film, &ui->config, error);
    ui->film_began_ns = clock_now_ns();
    if (!status && *ui->config.record)
        status = begin(ui, ui->config.record, error);
    return status;
}

void keep_frame(struct ui *ui) {
    struct error error = {0};
    const double seconds = 1e-9 * (double)(clock_now_ns() - ui->film_began_ns);
    if (film_frame(&ui->film, ui, seconds, &error) == STATUS_OK)
        return;
    ui_say(ui, true, "%s", error.message);
    film_close(&ui->film);
}

void keep_sample(struct ui *ui) {
    struct error error = {0};
    if (!ui->recorder || recorder_add(ui->recorder, ui->sample, &error) == STATUS_OK)
        return;
    ui_say(ui, true, "%s", error.message);
    keep_close(ui);
}

void keep_close(struct ui *ui) {
    recorder_close(ui->recorder);
    ui->recorder = NULL;
    ui->state.recording = false;
}

/* "jacobi-20261121-230500.rec", in the current folder; another second's where that is taken. */
static void make_name(char *name, size_t size, const char *ending) {
    time_t now = time(NULL);
    do {
        struct tm local;
        char stamp[32];
        localtime_r(&now, &local);
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
        snprintf(name, size, "jacobi-%s%s", stamp, ending);
        now++;
    } while (access(name, F_OK) == 0);
}

void action_record(struct ui *ui, int key) {
    char name[64], size[32];
    struct error error = {0};
    (void)key;
    if (ui->recorder) {
        text_bytes(size, sizeof size, (double)recorder_size(ui->recorder));
        keep_close(ui);
        ui_say(ui, false, "the recording has ended: %s", size);
        return;
    }
    make_name(name, sizeof name, ".rec");
    if (begin(ui, name, &error))
        ui_say(ui, true, "%s", error.message);
    else
        ui_say(ui, false, "recording to %s until R is pressed again", name);
    keep_sample(ui);
}

void describe_record(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "%s", screen->state->recording ? "end recording" : "record");
}

/* ---- pictures ------------------------------------------------------------------------------- */

static const struct {
    const char *ending, *label, *note;
} pictures[] = {
    {".svg", "SVG", "sharp at any size, its text is text: for slides and pages"},
    {".png", "PNG", "pixels: for whatever takes no SVG"},
    {".ans", "ANSI", "text with its colours: cat shows it on a terminal"},
    {".txt", "text", "plain text, the field in shades"},
};

/* The screen as it is without the menu; plain text tells the field's levels by shades. */
static enum status write_picture(struct ui *ui, const char *name, struct error *error) {
    const bool no_color = ui->no_color;
    const struct look look = {ui->config.view.theme, ui->state.colormap};
    enum picture_format format = PICTURE_SVG;
    if (picture_format_of(name, &format, error))
        return error->status;
    ui->no_color |= format == PICTURE_TEXT;
    ui_draw(ui);
    ui->no_color = no_color;
    return picture_write(name, &ui->grid, &look, error);
}

static void take_picture(struct ui *ui, int index) {
    char name[64];
    struct error error = {0};
    ui->picture = index;
    make_name(name, sizeof name, pictures[index].ending);
    if (write_picture(ui, name, &error))
        ui_say(ui, true, "%s", error.message);
    else
        ui_hint(ui, "the screen is saved as %s", name);
}

void action_picture(struct ui *ui, int key) {
    (void)key;
    menu_begin(ui, "Save the screen as");
    for (int p = 0; p < (int)(sizeof pictures / sizeof *pictures); p++) {
        enum picture_format format;
        struct error error = {0};
        char name[16];
        struct menu_item *item = menu_add(ui, pictures[p].label, NULL, p == ui->picture);
        snprintf(item->note, sizeof item->note, "%s", pictures[p].note);
        snprintf(name, sizeof name, "picture%s", pictures[p].ending);
        if (picture_format_of(name, &format, &error)) {
            item->state = MENU_IMPOSSIBLE;
            snprintf(item->reason, sizeof item->reason, "%s", error.message);
        }
    }
    ui->menu.chosen = take_picture;
    menu_open(ui);
}

/* ---- moving about in a replay --------------------------------------------------------------- */

bool is_replay(const struct screen *screen) {
    return *screen->sample->playback.label;
}

bool is_live(const struct screen *screen) {
    return !is_replay(screen);
}

/* Thousandths of the recorded speed. */
static const int rates[] = {50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000};
enum { RATES = sizeof rates / sizeof *rates };

void action_rate(struct ui *ui, int key) {
    const bool faster = key == '+' || key == '=';
    const int now = (int)(1000 * ui->sample->playback.rate + 0.5);
    int chosen = faster ? RATES - 1 : 0;
    for (int r = 0; r < RATES; r++) {
        const int candidate = rates[faster ? RATES - 1 - r : r];
        if (faster ? candidate > now : candidate < now)
            chosen = faster ? RATES - 1 - r : r;
    }
    ui_send(ui, COMMAND_RATE, rates[chosen]);
    ui_hint(ui, "%g times the recorded speed", rates[chosen] / 1000.0);
}

void describe_rate(const struct screen *screen, char *text, size_t size) {
    snprintf(text, size, "×%g", screen->sample->playback.rate);
}

void action_frame(struct ui *ui, int key) {
    ui_send(ui, COMMAND_STEP, key == ',' ? -1 : 1);
}

void action_scrub(struct ui *ui, int key) {
    const struct playback *playback = &ui->sample->playback;
    const double share = playback->length_s > 0 ? playback->position_s / playback->length_s : 0;
    ui_send(ui, COMMAND_SEEK, (long)(1000 * share) + (key == '<' ? -50 : 50));
}

void action_chapter(struct ui *ui, int key) {
    ui_send(ui, COMMAND_CHAPTER, key == '[' ? -1 : 1);
}
