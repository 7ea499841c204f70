/* Plans, commands and answers as bytes, for the wire. */
#include <math.h>
#include <stdio.h>

#include "kernels/backends.h"
#include "record/format/sample_codec.h"

/* ---- tables --------------------------------------------------------------------------------- */

static const struct codec_field mesh_fields[] = {
    NUMBER(struct mesh, Nx, 1, MESH_MAX_SIDE),
    NUMBER(struct mesh, Ny, 1, MESH_MAX_SIDE),
    {.what = NULL},
};

static const struct codec_field lane_spec_fields[] = {
    NUMBER(struct lane_spec, choice_count, 1, LANE_CHOICES_MAX),
    FLAG(struct lane_spec, any_backend),
    NUMBER(struct lane_spec, iterations, 1, 1000000000),
    REAL(struct lane_spec, tolerance),
    CHOICE(struct lane_spec, measure, MEASURE_COUNT),
    {.what = NULL},
};

static const struct codec_field recording_fields[] = {
    TEXT(struct plan_recording, path),
    NUMBER(struct plan_recording, lane, -1, LANES_MAX - 1),
    {.what = NULL},
};

static const struct codec_field plan_fields[] = {
    TEXT(struct plan, preset),
    NUMBER(struct plan, lane_count, 1, LANES_MAX),
    CHOICE(struct plan, study_count, STUDY_MAX + 1),
    CHOICE(struct plan, race, RACE_SAME_TIME + 1),
    NUMBER(struct plan, fps, 1, 120),
    FLAG(struct plan, paused),
    COUNT(struct plan, most_unknowns),
    NUMBER(struct plan, iterations_per_second, 0, RUN_SPEED_MAX),
    {.what = NULL},
};

static const struct codec_field command_fields[] = {
    CHOICE(struct command, kind, COMMAND_TUNING_SCAN + 1),
    NUMBER(struct command, value, INT32_MIN, INT32_MAX),
    NUMBER(struct command, view.cols, 0, FIELD_MAX_CELLS),
    NUMBER(struct command, view.rows, 0, FIELD_MAX_CELLS),
    BOUNDED(struct command, view.x0, 0, 1),
    BOUNDED(struct command, view.x1, 0, 1),
    BOUNDED(struct command, view.y0, 0, 1),
    BOUNDED(struct command, view.y1, 0, 1),
    CHOICE(struct command, view.kind, FIELD_KIND_COUNT),
    {.what = NULL},
};

/* ---- plans ---------------------------------------------------------------------------------- */

static void code_mesh(struct codec *codec, struct mesh *mesh) {
    static const struct mesh nothing;
    codec_fields(codec, mesh, &nothing, mesh_fields);
    if (codec->reading && !codec->failed)
        *mesh = mesh_make(mesh->Nx, mesh->Ny);
}

/* A row of a table is stored as its name. */
static void code_name(struct codec *codec, char name[32], const char *of) {
    snprintf(name, 32, "%s", codec->reading ? "" : of);
    codec_text(codec, name, 32, "", "bad name");
}

void engine_spec_code(struct codec *codec, struct engine_spec *spec) {
    static const struct run_id nothing;
    char name[32];
    code_mesh(codec, &spec->mesh);
    run_code(codec, &spec->run, &nothing);
    if (codec->reading && spec->run.devices.count > SLABS_MAX)
        codec_fail(codec, "bad devices.count");
    spec->without_events = codec_number(codec, spec->without_events, 0, 0, 1, "bad flag");
    code_name(codec, name, codec->reading ? "" : spec->problem->name);
    if (codec->reading && !(spec->problem = problem_find(name)))
        codec_fail(codec, "unknown problem");
}

void backend_code(struct codec *codec, const struct backend **backend) {
    char name[32];
    code_name(codec, name, codec->reading ? "" : (*backend)->name);
    if (codec->reading && !(*backend = backend_find(name)))
        codec_fail(codec, "unknown back end");
}

void plan_code(struct codec *codec, struct plan *plan) {
    static const struct plan nothing;
    if (codec->reading)
        *plan = nothing;
    codec_fields(codec, plan, &nothing, plan_fields);
    for (int l = 0; l < plan->lane_count && !codec->failed; l++) {
        struct lane_spec *spec = &plan->lanes[l];
        codec_fields(codec, spec, &nothing.lanes[l], lane_spec_fields);
        if (codec->reading && !(isfinite(spec->tolerance) && spec->tolerance >= 0))
            codec_fail(codec, "bad tolerance");
        for (int c = 0; c < spec->choice_count && !codec->failed; c++)
            backend_code(codec, &spec->choices[c]);
        engine_spec_code(codec, &spec->engine);
        codec_fields(codec, &plan->recordings[l], &nothing.recordings[l], recording_fields);
    }
    for (int s = 0; s < plan->study_count && !codec->failed; s++)
        code_mesh(codec, &plan->study[s]);
}

/* ---- commands and answers ------------------------------------------------------------------- */

/* Other commands have no value, or are only for replays. */
static const long values_max[COMMAND_TUNING_SCAN + 1] = {[COMMAND_PAUSE] = 1,
                                                         [COMMAND_STEP] = INT32_MAX,
                                                         [COMMAND_SPEED] = RUN_SPEED_MAX,
                                                         [COMMAND_RACE] = RACE_SAME_TIME};

void command_code(struct codec *codec, struct command *command, struct plan *plan) {
    static const struct command nothing;
    codec_fields(codec, command, &nothing, command_fields);
    if (codec->reading && (command->value < 0 || command->value > values_max[command->kind]))
        codec_fail(codec, "bad value");
    if (command->kind != COMMAND_PLAN || codec->failed)
        return;
    plan_code(codec, plan);
    command->plan = plan;
}

uint32_t number_code(struct codec *codec, uint32_t number) {
    return (uint32_t)codec_number(codec, number, 0, 0, UINT32_MAX, "bad number");
}

void error_code(struct codec *codec, struct error *error) {
    static const struct error nothing;
    codec_fields(codec, error, &nothing, error_fields);
}
