/* The callbacks of an observer in random programs (hooks.O1 to hooks.O3): a history of each worker,
 * and all of them fit together. */
#include "programs.h"
#include "support.h"
#include "worksteal/events.h"

typedef enum event_kind { BEGINS, ENDS, WAITS, HAS_WAITED } event_kind;

typedef struct event {
    event_kind kind;
    svs__phase_start start; /* its ordinal: of the event, whatever kind it is */
    bool suspended;
} event;

#define WORKERS 8u
#define EVENTS 400000u

typedef struct history {
    event *events; /* plain: a worker's own thread makes its callbacks */
    uint32_t count;
} history;

typedef struct historian {
    svs__observer observer; /* first: the callbacks get its address */
    history workers[WORKERS];
} historian;

static event *next_event(svs__observer *observer, uint32_t worker, event_kind kind) {
    history *h = &((historian *)observer)->workers[worker];
    event *e = &h->events[h->count < EVENTS ? h->count++ : EVENTS - 1];
    e->kind = kind;
    return e;
}

static void phase_begins(svs__observer *observer, uint32_t worker, const svs__phase_start *start) {
    next_event(observer, worker, BEGINS)->start = *start;
}

static void phase_ends(svs__observer *observer, uint32_t worker, uint64_t ordinal, bool suspended) {
    event *e = next_event(observer, worker, ENDS);
    e->start.ordinal = ordinal;
    e->suspended = suspended;
}

static void waits(svs__observer *observer, uint32_t worker, bool begins) {
    (void)next_event(observer, worker, begins ? WAITS : HAS_WAITED);
}

static historian *historian_new(void) {
    historian *all = calloc(1, sizeof *all);
    assert_non_null(all);
    all->observer = (svs__observer){phase_begins, phase_ends, waits, NULL};
    for (uint32_t i = 0; i < WORKERS; i++) {
        all->workers[i].events = calloc(EVENTS, sizeof(event));
        assert_non_null(all->workers[i].events);
    }
    return all;
}

static void historian_free(historian *all) {
    for (uint32_t i = 0; i < WORKERS; i++) free(all->workers[i].events);
    free(all);
}

/* A phase as the history tells it. */
typedef struct phase {
    svs__phase_start start;
    uint64_t end;
    bool suspended, resumed;
} phase;

typedef struct life {
    phase *phases; /* by number */
    uint32_t count;
} life;

/* hooks.O2, hooks.O3: phases and waits are properly within each other; a phase that begins within
 * another one does so while that waits; ordinals never go back. */
static life live(const history *h, uint32_t policy) {
    struct {
        uint32_t phase;
        bool waits;
    } open[1000];
    life l = {calloc(h->count + 1, sizeof(phase)), 0};
    uint32_t depth = 0;
    uint64_t ordinal = 0;
    assert_non_null(l.phases);
    assert_true(h->count < EVENTS);
    for (uint32_t i = 0; i < h->count; i++) {
        const event *e = &h->events[i];
        if (e->kind == BEGINS || e->kind == ENDS) {
            assert_true(e->start.ordinal >= ordinal);
            ordinal = e->start.ordinal;
        }
        switch (e->kind) {
        case BEGINS:
            if (depth != 0) {
                assert_int_equal(policy, SVS_POLICY_HELP_FIRST);
                assert_true(open[depth - 1].waits);
                assert_int_equal(e->start.kind, SVS__PHASE_STOLEN);
            }
            assert_true(depth < sizeof open / sizeof *open);
            open[depth].phase = l.count;
            open[depth++].waits = false;
            l.phases[l.count++].start = e->start;
            break;
        case ENDS:
            assert_true(depth != 0 && !open[depth - 1].waits);
            l.phases[open[--depth].phase].end = e->start.ordinal;
            l.phases[open[depth].phase].suspended = e->suspended;
            if (e->suspended) assert_int_equal(policy, SVS_POLICY_WORK_FIRST);
            break;
        case WAITS:
        case HAS_WAITED:
            assert_int_equal(policy, SVS_POLICY_HELP_FIRST);
            assert_true(depth != 0);
            assert_int_equal(open[depth - 1].waits, e->kind == HAS_WAITED);
            open[depth - 1].waits = e->kind == WAITS;
            break;
        }
    }
    assert_int_equal(depth, 0);
    return l;
}

static int by_theft(const void *a, const void *b) {
    const svs__phase_start *x = *(svs__phase_start *const *)a, *y = *(svs__phase_start *const *)b;
    if (x->victim != y->victim) return x->victim < y->victim ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Was an async with that ordinal in one of the phases? */
static bool has_ordinal(const life *l, uint64_t at) {
    for (uint32_t i = 0; i < l->count; i++)
        if (l->phases[i].start.ordinal <= at && at < l->phases[i].end) return true;
    return false;
}

typedef struct totals {
    uint64_t roots, stolen, suspended;
} totals;

static totals fit_together(life *lives, uint32_t threads) {
    totals t = {0};
    uint32_t room = 0;
    svs__phase_start **thefts;
    for (uint32_t i = 0; i < threads; i++) room += lives[i].count;
    thefts = calloc(room + 1, sizeof *thefts);
    assert_non_null(thefts);
    for (uint32_t i = 0; i < threads; i++)
        for (uint32_t j = 0; j < lives[i].count; j++) {
            phase *p = &lives[i].phases[j], *from;
            t.suspended += p->suspended;
            if (p->start.kind == SVS__PHASE_ROOT) t.roots++;
            else assert_true(p->start.victim < threads);
            if (p->start.kind == SVS__PHASE_STOLEN) {
                assert_int_not_equal(p->start.victim, i);
                assert_true(has_ordinal(&lives[p->start.victim], p->start.at));
                thefts[t.stolen++] = &p->start;
            }
            if (p->start.kind == SVS__PHASE_RESUMED) {
                assert_true(p->start.at < lives[p->start.victim].count);
                from = &lives[p->start.victim].phases[p->start.at];
                assert_true(from->suspended && !from->resumed);
                from->resumed = true;
            }
        }
    for (uint32_t i = 0; i < threads; i++)
        for (uint32_t j = 0; j < lives[i].count; j++)
            assert_int_equal(lives[i].phases[j].suspended, lives[i].phases[j].resumed);
    qsort(thefts, t.stolen, sizeof *thefts, by_theft);
    for (uint64_t i = 1; i < t.stolen; i++)
        assert_int_not_equal(by_theft(&thefts[i - 1], &thefts[i]), 0);
    free(thefts);
    return t;
}

/* As many as the scale wants, and then until something was stolen. @return how many. */
static uint64_t run_programs(svs_runtime *runtime) {
    uint64_t count = 0, least = scaled(200, 10);
    while (count < least || (svs_runtime_threads(runtime) > 1 && steals_of(runtime) == 0)) {
        program p;
        count++;
        program_make(&p, count, count % 8 == 0 ? 5000 : 200);
        assert_int_equal(svs_async_run(runtime, program_run, &p), SVS_OK);
        program_free(&p);
    }
    return count;
}

static void expect_a_good_history(uint32_t policy, uint32_t threads, uint32_t spin_us) {
    svs_runtime *runtime = started_as(policy, threads, spin_us);
    historian *all = historian_new();
    uint64_t count;
    life lives[WORKERS];
    totals t;
    assert_int_equal(svs__runtime_observe(runtime, &all->observer), SVS_OK);
    count = run_programs(runtime);
    assert_int_equal(svs__runtime_observe(runtime, NULL), SVS_OK);
    for (uint32_t i = 0; i < threads; i++) lives[i] = live(&all->workers[i], policy);
    t = fit_together(lives, threads);
    print_message("%s, %u workers: %llu thefts, %llu suspended\n", policy_name(policy), threads,
                  (unsigned long long)t.stolen, (unsigned long long)t.suspended);
    assert_int_equal(t.roots, count);
    assert_int_equal(t.stolen, steals_of(runtime));
    for (uint32_t i = 0; i < threads; i++) free(lives[i].phases);
    historian_free(all);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void expect_good_histories(uint32_t policy) {
    for (uint32_t threads = 1; threads <= WORKERS; threads *= 2) {
        expect_a_good_history(policy, threads, 0);
        expect_a_good_history(policy, threads, 200);
    }
}

TEST_CASE(help_first_phases_fit_together) { expect_good_histories(SVS_POLICY_HELP_FIRST); }

TEST_CASE(work_first_phases_fit_together) { expect_good_histories(SVS_POLICY_WORK_FIRST); }

/* Observers, guides and watchers change only while nothing runs. */
static void change_inside(svs_async_context *async, void *argument) {
    svs_status *answers = argument;
    const svs__worker *worker = async->worker;
    answers[0] = svs__runtime_observe(worker->runtime, NULL);
    answers[1] = svs__runtime_guide(worker->runtime, NULL);
    answers[2] = svs__runtime_watch(worker->runtime, NULL);
}

TEST_CASE(a_running_runtime_takes_no_other_observer_or_guide) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_status answers[3] = {SVS_OK, SVS_OK, SVS_OK};
        assert_int_equal(svs__runtime_observe(NULL, NULL), SVS_E_NULL);
        assert_int_equal(svs__runtime_guide(NULL, NULL), SVS_E_NULL);
        assert_int_equal(svs__runtime_watch(NULL, NULL), SVS_E_NULL);
        assert_int_equal(svs_async_run(runtime, change_inside, answers), SVS_OK);
        for (int i = 0; i < 3; i++) assert_int_equal(answers[i], SVS_E_BUSY);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
