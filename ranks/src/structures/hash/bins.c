#include "structures/hash/bins.h"
#include "base/pages.h"

/* Least number of old slots that each creation of an entry moves while the table grows. So a growth
 * ends after one creation for eight slots, long before the next growth begins. */
#define MOVED_AT_ONCE 8u
/* Number of further slots that are made ready together with those that are needed. */
#define READY_AT_ONCE 64u
/* Size of a huge page. Arrays of at least two are aligned to it, and ask for huge pages. */
#define HUGE_BYTES ((size_t)1 << 21)

/* ---- arrays ---- */

static size_t alignment_of(size_t bytes) { return bytes >= 2 * HUGE_BYTES ? HUGE_BYTES : 64; }

/* @param slots a power of two. */
static bool allocate(svs__bins *bins, svs__bin_slots *array, uint64_t slots) {
    size_t bytes = (size_t)slots * bins->item_bytes;
    if (slots > SIZE_MAX / 2 / bins->item_bytes) return false;
    array->at = svs__allocate(&bins->allocator, bytes, alignment_of(bytes));
    if (array->at == NULL) return false;
    if (alignment_of(bytes) == HUGE_BYTES) svs__pages_prefer_huge(array->at, bytes);
    array->room = slots;
    array->mask = slots - 1;
    array->shift = 64 - (uint32_t)__builtin_ctzll(slots);
    return true;
}

static void release(svs__bins *bins, svs__bin_slots *array) {
    size_t bytes = (size_t)array->room * bins->item_bytes;
    svs__release(&bins->allocator, array->at, bytes, alignment_of(bytes));
    *array = (svs__bin_slots){0};
}

static uint64_t limit_of(uint64_t slots) { return slots / 8 * 5; }

static uint64_t slots_for(uint64_t entries) {
    uint64_t slots = SVS__BINS_SLOTS_MIN;
    while (limit_of(slots) <= entries && slots < (uint64_t)1 << 56) slots *= 2;
    return slots;
}

static void use(svs__bins *bins, uint64_t slots) {
    bins->now.mask = slots - 1;
    bins->now.shift = 64 - (uint32_t)__builtin_ctzll(slots);
    bins->limit = limit_of(slots);
    memset(bins->now.at, 0, (size_t)slots * bins->item_bytes);
}

svs_status svs__bins_init(svs__bins *bins, const svs_allocator *allocator, uint32_t item_bytes,
                          uint32_t key_bytes, uint64_t expected) {
    uint64_t slots = slots_for(expected);
    *bins = (svs__bins){.item_bytes = item_bytes, .key_bytes = key_bytes, .allocator = *allocator};
    bins->zero = svs__allocate(allocator, item_bytes, 64);
    if (bins->zero == NULL || !allocate(bins, &bins->now, slots)) return SVS_E_NO_MEMORY;
    use(bins, slots);
    return SVS_OK;
}

void svs__bins_clean_up(svs__bins *bins) {
    release(bins, &bins->now);
    release(bins, &bins->old);
    svs__release(&bins->allocator, bins->zero, bins->item_bytes, 64);
    bins->zero = NULL;
}

svs_status svs__bins_clear(svs__bins *bins, uint64_t expected) {
    uint64_t slots = slots_for(expected);
    svs__bin_slots before = bins->now;
    if (slots > before.room || (expected == 0 && slots < before.room)) {
        if (!allocate(bins, &bins->now, slots)) {
            bins->now = before;
            return SVS_E_NO_MEMORY;
        }
        release(bins, &before);
    }
    release(bins, &bins->old);
    use(bins, slots);
    bins->deleted += svs__bins_entries(bins);
    bins->used = 0;
    bins->has_zero = false;
    return SVS_OK;
}

/* ---- growth ---- */

/* Zeroes slots of the new array, beginning with slot `from` modulo the size. */
static void zero(svs__bins *bins, uint64_t from, uint64_t count) {
    uint64_t at = from & bins->now.mask, behind = bins->now.mask + 1 - at;
    uint64_t some = count < behind ? count : behind;
    memset(svs__bin_at(&bins->now, at, bins->item_bytes), 0, (size_t)some * bins->item_bytes);
    memset(bins->now.at, 0, (size_t)(count - some) * bins->item_bytes);
}

/* Zeroes more of the new array, so that slot `at` and the one after it are ready. */
static void make_ready(svs__bins *bins, uint64_t at) {
    uint64_t slots = bins->now.mask + 1;
    uint64_t needed = ((at - 2 * bins->begin) & bins->now.mask) + 2;
    if (needed <= bins->ready) return;
    needed = needed + READY_AT_ONCE < slots ? needed + READY_AT_ONCE : slots;
    zero(bins, 2 * bins->begin + bins->ready, needed - bins->ready);
    bins->ready = needed;
}

/* Copies an item to its free slot `at`. */
static void create(svs__bins *bins, svs__bin_slots *array, uint64_t at, const void *item) {
    memcpy(svs__bin_at(array, at, bins->item_bytes), item, bins->item_bytes);
    if (bins->old.at != NULL && array == &bins->now) make_ready(bins, at); /* structures.H5 */
}

static void move(svs__bins *bins, unsigned char *slot) {
    uint64_t hash = svs__bins_hash(bins, slot);
    uint64_t home = svs__home(&bins->now, hash);
    make_ready(bins, home);
    create(bins, &bins->now, svs__probe(&bins->now, slot, hash, bins->item_bytes, bins->key_bytes),
           slot);
    memset(slot, 0, bins->key_bytes);
}

static unsigned char *first_unmoved(const svs__bins *bins) {
    return svs__bin_at(&bins->old, (bins->begin + bins->moved) & bins->old.mask, bins->item_bytes);
}

/* Moves some slots, up to a free one. After the last slot it also moves the entries that were
 * displaced across the end of the array. */
static void move_some(svs__bins *bins) {
    uint64_t before = bins->moved, slots = bins->old.mask + 1;
    for (bool is_free = false;
         bins->moved < slots ? !is_free || bins->moved - before < MOVED_AT_ONCE : !is_free;
         bins->moved++) {
        unsigned char *slot = first_unmoved(bins);
        is_free = svs__key_is_zero(slot, bins->key_bytes);
        if (!is_free) move(bins, slot);
    }
    if (bins->moved - before > bins->moved_most) bins->moved_most = bins->moved - before;
    make_ready(bins, 2 * bins->begin + 2 * (bins->moved < slots ? bins->moved : slots) - 2);
    if (bins->moved < slots) return;
    SVS__ASSERT(bins->ready == bins->now.mask + 1); /* structures.H5 */
    release(bins, &bins->old);
    SVS__ASSERT_SLOW(svs__bins_is_valid(bins));
}

svs_status svs__bins_grow(svs__bins *bins) {
    svs__bin_slots twice = {0};
    uint64_t slots = bins->now.mask + 1;
    SVS__ASSERT(bins->old.at == NULL); /* structures.H5 */
    if (!allocate(bins, &twice, 2 * slots)) return SVS_E_NO_MEMORY;
    bins->old = bins->now;
    bins->now = twice;
    bins->limit = limit_of(2 * slots);
    bins->begin = bins->moved = bins->ready = 0;
    while (!svs__key_is_zero(first_unmoved(bins), bins->key_bytes)) bins->begin++;
    bins->begin++; /* structures.H4: it begins after a free slot */
    bins->growths++;
    return SVS_OK;
}

/* ---- operations while the table grows, and operations on the key zero ---- */

/* structures.H1 */
static svs__bin_slots *array_of(svs__bins *bins, uint64_t hash) {
    if (bins->old.at == NULL) return &bins->now;
    return ((svs__home(&bins->old, hash) - bins->begin) & bins->old.mask) < bins->moved
               ? &bins->now
               : &bins->old;
}

static svs_status put_zero(svs__bins *bins, const void *item) {
    if (bins->has_zero) svs__bins_merge(bins, bins->zero, item);
    else memcpy(bins->zero, item, bins->item_bytes);
    bins->created += !bins->has_zero;
    bins->has_zero = true;
    return SVS_OK;
}

void svs__bins_keep_entry(void *entry, const void *item, void *argument) {
    (void)entry, (void)item, (void)argument;
}

svs_status svs__bins_put_slow(svs__bins *bins, const void *item, uint64_t hash) {
    svs__bin_slots *array;
    uint64_t at;
    unsigned char *slot;
    if (svs__key_is_zero(item, bins->key_bytes)) return put_zero(bins, item);
    array = array_of(bins, hash);
    at = svs__probe(array, item, hash, bins->item_bytes, bins->key_bytes);
    slot = svs__bin_at(array, at, bins->item_bytes);
    if (!svs__key_is_zero(slot, bins->key_bytes)) {
        svs__bins_merge(bins, slot, item);
        return SVS_OK;
    }
    create(bins, array, at, item);
    bins->created++;
    bins->used++;
    move_some(bins);
    SVS__ASSERT(svs__bins_entries(bins) == bins->created - bins->deleted); /* structures.H2 */
    return SVS_OK;
}

svs_status svs__bins_put_each(svs__bins *bins, const unsigned char *items, uint32_t count) {
    const svs__shape shape = svs__bins_shape(bins);
    uint64_t hashes[SVS__BINS_AHEAD];
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *item = items + (size_t)i * shape.item_bytes;
        const svs__bin_slots *array;
        hashes[i] = svs__bins_hash_of(bins, item, shape);
        array = array_of(bins, hashes[i]);
        __builtin_prefetch(svs__bin_at(array, svs__home(array, hashes[i]), shape.item_bytes), 1);
    }
    for (uint32_t i = 0; i < count; i++)
        if (svs__bins_put(bins, items + (size_t)i * shape.item_bytes, hashes[i]) != SVS_OK)
            status = SVS_E_NO_MEMORY;
    return status;
}

void *svs__bins_find(svs__bins *bins, const void *key, uint64_t hash) {
    svs__bin_slots *array = array_of(bins, hash);
    unsigned char *slot;
    if (svs__key_is_zero(key, bins->key_bytes)) return bins->has_zero ? bins->zero : NULL;
    slot = svs__bin_at(array, svs__probe(array, key, hash, bins->item_bytes, bins->key_bytes),
                       bins->item_bytes);
    return svs__key_is_zero(slot, bins->key_bytes) ? NULL : slot;
}

/* Moves back the entries that were displaced across a slot that becomes free. */
static void close_gap(svs__bins *bins, const svs__bin_slots *array, uint64_t gap) {
    for (uint64_t at = (gap + 1) & array->mask;; at = (at + 1) & array->mask) {
        unsigned char *slot = svs__bin_at(array, at, bins->item_bytes);
        uint64_t home;
        if (svs__key_is_zero(slot, bins->key_bytes)) break;
        home = svs__home(array, svs__bins_hash(bins, slot));
        if (((at - home) & array->mask) < ((at - gap) & array->mask)) continue;
        memcpy(svs__bin_at(array, gap, bins->item_bytes), slot, bins->item_bytes);
        gap = at;
    }
    memset(svs__bin_at(array, gap, bins->item_bytes), 0, bins->key_bytes);
}

bool svs__bins_delete(svs__bins *bins, const void *key, uint64_t hash) {
    svs__bin_slots *array = array_of(bins, hash);
    uint64_t at;
    if (svs__key_is_zero(key, bins->key_bytes)) {
        bins->deleted += bins->has_zero;
        if (!bins->has_zero) return false;
        bins->has_zero = false;
        return true;
    }
    at = svs__probe(array, key, hash, bins->item_bytes, bins->key_bytes);
    if (svs__key_is_zero(svs__bin_at(array, at, bins->item_bytes), bins->key_bytes)) return false;
    close_gap(bins, array, at);
    bins->used--;
    bins->deleted++;
    SVS__ASSERT(svs__bins_entries(bins) == bins->created - bins->deleted); /* structures.H2 */
    return true;
}

/* ---- iteration ---- */

/* Whether this slot of the new array is ready. */
static bool is_ready(const svs__bins *bins, uint64_t at) {
    return bins->old.at == NULL || ((at - 2 * bins->begin) & bins->now.mask) < bins->ready;
}

/* Cursors: 0 is the entry of the key zero; then the old slots, and the new ones. */
static void *next_slot(const svs__bins *bins, uint64_t *cursor) {
    uint64_t olds = bins->old.at == NULL ? 0 : bins->old.mask + 1;
    uint64_t end = 1 + olds + bins->now.mask + 1;
    while (*cursor < end) {
        uint64_t at = (*cursor)++;
        unsigned char *slot;
        if (at > olds && !is_ready(bins, at - 1 - olds)) continue;
        slot = at > olds ? svs__bin_at(&bins->now, at - 1 - olds, bins->item_bytes)
                         : svs__bin_at(&bins->old, at - 1, bins->item_bytes);
        if (!svs__key_is_zero(slot, bins->key_bytes)) return slot;
    }
    return NULL;
}

static __attribute__((noinline)) void *next_entry(const svs__bins *bins, uint64_t *cursor) {
    if (*cursor == 0) {
        *cursor = 1;
        if (bins->has_zero) return bins->zero;
    }
    return next_slot(bins, cursor);
}

/* Visits the slots of a table that does not grow and has keys of eight bytes. */
static inline __attribute__((always_inline)) void *scan(const svs__bins *bins, uint64_t *cursor,
                                                        uint32_t item_bytes) {
    uint64_t at = *cursor - 1;
    unsigned char *slot = svs__bin_at(&bins->now, at, item_bytes);
    for (; at <= bins->now.mask; at++, slot += item_bytes)
        if (svs__load_8(slot) != 0) {
            *cursor = at + 2;
            return slot;
        }
    *cursor = at + 1;
    return NULL;
}

static __attribute__((noinline)) void *scan_any(const svs__bins *bins, uint64_t *cursor) {
    return scan(bins, cursor, bins->item_bytes);
}

void *svs__bins_next(const svs__bins *bins, uint64_t *cursor) {
    if (*cursor == 0 || bins->old.at != NULL || bins->key_bytes != 8)
        return next_entry(bins, cursor);
    return bins->item_bytes == 16 ? scan(bins, cursor, 16) : scan_any(bins, cursor);
}

uint64_t svs__bins_longest_probe(const svs__bins *bins) {
    uint64_t cursor = 1, longest = 0;
    const unsigned char *entry;
    while ((entry = svs__bins_next(bins, &cursor)) != NULL) {
        bool old = bins->old.at != NULL && entry >= bins->old.at &&
                   entry < svs__bin_at(&bins->old, bins->old.mask + 1, bins->item_bytes);
        const svs__bin_slots *array = old ? &bins->old : &bins->now;
        uint64_t at = (uint64_t)(entry - array->at) / bins->item_bytes;
        uint64_t probe = ((at - svs__home(array, svs__bins_hash(bins, entry))) & array->mask) + 1;
        if (probe > longest) longest = probe;
    }
    return longest;
}

bool svs__bins_is_valid(const svs__bins *bins) {
    svs__bins *same = (svs__bins *)(uintptr_t)bins;
    uint64_t cursor = 0, count = 0;
    const void *entry;
    /* structures.H1, structures.H4: a search begins at the home, and ends at a free slot. */
    for (; (entry = svs__bins_next(bins, &cursor)) != NULL; count++)
        if (svs__bins_find(same, entry, svs__bins_hash(bins, entry)) != entry) return false;
    return count == svs__bins_entries(bins) && count == bins->created - bins->deleted;
}

/* ---- keys ---- */

uint64_t svs__hash_bytes(const void *key, uint32_t bytes) {
    const unsigned char *at = key;
    uint64_t hash = bytes, rest = 0;
    for (; bytes >= 8; bytes -= 8, at += 8) hash = svs__hash_mix(hash ^ svs__load_8(at)) + bytes;
    memcpy(&rest, at, bytes);
    return svs__hash_mix(hash ^ rest);
}

bool svs__is_zero(const void *key, uint32_t bytes) {
    const unsigned char *at = key;
    uint64_t rest = 0;
    for (; bytes >= 8; bytes -= 8, at += 8)
        if (svs__load_8(at) != 0) return false;
    memcpy(&rest, at, bytes);
    return rest == 0;
}
