/* Shows:  a task graph: sends, explicit and implicit dependencies, iterations, statistics.
 * Run:    build/release/bin/04_graph
 * Expect: each frame is drawn after its pushes and before those of the next (expected.txt). */
#include "session.h"

enum { SHIPS = 3, FRAMES = 3 };
static int ships[SHIPS], beeps;
static char picture[FRAMES][32];

/* An itemizer: one instance for each item that it receives. */
typedef struct push {
    int *ship;
    int way;
} push;
static void push_touch(svs_footprint *f, const push *p) { svs_writes(f, p->ship); }
static svs_status push_run(svs_context *x, push *p) {
    (void)x;
    *p->ship += p->way;
    return SVS_OK;
}
SVS_TASK(push, push_run, push_touch)

/* The item of the transforms, which run one instance per iteration. */
typedef struct frame {
    svs_task *pushes;
} frame;
static void think_touch(svs_footprint *f, const frame *a) { (void)f, (void)a; }
static svs_status think_run(svs_context *x, frame *a) {
    push items[SHIPS];
    for (int i = 0; i < SHIPS; i++)
        items[i].ship = &ships[i], items[i].way = i + (int)svs_context_iteration(x);
    return push_send(x, a->pushes, items, SHIPS); /* SVS_TASK defines push_send */
}
SVS_TASK(think, frame, think_run, think_touch)

static void draw_touch(svs_footprint *f, const frame *a) {
    (void)a;
    for (int i = 0; i < SHIPS; i++) svs_reads(f, &ships[i]);
    svs_writes(f, picture);
}
static svs_status draw_run(svs_context *x, frame *a) {
    char *line = picture[svs_context_iteration(x)];
    (void)a;
    snprintf(line, sizeof picture[0], "ships at %d %d %d", ships[0], ships[1], ships[2]);
    return SVS_OK;
}
SVS_TASK(draw, frame, draw_run, draw_touch)

static void beep_touch(svs_footprint *f, const frame *a) { (void)a, svs_writes(f, &beeps); }
static svs_status beep_run(svs_context *x, frame *a) {
    (void)x, (void)a;
    beeps++;
    return SVS_OK;
}
SVS_TASK(beep, frame, beep_run, beep_touch)

/* Draw opens after the pushes have ended. Beep and the pushes are not ordered here: an implicit
 * dependency orders them unless refinement removes it. Beep and draw need none. */
static svs_status build(svs_graph *graph) {
    frame a = {NULL};
    svs_task *think, *draw, *beep;
    svs_status status = svs_graph_add_itemizer(graph, &push_task, NULL, &a.pushes);
    if (!status) status = svs_graph_add_transform(graph, &think_task, &a, NULL, &think);
    if (!status) status = svs_graph_add_transform(graph, &draw_task, &a, NULL, &draw);
    if (!status) status = svs_graph_add_transform(graph, &beep_task, &a, NULL, &beep);
    if (!status) status = svs_graph_add_flow(graph, think, a.pushes);
    if (!status) status = svs_graph_add_order(graph, a.pushes, draw);
    return status ? status : svs_graph_set_independent(graph, beep, draw);
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_graph_statistics counts = {0};
    svs_status status = session_open(&s);
    if (!status) status = build(s.graph);
    if (!status) status = svs_graph_run(s.graph, FRAMES, NULL);
    if (!status) status = svs_graph_statistics_get(s.graph, &counts);
    for (int i = 0; i < FRAMES && !status; i++) printf("frame %d: %s\n", i, picture[i]);
    if (!status) printf("%d beeps, %d instances\n", beeps, (int)counts.instances);
    return session_close(&s, status);
}
