#include "config/document.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/completion.h"
#include "config/preset.h"
#include "config/setting.h"
#include "config/value.h"

static const char *const headings[] = {
    [SETTING_PROBLEM] = "What to solve", [SETTING_RUN] = "Where and how",
    [SETTING_TUNING] = "Tuning",         [SETTING_OUTPUT] = "Reports, pictures, recordings",
    [SETTING_SCREEN] = "The screen",     [SETTING_OTHER] = "Other",
};

static void help_row(FILE *out, const struct setting *setting) {
    char option[64], letter[8] = "    ";
    if (setting->letter)
        snprintf(letter, sizeof letter, "-%c, ", setting->letter);
    snprintf(option, sizeof option, "--%s%s%s", setting->name, setting->argument ? " " : "",
             setting->argument ? setting->argument : "");
    fprintf(out, "  %s%-24s  %s\n", letter, option, setting->help);
    struct words words;
    setting_words(setting, &words);
    if (words.count == 0)
        return;
    fprintf(out, "%32s", "");
    for (int w = 0; w < words.count; w++)
        fprintf(out, "%s%s", w ? ", " : "", words.word[w]);
    fputs(setting->set && strcmp(setting->name, "schedule") == 0 ? "[:DEPTH]\n" : "\n", out);
}

void document_help(FILE *out) {
    fputs("jacobi-tui: Jacobi's method on CPUs and GPUs, and where its time goes\n\n"
          "Usage: jacobi-tui [--preset NAME|FILE] [options]\n",
          out);
    for (int group = SETTING_PROBLEM; group < SETTING_KEY_ONLY; group++) {
        fprintf(out, "\n%s:\n", headings[group]);
        for (const struct setting *setting = settings; setting->name; setting++)
            if (setting->group == (enum setting_group)group && setting_is_shown(setting))
                help_row(out, setting);
    }
    fputs(
        "\nExit status: 0 finished, 1 internal failure, 2 bad command line, preset or recording,\n"
        "3 back end or device not available, 4 the device failed, 5 diverged, 128+n signal n.\n",
        out);
}

/* scdoc reads '*', '_' and '\' as markup. */
static void escaped(FILE *out, const char *text) {
    for (; *text; text++)
        fprintf(out, strchr("*_\\#`", *text) ? "\\%c" : "%c", *text);
}

/* A sentence of it: with a capital and a full stop, unless it ends in a mark of its own. */
static void sentence(FILE *out, const char *text) {
    const char first[] = {(char)toupper((unsigned char)*text), '\0'};
    escaped(out, first);
    escaped(out, text + 1);
    fputs(text[strlen(text) - 1] == '?' ? "" : ".", out);
}

static void man_entry(FILE *out, const struct setting *setting, const char *dashes) {
    char allowed[ERROR_MESSAGE_SIZE];
    setting_allowed(setting, allowed, sizeof allowed);
    fputs("*", out);
    if (*dashes && setting->letter)
        fprintf(out, "-%c*, *", setting->letter);
    escaped(out, dashes);
    for (const char *c = setting->name; *c; c++)
        fputs(*c == '-' && !*dashes ? "\\_" : (char[]){*c, '\0'}, out);
    fputs("*", out);
    if (*dashes && setting->argument) {
        fputs(" _", out);
        escaped(out, setting->argument);
        fputs("_", out);
    }
    fputs("\n\t", out);
    if (setting->help)
        sentence(out, setting->help);
    if (*allowed) {
        fputs(setting->help ? " Allowed: " : "Allowed: ", out);
        escaped(out, allowed);
        fputs(".", out);
    }
    fputs("\n\n", out);
}

static void generate_options(FILE *out) {
    fputs("# OPTIONS\n\n", out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_shown(setting))
            man_entry(out, setting, "--");
}

static void generate_section(FILE *out, const char *section) {
    fprintf(out, "## [%s]\n\n", section);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && strcmp(setting->section, section) == 0)
            man_entry(out, setting, "");
}

static void generate_keys(FILE *out) {
    char sections[256], *rest = sections;
    setting_keys(NULL, sections, sizeof sections);
    for (char *section = value_next(&rest, ','); section; section = value_next(&rest, ','))
        generate_section(out, section);
}

static void generate_presets(FILE *out) {
    struct preset *presets = malloc(PRESETS_MAX * sizeof *presets);
    const int count = presets ? preset_list(presets) : 0;
    for (int p = 0; p < count; p++)
        fprintf(out, "%s\n", presets[p].name);
    free(presets);
}

void document_generate(FILE *out, const char *what) {
    static const struct {
        const char *what;
        void (*generate)(FILE *out);
    } generators[] = {
        {"man-options", generate_options}, {"man-keys", generate_keys},   {"bash", completion_bash},
        {"zsh", completion_zsh},           {"presets", generate_presets},
    };
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        if (strcmp(what, generators[g].what) == 0)
            generators[g].generate(out);
}
