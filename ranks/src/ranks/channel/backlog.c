#include "ranks/channel/backlog.h"
#include "ranks/category.h"
#include "ranks/channel/send.h"
#include "ranks/fiber/execute.h"
#include "ranks/fiber/scheduler.h"
#include <string.h>

/* A backlog uses the slot of a fiber, so that it can be in a queue of fibers. */
typedef struct svs__backlog {
    uint32_t at, left;    /* offset of the next record; records left in its run */
    uint32_t bytes, from; /* as in a view of the run (record.h) */
    uint16_t handler, category;
    uint32_t next, limit; /* offset of the next run; how far the buffer has been read */
    bool urgent;
} svs__backlog;
static_assert(sizeof(svs__backlog) <= SVS__FIBER_INLINE, "a backlog lies in its slot");

static svs__arrived *arrived_of(svs__fiber_group *group) { return (svs__arrived *)(void *)group; }

/* ---- fibers ---- */

/* Creates the fiber of a record, and does not enable it. @return NULL: no memory. */
static svs__fiber *make_fiber(svs_ranks *ranks, const svs__run_view *view,
                              const unsigned char *record, svs__fiber_group *group) {
    const svs__handler_entry *entry = view->entry;
    svs__fiber *fiber = svs__fiber_new(ranks, entry->handler->run, view->bytes, entry->scheduler);
    if (fiber == NULL) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a fiber of handler %s",
                        entry->handler->name);
        return NULL;
    }
    if (view->bytes != 0) memcpy(fiber->state, record, view->bytes);
    fiber->of_handler = fiber->replies = true;
    fiber->from = view->from;
    fiber->structure = entry->structure;
    if (entry->hint != NULL) fiber->hint = entry->hint(record);
    if (group != NULL && entry->scheduler->kind != SVS__SCHEDULER_CUSTOM) {
        fiber->group = group;
        svs__fiber_group_add(group);
    }
    if (svs__is_observed(ranks)) svs__observe_created(ranks, fiber);
    return fiber;
}

/* Makes the fibers of all records of a run at once. A backlog makes them later, except for records
 * of a custom scheduler, records that this rank has posted to itself, and the only record of a
 * buffer. */
static void make_fibers(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group) {
    uint16_t outer = svs__is_observed(ranks) ? svs__observe_records_begin(ranks, view) : 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const unsigned char *record = view->records + (size_t)i * view->bytes;
        svs__fiber *fiber = make_fiber(ranks, view, record, group);
        if (fiber == NULL) break;
        svs_ignore(svs__enable(ranks, fiber)); /* a failure ends the run */
    }
    if (svs__is_observed(ranks)) svs__observe_records_end(ranks, view, outer);
}

/* ---- a backlog that is selected ---- */

static svs_scheduler *queue_of(svs_ranks *ranks, bool urgent) {
    return urgent ? &ranks->schedulers.urgent : &ranks->schedulers.fifo;
}

static void load(svs__backlog *mine, const svs__run_view *view, const svs__buffer *buffer) {
    mine->at = (uint32_t)(view->records - buffer->data);
    mine->left = view->count;
    mine->bytes = view->bytes;
    mine->from = view->from;
    mine->handler = view->handler;
    mine->category = view->category;
    mine->next = view->next;
}

/* Moves the backlog on to its next run. @return false: there is none. */
static bool load_next(svs_ranks *ranks, svs__backlog *mine, const svs__buffer *buffer) {
    const svs_scheduler *queue = queue_of(ranks, mine->urgent);
    svs__run_view view;
    while (mine->next < mine->limit) { /* ranks.K2 */
        const char *why = svs__run_read(&ranks->handlers, ranks->count, buffer->data, buffer->bytes,
                                        mine->next, &view);
        SVS__ASSERT(why == NULL); /* ranks.K2: the same run was read when the buffer arrived */
        if (why != NULL) return false;
        mine->next = view.next;
        if (view.to != ranks->index || view.entry->scheduler != queue) continue;
        load(mine, &view, buffer);
        return true;
    }
    return false;
}

static void put_first(svs_ranks *ranks, svs__fiber *slot, bool urgent) {
    svs__queue *queue = &queue_of(ranks, urgent)->queue;
    if (queue->first == NULL) queue->last = slot;
    slot->next = queue->first;
    queue->first = slot;
    ranks->schedulers.enabled++;
}

static void end(svs_ranks *ranks, svs__fiber *slot, bool urgent) {
    svs__fiber_group *group = slot->group;
    arrived_of(group)->backlogs[urgent] = NULL;
    slot->group = NULL;
    svs__fiber_free(ranks, slot);
    svs__fiber_group_end(ranks, group);
}

void svs__backlog_drop(const svs__fiber *slot) {
    const svs__backlog *mine = slot->state;
    arrived_of(slot->group)->backlogs[mine->urgent] = NULL;
}

/* Makes the fiber of the next record, which is enabled and in no queue. */
static svs__fiber *make_next(svs_ranks *ranks, const svs__backlog *mine, svs__fiber_group *group) {
    svs__run_view view = {.entry = &ranks->handlers.entries[mine->handler],
                          .from = mine->from,
                          .count = 1,
                          .bytes = mine->bytes,
                          .handler = mine->handler,
                          .category = mine->category};
    const svs__buffer *buffer = arrived_of(group)->kept;
    uint16_t outer = svs__is_observed(ranks) ? svs__observe_records_begin(ranks, &view) : 0;
    svs__fiber *fiber = make_fiber(ranks, &view, buffer->data + mine->at, group);
    if (fiber != NULL) svs__enable_unqueued(ranks, fiber);
    if (svs__is_observed(ranks)) svs__observe_records_end(ranks, &view, outer);
    return fiber;
}

/* Function of a backlog's slot: makes the fiber of the next record, and executes it. */
static svs_status run_backlog(svs_ranks *ranks, void *slot_) {
    svs__fiber *slot = slot_, *fiber;
    svs__backlog *mine = slot->state;
    bool urgent = mine->urgent;
    SVS__ASSERT(arrived_of(slot->group)->kept != NULL); /* ranks.K1 */
    fiber = make_next(ranks, mine, slot->group);
    mine->at += mine->bytes;
    mine->left--;
    if (mine->left != 0 || load_next(ranks, mine, arrived_of(slot->group)->kept))
        put_first(ranks, slot, urgent);
    else end(ranks, slot, urgent);
    if (fiber != NULL) svs__execute(ranks, fiber);
    return SVS_OK;
}

/* ---- a buffer that arrives ---- */

static bool begin(svs_ranks *ranks, svs__arrived *arrived, const svs__run_view *view, bool urgent) {
    svs__fiber *slot = svs__slot_new(ranks, run_backlog, &ranks->schedulers.backlog);
    svs__backlog *mine;
    if (slot == NULL) return false;
    mine = slot->state;
    load(mine, view, arrived->kept);
    mine->limit = view->next;
    mine->urgent = urgent;
    slot->group = &arrived->group;
    svs__fiber_group_add(&arrived->group);
    arrived->backlogs[urgent] = slot;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_CREATED, SVS__FIBER_ENABLED);
    svs__scheduler_put(ranks, queue_of(ranks, urgent), slot);
    return true;
}

/* Whether the fibers of a run are made at once, without a backlog: they are of a scheduler of the
 * program, this rank has posted the records, or the record is alone in its buffer. */
static bool is_made_at_once(const svs__run_view *view, const svs__arrived *arrived) {
    if (arrived == NULL || view->entry->scheduler->kind > SVS__SCHEDULER_URGENT) return true;
    return view->count == 1 && arrived->backlogs[0] == NULL && arrived->backlogs[1] == NULL &&
           view->next >= arrived->kept->bytes;
}

void svs__records_enable(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group) {
    svs__arrived *arrived = group == NULL ? NULL : arrived_of(group);
    bool urgent = view->entry->scheduler->kind == SVS__SCHEDULER_URGENT;
    if (view->entry->structure != NULL) view->entry->structure->fibers += view->count;
    if (is_made_at_once(view, arrived)) {
        make_fibers(ranks, view, group);
    } else if (arrived->backlogs[urgent] != NULL) {
        svs__backlog *mine = arrived->backlogs[urgent]->state;
        mine->limit = view->next;
    } else if (!begin(ranks, arrived, view, urgent)) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a fiber of handler %s",
                        view->entry->handler->name);
    }
}

/* Copies a buffer of the transport that is larger than a buffer of the rank, so that the rank keeps
 * no more memory than was sent. */
static void copy_large(svs_ranks *ranks, svs__arrived *arrived) {
    svs__buffer *buffer = arrived->kept, *copy;
    if (buffer->capacity <= ranks->capacity || buffer->bytes > ranks->capacity) return;
    copy = svs__buffer_take(ranks, buffer->bytes);
    if (copy == NULL) return;
    copy->bytes = buffer->bytes;
    memcpy(copy->data, buffer->data, buffer->bytes);
    arrived->kept = copy;
    arrived->copied = true;
    ranks->type->release(ranks->endpoint, buffer);
}

void svs__backlog_keep(svs_ranks *ranks, svs__arrived *arrived) {
    if (arrived->backlogs[0] != NULL || arrived->backlogs[1] != NULL) {
        copy_large(ranks, arrived);
        return;
    }
    ranks->type->release(ranks->endpoint, arrived->kept);
    arrived->kept = NULL;
}
