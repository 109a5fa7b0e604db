/* PARSEC's own fluids, compared with the results of its serial program. */
#include "case.h"

#include <stdio.h>
#include <svs/graph.h>

#include "compare.h"
#include "drop.h"
#include "file.h"
#include "simulation.h"

#define TOLERANCE 1e-5f

static char path[4096];

static const char *data_file(const char *name) {
    const char *folder = getenv("SVS_DATA_DIR");
    snprintf(path, sizeof path, "%s/fluidanimate/%s", folder ? folder : "../shared/data", name);
    return path;
}

static void read_fluid(fluid *f, const char *name) {
    char error[FLUID_FILE_ERROR];
    if (!fluid_read(f, data_file(name), error)) fail_msg("%s", error);
}

static comparison difference(const char *from, const char *to, simulation_options options) {
    fluid f, reference;
    comparison found;
    simulation sim = {.options = options, .what = &f};
    simulation_result result;
    read_fluid(&f, from);
    read_fluid(&reference, to);
    assert_int_equal(f.count, reference.count);
    const char *wrong = simulation_run(&sim, &result);
    if (wrong) fail_msg("%s", wrong);
    assert_true(drop_is_whole(&f));
    assert_null(compare_fluids(&f, &reference, TOLERANCE, &found));
    fluid_clean_up(&f);
    fluid_clean_up(&reference);
    return found;
}

static simulation_options with(const engine_choice *engine, uint32_t frames) {
    return (simulation_options){.engine = engine,
                                .lock = engine->best_lock,
                                .threads = engine->methods == &engine_serial ? 1 : 2,
                                .frames = frames};
}

TEST_CASE(serial_is_the_reference_to_the_last_bit) {
    const engine_choice *serial = engine_named("serial");
    assert_true(difference("in_100K.fluid.xz", "ref_serial_100K_5frames.fluid.xz", with(serial, 5))
                    .identical);
    assert_true(
        difference("in_5K.fluid.xz", "ref_serial_5K_1frames.fluid.xz", with(serial, 1)).identical);
}

static void is_close_to_the_reference(simulation_options options) {
    comparison found = difference("in_100K.fluid.xz", "ref_serial_100K_5frames.fluid.xz", options);
    print_message("%s: places %g and velocities %g apart\n", options.engine->name,
                  (double)found.place, (double)found.velocity);
    assert_int_equal(found.unmatched, 0);
}

TEST_CASE(two_threads_are_close_to_the_reference) {
    simulation_options progressive = with(engine_named("svs"), 5);
    for (const engine_choice *e = engine_choices; e->name; e++)
        if (!engine_absent(e)) is_close_to_the_reference(with(e, 5));
    progressive.algorithm = SVS_ALGORITHM_PROGRESSIVE;
    is_close_to_the_reference(progressive);
}

/* These begin in the middle of a splash, some particles outside of the box. */
TEST_CASE(small_ones_keep_their_particles) {
    static const char *const names[] = {"in_5K.fluid.xz", "in_15K.fluid.xz"};
    simulation_result result;
    for (int n = 0; n < 2; n++)
        for (const engine_choice *e = engine_choices; e->name; e++) {
            fluid f;
            simulation sim = {.options = with(e, 20), .what = &f};
            if (engine_absent(e)) continue;
            read_fluid(&f, names[n]);
            assert_null(simulation_run(&sim, &result));
            assert_true(drop_is_whole(&f));
            fluid_clean_up(&f);
        }
}

int main(void) { return run_cases(NULL, NULL); }
