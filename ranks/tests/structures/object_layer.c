/* Object layers: random publishes, reads, refreshes, invalidations, syncs and freezes of all ranks.
 * What each read returns is compared with what had been published, seen and invalidated before. */
#include "base/random.h"
#include "ranks/program.h"
#include <stdio.h>

enum {
    NUMBERS = 3, /* objects of a rank; the last one is published late, or never */
    STEPS = 24,  /* of a worker */
    WORKERS = 3, /* of a rank; the first one also makes the collective calls */
    EVERY = 8,   /* steps between two of these */
    RANKS_MOST = 8,
    BYTES_MOST = 200
};

typedef struct own {
    uint64_t seed;
    int wrong;
    svs__random random;
    svs_object_layer *layer;
    uint64_t published[NUMBERS];              /* calls; the version of the last one */
    uint64_t floor[RANKS_MOST][NUMBERS];      /* a read may not return an older version */
    uint64_t at_sync[STEPS / EVERY][NUMBERS]; /* own versions at the call of each sync */
    uint32_t syncs;
    bool frozen; /* from the end of a freeze to the call of its unfreeze */
    uint64_t at_freeze[NUMBERS];
    svs_counter ended;
    svs_object_layer_statistics statistics;
} own;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

static own *all_ranks[RANKS_MOST]; /* of a run under sim */
static svs_object_layer_statistics seen;

/* ---- making ---- */

static svs_status prepare_apart(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_object_layer_options options;
    svs_object_layer_options_init(&options);
    options.name = "objects";
    options.piece_bytes = mine->seed % 3 == 0 ? 8192 : 9 + (uint32_t)(mine->seed % 5) * 8;
    options.cache_bytes = mine->seed % 4 == 0 ? 1 : 100 + mine->seed % 7 * 150;
    return svs_object_layer_new(ranks, &options, &mine->layer);
}

static svs_status prepare(svs_ranks *ranks) {
    all_ranks[svs_ranks_index(ranks)] = own_of(ranks);
    return prepare_apart(ranks);
}

static void say_nothing(int level, const char *text, void *argument) {
    (void)level, (void)text, (void)argument;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 200;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
    options->threads = 8;
    options->log = say_nothing; /* of objects that are not there yet */
}

/* ---- versions ---- */

/* The bytes of a version tell all of its name. */
static uint32_t fill(unsigned char *data, svs_object_layer_name name, uint64_t version) {
    svs__random random;
    uint32_t bytes;
    svs__random_seed(&random, (name.rank * 16 + name.number) * 100000 + version);
    bytes = svs__random_below(&random, 4) == 0 ? svs__random_below(&random, 3)
                                               : svs__random_below(&random, BYTES_MOST);
    for (uint32_t i = 0; i < bytes; i++) data[i] = (unsigned char)svs__random_below(&random, 256);
    return bytes;
}

static bool is_version(svs_object_layer_name name, const svs_object_layer_view *view) {
    unsigned char data[BYTES_MOST];
    uint32_t bytes = fill(data, name, view->version);
    return view->bytes == bytes && (bytes == 0 || memcmp(view->data, data, bytes) == 0);
}

/* What the owner has published by now; of another rank's under sim alone. */
static uint64_t newest_of(own *mine, uint32_t rank, svs_object_layer_name name) {
    if (name.rank == rank) return svs_object_layer_version(mine->layer, name);
    return all_ranks[name.rank] == NULL
               ? 0
               : svs_object_layer_version(all_ranks[name.rank]->layer, name);
}

static void raise_floor(own *mine, svs_object_layer_name name, uint64_t version) {
    uint64_t *floor = &mine->floor[name.rank][name.number];
    if (version > *floor) *floor = version;
}

static svs_object_layer_name any_name(svs_ranks *ranks) {
    svs__random *random = &own_of(ranks)->random;
    svs_object_layer_name name = {svs__random_below(random, svs_ranks_count(ranks)),
                                  svs__random_below(random, NUMBERS)};
    return name;
}

/* ---- operations; each is complete when it returns ---- */

static svs_status wait_for(svs_ranks *ranks, svs_status status, svs_counter *done) {
    if (status == SVS_OK) CHECK(own_of(ranks), done->value == 1);
    return status == SVS_WAIT ? svs_await(ranks, done, 1) : status;
}

static svs_status publish(svs_ranks *ranks, uint32_t number) {
    own *mine = own_of(ranks);
    svs_object_layer_name name = {svs_ranks_index(ranks), number};
    unsigned char data[BYTES_MOST];
    uint64_t version = ++mine->published[number];
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = svs_object_layer_publish(mine->layer, name, data, fill(data, name, version), &done);
    if (status == SVS_OK) CHECK(mine, !mine->frozen);
    status = wait_for(ranks, status, &done);
    CHECK(mine, status != SVS_OK || svs_object_layer_version(mine->layer, name) >= version);
    return status;
}

/* A read or refresh; the view is held for a while. */
static svs_status look(svs_ranks *ranks, bool refresh) {
    own *mine = own_of(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    svs_object_layer_name name = any_name(ranks);
    uint64_t newest = newest_of(mine, rank, name);
    uint64_t least = mine->floor[name.rank][name.number];
    svs_object_layer_view view = {NULL, 0, 0, SVS_OK, NULL};
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    if (refresh && newest > least) least = newest; /* structures.L2 */
    status = refresh ? svs_object_layer_refresh(mine->layer, name, &view, &done)
                     : svs_object_layer_read(mine->layer, name, &view, &done);
    if (status == SVS_E_INVALID && name.rank == rank && newest == 0) return SVS_OK;
    status = wait_for(ranks, status, &done);
    if (status != SVS_OK) return status;
    CHECK(mine, view.version >= least); /* structures.L1, structures.L3 */
    CHECK(mine, (view.version == 0) == (view.status != SVS_OK));
    if (view.status != SVS_OK) return SVS_OK;
    raise_floor(mine, name, view.version);
    if (all_ranks[name.rank] != NULL) CHECK(mine, view.version <= newest_of(mine, rank, name));
    CHECK(mine, is_version(name, &view));
    if (svs__random_below(&mine->random, 3) == 0) { /* held while others go on */
        svs_counter later;
        svs_counter_init(&later, 0);
        status = svs_object_layer_refresh(mine->layer, name, NULL, &later);
        status = wait_for(ranks, status, &later);
        if (status != SVS_OK) return status;
        CHECK(mine, is_version(name, &view)); /* structures.L5 */
    }
    status = svs_object_layer_release(mine->layer, &view);
    CHECK(mine, svs_object_layer_release(mine->layer, &view) == SVS_E_STATE);
    return status;
}

static void raise_all(uint32_t ranks, svs_object_layer_name name, uint64_t version) {
    for (uint32_t i = 0; i < ranks; i++)
        if (all_ranks[i] != NULL) raise_floor(all_ranks[i], name, version);
}

static svs_status invalidate(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    svs_object_layer_name name = any_name(ranks);
    uint64_t newest = newest_of(mine, rank, name);
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = wait_for(ranks, svs_object_layer_invalidate(mine->layer, name, &done), &done);
    if (status != SVS_OK) return status;
    if (name.rank == rank) raise_all(svs_ranks_count(ranks), name, newest); /* structures.L3 */
    else raise_floor(mine, name, newest);                                   /* structures.L2 */
    return status;
}

/* ---- collective calls, by the first worker ---- */

/* @return with *which the number of the sync: the versions at its begin are those of at_sync. */
static svs_status sync_layer(svs_ranks *ranks, uint32_t *which) {
    own *mine = own_of(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    svs_counter done;
    svs_counter_init(&done, 0);
    *which = mine->syncs++;
    for (uint32_t i = 0; i < NUMBERS; i++)
        mine->at_sync[*which][i] =
            svs_object_layer_version(mine->layer, (svs_object_layer_name){rank, i});
    return wait_for(ranks, svs_object_layer_sync(mine->layer, &done), &done);
}

static svs_status sync_all(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    uint32_t which;
    svs_status status = sync_layer(ranks, &which);
    if (status != SVS_OK) return status;
    for (uint32_t r = 0; r < svs_ranks_count(ranks); r++)
        for (uint32_t i = 0; i < NUMBERS && all_ranks[r] != NULL; i++)
            raise_floor(mine, (svs_object_layer_name){r, i}, all_ranks[r]->at_sync[which][i]);
    return status;
}

static void look_at_versions(own *mine, uint32_t rank, bool note) {
    for (uint32_t i = 0; i < NUMBERS; i++) {
        uint64_t now = svs_object_layer_version(mine->layer, (svs_object_layer_name){rank, i});
        if (note) mine->at_freeze[i] = now;
        CHECK(mine, now == mine->at_freeze[i]); /* ranks.Z1 */
    }
    mine->frozen = note;
}

static svs_status freeze(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_snapshot *snapshot = svs_object_layer_snapshot(mine->layer);
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = wait_for(ranks, svs_snapshot_freeze(snapshot, &done), &done);
    if (status != SVS_OK) return status;
    look_at_versions(mine, svs_ranks_index(ranks), true);
    for (int i = 0; i < 3 && status == SVS_OK; i++) status = look(ranks, i % 2 == 0);
    if (status != SVS_OK) return status;
    look_at_versions(mine, svs_ranks_index(ranks), false);
    svs_counter_init(&done, 0);
    return wait_for(ranks, svs_snapshot_unfreeze(snapshot, &done), &done);
}

/* ---- a rank ---- */

static svs_status step(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    switch (svs__random_below(&mine->random, 8)) {
    case 0:
    case 1: return publish(ranks, svs__random_below(&mine->random, NUMBERS));
    case 2: return look(ranks, true);
    case 3: return invalidate(ranks);
    default: return look(ranks, false);
    }
}

static svs_status work(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    uint32_t worker = *(uint32_t *)state;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < STEPS && status == SVS_OK; i++) {
        status = step(ranks);
        if (status != SVS_OK || worker != 0 || i % EVERY != EVERY - 1) continue;
        status = (mine->seed + i / EVERY) % 2 == 0 ? sync_all(ranks) : freeze(ranks);
    }
    if (status == SVS_OK) svs_counter_add(ranks, &mine->ended, 1);
    return status;
}

/* All ranks have ended: the layer is freed in the run, or with the rank. */
static svs_status finish(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_object_layer *layer = mine->layer;
    svs_counter done;
    uint32_t which;
    svs_status status = sync_layer(ranks, &which); /* no rank reads all_ranks after it */
    if (status != SVS_OK || mine->seed % 2 != 0) return status;
    all_ranks[svs_ranks_index(ranks)] = NULL;
    svs_counter_init(&done, 0);
    return wait_for(ranks, svs_object_layer_free(layer, &done), &done);
}

static svs_status run(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_status status = SVS_OK;
    (void)state;
    for (uint32_t i = 0; i + 1 < NUMBERS && status == SVS_OK; i++) status = publish(ranks, i);
    if (status != SVS_OK) return status;
    for (uint32_t i = 0; i < WORKERS; i++)
        if (svs_thread_spawn(ranks, work, &i, sizeof i, NULL)) return 1;
    status = svs_await(ranks, &mine->ended, WORKERS);
    if (status != SVS_OK) return status;
    if (svs_object_layer_statistics_get(mine->layer, &mine->statistics)) return 1;
    return finish(ranks);
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs__random_seed(&mine->random, mine->seed * 31 + svs_ranks_index(ranks));
    return svs_thread_spawn(ranks, run, state, 0, NULL);
}

/* ---- judgement ---- */

static const char *check(program_run *run_) {
    const char *wrong = NULL;
    memset(all_ranks, 0, sizeof all_ranks);
    for (uint32_t i = 0; i < run_->program->ranks && wrong == NULL; i++) {
        const own *mine = program_data(run_, i);
        const svs_object_layer_statistics *of = &mine->statistics;
        wrong = program_wrong_line(mine->wrong, i);
        if (wrong == NULL && of->requests < of->fetches + of->unchanged) wrong = "wrong counts";
        if (wrong == NULL && mine->ended.value != WORKERS) wrong = "a worker has not ended";
        seen.overtaken += of->overtaken;
        seen.unchanged += of->unchanged;
        seen.invalidations += of->invalidations;
        seen.replacements += of->replacements;
        seen.delayed += of->delayed;
        seen.hits += of->hits;
    }
    return wrong;
}

#define OBJECTS_ON(n)                                                                              \
    PROGRAM(objects_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,        \
            .prepare = prepare, .start = start, .check = check)
OBJECTS_ON(1);
OBJECTS_ON(2);
OBJECTS_ON(3);
OBJECTS_ON(5);
/* Of which no rank looks at another one, which may run at the same time, or be gone. */
#define OBJECTS_APART_ON(n)                                                                        \
    PROGRAM(objects_apart_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,  \
            .prepare = prepare_apart, .start = start, .check = check)
OBJECTS_APART_ON(2);
OBJECTS_APART_ON(3);

TEST_CASE(reads_return_whole_versions_that_are_never_too_old) {
    program_sim(&objects_1, 50);
    program_sim(&objects_2, 1500);
    program_sim(&objects_3, 1500);
    program_sim(&objects_5, 300);
    program_local(&objects_apart_3, 20);
    /* What the runs are to show did happen. */
    assert_true(seen.hits > 0 && seen.unchanged > 0 && seen.delayed > 0);
    assert_true(seen.invalidations > 0 && seen.replacements > 0);
    if (program_scaled(100) == 100) assert_true(seen.overtaken > 0);
}

TEST_CASE(a_killed_rank_ends_the_run) { program_kill(&objects_apart_3, 211); }

TEST_CASE(a_lack_of_memory_ends_the_run_or_is_reported) { program_exhaust(&objects_apart_2, 3); }

TEST_CASE(a_wrong_bit_ends_the_run) { program_flip(&objects_apart_3, 1000); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
