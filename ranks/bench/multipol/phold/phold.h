/* PHOLD: nodes that pass events on. A node that receives an event draws when and to which of its
 * `fan` targets it sends the next one. Nothing else is computed, so the simulator's cost shows.
 *
 *     time 0: node 3 has an event --lookahead + exponential--> node 11 has it --...--> node 2 ...
 *
 * It differs from the usual form in two points, which FIFO edges demand:
 * - The times of a node's events rise: an event that would overtake the one before it is one tick
 *   later than that.
 * - The targets of a node are fixed. `remote` percent of them are in another eighth of the nodes,
 *   and the others in the same one; ranks get whole eighths, or several of them share one.
 * A tick has a moment for each node. A node sends at its own moment, so no two events of different
 * nodes have the same time, and all programs handle them in the same order. */
#ifndef SVS_BENCH_PHOLD_H
#define SVS_BENCH_PHOLD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <svs/ranks.h>

enum { PHOLD_BLOCKS = 8, PHOLD_FAN_MAX = 16 };

typedef struct phold_options {
    uint32_t nodes;      /* a power of two, at least 8 times `fan` + 1 */
    uint32_t fan;        /* targets of a node */
    uint32_t population; /* events that each node begins with */
    uint32_t remote;     /* percent of the targets that are in another eighth */
    uint32_t lookahead;  /* ticks from an event to the one that it causes, at least */
    uint32_t mean;       /* ... and the mean of what is added */
    uint32_t end;        /* the last tick */
    uint32_t capacity;   /* events on an edge */
    uint32_t cures;      /* of deadlock */
    size_t aggregate_bytes;
    uint32_t *targets;            /* `fan` of each node */
    const char *transport, *name; /* NULL: the default one; its name in the rows */
    uint32_t program;             /* which of the three */
    uint32_t fibers, woken;       /* in place of PHOLD: FIFO fibers, or nodes that wait */
    bool unchecked;               /* not compared with the serial simulator */
} phold_options;

typedef struct phold_event {
    int64_t time;
    uint64_t value;
    uint32_t to, reserved; /* the node that passes it on; others learn the time alone */
} phold_event;

typedef struct phold_node {
    uint64_t digest; /* of its events, in their order */
    uint64_t count;
    int64_t last; /* the time of the last event that it has sent */
} phold_node;

typedef struct phold_result {
    double seconds;
    uint64_t cpu_ns; /* CPU time of all ranks */
    uint64_t events; /* that were passed on */
    uint64_t digest; /* of all nodes */
    uint64_t nulls;  /* messages without an event */
    uint32_t ranks;
    bool first; /* this rank prints */
    svs_event_statistics sums;
} phold_result;

static inline uint64_t phold_mix(uint64_t one, uint64_t other) {
    uint64_t mixed = (one ^ other) * 0x9e3779b97f4a7c15u + 1;
    return mixed ^ mixed >> 29;
}

/* @return the targets of all nodes, to be freed; NULL: no memory. */
uint32_t *phold_targets(const phold_options *of);

/* The rank of a node. */
static inline uint32_t phold_place(const phold_options *of, uint32_t node, uint32_t ranks) {
    return (uint32_t)((uint64_t)node * ranks / of->nodes);
}

static inline int64_t phold_lookahead(const phold_options *of) {
    return (int64_t)of->lookahead * of->nodes;
}

static inline int64_t phold_end(const phold_options *of) { return (int64_t)of->end * of->nodes; }

/* The event with which a node begins: `which` ticks from 0. */
static inline phold_event phold_first(const phold_options *of, uint32_t node, uint32_t which) {
    return (phold_event){
        .time = (int64_t)which * of->nodes + node, .value = phold_mix(node, which), .to = node};
}

/* Node `own` has an event. @return the one that it causes. */
static inline phold_event phold_pass(const phold_options *of, uint32_t own, phold_node *node,
                                     const phold_event *in) {
    uint64_t value = phold_mix(in->value, own);
    double uniform = ((double)(value >> 11) + 1) * 0x1p-53;
    int64_t ticks = (int64_t)of->lookahead + (int64_t)(-log(uniform) * of->mean);
    int64_t time = in->time + ticks * of->nodes;
    time += (int64_t)((own - (uint64_t)time) & (of->nodes - 1)); /* at its own moment */
    if (time <= node->last) time = node->last + of->nodes;
    node->last = time;
    node->count++;
    node->digest = phold_mix(phold_mix(node->digest, (uint64_t)in->time), in->value);
    return (phold_event){
        .time = time, .value = value, .to = of->targets[own * of->fan + value % of->fan]};
}

/* What node `own` adds to the digest of all. */
static inline uint64_t phold_share(uint32_t own, const phold_node *node) {
    return phold_mix(phold_mix(own, node->digest), node->count);
}

/* ---- the events of several nodes, by time: what a program without an event graph needs ---- */

typedef struct phold_heap {
    phold_event *of;
    size_t count, capacity;
} phold_heap;

/* @return false: no memory. */
bool phold_heap_put(phold_heap *heap, const phold_event *event);
void phold_heap_drop(phold_heap *heap);
/* As a drop and a put. */
void phold_heap_replace(phold_heap *heap, const phold_event *event);

/* ---- the programs. @return 0, or 1: the failure was printed ---- */

typedef int phold_function(const phold_options *options, phold_result *result);
phold_function phold_serial;
/* On plain MPI: conservative, with null messages. @return 2: there is no MPI. */
phold_function phold_bare;
/* On the event graph, as a simulation. */
int phold_ranks(const svs_transport *transport, const phold_options *options, phold_result *result);
/* What an event is compared with: FIFO fibers, or nodes that an unfreeze wakes. Prints a row. */
int phold_costs(const svs_transport *transport, const phold_options *options);

#endif
