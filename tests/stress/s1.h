/* The stress of sched.S1 and sched.S2 (s1_main.c says how to run it): random graphs over objects
 * with sentinels inside.
 *
 * Each thing that an instance may touch has a sentinel that counts the instances inside of it,
 * readers and writers apart. A body walks its declared footprint through plain links, enters all of
 * it and leaves it at its end: a writer must meet no other instance, a reader no writer (sched.S1).
 * The sentinels are relaxed, so that they order nothing: the plain data beside them lets
 * ThreadSanitizer check the library's own ordering. Each sent item has a number, and each number
 * must run once (sched.S2).
 *
 * A race check looks at links and data: sentinels and the marks of walks are the test's own, and a
 * worker's lists belong to the worker. */
#ifndef SVS_TESTS_STRESS_S1_H
#define SVS_TESTS_STRESS_S1_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <svs/svs.h>

#define S1_WORKERS_MAX 16u
#define S1_ACCESSES_MAX 3u
#define S1_CELLS 64u  /* of the index space, and addressed ones */
#define S1_WIDE 4096u /* elements of the space that makes footprints long to work out */
#define S1_TASKS_MAX 10u

typedef struct s1_sentinel {
    _Atomic(uint32_t) inside; /* readers + S1_WRITER * writers */
    uint32_t name;
    uint64_t data; /* plain: each writer adds 1 */
    uint32_t
        entered[S1_WORKERS_MAX]; /* by each worker: 2 * its instance's number, + 1 as a writer */
} s1_sentinel;

#define S1_WRITER 0x10000u

/* a and b lead to lasting nodes; `own` to a node that a body made, to which nothing else leads. */
typedef struct s1_node {
    s1_sentinel sentinel;
    uint32_t walked[S1_WORKERS_MAX];
    bool lasting;
    struct s1_node *a, *b, *own;
    svs_object svs;
} s1_node;

typedef struct s1_access {
    void *what; /* s1_node, or the cell's s1_sentinel */
    uint32_t index;
    uint8_t kind, mode, extent, limit;
} s1_access;

typedef struct s1_item {
    s1_access access[S1_ACCESSES_MAX];
    uint32_t id;
    uint32_t seed;
    uint8_t count;
    /* the footprint begins with the accesses and ends with so many elements of the wide space, read
     */
    uint16_t wide;
    uint8_t relink;  /* out of 100 */
    uint8_t depth;   /* sends on, so often */
    uint8_t consume; /* frees the fresh nodes that it was sent */
    uint16_t spin;
} s1_item;

/* The parameters of a mode. */
typedef struct s1_shape {
    uint32_t nodes, family, cross; /* links leave a family in `cross` of 1,000 cases */
    uint32_t hot;                  /* out of 100 instances write one of the first nodes */
    uint32_t graphs;               /* that run at once */
    uint32_t transforms, itemizers;
    uint32_t batch, iterations;
    uint32_t independent;    /* out of 100 pairs */
    uint32_t explicit_;      /* out of 100 pairs */
    svs_algorithm algorithm; /* DEFAULT: any */
    bool targeted;           /* the items of s1_item_targeted() */
    bool windowed;           /* the first graph is */
    uint32_t plain;          /* out of 100 items walk nothing */
    svs_world_options world;
} s1_shape;

/* A worker's own. */
typedef struct s1_entry {
    s1_sentinel *sentinel;
    s1_node *node; /* NULL for a cell */
    bool write;
} s1_entry;

/* All nodes, those that only they lead to, and all cells are fewer. */
#define S1_SET_MAX 4096u

typedef struct s1_set {
    uint32_t count;
    s1_entry entries[S1_SET_MAX];
} s1_set;

#define S1_RECENT 8u

typedef struct s1_worker {
    _Alignas(64) uint64_t instances;
    uint64_t writes; /* added to data */
    uint64_t sampled, conflicting;
    uint32_t epoch, walk;
    s1_set set, again;
    s1_set recent[S1_RECENT];
    s1_node *queue[S1_SET_MAX];
    uint64_t checksum;
} s1_worker;

typedef struct s1_graph {
    svs_graph *graph;
    svs_task *tasks[S1_TASKS_MAX];
    struct s1_task {
        struct s1_graph *graph;
        uint32_t index;
        bool transform;
        uint32_t batch;
        uint32_t consumers[S1_TASKS_MAX], consumer_count;
        _Atomic(uint64_t) ran;
    } task[S1_TASKS_MAX];
    uint32_t task_count;
    bool windowed;
    uint32_t iterations;
    _Atomic(uint32_t) next_id;
    uint32_t capacity;
    _Atomic(uint8_t) *ran;
} s1_graph;

typedef struct s1_state {
    s1_shape shape;
    svs_world *world;
    svs_space *space, *wide;
    s1_node **nodes;
    s1_sentinel indexed[S1_CELLS], addressed[S1_CELLS];
    s1_sentinel alone; /* the world's: each instance reads it, a writer of everything writes it */
    s1_worker workers[S1_WORKERS_MAX];
    _Atomic(uint64_t) lost; /* data of freed nodes */
    _Atomic(uint32_t) running, running_max;
    uint64_t seed;
    uint32_t round;
} s1_state;

extern s1_state s1;

/* ---- s1_main.c ---- */

/* Prints the violated property and ends the process. */
_Noreturn void s1_violated(const char *invariant, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- s1_set.c: what an instance may touch, worked out through plain links ---- */

/* The set of the item's accesses. Its own links are read by the instance that holds them. */
void s1_gather(s1_worker *worker, uint32_t index, const s1_item *item, s1_set *set);
void s1_enter(s1_worker *worker, uint32_t index, const s1_entry *entry);
void s1_leave(const s1_entry *entry);
void s1_set_add(s1_set *set, s1_sentinel *sentinel, s1_node *node, bool write);

/* ---- s1_item.c, s1_body.c ---- */

SVS_TASK_DECLARE(s1, s1_item)
extern svs_type *const s1_type;

uint64_t s1_random(uint64_t *state);
static inline uint32_t s1_below(uint64_t *state, uint32_t n) {
    return (uint32_t)((s1_random(state) >> 32) * n >> 32);
}
static inline bool s1_chance(uint64_t *state, uint32_t percent) {
    return s1_below(state, 100) < percent;
}

/* A random item of the shape. */
void s1_item_make(uint64_t *random, s1_item *item);

s1_node *s1_any_node(uint64_t *random);
void s1_touch(svs_footprint *footprint, const s1_item *item);

/* ---- s1_round.c ---- */

#define S1_GRAPHS_MAX 2u

/* One round: makes the world of random nodes and the random graphs of s1.shape, runs the graphs
 * from threads of their own, checks, frees. */
void s1_round(svs_runtime *runtime, uint64_t *random);

#endif
