#include "sched/domain/window/cut.h"

#include "base/check.h"
#include "sched/admission/lease.h"
#include "sched/domain/stage/stage.h"

static void mark(svs__windows *ws, uint32_t begin, uint32_t count) {
    SVS__ASSERT(begin + count <= SVS__WINDOW_MOST); /* sched.W12 */
    /* relaxed, both: the caller leaves the stage afterwards, which releases them to its owner. */
    for (uint32_t i = begin; i < begin + count; i++)
        (void)svs__fetch_or_relaxed(&ws->cut[i / 64], UINT64_C(1) << i % 64);
    svs__store_relaxed(&ws->is_cut, 1);
}

uint32_t svs__window_cut(svs_context *context) {
    svs__claimed *c = &context->claimed;
    svs__domain *domain = c->domain;
    uint32_t begin = c->begin, count = c->count, given = 0;
    if (!domain->stage.hold.lease || !svs__admission_lease_is_overdue(domain->env->admission))
        return 0;
    c->count = 0;
    while (count || (count = svs__stage_claim(domain, context->worker, &begin)) != 0) {
        mark(domain->windows, begin, count);
        given += count;
        count = 0;
    }
    return given;
}

/* Whether the instance at the place was given back; clears its mark. */
static bool take_mark(svs__windows *ws, uint32_t place) {
    _Atomic(uint64_t) *word = &ws->cut[place / 64];
    uint64_t marks = svs__load_relaxed(word), bit = UINT64_C(1) << place % 64;
    /* relaxed, both: the owner of the stage alone (sched.W3). */
    svs__store_relaxed(word, marks & ~bit);
    return marks & bit;
}

uint32_t svs__window_keep_cut(svs__windows *ws) {
    svs__window *w = ws->open;
    uint32_t kept = 0;
    void **items = w->items[w->stage];
    if (SVS__LIKELY(!svs__load_relaxed(&ws->is_cut))) return 0; /* relaxed: as above */
    svs__store_relaxed(&ws->is_cut, 0);
    for (uint32_t i = 0; i < w->count[w->stage]; i++)
        if (take_mark(ws, i)) items[kept++] = items[i];
    SVS__ASSERT(kept); /* sched.W12 */
    w->count[w->stage] = kept;
    return kept;
}
