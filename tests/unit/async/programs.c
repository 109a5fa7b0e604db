#include "programs.h"
#include "base/random.h"
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    program *p;
    svs__random random;
    uint32_t most;
} maker;

static uint32_t below(maker *m, uint32_t limit) { return svs__random_below(&m->random, limit); }

/* Memory for one more of `count` things. */
static void *grown(void *memory, uint32_t count, size_t size) {
    void *more = memory;
    if ((count & (count - 1)) == 0) more = realloc(memory, (count == 0 ? 1 : 2 * count) * size);
    if (more == NULL) abort();
    return more;
}

static uint32_t make_node(maker *m, uint32_t depth, bool typed);

/* The steps of one block are kept together: they are made here first. */
#define STEPS 12u

static uint32_t make_block(maker *m, uint32_t depth, bool typed);

static step make_step(maker *m, uint32_t depth, bool typed) {
    static const step_kind kinds[] = {STEP_WORK,   STEP_ASYNC,  STEP_ASYNC,      STEP_ASYNC,
                                      STEP_FINISH, STEP_FINISH, STEP_CALL,       STEP_SPAWN,
                                      STEP_SPAWN,  STEP_SPAWN,  STEP_SPAWN_VOID, STEP_SYNC};
    static const uint32_t more_bytes[] = {0, 0, 0, 1, 16, 70, 80, 81, 500};
    program *p = m->p;
    step s = {.kind = kinds[below(m, typed ? 12 : 7)], .first = p->node_count};
    bool over = depth == 0 || p->node_count >= m->most;
    if (over && s.kind != STEP_SYNC) s.kind = STEP_WORK;
    if (s.kind == STEP_WORK) s.amount = below(m, 8) == 0 ? below(m, 800) : below(m, 30);
    if (s.kind == STEP_ASYNC) {
        s.amount = more_bytes[below(m, sizeof more_bytes / sizeof *more_bytes)];
        (void)make_node(m, depth - 1, false);
    }
    if (s.kind == STEP_FINISH) s.block = make_block(m, depth - 1, false);
    if (s.kind == STEP_CALL || s.kind == STEP_SPAWN || s.kind == STEP_SPAWN_VOID)
        (void)make_node(m, depth - 1, true);
    s.last = p->node_count;
    return s;
}

static uint32_t make_block(maker *m, uint32_t depth, bool typed) {
    program *p = m->p;
    uint32_t count = below(m, STEPS + 1), spawned = 0, at = p->block_count;
    step steps[STEPS + 1];
    p->blocks = grown(p->blocks, p->block_count++, sizeof *p->blocks);
    for (uint32_t i = 0; i < count; i++) {
        steps[i] = make_step(m, depth, typed);
        if (steps[i].kind == STEP_SYNC) spawned = 0;
        if (steps[i].kind == STEP_SPAWN && ++spawned == RESULTS) count = i + 1;
    }
    /* A typed node waits for its results. */
    if (spawned != 0) steps[count++] = (step){.kind = STEP_SYNC, .last = p->node_count};
    p->blocks[at] = (block){p->step_count, count};
    for (uint32_t i = 0; i < count; i++) {
        p->steps = grown(p->steps, p->step_count, sizeof *p->steps);
        p->steps[p->step_count++] = steps[i];
    }
    return at;
}

static uint32_t make_node(maker *m, uint32_t depth, bool typed) {
    program *p = m->p;
    uint32_t at = p->node_count;
    p->nodes = grown(p->nodes, p->node_count++, sizeof *p->nodes);
    memset(&p->nodes[at], 0, sizeof p->nodes[at]);
    uint32_t made = make_block(m, depth, typed);
    p->nodes[at].block = made; /* the nodes may have moved meanwhile */
    p->nodes[at].last = p->node_count;
    return at;
}

void program_make(program *p, uint64_t seed, uint32_t most) {
    maker m = {.p = p, .most = most};
    memset(p, 0, sizeof *p);
    p->seed = seed;
    svs__random_seed(&m.random, seed);
    (void)make_node(&m, 4 + below(&m, 10), false);
}

void program_free(program *p) {
    free(p->nodes);
    free(p->blocks);
    free(p->steps);
}

void program_reset(program *p) {
    for (uint32_t i = 0; i < p->node_count; i++) {
        p->nodes[i].ran = 0;
        p->nodes[i].value = 0;
    }
}
