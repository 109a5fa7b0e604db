#include "wakeup.h"

#include <stdlib.h>

typedef struct wakeup_state {
    bench_graph g;
    uint32_t threads;
} wakeup_state;

typedef struct wake {
    wakeup_probe *probe;
    uint32_t number;
} wake;
static void wake_touch(svs_footprint *f, const wake *item) { (void)f, (void)item; }
static svs_status wake_run(svs_context *x, wake *item) {
    (void)x;
    wakeup_body(item->probe);
    return SVS_OK;
}
SVS_TASK(wake, wake_run, wake_touch)

static void *make(uint32_t threads) {
    wakeup_state *s = bench_allocate(1, sizeof *s);
    s->threads = threads;
    s->g = bench_graph_new(threads, &wake_task);
    return s;
}

static void attempt(void *state, wakeup_probe *probe, void (*begin)(wakeup_probe *)) {
    wakeup_state *s = state;
    for (uint32_t i = 0; i < 2 * s->threads; i++) {
        wake item = {probe, i};
        BENCH_OK(svs_graph_send(s->g.graph, s->g.task, &item, 1, sizeof item));
    }
    begin(probe);
    BENCH_OK(svs_graph_run(s->g.graph, 1, NULL));
}

static void destroy(void *state) {
    wakeup_state *s = state;
    bench_graph_free(&s->g);
    free(s);
}

const wakeup_engine wakeup_svs = {"svs", make, attempt, destroy};
