/* The lists of a world's cells: a place is put at the front, or taken out. A header, so that an
 * engine whose guards need all code in sight has it there. */
#ifndef QUAKESQUAD_LISTS_H
#define QUAKESQUAD_LISTS_H

#include "world.h"

static inline svs_status world_enlist(world *w, list *to, place *who) {
    svs_status status = LINK(w, who, next, to->next);
    if (!status) status = LINK(w, to, next, who);
    return status;
}

static inline svs_status world_unlist(world *w, list *from, place *who) {
    place *before;
    if (from->next == who) return LINK(w, from, next, who->next);
    for (before = from->next; before->next != who; before = before->next) {}
    return LINK(w, before, next, who->next);
}

#endif
