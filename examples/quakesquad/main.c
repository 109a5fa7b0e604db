/* QuakeSquad (thesis 7.4): a game's world under one of several engines. See world.h for the data,
 * rules.h for the rules.
 *
 * It ends with one line on stdout:
 *   seconds frame_us frame_p10_us frame_p50_us frame_p99_us   of the frames, wall
 *   cpu_seconds      of the frames, of all threads
 *   prepare_seconds  wall, before the first frame and after the last, for the engine alone:
 *                    threads, objects, locks; not the world, which all engines share
 *   chunk_bombs chunk_steps lock   as chosen
 *   instances stages width deferrals ...   svs: of all frames (common/scheduled.h); width: the mean
 *                    width of the stages
 *   sights died disarmed checksum invariants   of the game: the same for all engines */
#include "common/clock.h"
#include "engine.h"
#include "invariants.h"
#include "svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct findings {
    /* CPU time of all frames, of all threads; includes the checks of invariants */
    double cpu_seconds;
    double prepare_seconds; /* before the first frame and after the last, for the engine alone */
    char counts[512];
} findings;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool fails(svs_status status, const char *what) {
    if (status)
        fprintf(stderr, "quakesquad: %s: %s: %s\n", what, svs_status_name(status),
                svs_status_text(status));
    return status != SVS_OK;
}

/* Plays all frames; each frame's seconds go to `seconds`. @return the exit status. */
static int play(const engine *with, void *state, world *w, const settings *options, double *seconds,
                findings *found) {
    double cpu = clock_cpu_seconds();
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        double begin = clock_wall_seconds();
        svs_status status = world_tick(w);
        if (!status) status = with->frame(state, w);
        seconds[frame] = clock_wall_seconds() - begin;
        if (fails(status, "a frame failed")) return 1;
        if (options->check && !invariants_hold(w, stderr)) return 1;
    }
    found->cpu_seconds = clock_cpu_seconds() - cpu;
    if (with->describe) with->describe(state, found->counts, sizeof found->counts);
    return 0;
}

static void report(const world *w, const settings *options, double *seconds, const findings *found,
                   bool hold) {
    double total = 0;
    tally sum = world_tally(w);
    uint32_t frames = options->frames;
    for (uint32_t frame = 0; frame < frames; frame++) total += seconds[frame];
    qsort(seconds, frames, sizeof *seconds, by_size);
    printf("engine=%s threads=%" PRIu32 " seconds=%.6f frames=%" PRIu32
           " frame_us=%.1f frame_p10_us=%.1f frame_p50_us=%.1f frame_p99_us=%.1f invariants=%s",
           options->engine->name, options->threads, total, frames, 1e6 * total / frames,
           1e6 * seconds[(frames - 1) * 10ull / 100], 1e6 * seconds[(frames - 1) * 50ull / 100],
           1e6 * seconds[(frames - 1) * 99ull / 100], hold ? "ok" : "violated");
    printf(" cpu_seconds=%.6f prepare_seconds=%.6f", found->cpu_seconds, found->prepare_seconds);
    if (options->engine->team)
        printf(" chunk_bombs=%" PRIu32 " chunk_steps=%" PRIu32, options->chunk_bombs,
               options->chunk_steps);
    if (options->lock != LOCKS_BEST)
        printf(" lock=%s", engine_lock_name(options->engine, options->lock));
    fputs(found->counts, stdout);
    printf(" sights=%" PRIu64 " died=%" PRIu64 " disarmed=%" PRIu64 " checksum=%016" PRIx64 "\n",
           sum.sights, sum.left, sum.disarmed, world_checksum(w));
}

/* The world before the first frame that counts: the same for all engines. */
static svs_status settle(world *w, const settings *options) {
    void *state = NULL;
    svs_status status = world_populate(w);
    if (!status) status = engine_serial.open(w, options, &state);
    for (uint32_t frame = 0; frame < options->settle && !status; frame++) {
        status = world_tick(w);
        if (!status) status = engine_serial.frame(state, w);
    }
    if (state) engine_serial.close(state, w);
    for (uint32_t worker = 0; worker < w->options.workers; worker++) w->tallies[worker].sights = 0;
    return status;
}

static svs_status prepare(const engine *with, world *w, const settings *options, void **state,
                          findings *found) {
    double begin = clock_wall_seconds();
    svs_status status = with->open(w, options, state);
    found->prepare_seconds = clock_wall_seconds() - begin;
    return status;
}

static void finish(const engine *with, world *w, void *state, findings *found) {
    double begin = clock_wall_seconds();
    if (state) with->close(state, w);
    found->prepare_seconds += clock_wall_seconds() - begin;
}

static int run(const engine *with, world *w, const settings *options, double *seconds) {
    void *state = NULL;
    findings found = {0};
    int status = 1;
    bool hold;
    if (!fails(settle(w, options), "the world cannot be made") &&
        !fails(prepare(with, w, options, &state, &found), "the engine does not start"))
        status = play(with, state, w, options, seconds, &found);
    finish(with, w, state, &found);
    if (status) return status;
    hold = invariants_hold(w, stderr);
    if (options->svg && !svg_write(w, options->svg)) {
        fprintf(stderr, "quakesquad: %s: %s\n", options->svg, strerror(errno));
        status = 1;
    }
    report(w, options, seconds, &found, hold);
    return hold ? status : 1;
}

int main(int argc, char **argv) {
    settings options;
    options_parse(&options, argc, argv);
    double *seconds = calloc(options.frames, sizeof *seconds);
    world *w = world_new(&options.world);
    int status = 1;
    if (seconds && w) status = run(options.engine->methods, w, &options, seconds);
    else fprintf(stderr, "quakesquad: not enough memory for a world of this size\n");
    world_free(w);
    free(seconds);
    return status;
}
