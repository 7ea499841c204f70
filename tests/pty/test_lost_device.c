/* A device that is lost in the middle of a run: the screen stays, with the last good field and
 * the reason, and the terminal is given back. The drivers are the fake ones; FAKE_GPU says which
 * GPU there is. usage: PROGRAM FAKE_FOLDER */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>

#include "core/status.h"
#include "tests/fixtures/pty.h"

static char *program;
static char library_path[4096];

static void open_with(struct pty *pty, const char *const argv[], char *const variables[]) {
    pty_open(pty, &(struct pty_start){.term = "xterm-256color",
                                      .cols = 100,
                                      .rows = 30,
                                      .argv = (char *const *)argv,
                                      .variables = variables});
}

TEST(screen_survives) {
    const char *const argv[] = {program,      "--backend",    "hip", "--problem",
                                "hot-plate",  "--grid",       "64",  "--iterations",
                                "1000000000", "--tolerance",  "0",   "--norm-blocks",
                                "4",          "--norm-block", "64",  NULL};
    char fail_at[] = "FAKE_GPU_FAIL_AT=3000", lost[] = "FAKE_GPU_LOST=1";
    char *const variables[] = {library_path, fail_at, lost, NULL};
    struct pty pty;
    open_with(&pty, argv, variables);
    pty_wait_for(&pty, "told to fail");
    pty_wait_for(&pty, "failed after");
    pty_wait_for(&pty, "Field U");
    pty_wait_for(&pty, "mean"); /* the caption of the field: it is drawn */
    pty_type(&pty, "?");
    pty_wait_for(&pty, "restart");
    pty_type(&pty, "\033");
    pty_type(&pty, "q");
    const int status = pty_wait(&pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS_DEVICE_FAILED);
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

/* A pass that is shallower than asked for is reported on the screen, like a fallback. */
TEST(cut_depth_is_reported) {
    const char *const argv[] = {program,      "--backend",   "hip", "--schedule",
                                "blocked:12", "--grid",      "32",  "--iterations",
                                "1000000000", "--tolerance", "0",   NULL};
    char *const variables[] = {library_path, NULL};
    struct pty pty;
    open_with(&pty, argv, variables);
    pty_wait_for(&pty, "blocked:12 was asked for, but hip's kernels here go to blocked:8");
    pty_type(&pty, "q");
    assert_true(WIFEXITED(pty_wait(&pty)));
    pty_close(&pty);
}

TEST_MODULE_WITH_ARGUMENTS(lost_device) {
    if (argc < 3)
        return 1;
    program = argv[1];
    snprintf(library_path, sizeof library_path, "LD_LIBRARY_PATH=%s", argv[2]);
    return run_file_tests(NULL, NULL);
}
