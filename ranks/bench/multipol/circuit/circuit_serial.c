/* The vectors, and the serial simulator: lists of the gates whose inputs have changed, for this
 * time and the next, as each gate takes one time unit. */
#include "circuit.h"
#include "common/clock.h"
#include <stdlib.h>
#include <string.h>

int vectors_make(vectors *made, const circuit *of, uint32_t count) {
    uint32_t x = 12345;
    made->count = count;
    made->period = 2 * (int64_t)of->depth + 10;
    made->bits = malloc((size_t)count * of->input_count + 1);
    if (made->bits == NULL) return 1;
    for (size_t i = 0; i < (size_t)count * of->input_count; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        made->bits[i] = x >> 16 & 1u;
    }
    return 0;
}

int results_make(results *made, const circuit *of, uint32_t count) {
    static const results empty;
    *made = empty;
    made->outputs = calloc((size_t)count * of->output_count + 1, 1);
    made->settle = calloc((size_t)count + 1, sizeof *made->settle);
    return made->outputs == NULL || made->settle == NULL;
}

void results_free(results *made) {
    free(made->outputs);
    free(made->settle);
}

typedef struct serial {
    const circuit *of;
    unsigned char *value;                        /* of signals; 2: not known yet */
    uint32_t *ones, *unknown;                    /* inputs of gates */
    uint32_t *first, *fanout;                    /* of signals; one more */
    uint32_t *now, *next, now_count, next_count; /* gates to evaluate */
    int64_t *listed;                             /* of each gate: for this time, plus 1 */
} serial;

static bool make(serial *me, const circuit *of) {
    size_t count = (size_t)of->count + 2;
    me->of = of;
    me->value = calloc(count, 1);
    me->ones = calloc(count, 4);
    me->unknown = calloc(count, 4);
    me->first = calloc(count + 1, 4);
    me->fanout = calloc((size_t)of->link_count + 1, 4);
    me->now = calloc(count, 4);
    me->next = calloc(count, 4);
    me->listed = calloc(count, sizeof *me->listed);
    if (!me->value || !me->ones || !me->unknown || !me->first || !me->fanout || !me->now ||
        !me->next || !me->listed)
        return false;
    memset(me->value, 2, count);
    for (uint32_t i = 0; i < of->link_count; i++) me->first[of->inputs[i] + 2]++;
    for (uint32_t i = 0; i < of->count; i++) me->first[i + 1] += me->first[i];
    for (uint32_t i = 0; i < of->count; i++) {
        me->unknown[i] = of->gates[i].inputs;
        for (uint32_t k = 0; k < of->gates[i].inputs; k++)
            me->fanout[me->first[of->inputs[of->gates[i].first_input + k] + 1]++] = i;
    }
    return true;
}

static void clean_up(serial *me) {
    free(me->value);
    free(me->ones);
    free(me->unknown);
    free(me->first);
    free(me->fanout);
    free(me->now);
    free(me->next);
    free(me->listed);
}

/* A signal changes at `time`: the gates after it are evaluated then. */
static void set(serial *me, uint32_t signal, unsigned value, int64_t time) {
    unsigned before = me->value[signal];
    me->value[signal] = (unsigned char)value;
    for (uint32_t i = me->first[signal]; i < me->first[signal + 1]; i++) {
        uint32_t to = me->fanout[i];
        me->ones[to] += value - (before == 1);
        me->unknown[to] -= before == 2;
        if (me->listed[to] == time + 1) continue;
        me->listed[to] = time + 1;
        me->next[me->next_count++] = to;
    }
}

static void swap(serial *me) {
    uint32_t *now = me->now;
    me->now = me->next;
    me->next = now;
    me->now_count = me->next_count;
    me->next_count = 0;
}

static unsigned evaluate(const serial *me, uint32_t signal) {
    const gate *one = &me->of->gates[signal];
    return gate_three(one->type, me->ones[signal], me->unknown[signal], one->inputs);
}

/* All gates that were listed at `time` change one unit later. @return whether any has. */
static bool advance(serial *me, int64_t time, results *out, waves *to) {
    bool changed = false;
    uint32_t kept = 0;
    swap(me);
    out->steps += me->now_count;
    for (uint32_t i = 0; i < me->now_count; i++) { /* before any changes */
        uint32_t signal = me->now[i];
        unsigned value = evaluate(me, signal);
        if (value != me->value[signal]) me->now[kept++] = signal | value << 30;
    }
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t signal = me->now[i] & (UINT32_MAX >> 2);
        changed |= me->value[signal] != 2; /* from not known is no change */
        out->changes += me->value[signal] != 2;
        set(me, signal, me->now[i] >> 30, time + 1);
        if (to->kept) waves_add(to, time + 1, signal, me->now[i] >> 30);
    }
    return changed;
}

static void run_vector(serial *me, const vectors *in, uint32_t which, results *out, waves *to) {
    int64_t begin = which * in->period, time = begin;
    for (uint32_t i = 0; i < me->of->input_count; i++) {
        unsigned bit = in->bits[(size_t)which * me->of->input_count + i];
        if (bit == me->value[i]) continue;
        set(me, i, bit, time);
        if (to->kept) waves_add(to, time, i, bit);
    }
    while (me->next_count != 0) {
        if (advance(me, time, out, to)) out->settle[which] = (int32_t)(time + 1 - begin);
        time++;
    }
    for (uint32_t i = 0; i < me->of->output_count; i++)
        out->outputs[(size_t)which * me->of->output_count + i] = me->value[me->of->outputs[i]];
}

int circuit_serial(const circuit *of, const vectors *in, results *out, waves *to) {
    serial me = {0};
    bool made = make(&me, of);
    double begin = clock_wall_seconds(), cpu = clock_seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; made && i < in->count; i++) run_vector(&me, in, i, out, to);
    out->seconds = clock_wall_seconds() - begin;
    out->cpu_seconds = clock_seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    clean_up(&me);
    return !made;
}
