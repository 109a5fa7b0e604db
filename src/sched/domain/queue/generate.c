#include "sched/domain/queue/generate.h"

#include "base/memory.h"
#include "base/program.h"

bool svs__generated_new(svs_task *task, const svs__generated *what, svs__batch **batch) {
    const svs_allocator *allocator = task->world->allocator;
    svs__generated *generated;
    *batch = NULL;
    generated = svs__allocate(allocator, sizeof *what, _Alignof(svs__generated));
    if (!generated || !svs__inbox_add_room(task, 0, 1, batch)) {
        svs__release(allocator, generated, sizeof *what, _Alignof(svs__generated));
        return false;
    }
    *generated = *what;
    (*batch)->generated = generated;
    return true;
}

void svs__generated_free(svs__batch *batch) {
    svs__release(batch->task->world->allocator, batch->generated, sizeof *batch->generated,
                 _Alignof(svs__generated));
    batch->generated = NULL;
}

/* Without memory for another one, a batch is used again when all of its instances have ended: the
 * run goes on, one batch at a time. */
static void start_again(svs__batch *batch) {
    svs__generated *generated = batch->generated;
    svs__batch *next = batch->next;
    /* acquire: pairs with the retirements (sched.I2). */
    if (svs__load_acquire(&batch->live) != 1) return;
    svs__batch_clear(batch);
    batch->generated = generated;
    batch->next = next;
}

svs__batch *svs__generated_go_on(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *full = inbox->first, *next = NULL;
    if (!svs__inbox_add_room(task, 0, 1, &next)) {
        start_again(full);
        return NULL;
    }
    next->generated = full->generated;
    full->generated = NULL;
    next->next = full->next;
    inbox->first = next;
    if (inbox->last == full) inbox->last = next;
    return full;
}

svs__generated svs__generated_reserve(svs__batch *batch, uint32_t limit) {
    svs__generated *all = batch->generated, some = *all;
    uint32_t room = batch->capacity - batch->count, left = all->count - all->next;
    SVS__ASSERT(left); /* sched.I11: with all items reserved, a batch is an ordinary one */
    if (left > room) left = room;
    if (left > limit) left = limit;
    if (left) svs__batch_note_sent(batch, batch->count, all->seed + all->next);
    batch->count += left;
    all->next += left;
    some.count = all->next;
    if (all->next == all->count) svs__generated_free(batch);
    return some;
}

static void call(const svs__generated *g, void *at, uint32_t from, uint32_t count) {
    SVS__PROGRAM_CALL((void), g->function(at, from, count, g->argument));
}

void svs__generated_make(const svs__generated *reserved, void *first) {
    const svs__batch *batch = svs__batch_of(first);
    size_t stride = batch->item_bytes;
    if (batch->task->type->item_size == stride) {
        call(reserved, first, reserved->next, reserved->count - reserved->next);
        return;
    }
    for (uint32_t i = reserved->next; i < reserved->count; i++)
        call(reserved, (char *)first + (i - reserved->next) * stride, i, 1);
}
