#include "core/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_info.h"

/* Whether a path that begins with the program's folder leads through files of root, this user, and
 * the owners of the program and its folder. In a folder such as /tmp others may create files. */
static bool is_trusted(char *path, size_t folder) {
    struct stat program = {.st_uid = geteuid()}, first = program, about;
    bool trusted = true;
    stat("/proc/self/exe", &program);
    for (size_t end = folder; trusted && end <= strlen(path);) {
        const char kept = path[end];
        path[end] = '\0';
        if (end == folder)
            stat(path, &first);
        else if (strcmp(path + end - 2, "..") != 0)
            trusted = lstat(path, &about) == 0 &&
                      (about.st_uid == 0 || about.st_uid == geteuid() ||
                       about.st_uid == program.st_uid || about.st_uid == first.st_uid);
        path[end] = kept;
        end += 1 + (kept ? strcspn(path + end + 1, "/") : 0);
    }
    return trusted;
}

bool program_path(char *buffer, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
    if (length > 0) {
        buffer[length] = '\0';
        return true;
    }
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): so the kernel gives it */
    const char *called = (const char *)getauxval(AT_EXECFN);
    char *found = called ? realpath(called, NULL) : NULL;
    const bool fits = found && strlen(found) < size;
    if (fits)
        strcpy(buffer, found);
    free(found);
    return fits;
}

/* Finds NAME in the first of the folders that has it. They are absolute, or relative to the
 * program's folder. */
static bool find_installed(char *buffer, size_t size, const char *const folders[],
                           const char *name) {
    char program[PATH_SIZE];
    if (!program_path(program, sizeof program))
        return false;
    strrchr(program, '/')[1] = '\0';
    for (; *folders; folders++) {
        const char *const above = **folders == '/' ? "" : program;
        const int length = snprintf(buffer, size, "%s%s%s", above, *folders, name);
        if (length > 0 && (size_t)length < size && access(buffer, R_OK) == 0 &&
            (!*above || is_trusted(buffer, strlen(program) - 1)))
            return true;
    }
    return false;
}

bool data_path(char *buffer, size_t size, const char *relative) {
    static const char *const folders[] = {"", BUILD_DATA, NULL};
    return find_installed(buffer, size, folders, relative);
}

bool recording_path(char *buffer, size_t size, const char *name) {
    char relative[PATH_SIZE + 32];
    snprintf(relative, sizeof relative, "recordings/%s.rec", name);
    if (!strchr(name, '/') && access(name, F_OK) != 0 && data_path(buffer, size, relative))
        return true;
    snprintf(buffer, size, "%s", name);
    return access(name, F_OK) == 0;
}

bool module_path(char *buffer, size_t size, const char *name) {
    static const char *const folders[] = {"kernels/omp/", "../kernels/omp/", "src/mpi/",
                                          "../src/mpi/",  BUILD_MODULES,     NULL};
    return find_installed(buffer, size, folders, name);
}

/* The XDG rule: the variable if it holds an absolute path, else its default in the home. */
bool user_path(char *buffer, size_t size, enum user_folder folder, const char *name) {
    static const char *const folders[][2] = {[USER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
                                             [USER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
                                             [USER_DATA] = {"XDG_DATA_HOME", ".local/share"}};
    const char *base = getenv(folders[folder][0]), *home = getenv("HOME");
    int length = 0;
    if (base && base[0] == '/')
        length = snprintf(buffer, size, "%s/jacobi-tui/%s", base, name);
    else if (home && home[0] == '/')
        length = snprintf(buffer, size, "%s/%s/jacobi-tui/%s", home, folders[folder][1], name);
    return length > 0 && (size_t)length < size;
}

bool path_make_folders(const char *path) {
    char folder[PATH_SIZE];
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    bool there = true;
    int reason = 0; /* of the first folder that is missing; later ones fail because of it */
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        there = mkdir(folder, 0700) == 0 || errno == EEXIST;
        reason = there || reason ? reason : errno;
        *slash = '/';
    }
    errno = reason;
    return there;
}

bool user_folder_is_own(enum user_folder folder) {
    char path[PATH_SIZE];
    struct stat about;
    if (!user_path(path, sizeof path, folder, "") || stat(path, &about) != 0)
        return false;
    errno = EPERM;
    return about.st_uid == geteuid();
}
