/* Every kernel: Jacobi's, those that other methods add, then those that measure the ceilings. */
/* clang-format off */
#include "jacobi.hip"
#include "methods.hip"
#include "probe.hip"
