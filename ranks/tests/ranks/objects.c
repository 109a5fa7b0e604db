/* Distributed objects: random sequences of global operations on several objects at the same time,
 * begun in any order, against a model (ranks.D1, ranks.D2, ranks.C2). */
#include "base/atomic.h"
#include "base/random.h"
#include "ranks/program.h"
#include "ranks/state.h"
#include <string.h>

enum { OBJECTS = 4, STEPS = 12, RANKS_MAX = 12, ELEMENTS = 3 };

typedef struct own {
    uint64_t seed;
    int wrong;
    uint32_t begun, parts[OBJECTS];
    double sums[OBJECTS][STEPS];
} own;

/* How many ranks have begun each step. */
static _Atomic(uint32_t) entered[OBJECTS][STEPS];

/* The same numbers on all ranks: what step `s` of an object is, and what rank `r` contributes. */
static uint64_t draw(uint64_t seed, uint32_t object, uint32_t s, uint32_t r) {
    svs__random random;
    svs__random_seed(&random, seed * 1000003 + object * 10007u + s * 101u + r);
    return svs__random_next(&random);
}

static double term(uint64_t seed, uint32_t object, uint32_t s, uint32_t r) {
    return (double)(draw(seed, object, s, r + 1) % 1000003) / 7.0;
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((double *)into)[i] += ((const double *)from)[i];
}

/* The tree's order: a rank, and then its children from the first to the last. */
static double sum_below(const svs_ranks *ranks, uint64_t seed, uint32_t object, uint32_t s,
                        uint32_t r) {
    double sum = term(seed, object, s, r);
    svs__topology tree;
    svs__topology_init(&tree, ranks->count, ranks->columns, r);
    for (uint32_t i = 0; i < tree.child_count; i++)
        sum += sum_below(ranks, seed, object, s, tree.children[i]);
    return sum;
}

static svs_status reduce(svs_ranks *ranks, svs_distributed *object, uint32_t o, uint32_t s,
                         svs_counter *done) {
    own *mine = svs_ranks_data(ranks);
    double terms[ELEMENTS], sums[ELEMENTS] = {0};
    double expected = sum_below(ranks, mine->seed, o, s, 0);
    svs_status status;
    for (int i = 0; i < ELEMENTS; i++) terms[i] = term(mine->seed, o, s, svs_ranks_index(ranks));
    status = svs_reduce(object, add, terms, sums, sizeof *sums, ELEMENTS, done);
    if (status == SVS_WAIT) status = svs_await(ranks, done, done->value + 1);
    for (int i = 0; i < ELEMENTS; i++) CHECK(mine, status || memcmp(&sums[i], &expected, 8) == 0);
    return status;
}

static svs_status broadcast(svs_ranks *ranks, svs_distributed *object, uint32_t o, uint32_t s,
                            svs_counter *done) {
    own *mine = svs_ranks_data(ranks);
    uint32_t root = (uint32_t)(draw(mine->seed, o, s, 77) % svs_ranks_count(ranks));
    uint64_t words[2] = {svs_ranks_index(ranks), 0};
    svs_status status;
    if (root == svs_ranks_index(ranks)) words[1] = draw(mine->seed, o, s, 78);
    status = svs_broadcast(object, root, words, sizeof words, done);
    if (status == SVS_WAIT) status = svs_await(ranks, done, done->value + 1);
    CHECK(mine, status || (words[0] == root && words[1] == draw(mine->seed, o, s, 78)));
    return status;
}

static svs_status barrier(svs_ranks *ranks, svs_distributed *object, uint32_t o, uint32_t s,
                          svs_counter *done) {
    own *mine = svs_ranks_data(ranks);
    svs_status status;
    (void)svs__fetch_add_acq_rel(&entered[o][s], 1);
    status = svs_barrier(object, done);
    if (status == SVS_WAIT) status = svs_await(ranks, done, done->value + 1);
    CHECK(mine, status || svs__load_acquire(&entered[o][s]) == svs_ranks_count(ranks));
    return status;
}

static svs_status make(svs_ranks *ranks, uint32_t o, svs_counter *done, svs_distributed **object) {
    own *mine = svs_ranks_data(ranks);
    static const char *const names[] = {"one", "another", NULL, NULL};
    svs_distributed *twice;
    svs_status status = svs_distributed_new(ranks, names[o], names[o] == NULL ? o : 0,
                                            &mine->parts[o], object, done);
    if (status == SVS_WAIT && mine->seed % 2 == 0) status = svs_await(ranks, done, 1);
    else if (status == SVS_WAIT) status = SVS_OK; /* goes on before it is complete */
    if (status != SVS_OK) return status;
    CHECK(mine, svs_distributed_part(*object) == &mine->parts[o]);
    CHECK(mine, svs_distributed_find(ranks, names[o], o) == *object);
    CHECK(mine, svs_distributed_new(ranks, names[o], o, mine, &twice, done) == SVS_E_INVALID);
    return SVS_OK;
}

/* The thread of one object. */
static svs_status operate(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t o = *(uint32_t *)state;
    svs_counter made, done;
    svs_distributed *object;
    svs_status status;
    svs_counter_init(&made, 0);
    svs_counter_init(&done, 0);
    status = make(ranks, o, &made, &object);
    for (uint32_t s = 0; s < STEPS && status == SVS_OK; s++) {
        switch (draw(mine->seed, o, s, 99) % 3) {
        case 0: status = reduce(ranks, object, o, s, &done); break;
        case 1: status = broadcast(ranks, object, o, s, &done); break;
        default: status = barrier(ranks, object, o, s, &done);
        }
        CHECK(mine, status || done.value == s + 1); /* ranks.C2 */
    }
    return status != SVS_OK ? status : svs_await(ranks, &made, 1);
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        uint32_t o = (i + svs_ranks_index(ranks)) % OBJECTS; /* each rank in another order */
        if (svs_thread_spawn(ranks, operate, &o, sizeof o, NULL)) return 1;
    }
    mine->begun = OBJECTS;
    return SVS_OK;
}

static const char *check(program_run *run) {
    const char *wrong = NULL;
    memset(entered, 0, sizeof entered);
    for (uint32_t i = 0; i < run->program->ranks && !wrong; i++)
        wrong = program_wrong_line(((own *)program_data(run, i))->wrong, i);
    return wrong;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = seed % 3 * 100;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
    options->threads = 8;
}

#define OBJECTS_ON(n)                                                                              \
    PROGRAM(objects_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,        \
            .start = start, .check = check)
OBJECTS_ON(1);
OBJECTS_ON(2);
OBJECTS_ON(3);
OBJECTS_ON(7);
OBJECTS_ON(12);

/* ---- calls that are not the same on all ranks ---- */

static svs_status differ(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    static svs_counter counters[2];
    svs_distributed *object;
    svs_status status;
    svs_counter_init(&counters[svs_ranks_index(ranks)], 0);
    status =
        svs_distributed_new(ranks, "object", 0, mine, &object, &counters[svs_ranks_index(ranks)]);
    if (status != SVS_WAIT && status != SVS_OK) return status;
    status = svs_ranks_index(ranks) == 0
                 ? svs_barrier(object, &counters[0])
                 : svs_broadcast(object, 0, &mine->seed, sizeof mine->seed, &counters[1]);
    return status == SVS_WAIT ? SVS_OK : status;
}

PROGRAM(differing_operations, .ranks = 2, .bytes = sizeof(own), .start = differ,
        .status = SVS_E_DIFFERS, .text = "is not the same on all ranks");

TEST_CASE(operations_agree_with_the_model) { /* ranks.D2 */
    program_sim(&objects_1, 100);
    program_sim(&objects_2, 1000);
    program_sim(&objects_3, 1000);
    program_sim(&objects_7, 300);
    program_sim(&objects_12, 100);
    program_local(&objects_3, 20);
    program_local(&objects_7, 5);
}

/* ---- many objects: each is found among few ---- */

enum { MANY = 1000, CHAIN_MAX = 8 };

static uint32_t longest_chain(const svs__named_table *names) {
    uint32_t longest = 0;
    for (uint32_t i = 0; i < names->size; i++) {
        uint32_t length = 0;
        for (const svs__named *one = names->buckets[i]; one != NULL; one = one->next) length++;
        if (length > longest) longest = length;
    }
    return longest;
}

static svs_status make_many(svs_ranks *ranks, void *state) {
    own *mine = *(own **)state;
    svs_counter done;
    svs_counter_init(&done, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        svs_distributed *made;
        svs_status status = svs_distributed_new(ranks, NULL, i + 1, mine, &made, &done);
        if (status != SVS_OK && status != SVS_WAIT) return status;
        CHECK(mine, svs_distributed_find(ranks, NULL, i + 1) == made);
    }
    CHECK(mine, ranks->objects.count >= MANY && longest_chain(&ranks->objects) <= CHAIN_MAX);
    return svs_await(ranks, &done, MANY);
}

static svs_status start_many(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, make_many, &state, sizeof state, NULL);
}

static const char *check_many(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const char *why = program_wrong_line(((own *)program_data(run, i))->wrong, i);
        if (why != NULL) return why;
    }
    return NULL;
}

PROGRAM(many, .ranks = 3, .bytes = sizeof(own), .start = start_many, .check = check_many);

TEST_CASE(many_objects_are_found_among_few) {
    program_sim(&many, 5);
    program_local(&many, 2);
}

TEST_CASE(different_calls_end_the_run) { program_sim(&differing_operations, 300); }

TEST_CASE(survivors_agree_and_memory_is_released) {
    static rank_program quiet;
    quiet = objects_3;
    quiet.check = NULL;
    program_kill(&quiet, 23);
    program_exhaust(&quiet, 7);
    program_flip(&quiet, 4096); /* ranks.P3 */
    memset(entered, 0, sizeof entered);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
