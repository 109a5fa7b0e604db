/* PHOLD. Rank 0 prints one row. With verified=yes, the counts and the order of events equal those
 * of the serial simulator.
 *
 *     bench_multipol_phold --lookahead 100 --remote 10 --transport local:2
 *     bench_multipol_phold --program serial
 *     bench_multipol_phold_openmpi --program bare              the same on plain MPI */
#include "phold.h"
#include "common.h"
#include "multipol/program.h"
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SERIAL, GRAPH, BARE };
static const char *const programs[] = {"serial", "graph", "bare", NULL};

static phold_options said = {.nodes = 1024,
                             .fan = 2,
                             .population = 16,
                             .remote = 10,
                             .lookahead = 100,
                             .mean = 100,
                             .end = 10000,
                             .capacity = 256,
                             .cures = SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH,
                             .aggregate_bytes = 16384,
                             .name = "local",
                             .program = GRAPH};

static const option_row rows[] = {
    {"program", 'p', "NAME", "serial, graph or bare", 0,
     OPTION_CHOICE(phold_options, program, programs)},
    {"nodes", 'n', "N", "Nodes, a power of two (1024)", 0,
     OPTION_NUMBER(phold_options, nodes, 16, 1u << 24)},
    {"fan", 0, "N", "Targets of a node (2)", 0,
     OPTION_NUMBER(phold_options, fan, 1, PHOLD_FAN_MAX)},
    {"population", 0, "N", "Events that each node begins with (16)", 0,
     OPTION_NUMBER(phold_options, population, 1, 1u << 16)},
    {"remote", 'r', "N", "Percent of targets in another eighth of the nodes (10)", 0,
     OPTION_NUMBER(phold_options, remote, 0, 100)},
    {"lookahead", 'l', "N", "Ticks from an event to the next, at least (100)", 0,
     OPTION_NUMBER(phold_options, lookahead, 1, 1u << 20)},
    {"mean", 'm', "N", "Mean of the ticks that are added (100)", 0,
     OPTION_NUMBER(phold_options, mean, 0, 1u << 20)},
    {"end", 'e', "N", "The last tick (10000)", 0, OPTION_NUMBER(phold_options, end, 1, 1u << 30)},
    {"capacity", 'f', "N", "Events on an edge (256)", 1,
     OPTION_NUMBER(phold_options, capacity, 1, 1u << 28)},
    PROGRAM_CURES(phold_options, cures),
    {"bytes", 'b', "N", "Of a buffer of events (16384); 0: each is sent alone", 1,
     OPTION_NUMBER(phold_options, aggregate_bytes, 0, 1 << 24)},
    {"unchecked", 0, NULL, "Is not compared with the serial simulator", 1,
     OPTION_FLAG(phold_options, unchecked)},
    {"fibers", 0, "N", "In place of PHOLD: N FIFO fibers on one rank", 1,
     OPTION_NUMBER(phold_options, fibers, 1, 1u << 30)},
    {"woken", 0, "N", "In place of PHOLD: N nodes that wait for an unfreeze on one rank", 1,
     OPTION_NUMBER(phold_options, woken, 1, 1u << 30)},
    PROGRAM_OPTIONS(phold_options),
    OPTION_END};

/* @return 0: the result is that of the serial simulator. */
static int show(const phold_options *me, const phold_result *result, const phold_result *serial) {
    const svs_event_statistics *sums = &result->sums;
    bool right = result->events == serial->events && result->digest == serial->digest;
    const char *verified = right ? " verified=yes" : " verified=no";
    if (me->unchecked) verified = "";
    printf("bench=multipol program=phold way=%s ranks=%u transport=%s nodes=%u fan=%u "
           "population=%u remote=%u lookahead=%u mean=%u end=%u capacity=%u bytes=%zu cures=%s "
           "passed=%" PRIu64 " digest=%016" PRIx64
           " s=%.6f cpu_s=%.6f events_per_s=%.0f serial_s=%.6f serial_cpu_s=%.6f",
           programs[me->program], result->ranks, me->name, me->nodes, me->fan, me->population,
           me->remote, me->lookahead, me->mean, me->end, me->capacity, me->aggregate_bytes,
           program_cures[me->cures], result->events, result->digest, result->seconds,
           (double)result->cpu_ns * 1e-9, (double)result->events / result->seconds, serial->seconds,
           (double)serial->cpu_ns * 1e-9);
    printf(" events=%" PRIu64 " local=%" PRIu64 " records=%" PRIu64 " nulls=%" PRIu64
           " replaced=%" PRIu64 " spaces=%" PRIu64 " waits_space=%" PRIu64 " waits_data=%" PRIu64
           " recoveries=%" PRIu64 " growths=%" PRIu64 " alarms=%" PRIu64 "%s\n",
           sums->events, sums->local, sums->records, result->nulls, sums->replaced, sums->spaces,
           sums->waits_space, sums->waits_data, sums->recoveries, sums->growths, sums->alarms,
           verified);
    return !right;
}

static int compare(const phold_result *result) {
    phold_result serial = {0};
    if (!result->first) return 0;
    if (said.unchecked) serial = *result;
    else if (phold_serial(&said, &serial)) return 1;
    return show(&said, result, &serial);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    phold_result result = {0};
    (void)argc, (void)argv;
    if (said.fibers != 0 || said.woken != 0) return phold_costs(transport, &said);
    return phold_ranks(transport, &said, &result) || compare(&result);
}

static void complete(const struct argp_state *state, void *into) {
    phold_options *me = into;
    if ((me->nodes & (me->nodes - 1)) != 0) argp_error(state, "--nodes is a power of two");
    if (me->nodes / PHOLD_BLOCKS <= me->fan)
        argp_error(state, "--nodes is more than eight times the --fan");
}

int main(int argc, char **argv) {
    static const option_program command = {
        .rows = rows, .text = "Events that nodes pass on.", .end = complete};
    phold_result result = {0};
    int failed;
    options_read(&command, argc, argv, &said);
    said.targets = phold_targets(&said);
    if (said.program == GRAPH) failed = program_start("phold", said.transport, program);
    else
        failed = said.program == SERIAL ? phold_serial(&said, &result) : phold_bare(&said, &result);
    if (failed == 2)
        bench_fail("--program bare needs MPI: start bench_multipol_phold_openmpi or _mpich");
    if (failed == 0 && said.program != GRAPH) failed = compare(&result);
    free(said.targets);
    return failed;
}
