/* The blog's tables: cells, columns dropped for lack of room, the reference. */
#include "tests/fixtures/support.h"

#include "metrics/table.h"

static struct sample *sample;
static struct reference reference;

/* One GCD of an MI250, with the blog's figures: 4096², 1000 iterations in 858 ms. */
static int make_sample(void **state) {
    static const double ms[] = {0.22, 0.01, 0.51, 0.10};
    sample_destroy(sample); /* the test's before */
    sample = sample_create();
    assert_non_null(sample);
    sample->lane_count = 1;
    sample->nx = sample->ny = 4096;
    struct lane_sample *lane = &sample->lanes[0];
    lane->nx = lane->ny = 4096;
    strcpy(lane->run.backend, "hip");
    lane->iterations = 1000;
    lane->seconds = 0.858;
    reference = (struct reference){.ms_per_iteration = NAN, .structured_ms = NAN, .gflops = 332};
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        reference.kernel_ms[phase] = reference.kernel_percent[phase] = reference.kernel_gbs[phase] =
            NAN;
    const struct mesh mesh = mesh_make(4096, 4096);
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
        lane->totals.of[EVENT_KERNEL][phase] = (struct event_stats){
            .count = 1000,
            .timed = 1000,
            .bytes = 1000 * phase_minimum_bytes((enum phase)phase, &mesh),
            .total_ns = (int64_t)(ms[phase] * 1e9),
        };
    return 0;
}

static const char *cell(const struct table *table, const char *row, int column) {
    for (int r = 0; r < table->row_count; r++)
        if (strcmp(table->rows[r].cells[0], row) == 0)
            return table->rows[r].cells[column];
    fail_msg("no row '%s'", row);
    return NULL;
}

/* The blog's times yield its figures: 332 GFLOP/s, about 1306 GB/s in Update. */
TEST(blogs_figures) {
    const struct table table = table_costs(sample, &reference, NULL);
    assert_string_equal(table.rows[0].cells[0], "Update");
    assert_string_equal(table.rows[1].cells[0], "Laplacian");
    assert_string_equal(table.rows[3].cells[0], "BoundaryConditions");
    assert_string_equal(cell(&table, "Update", 1), "0.51");
    assert_string_equal(cell(&table, "Update", 2), "60.7");
    assert_string_equal(cell(&table, "Update", 3), "1316");
    assert_string_equal(cell(&table, "GFLOP/s (17/update)", 1), "332.4");
    assert_string_equal(cell(&table, "1000 iterations, ms", 1), "858.0");
    assert_int_equal(table.column_count, 4);
}

TEST(reference_stands_beside) {
    sample->lanes[0].run.mapping = MAPPING_UNSTRUCTURED;
    reference.ms_per_iteration = 0.429;
    reference.structured_ms = 51.4;
    reference.kernel_ms[PHASE_NORM] = 0.05;
    reference.kernel_percent[PHASE_NORM] = 12.3;
    struct table table = table_costs(sample, &reference, NULL);
    assert_int_equal(table.column_count, 7);
    assert_string_equal(cell(&table, "Norm", 4), "0.0500");
    assert_string_equal(cell(&table, "Norm", 5), "12.3");
    assert_string_equal(cell(&table, "Norm", 6), "–");
    assert_string_equal(cell(&table, "Update", 4), "–");
    assert_string_equal(cell(&table, "times the reference", 1), "2.00");
    /* Structured mapping has its own reference. */
    strcpy(sample->lanes[0].run.backend, "omp");
    sample->lanes[0].run.mapping = MAPPING_STRUCTURED;
    table = table_costs(sample, &reference, NULL);
    assert_string_equal(cell(&table, "times the reference", 1), "0.0167");
    /* It is for double precision. */
    sample->lanes[0].run.precision = PRECISION_SINGLE;
    assert_true(isnan(reference_loop_ms(&reference, &sample->lanes[0])));
}

/* Two references have separate columns, named by their difference. */
TEST(two_references) {
    struct reference second = reference;
    sample->lanes[0].run.mapping = MAPPING_UNSTRUCTURED;
    print_to(reference.source, "A blog: HIP, one GCD");
    print_to(second.source, "A blog: OpenMP unstructured, one GCD");
    reference.kernel_ms[PHASE_NORM] = 0.10;
    second.kernel_ms[PHASE_NORM] = 0.11;
    second.kernel_percent[PHASE_NORM] = 12.2;
    second.ms_per_iteration = 0.999;
    second.gflops = 285;
    struct table table = table_costs(sample, &reference, &second);
    assert_int_equal(table.column_count, 10);
    assert_string_equal(table.groups[GROUP_REFERENCE], "ref. HIP");
    assert_string_equal(table.groups[GROUP_SECOND], "ref. OpenMP");
    assert_string_equal(cell(&table, "Norm", 4), "0.10");
    assert_string_equal(cell(&table, "Norm", 7), "0.11");
    assert_string_equal(cell(&table, "Norm", 8), "12.2");
    assert_string_equal(cell(&table, "1000 iterations, ms", 7), "999.0");
    assert_string_equal(cell(&table, "GFLOP/s (17/update)", 7), "285.0");
    second.source[0] = '\0';
    table = table_costs(sample, &reference, &second);
    assert_int_equal(table.column_count, 7);
    assert_string_equal(table.groups[GROUP_REFERENCE], "reference");
}

/* Times for another grid are scaled by the unknowns; times for another mapping are not used. */
TEST(reference_of_another_grid) {
    struct lane_sample *lane = &sample->lanes[0];
    strcpy(lane->run.backend, "omp");
    lane->run.mapping = MAPPING_UNSTRUCTURED;
    assert_true(reference_kernel_factor(&reference, sample, lane) == 1);
    reference.nx = 8192;
    reference.ny = 4096;
    assert_true(reference_kernel_factor(&reference, sample, lane) == 0.5);
    lane->run.mapping = MAPPING_STRUCTURED;
    assert_true(isnan(reference_kernel_factor(&reference, sample, lane)));
}

TEST(lanes_side_by_side) {
    sample->lane_count = 2;
    lane_sample_copy(&sample->lanes[1], &sample->lanes[0]);
    sample->lanes[1].seconds = 8.58;
    sample->lanes[1].run.mapping = MAPPING_UNSTRUCTURED;
    sample->lanes[1].totals.of[EVENT_TO_DEVICE][PHASE_UPDATE] = (struct event_stats){
        .count = 1000, .timed = 1000, .bytes = 2000000000, .total_ns = 1000000000};
    const struct table table = table_costs(sample, &reference, NULL);
    assert_string_equal(table.groups[0], "A structured");
    assert_string_equal(cell(&table, "times the fastest", 4), "10.0");
    assert_string_equal(cell(&table, "to device", 4), "1.00");
    assert_string_equal(cell(&table, "to device", 6), "2.00");
}

TEST(what_was_not_measured_is_a_dash) {
    memset(&sample->lanes[0].totals, 0, sizeof sample->lanes[0].totals);
    sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_NORM].count = 5;
    sample->lanes[0].iterations = 0;
    const struct table table = table_costs(sample, &reference, NULL);
    assert_string_equal(cell(&table, "Norm", 1), "–");
    assert_string_equal(cell(&table, "GFLOP/s (17/update)", 1), "–");
    const struct table durations = table_durations(sample);
    assert_string_equal(cell(&durations, "Norm", 1), "–");
}

static int width_of_all(const struct table *table) {
    int width = 0;
    for (int c = 0; c < table->column_count; c++)
        width += table_width(table, c) + 2 * (c > 0);
    return width;
}

/* At every width the names remain; the table fits unless only they are left. */
TEST(fit) {
    reference.ms_per_iteration = 1;
    for (int cols = 0; cols < 120; cols++) {
        struct table table = table_costs(sample, &reference, NULL);
        table_fit(&table, cols);
        assert_true(table.column_count >= 1);
        assert_true(width_of_all(&table) <= cols || table.column_count == 1);
        assert_int_equal(table.columns[0].group, GROUP_NAMES);
    }
    struct table table = table_costs(sample, &reference, NULL);
    table_fit(&table, 44);
    assert_string_equal(table.columns[1].title, "ms");
}

/* A name is cut before its columns are removed. */
TEST(fit_of_a_long_name) {
    struct table table = table_costs(sample, &reference, NULL);
    const int width = width_of_all(&table), columns = table.column_count;
    print_to(table.groups[0], "A, a name above small columns");
    table_fit(&table, width);
    assert_int_equal(table.column_count, columns);
    assert_int_equal(strncmp(table.groups[0], "A, ", 3), 0);
    assert_contains(table.groups[0], "…");
}

TEST(print) {
    owned_memory char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    const struct table table = table_costs(sample, &reference, NULL);
    table_print(&table, file);
    fclose(file);
    assert_contains(text, "kernel                   ms     %  GB/s\n");
    assert_contains(text, "Update                 0.51  60.7  1316\n");
}

TEST_MODULE_SETTING_UP_EACH(table, make_sample, NULL)
