/* A device is lost in the middle of a run: the screen remains, with the last good field and the
 * reason, and the terminal is restored. The drivers are the fake ones; FAKE_GPU selects the GPU.
 * usage: PROGRAM FAKE_FOLDER */
#include "tests/fixtures/pty.h"

TEST(screen_survives) {
    pty_run(100, 30,
            "FAKE_GPU_FAIL_AT=3000 FAKE_GPU_LOST=1 --backend hip --problem hot-plate --grid 64 "
            "--iterations 1000000000 --tolerance 0 --norm-blocks 4 --norm-block 64");
    PTY_PLAY({.shows = "told to fail"}, {.shows = "failed after"}, {.shows = "Field U"});
    pty_wait_for("mean"); /* the caption of the field: it is drawn */
    PTY_PLAY({"?", "restart"}, {.keys = "\033"}, {.keys = "q"});
    pty_end(STATUS_DEVICE_FAILED);
}

/* A driver that ends the solver's process, or blocks it, doesn't prevent the screen. */
TEST(bad_driver_is_left_out) {
    for_each_word(how, "1", "crash", "never") {
        if (IS_SANITIZED && strcmp(how, "crash") == 0)
            continue; /* a sanitizer turns the crash into status 1 */
        pty_run(100, 30,
                PRINT("FAKE_GPU_EXITS=%s JACOBI_LIMITS=doctor=%d --grid 64 --tolerance 0 "
                      "--iterations 1000000000",
                      how, strcmp(how, "never") == 0 ? 1 : LIMIT_SECONDS));
        PTY_PLAY({.shows = "Field U"}, {.keys = "q"});
        assert_int_equal(pty_wait(), STATUS_OK);
        pty_assert_given_back();
        assert_true(pty_shows(" left out: the solver's process "));
        pty_close();
    }
}

/* A pass that is shallower than requested is reported on the screen, like a fallback. */
TEST(cut_depth_is_reported) {
    pty_run(100, 30,
            "--backend hip --schedule blocked:12 --grid 32 --iterations 1000000000 --tolerance 0");
    PTY_PLAY({.shows = "blocked:12 was requested, but hip's kernels here reach only blocked:8"},
             {.keys = "q"});
    assert_true(WIFEXITED(pty_wait()));
    pty_close();
}

TEST_MODULE_WITH_ARGUMENTS(lost_device) {
    if (argc < 3)
        return 1;
    setenv("LD_LIBRARY_PATH", argv[2], 1);
    return run_file_tests(NULL, NULL);
}
