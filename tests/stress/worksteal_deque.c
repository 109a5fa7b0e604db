/* One owner and three thieves on one deque: each child is popped or stolen once (worksteal.D5),
 * with its slot as it was pushed (worksteal.D4), and all slots of a dropped part were stolen
 * (worksteal.D3). */
#include "../unit/base/helpers.h"
#include "base/random.h"
#include "worksteal/deque.h"

#define CAPACITY 512u
#define THIEVES 3

typedef struct game {
    svs__deque deque;
    unsigned char
        *ran; /* plain, one a child: its taker writes it, so a second taker is a race or a 2 */
    uint64_t children;
    _Atomic(uint64_t) stolen; /* stolen children that have ended since the last drop */
    _Atomic(uint64_t) thefts;
    _Atomic(uint32_t) over, garbled;
} game;

static void never_called(svs_async_context *async, svs__slot *slot, svs__slot *head) {}

static uint32_t height(const game *g) { return svs__deque_index(&g->deque, g->deque.async.head); }

static void got(game *g, const svs__slot *child) {
    uint64_t number = (uint64_t)(uintptr_t)child->to.result;
    if (child->run != never_called || number >= g->children || child->ordinal != ~number)
        svs__store_relaxed(&g->garbled, 1);
    else g->ran[number]++;
}

static void *thieve(void *argument) {
    game *g = argument;
    uint32_t failures = 0;
    while (!svs__load_acquire(&g->over)) {
        uint64_t seen = svs__deque_look(&g->deque);
        svs__slot *child = svs__deque_seen(&g->deque, seen);
        if (seen == 0 || !svs__deque_take(&g->deque, seen)) {
            if (++failures % 64 == 0) svs__yield();
            else svs__relax();
            continue;
        }
        got(g, child);
        (void)svs__fetch_add_relaxed(&g->thefts, 1);
        (void)svs__fetch_add_release(&g->stolen, 1);
    }
    return NULL;
}

/* Empties the deque to the bottom. */
static void finish_all(game *g) {
    svs__slot *child;
    while (height(g) != 0 && (child = svs__deque_pop(&g->deque)) != NULL) got(g, child);
    while (svs__load_acquire(&g->stolen) != height(g)) svs__yield();
    svs__store_relaxed(&g->stolen, 0);
    if (height(g) != 0) svs__deque_drop(&g->deque, g->deque.slots);
}

static void own(game *g) {
    svs__random random;
    uint64_t next = 0;
    svs__random_seed(&random, 5);
    while (next < g->children) {
        uint32_t pushes = svs__random_below(&random, 2) ? 3 : svs__random_below(&random, CAPACITY);
        uint32_t pops = svs__random_below(&random, pushes + 2);
        for (uint32_t i = 0; i < pushes && next < g->children; i++) {
            svs__slot *slot = svs__deque_push(&g->deque, never_called);
            if (slot == NULL) break;
            slot->to.result = (void *)(uintptr_t)next;
            slot->ordinal = ~next++;
            /* More often than thieves ask for it, so that both ends meet often. */
            if (svs__deque_wanted(&g->deque) || svs__random_below(&random, 2))
                if (g->deque.async.head != g->deque.split) (void)svs__deque_share(&g->deque);
        }
        for (uint32_t i = 0; i < pops && height(g) != 0; i++) {
            svs__slot *child = svs__deque_pop(&g->deque);
            if (child == NULL) break;
            got(g, child);
        }
        if (svs__random_below(&random, 8) == 0 || height(g) == CAPACITY) finish_all(g);
        if (svs__random_below(&random, 16) == 0) svs__deque_turn(&g->deque);
        if (svs__random_below(&random, 64) == 0) svs__yield();
        for (uint32_t i = svs__random_below(&random, 256); i > 0; i--) svs__relax();
    }
    finish_all(g);
}

TEST_CASE(each_child_is_had_once) {
    game g = {0};
    svs__thread thieves[THIEVES];
    uint64_t wrong = 0;
    g.children = scaled(8000000, 50000);
    g.ran = calloc(g.children, 1);
    assert_non_null(g.ran);
    assert_true(svs__deque_init(&g.deque, &svs__allocator_libc, CAPACITY));
    for (int i = 0; i < THIEVES; i++)
        assert_int_equal(svs__thread_create(&thieves[i], thieve, &g, 0), SVS_OK);
    own(&g);
    svs__store_release(&g.over, 1);
    for (int i = 0; i < THIEVES; i++) svs__thread_join(&thieves[i]);
    for (uint64_t i = 0; i < g.children; i++) wrong += g.ran[i] != 1;
    print_message("%llu children, %llu stolen\n", (unsigned long long)g.children,
                  (unsigned long long)g.thefts);
    assert_int_equal(wrong, 0);
    assert_int_equal(g.garbled, 0);
    assert_true(g.thefts > 0);
    svs__deque_clean_up(&g.deque, &svs__allocator_libc);
    free(g.ran);
}

int main(void) { return run_cases(NULL, NULL); }
