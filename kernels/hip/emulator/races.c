/* Finds races of the user's kernels: two threads of a block access one address between two
 * barriers, and at least one of them writes. Clang's option -fsanitize=thread inserts the calls of
 * __tsan_… before accesses that are not atomic. This file replaces that option's library. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "emulator.h"

#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)

enum { ACCESSES_LOG2 = 14 };

/* The accesses to one address since the last barrier. An address replaces another with the same
 * hash: a race may remain unnoticed. */
static struct access {
    const char *address;
    unsigned epoch;
    unsigned thread : 15; /* the last one */
    unsigned other : 15;  /* one before it, or the same */
    unsigned written : 1;
} accesses[1 << ACCESSES_LOG2];

bool emulator_finds_races;

__attribute__((noinline, cold)) static void fail(const struct access *access, unsigned other,
                                                 bool writes) {
    const bool is_shared = access->address >= __start_lds && access->address < __stop_lds;
    char why[96];
    snprintf(why, sizeof why, "%s %s that thread %u %s, without a barrier between them",
             writes ? "writes" : "reads", is_shared ? "shared memory" : "memory", other,
             access->written ? "writes" : "reads");
    hip_emulator_fail(why);
}

static inline void note(const char *address, bool writes) {
    struct access *access =
        &accesses[(uintptr_t)address * 0x9e3779b97f4a7c15 >> (64 - ACCESSES_LOG2)];
    const unsigned thread = emulator_position.thread;
    unsigned other = thread;
    if (access->address != address || access->epoch != emulator_epoch)
        *access = (struct access){.address = address, .epoch = emulator_epoch};
    else
        other = access->thread == thread ? access->other : access->thread;
    if (other != thread && (writes || access->written))
        fail(access, other, writes);
    access->thread = thread;
    access->other = other;
    access->written |= writes;
}

static void note_all(const char *address, size_t bytes, bool writes) {
    for (size_t at = 0; emulator_finds_races && at < bytes; at += sizeof(double))
        note(address + at, writes);
}

#define NOTE(PREFIX, BYTES)                                                                        \
    void PREFIX##read##BYTES(const char *address) {                                                \
        note_all(address, BYTES, false);                                                           \
    }                                                                                              \
    void PREFIX##write##BYTES(const char *address) {                                               \
        note_all(address, BYTES, true);                                                            \
    }

NOTE(__tsan_, 1)
NOTE(__tsan_, 2)
NOTE(__tsan_, 4)
NOTE(__tsan_, 8)
NOTE(__tsan_, 16)
NOTE(__tsan_unaligned_, 2)
NOTE(__tsan_unaligned_, 4)
NOTE(__tsan_unaligned_, 8)
NOTE(__tsan_unaligned_, 16)

/* Clang calls them by these names. */
void *hip_emulator_memmove(void *to, const void *from, size_t bytes) __asm__("__tsan_memmove");
void *hip_emulator_memcpy(void *to, const void *from, size_t bytes) __asm__("__tsan_memcpy");
void *hip_emulator_memset(void *to, int value, size_t bytes) __asm__("__tsan_memset");
void hip_emulator_init(void) __asm__("__tsan_init");

void *hip_emulator_memmove(void *to, const void *from, size_t bytes) {
    note_all(from, bytes, false);
    note_all(to, bytes, true);
    return memmove(to, from, bytes);
}

void *hip_emulator_memcpy(void *to, const void *from, size_t bytes) {
    return hip_emulator_memmove(to, from, bytes);
}

void *hip_emulator_memset(void *to, int value, size_t bytes) {
    note_all(to, bytes, true);
    return memset(to, value, bytes);
}

void hip_emulator_init(void) {
}

#pragma clang attribute pop
