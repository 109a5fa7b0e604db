/* CSWEC (ranks/bench/multipol): the steps of all subcircuits are bitwise those of the serial
 * program, for each number of ranks, capacity and cure of deadlock. Outputs settle to what the
 * gates compute, and waveforms are near those of an integrator with a small fixed step. */
#include "../../bench/multipol/cswec/cswec.h"
#include "case.h"
#include "scale.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    network of;
    vectors in;
    cswec_options options;
    cswec_placing placing;
    cswec_results serial, out;
    waves of_serial;
} now;

/* ---- the run of a network, and its serial one ---- */

static void prepare(uint32_t count) {
    const circuit like = {.input_count = now.of.input_count};
    assert_int_equal(vectors_make(&now.in, &like, count), 0);
    now.in.period = now.of.period;
    assert_int_equal(cswec_results_make(&now.serial, &now.of, count), 0);
    assert_int_equal(cswec_serial(&now.of, &now.in, &now.options, &now.serial, &now.of_serial), 0);
}

static void clean_up(void) {
    cswec_network_free(&now.of);
    free(now.in.bits);
    free(now.serial.outputs);
    free(now.of_serial.of);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    cswec_results out;
    cswec_sums sums = {0};
    waves of_ranks = {0};
    char text[500];
    svs_status status;
    (void)argc, (void)argv;
    if (cswec_results_make(&out, &now.of, now.in.count)) return 1;
    status = cswec_ranks(transport, &now.of, &now.in, &now.options, &now.placing, &out, &of_ranks,
                         &sums, text);
    if (status != SVS_OK) fprintf(stderr, "%s: %s\n", svs_status_name(status), text);
    free(of_ranks.of);
    if (out.ranks == 0) free(out.outputs); /* not rank 0 */
    else now.out = out;
    return status != SVS_OK;
}

static void play(const char *transport, uint32_t capacity, uint32_t cures, bool cones) {
    char name[32], *argv[] = {(char[]){"cswec"}, (char[]){"--transport"}, name, NULL};
    (void)snprintf(name, sizeof name, "%s", transport);
    now.placing = (cswec_placing){.capacity = capacity,
                                  .cures = cures,
                                  .dispatch = cones ? SVS_DISPATCH_IN_PLACE : SVS_DISPATCH_FIFO,
                                  .aggregate_bytes = 1000,
                                  .cones = cones};
    assert_int_equal(svs_ranks_main(NULL, program, 3, argv), 0);
    assert_true(now.out.digest == now.serial.digest); /* of the bits of all voltages */
    assert_int_equal(now.out.steps, now.serial.steps);
    assert_int_equal(now.out.lines, now.serial.lines);
    assert_memory_equal(now.out.outputs, now.serial.outputs,
                        (size_t)now.in.count * now.of.output_count);
    free(now.out.outputs);
}

static void play_all(uint32_t cures) {
    static const char *const transports[] = {"sim:1:1", "sim:2:2", "sim:4:3",
                                             "sim:8:4", "local:2", "local:4"};
    static const uint32_t capacities[] = {1, 4, 16, 64, 1024};
    for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
        for (size_t k = 0; k < sizeof capacities / sizeof *capacities; k++)
            play(transports[i], capacities[k], cures, k % 2 == 0);
}

static const cswec_options usual = {.margin = 0.004, .step_change = 0.015};
static const cswec_options coarse = {.margin = 0.02, .step_change = 0.05};

/* ---- circuits ---- */

static bool read_iscas(const char *name, circuit *of) {
    const char *folder = getenv("SVS_DATA_DIR");
    char path[512], why[CIRCUIT_WHY] = "";
    (void)snprintf(path, sizeof path, "%s/iscas85/%s.bench",
                   folder != NULL ? folder : "../shared/data", name);
    if (circuit_read_file(of, path, why) == 0) return true;
    print_message("left out: %s: the circuits of ISCAS-85 are not in SVS_DATA_DIR\n", path);
    return false;
}

static void compare_with_gates(const circuit *of) {
    results units;
    waves none = {0};
    vectors in;
    assert_int_equal(vectors_make(&in, of, now.in.count), 0);
    assert_int_equal(results_make(&units, of, in.count), 0);
    assert_int_equal(circuit_serial(of, &in, &units, &none), 0);
    assert_memory_equal(now.serial.outputs, units.outputs, (size_t)in.count * of->output_count);
    results_free(&units);
    free(in.bits);
}

TEST_CASE(c17_is_bitwise_equal_and_near_the_fixed_step) {
    circuit of;
    double off;
    if (!read_iscas("c17", &of)) skip();
    now.options = usual;
    now.options.keep_waves = true;
    assert_int_equal(cswec_expand(&now.of, &of), 0);
    assert_int_equal(now.of.transistor_count, 24);
    prepare(20);
    compare_with_gates(&of);
    off = cswec_difference(&now.of, &now.in, &now.of_serial, 100, 5 * now.of.period);
    assert_true(off > 0 && off < 0.02);
    clean_up();
    now.options = coarse;
    assert_int_equal(cswec_expand(&now.of, &of), 0);
    prepare(2);
    play_all(SVS_EVENT_NULLS);
    play_all(SVS_EVENT_NULLS | SVS_EVENT_RECOVERY);
    play("sim:2:7", 1, SVS_EVENT_RECOVERY, true);
    play("local:4", 16, SVS_EVENT_RECOVERY, false);
    clean_up();
    circuit_free(&of);
}

TEST_CASE(c432_is_bitwise_equal_and_settles_as_its_gates) {
    circuit of;
    if (!read_iscas("c432", &of)) skip();
    now.options = usual;
    assert_int_equal(cswec_expand(&now.of, &of), 0);
    prepare(20);
    compare_with_gates(&of);
    clean_up();
    now.options = coarse;
    assert_int_equal(cswec_expand(&now.of, &of), 0);
    prepare(2);
    play("sim:1:1", 64, SVS_EVENT_NULLS, true);
    play("sim:2:2", 16, SVS_EVENT_NULLS, false);
    play("sim:8:3", 1024, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, true);
    play("local:4", 4, SVS_EVENT_NULLS, false);
    play("local:2", 1, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, true);
    clean_up();
    circuit_free(&of);
}

/* Gates of all types and widths, which need no inputs. */
TEST_CASE(each_gate_settles_to_its_value) {
    static const char *const types[] = {"and", "nand", "or", "nor", "xor", "xnor"};
    for (size_t i = 0; i < 6; i++) {
        char text[600], why[CIRCUIT_WHY] = "";
        circuit of;
        (void)snprintf(text, sizeof text,
                       "INPUT(a)\nINPUT(b)\nINPUT(c)\nOUTPUT(x)\nOUTPUT(y)\nOUTPUT(z)\nOUTPUT(a)\n"
                       "x = %s(a, b)\ny = %s(a, b, c)\nz = %s(n)\nn = buf(c)\n",
                       types[i], types[i], types[i]);
        assert_int_equal(circuit_read(&of, text, strlen(text), why), 0);
        now.options = usual;
        assert_int_equal(cswec_expand(&now.of, &of), 0);
        prepare(16);
        compare_with_gates(&of);
        play("sim:3:1", 2, SVS_EVENT_NULLS, i % 2 == 0);
        clean_up();
        circuit_free(&of);
    }
}

/* ---- register files ---- */

static void compare_with_file(uint32_t words, uint32_t bits) {
    unsigned char out[64];
    for (size_t i = 0; i < now.in.count; i++) {
        cswec_regfile_outputs(words, bits, now.in.bits + i * now.of.input_count, out);
        assert_memory_equal(now.serial.outputs + i * now.of.output_count, out, now.of.output_count);
    }
}

TEST_CASE(a_register_file_has_the_thesis_shape) {
    uint32_t large = 0;
    assert_int_equal(cswec_regfile(&now.of, 32, 32), 0);
    assert_int_equal(now.of.count - now.of.input_count, 325);
    assert_int_equal(now.of.transistor_count, 4832);
    for (uint32_t i = 0; i < now.of.count; i++) large += now.of.of[i].transistors == 128;
    assert_int_equal(large, 32);
    now.options = usual;
    prepare((uint32_t)scaled(10, 1));
    compare_with_file(32, 32);
    clean_up();
}

TEST_CASE(a_small_register_file_is_bitwise_equal) {
    assert_int_equal(cswec_regfile(&now.of, 4, 3), 0);
    now.options = coarse;
    prepare(2);
    compare_with_file(4, 3);
    play_all(SVS_EVENT_NULLS);
    play("sim:2:5", 4, SVS_EVENT_RECOVERY, false);
    play("sim:4:6", 1, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, true);
    clean_up();
}

/* A finer margin and step come nearer to the integrator. */
TEST_CASE(the_error_falls_with_margin_and_step) {
    double off[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cswec_regfile(&now.of, 4, 1), 0);
        now.options = i == 0 ? coarse : (cswec_options){.margin = 0.001, .step_change = 0.003};
        now.options.keep_waves = true;
        prepare(1);
        off[i] = cswec_difference(&now.of, &now.in, &now.of_serial, 500, now.of.period / 2);
        clean_up();
    }
    assert_true(off[1] > 0 && off[1] < off[0] / 2);
}

/* ---- one inverter, step by step ---- */

enum { INPUT, INVERTER };

/* An inverter whose input is low, which makes `steps` steps from time 0 on. @return when it wakes
 * next. */
static int64_t make_inverter(cswec_state *made, uint32_t steps) {
    static const char text[] = "INPUT(a)\nOUTPUT(y)\ny = not(a)\n";
    const cswec_line *none[1] = {NULL};
    char why[CIRCUIT_WHY] = "";
    circuit of;
    int64_t time = 0;
    bool sends;
    assert_int_equal(circuit_read(&of, text, sizeof text - 1, why), 0);
    assert_int_equal(cswec_expand(&now.of, &of), 0);
    assert_int_equal(vectors_make(&now.in, &of, 1), 0);
    assert_int_equal(cswec_state_make(made, &now.of, &now.in, &usual), 0);
    for (uint32_t i = 0; i < steps && time != CSWEC_NEVER; i++)
        time = cswec_step(made, INVERTER, time, none, &sends);
    circuit_free(&of);
    return time;
}

static void free_inverter(cswec_state *made) {
    cswec_state_free(made);
    cswec_network_free(&now.of);
    free(now.in.bits);
}

static double output_of(const cswec_state *made) {
    const subcircuit *stage = &now.of.of[INVERTER];
    return made->voltages[stage->first_node + stage->nodes - 1];
}

/* A step sees what its inputs were told until then: a line that begins at its end changes the next
 * one alone (cswec.1). */
TEST_CASE(a_line_that_begins_at_the_end_of_a_step_does_not_change_it) {
    double after[2];
    for (int has_news = 0; has_news < 2; has_news++) {
        cswec_state inverter;
        int64_t time = make_inverter(&inverter, 8);
        const cswec_line high = {time, 1, 0}, *news[1] = {has_news ? &high : NULL};
        double before = output_of(&inverter);
        bool sends;
        assert_true(before > 0.02 && before < 0.98); /* it is on its way up */
        (void)cswec_step(&inverter, INVERTER, time, news, &sends);
        after[has_news] = output_of(&inverter);
        assert_true(after[has_news] > before);
        free_inverter(&inverter);
    }
    assert_true(after[0] == after[1]);
}

/* A line that is right now, and leads elsewhere, is replaced when its signal settles. */
TEST_CASE(a_settled_signal_tells_where_it_stays) {
    cswec_state inverter;
    int64_t time = make_inverter(&inverter, 10000), wake;
    const cswec_line low = {time, 0, 0}, *news[1] = {&low};
    signal_state *one = &inverter.signals[INVERTER];
    bool sends;
    assert_true(time == CSWEC_NEVER && output_of(&inverter) > 0.99);
    time = one->last + 10 * CSWEC_STEP_LEAST;
    wake = cswec_step(&inverter, INVERTER, time, news, &sends);
    one->sent = (cswec_line){time, output_of(&inverter), -1e-6};
    news[0] = NULL;
    (void)cswec_step(&inverter, INVERTER, wake, news, &sends);
    assert_true(sends && one->sent.slope == 0 && one->sent.value > 0.99);
    free_inverter(&inverter);
}

int main(void) { return run_cases(NULL, NULL); }
