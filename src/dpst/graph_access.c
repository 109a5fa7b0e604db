/* What instances touch: is it declared, and what is beside it? (graph.h) */
#include "dpst/graph.h"
#include <string.h>

#define FINDINGS 32u

/* Bytes of one block of eight whose owners are the same. */
typedef struct piece {
    svs__check_thread *self;
    const svs__instance *instance;
    svs__owner *owners[SVS__OWNERS];
    uint32_t owner_count;
    uintptr_t block;
    uint8_t bytes; /* one bit each */
    bool linked;
    svs__entry now; /* as it will be remembered */
} piece;

typedef struct findings {
    svs__graph_finding items[FINDINGS];
    uint32_t count;
} findings;

/* ---- order ---- */

static bool opens_after(const svs__graph_run *run, uint32_t a, uint32_t b) {
    return run->after[(size_t)a * run->row + b / 64] >> b % 64 & 1;
}

/* By the tree; `one` was there before. */
static bool are_beside(uint32_t one, uint32_t other) {
    uint64_t edges = 0;
    return one != other && one != 0 && other != 0 &&
           svs__lca_labels(&svs__the_checker.tree, one, other, &edges).parallel;
}

bool svs__graph_before(const svs__entry *e, const svs__instance *u, uint32_t step) {
    const svs__instance *a = e->instance;
    if (a->run != u->run) return !are_beside(e->step, step);
    if (a->iteration != u->iteration) return true; /* in the order of the run */
    for (; u != NULL; u = u->sender) {
        if (opens_after(a->run, a->task, u->task)) return true;
        if (u->sender == a) /* G1 */
            return e->sends <= u->sent_at && !are_beside(e->step, u->sent_by);
    }
    return false;
}

/* ---- what is declared ---- */

static int compare(const svs__declared *d, const void *what, uint64_t index) {
    if (d->what != what) return (uintptr_t)d->what < (uintptr_t)what ? -1 : 1;
    return d->index == index ? 0 : d->index < index ? -1 : 1;
}

/* The last one that is not behind (what, index); NULL: all are. */
static const svs__declared *at_or_below(const svs__instance *t, const void *what, uint64_t index) {
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(&t->declared[middle], what, index) <= 0) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? NULL : &t->declared[low - 1];
}

static uint8_t mode_of(const piece *p, const svs__owner *owner, uintptr_t address) {
    const svs__instance *t = p->instance;
    uint64_t index = owner->index;
    const svs__declared *d;
    if (owner->kind == SVS__OWNER_WORKER)
        return (address - owner->begin) / owner->stride ==
                       (uintptr_t)(p->self->worker - t->run->check->workers)
                   ? 2
                   : 0;
    /* relaxed: only its own value of it matters to an instance. */
    if (t->everything || t->unknown || svs__load_relaxed(&owner->maker) == t->id) return 2;
    if (owner->kind == SVS__OWNER_IMMUTABLE) return 1;
    if (owner->stride != 0) index += (address - owner->begin) / owner->stride;
    d = at_or_below(t, owner->what, index);
    return d != NULL && d->what == owner->what && d->index == index ? d->mode : 0;
}

/* An address that is declared, with bytes that are not known, is taken to stand for what is behind
 * it, up to a page. */
static const svs__declared *guess(const svs__instance *t, uintptr_t address) {
    const svs__declared *d = at_or_below(t, (const void *)address, UINT64_MAX);
    while (d != NULL && (!d->unplaced || d->is_index)) d = d == t->declared ? NULL : d - 1;
    return d != NULL && address - (uintptr_t)d->what < 4096 ? d : NULL;
}

static uintptr_t address_of(const piece *p, uint8_t bytes) {
    return p->block + (uintptr_t)__builtin_ctz(bytes);
}

static void look_up(piece *p) {
    uintptr_t address = address_of(p, p->bytes);
    const svs__declared *d;
    for (uint32_t i = 0; i < p->owner_count; i++)
        p->now.declared |= (uint8_t)(mode_of(p, p->owners[i], address) << 2 * i);
    if (p->owner_count != 0) return;
    d = guess(p->instance, address);
    if (d == NULL) return;
    p->now.guess = d->what;
    p->now.declared = d->mode;
}

/* ---- findings ---- */

static svs__graph_finding *add(findings *f, const piece *p, int verdict, uint8_t bytes) {
    svs__graph_finding *item;
    if (f->count == FINDINGS) return NULL;
    item = &f->items[f->count++];
    memset(item, 0, sizeof *item);
    item->verdict = verdict;
    item->address = address_of(p, bytes);
    item->bytes = (size_t)(32 - __builtin_clz(bytes)) - (size_t)__builtin_ctz(bytes);
    item->owned = p->owner_count != 0;
    if (item->owned) item->owner = *p->owners[0];
    item->mode = p->now.declared & 3;
    return item;
}

/* Links are written by svs_set() only: others would not know of it. */
static bool is_raw_link(const piece *p) {
    const svs__owner *owner = p->owners[0];
    uintptr_t address = address_of(p, p->bytes);
    if (!p->now.write || p->linked || owner->type == NULL) return false;
    for (uint32_t i = 0; i < owner->type->link_count; i++)
        if (address - owner->begin - owner->type->links[i].offset < sizeof(void *)) return true;
    return false;
}

static void judge_alone(const piece *p, findings *f) {
    svs__graph_finding *item;
    uint8_t best = 0;
    int why = SVS__WHY_RAW_LINK;
    if (p->owner_count == 0) return;
    for (uint32_t i = 0; i < p->owner_count; i++) {
        uint8_t mode = p->now.declared >> 2 * i & 3;
        if (mode > best) best = mode;
    }
    if (best > (p->now.write ? 1 : 0)) {
        if (!is_raw_link(p)) return;
    } else if (p->owners[0]->kind == SVS__OWNER_IMMUTABLE) why = SVS__WHY_IMMUTABLE;
    else if (p->owners[0]->kind == SVS__OWNER_WORKER) why = SVS__WHY_WORKER;
    else why = best == 0 ? SVS__WHY_UNDECLARED : SVS__WHY_READ_ONLY;
    item = add(f, p, SVS_CHECK_UNDECLARED, p->bytes);
    if (item != NULL) item->why = why;
}

/* Have both declared an index, in modes that conflict, that may stand for any bytes? */
static bool share_unplaced(const svs__instance *a, const svs__instance *b) {
    uint32_t i = 0, k = 0;
    while (i < a->count && k < b->count) {
        const svs__declared *one = &a->declared[i], *other = &b->declared[k];
        int order = compare(one, other->what, other->index);
        if (order == 0 && one->unplaced && one->is_index && (one->mode == 2 || other->mode == 2))
            return true;
        i += order <= 0;
        k += order >= 0;
    }
    return false;
}

/* Do both have declared an owner, in modes that conflict? */
static bool is_covered(const svs__entry *a, const svs__entry *b, bool owned) {
    if ((a->everything && b->instance->count != 0) || (b->everything && a->instance->count != 0) ||
        (a->everything && b->everything))
        return true;
    if (!owned && share_unplaced(a->instance, b->instance)) return true;
    if (a->guess != b->guess) return false;
    for (uint32_t i = 0; i < SVS__OWNERS; i++) {
        uint32_t one = a->declared >> 2 * i & 3, other = b->declared >> 2 * i & 3;
        if (one != 0 && other != 0 && (one == 2 || other == 2)) return true;
    }
    return false;
}

static bool commutes(const piece *p) {
    for (uint32_t i = 0; i < p->owner_count; i++) /* relaxed: it was told before. */
        if (svs__load_relaxed(&p->owners[i]->commutative)) return true;
    return false;
}

static void judge_pair(const piece *p, const svs__entry *e, findings *f) {
    bool covered = is_covered(e, &p->now, p->owner_count != 0);
    svs__graph_finding *item;
    if (!e->write && !p->now.write) return;
    if (covered && commutes(p)) return;
    item = add(f, p, covered ? SVS_CHECK_ORDER : SVS_CHECK_RACE, e->bytes & p->bytes);
    if (item == NULL) return;
    item->other = *e;
    item->other_mode = e->declared & 3;
}

/* ---- what is remembered ---- */

static bool is_declared_alike(const svs__entry *a, const svs__entry *b) {
    return a->declared == b->declared && a->guess == b->guess && a->everything == b->everything;
}

/* G2. */
static bool is_alike(const svs__entry *a, const svs__entry *b) {
    const svs__instance *t = a->instance, *u = b->instance;
    return a->write == b->write && is_declared_alike(a, b) && t->run == u->run &&
           t->task == u->task && t->iteration == u->iteration;
}

/* Does the new access stand for the old one from here on? Not for another task's, though that is
 * before it: which tasks meet is told, and must not depend on who was first. */
static bool replaces(const piece *p, const svs__entry *e, bool flag) {
    if ((e->write && !p->now.write) || !is_declared_alike(e, &p->now)) return false;
    if (e->instance == p->instance) return e->step == p->now.step || !flag;
    return flag && e->instance->run == p->instance->run && e->instance->task == p->instance->task;
}

static void judge_entries(const piece *p, svs__page *page, findings *f) {
    svs__entry **at = &page->blocks[(p->block & 4095) / 8], *e;
    uint8_t once = 0;
    while ((e = *at) != NULL) {
        uint8_t common = e->bytes & p->bytes;
        if (common != 0) {
            bool own = e->instance == p->instance;
            /* Of the instance itself: is it beside the step that runs? */
            bool flag = own ? are_beside(e->step, p->now.step)
                            : svs__graph_before(e, p->instance, p->now.step);
            if (!own && !flag) judge_pair(p, e, f);
            if (replaces(p, e, flag)) e->bytes &= (uint8_t)~common;
            else if (!own && is_alike(e, &p->now)) {
                e->bytes &= (uint8_t) ~(common & once);
                once |= common;
            }
        }
        if (e->bytes != 0) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        e->next = page->free;
        page->free = e;
    }
}

#define ENTRIES_AT_ONCE 32u

static svs__entry *make_entry(svs__page *page) {
    svs__entry *e = page->free;
    if (e == NULL) {
        svs__entry *more = svs__graph_allocate(ENTRIES_AT_ONCE * sizeof *more);
        for (uint32_t i = 0; more != NULL && i < ENTRIES_AT_ONCE; i++) {
            more[i].next = page->free;
            page->free = &more[i];
        }
        e = page->free;
    }
    if (e != NULL) page->free = e->next;
    return e;
}

static void remember(const piece *p, svs__page *page) {
    svs__entry **first = &page->blocks[(p->block & 4095) / 8], *e = make_entry(page);
    if (e == NULL) {
        svs__worker_count(&p->self->worker->lost, 1);
        return;
    }
    *e = p->now;
    e->bytes = p->bytes;
    e->next = *first;
    *first = e;
}

/* The bytes of the block from `from` to `to`, piece by piece. */
static void access_block(piece *p, uintptr_t from, uintptr_t to, findings *f) {
    svs__page *page = svs__page_lock(from, true);
    const svs__entry now = p->now;
    if (page == NULL) {
        svs__worker_count(&p->self->worker->lost, 1);
        return;
    }
    p->block = from & ~(uintptr_t)7;
    while (from < to) {
        uintptr_t end = to;
        p->owner_count = svs__page_owners(page, from, p->owners, &end);
        p->bytes = (uint8_t)(((1u << (end - from)) - 1) << (from - p->block));
        p->now = now;
        look_up(p);
        judge_alone(p, f);
        judge_entries(p, page, f);
        remember(p, page);
        from = end;
    }
    p->now = now;
    svs__lock_release(&page->lock);
}

/* The stack that the task itself has used: nobody else knows it but those that it spawns, and
 * inside of an instance SPD3 judges. */
static bool is_own_stack(const svs__check_thread *self, uintptr_t address) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), top = svs__check_stack_top(self);
    return address >= here && address < top;
}

void svs__graph_access(svs__check_thread *self, uintptr_t address, size_t bytes, bool write,
                       const void *pc, bool linked) {
    svs__instance *instance = self->instance;
    uintptr_t end = address + bytes;
    findings f;
    piece p;
    if (is_own_stack(self, address)) return;
    memset(&p, 0, sizeof p);
    p.self = self;
    p.instance = instance;
    p.linked = linked;
    p.now.instance = instance;
    p.now.pc = pc;
    p.now.step = self->step;
    p.now.frame = self->frame;
    p.now.sends = svs__load_relaxed(&instance->sends); /* relaxed: of its own past, or joined */
    p.now.write = write;
    p.now.everything = instance->everything || instance->unknown;
    while (address < end) {
        uintptr_t next = (address & ~(uintptr_t)7) + 8;
        f.count = 0;
        access_block(&p, address, next < end ? next : end, &f);
        for (uint32_t i = 0; i < f.count; i++) svs__graph_report(self, &f.items[i], write, pc);
        address = next;
    }
}

/* ---- the past is forgotten ---- */

static void clear_block(svs__page *page, uintptr_t block, uint8_t bytes) {
    svs__entry **at = &page->blocks[(block & 4095) / 8], *e;
    while ((e = *at) != NULL) {
        e->bytes &= (uint8_t)~bytes;
        if (e->bytes != 0) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        e->next = page->free;
        page->free = e;
    }
}

/* Bytes from `from` up to `to`, of one page. */
static void clear_page(svs__page *page, uintptr_t from, uintptr_t to) {
    while (from < to) {
        uintptr_t block = from & ~(uintptr_t)7, next = block + 8 < to ? block + 8 : to;
        if (page->blocks[(block & 4095) / 8] != NULL)
            clear_block(page, block, (uint8_t)(((1u << (next - from)) - 1) << (from - block)));
        from = next;
    }
}

void svs__graph_clear(uintptr_t address, size_t bytes) {
    uintptr_t end = address + bytes;
    while (address < end) {
        uintptr_t next = (address & ~(uintptr_t)4095) + 4096;
        svs__page *page = svs__page_lock(address, false);
        if (next > end) next = end;
        if (page != NULL) {
            clear_page(page, address, next);
            svs__lock_release(&page->lock);
        }
        address = next;
    }
}
