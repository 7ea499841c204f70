/* Reports: JSON, JSON lines, CSV and text of runs, and of recordings. */
#include "tests/fixtures/example.h"
#include "tests/fixtures/json.h"
#include "tests/fixtures/recordings.h"

#include "core/system.h"
#include "record/recording.h"
#include "report/report.h"

/* The last report, freed before the next one and after the test. */
static char *text;
static cJSON *json;

static int forget(void **state) {
    free(text);
    cJSON_Delete(json);
    text = NULL;
    json = NULL;
    return 0;
}

/* A configuration for a lane and options as in run_of. */
__attribute__((format(printf, 1, 2))) static struct config config_for(const char *format, ...) {
    struct config config;
    char text[256];
    print_arguments(text, format);
    config_init(&config);
    config.plan.lanes[0] = run_of("%s", text);
    return config;
}

/* Runs and returns the report as text; the run must return `status`. */
static char *report_of(const struct config *config, enum report_format format, enum status status) {
    struct config asked = *config;
    size_t size;
    forget(NULL);
    FILE *out = open_memstream(&text, &size);
    asked.format = format;
    const enum status got = headless_run(&asked, out, &error);
    fclose(out);
    if (got != status)
        fail_msg("status %d: %s", got, error.message);
    return text;
}

/* The report of a sample as text. */
static char *report_on(const struct config *config, const struct sample *sample) {
    size_t size;
    forget(NULL);
    FILE *out = open_memstream(&text, &size);
    assert_ok(report_write(out, &(struct report){.config = config, .sample = sample}, &error));
    fclose(out);
    return text;
}

static const cJSON *parse(void) {
    json = cJSON_Parse(text);
    if (!json)
        fail_msg("this is no JSON: %s", text);
    return json;
}

static const cJSON *json_of(const struct config *config) {
    report_of(config, FORMAT_JSON, STATUS_OK);
    return parse();
}

/* Members with a text, or null, and numbers that are not checked elsewhere. */
TEST(json_has_every_field) {
    char members[] = "backend=serial mapping=unstructured precision=double host_memory=pageable "
                     "schedule=classic measure=blog geometry.block.used= "
                     "geometry.fused_blocks.tried= geometry.blocked_blocks.used= sweep= "
                     "fallback_from= fallback_reason= solution.error= error=";
    char *words[20];
    struct config config = config_for("serial --grid 256 --iterations 10 --omega 0.8");
    const cJSON *run = item_of(json_of(&config), "runs.0");
    assert_string_equal(string_of(json, "program"), "jacobi-tui");
    assert_true(strlen(string_of(json, "version")) > 0);
    assert_string_equal(string_of(json, "provenance.commit"), build_commit);
    assert_int_equal(strlen(string_of(json, "provenance.date")), strlen("2026-11-25T19:05:00Z"));
    assert_true(is_null(json, "preset"));
    assert_string_equal(string_of(json, "problem"), "blog");
    assert_true(number_of(json, "grid.nx") == 256 && number_of(json, "grid.ny") == 256);
    assert_string_equal(string_of(json, "precision"), "double");
    assert_int_equal(cJSON_GetArraySize(item_of(json, "runs")), 1);
    assert_true(strlen(string_of(run, "device")) > 0);
    assert_true(number_of(run, "omega") == 0.8);
    assert_true(cJSON_IsFalse(item_of(run, "converged")));
    for (int w = split_words(members, words, 0) - 1; w >= 0; w--) {
        char *value = strchr(words[w], '=');
        *value++ = '\0';
        if (*value)
            assert_string_equal(string_of(run, words[w]), value);
        else
            assert_true(is_null(run, words[w]));
    }
    for_each_word(number, "solution.min", "solution.max", "solution.l2")
        assert_true(isfinite(number_of(run, number)));
}

/* Checks the published program's residuals and the definitions of the figures. */
TEST(json_figures_are_right) {
    static const char *const kernels[] = {"Laplacian", "BoundaryConditions", "Update", "Norm"};
    struct config config = config_for("serial --grid 256 --iterations 1000");
    const cJSON *run = item_of(json_of(&config), "runs.0");
    const double initial = number_of(run, "initial_residual"), last = number_of(run, "residual");
    const double rate = number_of(run, "lattice_updates_per_second");
    const double median = number_of(run, "ms_per_iteration");
    double percent = 0, percent_of_loop = 0;
    assert_true(number_of(run, "iterations") == 1000);
    assert_close(initial, 0.0890797, 1e-6);
    assert_close(last, 4.49368e-4, 1e-6);
    assert_close(number_of(run, "residual_rms"), last * 256 * 257, 1e-12);
    assert_close(number_of(run, "residual_relative"), last / initial, 1e-12);
    assert_close(rate, 256 * 256 * 1e3 / median, 1e-12);
    assert_close(number_of(run, "mean_ms_per_iteration"), number_of(run, "seconds"), 1e-12);
    assert_true(number_of(run, "spread.0") <= median && number_of(run, "spread.1") >= median);
    assert_close(number_of(run, "gflops"), 17e-9 * rate, 1e-12);
    assert_close(number_of(run, "blog_bandwidth_gbs"), 96e-9 * rate, 1e-12);
    assert_close(number_of(run, "minimum_bandwidth_gbs"), 64e-9 * rate, 1e-12);
    assert_int_equal(cJSON_GetArraySize(item_of(run, "kernels")), 4);
    for (int k = 0; k < 4; k++) {
        const cJSON *kernel = cJSON_GetArrayItem(item_of(run, "kernels"), k);
        const double ms = number_of(kernel, "median_ms");
        assert_string_equal(string_of(kernel, "name"), kernels[k]);
        assert_true(number_of(kernel, "count") == 1000);
        assert_close(number_of(kernel, "avg_ms"), number_of(kernel, "total_ms") / 1000, 1e-12);
        assert_close(number_of(kernel, "gbs"),
                     1e-6 * number_of(kernel, "bytes") /
                         (number_of(kernel, "percent_of_loop") / 100 * median),
                     1e-9);
        assert_true(number_of(kernel, "spread.0") <= ms && number_of(kernel, "spread.1") >= ms);
        assert_string_equal(string_of(kernel, "clock"), "host");
        assert_true(is_null(kernel, "registers") && is_null(kernel, "occupancy"));
        percent += number_of(kernel, "percent");
        percent_of_loop += number_of(kernel, "percent_of_loop");
    }
    assert_true(percent_of_loop > 0 && percent_of_loop <= 100 + 1e-9);
    assert_close(percent, 100.0, 1e-12);
}

/* With an impossibly slow memory every kernel exceeds it, so the arrays must be in the caches. With
 * an unknown roof the report states no bottleneck. */
TEST(json_says_which_wall) {
    struct config config = config_for("serial/unstructured/fused --grid 64 --iterations 10");
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    json_of(&config);
    assert_true(is_null(json, "runs.0.stands_at.wall"));
    assert_true(is_null(json, "runs.0.roof.bandwidth_gbs"));
    print_to(config.machine.device, "x86-64");
    config.machine.bandwidth_gbs = 1e-6;
    json_of(&config);
    const cJSON *kernel = item_of(json, "runs.0.kernels.0");
    assert_true(number_of(json, "runs.0.roof.bandwidth_gbs") == 1e-6);
    assert_string_equal(string_of(json, "runs.0.stands_at.wall"), "caches");
    assert_string_equal(string_of(kernel, "stands_at.wall"), "caches");
    assert_true(is_null(kernel, "stands_at.percent"));
}

/* `serial` copies nothing, so it reports no copies and no times for them. */
TEST(what_was_not_measured_is_null) {
    static const char *const times[] = {
        "transfers.to_device.ms",       "transfers.from_device.ms",
        "transfers.alloc.ms",           "transfers.setup.alloc.ms",
        "transfers.setup.to_device.ms", "transfers.setup.from_device.ms"};
    static const char *const counts[] = {"transfers.to_device.count", "transfers.to_device.bytes",
                                         "transfers.from_device.count",
                                         "transfers.from_device.bytes", "transfers.alloc.count"};
    struct config config = config_for("serial/structured/classic --grid 16 --iterations 5");
    json_of(&config);
    for_each(name, times)
        assert_true(is_null(item_of(json, "runs.0"), *name));
    for_each(name, counts)
        assert_true(number_of(item_of(json, "runs.0"), *name) == 0);

    config.plan.lanes[0].engine.without_events = true;
    json_of(&config);
    assert_int_equal(cJSON_GetArraySize(item_of(json, "runs.0.kernels")), 0);
    for (size_t c = 0; c < count_of(counts); c++)
        assert_true(is_null(item_of(json, "runs.0"), counts[c]));

    config.plan.lanes[0].tolerance = 1e9;
    json_of(&config);
    assert_true(number_of(json, "runs.0.iterations") == 0);
    assert_true(is_true(json, "runs.0.converged"));
    assert_true(is_null(json, "runs.0.seconds"));
    assert_true(is_null(json, "runs.0.ms_per_iteration"));
}

/* The second iteration solves the only equation exactly: its residual is 0. */
TEST(without_a_tolerance_all_iterations_run) {
    struct config config = config_for("serial/unstructured/classic --grid 1 --iterations 50");
    json_of(&config);
    assert_true(number_of(json, "runs.0.iterations") == 2);
    assert_true(is_true(json, "runs.0.converged"));
    config.plan.lanes[0].tolerance = 0;
    json_of(&config);
    assert_true(number_of(json, "runs.0.iterations") == 50);
    assert_false(is_true(json, "runs.0.converged"));
}

/* The directives of AMD's program per iteration: Laplacian and BoundaryConditions map U to and AU
 * both ways, Update maps RHS and AU to, RES from and U both ways, Norm maps RES to and its sum both
 * ways. */
TEST(structured_copies_are_reported) {
    if (!backend_is_here("omp"))
        return;
    enum { n = 64, iterations = 10 };
    const struct config config =
        config_for("omp/structured/classic --grid %d --iterations %d", n, iterations);
    const cJSON *run = item_of(json_of(&config), "runs.0");
    const double array = 8.0 * n * n;
    assert_true(number_of(run, "transfers.to_device.bytes") == iterations * (8 * array + 8));
    assert_true(number_of(run, "transfers.from_device.bytes") == iterations * (4 * array + 8));
    assert_true(number_of(run, "transfers.to_device.ms") > 0);
    assert_true(number_of(run, "transfers.alloc.count") > 0);
}

TEST(true_error_is_reported) {
    const struct config config =
        config_for("serial --problem manufactured --grid 31 --iterations 100000 --tolerance 1e-10");
    json_of(&config);
    const double off = number_of(json, "runs.0.solution.error");
    assert_true(off > 0 && number_of(json, "runs.0.error") == off);
    assert_true(number_of(json, "runs.0.solution.error_max") > off);
}

TEST(compared_lanes_are_all_there) {
    struct config config = config_for("serial --grid 64 --iterations 10000");
    strcpy(config.compare, "serial,serial/unstructured/fused");
    assert_ok(config_make_lanes(&config, &error));
    json_of(&config);
    assert_int_equal(cJSON_GetArraySize(item_of(json, "runs")), 2);
    const cJSON *run;
    cJSON_ArrayForEach(run, item_of(json, "runs")) {
        assert_true(number_of(run, "iterations") == 4908);
        assert_true(is_true(run, "converged"));
    }
    assert_string_equal(string_of(json, "runs.1.schedule"), "fused");
    assert_string_equal(string_of(item_of(json, "runs.1.kernels.0"), "name"), "Fused");
}

static void assert_ten_whole_passes(const struct config *config, int lane) {
    json_of(config);
    const cJSON *run = cJSON_GetArrayItem(item_of(json, "runs"), lane);
    assert_true(number_of(run, "iterations") == 640);
    assert_true(number_of(run, "kernels.0.count") == 10);
}

/* A partial pass costs nearly as much as a whole one, so no observer of a run may shorten one. */
TEST(passes_are_whole_however_it_runs) {
    struct config config = config_for("serial/unstructured/blocked:64 --grid 256 --iterations 640");
    assert_ten_whole_passes(&config, 0);
    strcpy(config.record, "run.rec");
    assert_ten_whole_passes(&config, 0);
    unlink(config.record);
    config.plan.iterations_per_second = 2000;
    assert_ten_whole_passes(&config, 0);
    config.plan.iterations_per_second = 0;
    *config.record = '\0';
    strcpy(config.compare, "serial/unstructured/fused,serial");
    assert_ok(config_make_lanes(&config, &error));
    assert_ten_whole_passes(&config, 1);
}

/* The first pass is cold, and the last one has a single iteration: one duration counts. */
TEST(a_shallow_pass_is_not_typical) {
    static const char *const backends[] = {"serial", "omp"};
    for (int b = 0; b < 1 + backend_is_here("omp"); b++) {
        struct config config =
            config_for("%s/unstructured/blocked:64 --grid 256 --iterations 129", backends[b]);
        const cJSON *kernel = item_of(json_of(&config), "runs.0.kernels.0");
        assert_true(number_of(kernel, "count") == 3);
        assert_true(number_of(kernel, "median_ms") > 0);
        assert_true(number_of(kernel, "p05_ms") == number_of(kernel, "p95_ms"));
    }
}

/* A solver behind --on sends its names; the command is made to be pasted. */
TEST(names_are_quoted) {
    struct config config;
    owned_sample sample = compare_example(1);
    size_t size;
    config_init(&config);
    print_to(sample->problem, "blog;touch x");
    print_to(sample->lanes[0].run.backend, "s$(touch x)");
    sample->lanes[0].measure = MEASURE_RMS;
    sample->lanes[0].residual = 1e-8;
    forget(NULL);
    FILE *out = open_memstream(&text, &size);
    report_summary(out, &config, sample);
    assert_int_equal(fclose(out), 0);
    assert_contains(text, "--problem 'blog;touch x' ");
    assert_contains(text, "--backend 's$(touch x)'");
    assert_contains(text, "the RMS residual 1.68e-1"); /* 1e-8 · 4096 · 4097 */
}

TEST(fall_back_is_reported) {
    if (backend_is_here("hip"))
        return;
    struct config config = config_for("hip/unstructured/classic --grid 16 --iterations 5");
    config.plan.lanes[0].choices[1] = backend_find("serial");
    config.plan.lanes[0].choice_count = 2;
    json_of(&config);
    assert_string_equal(string_of(json, "runs.0.backend"), "serial");
    assert_string_equal(string_of(json, "runs.0.fallback_from"), "hip");
    assert_contains(string_of(json, "runs.0.fallback_reason"), "hip: ");
}

TEST(lines_of_json) {
    struct config config = config_for("serial --grid 64 --iterations 10000");
    char *rest = NULL;
    report_of(&config, FORMAT_JSONL, STATUS_OK);
    int line = 0, samples = 0;
    double iterations = 0;
    const char *type = "";
    for (char *next = strtok_r(text, "\n", &rest); next; next = strtok_r(NULL, "\n", &rest)) {
        cJSON_Delete(json);
        json = cJSON_Parse(next);
        assert_non_null(json);
        type = string_of(json, "type");
        assert_int_equal(strcmp(type, "start") == 0, line++ == 0);
        if (strcmp(type, "sample") != 0)
            continue;
        samples++;
        assert_close(number_of(json, "residual_rms"), number_of(json, "residual") * 64 * 65, 1e-12);
        assert_true(is_null(json, "error"));
        assert_true(number_of(json, "iterations") > iterations);
        iterations = number_of(json, "iterations");
    }
    assert_true(samples > 0);
    assert_true(iterations == 4908);
    assert_string_equal(type, "report");
    assert_true(number_of(json, "runs.0.iterations") == 4908);
}

/* The last sample of even the shortest run is recorded as the end, with its field. */
TEST(the_end_is_recorded) {
    for (long iterations = 1; iterations < 4; iterations++) {
        struct config config = config_for("serial --grid 64 --iterations %ld", iterations);
        print_to(config.record, "end-%ld.rec", iterations);
        report_of(&config, FORMAT_JSONL, STATUS_OK);
        owned_recording recording = load(config.record);
        assert_int_equal(recording->chapter_count, 2);
        const int last = recording->count - 1;
        const struct sample *sample = recording_sample(recording, last);
        assert_int_equal(sample->state, SESSION_FINISHED);
        assert_int_equal(sample->lanes[0].iterations, iterations);
        assert_int_equal(sample->lanes[0].field.iteration, iterations);
    }
}

/* Every row of a table has as many separators outside quotes; returns the number of rows. */
static int assert_even_rows(char separator) {
    int rows = 0, before = 0;
    for (const char *row = text, *end; (end = strchr(row, '\n')); row = end + 1) {
        int count = 0;
        bool quoted = false;
        for (const char *c = row; c < end; c++) {
            quoted ^= *c == '"';
            count += *c == separator && !quoted;
        }
        assert_true(count == 0 || before == 0 || count == before);
        rows += count > 0;
        before = count;
    }
    return rows;
}

TEST(csv) {
    struct config config = config_for("serial --grid 16 --iterations 5");
    report_of(&config, FORMAT_CSV, STATUS_OK);
    assert_int_equal(assert_even_rows(','), 1 + 4 + 3 + 1);
    assert_contains(text, ",to_device,0,,,,,,");
}

/* Of iterations and of calls: the median, then the 5th and 95th percentiles. */
TEST(csv_has_medians) {
    struct config config = config_for("omp");
    owned_sample sample = example_sample(MAPPING_STRUCTURED);
    struct lane_sample *lane = &sample->lanes[0];
    lane->times = (struct iteration_times){EXAMPLE_ITERATIONS, 38, 45, 50, 55, 62};
    lane->durations[PHASE_UPDATE] = (struct kernel_durations){4e6, 5e6, 6e6, 7e6};
    config.format = FORMAT_CSV;
    assert_contains(report_on(&config, sample), ",precision,median_ms,p05_ms,p95_ms\n");
    assert_contains(strstr(text, ",Update,"), ",double,5,4,6\n");
    assert_contains(strstr(text, ",to_device,"), ",double,,,\n");
    assert_contains(strstr(text, ",iteration,"), ",double,50,38,62\n");
}

TEST(markdown) {
    struct config config = config_for("serial --grid 32 --iterations 20");
    report_of(&config, FORMAT_MARKDOWN, STATUS_OK);
    assert_even_rows('|');
    assert_contains(text, "| `serial/unstructured/classic` |");
    assert_contains(text, "| Update | 20 |");
    assert_contains(text, ", commit ");
}

/* Also of copies: 10 of 0.3 ms, in iterations of 1000 ms, of which the median is 50 ms. */
TEST(markdown_has_means) {
    struct config config = config_for("omp");
    owned_sample sample = example_sample(MAPPING_STRUCTURED);
    struct lane_sample *lane = &sample->lanes[0];
    memset(lane->totals.of[EVENT_TO_DEVICE], 0, sizeof lane->totals.of[EVENT_TO_DEVICE]);
    lane->totals.of[EVENT_TO_DEVICE][PHASE_NORM] =
        (struct event_stats){10, 10, 80, 3000000, CLOCK_OMPT};
    lane->times = (struct iteration_times){.count = EXAMPLE_ITERATIONS, .median = 50};
    config.format = FORMAT_MARKDOWN;
    assert_contains(report_on(&config, sample), "| to_device | 10 | – | – | – | 0.3 |");
}

/* Names of a recording add no columns and no tags. */
TEST(names_from_recordings) {
    static const char hostile[] = "a,1|`<b>\"";
    struct config config = config_for("serial --grid 16 --iterations 5");
    owned_sample sample = sample_create();
    strcpy(config.record, "names.rec");
    report_of(&config, FORMAT_JSONL, STATUS_OK);
    owned_recording recording = load(config.record);
    sample_copy(sample, recording_sample(recording, recording->count - 1));
    strcpy(sample->problem, hostile);
    strcpy(sample->lanes[0].run.backend, hostile);
    strcpy(sample->lanes[0].device, hostile);
    strcpy(sample->lanes[0].recorded, "1,2");
    for (int csv = 0; csv < 2; csv++) {
        config.format = csv ? FORMAT_CSV : FORMAT_MARKDOWN;
        report_on(&config, sample);
        if (csv) {
            assert_contains(text,
                            "\n0,\"a,1|`<b>\"\"\",16,16,\"a,1|`<b>\"\"\",\"a,1|`<b>\"\"\",un");
            assert_contains(text, ",\"1,2\",");
        } else {
            assert_contains(text,
                            "| `a,1\\|'&lt;b>\"/unstructured/classic` | a,1\\|'&lt;b>\" | 5 |");
            assert_null(strstr(text, "<b"));
        }
    }
}

/* This machine computed only the second lane. */
TEST(recorded_lanes_have_no_provenance_of_here) {
    struct config config = config_for("omp");
    owned_sample sample = example_sample(MAPPING_STRUCTURED);
    sample->lane_count = 2;
    sample->lanes[1].run = sample->lanes[0].run;
    strcpy(sample->lanes[0].recorded, "a recording");
    strcpy(sample->lanes[0].driver, "its driver");
    strcpy(sample->lanes[1].driver, "the driver");
    config.format = FORMAT_CSV;
    report_on(&config, sample);
    assert_contains(strstr(text, "\n0,"), ",,,,,its driver,,double");
    assert_contains(strstr(text, "\n1,"), AS(format_text, ",the driver,%s,double", build_commit));
    config.format = FORMAT_JSON;
    report_on(&config, sample);
    assert_string_equal(string_of(parse(), "provenance.driver"), "the driver");
}

/* Without events nobody counts the bytes of halo rows. */
TEST(halos_without_events_are_not_known) {
    struct config config = config_for("serial --grid 32 --iterations 3 --devices 0,0");
    report_of(&config, FORMAT_JSON, STATUS_OK);
    assert_true(number_of(item_of(parse(), "runs.0"), "halo_bytes") > 0);
    config.plan.lanes[0].engine.without_events = true;
    report_of(&config, FORMAT_JSON, STATUS_OK);
    assert_true(is_null(item_of(parse(), "runs.0"), "halo_bytes"));
}

TEST(table_has_the_reference_beside) {
    struct config config = config_for("serial --grid 16 --iterations 5");
    report_of(&config, FORMAT_TABLE, STATUS_OK);
    assert_contains(text, "BoundaryConditions");
    assert_contains(text, "Typical ms");
    assert_null(strstr(text, "Ref."));
    strcpy(config.reference.source, "the blog");
    config.reference.kernel_ms[PHASE_UPDATE] = 0.51;
    config.reference.kernel_gbs[PHASE_UPDATE] = 1306;
    report_of(&config, FORMAT_TABLE, STATUS_OK);
    assert_contains(text, "reference: the blog");
    const char *update = strstr(text, "Update");
    assert_non_null(update);
    assert_contains(update, "0.510");
    assert_contains(update, "1306");
}

static void diverging_row(const struct mesh *mesh, int j, double *U, double *RHS) {
    for (int i = 0; i < mesh->Nx; i++) {
        U[i] = 0;
        RHS[i] = i + j == 0 ? 1e300 : 0;
    }
}

/* Converged by the blog's residual, but the centre is as cold as at the start. */
TEST(an_unreached_middle_is_told) {
    struct config config = config_for("serial --grid 64 --iterations 20000");
    config.plan.lanes[0].tolerance = 5e-3;
    report_of(&config, FORMAT_TABLE, STATUS_OK);
    assert_contains(text, "converged by the blog's residual\n");
    assert_contains(text, "The centre of the field has not converged: U is ");
    config.plan.lanes[0].measure = MEASURE_RELATIVE;
    config.plan.lanes[0].tolerance = 1e-5;
    report_of(&config, FORMAT_TABLE, STATUS_OK);
    assert_contains(text, "converged by the residual relative to the start\n");
    assert_null(strstr(text, "has not converged"));
}

/* The sum of squares of the first residual overflows. */
TEST(divergence_is_reported) {
    static const struct problem problem = {
        .name = "big", .title = "Big", .fill_row = diverging_row};
    struct config config = config_for("serial --grid 16 --iterations 5");
    config.plan.lanes[0].engine.problem = &problem;
    report_of(&config, FORMAT_JSON, STATUS_DIVERGED);
}

/* The norm of `serial`, which fails on its third call. */
static enum status failing_norm(struct engine *engine, double *sum, struct error *why) {
    *sum = 1;
    return engine->events->iteration < 2 ? STATUS_OK
                                         : error_set(why, STATUS_DEVICE_FAILED, "it is \"gone\"");
}

static enum status failing_open(const struct engine_spec *spec, struct event_log *events,
                                struct engine **engine, struct error *why) {
    static struct engine_ops ops;
    const enum status status = backend_find("serial")->open(spec, events, engine, why);
    if (status)
        return status;
    ops = *(*engine)->ops;
    ops.norm = failing_norm;
    (*engine)->ops = &ops;
    return STATUS_OK;
}

TEST(a_failing_device_is_reported) {
    struct config config = config_for("serial --grid 16 --iterations 9");
    struct backend failing = *backend_find("serial");
    failing.open = failing_open;
    config.plan.lanes[0].choices[0] = &failing;
    report_of(&config, FORMAT_JSON, STATUS_DEVICE_FAILED);
    parse();
    assert_true(number_of(json, "runs.0.iterations") == 2);
    assert_true(cJSON_IsFalse(item_of(json, "runs.0.converged")));
    assert_true(is_null(json, "runs.0.solution.l2"));
    assert_string_equal(string_of(json, "runs.0.failure"), "it is \"gone\"");
}

TEST_MODULE_SETTING_UP_EACH(report, NULL, forget)
