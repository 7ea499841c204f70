#include "report/doctor.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_info.h"
#include "build_parts.h"
#include "core/child.h"
#include "core/crash.h"
#include "core/format.h"
#include "core/json.h"
#include "core/limits.h"
#include "core/paths.h"
#include "core/system.h"
#include "core/text.h"
#include "kernels/backends.h"
#include "mpi/world.h"
#include "remote/connection.h"

void examination_add(struct examination *examination, const char *part, const char *name,
                     bool is_there, const char *advice, const char *format, ...) {
    if (examination->count == FINDINGS_MAX)
        return;
    struct finding *finding = &examination->findings[examination->count++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->what, sizeof finding->what, format, arguments);
    va_end(arguments);
    text_sanitize(finding->what);
    snprintf(finding->part, sizeof finding->part, "%s", part);
    snprintf(finding->name, sizeof finding->name, "%s", name);
    snprintf(finding->advice, sizeof finding->advice, "%s", is_there || !advice ? "" : advice);
    finding->is_there = is_there;
}

/* ---- back ends, and the libraries that they open at run time */

static void examine_library(struct examination *examination, const struct library *library) {
    char refused[sizeof examination->findings->what] = "";
    for (int n = 0; n < LIBRARY_NAMES && library->names[n]; n++) {
        void *handle = dlopen(library->names[n], RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
        struct link_map *map = NULL;
        if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) {
            examination_add(examination, "library", library->title, true, NULL, "%s", map->l_name);
            return;
        }
        format_list(refused, sizeof refused, dlerror());
    }
    examination_add(examination, "library", library->title, false, library->advice, "%s", refused);
}

static void examine_module(struct examination *examination, const struct library *module) {
    char path[PATH_SIZE];
    const bool is_there = module_path(path, sizeof path, module->names[0]);
    examination_add(examination, "module", module->title, is_there, module->advice, "%s",
                    is_there ? path : "not beside the program, nor in its library folder");
}

static void examine_backend(struct examination *examination, const void *subject) {
    const struct backend *backend = subject;
    struct device_list devices = {0};
    struct error reason = {0};
    char there[sizeof examination->findings->what] = "", device[640];
    const bool is_there = backend->probe(&devices, &reason) == STATUS_OK;
    for (int d = 0; d < devices.count && is_there; d++) {
        const struct device *at = &devices.devices[d];
        snprintf(device, sizeof device, "%s%s%s%s%s", at->name, *at->driver ? ", " : "", at->driver,
                 *at->note ? "; " : "", at->note);
        if (!strstr(there, device)) /* list equal ones once */
            format_list(there, sizeof there, device);
    }
    examination_add(examination, "back end", backend->name, is_there, backend->advice, "%s",
                    is_there ? there : reason.message);
    for (const struct library *library = backend->libraries; library && library->title; library++)
        (library->is_module ? examine_module : examine_library)(examination, library);
}

typedef void examine_part(struct examination *examination, const void *subject);

/* The part that a child process examines. */
struct apart {
    struct examination *examination; /* in shared memory */
    examine_part *examine;
    const void *subject;
};

static void examine_in_child(void *argument) {
    const struct apart *apart = argument;
    apart->examine(apart->examination, apart->subject);
    atomic_store(&apart->examination->is_complete, true);
}

/* Whether the child has ended. The limit is shorter once it hangs at its exit. */
static bool await_child(struct child *child, const struct examination *examination) {
    enum { LOOK_MS = 20, EXIT_MS = 2000 };
    const int64_t end_ns = clock_awake_ns() + limit_ns(LIMIT_DOCTOR);
    while (!atomic_load(&examination->is_complete) && clock_awake_ns() < end_ns)
        if (child_wait(child, LOOK_MS))
            return true;
    return atomic_load(&examination->is_complete) && child_wait(child, EXIT_MS);
}

/* Examines, in a child process, parts that may crash or hang; in this process if no child can be
 * created. If the child does not complete, the finding is `name` of `part` with the advice. */
static void examine_apart(struct examination *examination, examine_part *examine,
                          const void *subject, const char *part, const char *name,
                          const char *advice) {
    struct apart apart = {examination, examine, subject};
    struct child child;
    const int count = examination->count;
    char why[64];
    atomic_store(&examination->is_complete, false);
    if (!child_call(&child, examine_in_child, &apart)) {
        examine(examination, subject);
        return;
    }
    if (!await_child(&child, examination))
        snprintf(why, sizeof why, "does not answer: ended after %g s", limit_of(LIMIT_DOCTOR));
    else if (child_exit_status(&child) < 0)
        snprintf(why, sizeof why, "crashed during the check (signal %d)", WTERMSIG(child.status));
    else
        snprintf(why, sizeof why, "ended the process during the check (status %d)",
                 child_exit_status(&child));
    child_close(&child, 0);
    if (atomic_load(&examination->is_complete))
        return;
    examination->count = count; /* its own findings may be incomplete */
    examination_add(examination, part, name, false, advice, "%s", why);
}

/* ---- the rest of the machine */

/* The folders in which the system searches for libraries. */
static void examine_search(struct examination *examination) {
    Dl_serinfo size;
    char folders[sizeof examination->findings->what] = "";
    void *program = dlopen(NULL, RTLD_LAZY);
    Dl_serinfo *search = NULL;
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0)
        search = malloc(size.dls_size);
    if (search) {
        memcpy(search, &size, sizeof size);
        if (dlinfo(program, RTLD_DI_SERINFO, search) == 0)
            for (unsigned d = 0; d < search->dls_cnt; d++)
                format_list(folders, sizeof folders, search->dls_serpath[d].dls_name);
    }
    free(search);
    examination_add(examination, "library", "looked for in", search != NULL, NULL,
                    "%s, and what ldconfig -p lists", folders);
}

static void examine_mpi(struct examination *examination, const void *subject) {
    const char *module = subject;
    char path[PATH_SIZE], library[MPI_LIBRARY_SIZE] = "";
    struct error error = {0};
    if (!module_path(path, sizeof path, module))
        examination_add(examination, "MPI", module, false,
                        "to run as several processes: install that MPI with its headers, rebuild",
                        "was not built");
    else if (world_library(module, library, &error))
        examination_add(examination, "MPI", module, false,
                        "install that MPI's library, or load its environment module", "%s",
                        error.message);
    else
        examination_add(examination, "MPI", module, true, NULL, "%s, finds %s", path, library);
}

/* All ranks must call this. */
static void examine_launch(struct examination *examination, const void *subject) {
    const struct launch *launch = subject;
    struct error error = {0};
    if (world_join(launch, 0, &error)) {
        examination_add(examination, "MPI", "launched", false,
                        "use that MPI's own launcher; see docs/cluster.md", "%s", error.message);
        return;
    }
    const struct mpi_place *place = world_place();
    examination_add(examination, "MPI", "launched", true, NULL, "%d processes on %d %s by %s",
                    place->count, place->hosts, place->hosts == 1 ? "host" : "hosts",
                    place->library);
    world_part();
}

static void examine_launchers(struct examination *examination, const struct finding *launched) {
    static const char *const launchers[] = {"mpirun", "mpiexec", "srun"};
    char there[sizeof examination->findings->what] = "", path[PATH_SIZE];
    const char *folders = getenv("PATH");
    for (size_t l = 0; l < sizeof launchers / sizeof *launchers && folders; l++)
        for (const char *at = folders; *at; at += strcspn(at, ":"), at += *at == ':') {
            snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, launchers[l]);
            if (access(path, X_OK) == 0) {
                format_list(there, sizeof there, path);
                break;
            }
        }
    examination_add(examination, "MPI", "launcher", *there != '\0',
                    "needed only for --on with several machines: openmpi-bin, or the cluster's own",
                    "%s", *there ? there : "no mpirun, mpiexec or srun in PATH");
    for (const char *const *module = world_modules; *module; module++)
        examine_apart(examination, examine_mpi, *module, "MPI", *module,
                      "reinstall that MPI, or build without it: -Dmpi=disabled");
    if (*launched->part && examination->count < FINDINGS_MAX)
        examination->findings[examination->count++] = *launched;
}

static void examine_folder(struct examination *examination, const char *name, enum user_folder kind,
                           const char *advice) {
    char path[PATH_SIZE], above[PATH_SIZE];
    struct stat folder = {0};
    if (!user_path(path, sizeof path, kind, "")) {
        examination_add(examination, "folder", name, false, advice,
                        "neither HOME nor XDG names it");
        return;
    }
    path[strlen(path) - 1] = '\0'; /* removes the last '/' */
    snprintf(above, sizeof above, "%s", path);
    while (stat(above, &folder) && above[1]) {
        char *slash = strrchr(above, '/');
        slash[slash == above] = '\0'; /* the root keeps its '/' */
    }
    const bool is_made = strcmp(above, path) == 0;
    const bool is_good = S_ISDIR(folder.st_mode) && access(above, W_OK | X_OK) == 0;
    examination_add(examination, "folder", name, is_good, advice, "%s, %s%smode %04o%s", path,
                    is_made ? "" : above, is_made ? "" : " has ", folder.st_mode & 07777U,
                    is_good ? "" : ": can't be written");
}

/* Examines everything except the terminal. */
static void examine_machine(struct examination *examination, const struct finding *launched) {
    static const char *const data[] = {"presets", "recordings"};
    char program[PATH_SIZE], path[PATH_SIZE];
    struct error refusal = {0};
    int usable = 0;
    if (!program_path(program, sizeof program))
        snprintf(program, sizeof program, "its location is unknown");
    examination_add(examination, "program", "built in", true, NULL, "%s; %s", BUILD_PARTS, program);
    for (size_t d = 0; d < sizeof data / sizeof *data; d++) {
        const bool is_there = data_path(path, sizeof path, data[d]);
        examination_add(examination, "program", data[d], is_there,
                        "run meson install: it puts them in share/jacobi-tui", "%s",
                        is_there ? path : "not beside the program, nor in share/jacobi-tui");
    }
    const bool is_sound = environment_check(&refusal) == STATUS_OK;
    examination_add(examination, "machine", "memory", memory_usable() > 0, NULL,
                    "%s usable, %d CPU%s", AS(format_bytes, (double)memory_usable()), cpus_usable(),
                    cpus_usable() == 1 ? "" : "s");
    if (!is_sound) /* the OpenMP runtime would end any process that opens it */
        examination_add(examination, "machine", "environment", false,
                        "unset that variable: OpenMP's runtime would end the program", "%s",
                        refusal.message);
    for (const struct backend *const *backend = backends; *backend && is_sound; backend++) {
        const int first = examination->count;
        examine_apart(examination, examine_backend, *backend, "back end", (*backend)->name,
                      "update the driver, or leave this back end out: --backend threads");
        usable += first < examination->count && examination->findings[first].is_there;
    }
    examine_search(examination);
    examine_launchers(examination, launched);
    examine_folder(examination, "settings", USER_CONFIG, "key w can't save: set XDG_CONFIG_HOME");
    examine_folder(examination, "cache", USER_CACHE,
                   "peaks and depths are measured again in every run: set XDG_CACHE_HOME");
    if (is_sound && usable == 0)
        error_set(&refusal, STATUS_UNAVAILABLE, "no back end can run here");
    examination->refusal = refusal;
}

/* ---- writing */

static enum status write_json(FILE *out, const struct examination *examination,
                              struct error *error) {
    json_begin();
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "program", "jacobi-tui");
    cJSON_AddStringToObject(object, "version", BUILD_VERSION);
    cJSON_AddStringToObject(object, "commit", build_commit);
    cJSON_AddBoolToObject(object, "can_run", examination->refusal.status == STATUS_OK);
    json_add_text(object, "reason", examination->refusal.message);
    cJSON *array = cJSON_AddArrayToObject(object, "findings");
    for (int f = 0; f < examination->count; f++) {
        const struct finding *finding = &examination->findings[f];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "part", finding->part);
        cJSON_AddStringToObject(item, "name", finding->name);
        cJSON_AddBoolToObject(item, "there", finding->is_there);
        json_add_text(item, "what", finding->what);
        json_add_text(item, "advice", finding->advice);
        json_append(array, item);
    }
    return json_print(out, object, true, error);
}

/* Writes text or one JSON object. Returns the refusal. */
static enum status examination_write(FILE *out, const struct config *config,
                                     const struct examination *examination, struct error *error) {
    if (config->format == FORMAT_JSON || config->format == FORMAT_JSONL) {
        TRY(write_json(out, examination, error));
    } else {
        /* Missing items and the verdict come last: a small terminal shows only the end. */
        fprintf(out, "jacobi-tui %s, commit %s\n", BUILD_VERSION, build_commit);
        for (int row = 0; row < 2 * examination->count; row++) {
            const bool lists_missing = row >= examination->count;
            const struct finding *finding = &examination->findings[row % examination->count];
            if (finding->is_there != lists_missing)
                text_item(out, 4, "%-3s %s %s: %s%s%s", lists_missing ? "no" : "yes", finding->part,
                          finding->name, finding->what, *finding->advice ? " -> " : "",
                          finding->advice);
        }
        fprintf(out, "%s\n",
                examination->refusal.status ? "no run is possible" : "runs are possible");
    }
    if (examination->refusal.status)
        *error = examination->refusal;
    return examination->refusal.status;
}

/* ---- --list --------------------------------------------------------------------------------- */

static void probe_backend(struct examination *examination, const void *subject) {
    const struct backend *const *backend = subject;
    struct probed *probed = &examination->probed[backend - backends];
    probed->is_available = !(*backend)->probe(&probed->devices, &probed->reason);
}

/* A driver that ends the process which queries it is listed as the reason. */
static enum status list_machine(FILE *out, struct examination *examination, bool as_json,
                                struct error *error) {
    struct probed *probed = examination->probed;
    for (const struct backend *const *backend = backends; *backend; backend++, probed++) {
        examination->count = 0;
        examine_apart(examination, probe_backend, backend, "back end", (*backend)->name, NULL);
        if (examination->count == 0)
            continue;
        *probed = (struct probed){.is_available = false};
        error_set(&probed->reason, STATUS_UNAVAILABLE, "%s", examination->findings[0].what);
    }
    return as_json ? list_json(out, examination->probed, error)
                   : list_text(out, examination->probed);
}

enum status machine_describe(FILE *out, const struct config *config,
                             void (*examine_screen)(const struct config *config,
                                                    struct examination *examination),
                             struct error *error) {
    const bool as_json = config->format == FORMAT_JSON || config->format == FORMAT_JSONL;
    const bool examines = config->action == ACTION_DOCTOR;
    struct examination *examination =
        mmap(NULL, sizeof *examination, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct finding launched = {0};
    struct launch launch;
    if (examination == MAP_FAILED)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    TRY(limits_read(error));
    /* The launch comes first, because the other ranks do not wait for the back ends. */
    if (!*config->on && process_is_launched(&launch)) {
        examine_apart(examination, examine_launch, &launch, "MPI", "launched",
                      "use that MPI's own launcher; see docs/cluster.md");
        launched = examination->findings[0];
        examination->count = 0;
    }
    /* The first of the connected ranks reports. Unconnected ones only inherited a launcher's
     * variables. */
    if (launched.is_there && launch.rank > 0)
        return STATUS_OK;
    if (!examines) /* a list: keep the libraries' output out of it */
        out = process_output();
    if (*config->on) {
        return command_run(
            config->on,
            PRINT("--%s%s", examines ? "doctor" : "list", as_json ? " --format json" : ""), out,
            error);
    }
    if (examines) {
        crash_install_headless();
        examine_machine(examination, &launched);
        examine_screen(config, examination);
        return examination_write(out, config, examination, error);
    }
    TRY(environment_check(error));
    return list_machine(out, examination, as_json, error);
}
