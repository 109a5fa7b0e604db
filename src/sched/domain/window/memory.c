#include "sched/domain/window/memory.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/window/parts.h"

/* So that the first items of all colours do not compete for one set of a cache. */
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

svs_status svs__windows_new(svs__domain *domain) {
    const svs_allocator *allocator = domain->env->world->allocator;
    svs__windows *ws = svs__allocate_zeroed(allocator, sizeof *ws, _Alignof(svs__windows));
    if (!ws) return SVS_E_NO_MEMORY;
    svs__store_relaxed(&ws->wait_epoch, UINT64_MAX);
    svs__store_relaxed(&ws->body_ns, UINT32_MAX);
    domain->windows = ws;
    return SVS_OK;
}

/* Of the table, for an element. With fewer, more elements share a word, and windows have more
 * stages. With more, the words of a window push more of what bodies access out of the caches. */
#define WORDS_EACH 4u

static uint32_t table_bits(const svs_world *world, uint64_t elements) {
    uint32_t bits = SVS__WINDOW_TABLE_BITS_FEW, most = SVS__WINDOW_TABLE_BITS;
    if (most > world->options.cell_bits) most = world->options.cell_bits;
    while (bits < most && UINT64_C(1) << bits < elements * WORDS_EACH) bits++;
    return bits < most ? bits : most;
}

bool svs__windows_fit_table(svs__domain *domain, uint64_t elements) {
    const svs_world *world = domain->env->world;
    svs__windows *ws = domain->windows;
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

/* At the begin of the arrays, while no domain has them: the table that goes with them. */
typedef struct spare {
    svs__block block;
    uint64_t *table; /* or NULL */
    uint32_t table_room, number;
} spare;

/* The memory of a domain that has ended, or new memory. */
static char *arrays_take(const svs__domain *domain) {
    svs__common *common = domain->env->common;
    svs__windows *ws = domain->windows;
    spare *taken = (spare *)(void *)svs__common_take(common, &common->windows);
    if (!taken) return svs__allocate(common->world->allocator, array_bytes(), SVS__CACHE_LINE);
    ws->table = taken->table;
    ws->table_room = taken->table_room;
    ws->number = taken->number;
    return (char *)taken;
}

void svs__windows_free_spare(svs__common *common) {
    const svs_allocator *allocator = common->world->allocator;
    svs__block *block;
    while ((block = svs__common_take(common, &common->windows)) != NULL) {
        const spare *s = (const spare *)(const void *)block;
        table_free(allocator, s->table, s->table_room);
        svs__release(allocator, block, array_bytes(), SVS__CACHE_LINE);
    }
}

bool svs__windows_make_arrays(svs__domain *domain) {
    svs__windows *ws = domain->windows;
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

bool svs__windows_begin(svs__domain *domains, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (domains[i].algorithm->in_order &&
            (!svs__windows_make_arrays(&domains[i]) || !svs__windows_fit_table(&domains[i], 0)))
            return false;
    return true;
}

/* Whether an item is in them. By the owner of the stage, under the domain's lock; or after the run.
 */
static bool are_used(svs__windows *ws) {
    return ws->open || svs__load_relaxed(&ws->next) || svs__load_relaxed(&ws->left_count) ||
           svs__load_relaxed(&ws->returned);
}

static void give_back(svs__common *common, svs__windows *ws) {
    spare *given = (spare *)(void *)ws->arrays;
    SVS__ASSERT(!are_used(ws)); /* sched.C1 */
    *given = (spare){.table = ws->table, .table_room = ws->table_room, .number = ws->number};
    ws->arrays = NULL;
    ws->table = NULL;
    svs__common_give(common, &common->windows, &given->block);
}

/* Racy: more may open. */
static bool have_ended(svs_task *task) {
    /* relaxed: a hint. */
    while (task && !svs__load_relaxed(&task->lead->outstanding))
        task = svs__load_acquire(&task->next_in_domain);
    return !task;
}

void svs__windows_rest(svs__domain *domain) {
    svs__windows *ws = domain->windows;
    uint32_t none = 0;
    if (!ws || domain->algorithm->in_order || !have_ended(svs__load_acquire(&domain->tasks)) ||
        !svs__lock_try(&domain->lock))
        return;
    if (ws->arrays && svs__cas_strong_acq_rel(&domain->stage.left, &none, 1)) { /* sched.C1 */
        if (!are_used(ws)) give_back(domain->env->common, ws);
        /* release: the next owner sees what this one did. */
        svs__store_release(&domain->stage.left, 0);
    }
    svs__lock_release(&domain->lock);
}

void svs__windows_give_back(svs__common *common, svs__domain *domains, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (domains[i].windows && domains[i].windows->arrays) give_back(common, domains[i].windows);
}

void svs__windows_free(svs__domain *domain) {
    svs__windows *ws = domain->windows;
    const svs_allocator *allocator;
    if (!ws) return;
    allocator = domain->env->world->allocator;
    svs__release(allocator, ws->arrays, array_bytes(), SVS__CACHE_LINE);
    table_free(allocator, ws->table, ws->table_room);
    svs__release(allocator, ws, sizeof *ws, _Alignof(svs__windows));
    domain->windows = NULL;
}
