/* Chebyshev, red-black SOR and multigrid: iterations and factors from theory and from other
 * programs, the order of the discretisation, and every back end against serial.
 *
 * Argument, if any: the folder of the fake drivers; then only hip is compared, on the GPU that
 * FAKE_GPU names. */
#include "tests/fixtures/fakes.h"
#include "tests/fixtures/reference.h"

static bool only_hip;

/* The number of the first iterate below the limit. The program reports the residual before the
 * update, so it makes one more iteration. */
static void check_iterations(const char *lane, int side, const char *limit, double least,
                             double most) {
    const struct lane_spec spec =
        run_of("serial/unstructured/%s --grid %d --iterations 2000 %s", lane, side, limit);
    owned_run run = run_to_end(&spec);
    if (run->base.iterations - 1 < least || run->base.iterations - 1 > most)
        fail_msg("%s, %s: %ld iterations", run_name(&spec), limit, run->base.iterations);
}

/* The first iterate whose residual is below the blog's 1e-5, and below a millionth of the first
 * residual. Chebyshev's second figures are the bound 1/cosh(k·acosh(1/ρ)) ≤ 1e-6, which the run
 * nearly needs. */
TEST(iterations) {
    static const char millionth[] = "--residual relative --tolerance 1e-6";
    static const struct {
        int side;
        double chebyshev, sor, chebyshev_millionth, sor_millionth;
    } cases[] = {{64, 208, 124, 294, 169}, {128, 402, 231, 585, 327}, {256, 772, 432, 1152, 638}};
    for_each(row, cases) {
        const double bound = row->chebyshev_millionth;
        check_iterations("classic+chebyshev", row->side, "", row->chebyshev, row->chebyshev);
        check_iterations("fused+chebyshev", row->side, "", row->chebyshev, row->chebyshev);
        check_iterations("classic+sor", row->side, "", row->sor, row->sor);
        check_iterations("classic+chebyshev", row->side, millionth, 0.97 * bound - 1, bound);
        check_iterations("classic+sor", row->side, millionth, row->sor_millionth,
                         row->sor_millionth);
    }
}

/* SOR with an explicit ω of 1 is Gauss-Seidel. Red unknowns depend only on black ones, and black
 * ones only on red ones. So m sweeps leave black unknowns at Jacobi's values after 2 m iterations:
 * the spectral radius is ρ², and half as many iterations are needed. A sweep leaves RES 0 for black
 * unknowns and twice Jacobi's for red ones, so the same iterate's residual is √2 times as large. */
TEST(gauss_seidel) {
    enum { N = 63, SWEEPS = 40 };
    struct lane_spec jacobi = run_of("serial/unstructured/classic --grid %d --tolerance 0 "
                                     "--iterations %d",
                                     N, 2 * SWEEPS);
    struct lane_spec seidel = run_of("serial/unstructured/classic+sor+omega=1 --grid %d "
                                     "--tolerance 0 --iterations %d",
                                     N, SWEEPS);
    owned_solution a = solver_run(&jacobi);
    owned_solution b = solver_run(&seidel);
    for (int j = 0; j < N; j++)
        for (int i = (j + 1) % 2; i < N; i += 2)
            assert_close(b.U[i + j * N], a.U[i + j * N], 1e-13);
    jacobi.tolerance = 1e-5;
    seidel.tolerance = sqrt(2) * jacobi.tolerance;
    jacobi.iterations = seidel.iterations = 20000;
    owned_solution long_a = solver_run(&jacobi);
    owned_solution long_b = solver_run(&seidel);
    if (labs(2 * long_b.iterations - long_a.iterations) > 4)
        fail_msg("%ld iterations of Gauss-Seidel, %ld of Jacobi", long_b.iterations,
                 long_a.iterations);
}

/* The asymptotic mean factor per cycle, on nested and other grids (coarsening only one direction
 * may be better). Two-grid theory gives 0.6² for V(1,1) with damped Jacobi; 0.6³ is a lower bound
 * for V(2,1). */
TEST(factors) {
    static const struct {
        const char *cycle;
        double least, most;
    } cases[] = {{"1,1", 0.30, 0.385}, {"2,1", 0.18, 0.26}, {"1,1,red-black", 0.03, 0.14}};
    for_each(row, cases)
        for_each_word(grid, "63", "255", "100", "64", "200x128", "300x5") {
            const struct lane_spec spec =
                run_of("serial/unstructured/classic+multigrid --grid %s --cycle %s --iterations 9 "
                       "--tolerance 0",
                       grid, row->cycle);
            owned_solution run = solver_run(&spec);
            const double factor = pow(run.residuals[8] / run.residuals[4], 0.25);
            if (!(factor < row->most && (factor > row->least || strchr(grid, 'x'))))
                fail_msg("%s: a factor of %.4f", run_name(&spec), factor);
        }
}

/* All grids need about the same number of cycles to the blog's 1e-5: 8 to 10, 6 to 7 and 4. */
TEST(grid_independence) {
    static const struct {
        const char *cycle;
        double least, most;
    } cases[] = {{"1:1", 8, 10}, {"2:1", 6, 7}, {"1:1:red-black", 4, 4}};
    for_each(row, cases)
        for (int n = 63; n <= 511; n = 2 * n + 1) {
            check_iterations(PRINT("classic+multigrid+cycle=%s", row->cycle), n, "", row->least,
                             row->most);
        }
}

/* The discretisation's error is O(h²): half the mesh width gives a quarter of the error. */
TEST(order) {
    double before = 0;
    for (int n = 15; n <= 127; n = 2 * n + 1) {
        const struct lane_spec spec = run_of("serial/unstructured/classic+multigrid --problem "
                                             "manufactured --grid %d --tolerance 1e-13",
                                             n);
        double largest;
        owned_solution run = solver_run(&spec);
        const double off = problem_error(spec.engine.problem, &spec.engine.mesh, run.U, &largest);
        assert_true(largest > off && largest < 4 * off);
        if (n > 15)
            assert_true(before / off > 3.9 && before / off < 4.1);
        before = off;
    }
}

/* Runs some cycles and samples the levels. */
static void look_at_levels(const struct lane_spec *spec, long cycles, struct sample *sample) {
    const struct view view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1};
    owned_run lane = run_open(spec);
    assert_ok(run_advance(lane, cycles));
    lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
    assert_int_equal(lane->base.state, LANE_RUNNING);
}

/* Without post-smoothing, the first cycle adds the interpolated correction to one smoothing step.
 * Where the unknowns of both grids coincide, this is the correction itself. */
TEST(level_is_the_correction) {
    enum { N = 31, M = 15 };
    struct lane_spec spec = run_of("serial/unstructured/classic+multigrid+cycle=1:0 --problem "
                                   "charges --grid %d --tolerance 0",
                                   N);
    owned_sample sample = sample_create();
    look_at_levels(&spec, 1, sample);
    const struct field level = sample->lanes[0].levels.of[0];
    assert_int_equal(sample->lanes[0].levels.count, 4);
    assert_int_equal(level.downsample.cols, M);
    assert_int_equal(level.downsample.rows, M);
    spec.iterations = 1;
    owned_solution cycle = solver_run(&spec);
    spec.engine.run.method = METHOD_JACOBI;
    spec.engine.run.omega = 0.8;
    owned_solution smoothed = solver_run(&spec);
    for (int J = 0; J < M; J++)
        for (int I = 0; I < M; I++) {
            const int id = 2 * I + 1 + (2 * J + 1) * N;
            assert_close((double)level.cells[I + J * M], cycle.U[id] - smoothed.U[id], 1e-6);
        }
}

static int fields_left; /* number of fields that can still be downsampled */
static enum status (*engine_downsamples)(struct engine *engine, const struct downsample *downsample,
                                         double *sums, struct error *why);

static enum status downsample_a_few(struct engine *engine, const struct downsample *downsample,
                                    double *sums, struct error *why) {
    return fields_left-- > 0 ? engine_downsamples(engine, downsample, sums, why)
                             : error_set(why, STATUS_DEVICE_FAILED, "lost");
}

/* If a level can't be read, the lane fails and only the levels before it remain. */
TEST(level_that_fails) {
    const struct view view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1};
    const struct lane_spec spec =
        run_of("serial/unstructured/classic+multigrid --problem charges --grid 31");
    owned_sample sample = sample_create();
    owned_run lane = run_open(&spec);
    assert_ok(run_advance(lane, 1));
    static struct engine_ops ops; /* the run's end needs it, too */
    ops = *lane->engine->ops;
    engine_downsamples = ops.downsample;
    ops.downsample = downsample_a_few;
    lane->engine->ops = &ops;
    fields_left = 3; /* U and two levels */
    lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
    assert_int_equal(sample->lanes[0].levels.count, 2);
    assert_int_equal(sample->lanes[0].state, LANE_FAILED);
    assert_string_equal(sample->lanes[0].error.message, "lost");
}

/* Every back end and mapping has the same levels. */
TEST(levels_of_backends) {
    owned_sample serial = sample_create();
    owned_sample other = sample_create();
    struct lane_spec spec = run_of("serial/unstructured/classic+multigrid --problem charges "
                                   "--grid 100 --tolerance 0");
    int runs = 0;
    look_at_levels(&spec, 3, serial);
    assert_int_equal(serial->lanes[0].levels.count, 6);
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
            spec.choices[0] = *backend;
            spec.engine.run.mapping = (enum mapping)mapping;
            if ((only_hip && *backend != backend_find("hip")) ||
                backend_check(*backend, &spec.engine, NULL))
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
}

/* Checks what levels_make promises: restriction averages, and prolongation keeps a constant. */
TEST(levels) {
    static const int sides[][2] = {{1, 1},     {2, 2},       {63, 63},       {64, 64},
                                   {1, 65536}, {65536, 256}, {65536, 65536}, {4095, 63}};
    struct levels levels;
    struct step steps[STEPS_MAX];
    for (size_t s = 0; s < count_of(sides); s++) {
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
    static const char *const cases[][2] = {{"blocked:4+chebyshev", "expected classic or fused"},
                                           {"fused+sor", "expected classic"},
                                           {"plain+multigrid", "expected classic"},
                                           {"classic+chebyshev+omega=0.8", "expected no omega"}};
    for (size_t c = 0; c < count_of(cases); c++) {
        const struct lane_spec spec = run_of("serial/unstructured/%s --grid 8", cases[c][0]);
        assert_refused(backend_check(spec.choices[0], &spec.engine, &error), STATUS_BAD_INPUT,
                       cases[c][1]);
    }
}

TEST(cycle_words) {
    struct cycle cycle;
    char text[CYCLE_SIZE];
    for_each_word(good, "1,1", "2,0", "4,4,red-black") {
        assert_true(cycle_parse(good, &cycle));
        assert_string_equal(cycle_print(text, cycle), good);
    }
    assert_true(cycle_parse("4, 4, red-black", &cycle)); /* blanks, as in every list */
    for_each_word(bad, "", "1", "0,1", "5,1", "1,5", "-1,1", "1,-1", "1,1,", "1,1,x", "11,1",
                  "1,1,red-blackx")
        if (cycle_parse(bad, &cycle))
            fail_msg("'%s' was taken", bad);
}

/* Every back end and mapping has serial's iterates, on odd grids and even ones; in quick mode each
 * case runs on half of the grids. */
TEST(methods_of_backends) {
    static const char *const cases[] = {"classic+chebyshev", "fused+chebyshev", "classic+sor",
                                        "classic+multigrid",
                                        "classic+multigrid+cycle=2:1:red-black"};
    static const char *const grids[] = {"31", "50x37", "130x9", "1x7", "1"};
    int runs = 0;
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (size_t c = 0; c < count_of(cases); c++)
                for (size_t g = tests_are_full() ? 0 : c % 2; g < count_of(grids);
                     g += tests_are_full() ? 1 : 2) {
                    const struct lane_spec spec =
                        run_of("%s/%s/%s --grid %s --norm-blocks 3 --norm-block 64 --iterations 40 "
                               "--tolerance 1e-7",
                               (*backend)->name, mapping_names[mapping], cases[c], grids[g]);
                    if ((only_hip && *backend != backend_find("hip")) ||
                        backend_check(*backend, &spec.engine, NULL))
                        continue;
                    assert_matches_reference(&spec);
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
