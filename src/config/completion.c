#include "config/completion.h"

#include <stdbool.h>
#include <string.h>

#include "config/setting.h"

static bool takes_file(const struct setting *setting) {
    return strstr(setting->argument, "FILE") != NULL;
}

static bool takes_preset(const struct setting *setting) {
    return strcmp(setting->name, "preset") == 0;
}

static void print_words(FILE *out, const struct words *words) {
    for (int w = 0; w < words->count; w++)
        fprintf(out, "%s%s", w ? " " : "", words->word[w]);
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
        print_words(out, &words);
        fputs("'", out);
    }
    fprintf(out, "%s -- \"$cur\"))\n        return ;;\n", takes_file(setting) ? " -f" : "");
}

static bool has_values(const struct setting *setting) {
    struct words words;
    setting_words(setting, &words);
    return words.count > 0 || takes_file(setting);
}

/* Values that can't be completed: a number, a text. */
static void bash_free_values(FILE *out) {
    const char *before = "    ";
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting_is_option(setting) && setting->argument && !has_values(setting) &&
            !setting_argument_optional(setting)) {
            fprintf(out, "%s--%s", before, setting->name);
            before = "|";
        }
    fputs(")\n        return ;;\n", out);
}

void completion_bash(FILE *out) {
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
    bash_free_values(out);
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
        print_words(out, &words);
        fputs(")", out);
    }
}

void completion_zsh(FILE *out) {
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
