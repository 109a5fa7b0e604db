#include "racecheck/lives.h"
#include "hooks/graph_hooks.h"
#include "racecheck/graph/graph.h"
#include "racecheck/shadow/access.h"
#include "racecheck/shadow/atomics.h"
#include "racecheck/shadow/shadow.h"
#include "racecheck/shadow/streams.h"

static void begin_life(const svs__check_thread *self, const void *block, size_t bytes) {
    svs__shadow_clear((uintptr_t)block, bytes);
    svs__atomics_clear(self->worker, (uintptr_t)block, bytes);
    if (svs__graph_is_used()) svs__graph_clear((uintptr_t)block, bytes);
}

/* racecheck.X10; relaxed, both: a run that begins meanwhile accesses nothing of it yet. */
static void begin_life_outside(const void *block, size_t bytes) {
    svs__checker *checker = &svs__the_checker;
    if (svs__load_relaxed(&checker->runs) == 0) return;
    svs__lock_acquire(&checker->lives);
    if (svs__load_relaxed(&checker->runs) != 0) begin_life(svs__check_self, block, bytes);
    svs__lock_release(&checker->lives);
}

void svs__check_allocated(const void *block, size_t bytes) {
    svs__check_thread *self = svs__check_self;
    if (svs__check_marks.aside) return;
    if (self->task == NULL) {
        begin_life_outside(block, bytes);
        return;
    }
    svs__streams_end(self);
    begin_life(self, block, bytes);
}

void svs__check_taken(const void *block, size_t bytes, const void *pc) {
    svs__check_allocated(block, bytes);
    if (!svs__check_marks.library) svs__check_access(block, bytes, true, pc);
}

void svs__check_freed(const void *block, size_t bytes, const void *pc) {
    svs__check_thread *self = svs__check_self;
    if (svs__check_marks.aside || self->task == NULL) return;
    svs__check_access(block, bytes, true, pc);
    svs__streams_end(self);
}

void svs__check_settle(void) {
    svs__check_thread *self = svs__check_self;
    if (self->task == NULL) return;
    svs__streams_end(self);
    svs__worker_count(&self->worker->accesses, self->accesses);
    self->accesses = 0;
}
