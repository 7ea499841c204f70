#include "config/setting.h"

#include <stdio.h>
#include <string.h>

bool setting_is_option(const struct setting *setting) {
    return setting->group != SETTING_KEY_ONLY;
}

bool setting_is_shown(const struct setting *setting) {
    return setting_is_option(setting) && strcmp(setting->name, "generate") != 0;
}

bool setting_argument_optional(const struct setting *setting) {
    return setting->argument && setting->argument[0] == '[';
}

/* Whether they are the same but for '-' and '_'. */
static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
            return false;
    return *a == *b;
}

const struct setting *setting_find_key(const char *section, const char *name) {
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && same_name(setting->name, name) &&
            same_name(setting->section, section))
            return setting;
    return NULL;
}

bool setting_section_exists(const char *section) {
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && same_name(setting->section, section))
            return true;
    return false;
}

void setting_words(const struct setting *setting, struct words *words) {
    words->count = 0;
    if (setting->list)
        setting->list(words);
    for (int n = 0; setting->names && setting->names[n]; n++)
        words->word[words->count++] = setting->names[n];
}

static void append(char *buffer, size_t size, const char *text) {
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", text);
}

char *setting_allowed(const struct setting *setting, char *buffer, size_t size) {
    struct words words;
    buffer[0] = '\0';
    if (setting->allowed)
        append(buffer, size, setting->allowed);
    setting_words(setting, &words);
    for (int w = 0; w < words.count && !setting->allowed; w++)
        append(buffer, size, words.word[w]);
    return buffer;
}

/* Whether this is the first row of its section. Rows of one section mostly stand together. */
static bool opens_section(const struct setting *setting) {
    for (ptrdiff_t row = setting - settings - 1; row >= 0; row--)
        if (settings[row].section && same_name(settings[row].section, setting->section))
            return false;
    return true;
}

char *setting_keys(const char *section, char *buffer, size_t size) {
    buffer[0] = '\0';
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting->section)
            continue;
        if (section && same_name(setting->section, section))
            append(buffer, size, setting->name);
        else if (!section && opens_section(setting))
            append(buffer, size, setting->section);
    }
    for (char *c = buffer; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return buffer;
}
