#include "sched/graph/facts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* Shares what opens after a task of a cycle among all tasks of the cycle: they end together
 * (sched.T7), so a task that opens after one of them opens after all. */
static void share_after(const svs_task *lead, uint64_t *after, uint32_t row) {
    uint64_t *of_lead = after + (size_t)lead->index * row;
    const svs_task *one;
    for (one = svs__node_of(lead)->next_of_lead; one; one = svs__node_of(one)->next_of_lead)
        svs__signature_or(of_lead, after + (size_t)one->index * row, row);
    for (one = svs__node_of(lead)->next_of_lead; one; one = svs__node_of(one)->next_of_lead)
        memcpy(after + (size_t)one->index * row, of_lead, row * sizeof(uint64_t));
}

void svs__facts_after(const svs_graph *graph, uint64_t *after, uint32_t row) {
    for (uint32_t i = graph->ordered.count; i-- > 0;) {
        const svs_task *task = graph->ordered.items[i];
        uint64_t *mine = after + (size_t)task->index * row;
        for (uint32_t k = 0; k < svs__node_of(task)->before.count; k++) {
            uint32_t child = svs__node_of(task)->before.items[k]->index;
            svs__signature_set(mine, child);
            svs__signature_or(mine, after + (size_t)child * row, row);
        }
        for (uint32_t k = 0; k < svs__node_of(task)->sends.count; k++)
            svs__signature_or(mine, after + (size_t)svs__node_of(task)->sends.items[k]->index * row,
                              row);
        if (task->lead == task) share_after(task, after, row);
    }
}

/* ---- lists of names ---- */

static bool names(const char *const *list, const char *name) {
    size_t first = 0, last = 0;
    while (list && list[last]) last++;
    while (first < last) {
        size_t middle = (first + last) / 2;
        int order = strcmp(list[middle], name);
        if (order == 0) return true;
        if (order < 0) first = middle + 1;
        else last = middle;
    }
    return false;
}

static bool reads_of(const svs_task_type *reader, const svs_task_type *writer) {
    const svs__task_facts *facts = reader->facts;
    return facts && names(facts->touch_reads, writer->name);
}

static bool names_as_independent(const svs_task_type *a, const svs_task_type *b) {
    const svs__task_facts *facts = a->facts;
    return facts && names(facts->independent, b->name);
}

/* Whether the two types are independent. Each must name the other, because a type from another scan
 * may have the same name. */
static bool are_independent(const svs_task_type *a, const svs_task_type *b) {
    return names_as_independent(a, b) && names_as_independent(b, a) && !reads_of(a, b) &&
           !reads_of(b, a);
}

/* ---- independence ---- */

/* The types with facts among those of the graph's tasks. Each has a row of bits: the tasks of the
 * type, by position. */
typedef struct kinds {
    const svs_task_type **types;
    svs__rows tasks;
    uint32_t count, room;
} kinds;

static uint32_t kind_of(const kinds *k, const svs_task_type *type) {
    uint32_t i = 0;
    while (i < k->count && k->types[i] != type) i++;
    return i;
}

static uint32_t count_kinds(const svs_graph *graph) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs__task_facts *facts = graph->tasks.items[i]->type->facts;
        count += facts && facts->independent;
    }
    return count;
}

static bool kinds_new(const svs_graph *graph, kinds *k, size_t row) {
    const svs_allocator *allocator = graph->world->allocator;
    k->room = count_kinds(graph);
    if (!k->room) return true;
    k->types = svs__allocate_zeroed(allocator, k->room * sizeof(void *), 8);
    if (!k->types) return false;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs_task_type *type = graph->tasks.items[i]->type;
        const svs__task_facts *facts = type->facts;
        if (facts && facts->independent && kind_of(k, type) == k->count)
            k->types[k->count++] = type;
    }
    k->tasks.row = row;
    k->tasks.bits = svs__allocate_zeroed(allocator, row * k->count * sizeof(uint64_t), 8);
    return k->tasks.bits != NULL;
}

static void kinds_free(const svs_graph *graph, const kinds *k) {
    const svs_allocator *allocator = graph->world->allocator;
    svs__release(allocator, k->tasks.bits, k->tasks.row * k->count * sizeof(uint64_t), 8);
    svs__release(allocator, k->types, k->room * sizeof(void *), 8);
}

static void add_kind(const svs_graph *graph, const kinds *k, uint32_t of, uint32_t other,
                     const svs__rows *rows) {
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs_task *task = graph->tasks.items[i];
        if (task->type == k->types[of])
            svs__signature_or(svs__row_of(rows, svs__node_of(task)->position),
                              svs__row_of(&k->tasks, other), (uint32_t)rows->row);
    }
}

bool svs__facts_add_independent(const svs_graph *graph, const svs__rows *rows) {
    kinds k = {0};
    bool made = kinds_new(graph, &k, rows->row);
    for (uint32_t i = 0; made && i < graph->tasks.count; i++) {
        uint32_t kind = kind_of(&k, graph->tasks.items[i]->type);
        if (kind < k.count)
            svs__signature_set(svs__row_of(&k.tasks, kind),
                               svs__node_of(graph->tasks.items[i])->position);
    }
    for (uint32_t i = 0; made && i < k.count; i++)
        for (uint32_t other = 0; other < k.count; other++)
            if (are_independent(k.types[i], k.types[other])) add_kind(graph, &k, i, other, rows);
    kinds_free(graph, &k);
    return made;
}

/* ---- what touch functions read ---- */

static bool marks(const svs__rows *rows, uint32_t a, uint32_t b) {
    return svs__row_of(rows, a)[b / 64] >> b % 64 & 1;
}

static svs_status refuse_read(const svs_task *reader, const svs_task *writer, svs_report *report) {
    report->status = SVS_E_INVALID;
    report->task = reader->type->name;
    (void)snprintf(report->text, sizeof report->text,
                   "the touch function of %s reads what the body of %s writes, and both may be "
                   "open at once: order them with svs_graph_add_order(), or put what it reads "
                   "into the item",
                   reader->type->name, writer->type->name);
    return SVS_E_INVALID;
}

/* Makes refinement keep the implicit dependency of the later task on the earlier one, if there is
 * one. @return false: no memory. */
static bool keep(const svs_graph *graph, uint32_t a, uint32_t b) {
    uint32_t child = a < b ? b : a;
    svs__implicit *i = &svs__node_of(graph->ordered.items[a < b ? a : b])->implicit;
    if (!i->all || !(i->all[child / 64 - i->first] >> child % 64 & 1)) return true;
    if (!i->kept)
        i->kept = svs__allocate_zeroed(graph->world->allocator, i->words * sizeof(uint64_t), 8);
    if (i->kept) i->kept[child / 64 - i->first] |= UINT64_C(1) << child % 64;
    return i->kept != NULL;
}

/* Makes refinement keep all dependencies of the reader on earlier tasks. To remove one, refinement
 * would call the reader's touch function before the reader opens, while an earlier task runs. */
static bool keep_all_before(const svs_graph *graph, uint32_t reader) {
    for (uint32_t i = 0; i < reader; i++)
        if (!keep(graph, i, reader)) return false;
    return true;
}

static svs_status check_reads_of(const svs_graph *graph, const svs_task *reader,
                                 const svs_task *writer, const svs__rows *unordered,
                                 const svs__rows *after, svs_report *report) {
    uint32_t a = svs__node_of(reader)->position, b = svs__node_of(writer)->position;
    if (!reads_of(reader->type, writer->type)) return SVS_OK;
    if (reader == writer) return reader->itemizer ? refuse_read(reader, writer, report) : SVS_OK;
    if (!keep_all_before(graph, a)) return SVS_E_NO_MEMORY;
    if (marks(after, reader->index, writer->index) || marks(after, writer->index, reader->index))
        return SVS_OK;
    if (marks(unordered, a, b) || marks(unordered, b, a))
        return refuse_read(reader, writer, report);
    return keep(graph, a, b) ? SVS_OK : SVS_E_NO_MEMORY;
}

static bool any_reads(const svs_graph *graph) {
    bool any = false;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs__task_facts *facts = graph->tasks.items[i]->type->facts;
        any |= facts && facts->touch_reads;
    }
    return any;
}

svs_status svs__facts_check(svs_graph *graph, const svs__rows *unordered, svs_report *report) {
    const svs_allocator *allocator = graph->world->allocator;
    uint32_t count = graph->tasks.count;
    size_t bytes = unordered->row * count * sizeof(uint64_t);
    svs__rows after = {NULL, unordered->row};
    svs_status status = SVS_OK;
    if (!any_reads(graph)) return SVS_OK;
    after.bits = svs__allocate_zeroed(allocator, bytes, 8);
    if (!after.bits) return SVS_E_NO_MEMORY;
    svs__facts_after(graph, after.bits, (uint32_t)after.row);
    for (uint32_t i = 0; i < count && !status; i++)
        for (uint32_t k = 0; k < count && !status; k++)
            status = check_reads_of(graph, graph->tasks.items[i], graph->tasks.items[k], unordered,
                                    &after, report);
    svs__release(allocator, after.bits, bytes, 8);
    return status;
}
