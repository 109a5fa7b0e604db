#include "search.h"
#include <stdlib.h>
#include <string.h>

/* Children that are given to the table at a time, and how often by one fiber. */
enum { AT_ONCE = 128, TIMES = 4 };

struct tri_search {
    svs_thread thread;
    svs_ranks *ranks;
    const tri_game *game;
    svs_hash *tables[2];
    uint32_t current; /* the table that is being filled; the other one is the previous level */
    tri_board start;
    bool fifo;
    tri_result result;
    uint32_t pegs;
    uint64_t before, now; /* boards of this rank, of the level before and of this one */

    svs_distributed *sums;
    svs_counter done; /* counts the completed ones of `calls` split-phase calls */
    int64_t calls;
    uint64_t mine[2], all[2];
    uint64_t cpu_begun, cpu_ns; /* processor time: of this rank at the start; of all ranks */

    uint64_t cursor;                            /* cursor into the previous level */
    tri_item items[AT_ONCE + TRI_CHILDREN_MAX]; /* the children of some boards */
    uint32_t count, given;
};

static svs_hash *current(const tri_search *me) { return me->tables[me->current]; }
static svs_hash *previous(const tri_search *me) { return me->tables[1 - me->current]; }

/* ---- one level ---- */

/* The children of the next boards. @return false: there are no boards. */
static bool gather(tri_search *me) {
    const tri_item *parent = NULL;
    me->given = me->count = 0;
    for (uint32_t boards = 0; boards < AT_ONCE && me->count < AT_ONCE; boards++) {
        parent = (const tri_item *)svs_hash_next(previous(me), &me->cursor);
        if (parent == NULL) break;
        me->count += tri_children(me->game, parent, &me->items[me->count]);
    }
    me->mine[1] += me->count;
    return me->count != 0 || parent != NULL;
}

/* @return SVS_WAIT: the table accepts no more for now. */
static svs_status give(tri_search *me) {
    size_t accepted;
    svs_status status =
        svs_hash_insert_all(current(me), &me->items[me->given], me->count - me->given, &accepted);
    me->given += (uint32_t)accepted;
    return status;
}

/* A fiber: all jumps from some boards of the previous level; then it continues as itself. The table
 * inserts while the next children are made. */
static svs_status expand(svs_ranks *ranks, void *state) {
    tri_search *me = *(tri_search **)state;
    svs_fiber rest;
    svs_status status = give(me), continued;
    for (int i = 0; i < TIMES && status == SVS_OK; i++) {
        if (!gather(me)) {
            svs_counter_add(ranks, &me->done, 1);
            return SVS_OK;
        }
        status = give(me);
    }
    if (status != SVS_OK && status != SVS_WAIT) return status;
    continued = svs_fiber_continue(ranks, expand, &rest);
    if (continued != SVS_OK) return continued;
    return status == SVS_OK ? svs_fiber_enable(ranks, rest)
                            : svs_hash_ready(current(me), &me->items[me->given], rest);
}

static svs_status begin_expansion(svs_ranks *ranks, tri_search *me) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, expand, &me, sizeof(tri_search *), NULL, &fiber);
    me->cursor = me->count = me->given = 0;
    me->mine[1] = 0;
    return status == SVS_OK ? svs_fiber_enable(ranks, fiber) : status;
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

/* The boards and jumps of all ranks. When it is complete, no rank uses the
 * level before any more. */
static svs_status begin_count(tri_search *me) {
    svs_hash_statistics counts;
    svs_status status = svs_hash_statistics_get(current(me), &counts);
    me->before = me->now;
    me->now = me->mine[0] = counts.entries;
    if (status == SVS_OK) status = svs_hash_clear(previous(me), tri_expected(me->before, me->now));
    return status != SVS_OK
               ? status
               : svs_reduce(me->sums, add, me->mine, me->all, sizeof *me->all, 2, &me->done);
}

static uint64_t cpu_ns_of(svs_ranks *ranks) {
    svs_ranks_statistics counts;
    return svs_ranks_statistics_get(ranks, &counts) == SVS_OK ? counts.cpu_ns : 0;
}

/* The solutions, and the processor time of all ranks. */
static svs_status begin_solutions(tri_search *me) {
    uint64_t cursor = 0;
    const tri_item *each;
    me->mine[0] = 0;
    me->mine[1] = cpu_ns_of(me->ranks) - me->cpu_begun;
    while ((each = (const tri_item *)svs_hash_next(previous(me), &cursor)) != NULL)
        me->mine[0] += each->paths;
    return svs_reduce(me->sums, add, me->mine, me->all, sizeof *me->all, 2, &me->done);
}

/* ---- all levels ---- */

static bool failed(svs_status status) { return status != SVS_OK && status != SVS_WAIT; }

static svs_status begin(svs_ranks *ranks, tri_search *me) {
    tri_item first = {tri_canonical(me->game, me->start), 1};
    svs_status status = SVS_OK;
    if (svs_hash_owner(current(me), &first) == svs_ranks_index(ranks))
        status = svs_hash_insert(current(me), &first, NULL);
    if (me->sums != NULL || failed(status)) { /* sums of an earlier search */
        svs_counter_add(ranks, &me->done, 1);
        return status;
    }
    return svs_distributed_new(ranks, me->fifo ? "tripuzzle, fifo" : "tripuzzle", 0, NULL,
                               &me->sums, &me->done);
}

#define AWAIT_CALL(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (failed(status)) return status;                                                         \
        me->calls++;                                                                               \
        SVS_AWAIT(ranks, me, &me->done, me->calls);                                                \
    } while (0)

static svs_status search(svs_ranks *ranks, void *state) {
    tri_search *me = (tri_search *)state;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    AWAIT_CALL(begin(ranks, me));
    for (me->pegs = me->game->holes - 1;; me->pegs--) {
        AWAIT_CALL(svs_hash_sync(current(me), &me->done));
        AWAIT_CALL(begin_count(me));
        me->result.boards[me->pegs] = me->all[0];
        me->result.inserts += me->all[1];
        me->current = 1 - me->current;
        if (me->pegs == 1 || me->all[0] == 0) break;
        AWAIT_CALL(begin_expansion(ranks, me));
    }
    AWAIT_CALL(begin_solutions(me));
    me->result.solutions = me->all[0];
    me->cpu_ns = me->all[1];
    SVS_THREAD_END;
}

svs_status tri_search_run(tri_search *me, const tri_game *game, tri_board start,
                          tri_result *result) {
    svs_status status;
    memset(&me->result, 0, sizeof me->result);
    me->thread.line = 0;
    me->cpu_begun = cpu_ns_of(me->ranks);
    me->game = game;
    me->current = 0;
    me->start = start;
    me->before = me->now = me->mine[1] = 0;
    for (int i = 0; i < 2; i++) {
        status = svs_hash_clear(me->tables[i], 0);
        if (status != SVS_OK) return status;
    }
    status = svs_ranks_run(me->ranks, search, me);
    *result = me->result;
    return status;
}

/* ---- making ---- */

static svs_status make_table(svs_ranks *ranks, const char *name, svs_dispatch dispatch,
                             svs_hash **table) {
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = name;
    options.item_bytes = sizeof(tri_item);
    options.key_bytes = sizeof(tri_board);
    options.duplicate = svs_hash_add; /* adds the paths to a board that is in the table already */
    options.dispatch = dispatch;
    return svs_hash_new(ranks, &options, table);
}

svs_status tri_search_new(svs_ranks *ranks, svs_dispatch dispatch, tri_search **made) {
    static const char *const names[2][2] = {{"boards A", "boards B"},
                                            {"boards A, fifo", "boards B, fifo"}};
    tri_search *me = (tri_search *)calloc(1, sizeof *me);
    svs_status status = SVS_OK;
    if (me == NULL) return SVS_E_NO_MEMORY;
    me->ranks = ranks;
    me->fifo = dispatch == SVS_DISPATCH_FIFO;
    svs_counter_init(&me->done, 0);
    for (int i = 0; i < 2 && status == SVS_OK; i++)
        status = make_table(ranks, names[me->fifo][i], dispatch, &me->tables[i]);
    if (status == SVS_OK) *made = me;
    else free(me);
    return status;
}

uint64_t tri_search_cpu_ns(const tri_search *search) { return search->cpu_ns; }

void tri_search_free(tri_search *search) { free(search); }
