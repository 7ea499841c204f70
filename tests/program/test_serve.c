/* Runs in another process (--on, --serve) without a screen: the same reports, recordings and exit
 * statuses as here, over noisy streams, through terminals and slow lines. Also covers another side
 * that is absent, a different version, dies or is abandoned. The program is the first argument. */
#include "tests/fixtures/program.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>

#include "core/limits.h"
#include "remote/client.h"
#include "remote/wire.h"
#include "tests/fixtures/runs.h"

/* Runs with --on and a COMMAND that begins with `on`, or in this process if it is NULL. */
static int run_on(const char *on, const char *options) {
    return on ? program_run("--on \"%s $PROGRAM\" %s", on, options) : program_run("%s", options);
}

static void expect_on(int status, const char *says, const char *on, const char *options) {
    program_expect(status, says, "--on \"%s $PROGRAM\" %s", on, options);
}

static bool is_among(const char *name, const char *const *names) {
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names;
}

/* Compares two reports: the same members, words and flags, and the same figures except those that
 * depend on time. Such a figure may be null in one report if too little was measured there. The
 * bottleneck and disturbance follow from times, so they may also differ. */
static void compare_items(const cJSON *here, const cJSON *there) {
    static const char *const exact[] = {
        "iterations", "count", "bytes", "nx", "ny", "initial_residual",
        "residual",   "min",   "max",   "l2", NULL};
    static const char *const judged[] = {"date", "wall", "disturbed", NULL};
    const char *name = here->string ? here->string : "";
    assert_string_equal(name, there->string ? there->string : "");
    const bool is_exact = is_among(name, exact);
    const bool are_figures = (cJSON_IsNumber(here) || cJSON_IsNull(here)) &&
                             (cJSON_IsNumber(there) || cJSON_IsNull(there));
    if (is_among(name, judged) || (are_figures && !is_exact))
        return;
    if (here->type != there->type)
        fail_msg("%s: another type there", name);
    if (cJSON_IsString(here))
        assert_string_equal(here->valuestring, there->valuestring);
    if (is_exact)
        assert_true(here->valuedouble == there->valuedouble);
    assert_int_equal(cJSON_GetArraySize(here), cJSON_GetArraySize(there));
    for (const cJSON *a = here->child, *b = there->child; a; a = a->next, b = b->next)
        compare_items(a, b);
}

static void compare_reports(const char *on, const char *options, int status) {
    assert_int_equal(program_run("%s", options), status);
    const cJSON *here = program_report();
    const int got = run_on(on, options);
    if (got != status)
        fail_msg("%s %s: %d, %s", on, options, got, folder_text("messages"));
    const cJSON *there = program_report();
    compare_items(here, there);
}

/* Minor page faults of a run with that many iterations, including its child processes. */
static long faults_of(const char *on, const char *options, int iterations) {
    struct rusage before, after;
    char line[256];
    print_to(line, "%s --iterations %d --tolerance 0 --format json", options, iterations);
    getrusage(RUSAGE_CHILDREN, &before);
    const int status = run_on(on, line);
    getrusage(RUSAGE_CHILDREN, &after);
    if (status)
        fail_msg("%s: %d, %s", line, status, folder_text("messages"));
    return after.ru_minflt - before.ru_minflt;
}

/* Structured mapping allocates and frees nine arrays in each iteration. The process must keep their
 * pages, here and in the thread behind a pipe that serves a screen. Otherwise the time of an
 * iteration includes clearing pages. At the second case's grid, glibc would return the thread's
 * heaps. The host's four arrays may get large pages in only one of two runs: less than half an
 * array's pages per iteration. */
TEST(structured_mapping_keeps_its_pages) {
    enum { FEW = 3, MANY = 8, PAGE = 4096 };
    static const struct {
        const char *on, *options;
        long side;
    } ways[] = {{NULL, "--backend omp --mapping structured", 2048},
                {"exec", "--compare omp/structured,omp/unstructured", 1500}};
    if (IS_SANITIZED || !backend_is_here("omp"))
        skip();
    for_each(way, ways) {
        const long pages = way->side * way->side * (long)sizeof(double) / PAGE;
        char options[128];
        print_to(options, "%s --grid %ld", way->options, way->side);
        const long more = faults_of(way->on, options, MANY) - faults_of(way->on, options, FEW);
        if (more > (MANY - FEW) * pages / 2)
            fail_msg("%s%s: %ld page faults per iteration", options, way->on ? " --on" : "",
                     more / (MANY - FEW));
    }
}

static const char small[] = "--backend serial --grid 64 --format json";

TEST(same_reports) {
    static const char *const options[] = {
        "--backend serial --grid 64x37 --iterations 100 --tolerance 0 --format json",
        "--backend serial --grid 64 --iterations 10000 --format json",
        "--backend serial --grid 32 --residual relative --tolerance 0.01 --format json",
        "--compare serial,serial/unstructured/fused --grid 48 --format json",
        "--backend serial --problem hot-plate --grid 40 --schedule blocked:4 --format json",
        "--backend serial --grid 64 --iterations 50 --no-events --format json",
        "--preset laptop --backend serial --grid 64 --format json",
    };
    for_each(option, options)
        compare_reports("env", *option, 0);
    if (program_run("--backend omp --grid 16 --iterations 2 --headless") == 0)
        compare_reports("env", "--backend omp --mapping structured --grid 32 --format json", 0);
}

TEST(other_formats) {
    expect_on(0, "1000 iterations", "env", "--backend serial --grid 64 --headless");
    expect_on(0, "Laplacian", "env", "--backend serial --grid 64 --format csv");
    expect_on(0, "{\"type\":\"report\",", "env", "--backend serial --grid 64 --format jsonl");
}

TEST(statuses) {
    expect_on(2, "too large", "env", "--backend serial --grid 65536 --headless");
    expect_on(3, "has no device 7", "env", "--backend serial --device 7 --grid 16 --headless");
    expect_on(2, NULL, "env", "--replay x.rec --headless");
}

TEST(recording) {
    expect_on(0, NULL, "env", "--backend serial --grid 64 --record there.rec --format json");
    program_expect(0, NULL, "--replay there.rec --format json");
    const cJSON *report = program_report();
    assert_true(number_of(report, "runs.0.iterations") == 1000);
    expect_on(2, NULL, "env", "--backend serial --grid 64 --record there.rec --headless");
}

/* A picture drawn here of a remote run. */
TEST(picture) {
    expect_on(3, NULL, "exit 7;", "--backend serial --grid 16 --screenshot none.txt");
    assert_int_equal(access("none.txt", F_OK), -1);
    expect_on(0, NULL, "env",
              "--backend serial --grid 16 --screenshot there.txt --iterations 9 --format json");
    const cJSON *report = program_report();
    assert_true(number_of(report, "runs.0.iterations") == 9);
    assert_contains(folder_text("there.txt"), "on env ");
}

TEST(list) {
    for_each_word(options, "--list", "--list --format json") {
        program_expect(0, NULL, "%s", options);
        owned_memory char *here = strdup(folder_text("out"));
        expect_on(0, NULL, "env", options);
        assert_string_equal(folder_text("out"), here);
    }
    /* A process that is no rank of a launcher answers, whatever variables it has inherited;
     * COMMAND's own output is passed on. */
    expect_on(0, "serial", "PMI_SIZE=2 PMI_RANK=1", "--list");
    expect_on(0, "title?]0;x?", "printf '\\ttitle\\033]0;x\\007\\n';", "--list");
    assert_null(strchr(folder_text("out"), '\033'));
    expect_on(0, "0000000\nBack ends", "grep SigIgn /proc/self/status;", "--list");
    expect_on(3, "no such host", "echo no such host >&2; exit 7;", "--list");
    assert_holds("messages", "ended with status 7");
    /* A remaining background process holds the output open. */
    script_write("leaves", "sleep 1000 & echo $! >>left; exit 7");
    expect_on(3, "ended with status 7", "./leaves", "--list");
    expect_on(3, "ended with status 7", "./leaves", "--backend serial --grid 16 --headless");
    shell_ok("kill $(cat left)");
    /* A signal to the program ends COMMAND, too. */
    script_write("waits", "echo $$ >waiting; sleep 1000; exit 7");
    const pid_t child = program_start("--on ./waits --list");
    file_await("waiting", "\n");
    kill(child, SIGTERM);
    assert_int_equal(child_status(child), 128 + SIGTERM);
    shell_ok("while grep -q '^State:.[^Z]' /proc/$(cat waiting)/status 2>/dev/null; do sleep 0.01; "
             "done");
    /* Like Open MPI's refusal to run as root: the helpful line is shown, not the dashes. */
    expect_on(3, "status 1: add the --as-root option; or not",
              "echo add the --as-root option >&2; echo or not >&2; echo bye >&2; "
              "echo ---- >&2; exit 1;",
              "--headless");
}

/* ---- ways to the other side ------------------------------------------------------------------ */

TEST(ways) {
    script_write("shell", "exec \"$@\"");
    script_write("noisy", "echo 'Welcome to the cluster'; printf 'no end of line'; echo on >&2\n"
                          "(while kill -0 $$ 2>/dev/null; do echo noise; printf 'jt< x\\0y'; "
                          "printf '\\033[31mjt< 00000000 S 3 0 1 AAAA\\r\\n'; done) &\n"
                          "\"$@\"; status=$?; kill $!; exit $status");
    script_write("tagged", "\"$@\" | sed -u 's/^/[1,0]<stdout>:/'");
    script_write("carriage", "\"$@\" | sed -u 's/$/\\r/'");
    script_write("slow", "\"$@\" | dd bs=1 2>/dev/null");
    script_write("terminal", "exec script -qefc \"$*\" /dev/null");
    script_write("floods", "yes >&2 & \"$@\"; status=$?; kill $!; exit $status");
    const char *const ways[] = {"./shell",    "./noisy", "./tagged",
                                "./carriage", "./slow",  "./floods"};
    for (size_t w = 0; w < (tests_are_full() ? count_of(ways) : 2); w++)
        compare_reports(ways[w], small, 0);
    if (tests_are_full() && system("command -v script >/dev/null") == 0)
        compare_reports("./terminal", small, 0);
}

TEST(not_there) {
    expect_on(3, "not found", "./no-such-command", small);
    script_write("refuses", "echo 'node gpu7 is down' >&2; exit 5");
    expect_on(3, "node gpu7 is down", "./refuses", small);
    assert_holds("messages", "status 5");
    script_write("older", "echo 'jacobi-tui 0.0.1, protocol 0'; cat >/dev/null");
    expect_on(3, "0.0.1, protocol 0", "./older", small);
    assert_holds("messages", "0.1.0, protocol 5");
}

/* With a screen of another version, the server ends with a message. */
TEST(other_version_is_served) {
    assert_int_equal(
        shell("rm -f in; mkfifo in; exec 3<>in; echo 'jacobi-tui 9.9, protocol 99' >&3; "
              "\"$PROGRAM\" --serve --backend serial --grid 64 <&3 >out 2>messages"),
        3);
    assert_holds("messages", "9.9, protocol 99");
    assert_holds("out", "jacobi-tui 0.1.0, protocol 5\n");
}

/* ---- ends ----------------------------------------------------------------------------------- */

TEST(killed_there) {
    script_write("dies", "exec 3<&0; echo 'about to die' >&2; \"$@\" <&3 & "
                         "echo $! >dying; wait");
    const pid_t child = program_start(
        "--on \"./dies $PROGRAM\" --backend serial --grid 256 --tolerance 0 --iterations "
        "100000000 --record dies.rec --format json");
    file_await("dies.rec", "");
    file_await("dying", "\n");
    kill((pid_t)atol(folder_text("dying")), SIGKILL);
    assert_int_equal(child_status(child), 4);
    assert_holds("messages", "about to die");
    program_expect(0, NULL, "--replay dies.rec --headless");
}

/* Follows a recording that is still being written, from before its creation to its end. */
TEST(follow) {
    const pid_t child = program_start("--replay grows.rec --follow --format json");
    shell_ok("\"$PROGRAM\" --backend serial --grid 256 --iterations 1500 "
             "--tolerance 0 --headless --record grows.rec >/dev/null");
    assert_int_equal(child_status(child), 0);
    const cJSON *followed = program_report();
    program_expect(0, NULL, "--replay grows.rec --format json");
    const cJSON *replayed = program_report();
    assert_true(cJSON_Compare(followed, replayed, true));
    program_expect(2, NULL, "--follow --headless");
}

/* Reports the reason for an end of following, instead of waiting forever. */
TEST(what_is_followed_goes) {
    static const char *const ways[][2] = {{"rm cut.rec", "No such file"},
                                          {"cp cut.rec b.rec; mv b.rec cut.rec", "another file"},
                                          {": >cut.rec", "truncated"},
                                          {"head -c 9999 /dev/zero >>cut.rec", "damaged"}};
    shell_ok("\"$PROGRAM\" --backend serial --grid 64 --tolerance 0 --iterations "
             "100000000 --headless --record killed.rec & echo $! >writer");
    file_await_growth("killed.rec", 3);
    kill((pid_t)atol(folder_text("writer")), SIGKILL);
    assert_true(process_has_gone((pid_t)atol(folder_text("writer"))));
    for (size_t w = 0; w < count_of(ways); w++) {
        shell_ok("rm -f out; cp killed.rec cut.rec");
        const pid_t child = program_start("--replay cut.rec --follow --format jsonl");
        file_await("out", "sample");
        shell_ok("%s", ways[w][0]);
        assert_int_equal(child_status(child), 2);
        assert_holds("messages", ways[w][1]);
        assert_one_message();
    }
}

/* A screen that has gone, before or after the hello, is no failure of this side: the screen's own
 * message must not be mixed with others. */
TEST(nobody_reads) {
    static const char *const ways[] = {
        "mkfifo gone; : <gone & exec 4>gone; wait $!; serve >&4",
        "serve | head -n 1 >/dev/null",
    };
    for_each(way, ways) {
        shell_ok("rm -f in; mkfifo in; exec 3<>in\nserve() { timeout %d \"$PROGRAM\" "
                 "--serve <&3 2>messages; echo $? >status; }\n%s",
                 LIMIT_SECONDS, *way);
        assert_string_equal(folder_text("messages"), "");
        assert_string_equal(folder_text("status"), "0\n");
    }
}

/* ---- sources that may name a command --------------------------------------------------------- */

TEST(only_the_command_line) {
    for_each_word(section, "run", "view", "tuning", "machine", "reference") {
        file_write_text("on.ini", "; x\n[%s]\non = touch broken\n", section);
        program_expect(2, NULL, "--preset ./on.ini --backend serial --grid 16 --headless");
    }
    assert_int_not_equal(access("broken", F_OK), 0);
}

/* One of several ranks, without a suitable option; rank 0 can compute alone. */
TEST(started_as_ranks) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0",
                                            "PMI_SIZE=2 PMI_RANK=0",
                                            "SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0", "PMIX_RANK=1"};
    for (size_t v = 0; v < count_of(variables); v += tests_are_full() ? 1 : 3) {
        program_expect_after(variables[v], 2,
                             strstr(variables[v], "SLURM")  ? "--on 'srun -n 8' --backend serial"
                             : strstr(variables[v], "OMPI") ? "--on 'mpirun -n 4' --backend"
                             : strstr(variables[v], "PMIX") ? "--on 'mpirun -n N' --backend"
                                                            : "--on 'mpirun -n 2' --backend",
                             "--backend serial --grid 16");
        if (IS_SANITIZED) /* it reports errors in MPI's own libraries */
            continue;
        program_expect_after(variables[v], strstr(variables[v], "RANK=1") ? 3 : 0, NULL,
                             "--backend serial --grid 16 --headless");
    }
    program_expect_after("SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0", 0, NULL,
                         "--backend serial --grid 16");
}

/* ---- runs on a client's side ----------------------------------------------------------------- */

/* Starts a run of that lane by COMMAND. */
static struct source *start_client(const char *command, struct lane_spec lane) {
    const struct client_settings settings = {.command = command};
    const struct plan plan = {.lane_count = 1, .fps = 30, .lanes = {lane}};
    const struct view view = {.cols = 8, .rows = 8, .x1 = 1, .y1 = 1};
    struct source *source = NULL;
    assert_ok(client_start(&settings, &plan, &view, &source, &error));
    return source;
}

enum { QUESTIONS = 100 };

struct asker {
    struct source *source;
    struct plan plan;
    enum status expected;
    int wrong, done; /* done: an end of a pipe, closed after all questions */
};

static void *ask(void *argument) {
    struct asker *asker = argument;
    struct error answer;
    for (int q = 0; q < QUESTIONS; q++)
        asker->wrong += source_check(asker->source, &asker->plan, &answer) != asker->expected;
    close(asker->done);
    return NULL;
}

/* Each thread gets the answer to its own question, and neither waits forever. */
TEST(two_threads_ask) {
    static struct asker owner = {.expected = STATUS_OK}, other = {.expected = STATUS_BAD_INPUT};
    pthread_t thread;
    int ends[2];
    owner.plan = other.plan = (struct plan){.lane_count = 1, .fps = 30};
    owner.plan.lanes[0] = run_of("serial/unstructured/classic --grid 16");
    other.plan.lanes[0] = run_of("serial/unstructured/blocked:4 --grid 65536");
    owner.source = other.source = start_client(program, owner.plan.lanes[0]);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    other.done = ends[1];
    owner.done = dup(ends[1]);
    alarm(LIMIT_SECONDS);
    assert_int_equal(pthread_create(&thread, NULL, ask, &other), 0);
    ask(&owner);
    /* The owner receives the answers, including the other thread's. */
    struct pollfd ready[] = {{.fd = owner.source->ops->descriptor(owner.source), .events = POLLIN},
                             {.fd = ends[0], .events = POLLIN}};
    for (; !ready[1].revents; poll(ready, 2, -1))
        owner.source->ops->latest(owner.source);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(ends[0]);
    alarm(0);
    owner.source->ops->close(owner.source);
    assert_int_equal(owner.wrong, 0);
    assert_int_equal(other.wrong, 0);
}

/* A server that ignores commands without having announced it is abandoned with a reason. */
TEST(takes_no_commands) {
    const struct command pause = {.kind = COMMAND_PAUSE, .value = 1};
    char handshake[HANDSHAKE_SIZE], lines[HANDSHAKE_SIZE + 32];
    print_to(lines, "echo '%s'\nexec sleep %d", handshake_print(handshake), LIMIT_SECONDS);
    script_write("deaf", lines);
    owned_source source = start_client("./deaf #", run_of("serial --grid 16"));
    const struct sample *sample = NULL;
    for (int k = 0; k < 1 << 16 && !sample; k++) {
        source->ops->command(source, &pause);
        sample = source->ops->latest(source);
    }
    assert_non_null(sample);
    assert_int_equal(sample->state, SESSION_FAILED);
    assert_contains(sample->error.message, "./deaf # reads no commands");
}

/* Screen and solver are stopped together, as by Ctrl-Z: that is no silence of the solver. */
TEST(stopped_together) {
    char way[2048];
    skip_unless_full();
    print_to(way, "echo $$ >stopped; exec %s", program);
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH ",silence=0.9", 1);
    assert_ok(limits_read(&error));
    struct source *source =
        start_client(way, run_of("serial --grid 16 --tolerance 0 --iterations 1000000000"));
    struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
    while (!source->ops->latest(source))
        poll(&ready, 1, -1);
    const pid_t solver = (pid_t)atol(folder_text("stopped"));
    kill(solver, SIGSTOP);
    while (process_state(solver) != 'T')
        sched_yield();
    source->ops->latest(source); /* what was sent before */
    usleep(1100000);             /* the clock counts a second without a reading as a stop */
    const struct sample *sample = source->ops->latest(source);
    char warning[sizeof sample->warning];
    memcpy(warning, sample->warning, sizeof warning);
    kill(solver, SIGCONT);
    source->ops->close(source);
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH, 1);
    assert_ok(limits_read(&error));
    assert_string_equal(warning, "");
}

/* The solver's process stops while a picture is awaited. */
TEST(a_picture_of_a_silent_run) {
    shell_ok("JACOBI_LIMITS=silence=0.2 \"$PROGRAM\" --backend serial --grid 64 --tolerance 0 "
             "--iterations 1000000000 --screenshot silent.svg --format jsonl >out 2>messages & "
             "echo $! >pid");
    file_await("out", "{");
    const pid_t pid = atoi(folder_text("pid"));
    shell_ok("kill -STOP $(cat /proc/%d/task/*/children)", (int)pid);
    file_await("messages", " received from ");
    kill(pid, SIGTERM);
    assert_true(process_has_gone(pid));
}

TEST_MODULE_WITH_ARGUMENTS(serve) {
    if (program_set_up(NULL) || limits_read(NULL)) /* also for the tests' own process */
        return 1;
    return run_file_tests(NULL, NULL);
}
