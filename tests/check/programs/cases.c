#include "cases.h"
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned char bytes[64];
uint32_t words[16];
uint64_t wide[8];

/* A value that has to be read. */
static void keep(unsigned long value) {
    volatile unsigned long kept = value;
    (void)kept;
}

/* ---- no race: neighbours, at each width ---- */

static void left_half(svs_async_context *s, void *a) {
    bytes[3] = 1;
    words[4] = 1;
    *(uint16_t *)(void *)&bytes[16] = 1;
    wide[2] = 1;
}
static void right_half(svs_async_context *s, void *a) {
    bytes[4] = 2;
    words[5] = 2;
    *(uint16_t *)(void *)&bytes[18] = 2;
    wide[3] = 2;
}
static void neighbours(svs_async_context *s, void *a) { spawn_two(s, left_half, right_half, a); }

/* ---- no race: a block's next life is another block ---- */

static void allocate_often(svs_async_context *s, void *a) {
    for (int i = 0; i < 200; i++) {
        unsigned char *block = malloc(40 + (size_t)(i & 1) * 100);
        if (block == NULL) abort();
        memset(block, i, 40);
        block = realloc(block, 300);
        if (block == NULL) abort();
        block[299] = 1;
        keep(block[7]);
        free(block);
    }
}
static void block_reuse(svs_async_context *s, void *a) {
    for (int i = 0; i < 8; i++) spawn_two(s, allocate_often, allocate_often, a);
}

/* ---- no race: each task has its own locals, wherever its stack lies ---- */

static void use_locals(svs_async_context *s, void *a) {
    unsigned char local[300];
    int depth = *(int *)a - 1;
    memset(local, depth, sizeof local);
    for (int i = 0; i < 2 && depth > 0; i++) svs_async(s, use_locals, &depth, sizeof depth);
    for (unsigned i = 0; i < sizeof local; i++) keep(local[i] == (unsigned char)depth);
}
static void stack_reuse(svs_async_context *s, void *a) {
    int depth = 7;
    svs_async(s, use_locals, &depth, sizeof depth);
}

/* ---- no race: a finish orders ---- */

static void write_all(svs_async_context *s, void *a) { memset(bytes, 1, sizeof bytes); }
static void spawn_write_all(svs_async_context *s, void *a) {
    svs_async(s, write_all, &a, sizeof a);
}
static void finish_orders(svs_async_context *s, void *a) {
    bytes[1] = 4;
    svs_finish(s, spawn_write_all, a);
    keep(bytes[1]);
    svs_async(s, write_all, &a, sizeof a);
}

/* ---- no race: typed functions, their arguments and results ---- */

SVS_ASYNC_FUNCTION(long, fib, (int, n)) {
    long x, y;
    if (n < 2) return n;
    SVS_ASYNC_TO(x, fib, n - 1);
    y = SVS_CALL(fib, n - 2);
    SVS_SYNC(fib);
    return x + y;
}
static void typed(svs_async_context *s, void *a) {
    if (SVS_CALL_ON(s, fib, 14) != 377) abort();
}

/* ---- a result that is read before it is there ---- */

static long hasty_sum;
SVS_ASYNC_FUNCTION(long, hasty, (int, n)) { /* [hasty_result.a] */
    long x = 0, y = 0;
    if (n == 0) return 1;
    SVS_ASYNC_TO(x, hasty, n - 1);
    y += x; /* [hasty_result.b] */
    SVS_SYNC(hasty);
    hasty_sum += y;
    return x;
}
static void hasty_result(svs_async_context *s, void *a) {
    keep((unsigned long)SVS_CALL_ON(s, hasty, 1));
}

/* ---- atomics do not race with each other; plain accesses beside them do ---- */

static _Atomic(uint32_t) counter;
static void count(svs_async_context *s, void *a) {
    uint32_t expected = 5;
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    atomic_compare_exchange_strong(&counter, &expected, 6);
    atomic_store(&counter, atomic_load(&counter) + 1);
}
static void atomics(svs_async_context *s, void *a) { spawn_two(s, count, count, a); }

static void count_plainly(svs_async_context *s, void *a) {
    *(volatile uint32_t *)(void *)&counter = 3; /* [atomic_plain.b] */
}
static void count_once(svs_async_context *s, void *a) {
    atomic_fetch_add(&counter, 1); /* [atomic_plain.a] */
}
static void atomic_plain(svs_async_context *s, void *a) {
    spawn_two(s, count_once, count_plainly, a);
}

static void look_plainly(svs_async_context *s, void *a) {
    (void)*(volatile uint32_t *)(void *)&counter; /* [atomic_read.b] */
}
static void count_again(svs_async_context *s, void *a) {
    atomic_store(&counter, 7); /* [atomic_read.a] */
}
static void atomic_read(svs_async_context *s, void *a) {
    spawn_two(s, count_again, look_plainly, a);
}

/* ---- a lock keeps accesses apart, and orders nothing ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long guarded;
static void add_locked(svs_async_context *s, void *a) {
    (void)pthread_mutex_lock(&lock);
    guarded++; /* [locked.a] */
    (void)pthread_mutex_unlock(&lock);
    (void)pthread_mutex_lock(&lock); /* the task has accessed something by now */
    (void)pthread_mutex_unlock(&lock);
}
static void locked(svs_async_context *s, void *a) { spawn_two(s, add_locked, add_locked, a); }

static void count_and_add(svs_async_context *s, void *a) {
    count_once(s, a);
    add_locked(s, a);
}
static void locked_too(svs_async_context *s, void *a) {
    spawn_two(s, count_and_add, count_and_add, a);
}

/* ---- one byte ---- */

static void byte_a(svs_async_context *s, void *a) { bytes[3] = 1; /* [same_byte.a] */ }
static void byte_b(svs_async_context *s, void *a) { bytes[3] = 2; /* [same_byte.b] */ }
static void same_byte(svs_async_context *s, void *a) { spawn_two(s, byte_a, byte_b, a); }

/* ---- a read of eight bytes, and a write of one in their midst ---- */

static void wide_a(svs_async_context *s, void *a) { keep(wide[1]); /* [wide_narrow.a] */ }
static void wide_b(svs_async_context *s, void *a) {
    ((unsigned char *)&wide[1])[5] = 1; /* [wide_narrow.b] */
}
static void wide_narrow(svs_async_context *s, void *a) { spawn_two(s, wide_a, wide_b, a); }

/* ---- unaligned, over the end of eight bytes ---- */

struct packed {
    char first;
    uint64_t number;
} __attribute__((packed));
struct packed odd;
static void unaligned_a(svs_async_context *s, void *a) { odd.number = 5; /* [unaligned.a] */ }
static void unaligned_b(svs_async_context *s, void *a) {
    keep(((unsigned char *)&odd)[8]); /* [unaligned.b] */
}
static void unaligned(svs_async_context *s, void *a) { spawn_two(s, unaligned_a, unaligned_b, a); }

/* ---- a parent's local, touched by both ---- */

static void touch_local(svs_async_context *s, void *a) {
    **(volatile int **)a = 5; /* [parents_local.a] */
}
static void touch_both(svs_async_context *s, void *a) {
    volatile int *local = a;
    svs_async(s, touch_local, &local, sizeof local);
    keep((unsigned long)*local); /* [parents_local.b] */
}
static void parents_local(svs_async_context *s, void *a) {
    volatile int local = 0;
    svs_finish(s, touch_both, (void *)&local);
}

/* ---- bit-fields of one unit are one location ---- */

struct bits {
    unsigned low : 3, high : 4;
    unsigned : 0;
    unsigned apart : 5;
} bits;
static void bits_a(svs_async_context *s, void *a) { bits.low = 1; /* [bit_fields.a] */ }
static void bits_b(svs_async_context *s, void *a) {
    bits.high = 1; /* [bit_fields.b] */
    bits.apart = 1;
}
static void bit_fields(svs_async_context *s, void *a) { spawn_two(s, bits_a, bits_b, a); }

/* ---- memory functions and copies ---- */

struct record {
    long a[5];
};
struct record source, target;
static void copy_constant(svs_async_context *s, void *a) {
    memcpy(&target, &source, sizeof target); /* [memcpy_constant.a] */
}
static void copy_field(svs_async_context *s, void *a) { target.a[3] = 1; /* [memcpy_constant.b] */ }
static void memcpy_constant(svs_async_context *s, void *a) {
    spawn_two(s, copy_constant, copy_field, a);
}

static void copy_struct(svs_async_context *s, void *a) { target = source; /* [struct_copy.a] */ }
static void write_source(svs_async_context *s, void *a) { source.a[4] = 1; /* [struct_copy.b] */ }
static void struct_copy(svs_async_context *s, void *a) {
    spawn_two(s, copy_struct, write_source, a);
}

char text[32] = "text";
static void set_text(svs_async_context *s, void *a) { strcpy(text, "longer"); /* [strings.a] */ }
static void get_text(svs_async_context *s, void *a) { keep(strlen(text)); /* [strings.b] */ }
static void strings(svs_async_context *s, void *a) { spawn_two(s, set_text, get_text, a); }

/* ---- loops that a compiler makes vectors of ---- */

enum { FLOATS = 1000 };
float floats[FLOATS];
static void scale(size_t from, size_t to) {
    for (size_t i = from; i < to; i++) floats[i] = floats[i] * 2.0f + 1.0f; /* [vectors.a] */
}
static void scale_low(svs_async_context *s, void *a) { scale(0, 510); }
static void scale_high(svs_async_context *s, void *a) { scale(500, FLOATS); }
static void vectors(svs_async_context *s, void *a) { spawn_two(s, scale_low, scale_high, a); }

static void scale_rest(svs_async_context *s, void *a) { scale(510, FLOATS); }
static void vectors_apart(svs_async_context *s, void *a) { spawn_two(s, scale_low, scale_rest, a); }

/* ---- the heap ---- */

static void use_block(svs_async_context *s, void *a) { ((long *)a)[2] = 1; /* [block.a] */ }
static void use_block_too(svs_async_context *s, void *a) { ((long *)a)[2] = 2; /* [block.b] */ }
static void block(svs_async_context *s, void *a) {
    long *shared = malloc(5 * sizeof *shared); /* [block.allocated] */
    if (shared == NULL) abort();
    spawn_two(s, use_block, use_block_too, shared); /* never freed */
}

static void free_block(svs_async_context *s, void *a) { free(a); /* [use_after_free.a] */ }
static void use_after(svs_async_context *s, void *a) {
    keep(*(volatile unsigned char *)a); /* [use_after_free.b] */
}
static void use_after_free(svs_async_context *s, void *a) {
    void *shared = malloc(100);
    if (shared == NULL) abort();
    memset(shared, 1, 100);
    spawn_two(s, use_after, free_block, shared);
}

/* The block that is read may be another one by then: it is allocated again at once, not used, and
 * kept. Which of the two is met depends on the schedule; that it is a race does not. */
static void *renewed;
static void renew_block(svs_async_context *s, void *a) {
    free(a), renewed = malloc(64); /* [use_after_free.c] */
}
static void use_after_renewal(svs_async_context *s, void *a) {
    void *shared = malloc(64);
    if (shared == NULL) abort();
    spawn_two(s, use_after, renew_block, shared);
}

/* ---- an async that escapes to the finish further out ---- */

static void escaped(svs_async_context *s, void *a) { words[1] = 1; /* [escape.a] */ }
static void spawn_escaped(svs_async_context *s, void *a) { svs_async(s, escaped, &a, sizeof a); }
static void escape(svs_async_context *s, void *a) {
    svs_async(s, spawn_escaped, &a, sizeof a);
    words[1] = 2; /* [escape.b] */
}

/* ---- accesses reported by hand, and accesses to ignore ---- */

static void told_a(svs_async_context *s, void *a) { svs_check_write(&words[8], 4); /* [told.a] */ }
static void told_b(svs_async_context *s, void *a) { svs_check_read(&words[8], 4); /* [told.b] */ }
static void told(svs_async_context *s, void *a) { spawn_two(s, told_a, told_b, a); }

static void ignored_a(svs_async_context *s, void *a) {
    svs_check_ignore_begin();
    words[9] = 1;
    svs_check_ignore_end();
}
static void ignored_b(svs_async_context *s, void *a) { words[9] = 2; }
static void ignored(svs_async_context *s, void *a) { spawn_two(s, ignored_a, ignored_b, a); }

static _Alignas(16) unsigned char pool[256];
static void own_allocator_use(svs_async_context *s, void *a) {
    static _Atomic(int) turn;
    while (atomic_exchange(&turn, 1) != 0) {}
    svs_check_alloc(pool, 64);
    pool[5] = 1;
    svs_check_free(pool, 64);
    atomic_store(&turn, 0);
}
static void own_allocator(svs_async_context *s, void *a) {
    spawn_two(s, own_allocator_use, own_allocator_use, a);
}

/* ---- ends that are no return from main ---- */

static void ends_by_exit(svs_async_context *s, void *a) {
    svs_finish(s, same_byte, a);
    exit(3);
}
/* Each worker that gets one, at once: the report is whole all the same. */
static void exit_now(svs_async_context *s, void *a) { exit(3); }
static void ends_by_exits(svs_async_context *s, void *a) {
    svs_finish(s, same_byte, a);
    for (int i = 0; i < 3; i++) svs_async(s, exit_now, &a, sizeof a);
}
static void ends_by_abort(svs_async_context *s, void *a) {
    svs_finish(s, same_byte, a);
    abort();
}
static void ends_by_assert(svs_async_context *s, void *a) {
    svs_finish(s, same_byte, a);
    assert(bytes[3] == 77);
}

/* In the midst of a step, by a loop with accesses that have not been compared yet. The one that
 * comes first writes, and the other one reads and ends the process. */
static uint32_t many[100];
static atomic_int claimed, written;

static void write_many(svs_async_context *s, void *a) {
    for (uint32_t i = 0; i < 100; i++) many[i] = i; /* [ends_in_loop.a] */
}
static bool reads_many(svs_async_context *s, void *a) {
    unsigned long sum = 0;
    if (atomic_exchange(&claimed, 1) == 0) {
        svs_finish(s, write_many, a);
        atomic_store(&written, 1);
        return false;
    }
    while (atomic_load(&written) == 0) (void)sched_yield();
    for (uint32_t i = 0; i < 100; i++) sum += many[i]; /* [ends_in_loop.b] */
    keep(sum);
    return true;
}
static void loop_then_exit(svs_async_context *s, void *a) {
    if (reads_many(s, a)) exit(3);
}
static void loop_then_abort(svs_async_context *s, void *a) {
    if (reads_many(s, a)) abort();
}
static void loop_then_assert(svs_async_context *s, void *a) { assert(!reads_many(s, a)); }
static void loop_then_leave(svs_async_context *s, void *a) {
    if (reads_many(s, a)) _exit(3);
}
static void loop_then_crash(svs_async_context *s, void *a) {
    if (reads_many(s, a)) (void)raise(SIGKILL);
}
static void exits_in_loop(svs_async_context *s, void *a) {
    spawn_two(s, loop_then_exit, loop_then_exit, a);
}
static void aborts_in_loop(svs_async_context *s, void *a) {
    spawn_two(s, loop_then_abort, loop_then_abort, a);
}
static void asserts_in_loop(svs_async_context *s, void *a) {
    spawn_two(s, loop_then_assert, loop_then_assert, a);
}
static void leaves_in_loop(svs_async_context *s, void *a) {
    spawn_two(s, loop_then_leave, loop_then_leave, a);
}
static void crashes_in_loop(svs_async_context *s, void *a) {
    spawn_two(s, loop_then_crash, loop_then_crash, a);
}

/* ---- the place of an access, behind one whose address differs in the upper bits alone ---- */

#define FAR (1u << 17) /* words: 1 MiB */
static volatile uint64_t spread[2 * FAR + 1];

static void write_far(svs_async_context *s, void *a) {
    spread[0] = 1; /* [far_apart.a] */
    spread[FAR] = 1;
}
static void read_far(svs_async_context *s, void *a) {
    keep(spread[0]); /* [far_apart.b] */
    keep(spread[2 * FAR]);
}
static void far_apart(svs_async_context *s, void *a) { spawn_two(s, write_far, read_far, a); }

/* ---- the accesses of a child of fork() are the child's ---- */

static int run_child(svs_async_function *function) {
    svs_runtime *runtime;
    if (svs_runtime_new(NULL, &runtime) || svs_runtime_start(runtime)) return 1;
    if (svs_async_run(runtime, function, NULL)) return 2;
    return svs_runtime_free(runtime) ? 3 : 0;
}
static void forks(svs_async_context *s, void *a) {
    int status;
    pid_t child = fork();
    if (child == 0) exit(run_child(same_byte));
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 66)
        abort();
    bytes[3] = 1;
}

#define CASE(name)                                                                                 \
    { #name, name }
static const check_case cases[] = {
    CASE(neighbours),
    CASE(block_reuse),
    CASE(stack_reuse),
    CASE(finish_orders),
    CASE(typed),
    CASE(hasty_result),
    CASE(atomics),
    CASE(atomic_plain),
    CASE(same_byte),
    CASE(atomic_read),
    CASE(wide_narrow),
    CASE(unaligned),
    CASE(parents_local),
    CASE(bit_fields),
    CASE(memcpy_constant),
    CASE(struct_copy),
    CASE(strings),
    CASE(vectors),
    CASE(vectors_apart),
    CASE(block),
    CASE(use_after_free),
    CASE(escape),
    CASE(told),
    CASE(ignored),
    CASE(own_allocator),
    CASE(ends_by_exit),
    CASE(ends_by_abort),
    CASE(ends_by_assert),
    CASE(ends_by_exits),
    CASE(far_apart),
    CASE(forks),
    CASE(locked),
    CASE(locked_too),
    CASE(use_after_renewal),
    CASE(exits_in_loop),
    CASE(aborts_in_loop),
    CASE(asserts_in_loop),
    CASE(leaves_in_loop),
    CASE(crashes_in_loop),
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
