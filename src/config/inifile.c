#include "config/inifile.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum { LINE_MAX_BYTES = 4096, LINES_MAX = 10000 };

struct inifile {
    const char *path;
    const struct inifile_reader *reader;
    FILE *file;
    int line;
    bool in_opening; /* nothing but the opening comment has been read */
    enum status status;
    struct error *error;
};

static enum status fail(struct inifile *ini, const char *what) {
    ini->status = STATUS_BAD_INPUT;
    return error_set(ini->error, ini->status, "%s:%d: %s", ini->path, ini->line, what);
}

/* Takes over what a reader's function returned. */
static bool accept(struct inifile *ini, enum status status) {
    if (status) {
        error_prefix(ini->error, "%s:%d", ini->path, ini->line);
        ini->status = status;
    }
    return status == STATUS_OK;
}

static bool is_comment(const char *text) {
    return *text == ';' || *text == '#';
}

/* Reads a line without its end. False at the end of the file or where the line can't be text. */
static bool read_line(struct inifile *ini, char *line) {
    size_t length = 0;
    int c;
    while ((c = getc(ini->file)) != EOF && c != '\n') {
        if (c == '\0' || length == LINE_MAX_BYTES - 1) {
            fail(ini, c ? "the line is too long: allowed are 196 bytes" : "this is no text file");
            return false;
        }
        line[length++] = (char)c;
    }
    line[length] = '\0';
    if (ferror(ini->file))
        fail(ini, strerror(errno));
    return !ini->status && (c == '\n' || length > 0);
}

static void add_to_opening(struct inifile *ini, const char *comment) {
    char *opening = ini->reader->opening;
    if (!opening)
        return;
    comment += strspn(comment, ";# \t");
    const size_t used = strlen(opening);
    snprintf(opening + used, ini->reader->opening_size - used, "%s%s", used ? " " : "", comment);
}

/* The name between '[' and ']', where a whole section's line stands there. */
static void announce_section(struct inifile *ini, const char *text) {
    char name[64];
    const size_t length = strcspn(text + 1, "]");
    if (!ini->reader->section || text[length + 1] != ']' || length >= sizeof name)
        return;
    memcpy(name, text + 1, length);
    name[length] = '\0';
    accept(ini, ini->reader->section(ini->reader->user, name, ini->error));
}

static void look_at(struct inifile *ini, const char *text) {
    ini->in_opening &= is_comment(text);
    if (ini->in_opening)
        add_to_opening(ini, text);
    if (*text == '[')
        announce_section(ini, text);
}

/* inih's fgets. Blanks before the text are dropped, or inih would take it for a continuation. */
static char *next_line(char *buffer, int size, void *stream) {
    struct inifile *ini = stream;
    char line[LINE_MAX_BYTES] = "";
    if (ini->status)
        return NULL;
    ini->line++;
    if (ini->line > LINES_MAX) {
        fail(ini, "the file is too long: allowed are 10000 lines");
        return NULL;
    }
    if (!read_line(ini, line))
        return NULL;
    const char *text = line;
    while (isspace((unsigned char)*text))
        text++;
    look_at(ini, text);
    if (!is_comment(text) && strlen(text) >= (size_t)size - 3)
        fail(ini, "the line is too long: allowed are 196 bytes");
    if (ini->status)
        return NULL;
    snprintf(buffer, (size_t)size, "%s", is_comment(text) ? "" : text);
    return buffer;
}

static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct inifile *ini = user;
    if (ini->status)
        return 0;
    return accept(
        ini, ini->reader->key(ini->reader->user, section, name, value ? value : "", ini->error));
}

/* inih has the line of a syntax error, we have that of any other: the first one counts. */
static enum status first_error(struct inifile *ini, int syntax_line) {
    if (syntax_line > 0 && (!ini->status || syntax_line < ini->line)) {
        ini->line = syntax_line;
        return fail(ini, "allowed are 'key = value', '[section]' and '; comment'");
    }
    return ini->status;
}

/* Reads from `file`, which it closes; NULL is a failure to open it. */
static enum status read_file(FILE *file, const char *path, const struct inifile_reader *reader,
                             struct error *error) {
    struct error ignored = {0};
    struct inifile ini = {.path = path,
                          .reader = reader,
                          .file = file,
                          .in_opening = true,
                          .error = error ? error : &ignored};
    if (reader->opening)
        reader->opening[0] = '\0';
    if (!file)
        return error_set(error, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    const int syntax_line = ini_parse_stream(next_line, &ini, take_key, &ini);
    fclose(file);
    if (reader->opening)
        text_make_visible(reader->opening);
    return first_error(&ini, syntax_line);
}

enum status inifile_read(const char *path, const struct inifile_reader *reader,
                         struct error *error) {
    return read_file(fopen(path, "re"), path, reader, error);
}

enum status inifile_parse(const void *bytes, size_t size, const char *name,
                          const struct inifile_reader *reader, struct error *error) {
    return read_file(fmemopen((void *)bytes, size, "r"), name, reader, error);
}
