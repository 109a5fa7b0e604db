/* Operations that report their end by a counter, and operations that run as fibers: how they are
 * requested, answered and delayed. */
#include "structures/hash/hash.h"
#include <string.h>

/* ---- tickets (structures.H7) ---- */

/* Takes a ticket for an operation. @return its number; 0: no memory. */
static uint32_t take_ticket(svs_hash *hash, const svs__hash_ticket *answer) {
    uint32_t number = hash->ticket_free;
    if (number != 0) {
        hash->ticket_free = hash->tickets[number - 1].next;
    } else {
        if (!svs__grow(&hash->allocator, (void **)&hash->tickets, &hash->ticket_capacity,
                       hash->ticket_count + 1, sizeof *hash->tickets))
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

/* Gives the result of an operation to its caller. */
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
    if (ticket.found != NULL) svs__cache_put(hash, entry, found, ticket.stamp);
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
        if (svs__bins_put(&hash->bins, item, bits) != SVS_OK) svs__hash_fail(hash);
        break;
    case SVS__HASH_DELETE: (void)svs__bins_delete(&hash->bins, item, bits); break;
    }
    svs_mutation_end(hash->snapshot, 1, SVS_NO_EPOCH);
    return NULL;
}

/* Executes a request, and makes its reply. */
static void turn_into_reply(svs_hash *hash, const svs__hash_record *request,
                            svs__hash_record *reply) {
    const void *entry = apply(hash, request->operation, request->item);
    if (reply != request) *reply = *request;
    reply->found = entry != NULL;
    if (entry != NULL) memcpy(reply->item, entry, hash->bins.item_bytes);
    else if (reply != request) memcpy(reply->item, request->item, hash->bins.key_bytes);
}

static svs_status fail_record(svs_hash *hash, const char *why) {
    return svs_structure_fail(hash->structure, SVS_E_RECORD, why);
}

static bool is_malformed(const svs__hash_record *request) {
    return request->operation > SVS__HASH_LOOKUP;
}

void svs__hash_take_requests(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_hash *hash = part;
    uint32_t bytes = svs__hash_record_bytes(hash);
    for (uint32_t i = 0; i < count; i++) {
        const void *record = (const char *)records + (size_t)i * bytes;
        const svs__hash_record *request = record;
        if (is_malformed(request)) {
            (void)fail_record(hash, "a request is malformed");
            return;
        }
        turn_into_reply(hash, request, hash->scratch);
        if (request->ticket != 0) /* a failure ends the run */
            svs_ignore(svs_reply(ranks, hash->reply, hash->scratch, bytes));
    }
}

/* Handles a request as a fiber, whose state becomes the reply. */
svs_status svs__hash_run_request(svs_ranks *ranks, void *record) {
    svs__hash_record *request = record;
    svs_hash *hash = svs_structure_part(ranks);
    if (is_malformed(request)) return fail_record(hash, "a request is malformed");
    turn_into_reply(hash, request, request);
    if (request->ticket == 0) return SVS_OK;
    return svs_reply(ranks, hash->reply, request, svs__hash_record_bytes(hash));
}

void svs__hash_take_replies(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs_hash *hash = part;
    uint32_t bytes = svs__hash_record_bytes(hash);
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) {
        const void *record = (const char *)records + (size_t)i * bytes;
        const svs__hash_record *reply = record;
        if (reply->ticket == 0 || reply->ticket > hash->ticket_count ||
            hash->tickets[reply->ticket - 1].done == NULL) {
            (void)fail_record(hash, "a reply is malformed");
            return;
        }
        redeem(hash, reply->ticket, reply->item, reply->found != 0);
    }
}

/* ---- issue ---- */

static svs__hash_record *record_of(svs__hash_delayed *delayed) {
    return (svs__hash_record *)(void *)(delayed + 1);
}

static bool mutates(const svs__hash_record *request) {
    return request->operation != SVS__HASH_LOOKUP;
}

/* Ends the mutation of an operation that is not carried out. */
static void give_up(svs_hash *hash, const svs__hash_record *request) {
    if (mutates(request)) svs_mutation_end(hash->snapshot, 1, SVS_NO_EPOCH);
}

/* Carries out an operation on this rank, or sends it. If it is a mutation, that has begun, and is
 * ended here if the request cannot be sent. @return SVS_OK, SVS_WAIT: not now; or a failure. */
static svs_status carry_out(svs_hash *hash, const svs__hash_record *request) {
    uint32_t to = svs_hash_owner(hash, request->item);
    svs_status status;
    SVS__ASSERT(hash->first == NULL || record_of(hash->first) == request); /* structures.H6 */
    if (to == hash->index) {
        const void *entry;
        SVS__ASSERT(!svs__hash_is_pending(hash)); /* structures.H8 */
        entry = apply(hash, request->operation, request->item);
        if (request->ticket != 0) hash->tickets[request->ticket - 1].stamp = SVS__CACHE_NO_STAMP;
        redeem(hash, request->ticket, entry, entry != NULL);
        return SVS_OK;
    }
    status = svs_post(hash->ranks, to, hash->request, request, svs__hash_record_bytes(hash));
    if (status != SVS_OK) give_up(hash, request);
    return status;
}

static svs_status issue(svs_hash *hash, const svs__hash_record *request) {
    svs_status status = svs__combine_post_key(hash, request->item); /* structures.H12 */
    if (status == SVS_OK && mutates(request)) status = svs_mutation_begin(hash->snapshot, 1, NULL);
    return status == SVS_OK ? carry_out(hash, request) : status;
}

/* ---- delays (structures.H6) ---- */

static size_t delayed_bytes(const svs_hash *hash) {
    return sizeof(svs__hash_delayed) + svs__hash_record_bytes(hash);
}

static void free_first(svs_hash *hash) {
    svs__hash_delayed *first = hash->first;
    hash->first = first->next;
    svs__release(&hash->allocator, first, delayed_bytes(hash), 8);
}

void svs__hash_forget_delayed(svs_hash *hash) {
    while (hash->first != NULL) free_first(hash);
}

/* Enables a fiber when an operation may be accepted, provided that no other one is delayed. */
static svs_status wait_to_issue(svs_hash *hash, bool mutation, uint32_t to, svs_fiber fiber) {
    if (mutation && svs_mutation_begin(hash->snapshot, 0, NULL) == SVS_WAIT)
        return svs_mutation_ready(hash->snapshot, fiber);
    return svs_post_ready(hash->ranks, to, fiber);
}

/* Issues the first delayed operation. @param to, mutation receive what it waits for, if it returns
 * SVS_WAIT. */
static svs_status issue_first(svs_hash *hash, uint32_t *to, bool *mutation) {
    const svs__hash_record *request = record_of(hash->first);
    svs__hash_bulk *bulk = hash->first->bulk;
    svs_status status;
    *mutation = bulk == NULL && mutates(request);
    if (bulk != NULL) {
        status = svs__hash_bulk_step(hash, bulk, to);
        if (status == SVS_OK) svs__hash_bulk_end(hash, bulk);
        return status;
    }
    *to = svs_hash_owner(hash, request->item);
    return issue(hash, request);
}

/* Function of the fiber that issues all delayed operations. */
static svs_status drain(svs_ranks *ranks, void *state) {
    svs_hash *hash = *(svs_hash **)state;
    while (hash->first != NULL) {
        uint32_t to;
        bool mutation;
        svs_status status = issue_first(hash, &to, &mutation);
        svs_fiber rest;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, drain, &rest);
            return status != SVS_OK ? status : wait_to_issue(hash, mutation, to, rest);
        }
        if (status != SVS_OK) return status;
        free_first(hash);
    }
    svs_counter_add(ranks, &hash->drained, 1);
    return SVS_OK;
}

/* Delays an operation, or the bulk lookup `bulk`. @param mutation, to what it waits for; used if no
 * other operation is delayed.
 * */
static svs_status delay(svs_hash *hash, const svs__hash_record *request, svs__hash_bulk *bulk,
                        bool mutation, uint32_t to) {
    svs__hash_delayed *made = svs__allocate(&hash->allocator, delayed_bytes(hash), 8);
    svs_fiber fiber;
    svs_status status = SVS_OK;
    if (made == NULL) return SVS_E_NO_MEMORY;
    if (hash->first == NULL)
        status = svs_fiber_new(hash->ranks, drain, &hash, sizeof(svs_hash *), NULL, &fiber);
    if (status != SVS_OK) {
        svs__release(&hash->allocator, made, delayed_bytes(hash), 8);
        return status;
    }
    made->next = NULL;
    made->bulk = bulk;
    if (request != NULL) memcpy(record_of(made), request, svs__hash_record_bytes(hash));
    hash->delayed++;
    if (hash->first != NULL) {
        hash->last->next = made;
        hash->last = made;
        return SVS_OK;
    }
    hash->first = hash->last = made;
    return wait_to_issue(hash, mutation, to, fiber);
}

svs_status svs__hash_issue_bulk(svs_hash *hash, svs__hash_bulk *bulk) {
    uint32_t to = 0;
    svs_status status = SVS_WAIT;
    if (hash->first == NULL) status = svs__hash_bulk_step(hash, bulk, &to); /* structures.H6 */
    if (status != SVS_WAIT) return status;
    status = delay(hash, NULL, bulk, false, to);
    return status == SVS_OK ? SVS_WAIT : status;
}

svs_status svs_hash_ready(svs_hash *hash, const void *key, svs_fiber fiber) {
    if (hash == NULL || key == NULL)
        return svs_ranks_refuse(hash == NULL ? NULL : hash->ranks, SVS_E_NULL,
                                "svs_hash_ready: hash or key is NULL: pass both");
    if (hash->first != NULL)
        return svs_counter_wait(hash->ranks, &hash->drained, hash->drained.value + 1, fiber);
    return wait_to_issue(hash, true, svs_hash_owner(hash, key), fiber);
}

/* ---- operations ---- */

/* Carries out an operation on a key of this rank at once. If it is a mutation, that has begun. */
static svs_status operate_here(svs_hash *hash, svs__hash_operation operation, const void *item,
                               const svs__hash_ticket *to) {
    const void *entry;
    SVS__ASSERT(!svs__hash_is_pending(hash)); /* structures.H8 */
    entry = apply(hash, operation, item);
    answer(hash, to, entry, entry != NULL);
    return hash->failed;
}

/* Whether an operation may be issued now. If so, its mutation has begun. */
static bool open_for(svs_hash *hash, svs__hash_operation operation, const void *key) {
    if (hash->first != NULL) return false;
    if (svs__combine_post_key(hash, key) != SVS_OK) return false; /* structures.H12 */
    return operation == SVS__HASH_LOOKUP || svs_mutation_begin(hash->snapshot, 1, NULL) == SVS_OK;
}

svs_status svs__hash_operate(svs_hash *hash, svs__hash_operation operation, const void *item,
                             uint32_t bytes, const svs__hash_ticket *to) {
    svs__hash_record *request = hash->scratch;
    svs_status status = SVS_WAIT;
    bool open;
    svs__hash_flush(hash);                                                  /* structures.H8 */
    if (operation != SVS__HASH_LOOKUP) svs__cache_forget(hash, item, 1, 0); /* structures.H10 */
    open = open_for(hash, operation, item);
    if (open && svs_hash_owner(hash, item) == hash->index)
        return operate_here(hash, operation, item, to);
    if (!open && to->done == NULL) return SVS_WAIT;
    *request = (svs__hash_record){.operation = (uint16_t)operation};
    memcpy(request->item, item, bytes);
    if (to->done != NULL) {
        request->ticket = take_ticket(hash, to);
        if (request->ticket == 0) status = SVS_E_NO_MEMORY;
    }
    if (open && status == SVS_WAIT) status = carry_out(hash, request);
    else if (open) give_up(hash, request);
    if (to->done == NULL) return status;
    if (status == SVS_WAIT)
        status = delay(hash, request, NULL, mutates(request), svs_hash_owner(hash, request->item));
    if (status == SVS_OK) return SVS_WAIT;
    if (request->ticket != 0) free_ticket(hash, request->ticket);
    return status;
}
