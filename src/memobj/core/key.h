/* The key of a pair (space, number), inline. In a loop over numbers the compiler hoists the part of
 * the hash that depends on the space only. */
#ifndef SVS_MEMOBJ_CORE_KEY_H
#define SVS_MEMOBJ_CORE_KEY_H

#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The same as svs__key() (memobj/reach/signature.h). */
static inline uint32_t svs__key_of(uint64_t space, uint64_t number) {
    uint64_t name[2] = {space, number};
    return (uint32_t)(XXH3_64bits(name, sizeof name) >> 32);
}

#endif
