/* The split deque with its owner and two thieves: each slot is popped or stolen once (worksteal.D5)
 * and has its pushed contents (worksteal.D4), all slots of a dropped part were stolen
 * (worksteal.D3), and the owner sees the request of a starving thief (worksteal.D6). */
#include "worksteal/deque.h"
#include "explore/explore.h"
#include "svs/allocator.h"
#include <string.h>

#define CAPACITY 6u
#define CHILDREN 9u
#define THIEVES 2
#define LOOKS 4

static struct {
    svs__deque deque;
    uint32_t had[CHILDREN];
    uint32_t next;
    _Atomic(uint32_t) stolen; /* children that have ended at their thieves, since the last drop */
} shared;

static void never_called(svs_async_context *async, svs__slot *slot, svs__slot *head) {}

static void got(const svs__slot *slot) {
    explore_read(slot);
    EXPLORE_CHECK(slot->run == never_called && slot->ordinal < CHILDREN);
    EXPLORE_CHECK(shared.had[slot->ordinal]++ == 0);
}

static void *thieve(void *argument) {
    for (int i = 0; i < LOOKS; i++) {
        uint64_t seen = svs__deque_look(&shared.deque);
        svs__slot *slot = svs__deque_seen(&shared.deque, seen);
        if (seen == 0) {
            svs__relax();
            continue;
        }
        if (!svs__deque_take(&shared.deque, seen)) continue;
        got(slot);
        (void)svs__fetch_add_release(&shared.stolen, 1);
    }
    return argument;
}

static uint32_t height(void) { return svs__deque_index(&shared.deque, shared.deque.async.head); }

static void push(uint32_t count) {
    while (count-- != 0 && shared.next < CHILDREN) {
        svs__slot *slot = svs__deque_push(&shared.deque, never_called);
        if (slot == NULL) return;
        explore_wrote(slot);
        slot->ordinal = shared.next++;
        if (svs__deque_wanted(&shared.deque)) (void)svs__deque_share(&shared.deque);
    }
}

static bool pop(void) {
    svs__slot *slot = height() == 0 ? NULL : svs__deque_pop(&shared.deque);
    EXPLORE_CHECK(svs__deque_is_valid(&shared.deque));
    if (slot != NULL) got(slot);
    return slot != NULL;
}

static void finish(void) {
    while (pop()) {}
    while (svs__load_acquire(&shared.stolen) != height()) svs__yield();
    svs__store_relaxed(&shared.stolen, 0);
    if (height() != 0) svs__deque_drop(&shared.deque, shared.deque.slots);
}

/* worksteal.D6: with hungry thieves a spawn goes the slow way. */
static bool hears_of_hunger(void) {
    return !svs__load_relaxed(&shared.deque.hungry) ||
           svs__load_relaxed(SVS__ASYNC_LIMIT(&shared.deque.async)) == NULL;
}

static void run(void) {
    svs__thread thieves[THIEVES];
    memset(shared.had, 0, sizeof shared.had);
    shared.next = 0;
    svs__store_relaxed(&shared.stolen, 0);
    EXPLORE_CHECK(svs__deque_init(&shared.deque, &svs__allocator_libc, CAPACITY));
    for (int i = 0; i < THIEVES; i++)
        EXPLORE_CHECK(svs__thread_create(&thieves[i], thieve, NULL, 0) == SVS_OK);
    push(3);
    (void)pop();
    push(2);
    finish();
    push(2);
    if (shared.deque.async.head != shared.deque.split) (void)svs__deque_share(&shared.deque);
    (void)pop();
    push(2);
    finish();
    for (int i = 0; i < THIEVES; i++) svs__thread_join(&thieves[i]);
    for (uint32_t i = 0; i < shared.next; i++) EXPLORE_CHECK(shared.had[i] == 1);
    EXPLORE_CHECK(hears_of_hunger());
    svs__deque_clean_up(&shared.deque, &svs__allocator_libc);
}

const explore_scenario explore_deque = {"deque", run, 2, 50000,
                                        "a child that is had twice, never, or half written"};
