#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "config/preset.h"
#include "config/saved.h"
#include "config/setters.h"
#include "core/text.h"

/* getopt_long's answer for the row r of the table is FIRST_OPTION + r. */
enum { ROWS_MAX = 128, FIRST_OPTION = 1000 };

struct getopt_table {
    struct option options[ROWS_MAX + 1];
    char letters[2 + ROWS_MAX]; /* "+:" stops at the first stray word and tells missing values */
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

static enum status not_allowed(const struct setting *setting, const char *value,
                               struct error *error) {
    char allowed[ERROR_MESSAGE_SIZE];
    setting_allowed(setting, allowed, sizeof allowed);
    if (!value)
        return error_set(error, STATUS_BAD_INPUT, "--%s needs a value: %s", setting->name,
                         *allowed ? allowed : setting->argument);
    return error_set(error, STATUS_BAD_INPUT, "--%s %.80s: allowed is %s", setting->name, value,
                     allowed);
}

/* The word that getopt has just refused. */
static enum status refused(char *const argv[], struct error *error) {
    const struct setting *setting = setting_of(optopt);
    if (setting && !setting->argument)
        return error_set(error, STATUS_BAD_INPUT, "--%s takes no value", setting->name);
    if (optopt && optopt < FIRST_OPTION)
        return error_set(error, STATUS_BAD_INPUT,
                         "there is no option '-%c': allowed are those of --help", optopt);
    return error_set(error, STATUS_BAD_INPUT,
                     "there is no option '%.80s', or several begin so: allowed are those of --help",
                     argv[optind - 1]);
}

/* "--tour NAME": getopt knows an optional value only as "--tour=NAME". */
static const char *optional_value(const struct setting *setting, int argc, char *const argv[]) {
    if (!optarg && setting_argument_optional(setting) && optind < argc && argv[optind][0] != '-')
        return argv[optind++];
    return optarg;
}

enum pass { PASS_PRESETS, PASS_OPTIONS };

static enum status apply(enum pass pass, const struct setting *setting, const char *value,
                         struct config *config, struct error *error) {
    const bool is_preset = setting->set == NULL;
    if (is_preset != (pass == PASS_PRESETS))
        return STATUS_OK;
    if (is_preset)
        return preset_load(value, config, error);
    if (!setting->set(config, setting, value))
        return not_allowed(setting, value, error);
    const size_t row = (size_t)(setting - settings);
    config->given[row / 64] |= UINT64_C(1) << row % 64;
    return STATUS_OK;
}

bool config_was_given(const struct config *config, const char *option) {
    for (size_t row = 0; settings[row].name; row++)
        if (setting_is_option(&settings[row]) && strcmp(settings[row].name, option) == 0)
            return config->given[row / 64] >> row % 64 & 1;
    return false;
}

static bool ends_line(const struct setting *setting) {
    return setting->set == set_action && setting->min != ACTION_LIST;
}

/* The presets come first, so that an option wins over them wherever it stands. Nothing after --help
 * or --version is looked at. */
static enum status pass_over(enum pass pass, int argc, char *const argv[], struct config *config,
                             struct error *error) {
    struct getopt_table table;
    make_getopt_table(&table);
    optind = 0;
    opterr = 0;
    int answer;
    while ((answer = getopt_long(argc, argv, table.letters, table.options, NULL)) != -1) {
        const struct setting *setting = setting_of(answer == ':' ? optopt : answer);
        if (!setting) /* '?' */
            return refused(argv, error);
        if (answer == ':')
            return not_allowed(setting, NULL, error);
        const char *value = optional_value(setting, argc, argv);
        const enum status status = apply(pass, setting, value, config, error);
        if (status || ends_line(setting))
            return status;
    }
    if (optind < argc)
        return error_set(error, STATUS_BAD_INPUT,
                         "'%.80s' belongs to no option: allowed are those of --help", argv[optind]);
    return STATUS_OK;
}

static void keep_command(struct config *config, int argc, char *const argv[]) {
    const size_t size = sizeof config->command;
    size_t used = 0;
    for (int k = 0; k < argc && used < size; k++)
        used += (size_t)snprintf(config->command + used, size - used, "%s%s", k ? " " : "",
                                 k ? argv[k] : "jacobi-tui");
    text_make_visible(config->command);
}

enum status config_from_command_line(struct config *config, int argc, char *const argv[],
                                     struct error *error) {
    config_init(config);
    saved_load(config);
    keep_command(config, argc, argv);
    enum status status = pass_over(PASS_PRESETS, argc, argv, config, error);
    if (!status)
        status = pass_over(PASS_OPTIONS, argc, argv, config, error);
    if (!status && config_make_lanes(config, error))
        status = error_prefix(error, "--compare");
    return status;
}
