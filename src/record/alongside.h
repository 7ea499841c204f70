/* Recorded lanes alongside lanes that are computed.
 *
 * They follow: whatever the computed lanes have reached decides which of its moments a recorded
 * lane shows, so it takes no turns and no time of any device. Same iterations: its first moment at
 * or past the most iterations that a computed lane has made. Same time: its last moment within the
 * longest time that a computed lane has spent in its loop. */
#ifndef JACOBI_RECORD_ALONGSIDE_H
#define JACOBI_RECORD_ALONGSIDE_H

#include "record/recorded.h"
#include "run/source.h"

struct alongside;

/* Opens the plan's recorded lanes. *alongside becomes NULL where it has none; then the functions
 * below add none. `plan` becomes that of the computed lanes alone. */
enum status alongside_open(struct plan *plan, struct alongside **alongside, struct error *error);

/* NULL is allowed. */
void alongside_close(struct alongside *alongside);

/* The place of a computed lane among all. */
int alongside_place(const struct alongside *alongside, int computed_lane);

/* Makes `into`, which sample_create made, a sample of the computed lanes with the recorded ones in
 * their places. Recorded pictures have the cells that `view` asks for, or those that were recorded
 * where it is NULL. */
void alongside_join(struct alongside *alongside, const struct sample *computed,
                    const struct view *view, struct sample *into);

#endif
