#include "greedy.h"

#include "world.h"

#include <stdlib.h>
#include <string.h>

#define ACCESSES_MAX 4096u

/* An object's colours: a row of bits for those of its readers and one for those of its writers. */
typedef struct entry {
    const thing *what;
    uint64_t *colours[2]; /* by svs_access_mode */
} entry;

typedef struct member {
    const thing *what;
    uint32_t mode;
} member;

struct greedy {
    svs_footprint footprint;
    svs_access accesses[ACCESSES_MAX];
    entry *entries; /* by address, open addressing; the capacity is a power of two */
    uint32_t capacity, count;
    uint32_t words; /* of a row */
    uint64_t *taken;
    const thing **queue; /* of a walk */
    uint32_t queue_capacity;
    member *members; /* of the instance at hand */
    uint32_t member_count, member_capacity;
    uint32_t instances, colours;
};

greedy *greedy_new(uint32_t most) {
    greedy *meter = calloc(1, sizeof *meter);
    if (!meter) return NULL;
    meter->words = most / 64 + 1;
    meter->capacity = 1024;
    meter->entries = calloc(meter->capacity, sizeof(entry));
    meter->taken = calloc(meter->words, sizeof(uint64_t));
    if (meter->entries && meter->taken) return meter;
    greedy_free(meter);
    return NULL;
}

void greedy_begin(greedy *meter) {
    for (uint32_t i = 0; i < meter->capacity; i++) free(meter->entries[i].colours[0]);
    memset(meter->entries, 0, meter->capacity * sizeof(entry));
    meter->count = meter->instances = meter->colours = 0;
}

void greedy_free(greedy *meter) {
    if (!meter) return;
    if (meter->entries) greedy_begin(meter);
    free(meter->entries);
    free(meter->taken);
    free(meter->queue);
    free(meter->members);
    free(meter);
}

svs_footprint *greedy_footprint(greedy *meter) {
    svs_footprint_init(&meter->footprint, meter->accesses, ACCESSES_MAX);
    return &meter->footprint;
}

static bool make_room(void **array, uint32_t *capacity, uint32_t needed, size_t size) {
    uint32_t wanted = *capacity ? *capacity : 64;
    void *larger;
    if (needed <= *capacity) return true;
    while (wanted < needed) wanted *= 2;
    if (!(larger = realloc(*array, wanted * size))) return false;
    *array = larger;
    *capacity = wanted;
    return true;
}

/* ---- the exact set ---- */

/* The i-th link, as the type in engine_svs.c numbers them: only targets have any. NULL also beyond
 * the last. */
static const thing *link_of(const thing *from, uint32_t i) {
    const target *t = (const void *)from;
    if (from->shape != SHAPE_TARGET) return NULL;
    return i == 0 ? (const void *)t->next : i == 1 ? (const void *)t->body : NULL;
}

static bool add_member(greedy *meter, const thing *what, uint32_t mode) {
    void *members = meter->members;
    if (!make_room(&members, &meter->member_capacity, meter->member_count + 1, sizeof(member)))
        return false;
    meter->members = members;
    meter->members[meter->member_count].what = what;
    meter->members[meter->member_count++].mode = mode;
    return true;
}

/* The game's lists have no rings, and no two ways lead to one object except to bodies, which a
 * second visit does not harm. */
static bool walk(greedy *meter, const thing *root, uint32_t mode, bool far) {
    uint32_t next = 0, end = 0;
    void *queue = meter->queue;
    if (!make_room(&queue, &meter->queue_capacity, 1, sizeof(thing *))) return false;
    meter->queue = queue;
    meter->queue[end++] = root;
    while (next < end) {
        const thing *at = meter->queue[next++];
        if (!add_member(meter, at, mode)) return false;
        for (uint32_t i = 0; far && i < 2; i++) {
            const thing *to = link_of(at, i);
            if (!to) continue;
            queue = meter->queue;
            if (!make_room(&queue, &meter->queue_capacity, end + 1, sizeof(thing *))) return false;
            meter->queue = queue;
            meter->queue[end++] = to;
        }
    }
    return true;
}

static svs_status expand(greedy *meter) {
    meter->member_count = 0;
    if (meter->footprint.status) return meter->footprint.status;
    for (uint32_t i = 0; i < meter->footprint.count; i++) {
        const svs_access *access = &meter->accesses[i];
        const thing *root = access->what; /* each header is its struct's first member */
        bool far = access->extent == SVS_EXTENT_REACH;
        if (access->kind == SVS_KIND_INDEX) continue; /* a place, which only one instance has */
        if (access->kind != SVS_KIND_OBJECT || (!far && access->extent != SVS_EXTENT_OWN))
            return SVS_E_LIMIT;
        if (root && !walk(meter, root, access->mode, far)) return SVS_E_NO_MEMORY;
    }
    return SVS_OK;
}

/* ---- colours ---- */

static entry *find(const greedy *meter, const thing *what) {
    uint32_t mask = meter->capacity - 1;
    uint32_t i = (uint32_t)((uintptr_t)what >> 4) * UINT32_C(2654435761) & mask;
    while (meter->entries[i].what && meter->entries[i].what != what) i = (i + 1) & mask;
    return &meter->entries[i];
}

static bool grow_table(greedy *meter) {
    entry *old = meter->entries;
    uint32_t capacity = meter->capacity;
    if (!(meter->entries = calloc(2 * (size_t)capacity, sizeof(entry)))) {
        meter->entries = old;
        return false;
    }
    meter->capacity = 2 * capacity;
    for (uint32_t i = 0; i < capacity; i++)
        if (old[i].what) *find(meter, old[i].what) = old[i];
    free(old);
    return true;
}

static entry *obtain(greedy *meter, const thing *what) {
    entry *e;
    if (2 * meter->count >= meter->capacity && !grow_table(meter)) return NULL;
    e = find(meter, what);
    if (e->what) return e;
    if (!(e->colours[0] = calloc(2 * (size_t)meter->words, sizeof(uint64_t)))) return NULL;
    e->colours[1] = e->colours[0] + meter->words;
    e->what = what;
    meter->count++;
    return e;
}

static uint32_t lowest_free(const greedy *meter) {
    uint32_t word = 0;
    while (meter->taken[word] == UINT64_MAX) word++;
    return word * 64 + (uint32_t)__builtin_ctzll(~meter->taken[word]);
}

svs_status greedy_add(greedy *meter) {
    svs_status status = expand(meter);
    uint32_t colour;
    if (status) return status;
    if (meter->instances >= 64 * meter->words - 1) return SVS_E_LIMIT;
    memset(meter->taken, 0, meter->words * sizeof(uint64_t));
    for (uint32_t i = 0; i < meter->member_count; i++) {
        const entry *e = obtain(meter, meter->members[i].what);
        bool writes = meter->members[i].mode == SVS_MODE_WRITE;
        if (!e) return SVS_E_NO_MEMORY;
        for (uint32_t word = 0; word < meter->words; word++)
            meter->taken[word] |=
                e->colours[SVS_MODE_WRITE][word] | (writes ? e->colours[SVS_MODE_READ][word] : 0);
    }
    colour = lowest_free(meter);
    for (uint32_t i = 0; i < meter->member_count; i++)
        find(meter, meter->members[i].what)->colours[meter->members[i].mode][colour / 64] |=
            UINT64_C(1) << colour % 64;
    meter->instances++;
    if (colour >= meter->colours) meter->colours = colour + 1;
    return SVS_OK;
}

uint32_t greedy_instances(const greedy *meter) { return meter->instances; }
uint32_t greedy_colours(const greedy *meter) { return meter->colours; }
