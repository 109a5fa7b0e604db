/* Shows:  a body that fails and the report that names it, a cycle that is refused, a hand-off.
 * Run:    build/release/bin/05_errors
 * Expect: each mistake named by its task, and runs that go on all the same (expected/05.txt). */
#include "session.h"

enum { NO_PARTS = 42 }; /* a positive status is the program's own */

typedef struct parcel {
    svs_object svs;
    int weight, stamps;
} parcel;
SVS_TYPE(parcel, svs)

typedef struct weigh {
    parcel *what;
    int parts;
} weigh;
static void weigh_touch(svs_footprint *f, const weigh *w) { svs_writes_object(f, &w->what->svs); }
static svs_status weigh_run(svs_context *x, weigh *w) {
    (void)x;
    if (!w->parts) return NO_PARTS; /* cancels what has not started */
    w->what->stamps = w->what->weight / w->parts;
    return SVS_OK;
}
SVS_TASK(weigh, weigh_run, weigh_touch)

typedef struct pack {
    svs_world *world;
    svs_task *weighs;
    parcel **packed;
    int parts;
} pack;
static void pack_touch(svs_footprint *f, const pack *p) { svs_writes(f, p->packed); }
static svs_status pack_run(svs_context *x, pack *p) {
    weigh w = {NULL, p->parts};
    svs_status status = SVS_NEW(p->world, parcel, &w.what);
    if (status) return status;
    w.what->weight = 60;
    *p->packed = w.what;
    status = weigh_send(x, p->weighs, &w, 1);
    /* The parcel is this body's until it ends, or hands it off: then it may be weighed already. */
    return status ? status : svs_hand_off(x, &w.what->svs);
}
SVS_TASK(pack, pack_run, pack_touch)

static svs_status show(svs_graph *graph, const char *what) {
    svs_report report;
    svs_status status = svs_graph_run(graph, 1, &report);
    printf("%s: %s", what, status ? svs_status_name(status) : "done");
    if (status) printf(": %s", report.text);
    printf("\n");
    return status;
}

/* Only what was not asked for is an error of this program. */
static svs_status run(svs_world *world, svs_graph *graph) {
    parcel *packed = NULL;
    pack p = {world, NULL, &packed, 0};
    svs_task *packs;
    svs_status status = svs_graph_add_itemizer(graph, &weigh_task, NULL, &p.weighs);
    if (!status) status = svs_graph_add_transform(graph, &pack_task, &p, NULL, &packs);
    if (!status) status = svs_graph_sends(graph, packs, p.weighs);
    if (!status && show(graph, "no parts") != NO_PARTS) status = SVS_E_INVALID;
    p.parts = 4; /* a graph whose run has failed may be run again */
    if (!status) status = svs_task_set_item(packs, &p);
    if (!status) status = show(graph, "four parts");
    if (!status) printf("%d stamps\n", packed->stamps);
    if (!status) status = svs_graph_order(graph, p.weighs, packs);
    return status || show(graph, "a circle") == SVS_E_CYCLE ? status : SVS_E_INVALID;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_status status = session_open(&s);
    if (!status) status = run(s.world, s.graph);
    return session_close(&s, status);
}
