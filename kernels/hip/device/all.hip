/* Every kernel: Jacobi's, what other methods add, then what serves the roof. */
/* clang-format off */
#include "jacobi.hip"
#include "methods.hip"
#include "probe.hip"
