#include "config/document.h"

#include <stdlib.h>
#include <string.h>

#include "config/preset.h"
#include "config/setting.h"

static const char *const headings[] = {
    [SETTING_PROBLEM] = "What to solve", [SETTING_RUN] = "Where and how",
    [SETTING_TUNING] = "Tuning",         [SETTING_OUTPUT] = "Reports, pictures, recordings",
    [SETTING_SCREEN] = "The screen",     [SETTING_OTHER] = "Other",
};

/* --generate is for the build, not for people. */
static bool is_shown(const struct setting *setting) {
    return setting_is_option(setting) && strcmp(setting->name, "generate") != 0;
}

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
            if (setting->group == (enum setting_group)group && is_shown(setting))
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

static void man_entry(FILE *out, const struct setting *setting, const char *dashes) {
    char allowed[ERROR_MESSAGE_SIZE];
    setting_allowed(setting, allowed, sizeof allowed);
    fputs("*", out);
    if (setting->letter)
        fprintf(out, "-%c*, *", setting->letter);
    escaped(out, dashes);
    escaped(out, setting->name);
    fputs("*", out);
    if (*dashes && setting->argument) {
        fputs(" _", out);
        escaped(out, setting->argument);
        fputs("_", out);
    }
    fputs("\n\t", out);
    if (setting->help) {
        escaped(out, setting->help);
        fputs(*allowed ? ".++\n\t" : ".\n\n", out);
    }
    if (*allowed) {
        fputs("Allowed: ", out);
        escaped(out, allowed);
        fputs(".\n\n", out);
    }
}

static void man_section(FILE *out, const char *section) {
    fprintf(out, "## [%s]\n\n", section);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && strcmp(setting->section, section) == 0)
            man_entry(out, setting, "");
}

static void generate_man(FILE *out) {
    static const char *const sections[] = {"run", "tuning", "view", "reference", "machine"};
    fputs("# OPTIONS\n\n", out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (is_shown(setting))
            man_entry(out, setting, "--");
    fputs("# PRESET KEYS\n\n", out);
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        man_section(out, sections[s]);
}

static void generate_presets(FILE *out) {
    struct preset *presets = malloc(PRESETS_MAX * sizeof *presets);
    const int count = presets ? preset_list(presets) : 0;
    for (int p = 0; p < count; p++)
        fprintf(out, "%s\n", presets[p].name);
    free(presets);
}

void document_generate(FILE *out, const char *what) {
    if (strcmp(what, "man") == 0)
        generate_man(out);
    else if (strcmp(what, "presets") == 0)
        generate_presets(out);
}
