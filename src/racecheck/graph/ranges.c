/* Bytes that addresses and indices stand for: what a program says of its memory in a check. */
#include "racecheck/graph/owner.h"

/* Says nothing of memory that is not checked: the call is right, and has no effect. */
static svs_status own(const svs__owner *owner, const char *call) {
    if (owner->what == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no memory, or no space: pass its address", call);
    if (owner->end <= owner->begin)
        return svs__refuse(NULL, SVS_E_INVALID,
                           "%s: a range of no bytes, or beyond the end of memory: pass its size",
                           call);
    if (svs__watching() == NULL) return SVS_OK;
    return svs__own(owner) ? SVS_OK : SVS_E_NO_MEMORY;
}

/* The end of `count` elements; `begin` when there are none, or when they do not fit. */
static uintptr_t end_of(uintptr_t begin, size_t bytes, uint64_t count) {
    if (bytes == 0 || count > (UINTPTR_MAX - begin) / bytes) return begin;
    return begin + bytes * count;
}

svs_status svs_check_object_range(const void *address, size_t bytes, const char *name) {
    uintptr_t at = (uintptr_t)address;
    svs__owner owner = {
        .begin = at, .end = at + bytes, .what = address, .kind = SVS__OWNER_ADDRESS, .name = name};
    return own(&owner, "svs_check_object_range");
}

svs_status svs_check_index_range(const svs_space *space, uint64_t first, const void *memory,
                                 size_t bytes, uint64_t count, const char *name) {
    uintptr_t at = (uintptr_t)memory;
    svs__owner owner = {.begin = at,
                        .what = space,
                        .index = first,
                        .stride = bytes,
                        .kind = SVS__OWNER_INDEX,
                        .name = name};
    if (memory == NULL) owner.what = NULL;
    owner.end = end_of(at, bytes, count);
    return own(&owner, "svs_check_index_range");
}

svs_status svs_check_immutable_range(const void *memory, size_t bytes, const char *name) {
    uintptr_t at = (uintptr_t)memory;
    svs__owner owner = {
        .begin = at, .end = at + bytes, .what = memory, .kind = SVS__OWNER_IMMUTABLE, .name = name};
    return own(&owner, "svs_check_immutable_range");
}

svs_status svs_check_worker_range(const void *memory, size_t bytes, uint64_t count,
                                  const char *name) {
    uintptr_t at = (uintptr_t)memory;
    svs__owner owner = {.begin = at,
                        .what = memory,
                        .stride = bytes,
                        .kind = SVS__OWNER_WORKER,
                        .commutative = true,
                        .name = name};
    owner.end = end_of(at, bytes, count);
    return own(&owner, "svs_check_worker_range");
}

void svs_check_forget_range(const void *memory) {
    if (svs__watching() != NULL) svs__disown_range((uintptr_t)memory);
}

svs_status svs_check_commutative(const void *memory) {
    if (svs__watching() == NULL || svs__owners_commute((uintptr_t)memory)) return SVS_OK;
    return svs__refuse(NULL, SVS_E_INVALID,
                       "svs_check_commutative: nothing is known at %p: name it with a range first, "
                       "or make it a memory object",
                       memory);
}
