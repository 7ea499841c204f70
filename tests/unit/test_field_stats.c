/* Field statistics that a mean over cells can't show: |RES|, its sign, the error, and the share of
 * rough modes. */
#include "tests/fixtures/runs.h"

/* U⁰ = 0 and RHS = sin(kπ(i+1)/(Nx+1)) sin(lπ(j+1)/(Ny+1)): RES is a single mode. */
static double *make_mode(const struct mesh *mesh, int k, int l) {
    const double pi = acos(-1.0);
    double *RHS = calloc(mesh_unknowns(mesh), sizeof *RHS);
    for (int j = 0; j < mesh->Ny; j++)
        for (int i = 0; i < mesh->Nx; i++)
            RHS[i + (size_t)j * (size_t)mesh->Nx] =
                sin(k * pi * (i + 1) / (mesh->Nx + 1)) * sin(l * pi * (j + 1) / (mesh->Ny + 1));
    return RHS;
}

static struct field_stats look(const struct mesh *mesh, const double *RHS, enum field_kind kind,
                               const struct downsample *downsample, float *cells) {
    struct field_stats found;
    owned_memory double *U = calloc(mesh_unknowns(mesh), sizeof *U);
    assert_ok(field_compute(&problems[0], mesh, U, RHS, kind, downsample, cells, &found, &error));
    return found;
}

/* A mode is rough if a grid half as fine can't represent it. */
TEST(single_modes) {
    static const struct {
        int nx, ny, k, l;
        double share;
    } cases[] = {{16, 16, 1, 1, 0},   {16, 16, 8, 8, 0},   {16, 16, 9, 1, 1},  {16, 16, 1, 9, 1},
                 {16, 16, 16, 16, 1}, {15, 9, 7, 4, 0},    {15, 9, 8, 4, 1},   {15, 9, 7, 5, 1},
                 {1, 1, 1, 1, 1},     {3, 200, 1, 100, 0}, {3, 200, 2, 100, 1}};
    for_each(row, cases) {
        const struct mesh mesh = mesh_make(row->nx, row->ny);
        const struct downsample downsample = {0, mesh.Nx, 0, mesh.Ny, 1, 1};
        owned_memory double *RHS = make_mode(&mesh, row->k, row->l);
        float cell;
        const double share = look(&mesh, RHS, FIELD_RESIDUAL, &downsample, &cell).rough_share;
        if (!(fabs(share - row->share) < 1e-12))
            fail_msg("mode (%d, %d) of %d×%d: share %g", row->k, row->l, mesh.Nx, mesh.Ny, share);
        /* The mean of sin² over a mode is about 1/2 in each direction. */
        assert_close((double)cell, sqrt((mesh.Nx + 1) * (mesh.Ny + 1) / 4.0 / (mesh.Nx * mesh.Ny)),
                     1e-6);
    }
    const struct mesh large = mesh_make(ROUGH_SHARE_SIDE + 1, 4);
    const struct downsample downsample = {0, large.Nx, 0, large.Ny, 1, 1};
    owned_memory double *RHS = make_mode(&large, 1, 1);
    float cell;
    assert_true(isnan(look(&large, RHS, FIELD_SIGN, &downsample, &cell).rough_share));
}

/* The checkerboard, which a mean over cells cancels. */
TEST(a_checkerboard_is_seen) {
    const struct mesh mesh = mesh_make(64, 48);
    owned_memory double *RHS = make_mode(&mesh, mesh.Nx, mesh.Ny);
    const struct view view = {.cols = 20, .rows = 12, .x1 = 1, .y1 = 1, .kind = FIELD_SIGN};
    const struct downsample downsample = view_downsample(&view, &mesh);
    float cells[20 * 12];
    assert_int_equal(downsample.i0, 22);
    assert_int_equal(downsample.i1 - downsample.i0, 20);
    assert_int_equal(downsample.j1 - downsample.j0, 12);
    look(&mesh, RHS, FIELD_SIGN, &downsample, cells);
    for (int c = 0; c < 20 * 12; c++)
        assert_true(cells[c] == ((c % 20 + c / 20) % 2 ? -cells[0] : cells[0]));
    assert_true(cells[0] == 1 || cells[0] == -1);
}

/* A lane's field after `iterations`; it belongs to `sample`. */
static const struct field *run_and_look(const struct lane_spec *spec, long iterations,
                                        enum field_kind kind, struct sample *sample) {
    const struct view view = {.cols = 16, .rows = 16, .x1 = 1, .y1 = 1, .kind = kind};
    owned_run lane = run_open(spec);
    if (iterations > 0)
        assert_ok(run_advance(lane, iterations));
    lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
    assert_int_equal(lane->base.state, LANE_RUNNING);
    return &sample->lanes[0].field;
}

/* Undamped, oscillatory modes hold 99.6 % of sum(RES²) after 20 iterations; damped by 0.8, almost
 * none. Reference values by a separate program's sine transform: 0.99602 and 1.57e-7. */
TEST(damping_makes_a_smoother) {
    owned_sample sample = sample_create();
    struct lane_spec spec = run_of("serial/unstructured/classic --problem noise --grid 256");
    assert_close(run_and_look(&spec, 0, FIELD_SIGN, sample)->stats.rough_share, 0.9586004, 1e-6);
    assert_close(run_and_look(&spec, 20, FIELD_RESIDUAL, sample)->stats.rough_share, 0.9960238,
                 1e-6);
    spec.engine.run.omega = 0.8;
    assert_close(run_and_look(&spec, 20, FIELD_SIGN, sample)->stats.rough_share, 1.5717e-7, 1e-3);
}

/* Every back end yields the same statistics. */
TEST(back_ends_show_the_same) {
    owned_sample wanted = sample_create();
    owned_sample got = sample_create();
    for (int kind = FIELD_RESIDUAL; kind < FIELD_KIND_COUNT; kind++) {
        struct lane_spec spec =
            run_of("serial/unstructured/classic --problem manufactured --grid 60x44");
        const struct field *field = run_and_look(&spec, 30, (enum field_kind)kind, wanted);
        assert_int_equal(field->kind, kind);
        for_each_word(name, "threads", "omp", "hip") {
            spec.choices[0] = backend_find(name);
            if (backend_check(spec.choices[0], &spec.engine, NULL))
                continue;
            const struct field *other = run_and_look(&spec, 30, (enum field_kind)kind, got);
            assert_int_equal(other->kind, kind);
            for (int c = 0; c < 16 * 16; c++)
                assert_close((double)other->cells[c], (double)field->cells[c], 1e-6);
        }
    }
}

/* The error of U⁰ = 0 is the solution itself; if no solution is known, U is shown. */
TEST(true_error) {
    owned_sample sample = sample_create();
    struct lane_spec spec = run_of("serial/unstructured/classic --problem manufactured --grid 40");
    const struct mesh *mesh = &spec.engine.mesh;
    double most = 0, sum = 0;
    for (int j = 0; j < mesh->Ny; j++)
        for (int i = 0; i < mesh->Nx; i++) {
            const double U = spec.engine.problem->exact(mesh_x(mesh, i), mesh_y(mesh, j));
            most = fmax(most, fabs(U));
            sum += U * U;
        }
    const struct field *field = run_and_look(&spec, 0, FIELD_ERROR, sample);
    assert_close(field->stats.error_l2, sqrt(sum) / 41, 1e-12);
    assert_close(field->stats.error_max, most, 1e-12);
    spec.engine.problem = problem_find("noise");
    assert_int_equal(run_and_look(&spec, 0, FIELD_ERROR, sample)->kind, FIELD_U);
    assert_true(isnan(field->stats.error_l2));
}

TEST_MODULE(field_stats, NULL, NULL)
