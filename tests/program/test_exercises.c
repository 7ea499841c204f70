/* The exercises: each fails its check in its original form and passes it with its solution. The
 * solutions are in tests/exercises and are not installed; the user's files remain. */
#include "tests/fixtures/program.h"

#include <glob.h>

#include "exercise/exercise.h"

TEST(checks_fail_before_and_pass_after) {
    glob_t patches;
    size_t proved = 0;
    assert_int_equal(glob(SOURCE_FOLDER "/tests/exercises/*.patch", 0, NULL, &patches), 0);
    for (size_t e = 0; e < patches.gl_pathc; e++) {
        char name[64];
        const char *file = strrchr(patches.gl_pathv[e], '/') + 1;
        print_to(name, "%.*s", (int)(strrchr(file, '.') - file), file);
        if ((!tests_are_full() && e != 0 && strcmp(name, "17-hip-tree") != 0) ||
            (WITHOUT_HIP && strstr(name, "-hip-")))
            continue;
        shell_ok("cp -r '" SOURCE_FOLDER "/exercises/%s' .", name);
        solve_exercise(name, PRINT("%s/solution", name));
        program_expect(0, NULL, "--exercise ./%s --headless", name);
        proved++;
    }
    globfree(&patches);
    const size_t given = tests_are_full() ? 18 : 2, in_hip = tests_are_full() ? 5 : 1;
    assert_int_equal(proved, WITHOUT_HIP ? given - in_hip : given);
}

/* Every line of the files to edit fits an editor of 80 columns. */
TEST(files_fit_80_columns) {
    assert_int_equal(shell("LC_ALL=C.UTF-8 grep -rnE '.{80}' '%s/exercises' --include=*.c "
                           "--include=*.hip --include=*.h >&2",
                           SOURCE_FOLDER),
                     1);
}

/* Threads that add to one variable lose additions, however busy the machine is and however few
 * threads the user's variables allow. */
TEST(races_are_found) {
    solve_exercise("05-reduction", "race");
    shell_ok("sed -i 's/reduction(+ : sum)/map(tofrom : sum)/' race/norm.c");
    for_each_word(before, "", "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')",
                  "OMP_NUM_THREADS=1 OMP_DYNAMIC=true", "OMP_THREAD_LIMIT=1", "OMP_NUM_TEAMS=2",
                  "KMP_LIBRARY=serial")
        program_expect_after(before, 2, "sum(RES²)", "--kernels race --headless");
}

/* Kernels that assume the number of threads per block, or a whole grid, differ in other launches.
 */
TEST(launches_have_several_shapes) {
    if (WITHOUT_HIP)
        skip();
    solve_exercise("17-hip-tree", "shape");
    shell_ok("sed -i 's|half = blockDim.x / 2|half = 32|' shape/*.hip && grep -q 'half = 32' "
             "shape/*.hip");
    program_expect(2, "sum(RES²)", "--kernels shape --headless");
}

/* Threads of a block may not access what another one writes before the next barrier, even if their
 * order in the emulator gives the right sum. */
TEST(races_between_barriers_are_found) {
    static const struct {
        const char *edit, *reason;
    } races[] = {
        {"s|if (threadIdx.x < half)|if (threadIdx.x + half < blockDim.x)|",
         "reads shared memory that thread "},
        {"s|half = blockDim.x / 2;|half = 1;|; s|threadIdx.x < half|threadIdx.x > 0|; "
         "s|shared\\[threadIdx.x\\] +=.*|shared[0] += shared[threadIdx.x];|; "
         "s|if (threadIdx.x == 0)|__syncthreads(); &|",
         "writes shared memory that thread "},
        {"s|if (threadIdx.x == 0)|sums[blockIdx.x] = 0; __syncthreads(); |; "
         "s|sums.blockIdx.x. = shared.*|sums[blockIdx.x] += sum;|",
         "writes memory that thread "},
    };
    if (WITHOUT_HIP)
        skip();
    for (size_t r = 0; r < count_of(races); r++) {
        solve_exercise("17-hip-tree", "barrier");
        shell_ok("sed -i '%s' barrier/norm.hip", races[r].edit);
        program_expect(4, races[r].reason, "--kernels barrier --headless");
        assert_holds("messages", ", without a barrier between them");
        shell_ok("rm -r barrier");
    }
}

/* An update with a damping of its own is right for one value only. */
TEST(omega_is_an_argument) {
    solve_exercise("12-damping", "literal");
    shell_ok("sed -i 's/= omega/= 0.8/' literal/update.c && grep -q '= 0.8' literal/update.c");
    program_expect(2, "37×23", "--kernels literal --headless --omega 0.8 --grid 24");
}

/* Exercise 13 allows no copy at all, not even of a sum. */
TEST(not_one_byte_is_copied) {
    solve_exercise("05-reduction", "jacobi-tui/exercises/13-pinned-norm");
    program_expect(2, "expected at most 0", "--exercise 13 --headless");
    shell_ok("rm -r jacobi-tui/exercises");
}

/* Tiles of 64 have neighbours in the check's grids: without a halo they are wrong there. */
TEST(tiles_have_neighbours) {
    skip_unless_full();
    solve_exercise("11-two-iterations", "tiles");
    shell_ok("sed -i 's/HALO = 1/HALO = 0/; "
             "s/x < SIDE - 1 ?/x < SIDE - 1 \\&\\& i < nx - 1 ?/; "
             "s/y < SIDE - 1 ?/y < SIDE - 1 \\&\\& j < ny - 1 ?/' tiles/blocked.c");
    program_expect(2, "blocked:2, iteration 2 on 131×138: U at (63, 0)",
                   "--kernels tiles --headless --schedule blocked:2");
}

/* A folder given by another path still has its own name. */
TEST(folders_are_named) {
    struct exercise exercise;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(SOURCE_FOLDER "/exercises/01-tofrom"), 0);
    for_each_word(path, "./", "./.", "../01-tofrom", "../01-tofrom//") {
        assert_ok(exercise_find(path, &exercise, &error));
        assert_string_equal(exercise.name, "01-tofrom");
    }
    assert_int_equal(chdir(before), 0);
}

/* Another's exercise sends nothing to the terminal. */
TEST(titles_are_visible) {
    struct exercise exercise;
    assert_int_equal(mkdir("theirs", 0700), 0);
    file_write_text("theirs/text.txt", "a \033[2J \xe4\nbegins");
    assert_int_equal(exercise_find("./theirs", &exercise, &error), STATUS_OK);
    assert_string_equal(exercise.title, "a ?[2J ?");
    file_write_text("theirs/text.txt", "%094d\u00e4", 1); /* the title's end is within the letter */
    assert_int_equal(exercise_find("./theirs", &exercise, &error), STATUS_OK);
    assert_int_equal(exercise.title[94], '?');
}

TEST(progress_is_kept) {
    program_expect(0, "0 of 18 solved", "--exercise --list");
    program_expect(2, "wrong: classic, iteration 1 on 64²: U at (0, 0)",
                   "--exercise damping --headless");
    program_expect(0, "\nbegun   12-damping", "--exercise --list");
    /* Right, but it copies more than the exercise allows: a result, not a device failure. */
    program_expect(2, "right, but ", "--exercise 02 --headless");
    /* The user's files are not overwritten. */
    solve_exercise("12-damping", "jacobi-tui/exercises/12-damping");
    program_expect(0, NULL, "--exercise 12 --headless");
    /* Enough to show the times: the exercise's own run makes 2000. */
    assert_holds("out", "100 iterations");
    assert_holds("out", "your kernels");
    program_expect(0, "\"iterations\":\t2000,",
                   "--exercise 12 --tolerance 0 --format json --headless");
    /* Options take precedence over the exercise's settings. */
    program_expect(0, "\"iterations\":\t30,",
                   "--exercise 12-damping --iterations 30 --format json --headless");
    program_expect(0, "\nsolved  12-damping", "--exercise --list");
    /* The program reports a mark that it can't write. */
    assert_int_equal(shell("cd jacobi-tui/exercises/12-damping && rm solved && mkdir solved"), 0);
    program_expect(1, "solved can't be written", "--exercise 12 --headless");
    program_expect(2, "expected one of 01-tofrom, ", "--exercise 99 --headless");
    program_expect(2, NULL, "--exercise ./nowhere --headless");
}

TEST_MODULE(exercises, program_set_up_kernels, NULL)
