/* Runs on several devices do the same as on one: every iterate, the stopping iteration, the field,
 * odd sizes. Grids that can't be divided are rejected; events have the right device. */
#include "solver/slabs.h"
#include "tests/fixtures/reference.h"
#include "tests/fixtures/support.h"

static const struct {
    const char *problem;
    int nx, ny;
    long iterations;
    double tolerance, omega;
} cases[] = {
    {"blog", 64, 64, 200, 4e-3, 1},   {"noise", 5, 130, 40, 0, 1},
    {"charges", 50, 51, 60, 1e-5, 1}, {"manufactured", 31, 31, 40, 0, 1},
    {"blog", 37, 61, 120, 5e-3, 0.8}, {"hot-plate", 1, 40, 40, 0, 1},
};

static void check_slabs(const char *backend, const char *schedule, size_t c, int slabs) {
    char name[96];
    struct error error = {0};
    struct lane_spec spec = run_spec(cases[c].problem, cases[c].nx, cases[c].ny, backend,
                                     MAPPING_UNSTRUCTURED, schedule);
    spec.iterations = cases[c].iterations;
    spec.tolerance = cases[c].tolerance;
    spec.engine.run.omega = cases[c].omega;
    spec.engine.run.devices.count = slabs;
    snprintf(name, sizeof name, "%s@%d/%s %s %d×%d", backend, slabs, schedule, cases[c].problem,
             cases[c].nx, cases[c].ny);
    if (backend_check(spec.choices[0], &spec.engine, &error))
        print_message("can't run here: %s: %s\n", name, error.message);
    else
        assert_matches_reference(&spec, name);
}

TEST(several_devices_match_one) {
    enum { ALL = sizeof cases / sizeof *cases, FEW = 2 };
    static const struct {
        const char *backend, *schedule;
        size_t cases;
    } runs[] = {
        {"serial", "classic", ALL},  {"serial", "fused", ALL},  {"serial", "blocked:7", ALL},
        {"threads", "classic", ALL}, {"threads", "fused", ALL}, {"threads", "blocked:7", ALL},
        {"omp", "classic", FEW},     {"omp", "fused", FEW},     {"omp", "blocked:5", FEW},
    };
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (size_t c = 0; c < runs[r].cases; c++)
            for (int slabs = 2; slabs <= 4; slabs++)
                check_slabs(runs[r].backend, runs[r].schedule, c, slabs);
}

/* Cuts through rows of cells, and cells smaller than a row. */
TEST(fields) {
    static const char *const names[] = {"serial", "threads", "omp"};
    for (size_t b = 0; b < sizeof names / sizeof *names; b++)
        for (int slabs = 2; slabs <= 4; slabs++) {
            char name[32];
            struct lane_spec spec =
                run_spec("noise", 37, 61, names[b], MAPPING_UNSTRUCTURED, "fused");
            spec.iterations = 9;
            spec.engine.run.devices.count = slabs;
            snprintf(name, sizeof name, "%s@%d", names[b], slabs);
            if (backend_check(spec.choices[0], &spec.engine, NULL) == STATUS_OK)
                assert_field_of_one_device(&spec, name);
        }
}

/* The cut: rows neither overlap nor are left out, and halo rows are the neighbour's. */
TEST(cut) {
    const struct lane_spec spec =
        run_spec("blog", 10, 23, "serial", MAPPING_UNSTRUCTURED, "blocked:3");
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

static void assert_refused(const char *backend, const char *schedule, int ny,
                           struct device_choice devices, const char *words) {
    struct error error = {0};
    struct lane_spec spec = run_spec("blog", 16, ny, backend, MAPPING_UNSTRUCTURED, schedule);
    spec.engine.run.devices = devices;
    assert_int_not_equal(backend_check(spec.choices[0], &spec.engine, &error), STATUS_OK);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

TEST(refused) {
    assert_refused("serial", "classic", 3, (struct device_choice){.count = 4}, "at most 3 slabs");
    assert_refused("serial", "blocked:8", 30, (struct device_choice){.count = 4},
                   "30 rows are too few for 4 slabs");
    assert_refused("serial", "classic", 30,
                   (struct device_choice){.count = 2, .listed = true, .index = {0, 3}},
                   "no device 3");
}

/* With an open depth the chosen one may be too deep. */
TEST(open_depth) {
    struct lane_spec spec = run_spec("blog", 40, 200, "serial", MAPPING_UNSTRUCTURED, "blocked");
    spec.engine.run.devices.count = 3;
    spec.iterations = 100;
    struct computed_lane *lane = run_open(&spec);
    assert_true(lane->engine->spec.run.schedule.depth > 0);
    run_close(lane);
    struct error error = {0};
    spec.engine.mesh = mesh_make(40, 6);
    assert_int_equal(computed_lane_open(&spec, &lane, &error), STATUS_BAD_INPUT);
    assert_contains(error.message, "6 rows are too few for 3 slabs");
}

/* Three slabs with two cuts: each iteration of fused copies a row to both sides of each cut. */
TEST(events) {
    enum { NX = 24, ROUNDS = 40 };
    struct lane_spec spec = run_spec("blog", NX, 30, "serial", MAPPING_UNSTRUCTURED, "fused");
    spec.engine.run.devices.count = 3;
    spec.iterations = ROUNDS;
    spec.tolerance = 0;
    struct computed_lane *lane = run_to_end(&spec);
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
    run_close(lane);
}

/* Work discarded after the end of the run is not counted, however much a batch contains. */
TEST(stop) {
    struct lane_spec spec = run_spec("blog", 33, 33, "serial", MAPPING_UNSTRUCTURED, "fused");
    spec.engine.run.devices.count = 2;
    spec.tolerance = 1e-3;
    struct computed_lane *lane = run_to_end(&spec);
    const long made = lane->base.iterations;
    assert_int_equal(lane->base.state, LANE_CONVERGED);
    assert_true(made > 10 && made < spec.iterations);
    assert_int_equal(lane->log.totals.of[EVENT_KERNEL][PHASE_FUSED].count, 2 * made);
    run_close(lane);
}

TEST_MODULE(slabs, NULL, NULL)
