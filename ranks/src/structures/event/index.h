/* Finds the nodes or edges of this rank by their numbers in the graph. A bit for each number says
 * whether the node or edge is on this rank. With the number of set bits before each word, the bits
 * also give its order among those of this rank. So a rank takes 0.2 bytes for what is on another
 * one.
 *
 *     number --count of the bits before it--> order --slots--> position on this rank
 *
 * If positions are in the order of numbers, `slots` and `numbers` are NULL. This always holds for
 * nodes. It holds for edges if the list of the options is sorted by sources. */
#ifndef SVS_STRUCTURES_EVENT_INDEX_H
#define SVS_STRUCTURES_EVENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SVS__EVENT_NONE UINT32_MAX

typedef struct svs__event_index {
    uint64_t *marks;  /* one bit for each number; NULL: there is one rank, which has all */
    uint32_t *before; /* for each word of `marks` the number of set bits in the words before it */
    uint32_t *slots;
    uint32_t *numbers; /* for each position its number */
    size_t count;      /* number of nodes or edges of the graph */
} svs__event_index;

static inline size_t svs__event_index_words(const svs__event_index *index) {
    return index->count / 64 + 1;
}

static inline bool svs__event_index_has(const svs__event_index *index, size_t number) {
    return index->marks == NULL || (index->marks[number / 64] >> number % 64 & 1u) != 0;
}

/* How many lower numbers are on this rank. */
static inline uint32_t svs__event_index_order(const svs__event_index *index, size_t number) {
    uint64_t below = (UINT64_C(1) << number % 64) - 1;
    if (index->marks == NULL) return (uint32_t)number;
    return index->before[number / 64] +
           (uint32_t)__builtin_popcountll(index->marks[number / 64] & below);
}

/* @return the position; SVS__EVENT_NONE: it is on another rank. */
static inline uint32_t svs__event_index_at(const svs__event_index *index, size_t number) {
    uint32_t order;
    if (!svs__event_index_has(index, number)) return SVS__EVENT_NONE;
    order = svs__event_index_order(index, number);
    return index->slots == NULL ? order : index->slots[order];
}

/* The number of the node or edge at this position. */
static inline uint32_t svs__event_index_number(const svs__event_index *index, uint32_t position) {
    size_t low = 0, high = svs__event_index_words(index), middle;
    uint64_t word;
    if (index->numbers != NULL) return index->numbers[position];
    if (index->marks == NULL) return position;
    while (high - low > 1) { /* the last word with at most `position` bits before it */
        middle = (low + high) / 2;
        if (index->before[middle] <= position) low = middle;
        else high = middle;
    }
    word = index->marks[low];
    for (uint32_t i = index->before[low]; i < position; i++) word &= word - 1;
    return (uint32_t)(low * 64) + (uint32_t)__builtin_ctzll(word);
}

/* Fills in `before`, after all marks were set. */
static inline void svs__event_index_count(svs__event_index *index) {
    for (size_t i = 1; index->marks != NULL && i < svs__event_index_words(index); i++)
        index->before[i] =
            index->before[i - 1] + (uint32_t)__builtin_popcountll(index->marks[i - 1]);
}

#endif
