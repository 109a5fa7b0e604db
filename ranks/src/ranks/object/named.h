/* Tables that find a struct by a number: objects by their names' hashes, transfers by a count.
 *
 *     typedef struct thing { svs__named named; ... } thing;              // first
 *     thing *one = (thing *)svs__named_find(&ranks->things, number);    // or NULL
 *
 * The structs belong to the owner; the table links them. It has at least one bucket for each struct
 * and at most two, so a search costs O(1) for any number of structs. */
#ifndef SVS__RANKS_OBJECT_NAMED_H
#define SVS__RANKS_OBJECT_NAMED_H

#include "ranks/state.h"

static inline uint32_t svs__named_bucket(const svs__named_table *names, uint64_t number) {
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (names->size - 1);
}

static inline svs__named *svs__named_find(const svs__named_table *names, uint64_t number) {
    svs__named *one = names->size == 0 ? NULL : names->buckets[svs__named_bucket(names, number)];
    while (one != NULL && one->number != number) one = one->next;
    return one;
}

/* @return false: no memory, and the struct is not in the table. */
bool svs__named_put(const svs_ranks *ranks, svs__named_table *names, svs__named *one);
void svs__named_remove(svs__named_table *names, svs__named *one);
/* Used when a rank is freed: @return any entry that is left. NULL: there was none, and the table is
 * released. */
svs__named *svs__named_any(const svs_ranks *ranks, svs__named_table *names);

#endif
