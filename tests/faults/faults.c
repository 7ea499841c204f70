/* The counter of faults.h, and the calls of the system: allocations, files, terminals, threads.
 * cJSON's allocations count, too: it makes them for us. */
#include "tests/faults/faults.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cJSON.h>

static const char *const kinds[FAULT_KIND_COUNT] = {
    [FAULT_ALLOC] = "alloc:",     [FAULT_FILE] = "file:",     [FAULT_BACKEND] = "backend:",
    [FAULT_OFFLOAD] = "offload:", [FAULT_DRIVER] = "driver:", [FAULT_NAN] = "nan:",
    [FAULT_INF] = "inf:",
};

static struct {
    enum fault_kind kind;
    long at;
    bool on;     /* all after it, too */
    bool survey; /* none fails */
    int fd;
    atomic_long count;
} fault = {.fd = -1};

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *to, size_t size);
ssize_t __real_write(int fd, const void *from, size_t size);
int __real_fsync(int fd);
int __real_rename(const char *from, const char *to);
int __real_mkostemp(char *path, int flags);
int __real_mkdir(const char *path, mode_t mode);
int __real_close(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_memfd_create(const char *name, unsigned flags);
int __real_pipe2(int fd[2], int flags);
int __real_eventfd(unsigned value, int flags);
int __real_timerfd_create(int clock, int flags);
int __real_signalfd(int fd, const sigset_t *set, int flags);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
DIR *__real_opendir(const char *path);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__real_open_memstream(char **text, size_t *size);
int __real_fclose(FILE *file);
int __real_fflush(FILE *file);
int __real_getc(FILE *file);
char *__real_fgets(char *to, int size, FILE *file);
size_t __real_fread(void *to, size_t size, size_t count, FILE *file);

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

/* Libraries lie anywhere, and what they do in between is theirs: their frames do not count. */
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

/* ---- memory */

void *__wrap_malloc(size_t size) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_strdup(text);
}

static int print(char **to, const char *format, va_list arguments) {
    if (fails(FAULT_ALLOC, ENOMEM)) {
        *to = NULL;
        return -1;
    }
    return vasprintf(to, format, arguments);
}

int __wrap_asprintf(char **to, const char *format, ...);
int __wrap_asprintf(char **to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = print(to, format, arguments);
    va_end(arguments);
    return length;
}

/* As _FORTIFY_SOURCE has it. */
int __wrap___asprintf_chk(char **to, int flag, const char *format, ...);
int __wrap___asprintf_chk(char **to, int flag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = print(to, format, arguments);
    va_end(arguments);
    return length;
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return fails(FAULT_ALLOC, ENOMEM) ? MAP_FAILED
                                      : __real_mmap(at, size, protection, flags, fd, offset);
}

FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size) {
    return fails(FAULT_ALLOC, ENOMEM) ? NULL : __real_open_memstream(text, size);
}

/* ---- files and what else there are only so many of */

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_open(path, flags, mode);
}

ssize_t __wrap_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size) {
    return fails(FAULT_FILE, EIO) ? -1 : __real_read(fd, to, size);
}

ssize_t __wrap___read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __wrap___read_chk(int fd, void *to, size_t size, size_t room) {
    return __wrap_read(fd, to, size);
}

ssize_t __wrap_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size) {
    return fails(FAULT_FILE, ENOSPC) ? -1 : __real_write(fd, from, size);
}

int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
    return fails(FAULT_FILE, EIO) ? -1 : __real_fsync(fd);
}

int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
    return fails(FAULT_FILE, EIO) ? -1 : __real_rename(from, to);
}

int __wrap_mkostemp(char *path, int flags);
int __wrap_mkostemp(char *path, int flags) {
    return fails(FAULT_FILE, EACCES) ? -1 : __real_mkostemp(path, flags);
}

int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode) {
    return fails(FAULT_FILE, EACCES) ? -1 : __real_mkdir(path, mode);
}

/* As Linux does it: closed in any case. */
int __wrap_close(int fd);
int __wrap_close(int fd) {
    const bool failed = fails(FAULT_FILE, EIO);
    const int result = __real_close(fd);
    return failed ? -1 : result;
}

int __wrap_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size) {
    return fails(FAULT_FILE, EIO) ? -1 : __real_ftruncate(fd, size);
}

int __wrap_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags) {
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_memfd_create(name, flags);
}

int __wrap_pipe2(int fd[2], int flags);
int __wrap_pipe2(int fd[2], int flags) {
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_pipe2(fd, flags);
}

int __wrap_eventfd(unsigned value, int flags);
int __wrap_eventfd(unsigned value, int flags) {
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_eventfd(value, flags);
}

int __wrap_timerfd_create(int clock, int flags);
int __wrap_timerfd_create(int clock, int flags) {
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_timerfd_create(clock, flags);
}

int __wrap_signalfd(int fd, const sigset_t *set, int flags);
int __wrap_signalfd(int fd, const sigset_t *set, int flags) {
    return fails(FAULT_FILE, EMFILE) ? -1 : __real_signalfd(fd, set, flags);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument) {
    return fails(FAULT_FILE, EAGAIN)
               ? EAGAIN
               : __real_pthread_create(thread, attributes, function, argument);
}

DIR *__wrap_opendir(const char *path);
DIR *__wrap_opendir(const char *path) {
    return fails(FAULT_FILE, EMFILE) ? NULL : __real_opendir(path);
}

/* ---- streams */

/* What glibc sets when a read or a write failed: ferror then says so. */
static void spoil(FILE *file) {
    enum { ERROR_SEEN = 0x20 };
    file->_flags |= ERROR_SEEN;
}

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode) {
    return fails(FAULT_FILE, EMFILE) ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode) {
    return fails(FAULT_FILE, ENOMEM) ? NULL : __real_fdopen(fd, mode);
}

int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) {
    /* What reads the standard output may have lost the end of it: that is always an error. */
    const bool failed = fault_comes(FAULT_FILE, file == stdout ? '1' : '!');
    const int result = __real_fclose(file);
    if (failed)
        errno = ENOSPC;
    return failed ? EOF : result;
}

int __wrap_fflush(FILE *file);
int __wrap_fflush(FILE *file) {
    if (!fails(FAULT_FILE, ENOSPC))
        return __real_fflush(file);
    if (file)
        spoil(file);
    return EOF;
}

int __wrap_getc(FILE *file);
int __wrap_getc(FILE *file) {
    if (!fails(FAULT_FILE, EIO))
        return __real_getc(file);
    spoil(file);
    return EOF;
}

char *__wrap_fgets(char *to, int size, FILE *file);
char *__wrap_fgets(char *to, int size, FILE *file) {
    if (!fails(FAULT_FILE, EIO))
        return __real_fgets(to, size, file);
    spoil(file);
    return NULL;
}

char *__wrap___fgets_chk(char *to, size_t room, int size, FILE *file);
char *__wrap___fgets_chk(char *to, size_t room, int size, FILE *file) {
    return __wrap_fgets(to, size, file);
}

size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file);
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file) {
    if (!fails(FAULT_FILE, EIO))
        return __real_fread(to, size, count, file);
    spoil(file);
    return 0;
}

size_t __wrap___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file);
size_t __wrap___fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file) {
    return __wrap_fread(to, size, count, file);
}
