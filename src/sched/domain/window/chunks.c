#include "sched/domain/window/chunks.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/platform.h"

/* ---- memory ---- */

bool svs__chunks_make(svs__domain *domain) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    if (!c->chunk)
        c->chunk = svs__allocate_zeroed(domain->env->world->allocator,
                                        SVS__CHUNKS * sizeof(svs__chunk), SVS__CACHE_LINE);
    return c->chunk != NULL;
}

void svs__chunks_free(const svs_allocator *allocator, svs__chunk *chunks) {
    if (chunks) svs__release(allocator, chunks, SVS__CHUNKS * sizeof(svs__chunk), SVS__CACHE_LINE);
}

/* ---- computing ---- */

/* [sched.W15] Whether no body of the domain runs: the owner has the stage, and has not begun it. */
static bool is_quiet(svs__domain *domain) {
    /* relaxed is enough: only an assertion reads it */
    return svs__load_relaxed(&domain->stage.left) == 1;
}

void svs__chunk_make_items(svs__chunk *chunk) {
    if (SVS__LIKELY(!chunk->to_make.function)) return;
    svs__generated_make(&chunk->to_make, chunk->items[0]);
    chunk->to_make.function = NULL;
}

static void compute(svs__domain *domain, svs_context *context, svs__chunk *chunk) {
    SVS__ASSERT(is_quiet(domain)); /* sched.W14, sched.W15 */
    svs__chunk_make_items(chunk);
    chunk->freed = svs__freed_last(domain->env->world);
    (void)svs__window_keys(&chunk->keyed, context, chunk->items, chunk->count, true);
    SVS__ASSERT(is_quiet(domain)); /* sched.W15 */
}

/* Sets *number to the number of the next chunk to claim, at this value of `claim`. @return false:
 * there is none. */
static bool look(svs__chunks *c, uint64_t claim, uint32_t *number) {
    /* acquire: pairs with the release of svs__chunks_offer(), which publishes the chunks. */
    uint64_t width = svs__load_acquire(&c->width);
    *number = (uint32_t)claim;
    return width >> 32 == claim >> 32 && *number < (uint32_t)width;
}

static bool claim_one(svs__chunks *c, uint32_t *number) {
    uint64_t claim = svs__load_acquire(&c->claim);
    while (look(c, claim, number)) /* acquire: the next try reads `width` after `claim`. */
        if (svs__cas_weak_acquire(&c->claim, &claim, claim + 1)) return true;
    return false;
}

/* Claims and computes a chunk. @return whether there was an unclaimed one. */
static bool compute_one(svs__domain *domain, svs_context *context) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    svs__chunk *chunk;
    uint32_t number;
    if (!claim_one(c, &number)) return false;
    chunk = &c->chunk[number];
    SVS__ASSERT(!svs__load_relaxed(&chunk->done)); /* sched.W15: it is computed once */
    compute(domain, context, chunk);
    /* release: publishes the elements, and that the traversals are over (sched.W15); pairs with the
     * acquires in wait_for(). */
    svs__store_release(&chunk->done, 1);
    return true;
}

bool svs__chunks_help(svs__domain *domain, svs_context *context) {
    bool any = false;
    while (compute_one(domain, context)) any = true;
    return any;
}

bool svs__chunks_are_offered(svs__domain *domain) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    uint32_t number;
    return look(c, svs__load_acquire(&c->claim), &number);
}

/* ---- the owner ---- */

svs__chunk *svs__chunks_add(svs__windows *ws, void *const *items, uint32_t count) {
    svs__chunks *c = &ws->chunks;
    svs__chunk *chunk = &c->chunk[c->count];
    SVS__ASSERT(count && count <= SVS__CHUNK);
    if (c->count == SVS__CHUNKS) return NULL;
    memcpy((void *)chunk->items, (const void *)items, count * sizeof *items);
    chunk->count = count;
    chunk->to_make.function = NULL;
    svs__store_relaxed(&chunk->done, 0); /* relaxed is enough: the offer publishes it */
    c->count++;
    return chunk;
}

#define WORTH_A_CALL 8u /* number of chunks that is worth waking a sleeping worker */

/* Whether other workers help with a round. Not in a watched run, because the race check follows the
 * touch functions of one worker. */
static bool are_shared(const svs__domain *domain, const svs__chunks *c) {
    return c->count > 1 && domain->env->threads > 1 && !domain->env->watched;
}

void svs__chunks_offer(svs__domain *domain) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    uint64_t number;
    c->next = 0;
    number = (uint64_t)++c->round << 32;
    c->shared = are_shared(domain, c);
    if (!c->shared) return;
    /* release, both: publish the chunks to the workers that claim them. */
    svs__store_release(&c->width, number | c->count);
    svs__store_release(&c->claim, number);
    if (c->count >= WORTH_A_CALL)
        svs__runtime_notify(domain->env->world->runtime, c->count / WORTH_A_CALL);
}

/* Waits until a chunk is computed. Until then, the owner computes other chunks; if none is
 * unclaimed, another worker is computing this one. */
static void wait_for(svs__domain *domain, svs_context *context, svs__chunk *chunk) {
    for (uint32_t tries = 0; !svs__load_acquire(&chunk->done);) {
        if (context && compute_one(domain, context)) continue;
        if (tries++ < 100) svs__relax();
        else svs__yield();
    }
}

const svs__chunk *svs__chunks_get(svs__domain *domain, svs_context *context) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    svs__chunk *chunk = &c->chunk[c->next];
    if (c->next == c->count) return NULL;
    c->next++;
    if (c->shared) wait_for(domain, context, chunk);
    else compute(domain, context, chunk);
    return chunk;
}

/* Claims all unclaimed chunks without computing them. @return the number of chunks that were
 * claimed before. */
static uint32_t claim_rest(svs__chunks *c) {
    uint64_t claim = svs__load_acquire(&c->claim);
    uint32_t number;
    while (look(c, claim, &number)) /* acquire: as in claim_one(). */
        if (svs__cas_weak_acquire(&c->claim, &claim, claim + (c->count - number))) return number;
    return c->count;
}

void svs__chunks_withdraw(svs__domain *domain) {
    svs__chunks *c = &svs__windows_of(domain)->chunks;
    uint32_t claimed;
    if (!c->shared) return;
    claimed = claim_rest(c);
    for (; c->next < claimed; c->next++) wait_for(domain, NULL, &c->chunk[c->next]);
}
