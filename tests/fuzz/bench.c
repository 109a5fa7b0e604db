/* A target for libFuzzer: any bytes at all are refused with a line, a column and what was expected,
 * or are a circuit: inputs come first, each gate has inputs on lower levels, and names differ.
 *
 *     ninja fuzz_bench && bin/fuzz_bench -max_total_time=60 /tmp/found */
#include "base/check.h"
#include "multipol/circuit/circuit.h"
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_gate(const circuit *of, uint32_t signal) {
    const gate *one = &of->gates[signal];
    SVS__CHECK(one->name != NULL && one->name[0] != '\0');
    SVS__CHECK((one->type == GATE_INPUT) == (signal < of->input_count));
    SVS__CHECK((one->inputs == 0) == (one->type == GATE_INPUT));
    SVS__CHECK(one->first_input + one->inputs <= of->link_count && one->level <= of->depth);
    if (one->type == GATE_NOT || one->type == GATE_BUF) SVS__CHECK(one->inputs == 1);
    for (uint32_t i = 0; i < one->inputs; i++) {
        uint32_t input = of->inputs[one->first_input + i];
        SVS__CHECK(input < of->count && of->gates[input].level < one->level);
    }
}

static void check_circuit(const circuit *of) {
    SVS__CHECK(of->input_count >= 1 && of->input_count <= of->count);
    for (uint32_t i = 0; i < of->count; i++) check_gate(of, i);
    for (uint32_t i = 0; i < of->output_count; i++) SVS__CHECK(of->outputs[i] < of->count);
    for (uint32_t i = 0; i < of->count && of->count < 200; i++)
        for (uint32_t k = 0; k < i; k++)
            SVS__CHECK(strcmp(of->gates[i].name, of->gates[k].name) != 0);
}

/* "LINE:COLUMN: expected ..." */
static void check_refusal(const char *why) {
    unsigned line, column;
    SVS__CHECK(memchr(why, '\0', CIRCUIT_WHY) != NULL &&
               sscanf(why, "%u:%u: ", &line, &column) == 2);
    SVS__CHECK(line >= 1 && column >= 1 && strstr(why, "expected") != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char why[CIRCUIT_WHY] = "";
    circuit made;
    if (circuit_read(&made, (const char *)data, size, why) == 0) {
        check_circuit(&made);
        circuit_free(&made);
    } else {
        check_refusal(why);
    }
    return 0;
}
