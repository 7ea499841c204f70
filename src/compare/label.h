/* What to call a lane among others: by what tells it from them. */
#ifndef JACOBI_COMPARE_LABEL_H
#define JACOBI_COMPARE_LABEL_H

#include "session/sample.h"

enum { LABEL_SIZE = 64 };

/* Whether that back end has a memory to map to: not `serial` and `threads`, for which all mappings
 * are the same and none is named. */
bool backend_maps(const char *backend);

/* "omp/structured/classic", "threads/fused": everything, as --compare takes it. */
char *lane_label_full(char *buffer, size_t size, const struct lane_sample *lane);

/* Only what differs among the lanes of the sample: "structured", "omp", "hip/fused"; where some
 * were recorded and some were not, those with "replay" behind it: "hip/replay". Where nothing else
 * differs, the device; a letter behind what others are called too; the letter "A" … "D" where
 * nothing does. */
char *lane_label(char *buffer, size_t size, const struct sample *sample, int lane);

/* "replay: NVIDIA H200, 2026-11-21", what marks a recorded lane wherever it is shown; "" where the
 * lane runs live. Returns `buffer`. */
enum { LABEL_REPLAY_SIZE = 160 };
char *lane_replay_label(char *buffer, size_t size, const struct lane_sample *lane);

/* 'A' … 'D' */
char lane_letter(int lane);

#endif
