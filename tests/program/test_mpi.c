/* The whole program as several MPI processes: the same results as one process, with --on and
 * without a screen, as root; a rank that dies or fails, a screen that disconnects, invalid
 * requests; fake GPUs. The first argument is the program, the second an mpirun, the third the
 * program with faults, the fourth the folder of the fake GPUs, if there are any. */
#include "tests/fixtures/program.h"

#include <fcntl.h>

static const char *launcher, *fake_gpus;

/* Runs the program with these options, as that many processes or, with 0, alone. Returns its exit
 * status; the output is in `out`, its messages in `messages`. */
static int run(int processes, const char *options) {
    return processes == 0 ? program_run("%s", options)
                          : shell("exec >out 2>messages timeout %d %s -n %d \"$PROGRAM\" %s",
                                  LIMIT_SECONDS, launcher, processes, options);
}

/* The same with two processes. */
static void expect(int status, const char *says, const char *options) {
    const int got = run(2, options);
    if (got != status)
        fail_msg("%s: %d, %s", options, got, folder_text("messages"));
    assert_holds(status ? "messages" : "out", says);
}

/* Compares two runs: the same iterates, bit for bit; only the order of the norm's sum differs. In
 * hip's blocked the order also differs at cuts, from which its blocks sweep away. */
static void compare_runs(const cJSON *alone, const cJSON *together, int slabs) {
    static const char transport[] = "mpi, host-staged (";
    const cJSON *one = item_of(alone, "solution"), *many = item_of(together, "solution");
    assert_true(number_of(alone, "iterations") == number_of(together, "iterations"));
    assert_close(number_of(together, "residual"), number_of(alone, "residual"), 1e-12);
    const bool same_bits = strcmp(string_of(alone, "backend"), "hip") != 0 ||
                           strncmp(string_of(alone, "schedule"), "blocked", 7) != 0;
    for_each_word(figure, "min", "max", "middle", "l2")
        assert_close(number_of(many, figure), number_of(one, figure), same_bits ? 0 : 1e-12);
    const cJSON *parts = item_of(together, "parts");
    assert_int_equal(cJSON_GetArraySize(parts), slabs);
    const char *named = string_of(together, "transport");
    if (strncmp(named, transport, strlen(transport)) != 0)
        fail_msg("\"%s\" instead of \"%s\"", named, transport);
    for (int p = 0; p < slabs; p++) {
        const cJSON *part = cJSON_GetArrayItem(parts, p);
        assert_true(number_of(part, "rank") == p);
        assert_true(number_of(part, "rows") > 0 && number_of(part, "kernel_ms") > 0);
    }
}

/* Compares every run of a report by one process and by several. */
static void compare_with_one_process(const char *options, int processes) {
    const int status = run(0, options);
    if (status == 3 && strstr(options, "threads")) /* not built */
        return;
    assert_int_equal(status, 0);
    const cJSON *alone = program_report();
    if (run(processes, options) != 0)
        fail_msg("%s", folder_text("messages"));
    const cJSON *together = program_report();
    const cJSON *one = item_of(alone, "runs"), *many = item_of(together, "runs");
    assert_int_equal(cJSON_GetArraySize(one), cJSON_GetArraySize(many));
    for (int r = 0; r < cJSON_GetArraySize(one); r++)
        compare_runs(cJSON_GetArrayItem(one, r), cJSON_GetArrayItem(many, r), processes);
}

/* Odd sizes, every schedule, both CPU back ends, stops within a pass and at the limit. */
TEST(conformance) {
    static const char *const options[] = {
        "--grid 37x41 --tolerance 2e-3 --iterations 3000 --compare "
        "serial,serial/unstructured/fused,serial/unstructured/blocked:3,"
        "serial/unstructured/blocked:5",
        "--grid 64x24 --iterations 23 --tolerance 0 --threads 1 --compare "
        "threads,threads/unstructured/fused --problem hot-plate",
    };
    for (size_t o = 0; o < (tests_are_full() ? count_of(options) : 1); o++) {
        char json[512];
        print_to(json, "%s --format json", options[o]);
        for (int processes = 2; processes <= (tests_are_full() ? 3 : 2); processes++)
            compare_with_one_process(json, processes);
    }
}

/* A rank knows only the cores to which its launcher has bound it, so sharing is not reported. */
TEST(ranks_with_few_cores) {
    script_write("rank",
                 "core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')\n"
                 "exec taskset -c $core \"$PROGRAM\" --backend serial --grid 16 --headless");
    assert_int_equal(
        shell("exec >out 2>messages timeout %d %s -n 2 ./rank", LIMIT_SECONDS, launcher), 0);
    assert_null(strstr(folder_text("messages"), "share"));
}

/* Ranks that share no memory, as on several hosts, or too little: rows are sent as messages. */
TEST(messages) {
    if (!tests_are_full() || !strstr(launcher, "openmpi"))
        skip();
    setenv("OMPI_MCA_osc", "^sm", 1);
    compare_with_one_process("--backend serial --schedule blocked:3 --grid 37x41 --iterations 50 "
                             "--tolerance 0 --format json",
                             3);
    unsetenv("OMPI_MCA_osc");
    const char *const usual = launcher;
    launcher = PRINT("unshare -rm sh -c 'mount -t tmpfs -o size=64m none /dev/shm && "
                     "exec \"$0\" \"$@\"' %s",
                     usual);
    if (shell("%s -n 1 true 2>messages", launcher) == 0) /* as in a container */
        compare_with_one_process("--backend serial --schedule blocked:32 --grid 16384x96 "
                                 "--iterations 32 --tolerance 0 --format json",
                                 3);
    launcher = usual;
}

/* One GPU per rank compared with one GPU: all schedules. The second run stops within a batch, and
 * goes back to its beginning. */
TEST(gpus) {
    static const char *const ends[] = {"--iterations 23 --tolerance 0",
                                       "--iterations 400 --tolerance 0.02"};
    skip_unless_full();
    if (!fake_gpus)
        skip();
    setenv("FAKE_GPU", "sm_90", 1);
    setenv("LD_LIBRARY_PATH", fake_gpus, 1);
    for (int e = 0; e < 2; e++) {
        char options[512];
        print_to(options,
                 "--grid 37x41 --norm-block 64 --norm-blocks 5 --format json %s --compare "
                 "hip/unstructured/classic,hip/unstructured/fused,hip/unstructured/blocked:4",
                 ends[e]);
        compare_with_one_process(options, 2 + e);
    }
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("FAKE_GPU");
}

/* A rank's libraries print nothing into the report. */
TEST(libraries_that_print) {
    setenv("OMP_DISPLAY_AFFINITY", "true", 1);
    const int status =
        run(2, "--backend threads --threads 1 --grid 32 --iterations 3 --format json");
    unsetenv("OMP_DISPLAY_AFFINITY");
    if (status == 3)
        skip(); /* not built */
    assert_int_equal(status, 0);
    program_report();
    assert_holds("messages", "bound to");
}

/* The report as text: each iteration of classic sends a row of 40 values in each direction. */
TEST(report_as_text) {
    skip_unless_full();
    expect(0, "\nSlab 1 ", "--backend serial --grid 40 --iterations 9 --headless");
    assert_holds("out", "\nHalos              5.76 kB by mpi, host-staged (");
}

TEST(what_cannot_be) {
    skip_unless_full();
    expect(2, "9 rows are too few for 2 slabs",
           "--backend serial --grid 40x9 --schedule blocked:8 --headless");
    expect(2, "multigrid runs on one device",
           "--backend serial --grid 40 --method multigrid --headless");
    expect(3, "3 devices need as many processes",
           "--compare serial@3,serial@1 --grid 32 --headless");
    expect(3, "3 devices need as many processes",
           "--backend serial --devices 0,1,2 --grid 32 --headless");
    expect(2, "each process has a device of its own",
           "--backend serial --device 7 --grid 32 --headless");
    assert_int_equal(run(2, "--grid 16 --backend serial --bad-option"), 2);
    assert_holds("messages", "--bad-option");
    expect(2, "--on 'mpirun -n 2' --grid 16", "--grid 16 --backend serial");
}

/* Ranks with different options or another program are rejected, without an endless wait. */
TEST(other_ranks) {
    static const struct {
        const char *other, *says, *limit;
        bool is_quick;
    } cases[] = {
        {"\"$PROGRAM\" --grid 18 --backend serial --headless", "rank 1 on ", "meet=200", true},
        {"\"$PROGRAM\" --grid 16 --backend serial --doctor", "rank 1 on ", "meet=200", false},
        {"sleep 1000", "processes began within 1 s", "meet=1", true},
    };
    /* A script, because Open MPI 5.0.7's mpirun crashes if it is given two programs. */
    script_write("rank", "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = 0 ] || eval \"exec $OTHER\"\n"
                         "exec \"$PROGRAM\" --grid 16 --backend serial --headless");
    for_each(row, cases) {
        if (!row->is_quick && !tests_are_full())
            continue;
        const int status =
            shell("JACOBI_LIMITS=%s OTHER='%s' exec >out 2>messages timeout %d %s -n 2 ./rank",
                  row->limit, row->other, LIMIT_SECONDS, launcher);
        if (status == 0 || status == 124 || strstr(folder_text("out"), "residual"))
            fail_msg("%s: %d, %s", row->other, status, folder_text("messages"));
        assert_holds("messages", row->says);
    }
}

/* ---- --doctor ------------------------------------------------------------------------------- */

/* One report for all ranks: the MPI that the module has found, and the launch that it reports. */
TEST(doctor) {
    const char *library = strstr(launcher, "mpich") ? "finds MPICH " : "finds Open MPI ";
    skip_unless_full();
    assert_int_equal(run(2, "--doctor"), 0);
    const char *out = folder_text("out"), *launched = strstr(out, "yes MPI launched: 2 processes");
    assert_contains(out, library);
    assert_non_null(launched);
    assert_null(strstr(launched + strlen("yes MPI launched"), "MPI launched"));
    assert_contains(launched, library + strlen("finds "));
}

/* ---- through --on --------------------------------------------------------------------------- */

/* Starts an endless run of two ranks, and waits until its recording has begun. */
static pid_t start_endless(pid_t ranks[2]) {
    char way[1024];
    unlink("endless.rec");
    /* As a COMMAND: each rank writes its number to a file, and then becomes the program. */
    script_write("rank", "shift\necho $$ >pid.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n"
                         "exec \"$PROGRAM\" \"$@\"");
    print_to(way, "%s -n 2 ./rank", launcher);
    const pid_t child = fork();
    if (child == 0) {
        const int out = open("messages", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        execl(program, program, "--on", way, "--backend", "serial", "--grid", "128", "--tolerance",
              "0", "--iterations", "100000000", "--record", "endless.rec", "--headless", NULL);
        _exit(127);
    }
    file_await("endless.rec", "");
    ranks[0] = atoi(folder_text("pid.0"));
    ranks[1] = atoi(folder_text("pid.1"));
    assert_true(ranks[0] > 0 && ranks[1] > 0);
    return child;
}

TEST(a_rank_dies) {
    pid_t ranks[2];
    skip_unless_full();
    const pid_t child = start_endless(ranks);
    kill(ranks[1], SIGKILL);
    assert_int_equal(child_status(child), 4);
    /* MPICH's launcher may abort by an assertion of its own instead of naming the signal. */
    assert_holds("messages", strstr(launcher, "mpich") ? " ended " : "signal 9");
    assert_true(process_has_gone(ranks[0]));
    assert_int_equal(run(0, "--replay endless.rec --headless"), 0);
}

/* One rank is stopped; the others wait and send signs of life. The program reports this, and the
 * run can be ended. */
TEST(a_rank_stands_still) {
    pid_t ranks[2];
    skip_unless_full();
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH ",end=0.5,silence=1", 1);
    const pid_t child = start_endless(ranks);
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH, 1);
    kill(ranks[1], SIGSTOP);
    file_await("messages", " received from "); /* "no iteration", or on a busy machine "nothing" */
    kill(child, SIGTERM);
    assert_int_equal(child_status(child), 128 + SIGTERM);
    assert_true(process_has_gone(ranks[0]) && process_has_gone(ranks[1]));
}

/* A call that fails during the run, on rank 0 or another, is reported, and no rank remains. */
TEST(a_rank_fails) {
    for (int rank = tests_are_full() ? 0 : 1; rank < 2; rank++) {
        char command[4096];
        script_write(
            "fails",
            PRINT("[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != %d ] || export JACOBI_FAULT=backend:300 "
                  "JACOBI_FAULT_FD=2\nexec \"$FAULTY\" \"$@\"",
                  rank));
        print_to(command,
                 "exec timeout %d %s -n 2 ./fails --backend serial --grid 64 --tolerance 0 "
                 "--iterations 100000000 --headless >out 2>messages",
                 LIMIT_SECONDS, launcher);
        /* Status 4, except when Open MPI 4.1's mpirun crashes while it reports an abort. */
        const int status = system(command);
        const bool in_time = !WIFEXITED(status) || WEXITSTATUS(status) != 124;
        const char *said = strstr(folder_text("messages"), "jacobi-tui: ");
        if (status == 0 || !in_time || !said ||
            !strstr(said, rank ? "rank 1 on " : "slab 0, device 0: "))
            fail_msg("rank %d: %x, %s", rank, (unsigned)status, folder_text("messages"));
    }
}

/* A rank whose report is garbage must not crash rank 0. */
TEST(a_report_is_damaged) {
    char command[4096];
    file_write_text("damage.c", "#include <string.h>\n"
                                "int PMPI_Igather();\n"
                                "int MPI_Igather(void *mine, long size, void *type, void *all,\n"
                                "                long each, void *own, long root, void *comm,\n"
                                "                void *request) {\n"
                                "    memset(mine, 0xff, (size_t)(int)size);\n"
                                "    return PMPI_Igather(mine, size, type, all, each, own, root,\n"
                                "                        comm, request);\n}\n");
    if (shell("cc -w -std=gnu89 -shared -fPIC -o damage.so damage.c"))
        skip();
    script_write("damaged", "[ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} != 1 ] || export "
                            "LD_PRELOAD=$PWD/damage.so\nexec \"$PROGRAM\" \"$@\"");
    print_to(command,
             "exec timeout %d %s -n 2 ./damaged --backend serial --grid 64 --headless >out "
             "2>messages",
             LIMIT_SECONDS, launcher);
    assert_int_not_equal(system(command), 0);
    assert_holds("messages", "rank 1: its report is damaged");
}

TEST(the_screen_goes_away) {
    pid_t ranks[2];
    skip_unless_full();
    const pid_t child = start_endless(ranks);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(process_has_gone(ranks[0]) && process_has_gone(ranks[1]));
}

/* A recording of all ranks; as root, with the documented option. */
TEST(on) {
    const bool asks = strstr(launcher, "openmpi") && geteuid() == 0;
    skip_unless_full();
    if (asks)
        unsetenv("OMPI_ALLOW_RUN_AS_ROOT");
    program_expect(0, NULL,
                   "--on \"%s %s -n 2 $PROGRAM\" --backend serial --grid 64 --iterations 200 "
                   "--schedule fused --record ranks.rec --format json",
                   launcher, asks ? "--allow-run-as-root" : "");
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    const cJSON *live = program_report();
    assert_int_equal(run(0, "--replay ranks.rec --format json"), 0);
    const cJSON *replayed = program_report();
    for (int r = 0; r < 2; r++) {
        const cJSON *parts = item_of(r ? replayed : live, "runs.0.parts");
        assert_int_equal(cJSON_GetArraySize(parts), 2);
        assert_true(number_of(parts, "1.rank") == 1);
    }
}

/* A rank's rejection before anything can be reported. */
TEST(a_refusal) {
    skip_unless_full();
    program_expect(3, "serial has no device 1",
                   "--on \"%s -n 2 $PROGRAM\" --backend serial --grid 64 --devices 0,1 "
                   "--format json",
                   launcher);
    assert_string_equal(folder_text("out"), "");
}

TEST_MODULE_WITH_ARGUMENTS(mpi) {
    launcher = argc > 2 ? argv[2] : "mpirun";
    fake_gpus = argc > 4 ? argv[4] : NULL;
    /* Allow root and more processes than cores with Open MPI; MPICH ignores the variables. */
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
    setenv("FAULTY", argc > 3 ? argv[3] : "", 1);
    if (shell("%s -n 2 true >/dev/null 2>&1", launcher) != 0)
        return 77; /* this launcher can't launch here */
    return run_file_tests(program_set_up, NULL);
}
