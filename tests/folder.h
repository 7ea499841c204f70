/* A folder of a test program's own: setup and teardown of a group of tests. */
#ifndef JACOBI_TESTS_FOLDER_H
#define JACOBI_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder_path[] = "/tmp/jacobi-test-XXXXXX";

static inline int folder_enter(void **state) {
    (void)state;
    return mkdtemp(folder_path) && chdir(folder_path) == 0 ? 0 : -1;
}

/* Removes it, with whatever is in it. */
static inline int folder_leave(void **state) {
    (void)state;
    char command[sizeof folder_path + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder_path);
    return chdir("/") || system(command);
}

#endif
