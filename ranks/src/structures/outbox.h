/* The outbox of a structure: records for other ranks. Each record is a mutation of the structure's
 * snapshot; without a snapshot, records are no mutations, and a freeze does not delay them. A
 * record that cannot be posted now, for lack of credit or because the structure is frozen, waits
 * here, and a fiber posts it later. So a call that moves a task never waits.
 *
 *     svs__outbox_post(&outbox, to, handler, &record, sizeof record, 1);
 *     // the handler there
 *     svs_mutation_end(snapshot, 1, SVS_NO_EPOCH);
 *
 *   structures.K6  A record is posted once, after the records that were there before it. While
 *                  records wait, one fiber posts them.
 *   structures.K7  A record is a mutation from its post to its effect. The mutation of a record
 *                  that waits has not begun: the record counts on this rank, by its weight.
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
    svs_snapshot *snapshot;           /* NULL: records are no mutations */
    svs__outbox_record *first, *last; /* the records that wait */
    uint64_t weight;                  /* sum of the weights of the records that wait */
    uint64_t delayed;                 /* records that have had to wait so far */
    bool draining;                    /* the fiber that posts them exists */
    void (*emptied)(void *self);      /* called when no record waits any more */
    void *self;
} svs__outbox;

/* @return SVS_OK (posted, or it waits); SVS_E_NO_MEMORY, or a failure of svs_post(): nothing was
 * done. */
svs_status svs__outbox_post(svs__outbox *outbox, uint32_t to, const svs_handler *handler,
                            const void *record, uint32_t bytes, uint32_t weight);

/* Whether the structure is frozen, so that no record may be posted. */
static inline bool svs__outbox_is_frozen(const svs__outbox *outbox) {
    return outbox->snapshot != NULL && svs_mutation_begin(outbox->snapshot, 0, NULL) != SVS_OK;
}

/* Whether a record may be posted at once, as far as the outbox knows. */
static inline bool svs__outbox_is_open(const svs__outbox *outbox) {
    return outbox->first == NULL && !svs__outbox_is_frozen(outbox);
}

/* Drops the records that wait, which frees all memory of the outbox. */
void svs__outbox_clear(svs__outbox *outbox);

#endif
