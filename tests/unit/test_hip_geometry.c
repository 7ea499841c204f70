/* The launch geometry of the HIP back end: the tiling of `blocked`, choices by autotuning and their
 * cache, changes during a run, and scans. On the fake GPU that FAKE_GPU names.
 *
 * Argument: the folder of the fake drivers. */
#include "core/json.h"
#include "kernels/hip/kernels.h"
#include "tests/fixtures/fakes.h"
#include "tests/fixtures/reference.h"

/* Neighbours on both sides require two chunks, each starting with one side's rows. That costs few
 * more steps of the longest block than the cut for the rows alone. */
TEST(neighbours_on_both_sides) {
    static const int slabs[][2] = {{4096, 1024}, {16384, 4096}, {65536, 4096}, {100000, 16}};
    for (size_t s = 0; s < count_of(slabs); s++) {
        const struct mesh mesh = mesh_make(slabs[s][0], slabs[s][1]);
        const struct hip_geometry alone = hip_geometry_blocked(&mesh, 4, 8, 32, 2, 132, 4, 0, 0);
        const struct hip_geometry both = hip_geometry_blocked(&mesh, 4, 8, 32, 2, 132, 4, 2, 0);
        assert_true(both.blocks >= 2 * both.strips && both.rows < (unsigned)mesh.Ny);
        assert_true(alone.blocks == alone.strips || both.rows == alone.rows);
    }
}

static bool is_same_cut(const struct hip_geometry *a, const struct hip_geometry *b) {
    return a->rows == b->rows && a->blocks == b->blocks && a->strips == b->strips &&
           a->each == b->each;
}

/* Any requested number of blocks covers the rows, with no surplus blocks if the columns allow it.
 * Requesting the resulting number changes nothing; requesting the model's number gives the model's
 * cut. */
TEST(blocks_that_are_asked_for) {
    enum { MULTIPROCESSORS = 132, RESIDENT = 4 };
    static const int sides[] = {1, 8, 130, 1000, 4096, 5800, 16384, 65536};
    for_each(side, sides) {
        const unsigned Ny = (unsigned)*side;
        const struct mesh mesh = mesh_make(*side, *side);
        const struct hip_geometry model =
            hip_geometry_blocked(&mesh, 4, 8, 32, 2, MULTIPROCESSORS, RESIDENT, 0, 0);
        for (unsigned asked = 1; asked <= BLOCKED_BLOCKS_MAX + model.each; asked++) {
            const struct hip_geometry cut =
                hip_geometry_blocked(&mesh, 4, 8, 32, 2, MULTIPROCESSORS, RESIDENT, 0, asked);
            const unsigned chunks = cut.blocks / cut.strips;
            assert_true(chunks * cut.strips == cut.blocks && cut.strips == model.strips);
            assert_true((chunks - 1) * cut.rows < Ny && Ny <= chunks * cut.rows);
            assert_true(cut.each <= asked || chunks == 1);
            assert_true(cut.blocks <= cut.each * MULTIPROCESSORS &&
                        cut.blocks > (cut.each - 1) * MULTIPROCESSORS);
            const struct hip_geometry again =
                hip_geometry_blocked(&mesh, 4, 8, 32, 2, MULTIPROCESSORS, RESIDENT, 0, cut.each);
            assert_true(is_same_cut(&again, &cut));
            assert_true(asked != model.each || is_same_cut(&cut, &model));
        }
    }
}

static struct lane_spec tuned_spec(const char *schedule) {
    return fake_run("/unstructured/%s --problem noise --grid 130x127 --iterations 20 --tolerance 0",
                    schedule);
}

/* Returns the run's geometry and the tried candidates. */
static void geometry_of(const struct lane_spec *spec, struct tuning *used, struct tuning *tried) {
    owned_run lane = run_open(spec);
    *used = lane->engine->spec.run.tuning;
    *tried = lane->engine->tuning_tried;
}

/* An open parameter is tried once. A later run takes it from the cache, regardless of times. */
static void check_choice(const char *schedule, enum tuning_field field) {
    struct lane_spec spec = tuned_spec(schedule);
    struct tuning used, tried;
    geometry_of(&spec, &used, &tried);
    const int chosen = used.of[field], mask = tried.of[field];
    int other = 0, chosen_bit = 0;
    for (int bit = 0; bit < TUNING_TRIED_BITS; bit++)
        if (tuning_tried(field, bit) == chosen)
            chosen_bit = 1 << bit;
        else if (mask >> bit & 1)
            other = tuning_tried(field, bit);
    assert_true((mask & chosen_bit) && other > 0 && chosen > 0);
    assert_int_equal(used.norm_blocks, field == TUNING_BLOCK ? NORM_BLOCKS : 0);
    assert_int_equal(tried.norm_blocks, 0);

    char key[400] = "";
    cJSON *cache = json_cache_read("tuner.json");
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cache)
        if (strstr(entry->string, schedule_names[spec.engine.run.schedule.kind]))
            print_to(key, "%s", entry->string);
    cJSON_Delete(cache);
    cJSON *planted = cJSON_CreateObject();
    cJSON_AddNumberToObject(planted, tuning_names[field], other);
    assert_true(json_cache_store("tuner.json", key, planted));
    geometry_of(&spec, &used, &tried);
    assert_int_equal(used.of[field], other);
    assert_int_equal(tried.of[field], mask);

    /* A cached value that is not a candidate is tried again. */
    planted = cJSON_CreateObject();
    cJSON_AddNumberToObject(planted, tuning_names[field], 3);
    assert_true(json_cache_store("tuner.json", key, planted));
    geometry_of(&spec, &used, &tried);
    assert_int_not_equal(used.of[field], 3);
    assert_int_equal(tried.of[field], mask);

    spec.engine.run.tuning.of[field] = 1;
    geometry_of(&spec, &used, &tried);
    assert_int_equal(used.of[field], 1);
    assert_int_equal(tried.of[field], 0);
}

TEST(geometry_is_chosen_once) {
    check_choice("classic", TUNING_BLOCK);
    if (tests_are_full()) { /* the same, on a grid that takes seconds */
        check_choice("fused", TUNING_FUSED_BLOCKS);
        check_choice("blocked:8", TUNING_BLOCKED_BLOCKS);
    }
    assert_int_equal(system("rm -r jacobi-tui"), 0);
}

/* blocked is autotuned for each grid and precision, because its best cut depends on them. Several
 * devices use the model's cut. */
TEST(blocked_is_tried_per_grid) {
    struct lane_spec spec = tuned_spec("blocked:8");
    struct tuning used, tried;
    for (int entries = 1; entries <= 3; entries++) {
        spec.engine.mesh = mesh_make(270, entries == 1 ? 63 : 64);
        spec.engine.run.precision = entries == 3 ? PRECISION_SINGLE : PRECISION_DOUBLE;
        geometry_of(&spec, &used, &tried);
        cJSON *cache = json_cache_read("tuner.json");
        assert_int_equal(cJSON_GetArraySize(cache), entries);
        cJSON_Delete(cache);
    }
    spec.engine.mesh = mesh_make(130, 300);
    spec.engine.run.devices.count = 2;
    geometry_of(&spec, &used, &tried);
    assert_true(used.blocked_blocks > 0 && tried.blocked_blocks == 0);
    cJSON *cache = json_cache_read("tuner.json");
    assert_int_equal(cJSON_GetArraySize(cache), 3);
    cJSON_Delete(cache);
    assert_int_equal(system("rm -r jacobi-tui"), 0);
}

/* Tries each number of blocks, on one device and on two, whose blocks sweep away from the cut. */
TEST(every_cut_conforms) {
    static const int asked[] = {1, 2, 3, 4, 8, 32};
    for (size_t a = 0; a < count_of(asked); a += tests_are_full() ? 1 : 3)
        for (int devices = 0; devices <= 2; devices += 2) {
            const struct lane_spec spec =
                fake_run("%s/unstructured/%s --blocked-blocks %d --problem noise --grid 131x75 "
                         "--iterations 26 --tolerance 0",
                         devices ? "@2" : "", a % 2 ? "blocked:8" : "blocked:3", asked[a]);
            assert_matches_reference(&spec);
        }
}

/* Changes the geometry between two iterations, one of them recorded: U keeps its bits. */
TEST(geometry_changes_on_the_way) {
    static const struct tuning geometries[] = {
        {.block = 32, .norm_block = 32, .norm_blocks = 3, .fused_blocks = 1, .blocked_blocks = 1},
        {.block = 1024,
         .norm_block = 128,
         .norm_blocks = 7,
         .fused_blocks = 8,
         .blocked_blocks = BLOCKED_BLOCKS_MAX},
        {.block = 64}};
    static const char *const tuned[] = {"classic", "fused", "blocked:8"};
    enum { GEOMETRIES = count_of(geometries), EACH = 24 };
    for (size_t s = 0; s < count_of(tuned); s++) {
        const struct lane_spec spec = fake_run("/unstructured/%s --problem noise --grid 37x29 "
                                               "--iterations %d --tolerance 0",
                                               tuned[s], (int)EACH * (int)GEOMETRIES);
        const struct solver_run *wanted = reference_solve(&spec);
        double U[37 * 29], residuals[EACH];
        owned_run lane = run_open(&spec);
        struct engine *engine = lane->engine;
        for (int g = 0; g < GEOMETRIES; g++) {
            assert_ok(engine->ops->retune(engine, &geometries[g], &error));
            for (long made = 0, done = 0; made < EACH; made += done) {
                assert_ok(engine_advance(engine, EACH - made, 0, residuals, &done, &error));
                for (long k = 0; k < done; k++)
                    assert_close(residuals[k], wanted->residuals[g * EACH + made + k], 1e-12);
            }
        }
        assert_ok(engine->ops->read(engine, U, &error));
        for (size_t id = 0; id < count_of(U); id++)
            assert_true(fabs(U[id] - wanted->U[id]) <= (s == 2 ? 1e-14 : 0));
    }
}

/* A tuning sweep runs iterations with each geometry, and leaves the geometry and U's bits
 * unchanged. */
TEST(tuning_scan) {
    static const struct {
        const char *schedule;
        int count;
    } cases[] = {{"classic", 6}, {"fused", 4}, {"blocked:8", 3}}; /* 29 rows can't form 8 or more */
    for (size_t c = 0; c < count_of(cases); c++) {
        struct lane_spec spec = fake_run("/unstructured/%s --problem noise --grid 37x29 "
                                         "--iterations 100000 --tolerance 0",
                                         cases[c].schedule);
        double U[37 * 29];
        owned_run lane = run_open(&spec);
        const struct tuning before = lane->engine->spec.run.tuning;
        lane->base.ops->scan_tuning(&lane->base);
        const struct tuning_scan scan = lane->known.tuning_scan;
        assert_int_equal(lane->base.state, LANE_RUNNING);
        assert_int_equal(scan.count, cases[c].count);
        for (int k = 0; k < scan.count; k++) {
            assert_int_equal(scan.value[k], (c == 0 ? 32 : 1) << k);
            assert_true(scan.ms[k] > 0);
        }
        assert_memory_equal(&lane->engine->spec.run.tuning, &before, sizeof before);
        spec.iterations = lane->base.iterations;
        assert_true(spec.iterations >= 66 * scan.count);
        assert_ok(lane->engine->ops->read(lane->engine, U, &error));
        const struct solver_run *wanted = reference_solve(&spec);
        for (size_t id = 0; id < count_of(U); id++)
            assert_true(fabs(U[id] - wanted->U[id]) <= (c == 2 ? 1e-14 : 0));
    }
}

TEST_MODULE_ON_FAKES(hip_geometry)
