/* A lane that was recorded, beside lanes that are computed.
 *
 * It follows them: what they have reached decides which of its moments is shown, so it takes no
 * turns and costs no time of any device. Same iterations: its first moment at or past the most
 * iterations that a computed lane has made. Same time: its last moment within the longest time that
 * a computed lane has spent in its loop. Its picture has the cells of the view last asked for;
 * those that were recorded until then.
 */
#ifndef JACOBI_SESSION_RECORDED_LANE_H
#define JACOBI_SESSION_RECORDED_LANE_H

#include "session/lane.h"

/* STATUS_BAD_INPUT if it can't be read, or if it isn't clear which of its lanes is meant. */
enum status recorded_lane_open(const struct plan_recording *named, struct lane **opened,
                               struct error *error);

#endif
