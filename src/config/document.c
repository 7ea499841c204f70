/* Makes --help, the man page's lists and the shells' completions from the tables of settings and
 * keys. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "config/preset.h"
#include "config/values.h"

static void print_words(FILE *out, const struct words *words, const char *between) {
    for (int w = 0; w < words->count; w++)
        fprintf(out, "%s%s", w ? between : "", words->word[w]);
}

/* ---- --help --------------------------------------------------------------------------------- */

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
    print_words(out, &words, ", ");
    fputs(setting->set == set_schedule ? "[:DEPTH]\n" : "\n", out);
}

void document_help(FILE *out) {
    static const char *const headings[] = {
        [SETTING_PROBLEM] = "What to solve", [SETTING_RUN] = "Where and how",
        [SETTING_TUNING] = "Tuning",         [SETTING_OUTPUT] = "Reports, pictures, recordings",
        [SETTING_SCREEN] = "The screen",     [SETTING_OTHER] = "Other",
    };
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

/* ---- the man page --------------------------------------------------------------------------- */

/* scdoc reads '*', '_' and '\' as markup. */
static void print_escaped(FILE *out, const char *text) {
    for (; *text; text++)
        fprintf(out, strchr("*_\\#`", *text) ? "\\%c" : "%c", *text);
}

static void man_entry(FILE *out, const struct setting *setting, const char *dashes) {
    char allowed[ERROR_MESSAGE_SIZE];
    setting_allowed(setting, allowed, sizeof allowed);
    fputs("*", out);
    if (*dashes && setting->letter)
        fprintf(out, "-%c*, *", setting->letter);
    print_escaped(out, dashes);
    for (const char *c = setting->name; *c; c++)
        fputs(*c == '-' && !*dashes ? "\\_" : (char[]){*c, '\0'}, out);
    fputs("*", out);
    if (*dashes && setting->argument) {
        fputs(" _", out);
        print_escaped(out, setting->argument);
        fputs("_", out);
    }
    fputs("\n\t", out);
    if (setting->help) { /* a sentence of it: a capital and a full stop, or a mark of its own */
        const size_t length = strlen(setting->help);
        print_escaped(out, (char[]){(char)toupper((unsigned char)*setting->help), '\0'});
        print_escaped(out, setting->help + 1);
        fputs(setting->help[length - 1] == '?' ? "" : ".", out);
    }
    if (*allowed) {
        fputs(setting->help ? " Allowed: " : "Allowed: ", out);
        print_escaped(out, allowed);
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

static void generate_keys(FILE *out) {
    char sections[256], *rest = sections;
    setting_keys(NULL, sections, sizeof sections);
    for (char *section = value_next(&rest, ','); section; section = value_next(&rest, ',')) {
        fprintf(out, "## [%s]\n\n", section);
        for (const struct setting *setting = settings; setting->name; setting++)
            if (setting->section && strcmp(setting->section, section) == 0)
                man_entry(out, setting, "");
    }
}

/* ---- completions ---------------------------------------------------------------------------- */

static bool takes_file(const struct setting *setting) {
    return strstr(setting->argument, "FILE") != NULL;
}

static bool takes_preset(const struct setting *setting) {
    return strcmp(setting->name, "preset") == 0;
}

static bool has_values(const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    return words.count > 0 || takes_file(setting);
}

/* Presets are looked up when they are asked for: users have their own. */
static void bash_values(FILE *out, const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    fprintf(out, "    --%s)\n        COMPREPLY=($(compgen", setting->name);
    if (takes_preset(setting))
        fputs(" -W \"$(jacobi-tui --generate presets 2>/dev/null)\"", out);
    if (words.count > 0) {
        fputs(" -W '", out);
        print_words(out, &words, " ");
        fputs("'", out);
    }
    fprintf(out, "%s -- \"$cur\"))\n        return ;;\n", takes_file(setting) ? " -f" : "");
}

static void generate_bash(FILE *out) {
    fputs("# bash completion for jacobi-tui, made from its table of options\n"
          "_jacobi_tui() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    # bash takes --option=value for three words\n"
          "    if [[ $cur == = ]]; then cur=\n"
          "    elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    COMPREPLY=()\n"
          "    case $prev in\n",
          out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_option(setting) && setting->argument && has_values(setting))
            bash_values(out, setting);
    const char *before = "    "; /* values that can't be completed: a number, a text */
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_option(setting) && setting->argument && !has_values(setting) &&
            !setting_argument_optional(setting)) {
            fprintf(out, "%s--%s", before, setting->name);
            before = "|";
        }
    fputs(")\n        return ;;\n", out);
    fputs("    esac\n    COMPREPLY=($(compgen -W '", out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_shown(setting))
            fprintf(out, "--%s ", setting->name);
    fputs("' -- \"$cur\"))\n}\ncomplete -F _jacobi_tui jacobi-tui\n", out);
}

/* Within '…' and [ … ]. */
static void zsh_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
    }
}

static void zsh_values(FILE *out, const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    fputs(setting_argument_optional(setting) ? "::" : ":", out);
    zsh_text(out, setting->argument);
    fputs(":", out);
    if (takes_preset(setting)) {
        fputs("{compadd -- $(jacobi-tui --generate presets 2>/dev/null); _files}", out);
    } else if (takes_file(setting)) {
        fputs("_files", out);
    } else if (words.count > 0) {
        fputs("(", out);
        print_words(out, &words, " ");
        fputs(")", out);
    }
}

static void generate_zsh(FILE *out) {
    fputs("#compdef jacobi-tui\n# zsh completion for jacobi-tui, made from its table of options\n"
          "_arguments",
          out);
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting_is_shown(setting))
            continue;
        fprintf(out, " \\\n  '--%s%s[", setting->name, setting->argument ? "=" : "");
        zsh_text(out, setting->help);
        fputs("]", out);
        if (setting->argument)
            zsh_values(out, setting);
        fputs("'", out);
    }
    fputs("\n", out);
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
        {"man-options", generate_options}, {"man-keys", generate_keys},
        {"bash", generate_bash},           {"zsh", generate_zsh},
        {"presets", generate_presets},
    };
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        if (strcmp(what, generators[g].what) == 0)
            generators[g].generate(out);
}
