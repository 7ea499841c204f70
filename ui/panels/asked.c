/* A picture of what a scene's question asks, until it is answered: the arrays that kernels read and
 * write or that are copied, the launches of kernels, a ceiling, or slabs. */
#include <math.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "tour/lesson.h"
#include "ui/panels/motion.h"
#include "ui/panels/view.h"

enum { ASKED_NAME_COLS = 19, ARRAYS = 4 };

/* What the lanes' pictures show. All bars have one scale. */
struct asked {
    const struct sample *sample;
    bool copies;   /* arrays that cross the link, not those that kernels read and write */
    bool launches; /* how the host launches the kernels, and waits */
    int rounds;    /* iterations of the deepest sweep; 1: none is drawn */
    double most;   /* bytes per unknown of the longest bar, or the units of all launches */
    bool is_drawn[LANES_MAX]; /* false: nothing is copied, or the same as the lane before */
    int bars, pitch, spare;   /* number of bars, rows of each and the gap below it, rows unused */
};

static bool is_copied(const struct lane_sample *lane) {
    return lane->run.mapping == MAPPING_STRUCTURED && backend_maps(lane->run.backend);
}

/* Whether the host launches kernels without waiting for those before. */
static bool queues_kernels(const struct lane_sample *lane) {
    const struct backend *backend = backend_find(lane->run.backend);
    return backend && backend->model == MODEL_KERNEL_LAUNCHES;
}

static int sweep_depth(const struct lane_sample *lane) {
    return lane->run.schedule.kind == SCHEDULE_BLOCKED ? max_int(lane->run.schedule.depth, 1) : 1;
}

/* Per unknown and iteration, of one array. */
static double array_bytes(const struct lane_sample *lane) {
    return (double)precision_bytes(lane->run.precision) / sweep_depth(lane);
}

/* Takes a bar's rows; returns its place, without its name. */
static struct area take_bar(struct area *area, const struct asked *asked, int role,
                            const char *name) {
    const struct area row =
        area_top(area_take_top(area, asked->pitch), max_int(asked->pitch - 1, 1));
    draw_text(area_row(row, (row.rows - 1) / 2), role | BOLD, "%s", name);
    return area_right_of(row, ASKED_NAME_COLS);
}

/* Draws from column `from` to `to`, with a gap at its end if it is wide enough. */
static void draw_block(struct area bar, double from, double to, int role, const char *label) {
    const int at = (int)lround(from), size = max_int((int)lround(to) - at, 1);
    const struct area block = area_left(area_right_of(bar, at), size - (size > 1));
    grid_fill_glyph(block, U'█', role);
    if (grid_text_width(label) <= block.cols)
        draw_centered(area_row(block, (block.rows - 1) / 2), role | REVERSE | BOLD, label);
}

/* The arrays that a kernel reads and writes, or that are copied for it: a block each, as long as
 * its bytes. Only counts them without a grid. */
static int draw_uses(struct area bar, const struct asked *asked, const struct lane_sample *lane,
                     enum phase phase) {
    static const struct {
        enum role copied_role;
        const char *uses, *copied, *kernels_mark, *link_mark, *kernels_word;
    } ways[] = {{ROLE_TO_DEVICE, "rb", "rbp", "▼", "▶", "reads"},
                {ROLE_FROM_DEVICE, "wbp", "wbp", "▲", "◀", "writes"}};
    enum { WORD_COLS = 11 };
    const double cols = array_bytes(lane) / asked->most * bar.cols;
    int count = 0;
    for (int k = 0; k < 2 * ARRAYS && (asked->copies || phase != PHASE_BOUNDARY); k++) {
        const int way = k / ARRAYS, array = k % ARRAYS;
        const char use = motion_uses[phase][array];
        if (!use || !strchr(asked->copies ? ways[way].copied : ways[way].uses, use))
            continue;
        draw_block(bar, count * cols, (count + 1) * cols,
                   asked->copies ? ways[way].copied_role : ROLE_TEXT,
                   PRINT("%s %s",
                         asked->copies      ? ways[way].link_mark
                         : cols > WORD_COLS ? ways[way].kernels_word
                                            : ways[way].kernels_mark,
                         array_names[ARRAY_U + array]));
        count++;
    }
    return count;
}

/* All iterations of the deepest sweep: each computes, and the first and the last of a sweep read
 * and write memory. */
static void draw_rounds(struct area bar, int rounds, int depth) {
    for (int k = 0; k < rounds; k++) {
        const struct area round = area_column_of(bar, k, rounds);
        const int edge = max_int(round.cols / 5, 1), last = round.cols - (round.cols > 5);
        draw_block(area_left(round, last), 0, last + 1, ROLE_KERNEL, "");
        if (k % depth == 0)
            draw_block(area_left(round, edge), 0, edge + 1, ROLE_TEXT, "▼");
        if ((k + 1) % depth == 0 || k + 1 == rounds)
            draw_block(area_left(area_right_of(round, last - edge), edge), 0, edge + 1, ROLE_TEXT,
                       "▲");
        const struct area inner = area_left(area_right_of(round, edge), last - 2 * edge);
        const char *number = PRINT("%d", k + 1);
        if (grid_text_width(number) <= inner.cols)
            draw_centered(area_row(inner, (inner.rows - 1) / 2), ROLE_KERNEL | REVERSE | BOLD,
                          number);
    }
}

/* The host launches the kernels and waits for each, or only for the last; returns the units of
 * time. A launch takes one unit, a kernel one per array that it reads or writes. */
static double draw_launches(struct area *area, const struct asked *asked,
                            const struct lane_sample *lane) {
    const struct area host_bar = take_bar(area, asked, ROLE_TEXT, "host");
    const struct area device_bar = take_bar(area, asked, ROLE_KERNEL, "device");
    const double scale = host_bar.cols / asked->most, least = 0.5;
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    double host = 0, device = 0;
    for (int p = 0; p < count; p++) {
        draw_block(host_bar, host * scale, (host + 1) * scale, ROLE_ALLOC, "launch");
        const double from = fmax(++host, device);
        device = from + fmax(draw_uses((struct area){0}, asked, lane, phases[p]), least);
        draw_block(device_bar, from * scale, device * scale, ROLE_KERNEL,
                   motion_kernel_name(phases[p], (int)((device - from) * scale) - 1));
        if (queues_kernels(lane) && p + 1 < count)
            continue;
        draw_block(host_bar, host * scale, device * scale, ROLE_DIM, "wait");
        host = device;
    }
    return device;
}

/* What a lane moves, in words; a lane like the one before it only refers to that. */
static void draw_asked_label(struct area row, const struct asked *asked, int l) {
    const struct lane_sample *lane = &asked->sample->lanes[l];
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    int uses = 0;
    for (int p = 0; p < count; p++)
        uses += draw_uses((struct area){0}, asked, lane, phases[p]);
    const double bytes = uses * array_bytes(lane);
    const char *each = AS(format_bytes, bytes * lane->nx * lane->ny);
    const char *words =
        asked->copies && !is_copied(lane)
            ? backend_maps(lane->run.backend) && lane->run.mapping == MAPPING_UNSTRUCTURED
                  ? "copied before the loop, once"
                  : "nothing is copied"
        : !asked->is_drawn[l]  ? "the same"
        : asked->copies        ? PRINT("%d arrays, %s, are copied in each iteration", uses, each)
        : !asked->launches     ? PRINT("%s per unknown and iteration", AS(format_bytes, bytes))
        : queues_kernels(lane) ? "the host launches all kernels, and then waits"
                               : "the host launches a kernel, and waits for it";
    draw_text(row, lane_role(l) | BOLD, "%c  %s: %s", lane_letter(l),
              AS(lane_label, asked->sample, l), words);
    if (asked->launches && l == 0)
        draw_right(row, ROLE_DIM, "not to scale");
}

static bool is_drawn_alike(const struct asked *asked, const struct lane_sample *a,
                           const struct lane_sample *b) {
    enum phase a_phases[PHASE_COUNT], b_phases[PHASE_COUNT];
    const int count = lane_phases(a, a_phases);
    return count == lane_phases(b, b_phases) && array_bytes(a) == array_bytes(b) &&
           memcmp(a_phases, b_phases, (size_t)count * sizeof *a_phases) == 0 &&
           (asked->copies ? is_copied(a) == is_copied(b)
                          : !asked->launches || strcmp(a->run.backend, b->run.backend) == 0);
}

/* The longest bar of a lane, in bytes per unknown or in units of launches. */
static double longest_bar(const struct asked *asked, const struct lane_sample *lane) {
    struct area nowhere = {0};
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    double most = 0;
    if (asked->launches)
        return draw_launches(&nowhere, asked, lane);
    for (int p = 0; p < count; p++)
        most = fmax(most, draw_uses(nowhere, asked, lane, phases[p]) * array_bytes(lane));
    return most;
}

static struct asked asked_make(const struct sample *sample, int rows) {
    struct asked asked = {.sample = sample, .rounds = 1, .most = 1};
    const struct lane_sample *lane = sample->lanes;
    double most = 0;
    for (int l = 0; l < sample->lane_count; l++) {
        asked.copies |= is_copied(&lane[l]);
        asked.rounds = max_int(asked.rounds, sweep_depth(&lane[l]));
        asked.launches |= l > 0 && backend_maps(lane[l - 1].run.backend) &&
                          backend_maps(lane[l].run.backend) &&
                          strcmp(lane[l - 1].run.backend, lane[l].run.backend) != 0;
    }
    asked.rounds = asked.copies ? 1 : asked.rounds;
    asked.launches &= !asked.copies;
    for (int l = 0; l < sample->lane_count; l++) {
        enum phase phases[PHASE_COUNT];
        const int count = lane_phases(&lane[l], phases);
        asked.is_drawn[l] = (!asked.copies || is_copied(&lane[l])) &&
                            (l == 0 || !is_drawn_alike(&asked, &lane[l - 1], &lane[l]));
        if (!asked.is_drawn[l])
            continue;
        asked.bars += asked.launches ? 2 : count + (asked.rounds > 1);
        most = fmax(most, longest_bar(&asked, &lane[l]));
    }
    asked.most = most > 0 ? most : 1;
    rows -= sample->lane_count > 1 ? sample->lane_count : 0;
    asked.pitch = asked.bars > 0 ? max_int(rows / asked.bars, 1) : 1;
    asked.spare = rows - asked.bars * asked.pitch;
    return asked;
}

/* The bars of a lane: kernels, and the rounds of its sweep. */
static void draw_asked_lane(struct area *area, const struct asked *asked,
                            const struct lane_sample *lane) {
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    if (asked->launches) {
        draw_launches(area, asked, lane);
        return;
    }
    for (int p = 0; p < count; p++) {
        const struct area bar = take_bar(area, asked, ROLE_KERNEL, phase_names[phases[p]]);
        if (phases[p] == PHASE_BOUNDARY && !asked->copies)
            draw_text(area_row(bar, (bar.rows - 1) / 2), ROLE_DIM,
                      "as Laplacian, only next to the boundary");
        draw_uses(bar, asked, lane, phases[p]);
    }
    if (asked->rounds > 1)
        draw_rounds(take_bar(area, asked, ROLE_TEXT, PRINT("%d iterations", asked->rounds)),
                    asked->rounds, sweep_depth(lane));
}

/* Below each lane's label its bars, unless they are those of the lane before. */
static void draw_asked(struct area area, const struct sample *sample) {
    struct asked asked = asked_make(sample, area.rows);
    for (int l = 0; l < sample->lane_count; l++) {
        if (sample->lane_count > 1)
            draw_asked_label(area_take_top(&area, 1), &asked, l);
        if (!asked.is_drawn[l])
            continue;
        draw_asked_lane(&area, &asked, &sample->lanes[l]);
        area_take_top(&area, asked.spare-- > 0);
    }
}

/* Bytes per time: those of streaming loops as a ceiling, the kernels' as a question. */
static void draw_ceiling(struct area area) {
    const struct area most = area_row_of(area, 0, 2), asked = area_row_of(area, 1, 2);
    const double ceiling = 0.9;
    draw_text(most, ROLE_TEXT | BOLD, "bytes per second of simple streaming loops: the ceiling");
    draw_bar(area_inset(area_below(most, 1), 0, most.rows > 4), ceiling, ROLE_REFERENCE);
    draw_text(asked, ROLE_TEXT | BOLD, "bytes per second of the kernels");
    const struct area unknown =
        area_left(area_inset(area_below(asked, 1), 0, asked.rows > 4), (int)(area.cols * ceiling));
    grid_fill_glyph(unknown, U'░', ROLE_KERNEL);
    draw_centered(area_row(unknown, (unknown.rows - 1) / 2), ROLE_KERNEL | BOLD, " ? ");
    draw_tick(area_below(area, 1), ceiling, ROLE_BAD);
}

/* The slabs of a run on several devices, the first one at the bottom, and the rows that neighbours
 * exchange. */
static void draw_slabs(struct area area, const struct sample *sample,
                       const struct lane_sample *lane) {
    const int count = min_int(lane->device_stats.count, (area.rows + 1) / 2);
    const int depth = sweep_depth(lane);
    for (int d = count - 1; d >= 0; d--) {
        const int rows = (area.rows - d) / (d + 1);
        const struct area slab = area_take_top(&area, rows);
        grid_fill_glyph(slab, U'░', ROLE_KERNEL);
        draw_centered(area_row(slab, rows / 2), ROLE_KERNEL | BOLD, PRINT(" device %d ", d));
        const struct area halo = area_take_top(&area, d > 0);
        grid_fill_glyph(halo, U'▒', ROLE_TO_DEVICE);
        draw_centered(halo, ROLE_TO_DEVICE | BOLD,
                      PRINT(" ▼ %d row%s of %d each way, per %s ▲ ", depth, depth > 1 ? "s" : "",
                            sample->nx, depth > 1 ? PRINT("%d iterations", depth) : "iteration"));
    }
}

void hidden_draw(struct area area, const struct screen *screen, const struct panel *panel) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *most = sample->lanes;
    const char *until = "? until you have answered";
    bool drawn =
        screen->state->full == panel && sample->lane_count > 0 && !for_screen_reader(screen);
    for (int l = 0; l < sample->lane_count; l++)
        drawn &= sample->lanes[l].run.method == METHOD_JACOBI; /* others use more arrays */
    const struct frame frame =
        drawn ? (struct frame){.title = "What is asked", .foot = until} : panel_frame(panel);
    const struct area inner = draw_frame(area, &frame);
    for (int l = 1; l < sample->lane_count; l++)
        if (sample->lanes[l].device_stats.count > most->device_stats.count)
            most = &sample->lanes[l];
    if (!drawn)
        draw_note(inner, inner.cols >= 30 ? until : "?");
    else if (most->device_stats.count > 1)
        draw_slabs(area_inset(inner, 1, 0), sample, most);
    else if (panel == &roofline_panel && lesson_scene(screen->scene->lesson)->question.figure)
        draw_ceiling(area_inset(inner, 1, 0));
    else
        draw_asked(area_inset(inner, 1, 0), sample);
}
