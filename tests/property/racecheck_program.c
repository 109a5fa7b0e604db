#include "racecheck_program.h"
#include <string.h>

/* ---- making ---- */

typedef struct maker {
    program *p;
    svs__random random;
    uint32_t writes;  /* of a hundred accesses */
    uint32_t memory;  /* bytes that are used */
    uint32_t sizes;   /* 1, 2, 4, 8: how many of them */
    uint32_t sweeps;  /* of a hundred accesses: go on over some bytes */
    uint32_t atomics; /* of a hundred accesses */
    uint32_t renews;  /* the same */
    bool any_place;   /* or aligned ones only */
} maker;

static action make_access(maker *m) {
    action a = {.what = ACCESS, .size = 1u << svs__random_below(&m->random, m->sizes), .times = 1};
    uint32_t most = m->memory / a.size;
    if (svs__random_below(&m->random, 100) < m->sweeps)
        a.times = 1 + svs__random_below(&m->random, most);
    a.at = svs__random_below(&m->random, m->memory - a.size * a.times + 1);
    if (!m->any_place) a.at -= a.at % a.size;
    a.write = svs__random_below(&m->random, 100) < m->writes;
    a.atomic = svs__random_below(&m->random, 100) < m->atomics;
    a.renews = svs__random_below(&m->random, 100) < m->renews;
    if (a.renews) {
        a.write = true;
        a.atomic = false;
    }
    a.number = m->p->accesses++;
    return a;
}

static const block *make_block(maker *m, uint32_t depth) {
    block *b = &m->p->blocks[m->p->count++];
    uint32_t count = 1 + svs__random_below(&m->random, STEPS);
    b->typed = svs__random_below(&m->random, 3) == 0;
    for (b->count = 0; b->count < count; b->count++) {
        uint32_t choice = svs__random_below(&m->random, 10);
        action *a = &b->actions[b->count];
        if (choice < 5 || depth == 0 || m->p->count == BLOCKS) *a = make_access(m);
        else if (choice == 9) a->what = SYNC;
        else {
            a->what = choice < 8 ? ASYNC : FINISH;
            a->of = make_block(m, depth - 1);
        }
    }
    return b;
}

/* ---- the order of steps ---- */

/* A moment of the run is after those that its bits say. */
typedef struct moments {
    uint64_t before[MOMENTS][MOMENTS / 64];
    const action *access[MOMENTS]; /* NULL: none */
    uint32_t count;
} moments;

/* Moments that a finish waits for. */
typedef struct waits {
    uint32_t ends[MOMENTS];
    uint32_t count;
} waits;

static void put_after(moments *all, uint32_t moment, uint32_t before) {
    for (uint32_t i = 0; i < MOMENTS / 64; i++) all->before[moment][i] |= all->before[before][i];
    all->before[moment][before / 64] |= (uint64_t)1 << before % 64;
}

static uint32_t add(moments *all, uint32_t before, const action *access) {
    uint32_t moment = all->count++;
    memset(all->before[moment], 0, sizeof all->before[moment]);
    all->access[moment] = access;
    if (moment != 0) put_after(all, moment, before);
    return moment;
}

static uint32_t join(moments *all, uint32_t now, waits *w) {
    now = add(all, now, NULL);
    while (w->count != 0) put_after(all, now, w->ends[--w->count]);
    return now;
}

static uint32_t order_block(moments *all, const block *b, uint32_t now, waits *around);

static uint32_t order_finish(moments *all, const block *b, uint32_t now) {
    static waits nested[BLOCKS];
    static uint32_t depth;
    waits *w = &nested[depth++];
    w->count = 0;
    now = order_block(all, b, now, w);
    depth--;
    return join(all, now, w);
}

/* The actions of a block; its asyncs are waited for in `w`. */
static uint32_t order_actions(moments *all, const block *b, uint32_t now, waits *w) {
    for (uint32_t i = 0; i < b->count; i++) {
        const action *a = &b->actions[i];
        if (a->what == ACCESS) now = add(all, now, a);
        else if (a->what == FINISH) now = order_finish(all, a->of, now);
        else if (a->what == SYNC && b->typed) now = join(all, now, w);
        else if (a->what == ASYNC) {
            /* A typed function's children are typed functions. */
            uint32_t end =
                b->typed ? order_finish(all, a->of, now) : order_block(all, a->of, now, w);
            w->ends[w->count++] = end;
        }
    }
    return now;
}

static uint32_t order_block(moments *all, const block *b, uint32_t now, waits *around) {
    static waits nested[BLOCKS];
    static uint32_t depth;
    waits *w = &nested[depth];
    if (!b->typed) return order_actions(all, b, now, around);
    depth++;
    w->count = 0;
    now = order_actions(all, b, now, w);
    depth--;
    return join(all, now, w);
}

static uint32_t end_of(const action *a) { return a->at + a->size * a->times; }

static void compare(const moments *all, uint32_t i, uint32_t j, bool *racy) {
    const action *a = all->access[i], *b = all->access[j];
    uint32_t from, to;
    if (a == NULL || b == NULL || (!a->write && !b->write)) return;
    if (a->atomic && b->atomic) return;
    if (all->before[j][i / 64] >> i % 64 & 1) return;
    from = a->at > b->at ? a->at : b->at;
    to = end_of(a) < end_of(b) ? end_of(a) : end_of(b);
    if (from < to) memset(racy + from, true, to - from);
}

static moments all; /* of the program that was made last */

void program_judge(const program *p, const bool done[MOMENTS], bool racy[MEMORY]) {
    memset(racy, 0, MEMORY * sizeof *racy);
    /* In the order in which they were added, a moment is never before an earlier one. */
    for (uint32_t j = 0; j < all.count; j++)
        for (uint32_t i = 0; i < j; i++)
            if (all.access[i] != NULL && all.access[j] != NULL && done[all.access[i]->number] &&
                done[all.access[j]->number])
                compare(&all, i, j, racy);
}

void program_make(program *p, uint64_t seed) {
    bool done[MOMENTS];
    maker m = {p, {0}, 0, 0, 0, 0, 0, 0, false};
    memset(p, 0, sizeof *p);
    svs__random_seed(&m.random, seed);
    m.writes = 5 + svs__random_below(&m.random, 40);
    m.memory = 8u << svs__random_below(&m.random, 9);
    m.sweeps = svs__random_below(&m.random, 2) * 60;
    m.sizes = 1 + svs__random_below(&m.random, 4);
    m.atomics = svs__random_below(&m.random, 3) * 40;
    m.renews = svs__random_below(&m.random, 3) * 5;
    m.any_place = svs__random_below(&m.random, 2);
    (void)make_block(&m, 1 + svs__random_below(&m.random, 6));
    all.count = 0;
    (void)order_finish(&all, &p->blocks[0], add(&all, 0, NULL));
    memset(done, true, sizeof done);
    program_judge(p, done, p->racy);
}
