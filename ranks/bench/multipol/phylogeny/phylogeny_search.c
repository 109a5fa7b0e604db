/* The search that a rank makes with its stores. */
#include "phylogeny.h"

#include <stdlib.h>
#include <string.h>

/* A test takes as long as some dozens of these steps, and does without a success that is there. */
enum { AROUND_STEPS = 32 };

void search_init(search *s, const patterns *all) {
    *s = (search){.all = all};
    store_init(&s->failures);
    store_init(&s->successes);
}

void search_clean_up(search *s) {
    store_clean_up(&s->failures);
    store_clean_up(&s->successes);
}

/* ---- failures ---- */

bool search_fails(const search *s, const set *of) {
    SET_EACH(i, of)
    if (set_meets(&s->fails_with[i], of)) return true;
    return store_has_within(&s->failures, of);
}

/* [F1] `failed` is incompatible: a test has said so, on this rank or another one. */
bool search_add_failure(search *s, const set *failed) {
    uint32_t first = set_next(failed, 0), second = set_next(failed, first + 1);
    if (search_fails(s, failed)) return false;
    if (set_count(failed) != 2) {
        store_add(&s->failures, failed);
        return true;
    }
    set_add(&s->fails_with[first], second);
    set_add(&s->fails_with[second], first);
    s->failed_pairs++;
    return true;
}

/* ---- tasks ---- */

/* The patterns after the last one of the set that may be added to it. */
static set find_additions(const search *s, const set *to) {
    set found = {{0}};
    for (uint32_t i = set_end(to); i < s->all->count; i++) {
        set larger = set_with(*to, i);
        if (!set_meets(&s->fails_with[i], to) && !store_has_within(&s->failures, &larger))
            set_add(&found, i);
    }
    return found;
}

bool search_task(search *s, const set *task, void (*child)(void *argument, const set *child),
                 void *argument) {
    set additions;
    s->counts.tasks++;
    if (search_fails(s, task)) {
        s->counts.pruned++;
        return false;
    }
    if (store_has_around(&s->successes, task, AROUND_STEPS)) s->counts.known++;
    else {
        s->counts.tests++;
        if (!compatible(s->all, task, NULL)) return search_add_failure(s, task);
    }
    s->counts.successes++;
    store_add(&s->successes, task);
    additions = find_additions(s, task);
    SET_EACH(i, &additions) {
        set next = set_with(*task, i);
        child(argument, &next);
    }
    return false;
}

/* ---- maximal sets ---- */

typedef struct maximal_visit {
    const search *in;
    void (*visit)(void *argument, const set *maximal);
    void *argument;
} maximal_visit;

static void visit_if_maximal(void *argument, const set *of) {
    const maximal_visit *me = argument;
    set left = set_of_all(me->in->all->count);
    set_subtract(&left, of);
    SET_EACH(i, of) set_subtract(&left, &me->in->fails_with[i]);
    SET_EACH(i, &left) {
        set larger = set_with(*of, i);
        if (!store_has_within(&me->in->failures, &larger)) return; /* [F2] it is compatible */
    }
    me->visit(me->argument, of);
}

void search_visit_maximal(const search *s, void (*visit)(void *argument, const set *maximal),
                          void *argument) {
    maximal_visit me = {s, visit, argument};
    store_visit(&s->successes, true, visit_if_maximal, &me);
}

typedef struct minimal_count {
    const search *in;
    uint64_t count;
} minimal_count;

static void count_if_minimal(void *argument, const set *failed) {
    minimal_count *me = argument;
    SET_EACH(i, failed) {
        set smaller = *failed;
        set_remove(&smaller, i);
        if (search_fails(me->in, &smaller)) return;
    }
    me->count++;
}

uint64_t search_minimal_failures(const search *s) {
    minimal_count me = {s, s->failed_pairs}; /* each pattern alone is compatible */
    store_visit(&s->failures, false, count_if_minimal, &me);
    return me.count;
}

/* ---- results ---- */

void results_add(void *of, const set *maximal) {
    results *to = of;
    if (to->count == to->capacity) {
        to->capacity = to->capacity == 0 ? 64 : 2 * to->capacity;
        to->maximal = realloc(to->maximal, to->capacity * sizeof *to->maximal);
        if (to->maximal == NULL) bench_fail("no memory for the results");
    }
    to->maximal[to->count++] = *maximal;
}

static int compare(const void *one, const void *other) { return memcmp(one, other, sizeof(set)); }

void results_finish(results *of, const patterns *all) {
    qsort(of->maximal, of->count, sizeof *of->maximal, compare);
    of->largest = 0;
    for (uint64_t i = 0; i < of->count; i++) {
        uint32_t weight = patterns_weight(all, &of->maximal[i]);
        if (weight > of->largest) of->largest = weight;
    }
}

bool results_equal(const results *one, const results *other) {
    return one->count == other->count && one->largest == other->largest &&
           memcmp(one->maximal, other->maximal, one->count * sizeof *one->maximal) == 0;
}

uint64_t results_hash(const results *of) {
    uint64_t hash = of->count;
    for (uint64_t i = 0; i < of->count; i++)
        for (int word = 0; word < SET_WORDS; word++)
            hash = (hash ^ of->maximal[i].words[word]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
    return hash;
}

void results_free(results *of) {
    free(of->maximal);
    *of = (results){0};
}

static const char *check_tree(const set *maximal, const patterns *all, bool *chosen) {
    tree made;
    char *newick;
    const char *wrong;
    if (!compatible(all, maximal, &made)) return "a set of the result is not compatible";
    for (uint32_t c = 0; c < all->of->characters; c++)
        chosen[c] = all->pattern_of[c] == PATTERNS_MAX || set_has(maximal, all->pattern_of[c]);
    newick = tree_newick(&made, all->of);
    wrong = newick_check(newick, all->of, chosen);
    free(newick);
    return wrong;
}

const char *results_check(const results *of, const patterns *all) {
    bool *chosen = bench_allocate(all->of->characters, sizeof *chosen);
    const char *wrong = of->count == 0 ? "there is no set in the result" : NULL;
    for (uint64_t at = 0; at < of->count && wrong == NULL; at++) {
        const set *maximal = &of->maximal[at];
        wrong = check_tree(maximal, all, chosen);
        for (uint32_t i = 0; i < all->count && wrong == NULL; i++) {
            set larger = set_with(*maximal, i);
            if (!set_has(maximal, i) && compatible(all, &larger, NULL))
                wrong = "a set of the result is not maximal";
        }
    }
    free(chosen);
    return wrong;
}
