/* Programs whose items are nearly all sent by bodies, and the engines that run them.
 *
 * The nodes of a program are vertices of a graph. An item names a node, and its step reads and
 * writes the node alone or the node with its neighbours. A step sends items by `send`. */
#ifndef BENCH_SENDS_H
#define BENCH_SENDS_H

#include "common.h"

#include <stdbool.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define SENDS_DEGREE 8u
#define SENDS_TOUCHED (SENDS_DEGREE + 1) /* nodes that one step touches, at most */

typedef struct sends_item {
    uint32_t node;
    uint32_t value; /* bfs: a distance; self, before: how often it still sends itself */
} sends_item;

typedef struct sends_edge {
    uint32_t to;
    uint32_t back;    /* of the node `to`, the number of the edge that leads back */
    int32_t residual; /* push-relabel: capacity that is left; set by steps */
    int32_t capacity;
} sends_edge;

typedef struct sends_node {
    uint32_t degree;
    sends_edge edges[SENDS_DEGREE];
    /* Of steps: */
    uint32_t state;   /* wavefront: a value; push-relabel: a height; bfs: the distance; a count */
    uint32_t missing; /* wavefront: neighbours before this cell that have no value yet */
    bool waits;       /* push-relabel: an item of the node was sent and has not run */
    int64_t excess;   /* push-relabel: flow that came in and has not gone out */
} sends_node;

typedef void sends_function(void *to, sends_item item);

typedef struct sends_program sends_program;
typedef struct sends_case {
    const sends_program *program;
    uint32_t size;
    uint32_t count; /* nodes */
    sends_node *nodes;
    sends_item *first; /* items that are sent before a run */
    size_t first_count;
    uint64_t items;  /* that the serial engine runs */
    uint64_t result; /* of the serial engine */
} sends_case;

struct sends_program {
    const char *name;
    bool neighbours; /* a step touches the neighbours of its node, too */
    bool in_rounds;  /* items that run the last one first would be far more */
    void (*make)(sends_case *c);
    void (*reset)(sends_case *c);
    void (*step)(sends_case *c, sends_item item, sends_function *send, void *to);
    uint64_t (*result)(const sends_case *c); /* the same in whichever order the items ran */
};

#define SENDS_PROGRAMS 5u
extern const sends_program sends_programs[SENDS_PROGRAMS];

sends_case *sends_case_new(const sends_program *program, uint32_t size);
/* Runs all items, the oldest first. @return how many. */
uint64_t sends_run_serially(sends_case *c);

/* The nodes that a step touches, in ascending order. @return how many. */
uint32_t sends_touched(const sends_case *c, sends_item item, uint32_t touched[SENDS_TOUCHED]);

/* An engine for one case. */
typedef struct sends_engine {
    const char *name;
    void *(*make)(sends_case *c, uint32_t threads);
    void (*run)(void *state);
    void (*free)(void *state);
} sends_engine;

extern const sends_engine sends_svs, sends_locks;
#if defined(BENCH_TBB)
extern const sends_engine sends_tbb;
#endif

#if defined(__cplusplus)
}
#endif
#endif
