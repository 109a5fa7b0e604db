#include "stealtree/stream.h"

svs__trace_chunk *svs__chunk_new(const svs_allocator *allocator, uint32_t room) {
    svs__trace_chunk *chunk =
        svs__allocate(allocator, sizeof *chunk + room, alignof(svs__trace_chunk));
    if (chunk == NULL) return NULL;
    atomic_init(&chunk->next, NULL);
    atomic_init(&chunk->used, 0);
    chunk->room = room;
    return chunk;
}

svs_trace *svs__trace_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers) {
    svs_trace *trace = svs__allocate_zeroed(allocator, sizeof *trace, alignof(svs_trace));
    if (trace == NULL) return NULL;
    trace->streams = svs__allocate_zeroed(
        allocator, (size_t)2 * workers * sizeof(svs__trace_stream), alignof(svs__trace_stream));
    if (trace->streams == NULL) {
        svs__release(allocator, trace, sizeof *trace, alignof(svs_trace));
        return NULL;
    }
    trace->allocator = *allocator;
    trace->policy = policy;
    trace->workers = workers;
    return trace;
}

void svs_trace_free(svs_trace *trace) {
    svs_allocator allocator;
    if (trace == NULL) return;
    allocator = trace->allocator;
    for (uint32_t w = 0; w < svs__trace_streams(trace); w++) {
        /* relaxed is enough, here and below: a trace that is freed has no writer any more, and its
         * end happened before this call. */
        svs__trace_chunk *chunk = svs__load_relaxed(&trace->streams[w].first);
        while (chunk != NULL) {
            svs__trace_chunk *next = svs__load_relaxed(&chunk->next);
            svs__release(&allocator, chunk, sizeof *chunk + chunk->room, alignof(svs__trace_chunk));
            chunk = next;
        }
    }
    svs__release(&allocator, trace->streams, svs__trace_streams(trace) * sizeof(svs__trace_stream),
                 alignof(svs__trace_stream));
    svs__names_clean_up(&trace->names, &allocator);
    svs__release(&allocator, trace, sizeof *trace, alignof(svs_trace));
}

const unsigned char *svs__number_get(const unsigned char *from, const unsigned char *end,
                                     uint64_t *number) {
    uint64_t value = 0;
    for (unsigned shift = 0; from < end; shift += 7) {
        unsigned char byte = *from++;
        if (shift == 63 && byte > 1) return NULL;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80) continue;
        if (byte == 0 && shift != 0) return NULL;
        *number = value;
        return from;
    }
    return NULL;
}

svs__events svs__events_of(const svs_trace *trace, uint32_t worker) {
    /* acquire: sees the chunk's head; pairs with the release in record.c. */
    return (svs__events){.trace = trace,
                         .cursor.chunk = svs__load_acquire(&trace->streams[worker].first)};
}

static bool wrong(svs__events *events, const char *text) {
    events->wrong = text;
    return false;
}

/* Adds `more` to `*sum`. @return false when the sum does not fit. */
static bool add(uint64_t *sum, uint64_t more) {
    if (more > UINT64_MAX - *sum) return false;
    *sum += more;
    return true;
}

/* Reads what the begin of a phase names: the victim, and the victim's ordinal or phase, converted
 * to a number since the start of the trace. */
static bool read_origin(svs__events *events, svs__event *event, uint64_t victim, uint64_t at) {
    const svs__trace_stream *stream;
    uint64_t first;
    if (victim >= events->trace->workers)
        return wrong(events, "names a worker that does not exist");
    stream = &events->trace->streams[victim];
    first = event->tag == SVS__EVENT_STOLEN ? stream->first_ordinal : stream->first_phase;
    if (at < first) return wrong(events, "came from before the beginning of the trace");
    event->victim = (uint32_t)victim;
    event->at = at - first;
    return true;
}

/* Reads the event in [from, end). @return the end of the event, or NULL. */
static const unsigned char *read_event(svs__events *events, svs__event *event,
                                       const unsigned char *from, const unsigned char *end) {
    uint64_t head = 0, asyncs = 0, ns = 0, more = 0;
    bool has_origin, has_waited;
    from = svs__number_get(from, end, &head);
    if (from != NULL) from = svs__number_get(from, end, &asyncs);
    if (from != NULL) from = svs__number_get(from, end, &ns);
    event->tag = (svs__event_tag)(head & ((1u << SVS__EVENT_TAG_BITS) - 1));
    has_origin = event->tag == SVS__EVENT_STOLEN || event->tag == SVS__EVENT_RESUMED;
    has_waited = event->tag == SVS__EVENT_WAITED;
    if (from != NULL && (has_origin || has_waited)) from = svs__number_get(from, end, &more);
    head >>= SVS__EVENT_TAG_BITS;
    if (from == NULL) (void)wrong(events, "is no number, or is cut off");
    else if (event->tag >= SVS__EVENT_TAGS) (void)wrong(events, "is of an unknown kind");
    else if (!has_origin && head != 0) (void)wrong(events, "names a worker, but needs none");
    else if (!add(&events->ordinal, asyncs)) (void)wrong(events, "counts too many asyncs");
    else if (!add(&events->ns, ns)) (void)wrong(events, "is later than a clock can tell");
    else if (has_waited && more > ns) (void)wrong(events, "waited for longer than it took");
    else if (!has_origin || read_origin(events, event, head, more)) {
        event->waited = has_waited ? more : 0;
        return from;
    }
    return NULL;
}

const unsigned char *svs__cursor_bytes(svs__stream_cursor *cursor, const unsigned char **end) {
    while (cursor->chunk != NULL) {
        /* acquire: sees the bytes below `used` (stealtree.C1); pairs with the release in
         * record.c. */
        uint32_t used = svs__load_acquire(&cursor->chunk->used);
        const svs__trace_chunk *following;
        *end = cursor->chunk->bytes + used;
        if (cursor->at < used) return cursor->chunk->bytes + cursor->at;
        /* acquire: sees the next chunk's head, and this one's final `used`, which may have grown
         * since (stealtree.C2); pairs with the release in record.c. */
        following = svs__load_acquire(&cursor->chunk->next);
        if (following == NULL) return NULL;
        if (svs__load_acquire(&cursor->chunk->used) != used) continue;
        cursor->chunk = following;
        cursor->at = 0;
    }
    return NULL;
}

bool svs__events_next(svs__events *events, svs__event *event) {
    const unsigned char *from, *next, *end = NULL;
    if (events->wrong != NULL) return false;
    from = svs__cursor_bytes(&events->cursor, &end);
    if (from == NULL) return false;
    *event = (svs__event){0};
    next = read_event(events, event, from, end);
    if (next == NULL) return false;
    if (svs__event_begins(event->tag)) events->depth++;
    else if (events->depth == 0) return wrong(events, "is of a phase, but none has begun");
    else if (event->tag != SVS__EVENT_WAITED) events->depth--;
    event->ordinal = events->ordinal;
    event->ns = events->ns;
    events->cursor.at += (uint32_t)(next - from);
    events->offset += (uint64_t)(next - from);
    return true;
}
