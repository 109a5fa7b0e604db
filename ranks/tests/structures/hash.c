/* Hash tables over all ranks. Each rank operates on keys of its own, which lie on all ranks, and
 * compares with a plain table: operations on one key take effect in their order (structures.H6).
 * All ranks also insert into shared keys, of which nothing is lost; and each looks at its entries
 * while the table is frozen (structures.H3). */
#include "base/random.h"
#include "ranks/program.h"

enum { RANKS_MAX = 6, OWN_KEYS = 12, SHARED_KEYS = 40, OPERATIONS = 70, LOOKUPS = 8, AUDITS = 3 };

typedef struct item {
    uint64_t key;
    uint32_t more, unused; /* `more` is a part of the key, or 0 */
    uint64_t count;
} item;

/* What an operation should find, and what it has found. */
typedef struct lookup {
    bool there;
    uint64_t count;
    bool found;
    item entry;
} lookup;

typedef struct own {
    uint64_t seed;
    int wrong;
    svs_hash *hash, *second; /* the second one shares its snapshot */
    svs__random random;
    svs_counter ready, done, audited, over; /* over: the audits */
    int64_t calls;                          /* of `done` */
    bool there[OWN_KEYS];
    uint64_t counts[OWN_KEYS];
    lookup lookups[LOOKUPS];
    uint32_t lookup_count;
    item sought[OWN_KEYS]; /* of many lookups at once, and what they should find */
    bool sought_found[OWN_KEYS];
    lookup sought_as[OWN_KEYS];
    uint32_t sought_count;
    uint64_t given[SHARED_KEYS], taken[SHARED_KEYS]; /* of shared keys: by this rank; at the end */
    svs_distributed *sums;
    svs_hash_statistics statistics;
    svs_hash_load load;
    uint64_t growing; /* audits during a growth */
} own;

/* ---- tables ---- */

static void add_counts(void *entry, const void *other, void *argument) {
    (void)argument;
    ((item *)entry)->count += ((const item *)other)->count;
}

static uint64_t weak_hash(const void *key, void *argument) {
    (void)argument;
    return ((const item *)key)->key % 8;
}

static svs_status make_table(svs_ranks *ranks, const char *name, svs_hash *snapshot_of,
                             svs_hash **hash) {
    const own *mine = svs_ranks_data(ranks);
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = name;
    options.item_bytes = sizeof(item);
    options.key_bytes = mine->seed % 2 == 0 ? 8 : 12;
    options.duplicate = add_counts;
    options.hash = mine->seed % 5 == 0 ? weak_hash : NULL;
    options.dispatch = (svs_dispatch)(mine->seed % 3);
    options.snapshot_of = snapshot_of;
    options.cache_entries = (uint32_t)(mine->seed % 3 * 13);
    options.combine_entries = (uint32_t)(mine->seed / 3 % 4 * 5);
    return svs_hash_new(ranks, &options, hash);
}

static svs_status prepare(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = make_table(ranks, "first", NULL, &mine->hash);
    return status == SVS_OK ? make_table(ranks, "second", mine->hash, &mine->second) : status;
}

/* Shared keys come first; then the keys of each rank. */
static item item_of(const own *mine, uint64_t key, uint64_t count) {
    item made = {.key = key, .more = mine->seed % 2 == 0 ? 0 : (uint32_t)key * 7, .count = count};
    return made;
}

static item own_item(svs_ranks *ranks, uint32_t key, uint64_t count) {
    const own *mine = svs_ranks_data(ranks);
    return item_of(mine, SHARED_KEYS + svs_ranks_index(ranks) * OWN_KEYS + key, count);
}

/* ---- waits of a thread with a stack ---- */

static svs_status raise(svs_ranks *ranks, void *state) {
    svs_counter_add(ranks, *(svs_counter **)state, 1);
    return SVS_OK;
}

/* Until the table may accept an operation on the key. */
static svs_status await_ready(svs_ranks *ranks, svs_hash *hash, const void *key) {
    own *mine = svs_ranks_data(ranks);
    svs_counter *counter = &mine->ready;
    int64_t before = mine->ready.value;
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, raise, &counter, sizeof counter, NULL, &fiber);
    if (status == SVS_OK) status = svs_hash_ready(hash, key, fiber);
    return status == SVS_OK ? svs_await(ranks, counter, before + 1) : status;
}

/* All calls with counters are complete: lookups have found what was there when they were called. */
static svs_status await_calls(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = svs_await(ranks, &mine->done, mine->calls);
    CHECK(mine, status || mine->done.value == mine->calls); /* structures.H7 */
    for (uint32_t i = 0; i < mine->lookup_count && status == SVS_OK; i++) {
        const lookup *one = &mine->lookups[i];
        CHECK(mine, one->found == one->there);
        CHECK(mine, !one->there || one->entry.count == one->count);
    }
    mine->lookup_count = 0;
    for (uint32_t i = 0; i < mine->sought_count && status == SVS_OK; i++) {
        const lookup *one = &mine->sought_as[i];
        CHECK(mine, mine->sought_found[i] == one->there);
        CHECK(mine, mine->sought[i].key == one->entry.key);
        CHECK(mine, !one->there || mine->sought[i].count == one->count);
    }
    mine->sought_count = 0;
    return status;
}

/* ---- operations ---- */

/* Without a counter: again until it is accepted. With one: accepted at once. */
static svs_status insert(svs_ranks *ranks, svs_hash *hash, const item *one, bool counted) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = svs_hash_insert(hash, one, counted ? &mine->done : NULL);
    mine->calls += counted;
    if (counted) return status == SVS_WAIT ? SVS_OK : status;
    while (status == SVS_WAIT) {
        status = await_ready(ranks, hash, one);
        if (status == SVS_OK) status = svs_hash_insert(hash, one, NULL);
    }
    return status;
}

static svs_status erase(svs_ranks *ranks, const item *one, bool counted) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = svs_hash_delete(mine->hash, one, counted ? &mine->done : NULL);
    mine->calls += counted;
    if (counted) return status == SVS_WAIT ? SVS_OK : status;
    while (status == SVS_WAIT) {
        status = await_ready(ranks, mine->hash, one);
        if (status == SVS_OK) status = svs_hash_delete(mine->hash, one, NULL);
    }
    return status;
}

static svs_status look_up(svs_ranks *ranks, uint32_t key) {
    own *mine = svs_ranks_data(ranks);
    lookup *one = &mine->lookups[mine->lookup_count];
    item searched = own_item(ranks, key, 0);
    svs_status status;
    if (mine->lookup_count == LOOKUPS) return await_calls(ranks);
    *one =
        (lookup){.there = mine->there[key], .count = mine->counts[key], .found = !mine->there[key]};
    mine->lookup_count++;
    mine->calls++;
    status = svs_hash_lookup(mine->hash, &searched, &one->entry, &one->found, &mine->done);
    CHECK(mine, status != SVS_OK || one->found == one->there);
    return status == SVS_WAIT ? SVS_OK : status;
}

/* Some keys, of which the same may come twice. */
static svs_status look_up_many(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_status status;
    if (mine->sought_count != 0) return await_calls(ranks);
    mine->sought_count = svs__random_below(&mine->random, OWN_KEYS + 1);
    for (uint32_t i = 0; i < mine->sought_count; i++) {
        uint32_t key = svs__random_below(&mine->random, OWN_KEYS);
        mine->sought[i] = own_item(ranks, key, 0);
        mine->sought_as[i] = (lookup){
            .there = mine->there[key], .count = mine->counts[key], .entry = mine->sought[i]};
        mine->sought_found[i] = 7;
    }
    mine->calls++;
    status = svs_hash_lookup_all(mine->hash, mine->sought, mine->sought_count, mine->sought_found,
                                 &mine->done);
    return status == SVS_WAIT ? SVS_OK : status;
}

static svs_status operate_on_own(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    uint32_t key = svs__random_below(&mine->random, OWN_KEYS);
    uint32_t kind = svs__random_below(&mine->random, 8);
    bool counted = svs__random_below(&mine->random, 2) == 0;
    item one = own_item(ranks, key, 1 + svs__random_below(&mine->random, 100));
    if (kind < 2) return look_up(ranks, key);
    if (kind == 2) return look_up_many(ranks);
    if (kind == 3) {
        mine->there[key] = false;
        return erase(ranks, &one, counted);
    }
    mine->counts[key] = mine->there[key] ? mine->counts[key] + one.count : one.count;
    mine->there[key] = true;
    return insert(ranks, mine->hash, &one, counted);
}

/* Some shared keys at a time. */
static svs_status insert_shared(svs_ranks *ranks, svs_hash *hash) {
    own *mine = svs_ranks_data(ranks);
    item items[5];
    size_t from = 0, accepted;
    svs_status status = SVS_OK;
    for (int i = 0; i < 5; i++) {
        uint32_t key = svs__random_below(&mine->random, SHARED_KEYS);
        items[i] = item_of(mine, key, 1 + key);
        mine->given[key] += items[i].count;
    }
    while (from < 5 && status == SVS_OK) {
        status = svs_hash_insert_all(hash, items + from, 5 - from, &accepted);
        from += accepted;
        CHECK(mine, status != SVS_OK || from == 5);
        if (status == SVS_WAIT) status = await_ready(ranks, hash, &items[from]);
    }
    return status;
}

/* ---- audits ---- */

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

/* A number that changes with the entries; each is visited once. */
static uint64_t digest(svs_ranks *ranks, svs_hash *hash) {
    own *mine = svs_ranks_data(ranks);
    bool seen[SHARED_KEYS + RANKS_MAX * OWN_KEYS] = {false};
    uint64_t cursor = 0, sum = 0;
    const item *entry;
    while ((entry = svs_hash_next(hash, &cursor)) != NULL) {
        CHECK(mine, entry->key < sizeof seen && !seen[entry->key]);
        if (entry->key < sizeof seen) seen[entry->key] = true;
        CHECK(mine, svs_hash_owner(hash, entry) == svs_ranks_index(ranks));
        sum += (entry->key + 1) * 1000003 + entry->count;
    }
    return sum;
}

static svs_status wait_for(svs_ranks *ranks, svs_status status) {
    own *mine = svs_ranks_data(ranks);
    return status == SVS_WAIT ? svs_await(ranks, &mine->audited, mine->audited.value + 1) : status;
}

/* While frozen nothing changes, also while other ranks run. */
static svs_status audit(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint64_t zero = 0, sum;
    svs_status status =
        wait_for(ranks, svs_distributed_new(ranks, "sums", 0, NULL, &mine->sums, &mine->audited));
    (void)state;
    for (int i = 0; i < AUDITS && status == SVS_OK; i++) {
        uint64_t before;
        svs_snapshot *snapshot = svs_hash_snapshot(mine->hash);
        CHECK(mine, snapshot == svs_hash_snapshot(mine->second));
        status = wait_for(ranks, svs_snapshot_freeze(snapshot, &mine->audited));
        if (status != SVS_OK) return status;
        before = digest(ranks, mine->hash) + digest(ranks, mine->second);
        if (svs_hash_statistics_get(mine->hash, &mine->statistics) != SVS_OK) return SVS_E_STATE;
        mine->growing += mine->statistics.unmoved != 0;
        status = wait_for(ranks,
                          svs_reduce(mine->sums, add, &zero, &sum, sizeof sum, 1, &mine->audited));
        if (status != SVS_OK) return status;
        CHECK(mine, before == digest(ranks, mine->hash) + digest(ranks, mine->second));
        status = wait_for(ranks, svs_snapshot_unfreeze(snapshot, &mine->audited));
    }
    svs_counter_add(ranks, &mine->over, 1);
    return status;
}

/* After a sync all that was inserted by any rank is there. Syncs and freezes are in one order on
 * all ranks: the audits come first. */
static svs_status count_all(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_hash *tables[2] = {mine->hash, mine->second};
    svs_status status = svs_await(ranks, &mine->over, 1);
    if (status == SVS_OK) status = svs_hash_sync(mine->second, &mine->done);
    mine->calls++;
    if (status == SVS_WAIT) status = svs_await(ranks, &mine->done, mine->calls);
    for (int i = 0; i < 2 && status == SVS_OK; i++) {
        uint64_t cursor = 0;
        const item *entry;
        while ((entry = svs_hash_next(tables[i], &cursor)) != NULL)
            if (entry->key < SHARED_KEYS) mine->taken[entry->key] += entry->count;
    }
    if (status == SVS_OK) status = svs_hash_statistics_get(mine->hash, &mine->statistics);
    if (status == SVS_OK) status = svs_hash_load_get(mine->hash, &mine->load, &mine->done);
    mine->calls++;
    return status == SVS_WAIT ? svs_await(ranks, &mine->done, mine->calls) : status;
}

static svs_status work(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = SVS_OK;
    (void)state;
    for (int i = 0; i < OPERATIONS && status == SVS_OK; i++) {
        uint32_t kind = svs__random_below(&mine->random, 16);
        if (kind == 0) status = await_calls(ranks);
        else if (kind < 12) status = operate_on_own(ranks);
        else status = insert_shared(ranks, kind < 14 ? mine->hash : mine->second);
    }
    for (uint32_t key = 0; key < OWN_KEYS && status == SVS_OK; key++) status = look_up(ranks, key);
    if (status == SVS_OK) status = await_calls(ranks);
    return status == SVS_OK ? count_all(ranks) : status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status;
    (void)state;
    svs__random_seed(&mine->random, mine->seed * 77 + svs_ranks_index(ranks));
    svs_counter_init(&mine->ready, 0);
    svs_counter_init(&mine->done, 0);
    svs_counter_init(&mine->audited, 0);
    svs_counter_init(&mine->over, 0);
    mine->calls = 0;
    status = svs_thread_spawn(ranks, audit, NULL, 0, NULL);
    return status == SVS_OK ? svs_thread_spawn(ranks, work, NULL, 0, NULL) : status;
}

/* Of all runs: that the paths which are not usual are reached. */
static uint64_t delayed, growths, duplicates, growing, hits, combined;

/* All ranks know the entries of all. */
static const char *check_load(program_run *run) {
    svs_hash_load sum = {.entries_least = UINT64_MAX};
    const own *first = program_data(run, 0);
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        uint64_t entries = mine->statistics.entries;
        sum.entries += entries;
        sum.slots += mine->statistics.slots;
        if (entries < sum.entries_least) sum.entries_least = entries;
        if (entries > sum.entries_most) sum.entries_most = entries;
        sum.probe_most = mine->load.probe_most;
        if (memcmp(&mine->load, &first->load, sizeof mine->load) != 0) return "loads differ";
    }
    if (memcmp(&sum, &first->load, sizeof sum) != 0) return "the load is not that of all ranks";
    return (sum.probe_most == 0) == (sum.entries == 0) ? NULL : "the longest probe";
}

static const char *check(program_run *run) {
    const char *wrong;
    uint64_t delta[SHARED_KEYS] = {0};
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        if ((wrong = program_wrong_line(mine->wrong, i))) return wrong;
        delayed += mine->statistics.delayed;
        growths += mine->statistics.growths;
        duplicates += mine->statistics.duplicates;
        growing += mine->growing;
        hits += mine->statistics.cache_hits;
        combined += mine->statistics.combined;
        for (uint32_t key = 0; key < SHARED_KEYS; key++)
            delta[key] += mine->given[key] - mine->taken[key];
    }
    for (uint32_t key = 0; key < SHARED_KEYS; key++)
        if (delta[key] != 0) return "an insert of a shared key is lost, or was made twice";
    return NULL;
}

static const char *check_all(program_run *run) {
    const char *wrong = check(run);
    return wrong != NULL ? wrong : check_load(run);
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 4 * 100;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 7 == 0 ? 2 : 64;
    if (seed % 11 == 0) options->overflow_bytes_max = 16384;
    options->threads = 4;
}

#define HASH_ON(n)                                                                                 \
    PROGRAM(hash_##n, .ranks = n, .bytes = sizeof(own), .prepare = prepare, .seeded = true,        \
            .options = vary, .start = start, .check = check_all)
HASH_ON(1);
HASH_ON(2);
HASH_ON(3);
HASH_ON(6);

TEST_CASE(operations_take_effect_in_their_order_and_once) {
    program_sim(&hash_1, 600);
    program_sim(&hash_2, 3000);
    program_sim(&hash_3, 3000);
    program_sim(&hash_6, 300);
    program_local(&hash_3, 30);
    assert_true(delayed != 0 && growths != 0 && duplicates != 0);
    assert_true(growing != 0 && hits != 0 && combined != 0);
}

/* ---- arrays of keys with numbers, which svs_hash_add() adds ---- */

enum { PAIRS = 300, ARRAYS = 5 };

typedef struct pair {
    uint64_t key, number;
} pair;

static svs_status prepare_sums(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = "sums";
    options.item_bytes = sizeof(pair);
    options.key_bytes = sizeof(uint64_t);
    options.duplicate = svs_hash_add;
    options.dispatch = mine->seed % 5 == 0 ? SVS_DISPATCH_FIFO : SVS_DISPATCH_IN_PLACE;
    options.expected = mine->seed % 2 == 0 ? SHARED_KEYS : 0;
    options.combine_entries = mine->seed % 3 == 0 ? 16 : 0;
    return svs_hash_new(ranks, &options, &mine->hash);
}

static svs_status insert_array(svs_ranks *ranks, const pair *pairs, size_t count) {
    own *mine = svs_ranks_data(ranks);
    size_t accepted;
    svs_status status = svs_hash_insert_all(mine->hash, pairs, count, &accepted);
    while (status == SVS_WAIT) {
        CHECK(mine, accepted < count);
        pairs += accepted;
        count -= accepted;
        status = await_ready(ranks, mine->hash, pairs);
        if (status == SVS_OK) status = svs_hash_insert_all(mine->hash, pairs, count, &accepted);
    }
    CHECK(mine, status != SVS_OK || accepted == count);
    return status;
}

static svs_status give_arrays(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    pair pairs[PAIRS];
    uint64_t cursor = 0;
    const pair *entry;
    svs_status status = SVS_OK;
    (void)state;
    svs__random_seed(&mine->random, mine->seed * 79 + svs_ranks_index(ranks));
    for (int i = 0; i < ARRAYS && status == SVS_OK; i++) {
        uint32_t count = svs__random_below(&mine->random, PAIRS + 1);
        for (uint32_t k = 0; k < count; k++) {
            pairs[k].key = svs__random_below(&mine->random, SHARED_KEYS);
            pairs[k].number = svs__random_next(&mine->random);
            mine->given[pairs[k].key] += pairs[k].number;
        }
        status = insert_array(ranks, pairs, count);
    }
    if (status == SVS_OK) status = svs_hash_sync(mine->hash, &mine->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &mine->done, 1);
    if (status != SVS_OK) return status;
    while ((entry = svs_hash_next(mine->hash, &cursor)) != NULL)
        mine->taken[entry->key] += entry->number;
    return SVS_OK;
}

static svs_status start_sums(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    (void)state;
    svs_counter_init(&mine->ready, 0);
    svs_counter_init(&mine->done, 0);
    return svs_thread_spawn(ranks, give_arrays, NULL, 0, NULL);
}

static void vary_size(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    static const size_t sizes[] = {0, 1000, 3000, 16384};
    (void)rank;
    options->aggregate_bytes = sizes[seed % 4];
    options->credits = 1 + (uint32_t)(seed % 3);
}

#define SUMS_ON(n)                                                                                 \
    PROGRAM(sums_##n, .ranks = n, .bytes = sizeof(own), .prepare = prepare_sums, .seeded = true,   \
            .options = vary_size, .start = start_sums, .check = check)
SUMS_ON(1);
SUMS_ON(2);
SUMS_ON(3);

TEST_CASE(numbers_behind_keys_are_added) {
    program_sim(&sums_1, 50);
    program_sim(&sums_2, 400);
    program_sim(&sums_3, 100);
    program_local(&sums_2, 30);
}

/* ---- lookups after a sync ---- */

enum { LAPS = 6, LAP_KEYS = 20 };

/* In each lap one rank, another one for each key, adds the number of ranks to it, and all look at
 * all keys after a sync: a lap's sums are there, and those of the next one at most. So a rank has
 * most keys in its cache when another one changes them. Key number LAP_KEYS + lap is new in its
 * lap. */
static svs_status prepare_laps(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = "laps";
    options.item_bytes = sizeof(pair);
    options.key_bytes = sizeof(uint64_t);
    options.duplicate = svs_hash_add;
    options.cache_entries = 256;
    options.combine_entries = mine->seed % 2 == 0 ? 64 : 0;
    return svs_hash_new(ranks, &options, &mine->hash);
}

static bool is_of_lap(svs_ranks *ranks, const pair *one, bool found, uint64_t lap) {
    uint64_t all = svs_ranks_count(ranks);
    if (one->key >= LAP_KEYS) return found || one->key > LAP_KEYS + lap;
    return found && one->number >= all * (lap + 1) && one->number <= all * (lap + 2);
}

/* All keys, one by one or at once. */
static svs_status look_at_all(svs_ranks *ranks, uint64_t lap, bool at_once) {
    own *mine = svs_ranks_data(ranks);
    pair pairs[LAP_KEYS + LAPS];
    bool found[LAP_KEYS + LAPS];
    bool there[LAP_KEYS + LAPS];
    svs_status status = SVS_OK;
    for (uint64_t i = 0; i < LAP_KEYS + LAPS; i++) {
        pairs[i] = (pair){i, 0};
        if (at_once || (status != SVS_OK && status != SVS_WAIT)) continue;
        mine->calls++;
        status = svs_hash_lookup(mine->hash, &i, &pairs[i], &there[i], &mine->done);
    }
    if (at_once) {
        mine->calls++;
        status = svs_hash_lookup_all(mine->hash, pairs, LAP_KEYS + LAPS, found, &mine->done);
    }
    if (status == SVS_OK || status == SVS_WAIT) status = svs_await(ranks, &mine->done, mine->calls);
    for (uint64_t i = 0; i < LAP_KEYS + LAPS && status == SVS_OK; i++)
        CHECK(mine, is_of_lap(ranks, &pairs[i], at_once ? found[i] : there[i], lap));
    return status;
}

static svs_status run_laps(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_status status = SVS_OK;
    (void)state;
    for (uint64_t lap = 0; lap < LAPS && status == SVS_OK; lap++) {
        pair pairs[LAP_KEYS + 1];
        uint64_t all = svs_ranks_count(ranks), count = 0;
        for (uint64_t i = 0; i <= LAP_KEYS; i++)
            if ((i + lap) % all == svs_ranks_index(ranks))
                pairs[count++] = (pair){i < LAP_KEYS ? i : i + lap, all};
        status = insert_array(ranks, pairs, count);
        if (status == SVS_OK) status = svs_hash_sync(mine->hash, &mine->done);
        mine->calls++;
        if (status == SVS_WAIT) status = svs_await(ranks, &mine->done, mine->calls);
        for (int i = 0; i < 4 && status == SVS_OK; i++)
            status = look_at_all(ranks, lap, (mine->seed + (uint64_t)i) % 2 == 0);
    }
    return status == SVS_OK ? svs_hash_statistics_get(mine->hash, &mine->statistics) : status;
}

static svs_status start_laps(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    (void)state;
    svs_counter_init(&mine->ready, 0);
    svs_counter_init(&mine->done, 0);
    mine->calls = 0;
    return svs_thread_spawn(ranks, run_laps, NULL, 0, NULL);
}

static const char *check_laps(program_run *run) {
    uint64_t found = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong != NULL) return wrong;
        found += mine->statistics.cache_hits;
    }
    return run->program->ranks == 1 || found != 0 ? NULL : "no lookup was answered by a cache";
}

#define LAPS_ON(n)                                                                                 \
    PROGRAM(laps_##n, .ranks = n, .bytes = sizeof(own), .prepare = prepare_laps, .seeded = true,   \
            .options = vary_size, .start = start_laps, .check = check_laps)
LAPS_ON(2);
LAPS_ON(3);

TEST_CASE(a_cached_lookup_is_never_older_than_the_last_sync) {
    program_sim(&laps_2, 200);
    program_sim(&laps_3, 200);
    program_local(&laps_3, 10);
}

/* ---- combining that pauses ---- */

enum { DISTINCT = 9000, EQUAL = 150000 };

/* Keys that are all different; then equal ones, for longer than a pause. */
static svs_status give_distinct(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    pair pairs[PAIRS];
    svs_status status = SVS_OK;
    (void)state;
    for (uint64_t i = 0; i < DISTINCT + EQUAL && status == SVS_OK; i += PAIRS) {
        for (uint64_t k = 0; k < PAIRS; k++)
            pairs[k] = (pair){i < DISTINCT ? i + k : k % SHARED_KEYS, 1};
        status = insert_array(ranks, pairs, PAIRS);
        if (i + PAIRS == DISTINCT && svs_hash_statistics_get(mine->hash, &mine->statistics))
            return SVS_E_STATE;
    }
    CHECK(mine, mine->statistics.combined == 0);
    if (status == SVS_OK) status = svs_hash_sync(mine->hash, &mine->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &mine->done, 1);
    return status == SVS_OK ? svs_hash_statistics_get(mine->hash, &mine->statistics) : status;
}

static svs_status prepare_distinct(svs_ranks *ranks) {
    own *mine = svs_ranks_data(ranks);
    mine->seed = 0; /* it combines */
    return prepare_laps(ranks);
}

static svs_status start_distinct(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    (void)state;
    svs_counter_init(&mine->ready, 0);
    svs_counter_init(&mine->done, 0);
    return svs_thread_spawn(ranks, give_distinct, NULL, 0, NULL);
}

static const char *check_distinct(program_run *run) {
    uint64_t inserts = 0, merged = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong != NULL) return wrong;
        inserts += mine->statistics.created + mine->statistics.duplicates;
        merged += mine->statistics.combined;
    }
    if (merged == 0) return "equal keys were not merged after the pause";
    return inserts + merged == 2 * (DISTINCT + EQUAL) ? NULL : "inserts were lost, or made twice";
}

PROGRAM(distinct, .ranks = 2, .bytes = sizeof(own), .prepare = prepare_distinct, .seeded = true,
        .start = start_distinct, .check = check_distinct);

TEST_CASE(different_keys_pause_the_combining) { program_sim(&distinct, 2); }

TEST_CASE(survivors_agree_and_memory_is_released) {
    program_kill(&hash_2, 97);
    program_kill(&laps_2, 197);
    program_exhaust(&hash_2, 7);
    program_exhaust(&laps_2, 7);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
