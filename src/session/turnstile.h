/* Sessions of one process take turns, in the order in which they come: none disturbs what another
 * measures, and back ends need not bear two solvers at once. */
#ifndef JACOBI_SESSION_TURNSTILE_H
#define JACOBI_SESSION_TURNSTILE_H

/* Waits until the sessions that came before have left. Not to be called twice in one thread. */
void turnstile_enter(void);
void turnstile_leave(void);

#endif
