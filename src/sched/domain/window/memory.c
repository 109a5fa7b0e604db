#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/instance/contexts.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/parts.h"

/* The arrays of the colours are shifted against each other by this number of items, so that the
 * first items of all colours do not compete for one set of a cache. */
#define SHIFTED 16u

static size_t colour_capacity(uint32_t colour) {
    static const size_t capacities[] = {SVS__WINDOW_MOST, SVS__COLOUR_MAX};
    return capacities[colour != 0] + SHIFTED;
}

static size_t array_bytes(void) {
    size_t window = SVS__WINDOW_MOST, left = SVS__WINDOW_LEFT;
    size_t items = colour_capacity(0) + (SVS__COLOURS - 1) * colour_capacity(1);
    return 2 * (window * sizeof(svs__window_part) + (items + left) * sizeof(void *)) +
           SVS__READ_MAX * sizeof(uint16_t);
}

static void *carve(char **from, size_t bytes) {
    void *piece = *from;
    *from += bytes;
    return piece;
}

static void table_free(const svs_allocator *allocator, uint64_t *table, uint32_t bits) {
    if (table) svs__release(allocator, table, sizeof(uint64_t) << bits, SVS__CACHE_LINE);
}

svs_status svs__windows_new(svs__domain *domain, bool in_order) {
    const svs_allocator *allocator = domain->env->world->allocator;
    svs__windows *ws = svs__allocate_zeroed(allocator, sizeof *ws, _Alignof(svs__windows));
    if (!ws) return SVS_E_NO_MEMORY;
    svs__store_relaxed(&ws->wait_epoch, UINT64_MAX);
    svs__store_relaxed(&ws->body_ns, UINT32_MAX);
    ws->in_order = in_order;
    svs__light_begin(&ws->light[1], SVS__ALONE);
    domain->state = ws;
    return SVS_OK;
}

/* Number of words of the table for each element. With fewer words, more elements share a word, and
 * windows have more stages. With more words, the table displaces more of the bodies' data from the
 * caches. */
#define WORDS_EACH 4u

static uint32_t table_bits(const svs_world *world, uint64_t elements) {
    uint32_t bits = SVS__WINDOW_TABLE_BITS_FEW, most = SVS__WINDOW_TABLE_BITS;
    if (most > world->options.cell_bits) most = world->options.cell_bits;
    while (bits < most && UINT64_C(1) << bits < elements * WORDS_EACH) bits++;
    return bits < most ? bits : most;
}

bool svs__windows_fit_table(svs__domain *domain, uint64_t elements) {
    const svs_world *world = domain->env->world;
    svs__windows *ws = svs__windows_of(domain);
    uint32_t bits = table_bits(world, elements);
    if (!ws->table || bits > ws->table_room) {
        uint64_t *table =
            svs__allocate_zeroed(world->allocator, sizeof(uint64_t) << bits, SVS__CACHE_LINE);
        if (!table) return ws->table != NULL;
        table_free(world->allocator, ws->table, ws->table_room);
        ws->table = table;
        ws->table_room = bits;
        ws->number = 0;
    }
    ws->table_bits = bits;
    return true;
}

/* Stored at the begin of the arrays while no domain has them: what belongs to the arrays. */
typedef struct spare {
    svs__block block;
    uint64_t *table;    /* the table, or NULL */
    svs__chunk *chunks; /* the chunks, or NULL */
    uint32_t table_room, number;
} spare;

/* Takes arrays that another domain has given back, or allocates new ones. */
static char *arrays_take(const svs__domain *domain) {
    svs__common *common = domain->env->common;
    svs__windows *ws = svs__windows_of(domain);
    spare *taken = (spare *)(void *)svs__common_take(common, &common->windows);
    if (!taken) return svs__allocate(common->world->allocator, array_bytes(), SVS__CACHE_LINE);
    ws->table = taken->table;
    ws->chunks.chunk = taken->chunks;
    ws->table_room = taken->table_room;
    ws->number = taken->number;
    return (char *)taken;
}

static void spare_release(const svs_allocator *allocator, svs__block *block) {
    const spare *s = (const spare *)(const void *)block;
    table_free(allocator, s->table, s->table_room);
    svs__chunks_free(allocator, s->chunks);
    svs__release(allocator, block, array_bytes(), SVS__CACHE_LINE);
}

bool svs__windows_make_arrays(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    char *arrays;
    if (ws->arrays) return true;
    arrays = ws->arrays = arrays_take(domain);
    if (!arrays) return false;
    for (int i = 0; i < 2; i++) {
        svs__window *w = &ws->window[i];
        w->parts = carve(&arrays, SVS__WINDOW_MOST * sizeof(svs__window_part));
        ws->left[i] = carve(&arrays, SVS__WINDOW_LEFT * sizeof(void *));
        for (uint32_t c = 0; c < SVS__COLOURS; c++)
            w->items[c] = carve(&arrays, colour_capacity(c) * sizeof(void *));
    }
    ws->read = carve(&arrays, SVS__READ_MAX * sizeof(uint16_t));
    return true;
}

bool svs__windows_begin(svs__domain *domain) {
    return !svs__windows_of(domain)->in_order ||
           (svs__windows_make_arrays(domain) && svs__windows_fit_table(domain, 0));
}

/* Whether an item is in the arrays. Called by the owner of the stage, under the domain's lock, or
 * after the run. */
static bool are_used(svs__windows *ws) {
    return ws->open || svs__load_relaxed(&ws->next) || svs__load_relaxed(&ws->left_count) ||
           svs__load_relaxed(&ws->returned);
}

static void give_back(svs__common *common, svs__windows *ws) {
    spare *given = (spare *)(void *)ws->arrays;
    SVS__ASSERT(!are_used(ws)); /* sched.C1 */
    *given =
        (spare){{NULL, spare_release}, ws->table, ws->chunks.chunk, ws->table_room, ws->number};
    ws->arrays = NULL;
    ws->table = NULL;
    ws->chunks.chunk = NULL;
    svs__common_give(common, &common->windows, &given->block);
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
    if (ws->arrays && svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) { /* sched.C1 */
        if (!are_used(ws)) give_back(domain->env->common, ws);
        /* release: the next owner sees the writes of this one. */
        svs__store_release(&domain->stage.left, 0);
    }
    svs__lock_release(&domain->lock);
}

void svs__windows_end(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    if (ws->arrays) give_back(domain->env->common, ws);
}

void svs__windows_free(svs__domain *domain) {
    svs__windows *ws = svs__windows_of(domain);
    const svs_allocator *allocator;
    if (!ws) return;
    allocator = domain->env->world->allocator;
    svs__release(allocator, ws->arrays, array_bytes(), SVS__CACHE_LINE);
    table_free(allocator, ws->table, ws->table_room);
    svs__chunks_free(allocator, ws->chunks.chunk);
    svs__release(allocator, ws, sizeof *ws, _Alignof(svs__windows));
}

/* ---- items that are left over for the next window ---- */

/* These are candidates without a colour, candidates that were carried over, and refused instances.
 * The caller holds the domain's lock. */

void svs__window_push_left(svs__windows *ws, void *item) {
    /* relaxed is enough: the lock guards it; readers without the lock may get a stale value */
    uint32_t count = svs__load_relaxed(&ws->left_count);
    SVS__CHECK(count < SVS__WINDOW_LEFT);
    ws->left[ws->which][count] = item;
    svs__store_relaxed(&ws->left_count, count + 1);
}

void svs__window_put_among_deferred(svs__domain *domain, void *item) {
    const svs__conflict met = {0, SVS_MODE_WRITE, SVS__MET_CHANGE, false};
    svs__pending_put(&domain->pending, svs__record_of(item), &met, false);
}

/* Takes the list `returned`, and reverses it. @return the record that was refused first; the others
 * follow in the order of their refusals. */
static svs__record *returned_of(svs__windows *ws, uint32_t *count) {
    /* acquire: pairs with the release of return_to(). */
    svs__record *record = svs__load_relaxed(&ws->returned)
                              ? svs__exchange_acquire(&ws->returned, NULL)
                              : NULL,
                *next, *first = NULL;
    /* the list begins with the last refused record */
    for (*count = 0; record; record = next, ++*count) {
        next = record->next;
        record->next = first;
        first = record;
    }
    return first;
}

static void defer(svs__domain *domain, svs_context *context, svs__record *record) {
    const svs__conflict met = svs__record_conflict(record);
    svs__domain_defer(domain, context, record, &met, false, false);
}

/* [sched.W11] Puts the refused instances before all items that are left over. If the first one was
 * refused often, it waits among the deferred instances, and all other instances wait for it. */
static void lead(svs__domain *domain, svs_context *context, svs__record *first, uint32_t count) {
    svs__record *next = first->next;
    void **to;
    if (first->tries >= SVS__WINDOW_TRIES) {
        defer(domain, context, first);
        svs__domain_set_blocked(domain, false, 0);
        first = next;
        count--;
    } else {
        svs__record_tire(first);
    }
    context->statistics.deferrals++;
    to = svs__window_make_way(svs__windows_of(domain), count);
    for (; first; first = next) {
        next = first->next;
        *to++ = svs__record_item(first);
    }
}

void svs__window_take_returned(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t count;
    svs__record *first = returned_of(ws, &count), *next;
    bool waits = false;
    if (ws->in_order) {
        if (first) lead(domain, context, first, count);
        return;
    }
    for (; first; first = next) {
        next = first->next;
        if (first->tries < SVS__WINDOW_TRIES &&
            svs__load_relaxed(&ws->left_count) < SVS__WINDOW_LEFT / 4) {
            svs__record_tire(first);
            context->statistics.deferrals++;
            svs__window_push_left(ws, svs__record_item(first));
            continue;
        }
        defer(domain, context, first);
        waits = true;
    }
    if (waits) svs__domain_set_blocked(domain, false, 0);
}

void svs__window_give_up(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t count;
    svs__window_take_returned(domain, context);
    count = svs__load_relaxed(&ws->left_count);
    for (uint32_t i = 0; i < count; i++)
        svs__window_put_among_deferred(domain, ws->left[ws->which][i]);
    if (count) svs__domain_set_blocked(domain, false, 0);
    svs__store_relaxed(&ws->left_count, 0);
}

void **svs__window_make_way(svs__windows *ws, uint32_t count) {
    void **left = ws->left[ws->which];
    uint32_t was = svs__load_relaxed(&ws->left_count);
    SVS__CHECK(was + count <= SVS__WINDOW_LEFT);
    if (count) memmove((void *)(left + count), (const void *)left, was * sizeof(void *));
    svs__store_relaxed(&ws->left_count, was + count);
    return left;
}

/* ---- parts ---- */

static svs__window_part *part_of(const svs__windows *ws, svs__window *w, const svs__batch *batch) {
    uint32_t at = batch->part[w - ws->window];
    return at < w->part_count && w->parts[at].batch == batch ? &w->parts[at] : NULL;
}

void svs__window_count(svs__windows *ws, svs__window *w, svs__batch *batch, uint32_t count) {
    svs__window_part *part = part_of(ws, w, batch);
    if (!count) return;
    if (!part) {
        batch->part[w - ws->window] = (uint16_t)w->part_count;
        part = &w->parts[w->part_count++];
        *part = (svs__window_part){batch, 0};
    }
    part->count += count;
}

void svs__window_uncount(svs__windows *ws, svs__window *w, const void *item) {
    svs__window_part *part = part_of(ws, w, svs__batch_of(item));
    SVS__CHECK(part && part->count); /* sched.S2: each item of a window is counted once */
    part->count--;
}
