/* Owners of bytes: memory objects, and what stands for addresses and indices (page.h has
 * them, page by page).
 *
 *     svs__owner owner = {.begin = at, .end = at + bytes, .what = address,
 *                         .kind = SVS__OWNER_ADDRESS, .name = "table"};
 *     if (!svs__own(&owner)) ... no memory ...
 *     svs__disown(address);
 *
 * operation             caller   progress
 * own, disown           any      one lock for all, and a page's for each 4 KiB; what is remembered
 *                                of the bytes is forgotten
 * hand off, commute     the same */
#ifndef SVS_RACECHECK_GRAPH_OWNER_H
#define SVS_RACECHECK_GRAPH_OWNER_H

#include "racecheck/graph/page.h"

/* A copy of `like` is made. @return false when there is no memory. */
bool svs__own(const svs__owner *like);

/* Those of what begins, or has its header, at this address; all of a world or a space. */
void svs__disown(const void *what);
void svs__disown_all(const void *of);
/* Ranges that begin there and are no memory objects. */
void svs__disown_range(uintptr_t address);

/* The maker of an object lets go of it. */
void svs__owner_hand_off(const void *what);
/* The order of accesses there does not matter. @return whether there is an owner. */
bool svs__owners_commute(uintptr_t address);

/* Was that said of what begins, or has its header, at this address? */
bool svs__owner_is_commutative(const void *what);
/* In the child of a fork: as svs__graph_abandon(). */
void svs__owners_abandon(void);

#endif
