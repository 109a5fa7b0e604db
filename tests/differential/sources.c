/* Items that a thread sends while the graph runs, through a source for each group of items. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"

struct stream {
    stream *next;
    svs_source *source; /* NULL: it was freed */
    task *to;
    uint32_t count, sent, limit;
    item items[];
};

#define AT_ONCE 8u /* most items of a send */

void stream_items(graph *g, task *to, const item *items, uint32_t count, uint64_t *random) {
    static const uint32_t limits[] = {0, 1, 8, 64};
    stream *s = calloc(1, sizeof *s + count * sizeof *items);
    if (!s) abort();
    s->next = g->streams;
    g->streams = s;
    s->to = to;
    s->count = count;
    s->limit = limits[below(random, 4)];
    memcpy(s->items, items, count * sizeof *items);
    must(svs_source_new(to->task, s->limit, &s->source), "svs_source_new");
}

static void end_stream(stream *s) {
    must(svs_source_free(s->source), "svs_source_free");
    s->source = NULL;
}

/* Sends the next few items. @return whether it could. */
static bool send_some(stream *s, uint64_t *random) {
    uint32_t count = 1 + below(random, AT_ONCE), most = s->limit ? s->limit : AT_ONCE;
    uint64_t ns_max = chance(random, 20) ? 10000 : 0;
    svs_status status;
    void *bytes;
    if (count > most) count = most;
    if (count > s->count - s->sent) count = s->count - s->sent;
    bytes = pack_items(s->to, s->items + s->sent, count);
    status = svs_source_send(s->source, bytes, count, task_types[s->to->kind]->item_size, ns_max);
    free(bytes);
    if (status == SVS_E_FULL || (status == SVS_E_NO_MEMORY && has(F_OOM))) return false;
    if (status == SVS_E_CANCELLED) s->sent = s->count;
    else must(status, "svs_source_send");
    if (status == SVS_OK) s->sent += count;
    if (s->sent == s->count) end_stream(s);
    return true;
}

/* Sends through all streams in turn, so that none waits for the task of another one. */
static void *run_streams(void *argument) {
    graph *g = argument;
    uint64_t random = g->seed ^ g->round;
    for (bool all = false; !all;) {
        bool over = atomic_load(&g->returned), any = false;
        all = true;
        for (stream *s = g->streams; s; s = s->next) {
            if (!s->source) continue;
            any = send_some(s, &random) || any;
            if (s->source && over) end_stream(s); /* the run has not begun, or has failed */
            all = all && !s->source;
        }
        if (!any) (void)sched_yield();
    }
    return NULL;
}

void streams_begin(graph *g) {
    atomic_store(&g->returned, false);
    if (g->streams && pthread_create(&g->sender, NULL, run_streams, g)) abort();
}

void streams_end(graph *g) {
    if (g->streams) pthread_join(g->sender, NULL);
    for (stream *next; g->streams; g->streams = next) {
        next = g->streams->next;
        free(g->streams);
    }
}
