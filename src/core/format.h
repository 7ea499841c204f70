/* Formats figures, identically on the screen and in reports.
 *
 * Each function writes into the caller's buffer, truncates at `size`, and returns the buffer. A
 * figure that was not measured (NaN) is shown as "–". */
#pragma once

#include <stddef.h>

/* A text without a buffer of its own: the result of a function below or one like them, which gets
 * an empty buffer of 256 bytes. It stays valid until the end of the enclosing block. What an `if`
 * selects is a block, too: use ?: to choose among texts that are printed later.
 *
 *     draw_text(row, ROLE_TEXT, "%s in %s", AS(format_bytes, bytes), AS(format_ms, ms)); */
enum { AS_SIZE = 256 };
#define AS(function, ...) function((char[AS_SIZE]){""}, AS_SIZE, __VA_ARGS__)
#define PRINT(...) AS(format_text, __VA_ARGS__)

char *format_text(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
char *format_append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends `item` to the list in the buffer: "a, b". */
char *format_list(char *buffer, size_t size, const char *item);

/* "1 204": a whole number in groups of three digits. */
char *format_count(char *buffer, size_t size, long count);

/* "1e-5", "0.25", "1 204": at most four digits, but whole numbers in full. */
char *format_number(char *buffer, size_t size, double number);

/* "0.000111045": at most six digits, as %g prints them. */
char *format_figure(char *buffer, size_t size, double figure);

/* The shortest text that is read back as the same number, at least four digits: "1.235e-05". */
char *format_exact(char *buffer, size_t size, double number);

/* "16.8 M", "1.06 G": a count or a rate, before its unit. */
char *format_si(char *buffer, size_t size, double count);

/* "0.06", "8.49", "26.5", "1306": at most three digits after leading zeros, no exponent. */
char *format_rate(char *buffer, size_t size, double rate);

/* "12 to 14×", or "3.10×" if both ends round to the same value: a ratio between two bounds, with
 * the digits that half their distance allows. format_ratio_within prints only the middle: "13×". If
 * a bound is NaN, both are format_ratio. */
char *format_ratio_interval(char *buffer, size_t size, double ratio, double low, double high);
char *format_ratio_within(char *buffer, size_t size, double ratio, double low, double high);

/* "4.91×", "21.8×", "454×". */
char *format_ratio(char *buffer, size_t size, double ratio);

/* "67 %", "0.4 %", "<0.1 %". */
char *format_percent(char *buffer, size_t size, double percent);

/* "1.11e-3". */
char *format_residual(char *buffer, size_t size, double residual);

/* "134.2 MB", "8 B": decimal units, at most four digits. */
char *format_bytes(char *buffer, size_t size, double bytes);

/* "1 306 GB/s". */
char *format_gbs(char *buffer, size_t size, double gbs);

/* "1 204 ms", "83.1 µs", "2.41 s": about three digits. */
char *format_duration(char *buffer, size_t size, double seconds);

/* "11.6 ms ± 0.5 ms/it": a median, half the distance of its quartiles, and the unit's denominator
 * `per`. "118 µs/it (90 to 1300)" if ± would mislead: the median is far from the quartiles' middle,
 * or less than their distance. All in one unit, to the same last digit. */
char *format_spread(char *buffer, size_t size, double ms, double low_ms, double high_ms,
                    const char *per);

/* Like format_duration, in milliseconds; "0 ms" for zero. */
char *format_ms(char *buffer, size_t size, double ms);

/* "4096²" for a square grid, "640×480" otherwise. */
char *format_grid(char *buffer, size_t size, int nx, int ny);
