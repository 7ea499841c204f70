/* Verifies that races are detected: "race" sums from all threads without synchronisation, which
 * must be reported. "reduction" is the same sum with an OpenMP reduction, which must not. */
#include <stdio.h>
#include <string.h>

enum { COUNT = 1000 };

static double racing(void) {
    double sum = 0.0;
#pragma omp parallel for num_threads(2) schedule(static)
    for (int k = 0; k < COUNT; k++)
        sum += k; /* NOLINT: this is the race */
    return sum;
}

static double reduced(void) {
    double sum = 0.0;
#pragma omp parallel for num_threads(2) schedule(static) reduction(+ : sum)
    for (int k = 0; k < COUNT; k++)
        sum += k;
    return sum;
}

int main(int argc, char *argv[]) {
    if (argc < 2)
        return 2;
    printf("%g\n", strcmp(argv[1], "race") == 0 ? racing() : reduced());
    return 0;
}
