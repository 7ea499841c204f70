#include "exercise/source_folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system.h"
#include "core/text.h"

static int compare_files(const void *a, const void *b) {
    return strcmp(((const struct source_file *)a)->path, ((const struct source_file *)b)->path);
}

/* Fills the rest with zeros, so that lists can be compared. */
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
