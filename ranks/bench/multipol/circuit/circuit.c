/* Circuit: a combinational circuit, one time unit a gate, under random vectors. Prints one row for
 * each circuit. The ranks are made once for all of them.
 *
 *     bench_multipol_circuit --netlist c17.bench,c432.bench --transport local:2
 *     bench_multipol_circuit --width 20 --depth 30 --vcd waves.vcd      a generated circuit
 *
 * --outputs writes the values of the outputs after each vector, one a line, as the reference
 * results have them. Each run is compared with the serial simulator (verified=yes). */
#include "circuit.h"
#include "multipol/program.h"
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *netlist, *outputs, *waves, *vcd, *circuit, *transport, *name;
    uint32_t width, depth, vectors, dispatch;
    bool serial;
    size_t aggregate_bytes;
    circuit_options options;
} arguments;

static const char *const dispatches[] = {"in_place", "fifo", NULL};

static arguments said = {
    .vectors = 1000,
    .name = "local",
    .aggregate_bytes = 16384,
    .options = {.name = "circuit",
                .capacity = 64,
                .cures = SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH}};

static const option_row rows[] = {
    {"netlist", 'i', "FILE", "A circuit of ISCAS-85, as .bench, or several with commas", 0,
     OPTION_TEXT(arguments, netlist)},
    {"width", 0, "N", "Inputs of a generated circuit, in place of a netlist", 0,
     OPTION_NUMBER(arguments, width, 1, 1u << 20)},
    {"depth", 0, "N", "Its levels of gates", 0, OPTION_NUMBER(arguments, depth, 1, 1u << 20)},
    {"vectors", 'n', "N", "Random inputs (1000)", 0,
     OPTION_NUMBER(arguments, vectors, 1, 1u << 24)},
    {"serial", 0, NULL, "The serial simulator alone", 0, OPTION_FLAG(arguments, serial)},
    {"capacity", 'f', "N", "Events on an edge (64)", 1,
     OPTION_NUMBER(arguments, options.capacity, 1, 1u << 28)},
    PROGRAM_CURES(arguments, options.cures),
    {"dispatch", 0, "NAME", "in_place or fifo", 1, OPTION_CHOICE(arguments, dispatch, dispatches)},
    {"bytes", 'b', "N", "Of a buffer of records (16384); 0: each is sent alone", 1,
     OPTION_NUMBER(arguments, aggregate_bytes, 0, 1 << 24)},
    {"cones", 0, NULL, "Gates are placed by fan-in cones, not by size", 1,
     OPTION_FLAG(arguments, options.cones)},
    {"outputs", 'o', "FILE", "Where to write the outputs", 2, OPTION_TEXT(arguments, outputs)},
    {"waves", 0, "FILE", "Where to write all changes, as text", 2, OPTION_TEXT(arguments, waves)},
    {"vcd", 0, "FILE", "Where to write them as VCD", 2, OPTION_TEXT(arguments, vcd)},
    PROGRAM_OPTIONS(arguments),
    OPTION_END};

static int read_circuit(arguments *me, circuit *of) {
    char why[CIRCUIT_WHY] = "", *text;
    const char *slash;
    int failed;
    if (me->netlist != NULL) {
        failed = circuit_read_file(of, me->netlist, why);
        slash = strrchr(me->netlist, '/');
        me->circuit = slash != NULL ? slash + 1 : me->netlist;
        if (failed) fprintf(stderr, "%s:%s\n", me->netlist, why);
        return failed;
    }
    me->circuit = "generated";
    text = circuit_generate(me->width, me->depth, 1);
    failed = text == NULL || circuit_read(of, text, strlen(text), why);
    free(text);
    if (failed) fprintf(stderr, "generated:%s\n", why);
    return failed;
}

static int write_outputs(const circuit *of, const results *all, uint32_t count, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return 1;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < of->output_count; k++) {
            unsigned char value = all->outputs[i * of->output_count + k];
            (void)fputc(value == 2 ? 'x' : '0' + value, file);
        }
        (void)fputc('\n', file);
    }
    return fclose(file) != 0;
}

static bool equal(const circuit *of, const results *one, const results *other, uint32_t count) {
    return one->changes == other->changes &&
           memcmp(one->outputs, other->outputs, (size_t)count * of->output_count) == 0 &&
           memcmp(one->settle, other->settle, count * sizeof *one->settle) == 0;
}

static void print_row(const arguments *me, const circuit *of, const results *out,
                      const results *serial, const svs_event_statistics *sums) {
    int32_t longest = 0;
    int64_t sum = 0;
    for (uint32_t i = 0; i < me->vectors; i++) {
        if (out->settle[i] > longest) longest = out->settle[i];
        sum += out->settle[i];
    }
    printf("bench=multipol program=circuit circuit=%.*s ranks=%u transport=%s capacity=%u "
           "dispatch=%s bytes=%zu "
           "cures=%s place=%s vectors=%u changes=%" PRIu64 " max_settle=%d sum_settle=%" PRId64
           " steps=%" PRIu64 " s=%.6f cpu_s=%.6f serial_s=%.6f serial_cpu_s=%.6f ratio_serial=%.3f "
           "ratio_cpu=%.3f",
           (int)strcspn(me->circuit, "."), me->circuit, out->ranks, me->name, me->options.capacity,
           dispatches[me->dispatch], me->aggregate_bytes, program_cures[me->options.cures],
           me->options.cones ? "cones" : "size", me->vectors, out->changes, longest, sum,
           out->steps, out->seconds, out->cpu_seconds, serial->seconds, serial->cpu_seconds,
           serial->seconds / out->seconds, serial->cpu_seconds / out->cpu_seconds);
    printf(" sends=%" PRIu64 " events=%" PRIu64 " local=%" PRIu64 " records=%" PRIu64
           " nulls=%" PRIu64 " replaced=%" PRIu64 " spaces=%" PRIu64 " waits_space=%" PRIu64
           " waits_data=%" PRIu64 " recoveries=%" PRIu64 " growths=%" PRIu64 " alarms=%" PRIu64
           " verified=%s\n",
           sums->sends, sums->events, sums->local, sums->records, sums->nulls, sums->replaced,
           sums->spaces, sums->waits_space, sums->waits_data, sums->recoveries, sums->growths,
           sums->alarms, equal(of, out, serial, me->vectors) ? "yes" : "no");
}

/* @return the exit status of this rank. @param ranks NULL: the serial simulator alone. */
static int run(const arguments *me, const circuit *of, const vectors *in, results *out,
               results *serial, waves *to, svs_ranks *ranks) {
    svs_event_statistics sums = {0};
    waves none = {0};
    char text[500];
    svs_status status = SVS_OK;
    bool first;
    if (circuit_serial(of, in, serial, me->serial ? to : &none)) return 1;
    if (!me->serial) status = circuit_ranks(ranks, of, in, &me->options, out, to, &sums, text);
    if (status != SVS_OK) {
        fprintf(stderr, "%s: %s\n", svs_status_name(status), text);
        return 1;
    }
    first = me->serial || out->seconds > 0;
    if (!first) return 0; /* rank 0 prints */
    print_row(me, of, me->serial ? serial : out, serial, &sums);
    if (me->outputs && write_outputs(of, me->serial ? serial : out, in->count, me->outputs))
        return 1;
    if (me->waves && waves_write(to, of, me->waves, false)) return 1;
    if (me->vcd && waves_write(to, of, me->vcd, true)) return 1;
    return !me->serial && !equal(of, out, serial, me->vectors);
}

static int run_circuit(arguments *me, svs_ranks *ranks) {
    circuit of;
    vectors in = {0};
    results out = {0}, serial = {0};
    waves to = {0};
    int failed;
    if (read_circuit(me, &of)) return 1;
    to.kept = me->waves != NULL || me->vcd != NULL;
    failed = vectors_make(&in, &of, me->vectors) || results_make(&out, &of, me->vectors) ||
             results_make(&serial, &of, me->vectors);
    if (!failed) failed = run(me, &of, &in, &out, &serial, &to, ranks);
    results_free(&out);
    results_free(&serial);
    free(in.bits);
    free(to.of);
    circuit_free(&of);
    return failed;
}

/* Each name of the list, or the generated circuit. */
static int run_circuits(arguments *me, svs_ranks *ranks) {
    char *names, *rest = NULL, graph[SVS_EVENT_GRAPH_NAME];
    uint32_t which = 0;
    int failed = 0;
    if (me->netlist == NULL) return run_circuit(me, ranks);
    names = strdup(me->netlist);
    if (names == NULL) return 1;
    for (me->netlist = strtok_r(names, ",", &rest); me->netlist != NULL;
         me->netlist = strtok_r(NULL, ",", &rest)) {
        (void)snprintf(graph, sizeof graph, "circuit %u", ++which);
        me->options.name = graph;
        failed |= run_circuit(me, ranks);
    }
    free(names);
    return failed;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    arguments me = said;
    svs_ranks *ranks = NULL;
    int failed;
    (void)argc, (void)argv;
    if (!me.serial && circuit_rank_new(transport, me.aggregate_bytes, &ranks) != SVS_OK) return 1;
    failed = run_circuits(&me, ranks);
    if (ranks != NULL) failed |= svs_ranks_free(ranks) != SVS_OK;
    return failed;
}

static void complete(const struct argp_state *state, void *into) {
    arguments *me = into;
    if (me->netlist == NULL && (me->width == 0 || me->depth == 0))
        argp_error(state, "a circuit is missing: --netlist, or --width and --depth");
    if (me->netlist != NULL && strchr(me->netlist, ',') != NULL &&
        (me->outputs || me->waves || me->vcd || me->options.characteristics))
        argp_error(state, "a file is of one circuit, and --netlist names several");
    me->options.dispatch = me->dispatch == 0 ? SVS_DISPATCH_IN_PLACE : SVS_DISPATCH_FIFO;
}

int main(int argc, char **argv) {
    static const option_program command = {
        .rows = rows, .text = "A circuit under random vectors.", .end = complete};
    options_read(&command, argc, argv, &said);
    said.options.characteristics = program_characteristics();
    if (said.serial) return program(NULL, argc, argv);
    return program_start("circuit", said.transport, program);
}
