/* A runtime that only pretends: it takes random steps of several workers, tells an observer of them
 * as a runtime would, and keeps its own account of what it told. */
#ifndef SVS_TESTS_STEALTREE_FAKE_H
#define SVS_TESTS_STEALTREE_FAKE_H

#include "../base/helpers.h"
#include "base/random.h"
#include "stealtree/record.h"
#include "stealtree/verify.h"
#include <string.h>

#define FAKE_WORKERS 8
#define FAKE_PHASES 20000
#define FAKE_STEALS 20000
#define FAKE_DEPTH 40

typedef struct fake_steal {
    uint64_t ordinal;
    uint32_t thief, phase;
} fake_steal;

/* Of one phase: all that a trace is to tell of it, and what others may still take from it. */
typedef struct fake_phase {
    svs__phase_start start; /* as told: from the start of the runtime */
    uint64_t end;
    uint32_t enclosing;
    bool suspended;
    uint64_t loot; /* its newest async that was not stolen, plus one; 0: none */
    uint64_t own_asyncs;
    uint32_t steals;
} fake_phase;

typedef struct fake_worker {
    uint64_t first_ordinal, first_phase, ordinal;
    fake_phase *phases;
    uint32_t count;
    uint32_t open[FAKE_DEPTH];
    uint32_t depth;
    bool waits;         /* the innermost open phase does */
    fake_steal *steals; /* taken from it, in the order of the thefts */
    uint32_t steal_count;
    uint32_t *steal_from; /* which phase each was taken from */
} fake_worker;

typedef struct fake {
    svs__observer *observer;
    uint32_t policy, workers;
    uint64_t random;
    uint64_t told; /* events */
    uint64_t roots, stolen, resumed, nested;
    /* Phases that are suspended, by worker and phase. */
    uint32_t waiting[FAKE_WORKERS][2];
    uint32_t waiting_count;
    fake_worker worker[FAKE_WORKERS];
} fake;

static inline uint32_t fake_below(fake *f, uint32_t n) {
    svs__random random = {f->random};
    uint32_t value = svs__random_below(&random, n);
    f->random = random.state;
    return value;
}

static inline void fake_init(fake *f, uint64_t seed, uint32_t policy, uint32_t workers) {
    memset(f, 0, sizeof *f);
    f->random = seed;
    f->policy = policy;
    f->workers = workers;
    for (uint32_t w = 0; w < workers; w++) {
        fake_worker *of = &f->worker[w];
        of->phases = calloc(FAKE_PHASES, sizeof *of->phases);
        of->steals = calloc(FAKE_STEALS, sizeof *of->steals);
        of->steal_from = calloc(FAKE_STEALS, sizeof *of->steal_from);
        of->first_ordinal = of->ordinal = fake_below(f, 3) ? fake_below(f, 1u << 30) : 0;
        of->first_phase = fake_below(f, 3) ? fake_below(f, 1000) : 0;
    }
}

static inline void fake_free(fake *f) {
    for (uint32_t w = 0; w < f->workers; w++) {
        free(f->worker[w].phases);
        free(f->worker[w].steals);
        free(f->worker[w].steal_from);
    }
}

/* A recorder that watches it. */
static inline svs__recorder *fake_record(fake *f, const svs_allocator *allocator,
                                         size_t max_bytes) {
    svs__recorder *recorder = svs__recorder_new(allocator, f->policy, f->workers, max_bytes);
    assert_non_null(recorder);
    for (uint32_t w = 0; w < f->workers; w++)
        svs__recorder_base(recorder, w, f->worker[w].first_ordinal, f->worker[w].first_phase);
    f->observer = &recorder->observer;
    return recorder;
}

/* A phase that has others inside waits before, between and after them. */
static inline void fake_wait(fake *f, uint32_t worker, bool waits) {
    fake_worker *of = &f->worker[worker];
    if (of->waits != waits) f->observer->waits(f->observer, worker, waits);
    of->waits = waits;
}

static inline void fake_begin(fake *f, uint32_t worker, svs__phase_kind kind, uint32_t victim,
                              uint64_t at) {
    fake_worker *of = &f->worker[worker];
    fake_phase *phase = &of->phases[of->count];
    phase->start = (svs__phase_start){kind, victim, at, of->ordinal};
    phase->enclosing = of->depth == 0 ? UINT32_MAX : of->open[of->depth - 1];
    f->nested += of->depth != 0;
    if (of->depth != 0) fake_wait(f, worker, true);
    of->waits = false;
    of->open[of->depth++] = of->count++;
    f->told++;
    f->observer->phase_begins(f->observer, worker, &phase->start);
}

static inline void fake_end(fake *f, uint32_t worker, bool suspended) {
    fake_worker *of = &f->worker[worker];
    uint32_t index = of->open[of->depth - 1];
    fake_wait(f, worker, false);
    of->waits = --of->depth != 0;
    of->phases[index].end = of->ordinal;
    of->phases[index].suspended = suspended;
    of->phases[index].loot = 0;
    if (suspended) {
        f->waiting[f->waiting_count][0] = worker;
        f->waiting[f->waiting_count++][1] = index;
    }
    f->told++;
    f->observer->phase_ends(f->observer, worker, of->ordinal, suspended);
}

static inline void fake_spawn(fake *f, uint32_t worker) {
    fake_worker *of = &f->worker[worker];
    fake_phase *phase = &of->phases[of->open[of->depth - 1]];
    uint32_t more;
    fake_wait(f, worker, false);
    more = fake_below(f, 4) ? 1 + fake_below(f, 3) : fake_below(f, 100000);
    of->ordinal += more;
    phase->own_asyncs += more;
    if (more != 0) phase->loot = of->ordinal;
}

static inline void fake_steal_one(fake *f, uint32_t thief, uint32_t victim) {
    fake_worker *from = &f->worker[victim];
    uint32_t index, slot;
    uint64_t ordinal;
    if (from->depth == 0 || from->steal_count == FAKE_STEALS) return;
    index = from->open[fake_below(f, from->depth)];
    if (from->phases[index].loot == 0) return;
    ordinal = from->phases[index].loot - 1;
    from->phases[index].loot = 0;
    from->phases[index].steals++;
    slot = from->steal_count++;
    from->steals[slot] = (fake_steal){ordinal, thief, f->worker[thief].count};
    from->steal_from[slot] = index;
    f->stolen++;
    fake_begin(f, thief, SVS__PHASE_STOLEN, victim, ordinal);
}

static inline void fake_resume(fake *f, uint32_t worker) {
    uint32_t which = fake_below(f, f->waiting_count);
    uint32_t victim = f->waiting[which][0], phase = f->waiting[which][1];
    f->waiting_count--;
    f->waiting[which][0] = f->waiting[f->waiting_count][0];
    f->waiting[which][1] = f->waiting[f->waiting_count][1];
    f->resumed++;
    fake_begin(f, worker, SVS__PHASE_RESUMED, victim, f->worker[victim].first_phase + phase);
}

/* One step of a worker. */
static inline void fake_step(fake *f) {
    uint32_t worker = fake_below(f, f->workers), what = fake_below(f, 10);
    fake_worker *of = &f->worker[worker];
    bool may_begin = of->count < FAKE_PHASES && of->depth < FAKE_DEPTH &&
                     (of->depth == 0 || f->policy == SVS_POLICY_HELP_FIRST);
    if (may_begin && f->told == 0) {
        f->roots++;
        fake_begin(f, worker, SVS__PHASE_ROOT, 0, 0);
    } else if (may_begin && f->waiting_count != 0 && what < 3) {
        fake_resume(f, worker);
    } else if (may_begin && what < 5) {
        uint32_t victim = fake_below(f, f->workers);
        if (victim != worker) fake_steal_one(f, worker, victim);
    } else if (may_begin && what == 5 && fake_below(f, 20) == 0) {
        f->roots++;
        fake_begin(f, worker, SVS__PHASE_ROOT, 0, 0);
    } else if (of->depth != 0 && what < 9) {
        fake_spawn(f, worker);
    } else if (of->depth != 0) {
        bool may_wait = f->policy == SVS_POLICY_WORK_FIRST && f->waiting_count < FAKE_WORKERS;
        fake_end(f, worker, may_wait && fake_below(f, 3) == 0);
    }
}

/* Steps, and then everything ends. */
static inline void fake_run(fake *f, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i++) fake_step(f);
    if (f->told == 0) {
        f->roots++;
        fake_begin(f, 0, SVS__PHASE_ROOT, 0, 0);
    }
    for (uint32_t w = 0; w < f->workers; w++)
        while (f->worker[w].depth != 0) fake_end(f, w, false);
    while (f->waiting_count != 0) {
        fake_resume(f, 0);
        fake_end(f, 0, false);
    }
}

/* ---- the tree against the recorded events ---- */

static inline void fake_compare_steals(const fake *f, const svs__steal_tree *tree, uint32_t w,
                                       uint32_t p) {
    const fake_worker *of = &f->worker[w];
    const svs__tree_phase *phase = &tree->worker[w].phases[p];
    uint32_t found = 0;
    for (uint32_t s = 0; s < of->steal_count; s++) {
        const svs__tree_steal *steal;
        uint64_t ordinal = of->steals[s].ordinal - of->first_ordinal;
        if (of->steal_from[s] != p) continue;
        found++;
        steal = svs__tree_steal_of(tree, w, p, ordinal);
        assert_non_null(steal);
        assert_int_equal(steal->thief, of->steals[s].thief);
        assert_int_equal(steal->phase, of->steals[s].phase);
        assert_int_equal(svs__tree_phase_of(tree, w, ordinal), p);
        assert_ptr_equal(svs__tree_parent(tree, svs__tree_stolen(tree, steal)), phase);
    }
    assert_int_equal(phase->steal_count, found);
    for (uint32_t s = 1; s < phase->steal_count; s++) {
        const svs__tree_steal *steals = &tree->worker[w].steals[phase->steal_first];
        assert_true(steals[s - 1].ordinal < steals[s].ordinal);
    }
}

static inline void fake_compare_phase(const fake *f, const svs__steal_tree *tree, uint32_t w,
                                      uint32_t p) {
    const fake_phase *told = &f->worker[w].phases[p];
    const svs__tree_phase *phase = &tree->worker[w].phases[p];
    const fake_worker *victim = &f->worker[told->start.victim];
    uint64_t first = told->start.kind == SVS__PHASE_STOLEN    ? victim->first_ordinal
                     : told->start.kind == SVS__PHASE_RESUMED ? victim->first_phase
                                                              : 0;
    assert_int_equal(phase->start.kind, told->start.kind);
    assert_int_equal(phase->start.victim, told->start.victim);
    assert_int_equal(phase->start.at, told->start.at - first);
    assert_int_equal(phase->start.ordinal, told->start.ordinal - f->worker[w].first_ordinal);
    assert_int_equal(phase->end, told->end - f->worker[w].first_ordinal);
    assert_int_equal(phase->enclosing, told->enclosing);
    assert_int_equal(phase->suspended, told->suspended);
    assert_false(phase->open);
    assert_true(phase->begin_ns <= phase->end_ns && phase->end_ns <= tree->duration_ns);
    assert_int_equal(svs__tree_own_asyncs(tree, w, p), told->own_asyncs);
    assert_true(phase->inner_ns + phase->waited_ns <= phase->end_ns - phase->begin_ns);
    fake_compare_steals(f, tree, w, p);
}

static inline void fake_compare(const fake *f, const svs__steal_tree *tree) {
    assert_int_equal(tree->policy, f->policy);
    assert_int_equal(tree->workers, f->workers);
    for (uint32_t w = 0; w < f->workers; w++) {
        assert_int_equal(tree->worker[w].phase_count, f->worker[w].count);
        assert_int_equal(tree->worker[w].steal_count, f->worker[w].steal_count);
        for (uint32_t p = 0; p < f->worker[w].count; p++) fake_compare_phase(f, tree, w, p);
    }
}

#endif
