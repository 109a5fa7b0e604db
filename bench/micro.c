/* Signature operations, link assignment, the deque, and sends. The only benchmark that looks inside
 * the library. */
#include "micro.h"

#include "bsp.h"
#include "memobj/reach/signature.h"
#include "worksteal/deque.h"

#include <stdlib.h>
#include <string.h>

enum { REPEATS = 1024, DEQUE_DEPTH = 64, SENDS = 16384, BULK_MAX = 64 };

/* ---- signatures ---- */
typedef struct signatures {
    uint64_t a[SVS__SIGNATURE_WORDS_MAX], b[SVS__SIGNATURE_WORDS_MAX];
    uint32_t words;
    volatile uint32_t seen;
} signatures;

/* The halves do not meet: a test has to look at all words. */
static void *signatures_make(uint32_t bits) {
    signatures *s = bench_allocate(1, sizeof *s);
    s->words = bits / 64;
    for (uint32_t i = 0; i < s->words; i++) {
        s->a[i] = UINT64_C(0x5555555555555555);
        s->b[i] = UINT64_C(0xaaaaaaaaaaaaaaaa);
    }
    return s;
}

static void overlap_run(void *state) {
    signatures *s = state;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < REPEATS; i++) {
        seen += svs__signature_overlap(s->a, s->b, s->words);
        __asm__ volatile("" : : : "memory");
    }
    s->seen = seen;
}

static void or_run(void *state) {
    signatures *s = state;
    for (uint32_t i = 0; i < REPEATS; i++) {
        svs__signature_or(s->a, s->b, s->words);
        __asm__ volatile("" : : : "memory");
    }
}

/* ---- deque ---- */
typedef struct deque_state {
    svs__deque deque;
    volatile uintptr_t seen;
} deque_state;

static void child(svs_async_context *async, svs__slot *slot, svs__slot *head) {
    (void)async, (void)slot, (void)head;
}

static void *deque_make(uint32_t argument) {
    deque_state *s = aligned_alloc(_Alignof(deque_state), sizeof *s);
    (void)argument;
    if (!s) bench_fail("no memory");
    memset(s, 0, sizeof *s);
    if (!svs__deque_init(&s->deque, &svs__allocator_libc, SVS__DEQUE_CAPACITY))
        bench_fail("no memory for a deque");
    return s;
}

static void push_pop_run(void *state) {
    deque_state *s = state;
    uintptr_t seen = 0;
    for (uint32_t i = 0; i < REPEATS / DEQUE_DEPTH; i++) {
        for (uint32_t d = 0; d < DEQUE_DEPTH; d++)
            if (!svs__deque_push(&s->deque, child)) bench_fail("the deque is full");
        for (uint32_t d = 0; d < DEQUE_DEPTH; d++)
            seen += (uintptr_t)svs__deque_pop(&s->deque)->run;
    }
    s->seen = seen;
}

/* All through the shared part: share, then look and take as a thief does. */
static void share_take_run(void *state) {
    deque_state *s = state;
    for (uint32_t i = 0; i < REPEATS / DEQUE_DEPTH; i++) {
        uint32_t taken = 0;
        for (uint32_t d = 0; d < DEQUE_DEPTH; d++)
            if (!svs__deque_push(&s->deque, child)) bench_fail("the deque is full");
        while (taken < DEQUE_DEPTH) {
            uint64_t seen = svs__deque_look(&s->deque);
            if (!seen) (void)svs__deque_share(&s->deque);
            else if (svs__deque_take(&s->deque, seen)) taken++;
        }
        svs__deque_drop(&s->deque, s->deque.slots);
    }
}

static void deque_free(void *state) {
    deque_state *s = state;
    svs__deque_clean_up(&s->deque, &svs__allocator_libc);
    free(s);
}

/* ---- link assignment and sends: a runtime of one worker ---- */
typedef struct one_world {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *produce, *consume;
    uint32_t bulk;
    bsp tree;
} one_world;

static const bsp_shape tree_20k = {"20k", 10, 1000};

static one_world *one_world_make(uint32_t neighbourhood) {
    one_world *s = bench_allocate(1, sizeof *s);
    svs_world_options world_options;
    s->runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, 1);
    svs_world_options_init(&world_options);
    world_options.neighbourhood = neighbourhood;
    world_options.refresh = SVS_REFRESH_MANUAL;
    BENCH_OK(svs_world_new(s->runtime, &world_options, &s->world));
    return s;
}

static void one_world_free(void *state) {
    one_world *s = state;
    BENCH_OK(svs_graph_free(s->graph));
    BENCH_OK(svs_world_free(s->world));
    BENCH_OK(svs_runtime_free(s->runtime));
    bsp_clean_up(&s->tree);
    free(s);
}

static void *links_make(uint32_t neighbourhood) {
    one_world *s = one_world_make(neighbourhood);
    bsp_init(&s->tree, s->world, &tree_20k);
    return s;
}

static void links_run(void *state) {
    const one_world *s = state;
    for (uint32_t i = 0; i < tree_20k.entities; i++)
        bench_check(bsp_assign(&s->tree.pairs[i]), "svs_link");
}

typedef struct letter {
    uint64_t number;
} letter;
static void letter_touch(svs_footprint *f, const letter *l) { (void)f, (void)l; }
static svs_status letter_run(svs_context *x, letter *l) {
    (void)x, (void)l;
    return SVS_OK;
}
SVS_TASK(letter, letter_run, letter_touch)

static void *send_make(uint32_t bulk) {
    one_world *s = one_world_make(8);
    s->bulk = bulk;
    BENCH_OK(svs_graph_new(s->world, NULL, &s->graph));
    BENCH_OK(svs_graph_add_itemizer(s->graph, &letter_task, NULL, &s->consume));
    return s;
}

/* The sends alone; the items go with the graph, unread. */
static void send_run(void *state) {
    const one_world *s = state;
    const letter letters[BULK_MAX] = {{0}};
    for (uint32_t i = 0; i < SENDS; i += s->bulk)
        BENCH_OK(svs_graph_send(s->graph, s->consume, letters, s->bulk, sizeof letters[0]));
}

/* Sent, scheduled with nothing to protect, run. */
static void send_and_run_run(void *state) {
    const one_world *s = state;
    send_run(state);
    BENCH_OK(svs_graph_run(s->graph, 1, NULL));
}

#define SIGNATURE_CASES(bits)                                                                      \
    {"signature_overlap", bits, REPEATS, 0, signatures_make, overlap_run, free}, {                 \
        "signature_or", bits, REPEATS, 0, signatures_make, or_run, free                            \
    }

const micro_case micro_cases[] = {
    SIGNATURE_CASES(64),
    SIGNATURE_CASES(128),
    SIGNATURE_CASES(256),
    SIGNATURE_CASES(512),
    SIGNATURE_CASES(1024),
    SIGNATURE_CASES(2048),
    SIGNATURE_CASES(4096),
    {"link_assign_20k_K", 2, 1000, 1, links_make, links_run, one_world_free},
    {"link_assign_20k_K", 4, 1000, 1, links_make, links_run, one_world_free},
    {"link_assign_20k_K", 8, 1000, 1, links_make, links_run, one_world_free},
    {"deque_push_pop", 0, REPEATS, 0, deque_make, push_pop_run, deque_free},
    {"deque_push_share_take", 0, REPEATS, 0, deque_make, share_take_run, deque_free},
    {"send_bulk", 1, SENDS, 1, send_make, send_run, one_world_free},
    {"send_bulk", 64, SENDS, 1, send_make, send_run, one_world_free},
    {"send_and_run_bulk", 64, SENDS, 0, send_make, send_and_run_run, one_world_free},
};
const size_t micro_case_count = sizeof micro_cases / sizeof micro_cases[0];
