#include <stdio.h>
#include <unistd.h>

#include "build_info.h"
#include "config/config.h"
#include "config/document.h"

static enum status run(const struct config *config, struct error *error) {
    struct lane *lane;
    const struct lane_spec *spec = &config->plan.lanes[0];
    const enum status status = lane_open(spec, &lane, error);
    if (status)
        return status;
    lane_advance(lane, spec->iterations);
    printf("%ld iterations, residual %.6g -> %.6g, %.3f ms/iteration\n", lane->iterations,
           lane->initial_residual, lane->residual, 1e3 * lane->seconds / (double)lane->iterations);
    lane_close(lane);
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
    default:
        return run(config, error);
    }
}

int main(int argc, char *argv[]) {
    struct config config;
    struct error error = {0};
    enum status status = config_from_command_line(&config, argc, argv, &error);
    if (!status)
        status = act(&config, &error);
    if (status)
        fprintf(stderr, "jacobi-tui: %s\n", error.message);
    return (int)status;
}
