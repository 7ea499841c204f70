/* The kernels of Jacobi's method, in the order in which they are best read: the blog's four, tuned
 * and as it prints them, a whole iteration in one pass, several in one pass, the refinement of
 * mixed precision, then what serves the screen. They are compiled for double and for float. */
/* clang-format off */
#include "laplacian.hip"
#include "boundary.hip"
#include "update.hip"
#include "norm.hip"
#include "plain.hip"
#include "fused.hip"
#include "blocked.hip"
#include "refine.hip"
#include "downsample.hip"
