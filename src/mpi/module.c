/* The module: only calls of MPI. Built once per MPI, with its mpicc. */
#include "mpi/module.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

enum { TAG_TELL = 1, TAG_VALUES = 2, TAG_HALO = 16 };

/* Poll, then yield, then sleep with back-off. */
enum { ASKS_BUSILY = 2000, ASKS_AWAKE = 20000, NAP_NS = 20000, NAP_NS_MAX = 1000000 };

struct mpi_group {
    MPI_Comm comm;
    size_t values;  /* the most doubles per exchange */
    MPI_Comm host;  /* the ranks on this host; or MPI_COMM_NULL */
    MPI_Win window; /* their shared memory, ROOMS per rank; or MPI_WIN_NULL */
};

/* Outgoing rows are stored in rooms of whole pages: two per side. */
enum { ROOM_ALIGNMENT = 4096, ROOMS = 4 };

struct halo {
    struct mpi_halo base;
    MPI_Request requests[2][2]; /* per turn: receive, send */
    int turn;
    bool is_under_way;
    double *own; /* the memory of `base`, unless it is in the window */
};

static MPI_Comm world = MPI_COMM_NULL;

/* Waits for at most two requests. */
static int module_wait_all(int count, MPI_Request *requests, bool asleep) {
    long nap_ns = NAP_NS;
    for (long asked = 0;; asked++) {
        MPI_Status statuses[2];
        int done = 0;
        const int code = MPI_Testall(count, requests, &done, statuses);
        if (code != MPI_SUCCESS || done)
            return code;
        if (asked < ASKS_BUSILY)
            continue;
        if (!asleep && asked < ASKS_AWAKE) {
            sched_yield();
            continue;
        }
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        if (asleep)
            nap_ns = nap_ns * 2 < NAP_NS_MAX ? nap_ns * 2 : NAP_NS_MAX;
    }
}

/* ---- beginning and end ---------------------------------------------------------------------- */

/* Takes name and number from "Open MPI v4.1.4, package: …" or "MPICH Version:\t4.0.2\nMPICH …". */
static char *module_library(char *name) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    const char *number = text + strcspn(text, "0123456789");
#ifdef OPEN_MPI
    snprintf(name, MPI_LIBRARY_SIZE, "Open MPI %s", number);
#else
    snprintf(name, MPI_LIBRARY_SIZE, "%.*s %s", (int)strcspn(text, " "), text, number);
#endif
    return name;
}

static int module_begin(struct mpi_place *place) {
    int level = 0, length = 0;
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Comm_dup(MPI_COMM_WORLD, &world);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world, &place->rank);
    MPI_Comm_size(world, &place->count);
    MPI_Get_processor_name(host, &length);
    host[strcspn(host, ".")] = '\0';
    snprintf(place->host, sizeof place->host, "%s", host);
    module_library(place->library);
    return MPI_SUCCESS;
}

static void module_end(void) {
    MPI_Comm_free(&world);
    MPI_Finalize();
}

static void module_leave(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

/* ---- between ranks -------------------------------------------------------------------------- */

static int module_tell(const void *bytes, int size) {
    int count = 0, code = MPI_SUCCESS;
    MPI_Comm_size(world, &count);
    for (int rank = 1; rank < count && code == MPI_SUCCESS; rank++)
        code = MPI_Send(bytes, size, MPI_BYTE, rank, TAG_TELL, world);
    return code;
}

static int module_hear(void *bytes, int size) {
    MPI_Request request;
    const int code = MPI_Irecv(bytes, size, MPI_BYTE, 0, TAG_TELL, world, &request);
    return code == MPI_SUCCESS ? module_wait_all(1, &request, true) : code;
}

/* In pieces: MPI's counts are of type int. */
enum { PIECE = 1 << 30 };

static int module_send_values(int rank, const void *values, size_t bytes) {
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE)
        code = MPI_Send((const char *)values + at, (int)(bytes - at < PIECE ? bytes - at : PIECE),
                        MPI_BYTE, rank, TAG_VALUES, world);
    return code;
}

static int module_receive_values(int rank, void *values, size_t bytes) {
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += PIECE)
        code = MPI_Recv((char *)values + at, (int)(bytes - at < PIECE ? bytes - at : PIECE),
                        MPI_BYTE, rank, TAG_VALUES, world, MPI_STATUS_IGNORE);
    return code;
}

/* ---- groups --------------------------------------------------------------------------------- */

static size_t room_bytes(const struct mpi_group *group) {
    const size_t bytes = group->values * sizeof(double);
    return (bytes + ROOM_ALIGNMENT - 1) / ROOM_ALIGNMENT * ROOM_ALIGNMENT;
}

/* A room of that rank on this host, page-aligned. The padding is the same in every process. */
static double *room_at(const struct mpi_group *group, int host_rank, int room) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void *base = NULL;
    MPI_Win_shared_query(group->window, host_rank, &bytes, &unit, &base);
    const uintptr_t first = ((uintptr_t)base + ROOM_ALIGNMENT - 1) & -(uintptr_t)ROOM_ALIGNMENT;
    return (double *)(first + (size_t)room * room_bytes(group));
}

/* Whether every rank of the host finds room for `bytes` of all of them where MPI keeps shared
 * memory. In containers it is small; Open MPI 4 hangs if the room is too small, or ends by SIGBUS
 * later. */
static bool has_room(const struct mpi_group *group, int count, MPI_Aint bytes) {
    const double needed = 1.25 * (double)bytes * count + (4 << 20); /* with MPI's own */
    struct statvfs shm;
    const int fits = statvfs("/dev/shm", &shm) != 0 || /* not kept there */
                     (double)shm.f_bavail * (double)shm.f_frsize >= needed;
    int all_fit = 0;
    MPI_Allreduce(&fits, &all_fit, 1, MPI_INT, MPI_MIN, group->host);
    return all_fit;
}

/* On a host without shared memory, rows are sent as messages. */
static void share_memory(struct mpi_group *group) {
    int rank = 0, count = 0, any = 1;
    MPI_Info info = MPI_INFO_NULL;
    void *base = NULL;
    MPI_Comm_rank(group->comm, &rank);
    if (group->values == 0 || MPI_Comm_split_type(group->comm, MPI_COMM_TYPE_SHARED, rank,
                                                  MPI_INFO_NULL, &group->host) != MPI_SUCCESS)
        return;
    MPI_Comm_size(group->host, &count);
    const MPI_Aint bytes = (MPI_Aint)(room_bytes(group) * ROOMS + ROOM_ALIGNMENT);
    if (count < 2 || !has_room(group, count, bytes))
        return;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    const int failed =
        MPI_Win_allocate_shared(bytes, 1, info, group->host, &base, &group->window) != MPI_SUCCESS;
    MPI_Info_free(&info);
    if (failed)
        group->window = MPI_WIN_NULL;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, group->host);
    if (any && !failed)
        MPI_Win_free(&group->window);
    if (any)
        return;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, group->window);
    memset(base, 0, (size_t)bytes); /* so that the next group doesn't count on this memory */
}

static int module_group_open(int count, size_t values, struct mpi_group **opened) {
    int rank = 0;
    struct mpi_group *group = calloc(1, sizeof *group);
    *opened = NULL;
    if (!group || values > INT_MAX / ROOMS / sizeof(double)) {
        free(group);
        return MPI_ERR_NO_MEM;
    }
    *group = (struct mpi_group){.values = values, .host = MPI_COMM_NULL, .window = MPI_WIN_NULL};
    MPI_Comm_rank(world, &rank);
    const int code = MPI_Comm_split(world, rank < count ? 0 : MPI_UNDEFINED, rank, &group->comm);
    if (code != MPI_SUCCESS || group->comm == MPI_COMM_NULL) {
        free(group);
        return code;
    }
    share_memory(group);
    *opened = group;
    return code;
}

static void module_group_close(struct mpi_group *group) {
    if (group && group->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(group->window);
        MPI_Win_free(&group->window);
    }
    if (group && group->host != MPI_COMM_NULL)
        MPI_Comm_free(&group->host);
    if (group)
        MPI_Comm_free(&group->comm);
    free(group);
}

static int module_all_gather(struct mpi_group *group, const void *mine, int size, void *all) {
    MPI_Request request;
    const int code =
        MPI_Iallgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, group->comm, &request);
    return code == MPI_SUCCESS ? module_wait_all(1, &request, false) : code;
}

static int module_gather(struct mpi_group *group, const void *mine, int size, void *all) {
    MPI_Request request;
    const int code =
        MPI_Igather(mine, size, MPI_BYTE, all, size, MPI_BYTE, 0, group->comm, &request);
    return code == MPI_SUCCESS ? module_wait_all(1, &request, false) : code;
}

static int module_take_first(struct mpi_group *group, bool gives, void *bytes, int size,
                             int *first) {
    MPI_Request request;
    int rank = 0, count = 0, mine;
    MPI_Comm_rank(group->comm, &rank);
    MPI_Comm_size(group->comm, &count);
    mine = gives ? rank : count;
    int code = MPI_Iallreduce(&mine, first, 1, MPI_INT, MPI_MIN, group->comm, &request);
    if (code == MPI_SUCCESS)
        code = module_wait_all(1, &request, false);
    if (code == MPI_SUCCESS && *first < count)
        code = MPI_Ibcast(bytes, size, MPI_BYTE, *first, group->comm, &request);
    if (code == MPI_SUCCESS && *first < count)
        return module_wait_all(1, &request, false);
    *first = -1;
    return code;
}

/* ---- halos ---------------------------------------------------------------------------------- */

static void module_halo_close(struct mpi_halo *closed) {
    struct halo *halo = (struct halo *)closed;
    if (!halo)
        return;
    if (halo->is_under_way)
        MPI_Cancel(&halo->requests[halo->turn][0]);
    for (int turn = 0; turn < 2; turn++)
        for (int r = 0; r < 2; r++)
            if (halo->requests[turn][r] != MPI_REQUEST_NULL)
                MPI_Request_free(&halo->requests[turn][r]);
    free(halo->own);
    free(halo);
}

/* A group rank's number among those of this host. MPI_UNDEFINED if it is on another host, or if
 * they share no memory. */
static int host_rank_of(const struct mpi_group *group, int rank) {
    MPI_Group all, here;
    int found = MPI_UNDEFINED;
    if (group->window == MPI_WIN_NULL)
        return found;
    MPI_Comm_group(group->comm, &all);
    MPI_Comm_group(group->host, &here);
    MPI_Group_translate_ranks(all, 1, &rank, here, &found);
    MPI_Group_free(&all);
    MPI_Group_free(&here);
    return found;
}

static int place_rooms(struct halo *halo, const struct mpi_group *group, int side, int there) {
    const size_t bytes = room_bytes(group);
    int here = 0;
    halo->base.bytes = bytes;
    if (there == MPI_UNDEFINED)
        halo->own = aligned_alloc(ROOM_ALIGNMENT, ROOMS * bytes);
    else
        MPI_Comm_rank(group->host, &here);
    if (there == MPI_UNDEFINED && !halo->own)
        return MPI_ERR_NO_MEM;
    for (int turn = 0; turn < 2; turn++) {
        halo->base.out[turn] = halo->own ? halo->own + turn * bytes / sizeof(double)
                                         : room_at(group, here, 2 * side + turn);
        halo->base.in[turn] = halo->own ? halo->own + (2 + turn) * bytes / sizeof(double)
                                        : room_at(group, there, 2 * !side + turn);
    }
    return MPI_SUCCESS;
}

static int module_halo_open(struct mpi_group *group, int side, size_t values,
                            struct mpi_halo **opened) {
    struct halo *halo = calloc(1, sizeof *halo);
    int rank = 0, code = MPI_ERR_NO_MEM;
    if (!halo)
        return code;
    for (int turn = 0; turn < 2; turn++)
        halo->requests[turn][0] = halo->requests[turn][1] = MPI_REQUEST_NULL;
    MPI_Comm_rank(group->comm, &rank);
    const int neighbour = rank + (side == 0 ? -1 : 1), there = host_rank_of(group, neighbour);
    const int count = there == MPI_UNDEFINED ? (int)values : 0;
    code = place_rooms(halo, group, side, there);
    for (int turn = 0; turn < 2 && code == MPI_SUCCESS; turn++) {
        code = MPI_Recv_init(halo->base.in[turn], count, MPI_DOUBLE, neighbour, TAG_HALO + !side,
                             group->comm, &halo->requests[turn][0]);
        if (code == MPI_SUCCESS)
            code = MPI_Send_init(halo->base.out[turn], count, MPI_DOUBLE, neighbour,
                                 TAG_HALO + side, group->comm, &halo->requests[turn][1]);
    }
    if (code != MPI_SUCCESS)
        module_halo_close(&halo->base);
    else
        *opened = &halo->base;
    return code;
}

static int module_halo_start(struct mpi_halo *started) {
    struct halo *halo = (struct halo *)started;
    halo->is_under_way = true;
    atomic_thread_fence(memory_order_release); /* shared rows before the message */
    return MPI_Startall(2, halo->requests[halo->turn]);
}

static int module_halo_wait(struct mpi_halo *awaited) {
    struct halo *halo = (struct halo *)awaited;
    const int code = module_wait_all(2, halo->requests[halo->turn], false);
    atomic_thread_fence(memory_order_acquire);
    halo->is_under_way = code != MPI_SUCCESS;
    halo->turn = !halo->turn;
    return code;
}

static char *module_explain(int code, char *buffer) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    text[strcspn(text, "\n")] = '\0';
    snprintf(buffer, MPI_EXPLAIN_SIZE, "%s", text);
    return buffer;
}

extern const struct mpi_module mpi_module;
__attribute__((visibility("default"))) const struct mpi_module mpi_module = {
    .version = MPI_MODULE_VERSION,
    .begin = module_begin,
    .end = module_end,
    .leave = module_leave,
    .tell = module_tell,
    .hear = module_hear,
    .send = module_send_values,
    .receive = module_receive_values,
    .group_open = module_group_open,
    .group_close = module_group_close,
    .all_gather = module_all_gather,
    .gather = module_gather,
    .take_first = module_take_first,
    .halo_open = module_halo_open,
    .halo_start = module_halo_start,
    .halo_wait = module_halo_wait,
    .halo_close = module_halo_close,
    .library = module_library,
    .explain = module_explain,
};
