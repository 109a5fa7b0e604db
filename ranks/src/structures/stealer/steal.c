#include "structures/stealer/steal.h"
#include <stdio.h>

typedef struct svs__steal_request {
    uint32_t thief, lifeline;
} svs__steal_request;

static uint32_t loot_bytes(uint32_t things) { return (uint32_t)sizeof(svs__steal_loot) + things; }

static void fail_record(svs__steal *steal, const char *why) {
    svs_ignore(svs_structure_fail(steal->structure, SVS_E_RECORD, why));
}

/* Sends a request. If that fails, the run ends, because the rank would never get work again. */
static void post(svs__steal *steal, uint32_t to, const svs__steal_request *request) {
    svs_status status = svs__outbox_post(&steal->outbox, to, steal->handlers[SVS__STEAL_ASK],
                                         request, sizeof *request, 0);
    if (status == SVS_OK) svs_flush(steal->ranks, to);
    else svs_ignore(svs_structure_fail(steal->structure, status, "a request cannot be sent"));
}

/* ---- the thief ---- */

static uint32_t choose(svs__steal *steal) {
    uint32_t count = svs_ranks_count(steal->ranks), to;
    if (!steal->by_random) {
        steal->next = (steal->next + 1) % steal->network.count;
        return steal->network.ranks[steal->next];
    }
    to = svs__random_below(&steal->random, count - 1);
    return to < svs_ranks_index(steal->ranks) ? to : to + 1;
}

static void ask_for_lifelines(svs__steal *steal) {
    svs__steal_request request = {svs_ranks_index(steal->ranks), 1};
    for (uint32_t i = 0; i < steal->network.count; i++) {
        if (steal->lifelines[i].asked) continue; /* structures.K8 */
        steal->lifelines[i].asked = true;
        steal->lifelines_asked++;
        post(steal, steal->network.ranks[i], &request);
    }
}

void svs__steal_ask(svs__steal *steal) {
    svs__steal_request request = {svs_ranks_index(steal->ranks), 0};
    SVS__ASSERT(!steal->asking); /* structures.K8 */
    if (steal->tried == steal->tries) {
        ask_for_lifelines(steal);
        return;
    }
    steal->tried++;
    steal->asking = true;
    steal->requests++;
    post(steal, choose(steal), &request);
}

/* Ends the lifeline at a victim that has given something. @return false: there was none. */
static bool take_lifeline(svs__steal *steal, uint32_t victim) {
    uint32_t which = svs__network_find(&steal->network, victim);
    if (which == steal->network.count || !steal->lifelines[which].asked) return false;
    steal->lifelines[which].asked = false;
    return true;
}

/* Gives up a request that waits in the outbox. */
static void forget(svs__steal *steal, const svs__steal_request *request, uint32_t to) {
    if (request->lifeline == 0) steal->asking = false;
    else (void)take_lifeline(steal, to);
}

void svs__steal_forget_requests(svs__steal *steal) {
    for (const svs__outbox_record *each = steal->outbox.first; each != NULL; each = each->next)
        if (each->handler == steal->handlers[SVS__STEAL_ASK])
            forget(steal, (const void *)each->data, each->to);
    svs__outbox_clear(&steal->outbox);
    steal->tried = 0;
}

static bool has_asked(const svs__steal *steal) {
    bool all = true;
    for (uint32_t i = 0; i < steal->network.count; i++) all = all && steal->lifelines[i].asked;
    return steal->asking || all;
}

/* Called after an answer: asks again if the owner still has too little. */
static void look_again(svs__steal *steal) {
    svs__steal_look(steal);
    SVS__ASSERT(!steal->owner->has_too_little(steal) || has_asked(steal)); /* structures.K10 */
}

static void take_refusals(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    svs__steal *steal = part;
    (void)ranks, (void)records;
    if (count != 1 || !steal->asking) {
        fail_record(steal, "a refusal came without a request");
        return;
    }
    svs_mutation_end(steal->outbox.snapshot, 1, SVS_NO_EPOCH);
    steal->asking = false;
    steal->refusals++;
    look_again(steal);
}

static void take_loot(svs_ranks *ranks, void *part, const void *record, uint32_t bytes) {
    svs__steal *steal = part;
    const svs__steal_loot *loot = record;
    (void)ranks;
    if (bytes <= sizeof *loot ||
        (loot->of_lifeline == 0 ? !steal->asking : !take_lifeline(steal, loot->of_lifeline - 1))) {
        fail_record(steal, "a loot came without a request");
        return;
    }
    if (loot->of_lifeline == 0) steal->asking = false;
    steal->tried = 0;
    svs_mutation_end(steal->outbox.snapshot, 1, SVS_NO_EPOCH);
    steal->owner->take(steal, loot->things, bytes - loot_bytes(0), false); /* structures.K9 */
    look_again(steal);
}

/* ---- the victim ---- */

/* Packs a loot. @return its bytes, 0: there is nothing to spare. */
static uint32_t pack(svs__steal *steal, bool lifeline, uint32_t *weight) {
    uint32_t things = steal->owner->give(steal, steal->loot->things, steal->room, weight);
    SVS__ASSERT(things <= steal->room && things % 8 == 0);
    steal->loot->of_lifeline = lifeline ? svs_ranks_index(steal->ranks) + 1 : 0;
    steal->loot->reserved = 0;
    return things == 0 ? 0 : loot_bytes(things);
}

/* Notes that a thief waits by a lifeline. Its request is complete. */
static void keep_lifeline(svs__steal *steal, uint32_t which) {
    if (steal->lifelines[which].given) {
        fail_record(steal, "a second request for one lifeline");
        return;
    }
    steal->lifelines[which].given = true;
    steal->thieves++;
    svs_mutation_end(steal->outbox.snapshot, 1, SVS_NO_EPOCH);
}

static void serve(svs__steal *steal, const svs__steal_request *request) {
    uint32_t which = svs__network_find(&steal->network, request->thief), weight, bytes;
    if (request->thief >= svs_ranks_count(steal->ranks) || request->lifeline > 1 ||
        (request->lifeline == 1 && which == steal->network.count)) {
        fail_record(steal, "a request is malformed");
        return;
    }
    bytes = pack(steal, request->lifeline != 0, &weight);
    if (bytes != 0) { /* a failure ends the run */
        svs_ignore(svs_reply(steal->ranks, steal->handlers[SVS__STEAL_LOOT], steal->loot, bytes));
    } else if (request->lifeline != 0) {
        keep_lifeline(steal, which);
        return;
    } else {
        svs_ignore(
            svs_reply(steal->ranks, steal->handlers[SVS__STEAL_REFUSAL], request, sizeof *request));
    }
    svs_flush(steal->ranks, request->thief);
}

static void take_requests(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    const svs__steal_request *requests = records;
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) serve(part, &requests[i]);
}

/* Chooses the lifeline that is served next. */
static uint32_t next_thief(svs__steal *steal) {
    while (!steal->lifelines[steal->next_of % steal->network.count].given) steal->next_of++;
    return steal->next_of++ % steal->network.count;
}

void svs__steal_give(svs__steal *steal) {
    while (steal->thieves != 0 && svs__outbox_is_open(&steal->outbox)) {
        uint32_t weight, which, to, bytes = pack(steal, true, &weight);
        if (bytes == 0) return;
        which = next_thief(steal);
        to = steal->network.ranks[which];
        if (svs__outbox_post(&steal->outbox, to, steal->handlers[SVS__STEAL_LOOT], steal->loot,
                             bytes, weight) != SVS_OK) {
            steal->owner->take(steal, steal->loot->things, bytes - loot_bytes(0), true);
            return; /* no memory: the thief continues to wait */
        }
        steal->lifelines[which].given = false;
        steal->thieves--;
        svs_flush(steal->ranks, to);
    }
}

/* ---- making ---- */

svs_status svs__steal_init(svs__steal *steal, svs_ranks *ranks, const svs__steal_options *options,
                           char *fault, size_t fault_bytes) {
    const svs_allocator *allocator = svs_ranks_allocator(ranks);
    uint32_t rank = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    svs_status status = SVS_OK;
    *steal = (svs__steal){.owner = options->owner, .ranks = ranks, .room = options->room & ~7u};
    steal->outbox = (svs__outbox){.ranks = ranks, .allocator = *allocator};
    for (int i = 0; i < SVS__STEAL_HANDLERS; i++) {
        static const char *const ends[] = {"ask", "refusal", "loot"};
        (void)snprintf(steal->names[i], sizeof steal->names[i], "%s.%s", options->name, ends[i]);
    }
    if (options->neighbour != NULL)
        status = svs__network_init(&steal->network, allocator, rank, count, options->neighbour,
                                   options->argument, fault, fault_bytes);
    if (status != SVS_OK) return status;
    steal->off = steal->network.count == 0;
    if (steal->off) return SVS_OK;
    steal->by_random = options->random_tries != 0;
    steal->tries = steal->by_random ? options->random_tries : steal->network.count;
    steal->next = rank % steal->network.count;
    svs__random_seed(&steal->random, options->seed + rank);
    steal->lifelines =
        svs__allocate_zeroed(allocator, steal->network.count * sizeof *steal->lifelines, 16);
    steal->loot = svs__allocate(allocator, loot_bytes(steal->room), 16);
    return steal->lifelines != NULL && steal->loot != NULL ? SVS_OK : SVS_E_NO_MEMORY;
}

void svs__steal_clean_up(svs__steal *steal) {
    const svs_allocator *allocator = &steal->outbox.allocator;
    svs__outbox_clear(&steal->outbox);
    svs__release(allocator, steal->lifelines, steal->network.count * sizeof *steal->lifelines, 16);
    svs__release(allocator, steal->loot, loot_bytes(steal->room), 16);
    svs__network_clean_up(&steal->network, allocator);
}

void svs__steal_handlers(svs__steal *steal, svs_handler *handlers) {
    static const svs_handler all[SVS__STEAL_HANDLERS] = {
        {NULL, SVS_DISPATCH_IN_PLACE, sizeof(svs__steal_request), NULL, take_requests},
        {NULL, SVS_DISPATCH_IN_PLACE, sizeof(svs__steal_request), NULL, take_refusals},
        {NULL, SVS_DISPATCH_IN_PLACE, 0, NULL, take_loot}};
    for (int i = 0; i < SVS__STEAL_HANDLERS; i++) {
        handlers[i] = all[i];
        handlers[i].name = steal->names[i];
    }
}

void svs__steal_begin(svs__steal *steal, svs_structure *structure, size_t first) {
    steal->structure = structure;
    steal->outbox.snapshot = svs_structure_snapshot(structure);
    for (int i = 0; i < SVS__STEAL_HANDLERS; i++)
        steal->handlers[i] = svs_structure_handler(structure, first + (size_t)i);
}
