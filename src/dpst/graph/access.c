/* Accesses of instances, piece by piece, and the entries that remember them (graph.h). */
#include "dpst/graph/report.h"
#include <string.h>

/* ---- what is declared of a piece ---- */

static void look_up(svs__piece *p) {
    uintptr_t address = svs__piece_address(p, p->bytes);
    bool is_workers = false;
    for (uint32_t i = 0; i < p->owner_count; i++) {
        uint8_t mode = svs__graph_mode(p->self, p->instance, p->owners[i], address);
        p->now.declared |= (uint8_t)(mode << 2 * i);
        is_workers |= p->owners[i]->kind == SVS__OWNER_WORKER && mode != 0;
    }
    p->is_workers &= is_workers;
}

/* Looks up the addresses that stand for the byte. It is enough if the instance has declared one of
 * them. */
static void look_up_stretch(svs__piece *p, const svs__page *page, uintptr_t from, uintptr_t *end) {
    const svs__address_bytes *s = NULL;
    uint8_t least = p->now.write ? 2 : 1, best = 0;
    p->stretch = NULL;
    while ((s = svs__page_bytes_at(page, s, from, end)) != NULL) {
        uint8_t mode = svs__graph_mode_of(p->instance, s->what);
        if (p->stretch == NULL || mode > best) p->stretch = s;
        if (mode > best) best = mode;
    }
    p->stretch_mode = best;
    if (best >= least) p->stretch = NULL;
    p->bytes = (uint8_t)(((1u << (*end - from)) - 1) << (from - p->block));
}

/* ---- what is remembered ---- */

/* Does each access that conflicts with the old one conflict with the new one? */
static bool is_as_strong(const svs__access_entry *now, const svs__access_entry *e) {
    return (now->write || !e->write) && (!now->atomic || e->atomic) && (now->touch || !e->touch);
}

static bool is_declared_alike(const svs__access_entry *a, const svs__access_entry *b) {
    return a->declared == b->declared && a->everything == b->everything;
}

/* Are the two entries alike (dpst.G2), apart from their sets? An entry of an earlier iteration is
 * before the new one. */
static bool is_alike(const svs__access_entry *a, const svs__access_entry *b) {
    return a->form == b->form && a->everything == b->everything;
}

/* Are the two instances of one kind? Then the same later instances are kept apart from both. */
static bool is_of_kind(const svs__access_entry *a, const svs__access_entry *b) {
    SVS__ASSERT(a->kind != b->kind || a->group == b->group); /* dpst.G8 */
    return a->kind == b->kind;
}

static bool is_before(const svs__piece *p, const svs__access_entry *e) {
    return svs__graph_before(p->self, e, p->instance, p->now.step);
}

/* Does the new access replace the old one from here on: one of the same instance, or of an instance
 * of the same kind? It does not replace one of another task, even if that one is before it: reports
 * name the tasks that conflict, and must not depend on which of them came first. */
static bool replaces(const svs__piece *p, const svs__access_entry *e) {
    if (!is_as_strong(&p->now, e) || !is_declared_alike(e, &p->now)) return false;
    if (e->instance != p->instance) return is_before(p, e);
    return e->step == p->now.step || !svs__graph_are_beside(e->step, p->now.step);
}

#define EACH UINT64_C(0x0101010101010101)

/* Spreads eight bits: each becomes the lowest bit of one byte of eight. */
static uint64_t spread(uint8_t bits) {
    uint64_t apart = bits * EACH & UINT64_C(0x8040201008040201);
    return (apart + 0x7f * EACH) >> 7 & EACH;
}

/* The inverse of spread(). */
static uint8_t gather(uint64_t ones) {
    return (uint8_t)(ones * UINT64_C(0x0102040810204080) >> 56);
}

/* What is kept so far of the entries that are alike (dpst.G2). Most entries cover the whole piece,
 * and most walks end before any byte can have SVS__SETS_KEPT of them. */
typedef struct kept {
    uint8_t same;    /* bytes for which an entry with the same set is kept */
    uint8_t bytes;   /* bytes of the piece */
    uint32_t others; /* number of entries with another set */
    uint64_t ones;   /* spread(bytes) */
    uint64_t sets;   /* in one byte for each byte: the number of kept entries with another set */
} kept;

/* The bytes for which SVS__SETS_KEPT entries are kept. SVS__SETS_KEPT is a power of two. */
static uint8_t full(const kept *k) { return gather(k->sets / SVS__SETS_KEPT & EACH); }

/* Counts an entry with the same set. @return the bytes for which enough entries are kept without
 * it. */
static uint8_t count_same(kept *k, uint8_t bytes) {
    uint8_t enough = bytes & k->same;
    k->same |= bytes;
    return enough;
}

/* Counts an entry with another set. @return as count_same(). */
static uint8_t count_other(kept *k, uint8_t bytes) {
    uint8_t enough = k->others++ < SVS__SETS_KEPT ? 0 : bytes & full(k);
    k->sets += enough == 0 && bytes == k->bytes ? k->ones : spread(bytes & ~enough);
    SVS__ASSERT((spread(full(k)) * (SVS__SETS_KEPT - 1) & k->sets) == 0); /* dpst.G2 */
    return enough;
}

/* dpst.G7: is there an entry of the same step that stands for this access, with no entry of another
 * instance after it? */
static bool is_repeated(const svs__piece *p, const svs__entries *entries) {
    for (uint32_t i = entries == NULL ? 0 : entries->count; i-- > 0;) {
        const svs__access_entry *e = &entries->items[i];
        if (e->instance != p->instance) return false;
        if (e->clean && e->step == p->now.step && e->sends == p->now.sends &&
            (p->bytes & ~e->bytes) == 0 && is_as_strong(e, &p->now) &&
            is_declared_alike(e, &p->now))
            return true;
    }
    return false;
}

/* Judges an entry of another instance with these bytes. @return the bytes for which the entry is
 * still needed. */
static uint8_t judge_entry(const svs__piece *p, const svs__access_entry *e, uint8_t common, kept *k,
                           svs__findings *f) {
    bool of_kind = is_of_kind(e, &p->now);
    if ((e->write || p->now.write) && svs__graph_may_be_told(p, e) && !is_before(p, e))
        svs__graph_judge_pair(p, e, f);
    if (of_kind && replaces(p, e)) return 0;
    if (!is_alike(e, &p->now)) return common;
    return (uint8_t)(common & ~(of_kind ? count_same(k, common) : count_other(k, common)));
}

/* Judges the entries, the latest first, and removes those that are not needed any more. */
static void judge_entries(const svs__piece *p, svs__entries *entries, svs__findings *f) {
    kept k = {.bytes = p->bytes, .ones = spread(p->bytes)};
    uint32_t unneeded = 0, at = 0;
    for (uint32_t i = entries == NULL ? 0 : entries->count; i-- > 0;) {
        svs__access_entry *e = &entries->items[i];
        uint8_t common = e->bytes & p->bytes, needed = common;
        if (common == 0) continue;
        if (e->instance != p->instance) needed = judge_entry(p, e, common, &k, f);
        else if (replaces(p, e)) needed = 0;
        if (needed == common) continue;
        e->bytes ^= common ^ needed;
        if (e->bytes == 0) unneeded++, at = i;
    }
    if (unneeded == 1) svs__entry_drop(entries, at);
    else if (unneeded != 0) svs__entries_sweep(entries);
}

static void remember(const svs__piece *p, svs__page *page, bool clean) {
    svs__access_entry *e = svs__entry_add(page, svs__page_block(page, p->block));
    if (e == NULL) {
        svs__worker_count(&p->self->worker->lost, 1);
        return;
    }
    *e = p->now;
    e->bytes = p->bytes;
    e->clean = clean;
}

/* Is there no race among the findings from number `from` to the last one? */
static bool is_clean(const svs__findings *f, uint32_t from) {
    for (uint32_t i = from; i < f->count; i++)
        if (f->items[i].verdict == SVS_CHECK_VERDICT_RACE) return false;
    return f->count < SVS__FINDINGS; /* all findings were reported */
}

/* ---- accesses ---- */

/* Judges the bytes of the block from `from` to `to`, piece by piece. */
static void access_block(svs__piece *p, uintptr_t from, uintptr_t to, svs__findings *f) {
    svs__page *page = svs__page_lock(from, true);
    const svs__access_entry now = p->now;
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
        if (p->owner_count == 0) look_up_stretch(p, page, from, &end);
        if (!p->now.touch) svs__graph_judge_alone(p, f);
        if (!is_repeated(p, *svs__page_block(page, p->block))) {
            uint32_t found = f->count;
            judge_entries(p, *svs__page_block(page, p->block), f);
            remember(p, page, is_clean(f, found));
        }
        from = end;
    }
    p->now = now;
    svs__lock_release(&page->lock);
}

/* Is the address on the stack that the task itself has used? Only the task and its children know
 * this address, and inside of an instance SPD3 judges. */
static bool is_own_stack(const svs__check_thread *self, uintptr_t address) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), top = svs__check_stack_top(self);
    return address >= here && address < top;
}

/* Does nothing else of the instance run, and no other run (dpst.G9)? */
static bool is_alone(const svs__check_thread *self) {
    const svs__check_task *task = self->task;
    /* relaxed is enough: a run that begins meanwhile overlaps with this one, and does not know the
     * stack. */
    return task->self.node == self->instance->node && task->open == &task->self &&
           !task->has_spawned && svs__load_relaxed(&svs__the_checker.runs) == 1;
}

bool svs__graph_access(svs__check_thread *self, const svs__touch *touch) {
    svs__instance *instance = self->instance;
    uintptr_t address = touch->address, end = address + touch->bytes;
    svs__findings f;
    svs__piece p;
    if (is_own_stack(self, address)) return is_alone(self);
    if (instance->touching && address >= instance->item && end <= instance->item_end) return false;
    memset(&p, 0, sizeof p);
    p.self = self;
    p.instance = instance;
    p.linked = touch->linked;
    p.is_workers = true;
    p.now.instance = instance;
    p.now.kind = instance->kind;
    p.now.group = instance->run->first_group + instance->task;
    p.now.pc = touch->pc;
    p.now.step = self->step;
    p.now.frame = self->frame;
    /* relaxed is enough: sends of its own past, or of asyncs that it has waited for */
    p.now.sends = svs__load_relaxed(&instance->sends);
    p.now.write = touch->write;
    p.now.atomic = touch->atomic;
    p.now.touch = instance->touching;
    p.now.everything = instance->everything || instance->unknown;
    while (address < end) {
        uintptr_t next = (address & ~(uintptr_t)7) + 8;
        f.count = 0;
        access_block(&p, address, next < end ? next : end, &f);
        for (uint32_t i = 0; i < f.count; i++) svs__graph_report(self, &f.items[i], touch);
        address = next;
    }
    return p.is_workers;
}
