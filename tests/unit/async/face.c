/* Async-finish as programs see it, compiled as C11 and as C++17, by each compiler, at each level of
 * optimisation: nothing but the public headers. Typed functions above all. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/async.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* One to fifteen parameters, of every size. */
typedef struct pair {
    char c;
    double d;
} pair;

SVS_ASYNC_FUNCTION(long, sum_1, (signed char, a)) { return a; }
SVS_ASYNC_FUNCTION(long, sum_2, (signed char, a), (long, b)) { return a + 2 * b; }
SVS_ASYNC_FUNCTION(long, sum_3, (short, a), (const long *, b), (signed char, c)) {
    return a + 2 * *b + 3 * c;
}
SVS_ASYNC_FUNCTION(double, sum_4, (float, a), (double, b), (pair, c), (int, d)) {
    return a + 2 * b + 3 * (c.c + c.d) + 4 * d;
}
SVS_ASYNC_FUNCTION(int, sum_5, (int, a), (int, b), (int, c), (int, d), (int, e)) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e;
}
SVS_ASYNC_FUNCTION(pair, sum_6, (char, a), (char, b), (char, c), (char, d), (char, e), (char, f)) {
    pair p;
    p.c = (char)(a + b + c);
    p.d = d + e + f;
    return p;
}
SVS_ASYNC_FUNCTION(long, sum_10, (long, a), (long, b), (long, c), (long, d), (long, e), (long, f),
                   (long, g), (long, h), (long, i), (long, j)) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
SVS_ASYNC_VOID(sum_15, (long *, to), (int, b), (int, c), (int, d), (int, e), (int, f), (int, g),
               (int, h), (int, i), (int, j), (int, k), (int, l), (int, m), (int, n), (long, o)) {
    *to = 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l +
          13 * m + 14 * n + 15 * o;
}
/* As much as fits. */
typedef struct full {
    unsigned char bytes[SVS_ASYNC_INLINE_BYTES];
} full;
SVS_ASYNC_FUNCTION(long, sum_full, (full, f)) {
    long sum = 0;
    for (int i = 0; i < SVS_ASYNC_INLINE_BYTES; i++) sum += f.bytes[i];
    return sum;
}

SVS_ASYNC_VOID(call_all, (int, rounds)) {
    long two = 2;
    pair p;
    full f;
    p.c = 3;
    p.d = 4;
    memset(&f, 2, sizeof f);
    for (int i = 0; i < rounds; i++) {
        long r1 = 0, r2 = 0, r3 = 0, r10 = 0, r15 = 0, rf = 0;
        double r4 = 0;
        int r5 = 0;
        pair r6;
        SVS_ASYNC_TO(r1, sum_1, -1);
        SVS_ASYNC_TO(r2, sum_2, 1, 1000000000000);
        SVS_ASYNC_TO(r3, sum_3, 1, &two, 3);
        SVS_ASYNC_TO(r4, sum_4, 1.0f, 2.0, p, 4);
        SVS_ASYNC_TO(r5, sum_5, 1, 2, 3, 4, 5);
        SVS_ASYNC_TO(r6, sum_6, 1, 2, 3, 4, 5, 6);
        SVS_ASYNC_TO(r10, sum_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        SVS_ASYNC(sum_15, &r15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        SVS_ASYNC_TO(rf, sum_full, f);
        SVS_SYNC(sum_full);
        CHECK(r1 == -1 && r2 == 2000000000001 && r3 == 14 && r4 == 42 && r5 == 55);
        CHECK(r6.c == 6 && r6.d == 15 && r10 == 385 && r15 == 1239 && rf == 192);
        CHECK(SVS_CALL(sum_1, 7) == 7 && SVS_CALL(sum_2, 1, 1) == 3);
        CHECK(SVS_CALL(sum_10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 55);
        SVS_CALL(sum_15, &r15, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        CHECK(r15 == 119 && SVS_CALL(sum_full, f) == 192);
    }
}

SVS_ASYNC_FUNCTION(long, fib, (int, n)) {
    long a, b;
    if (n < 2) return n;
    SVS_ASYNC_TO(a, fib, n - 1);
    b = SVS_CALL(fib, n - 2);
    SVS_SYNC(fib);
    return a + b;
}

/* Functions that call each other, and wait by another's name. */
SVS_ASYNC_DECLARE(long, evens, (int, n), (long, weight))
SVS_ASYNC_DECLARE(long, odds, (int, n), (long, weight))
SVS_ASYNC_DEFINE(long, evens, (int, n), (long, weight)) {
    long a, b;
    if (n <= 0) return weight;
    SVS_ASYNC_TO(a, odds, n - 1, weight + 1);
    SVS_ASYNC_TO(b, evens, n - 2, weight + 2);
    SVS_SYNC(odds);
    return a + b;
}
SVS_ASYNC_DEFINE(long, odds, (int, n), (long, weight)) {
    long a, b;
    if (n <= 0) return 2 * weight;
    SVS_ASYNC_TO(a, evens, n - 1, weight + 3);
    b = SVS_CALL(odds, n - 2, weight + 4);
    SVS_SYNC(evens);
    return a + b;
}
static long serial_odds(int n, long weight);
static long serial_evens(int n, long weight) {
    return n <= 0 ? weight : serial_odds(n - 1, weight + 1) + serial_evens(n - 2, weight + 2);
}
static long serial_odds(int n, long weight) {
    return n <= 0 ? 2 * weight : serial_evens(n - 1, weight + 3) + serial_odds(n - 2, weight + 4);
}

/* A child and its spawner meet: each goes on only when the other has come, so that they are on two
 * workers; unless the child was called in place. The one that waits spawns over and over, as a
 * worker looks for steal requests when it spawns. */
typedef struct meeting {
    svs_async_context *spawner;
    int apart, child_came, spawner_came;
} meeting;

static int has(const int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static void set(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

static void nothing(svs_async_context *async, void *argument) {
    (void)async;
    (void)argument;
}
static void spawn_nothing(svs_async_context *async, void *argument) {
    int none = 0;
    (void)argument;
    svs_async(async, nothing, &none, sizeof none);
}

static void wait_for(svs_async_context *async, const int *flag) {
    while (!has(flag)) {
        sched_yield();
        svs_finish(async, spawn_nothing, NULL);
    }
}

static void come_as_child(svs_async_context *async, meeting *m) {
    set(&m->child_came);
    if (m->apart && async != m->spawner) wait_for(async, &m->spawner_came);
}
static void come_as_spawner(meeting *m) {
    set(&m->spawner_came);
    if (m->apart) wait_for(m->spawner, &m->child_came);
}

static void come_generic(svs_async_context *async, void *argument) {
    come_as_child(async, *(meeting **)argument);
}
SVS_ASYNC_FUNCTION(int, come_typed, (meeting *, m)) {
    come_as_child(SVS_ASYNC_CONTEXT(), m);
    return 1;
}

static meeting meeting_of(svs_async_context *async, int apart) {
    meeting m;
    m.spawner = async;
    m.apart = apart;
    m.child_came = m.spawner_came = 0;
    return m;
}

/* The last child in the serial order; it takes a while. */
static void mark_late(svs_async_context *async, void *argument) {
    int *mark = *(int **)argument;
    (void)async;
    for (int i = 0; i < 20; i++) sched_yield();
    ++*mark;
}

/* Generic asyncs and finishes in a typed function are its own: its sync waits for them. */
SVS_ASYNC_FUNCTION(int, mixed, (int, apart), (int, steps)) {
    int late[4] = {0, 0, 0, 0}, typed = 0;
    int *to[4];
    meeting one = meeting_of(SVS_ASYNC_CONTEXT(), apart),
            two = meeting_of(SVS_ASYNC_CONTEXT(), apart);
    meeting *second = &two;
    for (int i = 0; i < 4; i++) to[i] = &late[i];
    if (steps & 1) {
        SVS_ASYNC_TO(typed, come_typed, &one);
        come_as_spawner(&one);
    }
    svs_async(SVS_ASYNC_CONTEXT(), mark_late, &to[0], sizeof to[0]);
    if (steps & 2) {
        svs_async(SVS_ASYNC_CONTEXT(), come_generic, &second, sizeof second);
        come_as_spawner(&two);
    }
    svs_finish(SVS_ASYNC_CONTEXT(), mark_late, &to[1]);
    CHECK(late[1] == 1);
    svs_async(SVS_ASYNC_CONTEXT(), mark_late, &to[2], sizeof to[2]);
    SVS_SYNC(come_typed);
    CHECK(late[0] == 1 && late[2] == 1 && typed == (steps & 1));
    svs_async(SVS_ASYNC_CONTEXT(), mark_late, &to[3], sizeof to[3]);
    SVS_SYNC(mixed);
    CHECK(late[3] == 1);
    return 1;
}

SVS_ASYNC_VOID(count_up, (long *, count), (int, depth)) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3 && depth > 0; i++) SVS_ASYNC(count_up, count, depth - 1);
} /* a return waits */

static void leave_mark(svs_async_context *async, void *argument) {
    long *mark = *(long **)argument;
    (void)async;
    __atomic_fetch_add(mark, 1000000, __ATOMIC_RELAXED);
}

/* Returns without a sync, after generic asyncs. */
SVS_ASYNC_FUNCTION(int, leave_early, (long *, count)) {
    SVS_ASYNC(count_up, count, 4);
    svs_async(SVS_ASYNC_CONTEXT(), leave_mark, &count, sizeof count);
    SVS_ASYNC(count_up, count, 4);
    return 3;
}

SVS_ASYNC_VOID(call_those_that_leave_early, (int, unused)) {
    long count = 0;
    CHECK(SVS_CALL(leave_early, &count) == 3);
    CHECK(count == 1000000 + 2 * 121);
    (void)unused;
}

typedef struct frame {
    int apart, steps;
    meeting before, after;
} frame;

/* From a generic body, with children of its own around. */
static void use_inside(svs_async_context *async, void *argument) {
    frame *f = (frame *)argument;
    meeting *before = &f->before, *after = &f->after;
    long count = 0;
    if (f->steps & 4) {
        svs_async(async, come_generic, &before, sizeof before);
        come_as_spawner(before);
    }
    CHECK(SVS_CALL_ON(async, mixed, f->apart, f->steps) == 1);
    if (f->steps & 8) {
        svs_async(async, come_generic, &after, sizeof after);
        come_as_spawner(after);
    }
    CHECK(SVS_CALL_ON(async, leave_early, &count) == 3 && count == 1000000 + 2 * 121);
    SVS_CALL_ON(async, call_those_that_leave_early, 0);
}

static void use_all(svs_async_context *async, void *argument) {
    frame f = *(frame *)argument;
    f.before = f.after = meeting_of(async, f.apart);
    svs_finish(async, use_inside, &f);
}

static void root(svs_async_context *async, void *argument) {
    uint32_t threads = *(uint32_t *)argument;
    frame f;
    memset(&f, 0, sizeof f);
    f.apart = threads > 1;
    SVS_CALL_ON(async, call_all, 50);
    CHECK(SVS_CALL_ON(async, fib, 20) == 6765);
    CHECK(SVS_CALL_ON(async, evens, 18, 1) == serial_evens(18, 1));
    CHECK(SVS_CALL_ON(async, odds, 18, 1) == serial_odds(18, 1));
    for (f.steps = 0; f.steps < 16; f.steps++) svs_finish(async, use_all, &f);
    f.apart = threads > 32; /* else waiting children might take up all workers */
    for (f.steps = 0; f.steps < 16; f.steps++) svs_async(async, use_all, &f, sizeof f);
}

static void run(uint32_t policy, uint32_t threads, int rounds) {
    svs_runtime_options options;
    svs_runtime *runtime = NULL;
    svs_runtime_options_init(&options);
    options.policy = policy;
    options.threads = threads;
    CHECK(!svs_runtime_new(&options, &runtime) && !svs_runtime_start(runtime));
    while (rounds-- > 0) CHECK(!svs_async_run(runtime, root, &threads));
    CHECK(!svs_runtime_free(runtime));
}

/* face [rounds [threads]] */
int main(int count, char **words) {
    static const uint32_t threads[] = {1, 2, 8, 64};
    const char *scale = getenv("SVS_TEST_SCALE");
    int rounds = 3, most = 64;
    if (scale && atoi(scale) < 10) rounds = 1, most = 8; /* each stack is dear */
    if (count > 1) rounds = atoi(words[1]);
    if (count > 2) most = atoi(words[2]);
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (int i = 0; i < 4; i++)
            if ((int)threads[i] <= most) run(policy, threads[i], rounds);
    return 0;
}
