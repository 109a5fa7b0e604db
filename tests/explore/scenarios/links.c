/* Three threads that link at once, each from parents of its own: afterwards each signature covers
 * what is reached, by brute force (memobj.R1), each link is known to what it leads to (memobj.R2),
 * and a refresh makes masters exact. */
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include "memobj/reach/reach.h"
#include "memobj/reach/signature.h"
#include <string.h>
#include <svs/svs.h>

#define NODES 7u
#define THREADS 3u
#define STEPS 3u

typedef struct place {
    struct place *a, *b;
    svs_object svs;
} place;
SVS_TYPE(place, svs, a, b)

/* {parent, link, child}; child NODES is none. Parents of thread t are its own. */
typedef struct step {
    uint8_t parent, link, child;
} step;
typedef struct shape {
    uint8_t before, counts[THREADS];
    step links[6];              /* that are there before */
    step steps[THREADS][STEPS]; /* of each thread */
} shape;

static const shape shapes[] = {
    /* two parents take one child, which grows */
    {0, {1, 1, 1}, {{0, 0, 0}}, {{{0, 0, 2}}, {{1, 0, 2}}, {{2, 0, 3}}}},
    /* a ring is closed at two places, and something hangs below it */
    {4,
     {1, 1, 1},
     {{0, 0, 1}, {1, 0, 2}, {3, 0, 4}, {4, 0, 5}},
     {{{2, 0, 3}}, {{5, 0, 0}}, {{4, 1, 6}}}},
    /* above and below a chain */
    {3, {1, 1, 1}, {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}}, {{{3, 0, 4}}, {{5, 0, 0}}, {{4, 0, 6}}}},
    /* two bring one bit up */
    {5,
     {1, 1, 1},
     {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {3, 0, 4}, {5, 0, 6}},
     {{{4, 0, 6}}, {{2, 1, 6}}, {{3, 1, 5}}}},
    /* lone objects become parents and children */
    {0, {2, 1, 1}, {{0, 0, 0}}, {{{0, 0, 1}, {3, 0, 2}}, {{1, 0, 2}}, {{2, 0, 0}}}},
    /* a neighbourhood takes one object in twice, and loses another and gets it back */
    {2, {1, 1, 2}, {{0, 0, 1}, {0, 1, 2}}, {{{1, 0, 3}}, {{2, 0, 3}}, {{0, 1, NODES}, {0, 1, 2}}}},
    /* a chain is built from below and from above */
    {0,
     {2, 2, 2},
     {{0, 0, 0}},
     {{{0, 0, 1}, {3, 0, 4}}, {{4, 0, 5}, {1, 0, 2}}, {{2, 0, 3}, {5, 0, 6}}}},
};
#define SHAPES ((uint32_t)(sizeof shapes / sizeof *shapes))

static struct {
    svs_world *world;
    place *at[NODES];
    const shape *shape;
} shared;

static void assign(const step *s) {
    place *parent = shared.at[s->parent], *child = s->child == NODES ? NULL : shared.at[s->child];
    if (s->link == 0) EXPLORE_CHECK(svs_link(parent, a, child) == SVS_OK);
    else EXPLORE_CHECK(svs_link(parent, b, child) == SVS_OK);
}

static void *play(void *argument) {
    uintptr_t mine = (uintptr_t)argument;
    for (uint32_t i = 0; i < shared.shape->counts[mine]; i++) assign(&shared.shape->steps[mine][i]);
    return NULL;
}

static uint32_t index_of(const place *p) {
    uint32_t i = 0;
    while (shared.at[i] != p) i++;
    return i;
}

static uint32_t reached_by(uint32_t from) {
    uint32_t reached = 1u << from, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t i = 0; i < NODES; i++) {
            if ((reached >> i & 1) == 0) continue;
            if (shared.at[i]->a != NULL) reached |= 1u << index_of(shared.at[i]->a);
            if (shared.at[i]->b != NULL) reached |= 1u << index_of(shared.at[i]->b);
        }
    }
    return reached;
}

static void check(bool exact) {
    for (uint32_t i = 0; i < NODES; i++) {
        uint64_t found[SVS__SIGNATURE_WORDS_MAX] = {0}, bits[SVS__SIGNATURE_WORDS_MAX] = {0};
        uint32_t reached = reached_by(i);
        svs__reach_signature(&shared.at[i]->svs, found);
        for (uint32_t k = 0; k < NODES; k++)
            if ((reached >> k & 1) != 0)
                svs__signature_set(bits, svs__object_bit(shared.world, &shared.at[k]->svs));
        for (uint32_t w = 0; w < shared.world->words; w++) {
            EXPLORE_CHECK((bits[w] & ~found[w]) == 0);
            EXPLORE_CHECK(!exact || !svs__object_is_master(&shared.at[i]->svs) ||
                          bits[w] == found[w]);
        }
    }
    EXPLORE_CHECK(svs__reach_is_valid(shared.world));
}

static void make_world(svs_runtime *runtime) {
    static const uint32_t neighbourhoods[] = {2, 0, 1, 8};
    svs_world_options options = support_world_options(512, 9);
    options.examine_budget = 0; /* upkeep from the start */
    options.neighbourhood = neighbourhoods[explore_below(4)];
    options.refresh = SVS_REFRESH_MANUAL;
    shared.world = support_world_with(runtime, &options);
    for (uint32_t i = 0; i < NODES; i++) shared.at[i] = support_object(shared.world, &place_type);
}

static void run_shape(const shape *chosen) {
    svs__thread threads[THREADS];
    svs_runtime *runtime;
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = 1;
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    make_world(runtime);
    shared.shape = chosen;
    for (uint32_t i = 0; i < chosen->before; i++) assign(&chosen->links[i]);
    for (uintptr_t i = 0; i < THREADS; i++)
        EXPLORE_CHECK(svs__thread_create(&threads[i], play, (void *)i, 0) == SVS_OK);
    for (uint32_t i = 0; i < THREADS; i++) svs__thread_join(&threads[i]);
    check(false);
    EXPLORE_CHECK(svs_world_refresh(shared.world) == SVS_OK);
    check(true);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_free(runtime) == SVS_OK);
}

static void links(void) { run_shape(&shapes[explore_below(SHAPES)]); }
static void ring(void) { run_shape(&shapes[1]); }

const explore_scenario explore_links = {"links", links, 1, 6000,
                                        "a bit that is lost on its way up"};
const explore_scenario explore_ring = {"ring", ring, 1, 3000,
                                       "the same where a ring is closed at two places"};
