/* How a trace is kept: for each worker a stream of events, packed as they happen, in chunks.
 *
 * An event is a few numbers (docs/trace-format.md): what it is and, since the worker's last event,
 * how many asyncs and how many nanoseconds went by. A number takes as many bytes as it has groups
 * of seven bits (LEB128, without needless groups), so an event takes about eight. No event lies in
 * two chunks.
 *
 * operation              caller                        progress    order
 * svs__stream_begin/end  the worker                    wait-free   release of `used` and of `next`
 * svs__events_next       anybody, on a stream whose    wait-free   acquire of both
 *                        chunks stay
 *
 * C1. What lies below a chunk's `used` does not change any more, and consists of whole events.
 * C2. A chunk with a `next` has got its last event. */
#ifndef SVS_STEALTREE_STREAM_H
#define SVS_STEALTREE_STREAM_H

#include "base/memory.h"
#include "base/platform.h"
#include "hooks/trace_hooks.h"
#include <stdalign.h>
#include <svs/trace.h>

typedef struct svs__chunk svs__chunk;
struct svs__chunk {
    _Atomic(svs__chunk *) next;
    _Atomic(uint32_t) used;
    uint32_t room; /* bytes */
    unsigned char bytes[];
};

/* The bytes that a recorded chunk takes, its head included. */
#define SVS__CHUNK_BYTES 4096u
#define SVS__CHUNK_ROOM (SVS__CHUNK_BYTES - (uint32_t)sizeof(svs__chunk))

/* The bytes that an event takes at most: four numbers of 64 bits. */
#define SVS__EVENT_MAX 40u

/* A cache line for each: the worker writes it at each event. */
typedef struct svs__stream {
    alignas(SVS__CACHE_LINE) _Atomic(svs__chunk *) first;
    /* The worker's ordinal and phase when the trace began: what others say of it counts from the
     * start of the runtime. */
    uint64_t first_ordinal, first_phase;
    _Atomic(uint64_t) phases; /* beginnings in it */
    _Atomic(uint64_t) lost;   /* events that are not */
} svs__stream;

struct svs_trace {
    svs_allocator allocator;
    uint32_t policy, workers;
    uint32_t cpus; /* that the process might use; 0: not known */
    uint64_t duration_ns;
    svs_measure measure; /* all 0: there is none (H1 in file.h) */
    svs__stream *streams;
};

/* @return NULL when there is no memory. */
svs__chunk *svs__chunk_new(const svs_allocator *allocator, uint32_t room);

/* An empty trace. @return NULL when there is no memory. */
svs_trace *svs__trace_new(const svs_allocator *allocator, uint32_t policy, uint32_t workers);

/* ---- numbers ---- */

static inline unsigned char *svs__number_put(unsigned char *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7) *to++ = (unsigned char)(number | 0x80);
    *to++ = (unsigned char)number;
    return to;
}

/* Reads one number from [from, end). @return what follows it, or NULL: it is cut off, longer than
 * 64 bits, or not as short as it could be. */
const unsigned char *svs__number_get(const unsigned char *from, const unsigned char *end,
                                     uint64_t *number);

/* ---- events ---- */

/* What an event is, in the lowest bits of its first number; the victim is above them. */
typedef enum svs__event_tag {
    SVS__EVENT_END,
    SVS__EVENT_SUSPENDED, /* an end, too */
    SVS__EVENT_ROOT,
    SVS__EVENT_STOLEN,
    SVS__EVENT_RESUMED,
    SVS__EVENT_WAITED, /* help-first: for stolen children, with nothing to do */
    SVS__EVENT_TAGS
} svs__event_tag;
#define SVS__EVENT_TAG_BITS 3

static inline bool svs__event_begins(svs__event_tag tag) {
    return tag >= SVS__EVENT_ROOT && tag <= SVS__EVENT_RESUMED;
}

typedef struct svs__event {
    svs__event_tag tag;
    uint32_t victim;  /* of a stolen or a resumed one */
    uint64_t at;      /* the same; counted from the start of the trace */
    uint64_t ordinal; /* the same */
    uint64_t ns;      /* the same */
    uint64_t waited;  /* nanoseconds until `ns` that the phase has waited */
} svs__event;

typedef struct svs__events {
    const svs_trace *trace;
    const svs__chunk *chunk;
    uint32_t at;
    uint64_t offset;   /* bytes of the stream that were read */
    uint64_t ordinal;  /* of the last event */
    uint64_t ns;       /* the same */
    uint64_t depth;    /* phases that have begun and not ended */
    const char *wrong; /* what is wrong with the event at `offset`; NULL: nothing */
} svs__events;

svs__events svs__events_of(const svs_trace *trace, uint32_t worker);

/* @return false at the end of the stream, and when `wrong` says what is wrong with the next
 * event. */
bool svs__events_next(svs__events *events, svs__event *event);

#endif
