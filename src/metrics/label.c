#include "metrics/label.h"

#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"

bool backend_maps(const char *name) {
    const struct backend *backend = backend_find(name);
    return !backend || backend->maps;
}

char lane_letter(int lane) {
    return (char)('A' + lane);
}

char *lane_replay_label(char *buffer, size_t size, const struct lane_sample *lane) {
    buffer[0] = '\0';
    if (*lane->recorded)
        snprintf(buffer, size, "replay: %s, %s", lane->device, lane->recorded);
    return buffer;
}

struct differences {
    bool backend, mapping, schedule;
    bool recorded; /* some are, some are not */
    bool device;   /* and nothing else does */
};

static void append(char *buffer, size_t size, const char *word) {
    const size_t length = strlen(buffer);
    snprintf(buffer + length, size - length, "%s%s", length ? "/" : "", word);
}

static char *print(char *buffer, size_t size, const struct lane_sample *lane,
                   struct differences shown) {
    char schedule[32];
    buffer[0] = '\0';
    if (shown.backend)
        append(buffer, size, lane->backend);
    if (shown.mapping && backend_maps(lane->backend))
        append(buffer, size, mapping_name(lane->mapping));
    if (shown.schedule)
        append(buffer, size, schedule_print(schedule, sizeof schedule, lane->schedule));
    if (shown.device)
        append(buffer, size, lane->device);
    if (shown.recorded && *lane->recorded)
        append(buffer, size, "replay");
    else if (shown.recorded && !*buffer)
        append(buffer, size, "live");
    return buffer;
}

static bool same_schedule(struct schedule a, struct schedule b) {
    return a.kind == b.kind && (a.kind != SCHEDULE_BLOCKED || a.depth == b.depth);
}

static struct differences differences(const struct sample *sample) {
    struct differences found = {0};
    const struct lane_sample *first = &sample->lanes[0];
    for (int l = 1; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        found.backend |= strcmp(first->backend, lane->backend) != 0;
        found.mapping |= first->mapping != lane->mapping;
        found.device |= strcmp(first->device, lane->device) != 0;
        found.recorded |= !*first->recorded != !*lane->recorded;
        found.schedule |= !same_schedule(first->schedule, lane->schedule);
    }
    found.device &= !(found.backend || found.mapping || found.schedule || found.recorded);
    return found;
}

char *lane_label_full(char *buffer, size_t size, const struct lane_sample *lane) {
    return print(buffer, size, lane,
                 (struct differences){.backend = true, .mapping = true, .schedule = true});
}

/* Another lane has that label too. */
static bool is_shared(const struct sample *sample, int lane, struct differences shown,
                      const char *label) {
    char other[LABEL_SIZE];
    bool found = false;
    for (int l = 0; l < sample->lane_count; l++)
        found |=
            l != lane && strcmp(label, print(other, sizeof other, &sample->lanes[l], shown)) == 0;
    return found;
}

char *lane_label(char *buffer, size_t size, const struct sample *sample, int lane) {
    const struct differences shown = differences(sample);
    char label[LABEL_SIZE];
    print(label, sizeof label, &sample->lanes[lane], shown);
    if (label[0] == '\0')
        snprintf(buffer, size, "%c", lane_letter(lane));
    else if (is_shared(sample, lane, shown, label))
        snprintf(buffer, size, "%.56s (%c)", label, lane_letter(lane));
    else
        snprintf(buffer, size, "%s", label);
    return buffer;
}
