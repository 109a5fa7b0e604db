/* Random async-finish programs do what their serial elision does, under both policies, on teams of
 * every size: each node runs once, with the same value, and each finish, sync and call of a typed
 * function has waited for all that is below it. */
#include "programs.h"
#include "support.h"

/* The values of the serial run. */
static uint64_t *values_of(const program *p) {
    uint64_t *values = calloc(p->node_count, sizeof *values);
    assert_non_null(values);
    for (uint32_t i = 0; i < p->node_count; i++) {
        assert_int_equal(p->nodes[i].ran, 1);
        values[i] = p->nodes[i].value;
    }
    return values;
}

static bool has_values(const program *p, const uint64_t *values) {
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i].ran != 1 || p->nodes[i].value != values[i]) return false;
    return true;
}

static uint64_t expect_elision(svs_runtime *runtime, uint64_t seed, uint32_t most) {
    program p;
    uint64_t *values, nodes;
    program_make(&p, seed, most);
    program_run_serially(&p);
    values = values_of(&p);
    program_reset(&p);
    assert_int_equal(svs_async_run(runtime, program_run, &p), SVS_OK);
    if (!has_values(&p, values)) fail_msg("program %llu differs", (unsigned long long)seed);
    nodes = p.node_count;
    free(values);
    program_free(&p);
    return nodes;
}

/* As many as the scale wants, and then until something was stolen. */
static void expect_programs(uint32_t policy, uint32_t threads, uint32_t spin_us) {
    static uint64_t seed; /* others for each team */
    svs_runtime *runtime = started_as(policy, threads, spin_us);
    uint64_t nodes = 0, small = scaled(300, 20), large = scaled(20, 4);
    for (uint64_t i = 0; i < small; i++) nodes += expect_elision(runtime, ++seed, 200);
    for (uint64_t i = 0; i < large || (threads > 1 && steals_of(runtime) == 0); i++)
        nodes += expect_elision(runtime, ++seed, 10000);
    print_message("%s, %u workers, spin %u: %llu nodes, %llu steals\n", policy_name(policy),
                  threads, spin_us, (unsigned long long)nodes,
                  (unsigned long long)steals_of(runtime));
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void expect_policy(uint32_t policy) {
    static const uint32_t threads[] = {1, 2, 3, 8};
    for (uint32_t i = 0; i < 4; i++) {
        expect_programs(policy, threads[i], 0);
        expect_programs(policy, threads[i], 200);
    }
}

TEST_CASE(help_first_does_what_the_elision_does) { expect_policy(SVS_POLICY_HELP_FIRST); }

TEST_CASE(work_first_does_what_the_elision_does) { expect_policy(SVS_POLICY_WORK_FIRST); }

int main(void) { return run_cases(NULL, NULL); }
