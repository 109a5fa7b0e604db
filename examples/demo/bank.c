/* Shows: one program without protection, with one lock, with a lock an account, and with SvS.
 * Run:    ./dev demo
 * Expect: a table of money lost, times, and the lines below that are marked as an engine's.
 *
 * A transfer reads up to eight accounts, checks what it has read for some microseconds, and writes
 * them. Which accounts these are depends on links that other transfers change. */
#include "bank.h"
#include <stdatomic.h>
#include <string.h>
#include <time.h>

SVS_TYPE_DEFINE(account, svs, cover) /* SvS */

static bank *the_bank;

double microseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* ---- what all engines do ---- */

typedef struct members {
    account *of[MEMBERS]; /* each once */
    unsigned payers, count;
} members;

static void add_chain(members *m, account *a) {
    for (int hop = 0; hop < CHAIN && a != NULL; hop++) {
        unsigned i = 0;
        while (i < m->count && m->of[i] != a) i++;
        if (i == m->count) m->of[m->count++] = a;
        a = __atomic_load_n(&a->cover, __ATOMIC_RELAXED);
    }
}

static members members_of(const transfer *t) {
    members m = {.count = 0};
    add_chain(&m, t->from);
    m.payers = m.count;
    add_chain(&m, t->to);
    return m;
}

static unsigned long check(const long *cents) {
    unsigned long seal = 0;
    for (int i = 0; i < the_bank->rounds; i++)
        seal = (seal ^ (unsigned long)cents[i % MEMBERS]) * 0x9E3779B97F4A7C15ul;
    return seal;
}

/* Reads the accounts, checks, writes them. */
static void pay(const transfer *t, const members *m) {
    long cents[MEMBERS] = {0}, paid = 0;
    for (unsigned i = 0; i < m->count; i++) cents[i] = m->of[i]->cents;
    if (check(cents) == 1) return; /* refused */
    for (unsigned i = 0; i < m->payers; i++) {
        long part = cents[i] < t->cents - paid ? cents[i] : t->cents - paid;
        cents[i] -= part;
        paid += part;
    }
    cents[m->count - 1] += paid;
    for (unsigned i = 0; i < m->count; i++) m->of[i]->cents = cents[i];
}

static void remember(const transfer *t, const members *m, double begin, unsigned worker) {
    span *s;
    if (the_bank->spans == NULL) return;
    s = &the_bank->spans[t->number];
    *s = (span){begin, microseconds(), worker, m->count, {NULL}};
    memcpy(s->members, m->of, sizeof s->members);
}

static void change_cover(const transfer *t) {
    if (t->new_cover != NULL) __atomic_store_n(&t->from->cover, t->new_cover, __ATOMIC_RELAXED);
}

/* ---- no protection ---- */

static void unprotected(const transfer *t) {
    members m = members_of(t);
    pay(t, &m);
    change_cover(t);
}

/* ---- one lock ---- */

static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER; /* one lock */

static void with_one_lock(const transfer *t) {
    pthread_mutex_lock(&the_lock); /* one lock */
    unprotected(t);
    pthread_mutex_unlock(&the_lock); /* one lock */
}

/* ---- a lock an account: in the order of addresses, again when a link has changed ---- */

static members sorted(members m) {               /* locks */
    for (unsigned i = 1; i < m.count; i++) {     /* locks */
        account *a = m.of[i];                    /* locks */
        unsigned at = i;                         /* locks */
        for (; at > 0 && m.of[at - 1] > a; at--) /* locks */
            m.of[at] = m.of[at - 1];             /* locks */
        m.of[at] = a;                            /* locks */
    }                                            /* locks */
    return m;                                    /* locks */
} /* locks */
static void unlock(const members *m) {             /* locks */
    for (unsigned i = m->count; i > 0; i--)        /* locks */
        pthread_mutex_unlock(&m->of[i - 1]->lock); /* locks */
} /* locks */
static members lock(const transfer *t) {            /* locks */
    for (;;) {                                      /* locks */
        members m = members_of(t), again;           /* locks */
        m = sorted(m);                              /* locks */
        for (unsigned i = 0; i < m.count; i++)      /* locks */
            pthread_mutex_lock(&m.of[i]->lock);     /* locks */
        again = sorted(members_of(t));              /* locks */
        if (again.count == m.count &&               /* locks */
            !memcmp(again.of, m.of, sizeof m.of)) { /* locks */
            return m;                               /* locks */
        }                                           /* locks */
        unlock(&m);                                 /* locks */
    }                                               /* locks */
} /* locks */

static void with_locks(const transfer *t) {
    members locked = lock(t); /* locks */
    unprotected(t);
    unlock(&locked); /* locks */
}

/* ---- SvS ---- */

/* An instance writes both accounts and those within CHAIN - 1 links of them. */
static void transfer_touch(svs_footprint *f, const transfer *t) { /* SvS */
    svs_writes_hops(f, &t->from->svs, CHAIN - 1);                 /* SvS */
    if (the_bank->forgets) return;              /* ./dev demo takes the next line out */
    svs_writes_hops(f, &t->to->svs, CHAIN - 1); /* SvS */
} /* SvS */

static svs_status transfer_run(svs_context *x, transfer *t) { /* SvS */
    double begin = the_bank->spans != NULL ? microseconds() : 0;
    members m = members_of(t);
    (void)x;
    pay(t, &m);
    remember(t, &m, begin, svs_worker_index());
    return t->new_cover ? svs_link(t->from, cover, t->new_cover) : SVS_OK; /* SvS */
} /* SvS */
SVS_TASK(transfer, transfer_run, transfer_touch) /* SvS */

/* ---- threads of the engines with locks ---- */

static _Atomic(int) next;
static void (*run_one)(const transfer *);

static void *work(void *unused) {
    (void)unused;
    for (;;) {
        int from = atomic_fetch_add(&next, 64), i = from;
        for (; i < from + 64 && i < the_bank->count; i++) run_one(&the_bank->transfers[i]);
        if (i < from + 64) return NULL;
    }
}

static void run_threads(int threads, void (*run)(const transfer *)) {
    pthread_t others[64];
    int made = 0;
    next = 0;
    run_one = run;
    while (made < threads - 1 && made < 64 && !pthread_create(&others[made], NULL, work, NULL))
        made++;
    work(NULL);
    while (made > 0) pthread_join(others[--made], NULL);
}

svs_status bank_run(bank *b, engine e) {
    static void (*const runs[])(const transfer *) = {unprotected, unprotected, with_one_lock,
                                                     with_locks};
    the_bank = b;
    if (e == SVS)
        return svs_for_each(b->world, &transfer_task, b->transfers, (size_t)b->count); /* SvS */
    run_threads(e == SERIAL ? 1 : b->threads, runs[e]);
    return SVS_OK;
}
