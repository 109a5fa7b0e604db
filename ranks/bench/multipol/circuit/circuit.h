/* A combinational circuit: gates of one time unit each, read from a `.bench` file of ISCAS-85 or
 * generated, and its simulation under a list of input vectors. Signals are inputs, then gates, in
 * the order of the file. */
#ifndef SVS_BENCH_CIRCUIT_H
#define SVS_BENCH_CIRCUIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <svs/ranks.h>

typedef enum gate_type {
    GATE_INPUT,
    GATE_AND,
    GATE_NAND,
    GATE_OR,
    GATE_NOR,
    GATE_XOR,
    GATE_XNOR,
    GATE_NOT,
    GATE_BUF
} gate_type;

typedef struct gate {
    char *name;
    gate_type type;
    uint32_t first_input, inputs; /* of circuit.inputs */
    uint32_t level;               /* 0 of an input; 1 more than the highest of its inputs */
    uint32_t line, column;        /* of its definition */
} gate;

typedef struct circuit {
    gate *gates; /* and inputs */
    uint32_t *inputs, *outputs;
    uint32_t count, input_count, output_count, link_count, depth;
} circuit;

enum { CIRCUIT_WHY = 1000 };

/* Reads a text. @param why CIRCUIT_WHY bytes: "LINE:COLUMN: what was expected". @return 0, or 1
 * with `why`; then nothing is to be freed. */
int circuit_read(circuit *made, const char *text, size_t bytes, char *why);
int circuit_read_file(circuit *made, const char *path, char *why);
/* `width` gates on each of `depth` levels, each of two to four signals of the levels before.
 * @return a text for circuit_read(), to be freed. */
char *circuit_generate(uint32_t width, uint32_t depth, uint64_t seed);
void circuit_free(circuit *made);

/* The value of a gate of which `ones` inputs are 1, and `unknown` not known yet: 0, 1, or 2, which
 * is not known. */
static inline unsigned gate_three(gate_type type, uint32_t ones, uint32_t unknown,
                                  uint32_t inputs) {
    bool zero = ones + unknown != inputs; /* an input is 0 */
    switch (type) {
    case GATE_AND: return zero ? 0 : unknown ? 2 : 1;
    case GATE_NAND: return zero ? 1 : unknown ? 2 : 0;
    case GATE_OR: return ones ? 1 : unknown ? 2 : 0;
    case GATE_NOR: return ones ? 0 : unknown ? 2 : 1;
    case GATE_XOR: return unknown ? 2 : ones & 1u;
    case GATE_XNOR: return unknown ? 2 : !(ones & 1u);
    case GATE_NOT: return unknown ? 2 : !ones;
    default: return unknown ? 2 : ones;
    }
}

/* The vectors: `count` of them, a bit for each input. Between two of them all gates settle. */
typedef struct vectors {
    unsigned char *bits; /* count x inputs */
    uint32_t count;
    int64_t period;
} vectors;

/* Those of the reference results (xorshift32, seed 12345, bit 16). @return 1: no memory. */
int vectors_make(vectors *made, const circuit *of, uint32_t count);

/* What is computed: the values of outputs after each vector has settled, how often gates changed,
 * and the times from a vector to the last change of a gate. */
typedef struct results {
    unsigned char *outputs; /* vectors x outputs */
    int32_t *settle;        /* of each vector */
    uint64_t changes;
    uint64_t steps;              /* evaluations of gates */
    double seconds, cpu_seconds; /* CPU time of all ranks */
    uint32_t ranks;              /* 0: serial */
} results;

int results_make(results *made, const circuit *of, uint32_t count);
void results_free(results *made);

/* A change of a signal, for waveforms. */
typedef struct change {
    int64_t time;
    uint32_t signal, value;
} change;
typedef struct waves { /* zero: none are kept */
    change *of;
    size_t count, capacity;
    bool kept;
} waves;
void waves_add(waves *to, int64_t time, uint32_t signal, uint32_t value);
/* Puts the changes in the order of time and signal. */
void waves_sort(waves *all);
/* The head of a VCD: the kind of a variable is "wire 1" or "real 64", and signal i is named by
 * name(of, i). A file says by waves_close() whether there was memory for all changes. */
void vcd_head(FILE *file, const char *unit, const char *kind, const void *of, uint32_t count,
              const char *(*name)(const void *of, uint32_t signal));
/* @return 0, or 1. */
int waves_close(const waves *all, FILE *file);
/* Writes the changes, in the order of time and signal, as text or VCD. @return 0, or 1. */
int waves_write(waves *all, const circuit *of, const char *path, bool vcd);

/* ---- circuit_gather.c: in a thread with a stack, whose waits use `done`. Results are on rank 0
 * ---- */

/* Once for a rank. Collective. */
svs_status gather_prepare(svs_ranks *ranks);
/* Before a run: where the changes of other ranks go. It is the data of the rank's handlers. */
void gather_begin(svs_ranks *ranks, waves *all);
/* Each byte becomes the largest of all ranks; `count` numbers of 64 bits become their sums. */
svs_status gather_bytes(svs_ranks *ranks, svs_distributed *object, unsigned char *bytes,
                        size_t count, svs_counter *done);
svs_status gather_sums(svs_ranks *ranks, svs_distributed *object, const void *own, void *sums,
                       size_t count, svs_counter *done);
/* Posts the waves of this rank to rank 0. */
svs_status gather_waves(svs_ranks *ranks, const waves *all, svs_counter *done);

/* A serial event-driven simulator. @return 1: no memory. */
int circuit_serial(const circuit *of, const vectors *in, results *out, waves *to);

/* On the event graph. */
typedef struct circuit_options {
    const char *name; /* each circuit of a rank has another one */
    uint32_t capacity, cures;
    svs_dispatch dispatch;
    bool cones;                  /* placed by fan-in cones, or by size */
    const char *characteristics; /* file of --characteristics, or NULL */
} circuit_options;
/* A rank for circuits, one after the other. Collective; svs_ranks_free() is for it. */
svs_status circuit_rank_new(const svs_transport *transport, size_t aggregate_bytes,
                            svs_ranks **ranks);
/* Results are whole on rank 0. Collective. @param text at least 500 bytes, for a failure. */
svs_status circuit_ranks(svs_ranks *ranks, const circuit *of, const vectors *in,
                         const circuit_options *options, results *out, waves *to,
                         svs_event_statistics *sums, char *text);

#endif
