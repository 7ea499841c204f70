/* The devices panel: an iteration of each device of a multi-device run, as a bar of kernels,
 * exposed halo copies and waits; and the cost of the exchange. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "metrics/scaling.h"
#include "metrics/verdict.h"
#include "ui/panels/panel.h"

enum { FIGURES_COLS = 45, FEW_FIGURES_COLS = 21, LEAST_BAR = 12, REMARKS = 3 };

/* ---- the bars ------------------------------------------------------------------------------- */

/* Draws an iteration of that device: kernels, the part of the halos that they don't overlap, and
 * waits. Returns its time in ms. */
static double draw_device_bar(struct area area, const struct screen *screen,
                              const struct scaling *scaling, int part, double whole_ms) {
    const struct scaling_share share = scaling_share(scaling, screen_lane(screen), part);
    const double wait = isnan(share.wait_ms) ? 0 : share.wait_ms;
    const double room = fmax(scaling->wall_ms - share.kernel_ms - wait, 0);
    const double halo = fmin(room, share.halo_ms);
    const struct bar_part parts[] = {
        {share.kernel_ms, ROLE_KERNEL, event_glyph(screen, EVENT_KERNEL), ""},
        {halo, ROLE_TO_DEVICE, event_glyph(screen, EVENT_HALO), ""},
        {wait, ROLE_DIM, event_glyph(screen, EVENT_WAIT), ""}};
    draw_bar_parts(area, parts, 3, whole_ms);
    return share.kernel_ms + halo + wait;
}

/* "3 gpu1 dev 0 17:00.0": the rank, the host if there are several, the device's number if
 * informative, and optionally its bus address, without PCI domain 0. */
static char *format_device(char *buffer, size_t size, const struct device_stats_list *devices,
                           int p, bool with_bus) {
    static const char domain[] = "0000:";
    const struct device_stats *stats = &devices->device[p];
    bool numbered = false;
    for (int other = 0; other < devices->count; other++)
        numbered |= strlen(devices->device[other].bus_id) > 0 ||
                    devices->device[other].device_index != stats->device_index;
    format_text(buffer, size, "%d%s%.11s", stats->rank, *stats->host ? " " : "", stats->host);
    if (numbered && stats->device_index >= 0)
        format_append(buffer, size, " dev %d", stats->device_index);
    const bool short_bus = strncmp(stats->bus_id, domain, strlen(domain)) == 0;
    if (with_bus && strlen(stats->bus_id) > 0)
        format_append(buffer, size, " %s", stats->bus_id + (short_bus ? strlen(domain) : 0));
    return buffer;
}

/* "480 µs  halo 14 µs  wait 3 %"; the slowest device has "slowest" in place of its wait. */
static void draw_device_figures(struct area area, const struct lane_sample *lane,
                                const struct scaling *scaling, int part) {
    const struct scaling_share share = scaling_share(scaling, lane, part);
    const bool has_halo = area.cols >= FIGURES_COLS;
    draw_next(&area, ROLE_KERNEL, "%9s", AS(format_ms, share.kernel_ms));
    if (has_halo)
        draw_next(&area, ROLE_TO_DEVICE, "  halo %8s", AS(format_ms, share.halo_ms));
    area = area_right_of(area, 2);
    if (part == scaling->slowest && scaling->most_kernel_ms > 1.02 * scaling->mean_kernel_ms)
        draw_text(area, ROLE_WARN | BOLD, "slowest");
    else
        draw_text(area, ROLE_DIM, "wait %s",
                  AS(format_percent, 100 * share.wait_ms / scaling->wall_ms));
}

/* Chooses as many devices as there are rows, evenly spread and including the slowest. */
static int choose_devices(const struct scaling *scaling, int rows, int shown[DEVICE_STATS_MAX]) {
    const int count = min_int(scaling->count, rows);
    int nearest = 0;
    for (int k = 0; k < count; k++) {
        shown[k] = (int)((long)k * scaling->count / count);
        nearest = shown[k] <= scaling->slowest ? k : nearest;
    }
    if (count > 0 && scaling->slowest >= 0)
        shown[nearest] = scaling->slowest;
    return count;
}

static void draw_device_rows(struct area area, const struct screen *screen,
                             const struct scaling *scaling) {
    const struct lane_sample *lane = screen_lane(screen);
    const bool all = scaling->count <= area.rows;
    bool with_bus = true;
    int shown[DEVICE_STATS_MAX], name_cols, left;
    double whole = scaling->wall_ms;
    const int count = choose_devices(scaling, all ? area.rows : area.rows - 1, shown);
    for (int p = 0; p < scaling->count; p++) /* only measures */
        whole = fmax(whole, draw_device_bar((struct area){0}, screen, scaling, p, 1));
    for (;; with_bus = false) {
        name_cols = 0;
        for (int p = 0; p < scaling->count; p++) {
            const char *name = AS(format_device, &lane->device_stats, p, with_bus);
            name_cols = max_int(name_cols, grid_text_width(name));
        }
        left = area.cols - name_cols - 1;
        if (!with_bus || left >= FEW_FIGURES_COLS + LEAST_BAR)
            break;
    }
    const int figures = left >= FIGURES_COLS + LEAST_BAR       ? FIGURES_COLS
                        : left >= FEW_FIGURES_COLS + LEAST_BAR ? FEW_FIGURES_COLS
                                                               : 0;
    for (int k = 0; k < count; k++) {
        const struct area row = area_row(area, k);
        const struct area bars = area_left(area_right_of(row, name_cols + 1), left - figures - 1);
        draw_text(row, ROLE_TEXT, "%s", AS(format_device, &lane->device_stats, shown[k], with_bus));
        draw_device_bar(bars, screen, scaling, shown[k], whole);
        draw_device_figures(area_right_of(row, row.cols - figures), lane, scaling, shown[k]);
    }
    if (!all && area.rows > 0)
        draw_text(area_row(area, count), ROLE_DIM, "… %d of %d: kernels of all %s to %s", count,
                  scaling->count, AS(format_ms, scaling->least_kernel_ms),
                  AS(format_ms, scaling->most_kernel_ms));
}

/* ---- in words ------------------------------------------------------------------------------- */

/* Halo cost, kernel time or scaling, surface to volume. The least important remark is last. */
static void write_remarks(char remarks[REMARKS][SENTENCE_SIZE], const struct screen *screen,
                          const struct scaling *scaling) {
    const double busy = scaling->mean_kernel_ms / scaling->wall_ms;
    format_text(remarks[0], SENTENCE_SIZE, "halo %s per iteration in %s",
                AS(format_bytes, scaling->halo_bytes), AS(format_ms, scaling->halo_ms));
    if (scaling->overlap > 0)
        format_append(remarks[0], SENTENCE_SIZE, ", %s%s overlapped with kernels",
                      AS(format_percent, 100 * scaling->overlap),
                      waits_hold_halos(screen_lane(screen)) ? " or more" : "");
    format_text(remarks[1], SENTENCE_SIZE,
                "kernels fill %s of the time: the work of %.3g of %d devices",
                AS(format_percent, 100 * busy), busy * scaling->count, scaling->count);
    format_text(remarks[2], SENTENCE_SIZE,
                "surface to volume: halos are %s of the traffic, %s of the rows are held twice",
                AS(format_percent, 100 * scaling->surface),
                AS(format_percent, 100 * scaling->redundant_rows));
    const struct verdict verdict = verdict_make(screen->sample);
    if (scaling_compare(screen->sample, screen->lane).kind)
        format_text(remarks[1], SENTENCE_SIZE, "%s",
                    verdict.is_settling || verdict.is_equal ? verdict.claim : verdict.reason);
}

static void devices_draw(struct area area, const struct screen *screen) {
    /* In a comparison, if the chosen lane has one device, shows the lane with the most. */
    struct screen shown = *screen;
    const struct sample *sample = screen->sample;
    const bool chosen = screen_lane(screen) && screen_lane(screen)->device_stats.count > 1;
    for (int l = 0; l < (chosen ? 0 : sample->lane_count); l++)
        if (sample->lanes[l].device_stats.count > sample->lanes[shown.lane].device_stats.count)
            shown.lane = l;
    screen = &shown;
    const struct lane_sample *lane = screen_lane(screen);
    struct frame frame = panel_frame(&devices_panel);
    if (!lane || lane->device_stats.count < 2) {
        draw_paragraph(
            panel_inside(area, &frame), ROLE_DIM,
            "This run has one device. --devices all, @N in a comparison (threads@2), or --on "
            "'mpirun -n 4' runs it on several.");
        return;
    }
    const struct scaling scaling = scaling_make(screen->sample, screen->lane);
    frame.title = PRINT("Devices%s: an iteration of each, on one scale",
                        sample->lane_count > 1 ? PRINT(" of %c", lane_letter(shown.lane)) : "");
    frame.value = AS(format_ms, scaling.wall_ms);
    frame.foot_left = lane->device_stats.transport;
    const struct area inside = panel_inside(area, &frame);
    if (!(scaling.mean_kernel_ms > 0)) {
        draw_note(inside, "no iteration measured yet");
        return;
    }
    char remarks[REMARKS][SENTENCE_SIZE] = {"", "", ""};
    write_remarks(remarks, screen, &scaling);
    const int spare = inside.rows - scaling.count;
    const int lines = spare >= REMARKS ? REMARKS : spare > 0 ? spare : inside.rows >= 6 ? 2 : 0;
    draw_device_rows(area_top(inside, inside.rows - lines), screen, &scaling);
    /* Whole sentences if there is room, else one row each. */
    struct area left =
        area_below(inside, spare > 2 * lines ? scaling.count + 1 : inside.rows - lines);
    for (int r = 0; r < lines; r++)
        draw_sentence(&left, spare > 2 * lines, r == 1 ? ROLE_VALUE | BOLD : ROLE_TEXT, remarks[r]);
}

const struct panel devices_panel = {PANEL("devices", "Devices", '9', devices_draw)};
