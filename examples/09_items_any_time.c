/* Shows:  items that come while the graph runs: from a thread of the program, through a source with
 *         a limit, and from the task itself, which sends what it finds. The run ends by itself when
 *         the source is freed and nothing is pending.
 * Run:    build/release/bin/09_items_any_time
 * Expect: the number of steps to 1 for each start, as serial code finds it (expected.txt). */
#include <pthread.h>
#include <stdio.h>
#include <svs/svs.h>

enum {
    STARTS = 1000,
    LIMIT = 64, /* items that may be pending when the thread sends another */
    MOST = 400
};

/* A walk in progress: from n to n/2 or 3n + 1, until 1. An item is one step. */
typedef struct walk {
    unsigned long at;
    int start, steps;
} walk;
static int walks_of[MOST]; /* by their number of steps */
static svs_task *walk_on;

static void walk_touch(svs_footprint *f, const walk *w) {
    if (w->at == 1 && w->steps < MOST) svs_writes(f, &walks_of[w->steps]); /* it ends here */
}
static svs_status walk_run(svs_context *x, walk *w) {
    walk next = {w->at % 2 ? 3 * w->at + 1 : w->at / 2, w->start, w->steps + 1};
    if (w->at != 1) return svs_send(x, walk_on, &next, 1, sizeof next); /* to the task itself */
    if (w->steps >= MOST) return svs_context_fail(x, 1, "a walk longer than the table");
    walks_of[w->steps]++;
    return SVS_OK;
}
SVS_TASK(walk, walk_run, walk_touch)

/* A thread of the program: it could read a file or a socket. */
static void *reader(void *argument) {
    svs_source *source = argument;
    svs_status status = SVS_OK;
    for (int i = 1; i <= STARTS && !status; i++) {
        walk start = {(unsigned long)i, i, 0};
        status = svs_source_send(source, &start, 1, sizeof start, UINT64_MAX); /* waits for room */
    }
    svs_source_free(source); /* nothing more comes */
    return NULL;
}

static void take_back(void *item, void *argument) { /* of a run that was cancelled */
    (void)argument;
    fprintf(stderr, "start %d was not finished\n", ((walk *)item)->start);
}

int main(void) {
    svs_world *world;
    svs_graph *graph = NULL;
    svs_source *source = NULL;
    pthread_t thread;
    int longest = 0, walks = 0;
    svs_status status = svs_start(2, &world);
    if (status) return 1;
    status = svs_graph_new(world, NULL, &graph);
    if (!status) status = svs_graph_add_itemizer(graph, &walk_task, NULL, &walk_on);
    if (!status) status = svs_graph_add_flow(graph, walk_on, walk_on);
    if (!status) status = svs_task_set_dropped(walk_on, take_back);
    if (!status) status = svs_source_new(walk_on, LIMIT, &source);
    if (status || pthread_create(&thread, NULL, reader, source)) return 1;
    status = svs_graph_run(graph, 1, NULL); /* until all walks have ended */
    pthread_join(thread, NULL);
    for (int i = 0; i < MOST; i++) {
        walks += walks_of[i];
        if (walks_of[i]) longest = i;
    }
    printf("%d walks, the longest of %d steps\n", walks, longest);
    if (svs_graph_free(graph)) return 1;
    return svs_stop(world) || status;
}
