/* Instructions of an instance with 1 to 13 accesses, counted by callgrind: it adds 1 to as many of
 * 10,000 numbers, on one worker. They are declared by address, or as the reach of the first of 8
 * linked numbers. For comparison the same work is done by a loop, and with a mutex for each number,
 * in the order of addresses or of the links. The program runs itself with one pass over the items
 * and with three, and divides the difference by the instances of two passes.
 *
 *     bench_accesses */
#include "common.h"
#include "common/random.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 10000, CHAIN = 8, ITEMS = 20000, FEW = 1, MORE = 3, ACCESSES_MAX = 13 };

typedef struct number {
    svs_object svs;
    struct number *next;
    pthread_mutex_t mutex;
    uint64_t value;
} number;
SVS_TYPE(number, svs, next)

typedef void engine_run(svs_world *world, void *items, size_t count);

/* Items of N accesses, the task type of SvS, and the same by a loop and with locks. */
#define ACCESSES(N)                                                                                \
    typedef struct add_##N {                                                                       \
        number *to[N];                                                                             \
    } add_##N;                                                                                     \
    static void add_##N##_touch(svs_footprint *f, const add_##N *item) {                           \
        for (int i = 0; i < (N); i++) svs_writes(f, item->to[i]);                                  \
    }                                                                                              \
    static svs_status add_##N##_run(svs_context *x, add_##N *item) {                               \
        (void)x;                                                                                   \
        for (int i = 0; i < (N); i++) item->to[i]->value++;                                        \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK(add_##N, add_##N##_run, add_##N##_touch)                                              \
    static void svs_##N(svs_world *world, void *items, size_t count) {                             \
        BENCH_OK(svs_for_each(world, &add_##N##_task, items, count));                              \
    }                                                                                              \
    static void serial_##N(svs_world *world, void *items, size_t count) {                          \
        add_##N *all = items;                                                                      \
        (void)world;                                                                               \
        for (size_t i = 0; i < count; i++)                                                         \
            for (int n = 0; n < (N); n++) all[i].to[n]->value++;                                   \
    }                                                                                              \
    static void mutex_##N(svs_world *world, void *items, size_t count) {                           \
        add_##N *all = items;                                                                      \
        (void)world;                                                                               \
        for (size_t i = 0; i < count; i++) {                                                       \
            for (int n = 0; n < (N); n++) pthread_mutex_lock(&all[i].to[n]->mutex);                \
            for (int n = 0; n < (N); n++) all[i].to[n]->value++;                                   \
            for (int n = 0; n < (N); n++) pthread_mutex_unlock(&all[i].to[n]->mutex);              \
        }                                                                                          \
    }

ACCESSES(1)
ACCESSES(2)
ACCESSES(5)
ACCESSES(8)
ACCESSES(13)

/* A chain of numbers, linked. */
typedef struct chain {
    number *first;
} chain;
static void chain_touch(svs_footprint *f, const chain *c) { svs_writes_reach(f, &c->first->svs); }
static svs_status chain_run(svs_context *x, chain *c) {
    (void)x;
    for (number *n = c->first; n; n = n->next) n->value++;
    return SVS_OK;
}
SVS_TASK(chain, chain_run, chain_touch)

static void svs_linked(svs_world *world, void *items, size_t count) {
    BENCH_OK(svs_for_each(world, &chain_task, items, count));
}
static void serial_linked(svs_world *world, void *items, size_t count) {
    chain *all = items;
    (void)world;
    for (size_t i = 0; i < count; i++)
        for (number *n = all[i].first; n; n = n->next) n->value++;
}
static void mutex_linked(svs_world *world, void *items, size_t count) {
    chain *all = items;
    (void)world;
    for (size_t i = 0; i < count; i++) {
        for (number *n = all[i].first; n; n = n->next) pthread_mutex_lock(&n->mutex);
        for (number *n = all[i].first; n; n = n->next) n->value++;
        for (number *n = all[i].first; n; n = n->next) pthread_mutex_unlock(&n->mutex);
    }
}

enum { SERIAL, MUTEX, SVS, ENGINES };
static const char *const names[ENGINES] = {"serial", "mutex", "svs"};
static const struct shape {
    int accesses;
    const char *by;
    engine_run *run[ENGINES];
} shapes[] = {{1, "address", {serial_1, mutex_1, svs_1}},
              {2, "address", {serial_2, mutex_2, svs_2}},
              {5, "address", {serial_5, mutex_5, svs_5}},
              {8, "address", {serial_8, mutex_8, svs_8}},
              {13, "address", {serial_13, mutex_13, svs_13}},
              {CHAIN, "link", {serial_linked, mutex_linked, svs_linked}}};
#define LINKED (SHAPES - 1)
#define SHAPES (sizeof shapes / sizeof *shapes)

/* Different numbers, in ascending order. */
static void draw(random_source *random, number *numbers, number **to, int accesses) {
    for (int n = 0; n < accesses;) {
        number *key = &numbers[random_below(random, KEYS)];
        int at = n;
        while (at > 0 && to[at - 1] > key) at--;
        if (at > 0 && to[at - 1] == key) continue;
        for (int i = n; i > at; i--) to[i] = to[i - 1];
        to[at] = key;
        n++;
    }
}

static void make_numbers(svs_world *world, number *numbers, bool linked) {
    for (int i = 0; i < KEYS; i++) {
        if (pthread_mutex_init(&numbers[i].mutex, NULL)) bench_fail("no mutex");
        if (linked) BENCH_OK(svs_object_init(&numbers[i].svs, world, &number_type));
    }
    for (int i = 0; linked && i + 1 < KEYS; i++)
        if ((i + 1) % CHAIN) BENCH_OK(svs_link(&numbers[i], next, &numbers[i + 1]));
}

/* What callgrind counts: passes over all items. */
static bool run_counted(const char *what) {
    static number numbers[KEYS];
    static number *items[ITEMS * ACCESSES_MAX];
    random_source random = {BENCH_SEED};
    unsigned e, s, runs;
    uint64_t sum = 0;
    svs_world *world;
    /* NOLINTNEXTLINE(cert-err34-c): this program wrote it */
    if (sscanf(what, "%u,%u,%u", &e, &s, &runs) != 3 || e >= ENGINES || s >= SHAPES) return false;
    BENCH_OK(svs_start(1, &world));
    make_numbers(world, numbers, s == LINKED);
    for (int i = 0; i < ITEMS; i++) {
        int accesses = shapes[s].accesses;
        if (s == LINKED) items[i] = &numbers[random_below(&random, KEYS / CHAIN) * CHAIN];
        else draw(&random, numbers, &items[i * accesses], accesses);
    }
    for (unsigned i = 0; i < runs; i++) shapes[s].run[e](world, (void *)items, ITEMS);
    for (int i = 0; i < KEYS; i++) sum += numbers[i].value;
    if (sum != (uint64_t)runs * ITEMS * (unsigned)shapes[s].accesses)
        bench_fail("%s: %llu additions", names[e], (unsigned long long)sum);
    BENCH_OK(svs_stop(world));
    return true;
}

/* @return of one instance; 0: callgrind is not there. */
static double instructions(unsigned engine, unsigned shape) {
    char arguments[2][64];
    uint64_t few, more;
    snprintf(arguments[0], sizeof arguments[0], "--count %u,%u,%d", engine, shape, FEW);
    snprintf(arguments[1], sizeof arguments[1], "--count %u,%u,%d", engine, shape, MORE);
    few = bench_instructions(arguments[0]);
    more = bench_instructions(arguments[1]);
    return few && more ? (double)(more - few) / (MORE - FEW) / ITEMS : 0;
}

typedef struct settings {
    const char *count;
} settings;
static const option_row rows[] = {
    {"count", 0, "WHAT", NULL, 0, OPTION_TEXT(settings, count)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Instructions of an instance, by its number of accesses."};
    settings s = {NULL};
    options_read(&program, argc, argv, &s);
    if (s.count) return run_counted(s.count) ? EXIT_SUCCESS : EXIT_FAILURE;
    bench_table_line("%8s %-7s %9s %9s %9s %9s", "accesses", "by", "serial", "mutex", "svs",
                     "ratio");
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        double of[ENGINES];
        for (unsigned e = 0; e < ENGINES; e++) of[e] = instructions(e, shape);
        if (of[SERIAL] <= 0 || of[MUTEX] <= 0 || of[SVS] <= 0)
            bench_fail("valgrind was not found, or failed: nothing was counted");
        bench_table_line("%8d %-7s %9.1f %9.1f %9.1f %9.2f", shapes[shape].accesses,
                         shapes[shape].by, of[SERIAL], of[MUTEX], of[SVS], of[SVS] / of[MUTEX]);
        for (unsigned e = 0; e < ENGINES; e++)
            bench_row("bench=accesses engine=%s accesses=%d by=%s instructions=%.1f", names[e],
                      shapes[shape].accesses, shapes[shape].by, of[e]);
    }
    bench_rows_print();
    return EXIT_SUCCESS;
}
