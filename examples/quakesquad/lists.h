/* The lists of a world's cells: a place is put at the front, or taken out. A header, so that an
 * engine whose guards need all code in sight has it there. */
#ifndef QUAKESQUAD_LISTS_H
#define QUAKESQUAD_LISTS_H

#include "world.h"

/* @return SVS_E_LIMIT: the list has no node left, which cannot be while the crowd in its cell is
 * within bounds. */
static inline svs_status world_enlist(list *to, place *who) {
    node *taken = to->spare;
    if (!taken) return SVS_E_LIMIT;
    to->spare = taken->next;
    taken->who = who;
    taken->next = to->first;
    to->first = taken;
    return SVS_OK;
}

static inline void world_unlist(list *from, const place *who) {
    node **to = &from->first, *freed;
    while ((*to)->who != who) to = &(*to)->next;
    freed = *to;
    *to = freed->next;
    freed->next = from->spare;
    from->spare = freed;
}

#endif
