#include "base/log.h"
#include "base/sized.h"
#include "stealtree/seen.h"
#include "stealtree/trace.h"
#include "stealtree/verify.h"
#include <string.h>

static void count_memory(const svs__trace_stream *stream, svs_trace_statistics *statistics) {
    /* relaxed, here and below: a trace does not change. */
    for (const svs__trace_chunk *chunk = svs__load_relaxed(&stream->first); chunk != NULL;
         chunk = svs__load_relaxed(&chunk->next)) {
        statistics->bytes += svs__load_relaxed(&chunk->used);
        statistics->memory_bytes += sizeof *chunk + chunk->room;
    }
    statistics->memory_bytes += sizeof *stream;
}

static void count_events(const svs_trace *trace, uint32_t worker,
                         svs_trace_statistics *statistics) {
    svs__events events = svs__events_of(trace, worker);
    svs__event event;
    while (svs__events_next(&events, &event)) {
        statistics->roots += event.tag == SVS__EVENT_ROOT;
        statistics->steals += event.tag == SVS__EVENT_STOLEN;
        statistics->resumed += event.tag == SVS__EVENT_RESUMED;
        statistics->nested += svs__event_begins(event.tag) && events.depth > 1;
        statistics->waited_ns += event.waited;
    }
    statistics->asyncs += events.ordinal;
    statistics->lost += svs__load_relaxed(&trace->streams[worker].lost);
}

static void count_graphs(const svs_trace *trace, uint32_t worker,
                         svs_trace_statistics *statistics) {
    svs__seen seen = svs__seen_of(trace, worker);
    svs__seen_event event;
    while (svs__seen_next(&seen, &event)) {
        bool stage = event.tag == SVS__SEEN_STAGED;
        if (event.tag == SVS__SEEN_RAN) statistics->instances += event.of.group.count;
        statistics->stages += stage && event.of.stage.kind != SVS__SEEN_WINDOW;
        statistics->windows += stage && event.of.stage.kind == SVS__SEEN_WINDOW;
        if (stage) statistics->deferrals += event.of.stage.deferrals;
        statistics->explained += event.tag == SVS__SEEN_DEFERRED;
    }
    statistics->lost_graphs += svs__load_relaxed(&trace->streams[trace->workers + worker].lost);
}

static void count(const svs_trace *trace, svs_trace_statistics *statistics) {
    static const svs__paper_sizes sizes = {4, 4, 4};
    memset(statistics, 0, sizeof *statistics);
    statistics->policy = trace->policy;
    statistics->workers = trace->workers;
    statistics->duration_ns = trace->duration_ns;
    statistics->cpus = trace->cpus;
    statistics->measure = trace->measure;
    statistics->bytes = trace->names.size;
    statistics->memory_bytes = sizeof *trace + trace->names.capacity;
    for (uint32_t w = 0; w < trace->workers; w++) {
        count_memory(&trace->streams[w], statistics);
        count_memory(&trace->streams[trace->workers + w], statistics);
        count_events(trace, w, statistics);
        count_graphs(trace, w, statistics);
    }
    statistics->phases = statistics->roots + statistics->steals + statistics->resumed;
    statistics->bytes_paper =
        svs__paper_bytes(trace->policy, statistics->phases, statistics->steals, &sizes);
}

svs_status svs_trace_statistics_get_sized(const svs_trace *trace, svs_trace_statistics *statistics,
                                          size_t size) {
    svs_trace_statistics counted;
    if (trace == NULL || statistics == NULL)
        return svs__refuse(NULL, SVS_E_NULL, "svs_trace_statistics_get: the %s missing: pass one",
                           trace == NULL ? "trace is" : "place for the statistics is");
    count(trace, &counted);
    svs__output_put(statistics, size, &counted, sizeof counted);
    return SVS_OK;
}

uint64_t svs_trace_bytes(const svs_trace *trace) {
    svs_trace_statistics counted;
    if (trace == NULL) return 0;
    count(trace, &counted);
    return counted.bytes;
}
