/* Six tasks of a small game: of their 15 pairs, few may come to the same memory. */
#include <svs/scan.h>
#include <svs/svs.h>

typedef struct vec {
    float x, y;
} vec;
typedef struct ship {
    svs_object svs;
    struct ship *next;
    vec at, speed;
} ship;
SVS_TYPE(ship, svs, next)
typedef struct game {
    int frames;
    long beeps;
} game;

static ship *first;
static char picture[64];

/* Reads all ships, and sends a push for some. */
typedef struct push {
    ship *to;
    vec by;
} push;
static svs_status push_run(svs_context *x, push *p) {
    (void)x;
    p->to->speed.x += p->by.x;
    p->to->speed.y += p->by.y;
    return SVS_OK;
}
SVS_TASK_SCANNED(push, push_run)

typedef struct frame {
    game *g;
} frame;
static svs_status steer_run(svs_context *x, frame *t) {
    push one = {first, {1, 0}};
    (void)t;
    if (one.to && one.to->at.x > 3) one.to = one.to->next;
    return push_send(x, svs_context_argument(x), &one, 1);
}
SVS_TASK_SCANNED(steer, frame, steer_run)

static void move(vec *at, const vec *by) {
    at->x += by->x;
    at->y += by->y;
}
static svs_status drift_run(svs_context *x, frame *t) {
    (void)x, (void)t;
    for (ship *s = first; s; s = s->next) move(&s->at, &s->speed);
    return SVS_OK;
}
SVS_TASK_SCANNED(drift, frame, drift_run)

static svs_status draw_run(svs_context *x, frame *t) {
    (void)x, (void)t;
    for (ship *s = first; s; s = s->next) picture[(int)s->at.x & 63] = '*';
    return SVS_OK;
}
SVS_TASK_SCANNED(draw, frame, draw_run)

static svs_status count_run(svs_context *x, frame *t) {
    (void)x;
    t->g->frames++;
    return SVS_OK;
}
SVS_TASK_SCANNED(count, frame, count_run)

static svs_status beep_run(svs_context *x, frame *t) {
    (void)x;
    t->g->beeps++;
    return SVS_OK;
}
SVS_TASK_SCANNED(beep, frame, beep_run)

SVS_EXPECT_INDEPENDENT(count, beep)
SVS_EXPECT_INDEPENDENT(push, draw)

static svs_status launch(svs_world *world, int count) {
    svs_status status = SVS_OK;
    for (int i = 0; i < count && !status; i++) {
        ship *made = NULL;
        status = SVS_NEW(world, ship, &made);
        if (!status) status = svs_link(made, next, first);
        if (!status) first = made;
    }
    return status;
}

static svs_status build(svs_graph *graph) {
    static game the_game;
    frame f = {&the_game};
    svs_task *steer, *drift, *draw, *count, *beep, *pushes;
    svs_status status = svs_graph_add_itemizer(graph, &push_task, NULL, &pushes);
    if (!status) status = svs_graph_add_transform(graph, &steer_task, &f, pushes, &steer);
    if (!status) status = svs_graph_add_transform(graph, &drift_task, &f, NULL, &drift);
    if (!status) status = svs_graph_add_transform(graph, &draw_task, &f, NULL, &draw);
    if (!status) status = svs_graph_add_transform(graph, &count_task, &f, NULL, &count);
    if (!status) status = svs_graph_add_transform(graph, &beep_task, &f, NULL, &beep);
    return status ? status : svs_graph_add_flow(graph, steer, pushes);
}

/* Only three pairs have an implicit dependency, of which refinement may remove each once an
 * iteration. Without what the scan has found there are 14, and it removes more. */
static svs_status check(const svs_graph *graph) {
    svs_graph_statistics counts;
    svs_status status = svs_graph_statistics_get(graph, &counts);
    return status ? status : counts.refined > 6;
}

int main(void) {
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_status status = svs_start(0, &world);
    if (!status) status = launch(world, 8);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    if (!status) status = build(graph);
    if (!status) status = svs_graph_run(graph, 2, NULL);
    if (!status) status = check(graph);
    svs_status freed = svs_graph_free(graph);
    return svs_stop(world) || status || freed;
}

#include SVS_SCANNED
