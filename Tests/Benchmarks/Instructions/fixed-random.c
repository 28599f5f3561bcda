// Replaces the system's random numbers by the same ones in every run; loaded before the C library. A store draws the
// start of its versions, which determines the size of each of its rows.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

// SplitMix64.
static uint64_t next(void) {
    static uint64_t state = 2026;
    uint64_t mixed = __atomic_add_fetch(&state, 0x9E3779B97F4A7C15, __ATOMIC_RELAXED);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

ssize_t getrandom(void *buffer, size_t length, unsigned int flags) {
    (void)flags;
    for (size_t index = 0; index < length; index++) ((uint8_t *)buffer)[index] = (uint8_t)next();
    return (ssize_t)length;
}

// Swift's runtime calls getrandom by its system call number.
long syscall(long number, ...) {
    static long (*real)(long, ...);
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int index = 0; index < 6; index++) a[index] = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_getrandom) return getrandom((void *)a[0], (size_t)a[1], (unsigned int)a[2]);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
