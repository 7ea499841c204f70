/* Every test that is written in C, in one program: jacobi-tests NAME [ARGUMENT...] runs the module
 * of that name (TEST_MODULE of fixtures/support.h); without a name it prints them all. */
#include "tests/fixtures/support.h"

static struct test_module *modules;

void test_module_register(struct test_module *module) {
    module->next = modules;
    modules = module;
}

int main(int argc, char *argv[]) {
    for (struct test_module *module = modules; module; module = module->next) {
        if (argc < 2)
            puts(module->name);
        else if (strcmp(module->name, argv[1]) == 0)
            return module->run(argc - 1, argv + 1);
    }
    if (argc > 1)
        fprintf(stderr, "there is no test module '%s'\n", argv[1]);
    return argc > 1 ? 2 : 0;
}
