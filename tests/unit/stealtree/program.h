/* Random async-finish programs: trees that the runtime runs, and that the theorems' test walks by
 * itself. A block is a list of steps, asyncs (of a block) and finishes (around a block); an async
 * may outlive the block that spawned it. A block begins and ends with a step, and waits only after
 * a step, so that the first step of a thief tells which async it has taken. */
#ifndef SVS_TESTS_STEALTREE_PROGRAM_H
#define SVS_TESTS_STEALTREE_PROGRAM_H

#include "base/random.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM_ITEMS 8
#define PROGRAM_BLOCKS 400

typedef enum item_kind { ITEM_STEP, ITEM_ASYNC, ITEM_FINISH, ITEM_SYNC } item_kind;

/* Generic calls, typed functions, or both, calling and spawning each other. */
typedef enum program_style { STYLE_GENERIC, STYLE_TYPED, STYLE_MIXED } program_style;

typedef struct item {
    item_kind kind;
    uint32_t what; /* the number of the step, which a sync has too, or the block */
} item;

typedef struct block {
    item items[PROGRAM_ITEMS];
    uint32_t count;
    bool typed; /* a typed function: a finish of its own, and it may wait in between (ITEM_SYNC) */
} block;

typedef struct program {
    block blocks[PROGRAM_BLOCKS]; /* the first is the root */
    uint32_t count;
    uint32_t steps, asyncs;
    program_style style;
    svs__random random;
} program;

/* Fills a block; blocks inside of it while there are any left. */
static inline void program_fill(program *p, uint32_t at, uint32_t depth, uint32_t limit) {
    uint32_t items = 4 + svs__random_below(&p->random, PROGRAM_ITEMS - 3);
    p->blocks[at].count = items;
    p->blocks[at].typed = p->style == STYLE_TYPED ||
                          (p->style == STYLE_MIXED && svs__random_below(&p->random, 2) == 0);
    for (uint32_t i = 0; i < items; i++) {
        uint32_t what = svs__random_below(&p->random, 10);
        item *to = &p->blocks[at].items[i];
        if (what < 3 || depth == 0 || p->count == limit || i == 0 || i == items - 1) {
            *to = (item){ITEM_STEP, p->steps++};
            continue;
        }
        if (what == 9 && p->blocks[at].typed) {
            *to = (item){ITEM_SYNC, p->steps++};
            continue;
        }
        *to = (item){what < 8 ? ITEM_ASYNC : ITEM_FINISH, p->count++};
        p->asyncs += to->kind == ITEM_ASYNC;
        program_fill(p, to->what, depth - 1, limit);
    }
}

static inline void program_make(program *p, uint64_t seed, program_style style) {
    uint32_t limit, depth;
    memset(p, 0, sizeof *p);
    p->style = style;
    svs__random_seed(&p->random, seed);
    limit = 1 + svs__random_below(&p->random, PROGRAM_BLOCKS);
    depth = 1 + svs__random_below(&p->random, 12);
    p->count = 1;
    program_fill(p, 0, depth, limit);
}

#endif
