/* Making and freeing a rank. */
#include "base/sized.h"
#include "ranks/category.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/handler.h"
#include "ranks/channel/listed.h"
#include "ranks/channel/route.h"
#include "ranks/collective/collective.h"
#include "ranks/network.h"
#include "ranks/object/bulk.h"
#include "ranks/object/snapshot.h"
#include "ranks/object/structure.h"
#include "ranks/object/tree.h"
#include "ranks/offload.h"
#include "ranks/options.h"

/* Least capacity of a standard buffer in bytes, because it also holds control packets. */
#define CAPACITY_MIN 256u
#define REFUSED_NS 1000u

/* ---- life ---- */

/* Sends the buffers that were accepted, closes the endpoint, and waits until the transport has
 * completed them. */
static void leave(svs_ranks *ranks) {
    if (ranks->channels != NULL) svs__serve_forget(ranks);
    while (ranks->ready_count != 0) {
        svs__channels_serve(ranks);
        if (ranks->ready_count != 0)
            ranks->type->idle(ranks->endpoint, svs__now(ranks) + REFUSED_NS, 0);
    }
    ranks->type->close(ranks->endpoint);
    while (ranks->lent != 0) {
        svs__channels_serve(ranks);
        if (ranks->lent != 0) ranks->type->idle(ranks->endpoint, SVS__NEVER, 0);
    }
}

/* Forgets credits that are to be given back: they are of no more use, and none may be sent after
 * the endpoint is closed. */
static void forget_credits(svs_ranks *ranks) {
    ranks->credits_due = 0;
    ranks->overflow_fell = false;
    while (svs__listed_count(ranks, SVS__LISTED_DUE) != 0)
        (void)svs__listed_take(ranks, SVS__LISTED_DUE);
}

static void clean_up(svs_ranks *ranks) {
    svs_allocator allocator = ranks->options.allocator;
    forget_credits(ranks);
    svs__offload_clean_up(ranks);
    leave(ranks);
    svs__structures_clean_up(ranks);
    svs__bulk_clean_up(ranks);
    svs__snapshots_clean_up(ranks);
    svs__objects_clean_up(ranks);
    svs__channels_clean_up(ranks);
    svs__handlers_clean_up(ranks);
    svs__observers_clean_up(ranks);
    svs__fibers_clean_up(ranks);
    svs__schedulers_clean_up(ranks);
    svs__stack_return_all(&ranks->stacks, &ranks->stack_cache);
    svs__stacks_clean_up(&ranks->stacks);
    svs__release(&allocator, ranks->ending.heard, ranks->count, 1);
    svs__release(&allocator, ranks, sizeof *ranks, _Alignof(svs_ranks));
}

static uint32_t capacity_of(const svs_ranks_options *options) {
    return options->aggregate_bytes < CAPACITY_MIN ? CAPACITY_MIN
                                                   : (uint32_t)options->aggregate_bytes;
}

/* The number of the next rank that this process makes (ranks.R2). Several threads may make
 * ranks. */
static uint32_t next_number(void) {
    static _Atomic(uint32_t) made;
    return svs__fetch_add_relaxed(&made, 1) + 1; /* relaxed is enough: only the number is used */
}

static svs_status init(svs_ranks *ranks, const svs_ranks_options *options) {
    static const svs_handler *const system[] = {&svs__tree_handler, &svs__bulk_handler};
    const svs_transport *transport = options->transport;
    ranks->options = *options;
    ranks->type = transport->type;
    ranks->endpoint = transport->endpoint;
    ranks->index = transport->rank;
    ranks->number = next_number();
    ranks->count = transport->count;
    ranks->columns = svs__grid_columns(transport->count, options->direct_ranks);
    svs__topology_init(&ranks->topology, ranks->count, 0, ranks->index);
    ranks->ending.tell_at = ranks->count;
    ranks->capacity = capacity_of(options);
    ranks->log.write = options->log;
    ranks->log.argument = options->log_argument;
    ranks->statistics.partitions = 1;
    svs__schedulers_init(ranks);
    ranks->arrived = SVS__HERE;
    svs__stacks_init(&ranks->stacks, options->thread_stack_bytes, options->threads, 1);
    ranks->ending.heard = svs__allocate_zeroed(&options->allocator, ranks->count, 1);
    if (ranks->ending.heard == NULL || svs__channels_init(ranks) != SVS_OK) return SVS_E_NO_MEMORY;
    ranks->fibers.request_from = ranks->index;
    return svs__handlers_put(ranks, 0, system, 2, NULL);
}

svs_status svs_ranks_new(const svs_ranks_options *options, svs_ranks **made) {
    svs_ranks_options chosen;
    svs_ranks *ranks;
    svs__hello own;
    svs_status status;
    if (made == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_ranks_new: ranks is NULL: pass its address");
    *made = NULL;
    status = svs__ranks_options_take(options, &chosen);
    if (status != SVS_OK) return status;
    ranks = svs__allocate_zeroed(&chosen.allocator, sizeof *ranks, _Alignof(svs_ranks));
    if (ranks == NULL) {
        chosen.transport->type->close(chosen.transport->endpoint);
        return SVS_E_NO_MEMORY;
    }
    status = init(ranks, &chosen);
    own = svs__hello_of(ranks);
    if (status == SVS_OK) status = svs__agree(ranks, &own, sizeof own, svs__hello_compare);
    /* The tree of the grid is used after this point. The agreement uses the direct tree, since
     * ranks with different options may have different grids. */
    svs__topology_init(&ranks->topology, ranks->count, ranks->columns, ranks->index);
    if (status == SVS_OK) *made = ranks;
    else clean_up(ranks);
    return status;
}

svs_status svs_ranks_free(svs_ranks *ranks) {
    if (ranks == NULL) return SVS_OK;
    if (ranks->in_run)
        return svs__refuse(&ranks->log, SVS_E_BUSY,
                           "svs_ranks_free: called in a run: wait for its end");
    clean_up(ranks);
    return SVS_OK;
}

/* ---- queries ---- */

uint32_t svs_ranks_index(const svs_ranks *ranks) { return ranks->index; }
uint32_t svs_ranks_count(const svs_ranks *ranks) { return ranks->count; }
void svs_ranks_set_data(svs_ranks *ranks, void *data) { ranks->data = data; }
void *svs_ranks_data(const svs_ranks *ranks) { return ranks->data; }
const char *svs_ranks_failure(const svs_ranks *ranks) { return ranks == NULL ? "" : ranks->text; }
