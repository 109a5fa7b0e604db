/* A million signals to the workers while they run, with SA_RESTART and without: nothing is lost,
 * whatever system call they come into. */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "worksteal/runtime.h"

#define SIGNALS 250000 /* for each of two policies and two ways to catch them */

static atomic_ulong caught;

static void on_signal(int number) { atomic_fetch_add_explicit(&caught, 1, memory_order_relaxed); }

typedef struct sender {
    pthread_t to[8];
    int count;
    long signals;
    atomic_int ended;
} sender;

static void *send_all(void *argument) {
    sender *s = argument;
    for (long i = 0; i < s->signals; i++) {
        if (pthread_kill(s->to[i % s->count], SIGUSR1)) break;
        if (i % 64 == 0) sched_yield();
    }
    atomic_store(&s->ended, 1);
    return NULL;
}

static void catch_with(int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = flags;
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
}

static unsigned long bombard(uint32_t policy, int flags) {
    sender s = {.signals = SIGNALS * load_percent() / 100};
    pthread_t thread;
    load l;
    unsigned long before = atomic_load(&caught);
    catch_with(flags);
    load_open(&l, 3, policy);
    s.to[s.count++] = pthread_self();
    for (uint32_t i = 1; i < 3; i++) s.to[s.count++] = l.runtime->workers[i].thread.handle;
    assert_int_equal(pthread_create(&thread, NULL, send_all, &s), 0);
    while (!atomic_load(&s.ended)) assert_true(load_run(&l));
    pthread_join(thread, NULL);
    assert_true(load_run(&l));
    load_close(&l);
    return atomic_load(&caught) - before;
}

TEST_CASE(a_million_signals_lose_nothing) {
    unsigned long in_all = 0;
    alarm(5 * LOAD_HANG_SECONDS);
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (int restart = 0; restart < 2; restart++) {
            unsigned long some = bombard(policy, restart ? SA_RESTART : 0);
            assert_true(some > 0);
            in_all += some;
        }
    print_message("%ld signals were sent; those that met one still pending left %lu to catch\n",
                  4L * SIGNALS * load_percent() / 100, in_all);
}

int main(void) { return run_cases(NULL, NULL); }
