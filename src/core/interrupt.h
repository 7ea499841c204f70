/* Being asked to end by a signal, for work without a screen. */
#ifndef JACOBI_CORE_INTERRUPT_H
#define JACOBI_CORE_INTERRUPT_H

#include <stdatomic.h>

/* From now on SIGINT, SIGTERM and SIGHUP set the flag; a second one of the same kills as usual. */
void interrupt_catch(void);

/* Becomes true when a signal has come. */
const atomic_bool *interrupt_flag(void);

/* The signal that came first, 0 for none. */
int interrupt_signal(void);

#endif
