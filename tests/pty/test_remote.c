/* The screen of a run in another process: failures and stops there, the messages, and the state
 * that remains here. The program is the first argument. */
#include "tests/fixtures/program.h"
#include "tests/fixtures/pty.h"

#include <sys/resource.h>

#include "tests/fixtures/runs.h"

/* For runs that open_run starts from now on. */
static void set_limits(const char *limits) {
    setenv("JACOBI_LIMITS", limits, 1);
}

/* Starts a run that doesn't end by itself; `on` NULL: without a command. The screen is wide enough
 * for the program's path in the header. */
static void open_run(const char *on, const char *backend, const char *grid, const char *record) {
    char line[4096], command[2048] = "";
    if (on)
        print_to(command, "--on '%s %s'", on, program);
    print_to(line,
             "--backend %s --mapping structured --grid %s --tolerance 0 --iterations 100000000 %s "
             "%s %s",
             backend, grid, command, record ? "--record" : "", record ? record : "");
    pty_run(160, 30, line);
    pty_wait_for("/iteration");
}

/* The process that the program has started. */
static pid_t child_of(pid_t parent) {
    const pid_t child =
        (pid_t)atol(folder_text(PRINT("/proc/%d/task/%d/children", (int)parent, (int)parent)));
    assert_true(child > 0);
    return child;
}

TEST(aborted) {
    open_run(NULL, "serial", "256", "aborted.rec");
    pty_wait_for("Laplacian");
    const pid_t child = child_of(pty.pid);
    pty_prepare_crash(child);
    kill(child, SIGABRT);
    pty_wait_for("was ended by signal 6");
    assert_true(pty_shows("Field U"));
    assert_true(pty_shows("Laplacian"));
    pty_type("q");
    pty_end(4);
    program_expect(0, NULL, "--replay aborted.rec --headless");
}

/* The last sample remains until another run is requested, which needs another process. */
TEST(begins_anew) {
    open_run(NULL, "serial", "256", NULL);
    const pid_t first = child_of(pty.pid);
    kill(first, SIGKILL);
    PTY_PLAY({.shows = "was ended by signal 9"}, {.keys = " "}, {"r", "!was ended by signal 9"},
             {.shows = "/iteration"});
    assert_int_not_equal(child_of(pty.pid), first);
    pty_quit();
}

/* A menu queries another process for the possible runs. That process gets a run only by a plan, or
 * by a restart of the previous run. */
TEST(begins_anew_after_a_menu) {
    open_run(NULL, "serial", "256", NULL);
    kill(child_of(pty.pid), SIGKILL);
    PTY_PLAY({.shows = "was ended by signal 9"}, {"g", "65536²"});
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
    if (IS_SANITIZED || !backend_is_here("omp"))
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
    PTY_PLAY({.shows = "the solver's process"}, {.keys = "q"});
    pty_end(4);
    program_expect(0, NULL, "--replay map.rec --headless");
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
    PTY_PLAY({" ", "paused at"});
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
    /* Without a screen a signal ends the run. */
    set_limits(LIMITS_OUT_OF_REACH ",end=0.2,silence=0.5");
    pty_run(100, 24, PTY_ENDLESS "--screenshot s.txt --format json");
    set_limits(LIMITS_OUT_OF_REACH);
    pty_wait_for("running: iteration");
    kill(child_of(pty.pid), SIGSTOP);
    kill(pty.pid, SIGTERM);
    pty_end(128 + SIGTERM);
}

/* A tour asks the solver's process whether the next scene can run. It goes on without an answer. */
TEST(stopped_in_a_tour) {
    set_limits(LIMITS_OUT_OF_REACH ",answer=0.5,silence=0.5,end=0.2");
    pty_run(100, 30, "--tour blog");
    set_limits(LIMITS_OUT_OF_REACH);
    pty_wait_for("1 of 12");
    kill(child_of(pty.pid), SIGSTOP);
    PTY_PLAY({.keys = "  "}, {.shows = "2 of 12"}); /* the answer, the next scene */
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
    pty_end(128 + SIGTERM);
    assert_true(process_has_gone(slow));
}

TEST(its_words) {
    script_write("says", "echo 'a message of the day'; echo '\033[2Jan escape' >&2; exec \"$@\"");
    open_run("./says", "serial", "256", NULL);
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

/* A server on a terminal stops the echo of what it receives. */
TEST(serves_on_a_terminal) {
    const int numbers[] = {SIGTERM, SIGHUP, SIGALRM, 0};
    for_each(number, numbers) {
        pty_run(80, 24, "--serve");
        pty_wait_for(", protocol ");
        pty_type("echoed");
        if (*number)
            kill(pty.pid, *number);
        else
            pty_type("\r\004"); /* the end of the input */
        assert_int_equal(pty_wait(), *number);
        pty_assert_given_back();
        pty_close();
    }
}

/* Through this machine's ssh, if available: its server is started for a single connection, with its
 * own keys and without a port. */
TEST(through_ssh) {
    static const char server[] = "/usr/sbin/sshd";
    char command[2048], ssh[1024];
    if (access(server, X_OK) || system("ssh-keygen -q -t ed25519 -N '' -f host 2>/dev/null && "
                                       "ssh-keygen -q -t ed25519 -N '' -f user"))
        skip();
    file_write_text("server",
                    "HostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\n"
                    "UsePAM no\n",
                    folder_path, folder_path);
    snprintf(
        ssh, sizeof ssh,
        "ssh -F none -i %s/user -o BatchMode=yes -o LogLevel=ERROR -o UserKnownHostsFile=/dev/null "
        "-o StrictHostKeyChecking=no -o ProxyCommand='%s -i -f %s/server' localhost",
        folder_path, server, folder_path);
    if (shell("%s '%s' --version >/dev/null", ssh, program)) /* the command prints the reason */
        skip();
    print_to(command, "%s 'echo $$ >%s/process; exec'", ssh, folder_path);
    open_run(command, "serial", "256", "ssh.rec");
    PTY_PLAY({.shows = "on ssh"}, {" ", "paused at"});
    pty_quit();
    program_expect(0, NULL, "--replay ssh.rec --headless");
    open_run(command, "serial", "256", NULL);
    check_killed((pid_t)atol(folder_text("process")));
}

TEST_MODULE(remote, program_set_up, NULL)
