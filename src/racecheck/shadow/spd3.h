/* What an access does to the shadow, and which races it finds there (spd3.c).
 *
 * Atomic accesses have shadows of their own (atomics.h), at the memory's addresses and:
 *
 *     SVS__ATOMIC_WRITES   of those that write
 *     SVS__ATOMIC_READS    of others
 *
 * Threads: the caller runs the step `self->step`, which has a number. */
#ifndef SVS_RACECHECK_SHADOW_SPD3_H
#define SVS_RACECHECK_SHADOW_SPD3_H

#include "racecheck/shadow/access.h"

/* Above all addresses that programs have. */
#define SVS__ATOMIC_WRITES ((uintptr_t)1 << SVS__ADDRESS_BITS)
#define SVS__ATOMIC_READS ((uintptr_t)2 << SVS__ADDRESS_BITS)

/* Where in the program an access is, and what it is. */
typedef struct svs__origin {
    const void *pc;
    uint32_t frame;
    bool write;
} svs__origin;

/* Notes the access to the bytes up to `end`, and tells of races with what is noted there. */
void svs__spd3_note(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin);

/* Tells of races alone: of an atomic access with plain ones, or the other way round. */
void svs__spd3_look(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin);

#endif
