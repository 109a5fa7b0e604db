/* How accesses change the shadow, and the races that they find there (spd3.c). Other files treat
 * atomic accesses (atomics.c), streams (streams.c), and the accesses of libraries (library.c).
 *
 * Atomic accesses have shadows of their own, at the memory's addresses plus
 *
 *     SVS__ATOMIC_WRITES   for those that write
 *     SVS__ATOMIC_READS    for others
 *
 * Threads: the caller runs the step `self->step`, which has a number. */
#ifndef SVS_DPST_SHADOW_SPD3_H
#define SVS_DPST_SHADOW_SPD3_H

#include "dpst/shadow/shadow.h"
#include "dpst/tree/checker.h"

/* Above all addresses that programs have. */
#define SVS__ATOMIC_WRITES ((uintptr_t)1 << SVS__ADDRESS_BITS)
#define SVS__ATOMIC_READS ((uintptr_t)2 << SVS__ADDRESS_BITS)

/* Where in the program an access is, and what it is. */
typedef struct svs__origin {
    const void *pc;
    uint32_t frame;
    bool write;
} svs__origin;

/* Notes the access to the bytes up to `end`, and reports races with the steps noted there. */
void svs__spd3_note(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin);

/* Reports races, and notes nothing: of an atomic access with plain ones, or of a plain access with
 * atomic ones. */
void svs__spd3_look(svs__check_thread *self, uintptr_t from, uintptr_t end,
                    const svs__origin *origin);

/* ---- atomic accesses (atomics.c) ---- */

/* Was there an atomic access since the last reset? */
static inline bool svs__atomics_are_used(void) {
    /* seq_cst: comes after the caller's change of a cell; pairs with svs__check_atomic()
     * (dpst.M2). */
    return svs__load_seq(&svs__atomics_seen) != 0;
}
/* Compares a plain access to the bytes up to `end`, which is noted already, with the atomic ones.
 * Lock-free; maps no leaf. */
void svs__atomics_meet(svs__check_thread *self, uintptr_t address, uintptr_t end,
                       const svs__origin *origin);

/* Called when these bytes begin a new life: empties their cells for atomic accesses. `worker` is
 * the calling thread's, and forgets its notes (dpst.M3); NULL: the thread runs no checked task. */
void svs__atomics_clear(svs__check_worker *worker, uintptr_t address, size_t bytes);

/* ---- streams (streams.c) ---- */

/* Compares the accesses in the streams of the calling thread (dpst.C4). */
void svs__streams_end(svs__check_thread *self);

/* ---- libraries (library.c) ---- */

/* Is this address in a thread-local variable of the calling thread that belongs to another library
 * than the code at `pc` (dpst.X8)? */
bool svs__check_is_of_library(uintptr_t address, const void *pc);

/* Called when a check begins (dpst.X9). */
void svs__libraries_expect_threads(void);

#endif
