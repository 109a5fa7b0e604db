/* Steps. UpdatePeople plans all steps, reserves room, and walks all entities, in parallel loops:
 * during these, an entity accesses only its own place. An entity that enters another cell also
 * changes lists, and a tech may disarm bombs nearby. Groups of such neighbouring entities become
 * instances, scheduled by the lists and bombs that they change. */
#include "engine_svs.h"

#include <stdlib.h>
#include <svs/async.h>

/* An entity with a step that accesses shared data. */
typedef struct mover {
    const step *step;
    uint32_t from, to; /* cells with changed lists; equal if there is one or none */
    bool lists, bombs;
} mover;

/* The item. */
typedef struct moves {
    const mover *first;
    uint32_t count;
} moves;

struct people {
    svs_task *moves[BOMB];
    plan plan;
    mover *walked;    /* movers, each part's at the position of its people */
    uint32_t *counts; /* number of movers, by part */
    tiles tiles;
    mover *movers; /* the same, sorted by tile */
    moves *all;
    uint32_t parts;    /* of a block: of chunk_steps at most */
    loop aim, walk[2]; /* stayers, others */
};

/* ---- the consumer ---- */

/* Bombs neither move nor appear during a run, so the touch function may read their places. */
static void touch_bombs(svs_footprint *f, const step *it) {
    for (uint32_t i = 0; i < it->bomb_cells; i++)
        for (const node *n = step_bombs(it, i)->first; n; n = n->next)
            if (rules_step_touches(it, n->place)) svs_writes_object(f, &n->place->body->svs);
}

static void moves_touch(svs_footprint *f, const moves *some) {
    for (const mover *it = some->first; it < some->first + some->count; it++) {
        const world *w = it->step->in;
        entity_kind kind = it->step->kind;
        if (it->lists) svs_writes_object(f, &world_list(w, kind, it->from)->svs);
        if (it->to != it->from) svs_writes_object(f, &world_list(w, kind, it->to)->svs);
        if (it->bombs) touch_bombs(f, it->step);
    }
}

static svs_status moves_run(svs_context *x, moves *some) {
    const svs_engine *e = svs_context_argument(x);
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < some->count && !status; i++)
        status = rules_meet(e->in, svs_context_worker(x), some->first[i].step);
    return status;
}
SVS_TASK(moves, moves_run, moves_touch)

/* ---- loops ---- */

/* A block of the plan, by its number among those of both kinds: the citizens' first. */
typedef struct block {
    entity_kind kind;
    uint32_t number;
} block;

static block block_of(const world *w, uint32_t number) {
    uint32_t citizens = plan_blocks(w, CITIZEN);
    return number < citizens ? (block){CITIZEN, number} : (block){TECH, number - citizens};
}

static uint32_t all_blocks(const world *w) {
    return plan_blocks(w, CITIZEN) + plan_blocks(w, TECH);
}

static void aim_block(svs_engine *e, uint32_t worker, uint32_t index) {
    block it = block_of(e->in, index);
    (void)worker;
    rules_aim(e->in, it.kind, it.number, &e->people->plan);
}

/* Walks one part of a block: the entities that stay in their cells. */
static void walk_stayers(svs_engine *e, uint32_t worker, uint32_t part) {
    const people *p = e->people;
    block it = block_of(e->in, part / p->parts);
    uint32_t first = part % p->parts * e->chunk_steps;
    const step *steps = &p->plan.steps[it.kind][it.number * PLAN_BLOCK + first];
    uint64_t stayers = p->plan.blocks[it.kind][it.number].stayers >> first;
    if (e->chunk_steps < PLAN_BLOCK) stayers &= (UINT64_C(1) << e->chunk_steps) - 1;
    for (; stayers; stayers &= stayers - 1)
        (void)rules_walk(e->in, worker, &steps[__builtin_ctzll(stayers)]);
}

static mover mover_of(const step *it) {
    bool goes = !it->leaves && world_cell(it->in, it->place->x, it->place->y) != it->from;
    return (mover){it, it->from, goes ? it->to : it->from, goes || it->leaves,
                   it->kind == TECH && it->bomb_cells};
}

static mover *walked_in(const svs_engine *e, uint32_t part) {
    uint32_t parts = e->people->parts;
    size_t begin = (size_t)(part / parts) * PLAN_BLOCK;
    begin += (size_t)(part % parts) * e->chunk_steps;
    return &e->people->walked[begin];
}

/* Walks one part of the other entities of a block. */
static void walk_others(svs_engine *e, uint32_t worker, uint32_t part) {
    const people *p = e->people;
    block it = block_of(e->in, part / p->parts);
    const other_step *others = &p->plan.others[it.kind][(size_t)it.number * PLAN_BLOCK];
    uint32_t begin = part % p->parts * e->chunk_steps,
             count = p->plan.blocks[it.kind][it.number].others;
    mover *first = walked_in(e, part), *next = first;
    for (uint32_t i = begin; i < count && i - begin < e->chunk_steps; i++) {
        const step *of = &p->plan.steps[it.kind][others[i].id];
        if (rules_walk(e->in, worker, of)) *next++ = mover_of(of);
    }
    p->counts[part] = (uint32_t)(next - first);
}

/* ---- the producer ---- */

/* One worker reserves room while the others walk the stayers of their shares. */
static void walk_all(svs_async_context *async, void *argument) {
    svs_engine *e = argument;
    people *p = e->people;
    const loops stayers = {&p->walk[0], 1, true}, all = {p->walk, 2, false};
    for (int i = 0; i < 2; i++) loop_deal(&p->walk[i], all_blocks(e->in) * p->parts);
    loops_call(&stayers, async);
    for (int kind = CITIZEN; kind <= TECH; kind++) rules_make_room(e->in, kind, &p->plan);
    loops_call(&all, async);
    loops_help(&all, svs_async_worker(async));
}

/* Sorts the movers of one kind by tile. @return their number. */
static uint32_t sort_movers(svs_engine *e, entity_kind kind, mover *movers) {
    people *p = e->people;
    uint32_t begin = kind == CITIZEN ? 0 : plan_blocks(e->in, CITIZEN) * p->parts,
             end = begin + plan_blocks(e->in, kind) * p->parts, count = 0, sorted = 0;
    for (uint32_t part = begin; part < end; part++)
        for (uint32_t i = 0; i < p->counts[part]; i++)
            p->tiles.cells[count++] = walked_in(e, part)[i].from;
    tiles_sort(&p->tiles, e->in, count);
    for (uint32_t part = begin; part < end; part++)
        for (uint32_t i = 0; i < p->counts[part]; i++)
            movers[p->tiles.place[sorted++]] = walked_in(e, part)[i];
    return count;
}

/* An instance has fewer movers than an iteration of a loop: larger instances would conflict more
 * often. */
static svs_status send_moves(svs_context *x, svs_engine *e, entity_kind kind) {
    people *p = e->people;
    mover *movers = kind == CITIZEN ? p->movers : p->movers + e->in->options.count[CITIZEN];
    uint32_t all = sort_movers(e, kind, movers), most = (e->chunk_steps + 3) / 4, count = 0;
    svs_status status = SVS_OK;
    engine_meter_begin(e);
    for (uint32_t left = all; left && !status; left -= p->all[count++].count) {
        moves *some = &p->all[count];
        *some = (moves){&movers[all - left], left < most ? left : most};
        if (!e->look) continue;
        moves_touch(greedy_footprint(e->meter), some);
        status = greedy_add(e->meter);
    }
    engine_meter_end(e);
    if (!status && count) status = moves_send(x, p->moves[kind], p->all, count);
    return status;
}

static svs_status update_people_run(svs_context *x, update *it) {
    svs_engine *e = it->engine;
    svs_status status;
    loop_run(svs_context_async(x), &e->people->aim, all_blocks(e->in));
    svs_finish(svs_context_async(x), walk_all, e);
    status = send_moves(x, e, CITIZEN);
    if (!status) status = send_moves(x, e, TECH);
    return status;
}

/* It reads all bodies and writes all places. */
SVS_TASK_ALONE(update_people, update, update_people_run)

svs_status people_add(svs_engine *e, svs_task *const blasts[BOMB]) {
    svs_task *update_people;
    svs_status status =
        engine_add_update(e, &update_people_task, &moves_task, &update_people, e->people->moves);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = svs_graph_add_order(e->graph, blasts[kind], update_people);
    return status;
}

/* ---- memory ---- */

bool people_init(svs_engine *e) {
    const world *w = e->in;
    people *p = e->people = calloc(1, sizeof *p);
    uint32_t most = w->options.count[CITIZEN] + w->options.count[TECH];
    if (!p || !plan_init(&p->plan, w) || !tiles_init(&p->tiles, w, most) ||
        !loop_init(&p->aim, e, aim_block) || !loop_init(&p->walk[0], e, walk_stayers) ||
        !loop_init(&p->walk[1], e, walk_others))
        return false;
    p->parts = e->chunk_steps < PLAN_BLOCK ? (PLAN_BLOCK - 1) / e->chunk_steps + 1 : 1;
    p->walked = calloc((size_t)(all_blocks(w) + 1u) * PLAN_BLOCK, sizeof *p->walked);
    p->counts = calloc((size_t)(all_blocks(w) + 1u) * p->parts, sizeof *p->counts);
    p->movers = calloc(most + 1u, sizeof *p->movers);
    p->all = calloc(most + 1u, sizeof *p->all);
    return p->walked && p->counts && p->movers && p->all;
}

void people_clean_up(svs_engine *e) {
    people *p = e->people;
    if (!p) return;
    for (int i = 0; i < 2; i++) loop_clean_up(&p->walk[i]);
    loop_clean_up(&p->aim);
    free(p->all);
    free(p->movers);
    tiles_clean_up(&p->tiles);
    free(p->counts);
    free(p->walked);
    plan_clean_up(&p->plan);
    free(p);
}
