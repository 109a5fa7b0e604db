/* PIPE: a path of nodes, one on each rank.
 *
 *     bench_multipol_pipe [--items M] [--at-once N] [--units T] [--capacity F] [--item-bytes B]
 *         [--bytes A] [--step plain|pipelined|flushed] [--bare] [--transport T]
 *
 * prints one row, on the last rank. --bare is the same on plain MPI. */
#include "pipe.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const steps[] = {"plain", "pipelined", "flushed"};

static bool take(pipe_options *me, const char *word, const char *value) {
    uint64_t number = strtoull(value, NULL, 10);
    if (strcmp(word, "--items") == 0) me->items = number;
    else if (strcmp(word, "--at-once") == 0) me->at_once = (uint32_t)number;
    else if (strcmp(word, "--units") == 0) me->units = (uint32_t)number;
    else if (strcmp(word, "--capacity") == 0) me->capacity = (uint32_t)number;
    else if (strcmp(word, "--item-bytes") == 0) me->item_bytes = (uint32_t)number;
    else if (strcmp(word, "--bytes") == 0) me->aggregate_bytes = (size_t)number;
    else if (strcmp(word, "--step") == 0) {
        for (int i = 0; i < 3; i++)
            if (strcmp(value, steps[i]) == 0) {
                me->step = (pipe_step)i;
                return true;
            }
        return false;
    } else return false;
    return true;
}

static int parse(pipe_options *me, bool *bare, int argc, char **argv) {
    *me = (pipe_options){.items = 10000,
                         .at_once = 10,
                         .units = 100,
                         .capacity = 15,
                         .item_bytes = 100,
                         .aggregate_bytes = 1000,
                         .argc = argc,
                         .argv = argv};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--bare") == 0) *bare = true;
        else if (i + 1 < argc && take(me, argv[i], argv[i + 1])) i++;
        else me->items = 0;
    }
    me->item_bytes = (me->item_bytes + 7u) & ~7u;
    if (me->items != 0 && me->at_once != 0 && me->items % me->at_once == 0 &&
        me->item_bytes >= sizeof(pipe_item) && me->capacity != 0)
        return 0;
    fprintf(stderr, "usage: bench_multipol_pipe [--items M, a multiple of N] [--at-once N] "
                    "[--units T] [--capacity F] [--item-bytes B, at least 16] [--bytes A] "
                    "[--step plain|pipelined|flushed] [--bare]\n");
    return 2;
}

static int show(const pipe_options *me, const pipe_result *result, const char *step) {
    bool right = result->digest == pipe_expected(me, result->ranks);
    printf("bench=multipol program=pipe step=%s ranks=%u items=%" PRIu64 " at_once=%u units=%u "
           "capacity=%u item_bytes=%u bytes=%zu s=%.6f items_per_s=%.0f idle_s=%.6f "
           "messages=%" PRIu64 " waits_space=%" PRIu64 " waits_data=%" PRIu64 " spaces=%" PRIu64
           " verified=%s\n",
           step, result->ranks, me->items, me->at_once, me->units, me->capacity, me->item_bytes,
           me->aggregate_bytes, result->seconds, (double)me->items / result->seconds,
           (double)result->idle_ns * 1e-9, result->messages, result->waits_space,
           result->waits_data, result->spaces, right ? "yes" : "no");
    return !right;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    pipe_options me;
    pipe_result result = {0};
    bool bare = false;
    int failed = parse(&me, &bare, argc, argv);
    svs_status status;
    if (failed) return failed;
    status = pipe_ranks(transport, &me, &result);
    if (status != SVS_OK) return 1;
    return result.last ? show(&me, &result, steps[me.step]) : 0;
}

int main(int argc, char **argv) {
    pipe_options me;
    pipe_result result = {0};
    bool bare = false;
    for (int i = 1; i < argc; i++) bare |= strcmp(argv[i], "--bare") == 0;
    if (!bare) return svs_ranks_main(MULTIPOL_TRANSPORT, program, argc, argv);
    if (parse(&me, &bare, argc, argv)) return 2;
    if (pipe_bare(&me, &result)) {
        fprintf(stderr, "bench_multipol_pipe: --bare needs MPI: start bench_multipol_pipe_openmpi "
                        "or bench_multipol_pipe_mpich\n");
        return 2;
    }
    return result.last ? show(&me, &result, "bare") : 0;
}
