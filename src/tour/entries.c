#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/paths.h"
#include "tour/tour.h"

static const char suffix[] = ".ini";

static bool listed(const struct tour_entry *entries, int count, const char *name) {
    for (int e = 0; e < count; e++)
        if (strcmp(entries[e].name, name) == 0)
            return true;
    return false;
}

static void read_entry(struct tour_entry *entry, const struct config *base) {
    struct tour *tour = NULL;
    if (tour_load(entry->name, base, &tour, &entry->error))
        return;
    snprintf(entry->title, sizeof entry->title, "%s", *tour->title ? tour->title : tour->name);
    entry->scenes = tour->count;
    free(tour);
}

/* Adds the folder's file, where it is a lesson that no folder before has had. */
static int add_file(struct tour_entry *entries, int count, const char *file,
                    const struct config *base) {
    const size_t length = strlen(file), end = sizeof suffix - 1;
    if (count == TOURS_MAX || file[0] == '.' || length <= end ||
        length - end >= sizeof entries->name || strcmp(file + length - end, suffix) != 0)
        return count;
    struct tour_entry *entry = &entries[count];
    *entry = (struct tour_entry){0};
    memcpy(entry->name, file, length - end);
    if (listed(entries, count, entry->name))
        return count;
    read_entry(entry, base);
    return count + 1;
}

static int add_folder(struct tour_entry *entries, int count, const char *folder,
                      const struct config *base) {
    DIR *files = opendir(folder);
    if (!files)
        return count;
    for (struct dirent *file = readdir(files); file; file = readdir(files))
        count = add_file(entries, count, file->d_name, base);
    closedir(files);
    return count;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct tour_entry *)a)->name, ((const struct tour_entry *)b)->name);
}

int tour_entries(const struct config *base, struct tour_entry *entries) {
    char folder[PATH_SIZE];
    int count = 0;
    if (path_of_config(folder, sizeof folder, "tours"))
        count = add_folder(entries, count, folder, base);
    if (path_of_data(folder, sizeof folder, "presets/tours"))
        count = add_folder(entries, count, folder, base);
    qsort(entries, (size_t)count, sizeof *entries, compare_names);
    return count;
}
