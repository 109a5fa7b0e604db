/* Transistors, and the step of a subcircuit.
 *
 * In a step a transistor is a conductance: its current by the voltage across it, with its gate in
 * the middle of the step, and the ends of its channel where they are foreseen at its end. So the
 * nodes of a subcircuit are a linear network, whose voltages after a backward Euler step are the
 * solution of
 *
 *     (C / h + G) v = C / h v_before + G_supply
 *
 * The matrix is symmetric, its rows are stored from their first entry that is not 0 on, and its
 * elimination fills nothing before that. The step is as long as the node or input that changes
 * most, at its present rate, takes for `step_change`.
 *
 * All arithmetic of the program is in this file, so that each expression is compiled once, and
 * gives the same bits in all programs (cswec.1). */
#include "cswec.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THRESHOLD 0.2     /* voltage between gate and source from which a channel conducts */
#define STRENGTH 0.4      /* mS at one volt above it, of an n-channel with a width of 1 */
#define RATE_SETTLED 1e-5 /* per ps: below it, a node does not change to speak of */

/* ---- lines ---- */

static double within_supply(double voltage) { return voltage < 0 ? 0 : voltage > 1 ? 1 : voltage; }

static double value_at(const cswec_line *one, int64_t time) {
    return within_supply(one->value + one->slope * ((double)(time - one->time) / CSWEC_TICKS));
}

/* 0 from where it meets the supply. */
static double slope_at(const cswec_line *one, int64_t time) {
    double value = value_at(one, time);
    if ((value <= 0 && one->slope < 0) || (value >= 1 && one->slope > 0)) return 0;
    return one->slope;
}

static double value_at_end(const cswec_line *one) {
    if (one->slope == 0) return one->value;
    return one->slope < 0 ? 0 : 1;
}

/* ---- transistors ---- */

/* The equations of Shichman and Hodges. Source is the end with the lower voltage of an n-channel,
 * and with the higher one of a p-channel. */
double cswec_conductance(const transistor *one, double control, double from, double to) {
    double low = from < to ? from : to, high = from < to ? to : from, across = high - low;
    double over = (one->p ? high - control : control - low) - THRESHOLD;
    double strength = STRENGTH * (one->p ? 0.5 : 1) * (double)one->width;
    if (over <= 0) return 0;
    if (across < over) return strength * (over - across / 2);
    return strength * over * over / (2 * across); /* saturated */
}

/* ---- the linear network of a step ---- */

static double *entry(const cswec_state *me, const network_node *row, uint32_t column) {
    return &me->matrix[row->row + column - row->first];
}

static void add_conductance(const cswec_state *me, const subcircuit *stage, const transistor *one,
                            double by) {
    const network_node *nodes = &me->of->nodes[stage->first_node];
    uint32_t low = one->from < one->to ? one->from : one->to;
    uint32_t high = one->from < one->to ? one->to : one->from;
    *entry(me, &nodes[low], low) += by;
    if (high < stage->nodes) {
        *entry(me, &nodes[high], high) += by;
        *entry(me, &nodes[high], low) -= by;
    } else {
        me->right[low] += by * me->guess[high]; /* of a supply */
    }
}

static void assemble(const cswec_state *me, const subcircuit *stage, double h) {
    const network *of = me->of;
    const network_node *nodes = &of->nodes[stage->first_node], *last = &nodes[stage->nodes - 1];
    memset(me->matrix, 0, (last->row + stage->nodes - last->first) * sizeof *me->matrix);
    for (uint32_t i = 0; i < stage->nodes; i++) {
        uint32_t at = stage->first_node + i;
        double inert = nodes[i].capacitance / h;
        *entry(me, &nodes[i], i) = inert;
        me->right[i] = inert * me->voltages[at];
        me->guess[i] = within_supply(me->voltages[at] + h * me->rates[at]);
    }
    me->guess[stage->nodes] = 0;
    me->guess[stage->nodes + 1] = 1;
    for (uint32_t i = 0; i < stage->transistors; i++) {
        const transistor *one = &of->transistors[stage->first_transistor + i];
        double by =
            cswec_conductance(one, me->gate[one->gate], me->guess[one->from], me->guess[one->to]);
        if (by > 0) add_conductance(me, stage, one, by);
    }
}

/* Row i of L D L', and the solution of L y = right up to it. */
static void eliminate_row(const cswec_state *me, const network_node *nodes, uint32_t i) {
    double *row = entry(me, &nodes[i], nodes[i].first), diagonal = *entry(me, &nodes[i], i);
    for (uint32_t j = nodes[i].first; j < i; j++) {
        uint32_t begin = nodes[j].first > nodes[i].first ? nodes[j].first : nodes[i].first;
        for (uint32_t k = begin; k < j; k++)
            row[j - nodes[i].first] -= row[k - nodes[i].first] * *entry(me, &nodes[j], k);
    }
    for (uint32_t j = nodes[i].first; j < i; j++) {
        double above = row[j - nodes[i].first];
        row[j - nodes[i].first] = above / *entry(me, &nodes[j], j);
        diagonal -= above * row[j - nodes[i].first];
        me->right[i] -= row[j - nodes[i].first] * me->right[j];
    }
    *entry(me, &nodes[i], i) = diagonal;
}

/* The solution is in `right`. */
static void solve(const cswec_state *me, const subcircuit *stage) {
    const network_node *nodes = &me->of->nodes[stage->first_node];
    for (uint32_t i = 0; i < stage->nodes; i++) eliminate_row(me, nodes, i);
    for (uint32_t i = 0; i < stage->nodes; i++) me->right[i] /= *entry(me, &nodes[i], i);
    for (uint32_t i = stage->nodes; i-- > 0;)
        for (uint32_t j = nodes[i].first; j < i; j++)
            me->right[j] -= *entry(me, &nodes[i], j) * me->right[i];
}

/* ---- steps ---- */

static uint64_t mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The solution is the voltages at `time`. */
static void take_voltages(cswec_state *me, const subcircuit *stage, signal_state *one, int64_t time,
                          double h) {
    one->digest = mix(one->digest, (uint64_t)time);
    one->fastest = 0;
    for (uint32_t i = 0; i < stage->nodes; i++) {
        uint32_t at = stage->first_node + i;
        double next = within_supply(me->right[i]), rate = (next - me->voltages[at]) / h;
        assert(fabs(next - me->right[i]) < 1e-6); /* cswec.2; rounding apart */
        me->voltages[at] = next;
        me->rates[at] = rate;
        one->digest = mix(one->digest, bits_of(next));
        if (fabs(rate) > one->fastest) one->fastest = fabs(rate);
    }
    one->settled = one->fastest < RATE_SETTLED;
    me->steps++;
    me->transistor_steps += stage->transistors;
}

/* The outputs that the signal is have this value in the vector of this time. */
static void keep_voltage(cswec_state *me, uint32_t signal, int64_t time, double voltage) {
    uint32_t at = me->of->output_head[signal];
    size_t which = (size_t)(time / me->of->period);
    unsigned char value = voltage < 0.1 ? 1 : voltage > 0.9 ? 2 : 3;
    for (; at != 0 && which < me->in->count; at = me->of->output_next[at - 1])
        me->settled[which * me->of->output_count + at - 1] = value;
    if (me->waves.kept) waves_add(&me->waves, time, signal, (uint32_t)(voltage * 1e6 + 0.5));
}

/* Integrates from the last step to `time`, with the lines that the inputs have had. */
static void integrate(cswec_state *me, uint32_t signal, int64_t time) {
    const subcircuit *stage = &me->of->of[signal];
    signal_state *one = &me->signals[signal];
    int64_t middle = one->last + (time - one->last) / 2;
    double h = (double)(time - one->last) / CSWEC_TICKS;
    assert(time - one->last >= CSWEC_STEP_LEAST); /* cswec.3 */
    if (!one->resting) {
        for (uint32_t i = 0; i < stage->inputs; i++)
            me->gate[i] = value_at(&me->links[stage->first_input + i], middle);
        assemble(me, stage, h);
        solve(me, stage);
        take_voltages(me, stage, one, time, h);
    }
    one->last = time;
    keep_voltage(me, signal, time, me->voltages[stage->first_node + stage->nodes - 1]);
}

/* A line for a signal whose last one is off by more than the margin, or would be in the end. */
static bool renew_line(cswec_state *me, signal_state *one, double value, double rate) {
    double told = one->settled ? value_at_end(&one->sent) : value_at(&one->sent, one->last);
    if (fabs(value - told) <= me->options.margin) return false;
    if (one->settled) rate = 0;
    one->sent = (cswec_line){one->last + CSWEC_DELAY,
                             within_supply(value + rate * CSWEC_DELAY / CSWEC_TICKS), rate};
    me->lines++;
    return true;
}

/* The next step: soon enough for what changes now. */
static int64_t next_wake(const cswec_state *me, const subcircuit *stage, signal_state *one,
                         int64_t time, bool fresh) {
    double fastest = one->settled ? 0 : one->fastest, ticks;
    int64_t most = one->settled && fresh ? CSWEC_STEP_FRESH : CSWEC_STEP_MOST;
    for (uint32_t i = 0; i < stage->inputs; i++) {
        double slope = fabs(slope_at(&me->links[stage->first_input + i], time));
        if (slope > fastest) fastest = slope;
    }
    one->resting = one->settled && !fresh && fastest == 0;
    if (one->resting) return CSWEC_NEVER;
    ticks = fastest == 0 ? (double)most : me->options.step_change / fastest * CSWEC_TICKS;
    if (ticks > (double)most) ticks = (double)most;
    return one->last + (ticks < CSWEC_STEP_LEAST ? CSWEC_STEP_LEAST : (int64_t)ticks);
}

static int64_t step_subcircuit(cswec_state *me, uint32_t signal, int64_t time,
                               const cswec_line *const *news, bool *sends) {
    const subcircuit *stage = &me->of->of[signal];
    signal_state *one = &me->signals[signal];
    uint32_t output = stage->first_node + stage->nodes - 1;
    bool fresh = false, due = time - one->last >= CSWEC_STEP_LEAST;
    if (time == 0) keep_voltage(me, signal, 0, 0);
    if (due) integrate(me, signal, time);
    for (uint32_t i = 0; i < stage->inputs; i++)
        if (news[i] != NULL) {
            me->links[stage->first_input + i] = *news[i];
            fresh = true;
        }
    *sends = due && renew_line(me, one, me->voltages[output], me->rates[output]);
    return next_wake(me, stage, one, time, fresh);
}

/* ---- inputs of the circuit ---- */

/* The time of the next vector, from `which` on, in which the input has another value. */
static int64_t next_change(const cswec_state *me, uint32_t input, uint32_t which, unsigned value) {
    const vectors *in = me->in;
    while (which < in->count && in->bits[(size_t)which * me->of->input_count + input] == value)
        which++;
    return which < in->count ? (int64_t)which * me->of->period : CSWEC_NEVER;
}

/* An input changes along a ramp: a line at its begin, and one at its end. */
static int64_t step_input(cswec_state *me, uint32_t signal, int64_t time, bool *sends) {
    cswec_line *sent = &me->signals[signal].sent;
    uint32_t which = (uint32_t)(time / me->of->period);
    unsigned bit = me->in->bits[(size_t)which * me->of->input_count + signal];
    bool begins = time % me->of->period == 0;
    *sends = !begins || sent->value != (double)bit;
    keep_voltage(me, signal, time + CSWEC_DELAY, begins ? sent->value : (double)bit);
    if (!*sends) return next_change(me, signal, which + 1, bit);
    me->lines++;
    if (begins)
        *sent = (cswec_line){time + CSWEC_DELAY, sent->value,
                             (bit - sent->value) * CSWEC_TICKS / CSWEC_RAMP};
    else *sent = (cswec_line){time + CSWEC_DELAY, bit, 0};
    return begins ? time + CSWEC_RAMP : next_change(me, signal, which + 1, bit);
}

int64_t cswec_step(cswec_state *me, uint32_t signal, int64_t time, const cswec_line *const *news,
                   bool *sends) {
    if (signal < me->of->input_count) return step_input(me, signal, time, sends);
    return step_subcircuit(me, signal, time, news, sends);
}

uint64_t cswec_digest(const cswec_state *me) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < me->of->count; i++)
        if (me->signals[i].digest != 0) sum += mix(me->signals[i].digest, i);
    return sum;
}

/* ---- state ---- */

int cswec_state_make(cswec_state *made, const network *of, const vectors *in,
                     const cswec_options *options) {
    *made = (cswec_state){.of = of, .in = in, .options = *options};
    made->waves.kept = options->keep_waves;
    made->signals = calloc((size_t)of->count + 1, sizeof *made->signals);
    made->links = calloc((size_t)of->link_count + 1, sizeof *made->links);
    made->voltages = calloc((size_t)of->node_count + 1, sizeof *made->voltages);
    made->rates = calloc((size_t)of->node_count + 1, sizeof *made->rates);
    made->matrix = calloc((size_t)of->row_most + 1, sizeof *made->matrix);
    made->right = calloc((size_t)of->nodes_most + 1, sizeof *made->right);
    made->guess = calloc((size_t)of->nodes_most + 2, sizeof *made->guess);
    made->gate = calloc((size_t)of->inputs_most + 1, sizeof *made->gate);
    made->settled = calloc((size_t)in->count * of->output_count + 1, 1);
    if (made->signals && made->links && made->voltages && made->rates && made->matrix &&
        made->right && made->guess && made->gate && made->settled) {
        for (uint32_t i = 0; i < of->count; i++) made->signals[i].fastest = 1; /* not known */
        return 0;
    }
    cswec_state_free(made);
    return 1;
}

void cswec_state_free(cswec_state *made) {
    free(made->signals);
    free(made->links);
    free(made->voltages);
    free(made->rates);
    free(made->matrix);
    free(made->right);
    free(made->guess);
    free(made->gate);
    free(made->settled);
    free(made->waves.of);
    *made = (cswec_state){0};
}
