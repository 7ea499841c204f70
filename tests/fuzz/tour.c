/* A tour from the web. */
#include "tests/fuzz/fuzz.h"

#include "tour/tour.h"

static void check_texts(const struct tour *tour) {
    fuzz_check_text(tour->title, false);
    for (int s = 0; s < tour->count; s++) {
        const struct scene *scene = &tour->scenes[s];
        fuzz_check_text(scene->title, false);
        fuzz_check_text(scene->text, true);
        fuzz_check_text(scene->ask, true);
        fuzz_check_text(scene->reveal, true);
        fuzz_check_text(scene->recording, false);
        fuzz_check_text(scene->panel, false);
        fuzz_check_text(scene->hide, false);
        for (int c = 0; c < scene->question.choice_count; c++)
            fuzz_check_text(scene->question.choices[c], false);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct config base;
    struct tour *tour = NULL;
    struct error error = {0};
    if (base.plan.lane_count == 0)
        config_init(&base);
    const enum status status = tour_load(fuzz_file(bytes, size), &base, false, &tour, &error);
    fuzz_check(status, &error);
    if ((status == STATUS_OK) != (tour != NULL))
        abort();
    if (tour)
        check_texts(tour);
    free(tour);
    return 0;
}
