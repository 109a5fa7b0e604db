/* The table in which a worker finds the colours of a window (sched.W1). Each worker has one of its
 * own, for the windows of all domains, so that several workers make windows at once (sched.W2).
 *
 * Threads: one, the worker's. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_TABLE_H
#define SVS_SCHED_DOMAIN_WINDOW_TABLE_H

#include "memobj/core/world_state.h"

#define SVS__WINDOW_TABLE_BITS 15u
#define SVS__WINDOW_TABLE_BITS_FEW 10u

/* The maximum number of words that a window of readers may leave unwritten (sched.W13). */
#define SVS__READ_MAX 8192u
#define SVS__READ_NONE UINT32_MAX

_Static_assert(SVS__WINDOW_TABLE_BITS <= 16, "the place of a word has 16 bits");

typedef struct svs__table {
    uint64_t *words;     /* NULL: not made yet; <svs/detail/loops.h> describes a word */
    uint16_t *read;      /* sched.W13 */
    uint32_t bits, room; /* log2 of the number of words in use, and allocated */
    uint32_t number;     /* number of the last window, in 16 bits */
} svs__table;

/* log2 of the number of words for so many elements. In a table that is too small, instances share
 * words without a conflict. */
uint32_t svs__table_bits(const svs_world *world, uint64_t elements);

/* Provides 2^bits words; those of a new table are empty. @return false: there is no table, for lack
 * of memory; true: there is one, but with fewer words if memory lacks. */
bool svs__table_fit(svs__table *table, const svs_world *world, uint32_t bits);
void svs__table_free(svs__table *table, const svs_world *world);

/* Invalidates all words, by the next number of a window. @return the number. */
uint32_t svs__table_begin(svs__table *table);

#endif
