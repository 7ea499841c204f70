#include "config/inifile.h"

#include <ctype.h>
#include <dirent.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/values.h"
#include "core/file.h"
#include "core/format.h"
#include "core/paths.h"
#include "core/text.h"

/* ---- reading -------------------------------------------------------------------------------- */

enum { LINE_MAX_BYTES = 4096, LINES_MAX = 10000, INIFILE_MAX_BYTES = 4 << 20 };

struct inifile {
    const char *path;
    const struct inifile_reader *reader;
    const char *at, *end; /* what has not been read */
    int line;
    bool in_opening; /* nothing but the opening comment has been read */
    enum status status;
    struct error *error;
};

static enum status inifile_fail(struct inifile *ini, const char *what) {
    ini->status = STATUS_BAD_INPUT;
    return error_set(ini->error, ini->status, "%s:%d: %s", ini->path, ini->line, what);
}

/* What a function of the reader returned, with the line before its message. True if all is well. */
static bool is_accepted(struct inifile *ini, enum status status) {
    if (status) {
        error_prefix(ini->error, "%s:%d", ini->path, ini->line);
        ini->status = status;
    }
    return status == STATUS_OK;
}

/* Reads a line without its end. False at the end of the file or if the line can't be text. */
static bool read_line(struct inifile *ini, char *line) {
    const size_t left = (size_t)(ini->end - ini->at);
    const char *newline = memchr(ini->at, '\n', left);
    const size_t length = newline ? (size_t)(newline - ini->at) : left;
    const bool text = !memchr(ini->at, '\0', length);
    if (!text || length >= LINE_MAX_BYTES) {
        inifile_fail(ini, text ? "the line is too long (at most 196 bytes, a comment 4095)"
                               : "not a text file");
        return false;
    }
    memcpy(line, ini->at, length);
    line[length] = '\0';
    ini->at += length + (newline != NULL);
    return left > 0;
}

/* inih's fgets. Leading blanks are dropped: to inih they would mark a continuation. */
static char *next_line(char *buffer, int size, void *stream) {
    struct inifile *ini = stream;
    char line[LINE_MAX_BYTES] = "";
    if (ini->status)
        return NULL;
    ini->line++;
    if (ini->reader->line)
        *ini->reader->line = ini->line;
    if (ini->line > LINES_MAX) {
        inifile_fail(ini, "the file is too long (at most 10000 lines)");
        return NULL;
    }
    if (!read_line(ini, line))
        return NULL;
    const char *text = line;
    while (isspace((unsigned char)*text))
        text++;
    const bool comment = *text == ';' || *text == '#';
    char *opening = ini->reader->opening;
    ini->in_opening &= comment;
    if (ini->in_opening && opening) {
        const size_t used = strlen(opening);
        snprintf(opening + used, ini->reader->opening_size - used, "%s%s", used ? " " : "",
                 text + strspn(text, ";# \t"));
    }
    const size_t length = *text == '[' ? strcspn(text + 1, "]") : 0;
    char section[64];
    if (*text == '[' && text[length + 1] == ']' && length < sizeof section &&
        ini->reader->section) {
        memcpy(section, text + 1, length);
        section[length] = '\0';
        is_accepted(ini, ini->reader->section(ini->reader->user, section, ini->error));
    }
    if (!comment && strlen(text) >= (size_t)size - 3)
        inifile_fail(ini, "the line is too long (at most 196 bytes)");
    if (ini->status)
        return NULL;
    snprintf(buffer, (size_t)size, "%s", comment ? "" : text);
    return buffer;
}

/* inih's handler of a key. */
static int next_key(void *user, const char *section, const char *name, const char *value) {
    struct inifile *ini = user;
    return !ini->status && is_accepted(ini, ini->reader->key(ini->reader->user, section, name,
                                                             value ? value : "", ini->error));
}

static enum status parse_bytes(const void *bytes, size_t size, const char *path,
                               const struct inifile_reader *reader, struct error *error) {
    struct error ignored = {0};
    struct inifile ini = {.path = path,
                          .reader = reader,
                          .at = bytes,
                          .end = (const char *)bytes + size,
                          .in_opening = true,
                          .error = error ? error : &ignored};
    if (reader->opening)
        reader->opening[0] = '\0';
    const int syntax_line = ini_parse_stream(next_line, &ini, next_key, &ini);
    if (reader->opening)
        text_sanitize(reader->opening);
    /* inih has the line of a syntax error, we have that of any other: the first one counts. */
    if (syntax_line > 0 && (!ini.status || syntax_line < ini.line)) {
        ini.line = syntax_line;
        return inifile_fail(&ini, "expected 'key = value', '[section]' or '; comment'");
    }
    return ini.status;
}

enum status inifile_read(const char *path, const void *bytes, size_t size,
                         const struct inifile_reader *reader, struct error *error) {
    char *read = NULL;
    enum status status =
        bytes ? STATUS_OK : file_read(path, INIFILE_MAX_BYTES, &read, &size, error);
    if (!status)
        status = parse_bytes(bytes ? bytes : read, size, path, reader, error);
    free(read);
    return status;
}

/* ---- finding -------------------------------------------------------------------------------- */

static const char suffix[] = ".ini";

/* The folder, 0 the user's, 1 the program's own. False if there is none. */
static bool folder_of(const struct inifile_folders *folders, int index, char *path, size_t size) {
    return index == 0 ? config_path(path, size, folders->config)
                      : data_path(path, size, folders->data);
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
    int count = 0;
    for (int f = 1; f >= 0; f--) { /* the program's own first: the user's may be too many */
        char folder[PATH_SIZE], name[sizeof names->text];
        DIR *entries = folder_of(folders, f, folder, sizeof folder) ? opendir(folder) : NULL;
        if (!entries)
            continue;
        for (struct dirent *entry = readdir(entries); entry && count < most;
             entry = readdir(entries)) {
            const size_t length = strlen(entry->d_name) - (sizeof suffix - 1);
            if (entry->d_name[0] == '.' || !text_ends_in(entry->d_name, suffix) ||
                length >= sizeof name)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)length, entry->d_name);
            if (!value_text(name, sizeof name, names[count].text))
                continue; /* it can't be shown */
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
