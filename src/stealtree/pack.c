#include "stealtree/file.h"
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t svs__file_sum(const unsigned char *bytes, size_t size) { return XXH3_64bits(bytes, size); }

/* Writes a number of fixed length, little-endian. */
static unsigned char *put_fixed(unsigned char *to, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) *to++ = (unsigned char)(number >> 8 * i);
    return to;
}

/* The number of bytes of a stream's events. */
static uint64_t stream_bytes(const svs__trace_stream *stream) {
    uint64_t bytes = 0;
    /* relaxed, here and below: a trace does not change. */
    for (const svs__trace_chunk *chunk = svs__load_relaxed(&stream->first); chunk != NULL;
         chunk = svs__load_relaxed(&chunk->next))
        bytes += svs__load_relaxed(&chunk->used);
    return bytes;
}

/* Largest size of the numbers before a worker's events: five numbers of at most ten bytes. */
#define STREAM_HEAD_MAX 50

static unsigned char *put_stream_head(unsigned char *to, const svs__trace_stream *stream) {
    to = svs__number_put(to, stream->first_ordinal);
    to = svs__number_put(to, stream->first_phase);
    to = svs__number_put(to, svs__load_relaxed(&stream->phases));
    to = svs__number_put(to, svs__load_relaxed(&stream->lost));
    return svs__number_put(to, stream_bytes(stream));
}

static const svs__trace_stream *of_graphs(const svs_trace *trace, uint32_t worker) {
    return &trace->streams[trace->workers + worker];
}

static unsigned char *put_graphs_head(unsigned char *to, const svs__trace_stream *stream) {
    to = svs__number_put(to, svs__load_relaxed(&stream->lost));
    return svs__number_put(to, stream_bytes(stream));
}

static unsigned char *put_events(unsigned char *to, const svs__trace_stream *stream) {
    for (const svs__trace_chunk *chunk = svs__load_relaxed(&stream->first); chunk != NULL;
         chunk = svs__load_relaxed(&chunk->next)) {
        uint32_t used = svs__load_relaxed(&chunk->used);
        memcpy(to, chunk->bytes, used);
        to += used;
    }
    return to;
}

/* Writes the part of graphs: the names, then each worker's events. */
static unsigned char *put_graphs(unsigned char *to, const svs_trace *trace) {
    if (trace->names.size == 0) return to;
    to = svs__number_put(to, trace->names.size);
    memcpy(to, trace->names.text, trace->names.size);
    to += trace->names.size;
    for (uint32_t w = 0; w < trace->workers; w++)
        to = put_events(put_graphs_head(to, of_graphs(trace, w)), of_graphs(trace, w));
    return to;
}

static size_t graphs_size(const svs_trace *trace) {
    unsigned char head[STREAM_HEAD_MAX];
    size_t size;
    if (trace->names.size == 0) return 0;
    size = (size_t)(svs__number_put(head, trace->names.size) - head) + trace->names.size;
    for (uint32_t w = 0; w < trace->workers; w++)
        size += (size_t)(put_graphs_head(head, of_graphs(trace, w)) - head) +
                stream_bytes(of_graphs(trace, w));
    return size;
}

static size_t packed_size(const svs_trace *trace) {
    unsigned char head[STREAM_HEAD_MAX];
    size_t size = SVS__FILE_HEAD + graphs_size(trace) + SVS__FILE_SUM;
    for (uint32_t w = 0; w < trace->workers; w++)
        size += (size_t)(put_stream_head(head, &trace->streams[w]) - head) +
                stream_bytes(&trace->streams[w]);
    return size;
}

svs_status svs__trace_pack(const svs_trace *trace, unsigned char **bytes, size_t *size) {
    size_t all = packed_size(trace);
    unsigned char *to = svs__allocate(&trace->allocator, all, 1);
    SVS__ASSERT(svs__measure_is_valid(&trace->measure)); /* stealtree.H1 */
    *bytes = to;
    *size = all;
    if (to == NULL) return SVS_E_NO_MEMORY;
    memcpy(to, SVS__FILE_MAGIC, SVS__FILE_AT_VERSION);
    to = put_fixed(to + SVS__FILE_AT_VERSION,
                   trace->names.size ? SVS__FILE_VERSION_GRAPHS : SVS__FILE_VERSION, 4);
    to = put_fixed(to, trace->policy, 4);
    to = put_fixed(to, trace->workers, 4);
    to = put_fixed(to, SVS__FILE_CLOCK_NS, 4);
    to = put_fixed(to, all, 8);
    to = put_fixed(to, trace->duration_ns, 8);
    to = put_fixed(to, trace->measure.work_ns, 8);
    to = put_fixed(to, trace->measure.span_ns, 8);
    to = put_fixed(to, trace->measure.asyncs, 8);
    to = put_fixed(to, trace->measure.clock_ns, 8);
    to = put_fixed(to, trace->cpus, 4);
    for (uint32_t w = 0; w < trace->workers; w++)
        to = put_events(put_stream_head(to, &trace->streams[w]), &trace->streams[w]);
    to = put_graphs(to, trace);
    (void)put_fixed(to, svs__file_sum(*bytes, all - SVS__FILE_SUM), SVS__FILE_SUM);
    return SVS_OK;
}
