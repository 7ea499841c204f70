/* What to call a lane among others: by what tells it from them. */
#ifndef JACOBI_METRICS_LABEL_H
#define JACOBI_METRICS_LABEL_H

#include "run/sample.h"

enum { LABEL_SIZE = 64 };

/* Whether the back end of that name has a memory to map to; if not, all mappings are the same and
 * none is named. True for a name that this program doesn't know: a recording may have it. */
bool backend_maps(const char *name);

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
