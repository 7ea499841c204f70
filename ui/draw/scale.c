/* Axes: linear and logarithmic scales, their ticks and labels (ui/draw/draw.h). */
#include <math.h>
#include <stdio.h>

#include "ui/draw/draw.h"

double scale_at(const struct scale *scale, double value) {
    if (!scale->logarithmic)
        return (value - scale->low) / (scale->high - scale->low);
    if (!(value > 0))
        return NAN;
    return log(value / scale->low) / log(scale->high / scale->low);
}

int scale_ticks(const struct scale *scale, int most, double ticks[TICKS_MOST]) {
    const double range = scale->high - scale->low;
    int count = 0;
    most = most < TICKS_MOST ? most : TICKS_MOST;
    if (most < 1 || !(range > 0) || !isfinite(range) || (scale->logarithmic && !(scale->low > 0)))
        return 0;
    if (scale->logarithmic) {
        const int first = (int)ceil(log10(scale->low) - 1e-9);
        const int last = (int)floor(log10(scale->high) + 1e-9);
        int every = 1;
        while ((last - first) / every + 1 > most)
            every++;
        for (int power = first; power <= last; power++)
            if (power % every == 0 && count < most)
                ticks[count++] = pow(10, power);
        return count;
    }
    const double power = pow(10, floor(log10(range / most)));
    double step = 10 * power;
    for (int s = 2; s >= 0; s--) {
        const double smaller = power * (const double[]){1, 2, 5}[s];
        if (range / smaller + 1 <= most + 1e-9)
            step = smaller;
    }
    for (double k = ceil(scale->low / step - 1e-9); count < most; k++) {
        if (k * step > scale->high + 1e-9 * step)
            break;
        ticks[count++] = k * step;
    }
    return count;
}

char *scale_label(char *buffer, size_t size, const struct scale *scale, double tick) {
    if (scale->logarithmic && tick > 0 && (tick < 0.05 || tick > 5000))
        snprintf(buffer, size, "1e%d", (int)lround(log10(tick)));
    else
        snprintf(buffer, size, "%.4g", fabs(tick) < 1e-12 * scale->high ? 0.0 : tick);
    return buffer;
}
