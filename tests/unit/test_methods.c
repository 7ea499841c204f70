/* Chebyshev, red-black SOR and multigrid: iterations and factors from theory and from other
 * programs, the order of the discretisation, and every back end against serial.
 *
 * Argument, if any: the folder of the fake drivers; then only hip is compared, on the GPU that
 * FAKE_GPU names. */
#include "kernels/backends.h"
#include "tests/fixtures/fakes.h"
#include "tests/fixtures/reference.h"
#include "tests/fixtures/support.h"

static bool only_hip;

static struct lane_spec method_spec(const char *problem, int n, enum method method) {
    struct lane_spec spec = run_spec(problem, n, n, "serial", MAPPING_UNSTRUCTURED, "classic");
    spec.engine.run.method = method;
    spec.iterations = 2000;
    spec.tolerance = 1e-5;
    return spec;
}

/* The first iterate whose residual is below the blog's 1e-5. The program reports the residual
 * before the update, so it makes one more iteration. */
TEST(iterations) {
    static const int sides[] = {64, 128, 256};
    static const long chebyshev[] = {208, 402, 772}, sor[] = {124, 231, 432};
    for (int s = 0; s < 3; s++) {
        for (int fused = 0; fused < 2; fused++) {
            struct lane_spec spec = method_spec("blog", sides[s], METHOD_CHEBYSHEV);
            spec.engine.run.schedule.kind = fused ? SCHEDULE_FUSED : SCHEDULE_CLASSIC;
            struct solver_run run = solver_run(&spec);
            assert_int_equal(run.iterations, chebyshev[s] + 1);
            solver_run_release(&run);
        }
        const struct lane_spec spec = method_spec("blog", sides[s], METHOD_SOR);
        struct solver_run run = solver_run(&spec);
        assert_int_equal(run.iterations, sor[s] + 1);
        solver_run_release(&run);
    }
}

/* Likewise to a millionth of the first residual. Chebyshev's figures are the bound
 * 1/cosh(k·acosh(1/ρ)) ≤ 1e-6, which the run nearly needs. */
TEST(iterations_to_a_millionth) {
    static const int sides[] = {64, 128, 256};
    static const long chebyshev[] = {294, 585, 1152}, sor[] = {169, 327, 638};
    for (int s = 0; s < 3; s++) {
        struct lane_spec spec = method_spec("blog", sides[s], METHOD_CHEBYSHEV);
        spec.measure = MEASURE_RELATIVE;
        spec.tolerance = 1e-6;
        struct computed_lane *lane = run_to_end(&spec);
        assert_in_range(lane->base.iterations, 0.97 * chebyshev[s], chebyshev[s] + 1);
        run_close(lane);
        spec.engine.run.method = METHOD_SOR;
        lane = run_to_end(&spec);
        assert_int_equal(lane->base.iterations, sor[s] + 1);
        run_close(lane);
    }
}

/* SOR with an explicit ω of 1 is Gauss-Seidel. Red unknowns depend only on black ones, and black
 * ones only on red ones. So m sweeps leave black unknowns at Jacobi's values after 2 m iterations:
 * the spectral radius is ρ², and half as many iterations are needed. A sweep leaves RES 0 for black
 * unknowns and twice Jacobi's for red ones, so the same iterate's residual is √2 times as large. */
TEST(gauss_seidel) {
    enum { N = 63, SWEEPS = 40 };
    struct lane_spec jacobi = method_spec("blog", N, METHOD_JACOBI);
    struct lane_spec seidel = method_spec("blog", N, METHOD_SOR);
    seidel.engine.run.omega = 1;
    jacobi.tolerance = seidel.tolerance = 0;
    jacobi.iterations = 2L * SWEEPS;
    seidel.iterations = SWEEPS;
    struct solver_run a = solver_run(&jacobi), b = solver_run(&seidel);
    for (int j = 0; j < N; j++)
        for (int i = (j + 1) % 2; i < N; i += 2)
            assert_close(b.U[i + j * N], a.U[i + j * N], 1e-13);
    solver_run_release(&a);
    solver_run_release(&b);
    jacobi.tolerance = 1e-5;
    seidel.tolerance = sqrt(2) * jacobi.tolerance;
    jacobi.iterations = seidel.iterations = 20000;
    a = solver_run(&jacobi);
    b = solver_run(&seidel);
    if (labs(2 * b.iterations - a.iterations) > 4)
        fail_msg("%ld iterations of Gauss-Seidel, %ld of Jacobi", b.iterations, a.iterations);
    solver_run_release(&a);
    solver_run_release(&b);
}

/* The asymptotic mean factor per cycle, on nested and other grids (coarsening only one direction
 * may be better). Two-grid theory gives 0.6² for V(1,1) with damped Jacobi; 0.6³ is a lower bound
 * for V(2,1). */
TEST(factors) {
    static const int sides[][2] = {{63, 63}, {255, 255}, {100, 100},
                                   {64, 64}, {200, 128}, {300, 5}};
    static const struct {
        struct cycle cycle;
        double least, most;
    } cases[] = {
        {{1, 1, false}, 0.30, 0.385}, {{2, 1, false}, 0.18, 0.26}, {{1, 1, true}, 0.03, 0.14}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
            struct lane_spec spec = method_spec("blog", sides[s][0], METHOD_MULTIGRID);
            spec.engine.mesh = mesh_make(sides[s][0], sides[s][1]);
            spec.engine.run.cycle = cases[c].cycle;
            spec.iterations = 9;
            spec.tolerance = 0;
            struct solver_run run = solver_run(&spec);
            const double factor = pow(run.residuals[8] / run.residuals[4], 0.25);
            if (!(factor < cases[c].most &&
                  (factor > cases[c].least || sides[s][0] != sides[s][1])))
                fail_msg("%d×%d, case %zu: a factor of %.4f", sides[s][0], sides[s][1], c, factor);
            solver_run_release(&run);
        }
}

/* All grids need about the same number of cycles to the blog's 1e-5: 8 to 10, 6 to 7 and 4; the
 * program reports one more. */
TEST(grid_independence) {
    static const struct {
        struct cycle cycle;
        long least, most;
    } cases[] = {{{1, 1, false}, 8, 10}, {{2, 1, false}, 6, 7}, {{1, 1, true}, 4, 4}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int n = 63; n <= 511; n = 2 * n + 1) {
            struct lane_spec spec = method_spec("blog", n, METHOD_MULTIGRID);
            spec.engine.run.cycle = cases[c].cycle;
            struct solver_run run = solver_run(&spec);
            if (!(run.iterations > cases[c].least && run.iterations <= cases[c].most + 1))
                fail_msg("%d, case %zu: %ld cycles", n, c, run.iterations);
            solver_run_release(&run);
        }
}

/* The discretisation's error is O(h²): half the mesh width gives a quarter of the error. */
TEST(order) {
    double before = 0;
    for (int n = 15; n <= 127; n = 2 * n + 1) {
        struct lane_spec spec = method_spec("manufactured", n, METHOD_MULTIGRID);
        spec.tolerance = 1e-13;
        double largest;
        struct solver_run run = solver_run(&spec);
        const double error = problem_error(spec.engine.problem, &spec.engine.mesh, run.U, &largest);
        if (n > 15)
            assert_true(before / error > 3.9 && before / error < 4.1);
        before = error;
        solver_run_release(&run);
    }
}

/* Runs some cycles and samples the levels. */
static void look_at_levels(const struct lane_spec *spec, long cycles, struct sample *sample) {
    const struct view view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1};
    struct computed_lane *lane = run_open(spec);
    assert_int_equal(run_advance(lane, cycles), STATUS_OK);
    lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
    assert_int_equal(lane->base.state, LANE_RUNNING);
    run_close(lane);
}

/* Without post-smoothing, the first cycle adds the interpolated correction to one smoothing step.
 * Where the unknowns of both grids coincide, this is the correction itself. */
TEST(level_is_the_correction) {
    enum { N = 31, M = 15 };
    struct lane_spec spec = method_spec("charges", N, METHOD_MULTIGRID);
    struct sample *sample = sample_create();
    assert_non_null(sample);
    spec.tolerance = 0;
    spec.engine.run.cycle = (struct cycle){1, 0, false};
    look_at_levels(&spec, 1, sample);
    const struct field level = sample->lanes[0].levels.of[0];
    assert_int_equal(sample->lanes[0].levels.count, 4);
    assert_int_equal(level.downsample.cols, M);
    assert_int_equal(level.downsample.rows, M);
    spec.iterations = 1;
    struct solver_run cycle = solver_run(&spec);
    spec.engine.run.method = METHOD_JACOBI;
    spec.engine.run.omega = 0.8;
    struct solver_run smoothed = solver_run(&spec);
    for (int J = 0; J < M; J++)
        for (int I = 0; I < M; I++) {
            const int id = 2 * I + 1 + (2 * J + 1) * N;
            assert_close((double)level.cells[I + J * M], cycle.U[id] - smoothed.U[id], 1e-6);
        }
    solver_run_release(&cycle);
    solver_run_release(&smoothed);
    sample_destroy(sample);
}

static int fields_left; /* number of fields that can still be downsampled */
static enum status (*engine_downsamples)(struct engine *engine, const struct downsample *downsample,
                                         double *sums, struct error *error);

static enum status downsample_a_few(struct engine *engine, const struct downsample *downsample,
                                    double *sums, struct error *error) {
    return fields_left-- > 0 ? engine_downsamples(engine, downsample, sums, error)
                             : error_set(error, STATUS_DEVICE_FAILED, "lost");
}

/* If a level can't be read, the lane fails and only the levels before it remain. */
TEST(level_that_fails) {
    const struct view view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1};
    struct lane_spec spec = method_spec("charges", 31, METHOD_MULTIGRID);
    struct sample *sample = sample_create();
    assert_non_null(sample);
    struct computed_lane *lane = run_open(&spec);
    assert_int_equal(run_advance(lane, 1), STATUS_OK);
    struct engine_ops ops = *lane->engine->ops;
    engine_downsamples = ops.downsample;
    ops.downsample = downsample_a_few;
    lane->engine->ops = &ops;
    fields_left = 3; /* U and two levels */
    lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
    assert_int_equal(sample->lanes[0].levels.count, 2);
    assert_int_equal(sample->lanes[0].state, LANE_FAILED);
    assert_string_equal(sample->lanes[0].error.message, "lost");
    run_close(lane);
    sample_destroy(sample);
}

/* Every back end and mapping has the same levels. */
TEST(levels_of_backends) {
    struct sample *serial = sample_create(), *other = sample_create();
    struct lane_spec spec = method_spec("charges", 100, METHOD_MULTIGRID);
    int runs = 0;
    assert_true(serial && other);
    spec.tolerance = 0;
    look_at_levels(&spec, 3, serial);
    assert_int_equal(serial->lanes[0].levels.count, 6);
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            spec.choices[0] = *backend;
            spec.engine.run.mapping = (enum mapping)mapping;
            if ((only_hip && *backend != backend_find("hip")) ||
                backend_check(*backend, &spec.engine, &(struct error){0}))
                continue;
            look_at_levels(&spec, 3, other);
            assert_int_equal(other->lanes[0].levels.count, 6);
            for (int k = 0; k < 6; k++) {
                const struct field a = serial->lanes[0].levels.of[k];
                const struct field b = other->lanes[0].levels.of[k];
                assert_memory_equal(&a.downsample, &b.downsample, sizeof a.downsample);
                for (int c = 0; c < a.downsample.cols * a.downsample.rows; c++)
                    assert_close((double)b.cells[c], (double)a.cells[c], 1e-5);
            }
            runs++;
        }
    assert_true(runs >= 1);
    sample_destroy(serial);
    sample_destroy(other);
}

/* Checks what levels_make promises: restriction averages, and prolongation keeps a constant. */
TEST(levels) {
    static const int sides[][2] = {{1, 1},     {2, 2},       {63, 63},       {64, 64},
                                   {1, 65536}, {65536, 256}, {65536, 65536}, {4095, 63}};
    struct levels levels;
    struct step steps[STEPS_MAX];
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        const struct mesh mesh = mesh_make(sides[s][0], sides[s][1]);
        levels_make(&levels, &mesh, METHOD_MULTIGRID);
        assert_in_range(levels.count, 1, LEVELS_MAX);
        assert_int_equal(mesh_unknowns(&levels.mesh[levels.count - 1]), 1);
        for (int l = 1; l < levels.count; l++)
            assert_true(mesh_unknowns(&levels.mesh[l]) <=
                        (mesh_unknowns(&levels.mesh[l - 1]) + 1) / 2);
        const struct cycle most = {SMOOTHING_MAX, SMOOTHING_MAX, true};
        assert_in_range(method_steps(METHOD_MULTIGRID, most, &levels, steps), 1, STEPS_MAX);
    }
    const struct mesh mesh = mesh_make(1023, 1023);
    /* V(1,1): two smoothing steps on each of 1 + 1/4 + 1/16 + … */
    const double work = method_work(METHOD_MULTIGRID, (struct cycle){1, 1, false}, &mesh);
    assert_true(work > 2.66 && work < 2.67);
    assert_true(method_work(METHOD_SOR, (struct cycle){0}, &mesh) == 1);
}

TEST(refusals) {
    static const struct {
        const char *schedule;
        enum method method;
        double omega;
        const char *says;
    } cases[] = {{"blocked:4", METHOD_CHEBYSHEV, 1, "expected classic or fused"},
                 {"fused", METHOD_SOR, 1, "expected classic"},
                 {"plain", METHOD_MULTIGRID, 1, "expected classic"},
                 {"classic", METHOD_CHEBYSHEV, 0.8, "expected no omega"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lane_spec spec = method_spec("blog", 8, cases[c].method);
        struct error error = {0};
        assert_true(schedule_parse(cases[c].schedule, &spec.engine.run.schedule));
        spec.engine.run.omega = cases[c].omega;
        assert_int_equal(backend_check(spec.choices[0], &spec.engine, &error), STATUS_BAD_INPUT);
        assert_contains(error.message, cases[c].says);
    }
}

TEST(cycle_words) {
    static const char *const good[] = {"1,1", "2,0", "4,4,red-black"};
    static const char *const bad[] = {"",     "1",    "0,1",   "5,1",  "1,5",           "-1,1",
                                      "1,-1", "1,1,", "1,1,x", "11,1", "1,1,red-blackx"};
    struct cycle cycle;
    char text[CYCLE_SIZE];
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        assert_true(cycle_parse(good[g], &cycle));
        assert_string_equal(cycle_print(text, cycle), good[g]);
    }
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        if (cycle_parse(bad[b], &cycle))
            fail_msg("'%s' was taken", bad[b]);
}

/* Every back end and mapping has serial's iterates, on odd grids and even ones; in quick mode each
 * case runs on half of the grids. */
TEST(methods_of_backends) {
    static const struct {
        enum method method;
        const char *schedule;
        struct cycle cycle;
    } cases[] = {{METHOD_CHEBYSHEV, "classic", {0}},
                 {METHOD_CHEBYSHEV, "fused", {0}},
                 {METHOD_SOR, "classic", {0}},
                 {METHOD_MULTIGRID, "classic", {1, 1, false}},
                 {METHOD_MULTIGRID, "classic", {2, 1, true}}};
    static const int sides[][2] = {{31, 31}, {50, 37}, {130, 9}, {1, 7}, {1, 1}};
    int runs = 0;
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
                for (size_t s = tests_are_full() ? 0 : c % 2; s < sizeof sides / sizeof *sides;
                     s += tests_are_full() ? 1 : 2) {
                    struct lane_spec spec =
                        run_spec("blog", sides[s][0], sides[s][1], (*backend)->name,
                                 (enum mapping)mapping, cases[c].schedule);
                    char name[96];
                    spec.engine.run.method = cases[c].method;
                    spec.engine.run.cycle = cases[c].cycle;
                    spec.engine.run.tuning = (struct tuning){.norm_blocks = 3, .norm_block = 64};
                    spec.iterations = 40;
                    spec.tolerance = 1e-7;
                    snprintf(name, sizeof name, "%s/%s/%s+%s %d×%d", (*backend)->name,
                             mapping_names[mapping], cases[c].schedule,
                             method_names[cases[c].method], sides[s][0], sides[s][1]);
                    if (only_hip && *backend != backend_find("hip"))
                        continue;
                    if (backend_check(*backend, &spec.engine, &(struct error){0}))
                        continue;
                    assert_matches_reference(&spec, name);
                    runs++;
                }
    print_message("%d runs\n", runs);
    assert_true(runs >= (tests_are_full() ? 50 : 20));
}

TEST_MODULE_WITH_ARGUMENTS(methods) {
    only_hip = argc > 1;
    if (only_hip)
        cmocka_set_test_filter("*_of_backends");
    return only_hip && !fakes_load(argv[1]) ? 2 : run_file_tests(NULL, NULL);
}
