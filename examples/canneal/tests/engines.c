/* The engines on a generated netlist of 2,000 elements, checked from inside: each location is used
 * once, the cost equals the length of the wires, and the changes that the swaps saw add up, unless
 * a swap can see the element of another one move. */
#include "case.h"
#include "scale.h"

#include <inttypes.h>
#include <string.h>
#include <svs/graph.h>

#include "annealing.h"
#include "common/tests/workplace.h"

static netlist nets, usual_nets, crowded_nets;

static bool make_netlist(netlist *made, const char *elements, const char *grid) {
    char error[NETLIST_ERROR];
    const outcome *o =
        workplace_run(NETGEN_PROGRAM, "--elements", elements, "--grid", grid, "--seed", "5", NULL);
    return o && !o->status &&
           netlist_read(made, workplace_write("made.nets", o->out, strlen(o->out)), error);
}

static int make_netlists(void **state) {
    if (workplace_open(state)) return -1;
    bool made = make_netlist(&usual_nets, "2000", "45") && make_netlist(&crowded_nets, "30", "6");
    nets = usual_nets;
    return workplace_close(state) || !made ? -1 : 0;
}

static int free_netlists(void **state) {
    (void)state;
    netlist_clean_up(&usual_nets);
    netlist_clean_up(&crowded_nets);
    return 0;
}

static uint32_t usual_swaps(void) { return scaled(100, 1) < 100 ? 1000 : 3000; }

static annealing_options usual(const char *engine, uint32_t threads) {
    return (annealing_options){.engine = engine_named(engine),
                               .lock = engine_named(engine)->best_lock,
                               .threads = threads,
                               .swaps = usual_swaps(),
                               .temperature = 100,
                               .steps = 16,
                               .seed = 1,
                               .cell_bits = -1};
}

static int64_t measured_cost(const placement *p) {
    int64_t twice = 0;
    for (uint32_t e = 0; e < nets.locations; e++)
        for (uint32_t i = nets.first[e]; i < nets.first[e + 1]; i++) {
            uint32_t a = p->at[e], b = p->at[nets.neighbours[i]];
            twice += labs((long)(a >> 16) - (long)(b >> 16)) +
                     labs((long)(a & 65535) - (long)(b & 65535));
        }
    return twice / 2;
}

static void assert_each_location_once(const placement *p) {
    unsigned char *used = calloc(nets.locations, 1);
    assert_non_null(used);
    for (uint32_t e = 0; e < nets.locations; e++) {
        uint32_t x = p->at[e] >> 16, y = p->at[e] & 65535;
        assert_true(x < nets.max_x && y < nets.max_y);
        assert_int_equal(used[x * nets.max_y + y]++, 0);
    }
    free(used);
}

static annealing_result run(annealing_options options) {
    annealing anneal = {.options = options};
    annealing_result result;
    assert_true(placement_init(&anneal.place, &nets));
    const char *wrong = annealing_run(&anneal, &result);
    if (wrong) fail_msg("%s", wrong);
    assert_each_location_once(&anneal.place);
    assert_null(placement_check(&anneal.place));
    assert_int_equal(result.cost, measured_cost(&anneal.place));
    placement_clean_up(&anneal.place);
    return result;
}

/* The swaps of another order reach about the same cost as the serial ones. */
static void assert_like_serial(annealing_result found) {
    annealing_result serial = run(usual("serial", 1));
    assert_in_range(found.cost, serial.cost * 97 / 100, serial.cost * 103 / 100);
    assert_in_range(found.good, serial.good * 3 / 4, serial.good * 5 / 4);
    assert_in_range(found.bad, serial.bad * 3 / 4, serial.bad * 5 / 4);
}

TEST_CASE(serial_keeps_its_cost) {
    annealing_result result = run(usual("serial", 1));
    assert_int_equal(result.cost_kept, result.cost);
    assert_true(result.cost < result.cost_before * 9 / 10);
    assert_int_equal(result.steps, 16);
    assert_true(result.good > 1000 && result.bad > 1000 &&
                result.good + result.bad < 16 * (uint64_t)usual_swaps());
}

TEST_CASE(serial_repeats_itself) {
    annealing_options options = usual("serial", 1);
    int64_t cost = run(options).cost;
    assert_int_equal(run(options).cost, cost);
    options.seed = 2;
    assert_int_not_equal(run(options).cost, cost);
}

TEST_CASE(the_temperature_decides) {
    annealing_options options = usual("serial", 1);
    options.temperature = 1e-6;
    annealing_result frozen = run(options);
    assert_true(frozen.cost <= frozen.cost_before);
    options.temperature = 1e9;
    options.steps = 3;
    annealing_result molten = run(options);
    assert_int_equal(molten.good + molten.bad, 3 * (uint64_t)usual_swaps());
}

TEST_CASE(without_steps_it_ends_by_itself) {
    annealing_options options = usual("serial", 1);
    options.steps = -1;
    options.temperature = 10;
    annealing_result result = run(options);
    assert_true(result.steps > 1);
    assert_true(result.cost < result.cost_before);
    options.steps = 0;
    result = run(options);
    assert_int_equal(result.cost, result.cost_before);
    assert_int_equal(result.good + result.bad, 0);
}

/* The available engines, except the serial one and those of the library. */
static bool is_peer(const engine_choice *e) {
    return e->methods != &engine_serial && e->methods != &engine_svs && !engine_absent(e);
}

/* Does an engine have this form of lock? An engine without locks has LOCKS_BEST alone. */
static bool has_lock(const engine_choice *e, lock_form form) {
    if (e->best_lock == LOCKS_BEST || form == LOCKS_BEST) return form == e->best_lock;
    return form != LOCKS_NATIVE || e->team->lock;
}

typedef void peer_case(annealing_options options);

/* Each peer with each of its locks. */
static void each_peer(uint32_t threads, peer_case *try) {
    for (const engine_choice *e = engine_choices; e->name; e++)
        for (int form = LOCKS_PTHREAD; is_peer(e) && form <= LOCKS_BEST; form++) {
            annealing_options options = usual(e->name, threads);
            if (!has_lock(e, (lock_form)form)) continue;
            options.lock = (lock_form)form;
            print_message("%s, lock %d, %u threads\n", e->name, form, threads);
            try(options);
        }
}

/* Alone, every swap sees its cost as it is; and the pool keeps to the order. */
static void is_serial(annealing_options options) {
    annealing_result result = run(options);
    assert_int_equal(result.cost_kept, result.cost);
    assert_like_serial(result);
    if (options.engine->team == &team_pthreads)
        assert_int_equal(result.cost, run(usual("serial", 1)).cost);
}

TEST_CASE(one_thread_is_serial) { each_peer(1, is_serial); }

static void is_like_serial(annealing_options options) { assert_like_serial(run(options)); }

TEST_CASE(peers_keep_locations_apart) { each_peer(8, is_like_serial); }

static void run_svs(svs_algorithm algorithm, bool exact) {
    for (uint32_t threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
        annealing_options options = usual("svs", threads);
        options.algorithm = algorithm;
        options.exact = exact;
        annealing_result result = run(options);
        if (exact || threads == 1) assert_int_equal(result.cost_kept, result.cost);
        assert_like_serial(result);
    }
}

TEST_CASE(svs_default) { run_svs(SVS_ALGORITHM_DEFAULT, false); }

TEST_CASE(svs_staged) { run_svs(SVS_ALGORITHM_STAGED, false); }

TEST_CASE(svs_progressive) { run_svs(SVS_ALGORITHM_PROGRESSIVE, false); }

TEST_CASE(svs_default_exact) { run_svs(SVS_ALGORITHM_DEFAULT, true); }

TEST_CASE(svs_staged_exact) { run_svs(SVS_ALGORITHM_STAGED, true); }

TEST_CASE(svs_progressive_exact) { run_svs(SVS_ALGORITHM_PROGRESSIVE, true); }

/* All swaps of a step are sent before its run, and an exact swap sees nothing move: then the result
 * depends on the swaps alone. */
TEST_CASE(svs_exact_repeats_with_any_number_of_threads) {
    annealing_options options = usual("svs", 1);
    options.exact = true;
    annealing_result alone = run(options);
    for (uint32_t threads = 2; threads <= 8; threads += 3) {
        options.threads = threads;
        annealing_result result = run(options);
        assert_int_equal(result.cost, alone.cost);
        assert_int_equal(result.good, alone.good);
        assert_int_equal(result.bad, alone.bad);
    }
}

/* Small signatures conflict far more often, and must change nothing else. */
TEST_CASE(svs_with_few_bits) {
    annealing_options options = usual("svs", 2);
    options.signature_bits = 64;
    options.cell_bits = 0;
    assert_like_serial(run(options));
    options.exact = true;
    options.swaps = 300;
    annealing_result result = run(options);
    assert_int_equal(result.cost_kept, result.cost);
}

TEST_CASE(chunks_do_not_matter) {
    static const uint32_t chunks[] = {1, 7, ANNEALING_CHUNK_MAX};
    for (int i = 0; i < 3; i++)
        for (const engine_choice *e = engine_choices; e->name; e++) {
            if (!is_peer(e)) continue;
            annealing_options options = usual(e->name, 2);
            options.chunk = chunks[i];
            assert_like_serial(run(options));
        }
}

/* Thirty elements and eight threads: swaps conflict all the time. If two with a common element ran
 * in parallel, two elements would be at one location, or a sum would be wrong. */
static void run_crowded(annealing_options options) {
    nets = crowded_nets;
    options.swaps = 4 * usual_swaps();
    options.temperature = 1e6;
    options.chunk = 16;
    annealing_result result = run(options);
    if (options.exact) assert_int_equal(result.cost_kept, result.cost);
    nets = usual_nets;
}

TEST_CASE(crowded_swaps_keep_apart) {
    each_peer(8, run_crowded);
    for (int variant = 0; variant < 6; variant++) {
        annealing_options options = usual("svs", 8);
        options.algorithm = (unsigned)variant / 2; /* the default, staged, progressive */
        options.exact = variant & 1;
        run_crowded(options);
    }
}

int main(void) { return run_cases(make_netlists, free_netlists); }
