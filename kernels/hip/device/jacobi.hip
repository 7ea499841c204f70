/* The kernels of Jacobi's method, in the best order for reading: the blog's four, optimised and as
 * printed there, a whole iteration in one pass, several in one pass, the refinement for mixed
 * precision, then those for the screen. They are compiled for double and for float. */
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
