#ifndef CMALLOC_H
#define CMALLOC_H

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

/* Makes glibc's allocator retain the freed memory of the main heap, and returns nonzero if it does. Other allocators
   are not changed. Swift does not import <malloc.h>. */
static inline int keep_freed_memory(void) {
#ifdef M_TRIM_THRESHOLD
    return mallopt(M_MMAP_MAX, 0) && mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
#else
    return 0;
#endif
}

#endif
