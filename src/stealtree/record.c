#include "stealtree/record.h"
#include "base/check.h"
#include <string.h>

/* Makes a chunk, unless it would exceed the bound (stealtree.Q2). @return NULL if it would, or if
 * there is no memory. */
static svs__trace_chunk *take_chunk(svs__recorder *recorder) {
    svs__trace_chunk *chunk = NULL;
    /* relaxed is enough: the sum orders nothing. */
    size_t before = svs__fetch_add_relaxed(&recorder->taken, SVS__CHUNK_BYTES);
    if (before <= recorder->max_bytes && SVS__CHUNK_BYTES <= recorder->max_bytes - before)
        chunk = svs__chunk_new(&recorder->trace->allocator, SVS__CHUNK_ROOM);
    if (chunk == NULL) (void)svs__fetch_sub_relaxed(&recorder->taken, SVS__CHUNK_BYTES);
    return chunk;
}

SVS__COLD static bool new_chunk(svs__recorder *recorder, svs__pen *pen) {
    svs__trace_chunk *chunk = take_chunk(recorder);
    if (chunk == NULL) return false;
    /* release: publishes the chunk's head, and the last `used` of the chunk before (stealtree.C2);
     * pairs with the acquire in svs__events_next() and copy_stream(). */
    svs__store_release(pen->chunk == NULL ? &pen->stream->first : &pen->chunk->next, chunk);
    pen->chunk = chunk;
    pen->used = 0;
    return true;
}

unsigned char *svs__pen_begin(svs__recorder *recorder, svs__pen *pen, uint32_t most) {
    bool full = pen->chunk == NULL || SVS__CHUNK_ROOM - pen->used < most;
    if (!pen->lost && (!full || new_chunk(recorder, pen))) return pen->chunk->bytes + pen->used;
    pen->lost = true;
    /* relaxed, here and below: the worker is the only writer (stealtree.Q1), and readers need the
     * number only. */
    svs__store_relaxed(&pen->stream->lost, svs__load_relaxed(&pen->stream->lost) + 1);
    return NULL;
}

static uint64_t now(const svs__recorder *recorder) { return svs__time_ns() - recorder->start_ns; }

static unsigned char *put_common(svs__pen *pen, unsigned char *to, uint64_t head, uint64_t ordinal,
                                 uint64_t ns) {
    to = svs__number_put(to, head);
    to = svs__number_put(to, ordinal - pen->ordinal);
    to = svs__number_put(to, ns - pen->ns);
    pen->ordinal = ordinal;
    pen->ns = ns;
    return to;
}

void svs__pen_end(svs__pen *pen, const unsigned char *end) {
    pen->used = (uint32_t)(end - pen->chunk->bytes);
    SVS__ASSERT(!pen->lost); /* stealtree.Q3 */
    /* stealtree.C1, stealtree.C2. relaxed: the worker's own writes. */
    SVS__ASSERT(svs__load_relaxed(&pen->chunk->used) < pen->used && pen->used <= SVS__CHUNK_ROOM);
    SVS__ASSERT(svs__load_relaxed(&pen->chunk->next) == NULL);
    /* release: publishes the event's bytes (stealtree.C1); pairs with the acquire in
     * svs__events_next() and copy_stream(). */
    svs__store_release(&pen->chunk->used, pen->used);
}

/* Called when the worker ends a wait: it continues its phase, or begins an inner one. */
static void end_wait(svs__recorder *recorder, svs__pen *pen, uint64_t ns) {
    uint64_t waited = ns - pen->since;
    unsigned char *to;
    pen->waits = false;
    if (waited == 0) return;
    to = svs__pen_begin(recorder, pen, SVS__EVENT_MAX);
    if (to == NULL) return;
    to = put_common(pen, to, SVS__EVENT_WAITED, pen->ordinal, ns);
    svs__pen_end(pen, svs__number_put(to, waited));
}

static void waits(svs__observer *observer, uint32_t worker, bool begins) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = &recorder->pens[worker];
    uint64_t ns = now(recorder);
    if (pen->waits) end_wait(recorder, pen, ns);
    /* Outside of phases no worker waits for stolen children. */
    pen->waits = begins && pen->depth != 0;
    pen->since = ns;
}

static void phase_begins(svs__observer *observer, uint32_t worker, const svs__phase_start *start) {
    static const uint64_t tags[] = {[SVS__PHASE_ROOT] = SVS__EVENT_ROOT,
                                    [SVS__PHASE_STOLEN] = SVS__EVENT_STOLEN,
                                    [SVS__PHASE_RESUMED] = SVS__EVENT_RESUMED};
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = &recorder->pens[worker];
    uint64_t head = tags[start->kind], ns = now(recorder);
    unsigned char *to;
    if (pen->waits) end_wait(recorder, pen, ns);
    pen->depth++;
    to = svs__pen_begin(recorder, pen, SVS__EVENT_MAX);
    if (to == NULL) return;
    if (start->kind != SVS__PHASE_ROOT) head |= (uint64_t)start->victim << SVS__EVENT_TAG_BITS;
    to = put_common(pen, to, head, start->ordinal, ns);
    if (start->kind != SVS__PHASE_ROOT) to = svs__number_put(to, start->at);
    /* relaxed: the worker is the only writer (stealtree.Q1), and readers need the number only. */
    svs__store_relaxed(&pen->stream->phases, svs__load_relaxed(&pen->stream->phases) + 1);
    svs__pen_end(pen, to);
}

static void phase_ends(svs__observer *observer, uint32_t worker, uint64_t ordinal, bool suspended) {
    svs__recorder *recorder = (svs__recorder *)observer;
    svs__pen *pen = &recorder->pens[worker];
    uint64_t ns = now(recorder);
    unsigned char *to = svs__pen_begin(recorder, pen, SVS__EVENT_MAX);
    if (to != NULL)
        svs__pen_end(pen, put_common(pen, to, suspended ? SVS__EVENT_SUSPENDED : SVS__EVENT_END,
                                     ordinal, ns));
    /* The enclosing phase, if there is one, continues its wait (hooks.O2). */
    pen->waits = --pen->depth != 0;
    pen->since = ns;
}

svs__recorder *svs__recorder_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers,
                                 size_t max_bytes) {
    svs_trace *trace = svs__trace_new(allocator, policy, workers);
    svs__recorder *recorder;
    if (trace == NULL) return NULL;
    recorder = svs__allocate_zeroed(allocator, sizeof *recorder, alignof(svs__recorder));
    if (recorder == NULL) goto no_recorder;
    recorder->pens = svs__allocate_zeroed(allocator, svs__trace_streams(trace) * sizeof(svs__pen),
                                          alignof(svs__pen));
    if (recorder->pens == NULL) goto no_pens;
    recorder->observer = (svs__observer){phase_begins, phase_ends, waits, NULL};
    trace->cpus = svs__cpu_count();
    recorder->trace = trace;
    recorder->max_bytes = max_bytes;
    for (uint32_t i = 0; i < svs__trace_streams(trace); i++)
        recorder->pens[i].stream = &trace->streams[i];
    recorder->start_ns = svs__time_ns();
    return recorder;

no_pens:
    svs__release(allocator, recorder, sizeof *recorder, alignof(svs__recorder));
no_recorder:
    svs_trace_free(trace);
    return NULL;
}

svs__recorder *svs__recorder_of(svs__observer *observer) {
    bool ours = observer != NULL && observer->phase_begins == phase_begins;
    return ours ? (svs__recorder *)observer : NULL;
}

void svs__recorder_base(svs__recorder *recorder, uint32_t worker, uint64_t ordinal,
                        uint64_t phase) {
    svs__trace_stream *stream = &recorder->trace->streams[worker];
    stream->first_ordinal = recorder->pens[worker].ordinal = ordinal;
    stream->first_phase = phase;
}

svs_trace *svs__recorder_finish(svs__recorder *recorder) {
    svs_trace *trace = recorder->trace;
    /* stealtree.Q2. relaxed: no worker records any more. */
    SVS__ASSERT(svs__load_relaxed(&recorder->taken) <= recorder->max_bytes);
    trace->duration_ns = svs__time_ns() - recorder->start_ns;
    svs__release(&trace->allocator, recorder->pens, svs__trace_streams(trace) * sizeof(svs__pen),
                 alignof(svs__pen));
    svs__release(&trace->allocator, recorder, sizeof *recorder, alignof(svs__recorder));
    return trace;
}

/* Appends a copy of `used` bytes to a stream that no other thread can access; `last` is the last
 * chunk of the stream, or NULL. @return the new last chunk, or NULL when there is no memory. */
static svs__trace_chunk *append(svs_trace *trace, svs__trace_stream *stream, svs__trace_chunk *last,
                                const svs__trace_chunk *from, uint32_t used) {
    svs__trace_chunk *chunk = svs__chunk_new(&trace->allocator, used);
    if (chunk == NULL) return NULL;
    memcpy(chunk->bytes, from->bytes, used);
    /* relaxed is enough, here and below: no other thread can access the copy yet. */
    svs__store_relaxed(&chunk->used, used);
    svs__store_relaxed(last == NULL ? &stream->first : &last->next, chunk);
    return chunk;
}

static uint64_t count_phases(const svs_trace *trace, uint32_t worker) {
    svs__events events = svs__events_of(trace, worker);
    svs__event event;
    uint64_t phases = 0;
    while (svs__events_next(&events, &event)) phases += svs__event_begins(event.tag);
    return phases;
}

static bool copy_stream(svs_trace *copy, const svs_trace *trace, uint32_t stream) {
    const svs__trace_stream *from = &trace->streams[stream];
    svs__trace_stream *to = &copy->streams[stream];
    svs__trace_chunk *last = NULL;
    /* acquire, here and below: sees the worker's earlier writes; pairs with the releases above. */
    const svs__trace_chunk *chunk = svs__load_acquire(&from->first);
    to->first_ordinal = from->first_ordinal;
    to->first_phase = from->first_phase;
    while (chunk != NULL) {
        /* `next` is loaded before `used`: a chunk that has a next one contains its last event
         * (stealtree.C2). */
        const svs__trace_chunk *next = svs__load_acquire(&chunk->next);
        last = append(copy, to, last, chunk, svs__load_acquire(&chunk->used));
        if (last == NULL) return false;
        chunk = next;
    }
    /* relaxed: the number publishes nothing. */
    svs__store_relaxed(&to->lost, svs__load_relaxed(&from->lost));
    return true;
}

/* Copies the names after the streams were copied: all names in their events exist by then. */
static bool copy_names(svs_trace *copy, svs__recorder *recorder) {
    const svs__names *names = &recorder->trace->names;
    bool well;
    svs__lock_acquire(&recorder->names);
    well = names->size == 0 ||
           svs__names_take(&copy->names, &copy->allocator, names->text, names->size) == SVS_OK;
    svs__lock_release(&recorder->names);
    return well;
}

svs_trace *svs__recorder_copy(svs__recorder *recorder) {
    const svs_trace *trace = recorder->trace;
    svs_trace *copy = svs__trace_new(&trace->allocator, trace->policy, trace->workers);
    bool well = true;
    if (copy == NULL) return NULL;
    for (uint32_t i = 0; i < svs__trace_streams(trace) && well; i++)
        well = copy_stream(copy, trace, i);
    if (!well || !copy_names(copy, recorder)) {
        svs_trace_free(copy);
        return NULL;
    }
    copy->cpus = trace->cpus;
    copy->duration_ns = svs__time_ns() - recorder->start_ns;
    /* Counts the phases of the copy, because the worker's own number changes meanwhile. relaxed is
     * enough: no other thread can access the copy yet. */
    for (uint32_t w = 0; w < copy->workers; w++)
        svs__store_relaxed(&copy->streams[w].phases, count_phases(copy, w));
    return copy;
}
