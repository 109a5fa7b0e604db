/* CSWEC: the voltages of a circuit of CMOS transistors over time (section 2.2.4.3 of Wen's thesis,
 * after SWEC by Lin, Marek-Sadowska and Kuh).
 *
 *     netlist --cswec_expand()--> subcircuits --cswec_step()--> voltages
 *
 * Steps are called by a queue of times (serial), or by the simulation on an event graph.
 *
 * A *signal* is an input of the circuit or the output of a *subcircuit*: transistors whose channels
 * are connected. Signals are inputs, then subcircuits, each after those that it depends on. A
 * subcircuit sees its inputs as lines: a voltage and a slope from a time on. It tells its own line
 * anew when its voltage differs from the last one by more than a margin.
 *
 * Units: voltages are parts of the supply, which is 1; times are ticks of 1 fs in int64_t, and
 * picoseconds in double; capacitances are in fF, conductances in mS. So mS / fF is 1 / ps.
 *
 *   cswec.1  A step of a signal depends on its state, and on the lines of its inputs up to the time
 *            of the step. So its steps and voltages are bitwise equal for each order in which
 *            signals are stepped, and with it for each number of ranks, capacity and cure.
 *   cswec.2  Voltages stay between ground and supply: a backward Euler step with conductances that
 *            are not negative gives a weighted mean of the voltages before and the supplies.
 *   cswec.3  Two integrations of a subcircuit are at least CSWEC_STEP_LEAST apart; so the times of
 *            its lines rise, and the simulation ends.
 *
 *   file               what
 *   cswec_network.c    gates as subcircuits of transistors
 *   cswec_regfile.c    a register file
 *   cswec_model.c      transistors, and the step of a subcircuit
 *   cswec_serial.c     the serial program, and the integrator with a fixed step
 *   cswec_ranks.c      the program on the event graph
 *   cswec_waves.c      waveforms */
#ifndef SVS_BENCH_CSWEC_H
#define SVS_BENCH_CSWEC_H

#include "multipol/circuit/circuit.h"
#include <assert.h>

#define CSWEC_TICKS 1000       /* of 1 ps */
#define CSWEC_RAMP 50000       /* ticks in which an input of the circuit changes */
#define CSWEC_STEP_LEAST 500   /* the shortest time step of a subcircuit, in ticks */
#define CSWEC_STEP_FRESH 1000  /* the longest first step after an event wakes a settled one */
#define CSWEC_DELAY 400        /* ticks from a step to the begin of its line: the lookahead */
#define CSWEC_STEP_MOST 200000 /* the longest time step */
#define CSWEC_NEVER SVS_EVENT_TIME_MAX

static_assert(CSWEC_DELAY < CSWEC_STEP_LEAST, "a line begins before the next step of its signal");

typedef struct transistor {
    uint32_t gate;     /* position among the inputs of the subcircuit */
    uint32_t from, to; /* its nodes; `nodes` of the subcircuit is the ground, one more the supply */
    float width;       /* of its channel */
    bool p;            /* conducts when its gate is low */
} transistor;

typedef struct subcircuit { /* of an input of the circuit: all counts are 0 */
    uint32_t first_input, inputs;
    uint32_t first_node, nodes; /* the last one is its output */
    uint32_t first_transistor, transistors;
    uint32_t level; /* 0 of an input; 1 more than the highest of its inputs */
} subcircuit;

typedef struct network_node {
    double capacitance;
    /* Its row of the matrix of the subcircuit, whose entries before column `first` are 0: where it
     * begins. */
    uint32_t row, first;
} network_node;

typedef char signal_name[80];

typedef struct network {
    subcircuit *of; /* by signals */
    signal_name *names;
    uint32_t *inputs; /* signals */
    network_node *nodes;
    transistor *transistors;
    uint32_t *outputs;                   /* signals that are outputs of the circuit */
    uint32_t *output_head, *output_next; /* positions of outputs that a signal is, plus 1 */
    uint32_t count, input_count, link_count, node_count, transistor_count, output_count;
    uint32_t depth;
    uint32_t inputs_most, nodes_most, row_most; /* of a subcircuit; and entries of its matrix */
    int64_t period;                             /* ticks from one vector to the next */
} network;

/* The gates of a circuit as subcircuits: NAND, NOR and NOT are one, AND and OR are two, BUF two
 * inverters, and XOR and XNOR of two inputs three: two inverters and a stage of eight transistors.
 * @return 0, or 1: no memory; then nothing is to be freed. */
int cswec_expand(network *made, const circuit *of);
/* The read path of a register file with `words` (a power of 2, at least 4) of `bits` each. With 32
 * of 32 it has the shape of the thesis' REGFILE: 325 subcircuits, 4,832 transistors, 32 of them
 * large and equal. The inputs are the address and a word of data; the file holds in each bit the
 * datum or its complement. @return as above. */
int cswec_regfile(network *made, uint32_t words, uint32_t bits);
/* The outputs of a register file for an input vector. */
void cswec_regfile_outputs(uint32_t words, uint32_t bits, const unsigned char *in,
                           unsigned char *out);
void cswec_network_free(network *made);

/* ---- cswec_network.c, for those that make networks ---- */

enum { CSWEC_OUT = 0x7ffffff0, CSWEC_GROUND, CSWEC_SUPPLY }; /* terminals of a stage that is made */

typedef struct cswec_builder {
    network *made;
    uint32_t capacities[6];
    bool failed; /* no memory */
} cswec_builder;

/* @return the signal. */
uint32_t cswec_add_input(cswec_builder *me, const char *name);
/* Begins a subcircuit; transistors are added to it until its end. */
void cswec_begin_stage(cswec_builder *me);
uint32_t cswec_add_node(cswec_builder *me);
void cswec_add_transistor(cswec_builder *me, bool p, uint32_t gate_signal, uint32_t from,
                          uint32_t to, float width);
uint32_t cswec_end_stage(cswec_builder *me, const char *name);
uint32_t cswec_add_nand(cswec_builder *me, const uint32_t *signals, uint32_t count,
                        const char *name);
uint32_t cswec_add_not(cswec_builder *me, uint32_t signal, const char *name);
void cswec_add_output(cswec_builder *me, uint32_t signal);
/* Capacitances, matrices and the period. @return 0, or 1: no memory; then all is freed. */
int cswec_finish(cswec_builder *me);

/* ---- cswec_model.c ---- */

typedef struct cswec_line { /* a signal from `time` on, until its next line; it is also the event */
    int64_t time;
    double value, slope; /* per ps. The voltage stops at ground and supply */
} cswec_line;

typedef struct signal_state {
    int64_t last;    /* the time of its voltages */
    cswec_line sent; /* its last line */
    double fastest;  /* the rate of its node that changes most, per ps */
    uint64_t digest; /* of the times and voltages of all integrations */
    bool settled;    /* no node changes to speak of */
    bool resting;    /* ... nor does any input: it has no wake */
} signal_state;

typedef struct cswec_options {
    double margin;      /* by which a voltage may differ from the line that was sent */
    double step_change; /* the change of a voltage that one step is made for */
    bool keep_waves;
} cswec_options;

typedef struct cswec_state {
    const network *of;
    const vectors *in;
    cswec_options options;
    signal_state *signals;
    cswec_line *links;                     /* of each input of each subcircuit */
    double *voltages, *rates;              /* of nodes */
    double *matrix, *right, *guess, *gate; /* of the subcircuit that steps */
    unsigned char
        *settled;   /* vectors x outputs: the value + 1 that a vector came to; 0: as before */
    uint64_t steps; /* integrations */
    uint64_t transistor_steps; /* ... times the transistors of the subcircuit */
    uint64_t lines;            /* that were sent */
    waves waves;               /* values are millionths of the supply */
} cswec_state;

/* @return 0, or 1: no memory; then nothing is to be freed. */
int cswec_state_make(cswec_state *made, const network *of, const vectors *in,
                     const cswec_options *options);
void cswec_state_free(cswec_state *made);
/* A step of a signal: at time 0, at each wake that it returns, and whenever a line of one of its
 * inputs begins: news[i] is the line of input i that begins now, or NULL. *sends says whether the
 * signal has a new line, signals[].sent, which begins CSWEC_DELAY later. @return its next wake. */
int64_t cswec_step(cswec_state *me, uint32_t signal, int64_t time, const cswec_line *const *news,
                   bool *sends);
/* The current between the ends of a transistor by the voltage across it. `control` is the voltage
 * of its gate. */
double cswec_conductance(const transistor *one, double control, double from, double to);
/* A digest of all signals, which is a sum over them. */
uint64_t cswec_digest(const cswec_state *me);

/* ---- programs ---- */

typedef struct cswec_results {
    unsigned char *outputs; /* vectors x outputs: 0, 1, or 2: between */
    uint64_t digest, steps, transistor_steps, lines;
    double seconds, cpu_seconds; /* CPU time of all ranks */
    uint32_t ranks;              /* 0: serial */
} cswec_results;

int cswec_results_make(cswec_results *made, const network *of, uint32_t vector_count);
/* From a state whose `settled`, counts and waves are those of all ranks. */
void cswec_results_fill(cswec_results *out, const cswec_state *from);

/* Serial, with a queue of times. @param to takes the waveforms. @return 1: no memory. */
int cswec_serial(const network *of, const vectors *in, const cswec_options *options,
                 cswec_results *out, waves *to);
/* All transistors at once by the trapezoidal rule of Heun with a fixed step, from time 0 to `end`:
 * the largest difference between a signal and its waveform.
 * @return a negative number: no memory. */
double cswec_difference(const network *of, const vectors *in, waves *all, int64_t step,
                        int64_t end);

typedef struct cswec_placing {
    uint32_t capacity, cures;
    svs_dispatch dispatch;
    size_t aggregate_bytes;
    bool cones;                  /* placed by fan-in cones, or by size */
    const char *characteristics; /* file of --characteristics, or NULL */
} cswec_placing;

typedef struct cswec_sums { /* of all ranks */
    svs_event_statistics events;
    svs_ranks_statistics ranks;
} cswec_sums;

/* Results are whole on rank 0. @param text at least 500 bytes, for a failure. */
svs_status cswec_ranks(const svs_transport *transport, const network *of, const vectors *in,
                       const cswec_options *options, const cswec_placing *placing,
                       cswec_results *out, waves *to, cswec_sums *sums, char *text);

/* ---- cswec_waves.c ---- */

/* Text has lines of a time in ps, a signal and a voltage; the drawing has the circuit's inputs and
 * outputs, 24 at most. */
typedef enum wave_form { WAVE_TEXT, WAVE_VCD, WAVE_SVG } wave_form;
/* @return 0, or 1. */
int cswec_waves_write(waves *all, const network *of, const char *path, wave_form form);

#endif
