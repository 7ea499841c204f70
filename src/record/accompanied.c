#include "record/accompanied.h"

#include <stdlib.h>

#include "record/alongside.h"
#include "session/session.h"

struct accompanied {
    struct source base;
    struct source *live;
    struct alongside *alongside; /* NULL: nothing was recorded */
    struct view view;
    struct sample *joined;
    uint64_t sequence;    /* of the session's sample that was joined last; 0: none */
    struct error failure; /* why a plan's recordings could not be opened */
};

static struct accompanied *of(struct source *source) {
    return (struct accompanied *)source;
}

static const struct sample *latest(struct source *source) {
    struct accompanied *accompanied = of(source);
    const struct sample *sample = accompanied->live->ops->latest(accompanied->live);
    if (!sample || (!accompanied->alongside && !accompanied->failure.status))
        return sample;
    if (sample->sequence > accompanied->sequence) {
        alongside_join(accompanied->alongside, sample, &accompanied->view, accompanied->joined);
        accompanied->sequence = sample->sequence;
    }
    if (accompanied->failure.status) {
        accompanied->joined->state = SESSION_FAILED;
        accompanied->joined->error = accompanied->failure;
    }
    return accompanied->joined;
}

/* Another plan has recordings of its own. The sample that was handed out stays as it is. */
static void start_plan(struct accompanied *accompanied, const struct plan *wanted) {
    struct plan plan = *wanted;
    const struct command command = {.kind = COMMAND_PLAN, .plan = &plan};
    alongside_close(accompanied->alongside);
    accompanied->failure = (struct error){0};
    if (alongside_open(&plan, &accompanied->alongside, &accompanied->failure) == STATUS_OK)
        accompanied->live->ops->command(accompanied->live, &command);
}

static void command(struct source *source, const struct command *command) {
    struct accompanied *accompanied = of(source);
    if (command->kind == COMMAND_PLAN) {
        start_plan(accompanied, command->plan);
        return;
    }
    if (command->kind == COMMAND_VIEW)
        accompanied->view = command->view;
    accompanied->live->ops->command(accompanied->live, command);
}

static int descriptor(const struct source *source) {
    const struct accompanied *accompanied = (const struct accompanied *)source;
    return accompanied->live->ops->descriptor(accompanied->live);
}

static void release(struct accompanied *accompanied) {
    alongside_close(accompanied->alongside);
    sample_destroy(accompanied->joined);
    free(accompanied);
}

static void close_source(struct source *source) {
    struct accompanied *accompanied = of(source);
    accompanied->live->ops->close(accompanied->live);
    release(accompanied);
}

static const struct source_ops ops = {
    .latest = latest,
    .command = command,
    .descriptor = descriptor,
    .close = close_source,
};

enum status accompanied_start(const struct plan *plan, const struct view *view,
                              struct source **source, struct error *error) {
    struct plan computed = *plan;
    struct accompanied *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->base.ops = &ops;
    made->view = *view;
    made->joined = sample_create();
    enum status status =
        made->joined ? STATUS_OK : error_set(error, STATUS_INTERNAL, "out of memory");
    if (!status)
        status = alongside_open(&computed, &made->alongside, error);
    if (!status)
        status = session_start(&computed, view, &made->live, error);
    if (status) {
        release(made);
        return status;
    }
    *source = &made->base;
    return STATUS_OK;
}
