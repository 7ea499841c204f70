#include "exercise/compiler.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/format.h"
#include "core/system.h"
#include "core/text.h"
#include "omp-paths.h"

/* ---- files ---------------------------------------------------------------------------------- */

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct source_file *)a)->path, ((const struct source_file *)b)->path);
}

/* Fills unused entries with zeros, so that lists can be compared. */
static void list_files(const struct source_folder *folder, struct source_files *list) {
    DIR *entries = opendir(folder->path);
    memset(list, 0, sizeof *list);
    for (struct dirent *entry; entries && !list->has_more && (entry = readdir(entries));) {
        struct source_file last = {.size = 0};
        struct source_file *file = list->count < FILES_MAX ? &list->files[list->count] : &last;
        struct stat about;
        memset(file, 0, sizeof *file);
        if (entry->d_name[0] == '.' || !text_ends_in(entry->d_name, folder->suffix) ||
            snprintf(file->path, PATH_SIZE, "%s/%s", folder->path, entry->d_name) >= PATH_SIZE ||
            stat(file->path, &about) || !S_ISREG(about.st_mode)) {
            memset(file, 0, sizeof *file);
            continue;
        }
        file->inode = about.st_ino;
        file->size = about.st_size;
        file->changed = about.st_mtim;
        list->has_more = file == &last;
        list->count += file != &last;
    }
    if (entries)
        closedir(entries);
    qsort(list->files, (size_t)list->count, sizeof *list->files, compare_files);
}

int source_folder_list(struct source_folder *folder) {
    list_files(folder, &folder->current);
    return folder->current.count;
}

bool source_folder_changed(struct source_folder *folder) {
    enum { LOOK_NS = 50000000 };
    const int64_t time = clock_now_ns();
    if (time - folder->looked_ns < LOOK_NS)
        return false;
    const struct source_files before = folder->seen;
    folder->looked_ns = time;
    list_files(folder, &folder->seen);
    if (folder->seen.count == 0 || memcmp(&folder->seen, &before, sizeof before) != 0 ||
        memcmp(&folder->seen, &folder->current, sizeof before) == 0)
        return false;
    folder->current = folder->seen;
    return true;
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place) {
    return remove(path);
}

void remove_tree(const char *path) {
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void remove_leftovers(const char *own) {
    enum { DAY_SECONDS = 86400 };
    char path[PATH_SIZE + 300];
    const int length = (int)(strrchr(own, '/') - own);
    snprintf(path, sizeof path, "%.*s", length, own);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char *end;
        const long pid = strtol(entry->d_name, &end, 10);
        struct stat about;
        snprintf(path, sizeof path, "%.*s/%s", length, own, entry->d_name);
        if (pid > 0 && *end == '-' && kill((pid_t)pid, 0) && errno == ESRCH &&
            lstat(path, &about) == 0 && about.st_mtime + DAY_SECONDS < time(NULL))
            remove_tree(path);
    }
    if (entries)
        closedir(entries);
}

/* ---- the command line ----------------------------------------------------------------------- */

static void add_arguments(struct compiler *compiler, const char *const *arguments, size_t count) {
    for (size_t a = 0; a < count && compiler->count < COMPILER_ARGUMENTS_MAX - 1; a++)
        compiler->arguments[compiler->count++] = (char *)arguments[a];
}

#define ADD(...)                                                                                   \
    add_arguments(compiler, (const char *const[]){__VA_ARGS__},                                    \
                  sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* C with target regions, for a GPU or for the host device. Only at link time does clang find its
 * device runtime for every GPU. */
static void add_offload(struct compiler *compiler, const char *architecture,
                        const char *const *files, int file_count) {
    static const char *const paths[] = {OMP_NVIDIA, OMP_AMD};
    const char *const path = paths[strncmp(architecture, "gfx", 3) == 0];
    const char *const folder = strchr(path, '/');
    snprintf(compiler->architecture, sizeof compiler->architecture, "%s%s",
             *architecture ? "--offload-arch=" : "-fopenmp-targets=x86_64-pc-linux-gnu",
             architecture);
    ADD("-std=gnu11", "-fPIC", "-shared", "-fopenmp", "-Wl,--enable-new-dtags,-Bsymbolic", "-L",
        OMP_LIBRARIES, "-lomptarget", "-Xlinker", "-rpath", "-Xlinker", OMP_LIBRARIES,
        compiler->architecture);
    if (*architecture)
        ADD("-foffload-lto");
    if (*architecture && folder && access(folder, X_OK) == 0)
        ADD(path);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        ADD("-march=x86-64-v3");
#endif
    add_arguments(compiler, files, (size_t)file_count);
}

/* HIP: PTX or a code object of all files together; or C++ for this CPU, with the emulator that runs
 * it. The flags are those of kernels/hip/meson.build. */
static void add_hip(struct compiler *compiler, const char *architecture, const char *const *files,
                    int file_count) {
    static const char *const names[] = {"user_kernels.cpp", "program.cpp", "emulator.c", "races.c"};
    const bool amd = strncmp(architecture, "gfx", 3) == 0;
    const bool emulated = !*architecture;
    snprintf(compiler->architecture, sizeof compiler->architecture, "%s%s",
             amd ? "--offload-arch=" : "--cuda-gpu-arch=", architecture);
    snprintf(compiler->device_include, sizeof compiler->device_include, "-I%s/%s",
             compiler->device_folder,
             emulated ? "emulator"
             : amd    ? "device/amd"
                      : "device/nvidia");
    ADD(compiler->device_include);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        snprintf(compiler->sources[n], sizeof compiler->sources[n], "%s/emulator/%s",
                 compiler->device_folder, names[n]);
    if (emulated) {
        ADD("-fPIC", "-shared", "-Wl,-Bsymbolic", "-D_GNU_SOURCE", "-DEMULATOR_WAVE=32",
            "-DEMULATOR_LEVELS=4", "-fdeclspec", "-fno-exceptions", "-fno-rtti", "-nostdinc++",
            "-fsanitize=thread", "-fno-sanitize-thread-atomics",
            "-fno-sanitize-thread-func-entry-exit", "-Wno-ignored-attributes",
            "-Wno-unused-command-line-argument", "-x", "c++", compiler->sources[0],
            compiler->sources[1]);
        add_arguments(compiler, files, (size_t)file_count);
        ADD("-x", "c", compiler->sources[2], compiler->sources[3], "-lm");
        return;
    }
    if (amd)
        ADD("-x", "hip", "--offload-device-only", compiler->architecture, "-mcode-object-version=4",
            "-fdeclspec", "-nogpulib", "-nogpuinc", "--no-gpu-bundle-output");
    else
        ADD("-x", "cuda", "--cuda-device-only", "-S", compiler->architecture,
            "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang", "-target-feature",
            "-Xclang", "+ptx70");
    for (int f = 1; f < file_count; f++)
        ADD("-include", files[f]);
    add_arguments(compiler, files, 1);
}

/* Compiler options and packages for the files with one suffix. */
struct language {
    const char *suffix;
    void (*add_options)(struct compiler *compiler, const char *architecture,
                        const char *const *files, int file_count);
    const char *packages; /* that contain the compiler */
    bool has_device_code; /* needs the program's device code */
};

static const struct language languages[] = {
    {".c", add_offload,
     "packages clang" CLANG_VERSION ", clang-tools" CLANG_VERSION " and libomp" CLANG_VERSION
     "-dev",
     false},
    {".hip", add_hip,
     "package clang" CLANG_VERSION ", and lld" CLANG_VERSION " if the GPU is AMD's", true},
};

char *const *compiler_arguments(struct compiler *compiler, const char *architecture,
                                const char *const *files, int file_count, const char *library,
                                const char *temporary) {
    compiler->count = 0;
    snprintf(compiler->include, sizeof compiler->include, "-I%s", compiler->header_folder);
    snprintf(compiler->temporary, sizeof compiler->temporary, "TMPDIR=%s", temporary);
    ADD("env", compiler->temporary, compiler->program, "-O3", "-Wall",
        /* These flags expose mistakes: ignored directives, and endless loops, which the compiler
         * would remove. */
        "-Werror=unknown-pragmas", "-Werror=extra-tokens", "-fno-finite-loops", "-ffp-contract=off",
        "-fno-color-diagnostics", "-fno-caret-diagnostics", "-ferror-limit=10", compiler->include,
        "-o", library);
    compiler->language->add_options(compiler, architecture, files, file_count);
    compiler->arguments[compiler->count] = NULL;
    return compiler->arguments;
}

char *compiler_first_error(const struct compiler *compiler, const char *log, const char *folder,
                           char *buffer, size_t size) {
    const char *found = NULL, *last = "the compiler failed without a message";
    const size_t prefix = strlen(folder);
    for (const char *line = log, *end; !found && *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        snprintf(buffer, size, "%.*s", (int)(end - line), line);
        if (strstr(buffer, "error: 'ld' failed") || strstr(buffer, "linker command failed"))
            continue; /* the linker has reported the reason */
        if (strstr(buffer, "error:") || strstr(buffer, "undefined reference"))
            found = line;
        if (*buffer)
            last = line;
    }
    if (!found)
        found = last;
    if (strncmp(found, folder, prefix) == 0)
        found += prefix + 1;
    format_text(buffer, size, "%.*s", (int)strcspn(found, "\n"), found);
    if (strstr(buffer, "Executable \"clang-") || strstr(buffer, "Executable \"lld\""))
        format_append(buffer, size, " Install the %s", compiler->language->packages);
    return buffer;
}

enum status compiler_find(struct compiler *compiler, const struct backend *backend,
                          struct error *error) {
    const struct language *language = languages;
    struct device_list devices;
    struct error reason = {0};
    while (strcmp(language->suffix, backend->user_kernels->suffix) != 0)
        language++;
    compiler->program = CLANG;
    compiler->language = language;
    if (!backend->user_kernels->load) {
        backend->probe(&devices, &reason);
        return error_set(error, STATUS_UNAVAILABLE, "kernels of your own need %s, %.300s",
                         backend->title, reason.message);
    }
    if (access(compiler->program, X_OK))
        return error_set(error, STATUS_UNAVAILABLE,
                         "kernels of your own need the compiler clang%s, which is missing: "
                         "install the %s",
                         CLANG_VERSION, language->packages);
    if (!data_path(compiler->header_folder, sizeof compiler->header_folder, "exercises"))
        return error_set(error, STATUS_INTERNAL, "kernels.h is missing");
    if (language->has_device_code &&
        !data_path(compiler->device_folder, sizeof compiler->device_folder, "hip"))
        return error_set(error, STATUS_INTERNAL, "vendor.h is missing");
    return STATUS_OK;
}
