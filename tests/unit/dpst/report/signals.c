/* Handlers of signals: their accesses do not count for the interrupted task, at any point of it;
 * and sigaction() returns the handler that the program has installed. */
#include "../../base/helpers.h"
#include "started.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>
#include <unistd.h>

typedef void handler(int number);
/* By standards that know no other. */
handler *svs_system_v_signal(int number, handler *function) __asm__("__sysv_signal");

/* ---- how handlers are installed ---- */

static volatile sig_atomic_t few, all;

static void take_few(int number) { few = number; }
static void take_other(int number) { few = -number; }
static void take_all(int number, siginfo_t *info, void *context) {
    all = info != NULL && context != NULL ? info->si_signo - number + 5 : 0;
}

static struct sigaction now(int number) {
    struct sigaction action;
    assert_int_equal(sigaction(number, NULL, &action), 0);
    return action;
}

TEST_CASE(what_is_installed_is_called_and_shown) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_few;
    action.sa_flags = SA_RESTART;
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    assert_ptr_equal(old.sa_handler, SIG_DFL);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(few, SIGUSR1);
    old = now(SIGUSR1);
    assert_ptr_equal(old.sa_handler, take_few);
    assert_int_equal(old.sa_flags & (SA_SIGINFO | SA_RESTART), SA_RESTART);
    action.sa_sigaction = take_all;
    action.sa_flags = SA_SIGINFO;
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    assert_ptr_equal(old.sa_handler, take_few);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(all, 5);
    assert_ptr_equal(signal(SIGUSR1, take_other), take_all);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(few, -SIGUSR1);
    assert_int_equal(raise(SIGUSR1), 0); /* it stays */
    assert_ptr_equal(now(SIGUSR1).sa_handler, take_other);
    assert_ptr_equal(signal(SIGUSR1, SIG_IGN), take_other);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_ptr_equal(signal(SIGUSR1, SIG_DFL), SIG_IGN);
    assert_ptr_equal(svs_system_v_signal(SIGUSR1, take_few), SIG_DFL);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(few, SIGUSR1);
    assert_ptr_equal(now(SIGUSR1).sa_handler, SIG_DFL); /* called once */
}

TEST_CASE(what_is_refused_changes_nothing) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_few;
    assert_int_equal(sigaction(SIGKILL, &action, NULL), -1);
    assert_int_equal(sigaction(-1, &action, NULL), -1);
    assert_int_equal(sigaction(4711, &action, NULL), -1);
    assert_ptr_equal(signal(SIGKILL, take_few), SIG_ERR);
    assert_ptr_equal(signal(4711, take_few), SIG_ERR);
    assert_ptr_equal(signal(SIGUSR1, SIG_ERR), SIG_ERR);
    assert_ptr_equal(now(SIGUSR1).sa_handler, SIG_DFL);
}

/* ---- handlers in tasks ---- */

static uint64_t races_of(svs_runtime *runtime) {
    svs_check_summary summary;
    assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_OK);
    return summary.races;
}

static long caught[4];
long plain; /* not static: a compiler drops the writes of a static that nothing reads */

static void note_deeper(int depth) {
    char local[100];
    memset(local, depth, sizeof local);
    caught[depth % 4] = local[depth];
    if (depth != 0) note_deeper(depth - 1);
}
static void note(int number) {
    note_deeper(3);
    if (caught[0]++ % 3 == 1) (void)raise(SIGUSR2); /* which has the same handler */
}

static void raise_often(svs_async_context *async, void *unused) {
    for (int i = 0; i < 10; i++) (void)raise(SIGUSR1);
}
static void write_plain(svs_async_context *async, void *unused) {
    raise_often(async, unused);
    plain = 1; /* goes on in its task */
    raise_often(async, unused);
}
static void spawn_two(svs_async_context *async, void *argument) {
    svs_async_function *function = *(svs_async_function **)argument;
    svs_async(async, function, argument, sizeof function);
    svs_async(async, function, argument, sizeof function);
}

TEST_CASE(what_a_handler_does_is_none_of_the_task) {
    svs_async_function *function = raise_often;
    svs_runtime *runtime = started(3, 20);
    (void)signal(SIGUSR1, note);
    (void)signal(SIGUSR2, note);
    assert_int_equal(svs_async_run(runtime, spawn_two, &function), SVS_OK);
    assert_true(caught[0] > 0);
    assert_int_equal(races_of(runtime), 0);
    function = write_plain;
    assert_int_equal(svs_async_run(runtime, spawn_two, &function), SVS_OK);
    assert_int_equal(races_of(runtime), 1);
    (void)signal(SIGUSR1, SIG_DFL);
    (void)signal(SIGUSR2, SIG_DFL);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* By the thread that runs the tasks alone. */
static sigjmp_buf back;
static void jump(int number) { siglongjmp(back, number); }
static void jump_deeper(int number) { (void)raise(SIGUSR2); }

static void jump_once(svs_async_context *async, void *unused) {
    svs_check_ignore_begin(); /* its buffer */
    if (sigsetjmp(back, 1) == 0) (void)raise(SIGUSR1);
    svs_check_ignore_end();
    plain = 1;
}

TEST_CASE(a_jump_out_of_a_handler_resumes_the_task) {
    svs_async_function *function = jump_once;
    for (int deep = 0; deep < 2; deep++) {
        svs_runtime *runtime = started(1, 20);
        (void)signal(SIGUSR1, deep ? jump_deeper : jump);
        (void)signal(SIGUSR2, jump);
        assert_int_equal(svs_async_run(runtime, spawn_two, &function), SVS_OK);
        assert_int_equal(races_of(runtime), 1);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
    (void)signal(SIGUSR1, SIG_DFL);
    (void)signal(SIGUSR2, SIG_DFL);
}

/* ---- at any moment ---- */

typedef struct target {
    pthread_t thread;
    _Atomic(uint32_t) enough;
} target;

static void *bombard(void *argument) {
    target *t = argument;
    while (!svs__load_acquire(&t->enough)) {
        (void)pthread_kill(t->thread, SIGUSR1);
        svs__yield();
    }
    return NULL;
}

#define DEPTH 8

static void grow(svs_async_context *async, void *argument) {
    long **leaves = argument;
    long *mine = *leaves, *right = mine + 1;
    long rest = mine[0] - 1;
    mine[0] = 1;
    if (rest < 0) return;
    mine[1] = rest;
    svs_finish(async, grow, &right);
    mine[0] += mine[1];
    mine[1] = rest;
    svs_finish(async, grow, &right);
    mine[0] += mine[1];
}
static void grow_beside(svs_async_context *async, void *argument) {
    long(*trees)[DEPTH + 2] = argument;
    for (int i = 0; i < 4; i++) {
        long *tree = trees[i];
        tree[0] = DEPTH;
        svs_async(async, grow, &tree, sizeof tree);
    }
}

TEST_CASE(signals_come_at_any_moment) {
    svs_runtime *runtime = started(3, 20);
    target t = {pthread_self(), 0};
    pthread_t thread;
    (void)signal(SIGUSR1, note);
    (void)signal(SIGUSR2, note);
    assert_int_equal(pthread_create(&thread, NULL, bombard, &t), 0);
    for (uint64_t i = scaled(1000, 50); i-- > 0;) {
        long trees[4][DEPTH + 2];
        assert_int_equal(svs_async_run(runtime, grow_beside, trees), SVS_OK);
        for (int k = 0; k < 4; k++) assert_int_equal(trees[k][0], (2L << DEPTH) - 1);
    }
    svs__store_release(&t.enough, 1);
    pthread_join(thread, NULL);
    (void)signal(SIGUSR1, SIG_IGN);
    assert_int_equal(races_of(runtime), 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
