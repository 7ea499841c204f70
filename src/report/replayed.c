#include "report/replayed.h"

#include <math.h>

#include "record/replay.h"
#include "report/report.h"

static int index_asked(const struct config *config, const struct recording *recording) {
    const int last = recording_sample_count(recording) - 1;
    const int64_t begin = recording_time_ns(recording, 0);
    const int64_t length = recording_time_ns(recording, last) - begin;
    if (isfinite(config->at_percent))
        return recording_find(recording,
                              begin + (int64_t)(config->at_percent / 100 * (double)length));
    if (isfinite(config->at_seconds))
        return recording_find(recording, begin + (int64_t)(1e9 * config->at_seconds));
    return last;
}

enum status replayed_report(struct config *config, FILE *out, struct error *error) {
    struct recording *recording;
    enum status status = replay_load(config, &recording, error);
    if (status)
        return status;
    struct report report = {.config = config};
    report.sample = recording_sample(recording, index_asked(config, recording));
    for (int l = 0; l < LANES_MAX; l++)
        report.solutions[l] = solution_unknown;
    status = report_write(out, &report, error);
    recording_close(recording);
    return status;
}
