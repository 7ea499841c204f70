/* Makes --help, the man page's lists and the shells' completions from the tables of settings and
 * keys. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "config/inifile.h"
#include "config/preset.h"
#include "config/values.h"
#include "core/format.h"
#include "core/text.h"
#include "kernels/backends.h"

static void print_words(FILE *out, const struct words *words, const char *between) {
    for (int w = 0; w < words->count; w++)
        fprintf(out, "%s%s", w ? between : "", words->word[w]);
}

/* ---- --help --------------------------------------------------------------------------------- */

enum { HELP_COLS = 32 }; /* before what an option does */

static void help_row(FILE *out, const struct setting *setting) {
    char option[64], letter[8] = "    ";
    if (setting->letter)
        snprintf(letter, sizeof letter, "-%c, ", setting->letter);
    snprintf(option, sizeof option, "--%s%s%s", setting->name, setting->argument ? " " : "",
             setting->argument ? setting->argument : "");
    int beyond = 0; /* bytes that take no column */
    for (const char *c = option; *c; c++)
        beyond += (*c & 0xc0) == 0x80;
    text_item(out, HELP_COLS, "  %s%-*s  %s", letter, HELP_COLS - 8 + beyond, option,
              setting->help);
    struct words words;
    char list[ERROR_MESSAGE_SIZE] = "";
    setting_words(setting, &words);
    for (int w = 0; w < words.count; w++)
        format_list(list, sizeof list, words.word[w]);
    if (words.count > 0)
        text_item(out, HELP_COLS, "%*s%s%s", HELP_COLS, "", list,
                  setting->set == set_schedule ? "[:DEPTH]" : "");
}

void generate_help(FILE *out) {
    static const char *const headings[] = {
        [SETTING_PROBLEM] = "What to solve", [SETTING_RUN] = "Where and how",
        [SETTING_TUNING] = "Tuning",         [SETTING_OUTPUT] = "Reports, pictures, recordings",
        [SETTING_SCREEN] = "The screen",     [SETTING_OTHER] = "Other",
    };
    fputs("jacobi-tui: Jacobi's method on CPUs and GPUs, and where its time goes\n\n"
          "Usage: jacobi-tui [--preset NAME|FILE] [options]\n",
          out);
    for (int group = SETTING_PROBLEM; group < SETTING_INTERNAL; group++) {
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
    return strstr(setting->argument, "FILE") || strcmp(setting->argument, "DIR") == 0;
}

static bool takes_command(const struct setting *setting) {
    return strcmp(setting->argument, "COMMAND") == 0;
}

/* Whether the value is a list of known words with commas between. */
static bool takes_list(const struct setting *setting) {
    return setting->generated && strchr(setting->argument, ',') != NULL;
}

static bool has_values(const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    return words.count > 0 || setting->generated || takes_file(setting) || takes_command(setting);
}

/* What is generated is looked up when it is asked for: users have presets of their own. Of a list
 * the last piece is completed; of a word, bash replaces only what follows the last character that
 * breaks words, such as '=', or begins with '@'. */
static void bash_values(FILE *out, const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    const bool is_list = takes_list(setting);
    fprintf(out, "    --%s)\n", setting->name);
    if (is_list)
        fputs("        local before=${cur%\"${cur##*,}\"} "
              "kept=${cur%\"${cur##*[$COMP_WORDBREAKS]}\"}\n"
              "        compopt -o nospace\n",
              out);
    fprintf(out, "        COMPREPLY=($(compgen%s", is_list ? " -P \"$before\"" : "");
    if (setting->generated)
        fprintf(out, " -W \"$(\"$1\" --generate %s 2>/dev/null)\"", setting->generated);
    if (words.count > 0) {
        fputs(" -W '", out);
        print_words(out, &words, " ");
        fputs("'", out);
    }
    fprintf(out, "%s%s -- \"%s\"))\n", takes_file(setting) ? " -f" : "",
            takes_command(setting) ? " -c" : "", is_list ? "${cur##*,}" : "$cur");
    if (is_list)
        fputs("        COMPREPLY=(\"${COMPREPLY[@]#\"${kept%@}\"}\")\n", out);
    fputs("        return ;;\n", out);
}

static void generate_bash(FILE *out) {
    fputs("# bash completion for jacobi-tui, made from its table of options\n"
          "_jacobi_tui() {\n"
          "    # bash takes --option=value for three words, and a@b, too\n"
          "    local line=${COMP_LINE:0:COMP_POINT} words\n"
          "    local cur=${line##*[[:space:]]}\n"
          "    read -ra words <<<\"${line%\"$cur\"}\"\n"
          "    local prev=${words[-1]}\n"
          "    if [[ $cur == --*=* ]]; then prev=${cur%%=*} cur=${cur#*=}; fi\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur != -* ]]; then case $prev in\n",
          out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_option(setting) && setting->argument && has_values(setting))
            bash_values(out, setting);
    const char *before = "    "; /* values that can't be completed: a number, a text */
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_option(setting) && setting->argument && !has_values(setting)) {
            fprintf(out, "%s--%s", before, setting->name);
            before = "|";
        }
    fputs(")\n        return ;;\n", out);
    fputs("    esac; fi\n    COMPREPLY=($(compgen -W '", out);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_shown(setting))
            fprintf(out, "--%s ", setting->name);
    fputs("' -- \"$cur\"))\n}\ncomplete -F _jacobi_tui jacobi-tui\n", out);
}

/* Within '…': a backslash before the characters of `special`, and `quote` for a quote. */
static void quoted(FILE *out, const char *text, const char *special, const char *quote) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, out);
        else
            fprintf(out, strchr(special, *text) ? "\\%c" : "%c", *text);
    }
}

static void zsh_values(FILE *out, const struct setting *setting) {
    static const char command[] = "${(f)\"$($words[1] --generate";
    struct words words;
    setting_words(setting, &words);
    fputs(setting_argument_optional(setting) ? "::" : ":", out);
    quoted(out, setting->argument, "[]:\\", "'\\''");
    fputs(":", out);
    if (takes_list(setting)) {
        fprintf(out, "{_sequence compadd -S \"\" - %s %s 2>/dev/null)\"}}", command,
                setting->generated);
    } else if (setting->generated) {
        fprintf(out, "{compadd -- %s %s 2>/dev/null)\"}%s}", command, setting->generated,
                takes_file(setting) ? "; _files" : "");
    } else if (takes_command(setting)) {
        fputs("_cmdstring", out);
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
        quoted(out, setting->help, "[]:\\", "'\\''");
        fputs("]", out);
        if (setting->argument)
            zsh_values(out, setting);
        fputs("'", out);
    }
    fputs("\n", out);
}

static void generate_fish(FILE *out) {
    fputs("# fish completion for jacobi-tui, made from its table of options\n"
          "complete -c jacobi-tui -f\n",
          out);
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting_is_shown(setting))
            continue;
        struct words words;
        setting_words(setting, &words);
        fprintf(out, "complete -c jacobi-tui -l %s", setting->name);
        if (setting->letter)
            fprintf(out, " -s %c", setting->letter);
        if (setting->argument)
            fputs(takes_file(setting) ? " -r -F" : " -x", out);
        if (setting->argument && setting->generated)
            fprintf(out,
                    takes_list(setting)
                        ? " -a '(__fish_complete_list , \"jacobi-tui --generate %s 2>/dev/null\")'"
                        : " -a '(jacobi-tui --generate %s 2>/dev/null)'",
                    setting->generated);
        if (setting->argument && takes_command(setting))
            fputs(" -a '(__fish_complete_command)'", out);
        if (setting->argument && words.count > 0) {
            fputs(" -a '", out);
            print_words(out, &words, " ");
            fputs("'", out);
        }
        fputs(" -d '", out);
        quoted(out, setting->help, "\\", "\\'");
        fputs("'\n", out);
    }
}

/* ---- what there is to choose from ----------------------------------------------------------- */

static void generate_files(FILE *out, const struct inifile_folders *folders) {
    struct inifile_name names[PRESETS_MAX];
    const int count = inifile_list(folders, names, PRESETS_MAX);
    for (int n = 0; n < count; n++)
        fprintf(out, "%s\n", names[n].text);
}

static void generate_presets(FILE *out) {
    generate_files(out, &(struct inifile_folders){"presets", "presets"});
}

static void generate_tours(FILE *out) {
    generate_files(out, &(struct inifile_folders){"tours", "presets/tours"});
}

/* What of the program's data ends so, without that; "": folders, which have no dot. */
static void generate_entries(FILE *out, const char *data, const char *ending) {
    char folder[PATH_SIZE];
    struct dirent **entries = NULL;
    const int count =
        data_path(folder, sizeof folder, data) ? scandir(folder, &entries, NULL, alphasort) : 0;
    for (int e = 0; e < count; e++) {
        const char *name = entries[e]->d_name;
        if (*ending ? text_ends_in(name, ending) : !strchr(name, '.'))
            fprintf(out, "%.*s\n", (int)(strlen(name) - strlen(ending)), name);
        free(entries[e]);
    }
    free(entries);
}

static void generate_recordings(FILE *out) {
    generate_entries(out, "recordings", ".rec");
}

static void generate_exercises(FILE *out) {
    generate_entries(out, "exercises", "");
}

static void generate_lanes(FILE *out) {
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int m = 0; m < MAPPING_COUNT; m++) {
            const char *mapping = mapping_name((enum mapping)m);
            if (!(*backend)->maps && m != MAPPING_UNSTRUCTURED)
                continue;
            fprintf(out, "%s/%s\n", (*backend)->name, mapping);
            for (int k = 0; k < SCHEDULE_COUNT; k++)
                fprintf(out, "%s/%s/%s\n", (*backend)->name, mapping,
                        schedule_kind_name((enum schedule_kind)k));
        }
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const char *name = (*backend)->name;
        fprintf(out, "%s\n%s+omega=\n", name, name);
        for (int method = METHOD_CHEBYSHEV; method < METHOD_COUNT; method++)
            fprintf(out, "%s+%s\n", name, method_names[method]);
        fprintf(out, "%s+%s+cycle=\n", name, method_names[METHOD_MULTIGRID]);
        if ((*backend)->transport)
            fprintf(out, "%s@2\n%s@4\n", name, name);
        if ((*backend)->maps)
            fprintf(out, "%s/%s+pinned\n", name, mapping_name(MAPPING_STRUCTURED));
    }
}

static void generate_grids(FILE *out) {
    for (int side = 64; side <= 16384; side *= 2)
        fprintf(out, "%d\n", side);
}

void generate_document(FILE *out, const char *what) {
    static const struct {
        const char *what;
        void (*generate)(FILE *out);
    } generators[] = {
        {"man-options", generate_options}, {"man-keys", generate_keys},
        {"bash", generate_bash},           {"zsh", generate_zsh},
        {"fish", generate_fish},           {"presets", generate_presets},
        {"tours", generate_tours},         {"recordings", generate_recordings},
        {"lanes", generate_lanes},         {"grids", generate_grids},
        {"exercises", generate_exercises},
    };
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        if (strcmp(what, generators[g].what) == 0)
            generators[g].generate(out);
}
