/* QuakeSquad (thesis 7.4): a game's world under one of several engines. See world.h for the data,
 * rules.h for the rules.
 *
 * It ends with one line on stdout:
 *   seconds frame_us frame_p10_us frame_p50_us frame_p99_us   of the frames, wall
 *   cpu_seconds      of the frames, of all threads
 *   prepare_seconds  wall, before the first frame and after the last, for the engine alone:
 *                    threads, objects, locks; not the world, which all engines share
 *   chunk_bombs chunk_steps lock   as chosen
 *   width_first width_last         mean width of the stages in the first and the last 100 frames
 *   width_looked width_greedy      of the frames that were compared, and of greedy colouring there
 *   instances stages deferrals     svs: of all frames; deferrals: times that one had to wait
 *   deferrals_true deferrals_hash deferrals_master deferrals_stale
 *                    by cause, of the few that were looked into: a real conflict, two objects with
 *                    one hash, what another of the same neighbourhood reaches, a link that is gone
 *   refreshes        of signatures
 *   sights died disarmed checksum invariants   of the game: the same for all engines */
#include "common/clock.h"
#include "engine.h"
#include "invariants.h"
#include "svg.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY 50

typedef struct widths {
    double
        cpu_seconds; /* of all frames, by all threads; with what looks at widths and invariants */
    double first, last, greedy, looked; /* `looked`: in the frames that were compared with greedy */
    uint64_t refreshes;
    double prepare_seconds; /* before the first frame and after the last, for the engine alone */
    char counts[512];
} widths;

typedef struct sums {
    double instances, stages;
} sums;

static double mean(sums s) { return s.stages > 0 ? s.instances / s.stages : NAN; }

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

static void add_width(sums *to, const engine_width *width) {
    to->instances += width->instances;
    to->stages += width->stages;
}

/* Plays all frames; each frame's seconds go to `seconds`. @return the exit status. */
static int play(const engine *with, void *state, world *w, const settings *options, double *seconds,
                widths *found) {
    uint32_t window = options->frames < 200 ? (options->frames + 1) / 2 : 100;
    sums first = {0}, last = {0}, looked = {0}, greedy = {0};
    double cpu = clock_cpu_seconds();
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        bool look = options->check_width && frame % LOOK_EVERY == 0;
        engine_width width = {0};
        double begin = clock_wall_seconds();
        svs_status status = world_tick(w);
        if (!status) status = with->frame(state, w, look);
        seconds[frame] = clock_wall_seconds() - begin;
        if (fails(status, "a frame failed")) return 1;
        if (options->check && !invariants_hold(w, stderr)) return 1;
        if (!with->width) continue;
        with->width(state, &width);
        if (frame < window) add_width(&first, &width);
        if (frame >= options->frames - window) add_width(&last, &width);
        if (look) add_width(&looked, &width);
        greedy.instances += width.greedy_instances;
        greedy.stages += width.greedy_colours;
        found->refreshes = width.refreshes;
    }
    found->cpu_seconds = clock_cpu_seconds() - cpu;
    found->first = mean(first);
    found->last = mean(last);
    found->looked = mean(looked);
    found->greedy = mean(greedy);
    return 0;
}

/* Omits widths that the engine does not have or that were not metered. */
static void print_width(const char *key, double width) {
    if (!isnan(width)) printf(" %s=%.2f", key, width);
}

static void report(const world *w, const settings *options, double *seconds, const widths *found,
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
    if (options->engine->methods != &engine_serial)
        printf(" chunk_bombs=%" PRIu32 " chunk_steps=%" PRIu32, options->chunk_bombs,
               options->chunk_steps);
    if (options->lock != LOCKS_BEST)
        printf(" lock=%s", engine_lock_name(options->engine, options->lock));
    print_width("width_first", found->first);
    print_width("width_last", found->last);
    print_width("width_looked", found->looked);
    fputs(found->counts, stdout);
    print_width("width_greedy", found->greedy);
    printf(" refreshes=%" PRIu64 " sights=%" PRIu64 " died=%" PRIu64 " disarmed=%" PRIu64
           " checksum=%016" PRIx64 "\n",
           found->refreshes, sum.sights, sum.left, sum.disarmed, world_checksum(w));
}

/* The world before the first frame that counts: the same for all engines. */
static svs_status settle(world *w, const settings *options) {
    void *state = NULL;
    svs_status status = world_populate(w);
    if (!status) status = engine_serial.open(w, options, &state);
    for (uint32_t frame = 0; frame < options->settle && !status; frame++) {
        status = world_tick(w);
        if (!status) status = engine_serial.frame(state, w, false);
    }
    if (state) engine_serial.close(state, w);
    for (uint32_t worker = 0; worker < w->options.workers; worker++) w->tallies[worker].sights = 0;
    return status;
}

/* The engine's counts as text, saved before the engine closes. */
static void note_counts(const engine *with, void *state, widths *found) {
    FILE *to = with->counts ? fmemopen(found->counts, sizeof found->counts, "w") : NULL;
    if (!to) return;
    with->counts(state, to);
    fclose(to);
}

static svs_status prepare(const engine *with, world *w, const settings *options, void **state,
                          widths *found) {
    double begin = clock_wall_seconds();
    svs_status status = with->open(w, options, state);
    found->prepare_seconds = clock_wall_seconds() - begin;
    return status;
}

static void finish(const engine *with, world *w, void *state, widths *found) {
    double begin = clock_wall_seconds();
    if (state) with->close(state, w);
    found->prepare_seconds += clock_wall_seconds() - begin;
}

static int run(const engine *with, world *w, const settings *options, double *seconds) {
    void *state = NULL;
    widths found = {.first = NAN, .last = NAN, .greedy = NAN, .looked = NAN};
    int status = 1;
    bool hold;
    if (!fails(settle(w, options), "the world cannot be made") &&
        !fails(prepare(with, w, options, &state, &found), "the engine does not start"))
        status = play(with, state, w, options, seconds, &found);
    if (status == 0) note_counts(with, state, &found);
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
