/* Bytes that addresses and indices stand for: what a program says of its memory in a check. */
#include "dpst/graph_owner.h"

static svs_status own(const svs__owner *owner, size_t bytes) {
    if (owner->what == NULL || bytes == 0 || owner->end <= owner->begin) return SVS_E_INVALID;
    if (svs__watching() == NULL) return SVS_E_INVALID;
    return svs__own(owner) ? SVS_OK : SVS_E_NO_MEMORY;
}

svs_status svs_check_object_range(const void *address, size_t bytes, const char *name) {
    uintptr_t at = (uintptr_t)address;
    svs__owner owner = {
        .begin = at, .end = at + bytes, .what = address, .kind = SVS__OWNER_ADDRESS, .name = name};
    return own(&owner, bytes);
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
    if (memory == NULL || (bytes != 0 && count > (UINTPTR_MAX - at) / bytes)) return SVS_E_INVALID;
    owner.end = at + bytes * count;
    return own(&owner, bytes);
}

svs_status svs_check_immutable_range(const void *memory, size_t bytes, const char *name) {
    uintptr_t at = (uintptr_t)memory;
    svs__owner owner = {
        .begin = at, .end = at + bytes, .what = memory, .kind = SVS__OWNER_IMMUTABLE, .name = name};
    return own(&owner, bytes);
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
    if (bytes != 0 && count > (UINTPTR_MAX - at) / bytes) return SVS_E_INVALID;
    owner.end = at + bytes * count;
    return own(&owner, bytes);
}

void svs_check_forget_range(const void *memory) {
    if (svs__watching() != NULL) svs__disown_range((uintptr_t)memory);
}

svs_status svs_check_commutative(const void *memory) {
    bool known = svs__watching() != NULL && svs__owners_commute((uintptr_t)memory);
    return known ? SVS_OK : SVS_E_INVALID;
}
