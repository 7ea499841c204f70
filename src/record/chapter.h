/* Chapters: where another run begins, and where one ends. What a recording can be jumped about by,
 * and the markers of a screencast. */
#ifndef JACOBI_RECORD_CHAPTER_H
#define JACOBI_RECORD_CHAPTER_H

#include "run/sample.h"

enum { CHAPTER_SIZE = 64 };

/* What has to be known of the sample before; all zeros: there is none. */
struct chapter_mark {
    enum session_state state;
    int lane_count, nx, ny;
    char problem[32];
    struct chapter_lane {
        char backend[16];
        enum mapping mapping;
        struct schedule schedule;
        long iterations;
    } lanes[LANES_MAX];
};

/* Whether `sample` belongs to another run: other lanes, another grid or problem, or the same from
 * its beginning. */
bool chapter_is_new_run(const struct chapter_mark *mark, const struct sample *sample);

/* Marks the sample; true where a chapter begins with it, whose title is then written
 * (CHAPTER_SIZE bytes). */
bool chapter_take(struct chapter_mark *mark, const struct sample *sample, char *title);

#endif
