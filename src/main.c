#include <stdio.h>
#include <unistd.h>

#include "build_info.h"
#include "config/document.h"
#include "core/interrupt.h"
#include "report/headless.h"
#include "report/list.h"

static enum status run_headless(const struct config *config, struct error *error) {
    interrupt_catch();
    return headless_run(config, stdout, stderr, interrupt_flag(), error);
}

static enum status run(const struct config *config, struct error *error) {
    if (!config->headless && isatty(STDOUT_FILENO))
        fputs("jacobi-tui: there is no screen yet: --headless\n", stderr);
    return run_headless(config, error);
}

static enum status list(const struct config *config, struct error *error) {
    if (config->format == FORMAT_JSON || config->format == FORMAT_JSONL)
        return list_json(stdout, error);
    list_text(stdout);
    return STATUS_OK;
}

static enum status act(const struct config *config, struct error *error) {
    switch (config->action) {
    case ACTION_HELP:
        document_help(stdout);
        return STATUS_OK;
    case ACTION_VERSION:
        puts("jacobi-tui " BUILD_VERSION);
        return STATUS_OK;
    case ACTION_GENERATE:
        document_generate(stdout, config->generate);
        return STATUS_OK;
    case ACTION_LIST:
        return list(config, error);
    case ACTION_RUN:
        return run(config, error);
    }
    return STATUS_INTERNAL;
}

int main(int argc, char *argv[]) {
    struct config config;
    struct error error = {0};
    enum status status = config_from_command_line(&config, argc, argv, &error);
    if (!status && *config.notice)
        fprintf(stderr, "jacobi-tui: %s\n", config.notice);
    if (!status)
        status = act(&config, &error);
    if (status)
        fprintf(stderr, "jacobi-tui: %s\n", error.message);
    const int signal = interrupt_signal();
    return !status && signal ? 128 + signal : (int)status;
}
