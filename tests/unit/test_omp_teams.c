/* The number of OpenMP teams in a reduction on a GPU; other devices offer no choice. */
#include "kernels/omp/omp.h"
#include "tests/fixtures/runs.h"

enum { H200 = 132, MI300X = 304 }; /* multiprocessors */

TEST(what_is_asked_is_taken) {
    const struct tuning asked = {.norm_blocks = 7, .fused_blocks = 5, .block = 64};
    struct tuning teams = omp_teams(&asked, SCHEDULE_CLASSIC, H200);
    assert_memory_equal(&teams, &(struct tuning){.norm_blocks = 7}, sizeof teams);
    teams = omp_teams(&asked, SCHEDULE_FUSED, H200);
    assert_memory_equal(&teams, &(struct tuning){.fused_blocks = 5}, sizeof teams);
    for (int kind = 0; kind < SCHEDULE_COUNT; kind++) {
        teams = omp_teams(&asked, (enum schedule_kind)kind, H200);
        if (kind != SCHEDULE_CLASSIC && kind != SCHEDULE_FUSED)
            assert_memory_equal(&teams, &(struct tuning){0}, sizeof teams);
    }
}

/* Without a request, every device gets some number. */
TEST(what_is_open_is_chosen) {
    const struct tuning open = {0};
    assert_true(omp_teams(&open, SCHEDULE_CLASSIC, 1).norm_blocks > 0);
    assert_true(omp_teams(&open, SCHEDULE_FUSED, MI300X).fused_blocks > 0);
}

/* Every team has a place for its part of the sum, whatever number is requested. */
TEST(every_team_has_a_place) {
    const struct tuning most = {.norm_blocks = 65535, .fused_blocks = 32};
    assert_int_equal(omp_teams(&most, SCHEDULE_CLASSIC, H200).norm_blocks, OFFLOAD_TEAMS);
    assert_int_equal(omp_teams(&most, SCHEDULE_FUSED, H200).fused_blocks, 32);
    assert_int_equal(omp_teams(&most, SCHEDULE_FUSED, MI300X).fused_blocks, 32);
    const int many = 4 * MI300X, teams = omp_teams(&most, SCHEDULE_FUSED, many).fused_blocks;
    assert_true(teams > 0 && teams < 32 && teams * many <= OFFLOAD_TEAMS);
}

/* The host device ignores requests: it tries, uses and sweeps no numbers. */
TEST(the_host_device_has_none) {
    struct device_list devices;
    if (backend_find("omp")->probe(&devices, NULL) || devices.devices[0].is_gpu)
        skip();
    for_each_word(schedule, "classic", "fused") {
        const struct lane_spec spec = run_of("omp/unstructured/%s --grid 130x127 --norm-blocks 9 "
                                             "--fused-blocks 3 --block 64",
                                             schedule);
        owned_run lane = run_open(&spec);
        struct engine *engine = lane->engine;
        assert_ok(engine->ops->retune(engine, &spec.engine.run.tuning, &error));
        for (int field = 0; field < TUNING_FIELDS; field++) {
            assert_int_equal(engine->spec.run.tuning.of[field], 0);
            assert_int_equal(engine->tuning_tried.of[field], 0);
        }
        lane->base.ops->scan_tuning(&lane->base);
        assert_int_equal(lane->known.tuning_scan.count, 0);
        assert_int_equal(lane->base.iterations, 0);
    }
}

TEST_MODULE(omp_teams, NULL, NULL)
