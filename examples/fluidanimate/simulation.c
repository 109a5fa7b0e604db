#include "simulation.h"

#include "common/clock.h"

#include <stdio.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sum_up(simulation_result *result, double *frame_ms, uint32_t frames) {
    if (!frames) return;
    qsort(frame_ms, frames, sizeof *frame_ms, by_size);
    result->frame_ms = 1e3 * result->seconds / frames;
    result->frame_ms_p99 = frame_ms[(frames - 1) * UINT64_C(99) / 100];
    result->frame_ms_max = frame_ms[frames - 1];
}

static const char *run_frames(simulation *sim, const simulation_engine *with,
                              simulation_result *result) {
    uint32_t frames = sim->options.frames;
    double *frame_ms = calloc(frames + UINT64_C(1), sizeof *frame_ms);
    const char *wrong = NULL;
    if (!frame_ms) return "out of memory";
    double begin = clock_wall_seconds(), cpu = clock_cpu_seconds(), last = begin;
    for (uint32_t i = 0; i < frames && !wrong; i++) {
        wrong = with->frame(sim);
        double now = clock_wall_seconds();
        frame_ms[i] = 1e3 * (now - last);
        last = now;
    }
    result->seconds = last - begin;
    result->cpu_seconds = clock_cpu_seconds() - cpu;
    sum_up(result, frame_ms, frames);
    free(frame_ms);
    return wrong;
}

const char *simulation_run(simulation *sim, simulation_result *result) {
    const simulation_engine *with = sim->options.engine->methods;
    uint32_t x, z;
    *result = (simulation_result){0};
    sim->engine_state = NULL;
    double begin = clock_wall_seconds();
    with->choose_blocks(sim, &x, &z);
    if (sim->options.blocks_x) x = sim->options.blocks_x;
    if (sim->options.blocks_z) z = sim->options.blocks_z;
    const char *wrong = fluid_cut(sim->what, x, z);
    if (wrong) return wrong;
    wrong = with->start(sim);
    result->prepare_seconds = clock_wall_seconds() - begin;
    if (!wrong) wrong = run_frames(sim, with, result);
    if (!wrong) with->describe(sim, result->details, sizeof result->details);
    if (wrong) { /* it may be the engine's storage */
        snprintf(sim->error, sizeof sim->error, "%s", wrong);
        wrong = sim->error;
    }
    begin = clock_wall_seconds();
    with->stop(sim);
    result->prepare_seconds += clock_wall_seconds() - begin;
    return wrong;
}
