#include "racecheck/tree/step.h"
#include "hooks/graph_hooks.h"

void svs__check_stack_touched(svs__check_thread *self, uintptr_t address) {
    if (address < (uintptr_t)self->stack_low && address >= (uintptr_t)__builtin_frame_address(0))
        self->stack_low = (const char *)address;
}

uintptr_t svs__check_stack_top(const svs__check_thread *self) { return (uintptr_t)self->task->top; }

bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address) {
    const svs__stack *stack = self->task->stack;
    return stack != NULL && address - (uintptr_t)stack < sizeof *stack;
}

uint32_t svs__step_make(svs__check_thread *self) {
    svs__check_worker *worker = self->worker;
    uint32_t step = svs__tree_append(&svs__the_checker.tree, &worker->block,
                                     &self->task->open->scope, SVS__NODE_STEP, NULL);
    if (SVS__UNLIKELY(worker->block.fresh)) svs__the_checker.collect(worker);
    if (step == 0) return 0;
    if (SVS__UNLIKELY(self->instance != NULL)) svs__the_graph_hooks->note(step, self->instance);
    svs__worker_count(&worker->steps, 1);
    self->step = step;
    return step;
}
