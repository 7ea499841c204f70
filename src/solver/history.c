#include "solver/history.h"

void history_reset(struct history *history) {
    history->count = 0;
    history->stride = 1;
}

static void keep_every_second(struct history *history) {
    for (int k = 0; k < HISTORY_POINTS / 2; k++)
        history->residuals[k] = history->residuals[2 * k];
    history->count = HISTORY_POINTS / 2;
    history->stride *= 2;
}

void history_add(struct history *history, long iteration, double residual) {
    if (iteration % history->stride != 0)
        return;
    if (history->count == HISTORY_POINTS) {
        keep_every_second(history);
        if (iteration % history->stride != 0)
            return;
    }
    history->residuals[history->count++] = residual;
}
