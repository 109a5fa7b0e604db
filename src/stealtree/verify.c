#include "stealtree/verify.h"
#include "stealtree/message.h"
#include "stealtree/stream.h"

typedef unsigned long long ull;

typedef struct check {
    const svs__steal_tree *tree;
    const svs__message *message;
    uint32_t worker, phase; /* the phase that is being checked */
} check;

static const svs__tree_phase *at(const check *c) {
    return &c->tree->worker[c->worker].phases[c->phase];
}

/* Sets the error text of the phase that is being checked. @return SVS_E_TRACE. */
#define WRONG(c, format, ...)                                                                      \
    svs__message_set((c)->message, SVS_E_TRACE, "worker %u, phase %u: " format, (c)->worker,       \
                     (c)->phase, __VA_ARGS__)

/* Checks stealtree.V1. */
static svs_status check_whole(const check *c) {
    uint64_t lost = 0;
    for (uint32_t w = 0; w < c->tree->workers; w++) lost += c->tree->worker[w].lost;
    if (lost == 0) return SVS_OK;
    return svs__message_set(c->message, SVS_E_TRACE,
                            "the trace is not whole: %llu beginnings and ends of phases did not "
                            "fit into its memory",
                            (ull)lost);
}

/* Checks stealtree.V3 to stealtree.V5. */
static svs_status check_stolen(const check *c) {
    const svs__tree_phase *phase = at(c), *parent = svs__tree_parent(c->tree, phase);
    const svs__tree_steal *steal;
    if (phase->start.victim == c->worker)
        return WRONG(c, "began with a theft of async %llu from its own worker",
                     (ull)phase->start.at);
    if (parent == NULL)
        return WRONG(c, "stole async %llu of worker %u, which is in none of its phases",
                     (ull)phase->start.at, phase->start.victim);
    /* If the async was stolen several times, this finds the first steal. */
    steal = svs__tree_steal_of(c->tree, phase->start.victim, phase->parent, phase->start.at);
    if (steal->thief != c->worker || steal->phase != c->phase)
        return WRONG(
            c, "stole async %llu of worker %u, which phase %u of worker %u had stolen already",
            (ull)phase->start.at, phase->start.victim, steal->phase, steal->thief);
    if (phase->begin_ns < parent->begin_ns)
        return WRONG(
            c,
            "began %llu ns into the trace, before phase %u of worker %u that it stole from "
            "(%llu ns)",
            (ull)phase->begin_ns, phase->parent, phase->start.victim, (ull)parent->begin_ns);
    return SVS_OK;
}

/* Checks stealtree.V5 and stealtree.V6. */
static svs_status check_resumed(const check *c) {
    const svs__tree_phase *phase = at(c), *parent = svs__tree_parent(c->tree, phase);
    if (parent == NULL)
        return WRONG(c, "resumes phase %llu of worker %u, which does not exist",
                     (ull)phase->start.at, phase->start.victim);
    if (!parent->suspended)
        return WRONG(c, "resumes phase %llu of worker %u, which was not suspended",
                     (ull)phase->start.at, phase->start.victim);
    if (parent->resumed_by != c->worker || parent->resumed_phase != c->phase)
        return WRONG(c, "resumes phase %llu of worker %u, as phase %u of worker %u did already",
                     (ull)phase->start.at, phase->start.victim, parent->resumed_phase,
                     parent->resumed_by);
    if (phase->begin_ns < parent->begin_ns)
        return WRONG(c,
                     "began %llu ns into the trace, before phase %u of worker %u that it resumes "
                     "(%llu ns)",
                     (ull)phase->begin_ns, phase->parent, phase->start.victim,
                     (ull)parent->begin_ns);
    return SVS_OK;
}

static svs_status check_phase(const check *c) {
    const svs__tree_phase *phase = at(c);
    if (phase->open) return WRONG(c, "has not ended%s", "");
    if (phase->suspended && c->tree->policy == SVS_POLICY_HELP_FIRST)
        return WRONG(c, "was suspended, under help-first%s", "");
    if (phase->suspended && phase->resumed_by == SVS__TREE_NONE)
        return WRONG(c, "was suspended, and nothing went on after it%s", "");
    if (phase->start.kind == SVS__PHASE_STOLEN) return check_stolen(c);
    if (phase->start.kind == SVS__PHASE_RESUMED) return check_resumed(c);
    return SVS_OK;
}

static svs_status check_phases(const check *all) {
    check c = *all;
    for (c.worker = 0; c.worker < c.tree->workers; c.worker++) {
        for (c.phase = 0; c.phase < c.tree->worker[c.worker].phase_count; c.phase++) {
            svs_status status = check_phase(&c);
            if (status) return status;
        }
    }
    return SVS_OK;
}

/* ---- stealtree.V2, stealtree.V7: the paths to the roots ---- */

enum { UNSEEN, ON_THE_WAY, ROOTED };

typedef struct ways {
    uint64_t *first; /* for each worker, the index of its first phase in `seen` */
    unsigned char *seen;
    uint64_t total;
} ways;

static unsigned char *seen_of(const ways *w, const check *c) {
    return &w->seen[w->first[c->worker] + c->phase];
}

/* Moves to the parent. @return false at a root. */
static bool up(check *c) {
    const svs__tree_phase *phase = at(c);
    if (phase->start.kind == SVS__PHASE_ROOT) return false;
    c->worker = phase->start.victim;
    c->phase = phase->parent;
    return true;
}

/* Follows the parents to a root, or to a phase with a known path; then marks the path. Visits each
 * phase twice in all. */
static svs_status check_way(const ways *w, const check *from) {
    check c = *from;
    while (*seen_of(w, &c) == UNSEEN) {
        *seen_of(w, &c) = ON_THE_WAY;
        if (!up(&c)) break;
    }
    if (*seen_of(w, &c) == ON_THE_WAY && at(&c)->start.kind != SVS__PHASE_ROOT)
        return WRONG(&c, "is its own ancestor%s", "");
    for (c = *from; *seen_of(w, &c) == ON_THE_WAY;) {
        *seen_of(w, &c) = ROOTED;
        if (!up(&c)) break;
    }
    return SVS_OK;
}

static svs_status check_all_ways(const ways *w, const check *all) {
    check c = *all;
    for (c.worker = 0; c.worker < c.tree->workers; c.worker++) {
        for (c.phase = 0; c.phase < c.tree->worker[c.worker].phase_count; c.phase++) {
            svs_status status = check_way(w, &c);
            if (status) return status;
        }
    }
    return SVS_OK;
}

static svs_status check_roots(const check *c) {
    const svs_allocator *allocator = &c->tree->allocator;
    size_t first_bytes = c->tree->workers * sizeof(uint64_t);
    ways w = {0};
    svs_status status;
    w.first = svs__allocate(allocator, first_bytes, alignof(uint64_t));
    if (w.first == NULL) return svs__message_status(c->message, SVS_E_NO_MEMORY);
    for (uint32_t i = 0; i < c->tree->workers; i++) {
        w.first[i] = w.total;
        w.total += c->tree->worker[i].phase_count;
    }
    if (w.total == 0) {
        status = c->tree->graphs ? SVS_OK
                                 : svs__message_set(c->message, SVS_E_TRACE,
                                                    "the trace has neither a phase nor a graph");
    } else if ((w.seen = svs__allocate_zeroed(allocator, w.total, 1)) == NULL) {
        status = svs__message_status(c->message, SVS_E_NO_MEMORY);
    } else {
        status = check_all_ways(&w, c);
        svs__release(allocator, w.seen, w.total, 1);
    }
    svs__release(allocator, w.first, first_bytes, alignof(uint64_t));
    return status;
}

svs_status svs__tree_verify(const svs__steal_tree *tree, char *text, size_t size) {
    svs__message message = {text, size};
    check c = {tree, &message, 0, 0};
    svs_status status = check_whole(&c);
    if (status == SVS_OK) status = check_phases(&c);
    /* The roots are checked last: this requires that each phase has the parent that it names. */
    if (status == SVS_OK) status = check_roots(&c);
    return status;
}

svs_status svs__tree_new_verified(const svs_trace *trace, svs__steal_tree **tree, char *text,
                                  size_t size) {
    svs_status status;
    *tree = NULL;
    if (trace == NULL) return SVS_E_NULL;
    status = svs__tree_new(trace, tree, text, size);
    if (status) return status;
    status = svs__tree_verify(*tree, text, size);
    if (status == SVS_OK) return SVS_OK;
    svs__tree_free(*tree);
    *tree = NULL;
    return status;
}

svs_status svs_trace_verify(const svs_trace *trace, char *text, size_t size) {
    svs__message message = {text, size};
    svs__steal_tree *tree;
    svs_status status;
    if (trace == NULL)
        return svs__message_set(&message, SVS_E_NULL, "svs_trace_verify: no trace: pass one");
    status = svs__tree_new_verified(trace, &tree, text, size);
    svs__tree_free(tree);
    return status;
}

uint64_t svs__paper_bytes(uint32_t policy, uint64_t phases, uint64_t steals,
                          const svs__paper_sizes *sizes) {
    uint64_t of_steal = sizes->v + sizes->m;
    if (policy == SVS_POLICY_HELP_FIRST) of_steal += sizes->k;
    return sizes->v * phases + of_steal * steals;
}
