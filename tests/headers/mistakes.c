/* A correct program, and one mistake for each name that may be defined: the compiler must refuse
 * every one. */
#include <svs/svs.h>

typedef struct node {
    int health;
    struct node *next;
    svs_object svs;
} node;
SVS_TYPE(node, svs, next)

typedef struct stranger {
    int health;
    svs_object svs;
} stranger;
#ifdef NOT_A_LINK
SVS_TYPE(stranger, svs, health)
#else
SVS_TYPE(stranger, svs)
#endif

typedef struct visit {
    node *at;
    stranger *by;
} visit;
static void visit_touch(svs_footprint *f, const visit *v) { svs_writes_object(f, &v->at->svs); }
static svs_status visit_run(svs_context *x, visit *v) {
    (void)x;
#ifdef WRONG_CHILD
    return svs_link(v->at, next, v->by);
#else
    return svs_link(v->at, next, v->at);
#endif
}
#if defined(NO_TOUCH_FUNCTION)
SVS_TASK(visit, visit_run)
#elif defined(ONE_ARGUMENT_MORE)
SVS_TASK(again, visit, visit_run, visit_touch, 0)
#else
SVS_TASK(visit, visit_run, visit_touch)
#endif

#ifdef NO_SUCH_FIELD
SVS_TASK_SHAPE(visit_listed, visit, visit_run, SVS_WRITES_OBJECT(at, svs), SVS_READS(beside))
#else
SVS_TASK_SHAPE(visit_listed, visit, visit_run, SVS_WRITES_OBJECT(at, svs), SVS_READS(by))
#endif

#ifdef OBJECT_AS_ITEM
static void node_touch(svs_footprint *f, const node *n) { svs_writes_object(f, &n->svs); }
static svs_status node_run(svs_context *x, node *n) {
    (void)x;
    n->health = 0;
    return SVS_OK;
}
SVS_TASK(node, node_run, node_touch)
#endif

typedef struct errand {
    svs_task *visits;
    visit first;
} errand;
static svs_status errand_run(svs_context *x, errand *e) {
#ifdef WRONG_ITEM
    return visit_send(x, e->visits, e->first.at, 1);
#else
    return visit_send(x, e->visits, &e->first, 1);
#endif
}
SVS_TASK_ALONE(errand, errand, errand_run)

svs_status run_once(svs_graph *graph);
svs_status run_once(svs_graph *graph) {
#ifdef UNUSED_STATUS
    svs_graph_run(graph, 1, NULL);
    return SVS_OK;
#else
    return svs_graph_run(graph, 1, NULL);
#endif
}

#if defined(ITEM_WITH_CONSTRUCTOR) && defined(__cplusplus)
struct owner {
    int *memory;
    owner() : memory(new int) {}
    owner(const owner &other) : memory(new int(*other.memory)) {}
    ~owner() { delete memory; }
};
static svs_status owner_run(svs_context *, owner *) { return SVS_OK; }
SVS_TASK_ALONE(owner, owner, owner_run)
#elif defined(ITEM_WITH_CONSTRUCTOR)
#error "an item is copied as plain bytes, and C has no other kind"
#endif

svs_status make(svs_world *world, stranger **made);
svs_status make(svs_world *world, stranger **made) {
#ifdef WRONG_POINTER
    return SVS_NEW(world, node, made);
#else
    return SVS_NEW(world, stranger, made);
#endif
}
