/* The counter of faults.h, and the wrapped system calls: allocations, files, terminals, threads.
 * Allocations by cJSON count as the program's own. */
#include "tests/faults/faults.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cJSON.h>

/* Only the linker refers to the wrappers. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static const char *const kinds[FAULT_KIND_COUNT] = {
    [FAULT_ALLOC] = "alloc:",     [FAULT_FILE] = "file:",     [FAULT_BACKEND] = "backend:",
    [FAULT_OFFLOAD] = "offload:", [FAULT_DRIVER] = "driver:", [FAULT_NAN] = "nan:",
    [FAULT_INF] = "inf:",
};

static struct {
    enum fault_kind kind;
    long at;
    bool on;     /* all later calls fail, too */
    bool survey; /* no call fails */
    int fd;
    atomic_long count;
} fault = {.fd = -1};

int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int fd, const void *from, size_t size);
int __real_fclose(FILE *file);

void *__wrap_malloc(size_t size);

static bool starts_with(const char *text, const char *kind) {
    return strncmp(text, kind, strlen(kind)) == 0;
}

__attribute__((constructor)) static void begin(void) {
    fault_serve();
    const char *text = getenv("JACOBI_FAULT"), *fd = getenv("JACOBI_FAULT_FD");
    if (!text || !fd)
        return;
    while (fault.kind < FAULT_KIND_COUNT && !starts_with(text, kinds[fault.kind]))
        fault.kind++;
    fault.at = atol(strchr(text, ':') + 1);
    fault.on = strchr(text, '+') != NULL;
    fault.survey = strchr(text, '?') != NULL;
    fault.fd = atoi(fd);
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = __wrap_malloc, .free_fn = free});
}

extern const char __executable_start[], etext[];

/* Hashes only the program's own frames: the addresses and inner frames of libraries vary. */
static uint64_t hash_stack(void) {
    enum { FRAMES = 32 };
    void *frames[FRAMES];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const int count = backtrace(frames, FRAMES);
    for (int f = 0; f < count; f++) {
        const char *at = frames[f];
        if (at >= __executable_start && at < etext)
            hash = (hash ^ (uint64_t)(at - __executable_start)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void tell_hit(void) {
    const struct fault_hit hit = {hash_stack(), getpid()};
    if (__real_write(fault.fd, &hit, sizeof hit) != sizeof hit)
        _exit(97);
}

bool fault_comes(enum fault_kind kind, char mark) {
    if (fault.fd < 0 || kind != fault.kind)
        return false;
    if (fault.survey) {
        tell_hit();
        return false;
    }
    const long count = atomic_fetch_add(&fault.count, 1) + 1;
    if (count < fault.at || (count > fault.at && !fault.on))
        return false;
    if (count == fault.at && __real_write(fault.fd, &mark, 1) != 1)
        _exit(97);
    return true;
}

static bool fails(enum fault_kind kind, int reason) {
    if (!fault_comes(kind, '!'))
        return false;
    errno = reason;
    return true;
}

/* Defines the wrapper of call `name`, which on request fails with this errno and result. */
#define FAILING(type, name, parameters, arguments, kind, reason, failed)                           \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        return fails(kind, reason) ? (failed) : __real_##name arguments;                           \
    }

/* ---- memory */

FAILING(void *, malloc, (size_t size), (size), FAULT_ALLOC, ENOMEM, NULL)
FAILING(void *, calloc, (size_t count, size_t size), (count, size), FAULT_ALLOC, ENOMEM, NULL)
FAILING(void *, realloc, (void *old, size_t size), (old, size), FAULT_ALLOC, ENOMEM, NULL)
FAILING(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), FAULT_ALLOC,
        ENOMEM, NULL)
FAILING(char *, strdup, (const char *text), (text), FAULT_ALLOC, ENOMEM, NULL)

static int print(char **to, const char *format, va_list arguments) {
    if (fails(FAULT_ALLOC, ENOMEM)) {
        *to = NULL;
        return -1;
    }
    return vasprintf(to, format, arguments);
}

int __wrap_asprintf(char **to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = print(to, format, arguments);
    va_end(arguments);
    return length;
}

/* The declarations of _FORTIFY_SOURCE. */
int __wrap___asprintf_chk(char **to, int flag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = print(to, format, arguments);
    va_end(arguments);
    return length;
}

FAILING(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
        (at, size, protection, flags, fd, offset), FAULT_ALLOC, ENOMEM, MAP_FAILED)
FAILING(FILE *, open_memstream, (char **text, size_t *size), (text, size), FAULT_ALLOC, ENOMEM,
        NULL)

/* ---- files and other limited resources */

int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_open(path, flags, mode);
}

FAILING(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), FAULT_FILE, EIO, -1)

ssize_t __wrap___read_chk(int fd, void *to, size_t size, size_t room) {
    return __wrap_read(fd, to, size);
}

FAILING(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), FAULT_FILE,
        ENOSPC, -1)
FAILING(int, fsync, (int fd), (fd), FAULT_FILE, EIO, -1)
FAILING(int, rename, (const char *from, const char *to), (from, to), FAULT_FILE, EIO, -1)
FAILING(int, mkostemp, (char *path, int flags), (path, flags), FAULT_FILE, EACCES, -1)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), FAULT_FILE, EACCES, -1)

/* Like Linux: the descriptor is closed in any case. */
FAILING(int, close, (int fd), (fd), FAULT_FILE, EIO, (__real_close(fd), -1))

FAILING(int, ftruncate, (int fd, off_t size), (fd, size), FAULT_FILE, EIO, -1)
FAILING(int, memfd_create, (const char *name, unsigned flags), (name, flags), FAULT_FILE, EMFILE,
        -1)
FAILING(int, pipe2, (int fd[2], int flags), (fd, flags), FAULT_FILE, EMFILE, -1)
FAILING(int, eventfd, (unsigned value, int flags), (value, flags), FAULT_FILE, EMFILE, -1)
FAILING(int, timerfd_create, (int clock, int flags), (clock, flags), FAULT_FILE, EMFILE, -1)
FAILING(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), FAULT_FILE,
        EMFILE, -1)
FAILING(int, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*function)(void *),
         void *argument),
        (thread, attributes, function, argument), FAULT_FILE, EAGAIN, EAGAIN)
FAILING(DIR *, opendir, (const char *path), (path), FAULT_FILE, EMFILE, NULL)

/* ---- streams */

/* Sets glibc's flag for a failed read or write, which ferror reports. NULL: does nothing. */
static void spoil(FILE *file) {
    enum { ERROR_SEEN = 0x20 };
    if (file)
        file->_flags |= ERROR_SEEN;
}

FAILING(FILE *, fopen, (const char *path, const char *mode), (path, mode), FAULT_FILE, EMFILE, NULL)
FAILING(FILE *, fdopen, (int fd, const char *mode), (fd, mode), FAULT_FILE, ENOMEM, NULL)

int __wrap_fclose(FILE *file) {
    /* A reader of the standard output may have lost its end: that is always an error. */
    const bool failed = fault_comes(FAULT_FILE, file == stdout ? '1' : '!');
    const int result = __real_fclose(file);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : result;
}

FAILING(int, fflush, (FILE * file), (file), FAULT_FILE, ENOSPC, (spoil(file), EOF))
FAILING(int, getc, (FILE * file), (file), FAULT_FILE, EIO, (spoil(file), EOF))
FAILING(char *, fgets, (char *to, int size, FILE *file), (to, size, file), FAULT_FILE, EIO,
        (spoil(file), NULL))
FAILING(size_t, fread, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file),
        FAULT_FILE, EIO, (spoil(file), 0))

char *__wrap___fgets_chk(char *to, size_t room, int size, FILE *file) {
    return __wrap_fgets(to, size, file);
}

size_t __wrap___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file) {
    return __wrap_fread(to, size, count, file);
}
