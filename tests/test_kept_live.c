/* What is kept of a live screen: pictures by the key, in each format. */
#include "tests/support.h"

#include <glob.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/pty.h"

static char *program;
static char directory[] = "/tmp/jacobi-kept-XXXXXX";

static int make_directory(void **state) {
    (void)state;
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_all(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return chdir("/") || system(command);
}

static void open_running(struct pty *pty) {
    const char *const argv[] = {program,        "--backend",  "serial",      "--grid", "64",
                                "--iterations", "1000000000", "--tolerance", "0",      NULL};
    pty_open(pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 100, .rows = 30, .argv = (char *const *)argv});
    pty_wait_for(pty, "/iteration");
    pty_wait_for(pty, "quit");
}

static void check_end(struct pty *pty) {
    const int status = pty_wait(pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pty_close(pty);
}

/* The first bytes of the only file with that ending. */
static void read_start(const char *ending, char *bytes, size_t size) {
    char pattern[32];
    glob_t found;
    snprintf(pattern, sizeof pattern, "jacobi-*%s", ending);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    FILE *file = fopen(found.gl_pathv[0], "rb");
    assert_non_null(file);
    bytes[fread(bytes, 1, size - 1, file)] = '\0';
    fclose(file);
    globfree(&found);
}

/* Each row of the menu writes its sort of file and says which; none of them shows the menu. */
static void test_pictures(void **state) {
    (void)state;
    static const struct {
        const char *keys, *ending, *start;
    } rows[] = {
        {"\r", ".svg", "<svg "},
        {"\x1bOB\r", ".png", "\x89PNG"},
        {"\x1bOB\r", ".ans", "\033["},
        {"\x1bOB\r", ".txt", " serial"},
    };
    struct pty pty;
    open_running(&pty);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char bytes[65536];
        pty_type(&pty, "x");
        pty_wait_for(&pty, "Save the screen as");
        const bool possible = !pty_shows(&pty, "× PNG") || strcmp(rows[k].ending, ".png") != 0;
        pty_type(&pty, rows[k].keys);
        if (!possible) { /* built without PNG: the row says so, and the next one is taken */
            pty_type(&pty, "\x1b");
            continue;
        }
        pty_wait_for(&pty, rows[k].ending);
        read_start(rows[k].ending, bytes, sizeof bytes);
        assert_memory_equal(bytes, rows[k].start, strlen(rows[k].start));
        assert_null(strstr(bytes, "Save the screen"));
    }
    pty_type(&pty, "q");
    check_end(&pty);
}

/* The menu of presets ends in the lessons. */
static void test_lesson_by_menu(void **state) {
    (void)state;
    struct pty pty;
    open_running(&pty);
    pty_type(&pty, "p");
    pty_wait_for(&pty, "lesson: blog");
    for (int k = 0; k < 40; k++)
        pty_type(&pty, "\x1bOB");
    pty_type(&pty, "\r");
    pty_wait_for(&pty, "1 of 12");
    pty_type(&pty, "L");
    pty_wait_until_gone(&pty, "1 of 12");
    pty_type(&pty, "q");
    check_end(&pty);
}

int main(int argc, char *argv[]) {
    assert_true(argc == 2);
    program = realpath(argv[1], NULL); /* the tests leave this folder */
    assert_non_null(program);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_lesson_by_menu),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_all);
}
