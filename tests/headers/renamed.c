/* A program with the names before version 1.0 compiles when svs/renamed.h is included first. */
#include <svs/svs.h>

typedef struct node {
    struct node *next;
    svs_object svs;
} node;
SVS_TYPE(node, svs, next)

typedef struct step {
    node *from;
} step;
static void spawned(svs_strand *strand, void *argument) {
    (void)argument;
    (void)svs_strand_worker(strand);
}
static svs_status step_run(svs_context *context, step *s) {
    node *to = s->from->next;
    svs_status status = svs_set(s->from, next, NULL);
    if (status || svs_context_order(context) == 0) return status;
    svs_async(svs_context_strand(context), spawned, s, sizeof *s);
    return svs_hand_off(context, &to->svs);
}
static void step_touch(svs_footprint *f, const step *s) {
    svs_footprint_add(f, &s->from->svs, 0, 0, SVS_OBJECT, SVS_WRITE, SVS_REACH);
}
SVS_TASK(step, step_run, step_touch)

svs_status build(svs_graph *graph, svs_task *from, svs_task **to);
svs_status build(svs_graph *graph, svs_task *from, svs_task **to) {
    svs_status status = svs_graph_add_itemizer(graph, &step_task, NULL, to);
    if (!status) status = svs_task_set_algorithm(*to, SVS_STAGED);
    if (!status) status = svs_graph_sends(graph, from, *to);
    if (!status) status = svs_graph_order(graph, from, *to);
    return status ? status : svs_graph_independent(graph, from, *to);
}
