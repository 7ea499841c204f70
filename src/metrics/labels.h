/* Formats lanes and runs, identically on the screen and in reports. A function that has a buffer
 * writes into it and returns it. Figures: core/format.h. */
#pragma once

#include "core/format.h"
#include "run/sample.h"

enum { SENTENCE_SIZE = 192, LABEL_SIZE = 64, LABEL_REPLAY_SIZE = 160 };

/* "4096²"; "4096×2048, 4096²" if the lanes' grids differ. */
char *format_grids(char *buffer, size_t size, const struct sample *sample);

/* "double"; "several precisions" if the lanes' differ. */
const char *format_precision(const struct sample *sample);

/* "ω 0.8": the relaxation factor of a run. */
char *format_omega(char *buffer, size_t size, double omega);

/* "V(1,1)", "V(2,1), red-black". */
char *format_cycle(char *buffer, size_t size, struct cycle cycle);

/* "Chebyshev", "multigrid V(2,1)", "multigrid V(1,1), red-black". */
char *format_method(char *buffer, size_t size, const struct lane_sample *lane);

/* "OMPT", "device events", "host": the clock of a measurement. */
const char *format_clock(enum clock_source clock);

/* ---- lanes */

char lane_letter(int lane); /* 'A' … 'D' */

/* Whether the back end of that name has a device memory to map to; otherwise no mapping is shown.
 * True for unknown names, as in recordings. */
bool backend_maps(const char *name);

/* Whether the lane's ω is the default of its method, which is not shown. */
bool lane_has_default_omega(const struct lane_sample *lane);

/* "omp/structured/fused+chebyshev+pinned": an entry of --compare. */
char *lane_to_option(char *buffer, size_t size, const struct lane_sample *lane);

/* "omp/structured/classic", "threads/classic+sor+omega=1.5": everything but the device. */
char *lane_label_full(char *buffer, size_t size, const struct lane_sample *lane);

/* Whether round-off stops Jacobi's residual from falling: for as many iterations as would reduce it
 * by 5 % in exact arithmetic. Sets *least to the lowest residual, *iterate to its iterate. */
bool lane_stagnates(const struct lane_sample *lane, double *least, long *iterate);

/* "stagnates at 2.65e-5 (at 34 810): round-off of single precision"; "" if it doesn't. `scale` is
 * the factor of the residuals' measure. */
char *format_stagnation(char *buffer, size_t size, const struct lane_sample *lane, double scale);

/* The parts in which the sample's lanes differ: "structured", "hip/fused", "yours/fused", "sor", "ω
 * 0.8", "hip/replay" if only some are recorded; otherwise the device. A letter distinguishes equal
 * labels. If nothing differs, the label is the letter, "A" … "D". */
char *lane_label(char *buffer, size_t size, const struct sample *sample, int lane);

/* "replay: NVIDIA H200, 2026-11-21", the mark of a recorded lane; "" for a live one. */
char *lane_replay_label(char *buffer, size_t size, const struct lane_sample *lane);

/* "depth 12 of 4, 8, 12, 16", "block 128 of 128, 256, 512; norm-block …": the settings that
 * autotuning chose and tried; "" if it did not run. */
char *format_tried(char *buffer, size_t size, const struct lane_sample *lane);

/* "blocked:12 was requested, but hip's kernels here reach only blocked:8; omega 1.5 is above
 * 1.0012: …", "4 devices share 2 cores": differences between run and request, why it will diverge,
 * or why it can't scale; else "". `cores`: of the machine that computes; 0: unknown. */
char *format_notes(char *buffer, size_t size, const struct engine_spec *asked,
                   const struct lane_sample *lane, int cores);

/* Why there is no scan of the launch geometry. `lane` may be NULL. */
const char *format_no_scan(const struct lane_sample *lane);

/* ---- runs */

/* "same iterations (lockstep)": the common progress of a comparison's lanes, or "A's recording ends
 * at 40" if one ends before the others. */
char *format_race(char *buffer, size_t size, const struct sample *sample);

/* The mark of recorded lanes: "replay: NVIDIA H200, 2026-11-21", or "B is a replay" next to live
 * lanes; "" if all are live. */
char *format_replays(char *buffer, size_t size, const struct sample *sample);

/* "▶ 37 of 1 000", "‖ paused at 37 of 1 000", "■ converged after 4 908". `lane` may be NULL. */
char *format_state(char *buffer, size_t size, const struct sample *sample,
                   const struct lane_sample *lane);
