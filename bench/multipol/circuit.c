/* Circuit: a combinational circuit, one time unit a gate, under random vectors.
 *
 *     bench_multipol_circuit --netlist FILE.bench | --generate WIDTH DEPTH [--vectors 1000]
 *         [--serial] [--capacity 64] [--cures nulls,recovery,growth] [--dispatch in_place|fifo]
 *         [--bytes 16384] [--cones] [--outputs FILE] [--waves FILE] [--vcd FILE] [--transport T]
 *
 * prints one row; --outputs writes the values of the outputs after each vector, one a line, as the
 * reference results have them. Each run is compared with the serial simulator (verified=yes). */
#include "circuit.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const char *netlist, *outputs, *waves, *vcd, *name;
    uint32_t width, depth, vectors;
    bool serial;
    circuit_options options;
} arguments;

static const char *cures_text(uint32_t cures) {
    static const char *const texts[] = {
        "none",   "nulls",        "recovery",        "nulls+recovery",
        "growth", "nulls+growth", "recovery+growth", "all"};
    return texts[cures & 7u];
}

static uint32_t cures_of(const char *text) {
    uint32_t cures = 0;
    if (strstr(text, "nulls")) cures |= SVS_EVENT_NULLS;
    if (strstr(text, "recovery")) cures |= SVS_EVENT_RECOVERY;
    if (strstr(text, "growth")) cures |= SVS_EVENT_GROWTH;
    return cures;
}

static int usage(void) {
    fprintf(stderr,
            "usage: bench_multipol_circuit --netlist FILE | --generate WIDTH DEPTH "
            "[--vectors N] [--serial] [--capacity N] [--cures A,B] [--dispatch fifo|in_place] "
            "[--bytes N] [--cones] [--outputs FILE] [--waves FILE] [--vcd FILE]\n");
    return 2;
}

static bool take_flag(arguments *me, const char *word) {
    if (strcmp(word, "--serial") == 0) me->serial = true;
    else if (strcmp(word, "--cones") == 0) me->options.cones = true;
    else return false;
    return true;
}

static bool take_pair(arguments *me, const char *word, const char *value) {
    if (strcmp(word, "--netlist") == 0) me->netlist = value;
    else if (strcmp(word, "--outputs") == 0) me->outputs = value;
    else if (strcmp(word, "--waves") == 0) me->waves = value;
    else if (strcmp(word, "--vcd") == 0) me->vcd = value;
    else if (strcmp(word, "--vectors") == 0) me->vectors = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(word, "--capacity") == 0)
        me->options.capacity = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(word, "--bytes") == 0) me->options.aggregate_bytes = strtoul(value, NULL, 10);
    else if (strcmp(word, "--cures") == 0) me->options.cures = cures_of(value);
    else if (strcmp(word, "--dispatch") == 0)
        me->options.dispatch =
            strcmp(value, "fifo") == 0 ? SVS_DISPATCH_FIFO : SVS_DISPATCH_IN_PLACE;
    else return false;
    return true;
}

static int parse(arguments *me, int argc, char **argv) {
    *me = (arguments){.vectors = 1000,
                      .options = {.capacity = 64,
                                  .cures = SVS_EVENT_NULLS | SVS_EVENT_RECOVERY | SVS_EVENT_GROWTH,
                                  .dispatch = SVS_DISPATCH_IN_PLACE,
                                  .aggregate_bytes = 16384}};
    for (int i = 1; i < argc; i++) {
        if (take_flag(me, argv[i])) continue;
        if (strcmp(argv[i], "--generate") == 0 && i + 2 < argc) {
            me->width = (uint32_t)strtoul(argv[i + 1], NULL, 10);
            me->depth = (uint32_t)strtoul(argv[i + 2], NULL, 10);
            i += 2;
        } else if (i + 1 >= argc || !take_pair(me, argv[i], argv[i + 1])) return usage();
        else i++;
    }
    return (me->netlist == NULL && me->width == 0) || me->vectors == 0 ? usage() : 0;
}

static int read_circuit(arguments *me, circuit *of) {
    char why[200] = "", *text;
    const char *slash;
    int failed;
    if (me->netlist != NULL) {
        failed = circuit_read_file(of, me->netlist, why);
        slash = strrchr(me->netlist, '/');
        me->name = slash != NULL ? slash + 1 : me->netlist;
        if (failed) fprintf(stderr, "%s:%s\n", me->netlist, why);
        return failed;
    }
    me->name = "generated";
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
    printf("bench=multipol program=circuit circuit=%.*s ranks=%u capacity=%u dispatch=%s bytes=%zu "
           "cures=%s place=%s vectors=%u changes=%" PRIu64 " max_settle=%d sum_settle=%" PRId64
           " steps=%" PRIu64 " s=%.6f serial_s=%.6f ratio_serial=%.3f",
           (int)strcspn(me->name, "."), me->name, out->ranks, me->options.capacity,
           me->options.dispatch == SVS_DISPATCH_FIFO ? "fifo" : "in_place",
           me->options.aggregate_bytes, cures_text(me->options.cures),
           me->options.cones ? "cones" : "size", me->vectors, out->changes, longest, sum,
           out->steps, out->seconds, serial->seconds, serial->seconds / out->seconds);
    printf(" sends=%" PRIu64 " events=%" PRIu64 " local=%" PRIu64 " records=%" PRIu64
           " nulls=%" PRIu64 " replaced=%" PRIu64 " spaces=%" PRIu64 " waits_space=%" PRIu64
           " waits_data=%" PRIu64 " recoveries=%" PRIu64 " growths=%" PRIu64 " alarms=%" PRIu64
           " verified=%s\n",
           sums->sends, sums->events, sums->local, sums->records, sums->nulls, sums->replaced,
           sums->spaces, sums->waits_space, sums->waits_data, sums->recoveries, sums->growths,
           sums->alarms, equal(of, out, serial, me->vectors) ? "yes" : "no");
}

/* @return the exit status of this rank. */
static int run(const arguments *me, const circuit *of, const vectors *in, results *out,
               results *serial, waves *to, const svs_transport *transport) {
    svs_event_statistics sums = {0};
    waves none = {0};
    char text[500];
    svs_status status = SVS_OK;
    bool first;
    if (circuit_serial(of, in, serial, me->serial ? to : &none)) return 1;
    if (!me->serial) status = circuit_ranks(transport, of, in, &me->options, out, to, &sums, text);
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

static int program(const svs_transport *transport, int argc, char **argv) {
    arguments me;
    circuit of;
    vectors in = {0};
    results out = {0}, serial = {0};
    waves to = {0};
    int failed = parse(&me, argc, argv);
    if (failed || read_circuit(&me, &of)) return failed ? failed : 1;
    to.kept = me.waves != NULL || me.vcd != NULL;
    failed = vectors_make(&in, &of, me.vectors) || results_make(&out, &of, me.vectors) ||
             results_make(&serial, &of, me.vectors);
    if (!failed) failed = run(&me, &of, &in, &out, &serial, &to, transport);
    results_free(&out);
    results_free(&serial);
    free(in.bits);
    free(to.of);
    circuit_free(&of);
    return failed;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--serial") == 0) return program(NULL, argc, argv);
    return svs_ranks_main(MULTIPOL_TRANSPORT, program, argc, argv);
}
