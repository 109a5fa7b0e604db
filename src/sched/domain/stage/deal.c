#include "sched/domain/stage/deal.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"

#if defined(SVS_EXPLORE)
#define LEAST 2u
#define GROUP 1u
#else
#define LEAST 8u /* least number of workers for which stages are dealt by worker index */
#define GROUP 8u /* number of workers that count in one cache line */
#endif

typedef struct flags {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) of[SVS__DEAL_PARTS]; /* sched.P7 */
} flags;

typedef struct counter {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) left; /* sched.P8 */
} counter;

struct svs__deal {
    uint32_t workers;
    flags *flags;    /* by worker */
    counter *groups; /* by worker / GROUP */
    uint64_t next;   /* the deal that is prepared; used only by the owner of the stage */
    /* number of the deal << 16 | number of pieces of a worker << 12 | number of instances */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) offer;
};

#define NUMBER_SHIFT 16
#define PARTS_SHIFT 12

_Static_assert(SVS__DEAL_MOST < 1u << PARTS_SHIFT, "the count of instances has 12 bits");
_Static_assert(SVS__DEAL_PARTS < 1u << (NUMBER_SHIFT - PARTS_SHIFT), "the parts have 4 bits");

/* ---- memory ---- */

bool svs__deals(uint32_t workers) { return workers >= LEAST; }

static uint32_t groups_of(uint32_t workers) { return (workers + GROUP - 1) / GROUP; }

static size_t bytes_of(uint32_t workers) {
    return sizeof(svs__deal) + workers * sizeof(flags) + groups_of(workers) * sizeof(counter);
}

svs__deal *svs__deal_new(const svs_allocator *allocator, uint32_t workers) {
    svs__deal *deal = svs__allocate_zeroed(allocator, bytes_of(workers), SVS__CACHE_LINE);
    if (!deal) return NULL;
    deal->workers = workers;
    deal->flags = (flags *)(void *)(deal + 1);
    deal->groups = (counter *)(void *)(deal->flags + workers);
    return deal;
}

void svs__deal_free(const svs_allocator *allocator, svs__deal *deal) {
    if (deal) svs__release(allocator, deal, bytes_of(deal->workers), SVS__CACHE_LINE);
}

/* ---- the pieces of a deal ---- */

typedef struct pieces {
    uint64_t number;      /* of the deal */
    uint32_t parts, each; /* number of pieces of a worker, and of instances of a piece */
    uint32_t count;       /* number of all instances */
} pieces;

static pieces pieces_of(const svs__deal *deal, uint64_t offer) {
    uint32_t parts = offer >> PARTS_SHIFT & ((1u << (NUMBER_SHIFT - PARTS_SHIFT)) - 1);
    uint32_t count = offer & SVS__DEAL_MOST, all = deal->workers * parts;
    return (pieces){offer >> NUMBER_SHIFT, parts, all ? (count + all - 1) / all : 0, count};
}

/* Piece number `at`, if the pieces are numbered in the order of the workers. It may be empty. */
static svs__claimed piece_at(const pieces *p, uint32_t at) {
    uint32_t begin = at * p->each, count = begin < p->count ? p->count - begin : 0;
    return (svs__claimed){.begin = begin,
                          .count = count < p->each ? count : p->each,
                          .group = 1 + at / (GROUP * p->parts)};
}

static _Atomic(uint64_t) *flag_at(svs__deal *deal, const pieces *p, uint32_t at) {
    return &deal->flags[at / p->parts].of[at % p->parts];
}

static uint32_t first_of(const svs__deal *deal, const pieces *p, const svs__worker *worker) {
    return worker->index % deal->workers * p->parts;
}

/* ---- dealing ---- */

uint32_t svs__deal_prepare(svs__deal *deal, uint32_t parts, uint32_t count) {
    /* relaxed is enough for all: svs__deal_begin() publishes it, and only the owner writes it. */
    uint64_t number = (svs__load_relaxed(&deal->offer) >> NUMBER_SHIFT) + 1;
    uint32_t groups = 0, of_group;
    pieces p;
    SVS__ASSERT(count && count <= SVS__DEAL_MOST && parts && parts <= SVS__DEAL_PARTS);
    deal->next = number << NUMBER_SHIFT | parts << PARTS_SHIFT | count;
    p = pieces_of(deal, deal->next);
    of_group = p.each * p.parts * GROUP;
    for (uint32_t begin = 0; begin < count; begin += of_group, groups++) {
        SVS__ASSERT(!svs__load_relaxed(&deal->groups[groups].left)); /* sched.P8 */
        svs__store_relaxed(&deal->groups[groups].left,
                           count - begin < of_group ? count - begin : of_group);
    }
    return groups;
}

void svs__deal_begin(svs__deal *deal, const svs__worker *owner, svs__claimed *claimed) {
    pieces p = pieces_of(deal, deal->next);
    uint32_t at = owner ? first_of(deal, &p, owner) : 0;
    *claimed = owner ? piece_at(&p, at) : (svs__claimed){0};
    /* relaxed is enough: no worker claims before the offer. */
    if (claimed->count) svs__store_relaxed(flag_at(deal, &p, at), p.number);
    /* release: publishes the stage and the counters; pairs with the acquire of a claim. */
    svs__store_release(&deal->offer, deal->next);
}

/* Whether the piece exists and is not claimed. *flag is the value of its flag. */
static bool is_free(svs__deal *deal, const pieces *p, uint32_t at, uint64_t *flag) {
    if (at * p->each >= p->count) return false;
    *flag = svs__load_relaxed(flag_at(deal, p, at)); /* relaxed is enough: it may be stale */
    return *flag < p->number;
}

void svs__deal_claim(svs__deal *deal, const svs__worker *worker, svs__claimed *claimed) {
    pieces p = pieces_of(deal, svs__load_acquire(&deal->offer));
    uint32_t all = deal->workers * p.parts, first = first_of(deal, &p, worker);
    for (uint32_t i = 0; i < all; i++) {
        uint32_t at = (first + i) % all;
        uint64_t flag;
        /* relaxed is enough: the claim succeeds only in the deal that was acquired (sched.P7). */
        if (!is_free(deal, &p, at, &flag) ||
            !svs__cas_strong_relaxed(flag_at(deal, &p, at), &flag, p.number))
            continue;
        *claimed = piece_at(&p, at);
        return;
    }
}

bool svs__deal_has(svs__deal *deal, const svs__worker *worker) {
    pieces p = pieces_of(deal, svs__load_acquire(&deal->offer));
    uint32_t first = worker ? first_of(deal, &p, worker) : 0;
    uint32_t count = worker ? p.parts : deal->workers * p.parts;
    uint64_t flag;
    for (uint32_t i = 0; i < count; i++)
        if (is_free(deal, &p, first + i, &flag)) return true;
    return false;
}

bool svs__deal_leave(svs__deal *deal, uint32_t group, uint32_t count) {
    /* acq_rel: the last one sees the writes of the others, and passes them on by `left`. */
    uint32_t left = svs__fetch_sub_acq_rel(&deal->groups[group - 1].left, count);
    SVS__ASSERT(left >= count); /* sched.P8 */
    return left == count;
}
