/* The eventcount: no wake-up is lost (worksteal.P2), and a thread that is about to sleep is woken,
 * too (worksteal.P3). A lost wake-up shows as a test that hangs. */
#include "worksteal/parking.h"
#include "../base/helpers.h"

typedef struct table {
    svs__parking parking[2]; /* of each of the two players */
    _Atomic(uint64_t) turn;  /* even: player 0's */
    _Atomic(uint32_t) seats;
    uint64_t rounds;
    uint64_t played; /* plain: handed over with the turn */
} table;

static void wait_for_turn(table *t, uint32_t me) {
    while (svs__load_acquire(&t->turn) % 2 != me) {
        uint32_t epoch = svs__parking_prepare(&t->parking[me]);
        if (svs__load_relaxed(&t->turn) % 2 == me) svs__parking_cancel(&t->parking[me]);
        else svs__parking_commit(&t->parking[me], epoch);
    }
}

static void *play(void *argument) {
    table *t = argument;
    uint32_t me = svs__fetch_add_relaxed(&t->seats, 1);
    for (uint64_t i = 0; i < t->rounds; i++) {
        wait_for_turn(t, me);
        t->played++;
        /* A plain store: a read-modify-write would be a fence by itself on some machines. */
        svs__store_release(&t->turn, svs__load_relaxed(&t->turn) + 1);
        svs__parking_wake(&t->parking[1 - me], 1);
    }
    return NULL;
}

TEST_CASE(ping_pong_loses_no_wake_up) {
    table t = {0};
    t.rounds = scaled(100000, 1000);
    team_run(2, play, &t);
    assert_int_equal(t.played, 2 * t.rounds);
    assert_int_equal(t.parking[0].sleepers, 0);
    assert_int_equal(t.parking[1].sleepers, 0);
}

/* Producers add units of work and wake one sleeper for each; consumers take them and sleep when
 * there are none. */
typedef struct market {
    svs__parking parking;
    _Atomic(uint64_t) stock;
    _Atomic(uint64_t) taken, made;
    _Atomic(uint32_t) seats, closed;
    uint64_t units;
} market;

static bool take(market *m) {
    uint64_t stock = svs__load_acquire(&m->stock);
    while (stock != 0)
        if (svs__cas_weak_acquire(&m->stock, &stock, stock - 1)) return true;
    return false;
}

static void consume(market *m) {
    for (;;) {
        uint32_t epoch;
        if (take(m)) {
            (void)svs__fetch_add_relaxed(&m->taken, 1);
            continue;
        }
        epoch = svs__parking_prepare(&m->parking);
        if (svs__load_relaxed(&m->stock) != 0) svs__parking_cancel(&m->parking);
        else if (svs__load_relaxed(&m->closed)) {
            svs__parking_cancel(&m->parking);
            return;
        } else svs__parking_commit(&m->parking, epoch);
    }
}

static void produce(market *m) {
    for (uint64_t i = 0; i < m->units; i++) {
        (void)svs__fetch_add_release(&m->stock, 1);
        svs__parking_wake(&m->parking, 1);
        if (i % 64 == 0) svs__yield();
    }
    if (svs__fetch_add_acq_rel(&m->made, 1) != 1) return;
    /* The last producer closes when all is sold: one missed wake-up among the consumers, and it
     * never is. */
    while (svs__load_acquire(&m->stock) != 0) svs__yield();
    svs__store_release(&m->closed, 1);
    svs__parking_wake(&m->parking, UINT32_MAX);
}

static void *trade(void *argument) {
    market *m = argument;
    if (svs__fetch_add_relaxed(&m->seats, 1) < 2) produce(m);
    else consume(m);
    return NULL;
}

/* Both begin a round together, and so meet in the moment that worksteal.P2 is about: one announces
 * itself while the other looks for sleepers. */
typedef struct duel {
    svs__parking parking;
    _Atomic(uint64_t) made, arrived;
    uint64_t rounds;
} duel;

static void begin_round(duel *d, uint64_t round) {
    (void)svs__fetch_add_acq_rel(&d->arrived, 1);
    for (uint32_t tries = 0; svs__load_acquire(&d->arrived) < 2 * round; tries++) {
        if (tries > 1000) svs__yield();
        else svs__relax();
    }
}

static void *make(void *argument) {
    duel *d = argument;
    for (uint64_t i = 1; i <= d->rounds; i++) {
        begin_round(d, i);
        for (uint32_t k = 0; k < i % 32; k++) svs__store_relaxed(&d->made, i - 1);
        svs__store_relaxed(&d->made, i);
        svs__parking_wake(&d->parking, 1);
    }
    return NULL;
}

TEST_CASE(a_wake_up_that_meets_a_sleeper_on_its_way_counts) {
    duel d = {0};
    svs__thread thread;
    d.rounds = scaled(150000, 2000);
    assert_int_equal(svs__thread_create(&thread, make, &d, 0), SVS_OK);
    for (uint64_t i = 1; i <= d.rounds; i++) {
        begin_round(&d, i);
        while (svs__load_relaxed(&d.made) < i) {
            uint32_t epoch = svs__parking_prepare(&d.parking);
            if (svs__load_relaxed(&d.made) >= i) svs__parking_cancel(&d.parking);
            else svs__parking_commit(&d.parking, epoch);
        }
    }
    svs__thread_join(&thread);
    assert_int_equal(d.parking.sleepers, 0);
}

TEST_CASE(every_unit_finds_a_waking_taker) {
    market m = {0};
    m.units = scaled(100000, 1000);
    team_run(6, trade, &m);
    assert_int_equal(m.taken, 2 * m.units);
    assert_int_equal(m.stock, 0);
    assert_int_equal(m.parking.sleepers, 0);
}

TEST_CASE(a_wake_up_between_prepare_and_commit_counts) {
    svs__parking parking = {0};
    uint32_t epoch;
    epoch = svs__parking_prepare(&parking);
    svs__parking_wake(&parking, 1);
    svs__parking_commit(&parking, epoch); /* returns at once */
    assert_int_equal(parking.sleepers, 0);
}

TEST_CASE(a_wake_up_without_sleepers_writes_nothing) {
    svs__parking parking = {0};
    svs__parking_wake(&parking, 1);
    assert_int_equal(parking.epoch, 0);
    svs__parking_cancel((svs__parking_prepare(&parking), &parking));
    svs__parking_wake(&parking, 1);
    assert_int_equal(parking.epoch, 0);
}

int main(void) { return run_cases(NULL, NULL); }
