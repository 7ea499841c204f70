/* Every kernel, in the order in which they are best read: the blog's four, tuned and as it prints
 * them, a whole iteration in one pass, what other methods add, several iterations in one pass, then
 * what serves the screen and the roof. */
/* clang-format off */
#include "laplacian.hip"
#include "boundary.hip"
#include "update.hip"
#include "norm.hip"
#include "plain.hip"
#include "fused.hip"
#include "methods.hip"
#include "blocked.hip"
#include "downsample.hip"
#include "probe.hip"
