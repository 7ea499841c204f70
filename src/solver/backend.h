/* The interface of a back end. Each back end is one `const struct backend`, listed in the table of
 * kernels/backends.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "solver/transport.h"

enum { DEVICES_MAX = SLABS_MAX };

/* The name of the device that emulates a GPU on the CPU, so that GPU kernels can be tried there. */
#define DEVICE_EMULATED "CPU, emulating a GPU"

struct device {
    int index;                /* the number that --device takes */
    char name[96];            /* "NVIDIA H200", "host device (x86-64)" */
    char architecture[48];    /* "sm_90", "gfx90a", "x86-64" */
    char driver[64];          /* driver or runtime and its version */
    char note[400];           /* the back end's remarks on the device; "": none */
    char bus_id[BUS_ID_SIZE]; /* address on the PCI bus, "0000:17:00.0"; "": unknown */
    uint64_t memory_bytes;
    uint64_t cache_bytes; /* of the last-level cache; 0: unknown */
    bool is_gpu;
};

struct device_list {
    int count;
    struct device devices[DEVICES_MAX];
};

/* Returns the device with that number; NULL if there is none. */
static inline const struct device *device_find(const struct device_list *list, int index) {
    for (int d = 0; d < list->count; d++)
        if (list->devices[d].index == index)
            return &list->devices[d];
    return NULL;
}

/* Bytes that a run will allocate. */
struct footprint {
    uint64_t host_bytes;
    uint64_t device_bytes; /* 0 if the device has no memory of its own */
};

/* The roof, a device's ceilings: the bandwidth and the arithmetic rate with which kernels are
 * compared. */
enum roof_origin {
    ROOF_UNKNOWN,  /* the figures are NaN */
    ROOF_MEASURED, /* by a short probe on this device, now or earlier */
    ROOF_GIVEN,    /* by the preset's [machine] */
};

struct roof {
    enum roof_origin origin;
    double bandwidth_gbs; /* best of some simple streaming loops over the device's main memory */
    double gflops;        /* multiply-adds in double precision, two operations each */
    bool contended;       /* other work ran on the device: the figures may be too low */
};

/* Whether a kernel can be compared with it: not if it is too low by an unknown amount. */
static inline bool roof_is_known(const struct roof *roof) {
    return roof->origin != ROOF_UNKNOWN && !roof->contended;
}

/* How a back end's source addresses its device; shown in the explain panel. */
enum backend_model {
    MODEL_HOST_LOOPS,      /* plain loops over host memory: serial, threads */
    MODEL_TARGET_REGIONS,  /* OpenMP target regions and map clauses: omp */
    MODEL_KERNEL_LAUNCHES, /* kernels launched, arrays copied by hand: hip */
};

enum { LIBRARY_NAMES = 4 };

/* A library that is opened by name at run time. */
struct library {
    const char *title; /* "NVIDIA's driver" */
    const char
        *names[LIBRARY_NAMES]; /* the first that can be opened is used; NULL: no further one */
    const char *advice;        /* what to do if the library is missing, in one line */
    bool is_module;            /* it is part of this program: module_path finds it */
};

/* The contents of a library built from the user's own kernels (exercises/). */
struct user_library {
    bool phases[PHASE_COUNT];
    bool enter, leave;
    bool emulated;         /* it runs on this CPU in place of a GPU: its times are not GPU times */
    char architecture[48]; /* the target to compile for: "sm_90"; "": this CPU */
};

/* The interface for running the user's own kernels on a back end. */
struct user_kernels_ops {
    const char *suffix;          /* suffix of the kernels' file names: ".c" */
    enum schedule_kind schedule; /* the schedule whose phases they implement */

    /* Loads the library before any engine is opened; a process loads only one. Returns
     * STATUS_UNAVAILABLE if user kernels can't run here, STATUS_BAD_INPUT if the library can't be
     * loaded or has none of the functions. NULL if the back end is not built in. */
    enum status (*load)(const char *path, struct user_library *found, struct error *error);

    /* For the check: from now on races show. NULL: they always do. */
    void (*find_races)(void);
};

struct backend {
    const char *name;   /* name on the command line: "omp" */
    const char *title;  /* name on the screen: "OpenMP offload" */
    const char *needs;  /* its requirements, in a few words */
    const char *advice; /* what to do if it can't run, in one line; NULL: see its libraries */
    const struct library *libraries; /* libraries to open, ended by an untitled one; NULL: none */
    enum backend_model model;

    /* Bit p: the back end computes in enum precision p as well as in double. `supports`,
     * `footprint` and `open` follow run.precision and are never called with another precision. */
    unsigned precisions;

    /* Lists the devices. STATUS_UNAVAILABLE, with the reason, if the back end can't run here. The
     * first call may load libraries; later calls return the same result. */
    enum status (*probe)(struct device_list *devices, struct error *error);

    /* Checks that the spec's mapping and schedule can run on its device; if not, reports why. */
    enum status (*supports)(const struct engine_spec *spec, struct error *error);

    /* Returns the memory that a run of the spec will allocate. */
    struct footprint (*footprint)(const struct engine_spec *spec);

    engine_opener open;

    /* How slabs on several devices exchange rows, for display; NULL: the back end uses one device.
     * `connect` opens that transport; NULL: slabs pull rows (transport_open_shared). */
    const char *transport;
    transport_opener connect;

    /* Measures the roof of a device in at most about 0.3 s, with nothing else running there. Sets
     * both figures. NULL if the back end can't measure it. */
    enum status (*measure_roof)(int device, const struct tuning *tuning, struct roof *roof,
                                struct error *error);

    /* Returns the floating-point operations per unknown of a blocked pass of that depth, as in the
     * kernel's source. NULL: each iteration counts as one of fused. */
    int (*blocked_flops)(const struct mesh *mesh, int depth, bool on_gpu);

    const struct user_kernels_ops *user_kernels; /* NULL: it runs none */
};

/* Returns whether the devices have their own memory, so that the mapping matters. */
static inline bool backend_has_mappings(const struct backend *backend) {
    return backend->model != MODEL_HOST_LOOPS;
}

static inline bool backend_has_precision(const struct backend *backend, enum precision precision) {
    return precision == PRECISION_DOUBLE || backend->precisions >> precision & 1;
}
