/* The emulator as a driver beside AMD's and NVIDIA's. Its one device is the CPU, its modules are
 * tables of kernels (emulator/emulator.h), and all work is done when it is enqueued. The device's
 * memory is the host's. An array ends at the end of a page, as closely as a GPU's alignment allows,
 * so that most accesses beyond it end the process. */
#pragma once

#include "kernels/hip/devices.h"

/* Opens a library of kernels compiled for this CPU (exercise/compiler.h), and makes the emulator
 * the only device. *kernels, loadable as a module, holds the user's. A process opens one. */
enum status hip_emulator_open(const char *path, const void **kernels, struct error *error);

/* Whether the user's library has it. */
bool hip_emulator_has(const char *kernel);

/* From now on an open library's races are reported. */
void hip_emulator_find_races(void);

/* The label of an array with a write beyond its end; NULL if there is none. */
const char *hip_emulator_overrun(void);
