/* Circuits: the reader of `.bench`, and a generator. */
#include "circuit.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 63u
#define SIGNALS_MAX (1u << 24)

typedef struct position {
    uint32_t line, column;
} position;

typedef struct reader {
    circuit *made;
    const char *at, *end, *line_begin;
    uint32_t line;
    char *why;
    uint32_t capacity, link_capacity, output_capacity;
    uint32_t *table, table_size; /* of names: signal + 1 */
    uint32_t *columns;           /* of inputs of gates, in the lines of the gates */
    position *references;        /* of outputs */
} reader;

/* ---- words ---- */

static int fail(reader *me, uint32_t line, uint32_t column, const char *what, const char *name) {
    (void)snprintf(me->why, CIRCUIT_WHY, "%u:%u: %s%s%s", line, column, what,
                   name != NULL ? " " : "", name != NULL ? name : "");
    return 1;
}

static uint32_t column(const reader *me) { return (uint32_t)(me->at - me->line_begin) + 1; }

static int fail_here(reader *me, const char *what) {
    return fail(me, me->line, column(me), what, NULL);
}

static void skip_spaces(reader *me) {
    while (me->at < me->end && (*me->at == ' ' || *me->at == '\t' || *me->at == '\r')) me->at++;
}

static bool at_line_end(const reader *me) {
    return me->at == me->end || *me->at == '\n' || *me->at == '#';
}

static bool is_of_name(char c) {
    return isalnum((unsigned char)c) || strchr("_.[]$/:-<>", c) != NULL;
}

static int take_name(reader *me, char *name, const char *expected) {
    size_t length = 0;
    skip_spaces(me);
    while (me->at + length < me->end && me->at[length] != '\0' && is_of_name(me->at[length]))
        length++;
    if (length == 0) return fail_here(me, expected);
    if (length > NAME_MAX_BYTES) return fail_here(me, "expected a name of at most 63 bytes");
    memcpy(name, me->at, length);
    name[length] = '\0';
    me->at += length;
    return 0;
}

static int take(reader *me, char c, const char *expected) {
    skip_spaces(me);
    if (me->at == me->end || *me->at != c) return fail_here(me, expected);
    me->at++;
    return 0;
}

/* ---- signals ---- */

static int grow(reader *me, void **array, uint32_t *capacity, uint32_t needed, size_t element) {
    uint32_t next = *capacity == 0 ? 64 : 2 * *capacity;
    void *more;
    if (needed <= *capacity) return 0;
    more = realloc(*array, next * element);
    if (more == NULL) return fail_here(me, "there is no memory");
    *array = more;
    *capacity = next;
    return 0;
}

static uint32_t hash_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash ^ hash >> 15;
}

static uint32_t *find(const reader *me, const char *name) {
    uint32_t at = hash_of(name) & (me->table_size - 1);
    while (me->table[at] != 0 && strcmp(me->made->gates[me->table[at] - 1].name, name) != 0)
        at = (at + 1) & (me->table_size - 1);
    return &me->table[at];
}

static int grow_table(reader *me) {
    if (2 * (me->made->count + 1) <= me->table_size) return 0;
    free(me->table);
    me->table_size = me->table_size == 0 ? 256 : 2 * me->table_size;
    me->table = calloc(me->table_size, sizeof *me->table);
    if (me->table == NULL) return fail_here(me, "there is no memory");
    for (uint32_t i = 0; i < me->made->count; i++) *find(me, me->made->gates[i].name) = i + 1;
    return 0;
}

/* A signal without a driver yet: its type is an input's, and its line 0. */
static int signal_of(reader *me, const char *name, uint32_t *signal) {
    circuit *made = me->made;
    uint32_t *place;
    if (grow_table(me)) return 1;
    place = find(me, name);
    if (*place == 0) {
        if (made->count == SIGNALS_MAX) return fail_here(me, "expected at most 2^24 signals");
        if (grow(me, (void **)&made->gates, &me->capacity, made->count + 1, sizeof *made->gates))
            return 1;
        made->gates[made->count] = (gate){.name = strdup(name)};
        if (made->gates[made->count].name == NULL) return fail_here(me, "there is no memory");
        *place = ++made->count;
    }
    *signal = *place - 1;
    return 0;
}

/* ---- lines ---- */

static const struct {
    const char *name;
    gate_type type;
} types[] = {{"and", GATE_AND}, {"nand", GATE_NAND}, {"or", GATE_OR},   {"nor", GATE_NOR},
             {"xor", GATE_XOR}, {"xnor", GATE_XNOR}, {"not", GATE_NOT}, {"inv", GATE_NOT},
             {"buf", GATE_BUF}, {"buff", GATE_BUF}};

static bool equals(const char *one, const char *other) {
    for (; *one != '\0' && tolower((unsigned char)*one) == *other; one++) other++;
    return *one == *other;
}

static int take_type(reader *me, gate_type *type) {
    char name[NAME_MAX_BYTES + 1];
    uint32_t at;
    skip_spaces(me);
    at = column(me);
    if (take_name(me, name, "expected a gate type, such as nand")) return 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (equals(name, types[i].name)) {
            *type = types[i].type;
            return 0;
        }
    return fail(me, me->line, at, "expected and, nand, or, nor, xor, xnor, not or buf, got", name);
}

/* An input of the gate of this line. */
static int take_link(reader *me) {
    circuit *made = me->made;
    char name[NAME_MAX_BYTES + 1];
    uint32_t input, at, capacity = me->link_capacity;
    skip_spaces(me);
    at = column(me);
    if (take_name(me, name, "expected a signal") || signal_of(me, name, &input) ||
        grow(me, (void **)&made->inputs, &me->link_capacity, made->link_count + 1,
             sizeof *made->inputs) ||
        grow(me, (void **)&me->columns, &capacity, made->link_count + 1, sizeof *me->columns))
        return 1;
    me->columns[made->link_count] = at;
    made->inputs[made->link_count++] = input;
    return 0;
}

/* "type(a, b)" after "name =". */
static int take_gate(reader *me, uint32_t signal, uint32_t name_column) {
    circuit *made = me->made;
    gate_type type = GATE_BUF;
    uint32_t first = made->link_count;
    if (made->gates[signal].line != 0)
        return fail(me, me->line, name_column, "expected one definition, but it is the second of",
                    made->gates[signal].name);
    if (take_type(me, &type) || take(me, '(', "expected ( after the gate type")) return 1;
    do {
        if (take_link(me)) return 1;
        skip_spaces(me);
    } while (me->at < me->end && *me->at == ',' && me->at++ != NULL);
    if (take(me, ')', "expected , or ) after a signal")) return 1;
    made->gates[signal].type = type;
    made->gates[signal].line = me->line;
    made->gates[signal].column = name_column;
    made->gates[signal].first_input = first;
    made->gates[signal].inputs = made->link_count - first;
    if ((type == GATE_NOT || type == GATE_BUF) && made->link_count - first != 1)
        return fail(me, me->line, name_column,
                    "expected one input of not or buf:", made->gates[signal].name);
    return 0;
}

static int take_input(reader *me) {
    char name[NAME_MAX_BYTES + 1];
    uint32_t signal, at;
    if (take(me, '(', "expected ( after INPUT")) return 1;
    skip_spaces(me);
    at = column(me);
    if (take_name(me, name, "expected a signal") || signal_of(me, name, &signal) ||
        take(me, ')', "expected ) after the signal"))
        return 1;
    if (me->made->gates[signal].line != 0)
        return fail(me, me->line, at, "expected one definition, but it is the second of", name);
    me->made->gates[signal].line = me->line;
    me->made->gates[signal].column = at;
    me->made->input_count++;
    return 0;
}

static int take_output(reader *me) {
    circuit *made = me->made;
    char name[NAME_MAX_BYTES + 1];
    uint32_t signal, at, capacity = me->output_capacity;
    if (take(me, '(', "expected ( after OUTPUT")) return 1;
    skip_spaces(me);
    at = column(me);
    if (take_name(me, name, "expected a signal") || signal_of(me, name, &signal) ||
        take(me, ')', "expected ) after the signal") ||
        grow(me, (void **)&made->outputs, &me->output_capacity, made->output_count + 1,
             sizeof *made->outputs) ||
        grow(me, (void **)&me->references, &capacity, made->output_count + 1,
             sizeof *me->references))
        return 1;
    me->references[made->output_count] = (position){me->line, at};
    made->outputs[made->output_count++] = signal;
    return 0;
}

static int take_line(reader *me) {
    char name[NAME_MAX_BYTES + 1];
    uint32_t signal, at;
    skip_spaces(me);
    if (at_line_end(me)) return 0;
    at = column(me);
    if (take_name(me, name, "expected INPUT, OUTPUT or a gate")) return 1;
    skip_spaces(me);
    if (me->at < me->end && *me->at == '(') {
        if (equals(name, "input")) return take_input(me);
        if (equals(name, "output")) return take_output(me);
        return fail(me, me->line, at, "expected INPUT or OUTPUT, got", name);
    }
    if (take(me, '=', "expected = after the name of a gate")) return 1;
    return signal_of(me, name, &signal) || take_gate(me, signal, at);
}

/* ---- the whole ---- */

static int check_drivers(reader *me) {
    const circuit *made = me->made;
    for (uint32_t i = 0; i < made->count; i++)
        for (uint32_t k = 0; k < made->gates[i].inputs; k++) {
            uint32_t link = made->gates[i].first_input + k;
            const gate *in = &made->gates[made->inputs[link]];
            if (in->line == 0)
                return fail(me, made->gates[i].line, me->columns[link],
                            "expected a definition of the input", in->name);
        }
    for (uint32_t i = 0; i < made->output_count; i++)
        if (made->gates[made->outputs[i]].line == 0)
            return fail(me, me->references[i].line, me->references[i].column,
                        "expected a definition of the output", made->gates[made->outputs[i]].name);
    return made->input_count != 0 ? 0 : fail_here(me, "expected an INPUT before the end");
}

/* Levels, breadth first. @return how many signals have one. What is left is on a loop, or after
 * one. */
static uint32_t set_levels(circuit *made, bool *known) {
    uint32_t done = 0, before;
    for (uint32_t level = 0; done < made->count; level++) {
        before = done;
        for (uint32_t i = 0; i < made->count; i++) {
            const gate *one = &made->gates[i];
            bool ready = !known[i];
            for (uint32_t k = 0; k < one->inputs && ready; k++) {
                uint32_t in = made->inputs[one->first_input + k];
                ready = known[in] && made->gates[in].level < level;
            }
            if (!ready || (one->inputs == 0) != (level == 0)) continue;
            known[i] = true;
            made->gates[i].level = made->depth = level;
            done++;
        }
        if (done == before) break;
    }
    return done;
}

/* The first input without a level of a gate without a level. */
static uint32_t input_of(const circuit *made, const bool *known, uint32_t of) {
    const uint32_t *in = &made->inputs[made->gates[of].first_input];
    while (known[*in]) in++;
    return *in;
}

/* Goes from gates to inputs until it is on a loop. @return the gate of the loop that comes first in
 * the text. */
static uint32_t find_loop(const circuit *made, const bool *known) {
    uint32_t at = 0, first;
    while (known[at]) at++;
    for (uint32_t steps = 0; steps < made->count; steps++) at = input_of(made, known, at);
    first = at;
    for (uint32_t i = input_of(made, known, at); i != at; i = input_of(made, known, i))
        if (made->gates[i].line < made->gates[first].line) first = i;
    return first;
}

/* The names of a loop, as many as there is room for, and the first one again. */
static int fail_loop(reader *me, const bool *known) {
    enum { ROOM = CIRCUIT_WHY - 100 };
    const circuit *made = me->made;
    uint32_t first = find_loop(made, known), at = first, gates = 0;
    char names[ROOM];
    size_t length = 0;
    const gate *one;
    do {
        one = &made->gates[at];
        if (length < ROOM - 3 * NAME_MAX_BYTES)
            length += (size_t)snprintf(names + length, ROOM - length, "%s, ", one->name);
        else if (names[length - 2] == ',') /* the first one that is left out */
            length += (size_t)snprintf(names + length, ROOM - length, "... ");
        gates++;
        at = input_of(made, known, at);
    } while (at != first);
    one = &made->gates[first];
    (void)snprintf(names + length, ROOM - length, "%s (gates: %u)", one->name, gates);
    return fail(me, one->line, one->column,
                "expected no loop, but each of these needs the next:", names);
}

static int find_levels(reader *me) {
    circuit *made = me->made;
    bool *known = calloc(made->count, sizeof *known);
    int failed = 0;
    if (known == NULL) return fail_here(me, "there is no memory");
    if (set_levels(made, known) != made->count) failed = fail_loop(me, known);
    free(known);
    return failed;
}

/* Inputs first. */
static int order_signals(reader *me) {
    circuit *made = me->made;
    uint32_t *to = calloc(made->count, sizeof *to), next = 0;
    gate *gates = calloc(made->count, sizeof *gates);
    if (to == NULL || gates == NULL) {
        free(to);
        free(gates);
        return fail_here(me, "there is no memory");
    }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < made->count; i++)
            if ((made->gates[i].type == GATE_INPUT) == (pass == 0)) to[i] = next++;
    for (uint32_t i = 0; i < made->count; i++) gates[to[i]] = made->gates[i];
    for (uint32_t i = 0; i < made->link_count; i++) made->inputs[i] = to[made->inputs[i]];
    for (uint32_t i = 0; i < made->output_count; i++) made->outputs[i] = to[made->outputs[i]];
    free(made->gates);
    free(to);
    made->gates = gates;
    return 0;
}

int circuit_read(circuit *made, const char *text, size_t bytes, char *why) {
    static const circuit empty;
    reader me = {.made = made, .at = text, .end = text + bytes, .line_begin = text, .line = 1};
    int failed = 0;
    me.why = why;
    *made = empty;
    while (!failed && me.at < me.end) {
        failed = take_line(&me);
        if (failed) break;
        skip_spaces(&me);
        if (!at_line_end(&me)) failed = fail_here(&me, "expected the end of the line");
        while (me.at < me.end && *me.at != '\n') me.at++;
        if (me.at < me.end) me.at++;
        if (failed) break;
        me.line++;
        me.line_begin = me.at;
    }
    if (!failed) failed = check_drivers(&me) || order_signals(&me) || find_levels(&me);
    free(me.table);
    free(me.columns);
    free(me.references);
    if (failed) circuit_free(made);
    return failed;
}

int circuit_read_file(circuit *made, const char *path, char *why) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t bytes = 0, room = 0, got = 1;
    int failed = file == NULL;
    while (!failed && got != 0) {
        if (bytes == room) {
            char *more = realloc(text, room = room == 0 ? 65536 : 2 * room);
            if (more == NULL) failed = 1;
            else text = more;
        }
        if (!failed) got = fread(text + bytes, 1, room - bytes, file);
        bytes += got;
    }
    if (failed)
        (void)snprintf(why, CIRCUIT_WHY, "0:0: expected a file that can be read: %.100s", path);
    else failed = circuit_read(made, text, bytes, why);
    free(text);
    if (file != NULL) (void)fclose(file);
    return failed;
}

void circuit_free(circuit *made) {
    static const circuit empty;
    for (uint32_t i = 0; i < made->count; i++) free(made->gates[i].name);
    free(made->gates);
    free(made->inputs);
    free(made->outputs);
    *made = empty;
}

/* ---- generator ---- */

static uint32_t next_random(uint64_t *state, uint32_t below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

char *circuit_generate(uint32_t width, uint32_t depth, uint64_t seed) {
    static const char *const names[] = {"and", "nand", "or", "nor", "xor"};
    size_t room = ((size_t)width * (depth + 2) + 1) * 100, length = 0;
    char *text = malloc(room);
    if (text == NULL) return NULL;
    for (uint32_t i = 0; i < width; i++)
        length += (size_t)snprintf(text + length, room - length, "INPUT(s0_%u)\n", i);
    for (uint32_t i = 0; i < width; i++)
        length += (size_t)snprintf(text + length, room - length, "OUTPUT(s%u_%u)\n", depth, i);
    for (uint32_t level = 1; level <= depth; level++)
        for (uint32_t i = 0; i < width; i++) {
            uint32_t inputs = 2 + next_random(&seed, 3);
            length += (size_t)snprintf(text + length, room - length, "s%u_%u = %s(s%u_%u", level, i,
                                       names[next_random(&seed, 5)], level - 1, i);
            for (uint32_t k = 1; k < inputs; k++)
                length += (size_t)snprintf(text + length, room - length, ", s%u_%u",
                                           next_random(&seed, level), next_random(&seed, width));
            length += (size_t)snprintf(text + length, room - length, ")\n");
        }
    return text;
}
