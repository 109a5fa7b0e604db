#include "sched/graph/refusals.h"

svs_status svs__graph_refuse(const svs_graph *graph, const char *call, svs_status status,
                             const char *why) {
    return svs__refuse(graph->world->log, status, "graph %s: %s: %s", graph->name, call, why);
}

svs_status svs__graph_refuse_missing(const char *call) {
    return svs__refuse(NULL, SVS_E_NULL, "%s: no graph: did svs_graph_new() fail?", call);
}

svs_status svs__graph_check_idle(svs_graph *graph, const char *call) {
    uint32_t state;
    if (svs__world_is_forked(graph->world))
        return svs__graph_refuse(graph, call, SVS_E_FORKED, svs_status_text(SVS_E_FORKED));
    state = svs__load_acquire(&graph->running);
    if (state == SVS__IDLE) return SVS_OK;
    return svs__graph_refuse(
        graph, call, SVS_E_BUSY,
        state == SVS__RUNS ? "the graph is running: call it before or after the run"
                           : "a run of the graph was not waited for: call svs_graph_wait() first");
}
