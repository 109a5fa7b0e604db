#include "check/blocks.h"
#include "check/self.h"

#define PARTS 64u
#define LEAST 64u /* places of a part */

/* Open addressing, linear; at most three quarters full. */
typedef struct part {
    pthread_mutex_t lock;
    svs__block *places; /* address 0: free */
    size_t capacity;    /* a power of two, or 0 */
    size_t count;
    uint32_t serial; /* of the last block */
} part;

/* On Linux, PTHREAD_MUTEX_INITIALIZER is zero: malloc() comes here before any constructor. */
static part parts[PARTS];

static void hold_all(void) {
    for (uint32_t i = 0; i < PARTS; i++) (void)svs__real_pthread_mutex_lock(&parts[i].lock);
}

static void release_all(void) {
    for (uint32_t i = PARTS; i-- > 0;) (void)pthread_mutex_unlock(&parts[i].lock);
}

void svs__blocks_init(void) { (void)pthread_atfork(hold_all, release_all, release_all); }

static uint64_t hash(uintptr_t address) { return (address >> 4) * UINT64_C(0x9E3779B97F4A7C15); }
static part *part_of(uintptr_t address) { return &parts[hash(address) >> 58]; }

static size_t home_of(const part *p, uintptr_t address) {
    return (size_t)(hash(address) >> 16) & (p->capacity - 1);
}

/* The place of `address`, or the free one where it would be. */
static svs__block *place_of(const part *p, uintptr_t address) {
    size_t at = home_of(p, address);
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
        if (p->places[i].address != 0) *place_of(&larger, p->places[i].address) = p->places[i];
    svs__real_free(p->places);
    p->places = larger.places;
    p->capacity = larger.capacity;
    return true;
}

void svs__block_add(const svs__block *block) {
    part *p = part_of(block->address);
    (void)svs__real_pthread_mutex_lock(&p->lock);
    if ((p->count + 1) * 4 <= p->capacity * 3 || grow(p)) {
        svs__block *place = place_of(p, block->address);
        p->count += place->address == 0;
        *place = *block;
        place->serial = ++p->serial;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

/* Moves up what lies behind a place that has become free. */
static void close_gap(part *p, size_t gap) {
    size_t mask = p->capacity - 1;
    for (size_t at = (gap + 1) & mask; p->places[at].address != 0; at = (at + 1) & mask) {
        size_t home = home_of(p, p->places[at].address);
        if (((at - home) & mask) < ((at - gap) & mask)) continue; /* its home is behind the gap */
        p->places[gap] = p->places[at];
        gap = at;
    }
    p->places[gap].address = 0;
}

/* The block that begins there, or NULL; the caller holds the part. */
static svs__block *begins_at(const part *p, uintptr_t address) {
    svs__block *place = p->capacity == 0 ? NULL : place_of(p, address);
    return place != NULL && place->address != 0 ? place : NULL;
}

bool svs__block_find(const void *address, svs__block *block) {
    part *p = part_of((uintptr_t)address);
    const svs__block *place;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    place = begins_at(p, (uintptr_t)address);
    if (place != NULL) *block = *place;
    (void)pthread_mutex_unlock(&p->lock);
    return place != NULL;
}

bool svs__block_is(const svs__block *block) {
    svs__block now;
    return svs__block_find((const void *)block->address, &now) && now.serial == block->serial;
}

void svs__block_remove(const void *address) {
    part *p = part_of((uintptr_t)address);
    svs__block *place;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    place = begins_at(p, (uintptr_t)address);
    if (place != NULL) {
        close_gap(p, (size_t)(place - p->places));
        p->count--;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

static bool find_around(part *p, uintptr_t address, svs__block *block) {
    bool found = false;
    (void)svs__real_pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->capacity && !found; i++) {
        const svs__block *place = &p->places[i];
        if (place->address == 0 || address - place->address >= place->bytes) continue;
        *block = *place;
        found = true;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return found;
}

bool svs__block_around(uintptr_t address, svs__block *block) {
    for (uint32_t i = 0; i < PARTS; i++)
        if (find_around(&parts[i], address, block)) return true;
    return false;
}
