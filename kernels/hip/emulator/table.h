/* Entries for the kernel table of emulator.h: kernel<Laplacian>("Laplacian", BLOCK_MAX). */
#pragma once

#include "emulator.h"

/* Calls KERNEL with the values that `arguments` point to, each with its parameter's type. */
template <typename T, T... N> struct sequence {};

template <typename... A, int... N>
static void call(void (*kernel)(A...), void **arguments, sequence<int, N...>) {
    kernel(*(A *)arguments[N]...);
}

template <typename... A> static void call(void (*kernel)(A...), void **arguments) {
    call(kernel, arguments, __make_integer_seq<sequence, int, sizeof...(A)>());
}

template <auto KERNEL> static void run(void **arguments) {
    call(KERNEL, arguments);
}

template <typename T> static constexpr char letter = 'p';
template <> inline constexpr char letter<int> = 'i';
template <> inline constexpr char letter<long> = 'l';
template <> inline constexpr char letter<float> = 'f';
template <> inline constexpr char letter<double> = 'd';

template <typename> struct signature;

template <typename... A> struct signature<void (*)(A...)> {
    static constexpr char letters[] = {letter<A>..., 0};
};

template <auto KERNEL> static unsigned launches;

template <auto KERNEL> static constexpr emulator_kernel kernel(const char *name, int threads) {
    return {name, run<KERNEL>, (unsigned)threads, signature<decltype(KERNEL)>::letters,
            &launches<KERNEL>};
}
