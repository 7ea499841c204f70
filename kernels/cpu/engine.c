#include "kernels/cpu/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/cpu/methods.h"
#include "kernels/cpu/row.h"
#include "kernels/cpu/strip.h"
#include "solver/batch.h"
#include "solver/tuner.h"

struct cpu_engine {
    struct engine base;
    const struct cpu_kernels *kernels;
    double *U, *RHS;
    double *AU, *RES; /* classic */
    double *U_next;   /* fused, blocked; with Chebyshev the iterate before U */
    double *row_sums; /* Chebyshev fused */
    void *work;       /* blocked */

    struct slab_batch batch; /* of a slab, */
    double *checkpoint;      /* and what it began with */
};

static void use_threads(const struct cpu_kernels *kernels, int threads) {
    if (kernels->use_threads)
        kernels->use_threads(threads);
}

static int64_t kernel_begin(const struct cpu_engine *cpu) {
    use_threads(cpu->kernels, cpu->base.spec.run.tuning.threads);
    return cpu->base.spec.without_events ? 0 : clock_now_ns();
}

static enum status kernel_end(const struct cpu_engine *cpu, enum phase phase, int64_t start) {
    if (!cpu->base.spec.without_events)
        event_log_add(cpu->base.events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                      clock_now_ns() - start, engine_step_bytes(&cpu->base, phase));
    return STATUS_OK;
}

/* The step's level of an array. */
static double *of_step(const struct cpu_engine *cpu, double *array) {
    return array + cpu->base.levels.begin[cpu->base.step.level];
}

/* What the rows of other methods work on. */
static struct method_rows rows_of_step(const struct cpu_engine *cpu) {
    const struct levels *levels = &cpu->base.levels;
    const int level = cpu->base.step.level, coarser = level + 1 < levels->count ? level + 1 : level;
    return (struct method_rows){
        .mesh = &levels->mesh[level],
        .coarser = &levels->mesh[coarser],
        .colour = cpu->base.step.colour,
        .weight = cpu->base.weight,
        .RHS = of_step(cpu, cpu->RHS),
        .U = of_step(cpu, cpu->U),
        .AU = cpu->AU ? of_step(cpu, cpu->AU) : NULL,
        .RES = cpu->RES ? of_step(cpu, cpu->RES) : NULL,
        .other = cpu->U_next,
        .coarser_RHS = cpu->RHS + levels->begin[coarser],
        .coarser_U = cpu->U + levels->begin[coarser],
        .sums = cpu->row_sums,
    };
}

static enum status cpu_laplacian(struct engine *engine, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    const int64_t start = kernel_begin(cpu);
    cpu->kernels->laplacian(engine_step_mesh(&cpu->base), of_step(cpu, cpu->U),
                            of_step(cpu, cpu->AU));
    return kernel_end(cpu, PHASE_LAPLACIAN, start);
}

static enum status cpu_boundary(struct engine *engine, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    const int64_t start = kernel_begin(cpu);
    cpu->kernels->boundary(engine_step_mesh(&cpu->base), of_step(cpu, cpu->U),
                           of_step(cpu, cpu->AU));
    return kernel_end(cpu, PHASE_BOUNDARY, start);
}

static void cpu_accept(struct engine *engine) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    double *next = cpu->U_next;
    cpu->U_next = cpu->U;
    cpu->U = next;
}

static enum status cpu_update(struct engine *engine, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    struct method_rows rows = rows_of_step(cpu);
    const int64_t start = kernel_begin(cpu);
    if (engine->spec.run.method == METHOD_CHEBYSHEV) {
        cpu->kernels->for_rows(rows.mesh->Ny, chebyshev_update_row, &rows);
        cpu_accept(engine);
    } else if (rows.colour == COLOUR_ALL) {
        cpu->kernels->update(rows.mesh, rows.RHS, rows.AU, rows.RES, rows.U);
    } else {
        cpu->kernels->for_rows(rows.mesh->Ny, colour_update_row, &rows);
    }
    return kernel_end(cpu, PHASE_UPDATE, start);
}

/* A phase that is made of rows. */
static enum status run_rows(struct engine *engine, enum phase phase,
                            void (*row)(void *context, int j), int count) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    struct method_rows rows = rows_of_step(cpu);
    const int64_t start = kernel_begin(cpu);
    cpu->kernels->for_rows(count, row, &rows);
    return kernel_end(cpu, phase, start);
}

static enum status cpu_sweep(struct engine *engine, struct error *error) {
    return run_rows(engine, PHASE_SWEEP, sweep_row, engine_step_mesh(engine)->Ny);
}

static enum status cpu_restriction(struct engine *engine, struct error *error) {
    const int rows = engine->levels.mesh[engine->step.level + 1].Ny;
    return run_rows(engine, PHASE_RESTRICTION, restriction_rows,
                    (rows + TRANSFER_ROWS - 1) / TRANSFER_ROWS);
}

static enum status cpu_prolongation(struct engine *engine, struct error *error) {
    const int rows = engine_step_mesh(engine)->Ny;
    return run_rows(engine, PHASE_PROLONGATION, prolongation_rows,
                    (rows + TRANSFER_ROWS - 1) / TRANSFER_ROWS);
}

static enum status cpu_norm(struct engine *engine, double *sum, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    const int64_t start = kernel_begin(cpu);
    const struct row_range rows = engine_own_rows(&engine->spec);
    struct mesh own = engine->spec.mesh;
    own.Ny = rows.end - rows.begin;
    *sum = cpu->kernels->norm(&own, cpu->RES + (size_t)rows.begin * (size_t)own.Nx);
    return kernel_end(cpu, PHASE_NORM, start);
}

static enum status cpu_pass(struct engine *engine, int depth, double *sums, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    const struct mesh *mesh = &engine->spec.mesh;
    const int64_t start = kernel_begin(cpu);
    if (engine->spec.run.method == METHOD_CHEBYSHEV) {
        struct method_rows rows = rows_of_step(cpu);
        const int parts = (mesh->Ny + CPU_ROWS - 1) / CPU_ROWS;
        cpu->kernels->for_rows(parts, chebyshev_fused_rows, &rows);
        sums[0] = 0;
        for (int part = 0; part < parts; part++)
            sums[0] += cpu->row_sums[part];
        return kernel_end(cpu, PHASE_FUSED, start);
    }
    if (engine->spec.run.schedule.kind == SCHEDULE_FUSED) {
        sums[0] = cpu->kernels->fused(mesh, engine_own_rows(&engine->spec), cpu->RHS, cpu->U,
                                      cpu->U_next);
        return kernel_end(cpu, PHASE_FUSED, start);
    }
    cpu->kernels->blocked(mesh, engine_own_rows(&engine->spec), depth, cpu->RHS, cpu->U,
                          cpu->U_next, sums, cpu->work);
    return kernel_end(cpu, PHASE_BLOCKED, start);
}

struct reduction {
    const struct engine *engine;
    const struct downsample *downsample;
    const double *U;
    double *sums;
};

static void reduce_row(void *context, int row) {
    const struct reduction *reduction = context;
    cpu_downsample_row(&reduction->engine->spec, engine_step_mesh(reduction->engine)->Nx,
                       reduction->downsample, row, reduction->U,
                       reduction->sums + (size_t)row * (size_t)reduction->downsample->cols);
}

static enum status cpu_downsample(struct engine *engine, const struct downsample *downsample,
                                  double *sums, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    struct reduction reduction = {engine, downsample, of_step(cpu, cpu->U), sums};
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    const int64_t start = kernel_begin(cpu);
    cpu->kernels->for_rows(downsample->rows, reduce_row, &reduction);
    kernel_end(cpu, PHASE_DOWNSAMPLE, start);
    event_log_enter(engine->events, PHASE_SETUP);
    return STATUS_OK;
}

static enum status cpu_read(struct engine *engine, double *U, struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    memcpy(U, cpu->U, mesh_unknowns(&engine->spec.mesh) * sizeof *U);
    return STATUS_OK;
}

static void cpu_close(struct engine *engine) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    free(cpu->U);
    free(cpu->RHS);
    free(cpu->AU);
    free(cpu->RES);
    free(cpu->U_next);
    free(cpu->row_sums);
    free(cpu->work);
    free(cpu->checkpoint);
    batch_close(&cpu->batch);
    free(cpu);
}

static const struct engine_ops cpu_ops = {
    .laplacian = cpu_laplacian,
    .boundary = cpu_boundary,
    .update = cpu_update,
    .sweep = cpu_sweep,
    .restriction = cpu_restriction,
    .prolongation = cpu_prolongation,
    .norm = cpu_norm,
    .pass = cpu_pass,
    .accept = cpu_accept,
    .downsample = cpu_downsample,
    .read = cpu_read,
    .close = cpu_close,
};

/* ---- a slab ------------------------------------------------------------------------------- */

static size_t row_bytes(const struct cpu_engine *cpu, int rows) {
    return (size_t)cpu->base.spec.mesh.Nx * (size_t)rows * sizeof *cpu->U;
}

static double *row_at(const struct cpu_engine *cpu, int row) {
    return cpu->U + (size_t)row * (size_t)cpu->base.spec.mesh.Nx;
}

static enum status save_checkpoint(struct engine *engine, struct error *error) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    double *begun = cpu->U_next;
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC) {
        memcpy(cpu->checkpoint, cpu->U, row_bytes(cpu, engine->spec.mesh.Ny));
        return STATUS_OK;
    }
    cpu->U_next = cpu->checkpoint;
    cpu->checkpoint = begun;
    return STATUS_OK;
}

static void cpu_restore(struct engine *engine) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    double *begun = cpu->checkpoint;
    cpu->checkpoint = cpu->U;
    cpu->U = begun;
}

static enum status cpu_get(struct engine *engine, int row, int count, double *to,
                           struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    memcpy(to, row_at(cpu, row), row_bytes(cpu, count));
    return STATUS_OK;
}

static enum status cpu_put(struct engine *engine, int row, int count, const double *from,
                           struct error *error) {
    const struct cpu_engine *cpu = (struct cpu_engine *)engine;
    memcpy(row_at(cpu, row), from, row_bytes(cpu, count));
    return STATUS_OK;
}

static enum status cpu_pull(struct engine *engine, int row, int count, const struct engine *from,
                            int from_row, struct error *error) {
    const struct cpu_engine *other = (const struct cpu_engine *)from;
    const int64_t start = clock_now_ns();
    cpu_put(engine, row, count, row_at(other, from_row), error);
    if (!engine->spec.without_events)
        event_log_add(engine->events, EVENT_HALO, ARRAY_U, CLOCK_HOST, start,
                      clock_now_ns() - start, row_bytes(other, count));
    return STATUS_OK;
}

/* Classic changes U in place. */
static const struct slab_ops slab_ops[] = {
    {batch_begin, true, batch_boundary_rows, batch_interior_rows, batch_end, cpu_restore, cpu_get,
     cpu_put, cpu_pull, NULL},
    {batch_begin, false, batch_boundary_rows, batch_interior_rows, batch_end, cpu_restore, cpu_get,
     cpu_put, cpu_pull, NULL},
};

/* ---- memory ------------------------------------------------------------------------------- */

static double *allocate_array(const struct cpu_engine *cpu) {
    const struct levels *levels = &cpu->base.levels;
    return alloc_pages(levels->begin[levels->count] * sizeof(double));
}

struct start {
    const struct problem *problem;
    const struct mesh *mesh;
    int first; /* the problem's row that is row 0 here */
    double *U, *RHS;
    double *others[4]; /* cleared; any may be NULL */
};

static void start_row(void *context, int j) {
    const struct start *start = context;
    const size_t Nx = (size_t)start->mesh->Nx, first = (size_t)j * Nx;
    start->problem->fill_row(start->mesh, start->first + j, start->U + first, start->RHS + first);
    for (int k = 0; k < 4; k++)
        if (start->others[k])
            memset(start->others[k] + first, 0, Nx * sizeof(double));
}

/* ---- the depth of blocking ---------------------------------------------------------------- */

enum { FALLBACK_DEPTH = 8, TRIAL_ROWS = 384, TRIAL_COLUMNS = 4096, TRIAL_ROUNDS = 3 };

struct trial_grid {
    const struct cpu_kernels *kernels;
    struct mesh mesh;
    double *arrays; /* U, RHS, U_next; NULL until they are needed */
};

static enum status measure_pass(void *context, int depth, double *seconds, struct error *error) {
    struct trial_grid *trial = context;
    const size_t N = mesh_unknowns(&trial->mesh);
    double sums[SCHEDULE_MAX_DEPTH];
    if (!trial->arrays) {
        if (!(trial->arrays = malloc(3 * N * sizeof(double))))
            return STATUS_OK;
        struct start start = {
            problem_find("manufactured"), &trial->mesh, 0, trial->arrays, trial->arrays + N,
            {trial->arrays + 2 * N}};
        trial->kernels->for_rows(trial->mesh.Ny, start_row, &start);
    }
    void *work = trial->kernels->blocked_open(&trial->mesh, depth);
    if (!work)
        return STATUS_OK;
    const int64_t start = clock_now_ns();
    trial->kernels->blocked(&trial->mesh, (struct row_range){0, trial->mesh.Ny}, depth,
                            trial->arrays + N, trial->arrays, trial->arrays + 2 * N, sums, work);
    *seconds = 1e-9 * (double)(clock_now_ns() - start) / depth;
    free(work);
    return STATUS_OK;
}

/* What the system calls its CPU; "CPU" if it doesn't say. */
static char *describe_cpu(char *buffer, size_t size) {
    char line[256], name[128];
    snprintf(buffer, size, "CPU");
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    if (!cpuinfo)
        return buffer;
    while (fgets(line, sizeof line, cpuinfo))
        if (sscanf(line, "model name : %127[^\n]", name) == 1) {
            snprintf(buffer, size, "%s", name);
            break;
        }
    fclose(cpuinfo);
    return buffer;
}

/* On a part of the grid: large enough to behave like the whole, small enough to be quick (about a
 * third of a second). A fixed depth if there is no memory for a trial. */
static void choose_cpu_depth(const struct cpu_kernels *kernels, struct engine_spec *spec,
                             uint64_t *tried) {
    static const struct autotune_choice depths = {TUNING_DEPTH, {4, 8, 12, 16, 24, 32}};
    struct tuning no_tuning;
    const long rows = (long)TRIAL_ROWS * spec->run.tuning.threads;
    struct trial_grid grid = {.kernels = kernels, .mesh = spec->mesh};
    if (grid.mesh.Nx > TRIAL_COLUMNS)
        grid.mesh.Nx = TRIAL_COLUMNS;
    if (grid.mesh.Ny > rows)
        grid.mesh.Ny =
            (int)rows; /* dx, dy and ω are those of the run: its kernels depend on them */
    char device[256], cpu[160];
    snprintf(device, sizeof device, "%s, %s, %d threads, %dx%d, iteration %d", kernels->name,
             describe_cpu(cpu, sizeof cpu), spec->run.tuning.threads, grid.mesh.Nx, grid.mesh.Ny,
             (int)cpu_iteration_of(&grid.mesh, 2));
    const struct autotune plan = {.device = device,
                                  .choices = &depths,
                                  .choice_count = 1,
                                  .rounds = TRIAL_ROUNDS,
                                  .measure = measure_pass,
                                  .context = &grid};
    autotune(&plan, spec, tried, &no_tuning, NULL);
    if (spec->run.schedule.depth == 0)
        spec->run.schedule.depth = FALLBACK_DEPTH;
    free(grid.arrays);
}

/* ---- the back end's functions ------------------------------------------------------------- */

enum status cpu_open(const struct cpu_kernels *kernels, int threads, const struct engine_spec *spec,
                     struct event_log *events, struct engine **engine, struct error *error) {
    const struct mesh *mesh = &spec->mesh;
    const bool classic = spec->run.schedule.kind == SCHEDULE_CLASSIC;
    const bool iterates_more = spec->run.method == METHOD_CHEBYSHEV;
    struct cpu_engine *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    cpu->base = (struct engine){.ops = &cpu_ops, .spec = *spec, .events = events};
    cpu->base.spec.run.tuning.threads = threads;
    cpu->base.spec.run.host_memory = HOST_PAGEABLE;
    engine_set_method(&cpu->base);
    cpu->kernels = kernels;
    use_threads(kernels, threads);
    if (spec->run.schedule.kind == SCHEDULE_BLOCKED) {
        if (spec->run.schedule.depth == 0)
            choose_cpu_depth(kernels, &cpu->base.spec, &cpu->base.depths_tried);
        cpu->work = kernels->blocked_open(mesh, cpu->base.spec.run.schedule.depth);
    }
    cpu->U = allocate_array(cpu);
    cpu->RHS = allocate_array(cpu);
    if (classic) {
        cpu->AU = allocate_array(cpu);
        cpu->RES = allocate_array(cpu);
    }
    if (!classic || iterates_more)
        cpu->U_next = allocate_array(cpu);
    if (!classic && iterates_more)
        cpu->row_sums = calloc((size_t)mesh->Ny, sizeof(double));
    const bool is_slab = spec->slab.problem_Ny > 0;
    if (is_slab) {
        cpu->base.slab = &slab_ops[!classic];
        cpu->base.batch = &cpu->batch;
        cpu->batch.checkpoint = save_checkpoint;
        cpu->checkpoint = allocate_array(cpu);
    }
    if ((is_slab && (!cpu->checkpoint || !batch_open(&cpu->batch))) || !cpu->U || !cpu->RHS ||
        (classic && (!cpu->AU || !cpu->RES)) || ((!classic || iterates_more) && !cpu->U_next) ||
        (!classic && iterates_more && !cpu->row_sums) ||
        (spec->run.schedule.kind == SCHEDULE_BLOCKED && !cpu->work)) {
        cpu_close(&cpu->base);
        return error_set(error, STATUS_INTERNAL, "out of memory for a grid of %d×%d unknowns",
                         mesh->Nx, mesh->Ny);
    }
    const struct mesh problem_mesh = engine_spec_problem_mesh(spec);
    struct start start = {spec->problem,    &problem_mesh,
                          spec->slab.first, cpu->U,
                          cpu->RHS,         {cpu->AU, cpu->RES, cpu->U_next, cpu->checkpoint}};
    kernels->for_rows(mesh->Ny, start_row, &start);
    *engine = &cpu->base;
    return STATUS_OK;
}

struct footprint cpu_footprint(const struct engine_spec *spec, int threads) {
    const int depth = spec->run.schedule.depth > 0 ? spec->run.schedule.depth : SCHEDULE_MAX_DEPTH;
    const uint64_t checkpoint = spec->slab.problem_Ny > 0 ? mesh_unknowns(&spec->mesh) : 0;
    uint64_t bytes = sizeof(double) * (engine_numbers(spec) + checkpoint);
    if (spec->run.schedule.kind == SCHEDULE_BLOCKED)
        bytes += cpu_window_bytes(&spec->mesh, depth, threads);
    return (struct footprint){.host_bytes = bytes};
}

enum status cpu_supports(const struct engine_spec *spec, struct error *error) {
    if (spec->run.mapping == MAPPING_UNIFIED)
        return error_set(error, STATUS_UNAVAILABLE,
                         "mapping 'unified' has no meaning without a device: use omp or hip");
    if (spec->run.schedule.kind == SCHEDULE_PLAIN)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "schedule 'plain' is the blog's code for a device: use omp or hip (classic "
            "is its loops for the host)");
    return STATUS_OK;
}

enum status cpu_probe(int threads, struct device_list *devices) {
    *devices = (struct device_list){.count = 1};
    struct device *device = &devices->devices[0];
    char cpu[64];
    snprintf(device->name, sizeof device->name, "%s, %d core%s", describe_cpu(cpu, sizeof cpu),
             threads, threads == 1 ? "" : "s");
    snprintf(device->architecture, sizeof device->architecture, "x86-64");
    device->cache_bytes = cpu_last_cache();
    device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return STATUS_OK;
}
