/* Circuits (ranks/bench/multipol): netlists that are wrong, generated ones, and ISCAS-85 with its
 * reference results, on the event graph of 1 to 8 ranks, with few places and each cure of deadlock
 * alone. */
#include "../../bench/multipol/circuit/circuit.h"
#include "case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the run of a circuit, and its serial one ---- */

static struct {
    circuit of;
    vectors in;
    results serial, out;
    circuit_options options;
} now;

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_event_statistics sums;
    results out;
    waves none = {0};
    char text[500] = "";
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    if (results_make(&out, &now.of, now.in.count)) return 1;
    status = circuit_rank_new(transport, 1000, &ranks);
    if (status == SVS_OK) {
        status = circuit_ranks(ranks, &now.of, &now.in, &now.options, &out, &none, &sums, text);
        if (svs_ranks_free(ranks) != SVS_OK && status == SVS_OK) status = SVS_E_RANK;
    }
    if (status != SVS_OK) fprintf(stderr, "%s: %s\n", svs_status_name(status), text);
    if (out.ranks == 0) results_free(&out); /* not rank 0 */
    else now.out = out;
    return status != SVS_OK;
}

static void compare(void) {
    assert_int_equal(now.out.changes, now.serial.changes);
    assert_memory_equal(now.out.outputs, now.serial.outputs,
                        (size_t)now.in.count * now.of.output_count);
    assert_memory_equal(now.out.settle, now.serial.settle, now.in.count * sizeof(int32_t));
    results_free(&now.out);
}

static void play(const char *transport, uint32_t capacity, uint32_t cures, bool cones) {
    char name[32], *argv[] = {(char[]){"circuits"}, (char[]){"--transport"}, name, NULL};
    (void)snprintf(name, sizeof name, "%s", transport);
    now.options = (circuit_options){.name = "circuit",
                                    .capacity = capacity,
                                    .cures = cures,
                                    .dispatch = SVS_DISPATCH_IN_PLACE,
                                    .cones = cones};
    assert_int_equal(svs_ranks_main(NULL, program, 3, argv), 0);
    compare();
}

static void play_all(void) {
    static const char *const transports[] = {"sim:1:1", "sim:2:2", "sim:4:3", "sim:8:4",
                                             "local:1", "local:2", "local:4"};
    static const uint32_t capacities[] = {1, 2, 16, 64};
    for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
        for (size_t k = 0; k < sizeof capacities / sizeof *capacities; k++)
            for (uint32_t cures = 1; cures <= 3; cures++)
                play(transports[i], capacities[k], cures, k % 2 == 0);
}

static void prepare(uint32_t count) {
    waves none = {0};
    assert_int_equal(vectors_make(&now.in, &now.of, count), 0);
    assert_int_equal(results_make(&now.serial, &now.of, count), 0);
    assert_int_equal(circuit_serial(&now.of, &now.in, &now.serial, &none), 0);
}

static void clean_up(void) {
    results_free(&now.serial);
    free(now.in.bits);
    circuit_free(&now.of);
}

TEST_CASE(generated_circuits_equal_the_serial_simulation) {
    static const uint32_t shapes[][2] = {{1, 1}, {3, 12}, {12, 3}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char why[CIRCUIT_WHY] = "", *text = circuit_generate(shapes[i][0], shapes[i][1], i);
        assert_non_null(text);
        assert_int_equal(circuit_read(&now.of, text, strlen(text), why), 0);
        free(text);
        prepare(6);
        play_all();
        clean_up();
    }
}

/* Changes and settling times of a circuit in summary.txt. */
static bool find_summary(const char *folder, const char *name, uint64_t *changes, int *longest,
                         long *sum) {
    char path[512], line[200], first[32];
    bool found = false;
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/iscas85/ref_unit_delay/summary.txt", folder);
    file = fopen(path, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found =
            sscanf(line, "%31s vectors=1000 gate_output_changes=%lu max_settle=%d sum_settle=%ld",
                   first, changes, longest, sum) == 4 &&
            strcmp(first, name) == 0;
    if (file != NULL) (void)fclose(file);
    return found;
}

static void compare_reference(const char *folder, const char *name) {
    uint64_t changes;
    int longest, most = 0;
    long sum, all = 0;
    assert_true(find_summary(folder, name, &changes, &longest, &sum));
    for (uint32_t i = 0; i < now.in.count; i++) {
        if (now.serial.settle[i] > most) most = now.serial.settle[i];
        all += now.serial.settle[i];
    }
    assert_int_equal(now.serial.changes, changes);
    assert_int_equal(most, longest);
    assert_int_equal(all, sum);
}

static const char *data_folder(void) {
    const char *folder = getenv("SVS_DATA_DIR");
    return folder != NULL ? folder : "../shared/data";
}

/* Reads a circuit, or skips the case, and prepares a run. */
static void prepare_iscas(const char *name, uint32_t count) {
    char path[512], why[CIRCUIT_WHY] = "";
    (void)snprintf(path, sizeof path, "%s/iscas85/%s.bench", data_folder(), name);
    if (circuit_read_file(&now.of, path, why)) {
        print_message("left out: %s: the circuits of ISCAS-85 are not in SVS_DATA_DIR\n", path);
        skip();
    }
    prepare(count);
}

TEST_CASE(iscas_circuits_equal_their_reference) {
    static const char *const names[] = {"c17", "c432", "c499", "c880"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        prepare_iscas(names[i], 1000);
        compare_reference(data_folder(), names[i]);
        play("local:2", 64, SVS_EVENT_NULLS, true);
        clean_up();
        prepare_iscas(names[i], i == 0 ? 40 : 3);
        if (i <= 1) play_all();
        else play("sim:8:5", 1, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, false);
        clean_up();
    }
}

/* A multiplier, whose gates change most often. There is no reference. */
TEST_CASE(c6288_has_equal_results_on_all_numbers_of_ranks) {
    static const char *const transports[] = {"sim:1:1", "local:2", "sim:4:2", "sim:8:3"};
    prepare_iscas("c6288", 3);
    for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
        play(transports[i], i % 2 == 0 ? 64 : 1, SVS_EVENT_NULLS | SVS_EVENT_RECOVERY, i % 2 == 0);
    clean_up();
}

/* ---- netlists that are wrong ---- */

static const struct {
    const char *text, *why;
} wrong[] = {
    {"INPUT(a)\nb = and(a, a)\nb = or(a, a)\n",
     "3:1: expected one definition, but it is the second of b"},
    {"INPUT(a)\nINPUT(a)\n", "2:7: expected one definition, but it is the second of a"},
    {"INPUT(a)\nb = and(a, c)\n", "2:12: expected a definition of the input c"},
    {"INPUT(a)\n  b = and(a , a,  c) # d\n", "2:19: expected a definition of the input c"},
    {"INPUT(a)\nb = and(a, c)\nc = not(d)\n", "3:9: expected a definition of the input d"},
    {"INPUT(a)\nOUTPUT( c )\n", "2:9: expected a definition of the output c"},
    {"INPUT(a)\nOUTPUT(c)\n", "2:8: expected a definition of the output c"},
    {"INPUT(a)\nb = and(a, c)\nc = not(d)\nd = or(b, a)\n",
     "2:1: expected no loop, but each of these needs the next: b, c, d, b (gates: 3)"},
    {"INPUT(a)\nOUTPUT(e)\ne = not(d)\nd = or(a, c)\n  c = and(a, a, d)\n",
     "4:1: expected no loop, but each of these needs the next: d, c, d (gates: 2)"},
    {"INPUT(a)\n\tb = or(a, b)\n",
     "2:2: expected no loop, but each of these needs the next: b, b (gates: 1)"},
    {"INPUT(a)\nb = maj(a, a)\n",
     "2:5: expected and, nand, or, nor, xor, xnor, not or buf, got maj"},
    {"INPUT(a)\nb = and(a, ", "2:12: expected a signal"},
    {"INPUT(a)\nb = and(a", "2:10: expected , or ) after a signal"},
    {"INPUT(a\n", "1:8: expected ) after the signal"},
    {"INPUT(a)\nb and(a)\n", "2:3: expected = after the name of a gate"},
    {"INPUT(a)\nb = not(a, a)\n", "2:1: expected one input of not or buf: b"},
    {"INPUT(a) INPUT(b)\n", "1:10: expected the end of the line"},
    {"PORT(a)\n", "1:1: expected INPUT or OUTPUT, got PORT"},
    {"?\n", "1:1: expected INPUT, OUTPUT or a gate"},
    {"", "1:1: expected an INPUT before the end"},
};

TEST_CASE(wrong_netlists_are_refused_with_line_and_column) {
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char why[CIRCUIT_WHY] = "";
        circuit made;
        assert_int_equal(circuit_read(&made, wrong[i].text, strlen(wrong[i].text), why), 1);
        assert_string_equal(why, wrong[i].why);
    }
}

TEST_CASE(a_long_loop_is_named_as_far_as_there_is_room) {
    enum { GATES = 300 };
    static const char begin[] = "2:1: expected no loop, but each of these needs the next: g0, g1, ",
                      end[] = ", ... g0 (gates: 300)";
    char why[CIRCUIT_WHY] = "", text[32 * GATES] = "INPUT(a)\n";
    size_t length = strlen(text);
    circuit made;
    for (uint32_t i = 0; i < GATES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "g%u = or(a, g%u)\n", i,
                                   (i + 1) % GATES);
    assert_int_equal(circuit_read(&made, text, length, why), 1);
    assert_memory_equal(why, begin, sizeof begin - 1);
    assert_string_equal(why + strlen(why) - (sizeof end - 1), end);
}

/* Each beginning of a netlist is read or refused; under a sanitizer no byte after it is read. */
TEST_CASE(cut_netlists_are_read_or_refused) {
    char why[CIRCUIT_WHY], *text = circuit_generate(3, 3, 7);
    size_t bytes;
    assert_non_null(text);
    bytes = strlen(text);
    for (size_t i = 0; i <= bytes; i++) {
        char *cut = malloc(i + 1);
        circuit made;
        assert_non_null(cut);
        memcpy(cut, text, i);
        if (circuit_read(&made, cut, i, why) == 0) circuit_free(&made);
        else assert_non_null(strstr(why, "expected"));
        free(cut);
    }
    free(text);
}

int main(void) { return run_cases(NULL, NULL); }
