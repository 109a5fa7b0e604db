/* Operations with counters, and those that run as fibers: requests, replies, delays. */
#include "ranks/fiber/execute.h"
#include "structures/hash.h"

/* ---- tickets (structures.H7) ---- */

/* @return 0: no memory. */
static uint32_t take_ticket(svs_hash *hash, const svs__hash_ticket *answer) {
    uint32_t number = hash->ticket_free;
    if (number != 0) {
        hash->ticket_free = hash->tickets[number - 1].next;
    } else {
        if (!svs__grow(&hash->ranks->options.allocator, (void **)&hash->tickets,
                       &hash->ticket_capacity, hash->ticket_count + 1, sizeof *hash->tickets))
            return 0;
        number = ++hash->ticket_count;
    }
    hash->tickets[number - 1] = *answer;
    return number;
}

static void free_ticket(svs_hash *hash, uint32_t number) {
    hash->tickets[number - 1].done = NULL;
    hash->tickets[number - 1].next = hash->ticket_free;
    hash->ticket_free = number;
}

/* Tells the caller of an operation. */
static void answer(const svs_hash *hash, const svs__hash_ticket *to, const void *entry,
                   bool found) {
    if (to->found != NULL) *to->found = found;
    if (found && to->entry != NULL) memcpy(to->entry, entry, hash->bins.item_bytes);
    if (to->done != NULL) svs_counter_add(hash->ranks, to->done, 1);
}

static void redeem(svs_hash *hash, uint32_t number, const void *entry, bool found) {
    svs__hash_ticket ticket;
    if (number == 0) return;
    /* structures.H7 */
    SVS__ASSERT(number <= hash->ticket_count && hash->tickets[number - 1].done != NULL);
    ticket = hash->tickets[number - 1];
    free_ticket(hash, number); /* before the counter, which may run fibers */
    answer(hash, &ticket, entry, found);
}

/* ---- effects ---- */

/* @return the entry that a lookup has found; NULL otherwise. */
static const void *apply(svs_hash *hash, svs__hash_operation operation, const void *item) {
    uint64_t bits = svs__bins_hash(&hash->bins, item);
    switch (operation) {
    case SVS__HASH_LOOKUP: return svs__bins_find(&hash->bins, item, bits);
    case SVS__HASH_INSERT:
        if (svs__bins_put(&hash->bins, item, bits) != SVS_OK)
            (void)svs__fail(hash->ranks, SVS_E_NO_MEMORY, "there is no memory for %s",
                            hash->names[3]);
        break;
    case SVS__HASH_DELETE: (void)svs__bins_delete(&hash->bins, item, bits); break;
    }
    svs__mutations_end(hash->snapshot, 1);
    return NULL;
}

svs_hash *svs__hash_of(svs_ranks *ranks, uint32_t number) {
    svs__attached *each = ranks->attached;
    for (; each != NULL; each = each->next) {
        svs_hash *hash = (svs_hash *)each;
        if (each->release == svs__hash_release && hash->number == number) return hash;
    }
    return NULL;
}

/* Executes a request, and makes it its reply. */
static void turn_into_reply(svs_hash *hash, const svs__hash_record *request,
                            svs__hash_record *reply) {
    const void *entry = apply(hash, request->operation, request->item);
    if (reply != request) *reply = *request;
    reply->found = entry != NULL;
    if (entry != NULL) memcpy(reply->item, entry, hash->bins.item_bytes);
}

static bool is_malformed(const svs_hash *hash, const svs__hash_record *request) {
    return request->operation > SVS__HASH_LOOKUP || request->from >= hash->ranks->count;
}

void svs__hash_take_requests(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_hash *hash = part;
    uint32_t bytes = svs__hash_record_bytes(hash);
    for (uint32_t i = 0; i < count; i++) {
        const void *record = (const char *)records + (size_t)i * bytes;
        const svs__hash_record *request = record;
        if (is_malformed(hash, request)) {
            (void)svs__fail(ranks, SVS_E_RECORD, "a request for %s is malformed", hash->names[3]);
            return;
        }
        turn_into_reply(hash, request, hash->scratch);
        if (request->ticket != 0) /* a failure ends the run */
            svs_ignore(svs_post(ranks, request->from, &hash->reply, hash->scratch, bytes));
    }
}

/* A fiber. Its state becomes the reply. It replies as a handler in place does, of which posts are
 * always accepted: if replies waited for credit, that would be in requests that wait to be run. */
svs_status svs__hash_run_request(svs_ranks *ranks, void *record) {
    svs__hash_record *request = record;
    svs_hash *hash = svs__hash_of(ranks, request->table);
    svs_status status;
    if (hash == NULL || is_malformed(hash, request))
        return svs__fail(ranks, SVS_E_RECORD, "a request for a hash table is malformed");
    turn_into_reply(hash, request, request);
    if (request->ticket == 0) return SVS_OK;
    svs__in_place_begin(ranks);
    status = svs_post(ranks, request->from, &hash->reply, request, svs__hash_record_bytes(hash));
    svs__in_place_end(ranks);
    return status;
}

void svs__hash_take_replies(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_hash *hash = part;
    uint32_t bytes = svs__hash_record_bytes(hash);
    for (uint32_t i = 0; i < count; i++) {
        const void *record = (const char *)records + (size_t)i * bytes;
        const svs__hash_record *reply = record;
        if (reply->ticket == 0 || reply->ticket > hash->ticket_count ||
            hash->tickets[reply->ticket - 1].done == NULL) {
            (void)svs__fail(ranks, SVS_E_RECORD, "a reply of %s is malformed", hash->names[3]);
            return;
        }
        redeem(hash, reply->ticket, reply->item, reply->found != 0);
    }
}

/* ---- issue ---- */

static svs__hash_record *record_of(svs__hash_delayed *delayed) {
    return (svs__hash_record *)(void *)(delayed + 1);
}

/* @return SVS_OK, SVS_WAIT: not now; or a failure. */
static svs_status issue(svs_hash *hash, const svs__hash_record *request) {
    svs_ranks *ranks = hash->ranks;
    bool mutates = request->operation != SVS__HASH_LOOKUP;
    uint32_t to = svs_hash_owner(hash, request->item);
    svs_status status;
    SVS__ASSERT(hash->first == NULL || record_of(hash->first) == request); /* structures.H6 */
    if (mutates && !svs__mutations_begin(hash->snapshot, 1)) return SVS_WAIT;
    if (to == ranks->index) {
        const void *entry;
        SVS__ASSERT(!svs__hash_is_pending(hash)); /* structures.H8 */
        entry = apply(hash, request->operation, request->item);
        redeem(hash, request->ticket, entry, entry != NULL);
        return SVS_OK;
    }
    status = svs_post(ranks, to, &hash->request, request, svs__hash_record_bytes(hash));
    if (status != SVS_OK) hash->snapshot->begun -= mutates;
    return status;
}

/* ---- delays (structures.H6) ---- */

static size_t delayed_bytes(const svs_hash *hash) {
    return sizeof(svs__hash_delayed) + svs__hash_record_bytes(hash);
}

static void free_first(svs_hash *hash) {
    svs__hash_delayed *first = hash->first;
    hash->first = first->next;
    svs__release(&hash->ranks->options.allocator, first, delayed_bytes(hash), 8);
}

void svs__hash_forget_delayed(svs_hash *hash) {
    while (hash->first != NULL) free_first(hash);
}

/* Enables a fiber when the operation may be accepted, if no other is delayed. */
static svs_status wait_to_issue(svs_hash *hash, bool mutates, uint32_t to, svs_fiber fiber) {
    svs_snapshot *snapshot = hash->snapshot;
    if (mutates && snapshot->state != SVS__SNAPSHOT_OPEN)
        return svs_counter_wait(hash->ranks, &snapshot->opened, (int64_t)snapshot->epoch + 1,
                                fiber);
    return svs_post_ready(hash->ranks, to, fiber);
}

/* A fiber that issues all that is delayed. */
static svs_status drain(svs_ranks *ranks, void *state) {
    svs_hash *hash = *(svs_hash **)state;
    while (hash->first != NULL) {
        const svs__hash_record *request = record_of(hash->first);
        svs_status status = issue(hash, request);
        svs_fiber rest;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, drain, &rest);
            return status != SVS_OK ? status
                                    : wait_to_issue(hash, request->operation != SVS__HASH_LOOKUP,
                                                    svs_hash_owner(hash, request->item), rest);
        }
        if (status != SVS_OK) return status;
        free_first(hash);
    }
    svs_counter_add(ranks, &hash->drained, 1);
    return SVS_OK;
}

static svs_status delay(svs_hash *hash, const svs__hash_record *request) {
    svs__hash_delayed *made =
        svs__allocate(&hash->ranks->options.allocator, delayed_bytes(hash), 8);
    svs_fiber fiber;
    svs_status status = SVS_OK;
    if (made == NULL) return SVS_E_NO_MEMORY;
    if (hash->first == NULL)
        status = svs_fiber_new(hash->ranks, drain, &hash, sizeof(svs_hash *), NULL, &fiber);
    if (status != SVS_OK) {
        svs__release(&hash->ranks->options.allocator, made, delayed_bytes(hash), 8);
        return status;
    }
    made->next = NULL;
    memcpy(record_of(made), request, svs__hash_record_bytes(hash));
    hash->delayed++;
    if (hash->first != NULL) {
        hash->last->next = made;
        hash->last = made;
        return SVS_OK;
    }
    hash->first = hash->last = made;
    return wait_to_issue(hash, request->operation != SVS__HASH_LOOKUP,
                         svs_hash_owner(hash, request->item), fiber);
}

svs_status svs_hash_ready(svs_hash *hash, const void *key, svs_fiber fiber) {
    if (hash == NULL || key == NULL)
        return svs__refuse(hash == NULL ? NULL : &hash->ranks->log, SVS_E_NULL,
                           "svs_hash_ready: hash or key is NULL: pass both");
    if (hash->first != NULL)
        return svs_counter_wait(hash->ranks, &hash->drained, hash->drained.value + 1, fiber);
    return wait_to_issue(hash, true, svs_hash_owner(hash, key), fiber);
}

/* ---- operations ---- */

/* Of a key of this rank, when nothing stands in its way. */
static svs_status operate_here(svs_hash *hash, svs__hash_operation operation, const void *item,
                               const svs__hash_ticket *to) {
    const void *entry;
    SVS__ASSERT(!svs__hash_is_pending(hash)); /* structures.H8 */
    if (operation != SVS__HASH_LOOKUP)
        svs_ignore(svs__mutations_begin(hash->snapshot, 1)); /* it is open */
    entry = apply(hash, operation, item);
    answer(hash, to, entry, entry != NULL);
    return hash->ranks->failed.status;
}

svs_status svs__hash_operate(svs_hash *hash, svs__hash_operation operation, const void *item,
                             uint32_t bytes, const svs__hash_ticket *to) {
    svs__hash_record *request = hash->scratch;
    bool open = hash->first == NULL && (operation == SVS__HASH_LOOKUP || svs__hash_is_open(hash));
    svs_status status = SVS_WAIT;
    svs__hash_flush(hash); /* structures.H8 */
    if (open && svs_hash_owner(hash, item) == hash->ranks->index)
        return operate_here(hash, operation, item, to);
    if (!open && to->done == NULL) return SVS_WAIT;
    *request = (svs__hash_record){
        .table = hash->number, .operation = (uint16_t)operation, .from = hash->ranks->index};
    memcpy(request->item, item, bytes);
    if (to->done != NULL) {
        request->ticket = take_ticket(hash, to);
        if (request->ticket == 0) return SVS_E_NO_MEMORY;
    }
    if (open) status = issue(hash, request);
    if (to->done == NULL) return status;
    if (status == SVS_WAIT) status = delay(hash, request);
    if (status != SVS_OK) {
        free_ticket(hash, request->ticket);
        return status;
    }
    return SVS_WAIT;
}
