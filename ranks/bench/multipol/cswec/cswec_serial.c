/* The serial program: a queue of times, from which the subcircuit with the earliest one steps. And
 * the integrator that it is compared with, which has neither events nor a linear network. */
#include "common/clock.h"
#include "cswec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- results ---- */

int cswec_results_make(cswec_results *made, const network *of, uint32_t vector_count) {
    *made = (cswec_results){0};
    made->outputs = calloc((size_t)vector_count * of->output_count + 1, 1);
    return made->outputs == NULL;
}

void cswec_results_fill(cswec_results *out, const cswec_state *from) {
    size_t outputs = from->of->output_count;
    for (size_t at = 0; at < from->in->count * outputs; at++) {
        if (from->settled[at] != 0) out->outputs[at] = (unsigned char)(from->settled[at] - 1);
        else out->outputs[at] = at < outputs ? 2 : out->outputs[at - outputs];
    }
    out->steps = from->steps;
    out->transistor_steps = from->transistor_steps;
    out->lines = from->lines;
}

/* ---- the queue: a heap of signals by their times ---- */

typedef struct serial {
    cswec_state state;
    uint32_t *heap, *position;   /* a signal is at its position in the heap */
    int64_t *due, *wake, *event; /* the next step of each signal: the earlier of these two */
    uint32_t *first, *fanout;    /* of signals; one more */
    const cswec_line **news;
} serial;

static void put_at(serial *me, uint32_t at, uint32_t signal) {
    me->heap[at] = signal;
    me->position[signal] = at;
}

static void rise(serial *me, uint32_t signal) {
    uint32_t at = me->position[signal];
    for (; at != 0 && me->due[me->heap[(at - 1) / 2]] > me->due[signal]; at = (at - 1) / 2)
        put_at(me, at, me->heap[(at - 1) / 2]);
    put_at(me, at, signal);
}

static void sink(serial *me, uint32_t signal) {
    uint32_t at = me->position[signal], count = me->state.of->count, child;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && me->due[me->heap[child + 1]] < me->due[me->heap[child]]) child++;
        if (me->due[me->heap[child]] >= me->due[signal]) break;
        put_at(me, at, me->heap[child]);
        at = child;
    }
    put_at(me, at, signal);
}

/* ---- the serial program ---- */

static bool make_fanout(serial *me, const network *of) {
    me->first = calloc((size_t)of->count + 3, 4);
    me->fanout = calloc((size_t)of->link_count + 1, 4);
    if (me->first == NULL || me->fanout == NULL) return false;
    for (uint32_t i = 0; i < of->link_count; i++) me->first[of->inputs[i] + 2]++;
    for (uint32_t i = 0; i < of->count; i++) me->first[i + 2] += me->first[i + 1];
    for (uint32_t i = 0; i < of->count; i++)
        for (uint32_t k = 0; k < of->of[i].inputs; k++)
            me->fanout[me->first[of->inputs[of->of[i].first_input + k] + 1]++] = i;
    return true;
}

static bool serial_make(serial *me, const network *of, const vectors *in,
                        const cswec_options *options) {
    size_t count = (size_t)of->count + 1;
    if (cswec_state_make(&me->state, of, in, options)) return false;
    me->heap = calloc(count, 4);
    me->position = calloc(count, 4);
    me->due = calloc(count, sizeof *me->due);
    me->wake = calloc(count, sizeof *me->wake);
    me->event = calloc(count, sizeof *me->event);
    me->news = calloc((size_t)of->inputs_most + 1, sizeof *me->news);
    if (!me->heap || !me->position || !me->due || !me->wake || !me->event || !me->news ||
        !make_fanout(me, of))
        return false;
    for (uint32_t i = 0; i < of->count; i++) { /* all are due at time 0 */
        put_at(me, i, i);
        me->event[i] = CSWEC_NEVER;
    }
    return true;
}

static void serial_free(serial *me) {
    cswec_state_free(&me->state);
    free(me->heap);
    free(me->position);
    free(me->due);
    free(me->wake);
    free(me->event);
    free(me->first);
    free(me->fanout);
    free(me->news);
}

/* The lines of the inputs that begin now. @return the first time of one that begins later. A source
 * has one line that has not begun, at most: CSWEC_DELAY is less than the time between its steps. */
static int64_t find_news(serial *me, uint32_t signal, int64_t time) {
    const network *of = me->state.of;
    const subcircuit *stage = &of->of[signal];
    int64_t next = CSWEC_NEVER;
    for (uint32_t i = 0; i < stage->inputs; i++) {
        const cswec_line *sent = &me->state.signals[of->inputs[stage->first_input + i]].sent;
        me->news[i] = sent->time == time ? sent : NULL;
        if (sent->time > time && sent->time < next) next = sent->time;
    }
    return next;
}

static void tell(serial *me, uint32_t signal, int64_t time) {
    if (me->event[signal] > time) me->event[signal] = time;
    if (me->due[signal] <= time) return;
    me->due[signal] = time;
    rise(me, signal);
}

static void step_signal(serial *me, uint32_t signal, int64_t time) {
    bool sends;
    me->event[signal] = find_news(me, signal, time);
    me->wake[signal] = cswec_step(&me->state, signal, time, me->news, &sends);
    me->due[signal] = me->event[signal] < me->wake[signal] ? me->event[signal] : me->wake[signal];
    sink(me, signal);
    for (uint32_t i = me->first[signal]; sends && i < me->first[signal + 1]; i++)
        tell(me, me->fanout[i], time + CSWEC_DELAY);
}

int cswec_serial(const network *of, const vectors *in, const cswec_options *options,
                 cswec_results *out, waves *to) {
    serial me = {0};
    int64_t end = (int64_t)in->count * of->period - 1;
    bool made = serial_make(&me, of, in, options);
    double begin = clock_wall_seconds(), cpu = clock_seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (made && of->count != 0 && me.due[me.heap[0]] <= end)
        step_signal(&me, me.heap[0], me.due[me.heap[0]]);
    out->seconds = clock_wall_seconds() - begin;
    out->cpu_seconds = clock_seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    if (made) {
        cswec_results_fill(out, &me.state);
        out->digest = cswec_digest(&me.state);
        *to = me.state.waves;
        me.state.waves.of = NULL;
    }
    serial_free(&me);
    return !made;
}

/* ---- the integrator ---- */

typedef struct integrator {
    const network *of;
    const vectors *in;
    double *now, *then, *rates[2]; /* of inputs, then of nodes */
} integrator;

static double input_at(const integrator *me, uint32_t signal, int64_t time) {
    uint32_t which = (uint32_t)(time / me->of->period), inputs = me->of->input_count;
    double before = which == 0 ? 0 : me->in->bits[(which - 1) * inputs + signal];
    double after = me->in->bits[which * inputs + signal];
    double part = (double)(time % me->of->period - CSWEC_DELAY) / CSWEC_RAMP;
    if (part < 0) part = 0;
    return part >= 1 ? after : before + (after - before) * part;
}

/* Where the voltage of a signal is. */
static uint32_t place_of(const network *of, uint32_t signal) {
    const subcircuit *stage = &of->of[signal];
    return signal < of->input_count ? signal
                                    : of->input_count + stage->first_node + stage->nodes - 1;
}

static void find_rates(const integrator *me, const double *at, double *rates) {
    const network *of = me->of;
    memset(rates, 0, ((size_t)of->input_count + of->node_count) * sizeof *rates);
    for (uint32_t signal = of->input_count; signal < of->count; signal++) {
        const subcircuit *stage = &of->of[signal];
        uint32_t first = of->input_count + stage->first_node;
        for (uint32_t i = 0; i < stage->transistors; i++) {
            const transistor *one = &of->transistors[stage->first_transistor + i];
            double control = at[place_of(of, of->inputs[stage->first_input + one->gate])];
            double from = one->from < stage->nodes ? at[first + one->from]
                                                   : (double)(one->from - stage->nodes);
            double to =
                one->to < stage->nodes ? at[first + one->to] : (double)(one->to - stage->nodes);
            double current = cswec_conductance(one, control, from, to) * (to - from);
            if (one->from < stage->nodes) rates[first + one->from] += current;
            if (one->to < stage->nodes) rates[first + one->to] -= current;
        }
        for (uint32_t i = 0; i < stage->nodes; i++)
            rates[first + i] /= of->nodes[stage->first_node + i].capacitance;
    }
}

static void advance(const integrator *me, int64_t time, int64_t step) {
    uint32_t inputs = me->of->input_count, all = inputs + me->of->node_count;
    double h = (double)step / CSWEC_TICKS;
    for (uint32_t i = 0; i < inputs; i++) me->now[i] = input_at(me, i, time);
    find_rates(me, me->now, me->rates[0]);
    for (uint32_t i = 0; i < inputs; i++) me->then[i] = input_at(me, i, time + step);
    for (uint32_t i = inputs; i < all; i++) me->then[i] = me->now[i] + h * me->rates[0][i];
    find_rates(me, me->then, me->rates[1]);
    for (uint32_t i = inputs; i < all; i++)
        me->now[i] += h / 2 * (me->rates[0][i] + me->rates[1][i]);
    for (uint32_t i = 0; i < inputs; i++) me->now[i] = me->then[i];
}

/* The value of a signal's waveform at a time, between its samples. `at` is that of the last sample
 * that is not later, and goes along. */
static double wave_at(const waves *all, size_t *at, uint32_t signal, int64_t time) {
    const change *one, *next;
    while (*at + 1 < all->count && all->of[*at + 1].signal == signal &&
           all->of[*at + 1].time <= time)
        ++*at;
    one = &all->of[*at];
    next = one + 1;
    if (one->signal != signal || one->time > time) return 0;
    if (*at + 1 == all->count || next->signal != signal) return one->value * 1e-6;
    return 1e-6 * (one->value + ((double)next->value - one->value) * (double)(time - one->time) /
                                    (double)(next->time - one->time));
}

static int by_signal(const void *one, const void *other) {
    const change *a = one, *b = other;
    if (a->signal != b->signal) return a->signal < b->signal ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

/* @return the first sample of each signal; NULL: no memory. */
static size_t *first_samples(const network *of, waves *all) {
    size_t *at = calloc((size_t)of->count + 1, sizeof *at);
    if (at == NULL || all->count == 0) return at;
    qsort(all->of, all->count, sizeof *all->of, by_signal);
    for (size_t i = all->count; i-- > 0;) at[all->of[i].signal] = i;
    return at;
}

double cswec_difference(const network *of, const vectors *in, waves *all, int64_t step,
                        int64_t end) {
    size_t count = (size_t)of->input_count + of->node_count + 1;
    integrator me = {.of = of, .in = in};
    size_t *at = first_samples(of, all);
    double most = 0;
    me.now = calloc(4 * count, sizeof *me.now);
    if (me.now == NULL || at == NULL) {
        free(me.now);
        free(at);
        return -1;
    }
    me.then = me.now + count;
    me.rates[0] = me.then + count;
    me.rates[1] = me.rates[0] + count;
    for (int64_t time = 0; time + step < end; time += step) {
        advance(&me, time, step);
        for (uint32_t i = 0; i < of->count; i++) {
            double off = fabs(me.now[place_of(of, i)] - wave_at(all, &at[i], i, time + step));
            if (off > most) most = off;
        }
    }
    free(me.now);
    free(at);
    return most;
}
