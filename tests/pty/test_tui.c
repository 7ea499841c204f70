/* The whole program on a terminal: keys, sizes, signals, and the terminal's final state. */
#include "tests/fixtures/pty.h"

#include <dirent.h>
#include <sched.h>

static void open_running(void) {
    pty_open(&(struct pty_start){
        .line = PTY_ENDLESS, .attributes = "\x1b[?62c", .cell_width = 8, .cell_height = 16});
    PTY_PLAY({.shows = "/iteration"}, {.shows = "quit"});
}

TEST(starts_and_quits) {
    open_running();
    assert_true(pty.alternate);
    assert_false(pty.cursor);
    assert_true(pty_shows("Field U"));
    assert_true(pty_shows("Residual"));
    pty_wait_for("Laplacian");
    pty_quit();
}

/* A start without options: a title, which any key ends, then a running example; L begins the tour
 * from the title. After q: the run, and the command that repeats it. */
TEST(first_minute) {
    setenv("JACOBI_LIMITS", "title=1000", 1); /* until a key is pressed */
    pty_run(80, 24, "");
    pty_wait_for("start now");
    pty_wait_for(" on the CPU"); /* the fallback for a GPU */
    PTY_PLAY({"m", "· structured mapping"});
    pty_wait_for(" MB  computing "); /* copies: it is open again, and there is a run to repeat */
    PTY_PLAY({"q", "Again: jacobi-tui --problem charges --grid 192x192"});
    pty_end(0);
    pty_run(80, 24, "");
    PTY_PLAY({.shows = "start now"}, {"L", "1 of 12  The mesh"});
    unsetenv("JACOBI_LIMITS");
    pty_quit();
}

/* The command that repeats a run has all that it depends on, with every digit. */
TEST(repeats_the_run) {
    pty_run(200, 24,
            "--backend serial --devices 0,0 --threads 3 --grid 16 --iterations 7 --tolerance "
            "1.23456e-9 "
            "--omega 0.876543");
    PTY_PLAY({.shows = "an iteration of each"}, {.keys = "q"});
    pty_wait_for(
        "--tolerance 1.23456e-09 --devices 0,0 --threads 3 --backend serial --omega 0.876543");
    pty_end(0);
}

/* The terminal shows a frame as a whole: between the beginning and the end of an update. */
TEST(frames_are_whole) {
    static const char begins[] = "\x1b[?2026h", ends[] = "\x1b[?2026l";
    int frames = 0;
    open_running();
    PTY_PLAY({" ", "paused at"}, {.keys = "q"});
    assert_int_equal(pty_wait(), 0);
    for (const char *at = strstr(pty.said, begins); at; at = strstr(at + 1, begins)) {
        const char *end = strstr(at, ends), *next = strstr(at + 1, begins);
        assert_true(end && (!next || end < next));
        frames++;
    }
    assert_true(frames > 1);
    pty_close();
}

/* A run without a screen shows its progress on a terminal, and removes it at the end. */
TEST(progress) {
    pty_run(100, 40, PTY_ENDLESS "--headless");
    PTY_PLAY({.shows = "of 1000000000, "}, {.shows = " left"});
    kill(pty.pid, SIGINT);
    pty_wait_for("stopped early");
    assert_false(pty_shows(" left"));
    pty_end(128 + SIGINT);
}

/* Queries the terminal for its capabilities, and restores it afterwards. */
TEST(doctor) {
    pty_run(200, 60, "COLORTERM=truecolor --doctor");
    PTY_PLAY({.shows = "yes terminal screen: 200x60, TERM=xterm-256color"},
             {.shows = "yes terminal colours: RGB"}, {.shows = "no  terminal pixels: none"},
             {.shows = "yes terminal glyphs: UTF-8"});
    pty_end(0);
}

/* On a terminal --help wraps between words, with continuation lines below the description. */
TEST(help_is_wrapped) {
    pty_run(80, 200, "--help");
    PTY_PLAY({.shows = "--schedule NAME           classic, plain: 4 kernels; fused: 1; blocked: 1"},
             {.shows = "                                per DEPTH iterations (classic)"});
    pty_end(0);
}

TEST(pause_and_step) {
    open_running();
    PTY_PLAY({" ", "paused at"}, {"r", "paused at 0 of"}, {"ss", "paused at 2 of"},
             {" ", "!paused"});
    pty_quit();
}

/* --ascii --colors mono: only ASCII, no frames, panels one below the other with the figures first,
 * and a key that states the run's state in one line. */
TEST(screen_reader) {
    pty_run(80, 24, PTY_ENDLESS "--ascii --colors mono");
    PTY_PLAY({.shows = "Laplacian"}, {"S", "NOTE  running: "}, {.shows = " each"},
             {.shows = "residual"});
    static const char *const order[] = {"One iteration", "Residual", "Field U"};
    int found = 0;
    for (int row = 1; row < 23; row++) {
        const char *text = pty_row(row);
        for (const char *c = text; *c; c++)
            if ((unsigned char)*c >= 0x80)
                fail_msg("row %d is not ASCII: %s", row, text);
        if (strncmp(text, "+-", 2) == 0 || *text == '|')
            fail_msg("row %d has a frame: %s", row, text);
        found += found < 3 && strstr(text, order[found]) != NULL;
    }
    assert_int_equal(found, 3);
    pty_quit();
}

/* The number of iterations is predicted at the start of a run, for any measure. The views can be
 * changed while it waits; damping restarts it. */
TEST(theory_damping_and_views) {
    pty_run(120, 40, "--backend serial --grid 64");
    PTY_PLAY({.shows = "predicted: 4 908 to 1e-5"}, {.shows = "finished: 1 000"},
             {"n", "Residual: RMS"}, {"S", ", the RMS residual "}, {"i", "Field: |RES|"},
             {.shows = "rough modes: <0.01 %"}, {"i", "each unknown"}, {"d", "ω 0.8"},
             {.shows = "predicted: 6 135 to 1e-5"});
    pty_quit();
}

TEST(panels_help_and_menus) {
    open_running();
    PTY_PLAY({"2", "!Field U"}, {"2", "Field U"}, {"?", "any key goes back"},
             {":", "Find by name: _"},
             {"lines Value", "contour lines"}, /* the palette finds C, and presses it */
             {"\r", "!Find by name"}, {":q", "quit "}, {"\x1b", "!Find by name"},
             {"g", "Grid: interior unknowns"}, {"\x1bOB\r", "128²"}, /* down, Enter: 128² */
             {"b", "needs nothing"}, {"\x1b", "!needs nothing"});
    pty_quit();
}

/* Numbers can be typed, Esc goes one level back, and a key without effect states the reason. */
TEST(menus_and_levels) {
    open_running();
    PTY_PLAY({"g7", "7_"},
             {"\x7f"
              "96x40",
              "3 840 unknowns"},
             {"0000", "type N or NxNY, each 1 to 65536"},
             {"\r\x7f\x7f\x7f\x7f\r", "96×40"}, /* the first Enter is rejected */
             {"~", "~ has no function"}, {"c", "hip: classic | fused | blocked"},
             {"\x1bOF\r", "pick another"}, /* End: pick runs */
             {"\x1bOF\r", "▶ start"}, {"\x1bOF", "● serial/blocked"});
    assert_true(pty_shows("▶ start")); /* it remains visible */
    PTY_PLAY({"\x1b", "Compare: the same problem"}, {"\x1b", "!Compare:"},
             {"c", "Compare: the same problem"}, {"\r", "Comparing 2 runs"},
             {"\x1b", "!Comparing 2 runs"},
             /* not "[": directly after Escape it would be a terminal's sequence */
             {"]", "chapter: only in a replay"}, {"\x1b", "!only in a replay"}, {"2z", "!Field U"},
             {"\x1b", "whole field"}, {"\x1b", "!whole field"}, {"h", "any key goes back"});
    pty_quit();
}

/* However the roofline is opened, and whatever starts behind it, the roof is this device's own, or
 * unknown if others use it. It is never the roof of the preset's machine. */
TEST(roof_is_measured_here) {
    pty_run(100, 30, "XDG_CACHE_HOME=/nonexistent --preset mi250 " PTY_ENDLESS);
    PTY_PLAY({.shows = "/iteration"}, {"5", "measured"}, {.shows = "··"},
             {"g", "Grid: interior unknowns"}, {"\x1bOB\r", "128²"}, /* down, Enter: 128² */
             {.shows = "measured"});
    pty_quit();
}

TEST(mouse) {
    open_running();
    assert_int_not_equal(pty.mouse, 0);
    pty_type("\x1b[<0;3;30M\x1b[<0;3;30m"); /* the footer's first word */
    pty_wait_for("paused at");
    pty_quit();
}

/* Pasted text has no effect, however it is cut; keys before and after it have. */
TEST(paste_is_ignored) {
    open_running();
    assert_true(pty_brackets_paste());
    PTY_PLAY({"\x1b[200~q\x1b[A w \r?g\x1b[20", "Pasted text ignored"}, {.keys = "1~"},
             {" ", "paused at"}, {"\x1b[200~qqq\x1b[201~r", "paused at 0 of"});
    pty_quit();
}

TEST(keyboard_interrupt) {
    open_running();
    pty_type("\x03");
    pty_end(128 + SIGINT);
}

/* The program's newest thread (a sanitizer's own thread is older); 0: only the thread that owns the
 * terminal. */
static pid_t another_thread(pid_t pid) {
    DIR *folder = opendir(PRINT("/proc/%d/task", (int)pid));
    assert_non_null(folder);
    pid_t found = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread != pid && thread > found)
            found = thread;
    }
    closedir(folder);
    return found;
}

/* The crash handler's bytes, from their CAN on, also end an unfinished update. */
static void assert_ends_update(void) {
    const char *report = strstr(pty.said, "jacobi-tui: crashed by signal"), *begin = report;
    assert_non_null(report);
    while (begin > pty.said && *begin != '\x18')
        begin--;
    const char *end = strstr(begin, "\x1b[?2026l");
    assert_true(end && end < report);
}

/* A crash of the thread that owns the terminal: see robust. */
TEST(another_thread_crashes) {
    open_running();
    const pid_t thread = another_thread(pty.pid);
    pty_prepare_crash(thread);
    assert_int_equal(syscall(SYS_tgkill, pty.pid, thread, SIGSEGV), 0);
    const int status = pty_wait();
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    pty_assert_given_back();
    assert_ends_update();
    pty_close();
}

/* SIGTSTP can't stop an orphaned group, because nothing could continue it. So there is a parent in
 * the same session, like a shell. */
static void be_a_job(void) {
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    signal(SIGTTOU, SIG_DFL);
    pty_execute(PTY_ENDLESS);
}

static int run_below_a_shell(void) {
    const pid_t child = fork();
    if (child == 0)
        be_a_job();
    int status;
    char key;
    waitpid(child, &status, WUNTRACED);
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    dprintf(STDOUT_FILENO, WIFSTOPPED(status) ? "STOPPED" : "NOT STOPPED");
    if (read(STDIN_FILENO, &key, 1) != 1)
        return 1;
    tcsetpgrp(STDIN_FILENO, child);
    kill(-child, SIGCONT);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

TEST(stop_and_go_on) {
    pty_open(&(struct pty_start){.function = run_below_a_shell});
    pty_wait_for("/iteration");
    pty_type("?\x1a"); /* the program handles the key: the shell would take it as its own */
    pty_wait_for("STOPPED");
    assert_false(pty_shows("NOT"));
    assert_false(pty.alternate);
    assert_true(pty.cursor);
    pty_assert_given_back();
    PTY_PLAY({"\n", "any key"});
    assert_true(pty.alternate);
    pty_type("qq");
    pty_end(0);
}

/* After SIGSTOP the shell sets modes of its own, and does not set them back. */
TEST(stopped_without_warning) {
    open_running();
    kill(pty.pid, SIGSTOP);
    while (process_state(pty.pid) != 'T')
        sched_yield();
    assert_int_equal(tcsetattr(pty.slave, TCSANOW, &pty.before), 0);
    kill(pty.pid, SIGCONT);
    pty_quit();
}

/* The set of signals in a line of /proc/PID/status. */
static uint64_t signals_of(pid_t pid, const char *name) {
    const char *line = strstr(folder_text(PRINT("/proc/%d/status", (int)pid)), name);
    assert_non_null(line);
    return strtoull(line + strlen(name), NULL, 16);
}

/* A Ctrl-Z that waits to be read is lost as soon as the signal is ignored, even briefly. */
TEST(no_stop_is_lost) {
    const uint64_t stop = UINT64_C(1) << (SIGTSTP - 1);
    open_running();
    for (int frame = 0; frame < 20; frame++) {
        pty_read();
        assert_int_equal(signals_of(pty.pid, "SigBlk:") & stop, stop);
        assert_int_equal(signals_of(pty.pid, "SigIgn:") & stop, 0);
        assert_int_equal(signals_of(pty.pid, "SigCgt:") & stop, 0);
    }
    pty_quit();
}

TEST(terminal_goes_away) {
    open_running();
    close(pty.slave);
    close(pty.fd);
    int status = 0;
    assert_int_equal(waitpid(pty.pid, &status, 0), pty.pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGHUP);
    vterm_free(pty.vterm);
}

TEST_MODULE(tui, NULL, NULL)
