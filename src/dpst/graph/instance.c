/* Instances, as their bodies begin and end; and which instance a node of the tree belongs to. */
#include "base/memory.h"
#include "base/pages.h"
#include "dpst/graph/graph.h"
#include "dpst/task/task.h"
#include <string.h>

/* ---- which instance a node belongs to ---- */

/* By node; the instance is only there while it runs: its memory may be another's later
 * (dpst.G3). */
typedef struct note {
    svs__instance *instance;
    uint64_t id;
} note;
static note *notes;

static size_t notes_bytes(void) { return svs__the_checker.tree.max * sizeof *notes; }

bool svs__graph_notes_init(void) {
    notes = svs__pages_map(notes_bytes());
    return notes != NULL;
}

void svs__graph_notes_clean_up(void) {
    svs__pages_unmap(notes, notes_bytes());
    notes = NULL;
}

size_t svs__graph_notes_bytes(void) {
    return notes == NULL ? 0 : svs__pages_touched(notes, notes_bytes());
}

void svs__graph_note(uint32_t node, svs__instance *instance) {
    notes[node].instance = instance;
    notes[node].id = instance->id;
}

svs__instance *svs__graph_noted(uint32_t node) { return notes[node].instance; }

bool svs__graph_judges(const svs__instance *instance, uint32_t other) {
    return notes[other].id != 0 && notes[other].id != instance->id;
}

void svs__graph_notes_reset(void) {
    if (notes != NULL) svs__pages_forget(notes, notes_bytes());
}

/* ---- bodies ---- */

void *svs__graph_begins(const svs__watched_instance *told, svs__worker *worker, void *top) {
    static _Atomic(uint64_t) ids = 1;
    svs__graph_run *run = told->run;
    svs__watcher *watcher = svs__graph_watcher(run);
    svs__instance *instance = svs__graph_allocate(sizeof *instance);
    svs__scope scope = {run->watched.root, 0, 0};
    if (instance == NULL) {
        svs__worker_count(&run->check->workers[worker->index].lost, 1);
        return NULL;
    }
    memset(instance, 0, sizeof *instance);
    /* relaxed, both: numbers, for themselves. */
    instance->id = svs__fetch_add_relaxed(&ids, 1);
    scope.next = svs__fetch_add_relaxed(&run->sequence, 1) + 1;
    instance->run = run;
    instance->order = told->order;
    instance->task = told->task;
    instance->iteration = told->iteration;
    instance->set = told->set;
    svs__graph_declare(instance, told->set);
    svs__graph_find_sender(instance);
    if (scope.node != 0)
        instance->node =
            svs__tree_append(&svs__the_checker.tree, &run->check->workers[worker->index].block,
                             &scope, SVS__NODE_INSTANCE, NULL);
    if (instance->node != 0) svs__graph_note(instance->node, instance);
    instance->outer =
        watcher->begins(watcher, worker, &worker->deque.async, instance->node, false, top);
    return instance;
}

void svs__graph_ends(void *argument, svs__worker *worker) {
    svs__instance *instance = argument;
    svs__watcher *watcher = svs__graph_watcher(instance->run);
    watcher->ends(watcher, worker, &worker->deque.async, instance->outer);
    svs__lock_acquire(&instance->set_lock);
    instance->set = NULL;
    svs__lock_release(&instance->set_lock);
}

/* Another step begins with each change: what the one before has accessed is judged first. */
void svs__graph_touches(void *argument, const void *item, size_t bytes, bool begins) {
    svs__instance *instance = argument;
    svs__check_next_step(svs__check_self);
    instance->touching = begins;
    instance->item = (uintptr_t)item;
    instance->item_end = (uintptr_t)item + bytes;
}

/* ---- senders ---- */

static const svs_allocator *const allocator = &svs__graph_allocator;

typedef struct ticket {
    uint64_t key; /* 0: none */
    const svs__instance *sender;
    uint32_t sent_at, sent_by;
} ticket;

static svs__lock tickets_lock;
static ticket *tickets;
static size_t ticket_capacity, ticket_count;

static uint64_t key_of(const void *run, uint64_t order) {
    uint64_t key = order ^ (uintptr_t)run * UINT64_C(0x9E3779B97F4A7C15);
    return key != 0 ? key : 1;
}

static ticket *ticket_at(ticket *table, size_t capacity, uint64_t key) {
    size_t at = key & (capacity - 1);
    while (table[at].key != 0 && table[at].key != key) at = (at + 1) & (capacity - 1);
    return &table[at];
}

static bool grow_tickets(void) {
    size_t capacity = ticket_capacity != 0 ? ticket_capacity * 2 : 1024;
    ticket *larger = svs__allocate_zeroed(allocator, capacity * sizeof *larger, _Alignof(ticket));
    if (larger == NULL) return false;
    for (size_t i = 0; i < ticket_capacity; i++)
        if (tickets[i].key != 0) *ticket_at(larger, capacity, tickets[i].key) = tickets[i];
    svs__release(allocator, tickets, ticket_capacity * sizeof *tickets, _Alignof(ticket));
    tickets = larger;
    ticket_capacity = capacity;
    return true;
}

/* Under the lock. */
static bool put_ticket(const ticket *t) {
    if (ticket_count * 4 >= ticket_capacity * 3 && !grow_tickets()) return false;
    *ticket_at(tickets, ticket_capacity, t->key) = *t;
    ticket_count++;
    return true;
}

void svs__graph_find_sender(svs__instance *instance) {
    uint64_t key = key_of(instance->run, instance->order);
    svs__lock_acquire(&tickets_lock);
    if (ticket_capacity != 0) {
        const ticket *t = ticket_at(tickets, ticket_capacity, key);
        if (t->key == key) {
            instance->sender = t->sender;
            instance->sent_at = t->sent_at;
            instance->sent_by = t->sent_by;
        }
    }
    svs__lock_release(&tickets_lock);
}

void svs__graph_forget_sends(void) {
    if (ticket_count != 0) memset(tickets, 0, ticket_capacity * sizeof *tickets);
    ticket_count = 0;
}

/* dpst.G1: what follows is another step. Asyncs of one body may send at once: each count is at
 * least that of the accesses before the send, and below that of those after it. */
void svs__graph_sends(void *argument, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                      uint64_t from, size_t count) {
    svs__instance *instance = argument;
    svs__check_thread *self = svs__check_self;
    uint32_t sent_at = svs__load_relaxed(&instance->sends); /* relaxed: at least its own past */
    uint32_t step, before;
    bool done = true;
    if (self->step == SVS__STEP_NEW) (void)svs__step_make(self);
    step = self->step;
    svs__lock_acquire(&tickets_lock);
    for (size_t i = 0; i < count && done; i++) {
        ticket t = {key_of(instance->run, order(of, from + i)), instance, sent_at, step};
        done = put_ticket(&t);
    }
    svs__lock_release(&tickets_lock);
    if (!done) svs__worker_count(&self->worker->lost, 1);
    before = svs__fetch_add_relaxed(&instance->sends, 1); /* relaxed: as above */
    SVS__ASSERT(before >= sent_at);                       /* dpst.G1 */
    (void)before;
    svs__check_next_step(self);
}

void svs__graph_abandon_sends(void) {
    tickets_lock = (svs__lock)SVS__LOCK_INIT;
    tickets = NULL;
    ticket_capacity = ticket_count = 0;
}

void svs__graph_clean_up_sends(void) {
    svs__release(allocator, tickets, ticket_capacity * sizeof *tickets, _Alignof(ticket));
    tickets = NULL;
    ticket_capacity = ticket_count = 0;
}
