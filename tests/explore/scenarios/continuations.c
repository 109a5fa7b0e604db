/* The split deque with continuations: a thief reads which one it is before it takes the slot, which
 * may be used again at once. Each is popped or stolen once (worksteal.D4, worksteal.D5,
 * worksteal.D7). */
#include "explore/explore.h"
#include "worksteal/deque.h"
#include <string.h>

#define CAPACITY 4u
#define NUMBERS 8u
#define THIEVES 2
#define LOOKS 3

static struct {
    svs__deque deque;
    uint32_t had[NUMBERS + 1]; /* what stands in a slot is a number from 1 */
    uintptr_t next;
} shared;

static void got(const void *state) {
    uintptr_t number = (uintptr_t)state;
    EXPLORE_CHECK(number >= 1 && number <= NUMBERS);
    EXPLORE_CHECK(shared.had[number]++ == 0);
}

static void *thieve(void *argument) {
    for (int i = 0; i < LOOKS; i++) {
        uint64_t seen = svs__deque_look(&shared.deque);
        const void *state;
        if (seen == 0) {
            svs__relax();
            continue;
        }
        state = svs__load_relaxed(SVS__SLOT_STATE(svs__deque_seen(&shared.deque, seen)));
        if (svs__deque_take(&shared.deque, seen)) got(state);
    }
    return argument;
}

static void push(void) {
    svs__slot *slot = svs__deque_push(&shared.deque, svs__continuation);
    EXPLORE_CHECK(slot != NULL);
    svs__store_relaxed(SVS__SLOT_STATE(slot), (void *)++shared.next);
    if (svs__deque_wanted(&shared.deque)) (void)svs__deque_share(&shared.deque);
}

/* @return false when all are stolen. */
static bool pop(void) {
    svs__slot *slot;
    if (shared.deque.async.head == shared.deque.slots) return false;
    slot = svs__deque_pop(&shared.deque);
    if (slot != NULL) got(svs__load_relaxed(SVS__SLOT_STATE(slot)));
    else svs__deque_drop(&shared.deque, shared.deque.slots);
    return slot != NULL;
}

static void run(void) {
    svs__thread thieves[THIEVES];
    memset(shared.had, 0, sizeof shared.had);
    shared.next = 0;
    EXPLORE_CHECK(svs__deque_init(&shared.deque, &svs__allocator_libc, CAPACITY));
    for (int i = 0; i < THIEVES; i++)
        EXPLORE_CHECK(svs__thread_create(&thieves[i], thieve, NULL, 0) == SVS_OK);
    while (shared.next < NUMBERS) {
        push();
        if (shared.next % 3 == 0) push();
        (void)pop();
        if (shared.next % 2 == 0) (void)pop();
    }
    while (pop()) {}
    for (int i = 0; i < THIEVES; i++) svs__thread_join(&thieves[i]);
    for (uint32_t i = 1; i <= NUMBERS; i++) EXPLORE_CHECK(shared.had[i] == 1);
    svs__deque_clean_up(&shared.deque, &svs__allocator_libc);
}

const explore_scenario explore_continuations = {"continuations", run, 2, 50000,
                                                "a continuation that is had twice or never"};
