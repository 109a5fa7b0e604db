/* Circuits as networks of transistors: subcircuits whose channels are connected.
 *
 * Transistors in a row are as many times wider as there are, so that all gates are about equally
 * strong. A p-channel has half the strength of an n-channel, and twice the width. */
#include "cswec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GATE_FF 1.0     /* capacitance of a gate, for a width of 1 */
#define JUNCTION_FF 0.5 /* ... of either end of a channel */
#define WIRE_FF 2.0     /* ... of the wire of a signal */
/* Ticks that a level may take in all, with much to spare: a vector is settled before the next. */
#define LEVEL_TICKS 600000
#define FIRST_TICKS 4000000

/* ---- lists that grow ---- */

enum { OF_SIGNALS, OF_NAMES, OF_INPUTS, OF_NODES, OF_TRANSISTORS, OF_OUTPUTS };

static bool room(cswec_builder *me, int which, void **array, uint32_t needed, size_t element) {
    uint32_t next = me->capacities[which] == 0 ? 64 : 2 * me->capacities[which];
    void *more;
    if (me->failed || needed < me->capacities[which]) return !me->failed;
    more = realloc(*array, next * element);
    me->failed = more == NULL;
    if (me->failed) return false;
    *array = more;
    me->capacities[which] = next;
    return true;
}

static uint32_t add_signal(cswec_builder *me, const char *name) {
    network *made = me->made;
    if (!room(me, OF_SIGNALS, (void **)&made->of, made->count + 1, sizeof *made->of) ||
        !room(me, OF_NAMES, (void **)&made->names, made->count + 1, sizeof *made->names))
        return 0;
    made->of[made->count] = (subcircuit){.first_input = made->link_count,
                                         .first_node = made->node_count,
                                         .first_transistor = made->transistor_count};
    (void)snprintf(made->names[made->count], sizeof *made->names, "%s", name);
    return made->count++;
}

uint32_t cswec_add_input(cswec_builder *me, const char *name) {
    me->made->input_count++;
    return add_signal(me, name);
}

/* ---- stages ---- */

static subcircuit *current(const cswec_builder *me) { return &me->made->of[me->made->count - 1]; }

void cswec_begin_stage(cswec_builder *me) { (void)add_signal(me, ""); }

uint32_t cswec_add_node(cswec_builder *me) {
    network *made = me->made;
    if (!room(me, OF_NODES, (void **)&made->nodes, made->node_count + 1, sizeof *made->nodes))
        return 0;
    made->nodes[made->node_count++] = (network_node){0};
    return current(me)->nodes++;
}

/* The position of a signal among the inputs of the stage. */
static uint32_t input_of(cswec_builder *me, uint32_t signal) {
    network *made = me->made;
    subcircuit *stage = current(me);
    for (uint32_t i = 0; i < stage->inputs; i++)
        if (made->inputs[stage->first_input + i] == signal) return i;
    if (!room(me, OF_INPUTS, (void **)&made->inputs, made->link_count + 1, sizeof *made->inputs))
        return 0;
    made->inputs[made->link_count++] = signal;
    if (made->of[signal].level >= stage->level) stage->level = made->of[signal].level + 1;
    return stage->inputs++;
}

void cswec_add_transistor(cswec_builder *me, bool p, uint32_t gate_signal, uint32_t from,
                          uint32_t to, float width) {
    network *made = me->made;
    uint32_t control;
    if (me->failed) return;
    control = input_of(me, gate_signal);
    if (!room(me, OF_TRANSISTORS, (void **)&made->transistors, made->transistor_count + 1,
              sizeof *made->transistors))
        return;
    made->transistors[made->transistor_count++] = (transistor){control, from, to, width, p};
    current(me)->transistors++;
}

static uint32_t node_of(uint32_t terminal, uint32_t nodes) {
    switch (terminal) {
    case CSWEC_OUT: return nodes - 1;
    case CSWEC_GROUND: return nodes;
    case CSWEC_SUPPLY: return nodes + 1;
    default: return terminal;
    }
}

uint32_t cswec_end_stage(cswec_builder *me, const char *name) {
    network *made = me->made;
    subcircuit *stage;
    (void)cswec_add_node(me); /* the output */
    if (me->failed) return 0;
    stage = current(me);
    (void)snprintf(made->names[made->count - 1], sizeof *made->names, "%s", name);
    for (uint32_t i = 0; i < stage->transistors; i++) {
        transistor *one = &made->transistors[stage->first_transistor + i];
        one->from = node_of(one->from, stage->nodes);
        one->to = node_of(one->to, stage->nodes);
    }
    return made->count - 1;
}

/* ---- gates ---- */

/* `count` transistors in a row from a supply to the output. */
static void add_row(cswec_builder *me, bool p, const uint32_t *signals, uint32_t count) {
    uint32_t from = p ? CSWEC_SUPPLY : CSWEC_GROUND;
    float width = (float)count * (p ? 2 : 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t to = i + 1 < count ? cswec_add_node(me) : CSWEC_OUT;
        cswec_add_transistor(me, p, signals[i], from, to, width);
        from = to;
    }
}

/* `count` transistors side by side. */
static void add_each(cswec_builder *me, bool p, const uint32_t *signals, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        cswec_add_transistor(me, p, signals[i], p ? CSWEC_SUPPLY : CSWEC_GROUND, CSWEC_OUT,
                             p ? 2 : 1);
}

uint32_t cswec_add_nand(cswec_builder *me, const uint32_t *signals, uint32_t count,
                        const char *name) {
    cswec_begin_stage(me);
    if (me->failed) return 0;
    add_each(me, true, signals, count);
    add_row(me, false, signals, count);
    return cswec_end_stage(me, name);
}

static uint32_t add_nor(cswec_builder *me, const uint32_t *signals, uint32_t count,
                        const char *name) {
    cswec_begin_stage(me);
    if (me->failed) return 0;
    add_row(me, true, signals, count);
    add_each(me, false, signals, count);
    return cswec_end_stage(me, name);
}

uint32_t cswec_add_not(cswec_builder *me, uint32_t signal, const char *name) {
    return cswec_add_nand(me, &signal, 1, name);
}

/* The stage conducts to the supply when exactly one of `a` and `b` is high, and else to ground.
 * XNOR: with `b` and its complement exchanged. */
static uint32_t add_xor(cswec_builder *me, uint32_t a, uint32_t b, bool inverted,
                        const char *name) {
    signal_name part;
    uint32_t not_a, not_b;
    (void)snprintf(part, sizeof part, "%.70s.a", name);
    not_a = cswec_add_not(me, a, part);
    (void)snprintf(part, sizeof part, "%.70s.b", name);
    not_b = cswec_add_not(me, b, part);
    if (inverted) {
        uint32_t swap = b;
        b = not_b;
        not_b = swap;
    }
    cswec_begin_stage(me);
    if (me->failed) return 0;
    add_row(me, true, (const uint32_t[]){not_a, b}, 2);
    add_row(me, true, (const uint32_t[]){a, not_b}, 2);
    add_row(me, false, (const uint32_t[]){a, b}, 2);
    add_row(me, false, (const uint32_t[]){not_a, not_b}, 2);
    return cswec_end_stage(me, name);
}

static uint32_t add_xor_of_all(cswec_builder *me, const uint32_t *signals, uint32_t count,
                               bool inverted, const char *name) {
    uint32_t sum = signals[0];
    for (uint32_t i = 1; i < count; i++) {
        signal_name part;
        (void)snprintf(part, sizeof part, "%.66s.%u", name, i);
        sum =
            add_xor(me, sum, signals[i], inverted && i + 1 == count, i + 1 == count ? name : part);
    }
    return sum;
}

static uint32_t add_gate(cswec_builder *me, gate_type type, const uint32_t *signals, uint32_t count,
                         const char *name) {
    signal_name part;
    if (count == 1) /* of one signal, each gate is NOT or BUF */
        type = type == GATE_NAND || type == GATE_NOR || type == GATE_XNOR || type == GATE_NOT
                   ? GATE_NOT
                   : GATE_BUF;
    (void)snprintf(part, sizeof part, "%.70s.n", name);
    switch (type) {
    case GATE_NAND: return cswec_add_nand(me, signals, count, name);
    case GATE_NOR: return add_nor(me, signals, count, name);
    case GATE_NOT: return cswec_add_not(me, signals[0], name);
    case GATE_XOR: return add_xor_of_all(me, signals, count, false, name);
    case GATE_XNOR: return add_xor_of_all(me, signals, count, true, name);
    case GATE_OR: return cswec_add_not(me, add_nor(me, signals, count, part), name);
    default: return cswec_add_not(me, cswec_add_nand(me, signals, count, part), name);
    }
}

void cswec_add_output(cswec_builder *me, uint32_t signal) {
    network *made = me->made;
    if (room(me, OF_OUTPUTS, (void **)&made->outputs, made->output_count + 1,
             sizeof *made->outputs))
        made->outputs[made->output_count++] = signal;
}

/* ---- the whole ---- */

static void add_capacitance(const network *made, const subcircuit *stage, uint32_t terminal,
                            double by) {
    if (terminal < stage->nodes) made->nodes[stage->first_node + terminal].capacitance += by;
}

/* Of channels at the nodes of their subcircuit, and of gates at the output that drives them. */
static void add_capacitances(const network *made) {
    for (uint32_t signal = made->input_count; signal < made->count; signal++) {
        const subcircuit *stage = &made->of[signal];
        add_capacitance(made, stage, stage->nodes - 1, WIRE_FF);
        for (uint32_t i = 0; i < stage->transistors; i++) {
            const transistor *one = &made->transistors[stage->first_transistor + i];
            const subcircuit *driver = &made->of[made->inputs[stage->first_input + one->gate]];
            add_capacitance(made, stage, one->from, JUNCTION_FF * one->width);
            add_capacitance(made, stage, one->to, JUNCTION_FF * one->width);
            if (driver->nodes != 0)
                add_capacitance(made, driver, driver->nodes - 1, GATE_FF * one->width);
        }
    }
}

/* Rows of the lower half of the matrix, each from its first entry to the diagonal. */
static void lay_out_rows(network *made) {
    for (uint32_t signal = made->input_count; signal < made->count; signal++) {
        const subcircuit *stage = &made->of[signal];
        network_node *nodes = &made->nodes[stage->first_node];
        uint32_t next = 0;
        for (uint32_t i = 0; i < stage->nodes; i++) nodes[i].first = i;
        for (uint32_t i = 0; i < stage->transistors; i++) {
            const transistor *one = &made->transistors[stage->first_transistor + i];
            uint32_t low = one->from < one->to ? one->from : one->to;
            uint32_t high = one->from < one->to ? one->to : one->from;
            if (high < stage->nodes && low < nodes[high].first) nodes[high].first = low;
        }
        for (uint32_t i = 0; i < stage->nodes; i++) {
            nodes[i].row = next;
            next += i - nodes[i].first + 1;
        }
        if (next > made->row_most) made->row_most = next;
        if (stage->nodes > made->nodes_most) made->nodes_most = stage->nodes;
        if (stage->inputs > made->inputs_most) made->inputs_most = stage->inputs;
        if (stage->level > made->depth) made->depth = stage->level;
    }
}

int cswec_finish(cswec_builder *me) {
    network *made = me->made;
    made->output_head = calloc((size_t)made->count + 1, 4);
    made->output_next = calloc((size_t)made->output_count + 1, 4);
    if (me->failed || made->output_head == NULL || made->output_next == NULL) {
        cswec_network_free(made);
        return 1;
    }
    for (uint32_t i = 0; i < made->output_count; i++) {
        made->output_next[i] = made->output_head[made->outputs[i]];
        made->output_head[made->outputs[i]] = i + 1;
    }
    add_capacitances(made);
    lay_out_rows(made);
    made->period = FIRST_TICKS + (int64_t)made->depth * LEVEL_TICKS;
    return 0;
}

static void expand_gate(cswec_builder *me, const circuit *of, uint32_t *signals, uint32_t which,
                        uint32_t *gathered) {
    const gate *one = &of->gates[which];
    for (uint32_t k = 0; k < one->inputs; k++)
        gathered[k] = signals[of->inputs[one->first_input + k]];
    signals[which] = add_gate(me, one->type, gathered, one->inputs, one->name);
}

int cswec_expand(network *made, const circuit *of) {
    static const network empty;
    cswec_builder me = {.made = made};
    uint32_t *signals = calloc((size_t)of->count + 1, 4);
    uint32_t *gathered = calloc((size_t)of->link_count + 1, 4);
    *made = empty;
    me.failed = signals == NULL || gathered == NULL;
    for (uint32_t i = 0; i < of->input_count && !me.failed; i++)
        signals[i] = cswec_add_input(&me, of->gates[i].name);
    for (uint32_t level = 1; level <= of->depth; level++) /* each after its inputs */
        for (uint32_t i = of->input_count; i < of->count && !me.failed; i++)
            if (of->gates[i].level == level) expand_gate(&me, of, signals, i, gathered);
    for (uint32_t i = 0; i < of->output_count && !me.failed; i++)
        cswec_add_output(&me, signals[of->outputs[i]]);
    free(signals);
    free(gathered);
    return cswec_finish(&me);
}

void cswec_network_free(network *made) {
    static const network empty;
    free(made->of);
    free(made->names);
    free(made->inputs);
    free(made->nodes);
    free(made->transistors);
    free(made->outputs);
    free(made->output_head);
    free(made->output_next);
    *made = empty;
}
