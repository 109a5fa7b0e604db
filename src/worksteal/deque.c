#include "worksteal/deque.h"
#include <assert.h>

static_assert(sizeof(svs__child) == 32, "two slots a cache line");
static_assert(offsetof(svs__deque, word) % SVS__CACHE_LINE == 0, "what thieves write stands alone");
static_assert(SVS__DEQUE_CAPACITY <= UINT16_MAX, "tail and split have 16 bits each");

#define TURN ((uint64_t)1 << 32)

static uint32_t tail_of(uint64_t word) { return (uint16_t)word; }
static uint32_t split_of(uint64_t word) { return (uint16_t)(word >> 16); }
static uint64_t word_of(uint64_t old, uint32_t split, uint32_t tail) {
    return (old & ~(TURN - 1)) | (uint64_t)split << 16 | tail;
}

bool svs__deque_init(svs__deque *deque, const svs_allocator *allocator, uint32_t capacity) {
    deque->head = 0;
    deque->split = 0;
    deque->capacity = 0;
    svs__store_relaxed(&deque->word, 0);
    /* Raised at first, so that the first child is shared with whoever sleeps already. */
    svs__store_relaxed(&deque->flag, 1);
    deque->slots = svs__allocate(allocator, capacity * sizeof(svs__child), SVS__CACHE_LINE);
    if (deque->slots == NULL) return false;
    deque->capacity = capacity;
    return true;
}

void svs__deque_clean_up(svs__deque *deque, const svs_allocator *allocator) {
    svs__release(allocator, deque->slots, deque->capacity * sizeof(svs__child), SVS__CACHE_LINE);
    deque->slots = NULL;
    deque->capacity = 0;
}

uint32_t svs__deque_share(svs__deque *deque) {
    uint32_t count = (deque->head - deque->split + 1) / 2;
    deque->split += count;
    /* relaxed: a hint (D6). Lowered before the share, so that a thief that finds the new part empty
     * raises it again. */
    svs__store_relaxed(&deque->flag, 0);
    /* [D4] release: publishes the slots; pairs with the acquire of the taking in
     * svs__deque_take(). */
    (void)svs__fetch_add_release(&deque->word, (uint64_t)count << 16);
    SVS_ASSERT_SLOW(svs__deque_is_valid(deque));
    return count;
}

svs__child *svs__deque_reclaim(svs__deque *deque) {
    /* relaxed: the slots between tail and split are the owner's own writes; which of the two sides
     * gets a slot is decided by the order of the changes to this one word (D3). */
    uint64_t word = svs__load_relaxed(&deque->word);
    uint32_t split;
    SVS_ASSERT(deque->head == deque->split && deque->split == split_of(word));
    do {
        if (tail_of(word) == split_of(word)) return NULL;
        split = tail_of(word) + (split_of(word) - tail_of(word)) / 2;
    } while (!svs__cas_weak_relaxed(&deque->word, &word, word_of(word, split, tail_of(word))));
    deque->split = split;
    return &deque->slots[--deque->head];
}

void svs__deque_drop(svs__deque *deque, uint32_t base) {
    /* relaxed: with tail = split nobody but the owner changes the word (D2). */
    uint64_t word = svs__load_relaxed(&deque->word);
    SVS_ASSERT(tail_of(word) == deque->head && split_of(word) == deque->head);
    SVS_ASSERT(base <= deque->head);
    deque->head = base;
    deque->split = base;
    /* relaxed: nothing is shared, so there is nothing to publish. */
    svs__store_relaxed(&deque->word, word_of(word, base, base));
}

static void starve(svs__deque *deque) {
    /* relaxed: a hint (D6); looked at first, to leave the line in the owner's cache. */
    if (!svs__load_relaxed(&deque->flag)) svs__store_relaxed(&deque->flag, 1);
}

uint64_t svs__deque_look(svs__deque *deque) {
    /* [D7] acquire: with a later turn, the end of the child before that turn is seen; pairs with
     * svs__deque_turn(). */
    uint64_t word = svs__load_acquire(&deque->word);
    if (tail_of(word) < split_of(word)) return word;
    starve(deque);
    return 0;
}

svs__child *svs__deque_take(svs__deque *deque, uint64_t seen) {
    uint32_t tail = tail_of(seen);
    uint64_t word = seen;
    /* [D4] acquire: sees the slot; pairs with the release in svs__deque_share(), also through the
     * takings of other thieves in between, as those are read-modify-writes. */
    if (!svs__cas_strong_acquire(&deque->word, &word, seen + 1)) return NULL;
    if (tail + 1 == split_of(seen)) starve(deque);
    return &deque->slots[tail];
}

void svs__deque_turn(svs__deque *deque) {
    /* [D7] release: who sees the new turn sees that the child has ended; pairs with
     * svs__deque_look(). */
    (void)svs__fetch_add_release(&deque->word, TURN);
}

bool svs__deque_is_valid(const svs__deque *deque) {
    uint64_t word = svs__load_relaxed(&deque->word);
    return tail_of(word) <= split_of(word) && split_of(word) == deque->split &&
           deque->split <= deque->head && deque->head <= deque->capacity;
}
