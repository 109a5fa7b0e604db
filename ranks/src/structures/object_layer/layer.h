/* An object layer on one rank: its own objects, copies of those of other ranks, and requests.
 *
 *     read, refresh --a good copy--> view
 *         \--request, record "NAME.want"--> owner            (request.c -> serve.c)
 *     copy, view <--records "NAME.piece"--/ (serve.c -> arrive.c)
 *     publish --> the current version; the last one lives on while it is pinned (serve.c)
 *     invalidate --record "NAME.drop"--> holders of copies --"NAME.dropped"--> counter (drop.c)
 *
 *   file          contents
 *   layer.c       the face: options, making and freeing, sync, statistics
 *   versions.c    entries by name, versions, pins, and the replacement of copies
 *   request.c     reads, refreshes, and the requests that they send
 *   arrive.c      versions that arrive, in pieces, and what reads get
 *   serve.c       the owner: publishes, and answers to requests
 *   drop.c        invalidations
 *
 * The requests of a rank are numbered. A copy has the number of the last request whose answer
 * showed that it was the newest version. A read is answered by a copy with a greater number than
 * `since`, the number of the last request before the last sync, or before the last invalidate on
 * this rank. A refresh is answered by a copy with a greater number than all requests before its
 * call.
 *
 *     number  event                          copy             reads are answered by
 *       4     read, miss: request 4          -                request 4, when it arrives
 *             version 1 arrives              version 1, no 4  the copy
 *             sync: since = 4                version 1, no 4  not the copy, for 4 is not greater
 *       5     read, miss: request 5          version 1, no 4  request 5
 *             "unchanged" arrives            version 1, no 5  the copy
 *
 *   structures.L1  A read returns a complete version, not older than any that this rank has had
 *                  (`least`). An older version that arrives is not kept. If there is no newer copy
 *                  instead, the request is repeated.
 *   structures.L2  A refresh, and the first read after a sync or an invalidate on this rank,
 *                  returns a version with the number of a request that was made after that call.
 *   structures.L3  When an invalidation is complete, no rank has a copy older than the version that
 *                  the owner had at its call: all holders have said so, and a rank is a holder from
 *                  its request on until it says that it has neither a copy nor a request. (not
 *                  asserted: a statement about all ranks; ranks/tests/structures/object_layer.c
 *                  compares)
 *   structures.L4  Copies that are not pinned are in the list `idle`. The copies of a rank have at
 *                  most cache_bytes, unless all are pinned.
 *   structures.L5  A version is freed when it is not current and no view, request or sending has it
 *                  pinned. A version that is pinned and not current is in the list `old`.
 *
 * Only a publish is a mutation of the layer's snapshot, and it is complete at once. */
#ifndef SVS_STRUCTURES_OBJECT_LAYER_LAYER_H
#define SVS_STRUCTURES_OBJECT_LAYER_LAYER_H

#include "structures/outbox.h"
#include <assert.h>
#include <svs/ranks/object_layer.h>

enum {
    SVS__LAYER_WANT,
    SVS__LAYER_PIECE,
    SVS__LAYER_DROP,
    SVS__LAYER_DROPPED,
    SVS__LAYER_HANDLERS
};

/* ---- records ---- */

/* To the owner: asks for the newest version, unless that is version `known`. */
typedef struct svs__layer_want {
    uint32_t from, ticket, number, reserved;
    uint64_t known; /* version of the copy at the asking rank; 0: it has none */
} svs__layer_want;

typedef enum svs__layer_answer {
    SVS__LAYER_BYTES,
    SVS__LAYER_UNCHANGED,
    SVS__LAYER_MISSING
} svs__layer_answer;

typedef struct svs__layer_piece {
    uint32_t ticket, answer;
    uint64_t version, total, offset; /* `total`: bytes of the object */
    unsigned char data[];
} svs__layer_piece;

/* To a rank that may have a copy: asks it to drop a copy older than `version`. */
typedef struct svs__layer_drop {
    uint32_t owner, number, ticket, reserved;
    uint64_t version;
} svs__layer_drop;

typedef struct svs__layer_dropped {
    uint32_t ticket, from, number;
    uint32_t holds; /* the rank has a copy, or a request in flight, that is new enough */
} svs__layer_dropped;

/* ---- objects and copies ---- */

typedef struct svs__layer_entry svs__layer_entry;
typedef struct svs__layer_version svs__layer_version;
typedef struct svs__layer_request svs__layer_request;

struct svs__layer_version {
    /* entry of its object or copy; NULL: the version is not current */
    svs__layer_entry *entry;
    svs__layer_version *next, *before; /* neighbours in the list `idle` or `old` */
    uint64_t version, bytes;           /* `version`: 0 until it is published or has arrived */
    /* number of the last request whose answer showed that it was the newest */
    uint64_t number;
    uint64_t pins; /* views, requests and sendings that use it */
    bool is_old;   /* it is in the list `old` */
    _Alignas(16) unsigned char data[];
};

/* Bytes that each copy counts in the cache in addition to its own. */
#define SVS__LAYER_VERSION_BYTES 64u
static_assert(sizeof(svs__layer_version) == SVS__LAYER_VERSION_BYTES, "as the public header says");

/* An object of this rank, or a copy of another rank's. An entry of a copy lives while there is the
 * copy, or a request for it. */
struct svs__layer_entry {
    svs__layer_entry *next; /* in its bucket */
    svs_object_layer_name name;
    svs__layer_version *current;
    svs__layer_request *newest; /* the request in flight that was made last, or NULL */
    uint32_t requests;          /* number of requests in flight */
    uint64_t least;             /* no read returns an older version (structures.L1) */
    /* number of the last request before the last invalidate on this rank */
    uint64_t since;
    /* object of this rank: a bit for each rank that may have a copy, or get one by a request; or
     * NULL */
    uint64_t *holders;
};

typedef struct svs__layer_list {
    svs__layer_version *first, *last;
} svs__layer_list;

/* A read or refresh that waits for an answer. */
typedef struct svs__layer_waiter {
    struct svs__layer_waiter *next;
    svs_object_layer_view *view; /* NULL: a refresh without one */
    svs_counter *done;
    uint64_t after; /* it gets a version with a greater number (structures.L2) */
} svs__layer_waiter;

/* A request in flight; or an invalidation, which has no entry. */
struct svs__layer_request {
    svs__layer_entry *entry;
    uint64_t number;
    svs__layer_version *known;    /* copy of this rank when the request was made, pinned; or NULL */
    svs__layer_version *arriving; /* version that has arrived in part, pinned; or NULL */
    uint64_t arrived;             /* bytes of `arriving` that have arrived */
    uint32_t left;                /* in an invalidation: number of ranks that have not answered */
    svs__layer_waiter *first, *last;
};

typedef struct svs__layer_ticket {
    svs__layer_request *request; /* NULL: free */
    uint32_t next;               /* the next free ticket, or none */
} svs__layer_ticket;
#define SVS__LAYER_NONE UINT32_MAX

/* A publish that waits for an unfreeze. */
typedef struct svs__layer_delayed {
    struct svs__layer_delayed *next;
    svs_object_layer_name name;
    svs__layer_version *version;
    svs_counter *done;
} svs__layer_delayed;

struct svs_object_layer {
    svs_ranks *ranks;
    svs_structure *structure;
    svs_snapshot *snapshot;
    const svs_handler *handlers[SVS__LAYER_HANDLERS];
    svs_allocator allocator;
    uint32_t index, count, piece_bytes;
    uint64_t cache_bytes;
    svs__outbox outbox; /* requests and invalidations, which are no mutations */

    svs__layer_entry **buckets; /* hash table of entries; the number of buckets is a power of two */
    uint32_t bucket_count, entry_count;
    svs__layer_list idle; /* copies that are not pinned; the last one is replaced first */
    svs__layer_list old;  /* pinned versions that are not current */
    uint64_t views;       /* number of views that are not released */

    /* number of the last request, and of the last one before the last sync */
    uint64_t number, since;
    svs__layer_ticket *tickets;
    uint32_t ticket_capacity, ticket_count, ticket_free, in_flight;

    svs__layer_piece *scratch; /* room for the piece that is being packed */
    uint32_t sendings;         /* fibers that send a version in pieces */
    svs__layer_delayed *first, *last;
    svs_counter synced;
    int64_t syncs, syncs_ended;
    svs_object_layer_statistics statistics;
    char names[SVS__LAYER_HANDLERS + 1][SVS_OBJECT_LAYER_NAME + 24];
};

static inline bool svs__layer_is_own(const svs_object_layer *layer, svs_object_layer_name name) {
    return name.rank == layer->index;
}

/* Ends the run with `status`. */
void svs__layer_fail(svs_object_layer *layer, svs_status status, const char *why);

/* ---- versions.c ---- */

/* @return the entry of an object. The first returns NULL if there is none, the second if there is
 * no memory. */
svs__layer_entry *svs__layer_find(const svs_object_layer *layer, svs_object_layer_name name);
svs__layer_entry *svs__layer_find_or_make(svs_object_layer *layer, svs_object_layer_name name);
/* Frees the entry of a copy when nothing needs it. */
void svs__layer_look_if_needed(svs_object_layer *layer, svs__layer_entry *entry);

/* @return a new version, neither current nor pinned; NULL: no memory. */
svs__layer_version *svs__layer_version_new(svs_object_layer *layer, uint64_t bytes);
void svs__layer_version_free(svs_object_layer *layer, svs__layer_version *version);
void svs__layer_pin(svs_object_layer *layer, svs__layer_version *version);
void svs__layer_unpin(svs_object_layer *layer, svs__layer_version *version);
/* The first makes a version the current one of an entry, in place of the last one. The second drops
 * the current one. */
void svs__layer_install(svs_object_layer *layer, svs__layer_entry *entry,
                        svs__layer_version *version);
void svs__layer_uninstall(svs_object_layer *layer, svs__layer_entry *entry);

/* Frees all entries and versions, with the layer. */
void svs__layer_versions_clean_up(svs_object_layer *layer);

/* ---- request.c ---- */

/* Makes a request or invalidation, and gives it a ticket. @return NULL: no memory. */
svs__layer_request *svs__layer_request_new(svs_object_layer *layer, uint32_t *ticket);
/* @return NULL: there is none with this ticket. */
svs__layer_request *svs__layer_request_of(const svs_object_layer *layer, uint32_t ticket);
/* Frees a request and its ticket. Its waiters belong to the caller afterwards. */
void svs__layer_request_end(svs_object_layer *layer, uint32_t ticket);
svs_status svs__layer_request_wait(svs_object_layer *layer, svs__layer_request *request,
                                   const svs__layer_waiter *waiter);
void svs__layer_waiter_free(svs_object_layer *layer, svs__layer_waiter *waiter);
void svs__layer_waiters_free(svs_object_layer *layer, svs__layer_waiter *first); /* frees a list */
/* Asks the owner for the newest version. */
svs_status svs__layer_ask(svs_object_layer *layer, svs__layer_entry *entry,
                          svs__layer_request **made);
void svs__layer_requests_clean_up(svs_object_layer *layer);

/* ---- arrive.c ---- */

/* Completes a read or refresh that waits, with a version; NULL: there is no such object. Its
 * counter is increased last, because that may run fibers. */
void svs__layer_answer_with(svs_object_layer *layer, const svs__layer_waiter *waiter,
                            svs__layer_version *version);
void svs__layer_take_pieces(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);

/* ---- serve.c, drop.c ---- */

void svs__layer_take_wants(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__layer_delayed_clean_up(svs_object_layer *layer);
void svs__layer_take_drops(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__layer_take_dropped(svs_ranks *ranks, void *part, const void *records, uint32_t count);

/* Checks the arguments of a call, and refuses it if they are wrong. */
svs_status svs__layer_check(const svs_object_layer *layer, svs_object_layer_name name,
                            const void *given, const char *call);
svs_status svs__layer_refuse(const svs_object_layer *layer, svs_status status, const char *call,
                             const char *why);

#endif
