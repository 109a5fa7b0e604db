/* The read path of a register file: a large subcircuit for each bit, and the logic around them.
 *
 *     address -> literals -> lines of two decoders -> word lines, with their complements
 *     data -> both polarities --> column of each bit --> output -> flags of groups of outputs
 *
 * A column is one subcircuit: the cells of all words, each an inverter and a transmission gate to
 * the bit line that they share. With 32 words of 32 bits these are
 *
 *     32 columns of 128 transistors                                       32 subcircuits   4096
 *     NAND gates: 4 and 8 of decoders, 32 of words, 9 of flags            53                256
 *     inverters: 10 + 12 + 96 + 64 + 32 + 9, and 17 of a delay           240                480
 *
 * 325 and 4,832 in all. */
#include "cswec.h"
#include <stdio.h>
#include <stdlib.h>

#define DELAY 17u /* inverters after the last flag */
#define LINES_MOST 64u

typedef struct file {
    cswec_builder builder;
    uint32_t words, bits, address_bits;
    uint32_t *selects, *not_selects; /* of words */
    uint32_t data[2];                /* of the bit that is made: complement, and datum */
} file;

/* The cells hold the datum, or else its complement. */
static bool holds_datum(uint32_t word, uint32_t bit) {
    uint32_t x = word * 2654435761u + bit * 40503u;
    return (x >> 13 ^ x >> 7) & 1u;
}

/* The outputs that a flag is of: five groups of four, and then of three. */
static uint32_t group_size(uint32_t bits, uint32_t first) {
    uint32_t size = first < 20 ? 4 : 3;
    return size < bits - first ? size : bits - first;
}

/* ---- logic ---- */

/* A NAND and an inverter for each combination of `bits` literals, from number `first` on. */
static void add_decoder(file *me, const uint32_t (*literals)[2], uint32_t first, uint32_t bits,
                        uint32_t *lines) {
    for (uint32_t which = 0; which < 1u << bits; which++) {
        uint32_t inputs[32];
        signal_name name;
        for (uint32_t i = 0; i < bits; i++) inputs[i] = literals[first + i][which >> i & 1u];
        (void)snprintf(name, sizeof name, "line%u_%u", first, which);
        lines[which] =
            cswec_add_not(&me->builder, cswec_add_nand(&me->builder, inputs, bits, name), name);
    }
}

static void add_address(file *me) {
    uint32_t literals[32][2], low[LINES_MOST], high[LINES_MOST];
    uint32_t low_bits = me->address_bits / 2, high_bits = me->address_bits - low_bits;
    cswec_builder *to = &me->builder;
    for (uint32_t i = 0; i < me->address_bits; i++) {
        literals[i][0] = cswec_add_not(to, i, "not_address");
        literals[i][1] = cswec_add_not(to, literals[i][0], "address");
    }
    add_decoder(me, (const uint32_t(*)[2])literals, 0, low_bits, low);
    add_decoder(me, (const uint32_t(*)[2])literals, low_bits, high_bits, high);
    for (uint32_t word = 0; word < me->words; word++) {
        const uint32_t both[] = {low[word & ((1u << low_bits) - 1)], high[word >> low_bits]};
        uint32_t chosen = cswec_add_not(to, cswec_add_nand(to, both, 2, "word"), "word");
        me->not_selects[word] = cswec_add_not(to, chosen, "not_select");
        me->selects[word] = cswec_add_not(to, me->not_selects[word], "select");
    }
}

/* ---- columns ---- */

/* An inverter of a datum, and a gate to the bit line. */
static void add_cell(file *me, uint32_t word, uint32_t datum) {
    cswec_builder *to = &me->builder;
    uint32_t inner = cswec_add_node(to);
    cswec_add_transistor(to, true, datum, CSWEC_SUPPLY, inner, 4);
    cswec_add_transistor(to, false, datum, CSWEC_GROUND, inner, 2);
    cswec_add_transistor(to, false, me->selects[word], inner, CSWEC_OUT, 2);
    cswec_add_transistor(to, true, me->not_selects[word], inner, CSWEC_OUT, 4);
}

static uint32_t add_column(file *me, uint32_t bit) {
    signal_name name;
    (void)snprintf(name, sizeof name, "column%u", bit);
    cswec_begin_stage(&me->builder);
    for (uint32_t word = 0; word < me->words; word++)
        add_cell(me, word, me->data[holds_datum(word, bit)]);
    return cswec_end_stage(&me->builder, name);
}

static void add_bits(file *me, uint32_t *outputs) {
    cswec_builder *to = &me->builder;
    for (uint32_t bit = 0; bit < me->bits; bit++) {
        signal_name name;
        (void)snprintf(name, sizeof name, "out%u", bit);
        me->data[0] = cswec_add_not(to, me->address_bits + bit, "not_data");
        me->data[1] = cswec_add_not(to, me->data[0], "data");
        outputs[bit] = cswec_add_not(to, add_column(me, bit), name);
        cswec_add_output(to, outputs[bit]);
    }
}

/* A flag says that all outputs of a group are 1. */
static void add_flags(file *me, const uint32_t *outputs) {
    cswec_builder *to = &me->builder;
    uint32_t last = 0;
    for (uint32_t first = 0; first < me->bits; first += group_size(me->bits, first)) {
        uint32_t size = group_size(me->bits, first);
        last = cswec_add_not(to, cswec_add_nand(to, outputs + first, size, "flag"), "flag");
        cswec_add_output(to, last);
    }
    for (uint32_t i = 0; i < DELAY; i++) last = cswec_add_not(to, last, "delayed");
    cswec_add_output(to, last);
}

/* ---- the whole ---- */

static void add_inputs(file *me) {
    signal_name name;
    for (uint32_t i = 0; i < me->address_bits + me->bits; i++) {
        bool is_address = i < me->address_bits;
        (void)snprintf(name, sizeof name, "%s%u", is_address ? "a" : "d",
                       is_address ? i : i - me->address_bits);
        (void)cswec_add_input(&me->builder, name);
    }
}

static uint32_t address_bits_of(uint32_t words) {
    uint32_t bits = 2;
    while (1u << bits < words) bits++;
    return bits;
}

int cswec_regfile(network *made, uint32_t words, uint32_t bits) {
    static const network empty;
    file me = {.words = words, .bits = bits, .address_bits = address_bits_of(words)};
    uint32_t *numbers = calloc(2 * (size_t)words + bits, 4);
    *made = empty;
    me.builder = (cswec_builder){.made = made, .failed = numbers == NULL};
    if (numbers != NULL) {
        me.selects = numbers;
        me.not_selects = numbers + words;
        add_inputs(&me);
        add_address(&me);
        add_bits(&me, numbers + 2 * (size_t)words);
        add_flags(&me, numbers + 2 * (size_t)words);
    }
    free(numbers);
    return cswec_finish(&me.builder);
}

void cswec_regfile_outputs(uint32_t words, uint32_t bits, const unsigned char *in,
                           unsigned char *out) {
    uint32_t address_bits = address_bits_of(words), word = 0, to = bits;
    for (uint32_t i = 0; i < address_bits; i++) word |= (uint32_t)in[i] << i;
    for (uint32_t bit = 0; bit < bits; bit++)
        out[bit] = in[address_bits + bit] ^ !holds_datum(word, bit);
    for (uint32_t first = 0; first < bits; first += group_size(bits, first)) {
        out[to] = 1;
        for (uint32_t i = 0; i < group_size(bits, first); i++) out[to] &= out[first + i];
        to++;
    }
    out[to] = out[to - 1] ^ (DELAY & 1u);
}
