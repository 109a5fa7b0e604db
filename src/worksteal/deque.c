#include "worksteal/deque.h"
#include "base/program.h"
#include <assert.h>

static_assert(sizeof(svs__slot) == 128, "a slot is two cache lines");
static_assert(offsetof(svs__deque, word) % SVS__CACHE_LINE == 0, "the word has a line of its own");
static_assert(SVS__DEQUE_CAPACITY <= UINT16_MAX, "tail and split have 16 bits each");

#define TURN ((uint64_t)1 << 32)

static uint32_t tail_of(uint64_t word) { return (uint16_t)word; }
static uint32_t split_of(uint64_t word) { return (uint16_t)(word >> 16); }
/* The word of a new turn (worksteal.D7). */
static uint64_t turned(uint64_t old, uint32_t split, uint32_t tail) {
    return (old & ~(TURN - 1)) + TURN + ((uint64_t)split << 16 | tail);
}

/* The owner has replaced `before`: the word has another turn (worksteal.D7). */
static bool is_turned(const svs__deque *deque, uint64_t before) {
    /* relaxed is enough: the owner wrote it */
    return svs__load_relaxed(&deque->word) / TURN != before / TURN;
}

/* One slot more than can be pushed: for the arguments of a child that is called in place because
 * the deque is full. */
static size_t bytes_of(uint32_t capacity) { return (capacity + 1) * sizeof(svs__slot); }

void svs__continuation(svs_async_context *async, svs__slot *slot, svs__slot *head) {
    (void)async;
    (void)slot;
    (void)head;
    SVS__CHECK(!"a continuation is resumed, not called");
}

/* Private slots are popped inline, unless each spawn is to take the slow path. */
static void set_split(svs__deque *deque, svs__slot *split) {
    deque->split = split;
    deque->async.own = deque->open == NULL ? deque->slots + deque->capacity : split;
}

/* The value of `open`. It is also NULL under a ThreadSanitizer of the program, which must see each
 * spawn (base.E2). */
static svs__slot *open_end(svs__deque *deque, bool always_slow) {
    return always_slow || SVS__PROGRAM_IS_SANITIZED() ? NULL : deque->slots + deque->capacity;
}

bool svs__deque_init(svs__deque *deque, const svs_allocator *allocator, uint32_t capacity) {
    svs_async_context *async = &deque->async;
    deque->capacity = 0;
    deque->context = NULL;
    svs__store_relaxed(&deque->word, 0);
    /* Begins with a steal request, so that the first child is shared and wakes a sleeping
     * worker. */
    svs__store_relaxed(SVS__ASYNC_LIMIT(async), NULL);
    svs__store_relaxed(&deque->hungry, 1);
    deque->slots = svs__allocate(allocator, bytes_of(capacity), SVS__CACHE_LINE);
    async->head = async->base = deque->slots;
    if (deque->slots == NULL) return false;
    deque->capacity = capacity;
    deque->open = open_end(deque, false);
    set_split(deque, deque->slots);
    return true;
}

void svs__deque_clean_up(svs__deque *deque, const svs_allocator *allocator) {
    svs__release(allocator, deque->slots, bytes_of(deque->capacity), SVS__CACHE_LINE);
    deque->slots = NULL;
    deque->capacity = 0;
}

void svs__deque_always_slow(svs__deque *deque, bool always, bool hungry) {
    deque->open = open_end(deque, always);
    set_split(deque, deque->split);
    svs__store_relaxed(SVS__ASYNC_LIMIT(&deque->async), NULL); /* relaxed: nothing runs */
    svs__store_relaxed(&deque->hungry, hungry);
}

/* Clears the steal request, which the owner grants or acknowledges. */
static void content(svs__deque *deque) {
    svs__store_relaxed(SVS__ASYNC_LIMIT(&deque->async),
                       /* relaxed is enough: a stale value only delays a share (worksteal.D6) */
                       deque->open);
    /* [worksteal.D6] release: a thief that raises the flag after this sets the limit to NULL after
     * it was opened, so the limit does not stay open while the flag is raised; pairs with ask().
     * [worksteal.C2] acquire: the owner sees what the thread that raised the flag wrote before,
     * such as a cancel. */
    (void)svs__exchange_acq_rel(&deque->hungry, 0);
}

uint32_t svs__deque_share(svs__deque *deque) {
    svs_async_context *async = &deque->async;
    uint32_t count = ((uint32_t)(async->head - deque->split) + 1) / 2;
    void *waiting = svs__state_waiting(deque->context); /* worksteal.F5 */
    for (uint32_t i = 0; i < count; i++)
        if (deque->split[i].run != svs__continuation)
            svs__store_relaxed(SVS__SLOT_STATE(&deque->split[i]), waiting);
    set_split(deque, deque->split + count);
    /* comes before the share: a thief that then finds the new part empty requests again */
    content(deque);
    /* [worksteal.D4] release: publishes the slots; pairs with the acquires in svs__deque_look() and
     * svs__deque_take(). */
    (void)svs__fetch_add_release(&deque->word, (uint64_t)count << 16);
    SVS__ASSERT_SLOW(svs__deque_is_valid(deque));
    return count;
}

svs__slot *svs__deque_reclaim(svs__deque *deque) {
    svs_async_context *async = &deque->async;
    /* relaxed: the owner itself wrote the slots between tail and split; the modification order of
     * this one word decides which side gets a slot (worksteal.D3). */
    uint64_t word = svs__load_relaxed(&deque->word);
    uint32_t split;
    SVS__ASSERT(async->head == deque->split);
    SVS__ASSERT(svs__deque_index(deque, deque->split) == split_of(word));
    do {
        if (tail_of(word) == split_of(word)) return NULL;
        split = tail_of(word) + (split_of(word) - tail_of(word)) / 2;
    } while (!svs__cas_weak_relaxed(&deque->word, &word, turned(word, split, tail_of(word))));
    SVS__ASSERT(is_turned(deque, word)); /* worksteal.D7 */
    set_split(deque, deque->slots + split);
    return --async->head;
}

bool svs__deque_is_gone(const svs__deque *deque) {
    /* relaxed: only the owner adds slots that are not stolen. */
    uint64_t word = svs__load_relaxed(&deque->word);
    return tail_of(word) == svs__deque_index(deque, deque->async.head);
}

bool svs__deque_is_stolen(const svs__deque *deque, const svs__slot *slot) {
    /* relaxed is enough: the caller's own steal comes before this load. */
    return svs__deque_index(deque, slot) < tail_of(svs__load_relaxed(&deque->word));
}

bool svs__deque_hand(svs__deque *deque) {
    svs_async_context *async = &deque->async;
    uint64_t word = svs__load_relaxed(&deque->word); /* relaxed: as in svs__deque_drop() */
    uint32_t index = svs__deque_index(deque, async->head);
    if (tail_of(word) != split_of(word) || split_of(word) != index - 1) return false;
    set_split(deque, async->head);
    svs__store_relaxed(SVS__SLOT_STATE(async->head - 1), svs__state_waiting(deque->context));
    svs__store_relaxed(&deque->word, turned(word, index, index));
    SVS__ASSERT(is_turned(deque, word)); /* worksteal.D7 */
    return true;
}

void svs__deque_drop(svs__deque *deque, svs__slot *base) {
    svs_async_context *async = &deque->async;
    uint32_t index = svs__deque_index(deque, base);
    /* relaxed: with tail = split only the owner changes the word (worksteal.D2). */
    uint64_t word = svs__load_relaxed(&deque->word);
    SVS__ASSERT(tail_of(word) == split_of(word)); /* worksteal.D2, worksteal.D3 */
    SVS__ASSERT(svs__deque_index(deque, async->head) == split_of(word) && base <= async->head);
    async->head = base;
    set_split(deque, base);
    /* relaxed: nothing is shared, so there is nothing to publish. */
    svs__store_relaxed(&deque->word, turned(word, index, index));
    SVS__ASSERT(is_turned(deque, word)); /* worksteal.D7 */
}

/* Raises the steal request. */
static void ask(svs__deque *deque) {
    /* [worksteal.D6] acquire: reads the zero that it replaces, so the limit becomes NULL after it
     * was opened; pairs with content(). */
    (void)svs__exchange_acq_rel(&deque->hungry, 1);
    /* [worksteal.D6] release: after the exchange above; else content() could come in between. */
    svs__store_release(SVS__ASYNC_LIMIT(&deque->async), NULL);
}

static void starve(svs__deque *deque) {
    /* relaxed is enough: the test only saves a write, which would take the line from the owner's
     * cache. */
    if (svs__load_relaxed(&deque->hungry) == 0) ask(deque);
}

uint64_t svs__deque_look(svs__deque *deque) {
    /* [worksteal.D4, worksteal.D7] acquire: sees the oldest slot and, with a later turn, the end of
     * the child before that turn; pairs with svs__deque_share() and svs__deque_turn(). */
    uint64_t word = svs__load_acquire(&deque->word);
    if (tail_of(word) < split_of(word)) return word;
    starve(deque);
    return 0;
}

void svs__deque_close(svs__deque *deque) {
    deque->async.own = deque->slots + deque->capacity;
    svs__deque_turn(deque);
}

uint64_t svs__deque_ask(svs__deque *deque) {
    ask(deque);
    /* relaxed is enough: the caller only compares words. Slots that are shared already do not
     * answer the request: the owner must change the word. */
    return svs__load_relaxed(&deque->word);
}

svs__slot *svs__deque_seen(const svs__deque *deque, uint64_t seen) {
    return &deque->slots[tail_of(seen)];
}

bool svs__deque_take(svs__deque *deque, uint64_t seen) {
    uint64_t word = seen;
    SVS__ASSERT(tail_of(seen) < split_of(seen)); /* worksteal.D2 */
    /* [worksteal.D4] acquire: sees the slot; pairs with the release in svs__deque_share(), also
     * through the steals of other thieves in between, which are read-modify-writes. */
    if (!svs__cas_strong_acquire(&deque->word, &word, seen + 1)) return false;
    if (tail_of(seen) + 1 == split_of(seen)) starve(deque);
    return true;
}

void svs__deque_turn(svs__deque *deque) {
    /* [worksteal.D7] release: a thief that sees the new turn sees that the child has completed;
     * pairs with svs__deque_look(). */
    (void)svs__fetch_add_release(&deque->word, TURN);
}

void svs__deque_calm(svs__deque *deque) {
    uint64_t word;
    content(deque);
    /* release: a thief that steals the last slot after this raises the flag after it was cleared.
     * If a thief has stolen it before, the word shows that. */
    word = svs__fetch_add_release(&deque->word, TURN);
    if (tail_of(word) == split_of(word)) starve(deque);
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
bool svs__deque_is_valid(const svs__deque *deque) {
    /* relaxed is enough: the caller reads its own writes, or nothing changes. worksteal.D1: */
    uint64_t word = svs__load_relaxed(&deque->word);
    return tail_of(word) <= split_of(word) &&
           svs__deque_index(deque, deque->split) == split_of(word) &&
           deque->split <= deque->async.head && deque->async.head <= deque->slots + deque->capacity;
}
/* LCOV_EXCL_BR_STOP */
