/* The table in which a worker looks up the colours of a window (sched.W1). Each worker has its own,
 * for the windows of all domains, so that several workers can make windows at once (sched.W2).
 *
 * Threads: only the worker uses its table. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_TABLE_H
#define SVS_SCHED_DOMAIN_WINDOW_TABLE_H

#include "memobj/core/world_state.h"

#define SVS__TABLE_BITS 15u     /* log2 of the maximum number of words */
#define SVS__TABLE_BITS_FEW 10u /* log2 of the number of words of a new table */

_Static_assert(SVS__TABLE_BITS <= 16, "the place of a word has 16 bits");

typedef struct svs__table {
    uint64_t *words;     /* <svs/detail/loops.h> describes a word */
    uint32_t bits, room; /* log2 of the number of words in use, and allocated */
    uint32_t number;     /* number of the last window, in 16 bits */
} svs__table;

/* Makes a small table. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__table_init(svs__table *table, const svs_world *world);
void svs__table_clean_up(svs__table *table, const svs_world *world);

/* Returns log2 of the number of words for a window that has `elements` elements. With fewer words,
 * elements of different cells share a word, so that the window has more stages than it needs. */
uint32_t svs__table_bits(const svs_world *world, uint64_t elements);

/* Begins a window that needs 2^bits words: all words in use are empty. If there is no memory for a
 * larger table, fewer words are in use. @return the window's number in the table. */
uint32_t svs__table_begin(svs__table *table, const svs_world *world, uint32_t bits);

#endif
