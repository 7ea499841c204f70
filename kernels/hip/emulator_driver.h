/* The emulator as a driver beside AMD's and NVIDIA's: its one device is the CPU, its modules are
 * tables of kernels (emulator/emulator.h), and all work is done when it is enqueued. The device's
 * memory is the host's. An array ends where a page ends, as nearly as a GPU's alignment allows, so
 * that most accesses beyond it end the process. */
#ifndef JACOBI_HIP_EMULATOR_DRIVER_H
#define JACOBI_HIP_EMULATOR_DRIVER_H

#include "kernels/hip/devices.h"

/* Opens a library of kernels compiled for this CPU (exercise/compiler.h), and makes the emulator
 * the only device. *kernels, which may be loaded as a module, has the user's. A process opens one.
 */
enum status hip_emulator_open(const char *path, const void **kernels, struct error *error);

/* Whether that library has a kernel of this name, of the user's. */
bool hip_emulator_has(const char *kernel);

/* The label of an array beyond whose end something was written; NULL if there is none. */
const char *hip_emulator_overrun(void);

#endif
