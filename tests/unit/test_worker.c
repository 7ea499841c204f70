/* Workers: commands, pauses, plans that fail, grid studies, samples of several lanes. */
#include "tests/fixtures/runs.h"
#include "tests/fixtures/worker.h"

static struct plan plan_for(const char *options) {
    struct plan plan = {.lane_count = 1, .fps = 50};
    plan.lanes[0] = run_of("serial/unstructured/%s", options);
    return plan;
}

static struct watched_worker start(const struct plan *plan) {
    return watch_worker(plan, 16);
}

static void send(struct watched_worker *watched, enum command_kind kind, long value) {
    worker_command(watched->worker, &(struct command){.kind = kind, .value = value});
}

TEST(pause_and_step) {
    struct plan plan = plan_for("classic --grid 32 --iterations 1000");
    plan.paused = true;
    owned_worker watched = start(&plan);
    assert_int_equal(wait_for(&watched, 1u << SESSION_PAUSED)->lanes[0].iterations, 0);
    send(&watched, COMMAND_STEP, 1);
    send(&watched, COMMAND_STEP, 2);
    const struct sample *sample;
    wait_until(&watched, 1u << SESSION_PAUSED, sample->lanes[0].iterations >= 3);
    assert_int_equal(sample->lanes[0].iterations, 3);
    send(&watched, COMMAND_PAUSE, 0);
    sample = wait_for(&watched, 1u << SESSION_FINISHED);
    assert_int_equal(sample->lanes[0].iterations, 1000);
    assert_int_equal(sample->lanes[0].field.iteration, 1000);
    assert_int_equal(sample->lanes[0].field.downsample.cols, 16);
    send(&watched, COMMAND_RESTART, 0);
    wait_until(&watched, 1u << SESSION_FINISHED, sample->lanes[0].iterations == 1000);
}

/* A grid that was reduced for a CPU remains so after commands, and in the sample. */
TEST(reduced_grid) {
    struct plan plan = plan_for("classic --grid 64 --iterations 1000");
    plan.lanes[0].choices[1] = plan.lanes[0].choices[0];
    plan.lanes[0].choices[0] = backend_find("hip");
    plan.lanes[0].choice_count = 2;
    plan.most_unknowns = 2000;
    plan.paused = true;
    if (!backend_check(plan.lanes[0].choices[0], &plan.lanes[0].engine, &error))
        skip(); /* its GPU runs it */
    owned_worker watched = start(&plan);
    const struct sample *sample;
    send(&watched, COMMAND_STEP, 1);
    wait_until(&watched, 1u << SESSION_PAUSED, sample->lanes[0].iterations == 1);
    assert_int_equal(sample->lanes[0].nx, 32);
    assert_int_equal(sample->nx, 32);
    send(&watched, COMMAND_RESTART, 0);
    wait_until(&watched, 1u << SESSION_PAUSED, sample->lanes[0].iterations == 0);
    assert_int_equal(sample->nx, 32);
}

/* A pause or a resumption drops the steps that wait, as of a key that is held. */
TEST(pause_drops_steps) {
    struct plan plan = plan_for("classic --grid 256 --iterations 100000000 --tolerance 0");
    plan.paused = true;
    owned_worker watched = start(&plan);
    const struct sample *sample;
    send(&watched, COMMAND_STEP, 100000000);
    wait_until(&watched, 1u << SESSION_PAUSED | 1u << SESSION_RUNNING,
               sample->lanes[0].iterations > 0);
    long made;
    do { /* each command makes a sample */
        const uint64_t sequence = sample->sequence;
        made = sample->lanes[0].iterations;
        send(&watched, COMMAND_PAUSE, 1);
        wait_until(&watched, 1u << SESSION_PAUSED, sample->sequence > sequence);
    } while (sample->lanes[0].iterations > made);
    assert_true(made < 100000000);
}

/* No command is lost, however many wait and however long the solver is busy. */
TEST(many_commands_wait) {
    enum { STEPS = 1000 };
    struct plan plan = plan_for("classic --grid 256 --iterations 2000");
    plan.paused = true;
    owned_worker watched = start(&plan);
    for (int k = 0; k < STEPS; k++) {
        send(&watched, COMMAND_RACE, RACE_SAME_TIME);
        send(&watched, COMMAND_STEP, 1);
    }
    while (wait_for(&watched, 1u << SESSION_PAUSED)->lanes[0].iterations < STEPS)
        ;
    assert_int_equal(watched.sample->lanes[0].iterations, STEPS);
}

TEST(reports_what_can_not_run) {
    struct plan plan = plan_for("classic --grid 65536");
    plan.lanes[0].engine.run.mapping = MAPPING_UNIFIED;
    owned_worker watched = start(&plan);
    const struct sample *sample = wait_for(&watched, 1u << SESSION_FAILED);
    assert_int_equal(sample->error.status, STATUS_UNAVAILABLE);
    assert_int_equal(sample->lane_count, 0);
    const struct plan good = plan_for("classic --grid 16 --iterations 10");
    send_plan(&watched, &good);
    assert_int_equal(wait_for(&watched, 1u << SESSION_FINISHED)->nx, 16);
}

/* The published program's iterations to 1e-5; commands affect every grid. */
TEST(grid_study) {
    struct plan plan = plan_for("fused --grid 128 --iterations 100000");
    plan.paused = true;
    plan.study_count = 2;
    plan.study[0] = mesh_make(32, 48);
    plan.study[1] = mesh_make(64, 64);
    owned_worker watched = start(&plan);
    send(&watched, COMMAND_STEP, 3);
    const struct sample *sample;
    wait_until(&watched, 1u << SESSION_PAUSED,
               sample->lanes[0].iterations >= 3 && sample->study[0].iterations >= 3 &&
                   sample->study[1].iterations >= 3);
    assert_int_equal(sample->study_count, 2);
    assert_int_equal(sample->study[0].ny, 48);
    send(&watched, COMMAND_PAUSE, 0);
    long made = 0;
    uint64_t sequence = 0;
    do { /* progress of any grid is a new sample, or a recorder would skip it */
        sample = wait_for(&watched, 1u << SESSION_RUNNING | 1u << SESSION_FINISHED);
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
}

/* Lanes that are not level when a speed is chosen draw level first; then samples can be shown. */
TEST(speed_while_not_level) {
    struct plan plan = plan_for("classic --grid 128 --iterations 1000000000 --tolerance 0");
    plan.lane_count = 2;
    plan.race = RACE_SAME_TIME;
    plan.lanes[1] = plan.lanes[0];
    plan.lanes[1].engine.run.schedule.kind = SCHEDULE_FUSED;
    owned_worker watched = start(&plan);
    const struct sample *sample;
    wait_until(&watched, 1u << SESSION_RUNNING,
               sample->lanes[0].iterations != sample->lanes[1].iterations);
    send(&watched, COMMAND_SPEED, 500);
    send(&watched, COMMAND_RACE, RACE_SAME_ITERATIONS);
    long level_at[3] = {0};
    for (int k = 0; k < 3;) {
        sample = wait_for(&watched, 1u << SESSION_RUNNING);
        const long made = sample->lanes[0].iterations;
        if (made == sample->lanes[1].iterations && (k == 0 || made > level_at[k - 1]))
            level_at[k++] = made;
    }
}

/* Commands that wait together with a new plan apply to the open lanes, not to the plan's. */
TEST(commands_before_a_plan) {
    struct plan one = plan_for("classic --grid 64 --iterations 1000000000 --tolerance 0");
    struct plan two = one;
    two.lane_count = 2;
    two.lanes[1] = one.lanes[0];
    owned_worker watched = start(&one);
    for (int round = 0; round < 20; round++) {
        const struct plan *next = round % 2 ? &one : &two;
        const struct command look = {.kind = COMMAND_VIEW,
                                     .view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1}};
        send(&watched, COMMAND_SPEED, 0);
        worker_command(watched.worker, &look);
        send_plan(&watched, next);
        while (wait_for(&watched, 1u << SESSION_RUNNING)->lane_count != next->lane_count)
            ;
    }
}

TEST_MODULE(worker, NULL, NULL)
