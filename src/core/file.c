#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/format.h"
#include "core/limits.h"
#include "core/system.h"

static const char not_regular[] = "it is not a regular file";

/* ---- reading -------------------------------------------------------------------------------- */

static enum status cannot_read(const char *path, const char *why, struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "%s can't be read: %s", path, why);
}

/* The identities of the files that were read; of more files, the last ones. */
static struct {
    pthread_mutex_t mutex;
    struct {
        dev_t device;
        ino_t number;
    } files[64];
    unsigned count;
} read_before = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static bool find_read(const struct stat *about, bool adds) {
    const unsigned most = sizeof read_before.files / sizeof *read_before.files;
    unsigned f = 0;
    pthread_mutex_lock(&read_before.mutex);
    const unsigned count = read_before.count < most ? read_before.count : most;
    while (f < count && (read_before.files[f].device != about->st_dev ||
                         read_before.files[f].number != about->st_ino))
        f++;
    if (f == count && adds) {
        read_before.files[read_before.count % most].device = about->st_dev;
        read_before.files[read_before.count++ % most].number = about->st_ino;
    }
    pthread_mutex_unlock(&read_before.mutex);
    return f < count;
}

bool file_was_read(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && find_read(&about, false);
}

static enum status read_regular(int file, const char *path, size_t from, size_t most, char **bytes,
                                size_t *size, struct error *error) {
    struct stat about;
    char limit[64] = "larger than ";
    if (fstat(file, &about))
        return cannot_read(path, strerror(errno), error);
    if (!S_ISREG(about.st_mode))
        return cannot_read(path, S_ISDIR(about.st_mode) ? "it is a folder" : not_regular, error);
    find_read(&about, true);
    if (from > 0 && lseek(file, (off_t)from, SEEK_SET) < 0)
        return cannot_read(path, strerror(errno), error);
    /* One byte more detects the end: files of /proc report no size. */
    const size_t told = (size_t)about.st_size > from ? (size_t)about.st_size - from : 0;
    size_t room = (told < most ? told : most) + 1, used = 0;
    char *buffer = malloc(room + 1);
    ssize_t got = 1;
    while (buffer && got > 0 && used <= most) {
        got = read(file, buffer + used, room - used);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            used += (size_t)got;
        if (used == room && used <= most) {
            room = room < most / 2 ? 2 * room : most + 1;
            char *larger = realloc(buffer, room + 1);
            if (!larger)
                free(buffer);
            buffer = larger;
        }
    }
    if (!buffer)
        return error_set(error, STATUS_INTERNAL, "%s: out of memory", path);
    if (got < 0 || used > most) {
        const char *why = got < 0 ? strerror(errno) : limit;
        format_bytes(limit + strlen(limit), sizeof limit - strlen(limit), (double)most);
        free(buffer);
        return cannot_read(path, why, error);
    }
    buffer[used] = '\0';
    *bytes = buffer;
    *size = used;
    return STATUS_OK;
}

enum status file_read(const char *path, size_t most, char **bytes, size_t *size,
                      struct error *error) {
    return file_read_from(path, 0, most, bytes, size, error);
}

enum status file_read_from(const char *path, size_t from, size_t most, char **bytes, size_t *size,
                           struct error *error) {
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return cannot_read(path, strerror(errno), error);
    const enum status status = read_regular(file, path, from, most, bytes, size, error);
    close(file);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

struct file_writer {
    char *name;      /* as passed by the caller */
    char *target;    /* the file that symbolic links lead to */
    char *temporary; /* the file's name before the first record */
    struct stat old; /* of the file that now has the name: its owner and permissions are kept */
    bool claimed;    /* the name was free; an empty file reserves it */
    int descriptor;  /* -1 before the first record */
    bool failed;     /* ignore later records */
    long size;
};

static enum status cannot_write(const char *name, const char *why, struct error *error) {
    return error_set(error, STATUS_INTERNAL, "%s can't be written: %s", name, why);
}

static void file_writer_free(struct file_writer *writer) {
    free(writer->name);
    free(writer->target);
    free(writer->temporary);
    free(writer);
}

/* Whether one of this process's descriptors, such as standard output, writes to that file. */
static bool is_written_to(const struct stat *file) {
    enum { LOOKED_AT = 16 };
    struct stat about;
    for (int fd = 1; fd < LOOKED_AT; fd++) {
        const int flags = fcntl(fd, F_GETFL);
        if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &about) == 0 &&
            about.st_ino == file->st_ino && about.st_dev == file->st_dev)
            return true;
    }
    return false;
}

/* Creates the file, or checks the existing one. */
static enum status claim_name(struct file_writer *writer, bool replace, struct error *error) {
    const char *name = writer->name;
    const int made = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    writer->claimed = made >= 0;
    if (made >= 0)
        close(made);
    else if (errno == EEXIST && !replace)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: the file exists already: --overwrite replaces it", name);
    else if (errno != EEXIST)
        return cannot_write(name, strerror(errno), error);
    writer->target = realpath(name, NULL);
    if (!writer->target && errno == ENOENT)
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: a symbolic link to a missing file: expected a file or a free name",
                         name);
    if (!writer->target || stat(writer->target, &writer->old) ||
        (!writer->claimed && access(writer->target, W_OK)))
        return cannot_write(name, strerror(errno), error);
    if (!S_ISREG(writer->old.st_mode))
        return cannot_write(name, not_regular, error);
    if (is_written_to(&writer->old))
        return error_set(error, STATUS_BAD_INPUT,
                         "%s: expected a file other than the one that this program writes", name);
    /* The temporary file is in the same folder; its name, too, has at most 255 bytes. */
    const char *base = strrchr(writer->target, '/') + 1;
    const int folder = (int)(base - writer->target), kept = 255 - (int)strlen(".XXXXXX");
    if (asprintf(&writer->temporary, "%.*s%.*s.XXXXXX", folder, writer->target, kept, base) < 0) {
        writer->temporary = NULL;
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    return STATUS_OK;
}

enum status file_writer_open(const char *path, bool replace, struct file_writer **writer,
                             struct error *error) {
    struct file_writer *made = calloc(1, sizeof *made);
    if (!made || !(made->name = strdup(path))) {
        free(made);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    made->descriptor = -1;
    const enum status status = claim_name(made, replace, error);
    if (made->temporary) {
        *writer = made;
        return STATUS_OK;
    }
    if (made->claimed)
        unlink(path);
    file_writer_free(made);
    return status;
}

static bool write_all(int descriptor, const char *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t wrote = write(descriptor, bytes + done, size - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote == 0 || errno != EINTR)
            return false;
    }
    return true;
}

/* Whether the name that was free still belongs to our empty file. */
static bool is_free(const struct file_writer *writer) {
    struct stat about;
    if (!writer->claimed || stat(writer->target, &about) != 0 ||
        (about.st_ino == writer->old.st_ino && about.st_size == 0))
        return true;
    errno = EEXIST;
    return false;
}

/* Writes the first record, then gives the file its name. */
static bool begin_file(struct file_writer *writer, const void *record, size_t size) {
    writer->descriptor = mkostemp(writer->temporary, O_APPEND | O_CLOEXEC);
    if (writer->descriptor < 0)
        return false;
    /* mkostemp creates private files. */
    (void)!fchown(writer->descriptor, writer->old.st_uid, writer->old.st_gid);
    (void)!fchmod(writer->descriptor, writer->old.st_mode & 0777);
    if (write_all(writer->descriptor, record, size) && fsync(writer->descriptor) == 0 &&
        is_free(writer) && rename(writer->temporary, writer->target) == 0)
        return true;
    const int reason = errno;
    unlink(writer->temporary);
    errno = reason;
    return false;
}

enum status file_writer_append(struct file_writer *writer, const void *record, size_t size,
                               struct error *error) {
    if (writer->failed)
        return STATUS_OK;
    writer->failed = writer->descriptor < 0 ? !begin_file(writer, record, size)
                                            : !write_all(writer->descriptor, record, size);
    if (!writer->failed) {
        writer->size += (long)size;
        return STATUS_OK;
    }
    const char *why = strerror(errno);
    if (writer->size == 0)
        return cannot_write(writer->name, why, error);
    error_set(error, STATUS_INTERNAL, "%s: writing stopped after %s: %s", writer->name,
              AS(format_bytes, (double)writer->size), why);
    return ftruncate(writer->descriptor, writer->size)
               ? error_prefix(error, "the last record is damaged")
               : STATUS_INTERNAL;
}

long file_writer_size(const struct file_writer *writer) {
    return writer->size;
}

enum status file_writer_close(struct file_writer *writer, bool keep, struct error *error) {
    enum status status = STATUS_OK;
    if (!writer)
        return status;
    bool bad = false;
    if (writer->descriptor >= 0) {
        bad = keep && fsync(writer->descriptor);
        bad |= close(writer->descriptor) != 0;
    }
    if (bad && keep && !writer->failed)
        status = cannot_write(writer->name, strerror(errno), error);
    if (writer->size > 0 ? !keep : writer->claimed && is_free(writer))
        unlink(writer->target);
    file_writer_free(writer);
    return status;
}

enum status file_write(const char *path, bool replace, const void *bytes, size_t size,
                       struct error *error) {
    struct file_writer *writer = NULL;
    enum status status = file_writer_open(path, replace, &writer, error);
    if (!writer)
        return status;
    const bool is_new = writer->claimed;
    status = file_writer_append(writer, bytes, size, error);
    const enum status closed = file_writer_close(writer, !status, error);
    if (!status && closed && is_new)
        unlink(path);
    return status ? status : closed;
}

enum status file_check(const char *path, bool replace, struct error *error) {
    struct file_writer *writer = NULL;
    enum status status = file_writer_open(path, replace, &writer, error);
    const int trial = writer ? mkostemp(writer->temporary, O_CLOEXEC) : -1;
    if (writer && trial < 0)
        status = cannot_write(path, strerror(errno), error);
    if (trial >= 0) {
        close(trial);
        unlink(writer->temporary);
    }
    const enum status closed = file_writer_close(writer, false, status ? NULL : error);
    return status ? status : closed;
}

bool file_exists(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0;
}

/* ---- locks ---------------------------------------------------------------------------------- */

int file_lock(const char *path) {
    const struct timespec nap = {.tv_nsec = 5000000};
    const int64_t end_ns = clock_awake_ns() + limit_ns(LIMIT_LOCK);
    const int file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    while (file >= 0) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
            return file;
        if (clock_awake_ns() >= end_ns)
            break;
        nanosleep(&nap, NULL);
    }
    if (file >= 0)
        close(file);
    return -1;
}
