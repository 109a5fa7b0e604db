#include "base/sized.h"
#include "stealtree/kept.h"
#include "stealtree/mailbox.h"
#include "worksteal/finish.h"
#include "worksteal/runtime.h"
#include "worksteal/workfirst.h"
#include <svs/retain.h>

/* Number of failed attempts after which a worker steals while there is kept work: before, the other
 * workers usually have kept work ahead of them, and need the CPU for it. */
#define PATIENCE 256u
/* A worker without work yields the CPU once in YIELD_EACH attempts. */
#define YIELD_EACH 8u

/* The state of one worker. */
typedef struct place {
    svs__mailbox mailbox;
    /* paths of the stolen or kept asyncs that the worker has run */
    alignas(SVS__CACHE_LINE) uint64_t *paths;
    uint32_t count, capacity;
    bool lost;      /* a path was lost for lack of memory */
    uint32_t looks; /* number of attempts without work since the worker last had some */
    uint64_t kept, steals;
} place;

struct svs_retained {
    svs__guide guide; /* first member: its address is passed to the workers' calls */
    svs__observer observer;
    svs_runtime *runtime;
    svs__kept_steals table;
    place *places;
    uint32_t root; /* the worker that began the first iteration */
    svs_retained_statistics last;
};

static svs_retained *of(svs__guide *guide) { return (svs_retained *)(void *)guide; }

/* ---- recording ---- */

static void phase_begins(svs__observer *observer, uint32_t worker, const svs__phase_start *start) {
    svs_retained *r = (svs_retained *)(void *)((char *)observer - offsetof(svs_retained, observer));
    place *p = &r->places[worker];
    void *paths = p->paths;
    /* Once there is a table, the worker of the root does not change, and other workers read it. */
    if (start->kind == SVS__PHASE_ROOT && r->table.entries == NULL) r->root = worker;
    if (start->kind != SVS__PHASE_STOLEN) return;
    if (svs__kept_worker(&r->table, start->at) == worker) p->kept++;
    else p->steals++;
    if (!svs__grow(svs__runtime_allocator(r->runtime), &paths, &p->capacity, p->count + 1,
                   sizeof *p->paths)) {
        p->lost = true;
        return;
    }
    p->paths = paths;
    p->paths[p->count++] = start->at;
}

static void phase_ends(svs__observer *observer, uint32_t worker, uint64_t ordinal, bool suspended) {
    (void)observer, (void)worker, (void)ordinal, (void)suspended;
}

/* ---- the guide ---- */

static bool wants(svs__guide *guide, svs__worker *worker, uint64_t path) {
    uint32_t kept = svs__kept_worker(&of(guide)->table, path);
    return kept != SVS__KEPT_NONE && kept != worker->index;
}

static void run_letter(svs__worker *worker, const svs__letter *letter) {
    if (letter->slot != NULL) svs__finish_run_stolen(worker, letter->from, letter->slot);
    else svs__workfirst_resume(worker, letter->from, letter->stack);
}

static bool take(svs__guide *guide, svs__worker *worker, uint64_t path, svs__slot *slot,
                 svs__stack *stack) {
    svs_retained *r = of(guide);
    svs__letter letter = {worker, slot, stack};
    place *to = &r->places[svs__kept_worker(&r->table, path)];
    if (!svs__mailbox_put(&to->mailbox, svs__runtime_allocator(r->runtime), &letter)) return false;
    svs__runtime_notify(r->runtime, UINT32_MAX);
    return true;
}

/* Called when the worker has found no work. @return whether it may take other workers' work now. */
static bool look_on(svs_retained *r, svs__worker *worker) {
    place *mine = &r->places[worker->index];
    if (r->table.entries == NULL) return true;
    if (++mine->looks % YIELD_EACH == 0) svs__yield();
    return mine->looks > PATIENCE;
}

static bool run_own(svs_retained *r, svs__worker *worker) {
    place *mine = &r->places[worker->index];
    svs__letter letter;
    if (!svs__mailbox_get(&mine->mailbox, &letter)) return false;
    mine->looks = 0;
    run_letter(worker, &letter);
    mine->looks = 0;
    return true;
}

/* Runs work that is kept for another worker and has not begun. */
static bool run_others(svs_retained *r, svs__worker *worker) {
    uint32_t threads = r->runtime->options.threads;
    for (uint32_t i = 1; i < threads; i++) {
        svs__letter letter;
        if (!svs__mailbox_get(&r->places[(worker->index + i) % threads].mailbox, &letter)) continue;
        run_letter(worker, &letter);
        r->places[worker->index].looks = 0;
        return true;
    }
    return false;
}

static bool run(svs__guide *guide, svs__worker *worker) {
    svs_retained *r = of(guide);
    return run_own(r, worker) || (look_on(r, worker) && run_others(r, worker));
}

/* Withdraws a child that its worker has not begun after PATIENCE attempts. */
static bool run_waiting(svs__guide *guide, svs__worker *worker, svs__slot *base, svs__slot *last) {
    svs_retained *r = of(guide);
    if (!look_on(r, worker)) return false;
    while (last-- != base) {
        uint32_t kept = svs__kept_worker(&r->table, last->ordinal);
        if (kept == SVS__KEPT_NONE || !svs__state_waits(svs__load_relaxed(SVS__SLOT_STATE(last))) ||
            !svs__mailbox_withdraw(&r->places[kept].mailbox, last))
            continue; /* relaxed: the withdrawal decides */
        svs__finish_run_stolen(worker, worker, last);
        r->places[worker->index].looks = 0;
        return true;
    }
    return false;
}

static bool ready(svs__guide *guide, svs__worker *worker) {
    svs_retained *r = of(guide);
    for (uint32_t i = 0; i < r->runtime->options.threads; i++) /* relaxed: get() decides */
        if (svs__load_relaxed(&r->places[i].mailbox.waiting) != 0) return true;
    (void)worker;
    return false;
}

static bool steals(svs__guide *guide, svs__worker *worker) {
    svs_retained *r = of(guide);
    return r->table.entries == NULL || r->places[worker->index].looks > PATIENCE;
}

static bool roots(svs__guide *guide, svs__worker *worker) {
    svs_retained *r = of(guide);
    return r->table.entries == NULL || r->root == worker->index;
}

/* ---- iterations ---- */

svs_status svs_retained_new(svs_runtime *runtime, svs_retained **retained) {
    const svs_allocator *allocator;
    svs_retained *made;
    if (runtime == NULL || retained == NULL)
        return svs__refuse(runtime == NULL ? NULL : svs__runtime_log(runtime), SVS_E_NULL,
                           "svs_retained_new: the %s missing: pass one",
                           runtime == NULL ? "runtime is" : "place for what is retained is");
    *retained = NULL;
    allocator = svs__runtime_allocator(runtime);
    made = svs__allocate_zeroed(allocator, sizeof *made, alignof(svs_retained));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->places =
        svs__allocate_zeroed(allocator, runtime->options.threads * sizeof(place), alignof(place));
    if (made->places == NULL) {
        svs__release(allocator, made, sizeof *made, alignof(svs_retained));
        return SVS_E_NO_MEMORY;
    }
    made->guide = (svs__guide){.paths = true,
                               .wants = wants,
                               .take = take,
                               .run = run,
                               .ready = ready,
                               .steals = steals,
                               .run_waiting = run_waiting,
                               .roots = roots};
    made->observer = (svs__observer){phase_begins, phase_ends, NULL, NULL};
    made->runtime = runtime;
    svs__runtime_hold(runtime);
    *retained = made;
    return SVS_OK;
}

svs_status svs_retained_free(svs_retained *retained) {
    const svs_allocator *allocator;
    svs_runtime *runtime;
    if (retained == NULL) return SVS_OK;
    runtime = retained->runtime;
    if (svs__runtime_is_forked(runtime))
        return svs__refuse(svs__runtime_log(runtime), SVS_E_FORKED, "svs_retained_free: %s",
                           svs_status_text(SVS_E_FORKED));
    allocator = svs__runtime_allocator(runtime);
    for (uint32_t i = 0; i < runtime->options.threads; i++) {
        place *p = &retained->places[i];
        svs__mailbox_clean_up(&p->mailbox, allocator);
        svs__array_release(allocator, p->paths, p->capacity, sizeof *p->paths);
    }
    svs__kept_clean_up(&retained->table, allocator);
    svs__release(allocator, retained->places, runtime->options.threads * sizeof(place),
                 alignof(place));
    svs__release(allocator, retained, sizeof *retained, alignof(svs_retained));
    svs__runtime_unhold(runtime);
    return SVS_OK;
}

/* Sums up the iteration. @return number of paths to keep, or UINT64_MAX when one was lost. */
static uint64_t count_paths(svs_retained *r) {
    uint64_t paths = 0;
    bool lost = false;
    r->last.kept = r->last.steals = 0;
    for (uint32_t i = 0; i < r->runtime->options.threads; i++) {
        place *p = &r->places[i];
        paths += p->count;
        lost |= p->lost;
        r->last.kept += p->kept;
        r->last.steals += p->steals;
    }
    return lost ? UINT64_MAX : paths;
}

/* Prepares the next iteration. */
static svs_status keep(svs_retained *r) {
    const svs_allocator *allocator = svs__runtime_allocator(r->runtime);
    uint64_t paths = count_paths(r);
    bool made;
    svs__kept_clean_up(&r->table, allocator);
    made = paths != UINT64_MAX && svs__kept_init(&r->table, allocator, paths);
    for (uint32_t i = 0; i < r->runtime->options.threads; i++) {
        place *p = &r->places[i];
        for (uint32_t at = 0; made && at < p->count; at++)
            svs__kept_put(&r->table, p->paths[at], i);
        p->count = 0;
        p->kept = p->steals = 0;
        p->looks = 0;
        p->lost = false;
    }
    r->last.iterations++;
    r->last.fragments = r->table.count;
    r->last.bytes = r->table.entries == NULL ? 0 : (r->table.mask + 1) * sizeof(svs__kept_entry);
    return made ? SVS_OK : SVS_E_NO_MEMORY;
}

svs_status svs_retained_run(svs_retained *retained, svs_async_function *root, void *argument) {
    svs_runtime *runtime;
    svs_status status, kept;
    if (retained == NULL || root == NULL)
        return svs__refuse(retained == NULL ? NULL : svs__runtime_log(retained->runtime),
                           SVS_E_NULL, "svs_retained_run: the %s missing: pass one",
                           retained == NULL ? "retained tree is" : "function is");
    runtime = retained->runtime;
    if (runtime->observer != NULL || svs__runtime_guided(runtime) != NULL)
        return svs__refuse(svs__runtime_log(runtime), SVS_E_BUSY,
                           "svs_retained_run: the runtime is traced or replayed, or another "
                           "iteration runs: end that first");
    status = svs__runtime_observe(runtime, &retained->observer);
    if (status) return status;
    status = svs__runtime_guide(runtime, &retained->guide);
    if (status == SVS_E_INVALID)
        (void)svs__refuse(svs__runtime_log(runtime), status,
                          "svs_retained_run: retention needs all workers: make a runtime without "
                          "external_threads");
    if (status == SVS_OK) status = svs_async_run(runtime, root, argument);
    (void)svs__runtime_guide(runtime, NULL);
    (void)svs__runtime_observe(runtime, NULL);
    kept = keep(retained);
    return status ? status : kept;
}

svs_status svs_retained_statistics_get_sized(const svs_retained *retained,
                                             svs_retained_statistics *statistics, size_t size) {
    if (retained == NULL || statistics == NULL)
        return svs__refuse(retained == NULL ? NULL : svs__runtime_log(retained->runtime),
                           SVS_E_NULL, "svs_retained_statistics_get: the %s missing: pass one",
                           retained == NULL ? "retained tree is" : "place for the statistics is");
    svs__output_put(statistics, size, &retained->last, sizeof retained->last);
    return SVS_OK;
}
