/* Reads and writes the user's files: recordings, pictures, settings, presets, tours, caches.
 *
 * - Only regular files are read or replaced. Reading never blocks and is limited in size.
 * - A file is written under a temporary name and renamed once all of it, or its first record, is on
 *   the disk. It then grows by whole records: a killed program leaves at most a truncated last one.
 * - An existing name is refused unless the caller may replace it. A symbolic link counts as
 *   existing; its target is replaced.
 * - Each failure is reported once, with the file's name, including failures of the last close. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Reads a file of at most `most` bytes; file_read_from skips the first `from`. The caller frees
 * *bytes; a '\0' follows its *size bytes. STATUS_BAD_INPUT if it is not a regular file, is larger,
 * or can't be read; STATUS_INTERNAL if out of memory. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
                      struct error *error);
enum status file_read_from(const char *path, size_t from, size_t most, char **bytes, size_t *size,
                           struct error *error);

/* Whether this process has read the file, under any name: it remembers 64 files. */
bool file_was_read(const char *path);

/* Writes a whole file. STATUS_BAD_INPUT if it exists and `replace` is false. STATUS_INTERNAL if it
 * can't be written; the previous file is then unchanged. */
enum status file_write(const char *path, bool replace, const void *bytes, size_t size,
                       struct error *error);

/* Fails early if file_write would refuse that name, so that no run is lost. */
enum status file_check(const char *path, bool replace, struct error *error);

/* Whether the name exists, even as a dangling symbolic link. */
bool file_exists(const char *path);

/* ---- Files that grow by records */

struct file_writer;

/* Creates an empty file if the name is free. A file to be replaced remains until the first record.
 * Returns the same statuses as file_write. */
enum status file_writer_open(const char *path, bool replace, struct file_writer **writer,
                             struct error *error);

/* Appends a whole record. If that fails (disk full), the file is truncated to the earlier records,
 * and later calls do nothing. */
enum status file_writer_append(struct file_writer *writer, const void *record, size_t size,
                               struct error *error);

/* Of all whole records, in bytes. */
long file_writer_size(const struct file_writer *writer);

/* Syncs the file and frees the writer; NULL is allowed. Without a record, or if `keep` is false,
 * leaves no file and replaces none. STATUS_INTERNAL if the records are not on the disk, unless
 * file_writer_append has reported it. */
enum status file_writer_close(struct file_writer *writer, bool keep, struct error *error);

/* ---- Locks between processes */

/* Waits for the lock of that name, at most LIMIT_LOCK. Creates the file if necessary and leaves it.
 * Returns a descriptor, whose close releases the lock, or -1. A file system without locks grants
 * every request. */
int file_lock(const char *path);
