/* Every test written in C, in one program. jacobi-tests NAME [ARGUMENT...] runs the module of that
 * name (TEST_MODULE of fixtures/support.h) in a folder of its own; without a name it lists the
 * modules. */
#include "tests/fixtures/support.h"

static struct test_module *modules;

void test_module_register(struct test_module *module) {
    module->next = modules;
    modules = module;
}

char *program;
char folder_path[] = "/tmp/jacobi-test-XXXXXX";

static int run_module(const struct test_module *module, int argc, char *argv[]) {
    char command[64];
    for (int a = 1; a < argc; a++) {
        /* Valid in the new folder, too; an absolute path may be a link whose name matters. */
        char *path = *argv[a] == '/' ? NULL : realpath(argv[a], NULL);
        argv[a] = path ? path : argv[a];
    }
    program = argc > 1 ? argv[1] : NULL;
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1); /* no settings or presets of the user */
    if (!mkdtemp(folder_path) || chdir(folder_path))
        return 1;
    const int status = module->run(argc, argv);
    snprintf(command, sizeof command, "rm -r '%s'", folder_path);
    return chdir("/") || system(command) ? 1 : status;
}

int main(int argc, char *argv[]) {
    for (const struct test_module *module = modules; module; module = module->next) {
        if (argc < 2)
            puts(module->name);
        else if (strcmp(module->name, argv[1]) == 0)
            return run_module(module, argc - 1, argv + 1);
    }
    if (argc > 1)
        fprintf(stderr, "there is no test module '%s'\n", argv[1]);
    return argc > 1 ? 2 : 0;
}
