/* Perfect phylogeny of characters with two states. A set is compatible if its pairs are. The tree
 * is D. Gusfield's: Efficient algorithms for inferring evolutionary trees, Networks 21 (1991). */
#include "phylogeny.h"

#include <stdlib.h>

bool compatible_pairs(const patterns *all, const set *chosen) {
    SET_EACH(i, chosen)
    if (!set_within(chosen, &all->compatible[i])) return false;
    return true;
}

/* A column: the species whose state is not that of the first one. */
typedef struct column {
    uint64_t ones;
    uint32_t node;
} column;

/* Columns as binary numbers, the largest first. */
static int compare(const void *one, const void *other) {
    uint64_t a = ((const column *)one)->ones, b = ((const column *)other)->ones;
    return a < b ? 1 : a > b ? -1 : 0;
}

static uint32_t sort_columns(const patterns *all, const set *chosen, column *columns) {
    uint32_t count = 0, kept = 0;
    SET_EACH(i, chosen) columns[count++] = (column){all->states[i].of[1], 0};
    qsort(columns, count, sizeof *columns, compare);
    for (uint32_t i = 0; i < count; i++)
        if (columns[i].ones != 0 && (kept == 0 || columns[i].ones != columns[kept - 1].ones))
            columns[kept++] = columns[i];
    return kept;
}

/* The last column before `column` with a one in this species' row; -1: there is none. */
static int last_before(const column *columns, uint32_t before, int species) {
    for (uint32_t i = before; i-- != 0;)
        if (columns[i].ones >> species & 1) return (int)i;
    return -1;
}

/* All rows with a one in a column have the same last one before it: the column's node hangs from
 * that one's. A species hangs from the node of the last one of its row. */
bool compatible_binary(const patterns *all, const set *chosen, tree *made) {
    column columns[PATTERNS_MAX];
    uint32_t count = sort_columns(all, chosen, columns);
    made->count = 0;
    (void)tree_add(made, 0, -1);
    for (uint32_t i = 0; i < count; i++) {
        int last = last_before(columns, i, __builtin_ctzll(columns[i].ones));
        for (uint64_t ones = columns[i].ones; ones != 0; ones &= ones - 1)
            if (last_before(columns, i, __builtin_ctzll(ones)) != last) return false;
        columns[i].node = tree_add(made, last < 0 ? 0 : columns[last].node, -1);
    }
    for (uint32_t s = 0; s < all->of->count; s++) {
        int last = last_before(columns, count, (int)s);
        (void)tree_add(made, last < 0 ? 0 : columns[last].node, (int32_t)s);
    }
    return true;
}
