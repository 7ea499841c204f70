#include "report/replayed.h"

#include <math.h>

#include "record/replay.h"
#include "report/report.h"

static int index_asked(const struct config *config, struct reel *reel) {
    const int last = reel_sample_count(reel) - 1;
    const int64_t begin = reel_time_ns(reel, 0);
    const int64_t length = reel_time_ns(reel, last) - begin;
    if (isfinite(config->at_percent))
        return reel_find(reel, begin + (int64_t)(config->at_percent / 100 * (double)length));
    if (isfinite(config->at_seconds))
        return reel_find(reel, begin + (int64_t)(1e9 * config->at_seconds));
    return last;
}

enum status replayed_report(struct config *config, FILE *out, struct error *error) {
    struct reel *reel;
    enum status status = replay_load(config, &reel, error);
    if (status)
        return status;
    struct report report = {.config = config};
    report.sample = reel_sample(reel, index_asked(config, reel));
    for (int l = 0; l < LANES_MAX; l++)
        report.solutions[l] = solution_unknown;
    status = report_write(out, &report, error);
    reel_close(reel);
    return status;
}
