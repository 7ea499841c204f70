/* Recordings from the parts that a fuzzer can change freely. */
#ifndef JACOBI_TESTS_FUZZ_PARTS_H
#define JACOBI_TESTS_FUZZ_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* The first byte chooses: 0, what follows is a file as it is; else its parts (the first line, then
 * kind, length in two bytes, contents …), which are packed with right check sums, so that what lies
 * behind these is reached. Returns the file, of *file_size bytes, valid until the next call. */
const uint8_t *parts_pack(const uint8_t *bytes, size_t size, size_t *file_size);

/* The contents as zlib has them if it doesn't deflate: setting up its compressor would take longer
 * than all the rest. Returns their size: STORE_MORE above `size`, which is below 64 kB. */
enum { STORE_MORE = 11 };
size_t parts_store(uint8_t *to, const uint8_t *bytes, size_t size);

#endif
