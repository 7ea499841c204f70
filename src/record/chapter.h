/* Chapters: one begins with each run, and one at its end. The user can jump to the chapters of a
 * recording; in a screencast they are markers. */
#ifndef JACOBI_RECORD_CHAPTER_H
#define JACOBI_RECORD_CHAPTER_H

#include "run/sample.h"

enum { CHAPTER_SIZE = 64 };

/* What must be known of the sample before; all zeros if there is none. */
struct chapter_last {
    enum session_state state;
    int lane_count, nx, ny;
    char problem[32];
    struct run_id runs[LANES_MAX];
    long iterations[LANES_MAX];
};

/* Whether `sample` belongs to another run: other lanes, another grid or problem, or the same from
 * its beginning. */
bool chapter_is_new_run(const struct chapter_last *last, const struct sample *sample);

/* Takes the next sample. Returns whether a chapter begins with it; if so, writes its title (at most
 * CHAPTER_SIZE bytes). */
bool chapter_take(struct chapter_last *last, const struct sample *sample, char *title);

#endif
