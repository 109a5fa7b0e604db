/* Records of a structure for other ranks, each of which is a mutation of its snapshot. One that
 * cannot be posted now, for want of credit or while the structure is frozen, waits in the outbox,
 * and a fiber posts it later. So a call that moves a task never makes its caller wait.
 *
 *     svs__outbox_post(&outbox, to, handler, &record, sizeof record, 1);
 *     // the handler there
 *     svs_mutation_end(snapshot, 1, SVS_NO_EPOCH);
 *
 *   structures.K6  A record is posted once, after those that were there before it. While some wait,
 *                  one fiber does so for them.
 *   structures.K7  A record is a mutation from its post to its effect, and what waits has not
 *                  begun: it counts on this rank, by its weight.
 *
 * Threads: as <svs/ranks/rank.h> says. */
#ifndef SVS_STRUCTURES_OUTBOX_H
#define SVS_STRUCTURES_OUTBOX_H

#include "base/check.h"
#include "base/memory.h"
#include <svs/ranks/structure.h>

typedef struct svs__outbox_record {
    struct svs__outbox_record *next;
    const svs_handler *handler;
    uint32_t to, bytes, weight, reserved;
    unsigned char data[];
} svs__outbox_record;

typedef struct svs__outbox {
    svs_ranks *ranks;
    svs_allocator allocator;
    svs_snapshot *snapshot;
    svs__outbox_record *first, *last; /* waiting */
    uint64_t weight, delayed;         /* of those; records that have waited */
    bool draining;                    /* the fiber is there */
    void (*emptied)(void *self);      /* called when none waits any more */
    void *self;
} svs__outbox;

/* @return SVS_OK (posted, or it waits); SVS_E_NO_MEMORY, or a failure of svs_post(): nothing was
 * done. */
svs_status svs__outbox_post(svs__outbox *outbox, uint32_t to, const svs_handler *handler,
                            const void *record, uint32_t bytes, uint32_t weight);

/* May a record perhaps be posted at once? */
static inline bool svs__outbox_is_open(const svs__outbox *outbox) {
    return outbox->first == NULL && svs_mutation_begin(outbox->snapshot, 0, NULL) == SVS_OK;
}

/* Gives up all that waits; also at the end. */
void svs__outbox_clear(svs__outbox *outbox);

#endif
