#include "structures/stealer/task_pool.h"

/* ---- memory ---- */

struct svs__task_pooled_slab {
    svs__task_pooled_slab *next;
    size_t bytes;
};

enum { SLAB_BYTES = 1 << 16, SLAB_HEAD = 64 };

static size_t stride_of(const svs__task_pool *pool) {
    return (sizeof(svs__task_pooled_task) + pool->task_bytes + 15) & ~(size_t)15;
}

void svs__task_pool_init(svs__task_pool *pool, const svs_allocator *allocator,
                         uint32_t task_bytes) {
    *pool = (svs__task_pool){.allocator = *allocator, .task_bytes = task_bytes};
}

void svs__task_pool_clean_up(svs__task_pool *pool) {
    for (svs__task_pooled_slab *next; pool->slabs != NULL; pool->slabs = next) {
        next = pool->slabs->next;
        svs__release(&pool->allocator, pool->slabs, pool->slabs->bytes, SLAB_HEAD);
    }
    for (int i = 0; i < SVS__TASK_ORDERS; i++)
        svs__array_release(&pool->allocator, pool->orders[i], pool->capacities[i],
                           sizeof(svs__task_pooled_place));
}

/* Makes tasks, and a place for each of them in both orders (structures.K5). */
static bool make_some(svs__task_pool *pool) {
    size_t stride = stride_of(pool);
    uint32_t some = stride >= SLAB_BYTES / 4 ? 4 : (uint32_t)(SLAB_BYTES / stride);
    size_t bytes = SLAB_HEAD + some * stride;
    svs__task_pooled_slab *slab;
    for (int i = 0; i < SVS__TASK_ORDERS; i++)
        if (!svs__grow(&pool->allocator, (void **)&pool->orders[i], &pool->capacities[i],
                       pool->made + some, sizeof(svs__task_pooled_place)))
            return false;
    slab = svs__allocate(&pool->allocator, bytes, SLAB_HEAD);
    if (slab == NULL) return false;
    *slab = (svs__task_pooled_slab){pool->slabs, bytes};
    pool->slabs = slab;
    pool->made += some;
    for (uint32_t i = some; i-- != 0;)
        svs__task_pool_free(pool, (void *)((char *)slab + SLAB_HEAD + i * stride));
    return true;
}

svs__task_pooled_task *svs__task_pool_new(svs__task_pool *pool) {
    svs__task_pooled_task *task;
    if (SVS__UNLIKELY(pool->free == NULL) && !make_some(pool)) return NULL;
    task = pool->free;
    pool->free = task->link.next;
    return task;
}

void svs__task_pool_free(svs__task_pool *pool, svs__task_pooled_task *task) {
    task->link.next = pool->free;
    pool->free = task;
}

/* ---- the orders ---- */

static uint64_t key_of(const svs__task_pooled_task *task, svs__task_order order) {
    if (order == SVS__TASK_FIRST) return ~((uint64_t)task->hint.priority ^ (uint64_t)1 << 63);
    if (task->moved != 0) return 0;
    return 1 + ((uint64_t)task->hint.migration << 32) / svs__task_pool_work(task);
}

static inline void set(svs__task_pool *pool, svs__task_order order, uint32_t at,
                       svs__task_pooled_place place) {
    pool->orders[order][at] = place;
    place.task->link.at[order] = at;
}

static void sift_up(svs__task_pool *pool, svs__task_order order, uint32_t at,
                    svs__task_pooled_place place) {
    const svs__task_pooled_place *places = pool->orders[order];
    while (at != 0 && places[(at - 1) / 2].key > place.key) {
        set(pool, order, at, places[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    set(pool, order, at, place);
}

static void sift_down(svs__task_pool *pool, svs__task_order order, uint32_t at,
                      svs__task_pooled_place place) {
    const svs__task_pooled_place *places = pool->orders[order];
    for (uint32_t child = 2 * at + 1; child < pool->count; child = 2 * at + 1) {
        if (child + 1 < pool->count && places[child + 1].key < places[child].key) child++;
        if (places[child].key >= place.key) break;
        set(pool, order, at, places[child]);
        at = child;
    }
    set(pool, order, at, place);
}

/* structures.K4, for one place and its parent. */
static bool is_in_order(const svs__task_pool *pool, svs__task_order order, uint32_t at) {
    const svs__task_pooled_place *places = pool->orders[order];
    return places[at].task->link.at[order] == at &&
           (at == 0 || places[(at - 1) / 2].key <= places[at].key);
}

static bool is_valid(const svs__task_pool *pool) {
    for (int order = 0; order < SVS__TASK_ORDERS; order++)
        for (uint32_t i = 0; i < pool->count; i++)
            if (!is_in_order(pool, order, i)) return false;
    return true;
}

void svs__task_pool_put(svs__task_pool *pool, svs__task_pooled_task *task) {
    uint32_t at = pool->count++;
    SVS__ASSERT(pool->count <= pool->made); /* structures.K5 */
    for (int order = 0; order < SVS__TASK_ORDERS; order++)
        sift_up(pool, order, at, (svs__task_pooled_place){key_of(task, order), task});
    pool->work += svs__task_pool_work(task);
    SVS__ASSERT_SLOW(is_valid(pool)); /* structures.K4 */
}

/* Removes the place `at` from an order; the last place fills it. `count` is already the number of
 * the remaining tasks. */
static void take_out(svs__task_pool *pool, svs__task_order order, uint32_t at) {
    svs__task_pooled_place last = pool->orders[order][pool->count];
    SVS__ASSERT(is_in_order(pool, order, at)); /* structures.K4 */
    if (at == pool->count) return;
    if (at != 0 && pool->orders[order][(at - 1) / 2].key > last.key) sift_up(pool, order, at, last);
    else sift_down(pool, order, at, last);
}

svs__task_pooled_task *svs__task_pool_take(svs__task_pool *pool, svs__task_order order) {
    svs__task_pooled_task *task;
    if (pool->count == 0) return NULL;
    task = pool->orders[order][0].task;
    pool->count--;
    for (int each = 0; each < SVS__TASK_ORDERS; each++) take_out(pool, each, task->link.at[each]);
    pool->work -= svs__task_pool_work(task);
    SVS__ASSERT_SLOW(is_valid(pool)); /* structures.K4 */
    return task;
}
