/* Lookups and inserts of the hash table with Zipf or uniform keys, plain, cached, many at once and
 * combined. The ways take turns in each round, on tables of one rank's run; the keys are drawn
 * before it. */
#include "works.h"

#include <math.h>
#include <stdlib.h>
#include <svs/ranks/hash.h>

enum { DRAWN = 1000000, COMBINED = 1 << 15, CACHES = 3, WAYS = 1 + CACHES, ROUNDS = 63 };
/* Entries of caches: for a sixteenth, a quarter and all of the keys. */
static const uint32_t caches[CACHES] = {1 << 16, 1 << 18, 1 << 20};
/* Lookups of a batch; those of them between two polls; items of a call. */
enum { ASKED = 4096, POLLED = 256, GIVEN = 256 };

/* Lookups that were asked at a time. */
typedef struct batch {
    svs_counter done;
    int64_t waited;
    uint64_t count;
    record items[ASKED];
    bool found[ASKED];
    bool there[ASKED];
} batch;

/* One rank. While the lookups of a batch are answered, those of the other one are asked. */
typedef struct keys {
    svs_hash *tables[WAYS]; /* plain; cached, or combining; NULL: no more */
    uint32_t entries[WAYS];
    uint64_t *drawn;
    uint64_t count, at;
    uint32_t way;
    bool at_once; /* many lookups in one call */
    batch batches[2];
    uint64_t missing;
} keys;

/* ---- draws ---- */

static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Key k of 1 to DRAWN has the probability 1 / k, by the inverse of the sum of them: exact for the
 * first 64 keys, and by the logarithm from there on. */
static uint64_t zipf(double drawn) {
    static const double gamma = 0.57721566490153286;
    double harmonic = log(DRAWN) + gamma, target = drawn * harmonic, sum = 0, key;
    for (uint64_t k = 1; k <= 64; k++)
        if ((sum += 1.0 / (double)k) >= target) return k;
    key = exp(target - gamma);
    return key >= DRAWN ? DRAWN : (uint64_t)key + 1;
}

static void draw(keys *mine, uint32_t rank, uint64_t count, bool uniform) {
    uint64_t state = BENCH_SEED + 77 * (rank + 1);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = next(&state) >> 11;
        mine->drawn[i] =
            uniform ? 1 + bits % DRAWN : zipf((double)bits / (double)((uint64_t)1 << 53));
    }
    mine->count = count;
}

/* ---- what is measured ---- */

static svs_hash *make_table(svs_ranks *ranks, const char *name, uint32_t cached,
                            uint32_t combined) {
    svs_hash_options options;
    svs_hash *made;
    svs_hash_options_init(&options);
    options.name = name;
    options.item_bytes = sizeof(record);
    options.key_bytes = sizeof(uint64_t);
    options.duplicate = svs_hash_add;
    options.expected = DRAWN;
    options.cache_entries = cached;
    options.combine_entries = combined;
    BENCH_OK(svs_hash_new(ranks, &options, &made));
    return made;
}

static svs_status ask_each(svs_ranks *ranks, svs_hash *table, batch *of, const uint64_t *asked) {
    for (uint64_t k = 0; k < of->count; k++) {
        svs_status status =
            svs_hash_lookup(table, &asked[k], &of->items[k], &of->there[k], &of->done);
        if (status != SVS_OK && status != SVS_WAIT) return status;
        if (k % POLLED == 0) svs_poll(ranks);
    }
    of->waited = (int64_t)of->count;
    return SVS_OK;
}

static svs_status ask_at_once(svs_hash *table, batch *of, const uint64_t *asked) {
    svs_status status;
    for (uint64_t k = 0; k < of->count; k++) of->items[k].key = asked[k];
    status = svs_hash_lookup_all(table, of->items, of->count, of->found, &of->done);
    of->waited = 1;
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status take_answers(svs_ranks *ranks, keys *mine, batch *of) {
    svs_status status = svs_await(ranks, &of->done, of->waited);
    for (uint64_t k = 0; k < of->count; k++)
        mine->missing += !(mine->at_once ? of->found[k] : of->there[k]);
    svs_counter_init(&of->done, 0);
    of->waited = 0;
    of->count = 0;
    return status;
}

static svs_status look_up(svs_ranks *ranks, void *state) {
    keys *mine = *(keys **)state;
    svs_hash *table = mine->tables[mine->way];
    svs_status status = SVS_OK;
    for (uint64_t i = 0; i < mine->count && status == SVS_OK; i += ASKED) {
        batch *next = &mine->batches[i / ASKED % 2];
        BENCH_OK(take_answers(ranks, mine, next));
        next->count = mine->count - i < ASKED ? mine->count - i : ASKED;
        status = mine->at_once ? ask_at_once(table, next, &mine->drawn[i])
                               : ask_each(ranks, table, next, &mine->drawn[i]);
        svs_poll(ranks);
    }
    for (int i = 0; i < 2; i++) BENCH_OK(take_answers(ranks, mine, &mine->batches[i]));
    return status;
}

static svs_status start_lookups(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, look_up, &state, sizeof state, NULL);
}

static svs_status insert(svs_ranks *ranks, void *state) {
    keys *mine = state;
    svs_hash *table = mine->tables[mine->way];
    while (mine->at < mine->count) {
        record items[GIVEN];
        size_t some = mine->count - mine->at < GIVEN ? mine->count - mine->at : GIVEN, accepted;
        svs_fiber rest;
        svs_status status;
        for (size_t k = 0; k < some; k++) items[k] = (record){mine->drawn[mine->at + k], 1};
        status = svs_hash_insert_all(table, items, some, &accepted);
        mine->at += accepted;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, insert, &rest);
            return status != SVS_OK ? status : svs_hash_ready(table, &items[accepted], rest);
        }
        if (status != SVS_OK) return status;
        svs_poll(ranks);
    }
    return SVS_OK;
}

/* ---- rounds ---- */

static double round_of(svs_ranks *ranks, keys *mine, uint32_t way, svs_fiber_function *body) {
    uint64_t begin;
    mine->way = way;
    mine->at = 0;
    if (body == insert) BENCH_OK(svs_hash_clear(mine->tables[way], DRAWN));
    begin = begin_together(ranks);
    BENCH_OK(svs_ranks_run(ranks, body, mine));
    return (double)(bench_wall_ns() - begin) / (double)mine->count;
}

static void fill(svs_ranks *ranks, keys *mine) {
    uint32_t rank = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    mine->count = 0;
    for (uint64_t key = 1 + rank; key <= DRAWN; key += count) mine->drawn[mine->count++] = key;
    for (uint32_t way = 0; way < WAYS && mine->tables[way] != NULL; way++)
        (void)round_of(ranks, mine, way, insert);
}

/* A way beside the plain one. */
static void show(const svs_ranks *ranks, const keys *mine, const settings *chosen, const char *of,
                 uint32_t way, double ns[WAYS][ROUNDS]) {
    double ratios[ROUNDS], low, high;
    svs_hash_statistics counts;
    for (uint64_t round = 0; round < chosen->rounds; round++)
        ratios[round] = ns[0][round] / ns[way][round];
    low = bench_percentile(ratios, chosen->rounds, 0);
    high = bench_percentile(ratios, chosen->rounds, 100);
    BENCH_OK(svs_hash_statistics_get(mine->tables[way], &counts));
    bench_row("bench=ranks work=%s keys=%s ranks=%u transport=%s entries=%u plain_ns=%.2f ns=%.2f "
              "ratio_plain=%.3f range=%.3f-%.3f hits=%llu misses=%llu combined=%llu rounds=%llu",
              chosen->chosen->name, of, svs_ranks_count(ranks), chosen->transport,
              mine->entries[way], bench_median(ns[0], chosen->rounds),
              bench_median(ns[way], chosen->rounds), bench_median(ratios, chosen->rounds), low,
              high, (unsigned long long)counts.cache_hits, (unsigned long long)counts.cache_misses,
              (unsigned long long)counts.combined, (unsigned long long)chosen->rounds);
}

static void compare(svs_ranks *ranks, keys *mine, const settings *chosen, svs_fiber_function *body,
                    const char *of) {
    double ns[WAYS][ROUNDS];
    uint32_t ways = 0;
    while (ways < WAYS && mine->tables[ways] != NULL) ways++;
    for (uint64_t round = 0; round < chosen->rounds; round++)
        for (uint32_t way = 0; way < ways; way++) ns[way][round] = round_of(ranks, mine, way, body);
    if (mine->missing != 0) bench_fail("a key was not found");
    for (uint32_t way = 1; way < ways && svs_ranks_index(ranks) == 0; way++)
        show(ranks, mine, chosen, of, way, ns);
}

static keys *make(svs_ranks_options *options, const settings *chosen, svs_ranks **ranks) {
    keys *mine = bench_allocate(1, sizeof *mine);
    uint64_t most = chosen->count > DRAWN ? chosen->count : DRAWN;
    mine->drawn = bench_allocate(most, sizeof *mine->drawn);
    BENCH_OK(svs_ranks_new(options, ranks));
    return mine;
}

static void end(svs_ranks *ranks, keys *mine) {
    BENCH_OK(svs_ranks_free(ranks));
    free(mine->drawn);
    free(mine);
}

/* A cache is for keys of other ranks: those of this one are left out. */
static void leave_out_own(svs_ranks *ranks, keys *mine) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < mine->count; i++)
        if (svs_hash_owner(mine->tables[0], &mine->drawn[i]) != svs_ranks_index(ranks))
            mine->drawn[count++] = mine->drawn[i];
    mine->count = count;
}

/* Lookups, one in a call: with a cache, which the first round fills. */
void keys_cached(svs_ranks_options *options, const settings *chosen) {
    svs_ranks *ranks;
    keys *mine = make(options, chosen, &ranks);
    mine->tables[0] = make_table(ranks, "plain", 0, 0);
    for (uint32_t way = 1; way < WAYS; way++) {
        static const char *const names[CACHES] = {"small", "middle", "large"};
        mine->entries[way] = caches[way - 1];
        mine->tables[way] = make_table(ranks, names[way - 1], caches[way - 1], 0);
    }
    fill(ranks, mine);
    draw(mine, svs_ranks_index(ranks), chosen->count, false);
    leave_out_own(ranks, mine);
    for (uint32_t way = 1; way < WAYS; way++) (void)round_of(ranks, mine, way, start_lookups);
    compare(ranks, mine, chosen, start_lookups, "zipf");
    end(ranks, mine);
}

/* Inserts. */
void keys_combined(svs_ranks_options *options, const settings *chosen) {
    svs_ranks *ranks;
    keys *mine = make(options, chosen, &ranks);
    mine->tables[0] = make_table(ranks, "plain", 0, 0);
    mine->entries[1] = COMBINED;
    mine->tables[1] = make_table(ranks, "combined", 0, COMBINED);
    for (int uniform = 0; uniform < 2; uniform++) {
        draw(mine, svs_ranks_index(ranks), chosen->count, uniform != 0);
        compare(ranks, mine, chosen, insert, uniform != 0 ? "uniform" : "zipf");
    }
    end(ranks, mine);
}

/* Many lookups in a call, compared with the bare gather. */
static keys *asking;

void keys_new(svs_ranks *ranks) {
    asking = bench_allocate(1, sizeof *asking);
    asking->drawn = bench_allocate(4 * DRAWN, sizeof *asking->drawn);
    asking->tables[0] = make_table(ranks, "plain", 0, 0);
    fill(ranks, asking);
}

double svs_lookups(svs_ranks *ranks, const settings *chosen, uint64_t count) {
    double ns;
    if (count > 4 * DRAWN) count = 4 * DRAWN;
    draw(asking, svs_ranks_index(ranks), count, !chosen->zipf);
    asking->at_once = true;
    ns = round_of(ranks, asking, 0, start_lookups) * (double)count;
    if (asking->missing != 0) bench_fail("a key was not found");
    return ns;
}
