#include "stealtree/seen_record.h"
#include "base/check.h"

/* Writes the difference of a seed to the last one, modulo 2^64: in a stage most differences are
 * small. */
static inline unsigned char *put_seed(svs__pen *pen, unsigned char *to, uint64_t seed) {
    uint64_t difference = seed - pen->seed;
    pen->seed = seed;
    return svs__number_put(to, difference);
}

/* Writes the first seed of a row, then its steps; or 0 and the number of seeds that follow
 * (seen.h). Works in registers instead of the pen, because the compiler must assume that a written
 * byte may alias any field of the pen. */
static unsigned char *put_seeds(svs__pen *pen, unsigned char *to, const svs__seen_group *g) {
    const svs__seen_row *row = g->rows, *end = row + g->row_count;
    uint64_t last = pen->seed;
    for (; row < end; row++) {
        uint32_t more = row->count - 1;
        to = svs__number_put(to, row->seed - last);
        if (row->seed == last) *to++ = 0;
        last = row->seed;
        if (row->steps) {
            for (uint32_t i = 0; i < more; i++) last += *to++ = row->steps[i];
        } else if (more) {
            *to++ = 0;
            to = svs__number_put(to, more);
            last += more;
        }
    }
    pen->seed = last;
    return to;
}

static svs__pen *pen_of(svs__recorder *recorder, uint32_t worker) {
    return &recorder->pens[recorder->trace->workers + worker];
}

/* Writes the first numbers of an event; seeds of at most `seeds` bytes follow. @return the address
 * for the rest of the event; NULL: the event is lost. */
static unsigned char *begin(svs__recorder *recorder, svs__pen *pen, svs__seen_tag tag,
                            uint64_t more, uint32_t seeds, uint64_t now_ns) {
    unsigned char *to = svs__pen_begin(recorder, pen, SVS__SEEN_EVENT_MAX + seeds);
    uint64_t ns = now_ns - recorder->start_ns;
    if (to == NULL) return NULL;
    if (ns < pen->ns) ns = pen->ns;
    to = svs__number_put(to, (uint64_t)tag | more << SVS__SEEN_TAG_BITS);
    to = svs__number_put(to, ns - pen->ns);
    pen->ns = ns;
    return to;
}

static unsigned char *put_where(unsigned char *to, uint32_t task, uint32_t run,
                                uint32_t iteration) {
    to = svs__number_put(to, task);
    to = svs__number_put(to, run);
    return svs__number_put(to, iteration);
}

static void ran(svs__observer *observer, uint32_t worker, const svs__seen_group *g) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = pen_of(recorder, worker);
    uint64_t took = g->end_ns - g->begin_ns, since = pen->ns;
    uint32_t seeds = g->row_count * SVS__SEEN_ROW_MAX + SVS__SEEN_STEPS_MAX;
    unsigned char *to = begin(recorder, pen, SVS__SEEN_RAN, g->count - 1, seeds, g->end_ns);
    SVS__ASSERT(g->count >= 1 && g->count <= SVS__SEEN_GROUP_MAX &&
                g->row_count <= SVS__SEEN_ROWS_MAX);
    if (to == NULL) return;
    if (took > pen->ns - since) took = pen->ns - since; /* hooks.O4 */
    to = svs__number_put(to, took);
    to = put_where(to, g->task, g->run, g->iteration);
    svs__pen_end(pen, put_seeds(pen, to, g));
}

static void stage(svs__observer *observer, uint32_t worker, const svs__seen_stage *s) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = pen_of(recorder, worker);
    unsigned char *to = begin(recorder, pen, SVS__SEEN_STAGED, s->kind, 0, svs__time_ns());
    if (to == NULL) return;
    to = put_where(to, s->task, s->run, s->iteration);
    to = svs__number_put(to, s->width);
    to = svs__number_put(to, s->stages);
    to = svs__number_put(to, s->parted);
    to = svs__number_put(to, s->explained);
    svs__pen_end(pen, svs__number_put(to, s->deferrals));
}

static void deferred(svs__observer *observer, uint32_t worker, const svs__seen_deferral *d) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = pen_of(recorder, worker);
    uint64_t more = (uint64_t)d->cause | (d->parted ? SVS__SEEN_PARTED : 0) |
                    (d->writes ? SVS__SEEN_WRITES : 0) | (d->has_index ? SVS__SEEN_HAS_INDEX : 0) |
                    (d->has_other ? SVS__SEEN_HAS_OTHER : 0);
    unsigned char *to =
        begin(recorder, pen, SVS__SEEN_DEFERRED, more, 2 * SVS__SEEN_SEED_MAX, svs__time_ns());
    if (to == NULL) return;
    to = put_where(to, d->task, d->run, d->iteration);
    to = put_seed(pen, to, d->seed);
    to = svs__number_put(to, d->place);
    to = svs__number_put(to, d->at);
    if (d->has_other) {
        to = svs__number_put(to, d->other_task);
        to = put_seed(pen, to, d->other_seed);
    }
    svs__pen_end(pen, to);
}

static uint32_t begins(svs__observer *observer, const svs__seen_graph *graph) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs_trace *trace = recorder->trace;
    uint32_t first;
    svs__lock_acquire(&recorder->names);
    first = svs__names_graph(&trace->names, &trace->allocator, graph);
    svs__lock_release(&recorder->names);
    /* relaxed is enough: only a count. It says that the instances of the run are missing. */
    if (first == UINT32_MAX) (void)svs__fetch_add_relaxed(&trace->streams[trace->workers].lost, 1);
    return first;
}

static uint32_t place(svs__observer *observer, const char *name) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs_trace *trace = recorder->trace;
    uint32_t number;
    svs__lock_acquire(&recorder->names);
    number = svs__names_place(&trace->names, &trace->allocator, name);
    svs__lock_release(&recorder->names);
    return number;
}

const svs__graph_observer svs__recorder_graphs = {begins, ran, stage, place, deferred};
