/* What shows that a run could find something: instances conflicted, and ran at once, and each
 * feature appeared. */
#define _GNU_SOURCE /* CPU_COUNT() */
#include <sched.h>
#include <stdio.h>
#include <svs/check.h>

#include "differential.h"

#define SAMPLE 64u         /* one in 64 instances of a worker is compared with those before it */
#define SAMPLES_LEAST 500u /* fewer samples may come from too few cases */
#define INSTANCES_LEAST 20000u
#define CASES_LEAST 1000u /* fewer may leave out a feature that 2% of them have */

static _Atomic(uint32_t) running, running_most;
static uint64_t cases, cases_of[FEATURE_COUNT];

void sample_case(void) {
    cases++;
    for (uint32_t i = 0; i < FEATURE_COUNT; i++) cases_of[i] += has(UINT32_C(1) << i);
    for (uint32_t i = 0; i <= WORKERS_MAX; i++) scratches[i].turn = 0;
}

static bool sets_meet(set *a, const set *b) {
    for (uint32_t k = 0; k < b->count; k++) {
        const entry *e = set_find(a, b->entries[k].is);
        if (e && (e->write || b->entries[k].write)) return true;
    }
    return false;
}

static void compare(scratch *w, const set *s) {
    bool met = false;
    for (uint32_t i = 0; i < RECENT && !met; i++) met = sets_meet(&w->recent[i], s);
    w->sampled++;
    w->conflicting += met;
}

static void count_running(void) {
    uint32_t now = 1 + atomic_fetch_add_explicit(&running, 1, memory_order_relaxed);
    uint32_t most = atomic_load_explicit(&running_most, memory_order_relaxed);
    while (most < now && !atomic_compare_exchange_weak(&running_most, &most, now)) continue;
}

void sample_begins(const set *s) {
    scratch *w = own_scratch();
    uint32_t turn = w->turn++ % SAMPLE;
    svs_check_ignore_begin();
    if (turn < RECENT) w->recent[turn] = *s;
    if (turn == RECENT) compare(w, s);
    svs_check_ignore_end();
    count_running();
}

void sample_ends(void) { (void)atomic_fetch_sub_explicit(&running, 1, memory_order_relaxed); }

/* The first feature that no case had, without --only; FEATURE_COUNT: there is none. */
static uint32_t first_missing(void) {
    uint32_t i = 0;
    if (chosen.only || cases < CASES_LEAST) return FEATURE_COUNT;
    while (i < FEATURE_COUNT && (cases_of[i] || i == F_OOM_INDEX)) i++;
    return i;
}

bool sample_shows(void) {
    uint32_t missing = first_missing();
    const char *name;
    uint64_t sampled = 0, conflicting = 0;
    uint32_t most = atomic_load(&running_most);
    cpu_set_t cpus;
    bool parallel = sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) > 1;
    for (uint32_t i = 0; i <= WORKERS_MAX; i++) {
        sampled += scratches[i].sampled;
        conflicting += scratches[i].conflicting;
    }
    (void)printf("%llu instances sampled, %.0f%% of them conflict, at most %u at once\n",
                 (unsigned long long)sampled,
                 sampled ? 100.0 * (double)conflicting / (double)sampled : 0.0, most);
    if (sampled >= SAMPLES_LEAST && conflicting * 5 < sampled)
        (void)printf("failed: fewer than 20%% of the instances conflict, this shows nothing\n");
    else if (parallel && most < 2 && atomic_load(&instances_total) >= INSTANCES_LEAST)
        (void)printf("failed: no two instances ran at once, this shows nothing\n");
    else if (missing < FEATURE_COUNT)
        (void)printf("failed: no case had this: %s\n", feature_text(missing, &name));
    else return true;
    return false;
}
