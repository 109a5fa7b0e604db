#include "ranks/channel/handler.h"
#include <string.h>

/* The place in the index of a handler, or of the free one where it belongs. */
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

/* An index of at least four times the number of entries: most are found at once. */
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
        index[place_of(table, table->entries[i].handler)] = i + 1;
    return true;
}

static svs_scheduler *scheduler_of(svs_ranks *ranks, svs_dispatch dispatch) {
    switch (dispatch) {
    case SVS_DISPATCH_FIFO: return &ranks->schedulers.fifo;
    case SVS_DISPATCH_URGENT: return &ranks->schedulers.urgent;
    case SVS_DISPATCH_PREEMPTIVE: return &ranks->schedulers.preemptive;
    case SVS_DISPATCH_CUSTOM: break;
    }
    return NULL;
}

svs_status svs__handlers_put(svs_ranks *ranks, const svs_handler *const *handlers, size_t count) {
    svs__handlers *table = &ranks->handlers;
    uint32_t entries = table->count + (uint32_t)count;
    if (!svs__grow(&ranks->options.allocator, (void **)&table->entries, &table->capacity, entries,
                   sizeof *table->entries) ||
        !grow_index(ranks, entries))
        return SVS_E_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        svs__handler_entry *entry = &table->entries[table->count];
        entry->handler = handlers[i];
        entry->scheduler = scheduler_of(ranks, handlers[i]->dispatch);
        entry->hint = NULL;
        entry->part = NULL;
        table->index[place_of(table, handlers[i])] = ++table->count;
    }
    return SVS_OK;
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
        return "it has no name";
    if (handler->bytes > SVS__HANDLER_BYTES_MAX) return "its records are larger than 2^24 bytes";
    if ((unsigned)handler->dispatch > SVS_DISPATCH_CUSTOM) return "its dispatch is unknown";
    if (handler->dispatch == SVS_DISPATCH_PREEMPTIVE)
        return handler->run_in_place == NULL ? "it is preemptive and has no run_in_place" : NULL;
    return handler->run == NULL ? "it has no run" : NULL;
}

svs_status svs_handler_schedule(svs_ranks *ranks, const svs_handler *handler,
                                svs_scheduler *scheduler, int64_t (*hint)(const void *record)) {
    uint32_t number;
    if (ranks == NULL || handler == NULL || scheduler == NULL)
        return svs__refuse(ranks == NULL ? NULL : &ranks->log, SVS_E_NULL,
                           "svs_handler_schedule: ranks, handler or scheduler is NULL: pass all");
    number = svs__handler_find(ranks, handler);
    if (number == ranks->handlers.count || handler->dispatch != SVS_DISPATCH_CUSTOM)
        return svs__refuse(&ranks->log, SVS_E_INVALID, "svs_handler_schedule: handler %s %s",
                           handler->name,
                           handler->dispatch != SVS_DISPATCH_CUSTOM
                               ? "is not custom: only those have schedulers of the program"
                               : "was not added: call svs_handlers_add() first");
    ranks->handlers.entries[number].scheduler = scheduler;
    ranks->handlers.entries[number].hint = hint;
    return SVS_OK;
}
