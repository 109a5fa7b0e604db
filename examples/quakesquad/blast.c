#include "guard.h"
#include "rules.h"
#include "sight.h"

static svs_status collect_cell(world *w, uint32_t worker, const place *bomb, const list *cell,
                               target **first) {
    for (const node *n = cell->first; n; n = n->next) {
        const place *p = n->place;
        target *t;
        svs_status status;
        if (distance_squared(bomb->x, bomb->y, p->x, p->y) > (int64_t)FEAR_RADIUS * FEAR_RADIUS)
            continue;
        if ((status = world_target_new(w, worker, &t))) return status;
        t->x = p->x;
        t->y = p->y;
        status = LINK(w, t, body, p->body);
        if (!status) status = LINK(w, t, next, *first);
        if (status) return status;
        *first = t;
    }
    return SVS_OK;
}

static void give_back(world *w, uint32_t worker, target *first) {
    for (target *t = first, *next; t; t = next) {
        next = t->next;
        world_target_free(w, worker, t);
    }
}

svs_status rules_collect(world *w, uint32_t worker, uint32_t bomb, entity_kind kind, blast *made) {
    const place *at = SVS_STABLE(&w->places[BOMB][bomb]); /* a bomb does not move */
    cell_range range = world_range_around(w, at->x, at->y, FEAR_RADIUS);
    svs_status status = SVS_OK;
    made->in = w;
    made->first = NULL;
    made->x = at->x;
    made->y = at->y;
    made->bomb = bomb;
    made->kind = kind;
    made->explodes = w->bodies[BOMB][bomb].state == EXPLODING;
    for (uint32_t row = range.top; row <= range.bottom; row++)
        for (uint32_t column = range.left; column <= range.right && !status; column++)
            status = collect_cell(w, worker, at, world_list(w, kind, row * w->side + column),
                                  &made->first);
    if (status) give_back(w, worker, made->first);
    return status;
}

/* The closest source counts, and of equally close ones the lower number. */
static void frighten(body *hit, uint32_t frame, const blast *it, int64_t distance) {
    if (hit->fear_frame == frame && (hit->fear_distance < distance ||
                                     (hit->fear_distance == distance && hit->fear_bomb < it->bomb)))
        return;
    hit->fear_frame = frame;
    hit->fear_x = it->x;
    hit->fear_y = it->y;
    hit->fear_distance = distance;
    hit->fear_bomb = it->bomb;
}

/* Deadly up close, less with the distance. @return what was lost. */
static uint32_t hurt(body *hit, int64_t distance) {
    int64_t reach = (int64_t)BLAST_RADIUS * BLAST_RADIUS;
    int32_t damage = distance >= reach ? 0 : (int32_t)(150 * (reach - distance) / reach);
    if (damage > hit->health) damage = hit->health;
    hit->health -= damage;
    return (uint32_t)damage;
}

/* @return the health that was lost. */
static uint32_t affect(body *hit, uint32_t frame, const blast *it, int64_t distance) {
    frighten(hit, frame, it, distance);
    return it->explodes ? hurt(hit, distance) : 0;
}

static void reach_body(world *w, uint32_t worker, const blast *it, const target *t) {
    int64_t distance = distance_squared(it->x, it->y, t->x, t->y);
    uint32_t lost;
    if (!sight_clear(w, worker, it->x, it->y, t->x, t->y)) return;
    GUARD_BODY(w, it->kind, t->body->id, lost = affect(t->body, w->frame, it, distance));
    w->tallies[worker].dealt += lost;
}

svs_status rules_blast(world *w, uint32_t worker, const blast *it) {
    for (target *t = it->first, *next; t; t = next) {
        next = t->next;
        reach_body(w, worker, it, t);
        world_target_free(w, worker, t);
    }
    return SVS_OK;
}
