/* The representation of a trace: for each worker a stream of packed events, in chunks, and a second
 * stream of its work for graphs (seen.h).
 *
 * An event is a few numbers (docs/trace-format.md): its tag, and the numbers of asyncs and of
 * nanoseconds since the worker's last event. A number has one byte for each group of seven bits
 * (LEB128, the shortest form), so an event has about eight bytes. No event crosses two chunks.
 *
 * operation         caller                             progress    order
 * record.c          worker of the stream               wait-free   release of `used` and of `next`
 * svs__events_next  any, while no chunk is freed       wait-free   acquire of both
 *
 *   stealtree.C1  The bytes below a chunk's `used` are whole events, and do not change any more.
 *   stealtree.C2  A chunk with a `next` has its last event. */
#ifndef SVS_STEALTREE_STREAM_H
#define SVS_STEALTREE_STREAM_H

#include "base/memory.h"
#include "base/platform.h"
#include "hooks/trace_hooks.h"
#include "stealtree/names.h"
#include <stdalign.h>
#include <svs/trace.h>

typedef struct svs__trace_chunk svs__trace_chunk;
struct svs__trace_chunk {
    _Atomic(svs__trace_chunk *) next;
    _Atomic(uint32_t) used;
    uint32_t room; /* size of `bytes` */
    unsigned char bytes[];
};

/* The size of a recorded chunk, with its head. */
#define SVS__CHUNK_BYTES 4096u
#define SVS__CHUNK_ROOM (SVS__CHUNK_BYTES - (uint32_t)sizeof(svs__trace_chunk))

/* The maximal size of an event: four numbers of 64 bits. */
#define SVS__EVENT_MAX 40u

/* Each stream has a cache line of its own: the worker writes it at each event. */
typedef struct svs__trace_stream {
    alignas(SVS__CACHE_LINE) _Atomic(svs__trace_chunk *) first;
    /* The worker's ordinal and phase at the start of the trace: other workers' events name its
     * asyncs and phases by their numbers since the start of the runtime. */
    uint64_t first_ordinal, first_phase;
    _Atomic(uint64_t) phases; /* number of recorded begins */
    _Atomic(uint64_t) lost;   /* number of lost events */
} svs__trace_stream;

struct svs_trace {
    svs_allocator allocator;
    uint32_t policy, workers;
    uint32_t cpus; /* number of CPUs that the process could use; 0: unknown */
    uint64_t duration_ns;
    svs_measure measure; /* all 0: there is none (stealtree.H1 in file.h) */
    /* for each worker a stream of phases, then for each worker a stream of graphs */
    svs__trace_stream *streams;
    svs__names names; /* names of graphs; empty: the trace has no graph */
};

/* The number of streams. */
static inline uint32_t svs__trace_streams(const svs_trace *trace) { return 2 * trace->workers; }

/* @return NULL when there is no memory. */
svs__trace_chunk *svs__chunk_new(const svs_allocator *allocator, uint32_t room);

/* An empty trace. @return NULL when there is no memory. */
svs_trace *svs__trace_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers);

/* ---- numbers ---- */

static inline unsigned char *svs__number_put(unsigned char *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7) *to++ = (unsigned char)(number | 0x80);
    *to++ = (unsigned char)number;
    return to;
}

/* Reads one number from [from, end). @return the end of the number, or NULL when it is cut off,
 * longer than 64 bits, or not in its shortest form. */
const unsigned char *svs__number_get(const unsigned char *from, const unsigned char *end,
                                     uint64_t *number);

/* ---- events ---- */

/* The tag of an event, in the lowest bits of its first number; the victim is above them. */
typedef enum svs__event_tag {
    SVS__EVENT_END,
    SVS__EVENT_SUSPENDED, /* also an end of a phase */
    SVS__EVENT_ROOT,
    SVS__EVENT_STOLEN,
    SVS__EVENT_RESUMED,
    SVS__EVENT_WAITED, /* help-first: the worker waited for stolen children, with nothing to do */
    SVS__EVENT_TAGS
} svs__event_tag;
#define SVS__EVENT_TAG_BITS 3

static inline bool svs__event_begins(svs__event_tag tag) {
    return tag >= SVS__EVENT_ROOT && tag <= SVS__EVENT_RESUMED;
}

typedef struct svs__event {
    svs__event_tag tag;
    uint32_t victim;  /* victim of a stolen or a resumed phase */
    uint64_t at;      /* the victim's async or phase, counted from the start of the trace */
    uint64_t ordinal; /* ordinal of the worker, counted likewise */
    uint64_t ns;      /* time, counted likewise */
    uint64_t waited;  /* nanoseconds of waiting, ending at `ns` */
} svs__event;

/* A place in a stream. */
typedef struct svs__stream_cursor {
    const svs__trace_chunk *chunk;
    uint32_t at; /* number of bytes of the chunk that were read */
} svs__stream_cursor;

/* @return the bytes of the next event, or NULL when there is none yet. @param end is set to the end
 * of the readable bytes. */
const unsigned char *svs__cursor_bytes(svs__stream_cursor *cursor, const unsigned char **end);

typedef struct svs__events {
    const svs_trace *trace;
    svs__stream_cursor cursor;
    uint64_t offset;   /* number of bytes of the stream that were read */
    uint64_t ordinal;  /* ordinal of the last event */
    uint64_t ns;       /* time of the last event */
    uint64_t depth;    /* number of open phases */
    const char *wrong; /* the error of the event at `offset`; NULL: none */
} svs__events;

svs__events svs__events_of(const svs_trace *trace, uint32_t worker);

/* @return false at the end of the stream, and at an invalid event, which `wrong` describes. */
bool svs__events_next(svs__events *events, svs__event *event);

#endif
