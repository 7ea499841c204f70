/* Every back end's schedules on 200 random grids, or 25 in quick mode: odd sizes, narrow and wide
 * grids, passes deeper than the grid, more threads than rows, a random stopping iteration. */
#include "tests/fixtures/reference.h"

enum { CASES = 200, SEED = 20240229 };

/* splitmix64: the same numbers on every machine. */
static uint64_t state_of_chance = SEED;

static int chance(int first, int last) {
    uint64_t z = state_of_chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return first + (int)(z % (uint64_t)(last - first + 1));
}

/* Mostly small, sometimes longer than a strip's width, but never many unknowns. */
static struct mesh random_mesh(void) {
    const int shape = chance(0, 9);
    if (shape == 0)
        return mesh_make(chance(1000, 2500), chance(1, 12));
    if (shape == 1)
        return mesh_make(chance(1, 12), chance(200, 900));
    if (shape < 5)
        return mesh_make(chance(1, 10), chance(1, 10));
    if (shape == 9) { /* dx = dy */
        const int side = chance(1, 150);
        return mesh_make(side, side);
    }
    return mesh_make(chance(1, 90), chance(1, 90));
}

static int problem_count(void) {
    int count = 0;
    while (problems[count].name)
        count++;
    return count;
}

static struct lane_spec random_run(void) {
    struct lane_spec spec = {.choice_count = 1, .iterations = chance(1, 90)};
    spec.engine.mesh = random_mesh();
    spec.engine.problem = &problems[chance(0, problem_count() - 1)];
    spec.engine.run.mapping = MAPPING_UNSTRUCTURED;
    spec.engine.run.schedule.depth = chance(0, 3) ? chance(1, 16) : chance(1, SCHEDULE_MAX_DEPTH);
    spec.engine.run.tuning.threads = chance(0, 3);
    const struct solver_run *run = reference_solve(&spec);
    if (chance(0, 1)) /* just above that residual: round-off can't change the stopping iteration */
        spec.tolerance = run->residuals[chance(0, (int)run->iterations - 1)] * (1 + 1e-9);
    return spec;
}

/* Returns 1 if the back end can run it, else 0. */
static int check(struct lane_spec *spec, const struct backend *backend, enum schedule_kind kind) {
    spec->choices[0] = backend;
    spec->engine.run.schedule.kind = kind;
    if (backend_check(backend, &spec->engine, NULL))
        return 0;
    assert_matches_reference(spec);
    return 1;
}

TEST(random_grids) {
    int runs = 0;
    const int cases = tests_are_full() ? CASES : CASES / 8;
    print_message("seed %d\n", SEED);
    for (int c = 0; c < cases; c++) {
        struct lane_spec spec = random_run();
        for (const struct backend *const *backend = backends; *backend; backend++)
            runs +=
                check(&spec, *backend, SCHEDULE_CLASSIC) + check(&spec, *backend, SCHEDULE_FUSED) +
                check(&spec, *backend, SCHEDULE_BLOCKED) + check(&spec, *backend, SCHEDULE_PLAIN);
    }
    print_message("%d runs\n", runs);
    assert_true(runs >= 2 * cases); /* at least serial runs */
}

TEST_MODULE(random_grids, NULL, NULL)
