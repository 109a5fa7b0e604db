#include "explore/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long long ull;

typedef struct sums {
    uint64_t runs, distinct, steps, preemptions, most;
    uint64_t digest; /* of all schedules: the same seed must give the same */
    double seconds;
} sums;

static sums now, total;
static double began;

/* The schedules that were seen: a set of hashes. */
static struct {
    uint64_t *of;
    uint64_t count, capacity;
} seen;

static void add_seen(uint64_t hash);

static void grow_seen(void) {
    uint64_t *old = seen.of, capacity = seen.capacity;
    seen.capacity = capacity == 0 ? 1024 : capacity * 2;
    seen.of = calloc(seen.capacity, sizeof *seen.of);
    seen.count = 0;
    if (seen.of == NULL) abort();
    for (uint64_t i = 0; i < capacity; i++)
        if (old[i] != 0) add_seen(old[i]);
    free(old);
}

static void add_seen(uint64_t hash) {
    uint64_t at;
    if (hash == 0) hash = 1;
    if (seen.count * 2 >= seen.capacity) grow_seen();
    at = (hash * 0x9e3779b97f4a7c15u) % seen.capacity;
    while (seen.of[at] != 0 && seen.of[at] != hash) at = (at + 1) % seen.capacity;
    if (seen.of[at] == 0) seen.count++;
    seen.of[at] = hash;
}

static double clock_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void report_begin(void) {
    free(seen.of);
    memset(&seen, 0, sizeof seen);
    memset(&now, 0, sizeof now);
    began = clock_now();
}

void report_run(uint64_t schedule) {
    add_seen(schedule);
    now.runs++;
    now.steps += explore.steps;
    now.preemptions += explore.preemptions;
    now.digest = (now.digest ^ schedule) * 0x9e3779b97f4a7c15u;
    if (now.most < explore.preemptions) now.most = explore.preemptions;
}

void report_end(const char *scenario, const char *strategy, const char *memory, bool all) {
    now.seconds = clock_now() - began;
    now.distinct = seen.count;
    printf("%-18s %-10s %-4s %8llu runs%s %8llu distinct schedules; a run: %.0f steps, %.1f "
           "preemptions (at most %llu); %.0f runs/s; digest %016llx\n",
           scenario, strategy, memory, (ull)now.runs, all ? " (all)," : ",", (ull)now.distinct,
           (double)now.steps / (double)now.runs, (double)now.preemptions / (double)now.runs,
           (ull)now.most, (double)now.runs / now.seconds, (ull)now.digest);
    (void)fflush(stdout);
    total.runs += now.runs;
    total.distinct += now.distinct;
    total.preemptions += now.preemptions;
    total.seconds += now.seconds;
}

void report_total(void) {
    printf("total: %llu schedules, %llu distinct, %llu preemptions, %.1f s\n", (ull)total.runs,
           (ull)total.distinct, (ull)total.preemptions, total.seconds);
}
