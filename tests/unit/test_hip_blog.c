/* kernels/hip/device/blog.hip, which shows HIP as it is usually taught. Its host side runs here, on
 * a device with memory separate from the host's and with serial's kernels. */
#include "tests/fixtures/support.h"

#include "kernels/serial/serial.h"

/* Defined in blog.hip. */
void launch_laplacian(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U, double *AU);
void launch_boundary(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U, double *AU);
void launch_update(long N, double factor, double *RHS, double *AU, double *RES, double *U);
double launch_norm(long N, double *RES);
void structured_laplacian(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U, double *AU);
void structured_boundary(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U, double *AU);
void structured_update(long N, double factor, double *RHS, double *AU, double *RES, double *U);
double structured_norm(long N, double *RES);
void unstructured_enter(long N, double *RHS, double *U, double **d_RHS, double **d_U, double **d_AU,
                        double **d_RES);
void unstructured_exit(long N, double *U, double *d_RHS, double *d_U, double *d_AU, double *d_RES);
extern const void *const PlainLaplacian, *const PlainBoundaryConditions, *const PlainUpdate,
                                                                             *const PlainNorm;

enum { NX = 19, NY = 13, N = NX * NY, ITERATIONS = 20 };

/* blog.hip calls the functions from here on by the declarations of fixtures/hip/vendor.h. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* ---- the device */

static struct memory {
    double *arrays[8];
    size_t bytes[8];
    int count;
    struct mesh mesh;
} memory;

/* An array's contents are undefined until it is written. */
int hipMalloc(void **pointer, size_t bytes) {
    int k = 0;
    while (memory.arrays[k])
        assert_true(++k < 8);
    memory.bytes[k] = bytes;
    *pointer = memory.arrays[k] = malloc(bytes);
    memset(*pointer, 0xff, bytes);
    memory.count++;
    return 0;
}

static int index_of(const void *array) {
    int k = 0;
    while (memory.arrays[k] != array)
        assert_true(++k < 8);
    return k;
}

int hipFree(void *pointer) {
    memory.arrays[index_of(pointer)] = NULL;
    memory.count--;
    free(pointer);
    return 0;
}

int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
    assert_int_equal(memory.bytes[index_of(kind == 1 ? to : from)], bytes);
    memcpy(to, from, bytes);
    return 0;
}

/* ---- the compiler's translation of <<<grid, block>>> */

struct dim3 {
    unsigned x, y, z;
};

static struct dim3 launched_grid, launched_block;

/* The kernels' image, here empty, and its handle. From clang 21 on, the image has another name. */
extern const char __hip_fatbin_[], __hip_fatbin[];
extern void **__hip_gpubin_handle_;
const char __hip_fatbin_[] = "", __hip_fatbin[] = "";
void **__hip_gpubin_handle_;

void **__hipRegisterFatBinary(const void *image) {
    return NULL;
}

void __hipRegisterFunction(void) {
}

void __hipUnregisterFatBinary(void) {
}

int __hipPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream) {
    launched_grid = grid;
    launched_block = block;
    return 0;
}

int __hipPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                              void **stream) {
    *grid = launched_grid;
    *block = launched_block;
    return 0;
}

static double *device_array(void *argument) {
    double *const array = *(double **)argument;
    index_of(array);
    return array;
}

/* Each kernel must get enough threads, its arguments in order, and device arrays. */
int hipLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments,
                    size_t shared, void *stream) {
    const struct mesh *mesh = &memory.mesh;
    const unsigned threads = grid.x * block.x;
    if (kernel == &PlainLaplacian || kernel == &PlainBoundaryConditions) {
        assert_int_equal(*(int *)arguments[0], NX);
        assert_int_equal(*(int *)arguments[1], NY);
        assert_true(*(double *)arguments[2] == mesh->_1bydx2);
        assert_true(*(double *)arguments[3] == mesh->_1bydy2);
        assert_true(threads >= (kernel == &PlainLaplacian ? N : 2 * NX + 2 * NY - 2));
        (kernel == &PlainLaplacian ? serial_laplacian : serial_boundary)(
            mesh, device_array(arguments[4]), device_array(arguments[5]));
        return 0;
    }
    assert_int_equal(*(long *)arguments[0], N);
    if (kernel == &PlainUpdate) {
        assert_true(threads >= N);
        assert_true(*(double *)arguments[1] == mesh->factor);
        serial_update(mesh, device_array(arguments[2]), device_array(arguments[3]),
                      device_array(arguments[4]), device_array(arguments[5]));
        return 0;
    }
    assert_true(kernel == &PlainNorm);
    assert_int_equal(block.x, 512);
    double *sums = device_array(arguments[2]);
    memset(sums, 0, grid.x * sizeof *sums);
    sums[grid.x - 1] = serial_norm(mesh, device_array(arguments[1]));
    return 0;
}

/* ---- the iterations */

static double RHS[N], AU[N], RES[N], U[N];
static double expected_AU[N], expected_RES[N], expected_U[N];

/* Fills the arrays, and stores the last iterate in expected_U; returns its sum(RES²). */
static double expect(void) {
    double sum = 0;
    memory.mesh = mesh_make(NX, NY);
    for (int k = 0; k < N; k++) {
        RHS[k] = sin(k);
        U[k] = expected_U[k] = AU[k] = RES[k] = 0;
    }
    for (int i = 0; i < ITERATIONS; i++) {
        serial_laplacian(&memory.mesh, expected_U, expected_AU);
        serial_boundary(&memory.mesh, expected_U, expected_AU);
        serial_update(&memory.mesh, RHS, expected_AU, expected_RES, expected_U);
        sum = serial_norm(&memory.mesh, expected_RES);
    }
    return sum;
}

TEST(structured) {
    const double expected = expect();
    const struct mesh *mesh = &memory.mesh;
    double sum = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        structured_laplacian(NX, NY, mesh->_1bydx2, mesh->_1bydy2, U, AU);
        structured_boundary(NX, NY, mesh->_1bydx2, mesh->_1bydy2, U, AU);
        structured_update(N, mesh->factor, RHS, AU, RES, U);
        sum = structured_norm(N, RES);
        assert_int_equal(memory.count, 0);
    }
    assert_true(sum == expected);
    assert_memory_equal(U, expected_U, sizeof U);
}

TEST(unstructured) {
    const double expected = expect();
    const struct mesh *mesh = &memory.mesh;
    double sum = 0, *d_RHS, *d_U, *d_AU, *d_RES;
    unstructured_enter(N, RHS, U, &d_RHS, &d_U, &d_AU, &d_RES);
    for (int i = 0; i < ITERATIONS; i++) {
        launch_laplacian(NX, NY, mesh->_1bydx2, mesh->_1bydy2, d_U, d_AU);
        launch_boundary(NX, NY, mesh->_1bydx2, mesh->_1bydy2, d_U, d_AU);
        launch_update(N, mesh->factor, d_RHS, d_AU, d_RES, d_U);
        sum = launch_norm(N, d_RES);
    }
    unstructured_exit(N, U, d_RHS, d_U, d_AU, d_RES);
    assert_int_equal(memory.count, 0);
    assert_true(sum == expected);
    assert_memory_equal(U, expected_U, sizeof U);
}

TEST_MODULE(hip_blog, NULL, NULL)
