/* svs_explain(): what the declarations of tasks cost, by a sample of footprints. */
#include <svs/explain.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "sched/domain/observe/sample.h"
#include "sched/graph/refusals.h"

#define MOST 2048u
#define NONE UINT32_MAX

/* ---- text ---- */

typedef struct bounded_text {
    char *at;
    size_t left; /* room left, including the end of the string */
    bool cut;
} bounded_text;

static void say(bounded_text *t, const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(t->at, t->left, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= t->left) {
        t->cut = true;
        length = (int)(t->left - 1);
    }
    t->at += length;
    t->left -= (size_t)length;
}

/* ---- sets without a conflict ---- */

/* An element in the hash table of a division, with the set that holds it. The key of the table,
 * which is open-addressed, is the identity. */
typedef struct held {
    svs__identity identity;
    uint32_t set;     /* number of the set that holds the element; 0: none */
    uint32_t written; /* not 0: the set writes the element */
    /* the number of instances that name the element; the first of them; the first that conflicts
     * with that one */
    uint32_t instances, first, second;
    uint32_t first_mode, second_mode;
} held;

typedef struct division {
    const svs_allocator *allocator;
    const svs__task_sample *of;
    held *table;
    uint32_t *at; /* the index of each element in the table */
    bool *placed; /* for each instance: whether it is in a set */
    uint32_t bits;
    uint32_t without; /* the declaration to leave out, or NONE */
} division;

static size_t place_of(const division *d, svs__identity identity) {
    uint64_t hash = ((uintptr_t)identity.what * UINT64_C(0x9E3779B97F4A7C15) ^ identity.index) *
                    UINT64_C(0xBF58476D1CE4E5B9);
    size_t mask = ((size_t)1 << d->bits) - 1, at = (size_t)(hash >> 20) & mask;
    const held *h = &d->table[at];
    while (h->instances &&
           (h->identity.what != identity.what || h->identity.index != identity.index))
        h = &d->table[at = (at + 1) & mask];
    return at;
}

static uint32_t begin_of(const division *d, uint32_t instance) {
    return instance ? d->of->ends[instance - 1] : 0;
}

static void note(held *h, uint32_t instance, uint32_t mode) {
    if (h->instances && h->first == instance) {
        h->first_mode |= mode;
        return;
    }
    if (!h->instances++) {
        h->first = instance;
        h->first_mode = mode;
    } else if (h->second == NONE && (mode | h->first_mode)) {
        h->second = instance;
        h->second_mode = mode;
    }
}

/* Finds the place of each element, and the instances that name it. */
static void fill(division *d) {
    for (uint32_t i = 0; i < d->of->end_count; i++)
        for (uint32_t k = begin_of(d, i); k < d->of->ends[i]; k++) {
            const svs__sampled *e = &d->of->elements[k];
            held *h = &d->table[d->at[k] = (uint32_t)place_of(d, e->identity)];
            if (!h->instances) {
                h->identity = e->identity;
                h->second = NONE;
            }
            note(h, i, e->mode);
        }
}

/* Whether the instance accesses everything: it has an element without an identity. Such an instance
 * is alone in its set. */
static bool is_everything(const division *d, uint32_t instance) {
    for (uint32_t k = begin_of(d, instance); k < d->of->ends[instance]; k++)
        if (!d->of->elements[k].identity.what && d->of->elements[k].declaration != d->without)
            return true;
    return false;
}

static bool fits(const division *d, uint32_t instance, uint32_t set) {
    for (uint32_t k = begin_of(d, instance); k < d->of->ends[instance]; k++) {
        const svs__sampled *e = &d->of->elements[k];
        const held *h = &d->table[d->at[k]];
        if (e->declaration != d->without && h->set == set && (e->mode || h->written)) return false;
    }
    return true;
}

static void hold(division *d, uint32_t instance, uint32_t set) {
    for (uint32_t k = begin_of(d, instance); k < d->of->ends[instance]; k++) {
        const svs__sampled *e = &d->of->elements[k];
        held *h = &d->table[d->at[k]];
        if (e->declaration == d->without) continue;
        h->written = e->mode | (h->set == set ? h->written : 0);
        h->set = set;
    }
}

/* Makes one more set, of the remaining instances that fit. @return the number of its instances. */
static uint32_t make_set(division *d, uint32_t set) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->of->end_count; i++) {
        bool alone;
        if (d->placed[i]) continue;
        alone = is_everything(d, i);
        if ((alone && count) || !fits(d, i, set)) continue;
        d->placed[i] = true;
        hold(d, i, set);
        count++;
        if (alone) break;
    }
    return count;
}

/* Divides the instances into sets. @return the number of sets. */
static uint32_t divide(division *d, uint32_t without) {
    uint32_t sets = 0, left = d->of->end_count;
    d->without = without;
    memset(d->placed, 0, left * sizeof *d->placed);
    for (size_t i = 0; i >> d->bits == 0; i++) d->table[i].set = 0;
    while (left) left -= make_set(d, ++sets);
    return sets;
}

static bool division_init(division *d, const svs_world *world, const svs__task_sample *of) {
    *d = (division){.allocator = world->allocator, .of = of, .bits = 4};
    while (UINT64_C(1) << d->bits < UINT64_C(2) * of->count) d->bits++;
    d->table = svs__allocate_zeroed(d->allocator, sizeof(held) << d->bits, _Alignof(held));
    d->at = svs__allocate(d->allocator, (of->count + 1) * sizeof *d->at, _Alignof(uint32_t));
    d->placed = svs__allocate(d->allocator, of->end_count * sizeof *d->placed, 1);
    return d->table && d->at && d->placed;
}

static void division_clean_up(division *d) {
    svs__release(d->allocator, d->table, sizeof(held) << d->bits, _Alignof(held));
    svs__release(d->allocator, d->at, (d->of->count + 1) * sizeof *d->at, _Alignof(uint32_t));
    svs__release(d->allocator, d->placed, d->of->end_count * sizeof *d->placed, 1);
}

/* ---- sentences ---- */

static const char *mode_name(uint32_t mode) { return mode == SVS_MODE_WRITE ? "writes" : "reads"; }

static const char *name_of(const svs__declaration *d) {
    const svs_space *space = d->what;
    const svs_type *type = d->what;
    switch (d->kind) {
    case SVS_KIND_INDEX: return space->name;
    case SVS_KIND_OBJECT: return type->name;
    case SVS_KIND_ADDRESS: return "addresses";
    default: return "everything";
    }
}

static void say_cost(bounded_text *t, division *d, uint32_t declaration, uint32_t sets) {
    const svs__declaration *it = &d->of->declarations[declaration];
    double factor = (double)sets / divide(d, declaration);
    say(t, "  %s %s%s: ", mode_name(it->mode), it->found ? "what is found from " : "", name_of(it));
    if (factor < 1.05) say(t, "without it the same\n");
    else say(t, "without it the mean width would be %.1f times larger\n", factor);
}

/* Whether more instances conflict on `a` than on `b`. If the numbers are equal, the element that
 * was named first wins. */
static bool is_hotter(const held *a, const held *b) {
    if (a->second == NONE || a->instances < 2) return false;
    if (!b || a->instances != b->instances) return !b || a->instances > b->instances;
    return a->first < b->first;
}

static const held *hottest(const division *d) {
    const held *most = NULL;
    for (size_t i = 0; i >> d->bits == 0; i++)
        if (is_hotter(&d->table[i], most)) most = &d->table[i];
    return most;
}

static void say_element(bounded_text *t, const division *d, const held *h) {
    uint32_t k = 0;
    while (&d->table[d->at[k]] != h) k++;
    const svs__declaration *it = &d->of->declarations[d->of->elements[k].declaration];
    if (!h->identity.what) say(t, "everything");
    else if (it->kind == SVS_KIND_INDEX) say(t, "%s[%" PRIu64 "]", name_of(it), h->identity.index);
    else if (it->kind == SVS_KIND_ADDRESS) say(t, "address %p", h->identity.what);
    else say(t, "%s %p", it->found ? "object" : name_of(it), h->identity.what);
}

static void say_task(bounded_text *t, division *d) {
    const svs__task_sample *of = d->of;
    uint32_t sets = divide(d, NONE);
    const held *most = hottest(d);
    say(t, "task %s: %" PRIu32 " instances, mean width %.1f\n", of->task->type->name, of->end_count,
        (double)of->end_count / sets);
    for (uint32_t i = 0; i < of->declaration_count && sets > 1; i++) say_cost(t, d, i, sets);
    if (!most) return;
    say(t, "  %" PRIu32 " instances contend for ", most->instances);
    say_element(t, d, most);
    say(t, ", as instance %" PRIu32 " (%s) and instance %" PRIu32 " (%s)\n", most->first,
        mode_name(most->first_mode), most->second, mode_name(most->second_mode));
}

/* The number of bodies whose work one item must contain, so that all workers are faster than one.
 * In addition to the time of its body, an instance takes `shared` if all workers share the
 * instances, and `alone` if one worker runs them. Sharing saves the time `saved` for each body. */
static uint64_t worth_of(const svs__costs *c, uint32_t threads) {
    double body = c->body ? c->body : 1, saved = body * (threads - 1) / threads;
    double shared = c->by_all - body / threads, alone = c->by_one - body;
    double bodies = (shared - alone) / saved;
    return bodies < 1 ? 2 : (uint64_t)bodies + 1;
}

/* Writes which way of running the task's instances was faster. */
static void say_way(bounded_text *t, const svs_graph *graph, const svs_task *task) {
    const svs__domain *domain = svs__node_of(task)->domain; /* NULL: the graph has changed */
    uint32_t threads = graph->run.env.threads;
    svs__costs c;
    if (threads < 2 || !domain || !domain->algorithm->costs) return;
    if (!domain->algorithm->costs(domain, task, &c) || !c.alone) return;
    say(t,
        "  one worker runs them: an instance takes %" PRIu32 " ns, and %" PRIu32
        " ns if all workers share them. Its body takes %" PRIu32 " ns: with the work of %" PRIu64
        " in one item, sharing is worth it\n",
        c.by_one, c.by_all, c.body, worth_of(&c, threads));
}

/* ---- the calls ---- */

svs_status svs_explain_begin(svs_graph *graph, uint32_t instances) {
    static const char call[] = "svs_explain_begin";
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    status = svs__graph_check_idle(graph, call);
    if (status) return status;
    svs__sample_free(graph->run.env.sample);
    graph->run.env.sample = svs__sample_new(graph->world, instances ? instances : MOST);
    if (graph->run.env.sample) return SVS_OK;
    return svs__graph_refuse(graph, call, SVS_E_NO_MEMORY, "no memory for the sample");
}

svs_status svs_explain(svs_graph *graph, char *to, size_t size) {
    static const char call[] = "svs_explain";
    const svs__sample *sample;
    bounded_text t = {to, size, false};
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    if (!to || !size)
        return svs__graph_refuse(graph, call, SVS_E_NULL, "no place for the text: pass an array");
    *to = '\0';
    status = svs__graph_check_idle(graph, call);
    if (status) return status;
    sample = graph->run.env.sample;
    if (!sample)
        return svs__graph_refuse(graph, call, SVS_E_STATE,
                                 "there is no sample: call svs_explain_begin() before a run");
    status = sample->status;
    say(&t, "explain %s:\n", graph->name);
    for (uint32_t i = 0; i < sample->task_count && !status; i++) {
        division d;
        if (!division_init(&d, graph->world, &sample->tasks[i])) status = SVS_E_NO_MEMORY;
        if (!status) {
            fill(&d);
            say_task(&t, &d);
            say_way(&t, graph, d.of->task);
        }
        division_clean_up(&d);
    }
    return status ? status : t.cut ? SVS_E_LIMIT : SVS_OK;
}

svs_status svs_explain_end(svs_graph *graph) {
    static const char call[] = "svs_explain_end";
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    status = svs__graph_check_idle(graph, call);
    if (status) return status;
    svs__sample_free(graph->run.env.sample);
    graph->run.env.sample = NULL;
    return SVS_OK;
}
