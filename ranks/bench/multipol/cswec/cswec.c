/* CSWEC: a circuit of transistors under random vectors. Prints one row.
 *
 *     bench_multipol_cswec --netlist c17.bench --transport local:2 --svg waves.svg
 *     bench_multipol_cswec --words 32 --bits 32                         a register file
 *
 * Each run is compared with the serial program, bit by bit, and its settled outputs with gates of
 * one time unit (verified=yes). --reference also integrates all transistors with a small fixed
 * step, and prints the largest difference of a waveform. */
#include "cswec.h"
#include "multipol/program.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *netlist, *outputs, *text, *vcd, *svg, *name, *transport, *circuit;
    uint32_t words, bits, vectors, dispatch, reference_step;
    bool serial;
    cswec_options options;
    cswec_placing placing;
} arguments;

static const char *const dispatches[] = {"in-place", "fifo", NULL};

static arguments said = {
    .vectors = 20,
    .name = "local",
    .bits = 32,
    .options = {.margin = 0.004, .step_change = 0.015},
    .placing = {.capacity = 64,
                .cures = SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH,
                .aggregate_bytes = 1024}};

static const option_row rows[] = {
    {"netlist", 'i', "FILE", "A circuit of ISCAS-85, as .bench", 0,
     OPTION_TEXT(arguments, netlist)},
    {"words", 'w', "N", "Words of a register file, in place of a netlist: a power of 2", 0,
     OPTION_NUMBER(arguments, words, 4, 1024)},
    {"bits", 0, "N", "Bits of its words (32)", 0, OPTION_NUMBER(arguments, bits, 1, 1024)},
    {"vectors", 'n', "N", "Random inputs (20)", 0, OPTION_NUMBER(arguments, vectors, 1, 1u << 20)},
    {"margin", 'm', "V", "By which a voltage may differ from what was told of it (0.004)", 0,
     OPTION_DOUBLE(arguments, options.margin, 1e-6, 0.1)},
    {"step", 0, "V", "The change of a voltage that a step is made for (0.015)", 0,
     OPTION_DOUBLE(arguments, options.step_change, 1e-5, 0.1)},
    {"serial", 0, NULL, "The serial program alone", 0, OPTION_FLAG(arguments, serial)},
    {"reference", 'r', "FS", "Compares with a fixed step of that many fs", 0,
     OPTION_NUMBER(arguments, reference_step, 1, 1000)},
    {"capacity", 'f', "N", "Events on an edge (64)", 1,
     OPTION_NUMBER(arguments, placing.capacity, 1, 1u << 28)},
    PROGRAM_CURES(arguments, placing.cures),
    {"dispatch", 0, "NAME", "in-place (records run as they arrive) or fifo", 1,
     OPTION_CHOICE(arguments, dispatch, dispatches)},
    {"bytes", 'b', "N", "Of a buffer of records (1024); 0: each is sent alone", 1,
     OPTION_NUMBER(arguments, placing.aggregate_bytes, 0, 1 << 24)},
    {"cones", 0, NULL, "Subcircuits are placed by fan-in cones, not by size", 1,
     OPTION_FLAG(arguments, placing.cones)},
    {"outputs", 'o', "FILE", "Where to write the settled outputs", 2,
     OPTION_TEXT(arguments, outputs)},
    {"waves", 0, "FILE", "Where to write the voltages, as text", 2, OPTION_TEXT(arguments, text)},
    {"vcd", 0, "FILE", "Where to write them as VCD", 2, OPTION_TEXT(arguments, vcd)},
    {"svg", 0, "FILE", "Where to draw them", 2, OPTION_TEXT(arguments, svg)},
    PROGRAM_OPTIONS(arguments),
    OPTION_END};

/* ---- the circuit, and what its outputs settle to ---- */

typedef struct job {
    network of;
    vectors in;
    unsigned char *expected; /* vectors x outputs */
} job;

static int expect_netlist(job *made, const circuit *of) {
    results units;
    waves none = {0};
    vectors in;
    int failed = vectors_make(&in, of, made->in.count);
    if (failed) return failed;
    failed = results_make(&units, of, in.count) || circuit_serial(of, &in, &units, &none);
    if (!failed) memcpy(made->expected, units.outputs, (size_t)in.count * of->output_count);
    results_free(&units);
    free(in.bits);
    return failed;
}

static int read_netlist(arguments *me, circuit *of) {
    char why[CIRCUIT_WHY] = "";
    const char *slash = strrchr(me->netlist, '/');
    me->circuit = slash != NULL ? slash + 1 : me->netlist;
    if (circuit_read_file(of, me->netlist, why) == 0) return 0;
    fprintf(stderr, "%s:%s\n", me->netlist, why);
    return 1;
}

static int make_vectors(job *made, const arguments *me) {
    const circuit like = {.input_count = made->of.input_count};
    if (vectors_make(&made->in, &like, me->vectors)) return 1;
    made->in.period = made->of.period;
    made->expected = calloc((size_t)me->vectors * made->of.output_count + 1, 1);
    return made->expected == NULL;
}

static int make_netlist(job *made, arguments *me) {
    circuit of;
    int failed;
    if (read_netlist(me, &of)) return 1;
    failed = cswec_expand(&made->of, &of) || make_vectors(made, me) || expect_netlist(made, &of);
    circuit_free(&of);
    return failed;
}

static int make_regfile(job *made, arguments *me) {
    me->circuit = "regfile";
    if (cswec_regfile(&made->of, me->words, me->bits) || make_vectors(made, me)) return 1;
    for (size_t i = 0; i < me->vectors; i++)
        cswec_regfile_outputs(me->words, me->bits, made->in.bits + i * made->of.input_count,
                              made->expected + i * made->of.output_count);
    return 0;
}

static void free_job(job *made) {
    cswec_network_free(&made->of);
    free(made->in.bits);
    free(made->expected);
}

/* ---- the row ---- */

static bool verified(const job *of, const cswec_results *out, const cswec_results *serial) {
    return out->digest == serial->digest && out->steps == serial->steps &&
           out->lines == serial->lines &&
           memcmp(out->outputs, of->expected, (size_t)of->in.count * of->of.output_count) == 0;
}

static void print_counts(const cswec_sums *sums, uint32_t ranks) {
    const svs_event_statistics *events = &sums->events;
    const svs_ranks_statistics *all = &sums->ranks;
    printf(" sends=%" PRIu64 " events=%" PRIu64 " local=%" PRIu64 " records=%" PRIu64
           " nulls=%" PRIu64 " replaced=%" PRIu64 " spaces=%" PRIu64 " waits_space=%" PRIu64
           " waits_data=%" PRIu64 " recoveries=%" PRIu64 " growths=%" PRIu64 " alarms=%" PRIu64,
           events->sends, events->events, events->local, events->records, events->nulls,
           events->replaced, events->spaces, events->waits_space, events->waits_data,
           events->recoveries, events->growths, events->alarms);
    printf(" fibers=%" PRIu64 " messages=%" PRIu64 " sent_bytes=%" PRIu64 " idle_s=%.6f end_s=%.6f",
           all->thread_disp, all->msg_sent, all->byte_sent,
           (double)all->idle_work_ns * 1e-9 / ranks,
           (double)(all->idle_ns - all->idle_work_ns) * 1e-9 / ranks);
}

static void print_row(const arguments *me, const job *of, const cswec_results *out,
                      const cswec_results *serial, const cswec_sums *sums, double difference) {
    printf("bench=multipol program=cswec circuit=%.*s subcircuits=%u transistors=%u ranks=%u "
           "transport=%s capacity=%u dispatch=%s bytes=%zu cures=%s place=%s vectors=%u "
           "margin=%g step=%g steps=%" PRIu64 " transistor_steps=%" PRIu64 " lines=%" PRIu64
           " digest=%016" PRIx64 " s=%.6f cpu_s=%.6f serial_s=%.6f serial_cpu_s=%.6f "
           "ratio_serial=%.3f ratio_cpu=%.3f",
           (int)strcspn(me->circuit, "."), me->circuit, of->of.count - of->of.input_count,
           of->of.transistor_count, out->ranks, me->name, me->placing.capacity,
           dispatches[me->dispatch], me->placing.aggregate_bytes, program_cures[me->placing.cures],
           me->placing.cones ? "cones" : "size", me->vectors, me->options.margin,
           me->options.step_change, out->steps, out->transistor_steps, out->lines, out->digest,
           out->seconds, out->cpu_seconds, serial->seconds, serial->cpu_seconds,
           serial->seconds / out->seconds, serial->cpu_seconds / out->cpu_seconds);
    print_counts(sums, out->ranks == 0 ? 1 : out->ranks);
    if (difference >= 0) printf(" difference=%.4f", difference);
    printf(" verified=%s\n", verified(of, out, serial) ? "yes" : "no");
}

static int write_outputs(const job *of, const cswec_results *all, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return 1;
    for (size_t i = 0; i < of->in.count; i++) {
        for (size_t k = 0; k < of->of.output_count; k++) {
            unsigned char value = all->outputs[i * of->of.output_count + k];
            (void)fputc(value == 2 ? 'x' : '0' + value, file);
        }
        (void)fputc('\n', file);
    }
    return fclose(file) != 0;
}

static int write_files(const arguments *me, const job *of, const cswec_results *out, waves *to) {
    return (me->outputs && write_outputs(of, out, me->outputs)) ||
           (me->text && cswec_waves_write(to, &of->of, me->text, WAVE_TEXT)) ||
           (me->vcd && cswec_waves_write(to, &of->of, me->vcd, WAVE_VCD)) ||
           (me->svg && cswec_waves_write(to, &of->of, me->svg, WAVE_SVG));
}

/* ---- the run ---- */

/* @return the exit status of this rank. */
static int run(const arguments *me, const job *of, cswec_results *out, cswec_results *serial,
               const svs_transport *transport) {
    cswec_sums sums = {0};
    waves of_serial = {0}, of_ranks = {0}, *to = me->serial ? &of_serial : &of_ranks;
    char text[500];
    double difference = -1;
    int failed = cswec_serial(&of->of, &of->in, &me->options, serial, &of_serial);
    svs_status status = SVS_OK;
    if (!failed && !me->serial)
        status = cswec_ranks(transport, &of->of, &of->in, &me->options, &me->placing, out,
                             &of_ranks, &sums, text);
    if (status != SVS_OK) fprintf(stderr, "%s: %s\n", svs_status_name(status), text);
    failed |= status != SVS_OK;
    if (!failed && (me->serial || out->ranks != 0)) { /* rank 0 prints */
        const cswec_results *shown = me->serial ? serial : out;
        failed = write_files(me, of, shown, to);
        if (me->reference_step != 0)
            difference = cswec_difference(&of->of, &of->in, to, me->reference_step,
                                          (int64_t)of->in.count * of->of.period);
        print_row(me, of, shown, serial, &sums, difference);
        failed |= !verified(of, shown, serial);
    }
    free(of_serial.of);
    free(of_ranks.of);
    return failed;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    arguments me = said;
    job of = {0};
    cswec_results out = {0}, serial = {0};
    int failed;
    (void)argc, (void)argv;
    me.options.keep_waves = me.text || me.vcd || me.svg || me.reference_step != 0;
    failed = me.netlist != NULL ? make_netlist(&of, &me) : make_regfile(&of, &me);
    if (!failed)
        failed = cswec_results_make(&out, &of.of, me.vectors) ||
                 cswec_results_make(&serial, &of.of, me.vectors) ||
                 run(&me, &of, &out, &serial, transport);
    free(out.outputs);
    free(serial.outputs);
    free_job(&of);
    return failed;
}

static void complete(const struct argp_state *state, void *into) {
    arguments *me = into;
    if ((me->netlist == NULL) == (me->words == 0))
        argp_error(state, "a circuit is missing: --netlist, or --words for a register file");
    if ((me->words & (me->words - 1)) != 0)
        argp_error(state, "--words is %u: give a power of 2", me->words);
    me->placing.dispatch = me->dispatch == 0 ? SVS_DISPATCH_IN_PLACE : SVS_DISPATCH_FIFO;
}

int main(int argc, char **argv) {
    static const option_program command = {
        .rows = rows, .text = "The voltages of a circuit under random vectors.", .end = complete};
    options_read(&command, argc, argv, &said);
    said.placing.characteristics = program_characteristics();
    if (said.serial) return program(NULL, argc, argv);
    return program_start("cswec", said.transport, program);
}
