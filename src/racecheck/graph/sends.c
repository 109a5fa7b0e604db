/* Senders of records: a ticket for each record that a body has sent, by which the record's instance
 * finds its sender when it begins (racecheck.G1). */
#include "base/memory.h"
#include "racecheck/graph/graph.h"
#include "racecheck/graph/memory.h"
#include "racecheck/graph/watch.h"
#include "racecheck/task/task.h"
#include <string.h>

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

/* racecheck.G1: what follows is another step. Asyncs of one body may send at once: each count is at
 * least that of the accesses before the send, and below that of those after it. */
void svs__graph_sends(void *argument, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                      uint64_t from, size_t count) {
    svs__instance *instance = argument;
    svs__check_thread *self = svs__check_self;
    uint32_t sent_at = svs__load_relaxed(&instance->sends); /* relaxed: at least its own past */
    uint32_t step;
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
    (void)svs__fetch_add_relaxed(&instance->sends, 1); /* relaxed: as above */
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
