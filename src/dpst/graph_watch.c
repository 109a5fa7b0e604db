/* Runs and instances, as the scheduler tells of them (memobj/watch.h). */
#include "base/memory.h"
#include "base/pages.h"
#include "dpst/graph.h"
#include "memobj/object.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const svs_allocator *const allocator = &svs__allocator_libc;

/* ---- memory that is given back at once ---- */

#define CHUNK ((size_t)256 << 10)
#define LARGE (CHUNK / 4)

typedef struct chunk {
    struct chunk *next;
    size_t bytes;
    _Alignas(16) char memory[];
} chunk;

_Atomic(uint32_t) svs__graph_age = 1;
_Atomic(bool) svs__graph_used;

static svs__lock arena_lock;
static chunk *used, *spare;
static size_t left; /* of the first one that is used */

static chunk *make_chunk(size_t bytes) {
    chunk *made = svs__allocate(allocator, sizeof *made + bytes, 16);
    if (made != NULL) made->bytes = bytes;
    return made;
}

/* Under the lock. */
static void *carve(size_t bytes) {
    chunk *c;
    if (bytes > LARGE) { /* behind the first, which is still to be used */
        c = make_chunk(bytes);
        if (c == NULL) return NULL;
        c->next = used != NULL ? used->next : NULL;
        if (used != NULL) used->next = c;
        else {
            used = c;
            left = 0;
        }
        return c->memory;
    }
    if (left < bytes) {
        c = spare;
        if (c != NULL) spare = c->next;
        else c = make_chunk(CHUNK);
        if (c == NULL) return NULL;
        c->next = used;
        used = c;
        left = CHUNK;
    }
    left -= bytes;
    return used->memory + left;
}

void *svs__graph_allocate(size_t bytes) {
    void *memory;
    svs__lock_acquire(&arena_lock);
    memory = carve((bytes + 15) & ~(size_t)15);
    svs__lock_release(&arena_lock);
    return memory;
}

static void release_chunks(chunk *from) {
    while (from != NULL) {
        chunk *next = from->next;
        svs__release(allocator, from, sizeof *from + from->bytes, 16);
        from = next;
    }
}

static void forget_all(void) {
    chunk *next;
    for (chunk *c = used; c != NULL; c = next) {
        next = c->next;
        c->next = NULL;
        if (c->bytes != CHUNK) {
            release_chunks(c);
            continue;
        }
        c->next = spare;
        spare = c;
    }
    used = NULL;
    left = 0;
    (void)svs__fetch_add_relaxed(&svs__graph_age, 1); /* relaxed: nothing runs */
}

/* ---- which instance a node belongs to ---- */

static svs__instance **notes; /* by node */

static size_t notes_bytes(void) { return svs__the_checker.tree.max * sizeof(void *); }

void svs__graph_note(uint32_t node, svs__instance *instance) { notes[node] = instance; }

svs__instance *svs__graph_noted(uint32_t node) { return notes[node]; }

void svs__graph_notes_reset(void) {
    if (notes != NULL) svs__pages_forget(notes, notes_bytes());
}

/* ---- tickets: who has sent what ---- */

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

static void find_sender(svs__instance *instance) {
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

static void forget_tickets(void) {
    if (ticket_count != 0) memset(tickets, 0, ticket_capacity * sizeof *tickets);
    ticket_count = 0;
}

/* ---- runs ---- */

static svs__graph_run *runs; /* all, also those that have ended */

static svs__watcher *watcher_of(const svs__graph_run *run) { return &run->check->watcher; }

static void free_run(svs__graph_run *run) {
    svs__release(allocator, run->after, (size_t)run->row * run->count * 8 + 8, 8);
    svs__release(allocator, run->names, (run->count + 1) * sizeof *run->names, 8);
    svs__release(allocator, run, sizeof *run, _Alignof(svs__graph_run));
}

/* G3; under the checker's lock. */
static void forget(void) {
    svs__graph_run **at = &runs, *run;
    while ((run = *at) != NULL) {
        if (!run->ended) {
            at = &run->next;
            continue;
        }
        *at = run->next;
        free_run(run);
    }
    forget_tickets();
    forget_all();
}

static svs__graph_run *make_run(const svs__watched_graph *graph, svs__check *check) {
    svs__graph_run *run = svs__allocate_zeroed(allocator, sizeof *run, _Alignof(svs__graph_run));
    if (run == NULL) return NULL;
    run->check = check;
    run->count = graph->count;
    run->row = graph->row;
    (void)snprintf(run->name, sizeof run->name, "%s", graph->name);
    run->after = svs__allocate(allocator, (size_t)run->row * run->count * 8 + 8, 8);
    run->names = svs__allocate(allocator, (run->count + 1) * sizeof *run->names, 8);
    if (run->after == NULL || run->names == NULL) {
        free_run(run);
        return NULL;
    }
    memcpy(run->after, graph->after, (size_t)run->row * run->count * 8);
    memcpy(run->names, graph->names, run->count * sizeof *run->names);
    return run;
}

static void *run_begins(const svs__watched_graph *graph) {
    svs__checker *checker = &svs__the_checker;
    svs__watcher *watcher = graph->world->runtime->watcher;
    svs__graph_run *run = watcher == NULL ? NULL : make_run(graph, (svs__check *)(void *)watcher);
    if (run == NULL) return NULL;
    svs__store_relaxed(&svs__graph_used, true);
    watcher->run_begins(watcher, &run->watched);
    svs__lock_acquire(&checker->lock);
    run->next = runs;
    runs = run;
    svs__lock_release(&checker->lock);
    return run;
}

static void iteration_ends(void *argument) {
    svs__checker *checker = &svs__the_checker;
    (void)argument;
    svs__lock_acquire(&checker->lock);
    if (checker->runs == 1) forget();
    svs__lock_release(&checker->lock);
}

static void run_ends(void *argument) {
    svs__checker *checker = &svs__the_checker;
    svs__graph_run *run = argument;
    watcher_of(run)->run_ends(watcher_of(run), &run->watched);
    svs__lock_acquire(&checker->lock);
    run->ended = true;
    if (checker->runs == 0) forget();
    svs__lock_release(&checker->lock);
}

/* ---- instances ---- */

static int compare(const void *one, const void *other) {
    const svs__declared *a = one, *b = other;
    if (a->what != b->what) return (uintptr_t)a->what < (uintptr_t)b->what ? -1 : 1;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return (int)b->mode - (int)a->mode; /* the stronger one first */
}

static void sort(svs__instance *instance) {
    svs__declared *d = instance->declared;
    uint32_t kept = 0;
    qsort(d, instance->count, sizeof *d, compare);
    for (uint32_t i = 0; i < instance->count; i++)
        if (kept == 0 || d[kept - 1].what != d[i].what || d[kept - 1].index != d[i].index)
            d[kept++] = d[i];
    instance->count = kept;
}

/* Addresses and indices of which nobody has said what bytes they stand for. */
static void mark(svs__instance *instance, const void *what, bool is_index, bool unplaced) {
    for (uint32_t k = 0; k < instance->count; k++)
        if (instance->declared[k].what == what) {
            instance->declared[k].unplaced = unplaced;
            instance->declared[k].is_index = is_index;
        }
}

static void mark_unplaced(svs__instance *instance, const svs_footprint *footprint) {
    const void *space = NULL; /* the last one that was looked at */
    for (uint32_t i = 0; i < footprint->count; i++) {
        const svs_access *access = &footprint->accesses[i];
        if (access->kind == SVS_ADDRESS)
            mark(instance, access->what, false, !svs__owners_know(access->what));
        if (access->kind != SVS_INDEX || access->what == space) continue;
        space = access->what;
        mark(instance, space, true, !svs__owners_know_space(space));
    }
}

static void declare(svs__instance *instance, const svs__set *set) {
    size_t room = set == NULL ? 0 : (set->count + 1) * sizeof *instance->declared;
    bool known = set != NULL && set->root_count == 0;
    if (known) instance->declared = svs__graph_allocate(room);
    if (!known || instance->declared == NULL) {
        instance->unknown = true;
        svs__worker_count(&instance->run->check->workers[0].lost, 1);
        return;
    }
    instance->everything = set->everything;
    instance->count = set->count;
    for (uint32_t i = 0; i < set->count; i++)
        instance->declared[i] =
            (svs__declared){set->identities[i].what, set->identities[i].index,
                            set->elements[i].mode == SVS_WRITE ? 2 : 1, false, false};
    sort(instance);
    mark_unplaced(instance, &set->footprint);
}

static void *begins(const svs__watched_instance *told, svs__worker *worker, void *top) {
    static _Atomic(uint64_t) ids = 1;
    svs__graph_run *run = told->run;
    svs__watcher *watcher = watcher_of(run);
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
    declare(instance, told->set);
    find_sender(instance);
    if (scope.node != 0)
        instance->node =
            svs__tree_append(&svs__the_checker.tree, &run->check->workers[worker->index].block,
                             &scope, SVS__NODE_INSTANCE, NULL);
    if (instance->node != 0) svs__graph_note(instance->node, instance);
    instance->outer =
        watcher->begins(watcher, worker, &worker->deque.strand, instance->node, false, top);
    return instance;
}

static void ends(void *argument, svs__worker *worker) {
    svs__instance *instance = argument;
    svs__watcher *watcher = watcher_of(instance->run);
    watcher->ends(watcher, worker, &worker->deque.strand, instance->outer);
    svs__lock_acquire(&instance->set_lock);
    instance->set = NULL;
    svs__lock_release(&instance->set_lock);
}

/* G1: what follows is another step. */
static void sends(void *argument, uint64_t (*order)(uint64_t of, uint64_t number), uint64_t of,
                  uint64_t from, size_t count) {
    svs__instance *instance = argument;
    svs__check_thread *self = &svs__check_self;
    uint32_t sent_at = svs__load_relaxed(&instance->sends); /* relaxed: only the body sends */
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
    svs__store_relaxed(&instance->sends, sent_at + 1);
    svs__check_next_step(self);
}

/* ---- objects ---- */

static void own_object(const svs_object *object, const svs_world *world, uint64_t maker) {
    const svs__type *type = svs__object_type(object);
    const char *base = svs__object_base(object, type);
    svs__owner owner = {.begin = (uintptr_t)base,
                        .end = (uintptr_t)base + type->type->size,
                        .what = object,
                        .kind = SVS__OWNER_OBJECT,
                        .maker = maker,
                        .world = world,
                        .type = type->type,
                        .name = type->type->name};
    (void)svs__own(&owner);
    for (uint32_t i = 0; i < type->type->member_count; i++) {
        const svs_member_type *member = &type->type->members[i];
        own_object((const svs_object *)(const void *)(base + member->offset + member->type->header),
                   world, maker);
    }
}

static bool is_checked(const svs_world *world) {
    return world != NULL && world->runtime->watcher != NULL;
}

static void made(const svs_object *object) {
    const svs_world *world = svs__world_of(object);
    const svs__instance *instance = svs__check_self.instance;
    if (is_checked(world)) own_object(object, world, instance != NULL ? instance->id : 0);
}

static void gone(const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    const char *base = svs__object_base(object, type);
    if (!is_checked(svs__world_of(object))) return;
    svs__check_access(base, type->type->size, true, __builtin_return_address(0));
    for (uint32_t i = 0; i < type->type->member_count; i++) {
        const svs_member_type *member = &type->type->members[i];
        svs__disown(base + member->offset + member->type->header);
    }
    svs__disown(object);
}

static void handed_off(const svs_object *object) { svs__owner_hand_off(object); }

static void links(const void *field, const void *pc) {
    svs__check_thread *self = &svs__check_self;
    self->linking = true;
    svs__check_access(field, sizeof(void *), true, pc);
    self->linking = false;
}

static void world_gone(const svs_world *world) { svs__disown_all(world); }

/* ---- begin and end ---- */

static const svs__object_watcher watcher = {run_begins, iteration_ends, run_ends,  begins,
                                            ends,       sends,          made,      handed_off,
                                            gone,       links,          world_gone};

bool svs__graph_init(void) {
    notes = svs__pages_map(notes_bytes());
    if (notes == NULL) return false;
    if (!svs__owners_init()) {
        svs__pages_unmap(notes, notes_bytes());
        notes = NULL;
        return false;
    }
    svs__graph_counts_reset();
    svs__store_release(&svs__object_watch, &watcher);
    return true;
}

void svs__graph_clean_up(void) {
    svs__store_release(&svs__object_watch, NULL);
    svs__store_relaxed(&svs__graph_used, false);
    forget();
    release_chunks(spare);
    spare = NULL;
    svs__release(allocator, tickets, ticket_capacity * sizeof *tickets, _Alignof(ticket));
    tickets = NULL;
    ticket_capacity = 0;
    svs__owners_clean_up();
    svs__pages_unmap(notes, notes_bytes());
    notes = NULL;
}

static void own_stored(const svs_world *world) {
    for (uint32_t i = 0; i < SVS__STORAGE_SHARDS; i++)
        for (const svs__storage *s = world->storage[i].first; s != NULL; s = s->next) {
            const svs_type *type =
                svs__type_get((uint32_t)(s->packed >> SVS__STORAGE_TYPE_SHIFT))->type;
            const svs_object *object =
                (const svs_object *)(const void *)((const char *)(s + 1) + type->header);
            if (!svs__object_is_dead(object)) own_object(object, world, 0);
        }
}

void svs__graph_begin(svs_runtime *runtime) {
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        const svs_world *world = svs__world_at(i);
        if (world != NULL && world->runtime == runtime) own_stored(world);
    }
}
