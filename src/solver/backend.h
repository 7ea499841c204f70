/* The interface of a back end: each is one `const struct backend`, in the table of
 * kernels/backends.h. */
#ifndef JACOBI_SOLVER_BACKEND_H
#define JACOBI_SOLVER_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "solver/transport.h"

enum { DEVICES_MAX = SLABS_MAX };

/* The name of a device that is none: kernels for a GPU run on the CPU, to be tried there. */
#define DEVICE_EMULATED "CPU, emulating a GPU"

struct device {
    int index;                /* what --device takes */
    char name[96];            /* "NVIDIA H200", "host device (x86-64)" */
    char architecture[48];    /* "sm_90", "gfx90a", "x86-64" */
    char driver[64];          /* driver or runtime and its version */
    char note[400];           /* what its back end found out about it; "": nothing */
    char bus_id[BUS_ID_SIZE]; /* "0000:17:00.0", its place on the PCI bus; "": not known */
    uint64_t memory_bytes;
    uint64_t cache_bytes; /* of its last cache; 0: not known */
    bool is_gpu;
};

struct device_list {
    int count;
    struct device devices[DEVICES_MAX];
};

/* Bytes that a run will allocate. */
struct footprint {
    uint64_t host_bytes;
    uint64_t device_bytes; /* 0 if the device has no memory of its own */
};

/* The roof of a device: the bandwidth and the arithmetic that nothing on it can exceed. */
enum roof_origin {
    ROOF_UNKNOWN,  /* the figures are NaN */
    ROOF_MEASURED, /* by a short probe on this device, now or earlier */
    ROOF_GIVEN,    /* by the preset's [machine] */
};

struct roof {
    enum roof_origin origin;
    double bandwidth_gbs; /* the best of simple streaming loops over the device's main memory */
    double gflops;        /* multiply-adds in double precision, two operations each */
    bool contended;       /* other work ran on the device: the figures may be too low */
};

/* How a back end's source addresses its device; the explain panel shows that. */
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
    const char *advice;        /* what to do if it is missing, in one line */
    bool is_module;            /* it is this program's own: module_path finds it */
};

/* What a library made of the user's own kernels has (exercises/). */
struct user_library {
    bool phases[PHASE_COUNT];
    bool enter, leave;
    bool emulated; /* it runs on this CPU in the place of a GPU: its times are none of a GPU */
    char architecture[48]; /* of the device that it has to be compiled for: "sm_90"; "": this CPU */
};

/* Kernels of the user's own that a back end runs. */
struct user_kernels_ops {
    const char *suffix;          /* of their files' names: ".c" */
    enum schedule_kind schedule; /* of which they are phases */

    /* Loads the library made of them, before any engine is opened; a process loads one.
     * STATUS_UNAVAILABLE if none can run here, STATUS_BAD_INPUT if it can't be loaded or has none
     * of the functions. NULL if the back end is not built in. */
    enum status (*load)(const char *path, struct user_library *found, struct error *error);

    /* From now on threads that share something meet: for the check. NULL: they always do. */
    void (*start_together)(void);
};

struct backend {
    const char *name;   /* as typed: "omp" */
    const char *title;  /* as shown: "OpenMP offload" */
    const char *needs;  /* what it requires, in a few words */
    const char *advice; /* what to do if it can't run, in one line; NULL: its libraries say that */
    const struct library *libraries; /* that it opens; one without a title ends them; may be NULL */
    enum backend_model model;

    /* Bit p: beside double it computes in enum precision p. For double and the precisions named
     * here `supports`, `footprint` and `open` follow run.precision; others are refused before. */
    unsigned precisions;

    /* Lists the devices. STATUS_UNAVAILABLE and the reason if it can't run here. The first call may
     * load libraries; later ones repeat its answer. */
    enum status (*probe)(struct device_list *devices, struct error *error);

    /* Whether it can run that mapping and schedule on that device; the reason if it can't. */
    enum status (*supports)(const struct engine_spec *spec, struct error *error);

    /* What a run of that spec will allocate. */
    struct footprint (*footprint)(const struct engine_spec *spec);

    engine_opener open;

    /* How slabs on several of its devices exchange rows, as shown; NULL: it uses one device. And
     * what connects them; NULL: they pull (transport_open_shared). */
    const char *transport;
    transport_opener connect;

    /* Measures the roof of a device in at most about 0.3 s, with nothing else running there; sets
     * both figures. NULL if the back end can't. */
    enum status (*measure_roof)(int device, const struct tuning *tuning, struct roof *roof,
                                struct error *error);

    /* The floating-point operations per unknown of a blocked pass that deep, as the kernel's source
     * has them. NULL: of each iteration as many as of fused. */
    int (*blocked_flops)(const struct mesh *mesh, int depth, bool on_gpu);

    const struct user_kernels_ops *user_kernels; /* NULL: it runs none */
};

/* Whether its devices have memories of their own, so that the mapping makes a difference. */
static inline bool backend_has_mappings(const struct backend *backend) {
    return backend->model != MODEL_HOST_LOOPS;
}

static inline bool backend_has_precision(const struct backend *backend, enum precision precision) {
    return precision == PRECISION_DOUBLE || backend->precisions >> precision & 1;
}

#endif
