/* Prints --help, and the source of the completions and the man page (docs/man/documents.py), from
 * the table of settings. */
#include <string.h>

#include "config/inifile.h"
#include "config/settings.h"
#include "core/format.h"
#include "core/json.h"
#include "core/text.h"
#include "kernels/backends.h"

/* ---- --help --------------------------------------------------------------------------------- */

enum { HELP_COLS = 32 }; /* columns before an option's description */

static void help_row(FILE *out, const struct setting *setting) {
    char option[64], letter[8] = "    ";
    if (setting->letter)
        snprintf(letter, sizeof letter, "-%c, ", setting->letter);
    snprintf(option, sizeof option, "--%s%s%s", setting->name, setting->argument ? " " : "",
             setting->argument ? setting->argument : "");
    int beyond = 0; /* bytes that occupy no column */
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

/* ---- the table, for docs/man/documents.py ---------------------------------------------------- */

static void generate_options(FILE *out) {
    json_begin();
    cJSON *rows = cJSON_CreateArray();
    for (const struct setting *setting = settings; setting->name; setting++) {
        struct words words;
        char allowed[ERROR_MESSAGE_SIZE];
        cJSON *row = cJSON_CreateObject();
        setting_words(setting, &words);
        cJSON_AddStringToObject(row, "name", setting->name);
        json_add_text(row, "section", setting->section);
        json_add_text(row, "letter", (char[]){setting->letter, '\0'});
        json_add_text(row, "argument", setting->argument);
        json_add_text(row, "help", setting->help);
        json_add_text(row, "allowed", setting_allowed(setting, allowed, sizeof allowed));
        json_add_text(row, "generated", setting->generated);
        cJSON_AddItemToObject(row, "words", cJSON_CreateStringArray(words.word, words.count));
        cJSON_AddBoolToObject(row, "option", setting_is_option(setting));
        cJSON_AddBoolToObject(row, "shown", setting_is_shown(setting));
        json_append(rows, row);
    }
    json_print(out, rows, true, NULL);
}

/* ---- available values ------------------------------------------------------------------------ */

static void generate_lanes(FILE *out) {
    for (const struct backend *const *backend = backends; *backend; backend++)
        for (int m = 0; m < MAPPING_COUNT; m++) {
            const char *mapping = mapping_names[m];
            if (!backend_has_mappings(*backend) && m != MAPPING_UNSTRUCTURED)
                continue;
            fprintf(out, "%s/%s\n", (*backend)->name, mapping);
            for (int k = 0; k < SCHEDULE_COUNT; k++)
                fprintf(out, "%s/%s/%s\n", (*backend)->name, mapping, schedule_names[k]);
        }
    for (const struct backend *const *backend = backends; *backend; backend++) {
        const char *name = (*backend)->name;
        fprintf(out, "%s\n%s+omega=\n", name, name);
        for (int method = METHOD_CHEBYSHEV; method < METHOD_COUNT; method++)
            fprintf(out, "%s+%s\n", name, method_names[method]);
        fprintf(out, "%s+%s+cycle=\n", name, method_names[METHOD_MULTIGRID]);
        for (int p = PRECISION_DOUBLE + 1; p < PRECISION_COUNT; p++)
            if ((*backend)->precisions >> p & 1)
                fprintf(out, "%s+%s\n", name, precision_names[p]);
        if ((*backend)->transport)
            fprintf(out, "%s@2\n%s@4\n", name, name);
        if (backend_has_mappings(*backend))
            fprintf(out, "%s/%s+pinned\n", name, mapping_names[MAPPING_STRUCTURED]);
    }
}

static void generate_grids(FILE *out) {
    for (int side = 64; side <= 16384; side *= 2)
        fprintf(out, "%d\n", side);
}

void generate_document(FILE *out, const char *what) {
    static const struct {
        const char *what;
        void (*generate)(FILE *out); /* NULL: use `folders` */
        struct inifile_folders folders;
    } documents[] = {
        {.what = "options", .generate = generate_options},
        {.what = "lanes", .generate = generate_lanes},
        {.what = "grids", .generate = generate_grids},
        {.what = "presets", .folders = {.config = "presets", .data = "presets"}},
        {.what = "tours", .folders = {.config = "tours", .data = "presets/tours"}},
        {.what = "recordings", .folders = {.data = "recordings", .ending = ".rec"}},
        {.what = "exercises", .folders = {.data = "exercises", .ending = ""}},
    };
    struct inifile_name names[PRESETS_MAX];
    size_t d = 0;
    while (strcmp(what, documents[d].what) != 0) /* the table of settings has the same names */
        d++;
    if (documents[d].generate) {
        documents[d].generate(out);
        return;
    }
    const int count = inifile_list(&documents[d].folders, names, PRESETS_MAX);
    /* A shell may execute a completed name. */
    for (int n = 0; n < count; n++)
        if (!text_needs_quotes(names[n].text))
            fprintf(out, "%s\n", names[n].text);
}
