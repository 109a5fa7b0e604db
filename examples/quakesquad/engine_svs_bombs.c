/* Blasts. In a parallel loop over groups of neighbouring bombs, UpdateBombs builds two lists for
 * each bomb: the citizens and the techs nearby. For each group and kind it sends one instance,
 * which declares writes of all bodies in the lists. */
#include "engine_svs.h"

#include <stdlib.h>
#include <svs/async.h>

#define NEAR_CELLS 9u /* the cells within a bomb's reach */

/* A list, with its bodies also in an array. The maker of a stage reads all bodies; with the list it
 * would take a cache miss at each node. */
typedef struct aimed_blast {
    blast it;
    body **bodies;
    uint32_t count;
} aimed_blast;

/* The item: the non-empty lists of a group of bombs. */
typedef struct blasts {
    aimed_blast *first;
    uint32_t count;
    svs_status made;
} blasts;

struct bombs {
    svs_task *blasts[BOMB];
    tiles tiles;
    uint32_t *order; /* their numbers, tile by tile */
    blasts *all[BOMB];
    aimed_blast *aimed[BOMB]; /* for each bomb */
    loop collect;
    body **bodies[BOMB]; /* an array for each bomb, with room for all nearby bodies */
};

/* ---- the consumer ---- */

/* If the list's nodes are memory objects, the instance writes everything reachable from the list.
 * Otherwise the nodes are private to the instance. */
static void blasts_touch(svs_footprint *f, const blasts *some) {
    for (const aimed_blast *b = some->first; b < some->first + some->count; b++) {
        if (b->it.in->linked) svs_writes_reach(f, &b->it.first->svs);
        else
            for (uint32_t i = 0; i < b->count; i++) svs_writes_object(f, &b->bodies[i]->svs);
    }
}

static svs_status blasts_run(svs_context *x, blasts *some) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < some->count && !status; i++)
        status = rules_blast(some->first[i].it.in, svs_context_worker(x), &some->first[i].it);
    return status;
}
SVS_TASK(blasts, blasts_run, blasts_touch)

/* ---- the producer ---- */

static svs_status make_list(svs_engine *e, uint32_t worker, uint32_t bomb, entity_kind kind,
                            aimed_blast *made) {
    svs_status status = rules_collect(e->in, worker, bomb, kind, &made->it);
    made->count = 0;
    if (status || e->in->linked) return status;
    for (const target *t = made->it.first; t; t = t->next) made->bodies[made->count++] = t->body;
    return SVS_OK;
}

static uint32_t all_parts(const svs_engine *e) {
    return (e->in->options.count[BOMB] + e->chunk_bombs - 1) / e->chunk_bombs;
}

/* Builds the lists of up to chunk_bombs bombs. An empty list is dropped; the next one takes its
 * place. */
static void make_lists(svs_engine *e, uint32_t worker, uint32_t part, entity_kind kind) {
    uint32_t begin = part * e->chunk_bombs, left = e->in->options.count[BOMB] - begin,
             end = begin + (left < e->chunk_bombs ? left : e->chunk_bombs);
    blasts *some = &e->bombs->all[kind][part];
    *some = (blasts){&e->bombs->aimed[kind][begin], 0, SVS_OK};
    for (uint32_t i = begin; i < end && !some->made; i++) {
        aimed_blast *next = &some->first[some->count];
        some->made = make_list(e, worker, e->bombs->order[i], kind, next);
        if (!some->made && next->it.first) some->count++;
    }
}

static void make_part(svs_engine *e, uint32_t worker, uint32_t part) {
    for (int kind = CITIZEN; kind <= TECH; kind++) make_lists(e, worker, part, kind);
}

/* Only the body may create memory objects. It publishes them list by list. */
static svs_status make_linked_parts(svs_context *x, svs_engine *e) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < 2 * all_parts(e) && !status; i++) {
        const blasts *some = &e->bombs->all[i % 2][i / 2];
        make_lists(e, svs_context_worker(x), i / 2, i % 2);
        status = some->made;
        for (uint32_t k = 0; k < some->count && !status; k++)
            status = svs_publish(x, &some->first[k].it.first->svs);
    }
    return status;
}

static svs_status send_blasts(svs_context *x, svs_engine *e, entity_kind kind) {
    blasts *all = e->bombs->all[kind];
    uint32_t count = 0;
    svs_status status = SVS_OK;
    engine_meter_begin(e);
    for (uint32_t i = 0; i < all_parts(e) && !status; i++) {
        status = all[i].made;
        if (status || !all[i].count) continue;
        all[count++] = all[i];
        if (!e->look) continue;
        blasts_touch(greedy_footprint(e->meter), &all[i]);
        status = greedy_add(e->meter);
    }
    engine_meter_end(e);
    if (!status && count) status = blasts_send(x, e->bombs->blasts[kind], all, count);
    return status;
}

static void sort_bombs(svs_engine *e) {
    const world *w = e->in;
    bombs *b = e->bombs;
    uint32_t count = w->options.count[BOMB];
    for (uint32_t i = 0; i < count; i++)
        b->tiles.cells[i] = world_cell(w, w->places[BOMB][i].x, w->places[BOMB][i].y);
    tiles_sort(&b->tiles, w, count);
    for (uint32_t i = 0; i < count; i++) b->order[b->tiles.place[i]] = i;
}

static svs_status update_bombs_run(svs_context *x, update *it) {
    svs_engine *e = it->engine;
    svs_status status = SVS_OK;
    sort_bombs(e);
    if (e->in->linked) status = make_linked_parts(x, e);
    else loop_run(svs_context_async(x), &e->bombs->collect, all_parts(e));
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) status = send_blasts(x, e, kind);
    return status;
}

/* It reads nearly all lists and places, and no other task is open meanwhile. Declared to run alone,
 * it needs no footprint of thousands of accesses. */
SVS_TASK_ALONE(update_bombs, update, update_bombs_run)

svs_status bombs_add(svs_engine *e, svs_task *consumers[BOMB]) {
    svs_task *update_bombs;
    svs_status status =
        engine_add_update(e, &update_bombs_task, &blasts_task, &update_bombs, e->bombs->blasts);
    for (int kind = CITIZEN; kind <= TECH; kind++) consumers[kind] = e->bombs->blasts[kind];
    return status;
}

/* ---- memory ---- */

static bool lists_init(bombs *b, const world *w, entity_kind kind) {
    uint32_t count = w->options.count[BOMB], near = NEAR_CELLS * w->crowd[kind];
    b->all[kind] = calloc(count + 1u, sizeof *b->all[kind]);
    b->aimed[kind] = calloc(count + 1u, sizeof *b->aimed[kind]);
    b->bodies[kind] = calloc((size_t)count * near + 1u, sizeof *b->bodies[kind]);
    if (!b->all[kind] || !b->aimed[kind] || !b->bodies[kind]) return false;
    for (uint32_t i = 0; i < count; i++)
        b->aimed[kind][i].bodies = b->bodies[kind] + (size_t)i * near;
    return true;
}

bool bombs_init(svs_engine *e) {
    const world *w = e->in;
    uint32_t count = w->options.count[BOMB];
    bombs *b = e->bombs = calloc(1, sizeof *b);
    if (!b || !tiles_init(&b->tiles, w, count) || !loop_init(&b->collect, e, make_part))
        return false;
    b->order = calloc(count + 1u, sizeof *b->order);
    return b->order && lists_init(b, w, CITIZEN) && lists_init(b, w, TECH);
}

void bombs_clean_up(svs_engine *e) {
    bombs *b = e->bombs;
    if (!b) return;
    loop_clean_up(&b->collect);
    for (int kind = CITIZEN; kind <= TECH; kind++) {
        free(b->bodies[kind]);
        free(b->aimed[kind]);
        free(b->all[kind]);
    }
    free(b->order);
    tiles_clean_up(&b->tiles);
    free(b);
}
