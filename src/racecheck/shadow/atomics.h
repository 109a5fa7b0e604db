/* Atomic accesses in a check. They do not race with each other. A plain write races with all that
 * are beside it, a plain read with those that write.
 *
 * A cell of the shadow has no room for all accesses to compare with. So atomic accesses are noted
 * apart, in two further shadows of the same memory: one for those that write, one for others. There
 * they are as readers are: none is in another's way, and two of them stand for all (SPD3).
 *
 *     plain read    notes itself with the plain ones, then looks at the atomic writes
 *     plain write   the same, and looks at the other atomic accesses, too
 *     atomic        notes itself with its like, then looks at the plain ones
 *
 * racecheck.M1. A cell of the memory's own address knows of plain accesses alone, one of an address
 *     with SVS__ATOMIC_WRITES or SVS__ATOMIC_READS of atomic ones alone, and these as readers
 *     alone. (not asserted: which shadow a cell is in follows from its address)
 * racecheck.M2. An access is noted first, and looks then: of two that conflict and run at once, one
 *     sees the other, or what stands for it. Both may. (not asserted: an order between two threads;
 *     unit_dpst_atomics)
 * racecheck.M3. A step that is noted has looked, and what comes later sees it: it need not look
 *     again. Each worker keeps the last notes that it has made. (not asserted: an argument over
 *     histories; unit_dpst_atomics)
 *
 * Atomics give no order here: what they decide differs between schedules (docs/race-check.md).
 *
 * operation  caller  progress
 * atomic     any     lock-free, as plain accesses; maps leaves
 * meet       any     the same, and maps nothing
 * clear      any     wait-free; an access to what is being cleared gets an arbitrary answer
 *
 * Threads: as the table says. */
#ifndef SVS_RACECHECK_SHADOW_ATOMICS_H
#define SVS_RACECHECK_SHADOW_ATOMICS_H

#include "racecheck/shadow/spd3.h"
#include "racecheck/tree/checker.h"

/* Has there been an atomic access since all was forgotten? */
extern _Atomic(uint32_t) svs__atomics_seen;
static inline bool svs__atomics_are_used(void) {
    /* seq_cst: behind the caller's change of a cell; pairs with svs__check_atomic() (racecheck.M2).
     * */
    return svs__load_seq(&svs__atomics_seen) != 0;
}
/* All is forgotten, with the shadow, while nothing is checked. */
void svs__atomics_reset(void);

/* The plain access to the bytes up to `end` is noted: it looks at the atomic ones. */
void svs__atomics_meet(svs__check_thread *self, uintptr_t address, uintptr_t end,
                       const svs__origin *origin);

/* These bytes begin a new life. The calling thread is `worker`, which forgets its notes
 * (racecheck.M3), or NULL: it runs no checked task. */
void svs__atomics_clear(svs__check_worker *worker, uintptr_t address, size_t bytes);

#endif
