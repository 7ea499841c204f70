#include "core/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool asked;
static atomic_int first;

static void remember(int number) {
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, number);
    atomic_store(&asked, true);
}

void interrupt_catch(void) {
    const struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESETHAND | SA_RESTART};
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        sigaction(numbers[n], &action, NULL);
}

const atomic_bool *interrupt_flag(void) {
    return &asked;
}

int interrupt_signal(void) {
    return atomic_load(&first);
}
