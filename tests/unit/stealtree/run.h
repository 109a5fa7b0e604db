/* Runs the random programs of program.h: generic calls with arguments of all the sizes that a spawn
 * treats apart, typed functions, and both, calling and spawning each other. For one source of a
 * test, which says in program_note() what a step does. */
#ifndef SVS_TESTS_STEALTREE_RUN_H
#define SVS_TESTS_STEALTREE_RUN_H

#include "program.h"
#include <svs/async.h>

static program current;

void program_note(svs_async_context *async, uint32_t step);

static void run_block(svs_async_context *async, void *argument);
static void run_typed(svs_async_context *async, void *argument);

/* Arguments of all the sizes that a spawn treats apart. */
static void spawn(svs_async_context *async, uint32_t child) {
    static const size_t sizes[] = {4, 16, 24, 90, 200};
    uint32_t argument[50] = {0};
    argument[0] = child;
    svs_async(async, current.blocks[child].typed ? run_typed : run_block, argument,
              sizes[child % 5]);
}

SVS_ASYNC_DECLARE_VOID(typed_block, (uint32_t, at))

static void run_typed(svs_async_context *async, void *argument) {
    SVS_CALL_ON(async, typed_block, *(const uint32_t *)argument);
}

SVS_ASYNC_DEFINE(void, typed_block, (uint32_t, at)) {
    const block *b = &current.blocks[at];
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t what = b->items[i].what;
        switch (b->items[i].kind) {
        case ITEM_STEP: program_note(SVS_ASYNC_CONTEXT(), what); break;
        case ITEM_SYNC:
            program_note(SVS_ASYNC_CONTEXT(), what);
            SVS_SYNC(typed_block);
            break;
        case ITEM_ASYNC:
            if (current.blocks[what].typed) SVS_ASYNC(typed_block, what);
            else spawn(SVS_ASYNC_CONTEXT(), what);
            break;
        case ITEM_FINISH:
            if (current.blocks[what].typed) SVS_CALL(typed_block, what);
            else svs_finish(SVS_ASYNC_CONTEXT(), run_block, &what);
            break;
        }
    }
}

static void run_block(svs_async_context *async, void *argument) {
    const block *b = &current.blocks[*(const uint32_t *)argument];
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t what = b->items[i].what;
        if (b->items[i].kind == ITEM_STEP) {
            program_note(async, what);
        } else if (b->items[i].kind == ITEM_ASYNC) {
            spawn(async, what);
        } else if (current.blocks[what].typed) {
            SVS_CALL_ON(async, typed_block, what);
        } else {
            svs_finish(async, run_block, &what);
        }
    }
}

/* To be run with a pointer to the number of the first block, 0. */
static inline svs_async_function *program_root(void) {
    return current.blocks[0].typed ? run_typed : run_block;
}

#endif
