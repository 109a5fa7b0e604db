/* Every engine, at several cuts, computes the same fluid as the serial one. */
#include "case.h"

#include <string.h>
#include <svs/graph.h>

#include "compare.h"
#include "drop.h"
#include "simulation.h"

#define REST 150.0f
#define SIDE 14
#define FRAMES 8
#define TOLERANCE 1e-5f

static fluid expected;

static void run(fluid *f, simulation_options options) {
    simulation sim = {.options = options, .what = f};
    simulation_result result;
    const char *wrong = simulation_run(&sim, &result);
    if (wrong) fail_msg("%s", wrong);
    assert_true(drop_is_whole(f));
}

static simulation_options with(const engine_choice *engine) {
    return (simulation_options){
        .engine = engine, .lock = engine->best_lock, .threads = 1, .frames = FRAMES};
}

static simulation_options serial(void) { return with(engine_named("serial")); }

static int make_expected(void **state) {
    (void)state;
    if (drop_make(&expected, REST, SIDE, 1)) return -1;
    run(&expected, serial());
    return 0;
}

static int drop_expected(void **state) {
    (void)state;
    fluid_clean_up(&expected);
    return 0;
}

static comparison difference(simulation_options options) {
    comparison found;
    fluid f;
    assert_null(drop_make(&f, REST, SIDE, 1));
    run(&f, options);
    assert_null(compare_fluids(&f, &expected, TOLERANCE, &found));
    fluid_clean_up(&f);
    return found;
}

static const uint32_t cuts[][2] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {1, 1000}, {1000, 1000}};
#define CUTS (sizeof cuts / sizeof *cuts)

static void cut_agrees(simulation_options options, const uint32_t cut[2]) {
    options.blocks_x = cut[0];
    options.blocks_z = cut[1];
    comparison found = difference(options);
    if (found.unmatched)
        fail_msg("%u threads, %u x %u blocks: %u particles elsewhere", options.threads, cut[0],
                 cut[1], found.unmatched);
}

static void each_cut_agrees(simulation_options options) {
    for (options.threads = 1; options.threads <= 4; options.threads++)
        for (size_t c = 0; c < CUTS; c++) cut_agrees(options, cuts[c]);
}

/* Does an engine have this form of lock? An engine without locks has LOCKS_BEST alone. */
static bool has_lock(const engine_choice *e, lock_form form) {
    if (e->best_lock == LOCKS_BEST || form == LOCKS_BEST) return form == e->best_lock;
    return form != LOCKS_NATIVE || e->team->lock;
}

TEST_CASE(each_engine_agrees_with_serial) {
    for (const engine_choice *e = engine_choices; e->name; e++) {
        print_message("%s\n", e->name);
        if (!engine_absent(e)) each_cut_agrees(with(e));
    }
}

/* The finest cut, where nearly each visit locks. */
TEST_CASE(each_lock_agrees_with_serial) {
    for (const engine_choice *e = engine_choices; e->name; e++)
        for (int form = LOCKS_PTHREAD; form < LOCKS_BEST; form++) {
            simulation_options options = with(e);
            if (engine_absent(e) || !has_lock(e, (lock_form)form)) continue;
            print_message("%s, %s\n", e->name, engine_lock_name(e, (lock_form)form));
            options.lock = (lock_form)form;
            options.threads = 4;
            cut_agrees(options, cuts[CUTS - 1]);
        }
}

TEST_CASE(each_algorithm_agrees_with_serial) {
    for (int algorithm = SVS_ALGORITHM_STAGED; algorithm <= SVS_ALGORITHM_PROGRESSIVE;
         algorithm++) {
        simulation_options options = with(engine_named("svs"));
        options.algorithm = (unsigned)algorithm;
        each_cut_agrees(options);
    }
}

/* Without a cut, every engine adds in the same order. */
TEST_CASE(one_block_is_the_same_to_the_last_bit) {
    for (const engine_choice *e = engine_choices; e->name; e++) {
        simulation_options options = with(e);
        if (engine_absent(e)) continue;
        options.blocks_x = options.blocks_z = 1;
        options.threads = 2;
        assert_true(difference(options).identical);
    }
}

/* The comparison sees what there is to see: another frame, one particle, one bit. */
TEST_CASE(a_difference_is_found) {
    simulation_options less = serial();
    comparison found;
    fluid f;
    less.frames--;
    assert_int_not_equal(difference(less).unmatched, 0);
    assert_null(drop_make(&f, REST, SIDE, 1));
    run(&f, serial());
    f.now.hv[17].y += 4 * TOLERANCE;
    assert_null(compare_fluids(&f, &expected, TOLERANCE, &found));
    assert_int_equal(found.unmatched, 1);
    assert_false(found.identical);
    f.now.hv[17].y = 0;
    f.now.p[17].x += 0.05f;
    assert_null(compare_fluids(&f, &expected, TOLERANCE, &found));
    assert_int_equal(found.unmatched, 1);
    fluid_clean_up(&f);
}

static vec3 moment(const fluid *f) {
    vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < f->count; i++) {
        sum.x += f->now.hv[i].x / (float)f->count;
        sum.y += f->now.hv[i].y / (float)f->count;
        sum.z += f->now.hv[i].z / (float)f->count;
    }
    return sum;
}

/* Far from walls, particles push each other by equal and opposite forces: all that the fluid gains
 * as a whole is what gravity gives it. */
TEST_CASE(momentum_is_kept) {
    simulation_options options = with(engine_named("svs"));
    fluid f;
    options.threads = 2;
    options.frames = 5;
    options.blocks_z = 100;
    assert_null(drop_make(&f, 400, 16, 2));
    vec3 before = moment(&f);
    run(&f, options);
    vec3 after = moment(&f);
    assert_float_equal(after.x, before.x, 1e-4f);
    assert_float_equal(after.y, before.y - 5 * 0.001f * 9.8f, 1e-4f);
    assert_float_equal(after.z, before.z, 1e-4f);
    fluid_clean_up(&f);
}

int main(void) { return run_cases(make_expected, drop_expected); }
