#include "base/check.h"
#include "stealtree/message.h"
#include "stealtree/stream.h"
#include "stealtree/trace.h"
#include <stdlib.h>

/* ---- queries ---- */

uint32_t svs__tree_phase_of(const svs__steal_tree *tree, uint32_t worker, uint64_t ordinal) {
    const svs__tree_worker *of = &tree->worker[worker];
    uint32_t low = 0, high = of->phase_count, phase;
    /* The last phase that began no later than the async. The phase that contains the async is that
     * one, or encloses it (stealtree.T1, stealtree.T2). */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (of->phases[middle].start.ordinal <= ordinal) low = middle + 1;
        else high = middle;
    }
    phase = low == 0 ? SVS__TREE_NONE : low - 1;
    while (phase != SVS__TREE_NONE && of->phases[phase].end <= ordinal)
        phase = of->phases[phase].enclosing;
    return phase;
}

const svs__tree_steal *svs__tree_steal_of(const svs__steal_tree *tree, uint32_t worker,
                                          uint32_t phase, uint64_t ordinal) {
    const svs__tree_phase *of = &tree->worker[worker].phases[phase];
    const svs__tree_steal *steals;
    uint32_t low = 0, high = of->steal_count;
    if (high == 0) return NULL; /* `steals` may be NULL */
    steals = &tree->worker[worker].steals[of->steal_first];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (steals[middle].ordinal < ordinal) low = middle + 1;
        else high = middle;
    }
    return low < of->steal_count && steals[low].ordinal == ordinal ? &steals[low] : NULL;
}

const svs__tree_phase *svs__tree_parent(const svs__steal_tree *tree, const svs__tree_phase *phase) {
    if (phase->parent == SVS__TREE_NONE) return NULL;
    return &tree->worker[phase->start.victim].phases[phase->parent];
}

const svs__tree_phase *svs__tree_stolen(const svs__steal_tree *tree, const svs__tree_steal *steal) {
    return &tree->worker[steal->thief].phases[steal->phase];
}

/* ---- making ---- */

static void *allocate_array(const svs_allocator *allocator, uint32_t count, size_t element) {
    return count > SIZE_MAX / element
               ? NULL
               : svs__allocate(allocator, count * element, SVS__ARRAY_ALIGNMENT);
}

void svs__tree_free(svs__steal_tree *tree) {
    svs_allocator allocator;
    if (tree == NULL) return;
    allocator = tree->allocator;
    for (uint32_t w = 0; tree->worker != NULL && w < tree->workers; w++) {
        svs__tree_worker *of = &tree->worker[w];
        svs__array_release(&allocator, of->phases, of->phase_count, sizeof *of->phases);
        svs__array_release(&allocator, of->steals, of->steal_count, sizeof *of->steals);
    }
    svs__release(&allocator, tree->worker, tree->workers * sizeof *tree->worker,
                 alignof(svs__tree_worker));
    svs__release(&allocator, tree, sizeof *tree, alignof(svs__steal_tree));
}

static void begin_phase(svs__tree_phase *phase, const svs__event *event, uint32_t enclosing) {
    static const svs__phase_kind kinds[] = {[SVS__EVENT_ROOT] = SVS__PHASE_ROOT,
                                            [SVS__EVENT_STOLEN] = SVS__PHASE_STOLEN,
                                            [SVS__EVENT_RESUMED] = SVS__PHASE_RESUMED};
    *phase = (svs__tree_phase){
        .start = {kinds[event->tag], event->victim, event->at, event->ordinal},
        .begin_ns = event->ns,
        .enclosing = enclosing,
        .parent = SVS__TREE_NONE,
        .resumed_by = SVS__TREE_NONE,
        .resumed_phase = SVS__TREE_NONE,
        .open = true,
    };
}

/* Unpacks one stream into the worker's phases, for which there is memory already. */
static svs_status read_phases(const svs_trace *trace, svs__tree_worker *of, uint32_t worker,
                              const svs__message *message) {
    svs__events events = svs__events_of(trace, worker);
    svs__event event;
    uint32_t count = 0, current = SVS__TREE_NONE;
    while (svs__events_next(&events, &event)) {
        if (svs__event_begins(event.tag)) {
            SVS__CHECK(count < of->phase_count);
            begin_phase(&of->phases[count], &event, current);
            current = count++;
            continue;
        }
        if (event.tag == SVS__EVENT_WAITED) {
            of->phases[current].waited_ns += event.waited;
            continue;
        }
        of->phases[current].end = event.ordinal;
        of->phases[current].end_ns = event.ns;
        of->phases[current].suspended = event.tag == SVS__EVENT_SUSPENDED;
        of->phases[current].open = false;
        current = of->phases[current].enclosing;
    }
    /* Open phases extend to the last event. */
    for (; current != SVS__TREE_NONE; current = of->phases[current].enclosing) {
        of->phases[current].end = events.ordinal;
        of->phases[current].end_ns = events.ns;
    }
    of->asyncs = events.ordinal;
    of->lost = svs__load_relaxed(&trace->streams[worker].lost); /* relaxed: it does not change */
    if (events.wrong == NULL) return SVS_OK;
    return svs__message_set(message, SVS_E_TRACE, "worker %u: the event at byte %llu %s", worker,
                            (unsigned long long)events.offset, events.wrong);
}

/* Sums up the inner phases of each phase. */
static void sum_inner(svs__tree_worker *of) {
    for (uint32_t p = 0; p < of->phase_count; p++) {
        const svs__tree_phase *inner = &of->phases[p];
        svs__tree_phase *outer;
        if (inner->enclosing == SVS__TREE_NONE) continue;
        outer = &of->phases[inner->enclosing];
        outer->inner_ns += inner->end_ns - inner->begin_ns;
        outer->inner_asyncs += inner->end - inner->start.ordinal;
    }
}

/* Finds the parent of each phase, and the number of steals from each. */
static void link_parents(svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++) {
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++) {
            svs__tree_phase *phase = &tree->worker[w].phases[p];
            svs__tree_worker *victim = &tree->worker[phase->start.victim];
            if (phase->start.kind == SVS__PHASE_STOLEN) {
                phase->parent = svs__tree_phase_of(tree, phase->start.victim, phase->start.at);
                if (phase->parent == SVS__TREE_NONE) continue;
                victim->phases[phase->parent].steal_count++;
                victim->steal_count++;
            } else if (phase->start.kind == SVS__PHASE_RESUMED &&
                       phase->start.at < victim->phase_count) {
                svs__tree_phase *before = &victim->phases[phase->start.at];
                phase->parent = (uint32_t)phase->start.at;
                if (before->resumed_by != SVS__TREE_NONE) continue;
                before->resumed_by = w;
                before->resumed_phase = p;
            }
        }
    }
}

static bool allocate_steals(svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++) {
        svs__tree_worker *of = &tree->worker[w];
        uint32_t first = 0;
        if (of->steal_count == 0) continue;
        of->steals = allocate_array(&tree->allocator, of->steal_count, sizeof *of->steals);
        if (of->steals == NULL) return false;
        for (uint32_t p = 0; p < of->phase_count; p++) {
            of->phases[p].steal_first = first;
            first += of->phases[p].steal_count;
            of->phases[p].steal_count = 0; /* link_steals() counts them again */
        }
        SVS__ASSERT(first == of->steal_count);
    }
    return true;
}

static int compare_steals(const void *left, const void *right) {
    const svs__tree_steal *a = left, *b = right;
    if (a->ordinal != b->ordinal) return a->ordinal < b->ordinal ? -1 : 1;
    if (a->thief != b->thief) return a->thief < b->thief ? -1 : 1;
    return a->phase < b->phase ? -1 : a->phase > b->phase;
}

/* Enters each steal into the steals of its parent phase (stealtree.T3). */
static void link_steals(svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++) {
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++) {
            const svs__tree_phase *phase = &tree->worker[w].phases[p];
            svs__tree_worker *victim = &tree->worker[phase->start.victim];
            svs__tree_phase *from;
            if (phase->start.kind != SVS__PHASE_STOLEN || phase->parent == SVS__TREE_NONE) continue;
            from = &victim->phases[phase->parent];
            victim->steals[from->steal_first + from->steal_count++] =
                (svs__tree_steal){phase->start.at, w, p};
        }
    }
    for (uint32_t w = 0; w < tree->workers; w++) {
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++) {
            const svs__tree_phase *phase = &tree->worker[w].phases[p];
            if (phase->steal_count > 1)
                qsort(&tree->worker[w].steals[phase->steal_first], phase->steal_count,
                      sizeof(svs__tree_steal), compare_steals);
        }
    }
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
static bool phase_is_valid(const svs__tree_worker *of, uint32_t at) {
    const svs__tree_phase *phase = &of->phases[at], *outer;
    if (phase->end < phase->start.ordinal || phase->end_ns < phase->begin_ns) return false;
    /* stealtree.T1 */
    if (at != 0 &&
        (phase[-1].begin_ns > phase->begin_ns || phase[-1].start.ordinal > phase->start.ordinal))
        return false;
    if (phase->enclosing == SVS__TREE_NONE) return true;
    if (phase->enclosing >= at) return false;
    /* stealtree.T2 */
    outer = &of->phases[phase->enclosing];
    return outer->end >= phase->end && outer->end_ns >= phase->end_ns;
}

static bool steals_are_valid(const svs__steal_tree *tree, uint32_t worker, uint32_t at) {
    const svs__tree_worker *of = &tree->worker[worker];
    const svs__tree_phase *phase = &of->phases[at];
    if (phase->steal_count == 0) return true;
    if (phase->steal_first + phase->steal_count > of->steal_count) return false;
    for (uint32_t s = phase->steal_first; s < phase->steal_first + phase->steal_count; s++) {
        if (svs__tree_phase_of(tree, worker, of->steals[s].ordinal) != at) return false;
        if (s != phase->steal_first && of->steals[s - 1].ordinal > of->steals[s].ordinal)
            return false;
    }
    return true;
}

bool svs__tree_is_valid(const svs__steal_tree *tree) {
    for (uint32_t w = 0; w < tree->workers; w++)
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++)
            /* stealtree.T1, stealtree.T2, stealtree.T3 */
            if (!phase_is_valid(&tree->worker[w], p) || !steals_are_valid(tree, w, p)) return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */

static svs_status read_all(const svs_trace *trace, svs__steal_tree *tree,
                           const svs__message *message) {
    for (uint32_t w = 0; w < tree->workers; w++) {
        svs__tree_worker *of = &tree->worker[w];
        /* relaxed: a trace does not change. */
        uint64_t phases = svs__load_relaxed(&trace->streams[w].phases);
        svs_status status;
        if (phases >= SVS__TREE_NONE)
            return svs__message_set(message, SVS_E_TRACE, "worker %u has %llu phases: too many", w,
                                    (unsigned long long)phases);
        if (phases != 0) {
            of->phases = allocate_array(&tree->allocator, (uint32_t)phases, sizeof *of->phases);
            if (of->phases == NULL) return svs__message_status(message, SVS_E_NO_MEMORY);
            of->phase_count = (uint32_t)phases;
        }
        status = read_phases(trace, of, w, message);
        if (status) return status;
        sum_inner(of);
    }
    link_parents(tree);
    if (!allocate_steals(tree)) return svs__message_status(message, SVS_E_NO_MEMORY);
    link_steals(tree);
    SVS__ASSERT_SLOW(svs__tree_is_valid(tree)); /* stealtree.T1, stealtree.T2, stealtree.T3 */
    return SVS_OK;
}

svs_status svs__tree_new(const svs_trace *trace, svs__steal_tree **tree, char *text, size_t size) {
    svs__message message = {text, size};
    svs__steal_tree *made =
        svs__allocate_zeroed(&trace->allocator, sizeof *made, alignof(svs__steal_tree));
    svs_status status;
    *tree = NULL;
    if (made == NULL) return svs__message_status(&message, SVS_E_NO_MEMORY);
    made->allocator = trace->allocator;
    made->policy = trace->policy;
    made->workers = trace->workers;
    made->duration_ns = trace->duration_ns;
    made->graphs = trace->names.size != 0;
    made->worker = svs__allocate_zeroed(&trace->allocator, made->workers * sizeof *made->worker,
                                        alignof(svs__tree_worker));
    status = made->worker == NULL ? svs__message_status(&message, SVS_E_NO_MEMORY)
                                  : read_all(trace, made, &message);
    if (status == SVS_OK) *tree = made;
    else svs__tree_free(made);
    return status;
}
