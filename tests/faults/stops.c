/* SIGSTOP and SIGCONT: a process that is stopped wherever it is, over and over, goes on as if
 * nothing had been. */
#include "load.h"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#define STOPS 100

static int run_for_a_while(uint32_t policy, const atomic_int *enough) {
    load l;
    int wrong = 0;
    load_open(&l, 3, policy);
    do wrong |= !load_run(&l);
    while (!atomic_load(enough));
    load_close(&l);
    return wrong;
}

static void nap(long ns) {
    struct timespec span = {0, ns};
    (void)nanosleep(&span, NULL);
}

static void stop_and_continue(pid_t child, int times) {
    for (int i = 0; i < times; i++) {
        int status;
        assert_int_equal(kill(child, SIGSTOP), 0);
        assert_int_equal(waitpid(child, &status, WUNTRACED), child);
        if (!WIFSTOPPED(status)) fail_msg("the child has ended: %d", status);
        nap(i % 10 == 0 ? 2000000 : 100000);
        assert_int_equal(kill(child, SIGCONT), 0);
        nap(100000 + 37000 * (i % 50));
    }
}

/* The child sees in a page that it shares with its parent when it is enough. */
TEST_CASE(a_stopped_process_goes_on) {
    int stops = load_percent() >= 100 ? STOPS : STOPS / 4;
    atomic_int *enough =
        mmap(NULL, sizeof *enough, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(enough != MAP_FAILED);
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        pid_t child;
        atomic_store(enough, 0);
        child = fork();
        if (child == 0) {
            alarm(2 * LOAD_HANG_SECONDS);
            exit(run_for_a_while(policy, enough));
        }
        stop_and_continue(child, stops);
        atomic_store(enough, 1);
        assert_int_equal(load_wait(child), 0);
    }
    (void)munmap(enough, sizeof *enough);
}

int main(void) { return run_cases(NULL, NULL); }
