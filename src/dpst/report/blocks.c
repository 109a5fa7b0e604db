#include "dpst/report/blocks.h"
#include "dpst/report/self.h"

#define PARTS 64u
#define LEAST 64u /* least capacity of a part */

/* A part of the table: open addressing with linear probing, at most three quarters full. */
typedef struct part {
    pthread_mutex_t lock;
    svs__heap_block *places; /* array of places; address 0: the place is free */
    size_t capacity;         /* a power of two, or 0 */
    size_t count;
    uint32_t serial; /* serial of the last block */
} part;

/* On Linux, PTHREAD_MUTEX_INITIALIZER is zero: malloc() comes here before any constructor. */
static part parts[PARTS];
static _Atomic(uint64_t) orders; /* set of the orders of all blocks ever added, one bit each */

#define SERIALS ((1u << 26) - 1)
#define ORDERS ((1u << 6) - 1)

static void hold_all(void) {
    for (uint32_t i = 0; i < PARTS; i++) (void)svs__real_pthread_mutex_lock(&parts[i].lock);
}

static void release_all(void) {
    for (uint32_t i = PARTS; i-- > 0;) (void)pthread_mutex_unlock(&parts[i].lock);
}

void svs__blocks_init(void) { (void)pthread_atfork(hold_all, release_all, release_all); }

static uint32_t order_of(size_t room) {
    return room < 2 ? 0 : 64 - (uint32_t)__builtin_clzll(room - 1);
}

/* Hashes the aligned range, of the order's size, that the block begins in. */
static uint64_t hash(uintptr_t address, uint32_t order) {
    return ((address >> order) << 6 | order) * UINT64_C(0x9E3779B97F4A7C15);
}
static part *part_of(uintptr_t address, uint32_t order) {
    return &parts[hash(address, order) >> 58];
}

static size_t home_of(const part *p, uintptr_t address, uint32_t order) {
    return (size_t)(hash(address, order) >> 16) & (p->capacity - 1);
}

/* The place of the block; if it is not in the table, the free place where it would be. */
static svs__heap_block *place_of(const part *p, uintptr_t address, uint32_t order) {
    size_t at = home_of(p, address, order);
    while (p->places[at].address != 0 && p->places[at].address != address)
        at = (at + 1) & (p->capacity - 1);
    return &p->places[at];
}

static bool grow(part *p) {
    part larger = *p;
    larger.capacity = p->capacity ? p->capacity * 2 : LEAST;
    larger.places = svs__real_calloc(larger.capacity, sizeof *larger.places);
    if (larger.places == NULL) return false;
    for (size_t i = 0; i < p->capacity; i++)
        if (p->places[i].address != 0)
            *place_of(&larger, p->places[i].address, p->places[i].order) = p->places[i];
    svs__real_free(p->places);
    p->places = larger.places;
    p->capacity = larger.capacity;
    return true;
}

void svs__block_add(const svs__heap_block *block, size_t room) {
    uint32_t order = order_of(room < block->bytes ? block->bytes : room);
    part *p = part_of(block->address, order);
    uint64_t bit = UINT64_C(1) << order;
    /* relaxed is enough, here and below: a thread that looks for the block has its address by other
     * means. */
    if ((svs__load_relaxed(&orders) & bit) == 0) (void)svs__fetch_or_relaxed(&orders, bit);
    (void)svs__real_pthread_mutex_lock(&p->lock);
    if ((p->count + 1) * 4 <= p->capacity * 3 || grow(p)) {
        svs__heap_block *place = place_of(p, block->address, order);
        p->count += place->address == 0;
        *place = *block;
        place->serial = ++p->serial & SERIALS;
        place->order = order & ORDERS;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

/* Moves entries of a probe sequence up into a slot that has become free. */
static void close_gap(part *p, size_t gap) {
    size_t mask = p->capacity - 1;
    for (size_t at = (gap + 1) & mask; p->places[at].address != 0; at = (at + 1) & mask) {
        size_t home = home_of(p, p->places[at].address, p->places[at].order);
        /* the home slot of this entry comes after the gap */
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        p->places[gap] = p->places[at];
        gap = at;
    }
    p->places[gap].address = 0;
}

/* The block that begins there, or NULL. The caller holds the lock of the part. */
static svs__heap_block *begins_at(const part *p, uintptr_t address, uint32_t order) {
    svs__heap_block *place = p->capacity == 0 ? NULL : place_of(p, address, order);
    return place != NULL && place->address != 0 ? place : NULL;
}

static bool find(uintptr_t address, uint32_t order, svs__heap_block *block) {
    part *p = part_of(address, order);
    const svs__heap_block *place;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    place = begins_at(p, address, order);
    if (place != NULL) *block = *place;
    (void)pthread_mutex_unlock(&p->lock);
    return place != NULL;
}

bool svs__block_find(const void *address, size_t room, svs__heap_block *block) {
    return find((uintptr_t)address, order_of(room), block);
}

bool svs__block_is(const svs__heap_block *block) {
    svs__heap_block now;
    return find(block->address, block->order, &now) && now.serial == block->serial;
}

void svs__block_remove(const svs__heap_block *block) {
    part *p = part_of(block->address, block->order);
    svs__heap_block *place;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    place = begins_at(p, block->address, block->order);
    if (place != NULL) {
        close_gap(p, (size_t)(place - p->places));
        p->count--;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

/* Finds the block around `address`, among those of this order that begin in the aligned range
 * around `there`. */
static bool find_around(uintptr_t address, uintptr_t there, uint32_t order,
                        svs__heap_block *block) {
    part *p = part_of(there, order);
    bool found = false;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    for (size_t at = p->capacity == 0 ? 0 : home_of(p, there, order);
         !found && p->capacity != 0 && p->places[at].address != 0;
         at = (at + 1) & (p->capacity - 1)) {
        found = address - p->places[at].address < p->places[at].bytes;
        if (found) *block = p->places[at];
    }
    (void)pthread_mutex_unlock(&p->lock);
    return found;
}

bool svs__block_around(uintptr_t address, svs__heap_block *block) {
    /* relaxed: as in svs__block_add(). */
    for (uint64_t left = svs__load_relaxed(&orders); left != 0; left &= left - 1) {
        uint32_t order = (uint32_t)__builtin_ctzll(left);
        uintptr_t before = address - ((uintptr_t)1 << order);
        if (find_around(address, address, order, block)) return true;
        if (before < address && find_around(address, before, order, block)) return true;
    }
    return false;
}
