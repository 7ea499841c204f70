/* Recordings composed of parts that a fuzzer can change freely. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first byte selects the format: 0, an unchanged file follows; else its parts (the first line,
 * then kind, length in two bytes, contents …). The parts are packed with correct checksums, so that
 * the code behind the checks is reached. Returns the file, of *file_size bytes, valid until the
 * next call. */
const uint8_t *parts_pack(const uint8_t *bytes, size_t size, size_t *file_size);

/* The contents in zlib format without compression: setting up its compressor would take longer than
 * everything else. Returns their size: STORE_MORE above `size`, which is below 64 kB. */
enum { STORE_MORE = 11 };
size_t parts_store(uint8_t *to, const uint8_t *bytes, size_t size);
