/* Insertion into and removal from the lists of cells. It is a header because the guards of some
 * engines must see all code. */
#ifndef QUAKESQUAD_LISTS_H
#define QUAKESQUAD_LISTS_H

#include "world.h"

/* @return SVS_E_LIMIT: the list has no free node. That cannot happen while the crowd of its cell is
 * within its limit. */
static inline svs_status world_enlist(list *to, place *entity) {
    node *taken = to->spare;
    if (!taken) return SVS_E_LIMIT;
    to->spare = taken->next;
    taken->place = entity;
    taken->next = to->first;
    to->first = taken;
    return SVS_OK;
}

static inline void world_unlist(list *from, const place *entity) {
    node **to = &from->first, *freed;
    while ((*to)->place != entity) to = &(*to)->next;
    freed = *to;
    *to = freed->next;
    freed->next = from->spare;
    from->spare = freed;
}

#endif
