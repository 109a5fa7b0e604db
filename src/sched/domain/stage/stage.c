#include "sched/domain/stage/stage.h"

#include "base/check.h"
#include "base/memory.h"
#include "sched/admission/memory.h"
#include "sched/domain/stage/deal.h"
#include "sched/domain/window/window.h"

/* ---- room ---- */

uint32_t svs__stage_room(const svs__domain *domain) {
    const svs__stage *stage = &domain->stage;
    uint32_t width = domain->env->options->stage_width;
    uint32_t room = width ? width - stage->count : UINT32_MAX;
    if (!stage->offered) return room;
    return room < stage->capacity - stage->count ? room
                                                 : stage->capacity - stage->count; /* sched.P4 */
}

bool svs__stage_make_room(svs__domain *domain, uint32_t records, uint32_t elements) {
    const svs_world *world = domain->env->world;
    svs__stage *stage = &domain->stage;
    void *grown = (void *)stage->items;
    if (records > stage->capacity - stage->count) {
        SVS__CHECK(!stage->offered); /* sched.P4 */
        if (records > UINT32_MAX - stage->count) return false;
        if (!svs__grow(world->allocator, &grown, &stage->capacity, stage->count + records,
                       sizeof(void *)))
            return false;
        stage->items = grown;
    }
    return !svs__hold_make_room(&stage->hold, world, elements);
}

void svs__stage_enter(svs__domain *domain, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__stage_put(&domain->stage, record);
}

/* ---- the words of a stage (sched.P6) ---- */

/* `width` is number << 32 | both << 31 | the count of offered instances, where `number` is the
 * number of the stage, and `both` says that it is claimed from both ends. `claim` is number << 32 |
 * the count of claimed instances; with `both`, its lower half is the count of those claimed from
 * the back << 16 | the count from the front. */

#define BOTH_ENDS (UINT64_C(1) << 31)
#define BACK_SHIFT 16

_Static_assert(SVS__WINDOW_MOST < 1u << BACK_SHIFT, "the counts of both ends have 16 bits each");

static bool claims_from_back(const svs__worker *worker) { return worker->index % 2; }

/* What a claim of `count` instances adds to `claim`. */
static uint64_t taken(bool back, uint32_t count) {
    return (uint64_t)count << (back ? BACK_SHIFT : 0);
}

/* ---- offering ---- */

static void end_stage(svs__domain *domain, svs_context *context);

/* Begins a stage. `own` already counts the instances of the stage that its owner has claimed. */
static void begin_with(svs__stage *stage, uint64_t own, uint64_t width, uint32_t left) {
    /* relaxed is enough: only the owner changes the number; claims leave it as it is. */
    uint64_t number = (uint32_t)(svs__load_relaxed(&stage->claim) >> 32) + UINT32_C(1);
    SVS__ASSERT(svs__load_relaxed(&stage->left) <= 1); /* sched.P2, sched.W3 */
    svs__store_relaxed(&stage->left, left);
    /* release: publishes the items and `left` (sched.P2); pairs with the acquire in look(). */
    svs__store_release(&stage->width, number << 32 | width);
    svs__store_release(&stage->claim, number << 32 | own);
}

static void begin_stage(svs__stage *stage, uint32_t count) {
    stage->run = stage->items;
    stage->only = NULL;
    svs__store_relaxed(&stage->piece, 0); /* relaxed is enough for both: stale values do no harm */
    svs__store_relaxed(&stage->soon, 0);
    stage->end = end_stage;
    begin_with(stage, 0, count, 2 + count);
}

void svs__stage_begin(svs__domain *domain, svs_context *owner, bool both_ends, uint32_t own,
                      uint32_t count) {
    bool back = both_ends && claims_from_back(owner->worker);
    SVS__ASSERT(own <= count);
    SVS__ASSERT(!own || !owner->claimed.count); /* sched.P5 */
    begin_with(&domain->stage, taken(back, own), count | (both_ends ? BOTH_ENDS : 0), 1 + count);
    if (own) owner->claimed = (svs__claimed){domain, back ? count - own : 0, own, 0};
}

void svs__stage_begin_dealt(svs__domain *domain, svs_context *owner, uint32_t parts, bool keeps,
                            uint32_t count) {
    svs__stage *stage = &domain->stage;
    svs__deal *deal = svs__load_acquire(&stage->deal);
    svs__claimed own;
    SVS__ASSERT(svs__load_relaxed(&stage->left) == 1);    /* sched.P2, sched.W3 */
    SVS__ASSERT(!keeps || !owner->claimed.count);         /* sched.P5 */
    SVS__ASSERT(!svs__stage_has_unclaimed(domain, NULL)); /* sched.P7 */
    /* relaxed is enough: the deal publishes it (sched.P2). */
    svs__store_relaxed(&stage->left, 1 + svs__deal_prepare(deal, parts, count));
    svs__deal_begin(deal, keeps ? owner->worker : NULL, &own);
    own.domain = domain;
    if (own.count) owner->claimed = own;
}

static void widen_stage(svs__stage *stage, uint32_t added) {
    /* relaxed is enough: only the maker writes it. */
    uint64_t width = svs__load_relaxed(&stage->width);
    uint32_t left = svs__fetch_add_relaxed(&stage->left, added);
    SVS__ASSERT(left >= 2);            /* sched.P2: one for the maker, and one for the stage */
    SVS__ASSERT(!(width & BOTH_ENDS)); /* sched.P6 */
    /* release: publishes the items and `left`, as in begin_with(). */
    svs__store_release(&stage->width, width + added);
}

/* Wakes workers for `added` instances. If earlier instances are still unclaimed and each worker was
 * woken for them, nothing is done: the workers will come, and another wake-up would cost a system
 * call. A worker that falls asleep at this moment may stay asleep, because the maker runs the
 * remaining instances. */
static void tell(svs__domain *domain, uint32_t before, uint32_t added) {
    svs__stage *stage = &domain->stage;
    if (!before) stage->told = 0;
    /* relaxed is enough: the value may be stale. */
    else if ((uint32_t)svs__load_relaxed(&stage->claim) < before &&
             stage->told >= domain->env->threads - 1)
        return;
    stage->told += added;
    svs__runtime_notify(domain->env->world->runtime, added);
}

void svs__stage_offer(svs__domain *domain) {
    svs__stage *stage = &domain->stage;
    uint32_t before = stage->offered, added = stage->count - before;
    if (!added) return;
    if (before) widen_stage(stage, added);
    else begin_stage(stage, added);
    stage->offered = stage->count;
    tell(domain, before, added);
}

#define OFFER_LEAST 16u /* number of instances that is worth waking a worker */

/* Offers the instances of the stage while the maker searches for more. There are two exceptions.
 * First, if a deferral must be explained soon: the explanation reads items of the stage, which
 * bodies may change. Second, in a domain that repeats: the sets of later candidates would depend on
 * time (sched.W9). */
void svs__stage_offer_early(svs__domain *domain, const svs_context *context) {
    svs__stage *stage = &domain->stage;
    if (domain->env->threads == 1 || domain->algorithm->repeats) return;
    if (stage->count < stage->offered + OFFER_LEAST) return;
    if (!stage->offered) {
        uint32_t waiting = svs__load_relaxed(&domain->pending.count) + svs__domain_arrivals(domain);
        if (svs__explain_is_near(context) || !svs__stage_make_room(domain, waiting, 0)) return;
    }
    svs__stage_offer(domain);
}

/* ---- claiming and ending ---- */

static void end_stage(svs__domain *domain, svs_context *context) {
    svs__stage *stage = &domain->stage;
    bool blocked = svs__admission_release(domain->env->admission, &stage->hold);
    svs__env_wake(domain->env, blocked);
    svs__items_retire(context, stage->items, stage->count);
    SVS__ASSERT(svs__hold_is_empty(&stage->hold)); /* sched.P3 */
    /* release: the next maker sees the stage ended; pairs with its acquire (sched.P3). */
    svs__store_release(&stage->left, 0);
    svs__env_wake(domain->env, true);
}

void svs__stage_leave(svs__domain *domain, svs_context *context, uint32_t count) {
    /* acq_rel: the worker that subtracts last sees the writes of all others. */
    uint32_t left = svs__fetch_sub_acq_rel(&domain->stage.left, count);
    SVS__ASSERT(left > count); /* sched.P2 */
    if (left == count + 1) domain->stage.end(domain, context);
}

void svs__stage_count_ended(svs_context *context, uint32_t count) {
    svs__domain *domain = context->claimed.domain;
    uint32_t group = context->claimed.group;
    if (!group) svs__stage_leave(domain, context, count);
    else if (svs__deal_leave(svs__load_acquire(&domain->stage.deal), group, count))
        svs__stage_leave(domain, context, 1); /* sched.P8 */
}

/* Whether several runs take turns, so that claimed instances of one run wait for the turns of the
 * others. */
static bool is_crowded(const svs__domain *domain) {
    return svs__jobs_crowded(&domain->env->world->runtime->jobs);
}

#define GRAIN_MAX 64u /* the most instances of a claim, if they are long */
#define LOOKS_MAX 16u /* or the most checks for other work in it */

/* The number of instances of a claim: a share of those that are left, so that the workers end
 * together, but not so few that the workers of a wide stage spend their time on claims. */
static uint32_t grain_of(const svs__domain *domain, uint32_t left, uint32_t width) {
    uint32_t threads = domain->env->threads, grain = left / (2 * threads),
             least = width / (32 * threads);
    svs__stage *stage = &((svs__domain *)(uintptr_t)domain)->stage;
    /* relaxed is enough for both: stale values do no harm. */
    uint32_t piece = svs__load_relaxed(&stage->piece);
    uint32_t most = LOOKS_MAX * (svs__load_relaxed(&stage->between) + 1);
    if (domain->env->watched || is_crowded(domain)) return 1;
    if (piece) return piece;
    if (grain < least) grain = least;
    if (most < GRAIN_MAX) most = GRAIN_MAX;
    return grain < 1 ? 1 : grain > most ? most : grain;
}

/* The unclaimed instances of a stage: they begin with `begin` and end before `end`. */
typedef struct unclaimed {
    uint32_t begin, end, width;
    bool both_ends;
} unclaimed;

/* The unclaimed instances at a value of `claim`; none, if the stage with its number is over. */
static unclaimed look(svs__stage *stage, uint64_t claim) {
    /* acquire: pairs with the releases in begin_with() and widen_stage(). */
    uint64_t offered = svs__load_acquire(&stage->width);
    uint32_t begin = (uint32_t)claim, width = (uint32_t)(offered & (BOTH_ENDS - 1));
    if (offered >> 32 != claim >> 32) return (unclaimed){0};
    if (!(offered & BOTH_ENDS)) return (unclaimed){begin, width, width, false};
    return (unclaimed){(uint16_t)begin, width - (begin >> BACK_SHIFT), width, true};
}

bool svs__stage_claim(svs__domain *domain, const svs__worker *worker, svs__claimed *claimed) {
    svs__stage *stage = &domain->stage;
    uint64_t claim = svs__load_acquire(&stage->claim);
    svs__deal *deal;
    for (;;) {
        unclaimed left = look(stage, claim);
        bool back = left.both_ends && claims_from_back(worker);
        uint32_t count = left.begin < left.end ? left.end - left.begin : 0, grain;
        if (!count) break;
        grain = grain_of(domain, count, left.width);
        if (count > grain) count = grain;
        *claimed = (svs__claimed){domain, back ? left.end - count : left.begin, count, 0};
        /* acquire: the next try reads `width` after `claim`. The load of `width` has acquired the
         * claimed instances (sched.P2). */
        if (svs__cas_weak_acquire(&stage->claim, &claim, claim + taken(back, count))) return true;
    }
    *claimed = (svs__claimed){0};
    deal = svs__load_acquire(&stage->deal);
    if (deal) svs__deal_claim(deal, worker, claimed);
    claimed->domain = domain;
    return claimed->count != 0;
}

bool svs__stage_has_unclaimed(svs__domain *domain, const svs__worker *worker) {
    svs__stage *stage = &domain->stage;
    unclaimed left = look(stage, svs__load_acquire(&stage->claim));
    svs__deal *deal = svs__load_acquire(&stage->deal);
    return left.begin < left.end || (deal && svs__deal_has(deal, worker));
}

/* ---- admission, one by one ---- */

/* Drops a record, if the run was cancelled or has just failed. @return true. */
static bool drop(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__item_drop(svs__record_item(record));
    svs__records_retire_of(context, svs__batch_of(record->item), 1);
    return true;
}

bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met) {
    if (svs__env_cancelled(domain->env)) return drop(domain, context, record);
    if (!svs__stage_make_room(domain, 1, 0)) {
        domain->env->reports->failed(svs__record_item(record), SVS_E_NO_MEMORY,
                                     "no memory for its stage");
        return drop(domain, context, record);
    }
    switch (svs__instance_admit(context, svs__record_item(record), &domain->stage.hold,
                                &domain->stage.hold, met)) {
    case SVS__BLOCKED: return false;
    case SVS__FAILED: return drop(domain, context, record);
    default: break;
    }
    svs__stage_enter(domain, record);
    return true;
}
