/* Sessions: commands, pauses, plans that fail, grid studies, samples of several lanes. */
#include "tests/fixtures/support.h"

#include <poll.h>

#include "core/system.h"
#include "session/session.h"
#include "tests/fixtures/runs.h"

static struct plan plan_for(const char *backend, int n, long iterations) {
    struct plan plan = {.lane_count = 1, .fps = 50};
    plan.lanes[0] = run_spec("blog", n, n, backend, MAPPING_UNSTRUCTURED, "classic");
    plan.lanes[0].iterations = iterations;
    return plan;
}

static struct source *start(const struct plan *plan) {
    const struct view view = {.cols = 16, .rows = 16, .x1 = 1, .y1 = 1};
    struct source *source = NULL;
    struct error error = {0};
    if (session_start(plan, &view, &source, &error))
        fail_msg("%s", error.message);
    return source;
}

/* The first sample in one of the states of the mask. */
static const struct sample *wait_for(struct source *source, unsigned states) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    while (clock_now_ns() < end) {
        struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
        poll(&ready, 1, 100);
        const struct sample *sample = source->ops->latest(source);
        if (sample && (states & 1u << sample->state))
            return sample;
    }
    fail_msg("no sample in the state waited for");
    return NULL;
}

TEST(runs_to_the_end) {
    const struct plan plan = plan_for("serial", 64, 10000);
    struct source *source = start(&plan);
    const struct sample *sample = wait_for(source, 1u << SESSION_FINISHED);
    assert_int_equal(sample->lane_count, 1);
    assert_int_equal(sample->lanes[0].state, LANE_CONVERGED);
    assert_int_equal(sample->lanes[0].iterations, 4908);
    assert_int_equal(sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_UPDATE].count, 4908);
    assert_int_equal(sample->lanes[0].field.iteration, 4908);
    assert_int_equal(sample->lanes[0].field.downsample.cols, 16);
    assert_true(sample->lanes[0].field.max > 0.5f);
    source->ops->close(source);
}

static void send(struct source *source, enum command_kind kind, long value) {
    const struct command command = {.kind = kind, .value = value};
    source->ops->command(source, &command);
}

TEST(pause_and_step) {
    struct plan plan = plan_for("serial", 32, 1000);
    plan.paused = true;
    struct source *source = start(&plan);
    assert_int_equal(wait_for(source, 1u << SESSION_PAUSED)->lanes[0].iterations, 0);
    send(source, COMMAND_STEP, 1);
    send(source, COMMAND_STEP, 2);
    const struct sample *sample;
    do
        sample = wait_for(source, 1u << SESSION_PAUSED);
    while (sample->lanes[0].iterations < 3);
    assert_int_equal(sample->lanes[0].iterations, 3);
    send(source, COMMAND_PAUSE, 0);
    assert_int_equal(wait_for(source, 1u << SESSION_FINISHED)->lanes[0].iterations, 1000);
    send(source, COMMAND_RESTART, 0);
    do
        sample = wait_for(source, 1u << SESSION_FINISHED);
    while (sample->lanes[0].iterations != 1000);
    source->ops->close(source);
}

/* However many wait, and however long the solver is busy: none is lost. */
TEST(many_commands_wait) {
    enum { STEPS = 1000 };
    struct plan plan = plan_for("serial", 256, 2 * STEPS);
    plan.paused = true;
    struct source *source = start(&plan);
    for (int k = 0; k < STEPS; k++) {
        send(source, COMMAND_RACE, RACE_SAME_TIME);
        send(source, COMMAND_STEP, 1);
    }
    while (wait_for(source, 1u << SESSION_PAUSED)->lanes[0].iterations < STEPS)
        ;
    assert_int_equal(source->ops->latest(source)->lanes[0].iterations, STEPS);
    source->ops->close(source);
}

/* More than anybody types: the run ends and says why, and can begin anew. */
TEST(too_many_commands) {
    struct plan plan = plan_for("serial", 1024, 1000000000);
    plan.lanes[0].tolerance = 0;
    struct source *source = start(&plan);
    const struct sample *sample;
    do { /* while it opens */
        send(source, COMMAND_RESTART, 0);
        for (int k = 0; k < 1 << 16; k++)
            send(source, k % 2 ? COMMAND_STEP : COMMAND_RACE, 1);
        sample = source->ops->latest(source);
    } while (!sample || sample->state != SESSION_FAILED);
    assert_int_equal(sample->error.status, STATUS_INTERNAL);
    assert_non_null(strstr(sample->error.message, "more commands came than can wait"));
    send(source, COMMAND_PAUSE, 0);
    send(source, COMMAND_RESTART, 0);
    wait_for(source, 1u << SESSION_RUNNING);
    source->ops->close(source);
}

TEST(reports_what_can_not_run) {
    struct plan plan = plan_for("serial", 65536, 10);
    plan.lanes[0].engine.run.mapping = MAPPING_UNIFIED;
    struct source *source = start(&plan);
    const struct sample *sample = wait_for(source, 1u << SESSION_FAILED);
    assert_int_equal(sample->error.status, STATUS_UNAVAILABLE);
    assert_int_equal(sample->lane_count, 0);
    const struct plan good = plan_for("serial", 16, 10);
    source->ops->command(source, &(struct command){.kind = COMMAND_PLAN, .plan = &good});
    assert_int_equal(wait_for(source, 1u << SESSION_FINISHED)->nx, 16);
    source->ops->close(source);
}

TEST(lanes_keep_step) {
    struct plan plan = plan_for("serial", 48, 300);
    plan.lane_count = 2;
    plan.lanes[1] = plan.lanes[0];
    plan.lanes[1].engine.run.schedule.kind = SCHEDULE_FUSED;
    struct source *source = start(&plan);
    const struct sample *sample = wait_for(source, 1u << SESSION_FINISHED);
    assert_int_equal(sample->lane_count, 2);
    assert_int_equal(sample->lanes[0].iterations, sample->lanes[1].iterations);
    assert_close(sample->lanes[1].residual, sample->lanes[0].residual, 1e-10);
    source->ops->close(source);
}

/* Flat out, and at a chosen speed of many passes a second. */
static void check_passes_are_whole(int speed) {
    struct plan plan = plan_for("serial", 256, 640);
    plan.iterations_per_second = speed;
    assert_true(schedule_parse("blocked:64", &plan.lanes[0].engine.run.schedule));
    struct source *source = start(&plan);
    const struct lane_sample *lane = &wait_for(source, 1u << SESSION_FINISHED)->lanes[0];
    assert_int_equal(lane->iterations, 640);
    assert_int_equal(lane->totals.of[EVENT_KERNEL][PHASE_BLOCKED].count, 10);
    source->ops->close(source);
}

TEST(passes_are_whole) {
    check_passes_are_whole(0);
    check_passes_are_whole(2000);
}

/* The published program's iterations to 1e-5, and commands reach every grid. */
TEST(grid_study) {
    struct plan plan = plan_for("serial", 128, 100000);
    schedule_parse("fused", &plan.lanes[0].engine.run.schedule);
    plan.paused = true;
    plan.study_count = 2;
    plan.study[0] = mesh_make(32, 48);
    plan.study[1] = mesh_make(64, 64);
    struct source *source = start(&plan);
    send(source, COMMAND_STEP, 3);
    const struct sample *sample;
    do
        sample = wait_for(source, 1u << SESSION_PAUSED);
    while (sample->lanes[0].iterations < 3 || sample->study[0].iterations < 3 ||
           sample->study[1].iterations < 3);
    assert_int_equal(sample->study_count, 2);
    assert_int_equal(sample->study[0].ny, 48);
    send(source, COMMAND_PAUSE, 0);
    long made = 0;
    uint64_t sequence = 0;
    do { /* news of any grid is a new sample, or a recorder would leave it out */
        sample = wait_for(source, 1u << SESSION_RUNNING | 1u << SESSION_FINISHED);
        const long now =
            sample->lanes[0].iterations + sample->study[0].iterations + sample->study[1].iterations;
        assert_true(now == made || sample->sequence > sequence);
        made = now;
        sequence = sample->sequence;
    } while (sample->state != SESSION_FINISHED);
    assert_int_equal(sample->lanes[0].iterations, 14647);
    assert_int_equal(sample->study[1].iterations, 4908);
    assert_int_equal(sample->study[0].state, LANE_CONVERGED);
    assert_true(sample->study[1].history.count > 100);
    source->ops->close(source);
}

/* Lanes that are not level when a speed is chosen come level first: else nothing could be shown. */
TEST(speed_while_not_level) {
    struct plan plan = plan_for("serial", 128, 1000000000);
    plan.lane_count = 2;
    plan.race = RACE_SAME_TIME;
    plan.lanes[0].tolerance = 0;
    plan.lanes[1] = plan.lanes[0];
    plan.lanes[1].engine.run.schedule.kind = SCHEDULE_FUSED;
    struct source *source = start(&plan);
    const struct sample *sample;
    do
        sample = wait_for(source, 1u << SESSION_RUNNING);
    while (sample->lanes[0].iterations == sample->lanes[1].iterations);
    send(source, COMMAND_SPEED, 500);
    send(source, COMMAND_RACE, RACE_SAME_ITERATIONS);
    long level_at[3] = {0};
    for (int k = 0; k < 3;) {
        sample = wait_for(source, 1u << SESSION_RUNNING);
        const long made = sample->lanes[0].iterations;
        if (made == sample->lanes[1].iterations && (k == 0 || made > level_at[k - 1]))
            level_at[k++] = made;
    }
    source->ops->close(source);
}

/* Commands that wait together with a new plan belong to the lanes that are open, not to those that
 * the plan will open. */
TEST(commands_before_a_plan) {
    struct plan one = plan_for("serial", 64, 1000000000), two = one;
    one.lanes[0].tolerance = 0;
    two.lane_count = 2;
    two.lanes[0] = two.lanes[1] = one.lanes[0];
    struct source *source = start(&one);
    for (int round = 0; round < 20; round++) {
        const struct plan *next = round % 2 ? &one : &two;
        const struct command look = {.kind = COMMAND_VIEW,
                                     .view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1}};
        const struct command plan = {.kind = COMMAND_PLAN, .plan = next};
        send(source, COMMAND_SPEED, 0);
        source->ops->command(source, &look);
        source->ops->command(source, &plan);
        while (wait_for(source, 1u << SESSION_RUNNING)->lane_count != next->lane_count)
            ;
    }
    source->ops->close(source);
}

TEST_MODULE(session, NULL, NULL)
