/* Loads the rows of a strip from memory into a ring in shared memory, ROWS_AHEAD steps before their
 * use.
 *
 * A vendor whose GPUs copy to shared memory without registers defines COPIES_PAST_REGISTERS,
 * copy_pack, end_of_row and wait_for_row. On other GPUs a pack waits in registers for two steps.
 *
 * A vendor whose GPUs also copy in the order of a wave's lanes defines COPIES_BY_WAVE, COPY_BYTES,
 * copy_lanes and wait_for_copies. There the host chooses between registers and copies. */
#pragma once

#include "vendor.h"

#ifdef COPIES_PAST_REGISTERS

static const int ROWS_AHEAD = 5, RING = 8; /* RING: a power of two above ROWS_AHEAD */

struct coming_pack {
    /* Loads a pack, or zeros if `there` is false. `from` must be readable in both cases. */
    __device__ inline void begin(const real *from, bool there, pack &to) {
        copy_pack(from, there, &to);
    }
    __device__ inline void end(pack &) {
    }
};

#else

static const int ROWS_AHEAD = 3, RING = 4;

struct coming_pack {
    pack value;
    __device__ inline void begin(const real *from, bool there, pack &) {
        value = there ? *(const pack *)from : (pack)0;
    }
    __device__ inline void end(pack &to) {
        to = value;
    }
};

static __device__ inline void end_of_row() {
}

template <int LATER> static __device__ inline void wait_for_row() {
}

#endif

#ifdef COPIES_BY_WAVE
static const bool MAY_COPY = true;
static const int COPY_PARTS = (int)sizeof(pack) / COPY_BYTES; /* of a pack, each by another lane */
#else
static const bool MAY_COPY = false;
#endif
