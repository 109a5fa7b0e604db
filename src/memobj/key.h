/* The key of what a pair (space, number) names, for who makes many: the hash in place of a call, so
 * that what depends on the space alone is worked out once for all of its indices. */
#ifndef SVS_MEMOBJ_KEY_H
#define SVS_MEMOBJ_KEY_H

#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* As svs__key() (signature.h). */
static inline uint32_t svs__key_of(uint64_t space, uint64_t number) {
    uint64_t name[2] = {space, number};
    return (uint32_t)(XXH3_64bits(name, sizeof name) >> 32);
}

#endif
