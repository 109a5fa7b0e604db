#include "ranks/channel/handler.h"
#include "ranks/category.h"
#include "ranks/channel/lane.h"
#include <string.h>

/* Position of a handler in the index, or the free position at which it is to be entered. */
static uint32_t place_of(const svs__handlers *table, const svs_handler *handler) {
    uint32_t at = svs__handler_place(table, handler);
    while (table->index[at] != 0 && table->entries[table->index[at] - 1].handler != handler)
        at = (at + 1) & (table->index_size - 1);
    return at;
}

uint32_t svs__handler_search(const svs_ranks *ranks, const svs_handler *handler) {
    const svs__handlers *table = &ranks->handlers;
    uint32_t found;
    if (table->count == 0) return 0;
    found = table->index[place_of(table, handler)];
    return found == 0 ? table->count : found - 1;
}

static void enter(svs__handlers *table, uint32_t number) {
    table->index[place_of(table, table->entries[number].handler)] = number + 1;
}

/* Grows the index to at least four times the number of entries, so that most searches end at their
 * first position. */
static bool grow_index(svs_ranks *ranks, uint32_t entries) {
    svs__handlers *table = &ranks->handlers;
    uint32_t size = table->index_size == 0 ? 64 : table->index_size;
    uint32_t *index;
    while (size < 4 * entries) size *= 2;
    if (size == table->index_size) return true;
    index = svs__allocate_zeroed(&ranks->options.allocator, size * sizeof *index, sizeof *index);
    if (index == NULL) return false;
    svs__release(&ranks->options.allocator, table->index, table->index_size * sizeof *index,
                 sizeof *index);
    table->index = index;
    table->index_size = size;
    for (uint32_t i = 0; i < table->count; i++)
        if (table->entries[i].handler != NULL) enter(table, i);
    return true;
}

/* Removes a handler from the index, and moves entries back that it had displaced (linear
 * probing). */
static void leave(svs__handlers *table, const svs_handler *handler) {
    uint32_t mask = table->index_size - 1, gap = place_of(table, handler);
    for (uint32_t at = (gap + 1) & mask; table->index[at] != 0; at = (at + 1) & mask) {
        const svs_handler *other = table->entries[table->index[at] - 1].handler;
        uint32_t home = svs__handler_place(table, other);
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        table->index[gap] = table->index[at];
        gap = at;
    }
    table->index[gap] = 0;
}

static svs_scheduler *scheduler_of(svs_ranks *ranks, svs_dispatch dispatch) {
    switch (dispatch) {
    case SVS_DISPATCH_FIFO: return &ranks->schedulers.fifo;
    case SVS_DISPATCH_URGENT: return &ranks->schedulers.urgent;
    case SVS_DISPATCH_IN_PLACE: return &ranks->schedulers.in_place;
    case SVS_DISPATCH_CUSTOM: break;
    }
    return NULL;
}

static bool is_free(const svs__handler_entry *entry) {
    return entry->handler == NULL && entry->structure == NULL;
}

uint32_t svs__handlers_room(const svs_ranks *ranks, uint32_t count) {
    const svs__handlers *table = &ranks->handlers;
    uint32_t row = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        row = is_free(&table->entries[i]) ? row + 1 : 0;
        if (row != 0 && row == count) return i + 1 - count;
    }
    return table->count - row;
}

static void put(svs_ranks *ranks, uint32_t number, const svs_handler *handler,
                svs_structure *structure) {
    svs__handler_entry *entry = &ranks->handlers.entries[number];
    *entry = (svs__handler_entry){.handler = handler, .structure = structure};
    if (handler == NULL) return;
    svs__observe_entry(ranks, number);
    entry->scheduler = scheduler_of(ranks, handler->dispatch);
    enter(&ranks->handlers, number);
}

svs_status svs__handlers_put(svs_ranks *ranks, uint32_t first, const svs_handler *const *handlers,
                             uint32_t count, svs_structure *structure) {
    svs__handlers *table = &ranks->handlers;
    uint32_t end = first + count;
    if (table->entries != NULL && ranks->in_run) svs__lanes_close(ranks); /* entries may move */
    if (!svs__grow(&ranks->options.allocator, (void **)&table->entries, &table->capacity, end,
                   sizeof *table->entries) ||
        !grow_index(ranks, end))
        return SVS_E_NO_MEMORY;
    for (; table->count < end; table->count++)
        table->entries[table->count] = (svs__handler_entry){.handler = NULL};
    for (uint32_t i = 0; i < count; i++)
        put(ranks, first + i, handlers == NULL ? NULL : handlers[i], structure);
    return SVS_OK;
}

void svs__handlers_withdraw(svs_ranks *ranks, uint32_t first, uint32_t count) {
    if (ranks->in_run) svs__lanes_close(ranks); /* open lanes may be of these handlers */
    for (uint32_t i = first; i < first + count; i++) {
        svs__handler_entry *entry = &ranks->handlers.entries[i];
        if (entry->handler != NULL) leave(&ranks->handlers, entry->handler);
        entry->handler = NULL;
    }
}

void svs__handlers_release(svs_ranks *ranks, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++) {
        SVS__ASSERT(ranks->handlers.entries[i].handler == NULL && !ranks->in_run); /* ranks.D3 */
        ranks->handlers.entries[i].structure = NULL;
    }
}

void svs__handlers_clean_up(svs_ranks *ranks) {
    svs__handlers *table = &ranks->handlers;
    svs__array_release(&ranks->options.allocator, table->entries, table->capacity,
                       sizeof *table->entries);
    svs__release(&ranks->options.allocator, table->index, table->index_size * sizeof *table->index,
                 sizeof *table->index);
}

const char *svs__handler_fault(const svs_handler *handler) {
    if (handler == NULL || handler->name == NULL || handler->name[0] == '\0')
        return "the handler has no name: set one";
    if (handler->bytes > SVS__HANDLER_BYTES_MAX)
        return "the handler's records are larger than 2^24 bytes: divide them";
    if ((unsigned)handler->dispatch > SVS_DISPATCH_CUSTOM)
        return "the handler's dispatch is unknown: choose one of svs_dispatch";
    if (handler->dispatch == SVS_DISPATCH_IN_PLACE)
        return handler->run_in_place == NULL
                   ? "the handler runs in place and has no run_in_place: set it"
                   : NULL;
    return handler->run == NULL ? "the handler has no run: set it" : NULL;
}

svs_status svs_handler_schedule(svs_ranks *ranks, const svs_handler *handler,
                                svs_scheduler *scheduler, int64_t (*hint)(const void *record)) {
    uint32_t number;
    if (ranks == NULL || handler == NULL || scheduler == NULL)
        return svs__refuse(
            ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
            "svs_handler_schedule: ranks, handler or scheduler is NULL: pass all of them");
    number = svs__handler_find(ranks, handler);
    if (number == ranks->handlers.count || handler->dispatch != SVS_DISPATCH_CUSTOM)
        return svs__refuse(&ranks->log, SVS_E_INVALID, "svs_handler_schedule: handler %s %s",
                           handler->name,
                           handler->dispatch != SVS_DISPATCH_CUSTOM
                               ? "is not custom: only those have schedulers of the program"
                               : "was not added: call svs_handlers_add() first");
    if (scheduler->ranks != ranks) /* ranks.R2 */
        return svs__refuse(&ranks->log, SVS_E_INVALID,
                           "svs_handler_schedule: the scheduler is of another rank: pass one of "
                           "svs_scheduler_new() for this rank");
    ranks->handlers.entries[number].scheduler = scheduler;
    ranks->handlers.entries[number].hint = hint;
    return SVS_OK;
}
