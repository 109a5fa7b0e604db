/* Atomic accesses in a check. They do not race with each other. A plain write races with all
 * parallel atomic accesses, a plain read with the parallel atomic writes.
 *
 * A cell of the shadow has no room for all accesses to compare with. So atomic accesses are noted
 * in two further shadows of the same memory: one for atomic writes, one for atomic reads. In these
 * they count as readers: they do not exclude each other, and two represent all (SPD3).
 *
 *     plain read    notes itself with the plain accesses, then checks the atomic writes
 *     plain write   notes itself with the plain accesses, then checks all atomic accesses
 *     atomic        notes itself in the shadow of its kind, then checks the plain accesses
 *
 * dpst.M1. A cell at the memory's own address names plain accesses alone; one at an address
 *     with SVS__ATOMIC_WRITES or SVS__ATOMIC_READS names atomic ones alone, and only as readers.
 * dpst.M2. An access is noted before it checks. Of two conflicting accesses that run at the same
 *     time, at least one finds the other or its replacement. (not asserted: an order between two
 *     threads; unit_dpst_atomics)
 * dpst.M3. A step that is noted has checked, and later accesses find it, so it need not check
 *     again. Each worker keeps its last notes. (not asserted: an argument over histories;
 *     unit_dpst_atomics)
 *
 * Atomics give no order here: the decisions that depend on them differ between schedules
 * (docs/race-check.md). */
#include "dpst/shadow/spd3.h"
#include "hooks/graph_hooks.h"
#include <string.h>

_Atomic(uint32_t) svs__atomics_seen;

/* dpst.M2: of two accesses that are noted and then check, at least one sees the other. The fence
 * forbids that neither does. */
static void look_behind_notes(void) { svs__fence_seq(&svs__atomics_seen); }

/* ---- plain accesses check atomic ones ---- */

static bool is_empty(svs__cell *cell) {
    /* acquire: sees the cells below it as they were when it was filled. */
    return (uint8_t)svs__load_acquire(&cell->second) == SVS__CELL_EMPTY;
}

static uintptr_t up(uintptr_t at, uintptr_t bytes) { return at / bytes * bytes + bytes; }

/* The first address, not below `at`, whose eight bytes may have a cell in use. `at` is in one of
 * the spaces for atomics. Atomic accesses have at most 16 bytes, so no cell of theirs covers more
 * than eight. */
static uintptr_t skip(uintptr_t at) {
    svs__cell *cell = svs__shadow_find(at);
    if (cell == NULL) return up(at, SVS__LEAF_BYTES);
    if (is_empty(svs__shadow_strip(cell, at))) return up(at, 512); /* dpst.H4 */
    if (is_empty(svs__shadow_line(cell, at))) return up(at, 64);
    return is_empty(cell) ? up(at, 8) : at;
}

static void meet(svs__check_thread *self, uintptr_t at, uintptr_t end, const svs__origin *origin) {
    while (at < end) {
        uintptr_t next = skip(at);
        if (next == at) {
            next = up(at, 8);
            svs__spd3_look(self, at, next < end ? next : end, origin);
        }
        at = next;
    }
}

void svs__atomics_meet(svs__check_thread *self, uintptr_t address, uintptr_t end,
                       const svs__origin *origin) {
    if (end > SVS__ATOMIC_WRITES) return; /* beyond all addresses of programs */
    look_behind_notes();
    meet(self, address + SVS__ATOMIC_WRITES, end + SVS__ATOMIC_WRITES, origin);
    if (origin->write) meet(self, address + SVS__ATOMIC_READS, end + SVS__ATOMIC_READS, origin);
}

/* ---- atomic accesses ---- */

/* Has the running step made this access before? If not, records that it makes the access now. */
static bool is_noted(const svs__check_thread *self, uintptr_t at, size_t bytes, bool write) {
    svs__noted *n = &self->worker->noted[at / 4 % SVS__NOTED]; /* dpst.M3 */
    uint32_t step = self->step;
    /* relaxed is enough: only the worker writes it. In another epoch the number of a step may have
     * been that of another one (gc.h, dpst.X3). */
    uint32_t age = svs__load_relaxed(&self->worker->epoch);
    if (n->at == at && n->step == step && n->age == age && n->bytes == bytes && n->write >= write)
        return true;
    *n = (svs__noted){at, step, age, (uint32_t)bytes, write};
    return false;
}

static void note(svs__check_thread *self, uintptr_t at, size_t bytes, bool write, const void *pc) {
    uintptr_t there = at + (write ? SVS__ATOMIC_WRITES : SVS__ATOMIC_READS);
    const svs__origin origin = {pc, self->frame, write}, reader = {pc, self->frame, false};
    /* seq_cst: comes before the check; pairs with svs__atomics_are_used() */
    svs__store_seq(&svs__atomics_seen, 1);
    svs__spd3_note(self, there, there + bytes, &reader);
    look_behind_notes();
    svs__spd3_look(self, at, at + bytes, &origin);
}

void svs__check_atomic(const volatile void *address, size_t bytes, bool write, const void *pc) {
    svs__check_thread *self = svs__check_self;
    uintptr_t at = (uintptr_t)address;
    if (self->step == 0) return;
    self->accesses++;
    if (at + bytes > SVS__ATOMIC_WRITES) return; /* beyond all addresses of programs */
    if (self->step == SVS__STEP_NEW && svs__step_make(self) == 0) {
        svs__worker_count(&self->worker->lost, 1);
        return;
    }
    if (is_noted(self, at, bytes, write)) return;
    svs__check_stack_touched(self, at);
    if (SVS__UNLIKELY(self->instance != NULL))
        (void)svs__the_graph_hooks->access(self, &(svs__touch){at, bytes, pc, write, true, false});
    note(self, at, bytes, write, pc);
}

/* ---- memory begins anew ---- */

void svs__atomics_clear(svs__check_worker *worker, uintptr_t address, size_t bytes) {
    if (!svs__atomics_are_used() || address + bytes > SVS__ATOMIC_WRITES) return;
    if (worker != NULL) memset(worker->noted, 0, sizeof worker->noted);
    svs__shadow_clear(address + SVS__ATOMIC_WRITES, bytes);
    svs__shadow_clear(address + SVS__ATOMIC_READS, bytes);
}
