#include "config/inifile.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/format.h"
#include "core/paths.h"
#include "core/text.h"

/* ---- reading -------------------------------------------------------------------------------- */

enum { LINE_MAX_BYTES = 4096, SECTION_SIZE = 64, INIFILE_MAX_BYTES = 4 << 20 };

/* Removes a comment, which is a ';' after a blank, and the surrounding blanks. */
static char *trim(char *text) {
    text += strspn(text, " \t");
    for (char *c = text; *c; c++)
        if (*c == ';' && c > text && isspace((unsigned char)c[-1]))
            *c = '\0';
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]); end--)
        end[-1] = '\0';
    return text;
}

/* Reads a section or a key; `section` is the current one. */
static enum status read_entry(const struct inifile_reader *reader, char *text,
                              char section[SECTION_SIZE], struct error *error) {
    const bool is_section = *text == '[';
    const size_t length = strcspn(text, is_section ? "]" : "=:");
    if (!text[length] || (is_section && (length > SECTION_SIZE || text[length + 1])))
        return error_set(error, STATUS_BAD_INPUT,
                         "expected 'key = value', '[section]' or '; comment'");
    text[length] = '\0';
    if (!is_section)
        return reader->key(reader->user, section, trim(text), trim(text + length + 1), error);
    snprintf(section, SECTION_SIZE, "%s", text + 1);
    return reader->section ? reader->section(reader->user, section, error) : STATUS_OK;
}

static enum status read_line(const struct inifile_reader *reader, const char *bytes, size_t length,
                             bool *in_opening, char section[SECTION_SIZE], struct error *error) {
    char line[LINE_MAX_BYTES];
    if (memchr(bytes, '\0', length))
        return error_set(error, STATUS_BAD_INPUT, "not a text file");
    if (length >= sizeof line)
        return error_set(error, STATUS_BAD_INPUT, "the line is too long (at most %d bytes)",
                         LINE_MAX_BYTES - 1);
    memcpy(line, bytes, length);
    line[length] = '\0';
    char *text = line + strspn(line, " \t");
    const bool is_comment = *text == ';' || *text == '#';
    *in_opening &= is_comment;
    if (*in_opening && reader->opening)
        format_append(reader->opening, reader->opening_size, "%s%s", *reader->opening ? " " : "",
                      text + strspn(text, ";# \t"));
    text = trim(text);
    return is_comment || !*text ? STATUS_OK : read_entry(reader, text, section, error);
}

enum status inifile_read(const char *path, const struct inifile_reader *reader,
                         struct error *error) {
    char *bytes, section[SECTION_SIZE] = "";
    size_t size;
    bool in_opening = true;
    enum status status = STATUS_OK;
    TRY(file_read(path, INIFILE_MAX_BYTES, &bytes, &size, error));
    const char *at = bytes, *const end = at + size;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3; /* a byte order mark */
    if (reader->opening)
        *reader->opening = '\0';
    for (int line = 1; at < end && !status; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((newline ? newline : end) - at);
        status = read_line(reader, at, length, &in_opening, section, error);
        if (status)
            error_prefix(error, "%s:%d", path, line);
        at += length + (newline != NULL);
    }
    if (reader->opening)
        text_sanitize(reader->opening);
    free(bytes);
    return status;
}

/* ---- finding -------------------------------------------------------------------------------- */

static const char suffix[] = ".ini";

/* Finds a folder: 0 the user's, 1 the program's own. False if there is none. */
static bool folder_of(const struct inifile_folders *folders, int index, char *path, size_t size) {
    if (index == 1)
        return data_path(path, size, folders->data);
    return folders->config && user_path(path, size, USER_CONFIG, folders->config);
}

bool inifile_find(const struct inifile_folders *folders, const char *name, char *path,
                  size_t size) {
    if (strchr(name, '/') || text_ends_in(name, suffix)) {
        const int length = snprintf(path, size, "%s", name);
        return (size_t)length < size;
    }
    for (int f = 0; f < 2 && *name; f++) {
        char folder[PATH_SIZE];
        if (!folder_of(folders, f, folder, sizeof folder))
            continue;
        const int length = snprintf(path, size, "%s/%s%s", folder, name, suffix);
        if (length > 0 && (size_t)length < size && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct inifile_name *)a)->text, ((const struct inifile_name *)b)->text);
}

int inifile_list(const struct inifile_folders *folders, struct inifile_name *names, int most) {
    const char *ending = folders->ending ? folders->ending : suffix;
    int count = 0;
    for (int f = 1; f >= 0; f--) { /* the program's own first: the user's files may exceed `most` */
        char folder[PATH_SIZE], name[sizeof names->text];
        DIR *entries = folder_of(folders, f, folder, sizeof folder) ? opendir(folder) : NULL;
        if (!entries)
            continue;
        for (struct dirent *entry = readdir(entries); entry && count < most;
             entry = readdir(entries)) {
            const size_t length = strlen(entry->d_name) - strlen(ending);
            if (entry->d_name[0] == '.' || !text_ends_in(entry->d_name, ending) ||
                (!*ending && strchr(entry->d_name, '.')) || length >= sizeof name)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)length, entry->d_name);
            if (!value_text(name, sizeof name, names[count].text))
                continue; /* it can't be displayed */
            int same = 0;
            while (strcmp(names[same].text, names[count].text) != 0)
                same++;
            count += same == count;
        }
        closedir(entries);
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    return count;
}

enum status inifile_refuse(const struct inifile_folders *folders, const char *kind,
                           const char *name, struct error *error) {
    struct inifile_name names[64];
    struct stat about;
    char all[320] = "", typed[80], here[120] = "";
    snprintf(typed, sizeof typed, "%.64s", name);
    if (*name && !stat(name, &about))
        snprintf(here, sizeof here, " (the %s here is './%s')",
                 S_ISDIR(about.st_mode) ? "folder" : "file", typed);
    struct closest_match nearest = closest_match_init(typed);
    const int count = inifile_list(folders, names, sizeof names / sizeof *names);
    for (int n = 0; n < count; n++) {
        closest_match_try(&nearest, names[n].text);
        format_list(all, sizeof all, names[n].text);
    }
    return error_set(error, STATUS_BAD_INPUT, "no %s '%s'%s: expected one of %s, or a file name%s",
                     kind, typed, here, *all ? all : "(none installed)", nearest.question);
}
