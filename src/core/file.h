/* Reads and writes the user's files: recordings, pictures, settings, presets, tours, caches.
 *
 * - Only regular files are read, without blocking and up to a size, or replaced.
 * - A file is written under another name and renamed once all of it, or its first record, is on the
 *   disk. Then it grows by whole records: a killed program leaves at most the last one cut short.
 * - An existing name is refused unless the caller may replace it. A symbolic link counts as
 * existing; its target is replaced.
 * - Every failure is reported once, with the file's name, up to the last close. */
#ifndef JACOBI_CORE_FILE_H
#define JACOBI_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Reads a file of at most `most` bytes. *bytes is to be freed; a '\0' follows its *size bytes.
 * STATUS_BAD_INPUT if it is not a regular file, larger, or can't be read; STATUS_INTERNAL if memory
 * ran out. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
                      struct error *error);

/* The same of the bytes after the first `from`, for a file that grows. */
enum status file_read_from(const char *path, size_t from, size_t most, char **bytes, size_t *size,
                           struct error *error);

/* Writes a whole file. STATUS_BAD_INPUT if there is one and `replace` is false; STATUS_INTERNAL if
 * it can't be written: then there is what was there before. */
enum status file_write(const char *path, bool replace, const void *bytes, size_t size,
                       struct error *error);

/* Fails now if file_write would refuse that name, so that no run is lost. */
enum status file_check(const char *path, bool replace, struct error *error);

/* Whether the name exists, even as a dangling symbolic link. */
bool file_exists(const char *path);

/* ---- Files that grow by records. */

struct file_writer;

/* Creates an empty file if the name is free. A file to be replaced stays until the first record.
 * Statuses as those of file_write. */
enum status file_writer_open(const char *path, bool replace, struct file_writer **writer,
                             struct error *error);

/* Appends a whole record. If that fails (disk full) the file is cut back to the records before, and
 * later calls do nothing. */
enum status file_writer_append(struct file_writer *writer, const void *record, size_t size,
                               struct error *error);

/* Bytes of all whole records. */
long file_writer_size(const struct file_writer *writer);

/* Syncs the file and frees the writer. Without a record, or with `keep` false, no file is left, and
 * nothing is replaced. STATUS_INTERNAL if the records are not on the disk, unless
 * file_writer_append has reported it. NULL is allowed. */
enum status file_writer_close(struct file_writer *writer, bool keep, struct error *error);

/* ---- Locks among processes. */

/* Waits for the lock of that name, at most LIMIT_LOCK. Creates the file if need be, and leaves it.
 * Returns a descriptor, whose close releases the lock, or -1. A file system without locks grants
 * every request. */
int file_lock(const char *path);

#endif
