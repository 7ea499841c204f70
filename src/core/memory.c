#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t nine_tenths(uint64_t bytes) {
    return bytes - bytes / 10;
}

static uint64_t installed(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The first line of `path` that `format` can read a number of; UINT64_MAX where there is none. */
static uint64_t read_number(const char *path, const char *format, uint64_t unit) {
    FILE *file = fopen(path, "re");
    char line[256];
    uint64_t number;
    uint64_t found = UINT64_MAX;
    while (file && found == UINT64_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, format, &number) == 1 && number < UINT64_MAX / unit)
            found = number * unit;
    if (file)
        fclose(file);
    return found;
}

static uint64_t own_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

uint64_t memory_usable(void) {
    static const char *const groups[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    uint64_t bytes = nine_tenths(installed());
    bytes = least(bytes, read_number("/proc/meminfo", "MemAvailable: %" SCNu64 " kB", 1024));
    for (int g = 0; g < 2; g++)
        bytes = least(bytes, nine_tenths(read_number(groups[g], "%" SCNu64, 1)));
    return least(bytes, own_limit());
}
