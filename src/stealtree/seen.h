/* What a trace has recorded of graphs: for each worker a stream of events alongside its phases, in
 * chunks of the same kind (stream.h), and the names (names.h).
 *
 * operation       caller                             progress                       order
 * record          worker of the stream               wait-free; one allocation in   release
 *                                                    hundreds of events; a lock for
 *                                                    a new name
 * next            any, while no chunk is freed       wait-free                      acquire */
#ifndef SVS_STEALTREE_SEEN_H
#define SVS_STEALTREE_SEEN_H

#include "stealtree/stream.h"

/* The kind of an event, in the two lowest bits of its first number. */
typedef enum svs__seen_tag {
    SVS__SEEN_RAN,
    SVS__SEEN_STAGED,
    SVS__SEEN_DEFERRED,
    SVS__SEEN_TAGS
} svs__seen_tag;
#define SVS__SEEN_TAG_BITS 2

/* Maximal sizes in bytes: of an event without its seeds (nine numbers), of a seed, and of a row
 * without its steps (a seed, 0, 0 and the row's length). */
#define SVS__SEEN_EVENT_MAX 90u
#define SVS__SEEN_SEED_MAX 10u
#define SVS__SEEN_ROW_MAX (SVS__SEEN_SEED_MAX + 4u)

_Static_assert(SVS__SEEN_GROUP_MAX <= 0x4000, "the length of a row has two bytes");
_Static_assert(SVS__SEEN_EVENT_MAX + SVS__SEEN_ROWS_MAX * SVS__SEEN_ROW_MAX + SVS__SEEN_STEPS_MAX <=
                   SVS__CHUNK_ROOM,
               "a group fits into a chunk");

/* Flags above the cause in the first number of a deferral. */
enum {
    SVS__SEEN_PARTED = 8,
    SVS__SEEN_WRITES = 16,
    SVS__SEEN_HAS_INDEX = 32,
    SVS__SEEN_HAS_OTHER = 64,
    SVS__SEEN_FLAGS_END = 128
};

typedef struct svs__seen_event {
    svs__seen_tag tag;
    uint64_t ns; /* time since the start of the trace */
    union {
        svs__seen_group group; /* its times count from the start of the trace */
        svs__seen_stage stage;
        svs__seen_deferral deferral;
    } of;
    uint64_t seeds[SVS__SEEN_GROUP_MAX]; /* seeds of the group's instances */
} svs__seen_event;

typedef struct svs__seen {
    svs__stream_cursor cursor;
    const svs__names *names;
    uint64_t ns, seed; /* time and seed of the last event */
    uint64_t offset;   /* number of bytes of the stream that were read */
    const char *wrong; /* the error of the event at `offset`; NULL: none */
} svs__seen;

svs__seen svs__seen_of(const svs_trace *trace, uint32_t worker);

/* @return false at the end of the stream, and at an invalid event, which `wrong` describes. */
bool svs__seen_next(svs__seen *seen, svs__seen_event *event);

#endif
