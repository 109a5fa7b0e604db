/* Engine svs: the tasks of engine_tasks.h with touch functions that are written by hand. */
#include "rules.h"

#include <svs/task.h>

#define ENGINE engine_svs
#define ENGINE_NAME "svs"
#define TASK(name_, item_)                                                                         \
    static void name_##_touch(svs_footprint *f, const item_ *it);                                  \
    SVS_TASK(name_, item_, name_##_run, name_##_touch)
#include "engine_tasks.h"

static void collect_touch(svs_footprint *f, const entity *it) {
    const place *at = &it->in->places[BOMB][it->id];
    cell_range near = world_range_around(it->in, at->x, at->y, FEAR_RADIUS);
    svs_reads_object(f, &at->body->svs);
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t row = near.top; row <= near.bottom; row++)
            for (uint32_t column = near.left; column <= near.right; column++)
                svs_reads_object(f, &world_list(it->in, kind, row * it->in->side + column)->svs);
}

static void blast_touch(svs_footprint *f, const blast *it) { svs_writes_reach(f, &it->first->svs); }

static void aim_touch(svs_footprint *f, const entity *it) {
    svs_reads_object(f, &it->in->bodies[it->kind][it->id].svs);
}

/* Bombs neither move nor appear during a run, so the touch function may read their places. */
static void step_touch(svs_footprint *f, const entity *it) {
    const step *s = &it->engine->plan.steps[it->kind][it->id];
    if (!s->place) return;
    if (s->leaves || s->to != s->from)
        svs_writes_object(f, &world_list(it->in, it->kind, s->from)->svs);
    if (s->to != s->from) svs_writes_object(f, &world_list(it->in, it->kind, s->to)->svs);
    for (uint32_t i = 0; it->kind == TECH && i < s->bomb_cells; i++)
        for (const node *n = step_bombs(s, i)->first; n; n = n->next)
            if (rules_step_touches(s, n->place)) svs_writes_object(f, &n->place->body->svs);
}
