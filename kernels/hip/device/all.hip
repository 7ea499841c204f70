/* Every kernel, in the order in which they are best read. */
#include "blocked.hip"
#include "boundary.hip"
#include "fused.hip"
#include "laplacian.hip"
#include "norm.hip"
#include "probe.hip"
#include "reduce.hip"
#include "update.hip"
