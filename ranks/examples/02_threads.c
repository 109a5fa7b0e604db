/* Shows:  threads with stacks, a distributed object, and a reduction over all ranks.
 * Run:    build/release/bin/ranks_02_threads --transport local:4
 * Expect: the approximation of pi, by rank 0 (expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

enum { STEPS = 1000000 };

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((double *)into)[i] += ((const double *)from)[i];
}

/* The area under 4 / (1 + x^2) from 0 to 1, in steps that are dealt to the ranks. */
static double own_part(svs_ranks *ranks) {
    double sum = 0;
    for (uint32_t i = svs_ranks_index(ranks); i < STEPS; i += svs_ranks_count(ranks)) {
        double x = (i + 0.5) / STEPS;
        sum += 4 / (1 + x * x) / STEPS;
    }
    return sum;
}

/* A thread, which waits for counters in the middle of its code. A call is complete when its counter
 * has gone up by 1, whether the call returned SVS_OK or SVS_WAIT. */
static svs_status integrate(svs_ranks *ranks, void *state) {
    double part = own_part(ranks), sum = 0;
    svs_distributed *object;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    status = svs_distributed_new(ranks, "pi", 0, NULL, &object, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 1);
    if (status != SVS_OK) return status;
    status = svs_reduce(object, add, &part, &sum, sizeof sum, 1, &done);
    if (status == SVS_WAIT) status = svs_await(ranks, &done, 2);
    if (status != SVS_OK) return status;
    if (svs_ranks_index(ranks) == 0)
        printf("%u ranks say that pi is %.6f\n", svs_ranks_count(ranks), sum);
    return SVS_OK;
}

static svs_status start(svs_ranks *ranks, void *state) {
    (void)state;
    return svs_thread_spawn(ranks, integrate, NULL, 0, NULL);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = svs_ranks_run(ranks, start, NULL);
    if (status != SVS_OK) fprintf(stderr, "%s\n", svs_ranks_failure(ranks));
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
