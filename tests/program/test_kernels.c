/* Kernels of the user's own (--kernels), right, wrong and hostile ones. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>

#include "tests/fixtures/folder.h"

static const char *program;

/* The exit status of the program with these options; what it writes is in the files out and err. */
static int run(const char *options) {
    char command[1024];
    snprintf(command, sizeof command, "%s %s >out 2>err </dev/null", program, options);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_source(const char *text) {
    FILE *file = fopen("own/kernel.c", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

#define LAPLACIAN(before, value)                                                                   \
    "#include \"kernels.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"       \
    "#include <string.h>\n#include <signal.h>\n#include <sys/syscall.h>\n"                         \
    "void laplacian(long nx, long ny, double dx, double dy, const double *U, double *AU) {\n"      \
    "    const long N = nx * ny;\n    (void)N;\n" before "\n"                                      \
    "#pragma omp target teams distribute parallel for map(to : U[:N]) map(tofrom : AU[:N])\n"      \
    "    for (long j = 1; j < ny - 1; j++)\n"                                                      \
    "        for (long i = 1; i < nx - 1; i++) {\n"                                                \
    "            const long id = i + j * nx;\n"                                                    \
    "            AU[id] = " value ";\n        }\n}\n"
#define RIGHT                                                                                      \
    "(-U[id - 1] + 2 * U[id] - U[id + 1]) / (dx * dx) + "                                          \
    "(-U[id - nx] + 2 * U[id] - U[id + nx]) / (dy * dy)"

static void test_right_kernels_run(void **state) {
    (void)state;
    write_source(LAPLACIAN("puts(\"a word of mine\");", RIGHT));
    assert_int_equal(run("--kernels own --headless --grid 24 --iterations 3 --format csv"), 0);
    assert_non_null(strstr(folder_text("out"), "Laplacian"));
    assert_non_null(strstr(folder_text("err"), "a word of mine"));
    assert_int_equal(run("--kernels own --mapping structured --grid 24 --iterations 3 "
                         "--format json"),
                     0);
    assert_non_null(strstr(folder_text("out"), "\"mapping\":\t\"structured\""));
    assert_int_equal(system("test -z \"$(ls jacobi-tui/kernels)\""), 0);
}

/* What each of them says, and with which status the program ends. */
static void test_hostile_kernels(void **state) {
    static const struct {
        const char *source, *says;
        int status;
    } cases[] = {
        {LAPLACIAN("", "2 * U[id"), "kernel.c:16:30: error: expected ']'", 2},
        {"int main(void) { return 0; }", "none of your files has a function laplacian", 4},
        {LAPLACIAN("", "U[id]"), "classic, iteration 1 on 64²: U at (1, 1): expected ", 2},
        {LAPLACIAN("return;", RIGHT), "Laplacian launched no kernel", 4},
        {LAPLACIAN("*(volatile int *)8 = 1;", RIGHT), "laplacian: signal 11 SEGV", 4},
        {LAPLACIAN("", "AU[(1L << 40) + id]"), "laplacian: signal 11 SEGV", 4},
        {LAPLACIAN("memset(AU, 1, 1 << 28);", RIGHT), "laplacian: ", 4},
        {LAPLACIAN("abort();", RIGHT), "laplacian: signal 6 ABRT", 4},
        {LAPLACIAN("exit(0);", RIGHT), "laplacian: called exit", 4},
        {LAPLACIAN("_exit(0);", RIGHT), "laplacian: ended the process", 4},
        {LAPLACIAN("kill(getppid(), SIGKILL);", RIGHT), "laplacian: tried to start a process", 4},
        {LAPLACIAN("for (;;) syscall(SYS_tgkill, getppid(), getppid(), SIGKILL);", RIGHT),
         "laplacian: tried to start a process", 4},
        {LAPLACIAN("for (siginfo_t info = {.si_code = -1};;)"
                   "syscall(SYS_rt_sigqueueinfo, getppid(), SIGKILL, &info);",
                   RIGHT),
         "laplacian: tried to start a process", 4},
        {LAPLACIAN("for (;;) syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, getppid(), 0), "
                   "SIGKILL, 0, 0);",
                   RIGHT),
         "laplacian: tried to start a process", 4},
        /* What fork calls: ThreadSanitizer's own fork waits for its locks in a handler. */
        {LAPLACIAN("for (;;) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);", RIGHT),
         "laplacian: tried to start a process", 4},
        {LAPLACIAN("system(\"true\");", RIGHT), "laplacian: was ended by signal 31", 4},
        {LAPLACIAN("for (;;) puts(\"on and on\");", RIGHT), "laplacian: stopped: computed for", 4},
        {LAPLACIAN("for (;;) pause();", RIGHT), "laplacian: stopped: did not end within 10 s", 4},
        {LAPLACIAN("for (char *volatile more;; memset(more, 1, 1 << 24)) more = malloc(1 << 24);",
                   RIGHT),
         "laplacian: stopped: took more than 0.2 GB", 4},
        {"__attribute__((constructor)) static void begin(void) { __builtin_trap(); }",
         "loading: signal ", 4},
        {"#include \"kernel.c\"\n", "kernel.c:1:10: error: #include nested too deeply", 2},
        {LAPLACIAN("if (nx > 64) *(volatile int *)8 = 1;", RIGHT), "laplacian: signal 11", 4},
        /* The stack runs out, in the run alone: there another thread computes. */
        {LAPLACIAN("while (nx > 64) *(volatile char *)__builtin_alloca(2048) = 1;", RIGHT),
         "laplacian: signal 11", 4},
    };
    int failed = 0;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_source(cases[c].source);
        const int status = run("--kernels own --headless --grid 65x4 --iterations 3");
        const char *said = folder_text("err");
        if (status != cases[c].status || !strstr(said, cases[c].says))
            failed++, print_error("case %zu: status %d, expected %d; said '%s', expected '%s'\n", c,
                                  status, cases[c].status, said, cases[c].says);
    }
    assert_int_equal(failed, 0);
}

/* Only the command line can name kernels. */
static void test_no_file_names_kernels(void **state) {
    (void)state;
    FILE *file = fopen("own.ini", "w");
    assert_non_null(file);
    fputs("; a preset\n[run]\nkernels = own\n", file);
    fclose(file);
    assert_int_equal(run("--preset ./own.ini --headless"), 2);
    assert_non_null(strstr(folder_text("err"), "has no key 'kernels'"));
    assert_int_equal(run("--kernels own --on true --headless"), 2);
    assert_int_equal(run("--kernels nowhere --headless"), 2);
    assert_non_null(strstr(folder_text("err"), "no such folder"));
    assert_int_equal(run("--kernels / --headless"), 2);
    assert_non_null(strstr(folder_text("err"), "there is no C file in it"));
}

int main(int argc, char *argv[]) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_kernels_run),
        cmocka_unit_test(test_hostile_kernels),
        cmocka_unit_test(test_no_file_names_kernels),
    };
    program = folder_program(argc, argv);
    return cmocka_run_group_tests(tests, folder_enter_home, folder_leave);
}
