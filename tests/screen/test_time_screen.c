/* Screens of time: the data movement and the timeline. */
#include "tests/fixtures/example.h"
#include "tests/fixtures/screen_fixture.h"
#include "ui/panels/view.h"

static int set_up(void **state) {
    fixture_use(compare_example(2));
    return 0;
}

/* B has ended, and its events are lost: A moves, B's rows show why it doesn't. */
TEST(motion_of_an_ended_lane) {
    struct lane_sample *lane = &fixture.sample->lanes[1];
    lane->event_count = 0;
    lane->iterations = 15;
    fixture.state.full = panel_find("motion");
    assert_contains(fixture_text(80, 24), "no iteration measured yet");
    lane->state = LANE_CONVERGED;
    const char *text = fixture_text(80, 24);
    assert_contains(text, "copy 5 of 11");
    assert_contains(text, "B  ended after 15 iterations");
    assert_null(strstr(text, "this one: 0"));
    fixture.sample->lanes[0].iterations = 0;
    fixture.sample->lanes[0].event_count = 0;
    assert_contains(fixture_text(80, 24), "waiting for the first iteration");
}

/* If a directive is too long, its clauses are shown. */
TEST(motion_of_a_long_directive) {
    struct lane_sample *lane = &fixture.sample->lanes[0];
    for (int e = 0; e < lane->event_count; e++)
        lane->events[e].phase = PHASE_UPDATE;
    fixture.state.full = panel_find("motion");
    assert_contains(fixture_text(80, 24), "▶ #pragma omp … map(to : RHS[:N], AU[:N]) ");
}

/* A third lane without room is named. It does as the one before, but for the devices. */
TEST(motion_without_room) {
    fixture_use(compare_example(3));
    struct lane_sample *lanes = fixture.sample->lanes;
    fixture.state.full = panel_find("motion");
    assert_contains(fixture_text(80, 24), "; no room for C ");
    lanes[2].run = lanes[1].run;
    for (int l = 1; l < 3; l++)
        example_devices(&lanes[l], 2 * l, 0);
    assert_contains(fixture_text(80, 20), "; C as B, on 4 devices");
}

/* A note and the progress of a replay leave room for both lanes' memories, not for the claim. */
TEST(motion_below_a_note) {
    fixture.state.full = panel_find("motion");
    fixture.sample->playback.length_s = 10;
    print_to(fixture.state.message, "saved");
    const char *text = fixture_text(80, 24);
    assert_contains(text, "─ B  unstructured: arrays stay ");
    assert_contains(text, " saved");
}

/* The norm is copied by the kernel's own directive, whose arrays stay. */
TEST(motion_of_the_norm) {
    fixture_use(example_sample(MAPPING_UNSTRUCTURED));
    struct lane_sample *lane = &fixture.sample->lanes[0];
    fixture.state.full = panel_find("motion");
    lane->event_count = 2;
    lane->events[0] = (struct event){.kind = EVENT_TO_DEVICE,
                                     .array = ARRAY_NORM,
                                     .bytes = 8,
                                     .phase = PHASE_FUSED,
                                     .clock = CLOCK_HOST,
                                     .duration_ns = 900000};
    lane->events[1] = (struct event){.kind = EVENT_KERNEL,
                                     .phase = PHASE_FUSED,
                                     .clock = CLOCK_HOST,
                                     .start_ns = 900000,
                                     .duration_ns = 100000};
    assert_contains(fixture_text(120, 40), "parallel for reduction(+:norm)");
    print_to(lane->run.backend, "serial");
    assert_contains(fixture_text(120, 40), "Fused(RHS, U);");
}

static int count_glyphs(const char *text, const char *glyph) {
    int count = 0;
    while ((text = strstr(text, glyph)) != NULL) {
        text += strlen(glyph);
        count++;
    }
    return count;
}

/* An array of floats is as wide a packet as one of doubles; its label is a digit longer. */
TEST(packets_of_floats) {
    struct lane_sample *lane = &fixture.sample->lanes[0];
    const char *glyph = "▓";
    fixture.screen.no_color = true;
    fixture.state.full = panel_find("motion");
    const int of_doubles = count_glyphs(fixture_text(200, 60), glyph);
    lane->run.precision = PRECISION_SINGLE;
    for (int e = 0; e < lane->event_count; e++)
        lane->events[e].bytes /= 2;
    assert_true(of_doubles > 10);
    assert_in_range(count_glyphs(fixture_text(200, 60), glyph), of_doubles - 2, of_doubles + 2);
}

/* 468 ms on 28 columns: steps of 500 ms would leave a single tick. */
TEST(timeline_axis) {
    fixture.state.timeline = (struct timeline_view){.zoom = 2, .selected = -1};
    assert_contains(fixture_text(80, 24), "╵200 ms ");
}

/* A's only iteration, 936 ms long, is not of the median length beside it; B's nearly is. */
TEST(an_iteration_apart_from_the_median) {
    fixture.sample->lanes[0].times.median = 600;
    fixture.sample->lanes[1].times.median = 36;
    fixture.state.full = panel_find("timeline");
    assert_contains(fixture_text(120, 40), "─ A 936 ms, median 600 ms ─");
    fixture.state.full = panel_find("motion");
    assert_contains(fixture_text(80, 24), "  this one: 936 ms ");
}

TEST(timeline) {
    fixture_use(compare_example(1));
    fixture.state.full = panel_find("timeline");
    fixture.state.timeline = (struct timeline_view){.zoom = 4, .position = 0.5, .selected = 9};
    fixture_check(120, 40, "timeline-zoomed");
}

/* A lane too short to be visible beside the other is also shown magnified, with the factor. */
TEST(slivers) {
    struct lane_sample *fast = &fixture.sample->lanes[1];
    for (int e = 0; e < fast->event_count; e++) {
        const int64_t first = fast->events[0].start_ns;
        fast->events[e].start_ns = first + (fast->events[e].start_ns - first) / 10;
        fast->events[e].duration_ns /= 10;
    }
    fixture.state.full = panel_find("timeline");
    fixture_check(120, 40, "timeline-sliver");
}

TEST_MODULE_SETTING_UP_EACH(time_screen, set_up, NULL)
