/* Reads the command line with getopt_long, using an array made from the table of settings. */
#include <dirent.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config/settings.h"
#include "core/file.h"
#include "core/format.h"
#include "core/text.h"

/* For row r of the table, getopt_long returns FIRST_OPTION + r. */
enum { FIRST_OPTION = 1000, SUBFOLDERS = 3 };

struct getopt_table {
    struct option options[SETTINGS_MAX + 1];
    char letters[2 +
                 SETTINGS_MAX]; /* "+:" stops at the first stray word and reports missing values */
};

static void make_getopt_table(struct getopt_table *table) {
    struct option *option = table->options;
    char *letter = table->letters;
    *letter++ = '+';
    *letter++ = ':';
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting_is_option(setting))
            continue;
        const int argument = !setting->argument                   ? no_argument
                             : setting_argument_optional(setting) ? optional_argument
                                                                  : required_argument;
        *option++ = (struct option){setting->name, argument, NULL,
                                    FIRST_OPTION + (int)(setting - settings)};
        if (setting->letter)
            *letter++ = setting->letter;
    }
    *option = (struct option){0};
    *letter = '\0';
}

static const struct setting *setting_of(int answer) {
    if (answer >= FIRST_OPTION)
        return &settings[answer - FIRST_OPTION];
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->letter && setting->letter == answer)
            return setting;
    return NULL;
}

static enum status refuse_value(const struct setting *setting, const char *value,
                                struct error *error) {
    char allowed[ERROR_MESSAGE_SIZE];
    struct words words;
    struct closest_match nearest = closest_match_init(value ? value : "");
    setting_allowed(setting, allowed, sizeof allowed);
    setting_words(setting, &words);
    for (int w = 0; w < words.count; w++)
        closest_match_try(&nearest, words.word[w]);
    if (!value)
        return error_set(error, STATUS_BAD_INPUT, "--%s needs a value: %s", setting->name,
                         *allowed ? allowed : setting->argument);
    return error_set(error, STATUS_BAD_INPUT, "--%s %.80s: expected %s%s", setting->name, value,
                     allowed, nearest.question);
}

/* Reports the word that getopt has just rejected. */
static enum status refuse_option(char *const argv[], struct error *error) {
    const struct setting *setting = setting_of(optopt);
    if (setting && !setting->argument)
        return error_set(error, STATUS_BAD_INPUT, "--%s takes no value", setting->name);
    if (optopt && optopt < FIRST_OPTION)
        return error_set(error, STATUS_BAD_INPUT, "unknown option '-%c' (see --help)", optopt);
    const char *word = argv[optind - 1];
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    struct closest_match nearest = closest_match_init(typed);
    for (const struct setting *row = settings; row->name; row++)
        if (setting_is_shown(row))
            closest_match_try(&nearest, PRINT("--%s", row->name));
    return error_set(error, STATUS_BAD_INPUT, "unknown or ambiguous option '%.80s'%s (see --help)",
                     word, nearest.question);
}

/* An earlier pass reads the presets, so that options override them in any order. */
enum pass { PASS_PRESETS, PASS_OPTIONS };

/* Reads the options, and stops after --help or --version. */
static enum status read_options(enum pass pass, int argc, char *const argv[], struct config *config,
                                struct error *error) {
    struct getopt_table table;
    make_getopt_table(&table);
    optind = 0;
    opterr = 0;
    int answer;
    while ((answer = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1) {
        const struct setting *setting = setting_of(answer == ':' ? optopt : answer);
        if (!setting) /* '?' */
            return refuse_option(argv, error);
        if (answer == ':')
            return refuse_value(setting, NULL, error);
        const char *value = optarg;
        /* "--tour NAME": getopt accepts an optional value only as "--tour=NAME". */
        if (!value && setting_argument_optional(setting) && optind < argc && argv[optind][0] != '-')
            value = argv[optind++];
        const bool is_preset = setting->set == NULL;
        if (is_preset && pass == PASS_PRESETS) {
            config->is_bare = false;
            TRY(preset_load(value, config, error));
        } else if (!is_preset && pass == PASS_OPTIONS) {
            if (!setting->set(config, setting, value))
                return refuse_value(setting, value, error);
            config->given[setting - settings] = true;
            config->is_bare &= setting->group == SETTING_SCREEN && !config->tour;
        }
        if (setting->set == set_action && setting->min != ACTION_LIST &&
            setting->min != ACTION_DOCTOR)
            return STATUS_OK;
    }
    if (optind < argc)
        return error_set(error, STATUS_BAD_INPUT, "unexpected argument '%.80s' (see --help)",
                         argv[optind]);
    return STATUS_OK;
}

bool config_is_set(const struct config *config, const char *option) {
    for (size_t row = 0; settings[row].name; row++)
        if (setting_is_option(&settings[row]) && strcmp(settings[row].name, option) == 0)
            return config->given[row];
    return false;
}

static void warn(struct config *config, const char *idle, const char *when) {
    format_append(config->warning, sizeof config->warning, "%s%s ignored %s",
                  *config->warning ? "; " : "", idle, when);
}

void config_warn_idle(struct config *config, const char *const options[], const char *when) {
    /* Recordings are compared by the first two, and checked against the others. */
    static const char *const of_recordings[] = {"compare", "race", "grid", "problem", NULL};
    char idle[160] = "";
    for (const struct setting *setting = settings; setting->name; setting++) {
        int index;
        /* A preset's look and reference apply to a replay, too; settings of the run do not. */
        const bool is_of_run =
            setting->group <= SETTING_TUNING
                ? strcmp(setting->name, "on") != 0
                : !strcmp(setting->name, "roof") || !strcmp(setting->name, "sweep");
        const bool is_meant =
            options ? value_choice(setting->name, options, &index)
                    : is_of_run &&
                          (*config->replay || !value_choice(setting->name, of_recordings, &index));
        if (is_meant && setting_is_option(setting) && config_is_set(config, setting->name))
            format_list(idle, sizeof idle, PRINT("--%s", setting->name));
    }
    if (*idle)
        warn(config, idle, when);
}

bool config_is_replay(const struct config *config) {
    return *config->replay || plan_recorded_count(&config->plan) == config->plan.lane_count;
}

/* Whether the run has something of what an option needs. */
static bool has_one_of(const struct config *config, const char *needs) {
    const struct plan *plan = &config->plan;
    bool found = config->tour;
    if (strstr(needs, "--cast"))
        return *config->screenshot || *config->cast;
    if (needs[0] == '-')
        return found ||
               (strstr(needs, "--replay") ? config_is_replay(config) : plan->lane_count > 1);
    for (int l = 0; l < plan->lane_count; l++) {
        const struct lane_spec *lane = &plan->lanes[l];
        found |= strstr(needs, method_names[lane->engine.run.method]) != NULL;
        for (int c = 0; c < lane->choice_count; c++)
            found |= strstr(needs, lane->choices[c]->name) != NULL;
    }
    return found;
}

/* Of a replay, config_warn_idle names the options of the run. */
static void warn_unused(struct config *config, const struct setting *setting) {
    const char *const option = PRINT("--%s", setting->name);
    if (setting->group <= SETTING_TUNING && config_is_replay(config))
        return;
    if (setting->yields_to && config_is_set(config, setting->yields_to))
        warn(config, option, PRINT("beside --%s", setting->yields_to));
    else if (setting->needs && !has_one_of(config, setting->needs))
        warn(config, option, PRINT("without %s", setting->needs));
}

enum status config_refuse_launcher(const struct config *config, const struct launch *launch,
                                   struct error *error) {
    const char *options = strchr(config->command, ' ');
    const bool starts_ranks = !*config->on && !*config->kernels && !config->exercise;
    char count[16] = "N", other[320] = "";
    if (launch->count > 0)
        snprintf(count, sizeof count, "%d", launch->count);
    if (starts_ranks)
        snprintf(other, sizeof other, " or, without the launcher, jacobi-tui --on '%s %s'%.250s",
                 launch->launcher, count, options ? options : "");
    return error_set(
        error, STATUS_BAD_INPUT,
        "started as one of several processes (%s is %d), which can't %s: use %s--alone%s",
        launch->variable, launch->rank,
        config->headless ? "start a process for the solver" : "show a screen",
        config->headless ? "" : "--headless or ", other);
}

static bool is_one(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Also if neither exists yet: then both have the same name in the same folder. */
static bool is_same_file(const char *a, const char *b) {
    const char *const slashes[] = {strrchr(a, '/'), strrchr(b, '/')};
    const char *const name = slashes[0] ? slashes[0] + 1 : a;
    const char *const other = slashes[1] ? slashes[1] + 1 : b;
    char folder[PATH_SIZE], other_folder[PATH_SIZE];
    format_text(folder, sizeof folder, "%.*s.", (int)(name - a), a);
    format_text(other_folder, sizeof other_folder, "%.*s.", (int)(other - b), b);
    return is_one(a, b) || (strcmp(name, other) == 0 && is_one(folder, other_folder));
}

/* Whether the file may be a source in the kernels' folder or its subfolders, under any name: it
 * does not end like an output. */
static bool is_source(const char *folder, const char *path, int depth) {
    static const char *const outputs[] = {".rec", ".cast", ".svg", ".png", ".txt", ".ans", ".md"};
    char file[PATH_SIZE];
    struct dirent **entries = NULL;
    const int count = *folder && file_exists(path) ? scandir(folder, &entries, NULL, NULL) : 0;
    bool found = false;
    for (int e = 0; e < count; e++) {
        format_text(file, sizeof file, "%s/%s", folder, entries[e]->d_name);
        bool is_output = false;
        for (size_t n = 0; n < sizeof outputs / sizeof *outputs; n++)
            is_output |= text_ends_in(file, outputs[n]);
        found |= !is_output && is_one(file, path);
        if (depth > 0 && entries[e]->d_name[0] != '.') /* also a link to a folder */
            found |= is_source(file, path, depth - 1);
        free(entries[e]);
    }
    free(entries);
    return found;
}

/* Whether the run reads the file, or will: a tour's scenes read their recordings later. */
static bool is_input(const struct config *config, const struct config *inputs, const char *file) {
    char path[PATH_SIZE];
    bool found = file_was_read(file) || is_source(config->kernels, file, SUBFOLDERS);
    for (int l = -1; l < inputs->plan.lane_count; l++) {
        recording_path(path, sizeof path, l < 0 ? inputs->replay : inputs->plan.recordings[l].path);
        found |= is_same_file(file, path);
    }
    return found;
}

enum status config_check_outputs(const struct config *config, const struct config *inputs,
                                 struct error *error) {
    const char *const files[] = {config->record, config->cast, config->screenshot,
                                 config->worksheet};
    for (int a = 0; a < 4; a++) {
        bool is_taken = *files[a] && is_input(config, inputs, files[a]);
        for (int b = 0; b < a; b++)
            is_taken |= *files[a] && is_same_file(files[a], files[b]);
        if (is_taken)
            return error_set(error, STATUS_BAD_INPUT,
                             "%.200s: expected a different name for each output file, which no "
                             "file to be read has",
                             files[a]);
    }
    return STATUS_OK;
}

enum status config_from_command_line(struct config *config, int argc, char *const argv[],
                                     struct error *error) {
    config_init(config);
    user_settings_load(config);
    char word[sizeof config->command];
    format_text(config->command, sizeof config->command, "jacobi-tui");
    for (int k = 1; k < argc; k++)
        format_append(config->command, sizeof config->command, " %s",
                      text_quote(word, sizeof word, argv[k]));
    text_sanitize(config->command);
    config->is_bare = true;
    TRY(read_options(PASS_PRESETS, argc, argv, config, error));
    TRY(read_options(PASS_OPTIONS, argc, argv, config, error));
    if (config_make_lanes(config, error))
        return error_prefix(error, "--compare");
    TRY(config_check_outputs(config, config, error));
    if (config_is_replay(config))
        config_warn_idle(config, NULL, "on a replay: it shows runs as they were recorded");
    for (const struct setting *setting = settings; setting->name; setting++)
        if (config->given[setting - settings])
            warn_unused(config, setting);
    return STATUS_OK;
}
