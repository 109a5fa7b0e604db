/* svs_handlers_add(): the handler tables of all ranks are compared (ranks.P2). */
#include "ranks/channel/handler.h"
#include "ranks/collective/collective.h"
#include <string.h>

/* One handler in the form in which ranks compare it. */
typedef struct svs__handler_row {
    uint32_t bytes, dispatch;
    char name[56]; /* only these bytes of a longer name are compared */
} svs__handler_row;

/* Values of `dispatch` in a row that names a structure. */
enum { STRUCTURE_MADE = SVS_DISPATCH_CUSTOM + 1, STRUCTURE_FREED };

typedef struct svs__handler_table {
    uint32_t count, refused;
    svs__handler_row entries[];
} svs__handler_table;

static size_t table_bytes(size_t count) {
    return sizeof(svs__handler_table) + count * sizeof(svs__handler_row);
}

static void describe(char *text, size_t size, const svs__handler_table *table, uint32_t at) {
    static const char *const names[] = {"fifo", "urgent", "in place", "custom"};
    const svs__handler_row *entry = &table->entries[at];
    if (at >= table->count) (void)snprintf(text, size, "none");
    else if (entry->dispatch > SVS_DISPATCH_CUSTOM)
        (void)snprintf(text, size, "structure %.40s, which is to be %s", entry->name,
                       entry->dispatch == STRUCTURE_MADE ? "made" : "freed");
    else
        (void)snprintf(text, size, "%.55s (%u bytes, %s)", entry->name, entry->bytes,
                       names[entry->dispatch & 3]);
}

static const char *compare_tables(svs_ranks *ranks, const void *other, uint32_t bytes) {
    const svs__handler_table *own = ranks->agreement.mine, *its = other;
    uint32_t at = 0;
    char one[100], two[100];
    if (bytes < sizeof *its || its->refused != 0 || bytes != table_bytes(its->count))
        return "its handlers were refused there";
    if (own->refused != 0) {
        (void)snprintf(ranks->text, sizeof ranks->text, "the handlers were refused at rank %u",
                       ranks->index);
        return ranks->text;
    }
    while (at < own->count && at < its->count &&
           memcmp(&own->entries[at], &its->entries[at], sizeof *own->entries) == 0)
        at++;
    if (at == own->count && at == its->count) return NULL;
    describe(one, sizeof one, its, at);
    describe(two, sizeof two, own, at);
    (void)snprintf(ranks->text, sizeof ranks->text,
                   "handler %u is %s, and %s at rank %u: add the same handlers on all ranks", at,
                   one, two, ranks->index);
    return ranks->text;
}

static svs_status check_handlers(svs_ranks *ranks, const svs_handler *const *handlers,
                                 size_t count) {
    if (handlers == NULL && count != 0)
        return svs__refuse(&ranks->log, SVS_E_NULL,
                           "svs_handlers_add: handlers is NULL: pass the array");
    if (count > SVS__HANDLERS_MAX ||
        svs__handlers_room(ranks, (uint32_t)count) + count > SVS__HANDLERS_MAX)
        return svs__refuse(&ranks->log, SVS_E_INVALID,
                           "svs_handlers_add: there would be more than 65535 handlers: add fewer");
    for (size_t i = 0; i < count; i++) {
        const char *fault = svs__handler_fault(handlers[i]);
        if (fault == NULL && ranks->handlers.count != 0 &&
            svs__handler_find(ranks, handlers[i]) < ranks->handlers.count)
            fault = "it was added before: add it once";
        for (size_t j = 0; j < i && fault == NULL; j++)
            if (handlers[j] == handlers[i]) fault = "it is in the array twice: add it once";
        if (fault != NULL)
            return svs__refuse(&ranks->log, SVS_E_INVALID, "svs_handlers_add: handler %zu: %s", i,
                               fault);
    }
    return SVS_OK;
}

static void fill_table(svs__handler_table *table, const svs_handler *const *handlers,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        svs__handler_row *entry = &table->entries[table->count++];
        entry->bytes = handlers[i]->bytes;
        entry->dispatch = handlers[i]->dispatch;
        (void)snprintf(entry->name, sizeof entry->name, "%s", handlers[i]->name);
    }
}

void svs__handlers_refuse(svs_ranks *ranks) {
    svs__handler_table refused = {0, 1};
    if (!ranks->in_run && !ranks->over) /* the agreement always fails */
        svs_ignore(svs__agree(ranks, &refused, sizeof refused, compare_tables));
}

svs_status svs__handlers_agree(svs_ranks *ranks, const char *structure, bool made,
                               const svs_handler *const *handlers, size_t count) {
    size_t bytes = table_bytes(count + (structure != NULL));
    svs__handler_table *table = svs__allocate_zeroed(&ranks->options.allocator, bytes, 8);
    svs_status status;
    if (table == NULL) {
        svs__handlers_refuse(ranks);
        return SVS_E_NO_MEMORY;
    }
    if (structure != NULL) {
        table->entries[table->count].dispatch = made ? STRUCTURE_MADE : STRUCTURE_FREED;
        (void)snprintf(table->entries[table->count++].name, sizeof table->entries->name, "%s",
                       structure);
    }
    fill_table(table, handlers, count);
    status = svs__agree(ranks, table, (uint32_t)bytes, compare_tables);
    svs__release(&ranks->options.allocator, table, bytes, 8);
    return status;
}

svs_status svs_handlers_add(svs_ranks *ranks, const svs_handler *const *handlers, size_t count) {
    svs_status status;
    if (ranks == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_handlers_add: ranks is NULL: pass the rank");
    if (ranks->in_run || ranks->over)
        return svs__refuse(&ranks->log, SVS_E_STATE, "svs_handlers_add: %s",
                           ranks->in_run ? "called in a run: add handlers before it"
                                         : "an earlier call has failed: free the rank");
    status = check_handlers(ranks, handlers, count);
    if (status == SVS_OK)
        status = svs__handlers_put(ranks, svs__handlers_room(ranks, (uint32_t)count), handlers,
                                   (uint32_t)count, NULL);
    if (status == SVS_OK) return svs__handlers_agree(ranks, NULL, false, handlers, count);
    svs__handlers_refuse(ranks);
    return status;
}
