/* PHOLD with one heap of all events: the serial simulator. Also the heap, and the targets. */
#include "common.h"
#include "phold.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- targets ---- */

/* Target `which` of a node: not itself, and each a different one. */
static uint32_t draw_target(const phold_options *of, uint32_t node, uint32_t which) {
    uint32_t size = of->nodes / PHOLD_BLOCKS, block = node / size;
    uint64_t drawn = phold_mix(phold_mix(1, node), which);
    uint32_t slot = (uint32_t)(drawn % ((size - 1) / of->fan));
    if (drawn / 1000003 % 100 < of->remote)
        block = (block + 1 + (uint32_t)(drawn / 65537 % (PHOLD_BLOCKS - 1))) % PHOLD_BLOCKS;
    return block * size + (node % size + 1 + slot * of->fan + which) % size;
}

uint32_t *phold_targets(const phold_options *of) {
    uint32_t *made = malloc((size_t)of->nodes * of->fan * sizeof *made);
    for (uint32_t i = 0; made != NULL && i < of->nodes * of->fan; i++)
        made[i] = draw_target(of, i / of->fan, i % of->fan);
    return made;
}

/* ---- the heap ---- */

static void sift_down(phold_heap *heap, const phold_event *event) {
    size_t at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        child += child + 1 < heap->count && heap->of[child + 1].time < heap->of[child].time;
        if (event->time <= heap->of[child].time) break;
        heap->of[at] = heap->of[child];
        at = child;
    }
    heap->of[at] = *event;
}

bool phold_heap_put(phold_heap *heap, const phold_event *event) {
    size_t at = heap->count;
    if (heap->count == heap->capacity) {
        size_t capacity = heap->capacity == 0 ? 1024 : 2 * heap->capacity;
        phold_event *more = realloc(heap->of, capacity * sizeof *more);
        if (more == NULL) return false;
        heap->of = more;
        heap->capacity = capacity;
    }
    heap->count++;
    for (; at != 0 && event->time < heap->of[(at - 1) / 2].time; at = (at - 1) / 2)
        heap->of[at] = heap->of[(at - 1) / 2];
    heap->of[at] = *event;
    return true;
}

void phold_heap_drop(phold_heap *heap) {
    heap->count--;
    if (heap->count != 0) sift_down(heap, &heap->of[heap->count]);
}

void phold_heap_replace(phold_heap *heap, const phold_event *event) { sift_down(heap, event); }

/* ---- the simulator ---- */

static void run(const phold_options *of, phold_heap *heap, phold_node *nodes) {
    while (heap->count != 0 && heap->of[0].time <= phold_end(of)) {
        uint32_t own = heap->of[0].to;
        phold_event next = phold_pass(of, own, &nodes[own], &heap->of[0]);
        if (next.time <= phold_end(of)) phold_heap_replace(heap, &next);
        else phold_heap_drop(heap);
    }
}

int phold_serial(const phold_options *of, phold_result *result) {
    phold_heap heap = {0};
    phold_node *nodes = calloc(of->nodes, sizeof *nodes);
    uint64_t begin, cpu;
    bool whole = nodes != NULL;
    for (uint32_t i = 0; i < of->nodes && whole; i++)
        for (uint32_t k = 0; k < of->population && whole; k++) {
            phold_event first = phold_first(of, i, k);
            whole = phold_heap_put(&heap, &first);
        }
    begin = bench_wall_ns();
    cpu = bench_thread_cpu_ns();
    if (whole) run(of, &heap, nodes);
    else fprintf(stderr, "phold: there is no memory\n");
    result->seconds = (double)(bench_wall_ns() - begin) * 1e-9;
    result->cpu_ns = bench_thread_cpu_ns() - cpu;
    for (uint32_t i = 0; i < of->nodes && whole; i++) {
        result->events += nodes[i].count;
        result->digest += phold_share(i, &nodes[i]);
    }
    result->first = true;
    free(heap.of);
    free(nodes);
    return !whole;
}
