/* Deferred records in their buckets (sched.Q1 to sched.Q4). */
#include "sched/domain/deferred/pending.h"
#include "memobj/world.h"
#include "unit/face/support.h"

#define RECORDS 6u

static struct {
    support s;
    svs__pending pending;
    svs__record records[RECORDS];
} t;

static const svs__conflict met = {0x80000000u, SVS_MODE_WRITE, SVS__MET_CELL, false};

static void open_pending(void) {
    support_open(&t.s, 1);
    memset(&t.pending, 0, sizeof t.pending);
    svs__pending_init(&t.pending);
    svs__store_relaxed(&t.pending.count,
                       SVS__RECORDS_FEW + 1); /* as many buckets as there may be */
    svs__pending_fit(&t.pending, t.s.world);
    svs__store_relaxed(&t.pending.count, 0);
    memset(t.records, 0, sizeof t.records);
}

static void close_pending(void) {
    svs__pending_clean_up(&t.pending, t.s.world);
    support_close(&t.s);
}

/* The bucket has these records, in this order. */
static void expect(const uint32_t *numbers, uint32_t count) {
    uint32_t bucket = svs__pending_bucket(&t.pending, met.key);
    assert_true(svs__pending_is_valid(&t.pending));
    for (uint32_t i = 0; i < count; i++)
        assert_ptr_equal(svs__pending_take(&t.pending, bucket), &t.records[numbers[i]]);
    assert_null(svs__pending_take(&t.pending, bucket));
    assert_true(svs__pending_is_valid(&t.pending));
    assert_int_equal(svs__load_relaxed(&t.pending.count), 0);
}

static void put_all(void) {
    for (uint32_t i = 0; i < RECORDS; i++) {
        svs__conflict c = met;
        c.single = i % 2 != 0;
        svs__pending_put(&t.pending, &t.records[i], &c, false);
    }
    assert_int_equal(t.pending.sets, RECORDS / 2);
}

TEST_CASE(a_record_is_taken_out_wherever_it_stands) {
    static const uint32_t rest[] = {1, 4};
    open_pending();
    put_all();
    svs__pending_take_out(&t.pending, &t.records[0]); /* first */
    svs__pending_take_out(&t.pending, &t.records[3]); /* between, single */
    svs__pending_take_out(&t.pending, &t.records[2]); /* between */
    svs__pending_take_out(&t.pending, &t.records[5]); /* last */
    assert_int_equal(t.pending.sets, 1);
    expect(rest, 2);
    close_pending();
}

TEST_CASE(a_record_that_comes_back_stands_in_front) {
    static const uint32_t order[] = {2, 0, 1};
    open_pending();
    svs__pending_put(&t.pending, &t.records[0], &met, true);
    svs__pending_put(&t.pending, &t.records[1], &met, false);
    svs__pending_put(&t.pending, &t.records[2], &met, true);
    expect(order, 3);
    close_pending();
}

/* Many waiting records are spread over more buckets; each bucket keeps its order. */
TEST_CASE(many_records_have_more_buckets) {
    enum { MANY = 300 };
    static svs__record records[MANY];
    uint32_t seen = 0;
    support_open(&t.s, 1);
    memset(records, 0, sizeof records);
    svs__pending_init(&t.pending);
    svs__pending_fit(&t.pending, t.s.world);
    assert_int_equal(t.pending.bits, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        svs__conflict c = {i % 3 << 30, SVS_MODE_WRITE, SVS__MET_CELL, i % 2 != 0};
        svs__pending_put(&t.pending, &records[i], &c, false);
        records[i].item = &records[i];
        assert_true(svs__pending_is_valid(&t.pending));
        if (i % 10 == 9) svs__pending_fit(&t.pending, t.s.world);
    }
    assert_int_equal(t.pending.bits, SVS__BUCKET_BITS_MAX);
    assert_true(svs__pending_is_valid(&t.pending));
    for (uint32_t b = svs__pending_next(&t.pending, 0); b != UINT32_MAX;
         b = svs__pending_next(&t.pending, b + 1))
        for (uint64_t order = b >> (SVS__BUCKET_BITS_MAX - 2); order < MANY; order += 3, seen++)
            assert_ptr_equal(svs__record_item(svs__pending_take(&t.pending, b)), &records[order]);
    assert_int_equal(seen, MANY);
    close_pending();
}

/* Without memory for more buckets, all share the one there is. */
TEST_CASE(without_memory_all_wait_in_one_bucket) {
    support_open(&t.s, 1);
    memset(t.records, 0, sizeof t.records);
    svs__pending_init(&t.pending);
    put_all();
    atomic_store(&t.s.memory.fail_at, atomic_load(&t.s.memory.calls) + 1);
    svs__pending_fit(&t.pending, t.s.world);
    assert_int_equal(t.pending.bits, 0);
    for (uint32_t i = 0; i < RECORDS; i++)
        assert_ptr_equal(svs__pending_take(&t.pending, 0), &t.records[i]);
    assert_int_equal(svs__pending_next(&t.pending, 0), UINT32_MAX);
    close_pending();
}

TEST_CASE(a_single_record_that_waits_long_is_single_no_more) {
    svs__conflict c = met;
    open_pending();
    c.single = true;
    svs__pending_put(&t.pending, &t.records[0], &c, false);
    for (uint32_t i = 0; i < SVS__TRIES_BEFORE_RESERVING; i++) {
        svs__pending_tire(&t.pending, &t.records[0], true);
        assert_true(svs__record_is_single(&t.records[0]));
    }
    for (uint32_t i = 0; i < UINT8_MAX; i++) svs__pending_tire(&t.pending, &t.records[0], false);
    assert_true(svs__record_is_single(&t.records[0])); /* another record has the reservation */
    assert_int_equal(t.records[0].tries, UINT8_MAX);
    svs__pending_tire(&t.pending, &t.records[0], true);
    assert_false(svs__record_is_single(&t.records[0]));
    assert_int_equal(t.pending.sets, 1);
    assert_true(svs__pending_is_valid(&t.pending));
    close_pending();
}

static const svs__element elements[SVS__NOTE_ELEMENTS + 1] = {{1, SVS_MODE_READ},
                                                              {2, SVS_MODE_WRITE}};

static bool note(uint32_t number, uint32_t count) {
    t.records[number].note = svs__note_keep(&t.pending.notes, t.s.world, elements, count);
    return t.records[number].note != 0;
}

/* A record with a note is known, moves with it between buckets, and drops it when it is taken. */
TEST_CASE(a_note_is_kept_from_bucket_to_bucket) {
    svs__conflict other = {0x10000000u, SVS_MODE_READ, SVS__MET_BIT, false};
    uint32_t from, to;
    const svs__note *kept;
    uint16_t number;
    open_pending();
    from = svs__pending_bucket(&t.pending, met.key);
    to = svs__pending_bucket(&t.pending, other.key);
    assert_false(note(0, 0));
    assert_false(note(0, SVS__NOTE_ELEMENTS + 1));
    assert_true(note(0, 2));
    number = t.records[0].note;
    svs__pending_put(&t.pending, &t.records[0], &met, false);
    svs__pending_put(&t.pending, &t.records[1], &met, false);
    assert_int_equal(t.pending.sets, 1);
    assert_true(svs__record_is_known(&t.records[0]));
    svs__pending_move(&t.pending, from, &other);
    assert_true(svs__pending_is_valid(&t.pending));
    assert_ptr_equal(svs__pending_first(&t.pending, from), &t.records[1]);
    assert_ptr_equal(svs__pending_first(&t.pending, to), &t.records[0]);
    assert_int_equal(svs__record_conflict(&t.records[0]).met, SVS__MET_BIT);
    assert_int_equal(svs__record_conflict(&t.records[0]).mode, SVS_MODE_READ);
    assert_int_equal(t.records[0].note, number);
    kept = svs__note_of(&t.pending.notes, number);
    assert_int_equal(kept->count, 2);
    assert_memory_equal(kept->elements, elements, 2 * sizeof *elements);
    assert_ptr_equal(svs__pending_take(&t.pending, to), &t.records[0]);
    assert_int_equal(t.records[0].note, 0);
    assert_true(note(2, 1));
    assert_int_equal(t.records[2].note, number); /* it came back */
    svs__pending_put(&t.pending, &t.records[2], &met, false);
    assert_true(svs__pending_is_valid(&t.pending));
    svs__pending_forget(&t.pending, &t.records[2]);
    assert_false(svs__record_is_known(&t.records[2]));
    assert_int_equal(t.pending.sets, 2);
    assert_true(svs__pending_is_valid(&t.pending));
    close_pending();
}

static void *no_memory(size_t size, size_t alignment, uint32_t worker, void *argument) {
    return NULL;
}

/* A record without a note has its set built again. */
TEST_CASE(without_memory_nothing_is_noted) {
    svs_allocator none = {0};
    const svs_allocator *own;
    open_pending();
    own = t.s.world->allocator;
    none.allocate = no_memory;
    t.s.world->allocator = &none;
    assert_false(note(0, 1));
    t.s.world->allocator = own;
    assert_true(note(0, 1));
    close_pending();
}

/* As many as a record can name; a record without one has its set built again. */
TEST_CASE(notes_are_bounded) {
    open_pending();
    for (uint32_t i = 1; i <= SVS__NOTES_MAX; i++)
        assert_int_equal(svs__note_keep(&t.pending.notes, t.s.world, elements, 1), i);
    assert_false(note(0, 1));
    svs__note_drop(&t.pending.notes, 7);
    svs__note_drop(&t.pending.notes, SVS__NOTES_MAX);
    assert_true(note(0, 1));
    assert_int_equal(t.records[0].note, SVS__NOTES_MAX);
    assert_true(note(1, 1));
    assert_int_equal(t.records[1].note, 7);
    assert_false(note(2, 1));
    close_pending();
}

/* svs__pending_is_valid() finds each broken invariant. */
TEST_CASE(a_broken_invariant_is_seen) {
    uint32_t bucket;
    open_pending();
    bucket = svs__pending_bucket(&t.pending, met.key);
    put_all();
    assert_true(svs__pending_is_valid(&t.pending));
    t.pending.sets++; /* sched.Q3 */
    assert_false(svs__pending_is_valid(&t.pending));
    t.pending.sets--;
    t.records[1].blocked_key = 0; /* sched.Q1: another's bucket */
    assert_false(svs__pending_is_valid(&t.pending));
    t.records[1].blocked_key = met.key;
    t.pending.buckets[bucket].last = &t.records[1]; /* sched.Q2 */
    assert_false(svs__pending_is_valid(&t.pending));
    t.pending.buckets[bucket].last = &t.records[RECORDS - 1];
    t.pending.nonempty[bucket / 64] ^= UINT64_C(1) << bucket % 64; /* sched.Q1 */
    assert_false(svs__pending_is_valid(&t.pending));
    t.pending.nonempty[bucket / 64] ^= UINT64_C(1) << bucket % 64;
    svs__store_relaxed(&t.pending.count, 1);
    assert_false(svs__pending_is_valid(&t.pending));
    svs__store_relaxed(&t.pending.count, RECORDS);
    assert_true(note(1, 1)); /* sched.Q4: it is single */
    assert_false(svs__pending_is_valid(&t.pending));
    svs__note_drop(&t.pending.notes, t.records[1].note);
    t.records[1].note = 0;
    assert_true(svs__pending_is_valid(&t.pending));
    t.pending.notes.free = 0; /* sched.U1: no record has it */
    assert_false(svs__pending_is_valid(&t.pending));
    t.pending.notes.free = t.pending.notes.made;
    assert_true(svs__pending_is_valid(&t.pending));
    close_pending();
}

int main(void) { return run_cases(NULL, NULL); }
