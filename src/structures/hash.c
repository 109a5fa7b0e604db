/* The face of hash tables: making them, and the checks of arguments. */
#include "structures/hash.h"
#include "base/sized.h"
#include "ranks/channel/handler.h"
#include <stdio.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

#define ITEM_BYTES_MAX (1u << 20)

/* ---- options ---- */

void svs_hash_add(void *entry, const void *item, void *argument) {
    uint64_t sum = svs__load_8((char *)entry + 8) + svs__load_8((const char *)item + 8);
    (void)argument;
    memcpy((char *)entry + 8, &sum, sizeof sum);
}

static const svs_hash_options defaults = {.size = sizeof defaults,
                                          .dispatch = SVS_DISPATCH_PREEMPTIVE};

void svs_hash_options_init_sized(svs_hash_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static bool is_taken(const svs_ranks *ranks, const char *name) {
    size_t length = strlen(name);
    for (const svs__attached *each = ranks->attached; each != NULL; each = each->next) {
        const svs_hash *other = (const svs_hash *)each;
        if (each->release == svs__hash_release && strncmp(other->names[3], name, length) == 0 &&
            strcmp(other->names[3] + length, ".hash") == 0)
            return true;
    }
    return false;
}

static const char *fault_of(svs_ranks *ranks, const svs_hash_options *options) {
    if (options->name == NULL || options->name[0] == '\0' || strlen(options->name) >= SVS_HASH_NAME)
        return "its name is missing, or longer than 31 bytes";
    if (is_taken(ranks, options->name)) return "its name is taken by another table";
    if (options->item_bytes == 0 || options->item_bytes > ITEM_BYTES_MAX)
        return "item_bytes is not 1 to 2^20";
    if (options->key_bytes == 0 || options->key_bytes > options->item_bytes)
        return "key_bytes is not 1 to item_bytes: an item begins with its key";
    if (options->duplicate == svs_hash_add &&
        (options->item_bytes != 16 || options->key_bytes != 8))
        return "svs_hash_add() is for items of 16 bytes with a key of 8";
    if ((unsigned)options->dispatch > SVS_DISPATCH_PREEMPTIVE)
        return "its dispatch is neither FIFO, urgent nor preemptive";
    if (options->snapshot_of != NULL && options->snapshot_of->ranks != ranks)
        return "snapshot_of is a table of another rank";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_hash_options *given,
                               svs_hash_options *options) {
    const char *fault;
    *options = defaults;
    if (given == NULL || svs__options_take(options, sizeof *options, given) != SVS_OK)
        return REFUSE(given == NULL ? SVS_E_NULL : SVS_E_VERSION,
                      "svs_hash_new: options are NULL or of another version: fill them by "
                      "svs_hash_options_init()");
    fault = fault_of(ranks, options);
    return fault == NULL ? SVS_OK : REFUSE(SVS_E_INVALID, "svs_hash_new: %s", fault);
}

/* ---- making ---- */

/* The first run makes the snapshot. */
static svs_status begin(svs_ranks *ranks, svs__attached *attached) {
    svs_hash *hash = (svs_hash *)attached;
    svs_status status;
    if (hash->snapshot_of != NULL) hash->snapshot = hash->snapshot_of->snapshot;
    if (hash->snapshot != NULL) return SVS_OK;
    status = svs_snapshot_new(ranks, hash->names[3], 0, &hash->snapshot, &hash->made);
    return status == SVS_WAIT ? SVS_OK : status;
}

static uint32_t pending_bytes(const svs_hash *hash) {
    uint32_t one = hash->bins.item_bytes;
    return one < SVS__HASH_PENDING_BYTES ? SVS__HASH_PENDING_BYTES / one * one : one;
}

static size_t ways_bytes(const svs_hash *hash) { return hash->ranks->count * sizeof(svs__lane *); }

void svs__hash_release(svs_ranks *ranks, svs__attached *attached) {
    svs_hash *hash = (svs_hash *)attached;
    const svs_allocator *allocator = &ranks->options.allocator;
    svs__hash_forget_delayed(hash);
    svs__array_release(allocator, hash->tickets, hash->ticket_capacity, sizeof *hash->tickets);
    svs__release(allocator, hash->scratch, svs__hash_record_bytes(hash), 8);
    svs__release(allocator, hash->pending_items, pending_bytes(hash), 64);
    svs__release(allocator, hash->ways, ways_bytes(hash), 16);
    svs__bins_clean_up(&hash->bins);
    svs__release(allocator, hash, sizeof *hash, _Alignof(svs_hash));
}

static void make_handlers(svs_hash *hash, const char *name) {
    static const char *const ends[] = {"insert", "request", "reply", "hash"};
    uint32_t bytes = svs__hash_record_bytes(hash);
    for (int i = 0; i < 4; i++)
        (void)snprintf(hash->names[i], sizeof hash->names[i], "%s.%s", name, ends[i]);
    hash->insert = (svs_handler){.name = hash->names[0],
                                 .dispatch = SVS_DISPATCH_PREEMPTIVE,
                                 .bytes = hash->bins.item_bytes,
                                 .run_in_place = svs__hash_take_inserts};
    hash->request = (svs_handler){.name = hash->names[1],
                                  .dispatch = hash->dispatch,
                                  .bytes = bytes,
                                  .run = svs__hash_run_request,
                                  .run_in_place = svs__hash_take_requests};
    hash->reply = (svs_handler){.name = hash->names[2],
                                .dispatch = SVS_DISPATCH_PREEMPTIVE,
                                .bytes = bytes,
                                .run_in_place = svs__hash_take_replies};
}

static void make_ways(svs_hash *hash) {
    for (uint32_t i = 0; i < hash->ranks->count; i++) hash->ways[i] = &hash->ranks->lanes.of[i];
    hash->ways[hash->ranks->index] = &hash->pending;
    hash->pending = (svs__lane){.handler = &hash->insert,
                                .at = hash->pending_items,
                                .end = hash->pending_items + pending_bytes(hash)};
}

static uint32_t count_tables(const svs_ranks *ranks) {
    uint32_t count = 0;
    for (const svs__attached *each = ranks->attached; each != NULL; each = each->next)
        count += each->release == svs__hash_release;
    return count;
}

/* @return NULL: no memory. */
static svs_hash *make(svs_ranks *ranks, const svs_hash_options *options) {
    const svs_allocator *allocator = &ranks->options.allocator;
    svs_hash *hash = svs__allocate_zeroed(allocator, sizeof *hash, _Alignof(svs_hash));
    svs_status status;
    if (hash == NULL) return NULL;
    hash->ranks = ranks;
    hash->attached.begin = begin;
    hash->attached.release = svs__hash_release;
    hash->number = count_tables(ranks);
    hash->dispatch = options->dispatch;
    hash->snapshot_of = options->snapshot_of;
    status = svs__bins_init(&hash->bins, allocator, options->item_bytes, options->key_bytes,
                            options->expected);
    hash->bins.hash = options->hash;
    hash->bins.duplicate = options->duplicate;
    hash->bins.argument = options->argument;
    hash->scratch = svs__allocate(allocator, svs__hash_record_bytes(hash), 8);
    hash->pending_items = svs__allocate(allocator, pending_bytes(hash), 64);
    hash->ways = svs__allocate(allocator, ways_bytes(hash), 16);
    if (status == SVS_OK && hash->scratch != NULL && hash->pending_items != NULL &&
        hash->ways != NULL) {
        memset(hash->scratch, 0, svs__hash_record_bytes(hash));
        make_handlers(hash, options->name);
        make_ways(hash);
        return hash;
    }
    svs__hash_release(ranks, &hash->attached);
    return NULL;
}

svs_status svs_hash_new(svs_ranks *ranks, const svs_hash_options *given, svs_hash **made) {
    svs_hash_options options;
    svs_hash *hash = NULL;
    const svs_handler *handlers[3];
    svs_status status;
    if (ranks == NULL || made == NULL)
        return REFUSE(SVS_E_NULL, "svs_hash_new: ranks or hash is NULL: pass both");
    if (ranks->in_run || ranks->over)
        return REFUSE(SVS_E_STATE, "svs_hash_new: %s",
                      ranks->in_run ? "called in a run: make tables before it"
                                    : "an earlier call has failed: free the rank");
    status = take_options(ranks, given, &options);
    if (status == SVS_OK) hash = make(ranks, &options);
    if (hash == NULL) {
        svs__handlers_refuse(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    handlers[0] = &hash->insert;
    handlers[1] = &hash->request;
    handlers[2] = &hash->reply;
    status = svs_handlers_add(ranks, handlers, 3);
    svs__attach(ranks, &hash->attached); /* also after a failure: the rank knows the handlers */
    if (status != SVS_OK) return status;
    for (int i = 0; i < 3; i++) svs__handler_set_part(ranks, handlers[i], hash);
    *made = hash;
    return SVS_OK;
}

/* ---- operations ---- */

static svs_status check(const svs_hash *hash, const void *key, const char *call) {
    const svs_ranks *ranks = hash == NULL ? NULL : hash->ranks;
    if (hash == NULL || key == NULL)
        return REFUSE(SVS_E_NULL, "%s: hash, item or key is NULL: pass both", call);
    return ranks->in_run ? SVS_OK
                         : REFUSE(SVS_E_OUTSIDE, "%s: there is no run: call it in a fiber", call);
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

svs_status svs_hash_lookup(svs_hash *hash, const void *key, void *entry, int *found,
                           svs_counter *done) {
    svs__hash_ticket answer = {.done = done, .entry = entry, .found = found};
    svs_status status = check(hash, key, "svs_hash_lookup");
    if (status != SVS_OK) return status;
    if (found == NULL || done == NULL)
        return svs__refuse(&hash->ranks->log, SVS_E_NULL,
                           "svs_hash_lookup: found or done is NULL: pass both");
    return svs__hash_operate(hash, SVS__HASH_LOOKUP, key, hash->bins.key_bytes, &answer);
}

svs_status svs_hash_sync(svs_hash *hash, svs_counter *done) {
    const svs_ranks *ranks = hash == NULL ? NULL : hash->ranks;
    if (hash == NULL || done == NULL)
        return REFUSE(SVS_E_NULL, "svs_hash_sync: hash or done is NULL: pass both");
    if (hash->snapshot == NULL)
        return REFUSE(SVS_E_OUTSIDE, "svs_hash_sync: there is no run: sync in a fiber");
    return svs_snapshot_sync(hash->snapshot, done);
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
    if (hash == NULL) return svs__refuse(NULL, SVS_E_NULL, "svs_hash_clear: hash is NULL");
    svs__hash_flush(hash);
    return svs__bins_clear(&hash->bins, expected);
}

uint32_t svs_hash_owner(const svs_hash *hash, const void *key) {
    return svs__hash_rank(svs__bins_hash(&hash->bins, key), hash->ranks->count);
}

svs_status svs_hash_statistics_get_sized(svs_hash *hash, svs_hash_statistics *statistics,
                                         size_t size) {
    svs_hash_statistics counts;
    if (hash == NULL || statistics == NULL)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_hash_statistics_get: hash or statistics is NULL: pass both");
    svs__hash_flush(hash);
    counts = (svs_hash_statistics){svs__bins_entries(&hash->bins),
                                   hash->bins.now.mask + 1,
                                   hash->bins.created,
                                   hash->bins.deleted,
                                   hash->bins.duplicates,
                                   hash->bins.growths,
                                   hash->bins.moved_most,
                                   hash->delayed};
    svs__output_put(statistics, size, &counts, sizeof counts);
    return SVS_OK;
}
