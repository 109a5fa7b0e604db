#include "stealtree/file.h"
#include "stealtree/message.h"
#include <string.h>

typedef unsigned long long ull;

/* Reads a number of fixed length, little-endian. */
static uint64_t get_fixed(const unsigned char *from, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)from[i] << 8 * i;
    return number;
}

typedef struct input {
    const unsigned char *bytes;
    size_t size; /* number of bytes, without the checksum */
    size_t at;   /* index of the next byte */
    svs_trace *trace;
    const svs__message *message;
} input;

svs_status svs__file_check_head(const unsigned char *head, uint64_t *length,
                                const svs__message *message) {
    uint32_t version = (uint32_t)get_fixed(head + SVS__FILE_AT_VERSION, 4);
    if (memcmp(head, SVS__FILE_MAGIC, SVS__FILE_AT_VERSION) != 0)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte 0: this is no trace: it does not begin with 89 53 56 53 54 "
                                "0d 0a 1a");
    if (version != SVS__FILE_VERSION && version != SVS__FILE_VERSION_GRAPHS)
        return svs__message_set(
            message, SVS_E_VERSION,
            "byte %d: this is a trace of version %u; version %u or %u was expected",
            SVS__FILE_AT_VERSION, version, SVS__FILE_VERSION, SVS__FILE_VERSION_GRAPHS);
    *length = get_fixed(head + SVS__FILE_AT_LENGTH, 8);
    if (*length < SVS__FILE_HEAD + SVS__FILE_SUM)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %d: a length of %llu bytes; at least %d were expected",
                                SVS__FILE_AT_LENGTH, (ull)*length, SVS__FILE_HEAD + SVS__FILE_SUM);
    return SVS_OK;
}

/* Checks that the file is complete and unchanged. After this, only errors of its writer remain. */
static svs_status check_bytes(const unsigned char *bytes, size_t size,
                              const svs__message *message) {
    uint64_t length = 0, sum, expected;
    svs_status status;
    if (size < SVS__FILE_HEAD)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %zu: the file ends; a head of %d bytes was expected", size,
                                SVS__FILE_HEAD);
    status = svs__file_check_head(bytes, &length, message);
    if (status) return status;
    if (length != size)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %zu: the file %s; by its head it has %llu bytes", size,
                                size < length ? "ends: it was cut" : "goes on", (ull)length);
    sum = svs__file_sum(bytes, size - SVS__FILE_SUM);
    expected = get_fixed(bytes + size - SVS__FILE_SUM, SVS__FILE_SUM);
    if (sum == expected) return SVS_OK;
    return svs__message_set(message, SVS_E_TRACE,
                            "byte %zu: the checksum is %016llx; %016llx was expected: the file was "
                            "changed",
                            size - SVS__FILE_SUM, (ull)expected, (ull)sum);
}

static svs_status check_limits(const unsigned char *bytes, const svs__message *message) {
    uint64_t policy = get_fixed(bytes + SVS__FILE_AT_POLICY, 4);
    uint64_t workers = get_fixed(bytes + SVS__FILE_AT_WORKERS, 4);
    uint64_t clock = get_fixed(bytes + SVS__FILE_AT_CLOCK, 4);
    if (policy > SVS_POLICY_WORK_FIRST)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %d: policy %llu; 0 (help-first) or 1 (work-first) was "
                                "expected",
                                SVS__FILE_AT_POLICY, (ull)policy);
    if (workers == 0 || workers > SVS_THREADS_MAX)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %d: %llu workers; 1 to %u were expected",
                                SVS__FILE_AT_WORKERS, (ull)workers, SVS_THREADS_MAX);
    if (clock != SVS__FILE_CLOCK_NS)
        return svs__message_set(message, SVS_E_TRACE, "byte %d: clock %llu; %u was expected",
                                SVS__FILE_AT_CLOCK, (ull)clock, SVS__FILE_CLOCK_NS);
    return SVS_OK;
}

bool svs__measure_is_valid(const svs_measure *measure) {
    if (measure->work_ns == 0)
        return measure->span_ns == 0 && measure->asyncs == 0 && measure->clock_ns == 0;
    return measure->span_ns != 0 && measure->span_ns <= measure->work_ns;
}

static svs_status get_measure(const unsigned char *bytes, svs_measure *measure,
                              const svs__message *message) {
    *measure = (svs_measure){.work_ns = get_fixed(bytes + SVS__FILE_AT_WORK, 8),
                             .span_ns = get_fixed(bytes + SVS__FILE_AT_SPAN, 8),
                             .asyncs = get_fixed(bytes + SVS__FILE_AT_ASYNCS, 8),
                             .clock_ns = get_fixed(bytes + SVS__FILE_AT_LOOK, 8)};
    if (svs__measure_is_valid(measure)) return SVS_OK;
    if (measure->work_ns == 0)
        return svs__message_set(message, SVS_E_TRACE,
                                "byte %d: nothing was measured, but there are figures of it",
                                SVS__FILE_AT_SPAN);
    return svs__message_set(message, SVS_E_TRACE,
                            "byte %d: a span of %llu ns; 1 to the work's %llu were expected",
                            SVS__FILE_AT_SPAN, (ull)measure->span_ns, (ull)measure->work_ns);
}

static svs_status get_number(input *in, uint64_t *number, uint32_t worker, const char *what) {
    const unsigned char *from = in->bytes + in->at;
    const unsigned char *next = svs__number_get(from, in->bytes + in->size, number);
    if (next == NULL)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: no number; worker %u's %s was expected", in->at, worker,
                                what);
    in->at += (size_t)(next - from);
    return SVS_OK;
}

/* Checks that the rest of the file has the `bytes` bytes of a worker's events. */
static svs_status check_left(const input *in, uint64_t bytes, uint32_t worker) {
    if (bytes > in->size - in->at)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: worker %u has %llu bytes of events, but %zu are left",
                                in->at, worker, (ull)bytes, in->size - in->at);
    if (bytes > UINT32_MAX)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: worker %u has %llu bytes of events; less than 4 GiB "
                                "were expected",
                                in->at, worker, (ull)bytes);
    return SVS_OK;
}

/* The header of a worker's events. */
typedef struct part {
    uint64_t first_ordinal, first_phase, phases, lost, bytes;
} part;

/* Reads the numbers before a worker's events; afterwards `at` is at the events. */
static svs_status get_part(input *in, part *p, uint32_t worker) {
    svs_status status = get_number(in, &p->first_ordinal, worker, "first ordinal");
    if (status == SVS_OK) status = get_number(in, &p->first_phase, worker, "first phase");
    if (status == SVS_OK) status = get_number(in, &p->phases, worker, "number of phases");
    if (status == SVS_OK) status = get_number(in, &p->lost, worker, "number of lost events");
    if (status == SVS_OK) status = get_number(in, &p->bytes, worker, "number of bytes");
    return status ? status : check_left(in, p->bytes, worker);
}

/* Copies `bytes` bytes of events, without a check. */
static svs_status read_events(input *in, svs__trace_stream *stream, uint64_t bytes) {
    svs__trace_chunk *chunk;
    if (bytes == 0) return SVS_OK;
    chunk = svs__chunk_new(&in->trace->allocator, (uint32_t)bytes);
    if (chunk == NULL) return svs__message_status(in->message, SVS_E_NO_MEMORY);
    memcpy(chunk->bytes, in->bytes + in->at, bytes);
    /* relaxed, as the store below: no other thread has access to the trace yet. */
    svs__store_relaxed(&chunk->used, (uint32_t)bytes);
    svs__store_relaxed(&stream->first, chunk);
    in->at += bytes;
    return SVS_OK;
}

/* Reads the numbers and the events of one worker. */
static svs_status read_stream(input *in, uint32_t worker) {
    svs__trace_stream *stream = &in->trace->streams[worker];
    part p = {0};
    svs_status status = get_part(in, &p, worker);
    if (status) return status;
    stream->first_ordinal = p.first_ordinal;
    stream->first_phase = p.first_phase;
    svs__store_relaxed(&stream->phases, p.phases);
    svs__store_relaxed(&stream->lost, p.lost);
    return read_events(in, stream, p.bytes);
}

/* Checks that every event can be read, and that the number of begins is right. */
static svs_status check_stream(input *in, uint32_t worker) {
    svs__events events = svs__events_of(in->trace, worker);
    svs__event event;
    uint64_t phases = 0;
    part p = {0};
    svs_status status = get_part(in, &p, worker);
    if (status) return status;
    while (svs__events_next(&events, &event)) phases += svs__event_begins(event.tag);
    in->at += events.offset;
    if (events.wrong != NULL)
        return svs__message_set(in->message, SVS_E_TRACE, "byte %zu: worker %u's event %s", in->at,
                                worker, events.wrong);
    if (phases != p.phases)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: %llu phases of worker %u; %llu were expected", in->at,
                                (ull)phases, worker, (ull)p.phases);
    if (events.ns > in->trace->duration_ns)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: worker %u's last event is at %llu ns; at most the "
                                "trace's %llu were expected",
                                in->at, worker, (ull)events.ns, (ull)in->trace->duration_ns);
    return SVS_OK;
}

/* ---- graphs ---- */

static svs_status get_graphs_part(input *in, uint64_t *lost, uint64_t *bytes, uint32_t worker) {
    svs_status status = get_number(in, lost, worker, "number of lost events of graphs");
    if (status == SVS_OK)
        status = get_number(in, bytes, worker, "number of bytes of events of graphs");
    if (status == SVS_OK) status = check_left(in, *bytes, worker);
    return status;
}

static svs_status read_names(input *in) {
    uint64_t size = 0;
    svs_status status = get_number(in, &size, 0, "number of bytes of names");
    if (status) return status;
    if (size <= in->size - in->at && size <= SVS__NAMES_MAX)
        status = svs__names_take(&in->trace->names, &in->trace->allocator,
                                 (const char *)in->bytes + in->at, (uint32_t)size);
    else status = SVS_E_TRACE;
    if (status == SVS_E_NO_MEMORY) return svs__message_status(in->message, status);
    if (status)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: %llu bytes are no names of graphs, tasks and places",
                                in->at, (ull)size);
    in->at += size;
    return SVS_OK;
}

static svs_status skip_names(input *in) {
    uint64_t size = 0;
    svs_status status = get_number(in, &size, 0, "number of bytes of names");
    in->at += size;
    return status;
}

static svs_status read_graphs(input *in) {
    svs_status status = read_names(in);
    for (uint32_t w = 0; w < in->trace->workers && status == SVS_OK; w++) {
        svs__trace_stream *stream = &in->trace->streams[in->trace->workers + w];
        uint64_t lost = 0, bytes = 0;
        status = get_graphs_part(in, &lost, &bytes, w);
        if (status) return status;
        svs__store_relaxed(&stream->lost, lost);
        status = read_events(in, stream, bytes);
    }
    return status;
}

/* Checks that every event of a worker can be read. `at` is after the names, or after a worker's
 * part. */
static svs_status check_graphs(input *in, uint32_t worker) {
    svs__seen seen = svs__seen_of(in->trace, worker);
    svs__seen_event event;
    uint64_t lost = 0, bytes = 0;
    svs_status status = get_graphs_part(in, &lost, &bytes, worker);
    if (status) return status;
    while (svs__seen_next(&seen, &event)) continue;
    in->at += seen.offset;
    if (seen.wrong != NULL)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: worker %u's event of a graph %s", in->at, worker,
                                seen.wrong);
    if (seen.ns > in->trace->duration_ns)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: worker %u's last event of a graph is at %llu ns; at "
                                "most the trace's %llu were expected",
                                in->at, worker, (ull)seen.ns, (ull)in->trace->duration_ns);
    return SVS_OK;
}

static svs_status read_streams(input *in) {
    bool graphs = get_fixed(in->bytes + SVS__FILE_AT_VERSION, 4) == SVS__FILE_VERSION_GRAPHS;
    svs_status status = SVS_OK;
    for (uint32_t w = 0; w < in->trace->workers && status == SVS_OK; w++)
        status = read_stream(in, w);
    if (status == SVS_OK && graphs) status = read_graphs(in);
    if (status) return status;
    if (in->at != in->size)
        return svs__message_set(in->message, SVS_E_TRACE,
                                "byte %zu: %zu bytes more than the workers have", in->at,
                                in->size - in->at);
    /* A second pass: an event counts from the first ordinal of the worker that it names. */
    in->at = SVS__FILE_HEAD;
    for (uint32_t w = 0; w < in->trace->workers && status == SVS_OK; w++)
        status = check_stream(in, w);
    if (!graphs) return status;
    if (status == SVS_OK) status = skip_names(in);
    for (uint32_t w = 0; w < in->trace->workers && status == SVS_OK; w++)
        status = check_graphs(in, w);
    return status;
}

svs_status svs__trace_unpack(const svs_allocator *allocator, const unsigned char *bytes,
                             size_t size, svs_trace **trace, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    input in = {bytes, size - SVS__FILE_SUM, SVS__FILE_HEAD, NULL, &message};
    svs_measure measure = {0};
    svs_status status;
    *trace = NULL;
    status = check_bytes(bytes, size, &message);
    if (status == SVS_OK) status = check_limits(bytes, &message);
    if (status == SVS_OK) status = get_measure(bytes, &measure, &message);
    if (status) return status;
    in.trace = svs__trace_new(allocator, (uint32_t)get_fixed(bytes + SVS__FILE_AT_POLICY, 4),
                              (uint32_t)get_fixed(bytes + SVS__FILE_AT_WORKERS, 4));
    if (in.trace == NULL) return svs__message_status(&message, SVS_E_NO_MEMORY);
    in.trace->duration_ns = get_fixed(bytes + SVS__FILE_AT_DURATION, 8);
    in.trace->measure = measure;
    in.trace->cpus = (uint32_t)get_fixed(bytes + SVS__FILE_AT_CPUS, 4);
    status = read_streams(&in);
    if (status == SVS_OK) *trace = in.trace;
    else svs_trace_free(in.trace);
    return status;
}
