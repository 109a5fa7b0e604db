/* Where the nodes or edges of this rank are, by their numbers in the graph. A bit for each number
 * says whether it is here; with the number of bits before each word, it also counts them. So a rank
 * takes 0.2 bytes for what is on another one.
 *
 *     number --count of the bits before it--> order --slots--> position on this rank
 *
 * If positions are in the order of numbers, `slots` and `numbers` are NULL: for nodes always, and
 * for edges if the list of the options has those of each node together, by rising sources. */
#ifndef SVS_STRUCTURES_EVENT_INDEX_H
#define SVS_STRUCTURES_EVENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SVS__EVENT_NONE UINT32_MAX

typedef struct svs__event_index {
    uint64_t *marks;  /* NULL: all are here, as there is one rank */
    uint32_t *before; /* of each word of marks: bits in the words before it */
    uint32_t *slots;
    uint32_t *numbers; /* by positions */
    size_t count;      /* of the graph */
} svs__event_index;

static inline size_t svs__event_index_words(const svs__event_index *index) {
    return index->count / 64 + 1;
}

static inline bool svs__event_index_has(const svs__event_index *index, size_t number) {
    return index->marks == NULL || (index->marks[number / 64] >> number % 64 & 1u) != 0;
}

/* How many numbers before this one are here. */
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

/* The number of what has this position. */
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

/* After all marks. */
static inline void svs__event_index_count(svs__event_index *index) {
    for (size_t i = 1; index->marks != NULL && i < svs__event_index_words(index); i++)
        index->before[i] =
            index->before[i - 1] + (uint32_t)__builtin_popcountll(index->marks[i - 1]);
}

#endif
