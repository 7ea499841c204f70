#include "kernels/cpu/cpu_name.h"

#include <stdio.h>
#include <string.h>

char *host_cpu_name(char *buffer, size_t size) {
    char line[256], name[128];
    snprintf(buffer, size, "CPU");
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    if (!cpuinfo)
        return buffer;
    while (fgets(line, sizeof line, cpuinfo))
        if (sscanf(line, "model name : %127[^\n]", name) == 1) {
            snprintf(buffer, size, "%s", name);
            break;
        }
    fclose(cpuinfo);
    return buffer;
}
