/* EM3D over ranks, compared with its serial elision and a neighbour exchange on plain MPI.
 *
 *     bench_multipol_em3d --remote 10 --transport local:2
 *     bench_multipol_em3d --remote 10 --serial 2           // the elision alone, of 2 ranks' graph
 *
 * Each rank compares its states with those of the serial elision, bit for bit. A row for each
 * round. */
#include "em3d.h"
#include "multipol/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    em3d_shape shape;
    const char *transport, *name;
    uint64_t rounds, bytes, local, serial;
    bool olden;
} settings;

static settings said = {
    .shape = {1000, 20, 10, 3, 100, 1}, .name = "local", .rounds = 1, .bytes = 16384, .local = 125};

static const option_row rows[] = {
    {"nodes", 'n', "N", "Of each rank (1000)", 0,
     OPTION_NUMBER(settings, shape.nodes, 2, 1u << 24)},
    {"degree", 'd', "N", "Edges of a node (20)", 0, OPTION_NUMBER(settings, shape.degree, 1, 1000)},
    {"remote", 'p', "PERCENT", "Of edges between ranks (10)", 0,
     OPTION_NUMBER(settings, shape.remote, 0, 100)},
    {"span", 's', "N", "How far these reach, in ranks (3)", 0,
     OPTION_NUMBER(settings, shape.span, 1, 65535)},
    {"steps", 0, "N", "Of time (100)", 0, OPTION_NUMBER(settings, shape.steps, 1, 1u << 24)},
    {"seed", 0, "N", "Of the graph (1)", 0, OPTION_NUMBER(settings, shape.seed, 0, UINT32_MAX)},
    {"olden", 0, NULL, "Olden's graph: --nodes of each colour in all", 0,
     OPTION_FLAG(settings, olden)},
    {"local", 0, "PERCENT", "Of Olden's draws that are local (125)", 0,
     OPTION_NUMBER(settings, local, 0, 1000)},
    {"serial", 0, "N", "The serial elision alone, of the graph of N ranks", 1,
     OPTION_NUMBER(settings, serial, 1, 65535)},
    {"bytes", 'b', "N", "Of a buffer of records (16384)", 1,
     OPTION_NUMBER(settings, bytes, 0, 1 << 24)},
    {"rounds", 'r', "N", "Rows (1)", 1, OPTION_NUMBER(settings, rounds, 1, 1000)},
    PROGRAM_OPTIONS(settings),
    OPTION_END};

/* The part of one rank after all steps. */
static em3d_times expect(uint32_t rank, uint32_t ranks, em3d_part *expected) {
    em3d_part *parts = bench_allocate(ranks, sizeof *parts);
    em3d_times took;
    for (uint32_t i = 0; i < ranks; i++) parts[i] = em3d_make(&said.shape, i, ranks);
    took = em3d_serial(&said.shape, parts, ranks);
    *expected = parts[rank];
    for (uint32_t i = 0; i < ranks; i++)
        if (i != rank) em3d_free(&parts[i]);
    free(parts);
    return took;
}

static bool is_same(const em3d_part *one, const em3d_part *other) {
    bool same = true;
    for (int c = 0; c < EM3D_COLOURS; c++)
        same = same && memcmp(one->values[c], other->values[c],
                              em3d_count(&said.shape) * sizeof(double)) == 0;
    return same;
}

static void head(uint32_t ranks, const char *transport) {
    printf("bench=multipol figure=5.1 program=em3d ranks=%u transport=%s remote=%llu nodes=%llu "
           "degree=%llu span=%llu steps=%llu ",
           ranks, transport, (unsigned long long)said.shape.remote,
           (unsigned long long)said.shape.nodes, (unsigned long long)said.shape.degree,
           (unsigned long long)said.shape.span, (unsigned long long)said.shape.steps);
}

static void print_row(uint32_t ranks, const em3d_result *of, uint64_t bare_ns, uint64_t serial_ns) {
    head(ranks, said.name);
    printf("bytes=%llu s=%.6f cpu_s=%.6f idle_s=%.6f bare_s=%.6f serial_s=%.6f "
           "messages=%llu state_bytes=%llu ghosts=%llu early=%llu verified=yes\n",
           (unsigned long long)said.bytes, (double)of->ns / 1e9, (double)of->cpu_ns / 1e9,
           (double)of->idle_ns / 1e9, (double)bare_ns / 1e9, (double)serial_ns / 1e9,
           (unsigned long long)of->messages, (unsigned long long)of->bytes,
           (unsigned long long)of->ghosts, (unsigned long long)of->early);
    (void)fflush(stdout);
}

static int run_serial(void) {
    for (uint64_t round = 0; round < said.rounds; round++) {
        em3d_part part;
        em3d_times took = expect(0, (uint32_t)said.serial, &part);
        em3d_free(&part);
        head((uint32_t)said.serial, "none");
        printf("s=%.6f cpu_s=%.6f\n", (double)took.ns / 1e9, (double)took.cpu_ns / 1e9);
    }
    return 0;
}

static svs_status run_round(svs_ranks *ranks, uint64_t round, const em3d_part *expected,
                            uint64_t serial_ns) {
    uint32_t rank = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    em3d_part part = em3d_make(&said.shape, rank, count), bare;
    em3d_filling filling = {&said.shape, &part};
    em3d_run run = {.steps = said.shape.steps, .fill = em3d_fill_part, .argument = &filling};
    uint64_t bare_ns;
    char name[SVS_BIPARTITE_NAME];
    svs_status status;
    (void)snprintf(name, sizeof name, "em3d %u", (unsigned)round);
    run.name = name;
    memcpy(run.values, part.values, sizeof run.values);
    status = em3d_ranks(ranks, &run);
    if (status == SVS_OK && !is_same(&part, expected))
        bench_fail("rank %u: the states differ from those of the serial elision", rank);
    em3d_free(&part);
    bare = em3d_make(&said.shape, rank, count);
    bare_ns = em3d_bare(&said.shape, &bare, rank, count);
    if (bare_ns != 0 && !is_same(&bare, expected))
        bench_fail("rank %u: the states of plain MPI differ", rank);
    em3d_free(&bare);
    if (status == SVS_OK && rank == 0) print_row(count, &run.result, bare_ns, serial_ns);
    return status;
}

/* ---- Olden's graph ---- */

static svs_status run_olden(svs_ranks *ranks, uint64_t round) {
    uint32_t rank = svs_ranks_index(ranks), count = svs_ranks_count(ranks);
    em3d_olden graph = em3d_olden_make((uint32_t)said.shape.nodes, (uint32_t)said.shape.degree,
                                       (uint32_t)said.local);
    em3d_run run = {.steps = said.shape.steps, .fill = em3d_olden_fill, .argument = &graph};
    uint32_t low = em3d_olden_first(&graph, rank, count);
    uint32_t high = em3d_olden_first(&graph, rank + 1, count);
    char name[SVS_BIPARTITE_NAME];
    bool same = true;
    svs_status status;
    (void)snprintf(name, sizeof name, "olden %u", (unsigned)round);
    run.name = name;
    for (int c = 0; c < EM3D_COLOURS; c++) run.values[c] = bench_allocate(graph.n, sizeof(double));
    status = em3d_ranks(ranks, &run);
    em3d_olden_serial(&graph, said.shape.steps);
    for (int c = 0; c < EM3D_COLOURS; c++) {
        same = same &&
               memcmp(run.values[c], graph.values[c] + low, (high - low) * sizeof(double)) == 0;
        free(run.values[c]);
    }
    if (status == SVS_OK && !same)
        bench_fail("rank %u: the states differ from those of the serial elision", rank);
    if (status == SVS_OK && rank == 0)
        printf("bench=multipol program=em3d graph=olden ranks=%u transport=%s nodes=%u degree=%u "
               "local=%llu steps=%llu s=%.6f draws=%llu local_draws=%llu verified=yes\n",
               count, said.name, graph.n, graph.degree, (unsigned long long)said.local,
               (unsigned long long)said.shape.steps, (double)run.result.ns / 1e9,
               (unsigned long long)graph.draws, (unsigned long long)graph.local);
    em3d_olden_free(&graph);
    return status;
}

static svs_status run_all(svs_ranks *ranks, void *none) {
    em3d_part expected;
    uint64_t serial_ns;
    svs_status status = SVS_OK;
    (void)none;
    for (uint64_t round = 0; said.olden && round < said.rounds && status == SVS_OK; round++)
        status = run_olden(ranks, round);
    if (said.olden) return status;
    serial_ns = expect(svs_ranks_index(ranks), svs_ranks_count(ranks), &expected).ns;
    for (uint64_t round = 0; round < said.rounds && status == SVS_OK; round++)
        status = run_round(ranks, round, &expected, serial_ns);
    em3d_free(&expected);
    return status;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    (void)argc, (void)argv;
    return program_rank(transport, "em3d", said.bytes, run_all, NULL);
}

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows,
                                           .text = "Electric and magnetic fields over ranks."};
    options_read(&command, argc, argv, &said);
    return said.serial != 0 ? run_serial() : program_start("em3d", said.transport, program);
}
