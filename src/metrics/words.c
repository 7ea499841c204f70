#include "metrics/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "metrics/label.h"

static const char not_measured[] = "–";

static char *copy(char *buffer, size_t size, const char *text) {
    snprintf(buffer, size, "%s", text);
    return buffer;
}

char *words_count(char *buffer, size_t size, long count) {
    if (count < 1000)
        snprintf(buffer, size, "%ld", count);
    else if (count < 1000000)
        snprintf(buffer, size, "%ld %03ld", count / 1000, count % 1000);
    else
        snprintf(buffer, size, "%ld %03ld %03ld", count / 1000000, count / 1000 % 1000,
                 count % 1000);
    return buffer;
}

char *words_ms(char *buffer, size_t size, double ms) {
    if (isnan(ms))
        return copy(buffer, size, not_measured);
    return ms == 0 ? copy(buffer, size, "0 ms") : text_duration(buffer, size, 1e-3 * ms);
}

char *words_percent(char *buffer, size_t size, double percent) {
    if (isnan(percent))
        return copy(buffer, size, not_measured);
    const bool tenths = percent > 0 && percent < 0.95;
    snprintf(buffer, size,
             tenths && percent < 0.05 ? "<0.1 %%"
             : tenths                 ? "%.1f %%"
                                      : "%.0f %%",
             percent);
    return buffer;
}

char *words_bytes(char *buffer, size_t size, double bytes) {
    return isnan(bytes) ? copy(buffer, size, not_measured) : text_bytes(buffer, size, bytes);
}

char *words_gbs(char *buffer, size_t size, double gbs) {
    if (!isfinite(gbs))
        return copy(buffer, size, not_measured);
    text_count(buffer, size, gbs);
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, " GB/s");
    return buffer;
}

char *words_residual(char *buffer, size_t size, double residual) {
    if (!isfinite(residual))
        return copy(buffer, size, isnan(residual) ? not_measured : "infinite");
    if (residual == 0)
        return copy(buffer, size, "0");
    int exponent = (int)fmax(floor(log10(fabs(residual))), -307);
    double mantissa = residual / pow(10, exponent);
    if (fabs(mantissa) >= 9.995) {
        mantissa /= 10;
        exponent++;
    }
    snprintf(buffer, size, "%.2fe%d", mantissa, exponent);
    return buffer;
}

char *words_number(char *buffer, size_t size, double number) {
    snprintf(buffer, size, "%.4g", number);
    char *exponent = strchr(buffer, 'e');
    if (!exponent)
        return buffer;
    char *digits = exponent + (exponent[1] == '-' ? 2 : 1);
    const size_t useless = strspn(digits, "+0");
    memmove(digits, digits + useless, strlen(digits + useless) + 1);
    return buffer;
}

const char *words_clock(enum clock_source clock) {
    static const char *const names[CLOCK_COUNT] = {
        [CLOCK_NONE] = not_measured,
        [CLOCK_HOST] = "host",
        [CLOCK_OMPT] = "OMPT",
        [CLOCK_TARGET_REGION] = "OMPT target region",
        [CLOCK_DEVICE] = "device events",
    };
    return names[clock];
}

bool words_maps(const struct lane_sample *lane) {
    return backend_maps(lane->backend);
}

const char *words_race(const struct sample *sample) {
    const bool recorded = sample_recorded_count(sample) > 0;
    if (sample->race == RACE_SAME_TIME)
        return recorded ? "same recorded time" : "same time for each";
    return recorded ? "same recorded iterations" : "same iterations (lockstep)";
}

char *words_replays(char *buffer, size_t size, const struct sample *sample) {
    const int count = sample_recorded_count(sample);
    int said = 0;
    copy(buffer, size, sample->playback.label);
    if (*buffer || count == 0)
        return buffer;
    for (int l = 0; l < sample->lane_count; l++) {
        const size_t used = strlen(buffer);
        if (*sample->lanes[l].recorded)
            snprintf(buffer + used, size - used, "%s%c", said++ ? ", " : "", lane_letter(l));
    }
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, count > 1 ? " are replays" : " is a replay");
    return buffer;
}

static char *running(char *buffer, size_t size, const struct sample *sample,
                     const struct lane_sample *lane) {
    char made[32], limit[32];
    words_count(made, sizeof made, lane->iterations);
    words_count(limit, sizeof limit, lane->iteration_limit);
    const bool paused = sample->state == SESSION_PAUSED || sample->playback.paused;
    snprintf(buffer, size, paused ? "‖ paused at %s of %s" : "▶ %s of %s", made, limit);
    return buffer;
}

static char *ended(char *buffer, size_t size, const struct lane_sample *lane) {
    char made[32];
    words_count(made, sizeof made, lane->iterations);
    if (lane->state == LANE_FAILED)
        snprintf(buffer, size, "× failed after %s", made);
    else if (lane->state == LANE_CONVERGED)
        snprintf(buffer, size, "■ converged after %s", made);
    else
        snprintf(buffer, size, "■ finished: %s", made);
    return buffer;
}

char *words_state(char *buffer, size_t size, const struct sample *sample,
                  const struct lane_sample *lane) {
    if (sample->state == SESSION_OPENING)
        return copy(buffer, size, "… opening: allocating and filling");
    if (!lane)
        return copy(buffer, size, "× could not start");
    return lane->state == LANE_RUNNING ? running(buffer, size, sample, lane)
                                       : ended(buffer, size, lane);
}
