#include "core/format.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char not_measured[] = "–";

char *format_text(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return buffer;
}

char *format_append(char *buffer, size_t size, const char *format, ...) {
    const size_t length = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + length, size - length, format, arguments);
    va_end(arguments);
    return buffer;
}

char *format_list(char *buffer, size_t size, const char *item) {
    return format_append(buffer, size, "%s%s", *buffer ? ", " : "", item);
}

/* ---- numbers ------------------------------------------------------------------------------ */

char *format_count(char *buffer, size_t size, long count) {
    if (count < 1000)
        return format_text(buffer, size, "%ld", count);
    return format_text(buffer, size, "%s %03ld", AS(format_count, count / 1000), count % 1000);
}

char *format_number(char *buffer, size_t size, double number) {
    const bool small = number != 0 && fabs(number) < 1e-3; /* 1e-4 next to 1e-5, as on axes */
    if (number >= 1e3 && number < 1e15 && number == floor(number))
        return format_count(buffer, size, lround(number));
    format_text(buffer, size, small ? "%.3e" : "%.4g", number);
    char *exponent = strchr(buffer, 'e'), *end = exponent;
    if (!exponent)
        return buffer;
    while (small && end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    memmove(end, exponent, strlen(exponent) + 1);
    exponent = end;
    char *digits = exponent + (exponent[1] == '-' ? 2 : 1);
    const size_t useless = strspn(digits, "+0");
    memmove(digits, digits + useless, strlen(digits + useless) + 1);
    return buffer;
}

char *format_figure(char *buffer, size_t size, double figure) {
    return format_text(buffer, size, isnan(figure) ? not_measured : "%.6g", figure);
}

char *format_exact(char *buffer, size_t size, double number) {
    int digits = 4;
    while (strtod(format_text(buffer, size, "%.*g", digits, number), NULL) != number &&
           digits < DBL_DECIMAL_DIG)
        digits++;
    return buffer;
}

char *format_rate(char *buffer, size_t size, double rate) {
    return format_text(buffer, size, "%.*f", rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0, rate);
}

char *format_ratio(char *buffer, size_t size, double ratio) {
    return format_append(format_rate(buffer, size, ratio), size, "×");
}

/* The decimals to which a ratio is known. Negative: that many digits before the point are unknown.
 * At least one digit of the lower bound is kept, and of its distance from 1: not "1 to 7×". */
static int known_decimals(double ratio, double low, double high) {
    const int most = ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0;
    const int known = -(int)floor(log10(fmax(fabs(high - low) / 2, 1e-9)));
    const double excess = low > 0.9 && low < 2 ? fmax(fabs(low - 1), 0.01) : low;
    const int least = -(int)floor(log10(fmax(excess, 1e-3)));
    return known < least ? least : known < most ? known : most;
}

/* As printf rounds, so that a ratio reads the same with and without its interval. */
static double round_to(double value, int decimals) {
    const double unit = pow(10, -decimals);
    return decimals < 0 ? round(value / unit) * unit : strtod(PRINT("%.*f", decimals, value), NULL);
}

char *format_ratio_within(char *buffer, size_t size, double ratio, double low, double high) {
    if (!(low <= high))
        return format_ratio(buffer, size, ratio);
    const int decimals = known_decimals(ratio, low, high);
    return format_text(buffer, size, "%.*f×", decimals > 0 ? decimals : 0,
                       round_to(ratio, decimals));
}

char *format_ratio_interval(char *buffer, size_t size, double ratio, double low, double high) {
    if (!(low <= high))
        return format_ratio(buffer, size, ratio);
    const int decimals = known_decimals(ratio, low, high), shown = decimals > 0 ? decimals : 0;
    const double from = round_to(low, decimals), to = round_to(high, decimals);
    if (from == to)
        return format_text(buffer, size, "%.*f×", shown, to);
    /* Of a far upper end, two digits: "1.02 to 42×". */
    const int two = high > 2 * low ? (int)fmax(0, 1 - floor(log10(high))) : shown;
    return format_text(buffer, size, "%.*f to %.*f×", shown, from, two < shown ? two : shown, to);
}

char *format_percent(char *buffer, size_t size, double percent) {
    if (isnan(percent))
        return format_text(buffer, size, not_measured);
    if (percent > 0 && percent < 0.05)
        return format_text(buffer, size, "<0.1 %%");
    return format_text(buffer, size, "%.*f %%", percent > 0 && percent < 0.95, percent);
}

char *format_residual(char *buffer, size_t size, double residual) {
    if (!isfinite(residual))
        return format_text(buffer, size, isnan(residual) ? not_measured : "infinite");
    if (residual == 0)
        return format_text(buffer, size, "0");
    int exponent = (int)fmax(floor(log10(fabs(residual))), -307);
    double mantissa = residual / pow(10, exponent);
    if (fabs(mantissa) >= 9.995) {
        mantissa /= 10;
        exponent++;
    }
    return format_text(buffer, size, "%.2fe%d", mantissa, exponent);
}

/* ---- with units --------------------------------------------------------------------------- */

struct unit {
    double size;
    const char *name;
};

/* About three significant digits, in the first unit that is not too large for the value. The last
 * unit, of negative size, covers all smaller values. */
static char *print_with_unit(char *buffer, size_t size, double value, const struct unit *units) {
    while (units->size > 0 && fabs(value) < 0.9995 * units->size)
        units++;
    const double figure = value / fabs(units->size), magnitude = fabs(figure);
    if (magnitude >= 999.5 && magnitude < 99999.5) {
        const long whole = lround(magnitude);
        return format_text(buffer, size, "%s%ld %03ld%s", figure < 0 ? "-" : "", whole / 1000,
                           whole % 1000, units->name);
    }
    const int decimals = magnitude >= 99.95 || magnitude == 0 ? 0 : magnitude >= 9.995 ? 1 : 2;
    return format_text(buffer, size, "%.*f%s", decimals, figure, units->name);
}

char *format_bytes(char *buffer, size_t size, double bytes) {
    static const struct unit units[] = {
        {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {-1, " B"}};
    if (isnan(bytes))
        return format_text(buffer, size, not_measured);
    if (fabs(bytes) < 999.5) /* a mean need not be a whole number */
        return format_text(buffer, size, fabs(bytes) < 9.95 ? "%.2g B" : "%.3g B", bytes);
    return print_with_unit(buffer, size, bytes, units);
}

char *format_duration(char *buffer, size_t size, double seconds) {
    static const struct unit units[] = {{1e-3, " ms"}, {1e-6, " µs"}, {-1e-9, " ns"}};
    if (seconds >= 10 || seconds == 0)
        return format_text(buffer, size, "%.*f s", seconds < 99.95 && seconds > 0, seconds);
    return print_with_unit(buffer, size, seconds, units);
}

char *format_ms(char *buffer, size_t size, double ms) {
    if (isnan(ms))
        return format_text(buffer, size, not_measured);
    return ms == 0 ? format_text(buffer, size, "0 ms") : format_duration(buffer, size, 1e-3 * ms);
}

char *format_spread(char *buffer, size_t size, double ms, double low_ms, double high_ms,
                    const char *per) {
    const double half = (high_ms - low_ms) / 2, off = fabs(low_ms + half - ms);
    format_ms(buffer, size, ms);
    const char *unit = strrchr(buffer, ' '), *point = strchr(buffer, '.');
    if (!unit || !(half > 0))
        return format_append(buffer, size, "%s", per);
    const double scale = unit[1] == 's' ? 1e-3 : unit[1] == 'm' ? 1 : unit[1] == 'n' ? 1e6 : 1e3;
    const int decimals = point ? (int)(unit - point) - 1 : 0;
    const char *const spread = PRINT(" ± %.*f%s%s", decimals, scale * half, unit, per);
    if (off <= half / 2 && half <= ms / 2)
        return format_append(buffer, size, "%s", spread);
    return format_append(buffer, size, "%s (%.*f to %.*f)", per, decimals, scale * low_ms, decimals,
                         scale * high_ms);
}

char *format_si(char *buffer, size_t size, double count) {
    static const struct unit units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {-1, ""}},
                             thousands[] = {{1e3, " k"}, {-1, ""}};
    /* Up to five digits are written in full: "65 536". */
    const bool long_one = fabs(count) >= 99999.5 && fabs(count) < 999500;
    return print_with_unit(buffer, size, count, long_one ? thousands : units);
}

char *format_gbs(char *buffer, size_t size, double gbs) {
    if (!isfinite(gbs))
        return format_text(buffer, size, not_measured);
    return format_append(format_si(buffer, size, gbs), size, " GB/s");
}

char *format_grid(char *buffer, size_t size, int nx, int ny) {
    return nx == ny ? format_text(buffer, size, "%d²", nx)
                    : format_text(buffer, size, "%d×%d", nx, ny);
}
