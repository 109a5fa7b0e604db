/* Replace this: transfers between accounts, once with a lock per account and once as a task.
 *
 * The locked function takes two locks in the order of their addresses, since another order can
 * deadlock. The task declares the accounts that it writes, and needs no lock. */
#include "compare.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { ACCOUNTS = 1000, TRANSFERS = 50000, CHECKSUM_ROUNDS = 300 };

typedef struct account {
    pthread_mutex_t lock; /* unused by the task */
    long balance;
    uint64_t seals; /* sum over all transfers */
} account;

typedef struct bank {
    account accounts[ACCOUNTS];
    struct {
        unsigned from, to;
    } transfers[TRANSFERS];
} bank;

/* The work itself, called by both versions. */
static void move(account *from, account *to, long amount) {
    uint64_t seal = (uint64_t)amount;
    int i;
    for (i = 0; i < CHECKSUM_ROUNDS; i++)
        seal = seal * UINT64_C(6364136223846793005) + 1442695040888963407u;
    from->balance -= amount;
    to->balance += amount;
    from->seals += seal; /* sums do not depend on the order of transfers */
    to->seals += seal;
}

static long amount_of(size_t number) { return (long)(number % 97); }

/* ---- with locks ---- */

static void transfer_locked(void *data, size_t number) {
    bank *b = data;
    account *from = &b->accounts[b->transfers[number].from];
    account *to = &b->accounts[b->transfers[number].to];
    pthread_mutex_lock(from < to ? &from->lock : &to->lock);
    pthread_mutex_lock(from < to ? &to->lock : &from->lock);
    move(from, to, amount_of(number));
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_unlock(&to->lock);
}

/* ---- with SvS ---- */

typedef struct transfer {
    account *from, *to;
    long amount;
} transfer;

static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}
static svs_status transfer_run(svs_context *x, transfer *t) {
    (void)x;
    move(t->from, t->to, t->amount);
    return SVS_OK;
}
SVS_TASK(transfer, transfer_run, transfer_touch)

static void transfer_item(void *data, size_t number, void *item) {
    bank *b = data;
    transfer *t = item;
    t->from = &b->accounts[b->transfers[number].from];
    t->to = &b->accounts[b->transfers[number].to];
    t->amount = amount_of(number);
}

/* ---- the data ---- */

static void *bank_make(void) {
    bank *b = calloc(1, sizeof *b);
    uint32_t random = 1;
    size_t i;
    if (!b) return NULL;
    for (i = 0; i < ACCOUNTS; i++) pthread_mutex_init(&b->accounts[i].lock, NULL);
    for (i = 0; i < TRANSFERS; i++) {
        random = random * 1664525u + 1013904223u;
        b->transfers[i].from = (random >> 8) % ACCOUNTS;
        b->transfers[i].to =
            (b->transfers[i].from + 1 + (random >> 20) % (ACCOUNTS - 1)) % ACCOUNTS;
    }
    return b;
}

static void bank_release(void *data) {
    bank *b = data;
    size_t i;
    for (i = 0; i < ACCOUNTS; i++) pthread_mutex_destroy(&b->accounts[i].lock);
    free(b);
}

static int bank_agree(const void *after_locked, const void *after_svs) {
    const bank *a = after_locked, *b = after_svs;
    size_t i;
    for (i = 0; i < ACCOUNTS; i++)
        if (a->accounts[i].balance != b->accounts[i].balance ||
            a->accounts[i].seals != b->accounts[i].seals)
            return 0;
    return 1;
}

const compare_case yours = {"transfers",    TRANSFERS,     64,
                            bank_make,      bank_release,  transfer_locked,
                            &transfer_task, transfer_item, bank_agree};
