/* Shows:  which work runs first, and where: priorities of graphs and of tasks, a task that keeps
 *         the order of its items, one that only the main thread runs, and how far a run is. A game
 *         draws its frames while a second graph makes the land in the time that they leave.
 * Run:    build/release/bin/16_which_first frame.dot, then dot -Tsvg frame.dot
 * Expect: the main thread draws all frames; the land is stopped at 5,000 tiles (expected.txt). */
#include "session.h"
#include <pthread.h>

enum { TILES = 1000, ENOUGH = 5000, STOPPED = 7, SHIPS = 50, SHOTS = 10, FRAMES = 20 };
static int land[TILES], ships[SHIPS], shots[FRAMES * SHOTS], shot;
static int drawn, drawn_shots;
static pthread_t main_thread; /* the only one that may draw */

typedef struct number {
    int i;
} number;
static void tile_touch(svs_footprint *f, const number *n) { svs_writes(f, &land[n->i]); }
static svs_status tile_run(svs_context *x, number *n) {
    (void)x;
    for (int k = 0; k < 1000; k++) land[n->i] ^= k << k % 16;
    return SVS_OK;
}
SVS_TASK(tile, number, tile_run, tile_touch)
static void tiles_make(void *items, uint32_t first, uint32_t count, void *argument) {
    number *n = items;
    (void)argument;
    for (uint32_t i = 0; i < count; i++) n[i].i = (int)((first + i) % TILES);
}

static void move_touch(svs_footprint *f, const number *n) { svs_writes(f, &ships[n->i]); }
static svs_status move_run(svs_context *x, number *n) {
    (void)x;
    ships[n->i]++;
    return SVS_OK;
}
SVS_TASK(move, number, move_run, move_touch)

static void shoot_touch(svs_footprint *f, const number *n) {
    (void)n;
    svs_writes_bytes(f, &shot, sizeof shot);  /* the race check knows the bytes, */
    svs_writes_bytes(f, shots, sizeof shots); /* scheduling compares addresses alone */
}
static svs_status shoot_run(svs_context *x, number *n) {
    (void)x;
    shots[shot++] = n->i;
    return SVS_OK;
}
SVS_TASK(shoot, number, shoot_run, shoot_touch)

static void draw_touch(svs_footprint *f, const number *n) {
    (void)n;
    for (int i = 0; i < SHIPS; i++) svs_reads(f, &ships[i]);
    svs_reads_bytes(f, &shot, sizeof shot);
    svs_writes(f, &drawn);
    svs_writes(f, &drawn_shots);
}
static svs_status draw_run(svs_context *x, number *n) {
    (void)n;
    if (!pthread_equal(main_thread, pthread_self())) return svs_context_fail(x, 1, "not main");
    drawn++;
    drawn_shots = shot;
    return SVS_OK;
}
SVS_TASK(draw, number, draw_run, draw_touch)

static svs_status frame_build(svs_graph *graph, svs_task **moves, svs_task **shoots) {
    svs_task *draws;
    svs_status status = svs_graph_add_itemizer(graph, &move_task, NULL, moves);
    if (!status) status = svs_graph_add_itemizer(graph, &shoot_task, NULL, shoots);
    if (!status) status = svs_graph_add_transform(graph, &draw_task, NULL, NULL, &draws);
    if (!status) status = svs_graph_add_order(graph, *moves, draws);
    if (!status) status = svs_graph_set_independent(graph, *moves, *shoots); /* open at once, */
    if (!status) status = svs_task_set_priority(*shoots, 1);                 /* but shots first */
    if (!status) status = svs_task_set_algorithm(*shoots, SVS_ALGORITHM_IN_ORDER);
    return status ? status : svs_task_pin(draws, SVS_THE_RUNNER);
}

static svs_status frame_run(svs_graph *graph, svs_task *moves, svs_task *shoots, int frame) {
    svs_status status = SVS_OK;
    for (int i = 0; i < SHIPS && !status; i++)
        status = svs_graph_send(graph, moves, &(number){i}, 1, sizeof(number));
    for (int i = 0; i < SHOTS && !status; i++)
        status = svs_graph_send(graph, shoots, &(number){frame * SHOTS + i}, 1, sizeof(number));
    return status ? status : svs_graph_run(graph, 1, NULL);
}

int main(int argc, char **argv) {
    const char *picture = argc > 1 ? argv[1] : "/dev/null";
    session s = {NULL, NULL, NULL};
    svs_graph *lands = NULL;
    svs_task *moves, *shoots, *tiles;
    svs_progress progress = {0};
    int swapped = 0;
    svs_status status = session_open(&s);
    main_thread = pthread_self();
    if (!status) status = frame_build(s.graph, &moves, &shoots);
    if (!status) status = svs_graph_new(s.world, NULL, &lands);
    if (!status) status = svs_graph_add_itemizer(lands, &tile_task, NULL, &tiles);
    if (!status)
        status = svs_graph_generate(lands, tiles, tiles_make, NULL, 1000000000, sizeof(number));
    if (!status) status = svs_graph_set_priority(lands, -1); /* below the frames, which have 0 */
    if (!status) status = svs_graph_begin(lands, 1, NULL, NULL);
    for (int i = 0; i < FRAMES && !status; i++) status = frame_run(s.graph, moves, shoots, i);
    while (!status && progress.ended < ENOUGH) { /* the main thread has time, and helps */
        status = svs_help(svs_world_runtime(s.world), 1000000, NULL);
        if (!status) status = svs_graph_progress(lands, &progress);
    }
    if (!status) status = svs_graph_cancel(lands, STOPPED);
    if (!status) status = svs_graph_wait(lands, UINT64_MAX, NULL) == STOPPED ? SVS_OK : SVS_E_STATE;
    if (!status) status = svs_graph_dot(s.graph, picture);
    for (int i = 1; i < shot; i++) swapped += shots[i] < shots[i - 1];
    if (!status)
        printf("%d frames, %d shots, %d out of order; enough land\n", drawn, drawn_shots, swapped);
    if (!status) status = svs_runtime_stop(svs_world_runtime(s.world)); /* no thread is left */
    if (lands && svs_graph_free(lands)) return 1;
    return session_close(&s, status);
}
