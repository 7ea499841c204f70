/* The screen of a run in another process: failures and stops there, the messages, and the state
 * that remains here. The program is the first argument. */
#include "tests/fixtures/support.h"

#include <sys/resource.h>

#include "kernels/backends.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/program.h"
#include "tests/fixtures/pty.h"

/* For runs that open_run starts from now on. */
static void set_limits(const char *limits) {
    setenv("JACOBI_LIMITS", limits, 1);
}

/* Starts a run that doesn't end by itself; `on` NULL: without a command. The screen is wide enough
 * for the program's path in the header. */
static void open_run(const char *on, const char *backend, const char *grid, const char *record) {
    char line[4096], command[2048] = "";
    if (on)
        snprintf(command, sizeof command, "--on '%s %s'", on, program);
    snprintf(line, sizeof line,
             "--backend %s --mapping structured --grid %s --tolerance 0 --iterations 100000000 %s "
             "%s %s",
             backend, grid, command, record ? "--record" : "", record ? record : "");
    pty_run(160, 30, line);
    pty_wait_for("/iteration");
}

/* The process that the program has started. */
static pid_t child_of(pid_t parent) {
    char path[64];
    long child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &child), 1);
    fclose(file);
    return (pid_t)child;
}

static void check_end(int exit_status) {
    pty_type("q");
    const int status = pty_wait();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), exit_status);
    pty_assert_given_back();
    pty_close();
}

static int replay(const char *recording) {
    char command[2048];
    snprintf(command, sizeof command, "'%s' --replay %s --headless >/dev/null", program, recording);
    return system(command);
}

TEST(aborted) {
    open_run(NULL, "serial", "256", "aborted.rec");
    pty_wait_for("Laplacian");
    pty_prepare_crash();
    kill(child_of(pty.pid), SIGABRT);
    pty_wait_for("was ended by signal 6");
    assert_true(pty_shows("Field U"));
    assert_true(pty_shows("Laplacian"));
    check_end(4);
    assert_int_equal(replay("aborted.rec"), 0);
}

/* The last sample remains until another run is requested, which needs another process. */
TEST(begins_anew) {
    open_run(NULL, "serial", "256", NULL);
    const pid_t first = child_of(pty.pid);
    kill(first, SIGKILL);
    pty_wait_for("was ended by signal 9");
    pty_type(" ");
    pty_type("r");
    pty_wait_until_gone("was ended by signal 9");
    pty_wait_for("/iteration");
    assert_int_not_equal(child_of(pty.pid), first);
    pty_quit();
}

/* A menu queries another process for the possible runs. That process gets a run only by a plan, or
 * by a restart of the previous run. */
TEST(begins_anew_after_a_menu) {
    open_run(NULL, "serial", "256", NULL);
    kill(child_of(pty.pid), SIGKILL);
    pty_wait_for("was ended by signal 9");
    pty_type("g");
    pty_wait_for("65536²");
    pty_wait_for("too large"); /* it has answered */
    pty_resize(100, 30);
    PTY_PLAY({"\033", "!too large"}, {.keys = " "}, {.keys = " "}, {"r", "/iteration"},
             {.shows = "!was ended by signal 9"}, {.shows = "256²"});
    assert_false(pty_shows("4096²"));
    pty_quit();
}

/* LLVM's runtime aborts its process if the data of a map clause are missing. If it finds memory
 * that the process has kept, the run goes on; after ten pauses this test aborts it instead. */
TEST(map_clause_fails) {
    struct device_list devices;
    const struct backend *omp = backend_find("omp");
    if (IS_SANITIZED || !omp || omp->probe(&devices, NULL))
        skip();
    open_run(NULL, "omp", "2100", "map.rec");
    const struct rlimit none = {.rlim_cur = 1 << 20, .rlim_max = 1 << 20};
    const pid_t solver = child_of(pty.pid);
    assert_int_equal(prlimit(solver, RLIMIT_AS, &none, NULL), 0);
    for (int k = 0; k < 20 && !pty_shows("the solver's process"); k++) {
        pty_type(" ");
        while (!pty_shows("the solver's process") && pty_shows("paused at") == (k % 2 != 0))
            pty_read();
    }
    kill(solver, SIGABRT);
    pty_wait_for("the solver's process");
    check_end(4);
    assert_int_equal(replay("map.rec"), 0);
}

TEST(stopped_there) {
    set_limits(LIMITS_OUT_OF_REACH ",silence=2");
    open_run("exec", "serial", "256", NULL);
    set_limits(LIMITS_OUT_OF_REACH);
    pty_wait_for("on exec");
    kill(child_of(pty.pid), SIGSTOP);
    pty_wait_for("nothing received from exec");
    kill(child_of(pty.pid), SIGCONT);
    pty_wait_until_gone("nothing received");
    /* Also without anything new to show. */
    pty_type(" ");
    pty_wait_for("paused at");
    kill(child_of(pty.pid), SIGSTOP);
    pty_wait_for("nothing received from exec");
    kill(child_of(pty.pid), SIGCONT);
    pty_wait_until_gone("nothing received");
    pty_quit();
}

TEST(stopped_for_good) {
    set_limits(LIMITS_OUT_OF_REACH ",end=0.2");
    open_run("exec", "serial", "256", NULL);
    set_limits(LIMITS_OUT_OF_REACH);
    kill(child_of(pty.pid), SIGSTOP);
    pty_quit();
}

/* A signal while COMMAND is slow to end: it ends, and the status reports the signal. */
TEST(signal_at_the_end) {
    script_write("slow", "\"$@\"; echo >ended; trap '' TERM; exec sleep 1000");
    open_run("./slow", "serial", "64", NULL);
    const pid_t slow = child_of(pty.pid);
    pty_type("q");
    pty_await_file("ended", "");
    kill(pty.pid, SIGTERM);
    const int status = pty_wait();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
    assert_true(process_has_gone(slow));
    pty_assert_given_back();
    pty_close();
}

TEST(its_words) {
    FILE *file = fopen("says", "w");
    assert_non_null(file);
    fputs("echo 'a message of the day'; echo '\033[2Jan escape' >&2; exec \"$@\"\n", file);
    fclose(file);
    open_run("sh ./says", "serial", "256", NULL);
    PTY_PLAY({"W", "a message of the day"}, {.shows = "?[2Jan escape"},
             {"\033", "!a message of the day"}, {" ", "paused at"});
    pty_quit();
}

/* Kills the screen with SIGKILL: its terminal can't be restored, but the solver ends. */
static void check_killed(pid_t server) {
    assert_true(process_is_running(server));
    kill(pty.pid, SIGKILL);
    pty_wait();
    pty_close();
    assert_true(process_has_gone(server));
}

TEST(screen_is_killed) {
    open_run("exec", "serial", "256", NULL);
    check_killed(child_of(pty.pid));
}

/* Through this machine's ssh, if available: its server is started for a single connection, with its
 * own keys and without a port. */
TEST(through_ssh) {
    static const char server[] = "/usr/sbin/sshd";
    char command[2048], ssh[1024];
    if (access(server, X_OK) || system("ssh-keygen -q -t ed25519 -N '' -f host 2>/dev/null && "
                                       "ssh-keygen -q -t ed25519 -N '' -f user"))
        skip();
    FILE *file = fopen("server", "w");
    assert_non_null(file);
    fprintf(file, "HostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\n",
            folder_path, folder_path);
    fclose(file);
    snprintf(
        ssh, sizeof ssh,
        "ssh -F none -i %s/user -o BatchMode=yes -o LogLevel=ERROR -o UserKnownHostsFile=/dev/null "
        "-o StrictHostKeyChecking=no -o ProxyCommand='%s -i -f %s/server' localhost",
        folder_path, server, folder_path);
    snprintf(command, sizeof command, "%s '%s' --version >/dev/null", ssh, program);
    if (system(command)) /* the command prints the reason */
        skip();
    snprintf(command, sizeof command, "%s 'echo $$ >%s/process; exec'", ssh, folder_path);
    open_run(command, "serial", "256", "ssh.rec");
    pty_wait_for("on ssh");
    pty_type(" ");
    pty_wait_for("paused at");
    pty_quit();
    assert_int_equal(replay("ssh.rec"), 0);
    open_run(command, "serial", "256", NULL);
    check_killed((pid_t)atol(folder_text("process")));
}

TEST_MODULE(remote, program_set_up, NULL)
