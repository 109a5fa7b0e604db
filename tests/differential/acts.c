/* What bodies do to links and objects. */
#include <sched.h>
#include <string.h>

#include "differential.h"

#define TRIES 6u
#define CHAIN_MAX 40u
#define FOREIGN_WAIT 60u

/* ---- the set of the body ---- */

/* A random object that the body may write; nodes: of that kind, and lasting. */
static thing *writable(body *b, bool nodes) {
    for (uint32_t i = 0; i < TRIES && b->set.count; i++) {
        const entry *e = &b->set.entries[below(&b->random, b->set.count)];
        if (e->is && e->what && e->write && (!nodes || (e->what->kind == NODE && e->what->lasting)))
            return e->what;
    }
    return NULL;
}

static bool may_write(body *b, const thing *t) {
    const entry *e = set_find(&b->set, &t->is);
    return e && e->write;
}

static void join(body *b, thing *t) {
    entry *e;
    (void)atomic_fetch_add(&b->land->live, 1);
    set_add(&b->set, &t->is, t, true);
    e = set_find(&b->set, &t->is);
    enter(e);
    b->relinked = true;
}

static thing *make(body *b, uint32_t kind) {
    svs_status status;
    thing *t = make_thing(b->land, kind, &status);
    if (!went_well(b, status, "svs_object_new")) return NULL;
    join(b, t);
    return t;
}

static void link(body *b, thing *parent, uint32_t at, const thing *child) {
    b->relinked = true;
    if (went_well(b, set_link(parent, at, child), "svs_link") && link_of(parent, at) != child)
        violated("a link", "svs_link has answered SVS_OK, and the link is another");
}

/* It leaves the set: it is published, or freed. */
static void forget(body *b, const thing *t) {
    entry *e = set_find(&b->set, &t->is);
    leave(e);
    e->is = NULL; /* the slot stays taken */
}

static void free_thing(body *b, thing *t) {
    forget(b, t);
    b->relinked = true;
    if (went_well(b, svs_object_free(header_of(t)), "svs_object_free"))
        (void)atomic_fetch_sub(&b->land->live, 1);
}

/* ---- chains of nodes, linked by `own`, to which nothing else leads ---- */

static thing *make_chain(body *b, uint32_t length) {
    thing *first = make(b, NODE), *last = first;
    for (uint32_t i = 1; i < length && last && !b->status; i++) {
        thing *next = make(b, NODE);
        if (!next) break;
        link(b, last, NODE_OWN, next);
        last = next;
    }
    if (last && !b->status && chance(&b->random, 40))
        link(b, last, 0, any_thing(b->land, &b->random, NODE));
    return b->status ? NULL : first;
}

static bool may_write_chain(body *b, const thing *t) {
    for (; t; t = link_of(t, NODE_OWN))
        if (!may_write(b, t)) return false;
    return true;
}

static void free_chain(body *b, thing *t) {
    while (t && !b->status) {
        thing *next = link_of(t, NODE_OWN);
        if (chance(&b->random, 50)) link(b, t, NODE_OWN, NULL);
        if (!b->status) free_thing(b, t);
        t = next;
    }
}

static void forget_chain(body *b, const thing *t) {
    for (; t; t = link_of(t, NODE_OWN)) forget(b, t);
}

/* ---- links, and objects that are replaced ---- */

static void relink(body *b) {
    thing *t = writable(b, false);
    uint32_t links = t ? (t->kind == NODE ? NODE_OWN : type_of(t)->link_count) : 0, at;
    if (!links) return;
    at = below(&b->random, links);
    link(b, t, at,
         chance(&b->random, 30) ? NULL : any_thing(b->land, &b->random, target_kind(t->kind, at)));
}

/* The root of the item leads to another leaf: of GROWING. */
static void lead(body *b) {
    const land *l = b->land;
    uint32_t hubs = l->nodes / 2;
    link(b, b->item->root[0], 0, l->things[hubs + below(&b->random, l->nodes - hubs)]);
}

static void replace_own(body *b) {
    thing *parent = writable(b, true), *old, *made;
    if (!parent) return;
    old = link_of(parent, NODE_OWN);
    if (!may_write_chain(b, old)) return;
    made = chance(&b->random, 80) ? make_chain(b, 1 + below(&b->random, 3)) : NULL;
    if (!b->status) link(b, parent, NODE_OWN, made);
    if (!b->status) free_chain(b, old);
}

static void replace_leaf(body *b) {
    thing *parent = writable(b, true), *old, *made;
    old = parent ? link_of(parent, NODE_LOW) : NULL;
    if (!parent || (old && !may_write(b, old))) return;
    for (uint32_t i = 1 + below(&b->random, 8); i && !b->status; i--, old = made) {
        made = make(b, LEAF);
        if (made) link(b, parent, NODE_LOW, made);
        if (old && !b->status) free_thing(b, old);
    }
}

/* ---- what is made and sent ---- */

static task *consumer(body *b) {
    task *from = b->task, *to;
    if (!from->consumer_count) return NULL;
    to = &from->graph->tasks[from->consumers[below(&b->random, from->consumer_count)]];
    return to->kind == ALONE ? NULL : to;
}

/* An item that writes what the chain reaches, or only its first. */
static item item_of(body *b, const task *to, thing *chain, bool consume) {
    item i;
    draw_item(&b->random, to, 0, &i);
    memset(i.access, 0, sizeof i.access);
    i.count = 1;
    i.fails = 0;
    i.root[0] = chain;
    i.first = (node *)(void *)chain;
    i.second = NULL;
    i.access[0].what = header_of(chain);
    i.access[0].mode = SVS_MODE_WRITE;
    i.access[0].extent = SVS_EXTENT_REACH;
    if (!consume && to->kind != REACHING && chance(&b->random, 50))
        i.access[0].extent = SVS_EXTENT_OWN;
    i.consume = consume;
    return i;
}

static void publish(body *b, thing *chain) {
    forget_chain(b, chain);
    (void)went_well(b, svs_publish(b->context, header_of(chain)), "svs_publish");
}

static void send_fresh(body *b) {
    task *to = consumer(b);
    thing *chain = to ? make_chain(b, 1 + below(&b->random, 4)) : NULL;
    uint32_t when = below(&b->random, 3); /* before the send, after it, never */
    item i;
    if (!chain) return;
    i = item_of(b, to, chain, true);
    if (when == 0) publish(b, chain);
    if (!b->status) send_one(b, to, &i);
    if (when == 1 && !b->status) publish(b, chain);
    if (when == 2) ((node *)(void *)chain)->is.is.data++;
}

static _Atomic(uint32_t) foreign_linked;

/* Names what it has made, and keeps, in an item; another body links to it meanwhile. */
static void send_foreign(body *b) {
    task *to = consumer(b), *writer = consumer(b);
    uint32_t linked = atomic_load(&foreign_linked);
    thing *chain = to && writer ? make_chain(b, 1 + below(&b->random, CHAIN_MAX)) : NULL;
    item i;
    if (!chain) return;
    draw_item(&b->random, to, 1, &i);
    i.fails = 0;
    i.foreign = (node *)(void *)chain;
    send_one(b, to, &i);
    if (b->status) return;
    i = item_of(b, writer, chain, false);
    send_one(b, writer, &i);
    for (uint32_t wait = 0; wait < FOREIGN_WAIT; wait++) {
        if (atomic_load(&foreign_linked) != linked && wait < FOREIGN_WAIT / 2)
            wait = FOREIGN_WAIT / 2; /* and a little longer */
        (void)sched_yield();
    }
    if (!b->status && chance(&b->random, 50))
        link(b, chain, 1, any_thing(b->land, &b->random, NODE));
}

static void link_to_foreign(body *b) {
    thing *chain = make_chain(b, 1 + below(&b->random, 2));
    task *to = consumer(b);
    item i;
    if (!chain) return;
    link(b, chain, 1, &b->item->foreign->is);
    if (b->status) return;
    if (to) i = item_of(b, to, chain, true);
    if (chance(&b->random, 80)) publish(b, chain);
    (void)atomic_fetch_add(&foreign_linked, 1);
    if (to && !b->status) send_one(b, to, &i);
}

/* ---- asyncs ---- */

#define ASYNCS_MAX 6u
typedef struct async {
    body *body;
    thing *parent, *child, *made;
    uint32_t link;
    uint64_t random;
    svs_status status;
    bool ran;
} async_act;
typedef struct asyncs {
    async_act each[ASYNCS_MAX];
    uint32_t count;
    svs_async_context *async;
} asyncs;

static void run_async(svs_async_context *async, void *argument) {
    async_act *a = *(async_act **)argument;
    a->ran = true;
    for (uint32_t i = below(&a->random, 4); i; i--) linger(&a->random);
    if (!link_of(a->parent, NODE_OWN)) {
        a->made = make_thing(a->body->land, NODE, &a->status);
        if (!a->status) a->status = set_link(a->parent, NODE_OWN, a->made);
    }
    if (!a->status) a->status = set_link(a->parent, a->link, a->child);
}

static void spawn_asyncs(svs_async_context *async, void *argument) {
    asyncs *all = argument;
    for (uint32_t i = 0; i < all->count; i++) {
        async_act *a = &all->each[i];
        svs_async(async, run_async, (void *)&a, sizeof(async_act *));
    }
}

static bool has_parent(const asyncs *all, const thing *t) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->each[i].parent == t) return true;
    return false;
}

/* Each async has a parent of its own, all of which the body holds. */
static void link_in_asyncs(body *b) {
    asyncs all;
    all.count = 0;
    for (uint32_t i = 0; i < ASYNCS_MAX; i++) {
        thing *t = writable(b, true);
        if (!t || has_parent(&all, t)) continue;
        all.each[all.count++] = (async_act){b,
                                            t,
                                            any_thing(b->land, &b->random, NODE),
                                            NULL,
                                            below(&b->random, 2),
                                            next_random(&b->random),
                                            SVS_OK,
                                            false};
    }
    all.async = svs_context_async(b->context);
    if (!all.count || !all.async) return;
    b->relinked = true;
    svs_finish(all.async, spawn_asyncs, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        const async_act *a = &all.each[i];
        if (!a->ran && !svs_context_cancelled(b->context))
            violated("an async", "it was dropped, and the run has not failed");
        if (!a->ran) continue;
        if (a->made) join(b, a->made);
        if (went_well(b, a->status, "svs_link or svs_object_new in an async") &&
            link_of(a->parent, a->link) != a->child)
            violated("a link", "an async's svs_link has answered SVS_OK, and the link is another");
    }
}

/* ---- all of it ---- */

void act(body *b) {
    if (b->item->consume && !b->status) {
        thing *chain = b->item->root[0];
        if (may_write_chain(b, chain) && chance(&b->random, 70)) free_chain(b, chain);
        return; /* the body has nothing else */
    }
    if (b->item->leads && !b->status) lead(b);
    if (b->item->foreign && !b->status) link_to_foreign(b);
    if (has(F_RELINK) && chance(&b->random, has(F_MANY) ? 80 : 40) && !b->status) relink(b);
    if (has(F_FREE) && chance(&b->random, 30) && !b->status) replace_own(b);
    if (has(F_LEAVES) && chance(&b->random, 30) && !b->status) replace_leaf(b);
    if (has(F_FRESH) && chance(&b->random, 25) && !b->status) send_fresh(b);
    if (has(F_FOREIGN) && !b->item->foreign && chance(&b->random, 15) && !b->status)
        send_foreign(b);
    if (has(F_ASYNC) && chance(&b->random, 40) && !b->status) link_in_asyncs(b);
}
