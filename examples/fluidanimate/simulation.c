#include "simulation.h"

#include "common/clock.h"

static const char *run_frames(simulation *sim, const simulation_engine *with,
                              simulation_result *result) {
    const char *wrong = NULL;
    double begin = clock_wall_seconds(), cpu = clock_cpu_seconds(), last = begin;
    for (uint32_t i = 0; i < sim->options.frames && !wrong; i++) {
        wrong = with->frame(sim);
        double now = clock_wall_seconds(), frame = 1e3 * (now - last);
        if (frame > result->frame_ms_max) result->frame_ms_max = frame;
        last = now;
    }
    result->seconds = last - begin;
    result->cpu_seconds = clock_cpu_seconds() - cpu;
    if (sim->options.frames) result->frame_ms = 1e3 * result->seconds / sim->options.frames;
    return wrong;
}

const char *simulation_run(simulation *sim, simulation_result *result) {
    const simulation_engine *with = sim->options.engine->methods;
    uint32_t x, z;
    *result = (simulation_result){0};
    sim->engine_state = NULL;
    with->choose_blocks(sim, &x, &z);
    if (sim->options.blocks_x) x = sim->options.blocks_x;
    if (sim->options.blocks_z) z = sim->options.blocks_z;
    const char *wrong = fluid_cut(sim->what, x, z);
    if (wrong) return wrong;
    wrong = with->start(sim);
    if (!wrong) wrong = run_frames(sim, with, result);
    if (!wrong) with->describe(sim, result->details, sizeof result->details);
    with->stop(sim);
    return wrong;
}
