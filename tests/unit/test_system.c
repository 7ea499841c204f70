/* The operating system's limits on a process. */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/process.h"
#include "core/system.h"
#include "tests/fixtures/folder.h"

/* Like a batch system: the effective limit may be an outer group's. */
TEST(limits_of_groups_around) {
    assert_int_equal(system("mkdir -p a.slice/job"), 0);
    file_write_text("groups", "0::/a.slice/job\n");
    assert_true(cgroup_memory_limit("groups", ".") == UINT64_MAX);
    file_write_text("memory.max", "max\n");
    file_write_text("a.slice/memory.max", "1000000\n");
    file_write_text("a.slice/job/memory.max", "max\n");
    assert_int_equal(cgroup_memory_limit("groups", "."), 1000000);
    file_write_text("a.slice/job/memory.max", "5000\n");
    assert_int_equal(cgroup_memory_limit("groups", "."), 5000);
    file_write_text("a.slice/job/memory.current", "3000\n");
    file_write_text("a.slice/job/memory.stat", "anon 2500\ninactive_file 400\n");
    assert_int_equal(cgroup_memory_limit("groups", "."), 2400);
    file_write_text("a.slice/job/memory.current", "6000\n"); /* more than its current limit */
    assert_int_equal(cgroup_memory_limit("groups", "."), 0);
    /* A container's group may be the root, or have a name that it can't see. */
    file_write_text("memory.max", "700\n");
    file_write_text("groups", "0::/\n");
    assert_int_equal(cgroup_memory_limit("groups", "."), 700);
    file_write_text("groups", "0::/elsewhere/x\n");
    assert_int_equal(cgroup_memory_limit("groups", "."), 700);
}

TEST(groups_of_version_1) {
    assert_int_equal(system("mkdir -p first/memory/job"), 0);
    file_write_text("groups", "9:cpu,cpuacct:/other\n4:memory:/job\n0::/\n");
    file_write_text("first/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file_write_text("first/memory/job/memory.limit_in_bytes", "65536\n");
    assert_int_equal(cgroup_memory_limit("groups", "first"), 65536);
    file_write_text("first/memory/job/memory.usage_in_bytes", "5536\n");
    file_write_text("first/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 536\n");
    assert_int_equal(cgroup_memory_limit("groups", "first"), 60536);
    assert_true(cgroup_memory_limit("absent", "first") == UINT64_MAX);
}

/* In version 1 the limit on processors is in the hierarchy of CPU accounting. */
TEST(processors_of_groups) {
    assert_int_equal(system("mkdir -p cpus/job cpus/cpu/job"), 0);
    file_write_text("groups", "0::/job\n");
    assert_true(cgroup_cpu_limit("groups", "cpus") == UINT64_MAX);
    file_write_text("cpus/job/cpu.max", "max 100000\n");
    assert_true(cgroup_cpu_limit("groups", "cpus") == UINT64_MAX);
    file_write_text("cpus/job/cpu.max", "350000 100000\n");
    assert_int_equal(cgroup_cpu_limit("groups", "cpus"), 3);
    file_write_text("cpus/cpu.max", "50000 100000\n");
    assert_int_equal(cgroup_cpu_limit("groups", "cpus"), 1);
    file_write_text("groups", "9:cpu,cpuacct:/job\n4:memory:/job\n");
    file_write_text("cpus/cpu/job/cpu.cfs_quota_us", "-1\n");
    file_write_text("cpus/cpu/job/cpu.cfs_period_us", "100000\n");
    assert_true(cgroup_cpu_limit("groups", "cpus") == UINT64_MAX);
    file_write_text("cpus/cpu/job/cpu.cfs_quota_us", "200000\n");
    assert_int_equal(cgroup_cpu_limit("groups", "cpus"), 2);
}

TEST(limits_are_set) {
    for_each_word(text, "cpu", "cpu=", "=1", "cpu=0", "cpu=-1", "cpu=nan", "cpu=0x10", "cpu=2s",
                  "cpu= 2", "cpus=2", "cpu=2,", ",cpu=2", "cp=2", "cpu=1e7", "CPU=0.5",
                  "memory=1;cpu=2") {
        setenv("JACOBI_LIMITS", text, 1);
        assert_refused(limits_read(&error), STATUS_BAD_INPUT, "JACOBI_LIMITS");
        assert_contains(error.message, "compile, check, call");
        assert_true(limit_of(LIMIT_CPU) == 1);
    }
    setenv("JACOBI_LIMITS", "cpu=0.25,memory=1e3,cpu=2.5", 1);
    assert_ok(limits_read(&error));
    assert_true(limit_of(LIMIT_CPU) == 2.5 && limit_of(LIMIT_MEMORY) == 1000);
    assert_int_equal(limit_ns(LIMIT_CHECK), INT64_C(30000000000));
    setenv("JACOBI_LIMITS", "", 1);
    assert_ok(limits_read(&error));
    unsetenv("JACOBI_LIMITS");
}

/* Memory that is already mapped is not free. */
TEST(address_space_is_limited) {
    if (IS_SANITIZED)
        skip();
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {1 << 30, 1 << 30};
        const size_t part = 600 << 20;
        const bool set = setrlimit(RLIMIT_AS, &limit) == 0;
        const uint64_t before = memory_usable();
        void *mapped = mmap(NULL, part, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        const bool counted = before < limit.rlim_cur && memory_usable() + part <= limit.rlim_cur;
        _exit(!(set && mapped != MAP_FAILED && counted));
    }
    assert_int_equal(child_status(child), 0);
}

/* A stopped process does not reach time limits. */
TEST(stopped_time) {
    struct awake_clock clock = {.last_ns = 5};
    assert_int_equal(awake_clock_at(&clock, 1000000004), 999999999);
    assert_int_equal(awake_clock_at(&clock, 2000000004), 999999999); /* stopped for a second */
    assert_int_equal(awake_clock_at(&clock, 2000000006), 1000000001);
    assert_int_equal(awake_clock_at(&clock, INT64_C(90000000000000)), 1000000001);
}

/* timeout(1) sends each signal twice; only a later one kills. */
TEST(signals_that_repeat) {
    int status, ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        interrupt_install();
        raise(SIGTERM);
        raise(SIGTERM);
        if (interrupt_signal() != SIGTERM || write(ends[1], "t", 1) != 1)
            _exit(1);
        const int64_t later_ns = clock_now_ns() + 600000000;
        while (clock_now_ns() < later_ns)
            poll(NULL, 0, 20);
        raise(SIGTERM);
        _exit(2);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(read(ends[0], &byte, 1), 1); /* the second signal was survived */
    assert_int_equal(byte, 't');
    close(ends[0]);
}

TEST_MODULE(system, NULL, NULL)
