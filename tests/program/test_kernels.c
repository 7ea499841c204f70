/* The user's own kernels (--kernels): correct, wrong and hostile ones. */
#include "tests/fixtures/program.h"

static const char *fake_gpus;

/* Makes all limits unreachable but the one in `limit`, for example "cpu=0.3". */
static void set_limits(const char *limit) {
    setenv("JACOBI_LIMITS", PRINT(LIMITS_OUT_OF_REACH "%s%s", *limit ? "," : "", limit), 1);
}

static void write_file(const char *name, const char *text) {
    shell_ok("mkdir -p own && rm -f own/*");
    file_write_text(name, "%s", text);
}

static void write_source(const char *text) {
    write_file("own/kernel.c", text);
}

#define LAPLACIAN(before, value)                                                                   \
    MAPPED_LAPLACIAN(before, "map(to : U[:N]) map(tofrom : AU[:N])", value)
#define MAPPED_LAPLACIAN(before, maps, value)                                                      \
    "#include \"kernels.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"       \
    "#include <string.h>\n#include <signal.h>\n#include <sys/ioctl.h>\n#include <sys/syscall.h>\n" \
    "void laplacian(long nx, long ny, double dx, double dy, const double *U, double *AU) {\n"      \
    "    const long N = nx * ny;\n    (void)N;\n" before "\n"                                      \
    "#pragma omp target teams distribute parallel for " maps "\n"                                  \
    "    for (long j = 1; j < ny - 1; j++)\n"                                                      \
    "        for (long i = 1; i < nx - 1; i++) {\n"                                                \
    "            const long id = i + j * nx;\n"                                                    \
    "            AU[id] = " value ";\n        }\n}\n"
#define RIGHT                                                                                      \
    "(-U[id - 1] + 2 * U[id] - U[id + 1]) / (dx * dx) + "                                          \
    "(-U[id - nx] + 2 * U[id] - U[id + nx]) / (dy * dy)"

TEST(right_kernels_run) {
    write_source(LAPLACIAN("puts(\"a word of mine\");", RIGHT));
    program_expect(0, "Laplacian",
                   "--kernels own --headless --grid 24 --iterations 3 --format csv");
    assert_holds("messages", "a word of mine");
    program_expect(0, "\"mapping\":\t\"structured\"",
                   "--kernels own --mapping structured --grid 24 --iterations 3 "
                   "--format json");
    if (!tests_are_full())
        return;
    /* Kernels that print more than the program shows are still right. */
    write_source(LAPLACIAN("for (int k = 0; k < 20000; k++) puts(\"a word\");", RIGHT));
    program_expect(0, NULL, "--kernels own --headless --grid 24 --iterations 3");
    shell_ok("grep -qxE '(laplacian|your kernels): printed too much: the rest is "
             "omitted' messages");
    shell_ok("test -z \"$(ls jacobi-tui/kernels)\"");
}

/* Parts of the program's environment that kernels could access: its input, and files in /tmp. */
TEST(kernels_find_nothing) {
    write_source(LAPLACIAN("char line[512];\nFILE *maps = fopen(\"/proc/self/maps\", \"r\");\n"
                           "if (getchar() != EOF) abort();\n"
                           "while (maps && fgets(line, sizeof line, maps))\n"
                           "    if (strstr(line, \"/tmp/tmpfile_\")) abort();\n"
                           "fclose(maps);\n",
                           RIGHT));
    program_expect(0, NULL, "--kernels own --headless --grid 24 --iterations 3");
}

/* A run that has none of the user's kernels is not called theirs. */
TEST(schedule_without_the_users_kernels) {
    write_source(LAPLACIAN("", RIGHT));
    program_expect(2, "--schedule fused: none of your files has a function of it",
                   "--kernels own --headless --grid 24 --iterations 3 --schedule fused");
}

/* Files that others made under this process's number, as in containers that share a cache. */
TEST(process_numbers_are_shared) {
    skip_unless_full();
    if (IS_SANITIZED || shell("unshare -rpf true") != 0)
        skip(); /* /proc belongs to another namespace, or namespaces are not permitted here */
    write_source(LAPLACIAN("", RIGHT));
    shell_ok("mkdir -p jacobi-tui/kernels/1-1.omp/x && unshare -rpf \"$PROGRAM\" "
             "--kernels own --headless --grid 24 --iterations 3 >out 2>messages");
    assert_int_equal(
        shell("rm -r jacobi-tui/kernels/1-1.omp/ && test -z \"$(ls jacobi-tui/kernels)\""), 0);
}

/* A cache that belongs to someone else, who could replace the compiled kernels, and one that can't
 * be created. */
TEST(folders_for_compiled_kernels) {
    char before[512];
    write_source(LAPLACIAN("", RIGHT));
    shell_ok("mkdir -p theirs/jacobi-tui");
    print_to(before, "XDG_CACHE_HOME=%s/theirs", folder_path);
    if (chown("theirs/jacobi-tui", 54321, 54321) == 0) /* only root can */
        program_expect_after(before, 1, "Operation not permitted",
                             "--kernels own --headless --grid 24");
    program_expect_after("XDG_CACHE_HOME=/sys/none", 1, "no folder for compiled kernels",
                         "--kernels own --headless --grid 24");
    assert_null(strstr(folder_text("messages"), "No such file"));
}

/* Folders whose names look like an option or a list of options, one with a function in two files,
 * and one with too many files. */
TEST(folders) {
    write_source(LAPLACIAN("", RIGHT));
    shell_ok("rm -rf ./-k && cp -r own ./-k");
    program_expect(0, NULL, "--kernels=-k --headless --grid 24 --iterations 3");
    shell_ok("mkdir k && echo --none >k/kernel.c && cp -r own @k");
    program_expect(0, NULL, "--kernels=@k --headless --grid 24 --iterations 3");
    shell_ok("cp ./-k/kernel.c ./-k/again.c");
    program_expect(2, "laplacian", "--kernels=-k --headless --grid 24 --iterations 3");
    shell_ok("for n in $(seq 16); do echo >./-k/$n.c; done");
    program_expect(2, "at most 16 files", "--kernels=-k --headless --grid 24 --iterations 3");
}

/* A file of kernels. Unless `quick`, it is tried only in full mode. */
struct hostile_case {
    const char *source, *says; /* the expected message; NULL: the kernels are right */
    bool quick;
    int status;        /* the exit status; 0: 4 */
    const char *limit; /* the only reachable one; NULL: none */
};

static void check_cases(const struct hostile_case *cases, size_t count, const char *options,
                        const char *file) {
    int failed = 0;
    for (size_t c = 0; c < count; c++) {
        const char *says = cases[c].says;
        const int wanted = !says ? 0 : cases[c].status ? cases[c].status : 4;
        if (!cases[c].quick && !tests_are_full())
            continue;
        set_limits(cases[c].limit ? cases[c].limit : "");
        write_file(file, cases[c].source);
        const int status =
            program_run("--kernels own --headless --grid 151x4 --iterations 3 %s", options);
        const char *said = folder_text("messages");
        if (status != wanted || (says && !strstr(said, says)))
            failed++, print_error("case %zu: status %d, expected %d; said '%s', expected '%s'\n", c,
                                  status, wanted, said, says ? says : "");
    }
    set_limits("");
    assert_int_equal(failed, 0);
}

/* A kernel that crashes leaves none of its runtime's files. */
TEST(shared_memory_is_removed) {
    static const char *const hidden = "unshare -rm sh -c 'mount -t tmpfs none /dev/shm && %s'";
    skip_unless_full();
    if (IS_SANITIZED || shell(hidden, "true 2>/dev/null") != 0)
        skip(); /* can't be hidden here */
    write_source(LAPLACIAN("*(volatile int *)8 = 1;", RIGHT));
    assert_int_equal(shell(hidden, "{ \"$PROGRAM\" --kernels own --headless --grid 24 2>messages; "
                                   "test $? = 4 && test -z \"$(ls /dev/shm)\"; }"),
                     0);
    assert_holds("messages", "signal 11");
}

/* Files of a killed program are removed, but not those of a running one, those that another machine
 * may still need, or those with other names. */
TEST(leftovers_are_removed) {
    write_source(LAPLACIAN("", RIGHT));
    /* The greatest PID is 2^22. */
    shell_ok("cd jacobi-tui/kernels && touch -d '2 days ago' 4194305-1.omp 1-1.omp "
             "mine && touch 4194306-1.hip");
    program_expect(0, NULL, "--kernels own --headless --grid 24 --iterations 3");
    shell_ok("ls jacobi-tui/kernels | tr '\\n' ' ' >left");
    assert_string_equal(folder_text("left"), "1-1.omp 4194306-1.hip mine ");
    shell_ok("rm jacobi-tui/kernels/*");
}

#define FLOOD "for (int k = 0; k < 20000; k++) puts(\"a word\");"

/* A right Laplacian that does something before, and what the message says of it. */
#define DOING(before, what) LAPLACIAN(before, RIGHT), .says = "laplacian: " what

/* The message and the exit status of each file. */
TEST(hostile_kernels) {
    static const struct hostile_case cases[] = {
        {LAPLACIAN("", "2 * U[id"), .says = "kernel.c:17:30: error: expected ']'", .quick = true,
         .status = 2},
        {MAPPED_LAPLACIAN("", "mpa(tofrom : AU[:N])", RIGHT),
         .says = "error: extra tokens at the end of", .status = 2},
        {LAPLACIAN("#pragma opm barrier", RIGHT), .says = "error: unknown pragma ignored",
         .status = 2},
        /* Clang's message when a package is missing. */
        {"#error Executable \"clang-linker-wrapper\" doesn't exist!",
         .says = "Install the packages clang", .status = 2},
        {"int main(void) { return 0; }", .says = "none of your files has a function laplacian",
         .quick = true, .status = 2},
        {LAPLACIAN("", "U[id]"), .says = "classic, iteration 1 on 64²: U at (1, 1): expected ",
         .quick = true, .status = 2},
        {LAPLACIAN("", "j < nx ? " RIGHT " : 0"), .says = "classic, iteration 1 on 131×138: U at ",
         .quick = true, .status = 2},
        {LAPLACIAN("return;", RIGHT), .says = "Laplacian launched no kernel"},
        {DOING("*(volatile int *)8 = 1;", "signal 11 SEGV"), .quick = true},
        {LAPLACIAN("", "AU[(1L << 40) + id]"), .says = "laplacian: signal 11 SEGV"},
        {DOING("memset(AU, 1, 1 << 28);", "")},
        {DOING("abort();", "signal 6 ABRT")},
        /* LLVM's runtime does this when a GPU fails. */
        {DOING("fputs(\"omptarget error: Error in wait: an illegal access\\nmore\\n\", "
               "stderr); abort();",
               "signal 6 ABRT: an illegal access\n")},
        {DOING("exit(0);", "called exit"), .quick = true},
        {DOING("_exit(0);", "ended the process")},
        {DOING("kill(getppid(), SIGKILL);", "tried to start a process"), .quick = true},
        {DOING("for (;;) syscall(SYS_tgkill, getppid(), getppid(), SIGKILL);",
               "tried to start a process")},
        {DOING("for (siginfo_t info = {.si_code = -1};;)"
               "syscall(SYS_rt_sigqueueinfo, getppid(), SIGKILL, &info);",
               "tried to start a process")},
        {DOING("for (;;) syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, getppid(), 0), "
               "SIGKILL, 0, 0);",
               "tried to start a process")},
        /* The system call of fork: ThreadSanitizer's own fork waits for its locks in a handler. */
        {DOING("for (;;) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);", "tried to start a process")},
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
        {DOING("for (;;) syscall(SYS_clone, 0x00800000 /* CLONE_UNTRACED */ | SIGCHLD, 0, 0, "
               "0, 0);",
               "tried to start a process")},
#endif
        /* A signal through a descriptor's owner. */
        {DOING("for (;;) syscall(SYS_fcntl, 0, 8 /* F_SETOWN */, getppid());",
               "tried to start a process")},
        {DOING("const int owner = getppid();\n"
               "for (;;) ioctl(0, 0x8901 /* FIOSETOWN */, &owner);",
               "tried to start a process")},
        {DOING("const long none[2] = {1, 1};\n"
               "for (;;) syscall(SYS_prlimit64, getppid(), 0 /* RLIMIT_CPU */, none, 0);",
               "tried to start a process")},
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
        {DOING("for (;;) syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, getppid(), 0, 0);",
               "tried to start a process")},
#endif
        {DOING("raise(SIGSTOP);", "tried to start a process")},
#ifdef __x86_64__ /* the number with which an x32 program calls fork */
        {DOING("for (;;) syscall((1 << 30) + SYS_fork);", "tried to start a process")},
#endif
        {DOING("system(\"true\");", "tried to start a process")},
        {LAPLACIAN("if (nx > 150) { puts(\"a word\"); system(\"true\"); }", RIGHT),
         .says = "tui: your kernels: tried to start a process"},
        {DOING("for (;;) puts(\"on and on\");", "stopped: computed for more than 0.2 s"),
         .quick = true, .limit = "cpu=0.2"},
        /* The guard reports nothing about this signal. Then the printed text gives no reason, and
         * is not reported as too much, either in the check or in the run. */
        {LAPLACIAN(FLOOD "raise(SIGTERM);", RIGHT),
         .says = "tui: laplacian: was ended by signal 15", .quick = true},
        {LAPLACIAN(FLOOD "sigset_t none; sigemptyset(&none);"
                         "if (nx > 150 && !pthread_sigmask(SIG_SETMASK, &none, 0)) raise(SIGTERM);",
                   RIGHT),
         .says = "tui: the solver's process was ended by signal 15"},
        {LAPLACIAN("puts(\"laplacian: of mine\"); for (int left = 1; left;) ioctl(1, FIONREAD, "
                   "&left); raise(SIGTERM);",
                   RIGHT),
         .says = "tui: laplacian: was ended by signal 15"},
        {DOING("for (;;) pause();", "stopped: did not end within 0.2 s"), .quick = true,
         .limit = "call=0.2"},
        {LAPLACIAN("while (nx > 150) pause();", RIGHT),
         .says = "tui: laplacian: stopped: did not end within 0.2 s", .limit = "run=0.2"},
        {DOING("char *volatile more = malloc(1 << 27); memset(more, 1, 1 << 27);"
               "for (;;) pause();",
               "stopped: used more than 0.05 GB of memory"),
         .quick = true, .limit = "memory=0.05"},
        {"__attribute__((constructor)) static void begin(void) { __builtin_trap(); }",
         .says = "loading: signal "},
        /* Like an allocator that detects overwritten memory later. */
        {LAPLACIAN("", RIGHT) "__attribute__((destructor)) static void end(void) {\n"
                              "    __builtin_trap();\n}\n",
         .says = "after a kernel had returned: signal "},
        {"#include \"kernel.c\"\n", .says = "kernel.c:1:10: error: #include nested too deeply",
         .status = 2},
        {DOING("if (nx > 150) *(volatile int *)8 = 1;", "signal 11")},
        /* The stack overflows only in the run, where another thread computes. */
        {DOING("while (nx > 150) *(volatile char *)__builtin_alloca(2048) = 1;", "signal 11")},
    };
    check_cases(cases, count_of(cases), "", "own/kernel.c");
}

/* The check's time to reach the kernel is unknown, so its limit is doubled until it reaches it. */
static void expect_stopped_in_laplacian(void) {
    const char *const stopped = "tui: the check was stopped: it took more than ";
    double seconds = 0.2;
    do {
        seconds *= 2;
        set_limits(PRINT("check=%g", seconds));
        program_expect(4, NULL, "--kernels own --headless --grid 24");
        assert_contains(folder_text("messages"), stopped);
    } while (!strstr(folder_text("messages"), "last in") && seconds < LIMIT_SECONDS);
    assert_contains(folder_text("messages"),
                    PRINT("%s%g s, last in laplacian\n", stopped, seconds));
}

/* The limits of the compiler and of the whole check. */
TEST(whole_check_is_limited) {
    write_source(LAPLACIAN("for (;;) pause();", RIGHT));
    expect_stopped_in_laplacian();
    /* The process ends even if it leaves the group that was made for it. */
    write_source(LAPLACIAN("fprintf(fopen(\"pid\", \"w\"), \"%d \", getpid()), fflush(NULL);\n"
                           "setpgid(0, getpgid(getppid()));\nfor (;;) pause();",
                           RIGHT));
    expect_stopped_in_laplacian();
    const pid_t left = atoi(folder_text("pid"));
    assert_true(left > 0 && kill(left, 0) != 0);
    write_source("#include \"pipe.h\"\n");
    assert_int_equal(mkfifo("own/pipe.h", 0600), 0); /* nothing writes to it */
    set_limits("compile=0.2");
    program_expect(2, "the compiler was stopped: it took too long",
                   "--kernels own --headless --grid 24");
    set_limits("");
    /* As when memory runs out: it is killed while it reads the pipe. */
    shell_ok(
        "\"$PROGRAM\" --kernels own --headless --grid 24 2>messages & p=$!; exec 3>own/pipe.h; "
        "kill -9 $(cat /proc/$p/task/$p/children); wait $p; test $? = 2");
    assert_holds("messages", "the compiler was ended by signal 9 (Killed)");
}

#define NORM(maps)                                                                                 \
    "#include \"kernels.h\"\n"                                                                     \
    "double norm(long nx, long ny, const double *RES) {\n"                                         \
    "    double sum = 0;\n    const long N = nx * ny;\n"                                           \
    "#pragma omp target teams distribute parallel for reduction(+ : sum) " maps "\n"               \
    "    for (long id = 0; id < N; id++)\n        sum += RES[id] * RES[id];\n"                     \
    "    return sum;\n}\n"

/* The host device could use unmapped host arrays; a GPU can't. */
TEST(what_is_not_mapped_is_told) {
    static const struct hostile_case cases[] = {
        {MAPPED_LAPLACIAN("", "map(tofrom : AU[:N])", RIGHT),
         .says = "laplacian: reads or writes U in the host's memory: it is not mapped",
         .quick = true},
        {MAPPED_LAPLACIAN("", "map(to : U[:N])", RIGHT),
         .says = "laplacian: reads or writes AU in the host's memory: it is not mapped"},
        {NORM(""), .says = "norm: reads or writes RES in the host's memory: it is not mapped"},
        {NORM("map(to : RES[:N])"), .says = NULL},
        /* Mapped by directives other than the target directive itself. */
        {MAPPED_LAPLACIAN("#pragma omp target data map(to : U[:N]) map(tofrom : AU[:N])", "",
                          RIGHT),
         .says = NULL},
    };
    check_cases(cases, count_of(cases), "--mapping structured", "own/kernel.c");
}

/* ---- HIP ------------------------------------------------------------------------------------- */

#define UPDATE(before, value)                                                                      \
    "#include \"hip.h\"\n"                                                                         \
    "__global__ void Update(long N, double factor, const double *RHS, const double *AU,\n"         \
    "                       double *RES, double *U) {\n"                                           \
    "    __shared__ double shared[1024];\n    shared[threadIdx.x] = 0;\n"                          \
    "    const long id = (long)blockIdx.x * blockDim.x + threadIdx.x;\n" before "\n"               \
    "    if (id >= N)\n        return;\n    RES[id] = RHS[id] - AU[id];\n"                         \
    "    U[id] += " value ";\n}\n"

#define FUSED(before, value)                                                                       \
    "#include \"hip.h\"\n"                                                                         \
    "__global__ void Fused(int Nx, int Ny, double _1bydx2, double _1bydy2, double factor,\n"       \
    "                      const double *RHS, const double *U, double *U_next, double *sums) {\n"  \
    "    __shared__ double shared[1024];\n    double sum = 0;\n    const long N = (long)Nx * "     \
    "Ny;\n"                                                                                        \
    "    for (long id = (long)blockIdx.x * blockDim.x + threadIdx.x; id < N;\n"                    \
    "         id += (long)gridDim.x * blockDim.x) {\n"                                             \
    "        const long i = id % Nx, j = id / Nx;\n"                                               \
    "        const double l = i > 0 ? U[id - 1] : 0, r = i < Nx - 1 ? U[id + 1] : 0;\n"            \
    "        const double d = j > 0 ? U[id - Nx] : 0, u = j < Ny - 1 ? U[id + Nx] : 0;\n"          \
    "        const double RES = RHS[id] - ((-l + 2 * U[id] - r) * _1bydx2 +\n"                     \
    "                                      (-d + 2 * U[id] - u) * _1bydy2);\n" before "\n"         \
    "        U_next[id] = " value ";\n        sum += RES * RES;\n    }\n"                          \
    "    shared[threadIdx.x] = sum;\n"                                                             \
    "    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {\n"                            \
    "        __syncthreads();\n        if (threadIdx.x < half)\n"                                  \
    "            shared[threadIdx.x] += shared[threadIdx.x + half];\n    }\n"                      \
    "    if (threadIdx.x == 0)\n        sums[blockIdx.x] = shared[0];\n}\n"
#define FUSED_RIGHT "U[id] + RES * factor"

/* Without a GPU the CPU emulates one, and the program reports that. */
TEST(hip_kernels_run_without_a_gpu) {
    if (WITHOUT_HIP)
        skip();
    write_file("own/kernel.hip", UPDATE("", "RES[id] * factor"));
    program_expect(0, "your kernels (hip) on CPU, emulating a GPU",
                   "--kernels own --headless --grid 24x17 --iterations 3");
    assert_holds("out", "HIP (hip) on CPU, emulating a GPU");
    assert_null(strstr(folder_text("out"), "device clock"));
    assert_holds("out", "same stop and residual");
    if (!tests_are_full())
        return;
    /* Every norm is right for any launch. */
    program_expect(0, NULL,
                   "--kernels own --headless --grid 24 --iterations 3 --block 64 "
                   "--norm-block 32 --norm-blocks 5");
    program_expect(2, "none of your files has a kernel Fused",
                   "--kernels own --headless --schedule fused");
    program_expect(4, "without a GPU nothing is copied",
                   "--kernels own --headless --mapping structured");
    program_expect(2, "--backend omp: expected hip", "--kernels own --headless --backend omp");
    shell_ok("touch own/kernel.c");
    program_expect(2, "not both", "--kernels own --headless");
    program_expect(0, NULL, "--list");
    assert_null(strstr(folder_text("out"), "emulating"));
}

/* The fused kernel, beside the program's, which has another launch geometry and aligned rows. */
TEST(fused_hip_kernel_runs_without_a_gpu) {
    static const char *const options[] = {"", "--norm-block 1024 --norm-blocks 1 --omega 0.8",
                                          "--norm-block 32 --norm-blocks 5"};
    if (WITHOUT_HIP)
        skip();
    write_file("own/kernel.hip", FUSED("", FUSED_RIGHT));
    for (size_t o = 0; o < (tests_are_full() ? count_of(options) : 1); o++) {
        program_expect(0, "unstructured, fused",
                       "--kernels own --headless --grid 29x17 --iterations 7 %s", options[o]);
        assert_holds("out", "same stop and residual after 7 iterations");
    }
    program_expect(3, "--schedule plain or fused", "--kernels own --headless --schedule classic");
    program_expect(2, "none of your files has a kernel Laplacian",
                   "--kernels own --headless --schedule plain");
}

/* The exit status on a fake GPU. */
static int run_on(const char *gpu, const char *options) {
    return shell("FAKE_GPU=%s LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH \"$PROGRAM\" %s >out 2>messages",
                 gpu, fake_gpus, options);
}

/* For a GPU the kernels are compiled by the vendor's method, and loaded by the driver. */
static void run_on_gpus(const char *source, const char *schedule) {
    static const char *const gpus[] = {"sm_90", "gfx90a"};
    write_file("own/kernel.hip", source);
    for (size_t g = 0; g < (tests_are_full() ? count_of(gpus) : 1); g++) {
        const bool there = run_on(gpus[g], "--list") == 0 && strstr(folder_text("out"), gpus[g]);
        assert_true(there || g > 0);
        if (!there)
            continue;
        assert_int_equal(run_on(gpus[g], "--kernels own --headless --grid 24x17 --iterations 3"),
                         0);
        assert_int_equal(run_on(gpus[g],
                                "--kernels own --headless --mapping structured --grid 24x17 "
                                "--iterations 3"),
                         0);
        assert_holds("out", "your kernels (hip) on Fake GPU 0");
        assert_holds("out", schedule);
        assert_holds("out", "same stop and residual");
    }
}

TEST(hip_kernels_run_on_a_gpu) {
    if (!fake_gpus)
        skip();
    run_on_gpus(UPDATE("", "RES[id] * factor"), "structured, plain");
    if (tests_are_full())
        run_on_gpus(FUSED("", FUSED_RIGHT), "structured, fused");
}

/* The same for right kernels Update and Fused. */
#define UPDATING(before, what) UPDATE(before, "RES[id] * factor"), .says = what
#define FUSING(before, what) FUSED(before, FUSED_RIGHT), .says = what

TEST(hostile_hip_kernels) {
    static const struct hostile_case cases[] = {
        {UPDATE("", "RES[id * factor"), .says = "kernel.hip:11:29: error: expected ']'",
         .quick = true, .status = 2},
        {UPDATE("", "RES[id]"), .says = "plain, iteration 1 on 64²: U at (", .status = 2},
        {"#include \"hip.h\"\nint f(void) { return 0; }\n",
         .says = "none of your files has a kernel Laplacian", .status = 2},
        {"#include \"hip.h\"\n__global__ void Norm(int N, const double *RES, double *sums) {}\n",
         .says = "with the arguments that hip.h gives it", .status = 2},
        {UPDATING("RES[id] = 0;", "Update: signal 11 SEGV in block 6, thread ")},
        {UPDATE("*(volatile double *)8 = 1;", "1"), .says = "Update: signal 11 SEGV in block ",
         .quick = true},
        /* One thread's stack overflows, but not into another thread's. */
        {UPDATING("if (threadIdx.x == 40) []() __attribute__((noinline)) {\n"
                  "        volatile double own[8800];\n"
                  "        for (int k = 8799; k >= 0; k--)\n            own[k] = k;\n    }();",
                  "Update: signal 11 SEGV in block 0, thread 40\n"),
         .quick = true},
        {UPDATING("if (threadIdx.x > 5) __syncthreads();",
                  "Update: block 0, thread 6: the lanes of its wave diverge"),
         .quick = true},
        {UPDATING("if (threadIdx.x > 63) __syncthreads();",
                  "Update: block 6, thread 32: the waves of its block diverge at a barrier")},
        {UPDATING("for (;;) __syncthreads();", "Update: stopped: computed for more than 0.2 s"),
         .limit = "cpu=0.2"},
        {UPDATING("for (volatile int more = 1; more;) {}",
                  "Update: stopped: computed for more than 0.2 s"),
         .limit = "cpu=0.2"},
        {UPDATE("double sum = 0; for (int k = 0; k < N;) sum += AU[k];", "sum"),
         .says = "Update: stopped: computed for more than 0.2 s", .limit = "cpu=0.2"},
        {FUSED("", "U[id] + RES"), .says = "fused, iteration 1 on 64²: U at (0, 0): expected ",
         .status = 2},
        {FUSING("sum += 1;", "fused, iteration 1 on 64²: sum(RES²): expected "), .status = 2},
        {FUSING("if (id + 1 == N) U_next[id + 2] = 0;", "Fused: signal 11 SEGV in block ")},
        {FUSING("if (threadIdx.x == 0) sums[blockIdx.x + 1] = 0;",
                "Fused wrote beyond the end of sums")},
        {UPDATING("if (id == N) U[id] = 0;", "Update wrote beyond the end of U"), .quick = true},
        {FUSING("if (threadIdx.x == 0) sums[blockIdx.x + 2] = 0;",
                "Fused: signal 11 SEGV in block 2, ")},
        {"#include <stdlib.h>\n" UPDATE("abort();", "1"),
         .says = "Update: signal 6 ABRT in block "},
        {"#include \"hip.h\"\n__attribute__((constructor)) static void begin(void) "
         "{ __builtin_trap(); }\n",
         .says = "loading: signal "},
    };
    if (WITHOUT_HIP)
        skip();
    check_cases(cases, count_of(cases), "", "own/kernel.hip");
    shell_ok("test -z \"$(ls jacobi-tui/kernels)\"");
}

/* Only the command line accepts kernels. */
TEST(no_file_names_kernels) {
    file_write_text("own.ini", "; a preset\n[run]\nkernels = own\n");
    program_expect(2, "has no key 'kernels'", "--preset ./own.ini --headless");
    program_expect(2, NULL, "--kernels own --on true --headless");
    program_expect(2, "no such folder", "--kernels nowhere --headless");
    program_expect(2, "there is no C file in it", "--kernels / --headless");
}

TEST_MODULE_WITH_ARGUMENTS(kernels) {
    fake_gpus = argc > 2 ? argv[2] : NULL;
    setenv("FAKE_GPU", "none", 1); /* the fake libraries are found in any case */
    return run_file_tests(program_set_up_kernels, NULL);
}
