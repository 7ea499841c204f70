/* Every file that the program reads for the user or writes: recordings, screencasts, pictures,
 * settings, presets, tours, caches. One rule holds for all of them:
 *
 * - Only regular files are read, without waiting for anybody and up to a size, and only regular
 *   files are replaced.
 * - A file is written beside its name and takes it when all of it, or its first record, is on the
 *   disk. After that it grows by whole records. What a failure or a killed program leaves is whole,
 *   but for a last record that a reader can tell is cut short.
 * - A name that is taken is refused unless the caller may replace what it has. A symbolic link is a
 *   name that is taken; what is replaced is the file that it leads to, and the link stays.
 * - Every failure is told once, with the file's name, up to and including the last close. */
#ifndef JACOBI_CORE_FILE_H
#define JACOBI_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Reads a file of at most `most` bytes. *bytes is to be freed; a '\0' follows its *size bytes.
 * STATUS_BAD_INPUT if it is no regular file, larger, or can't be read; STATUS_INTERNAL if memory
 * ran out. */
enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
                      struct error *error);

/* The same of what follows the first `from` bytes: what has come to a file that grows. */
enum status file_read_from(const char *path, size_t from, size_t most, char **bytes, size_t *size,
                           struct error *error);

/* Writes a whole file. STATUS_BAD_INPUT if there is one and `replace` is false; STATUS_INTERNAL if
 * it can't be written: then there is what was there before. */
enum status file_write(const char *path, bool replace, const void *bytes, size_t size,
                       struct error *error);

/* Says at once what file_write would say of that name, so that nobody computes for nothing. */
enum status file_check(const char *path, bool replace, struct error *error);

/* Whether the name is taken, be it by a symbolic link that leads nowhere. */
bool file_exists(const char *path);

/* ---- Files that grow by records. */

struct file_writer;

/* Takes the name, if it is free, by an empty file. Statuses as those of file_write. What is to be
 * replaced stays as it is until the first record. */
enum status file_writer_open(const char *path, bool replace, struct file_writer **writer,
                             struct error *error);

/* Appends a record in one piece. If that fails (disk full) the file is cut back to the records
 * before, STATUS_INTERNAL is returned, and from then on nothing happens. */
enum status file_writer_append(struct file_writer *writer, const void *record, size_t size,
                               struct error *error);

/* Bytes of all whole records. */
long file_writer_size(const struct file_writer *writer);

/* Brings the file onto the disk and frees the writer. Without a record, or with `keep` false, no
 * file is left; one that a record would have replaced stays. STATUS_INTERNAL if the records are not
 * on the disk, unless file_writer_append has told of it. NULL is allowed. */
enum status file_writer_close(struct file_writer *writer, bool keep, struct error *error);

/* ---- Locks among processes. */

/* Waits for the lock of that name, at most LIMIT_LOCK. Creates the file if need be, and leaves it.
 * Returns a descriptor, whose close releases the lock, or -1. A file system without locks grants
 * every request. */
int file_lock(const char *path);

#endif
