/* The addresses of a world's memory objects, in builds with assertions. A footprint that names one
 * of them as a plain address is refused, because admission never compares the identity of an
 * address with the identity of an object.
 *
 *   memobj.B1  the table contains the addresses of the header and of the first byte of each live
 *       object for which there was memory. A footprint with a missing address is not refused;
 *       nothing else depends on the table (not asserted: an address may be missing).
 *
 * Threads: any; each call takes the lock of the table. Without assertions, and in the explorer's
 * build, the calls do nothing. */
#ifndef SVS_MEMOBJ_ADDRESSES_H
#define SVS_MEMOBJ_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <svs/object.h>

#if !defined(NDEBUG) && !defined(SVS_EXPLORE)
#define SVS__ADDRESSES_KNOWN
#define SVS__ADDRESSES_ARE_KNOWN 1
#else
#define SVS__ADDRESSES_ARE_KNOWN 0
#endif

#if defined(SVS__ADDRESSES_KNOWN)
/* Adds or removes an object. `first` is the first byte of its struct. */
void svs__addresses_add(svs_world *world, const svs_object *object, const void *first);
void svs__addresses_remove(svs_world *world, const svs_object *object, const void *first);
/* Whether a live memory object has the address. */
bool svs__addresses_have(svs_world *world, const void *address);
void svs__addresses_clean_up(svs_world *world);
#else
static inline void svs__addresses_add(svs_world *world, const svs_object *object,
                                      const void *first) {
    (void)world, (void)object, (void)first;
}
static inline void svs__addresses_remove(svs_world *world, const svs_object *object,
                                         const void *first) {
    (void)world, (void)object, (void)first;
}
static inline bool svs__addresses_have(svs_world *world, const void *address) {
    (void)world, (void)address;
    return false;
}
static inline void svs__addresses_clean_up(svs_world *world) { (void)world; }
#endif

#endif
