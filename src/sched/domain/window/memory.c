#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/instance/contexts.h"
#include "sched/domain/stage/deal.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/parts.h"

/* The arrays of the colours are shifted against each other by this number of items, so that the
 * first items of all colours do not compete for one set of a cache. */
#define SHIFTED 16u

static size_t colour_capacity(uint32_t colour) {
    static const size_t capacities[] = {SVS__WINDOW_MOST, SVS__COLOUR_MAX};
    return capacities[colour != 0] + SHIFTED;
}

/* The size of a window with all of its arrays. */
static size_t window_bytes(void) {
    size_t items = colour_capacity(0) + (SVS__COLOURS - 1) * colour_capacity(1);
    return sizeof(svs__window) + (items + SVS__WINDOW_MOST) * sizeof(void *) +
           SVS__WINDOW_MOST * (sizeof(svs__row) + sizeof(svs__window_part)) +
           SVS__READ_MAX * sizeof(uint16_t);
}

static size_t memory_bytes(void) {
    return sizeof(svs__windows_memory) +
           (SVS__WINDOWS * (size_t)SVS__WINDOW_MOST + SVS__WINDOW_BACK) * sizeof(void *);
}

static void *carve(char **from, size_t bytes) {
    void *piece = *from;
    *from += bytes;
    return piece;
}

svs_status svs__windows_new(svs__domain *domain, bool in_order) {
    const svs_allocator *allocator = domain->env->world->allocator;
    svs__windows *ws = svs__allocate_zeroed(allocator, sizeof *ws, _Alignof(svs__windows));
    if (!ws) return SVS_E_NO_MEMORY;
    svs__store_relaxed(&ws->wait_epoch, UINT64_MAX);
    ws->in_order = in_order;
    ws->gathered = -SVS__WINDOWS; /* none, so far */
    svs__store_relaxed(&ws->second, UINT32_MAX);
    svs__pace_begin(&ws->mixed);
    svs__store_relaxed(&ws->pace, &ws->mixed);
    domain->state = ws;
    return SVS_OK;
}

/* ---- a window ---- */

static svs__window *window_new(const svs_allocator *allocator) {
    char *from = svs__allocate(allocator, window_bytes(), SVS__CACHE_LINE);
    svs__window *w;
    if (!from) return NULL;
    w = carve(&from, sizeof *w);
    memset(w, 0, sizeof *w);
    for (uint32_t c = 0; c < SVS__COLOURS; c++)
        w->items[c] = carve(&from, colour_capacity(c) * sizeof(void *));
    w->odd = carve(&from, SVS__WINDOW_MOST * sizeof(void *));
    w->arrivals = carve(&from, SVS__WINDOW_MOST * sizeof(svs__row));
    w->parts = carve(&from, SVS__WINDOW_MOST * sizeof(svs__window_part));
    w->read = carve(&from, SVS__READ_MAX * sizeof(uint16_t));
    return w;
}

svs__window *svs__windows_free_one(svs__domain *domain) {
    svs__windows_memory *memory = svs__windows_of(domain)->memory;
    for (uint32_t i = 0; i <= SVS__WINDOWS; i++) {
        svs__window **w = &memory->window[i];
        if (!*w) *w = window_new(domain->env->world->allocator);
        /* acquire: pairs with the release at the end of a window (sched.W5). */
        if (!*w || !svs__load_acquire(&(*w)->used)) return *w;
    }
    return NULL;
}

/* ---- the memory of a domain ---- */

static void memory_release(const svs_allocator *allocator, svs__block *block) {
    svs__windows_memory *memory = (svs__windows_memory *)(void *)block;
    for (uint32_t i = 0; i <= SVS__WINDOWS; i++)
        if (memory->window[i])
            svs__release(allocator, memory->window[i], window_bytes(), SVS__CACHE_LINE);
    svs__chunks_free(allocator, memory->chunks);
    svs__release(allocator, memory, memory_bytes(), SVS__CACHE_LINE);
}

static svs__windows_memory *memory_new(const svs_allocator *allocator) {
    char *from = svs__allocate(allocator, memory_bytes(), SVS__CACHE_LINE);
    svs__windows_memory *memory;
    if (!from) return NULL;
    memory = carve(&from, sizeof *memory);
    *memory = (svs__windows_memory){.block = {NULL, memory_release}};
    for (uint32_t i = 0; i < SVS__WINDOWS; i++)
        memory->left[i].items = carve(&from, SVS__WINDOW_MOST * sizeof(void *));
    memory->back.items = carve(&from, SVS__WINDOW_BACK * sizeof(void *));
    return memory;
}

/* If there is no memory, stages are claimed as with few workers. */
static void make_deal(svs__domain *domain) {
    uint32_t workers = domain->env->threads;
    if (!svs__deals(workers) || svs__load_relaxed(&domain->stage.deal)) return;
    /* release: pairs with the acquire of a worker that claims. */
    svs__store_release(&domain->stage.deal, svs__deal_new(domain->env->world->allocator, workers));
}

bool svs__windows_make_memory(svs__domain *domain) {
    svs__common *common = domain->env->common;
    svs__windows *ws = svs__windows_of(domain);
    if (ws->memory) return true;
    make_deal(domain);
    /* memory that another domain has given back */
    ws->memory = (svs__windows_memory *)(void *)svs__common_take(common, &common->windows);
    if (!ws->memory) ws->memory = memory_new(common->world->allocator);
    if (!ws->memory) return false;
    ws->chunks.chunk = ws->memory->chunks;
    return true;
}

bool svs__windows_begin(svs__domain *domain) {
    return !svs__windows_of(domain)->in_order ||
           (svs__windows_make_memory(domain) && svs__windows_free_one(domain));
}

/* Whether an item is in the memory. Called by the owner of the stage, under the domain's lock, or
 * after the run. */
static bool are_used(svs__windows *ws) {
    return ws->open || svs__tickets_ahead(ws) || svs__load_relaxed(&ws->left_count) ||
           svs__load_relaxed(&ws->returned);
}

static void give_back(svs__common *common, svs__windows *ws) {
    svs__windows_memory *memory = ws->memory;
    SVS__ASSERT(!are_used(ws)); /* sched.C1 */
    memory->chunks = ws->chunks.chunk;
    ws->chunks.chunk = NULL;
    ws->memory = NULL;
    svs__common_give(common, &common->windows, &memory->block);
}

/* Whether all tasks in a list have ended. The answer may be stale, since more tasks may open. */
static bool have_ended(svs_task *task) {
    /* relaxed is enough: the answer may be stale. */
    while (task && !svs__load_relaxed(&task->lead->outstanding))
        task = svs__load_acquire(&task->next_in_domain);
    return !task;
}

void svs__windows_rest(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t none = 0;
    if (ws->in_order || !have_ended(svs__load_acquire(&domain->tasks)) ||
        !svs__lock_try(&domain->lock))
        return;
    if (ws->memory && svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) { /* sched.C1 */
        if (!are_used(ws)) give_back(domain->env->common, ws);
        /* release: the next owner sees the writes of this one. */
        svs__store_release(&domain->stage.left, 0);
    }
    svs__lock_release(&domain->lock);
}

void svs__windows_end(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    if (ws->memory) give_back(domain->env->common, ws);
}

void svs__windows_free(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    const svs_allocator *allocator;
    if (!ws) return;
    allocator = domain->env->world->allocator;
    svs__deal_free(allocator, svs__load_relaxed(&domain->stage.deal)); /* the run has ended */
    if (ws->memory) {
        ws->memory->chunks = ws->chunks.chunk;
        memory_release(allocator, &ws->memory->block);
    }
    svs__release(allocator, ws, sizeof *ws, _Alignof(svs__windows));
}

void svs__window_put_among_deferred(svs__domain *domain, void *item) {
    const svs__conflict met = {0, SVS_MODE_WRITE, SVS__MET_CHANGE, false};
    svs__pending_put(&domain->pending, svs__record_of(item), &met, false);
}

/* ---- parts ---- */

#define LOOKED 4u /* number of parts in which the batch of the next candidates is searched */

void svs__window_count(svs__window *w, svs__batch *batch, uint32_t count) {
    uint32_t first = w->part_count > LOOKED ? w->part_count - LOOKED : 0;
    if (!count) return;
    for (uint32_t i = w->part_count; i-- > first;)
        if (w->parts[i].batch == batch) {
            w->parts[i].count += count;
            return;
        }
    w->parts[w->part_count++] = (svs__window_part){batch, count};
}

/* Items are looked up in the order of their colours, so that the search begins at the part that was
 * found last. */
void svs__window_uncount(svs__window *w, const void *item) {
    const svs__batch *batch = svs__batch_of(item);
    svs__window_part *part = NULL;
    for (uint32_t i = 0; i < w->part_count && !part; i++) {
        uint32_t at = (w->part_at + i) % w->part_count;
        if (w->parts[at].batch != batch || !w->parts[at].count) continue;
        part = &w->parts[at];
        w->part_at = at;
    }
    SVS__CHECK(part); /* sched.S2: each item of a window is counted once */
    part->count--;
}
