/* Shows:  a failing body and its report, a refused cycle, an object that its maker publishes.
 * Run:    build/release/bin/05_errors
 * Expect: each report names the task; after a failure the graph runs again (expected.txt). */
#include "session.h"

enum { NO_PARTS = 42 }; /* positive statuses belong to the program */

typedef struct parcel {
    svs_object svs;
    int weight, stamps;
} parcel;
SVS_TYPE(parcel, svs)

typedef struct weigh {
    parcel *weighed;
    int parts;
} weigh;
static void weigh_touch(svs_footprint *f, const weigh *w) { svs_writes(f, &w->weighed->svs); }
static svs_status weigh_run(svs_context *x, weigh *w) {
    (void)x;
    if (!w->parts) return NO_PARTS; /* fails the run and cancels instances that have not started */
    w->weighed->stamps = w->weighed->weight / w->parts;
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
    svs_status status = SVS_NEW(p->world, parcel, &w.weighed);
    if (status) return status; /* the run returns it; the report names the task and the item */
    w.weighed->weight = 60;
    *p->packed = w.weighed;
    status = weigh_send(x, p->weighs, &w, 1);
    /* Until this body ends, only it may access the parcel. After publishing, weigh may start. */
    return status ? status : svs_publish(x, &w.weighed->svs);
}
SVS_TASK(pack, pack_run, pack_touch)

static svs_status run(svs_graph *graph, const char *title) {
    svs_report report;
    svs_status status = svs_graph_run(graph, 1, &report);
    printf("%s: %s", title, status ? svs_status_name(status) : "done");
    if (status) printf(": %s", report.text);
    printf("\n");
    return status;
}

/* Two of the three runs must fail, with the expected status. */
static svs_status run_all(svs_world *world, svs_graph *graph) {
    parcel *packed = NULL;
    pack p = {world, NULL, &packed, 0};
    svs_task *packs;
    svs_status status = svs_graph_add_itemizer(graph, &weigh_task, NULL, &p.weighs);
    if (!status) status = svs_graph_add_transform(graph, &pack_task, &p, NULL, &packs);
    if (!status) status = svs_graph_add_flow(graph, packs, p.weighs);
    if (!status && run(graph, "no parts") != NO_PARTS) status = SVS_E_INVALID;
    p.parts = 4;
    if (!status) status = svs_task_set_item(packs, &p);
    if (!status) status = run(graph, "four parts");
    if (!status) printf("%d stamps\n", packed->stamps);
    if (!status) status = svs_graph_add_order(graph, p.weighs, packs); /* closes a cycle */
    return status || run(graph, "a circle") == SVS_E_CYCLE ? status : SVS_E_INVALID;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_status status = session_open(&s);
    if (!status) status = run_all(s.world, s.graph);
    return session_close(&s, status);
}
