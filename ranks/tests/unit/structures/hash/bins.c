/* The bins of one rank under random operations, compared with a plain table of all keys. */
#include "structures/hash/bins.h"
#include "base/random.h"
#include "case.h"
#include <string.h>

enum { KEYS = 3000, ITEM_BYTES_MAX = 40, MANY = 3 * SVS__BINS_AHEAD };

/* The oracle: what is there, by key. */
typedef struct oracle {
    bool there[KEYS];
    uint64_t counts[KEYS];
    uint64_t entries;
} oracle;

typedef struct scene {
    svs__bins bins;
    svs__random random;
    oracle expected;
    uint32_t item_bytes, key_bytes;
} scene;

/* ---- memory that can fail ---- */

static int live, fail_from = -1;

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)worker, (void)argument;
    if (fail_from == 0) return NULL;
    if (fail_from > 0) fail_from--;
    live++;
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    (void)size, (void)alignment, (void)worker, (void)argument;
    live--;
    free(memory);
}

static const svs_allocator allocator = {allocate, release, NULL};

/* ---- items: a key of some bytes, and a count at the end ---- */

static void make_item(const scene *s, unsigned char *item, uint32_t key, uint64_t count) {
    memset(item, 0, ITEM_BYTES_MAX);
    memcpy(item, &key, s->key_bytes < 4 ? s->key_bytes : 4);
    if (s->key_bytes > 12) memcpy(item + s->key_bytes - 4, &key, 4);
    memcpy(item + s->item_bytes - 8, &count, 8);
}

static uint64_t count_of(const scene *s, const void *entry) {
    uint64_t count;
    memcpy(&count, (const char *)entry + s->item_bytes - 8, 8);
    return count;
}

static uint32_t key_of(const scene *s, const void *entry) {
    uint32_t key = 0;
    memcpy(&key, entry, s->key_bytes < 4 ? s->key_bytes : 4);
    return key;
}

static void add_counts(void *entry, const void *item, void *argument) {
    const scene *s = argument;
    uint64_t sum = count_of(s, entry) + count_of(s, item);
    memcpy((char *)entry + s->item_bytes - 8, &sum, 8);
}

static scene *new_scene(uint32_t item_bytes, uint32_t key_bytes, uint64_t expected) {
    scene *s = calloc(1, sizeof *s);
    s->item_bytes = item_bytes;
    s->key_bytes = key_bytes;
    svs__random_seed(&s->random, item_bytes * 100 + key_bytes);
    assert_int_equal(svs__bins_init(&s->bins, &allocator, item_bytes, key_bytes, expected), SVS_OK);
    s->bins.duplicate = add_counts;
    s->bins.argument = s;
    return s;
}

static void free_scene(scene *s) {
    svs__bins_clean_up(&s->bins);
    free(s);
    assert_int_equal(live, 0);
}

/* ---- operations on both ---- */

static void expect(scene *s, uint32_t key, uint64_t count) {
    s->expected.entries += !s->expected.there[key];
    s->expected.counts[key] = s->expected.there[key] ? s->expected.counts[key] + count : count;
    s->expected.there[key] = true;
}

static void insert(scene *s, uint32_t key, uint64_t count) {
    unsigned char item[ITEM_BYTES_MAX];
    make_item(s, item, key, count);
    assert_int_equal(svs__bins_put(&s->bins, item, svs__bins_hash(&s->bins, item)), SVS_OK);
    expect(s, key, count);
}

/* Of a few keys, so that some come twice in an array. */
static svs_status insert_many(scene *s, uint32_t keys) {
    unsigned char items[MANY * ITEM_BYTES_MAX + ITEM_BYTES_MAX];
    svs__shape shape = svs__bins_shape(&s->bins);
    uint32_t count = svs__random_below(&s->random, MANY + 1);
    uint32_t few = keys < MANY ? keys : MANY;
    uint32_t first =
        svs__random_below(&s->random, 4) == 0 ? 0 : svs__random_below(&s->random, keys - few + 1);
    /* Both do the same for these items. */
    shape.adds = s->item_bytes == 16 && s->key_bytes == 8 && svs__random_below(&s->random, 2) == 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = first + svs__random_below(&s->random, few);
        uint64_t more = svs__random_next(&s->random);
        make_item(s, items + (size_t)i * s->item_bytes, key, more);
        expect(s, key, more);
    }
    return svs__bins_put_all(&s->bins, items, count, shape);
}

static void delete (scene *s, uint32_t key) {
    unsigned char item[ITEM_BYTES_MAX];
    make_item(s, item, key, 0);
    assert_int_equal(svs__bins_delete(&s->bins, item, svs__bins_hash(&s->bins, item)),
                     s->expected.there[key]);
    s->expected.entries -= s->expected.there[key];
    s->expected.there[key] = false;
}

static void look_up(scene *s, uint32_t key) {
    unsigned char item[ITEM_BYTES_MAX];
    const void *entry;
    make_item(s, item, key, 0);
    entry = svs__bins_find(&s->bins, item, svs__bins_hash(&s->bins, item));
    assert_int_equal(entry != NULL, s->expected.there[key]);
    if (entry != NULL) assert_int_equal(count_of(s, entry), s->expected.counts[key]);
}

/* Each entry once, and no others (structures.H3). */
static void iterate(scene *s) {
    static bool seen[KEYS];
    uint64_t cursor = 0, count = 0;
    const void *entry;
    memset(seen, 0, sizeof seen);
    for (; (entry = svs__bins_next(&s->bins, &cursor)) != NULL; count++) {
        uint32_t key = key_of(s, entry);
        assert_true(s->expected.there[key] && !seen[key]);
        seen[key] = true;
        assert_int_equal(count_of(s, entry), s->expected.counts[key]);
    }
    assert_int_equal(count, s->expected.entries);
    assert_int_equal(svs__bins_entries(&s->bins), s->expected.entries);
}

static uint32_t any_key(scene *s, uint32_t keys) { return svs__random_below(&s->random, keys); }

/* More inserts than deletes, so that it grows again and again. */
static void run(scene *s, uint32_t operations, uint32_t keys) {
    for (uint32_t i = 0; i < operations; i++) {
        uint32_t kind = svs__random_below(&s->random, 8);
        if (i % 50 == 0) assert_int_equal(insert_many(s, keys), SVS_OK);
        else if (kind < 5) insert(s, any_key(s, keys), svs__random_next(&s->random));
        else if (kind < 7) look_up(s, any_key(s, keys));
        else delete (s, any_key(s, keys));
        if (i % 97 == 0) assert_true(svs__bins_is_valid(&s->bins));
        if (s->bins.old.at != NULL ? i % 5 == 0 : i % 211 == 0) iterate(s);
    }
}

TEST_CASE(random_operations_of_items_of_all_sizes_agree_with_a_plain_table) {
    static const uint32_t sizes[][2] = {{16, 8}, {24, 8},  {32, 8},  {16, 4},
                                        {12, 4}, {40, 20}, {24, 16}, {16, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scene *s = new_scene(sizes[i][0], sizes[i][1], 0);
        run(s, 6000, KEYS);
        assert_true(s->bins.growths >= 5 && s->bins.duplicates > 0);
        free_scene(s);
    }
}

TEST_CASE(arrays_of_items_are_put_as_one_by_one) {
    static const uint32_t sizes[][2] = {{16, 8}, {8 + 8, 4}, {40, 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scene *s = new_scene(sizes[i][0], sizes[i][1], 0);
        for (uint32_t round = 0; round < 500; round++) {
            assert_int_equal(insert_many(s, KEYS), SVS_OK);
            if (round % 10 == 0) delete (s, any_key(s, KEYS));
        }
        assert_true(svs__bins_is_valid(&s->bins));
        assert_true(s->bins.growths >= 5 && s->bins.duplicates > 0 && s->expected.there[0]);
        iterate(s);
        free_scene(s);
    }
}

/* All items of one hash: one cluster, which is displaced across the end of the array. */
static uint64_t same_hash(const void *key, void *argument) {
    (void)key;
    return ((const scene *)argument)->item_bytes;
}

TEST_CASE(keys_of_one_hash_are_kept_apart) {
    scene *s = new_scene(16, 8, 0);
    s->bins.hash = same_hash;
    run(s, 1500, 150);
    free_scene(s);
}

/* Homes in the last slots of each array: what is displaced stands at its beginning. */
static uint64_t last_hash(const void *key, void *argument) {
    static uint64_t hash;
    (void)key, (void)argument;
    while (svs__hash_mix(hash) >> 48 != 0xffff) hash++;
    return hash;
}

TEST_CASE(growth_keeps_what_was_displaced_across_the_end) {
    scene *s = new_scene(16, 8, 0);
    s->bins.hash = last_hash;
    run(s, 3000, 300);
    free_scene(s);
}

TEST_CASE(a_call_moves_few_slots) {
    scene *s = new_scene(16, 8, 0);
    for (uint32_t key = 0; key < KEYS; key++) insert(s, key, key);
    iterate(s);
    assert_in_range(s->bins.moved_most, 8, 64);
    assert_true(s->bins.growths >= 8);
    free_scene(s);
}

TEST_CASE(expected_entries_need_no_growth) {
    scene *s = new_scene(16, 8, KEYS);
    for (uint32_t key = 0; key < KEYS; key++) insert(s, key, key);
    assert_int_equal(s->bins.growths, 0);
    free_scene(s);
}

TEST_CASE(clearing_deletes_all_entries_at_any_time_of_a_growth) {
    scene *s = new_scene(16, 8, 0);
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i <= round; i++) insert(s, any_key(s, KEYS), i);
        assert_int_equal(svs__bins_clear(&s->bins, round % 3 * 20), SVS_OK);
        memset(&s->expected, 0, sizeof s->expected);
        iterate(s);
        run(s, 30 * round, KEYS);
    }
    free_scene(s);
}

TEST_CASE(without_memory_to_grow_all_entries_are_there) {
    scene *s = new_scene(16, 8, KEYS / 3);
    unsigned char item[ITEM_BYTES_MAX];
    svs_status status = SVS_OK;
    uint32_t key = 0;
    fail_from = 0;
    for (; status == SVS_OK; key++) {
        make_item(s, item, key, key);
        status = svs__bins_put(&s->bins, item, svs__bins_hash(&s->bins, item));
        s->expected.there[key] = true;
        s->expected.counts[key] = key;
        s->expected.entries++;
    }
    assert_int_equal(status, SVS_E_NO_MEMORY);
    for (status = SVS_OK; status == SVS_OK;) status = insert_many(s, KEYS / 2);
    assert_int_equal(status, SVS_E_NO_MEMORY);
    assert_int_equal(svs__bins_clear(&s->bins, KEYS), SVS_E_NO_MEMORY);
    fail_from = -1;
    iterate(s);
    free_scene(s);
}

TEST_CASE(without_memory_the_last_slot_stays_free) {
    scene *s = new_scene(16, 8, 0);
    unsigned char item[ITEM_BYTES_MAX];
    fail_from = 0;
    for (uint32_t key = 1; key <= 2 * SVS__BINS_SLOTS_MIN; key++) {
        make_item(s, item, key, key);
        svs_ignore(svs__bins_put(&s->bins, item, svs__bins_hash(&s->bins, item)));
        assert_int_equal(svs__bins_entries(&s->bins),
                         key < SVS__BINS_SLOTS_MIN ? key : SVS__BINS_SLOTS_MIN - 1);
    }
    assert_null(svs__bins_find(&s->bins, item, svs__bins_hash(&s->bins, item)));
    fail_from = -1;
    free_scene(s);
}

int main(void) { return run_cases(NULL, NULL); }
