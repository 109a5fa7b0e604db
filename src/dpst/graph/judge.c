/* Is what an instance accesses declared, and what keeps it apart from an access of another
 * instance? */
#include "dpst/graph/report.h"
#include <string.h>

static svs__graph_finding *add(svs__findings *f, const svs__piece *p, int verdict, uint8_t bytes) {
    svs__graph_finding *item;
    if (f->count == SVS__FINDINGS) return NULL;
    item = &f->items[f->count++];
    memset(item, 0, sizeof *item);
    item->verdict = verdict;
    item->address = svs__piece_address(p, bytes);
    item->bytes = (size_t)(32 - __builtin_clz(bytes)) - (size_t)__builtin_ctz(bytes);
    item->owned = p->owner_count != 0;
    if (item->owned) item->owner = *p->owners[0];
    item->mode = p->now.declared & 3;
    return item;
}

/* Is a link written in another way than by svs_link()? The library does not see such a change. */
static bool is_raw_link(const svs__piece *p) {
    const svs__owner *owner = p->owners[0];
    uintptr_t address = svs__piece_address(p, p->bytes);
    if (!p->now.write || p->linked || owner->type == NULL) return false;
    for (uint32_t i = 0; i < owner->type->link_count; i++)
        if (address - owner->begin - owner->type->links[i].offset < sizeof(void *)) return true;
    return false;
}

/* Reports bytes for which an address stands that the instance has not declared. */
static void judge_stretch(const svs__piece *p, svs__findings *f) {
    svs__graph_finding *item = add(f, p, SVS_CHECK_VERDICT_UNDECLARED, p->bytes);
    if (item == NULL) return;
    item->why = p->stretch_mode == 0 ? SVS__WHY_UNDECLARED : SVS__WHY_READ_ONLY;
    item->mode = p->stretch_mode;
    item->owned = true;
    item->owner = (svs__owner){.begin = p->stretch->begin,
                               .end = p->stretch->end,
                               .what = p->stretch->what,
                               .kind = SVS__OWNER_ADDRESS};
}

void svs__graph_judge_alone(const svs__piece *p, svs__findings *f) {
    svs__graph_finding *item;
    uint8_t best = 0;
    int why = SVS__WHY_RAW_LINK;
    if (p->owner_count == 0) {
        if (p->stretch != NULL) judge_stretch(p, f);
        return;
    }
    for (uint32_t i = 0; i < p->owner_count; i++) {
        uint8_t mode = p->now.declared >> 2 * i & 3;
        if (mode > best) best = mode;
    }
    if (best > (p->now.write ? 1 : 0)) {
        if (!is_raw_link(p)) return;
    } else if (p->owners[0]->kind == SVS__OWNER_IMMUTABLE) why = SVS__WHY_IMMUTABLE;
    else if (p->owners[0]->kind == SVS__OWNER_WORKER) why = SVS__WHY_WORKER;
    else why = best == 0 ? SVS__WHY_UNDECLARED : SVS__WHY_READ_ONLY;
    item = add(f, p, SVS_CHECK_VERDICT_UNDECLARED, p->bytes);
    if (item != NULL) item->why = why;
}

/* Have both instances declared an owner, in modes that conflict? What an instance has made and
 * holds also counts, and what belongs to a worker, which runs one instance at a time. */
static bool share_owner(const svs__piece *p, const svs__access_entry *e, bool same_world) {
    const svs__check *check = p->instance->run->check;
    for (uint32_t i = 0; i < p->owner_count; i++) {
        uint32_t one = e->declared >> 2 * i & 3, other = p->now.declared >> 2 * i & 3;
        bool holds =
            p->owners[i]->kind == SVS__OWNER_WORKER ? e->instance->run->check == check : same_world;
        if (holds && one != 0 && other != 0 && (one == 2 || other == 2)) return true;
    }
    return false;
}

static bool covers_all(const svs__access_entry *a, const svs__access_entry *b) {
    return a->everything && (b->everything || b->instance->count != 0);
}

/* Are the two instances kept apart (dpst.G4)? `*shared`: by an owner of the bytes. */
static bool are_apart(const svs__piece *p, const svs__access_entry *e, bool *shared) {
    bool same_world = e->instance->run->world == p->instance->run->world;
    *shared = share_owner(p, e, same_world);
    if (*shared || !same_world) return *shared;
    return covers_all(e, &p->now) || covers_all(&p->now, e) ||
           svs__graph_are_apart(p->self, p->instance, e->instance);
}

static bool commutes(const svs__piece *p) {
    /* relaxed is enough: the program has said so before. */
    for (uint32_t i = 0; i < p->owner_count; i++)
        if (svs__load_relaxed(&p->owners[i]->commutative)) return true;
    return false;
}

/* Does the pair conflict? One of the two writes. For bytes without an owner: was its order not
 * reported yet? That is quicker to find out than the order itself. */
bool svs__graph_may_be_told(const svs__piece *p, const svs__access_entry *e) {
    if (e->atomic && p->now.atomic) return false;
    return p->owner_count != 0 || p->now.touch || e->touch ||
           !svs__graph_is_told(p->self, p->instance, e->instance, e->kind);
}

void svs__graph_judge_pair(const svs__piece *p, const svs__access_entry *e, svs__findings *f) {
    svs__graph_finding *item;
    bool apart, shared;
    apart = are_apart(p, e, &shared) && !p->now.touch && !e->touch;
    if (apart && commutes(p)) return;
    item = add(f, p, apart ? SVS_CHECK_VERDICT_ORDER : SVS_CHECK_VERDICT_RACE, e->bytes & p->bytes);
    if (item == NULL) return;
    item->shared = shared;
    item->touch = p->now.touch ? SVS__TOUCH_NOW : e->touch ? SVS__TOUCH_BEFORE : SVS__TOUCH_NONE;
    item->other = *e;
    item->other_mode = e->declared & 3;
}
