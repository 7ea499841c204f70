/* The inherited process state, and the end of the process: closed descriptors, output that can't be
 * written, signals, hostile variables, and the remaining files in the temporary folder. The program
 * is the first argument. */
#include "tests/fixtures/program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

/* Starts a run that only a signal ends, with the signal `ignored` ignored; its output goes to
 * `out`. */
static pid_t start(const char *backend, int out, int ignored) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    dup2(out, STDOUT_FILENO);
    if (ignored)
        signal(ignored, SIG_IGN);
    execl(program, program, "--backend", backend, "--grid", "64", "--tolerance", "0",
          "--iterations", "1000000000", "--format", "jsonl", NULL);
    _exit(127);
}

/* The same with its output in the file "lines"; returns once the first line is written. */
static pid_t start_and_await(const char *backend, int ignored) {
    const int out = open("lines", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const pid_t child = start(backend, out, ignored);
    close(out);
    file_await("lines", "");
    return child;
}

static const char small[] = "--backend serial --grid 16 --iterations 30 --tolerance 0 --headless";

/* ---- descriptors ----------------------------------------------------------------------------- */

TEST(closed_descriptors) {
    program_expect(1, NULL, "%s --record out.rec >&-", small);
    assert_one_message();
    program_expect(0, NULL, "--replay out.rec --headless");
    program_expect(0, NULL, "%s --record err.rec 2>&-", small);
    program_expect(0, NULL, "--replay err.rec --headless");
    program_expect(1, NULL, "%s --record all.rec <&- >&- 2>&-", small);
    program_expect(0, NULL, "--replay all.rec --headless");
}

TEST(output_that_can_not_be_written) {
    static const char *const lines[] = {"--help",
                                        "--version",
                                        "--list",
                                        "--list --format json",
                                        "--tour --headless",
                                        "--generate options",
                                        small,
                                        "--backend serial --grid 16 --format json",
                                        "--backend serial --grid 16 --format csv"};
    for_each(line, lines) {
        const int full = program_run("%s > /dev/full 2>messages", *line);
        const bool told = is_one_message();
        const int closed = program_run("%s >&- 2>messages", *line);
        if (full != 1 || closed != 1 || !told || !is_one_message())
            fail_msg("%s: %d and %d, %s", *line, full, closed, folder_text("messages"));
    }
}

/* Ends silently, like other programs. */
TEST(reader_that_has_read_enough) {
    shell_ok("for o in --help --list '--generate options'; do (exec \"$PROGRAM\" $o "
             "2>messages; true) | true; done; test ! -s messages");
}

/* A full pipe that does not block, such as another program's, is no failure: the rest follows. */
TEST(slow_reader_of_a_nonblocking_pipe) {
    int ends[2];
    char bytes[4096];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const int room = fcntl(ends[1], F_SETPIPE_SZ, 4096);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(program, program, "--help", NULL);
        _exit(127);
    }
    close(ends[1]);
    for (int held = 0; process_is_running(child) && (held < room || process_state(child) != 'S');
         ioctl(ends[0], FIONREAD, &held))
        sched_yield();
    while (read(ends[0], bytes, sizeof bytes) > 0)
        continue;
    close(ends[0]);
    assert_int_equal(child_status(child), 0);
}

/* The report would be lost: the recording's name denotes the standard output or its file. */
TEST(output_of_another_name) {
    for_each_word(name, "/dev/stdout", "./out", "/dev/stderr")
        program_expect(2, "expected a file other", "%s --overwrite --record %s", small, name);
}

/* The run ends when the reader closes the pipe, not at its own end. */
TEST(reader_that_goes_away) {
    shell_ok("(\"$PROGRAM\" --backend serial --grid 16 --tolerance 0 --iterations "
             "1000000000 --format jsonl 2>messages; echo $? >status) | head -n 1 "
             ">/dev/null; test $(cat status) = 1");
    assert_one_message();
}

/* Only a late driver's timer is reported; an alarm of others ends the process, as usual. */
TEST(alarm_of_others) {
    const pid_t child = start_and_await("serial", 0);
    kill(child, SIGALRM);
    assert_int_equal(child_status(child), 128 + SIGALRM);
}

#define ENDLESS                                                                                    \
    "--backend serial --grid 64 --iterations 1000000000 --tolerance 0 --headless --record "

/* SIGXFSZ does not end the process: the recording stops, and is complete up to there. */
TEST(limit_of_file_size) {
    program_expect_after("ulimit -f 16;", 1, NULL, ENDLESS "limit.rec");
    assert_one_message();
    program_expect(0, NULL, "--replay limit.rec --headless");
}

/* The kernel sends SIGXCPU when `ulimit -t` is used up: one line, and the recording so far is
 * complete. At a hard limit the kernel sends SIGKILL. */
TEST(limit_of_time) {
    const pid_t child = fork();
    if (child == 0)
        execl("/bin/sh", "sh", "-c", "exec \"$PROGRAM\" " ENDLESS "time.rec >out 2>messages", NULL);
    file_await_growth("time.rec", 3); /* the first record may be only part of a sample */
    kill(child, SIGXCPU);
    assert_int_equal(child_status(child), 128 + SIGXCPU);
    assert_one_message();
    assert_holds("messages", "ulimit -t");
    program_expect(0, NULL, "--replay time.rec --headless");
}

/* Rejected before OpenMP's runtime would end the process; `auto` goes on. Root has no such limit.
 */
TEST(limit_of_threads) {
    static const char line[] =
        "OMP_NUM_THREADS=%d setpriv --reuid 54321 --clear-groups "
        "bash -c 'ulimit -u 3; exec \"$0\" \"$@\"' \"$PROGRAM\" %s --backend %s >out 2>messages";
    int built = 0;
    for_each_word(backend, "threads", "omp") {
        if (shell(line, 1, small, backend) != 0)
            continue; /* not built, or another user can't run it */
        built++;
        assert_int_equal(shell(line, 9, small, backend), 3);
        assert_one_message();
        assert_holds("messages", " of 9 threads can be started here ");
    }
    if (!built)
        skip();
    assert_int_equal(shell(line, 9, small, "auto"), 0);
    assert_holds("out", "serial");
}

/* The stacks of all threads together exceed the limit; with the usual stacks the run is possible.
 */
TEST(limit_of_stacks) {
    static const char options[] = "--backend threads --threads 8 --grid 16 --iterations 3";
    if (IS_SANITIZED || shell("ulimit -v 4000000; \"$PROGRAM\" --headless %s >out", options) != 0)
        skip(); /* not built */
    program_expect_after("ulimit -v 4000000; OMP_STACKSIZE=1G", 3, "OMP_STACKSIZE", "--headless %s",
                         options);
    assert_one_message();
}

/* Searches sides from `*run` to `*refused`: smaller grids run, larger ones are rejected as too
 * large. Returns the last side that ran and the first that did not. False: the back end is not
 * built. */
static bool find_limit(const char *backend, int step, int *run, int *refused) {
    const int end = *refused;
    for (int side = *run; side <= end; side += step) {
        const int status = shell("ulimit -v 300000; \"$PROGRAM\" --headless --grid %d "
                                 "--iterations 1 --backend %s >out 2>messages",
                                 side, backend);
        if (status == 3 && strcmp(backend, "serial") != 0)
            return false;
        if ((status && status != 2) || (status == 0 && *refused < side))
            fail_msg("%s, %d: %d, %s", backend, side, status, folder_text("messages"));
        if (status == 0)
            *run = side;
        else if (*refused == end)
            *refused = side;
    }
    assert_true(*run < *refused);
    return true;
}

/* The limit on address space includes thread stacks, without which OpenMP's runtime would end the
 * process. So the search is fine-grained. */
TEST(limit_of_memory) {
    if (IS_SANITIZED)
        skip();
    for_each_word(backend, "serial", "threads --threads 2 --schedule fused",
                  "threads --threads 9") {
        int run = 1600, refused = 3600;
        if (find_limit(backend, 400, &run, &refused) && tests_are_full())
            find_limit(backend, 10, &run, &refused);
    }
}

/* A small stack that still suffices for a shell. */
TEST(limit_of_stack) {
    static const char *const options[] = {
        small,
        "--list",
        "--doctor",
        "--help",
        "--list --format json",
        "--tour --headless",
        "--compare serial,serial/unstructured/fused --grid 16 --iterations 9 --headless"};
    for_each(option, options)
        program_expect_after("ulimit -s 128;", 0, NULL, "%s", *option);
    program_expect_after("ulimit -s 192;", 0, NULL, "%s --screenshot small.txt", small);
    for (int size = 64; size < 128; size += 36) {
        program_expect_after(PRINT("ulimit -s %d;", size), 2, "expected at least 128", "%s", small);
        assert_one_message();
    }
}

/* ---- missing resources ----------------------------------------------------------------------- */

/* Files that ship with the program are found through the path of its call. */
TEST(no_proc) {
#define HIDDEN "unshare -rm sh -c 'mount -t tmpfs none /proc && exec \"$0\" \"$@\"' "
    static const char leftover[] = /* of LLVM; the program is mounted at /mnt, as above */
        "unshare -rm sh -c 'mount --bind \"$(dirname \"$PROGRAM\")\" /mnt && mount -t tmpfs none "
        "/tmp && mount -t tmpfs none /proc && /mnt/\"$(basename \"$PROGRAM\")\" --headless --grid "
        "16 --iterations 2 --backend omp --precision %s && test -z \"$(ls /tmp)\"' >out 2>messages";
    if (IS_SANITIZED || shell(HIDDEN "true 2>/dev/null") != 0)
        skip(); /* can't be hidden here */
    for_each_word(line, "--preset classroom --grid 16 --iterations 2", "--replay h200-hip-classic",
                  "--backend omp --grid 16 --iterations 2") {
        if (strstr(line, "omp") && program_run("%s", line) != 0)
            continue; /* not built */
        program_expect_after(HIDDEN, 0, NULL, "--headless %s", line);
        for (int p = 0; p < 2 && strstr(line, "omp"); p++)
            assert_int_equal(shell(leftover, p ? "single" : "double"), 0);
    }
}

/* A container without devices: neither other processes nor compiled kernels need one. */
TEST(no_devices) {
    static const char hidden[] = "unshare -rm sh -c 'mount -t tmpfs none /dev && exec \"$0\" "
                                 "\"$@\"' ";
    if (IS_SANITIZED || shell("%s true 2>/dev/null", hidden) != 0)
        skip(); /* can't be hidden here */
    assert_int_equal(
        shell("%s \"$PROGRAM\" --on \"env $PROGRAM\" %s >out 2>messages", hidden, small), 0);
    assert_string_equal(folder_text("messages"), "");
    assert_int_equal(shell("%s \"$PROGRAM\" --doctor >out 2>messages", hidden), 0);
}

/* LLVM's host device would end the process if it can't open its code, which is kept in memory. The
 * program is mounted at /mnt, because its own folder may be in /tmp. */
TEST(no_temporary_folder) {
    static const char line[] =
        "unshare -rm sh -c 'mount --bind \"$(dirname \"$PROGRAM\")\" /mnt && mount -t tmpfs -o %s "
        "none /tmp && /mnt/\"$(basename \"$PROGRAM\")\" --headless --grid 16 --iterations 2 %s && "
        "test -z \"$(ls /tmp)\"' >out 2>messages";
    if (IS_SANITIZED || shell(line, "size=1g", "--backend omp") != 0)
        skip(); /* not built, or can't be hidden here */
    for_each_word(option, "noexec", "ro", "size=4k") {
        if (shell(line, option, "--backend omp") != 0)
            fail_msg("%s: %s", option, folder_text("messages"));
    }
    program_expect_after("ulimit -f 20;", 0, "can't write or execute a code file", "--list");
    for (int p = 0; p < 2; p++)
        program_expect_after("ulimit -f 20;", 3, NULL, "--backend omp --precision %s --headless",
                             p ? "single" : "double");
}

/* ---- signals --------------------------------------------------------------------------------- */

/* Nothing reads its output; the first signal nevertheless ends it. */
TEST(signal_while_blocked) {
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for_each(number, numbers) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        const int room = fcntl(ends[1], F_SETPIPE_SZ, 4096);
        const pid_t child = start("serial", ends[1], 0);
        close(ends[1]);
        /* The next write does not fit: pieces of less than a page occupy a page of their own. */
        for (int held = 0; held < room / 2 || process_state(child) != 'S';
             ioctl(ends[0], FIONREAD, &held))
            sched_yield();
        kill(child, *number);
        assert_int_equal(child_status(child), 128 + *number);
        close(ends[0]);
    }
}

/* A signal ends the run, which still reports its results so far, even if the parent has blocked it:
 * children inherit that. */
TEST(signals_end_it_cleanly) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for_each(number, numbers) {
        sigset_t one, before;
        sigemptyset(&one);
        sigaddset(&one, *number);
        sigprocmask(SIG_BLOCK, &one, &before);
        const pid_t child = start_and_await("serial", 0);
        sigprocmask(SIG_SETMASK, &before, NULL);
        kill(child, *number);
        assert_int_equal(child_status(child), 128 + *number);
        assert_holds("lines", "{\"type\":\"report\",");
    }
}

TEST(ignored_signals) {
    static const int numbers[] = {SIGHUP, SIGINT};
    for_each(number, numbers) {
        const pid_t child = start_and_await("serial", *number);
        for (int k = 0; k < 3; k++)
            kill(child, *number);
        file_await_growth("lines", 2); /* it continues */
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        kill(child, SIGTERM);
        assert_int_equal(child_status(child), 128 + SIGTERM);
    }
}

/* With a parent that ignores SIGCHLD, the program still gets its children's exit statuses. */
TEST(children_are_heard) {
    for_each_word(option, "--list", "--doctor") {
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGCHLD, SIG_IGN);
            execl(program, program, "--on", "exit 5;", option, NULL);
            _exit(127);
        }
        assert_int_equal(child_status(child), 3);
    }
}

/* As the first process of a container: it reaps orphans, and signals end it. */
TEST(first_process) {
#define FIRST "unshare -rfp --mount-proc "
    if (IS_SANITIZED || shell(FIRST "true 2>/dev/null") != 0)
        skip(); /* not allowed here */
    /* COMMAND continues once its orphan has gone: its /proc folder remains until it is reaped. */
    script_write("orphan",
                 "shift\n(sh -c 'echo $$ >gone' &)\n"
                 "until test -s gone && ! test -e /proc/$(cat gone); do sleep 0.02; done\n"
                 "exec \"$PROGRAM\" \"$@\"");
    shell_ok(FIRST "\"$PROGRAM\" --on ./orphan %s >out 2>messages", small);
    assert_int_equal(shell(FIRST "\"$PROGRAM\" " ENDLESS "first.rec >out 2>messages &\n"
                                 "until test -s first.rec; do sleep 0.02; done\n"
                                 "kill $(cat /proc/$!/task/$!/children)\nwait $!"),
                     128 + SIGTERM);
    assert_int_equal(shell(FIRST "\"$PROGRAM\" --gird 9 >out 2>messages"), 2);
}

/* COMMAND has more children than a buffer lists: only they are ended, not the process whose number
 * a cut one would be. Other children's numbers shift the cut. */
TEST(many_children) {
    skip_unless_full();
    if (IS_SANITIZED || shell(FIRST "true 2>/dev/null") != 0)
        skip(); /* not allowed here */
    script_write("many", "for k in $(seq $SHIFT); do /bin/true; done\n"
                         "for k in $(seq 200); do sleep 1000 >/dev/null 2>&1 & done\n"
                         "echo 'jacobi-tui 0.0.1, protocol 0'; wait");
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH ",end=0.01", 1);
    for (int shift = 0; shift < 6; shift++)
        if (shell("SHIFT=%d " FIRST "sh -c 'sleep 1000 & \"$PROGRAM\" --on ./many %s; kill $!' "
                  ">out 2>messages",
                  shift, small))
            fail_msg("%d: %s", shift, folder_text("messages"));
    setenv("JACOBI_LIMITS", LIMITS_OUT_OF_REACH, 1);
}

/* ---- the temporary folder -------------------------------------------------------------------- */

/* The image of the target regions, which LLVM's host device opens, never has a name. */
TEST(no_image_is_left) {
    char path[64];
    if (program_run("--backend omp --grid 16 --iterations 2 --headless"))
        skip();
    const pid_t child = start_and_await("omp", 0);
    print_to(path, "/proc/%d/maps", (int)child);
    assert_holds(path, "/memfd:image");
    assert_null(strstr(folder_text(path), "/tmp/tmpfile_"));
    kill(child, SIGTERM);
    assert_int_equal(child_status(child), 128 + SIGTERM);
}

/* The registration file of LLVM's runtime, left by a process with the same number that was killed
 * at its start: empty, or without a text. */
TEST(what_a_killed_process_left) {
    for (int size = 0; size <= 1024; size += 1024) {
        if (shell("test -w /dev/shm") != 0 ||
            program_run("--backend threads --grid 16 --iterations 2 --headless"))
            skip();
        shell_ok("ulimit -t %d; truncate -s %d /dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u) && "
                 "exec \"$PROGRAM\" --compare threads,serial --grid 16 --iterations 3 --headless "
                 ">out 2>messages",
                 LIMIT_SECONDS, size);
    }
}

/* ---- the environment ------------------------------------------------------------------------- */

/* Inherited launcher variables cause a message, and with --alone a run. */
TEST(inherited_ranks) {
    if (IS_SANITIZED)
        skip(); /* MPI's own libraries patch mmap, which the sanitizer intercepts */
    for_each_word(variable, "SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=3", "SLURM_PROCID=2",
                  "PMIX_RANK=1") {
        program_expect_after(variable, 3, "--alone", "%s", small);
        assert_string_equal(folder_text("out"), "");
        program_expect_after(variable, 0, "residual", "%s --alone", small);
        program_expect_after(variable, 2, "--alone", "--grid 16");
        program_expect_after(variable, 2, "--gird", "--gird 16");
    }
    /* Without a launcher MPICH ends the process. */
    const int status =
        shell("PMI_RANK=0 PMI_SIZE=2 PMI_FD=9 \"$PROGRAM\" %s >out 2>messages", small);
    assert_true(status == 0 || status == 3);
    assert_holds("messages", "alone");
    /* The solver's process would inherit the variables, but not the rank. */
    program_expect_after("SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2", 2,
                         "can't start a process for the solver: use --alone or, ",
                         "%s --screenshot s.txt", small);
    program_expect_after("SLURM_PROCID=1", 0, "serial", "--list");
    program_expect_after("SLURM_PROCID=1", 0, "runs are possible", "--doctor");
}

/* Standard output contains only the report, whatever libraries print. */
TEST(libraries_that_print) {
    if (shell("OMP_DISPLAY_AFFINITY=true \"$PROGRAM\" --backend threads --grid 16 --iterations 3 "
              "--format json >out 2>messages") == 3)
        skip(); /* not built */
    program_report();
    assert_holds("messages", "bound to");
}

/* A variable of the environment and values for it, separated by '|'. */
struct variable {
    const char *name, *values;
};

/* Runs with each value; `refused`: the message must name the variable, and --help still work. */
static void check_variable(const struct variable *variable, bool refused) {
    char text[512], *rest = text;
    print_to(text, "%s", variable->values);
    for (char *value; (value = strsep(&rest, "|"));) {
        setenv(variable->name, value, 1);
        const int status =
            program_run("--compare threads,serial --grid 16 --iterations 3 --headless");
        const char *said = folder_text("messages");
        if (refused ? status != 2 || !is_one_message() || !strstr(said, variable->name) ||
                          strchr(said, '\033')
                    : status != 0)
            fail_msg("%s=%s: %d, %s", variable->name, value, status, said);
        program_expect(0, NULL, "--help");
        unsetenv(variable->name);
    }
}

/* Values that would make the OpenMP runtime abort or hang are rejected by name. */
TEST(variables_that_are_refused) {
    static const struct variable variables[] = {
        {"OMP_NUM_THREADS", "abc|999999999|-1|2,,2|99999999999999999999"},
        {"GOMP_CPU_AFFINITY", "0:2|0-1:|x|0-"},
        {"OMP_PLACES", "!{0}"},
        {"OMP_STACKSIZE", "1T|100G|\033[2J|20k|63|-1"},
        {"GOMP_STACKSIZE", "1T"},
        {"KMP_STACKSIZE", "65535"},
        {"KMP_TASKING", "1"},
        {"KMP_STACKOFFSET", "1T"},
        {"KMP_FORCE_REDUCTION", "abc"},
        {"KMP_CPUINFO_FILE", "/dev/null"},
        {"KMP_ALIGN_ALLOC", "999999999"},
        {"KMP_FORKJOIN_BARRIER", "0"},
        {"KMP_HOT_TEAMS_MAX_LEVEL", "999999999"},
        {"OMP_TOOL_VERBOSE_INIT", "0"},
        {"LIBOMPTARGET_DEBUG", "abc"},
        {"KMP_DEVICE_THREAD_LIMIT", "1"},
        {"KMP_ALL_THREADS", "1"},
        {"LIBOMPTARGET_INFO", "99999999999"},
        {"LIBOMPTARGET_PROFILE", "/dev/full|/dev/null/x|."}};
    for_each(row, variables)
        check_variable(row, true);
}

/* Valid values, and hostile ones that the program itself reads. */
TEST(variables_that_are_not) {
    static const struct variable variables[] = {{"OMP_NUM_THREADS", "2|2,1| 2|2 , 2|"},
                                                {"GOMP_CPU_AFFINITY", "0|0-1|0,1 0|0-1:2 "},
                                                {"OMP_PLACES", "cores|{0},{1}|{0:2}"},
                                                {"OMP_STACKSIZE", "64|4M|1g|10 M| 3000 k |2G|"},
                                                {"KMP_STACKSIZE", "1048576|8 MB"},
                                                {"KMP_ADAPTIVE_LOCK_PROPS", ""},
                                                {"KMP_TASKING", "0|2|3"},
                                                {"KMP_PLAIN_BARRIER", "| 2 , 2 |2,2"},
                                                {"KMP_SPIN_BACKOFF_PARAMS", " "},
                                                {"KMP_ALIGN_ALLOC", " 64 "},
                                                {"KMP_HOT_TEAMS_MAX_LEVEL", " 1 "},
                                                {"KMP_DEVICE_THREAD_LIMIT", "4096"},
                                                {"OMP_TOOL_VERBOSE_INIT", "stderr"},
                                                {"LIBOMPTARGET_INFO", "-1|0x10|"},
                                                {"LIBOMPTARGET_PROFILE", "profile.json|"},
                                                {"KMP_FORCE_REDUCTION", "tree"},
                                                {"LINES", "99999"},
                                                {"COLUMNS", "-1"},
                                                {"HOME", "|relative|/dev/null"},
                                                {"XDG_CONFIG_HOME", "\033[2J|/dev/full"},
                                                {"XDG_CACHE_HOME", "/proc"},
                                                {"LANG", "\033]0;x\a"},
                                                {"LC_ALL", "../../x"},
                                                {"TERM", "../../etc/passwd"},
                                                {"TMPDIR", "/nonexistent"}};
    static char endless[100000];
    if (program_run("--backend threads --grid 16 --iterations 2 --headless"))
        skip(); /* not built */
    for_each(row, variables)
        check_variable(row, false);
    memset(endless, 'x', sizeof endless - 1);
    endless[0] = '/';
    for_each_word(name, "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "LANG",
                  "LC_ALL", "TERM", "LINES", "COLUMNS") {
        setenv(name, endless, 1);
        program_expect(0, NULL, "--compare threads,serial --grid 16 --iterations 3 --headless");
        unsetenv(name);
    }
}

/* The exit status of the program in a sandbox that rejects a system call with that second argument;
 * -1: any. */
static int run_without(int call, int argument, const char *options) {
    const struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | (argument < 0 ? BPF_JGE : BPF_JEQ) | BPF_K,
                 argument < 0 ? 0 : (unsigned)argument, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog rules = {count_of(filter), (struct sock_filter *)filter};
    const pid_t child = fork();
    if (child == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules) == 0)
        _exit(program_run("%s", options));
    return child_status(child);
}

TEST(calls_that_are_refused) {
    if (IS_SANITIZED)
        skip(); /* the sanitizer makes such calls itself */
    /* A blocking read from COMMAND would never return. */
    assert_int_equal(run_without(SYS_fcntl, F_SETFL,
                                 "--on \"env $PROGRAM\" --backend serial --grid 16 --headless"),
                     1);
    if (program_run("--backend threads --grid 16 --iterations 2 --headless"))
        skip(); /* not built */
    assert_int_equal(run_without(SYS_sched_setaffinity, -1,
                                 "--compare threads/unstructured/blocked,serial --grid 64 "
                                 "--iterations 9 --headless"),
                     0);
}

/* The reported number of threads: the option's, else the OpenMP variable's, else the granted
 * one. */
TEST(team_that_runs) {
    static const struct {
        const char *before, *options, *says;
    } cases[] = {{"OMP_NUM_THREADS=1", "", ", 1 core"},
                 {"OMP_NUM_THREADS=1", "--threads 3", ", 3 threads"},
                 {"OMP_NUM_THREADS=300", "", ", 300 threads,"},
                 {"OMP_THREAD_LIMIT=1", "", ", 1 core"},
                 {"OMP_THREAD_LIMIT=1", "--threads 2", ", 1 thread,"},
                 {"taskset -c 0", "", ", 1 core"}};
    if (program_run("--backend threads --grid 16 --iterations 2 --headless") ||
        shell("taskset -c 0 true") != 0)
        skip(); /* not built, or not allowed here */
    for_each(row, cases) {
        program_expect_after(row->before, 0, row->says,
                             "--backend threads --grid 16 --iterations 2 --headless %s",
                             row->options);
    }
    program_expect_after("taskset -c 0", 0, "usable, 1 CPU\n", "--doctor");
}

TEST_MODULE(process, program_set_up, NULL)
