/* The sentences and figures that header, panels and verdicts share. All write into the caller's
 * buffer and return it. */
#ifndef JACOBI_METRICS_WORDS_H
#define JACOBI_METRICS_WORDS_H

#include <stddef.h>

#include "run/sample.h"

enum { WORDS_SIZE = 192 };

/* "1 204": a whole number in groups of three. */
char *words_count(char *buffer, size_t size, long count);

/* "1 204 ms", "83.1 µs"; "–" for NaN. */
char *words_ms(char *buffer, size_t size, double ms);

/* "67 %", "0.4 %"; "–" for NaN. */
char *words_percent(char *buffer, size_t size, double percent);

/* "1.07 GB"; "–" for NaN. */
char *words_bytes(char *buffer, size_t size, double bytes);

/* "1 306 GB/s"; "–" for NaN. */
char *words_gbs(char *buffer, size_t size, double gbs);

/* "1.11e-3"; "–" for NaN. */
char *words_residual(char *buffer, size_t size, double residual);

/* "1e-5", "0.25": as short as may be. */
char *words_number(char *buffer, size_t size, double number);

/* "OMPT", "the device's clock", "host's clock": who measured, as people say it. */
const char *words_clock(enum clock_source clock);

/* Whether the lane's back end has a device with its own memory, so that mapping means something. */
bool words_maps(const struct lane_sample *lane);

/* "same iterations (lockstep)": what the lanes of a comparison share. */
const char *words_race(const struct sample *sample);

/* What marks a screen with anything recorded: "replay: NVIDIA H200, 2026-11-21", or "B is a replay"
 * beside live lanes; "" where all is live. */
char *words_replays(char *buffer, size_t size, const struct sample *sample);

/* "▶ 37 of 1 000", "‖ paused at 37 of 1 000", "■ converged after 4 908". `lane` may be
 * NULL. */
char *words_state(char *buffer, size_t size, const struct sample *sample,
                  const struct lane_sample *lane);

#endif
