/* Scale: many objects, many instances that wait, many waves, many workers; what each costs in bytes
 * is stated and bounded.
 *
 *     test_stress_scale              a hundredth of it, less in sanitized builds
 *     test_stress_scale --full       10 million objects, 10 million instances, 200 million objects
 *                                    that come and go
 *
 * Bytes are the allocator's, which counts what it is asked for; the resident set is printed beside
 * them, and judged where no sanitizer keeps memory of its own. */
#include "../unit/face/support.h"
#include "leaves.h"

#include <malloc.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static bool full;

static uint64_t sized(uint64_t most) { return full ? most : support_scaled(most / 100); }

/* Bytes of memory that the process has now, without what malloc keeps for later. */
static uint64_t resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file) return 0;
    if (!SANITIZED) (void)malloc_trim(0);
    if (fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    (void)fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static double each(uint64_t bytes, uint64_t count) { return (double)bytes / (double)count; }

/* ---- objects ---- */

typedef struct leaf {
    svs_object svs;
    uint64_t data;
} leaf;
SVS_TYPE(leaf, svs)

typedef struct chained {
    svs_object svs;
    struct chained *next;
} chained;
SVS_TYPE(chained, svs, next)

#define CHAIN 10u
#define LEAST 10000u /* so that the rest of the last slab is little for each object */

TEST_CASE(objects) {
    support s;
    uint64_t scaled = sized(10000000), before, made, resident_before;
    uint64_t count = scaled > LEAST ? scaled : LEAST;
    chained *links = calloc(count, sizeof *links);
    void *storage;
    assert_non_null(links);
    support_open(&s, 2);
    support_ok(svs_object_new(s.world, &leaf_type, &storage));
    before = s.memory.bytes;
    resident_before = resident();
    for (uint64_t i = 0; i < count; i++) support_ok(svs_object_new(s.world, &leaf_type, &storage));
    made = s.memory.bytes - before;
    printf("scale=objects count=%llu bytes=%.1f of_them_the_struct=%zu resident=%.1f\n",
           (unsigned long long)count, each(made, count), sizeof(leaf),
           each(resident() - resident_before, count));
    assert_true(made <= count * (sizeof(leaf) + 16));
    before = s.memory.bytes;
    for (uint64_t i = 0; i < count; i++) {
        support_ok(svs_object_init(&links[i].svs, s.world, &chained_type));
        if (i % CHAIN) support_ok(svs_link(&links[i - 1], next, &links[i]));
    }
    made = s.memory.bytes - before;
    printf("scale=links count=%llu chains_of=%u bytes=%.1f of_them_metadata=%.1f\n",
           (unsigned long long)count, CHAIN, each(made, count), each(support_metadata(&s), count));
    /* One chain has two masters at most, of 256 bytes. */
    assert_true(made <= count * 2 * 256 / CHAIN + 65536);
    support_close(&s);
    free(links);
}

/* ---- objects that come and go ---- */

/* Below a hub a slot each for leaves, which are internal nodes of it, and for pairs of a parent and
 * a leaf, which have masters of their own and are linked from a second hub. */
#define HUBS 8u
#define BATCH 64u

typedef struct hub {
    struct chained *leaf;
    struct chained *parent;
    struct chained *shared;
    svs_object svs;
} hub;
SVS_TYPE(hub, svs, leaf, parent, shared)

static hub *hubs[HUBS];

typedef struct step {
    uint32_t at;
} step;
static void step_touch(svs_footprint *f, const step *at) {
    svs_writes_reach(f, &hubs[at->at]->svs);
    svs_writes_object(f, &hubs[(at->at + 1) % HUBS]->svs);
}

static svs_world *churned;

static svs_status replace(chained **made, chained *below) {
    void *storage = NULL;
    svs_status status = svs_object_new(churned, &chained_type, &storage);
    *made = storage;
    return status || !below ? status : svs_link(*made, next, below);
}

/* Three objects are made, and the three of the last time freed. */
static svs_status step_run(svs_context *context, step *at) {
    hub *mine = hubs[at->at], *other = hubs[(at->at + 1) % HUBS];
    chained *old[3] = {mine->leaf, mine->parent, mine->parent ? mine->parent->next : NULL};
    chained *leaf_made, *parent_made, *below;
    svs_status status = replace(&leaf_made, NULL);
    if (!status) status = replace(&below, NULL);
    if (!status) status = replace(&parent_made, below);
    if (!status) status = svs_link(mine, leaf, leaf_made);
    if (!status) status = svs_link(mine, parent, parent_made);
    if (!status) status = svs_link(other, shared, below);
    for (int i = 0; i < 3 && !status; i++)
        if (old[i]) status = svs_object_free(&old[i]->svs);
    return status;
}
SVS_TASK(step, step_run, step_touch)

static void churn(svs_graph *graph, svs_task *to, uint64_t steps) {
    for (uint64_t i = 0; i < steps; i += BATCH) {
        static step items[BATCH];
        for (uint32_t k = 0; k < BATCH; k++) items[k].at = k % HUBS;
        support_ok(svs_graph_send(graph, to, items, BATCH, sizeof items[0]));
        support_run(graph, 1);
    }
}

/* Neither what masters keep nor what the allocator has given grows with the objects that were made
 * and freed. */
SUPPORT_CASE(objects_that_come_and_go, 2) {
    svs_graph *graph;
    svs_task *to;
    uint64_t steps = sized(200000000) / 3, most[2] = {0, 0}, bytes[2] = {0, 0}, resident_first = 0;
    churned = s->world;
    for (uint32_t i = 0; i < HUBS; i++) {
        void *storage;
        support_ok(svs_object_new(s->world, &hub_type, &storage));
        hubs[i] = storage;
    }
    graph = support_graph(s);
    to = support_itemizer(graph, &step_task, NULL);
    for (uint32_t part = 0; part < 20; part++) {
        uint32_t half = part >= 10;
        churn(graph, to, steps / 20);
        if (support_metadata(s) > most[half]) most[half] = support_metadata(s);
        if (s->memory.bytes > bytes[half]) bytes[half] = s->memory.bytes;
        if (part == 4) resident_first = resident();
        printf("scale=come_and_go made_and_freed=%llu metadata=%llu bytes=%llu resident=%llu\n",
               (unsigned long long)(3 * (part + 1) * (steps / 20)),
               (unsigned long long)support_metadata(s), (unsigned long long)s->memory.bytes,
               (unsigned long long)resident());
    }
    assert_true(most[1] <= most[0] + most[0] / 2);
    assert_true(bytes[1] <= bytes[0] + bytes[0] / 2);
    if (!SANITIZED) assert_true(resident() <= resident_first + (UINT64_C(2) << 20));
    support_ok(svs_graph_free(graph));
}

/* ---- instances that wait ---- */

#define COUNTERS 1024u

static uint64_t counters[COUNTERS];

typedef struct small {
    uint32_t counter, by;
} small;

static void small_touch(svs_footprint *f, const small *i) { svs_writes(f, &counters[i->counter]); }
static svs_status small_run(svs_context *context, small *i) {
    counters[i->counter] += i->by;
    return SVS_OK;
}
SVS_TASK(small, small_run, small_touch)

#define BULK 1000u

/* @return what the counters come to. */
static uint64_t send_all(svs_graph *graph, svs_task *to, uint64_t count) {
    static small items[BULK];
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i += BULK) {
        uint64_t some = count - i < BULK ? count - i : BULK;
        for (uint64_t k = 0; k < some; k++) {
            items[k] = (small){(uint32_t)((i + k) * 7 % COUNTERS), (uint32_t)(k % 3)};
            sum += items[k].by;
        }
        support_ok(svs_graph_send(graph, to, items, some, sizeof items[0]));
    }
    return sum;
}

static uint64_t counted(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < COUNTERS; i++) sum += counters[i];
    return sum;
}

TEST_CASE(instances) {
    support s;
    svs_graph *graph;
    svs_task *to;
    uint64_t count = sized(10000000), before, queued, expected, resident_before, resident_queued;
    memset(counters, 0, sizeof counters);
    support_open(&s, 2);
    graph = support_graph(&s);
    to = support_itemizer(graph, &small_task, NULL);
    support_run(graph, 1); /* what a first run makes is there */
    before = s.memory.bytes;
    resident_before = resident();
    expected = send_all(graph, to, count);
    queued = s.memory.bytes - before;
    resident_queued = resident() - resident_before;
    /* For each of its items, a batch has places of 24 bytes for a record and 17 for an order. */
    assert_true(queued <= count * 49 + 65536);
    atomic_store(&s.memory.peak, s.memory.bytes);
    support_run(graph, 1);
    assert_true(counted() == expected);
    assert_int_equal(support_statistics(graph).instances, count);
    printf("scale=instances count=%llu bytes=%.1f of_them_the_item=%zu resident=%.1f "
           "more_while_running=%.1f left=%.2f\n",
           (unsigned long long)count, each(queued, count), sizeof(small),
           each(resident_queued, count), each(s.memory.peak - before - queued, count),
           each(s.memory.bytes - before, count));
    /* A stage has a place for each of its instances, of which there are at most as many. */
    assert_true(s.memory.peak - before - queued <= 64 * count + 1048576);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* ---- waves ---- */

#define WAVES 100

typedef struct wave {
    svs_world *world;
    chained *first;
} wave;

static uint64_t objects_a_wave;

static void wave_touch(svs_footprint *f, const wave *w) { svs_writes(f, w); }

/* Makes a list, hangs another round of it in, and frees it all. */
static svs_status wave_run(svs_context *context, wave *w) {
    svs_status status = SVS_OK;
    for (uint64_t i = 0; i < objects_a_wave && !status; i++) {
        void *storage;
        status = svs_object_new(w->world, &chained_type, &storage);
        if (!status) status = svs_link((chained *)storage, next, w->first);
        if (!status) w->first = storage;
    }
    while (w->first && !status) {
        chained *next = w->first->next;
        status = svs_link(w->first, next, NULL);
        if (!status) status = svs_object_free(&w->first->svs);
        w->first = next;
    }
    return status;
}
SVS_TASK(wave, wave_run, wave_touch)

TEST_CASE(waves) {
    support s;
    svs_graph *graph;
    svs_task *to, *maker;
    wave item = {NULL, NULL};
    uint64_t count = sized(20000000) / WAVES, expected = 0, bytes = 0, most = 0, begin = 0;
    memset(counters, 0, sizeof counters);
    objects_a_wave = count / 20;
    support_open(&s, 2);
    item.world = s.world;
    graph = support_graph(&s);
    to = support_itemizer(graph, &small_task, NULL);
    maker = support_transform(graph, &wave_task, &item, NULL);
    support_ok(svs_graph_set_independent(graph, to, maker));
    for (int i = 0; i < WAVES; i++) {
        expected += send_all(graph, to, count);
        support_run(graph, 1);
        if (i < WAVES / 5) { /* what is kept for the next time has been made */
            if (s.memory.bytes > bytes) bytes = s.memory.bytes;
            begin = resident() > begin ? resident() : begin;
        } else {
            /* Stages may still be a little wider than ever before. */
            assert_true(s.memory.bytes <= bytes + bytes / 8 + 65536);
            most = resident() > most ? resident() : most;
        }
    }
    assert_true(counted() == expected);
    printf("scale=waves waves=%d instances=%llu objects=%llu resident_first_20_mb=%.1f "
           "resident_rest_mb=%.1f\n",
           WAVES, (unsigned long long)count, (unsigned long long)objects_a_wave,
           (double)begin / 1e6, (double)most / 1e6);
    if (!SANITIZED) assert_true(most <= begin + begin / 10 + 4000000);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* ---- workers ---- */

static void count_leaves(svs_async_context *async, void *argument) {
    *(long *)argument = SVS_CALL_ON(async, leaves, 16);
}

static double milliseconds(uint32_t workers, uint32_t policy, uint64_t count) {
    support s;
    svs_runtime_options options;
    svs_graph *graph;
    svs_task *to;
    struct timespec begin, end;
    uint64_t expected;
    long found = 0;
    memset(counters, 0, sizeof counters);
    support_options(&s, workers, &options);
    options.policy = policy;
    support_ok(svs_runtime_new(&options, &s.runtime));
    support_ok(svs_runtime_start(s.runtime));
    support_ok(svs_world_new(s.runtime, NULL, &s.world));
    graph = support_graph(&s);
    to = support_itemizer(graph, &small_task, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 10; i++) {
        expected = counted() + send_all(graph, to, count / 10);
        support_run(graph, 1);
        assert_true(counted() == expected);
        support_ok(svs_async_run(s.runtime, count_leaves, &found));
        assert_int_equal(found, 65536);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    support_ok(svs_graph_free(graph));
    support_close(&s);
    return (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
}

TEST_CASE(workers) {
    uint64_t count = sized(10000000);
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        double few = milliseconds(2, policy, count), many = milliseconds(64, policy, count);
        printf("scale=workers policy=%u instances=%llu ms_of_2=%.1f ms_of_64=%.1f ratio=%.2f\n",
               policy, (unsigned long long)count, few, many, many / few);
    }
}

int main(int argc, char **argv) {
    full = argc > 1 && strcmp(argv[1], "--full") == 0;
    return run_cases(NULL, NULL);
}
