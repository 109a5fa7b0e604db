/* Blasts. UpdateBombs makes two lists for each bomb, in a loop, some bombs that are near to each
 * other at a time. What these have listed is an instance of Blasts, which names all bodies
 * there. */
#include "engine_svs.h"

#include <stdlib.h>
#include <svs/async.h>

#define NEAR_CELLS 9u /* where all are that a bomb may reach */

/* A list, and the bodies on it once more in a row: who chooses what runs together looks through all
 * of them, and would wait at each node for the CPU that has made it. */
typedef struct aimed_blast {
    blast it;
    body **bodies;
    uint32_t count;
} aimed_blast;

/* The item: the lists of some bombs, those that name somebody in front. */
typedef struct blasts {
    aimed_blast *first;
    uint32_t count;
    svs_status made;
} blasts;

struct bombs {
    svs_task *blasts;
    tiles tiles;
    uint32_t *order; /* their numbers, tile by tile */
    blasts *all;
    aimed_blast *aimed; /* two for each bomb */
    loop collect;
    body **bodies; /* a row for each of them, as long as may be near to a bomb */
};

/* ---- the consumer ---- */

/* Where lists are made of memory objects, what they name is what they reach; else their nodes are
 * known to nobody but the instance. */
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
    for (const target *t = made->it.first; t; t = t->next) made->bodies[made->count++] = t->who;
    return SVS_OK;
}

static uint32_t all_parts(const svs_engine *e) {
    return (e->in->options.count[BOMB] + e->chunk_bombs - 1) / e->chunk_bombs;
}

/* Of chunk_bombs. A list that names nobody comes to nothing: the next one takes its place. */
static void make_part(svs_engine *e, uint32_t worker, uint32_t part) {
    uint32_t begin = part * e->chunk_bombs, left = e->in->options.count[BOMB] - begin,
             end = begin + (left < e->chunk_bombs ? left : e->chunk_bombs);
    blasts *some = &e->bombs->all[part];
    *some = (blasts){&e->bombs->aimed[(size_t)2 * begin], 0, SVS_OK};
    for (uint32_t i = 2 * begin; i < 2 * end && !some->made; i++) {
        aimed_blast *next = &some->first[some->count];
        some->made = make_list(e, worker, e->bombs->order[i / 2], i % 2, next);
        if (!some->made && next->it.first) some->count++;
    }
}

/* Memory objects are made by the body itself, and let go of list by list. */
static svs_status make_linked_parts(svs_context *x, svs_engine *e) {
    svs_status status = SVS_OK;
    for (uint32_t part = 0; part < all_parts(e) && !status; part++) {
        const blasts *some = &e->bombs->all[part];
        make_part(e, svs_context_worker(x), part);
        status = some->made;
        for (uint32_t i = 0; i < some->count && !status; i++)
            status = svs_hand_off(x, &some->first[i].it.first->svs);
    }
    return status;
}

static svs_status send_blasts(svs_context *x, svs_engine *e) {
    bombs *b = e->bombs;
    uint32_t count = 0;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < all_parts(e) && !status; i++) {
        status = b->all[i].made;
        if (status || !b->all[i].count) continue;
        b->all[count++] = b->all[i];
        if (!e->look) continue;
        blasts_touch(greedy_footprint(e->meter), &b->all[i]);
        status = greedy_add(e->meter);
    }
    if (!status && count) status = blasts_send(x, b->blasts, b->all, count);
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
    else loop_run(svs_context_strand(x), &e->bombs->collect, all_parts(e));
    engine_meter_begin(e);
    if (!status) status = send_blasts(x, e);
    engine_meter_end(e);
    return status;
}

/* It reads nearly all lists and places. Nothing else is to be done meanwhile: it is as well to say
 * that it runs alone, and thousands of accesses need not be looked up. */
SVS_TASK_ALONE(update_bombs, update, update_bombs_run)

svs_status bombs_add(svs_engine *e, svs_task **made) {
    svs_task *update_bombs;
    svs_status status =
        engine_add_pair(e, &update_bombs_task, &blasts_task, &update_bombs, &e->bombs->blasts);
    *made = e->bombs->blasts;
    return status;
}

/* ---- memory ---- */

bool bombs_init(svs_engine *e) {
    const world *w = e->in;
    uint32_t count = w->options.count[BOMB], lists = 2 * count,
             near = NEAR_CELLS *
                    (w->crowd[CITIZEN] > w->crowd[TECH] ? w->crowd[CITIZEN] : w->crowd[TECH]);
    bombs *b = e->bombs = calloc(1, sizeof *b);
    if (!b || !tiles_init(&b->tiles, w, count) || !loop_init(&b->collect, e, make_part))
        return false;
    b->order = calloc(count + 1u, sizeof *b->order);
    b->all = calloc(count + 1u, sizeof *b->all);
    b->aimed = calloc(lists + 1u, sizeof *b->aimed);
    b->bodies = calloc((size_t)lists * near + 1u, sizeof(void *));
    for (uint32_t i = 0; i < lists && b->aimed; i++)
        b->aimed[i].bodies = b->bodies + (size_t)i * near;
    return b->order && b->all && b->aimed && b->bodies;
}

void bombs_clean_up(svs_engine *e) {
    bombs *b = e->bombs;
    if (!b) return;
    loop_clean_up(&b->collect);
    free(b->bodies);
    free(b->aimed);
    free(b->all);
    free(b->order);
    tiles_clean_up(&b->tiles);
    free(b);
}
