#include "remote/message.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "build_info.h"
#include "kernels/backends.h"
#include "record/format/sample_codec.h"

static const char program_name[] = "jacobi-tui ";

/* ---- who speaks ----------------------------------------------------------------------------- */

char *hello_print(char *buffer) {
    snprintf(buffer, HELLO_SIZE, "%s%s, protocol %d", program_name, BUILD_VERSION,
             PROTOCOL_VERSION);
    return buffer;
}

const char *hello_find(const char *line) {
    const char *at = strstr(line, program_name);
    return at && strstr(at, ", protocol ") ? at + strlen(program_name) : NULL;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static int code_whole(struct codec *codec, int value, int min, int max, const char *what) {
    return (int)codec_number(codec, value, min, min, max, what);
}

static bool code_flag(struct codec *codec, bool value) {
    return codec_number(codec, value, 0, 0, 1, "bad flag");
}

/* A number that is not below `min`, and no NaN. */
static double code_real(struct codec *codec, double value, double min, const char *what) {
    const double read = codec_double(codec, value, 0);
    if (!(read >= min && read <= DBL_MAX))
        codec_fail(codec, what);
    return codec->failed ? min : read;
}

static void code_name(struct codec *codec, char *name, size_t size, const char *what) {
    codec_text(codec, name, size, "", what);
}

static void code_mesh(struct codec *codec, struct mesh *mesh) {
    const int Nx = code_whole(codec, mesh->Nx, 1, MESH_MAX_SIDE, "bad grid");
    const int Ny = code_whole(codec, mesh->Ny, 1, MESH_MAX_SIDE, "bad grid");
    if (codec->reading)
        *mesh = mesh_make(Nx, Ny);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static void code_choices(struct codec *codec, struct lane_spec *spec) {
    spec->choice_count = code_whole(codec, spec->choice_count, 1, LANE_CHOICES_MAX, "bad choices");
    spec->any_backend = code_flag(codec, spec->any_backend);
    for (int c = 0; c < spec->choice_count && !codec->failed; c++) {
        char name[16] = "";
        if (!codec->reading)
            snprintf(name, sizeof name, "%s", spec->choices[c]->name);
        code_name(codec, name, sizeof name, "bad back end");
        if (!codec->reading)
            continue;
        spec->choices[c] = backend_find(name);
        if (!spec->choices[c])
            codec_fail(codec, "unknown back end");
    }
}

static void code_engine(struct codec *codec, struct engine_spec *spec) {
    char name[32] = "";
    code_mesh(codec, &spec->mesh);
    if (!codec->reading)
        snprintf(name, sizeof name, "%s", spec->problem->name);
    code_name(codec, name, sizeof name, "bad problem");
    if (codec->reading && !codec->failed) {
        spec->problem = problem_find(name);
        if (!spec->problem)
            codec_fail(codec, "unknown problem");
    }
    spec->run.omega = code_real(codec, spec->run.omega, 0, "bad damping");
    if (!(spec->run.omega < 2))
        codec_fail(codec, "bad damping");
    spec->run.mapping = (enum mapping)code_whole(codec, (int)spec->run.mapping, 0,
                                                 MAPPING_COUNT - 1, "unknown mapping");
    spec->run.schedule.kind = (enum schedule_kind)code_whole(
        codec, (int)spec->run.schedule.kind, 0, SCHEDULE_COUNT - 1, "unknown schedule");
    spec->run.schedule.depth =
        code_whole(codec, spec->run.schedule.depth, 0, SCHEDULE_MAX_DEPTH, "bad depth");
    spec->run.device = code_whole(codec, spec->run.device, 0, 255, "bad device");
    struct device_choice *devices = &spec->run.devices;
    devices->count = code_whole(codec, devices->count, DEVICES_ALL, SLABS_MAX, "bad devices");
    devices->listed = code_flag(codec, devices->listed);
    for (int d = 0; d < SLABS_MAX; d++)
        devices->index[d] = code_whole(codec, devices->index[d], 0, 255, "bad device");
    struct tuning *tuning = &spec->run.tuning;
    tuning->block = code_whole(codec, tuning->block, 0, 1024, "bad block");
    tuning->norm_block = code_whole(codec, tuning->norm_block, 0, 1024, "bad block");
    tuning->norm_blocks = code_whole(codec, tuning->norm_blocks, 0, 65535, "bad blocks");
    tuning->fused_blocks = code_whole(codec, tuning->fused_blocks, 0, 32, "bad blocks");
    tuning->blocked_blocks = code_whole(codec, tuning->blocked_blocks, 0, 32, "bad blocks");
    tuning->threads = code_whole(codec, tuning->threads, 0, 1024, "bad threads");
    spec->run.host_memory = (enum host_memory)code_whole(
        codec, (int)spec->run.host_memory, 0, HOST_MEMORY_COUNT - 1, "unknown host memory");
    spec->run.user_kernels = code_flag(codec, spec->run.user_kernels);
    spec->without_events = code_flag(codec, spec->without_events);
    sample_code_method(codec, &spec->run.method, &spec->run.cycle, METHOD_JACOBI,
                       (struct cycle){0});
}

static void code_lane_spec(struct codec *codec, struct lane_spec *spec) {
    code_choices(codec, spec);
    if (!codec->failed)
        code_engine(codec, &spec->engine);
    spec->iterations =
        (long)codec_number(codec, spec->iterations, 1, 1, 1000000000, "bad iterations");
    spec->tolerance = code_real(codec, spec->tolerance, 0, "bad tolerance");
    spec->measure = (enum measure)code_whole(codec, (int)spec->measure, 0, MEASURE_COUNT - 1,
                                             "unknown measure");
}

void message_code_plan(struct codec *codec, struct plan *plan) {
    if (codec->reading)
        *plan = (struct plan){0};
    codec_text(codec, plan->preset, sizeof plan->preset, "", "bad preset");
    plan->lane_count = code_whole(codec, plan->lane_count, 1, LANES_MAX, "bad number of lanes");
    for (int l = 0; l < plan->lane_count && !codec->failed; l++) {
        struct plan_recording *recording = &plan->recordings[l];
        code_lane_spec(codec, &plan->lanes[l]);
        codec_text(codec, recording->path, sizeof recording->path, "", "bad recording");
        recording->lane = code_whole(codec, recording->lane, -1, LANES_MAX - 1, "bad lane");
    }
    plan->study_count = code_whole(codec, plan->study_count, 0, STUDY_MAX, "too many grids");
    for (int s = 0; s < plan->study_count && !codec->failed; s++)
        code_mesh(codec, &plan->study[s]);
    plan->race = (enum race)code_whole(codec, (int)plan->race, 0, RACE_SAME_TIME, "unknown race");
    plan->fps = code_whole(codec, plan->fps, 1, 120, "bad frames per second");
    plan->paused = code_flag(codec, plan->paused);
    plan->iterations_per_second =
        code_whole(codec, plan->iterations_per_second, 0, SPEED_MAX, "bad speed");
}

/* ---- commands and answers ------------------------------------------------------------------- */

/* The least and the most that a command's value can be. */
static void command_bounds(enum command_kind kind, int64_t *min, int64_t *max) {
    *min = 0;
    *max = INT32_MAX;
    if (kind == COMMAND_PAUSE)
        *max = 1;
    else if (kind == COMMAND_SPEED)
        *max = SPEED_MAX;
    else if (kind == COMMAND_RACE)
        *max = RACE_SAME_TIME;
    else if (kind >= COMMAND_PROBE) /* of replays, which may go back, or without a value */
        *min = INT32_MIN;
}

void message_code_command(struct codec *codec, struct command *command, struct plan *plan) {
    struct view *view = &command->view;
    int64_t min, max;
    command->kind = (enum command_kind)code_whole(codec, (int)command->kind, 0, COMMAND_SWEEP,
                                                  "unknown command");
    command_bounds(command->kind, &min, &max);
    command->value = (long)codec_number(codec, command->value, 0, min, max, "bad value");
    view->cols = code_whole(codec, view->cols, 0, FIELD_MAX_CELLS, "bad view");
    view->rows = code_whole(codec, view->rows, 0, FIELD_MAX_CELLS, "bad view");
    view->kind =
        (enum field_kind)code_whole(codec, (int)view->kind, 0, FIELD_KIND_COUNT - 1, "bad view");
    double *const sides[] = {&view->x0, &view->x1, &view->y0, &view->y1};
    for (int s = 0; s < 4; s++) {
        *sides[s] = code_real(codec, *sides[s], 0, "bad view");
        if (*sides[s] > 1)
            codec_fail(codec, "bad view");
    }
    if (command->kind != COMMAND_PLAN)
        return;
    message_code_plan(codec, plan);
    command->plan = plan;
}

void message_code_error(struct codec *codec, struct error *error) {
    error->status =
        (enum status)code_whole(codec, (int)error->status, 0, STATUS_DIVERGED, "unknown status");
    codec_text(codec, error->message, sizeof error->message, "", "bad message");
}

void message_code_solutions(struct codec *codec, struct solution *solutions) {
    for (int l = 0; l < LANES_MAX; l++) {
        struct solution *solution = &solutions[l];
        solution->min = codec_double(codec, solution->min, 0);
        solution->max = codec_double(codec, solution->max, 0);
        solution->middle = codec_double(codec, solution->middle, 0);
        solution->l2 = codec_double(codec, solution->l2, 0);
        solution->error = codec_double(codec, solution->error, 0);
        solution->error_max = codec_double(codec, solution->error_max, 0);
    }
}

void message_code_number(struct codec *codec, unsigned *number) {
    *number = (unsigned)codec_number(codec, *number, 0, 0, UINT32_MAX, "bad number");
}

void message_code_unrecorded(struct codec *codec, struct sample *sample) {
    for (int l = 0; l < LANES_MAX; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        codec_text(codec, lane->recorded, sizeof lane->recorded, "", "bad date");
        lane->iteration_limit =
            (long)codec_number(codec, lane->iteration_limit, 0, 0, INT64_C(1) << 56, "bad limit");
        lane->tolerance = codec_double(codec, lane->tolerance, 0);
        lane->event_seconds = codec_double(codec, lane->event_seconds, 0);
        lane->middle_known = code_flag(codec, lane->middle_known);
        lane->middle = codec_double(codec, lane->middle, 0);
        lane->roof.contended = code_flag(codec, lane->roof.contended);
    }
}

const char *message_read_sample(const struct message *message, struct decoder *decoder, bool lost,
                                struct sample *sample) {
    struct codec codec = codec_reader(message->bytes, message->size);
    struct frame frame;
    const char *wrong = NULL;
    message_code_unrecorded(&codec, sample); /* to see where it ends */
    if (codec.failed)
        return codec.failed;
    if (frame_read(message->bytes + codec.at, message->size - codec.at, &frame, &wrong) ||
        frame.kind == FRAME_CHAPTER)
        return wrong ? wrong : "no sample";
    if (lost && frame.kind != FRAME_FULL)
        return "the sample before it is missing";
    wrong = decoder_take(decoder, &frame);
    if (wrong)
        return wrong;
    sample_copy(sample, decoder->now);
    codec = codec_reader(message->bytes, message->size);
    message_code_unrecorded(&codec, sample);
    for (int l = 0; l < sample->lane_count; l++)
        sample->lanes[l].measure = sample->measure; /* a plan's lanes have one */
    sample->time_ns = frame.time_ns;
    sample->playback = (struct playback){0};
    sample->warning[0] = '\0';
    return NULL;
}
