/* The excerpts of our own source, and the directives found in them. */
#include "explain/explain.h"
#include "metrics/labels.h"
#include "tests/fixtures/folder.h"

static char *read_source(const char *file) {
    char path[512];
    print_to(path, SOURCE_FOLDER "/%s", file);
    return strdup(folder_text(path));
}

static const char *line_of(const char *text, int number) {
    while (--number > 0)
        text = strchr(text, '\n') + 1;
    return text;
}

/* The excerpts match the source files, character by character and at the given lines. */
TEST(excerpts_are_the_source) {
    int count = 0;
    for (const struct excerpt *excerpt = excerpts; excerpt->name; excerpt++, count++) {
        owned_memory char *source = read_source(excerpt->file);
        const char *there = line_of(source, excerpt->line);
        if (strncmp(there, excerpt->text, strlen(excerpt->text)) != 0)
            fail_msg("%s:%d is not what the program shows", excerpt->file, excerpt->line);
        assert_int_equal(excerpt->text[strlen(excerpt->text) - 1], '}');
    }
    assert_true(count > 20);
}

static struct lane_sample lane_of(const char *backend, enum mapping mapping,
                                  enum schedule_kind kind) {
    static struct lane_sample lane;
    memset(&lane, 0, sizeof lane);
    strcpy(lane.run.backend, backend);
    lane.run.mapping = mapping;
    lane.run.schedule.kind = kind;
    return lane;
}

/* Each phase of a lane has its source. */
static void check_phases(const struct lane_sample *lane) {
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    for (int p = 0; p < count; p++)
        for (int kind = explain_has_blog(lane) ? 0 : SOURCE_OWN; kind < SOURCE_KINDS; kind++) {
            const struct phase_source source =
                explain_phase(lane, phases[p], (enum source_kind)kind);
            if (!source.kernel)
                fail_msg("%s has no source of %s", lane->run.backend, phase_names[phases[p]]);
            assert_int_equal(source.mapping != NULL, backend_maps(lane->run.backend));
            assert_int_equal(source.launch != NULL, strcmp(lane->run.backend, "hip") == 0);
        }
}

/* Every phase of every combination that ships has its source. */
TEST(every_phase_is_found) {
    for_each_word(backend, "serial", "threads", "omp", "hip")
        for (int kind = SCHEDULE_CLASSIC; kind < SCHEDULE_COUNT; kind++) {
            struct lane_sample lane =
                lane_of(backend, MAPPING_STRUCTURED, (enum schedule_kind)kind);
            check_phases(&lane);
            lane.nx = lane.ny = 7;
            lane.run.cycle = (struct cycle){1, 1, true};
            lane.run.method = METHOD_MULTIGRID;
            if (kind == SCHEDULE_CLASSIC)
                check_phases(&lane);
        }
}

/* The update of a method other than Jacobi's is not Jacobi's. */
TEST(methods_have_kernels_of_their_own) {
    static const struct {
        enum method method;
        bool red_black;
        enum schedule_kind kind;
        const char *serial, *omp, *hip;
    } cases[] = {
        {METHOD_CHEBYSHEV, false, SCHEDULE_CLASSIC, "chebyshev_update_row",
         "target_chebyshev_update", "ChebyshevUpdate"},
        {METHOD_CHEBYSHEV, false, SCHEDULE_FUSED, "chebyshev_fused_rows", "target_chebyshev_fused",
         "ChebyshevFused"},
        {METHOD_SOR, true, SCHEDULE_CLASSIC, "colour_update_row", "target_colour_update",
         "ColourUpdate"},
        {METHOD_MULTIGRID, true, SCHEDULE_CLASSIC, "colour_update_row", "target_colour_update",
         "ColourUpdate"},
        {METHOD_MULTIGRID, false, SCHEDULE_CLASSIC, "serial_update", "target_update", "Update"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const names[] = {cases[c].serial, cases[c].omp, cases[c].hip};
        const enum phase phase = cases[c].kind == SCHEDULE_FUSED ? PHASE_FUSED : PHASE_UPDATE;
        int n = 0;
        for_each_word(backend, "serial", "omp", "hip") {
            struct lane_sample lane = lane_of(backend, MAPPING_STRUCTURED, cases[c].kind);
            lane.run.method = cases[c].method;
            lane.run.cycle.red_black = cases[c].red_black;
            const struct phase_source source = explain_phase(&lane, phase, SOURCE_OWN);
            assert_string_equal(source.kernel->name, names[n]);
            if (n++ == 1)
                assert_string_equal(source.mapping->name, PRINT("%s_structured", names[1]));
        }
    }
}

/* The kernel of the run's depth, mesh and devices, not another of the same phase. */
TEST(variants_of_a_device_kernel) {
    static const struct {
        const char *name;
        enum schedule_kind kind;
        int depth, nx, devices;
        double omega;
    } cases[] = {
        {"Blocked4", SCHEDULE_BLOCKED, 2, 8, 1, 1},
        {"Blocked8", SCHEDULE_BLOCKED, 8, 8, 4, 1},
        {"Blocked8Any", SCHEDULE_BLOCKED, 5, 8, 1, 0.8},
        {"Blocked4Any", SCHEDULE_BLOCKED, 4, 9, 1, 1},
        {"Fused", SCHEDULE_FUSED, 0, 8, 1, 1},
        {"FusedOfSlab", SCHEDULE_FUSED, 0, 8, 2, 1},
    };
    for_each(row, cases) {
        struct lane_sample lane = lane_of("hip", MAPPING_UNSTRUCTURED, row->kind);
        lane.nx = row->nx;
        lane.ny = 8;
        lane.run.schedule.depth = row->depth;
        lane.run.devices.count = row->devices;
        lane.run.omega = row->omega;
        const enum phase phase = schedule_first_phase(lane.run.schedule);
        assert_string_equal(explain_phase(&lane, phase, SOURCE_OWN).kernel->name, row->name);
    }
}

static bool has(const struct directive *line, const char *word) {
    return strstr(PRINT("%.*s", line->length, line->text), word) != NULL;
}

/* The map types are those of AMD's program: Laplacian takes U, and AU both ways; Update returns
 * RES. */
TEST(directives_of_structured_mapping) {
    const struct lane_sample lane = lane_of("omp", MAPPING_STRUCTURED, SCHEDULE_CLASSIC);
    struct directive lines[DIRECTIVES_MAX];
    assert_int_equal(
        explain_directives(explain_phase(&lane, PHASE_LAPLACIAN, SOURCE_OWN).mapping, lines), 1);
    assert_true(has(&lines[0], "#pragma omp target data"));
    assert_true(has(&lines[0], "map(to : U"));
    assert_true(has(&lines[0], "map(tofrom : AU"));
    explain_directives(explain_phase(&lane, PHASE_UPDATE, SOURCE_OWN).mapping, lines);
    assert_true(has(&lines[0], "map(from : RES"));
    assert_true(explain_directives(explain_phase(&lane, PHASE_UPDATE, SOURCE_OWN).kernel, lines) >=
                1);
    assert_true(has(&lines[0], "#pragma omp target teams"));
}

/* The blog's source is shown first: HIP with hipMemcpy and <<<grid, block>>>, and plain regions. */
TEST(the_blogs_source) {
    struct directive lines[DIRECTIVES_MAX];
    struct lane_sample lane = lane_of("hip", MAPPING_STRUCTURED, SCHEDULE_CLASSIC);
    struct phase_source source = explain_phase(&lane, PHASE_UPDATE, SOURCE_BLOG);
    assert_int_equal(explain_directives(source.mapping, lines), 5); /* RHS, AU, U in; RES, U out */
    assert_true(has(&lines[0], "hipMemcpy(d_RHS, RHS, bytes, hipMemcpyHostToDevice);"));
    assert_true(has(&lines[4], "hipMemcpy(U, d_U, bytes, hipMemcpyDeviceToHost);"));
    assert_int_equal(explain_directives(source.launch, lines), 1);
    assert_true(has(&lines[0], "PlainUpdate<<<grid, BLOCK_SIZE>>>("));
    assert_string_equal(source.kernel->name, "PlainUpdate");
    lane.run.mapping = MAPPING_UNSTRUCTURED;
    assert_int_equal(explain_directives(explain_loop(&lane, SOURCE_BLOG).enter, lines), 2);
    lane = lane_of("omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC);
    source = explain_phase(&lane, PHASE_UPDATE, SOURCE_BLOG);
    assert_string_equal(source.kernel->name, "target_plain_update");
    lane.run.schedule.kind = SCHEDULE_FUSED;
    assert_false(explain_has_blog(&lane));
    lane = lane_of("serial", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC);
    assert_false(explain_has_blog(&lane));
}

TEST(unstructured_maps_around_the_loop) {
    struct directive lines[DIRECTIVES_MAX];
    struct lane_sample lane = lane_of("omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC);
    assert_null(explain_phase(&lane, PHASE_UPDATE, SOURCE_OWN).mapping);
    assert_non_null(explain_loop(&lane, SOURCE_OWN).enter);
    assert_non_null(explain_loop(&lane, SOURCE_OWN).exit);
    explain_directives(explain_loop(&lane, SOURCE_OWN).enter, lines);
    assert_true(has(&lines[0], "target enter data"));
    lane = lane_of("omp", MAPPING_STRUCTURED, SCHEDULE_CLASSIC);
    assert_null(explain_loop(&lane, SOURCE_OWN).enter);
    lane = lane_of("serial", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC);
    assert_null(explain_loop(&lane, SOURCE_OWN).enter);
}

TEST(directives_of_a_text) {
    struct directive lines[DIRECTIVES_MAX];
    const struct excerpt plain = {"f.c", 7, "f", "int f(void) {\n    return 1;\n}"};
    assert_int_equal(explain_directives(&plain, lines), 1);
    assert_true(has(&lines[0], "int f(void) {"));
    assert_int_equal(lines[0].line, 7);
    const struct excerpt two = {
        "f.c", 7, "f", "int f(void) {\n#pragma omp target \\\n    map(to : U)\n    g();\n}"};
    assert_int_equal(explain_directives(&two, lines), 2);
    assert_int_equal(lines[1].line, 9);
    assert_true(has(&lines[1], "map(to : U)"));
}

/* The lines that only take times are not shown: they are not in the blog. */
TEST(timing_is_hidden) {
    const struct lane_sample lane = lane_of("omp", MAPPING_UNSTRUCTURED, SCHEDULE_CLASSIC);
    const char *line = explain_phase(&lane, PHASE_NORM, SOURCE_BLOG).kernel->text;
    for (int length; *line; line += length + (line[length] == '\n')) {
        length = (int)strcspn(line, "\n");
        const char *span = strstr(line, "span"), *timed = strstr(line, "timed");
        const bool times = (span && span < line + length) || (timed && timed < line + length);
        assert_int_equal(explain_is_timing(line, length), times);
    }
}

TEST(why) {
    static struct sample sample;
    struct lane_sample *lane = &sample.lanes[0];
    sample.nx = sample.ny = 64;
    sample.lane_count = 1;
    *lane = lane_of("omp", MAPPING_STRUCTURED, SCHEDULE_CLASSIC);
    lane->iterations = 10;
    lane->totals.of[EVENT_KERNEL][PHASE_UPDATE].count = 10;
    lane->totals.of[EVENT_TO_DEVICE][PHASE_UPDATE].count = 10;
    lane->totals.of[EVENT_TO_DEVICE][PHASE_UPDATE].bytes = 10000000000;
    assert_contains(AS(explain_why, &sample, 0), "1.00 GB per iteration");
    *lane = lane_of("serial", MAPPING_STRUCTURED, SCHEDULE_CLASSIC);
    assert_contains(AS(explain_why, &sample, 0), "nothing is copied");
}

/* The lines inside the braces of a file's functions, and its directives that contain `word`. Omits
 * only comments, blank lines and each function's closing brace. */
static int lines_of_file(const char *file, const char *word, int *directives) {
    owned_memory char *source = read_source(file);
    int depth = 0, lines = 0;
    *directives = 0;
    for (char *line = strtok(source, "\n"); line; line = strtok(NULL, "\n")) {
        const int before = depth;
        const char *text = line + strspn(line, " ");
        for (const char *c = line; *c; c++)
            depth += (*c == '{') - (*c == '}');
        lines += before > 0 && depth > 0 && strncmp(text, "/*", 2) != 0 && *text != '*';
        *directives += strncmp(text, "#pragma omp", 11) == 0 && strstr(text, word);
    }
    return lines;
}

/* The counts match the sources: serial's four files contain nothing else; omp's plain.c has all its
 * target regions. A structured iteration copies eight arrays in, four out (docs/method.md). */
TEST(effort_is_the_sources) {
    int lines = 0, regions, none;
    for_each_word(file, "laplacian", "boundary", "update", "norm") {
        lines += lines_of_file(PRINT("kernels/serial/%s.c", file), "omp", &none);
        assert_int_equal(none, 0);
    }
    const struct effort *serial = &efforts[MODEL_SERIAL], *hip = &efforts[MODEL_HIP];
    const struct effort *structured = &efforts[MODEL_OMP_STRUCTURED];
    const struct effort *unstructured = &efforts[MODEL_OMP_UNSTRUCTURED];
    assert_int_equal(serial->kernel_lines, lines);
    assert_int_equal(serial->kernel_new + serial->host_lines + serial->directives, 0);
    lines_of_file("kernels/omp/device/common/plain.c", "target teams", &regions);
    assert_int_equal(structured->directives, regions + 4);   /* target data around each */
    assert_int_equal(unstructured->directives, regions + 2); /* enter data, exit data */
    assert_int_equal(structured->copies_in, 8);
    assert_int_equal(structured->copies_out, 4);
    assert_true(structured->copies_each_iteration && !unstructured->copies_each_iteration);
    assert_int_equal(unstructured->copies_in, 4);
    assert_int_equal(unstructured->copies_out, 0); /* U returns when it is read */
    assert_int_equal(structured->kernel_lines, unstructured->kernel_lines);
    assert_int_equal(hip->directives, 0);
    assert_int_equal(hip->launches, 4);
    assert_int_equal(hip->copies_in, 2);  /* U and RHS before the loop, */
    assert_int_equal(hip->copies_out, 1); /* U after it */
    /* The order that the lesson states. */
    assert_true(unstructured->kernel_new + unstructured->host_lines <
                structured->kernel_new + structured->host_lines);
    assert_true(structured->kernel_new + structured->host_lines <
                hip->kernel_new + hip->host_lines);
    for (int p = MODEL_OMP_STRUCTURED; p < MODEL_COUNT; p++)
        assert_true(efforts[p].kernel_new <= efforts[p].kernel_lines && efforts[p].tuned_lines > 0);
}

TEST_MODULE(explain, NULL, NULL)
