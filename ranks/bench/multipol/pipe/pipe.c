/* PIPE: a path of nodes, one on each rank. The last rank prints one row.
 *
 *     bench_multipol_pipe --items 100000 --step pipelined --transport local:2
 *     bench_multipol_pipe_openmpi --bare                       the same on plain MPI */
#include "pipe.h"
#include "common.h"
#include "multipol/program.h"
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>

static const char *const steps[] = {"plain", "pipelined", "flushed", NULL};

static pipe_options said = {.items = 10000,
                            .at_once = 10,
                            .units = 100,
                            .capacity = 15,
                            .item_bytes = 100,
                            .aggregate_bytes = 1000,
                            .name = "local"};

static const option_row rows[] = {
    {"items", 'm', "M", "Items, a multiple of N (10000)", 0,
     OPTION_NUMBER(pipe_options, items, 1, 1u << 30)},
    {"at-once", 'n', "N", "Removed, computed and sent in one iteration (10)", 0,
     OPTION_NUMBER(pipe_options, at_once, 1, 1u << 20)},
    {"units", 'u', "T", "Of computation for an item (100)", 0,
     OPTION_NUMBER(pipe_options, units, 0, 1u << 30)},
    {"capacity", 'f', "F", "Items on an edge (15)", 0,
     OPTION_NUMBER(pipe_options, capacity, 1, 1u << 20)},
    {"item-bytes", 'b', "B", "Of an item (100), a multiple of 8 from there on", 0,
     OPTION_NUMBER(pipe_options, item_bytes, sizeof(pipe_item), 65528)},
    {"bytes", 'a', "A", "Of a buffer of records (1000); 0: each is sent alone", 0,
     OPTION_NUMBER(pipe_options, aggregate_bytes, 0, 1 << 24)},
    {"step", 's', "NAME", "plain, pipelined or flushed", 0,
     OPTION_CHOICE(pipe_options, step, steps)},
    {"bare", 0, NULL, "The same on plain MPI", 0, OPTION_FLAG(pipe_options, bare)},
    PROGRAM_OPTIONS(pipe_options),
    OPTION_END};

static int show(const pipe_options *me, const pipe_result *result, const char *step) {
    const pipe_sums *sums = &result->sums;
    bool right = result->digest == pipe_expected(me, result->ranks);
    printf("bench=multipol program=pipe step=%s ranks=%u transport=%s items=%" PRIu64
           " at_once=%u units=%u "
           "capacity=%u item_bytes=%u bytes=%zu s=%.6f cpu_s=%.6f items_per_s=%.0f idle_s=%.6f "
           "messages=%" PRIu64 " events=%" PRIu64 " records=%" PRIu64 " nulls=%" PRIu64
           " waits_space=%" PRIu64 " waits_data=%" PRIu64 " spaces=%" PRIu64 " verified=%s\n",
           step, result->ranks, me->name, me->items, me->at_once, me->units, me->capacity,
           me->item_bytes, me->aggregate_bytes, result->seconds, (double)sums->cpu_ns * 1e-9,
           (double)me->items / result->seconds, (double)sums->idle_ns * 1e-9, sums->messages,
           sums->events, sums->records, sums->nulls, sums->waits_space, sums->waits_data,
           sums->spaces, right ? "yes" : "no");
    return !right;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    pipe_result result = {0};
    (void)argc, (void)argv;
    if (pipe_ranks(transport, &said, &result)) return 1;
    return result.last ? show(&said, &result, steps[said.step]) : 0;
}

static void complete(const struct argp_state *state, void *into) {
    pipe_options *me = into;
    if (me->items % me->at_once != 0) argp_error(state, "--items is a multiple of --at-once");
    me->item_bytes = (me->item_bytes + 7u) & ~7u;
}

int main(int argc, char **argv) {
    static const option_program command = {
        .rows = rows, .text = "Items through a path of ranks.", .end = complete};
    pipe_result result = {0};
    options_read(&command, argc, argv, &said);
    if (!said.bare) return program_start("pipe", said.transport, program);
    if (pipe_bare(&said, &result))
        bench_fail(
            "--bare needs MPI: start bench_multipol_pipe_openmpi or bench_multipol_pipe_mpich");
    return result.last ? show(&said, &result, "bare") : 0;
}
