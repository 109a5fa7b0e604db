/* Senders: which instance has sent which one, and what is therefore before an instance (graph.h,
 * dpst.G1, dpst.G5, dpst.G6). */
#include "base/memory.h"
#include "dpst/graph/page.h"
#include "dpst/task/task.h"
#include <string.h>

/* ---- tickets: the records that were sent, by their orders ---- */

static const svs_allocator *const allocator = &svs__graph_allocator;

typedef struct ticket {
    uint64_t key; /* 0: the ticket is free */
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

/* Adds a ticket. The caller holds the lock. */
static bool put_ticket(const ticket *t) {
    if (ticket_count * 4 >= ticket_capacity * 3 && !grow_tickets()) return false;
    *ticket_at(tickets, ticket_capacity, t->key) = *t;
    ticket_count++;
    return true;
}

/* Finds the ticket of an instance. @return false: no instance has sent it. */
static bool find_ticket(const svs__instance *instance, ticket *found) {
    uint64_t key = key_of(instance->run, instance->order);
    found->key = 0;
    svs__lock_acquire(&tickets_lock);
    if (ticket_capacity != 0) *found = *ticket_at(tickets, ticket_capacity, key);
    svs__lock_release(&tickets_lock);
    return found->key != 0;
}

void svs__graph_forget_sends(void) {
    if (ticket_count != 0) memset(tickets, 0, ticket_capacity * sizeof *tickets);
    ticket_count = 0;
}

/* dpst.G1: the code after the send is another step. Asyncs of one body may send at the same time:
 * each count is at least that of the accesses before the send, and less than that of those after
 * it. */
void svs__graph_sends(void *argument, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                      uint64_t from, size_t count) {
    svs__instance *instance = argument;
    svs__check_thread *self = svs__check_self;
    /* relaxed is enough: it includes the sends of the step's own past */
    uint32_t sent_at = svs__load_relaxed(&instance->sends);
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

/* ---- the forest of sends ---- */

/* dpst.G5: the jump goes as far as the next two jumps together, if these have equal lengths;
 * otherwise it goes to the sender. */
static const svs__instance *jump_of(const svs__instance *sender) {
    const svs__instance *far = sender->jump;
    return sender->depth - far->depth == far->depth - far->jump_depth ? far->jump : sender;
}

/* The instance at this depth among `u` and its senders; the depth of `u` is at least as large. */
static const svs__instance *raise(const svs__instance *u, uint32_t depth) {
    while (u->depth > depth) u = u->jump_depth >= depth ? u->jump : u->sender;
    SVS__ASSERT(u->depth == depth); /* dpst.G5 */
    return u;
}

static bool has(const uint64_t *row, uint32_t bit) { return row[bit / 64] >> bit % 64 & 1; }

static bool is_of_lineage(const svs__instance *t, uint32_t task) {
    return t->lineage != NULL ? has(t->lineage, task) : t->task == task;
}

/* Finds the lineage of an instance (dpst.G6). @return false when there is no memory. */
static bool find_lineage(svs__instance *instance) {
    const svs__instance *sender = instance->sender;
    size_t bytes = instance->run->row * sizeof(uint64_t);
    uint64_t *made;
    instance->lineage = sender->lineage;
    if (is_of_lineage(sender, instance->task)) return true;
    made = svs__graph_allocate(bytes);
    if (made == NULL) return false;
    if (sender->lineage != NULL) memcpy(made, sender->lineage, bytes);
    else memset(made, 0, bytes);
    made[sender->task / 64] |= UINT64_C(1) << sender->task % 64;
    made[instance->task / 64] |= UINT64_C(1) << instance->task % 64;
    instance->lineage = made;
    return true;
}

/* Only senders in the same iteration matter: an earlier iteration is before the instance anyway. */
void svs__graph_find_sender(svs__instance *instance) {
    ticket t;
    instance->root = instance->jump = instance;
    if (!find_ticket(instance, &t) || t.sender->iteration != instance->iteration) return;
    instance->sender = t.sender;
    instance->sent_at = t.sent_at;
    instance->sent_by = t.sent_by;
    instance->root = t.sender->root;
    instance->depth = t.sender->depth + 1;
    instance->jump = jump_of(t.sender);
    instance->jump_depth = instance->jump->depth;
    if (!find_lineage(instance)) svs__worker_count(&instance->run->check->workers[0].lost, 1);
    else
        SVS__ASSERT(is_of_lineage(instance, instance->task) && /* dpst.G6 */
                    is_of_lineage(instance, t.sender->task));
}

/* ---- order ---- */

static svs__lca relation_of(uint32_t one, uint32_t other) {
    uint64_t edges = 0;
    if (one == other || one == 0 || other == 0) return (svs__lca){0, false};
    return svs__lca_labels(&svs__the_checker.tree, one, other, &edges);
}

bool svs__graph_are_beside(uint32_t one, uint32_t other) {
    return relation_of(one, other).parallel;
}

/* svs__graph_are_beside() for the running step and a step of another run, which may have ended
 * before (checker.h, dpst.X11). */
static bool are_beside_in_time(uint32_t other, uint32_t step) {
    svs__lca relation = relation_of(other, step);
    return relation.parallel && (!svs__is_above_runs(relation.depth) ||
                                 !svs__run_had_ended(step, other, relation.depth));
}

/* Did the task end before the task of `u`, or of one of its senders, opened? (dpst.G6) */
static bool ends_before(const svs__instance *u, uint32_t task) {
    const uint64_t *after = u->run->after + (size_t)task * u->run->row;
    uint64_t common = 0;
    if (u->lineage == NULL) return has(after, u->task);
    for (uint32_t i = 0; i < u->run->row; i++) common |= after[i] & u->lineage[i];
    return common != 0;
}

/* Finds why `a` is before `u`, in one iteration. @return `a`: its task has ended before; another
 * instance: `a` has sent it, and it is `u` or a sender of `u`; NULL: `a` is not before `u`. */
static const svs__instance *find_way(const svs__instance *a, const svs__instance *u) {
    const svs__instance *sent;
    if (ends_before(u, a->task)) return a;
    if (a->root != u->root || a->depth >= u->depth) return NULL;
    sent = raise(u, a->depth + 1);
    return sent->sender == a ? sent : NULL;
}

static const svs__instance *way_of(const svs__check_thread *self, const svs__instance *a,
                                   const svs__instance *u) {
    struct svs__two *two = svs__graph_two(self, u, a);
    if (!two->knows_way) two->way = find_way(a, u);
    two->knows_way = true;
    return two->way;
}

bool svs__graph_before(const svs__check_thread *self, const svs__access_entry *e,
                       const svs__instance *u, uint32_t step) {
    const svs__instance *a = e->instance, *way;
    if (a->run != u->run) return !are_beside_in_time(e->step, step);
    if (a->iteration != u->iteration) return true; /* iterations are in the order of the run */
    way = way_of(self, a, u);
    if (way == NULL || way == a) return way == a;
    return e->sends <= way->sent_at && !svs__graph_are_beside(e->step, way->sent_by); /* dpst.G1 */
}
