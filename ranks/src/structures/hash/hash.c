/* The public calls of hash tables: making them, and the checks of arguments. */
#include "structures/hash/hash.h"
#include "base/sized.h"
#include "structures/refuse.h"
#include <stdio.h>
#include <string.h>

#define REFUSE(status, why) svs_ranks_refuse(ranks, (status), (why))

#define ITEM_BYTES_MAX (1u << 20)

/* ---- options ---- */

void svs_hash_add(void *entry, const void *item, void *argument) {
    uint64_t sum = svs__load_8((char *)entry + 8) + svs__load_8((const char *)item + 8);
    (void)argument;
    memcpy((char *)entry + 8, &sum, sizeof sum);
}

static const svs_hash_options defaults = {.size = sizeof defaults,
                                          .dispatch = SVS_DISPATCH_IN_PLACE};

void svs_hash_options_init_sized(svs_hash_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(svs_ranks *ranks, const svs_hash_options *options) {
    char name[SVS__HASH_HANDLER_NAME];
    if (options->name == NULL || options->name[0] == '\0' || strlen(options->name) >= SVS_HASH_NAME)
        return "its name is missing, or longer than 31 bytes: choose another one";
    (void)snprintf(name, sizeof name, "%s.hash", options->name);
    if (svs_distributed_find(ranks, name, 0) != NULL)
        return "its name is taken by another table: choose another one";
    if (options->item_bytes == 0 || options->item_bytes > ITEM_BYTES_MAX)
        return "item_bytes is not 1 to 2^20: set it to the size of an item";
    if (options->key_bytes == 0 || options->key_bytes > options->item_bytes)
        return "key_bytes must be from 1 to item_bytes: an item begins with its key";
    if (options->duplicate == svs_hash_add &&
        (options->item_bytes != 16 || options->key_bytes != 8))
        return "svs_hash_add() needs items of 16 bytes with a key of 8: use another function for "
               "these items";
    if ((unsigned)options->dispatch > SVS_DISPATCH_IN_PLACE)
        return "its dispatch is neither FIFO, urgent nor in place: choose one of them";
    if (options->snapshot_of != NULL && options->snapshot_of->ranks != ranks)
        return "snapshot_of is a table of another rank: pass one of this rank";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_hash_options *given,
                               svs_hash_options *options) {
    const char *fault;
    svs_status status;
    *options = defaults;
    status = svs__structure_options_take(ranks, "svs_hash", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(ranks, options);
    return fault == NULL ? SVS_OK : svs__refuse_call(ranks, SVS_E_INVALID, "svs_hash_new", fault);
}

/* ---- making ---- */

static uint32_t pending_bytes(const svs_hash *hash) {
    uint32_t one = hash->bins.item_bytes;
    return one < SVS__HASH_PENDING_BYTES ? SVS__HASH_PENDING_BYTES / one * one : one;
}

static size_t ways_bytes(const svs_hash *hash) { return hash->count * sizeof(svs__lane *); }

static void release(svs_ranks *ranks, void *part) {
    svs_hash *hash = part;
    svs_allocator allocator = hash->allocator;
    (void)ranks;
    svs__hash_forget_delayed(hash);
    svs__hash_bulk_clean_up(hash);
    svs__cache_clean_up(hash);
    svs__combine_clean_up(hash);
    svs__release(&allocator, hash->answer, svs__hash_answer_bytes(hash), 8);
    svs__array_release(&allocator, hash->tickets, hash->ticket_capacity, sizeof *hash->tickets);
    svs__release(&allocator, hash->scratch, svs__hash_record_bytes(hash), 8);
    svs__release(&allocator, hash->pending_items, pending_bytes(hash), 64);
    svs__release(&allocator, hash->ways, ways_bytes(hash), 16);
    svs__bins_clean_up(&hash->bins);
    svs__release(&allocator, hash, sizeof *hash, _Alignof(svs_hash));
}

static void fill_handlers(svs_hash *hash, const char *name, svs_handler *handlers) {
    static const char *const ends[] = {"insert", "request", "reply", "keys", "entries", "hash"};
    uint32_t bytes = svs__hash_record_bytes(hash);
    for (int i = 0; i <= SVS__HASH_HANDLERS; i++)
        (void)snprintf(hash->names[i], sizeof hash->names[i], "%s.%s", name, ends[i]);
    handlers[SVS__HASH_INSERTS] = (svs_handler){.name = hash->names[0],
                                                .dispatch = SVS_DISPATCH_IN_PLACE,
                                                .bytes = hash->bins.item_bytes,
                                                .run_in_place = svs__hash_take_inserts};
    handlers[SVS__HASH_REQUESTS] = (svs_handler){.name = hash->names[1],
                                                 .dispatch = hash->dispatch,
                                                 .bytes = bytes,
                                                 .run = svs__hash_run_request,
                                                 .run_in_place = svs__hash_take_requests};
    handlers[SVS__HASH_REPLIES] = (svs_handler){.name = hash->names[2],
                                                .dispatch = SVS_DISPATCH_IN_PLACE,
                                                .bytes = bytes,
                                                .run_in_place = svs__hash_take_replies};
    handlers[SVS__HASH_KEYS] = (svs_handler){.name = hash->names[3],
                                             .dispatch = hash->dispatch,
                                             .run = svs__hash_run_keys,
                                             .run_in_place = svs__hash_take_keys};
    handlers[SVS__HASH_ENTRIES] = (svs_handler){.name = hash->names[4],
                                                .dispatch = SVS_DISPATCH_IN_PLACE,
                                                .run_in_place = svs__hash_take_entries};
}

/* Sets the lane for items of each rank: the lanes of the channels (svs/ranks/post.h), and for this
 * rank that of pending items. */
static void make_ways(svs_hash *hash) {
    const svs__lanes *lanes = (const svs__lanes *)(const void *)hash->ranks;
    for (uint32_t i = 0; i < hash->count; i++) hash->ways[i] = &lanes->of[i];
    hash->ways[hash->index] = &hash->pending;
    hash->pending = (svs__lane){.handler = hash->insert,
                                .at = hash->pending_items,
                                .end = hash->pending_items + pending_bytes(hash)};
}

/* @return NULL: no memory. */
static svs_hash *make(svs_ranks *ranks, const svs_hash_options *options) {
    const svs_allocator *allocator = svs_ranks_allocator(ranks);
    svs_hash *hash = svs__allocate_zeroed(allocator, sizeof *hash, _Alignof(svs_hash));
    svs_status status;
    if (hash == NULL) return NULL;
    hash->ranks = ranks;
    hash->allocator = *allocator;
    hash->index = svs_ranks_index(ranks);
    hash->count = svs_ranks_count(ranks);
    hash->dispatch = options->dispatch;
    status = svs__bins_init(&hash->bins, &hash->allocator, options->item_bytes, options->key_bytes,
                            options->expected);
    hash->bins.hash = options->hash;
    hash->bins.duplicate = options->duplicate;
    hash->bins.argument = options->argument;
    hash->scratch = svs__allocate_zeroed(allocator, svs__hash_record_bytes(hash), 8);
    hash->pending_items = svs__allocate(allocator, pending_bytes(hash), 64);
    hash->ways = svs__allocate(allocator, ways_bytes(hash), 16);
    hash->answer = svs__allocate_zeroed(allocator, svs__hash_answer_bytes(hash), 8);
    if (status == SVS_OK && hash->scratch != NULL && hash->pending_items != NULL &&
        hash->ways != NULL && hash->answer != NULL &&
        svs__cache_init(hash, options->cache_entries) &&
        svs__combine_init(hash, options->combine_entries))
        return hash;
    release(ranks, hash);
    return NULL;
}

/* The structure that the table is the part of. */
static svs_status make_structure(svs_hash *hash, const svs_hash_options *given) {
    svs_handler handlers[SVS__HASH_HANDLERS];
    svs_structure_options options;
    svs_status status;
    fill_handlers(hash, given->name, handlers);
    svs_structure_options_init(&options);
    options.name = hash->names[SVS__HASH_HANDLERS];
    options.part = hash;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = SVS__HASH_HANDLERS;
    if (given->snapshot_of != NULL) options.snapshot_of = given->snapshot_of->structure;
    status = svs_structure_new(hash->ranks, &options, &hash->structure, NULL);
    if (status != SVS_OK) return status;
    hash->snapshot = svs_structure_snapshot(hash->structure);
    hash->insert = svs_structure_handler(hash->structure, SVS__HASH_INSERTS);
    hash->request = svs_structure_handler(hash->structure, SVS__HASH_REQUESTS);
    hash->reply = svs_structure_handler(hash->structure, SVS__HASH_REPLIES);
    hash->keys = svs_structure_handler(hash->structure, SVS__HASH_KEYS);
    hash->entries = svs_structure_handler(hash->structure, SVS__HASH_ENTRIES);
    make_ways(hash);
    return SVS_OK;
}

svs_status svs_hash_new(svs_ranks *ranks, const svs_hash_options *given, svs_hash **made) {
    svs_hash_options options;
    svs_hash *hash;
    svs_status status;
    if (ranks == NULL || made == NULL)
        return REFUSE(SVS_E_NULL, "svs_hash_new: ranks or hash is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_STATE, "svs_hash_new: called in a run: make tables before it");
    status = take_options(ranks, given, &options);
    hash = status == SVS_OK ? make(ranks, &options) : NULL;
    if (hash == NULL) {
        svs_structure_decline(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    status = make_structure(hash, &options);
    if (status == SVS_OK) *made = hash;
    else release(ranks, hash);
    return status;
}

/* ---- operations ---- */

static svs_status check(const svs_hash *hash, const void *key, const char *call) {
    const svs_ranks *ranks = hash == NULL ? NULL : hash->ranks;
    if (hash == NULL || key == NULL)
        return svs__refuse_call(ranks, SVS_E_NULL, call,
                                "hash, or its item or key, is NULL: pass both");
    return svs_ranks_in_run(ranks) ? SVS_OK
                                   : svs__refuse_call(ranks, SVS_E_OUTSIDE, call,
                                                      "there is no run: call it in a fiber");
}

svs_status svs_hash_insert(svs_hash *hash, const void *item, svs_counter *done) {
    svs__hash_ticket answer = {.done = done};
    svs_status status = check(hash, item, "svs_hash_insert");
    size_t accepted;
    if (status != SVS_OK) return status;
    if (done == NULL) return svs_hash_insert_all(hash, item, 1, &accepted);
    return svs__hash_operate(hash, SVS__HASH_INSERT, item, hash->bins.item_bytes, &answer);
}

svs_status svs_hash_delete(svs_hash *hash, const void *key, svs_counter *done) {
    svs__hash_ticket answer = {.done = done};
    svs_status status = check(hash, key, "svs_hash_delete");
    if (status != SVS_OK) return status;
    return svs__hash_operate(hash, SVS__HASH_DELETE, key, hash->bins.key_bytes, &answer);
}

svs_status svs__hash_look_up(svs_hash *hash, const void *key, void *entry, bool *found,
                             svs_counter *done) {
    svs__hash_ticket answer = {.done = done, .entry = entry, .found = found};
    svs_status status = check(hash, key, "svs_hash_lookup");
    if (status != SVS_OK) return status;
    if (found == NULL || done == NULL)
        return svs_ranks_refuse(hash->ranks, SVS_E_NULL,
                                "svs_hash_lookup: found or done is NULL: pass both");
    answer.stamp = svs__cache_stamp(hash); /* structures.H10 */
    return svs__hash_operate(hash, SVS__HASH_LOOKUP, key, hash->bins.key_bytes, &answer);
}

svs_status svs_hash_sync(svs_hash *hash, svs_counter *done) {
    const svs_ranks *ranks = hash == NULL ? NULL : hash->ranks;
    svs_status status;
    uint32_t to;
    if (hash == NULL || done == NULL)
        return REFUSE(SVS_E_NULL, "svs_hash_sync: hash or done is NULL: pass both");
    if (!svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_OUTSIDE, "svs_hash_sync: there is no run: sync in a fiber");
    /* items without credit are posted by the fiber (structures.H11) */
    status = svs__combine_post_all(hash, &to);
    return status == SVS_OK || status == SVS_WAIT ? svs_snapshot_sync(hash->snapshot, done)
                                                  : status;
}

svs_snapshot *svs_hash_snapshot(const svs_hash *hash) {
    return hash == NULL ? NULL : hash->snapshot;
}

/* ---- this rank's part ---- */

void *svs_hash_next(svs_hash *hash, uint64_t *cursor) {
    if (hash == NULL || cursor == NULL) return NULL;
    svs__hash_flush(hash);
    return svs__bins_next(&hash->bins, cursor);
}

svs_status svs_hash_clear(svs_hash *hash, uint64_t expected) {
    if (hash == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL, "svs_hash_clear: hash is NULL: pass one");
    svs__hash_flush(hash);
    svs__cache_empty(hash);
    return svs__bins_clear(&hash->bins, expected);
}

uint32_t svs_hash_owner(const svs_hash *hash, const void *key) {
    return svs__hash_rank(svs__bins_hash(&hash->bins, key), hash->count);
}

svs_status svs_hash_statistics_get_sized(svs_hash *hash, svs_hash_statistics *statistics,
                                         size_t size) {
    svs_hash_statistics counts;
    if (hash == NULL || statistics == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL,
                                "svs_hash_statistics_get: hash or statistics is NULL: pass both");
    svs__hash_flush(hash);
    counts = (svs_hash_statistics){svs__bins_entries(&hash->bins),
                                   hash->bins.now.mask + 1,
                                   hash->bins.created,
                                   hash->bins.deleted,
                                   hash->bins.duplicates,
                                   hash->bins.growths,
                                   hash->bins.moved_most,
                                   hash->delayed,
                                   svs__bins_unmoved(&hash->bins),
                                   hash->cache.hits,
                                   hash->cache.misses,
                                   hash->combiner.merged};
    svs__output_put(statistics, size, &counts, sizeof counts);
    return SVS_OK;
}

/* ---- the load of all ranks ---- */

static void combine_loads(void *into, const void *from, size_t count) {
    svs_hash_load *sum = into;
    const svs_hash_load *one = from;
    for (; count != 0; count--, sum++, one++) {
        sum->entries += one->entries;
        sum->slots += one->slots;
        if (one->entries_least < sum->entries_least) sum->entries_least = one->entries_least;
        if (one->entries_most > sum->entries_most) sum->entries_most = one->entries_most;
        if (one->probe_most > sum->probe_most) sum->probe_most = one->probe_most;
    }
}

svs_status svs_hash_load_get(svs_hash *hash, svs_hash_load *load, svs_counter *done) {
    const svs_ranks *ranks = hash == NULL ? NULL : hash->ranks;
    svs_hash_load mine;
    uint64_t entries;
    if (hash == NULL || load == NULL || done == NULL)
        return REFUSE(SVS_E_NULL,
                      "svs_hash_load_get: hash, load or done is NULL: pass all of them");
    if (!svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_OUTSIDE, "svs_hash_load_get: there is no run: call it in a fiber");
    svs__hash_flush(hash);
    entries = svs__bins_entries(&hash->bins);
    mine = (svs_hash_load){entries, hash->bins.now.mask + 1, entries, entries,
                           svs__bins_longest_probe(&hash->bins)};
    return svs_reduce(svs_structure_object(hash->structure), combine_loads, &mine, load,
                      sizeof mine, 1, done);
}
