/* Runs on several devices do the same as on one: every iterate, the stopping iteration, the field,
 * odd sizes. Grids that can't be divided are rejected; events have the right device. */
#include "solver/slabs.h"
#include "tests/fixtures/reference.h"

static const char *const cases[] = {
    "--grid 64 --iterations 200 --tolerance 4e-3",
    "--problem noise --grid 5x130 --iterations 40 --tolerance 0",
    "--problem charges --grid 50x51 --iterations 60",
    "--problem manufactured --grid 31 --iterations 40 --tolerance 0",
    "--grid 37x61 --iterations 120 --tolerance 5e-3 --omega 0.8",
    "--problem hot-plate --grid 1x40 --iterations 40 --tolerance 0",
};

TEST(several_devices_match_one) {
    enum { ALL = count_of(cases), FEW = 2 };
    static const struct {
        const char *backend, *schedule;
        size_t cases;
    } runs[] = {
        {"serial", "classic", ALL},  {"serial", "fused", ALL},  {"serial", "blocked:7", ALL},
        {"threads", "classic", ALL}, {"threads", "fused", ALL}, {"threads", "blocked:7", ALL},
        {"omp", "classic", FEW},     {"omp", "fused", FEW},     {"omp", "blocked:5", FEW},
    };
    for_each(run, runs)
        for (size_t c = 0; c < run->cases; c++)
            for (int slabs = 2; slabs <= 4; slabs++) {
                const struct lane_spec spec = run_of("%s@%d/unstructured/%s %s", run->backend,
                                                     slabs, run->schedule, cases[c]);
                if (run_is_possible(&spec))
                    assert_matches_reference(&spec);
            }
}

/* Cuts through rows of cells, and cells smaller than a row. */
TEST(fields) {
    for_each_word(name, "serial", "threads", "omp")
        for (int slabs = 2; slabs <= 4; slabs++) {
            const struct lane_spec spec =
                run_of("%s@%d/unstructured/fused --problem noise --grid 37x61 --iterations 9", name,
                       slabs);
            if (backend_check(spec.choices[0], &spec.engine, NULL) == STATUS_OK)
                assert_field_of_one_device(&spec);
        }
}

/* The cut: rows neither overlap nor are left out, and halo rows are the neighbour's. */
TEST(cut) {
    const struct lane_spec spec = run_of("serial/unstructured/blocked:3 --grid 10x23");
    int next = 0;
    for (int rank = 0; rank < 4; rank++) {
        struct engine_spec slab;
        assert_int_equal(slab_cut(spec.choices[0], &spec.engine, rank, 4, 0, &slab, NULL),
                         STATUS_OK);
        assert_int_equal(slab.slab.below, rank > 0 ? 3 : 0);
        assert_int_equal(slab.slab.above, rank < 3 ? 3 : 0);
        assert_int_equal(slab.slab.first + slab.slab.below, next);
        next += slab.mesh.Ny - slab.slab.below - slab.slab.above;
        assert_true(slab.mesh.dy == spec.engine.mesh.dy);
    }
    assert_int_equal(next, 23);
}

TEST(refused) {
    static const char *const cases[][2] = {
        {"serial@4//classic --grid 16x3", "at most 3 slabs"},
        {"serial@4//blocked:8 --grid 16x30", "30 rows are too few for 4 slabs"},
        {"serial//classic --devices 0,3 --grid 16x30", "no device 3"}};
    for (size_t c = 0; c < count_of(cases); c++) {
        const struct lane_spec spec = run_of("%s", cases[c][0]);
        assert_int_not_equal(backend_check(spec.choices[0], &spec.engine, &error), STATUS_OK);
        assert_contains(error.message, cases[c][1]);
    }
}

/* With an open depth the chosen one may be too deep. */
TEST(open_depth) {
    struct lane_spec spec = run_of("serial@3/unstructured/blocked --grid 40x200 --iterations 100");
    owned_run lane = run_open(&spec);
    struct lane *none = NULL;
    assert_true(lane->engine->spec.run.schedule.depth > 0);
    spec.engine.mesh = mesh_make(40, 6);
    assert_refused(computed_lane_open(&spec, &none, &error), STATUS_BAD_INPUT,
                   "6 rows are too few for 3 slabs");
}

/* Three slabs with two cuts: each iteration of fused copies a row to both sides of each cut. */
TEST(events) {
    enum { NX = 24, ROUNDS = 40 };
    const struct lane_spec spec = run_of(
        "serial@3/unstructured/fused --grid %dx30 --iterations %d --tolerance 0", NX, ROUNDS);
    owned_run lane = run_to_end(&spec);
    const struct device_stats_list *devices = lane->engine->device_stats;
    const struct event_totals *totals = &lane->log.totals;
    assert_int_equal(devices->count, 3);
    assert_string_equal(devices->transport, "host copies");
    assert_int_equal(totals->of[EVENT_KERNEL][PHASE_FUSED].count, 3 * ROUNDS);
    assert_int_equal(totals->of[EVENT_HALO][PHASE_FUSED].count, 4 * ROUNDS);
    assert_int_equal(devices->halo_bytes, 4 * ROUNDS * NX * sizeof(double));
    bool seen[3] = {false};
    for (uint64_t e = 0; e < lane->log.count; e++)
        seen[lane->log.ring[e % EVENT_RING].device] = true;
    for (int p = 0; p < 3; p++) {
        assert_true(seen[p]);
        assert_int_equal(devices->device[p].rank, p);
        assert_int_equal(devices->device[p].rows, 10);
        assert_true(devices->device[p].kernel_ms > 0);
        assert_true(devices->device[p].halo_ms >= 0);
        assert_true(devices->device[p].wait_ms >= 0);
    }
}

/* Work discarded after the end of the run is not counted, however much a batch contains. */
TEST(stop) {
    const struct lane_spec spec = run_of("serial@2/unstructured/fused --grid 33 --tolerance 1e-3");
    owned_run lane = run_to_end(&spec);
    const long made = lane->base.iterations;
    assert_int_equal(lane->base.state, LANE_CONVERGED);
    assert_true(made > 10 && made < spec.iterations);
    assert_int_equal(lane->log.totals.of[EVENT_KERNEL][PHASE_FUSED].count, 2 * made);
}

TEST_MODULE(slabs, NULL, NULL)
