/* The host's monotonic clock. */
#ifndef JACOBI_CORE_CLOCK_H
#define JACOBI_CORE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since an arbitrary origin that stays fixed while the machine is up. */
int64_t clock_now_ns(void);

#endif
