#include "mpi/world.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"
#include "core/limits.h"
#include "core/paths.h"
#include "core/system.h"
#include "core/text.h"
#include "solver/slabs.h"

const char *const world_modules[] = {"jacobi-mpi-openmpi.so", "jacobi-mpi-mpich.so", NULL};

static const struct mpi_module *mpi;
static struct mpi_place place;

static enum status open_mpi_module(const char *name, const struct mpi_module **module,
                                   struct error *error) {
    char path[PATH_SIZE];
    if (!module_path(path, sizeof path, name))
        return error_set(error, STATUS_UNAVAILABLE, "%s was not built", name);
    /* Global, because Open MPI's plug-ins need its symbols. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return error_set(error, STATUS_UNAVAILABLE, "%s", dlerror());
    *module = dlsym(library, "mpi_module");
    if (*module && (*module)->version == MPI_MODULE_VERSION)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s is a different version", name);
}

/* Every rank sends this to all others at the start. */
struct introduction {
    char host[MPI_HOST_SIZE];
    cpu_set_t cpus;
    int64_t now_ns;
    uint32_t task;
};

/* The message if MPI's functions block for too long. */
static char late[160];

/* The message if MPI ends the process as it begins, as MPICH does without its launcher; "": it has
 * begun. */
static char unbegun[256];

static void end_with(const char *line) {
    (void)!write(STDERR_FILENO, line, strlen(line));
    _exit(STATUS_UNAVAILABLE);
}

static void report_exit(void) {
    if (*unbegun)
        end_with(unbegun);
}

static void end_waiting(int number) {
    end_with(late);
}

/* Counts the ranks on this host that may use the same processors (only this one if the launcher has
 * assigned each its own). Measures the offset of rank 0's clock: 0 on its host, elsewhere to within
 * the time of a message. */
static enum status meet_others(uint32_t task, struct error *error) {
    struct introduction mine = {.task = task}, *all = calloc((size_t)place.count, sizeof *all);
    struct mpi_group *group = NULL;
    if (!all)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    memcpy(mine.host, place.host, sizeof mine.host);
    sched_getaffinity(0, sizeof mine.cpus, &mine.cpus);
    int code = mpi->group_open(place.count, 0, &group);
    /* The first round synchronises the ranks, the second measures. */
    for (int time = 0; time < 2 && !code; time++) {
        mine.now_ns = clock_now_ns();
        code = mpi->all_gather(group, &mine, (int)sizeof mine, all);
    }
    if (group)
        mpi->group_close(group);
    for (int rank = 0; rank < place.count; rank++) /* foreign ones may be garbage */
        all[rank].host[MPI_HOST_SIZE - 1] = '\0';
    /* Compare names: MPICH 5 reports a separate host for each rank that can't share memory. */
    for (int rank = 0; rank < place.count && !code; rank++) {
        int first = 0;
        while (strcmp(all[first].host, all[rank].host) != 0)
            first++;
        place.hosts += first == rank;
        if (strcmp(all[rank].host, mine.host) != 0)
            continue;
        place.host_rank += rank < place.rank;
        place.host_count++;
        if (CPU_EQUAL(&all[rank].cpus, &mine.cpus)) {
            place.local_rank += rank < place.rank;
            place.local_size++;
        }
    }
    if (!code && strcmp(all[0].host, mine.host) != 0)
        place.clock_offset_ns = all[0].now_ns - mine.now_ns;
    int rank = 0;
    while (rank < place.count && !code && all[rank].task == all[0].task)
        rank++;
    if (rank < place.count && !code) {
        text_sanitize(all[rank].host);
        error_set(error, STATUS_BAD_INPUT,
                  "rank %d on %s differs from rank 0 in its options or version: expected "
                  "the same for all ranks",
                  rank, all[rank].host);
    }
    free(all);
    return code ? world_error(code, "MPI, meeting the other ranks", error) : error->status;
}

enum status world_library(const char *module, char library[MPI_LIBRARY_SIZE], struct error *error) {
    const struct mpi_module *opened = NULL;
    const enum status status = open_mpi_module(module, &opened, error);
    if (!status && opened)
        opened->library(library);
    return status;
}

/* Begins MPI. STATUS_UNAVAILABLE unless it connects all processes of the launcher. */
static enum status begin_world(const struct mpi_module *module, const struct launch *launch,
                               struct error *error) {
    char words[MPI_EXPLAIN_SIZE];
    atexit(report_exit);
    snprintf(unbegun, sizeof unbegun,
             "jacobi-tui: MPI can't begin, although %s is %d: --alone makes this process run "
             "alone\n",
             launch->variable, launch->rank);
    const int code = module->begin(&place);
    unbegun[0] = '\0';
    if (code)
        return error_set(error, STATUS_UNAVAILABLE, "MPI did not begin: %s",
                         module->explain(code, words));
    mpi = module;
    text_sanitize(place.host);
    text_sanitize(place.library);
    if (place.count > 1 && (launch->count == 0 || place.count == launch->count))
        return STATUS_OK;
    world_part();
    return error_set(
        error, STATUS_UNAVAILABLE,
        "%s does not see the other processes: expected its own mpirun, or srun --mpi=pmix",
        place.library);
}

enum status world_join(const struct launch *launch, uint32_t task, struct error *error) {
    /* srun with PMIx may start either MPI; Open MPI supports no other way. */
    const bool open_mpi = getenv("OMPI_COMM_WORLD_RANK") || getenv("PMIX_RANK");
    const struct mpi_module *module = NULL;
    if (*BUILD_MPI_ABSENT)
        return error_set(error, STATUS_UNAVAILABLE, "built without MPI: %s", BUILD_MPI_ABSENT);
    enum status status = open_mpi_module(world_modules[!open_mpi], &module, error);
    if (status && !getenv("OMPI_COMM_WORLD_RANK") && !getenv("PMI_RANK"))
        status = open_mpi_module(world_modules[open_mpi], &module, error);
    if (status || !module)
        return status;
    snprintf(late, sizeof late,
             "jacobi-tui: not all of the launcher's processes began within %.0f s: expected all to "
             "run this program with the same options\n",
             ceil(limit_of(LIMIT_MEET)));
    signal(SIGALRM, end_waiting);
    alarm((unsigned)ceil(limit_of(LIMIT_MEET)));
    if (begin_world(module, launch, error) == STATUS_OK)
        status = meet_others(task, error);
    if (status == STATUS_BAD_INPUT) /* every rank gets this status */
        world_part();
    else if (status)
        place.rank = place.count; /* an invalid rank: the process ends all ranks (ranks_shutdown) */
    alarm(0);
    signal(SIGALRM, SIG_DFL);
    return error->status;
}

const struct mpi_module *world_mpi(void) {
    return mpi;
}

const struct mpi_place *world_place(void) {
    return &place;
}

enum status world_count(const struct engine_spec *spec, int *count, struct error *error) {
    const struct device_choice *choice = &spec->run.devices;
    *count = choice->count > 0 && !choice->listed ? choice->count : place.count;
    if (spec->run.device > 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "--device %d: each process has a device of its own: --devices LIST names "
                         "them",
                         spec->run.device);
    if (choice->listed && choice->count > place.count)
        *count = choice->count;
    if (*count <= place.count)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "%d devices need as many processes: there are %d (mpirun -n %d)", *count,
                     place.count, *count);
}

enum status world_cut(const struct backend *backend, const struct engine_spec *spec,
                      struct engine_spec *mine, struct error *error) {
    const struct device_choice *choice = &spec->run.devices;
    struct device_list list = {0};
    int count = 0;
    *mine = *spec;
    if (!mpi)
        return STATUS_OK;
    TRY(world_count(spec, &count, error));
    TRY(backend->probe(&list, error));
    mine->run.devices = (struct device_choice){0};
    if (place.rank >= count)
        return STATUS_OK;
    const int device = choice->listed && choice->count > 0
                           ? choice->index[place.host_rank % choice->count]
                       : list.count > 0 ? list.devices[place.host_rank % list.count].index
                                        : 0;
    TRY(slab_cut(backend, spec, place.rank, count, device, mine, error));
    mine->slab.local_rank = place.local_rank;
    mine->slab.local_size = place.local_size;
    return STATUS_OK;
}

enum status world_error(int code, const char *what, struct error *error) {
    char words[MPI_EXPLAIN_SIZE];
    return code ? error_set(error, STATUS_DEVICE_FAILED, "%s: %s", what, mpi->explain(code, words))
                : STATUS_OK;
}

void world_part(void) {
    if (mpi)
        mpi->end();
    mpi = NULL;
}
