/* C++'s new and delete, and svs_object_new(), as the program's own code calls them: they allocate
 * as usual, but the place of the allocation is in that code, not in a library. In a C program, new
 * and delete do not exist.
 *
 * Compiled with -fexceptions: what new throws passes through here. */
#include "dpst/report/self.h"
#include <stddef.h>
#include <svs/object.h>

/* The linker's --wrap sends calls of `name` to __wrap_name, and __real_name to `name`. */
#define WRAPPED(name) __asm__("__wrap_" #name)
#define REAL(name) __asm__("__real_" #name) __attribute__((weak))

static void forget_site(const int *nothing) {
    (void)nothing;
    svs__check_site = NULL;
}

/* The caller is the place of allocations up to the end of the block, also when an exception leaves
 * the block. */
#define NAMES_THE_CALLER                                                                           \
    __attribute__((cleanup(forget_site))) const int named = 0;                                     \
    (void)named;                                                                                   \
    svs__check_site = SVS__CALLER()

#define NEW(name, parameters, arguments)                                                           \
    void *svs__real##name parameters REAL(name);                                                   \
    void *svs__wrap##name parameters WRAPPED(name);                                                \
    void *svs__wrap##name parameters {                                                             \
        NAMES_THE_CALLER;                                                                          \
        return svs__real##name arguments;                                                          \
    }

#define DELETE(name, parameters, arguments)                                                        \
    void svs__real##name parameters REAL(name);                                                    \
    void svs__wrap##name parameters WRAPPED(name);                                                 \
    void svs__wrap##name parameters {                                                              \
        NAMES_THE_CALLER;                                                                          \
        svs__real##name arguments;                                                                 \
    }

/* new and new[]: plain, nothrow, aligned, and both. These are the names for a size_t of 64 bits. */
NEW(_Znwm, (size_t bytes), (bytes))
NEW(_Znam, (size_t bytes), (bytes))
NEW(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag))
NEW(_ZnamRKSt9nothrow_t, (size_t bytes, const void *tag), (bytes, tag))
NEW(_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))
NEW(_ZnamSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))

/* delete and delete[]: plain, with the size, aligned, and both. */
DELETE(_ZdlPv, (void *block), (block))
DELETE(_ZdaPv, (void *block), (block))
DELETE(_ZdlPvm, (void *block, size_t bytes), (block, bytes))
DELETE(_ZdaPvm, (void *block, size_t bytes), (block, bytes))
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), (block, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t bytes, size_t alignment),
       (block, bytes, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t bytes, size_t alignment),
       (block, bytes, alignment))

WRAP(svs_status, svs_object_new, (svs_world * world, svs_type *type, void **storage)) {
    NAMES_THE_CALLER;
    return svs__real_svs_object_new(world, type, storage);
}
