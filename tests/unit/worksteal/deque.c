/* The deque (worksteal.D1 to worksteal.D7), by one thread: against a model that does every
 * operation the plain way, and at its edges. */
#include "worksteal/deque.h"
#include "../base/helpers.h"
#include "base/random.h"

#define CAPACITY 64u

static void body(svs_async_context *async, svs__slot *slot, svs__slot *head) {}

static bool push_named(svs__deque *deque, void *name) {
    svs__slot *slot = svs__deque_push(deque, body);
    if (slot != NULL) slot->to.result = name;
    return slot != NULL;
}

static void *name_of(uint64_t number) { return (void *)(uintptr_t)(number + 1); }

typedef struct pair {
    svs__deque deque;
    /* The model: names in order, how many are stolen, and how many of all are stolen or shared. */
    void *names[CAPACITY];
    uint32_t head, tail, split;
    uint64_t next;
} pair;

static svs__slot *limit_of(pair *p) { return svs__load_relaxed(SVS__ASYNC_LIMIT(&p->deque.async)); }

/* @return the slot that a thief gets, or NULL. */
static svs__slot *take(svs__deque *deque, uint64_t seen) {
    return svs__deque_take(deque, seen) ? svs__deque_seen(deque, seen) : NULL;
}

static void check(pair *p) {
    assert_true(svs__deque_is_valid(&p->deque));
    assert_int_equal(svs__deque_index(&p->deque, p->deque.async.head), p->head);
    assert_int_equal(svs__deque_index(&p->deque, p->deque.split), p->split);
}

static void push(pair *p) {
    bool pushed = push_named(&p->deque, name_of(p->next));
    assert_int_equal(pushed, p->head < CAPACITY);
    if (pushed) p->names[p->head++] = name_of(p->next++);
}

static void pop(pair *p) {
    svs__slot *child;
    if (p->head == 0) return; /* not below where the owner began */
    child = svs__deque_pop(&p->deque);
    if (p->tail == p->head) {
        assert_null(child);
        svs__deque_drop(&p->deque, p->deque.slots);
        p->head = p->tail = p->split = 0;
        return;
    }
    if (p->split == p->head) p->split = p->tail + (p->split - p->tail) / 2;
    assert_non_null(child);
    assert_ptr_equal(child->to.result, p->names[--p->head]);
}

static void share(pair *p) {
    uint32_t half = (p->head - p->split + 1) / 2;
    if (p->head == p->split) return;
    assert_int_equal(svs__deque_share(&p->deque), half);
    p->split += half;
    assert_ptr_equal(limit_of(p), p->deque.slots + CAPACITY);
}

static void steal(pair *p) {
    uint64_t seen = svs__deque_look(&p->deque);
    svs__slot *child;
    if (p->tail == p->split) {
        assert_int_equal(seen, 0);
        assert_null(limit_of(p)); /* worksteal.D6 */
        return;
    }
    child = take(&p->deque, seen);
    assert_non_null(child);
    assert_ptr_equal(child->to.result, p->names[p->tail++]);
    if (p->tail == p->split) assert_null(limit_of(p));
}

TEST_CASE(it_does_what_the_model_does) {
    uint64_t operations = scaled(2000000, 20000);
    svs__random random;
    pair p = {0};
    svs__random_seed(&random, 1);
    assert_true(svs__deque_init(&p.deque, &svs__allocator_libc, CAPACITY));
    for (uint64_t i = 0; i < operations; i++) {
        /* Phases that fill it and phases that drain it, so that both ends are met. */
        uint32_t pushes = i / 200 % 2 ? 8 : 4;
        uint32_t choice = svs__random_below(&random, 16);
        if (choice < pushes) push(&p);
        else if (choice < 11) pop(&p);
        else if (choice < 13) share(&p);
        else if (choice < 15) steal(&p);
        else svs__deque_turn(&p.deque);
        check(&p);
    }
    svs__deque_clean_up(&p.deque, &svs__allocator_libc);
}

TEST_CASE(it_pops_newest_first_and_gives_oldest_first) {
    pair p = {0};
    assert_true(svs__deque_init(&p.deque, &svs__allocator_libc, CAPACITY));
    for (int i = 0; i < 8; i++) push(&p);
    assert_int_equal(svs__deque_share(&p.deque), 4);
    assert_ptr_equal(take(&p.deque, svs__deque_look(&p.deque))->to.result, name_of(0));
    assert_ptr_equal(svs__deque_pop(&p.deque)->to.result, name_of(7));
    assert_ptr_equal(take(&p.deque, svs__deque_look(&p.deque))->to.result, name_of(1));
    svs__deque_clean_up(&p.deque, &svs__allocator_libc);
}

TEST_CASE(starving_thieves_are_noticed_when_there_is_work) {
    pair p = {0};
    assert_true(svs__deque_init(&p.deque, &svs__allocator_libc, CAPACITY));
    assert_false(svs__deque_wanted(&p.deque)); /* nothing to give */
    push(&p);
    assert_true(svs__deque_wanted(&p.deque)); /* they are taken to starve at first */
    (void)svs__deque_share(&p.deque);
    push(&p);
    assert_false(svs__deque_wanted(&p.deque));
    assert_non_null(take(&p.deque, svs__deque_look(&p.deque)));
    assert_true(svs__deque_wanted(&p.deque)); /* the last shared slot is taken */
    svs__deque_clean_up(&p.deque, &svs__allocator_libc);
}

TEST_CASE(a_taking_fails_when_the_word_has_changed) {
    pair p = {0};
    uint64_t seen;
    assert_true(svs__deque_init(&p.deque, &svs__allocator_libc, CAPACITY));
    for (int i = 0; i < 8; i++) push(&p);
    (void)svs__deque_share(&p.deque);
    seen = svs__deque_look(&p.deque);
    assert_non_null(take(&p.deque, seen));
    assert_null(take(&p.deque, seen)); /* another thief took it */
    seen = svs__deque_look(&p.deque);
    svs__deque_turn(&p.deque);
    assert_null(take(&p.deque, seen)); /* worksteal.D7: the owner has ended a child */
    seen = svs__deque_look(&p.deque);
    assert_non_null(take(&p.deque, seen));
    svs__deque_clean_up(&p.deque, &svs__allocator_libc);
}

TEST_CASE(its_memory_comes_from_the_allocator) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    svs__deque deque;
    counts.fail_at = 1;
    assert_false(svs__deque_init(&deque, &allocator, CAPACITY));
    assert_int_equal(deque.capacity, 0);
    svs__deque_clean_up(&deque, &allocator);
    assert_true(svs__deque_init(&deque, &allocator, CAPACITY));
    assert_int_equal(counts.live_bytes, (CAPACITY + 1) * sizeof(svs__slot));
    svs__deque_clean_up(&deque, &allocator);
    assert_int_equal(counts.live, 0);
}

int main(void) { return run_cases(NULL, NULL); }
