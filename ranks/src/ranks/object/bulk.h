/* Transfers between segments, in parts.
 *
 *   write, add   records of data ----> the target copies or adds ----> a record for each
 *   read         questions ----> the target sends records of data
 *
 * A transport may move memory to memory. Then a large transfer has large parts, of which no record
 * holds a byte:
 *
 *   write   give here, offer ----> the target takes. Moved there: done
 *   read    take here, ask ----> the target gives. Moved here: complete
 *
 * The rank that begins a part gives or takes before it says so, and the other one does the converse
 * when it reads that. It is one trip, and the transport waits for the second half. Records of a
 * pair of ranks keep their order (ranks.P1), so each give meets its take (transport.T4).
 *
 *   ranks.U1  Of one transfer, at most SVS__BULK_WINDOW parts are in flight, and each byte is moved
 *             once.
 *   ranks.U2  A rank that gives or takes counts that as a record, which is created by the call and
 *             run when the memory is the program's again. So no run ends before (ranks.Q1), and a
 *             transfer is complete only after all that it has given was moved.
 *
 * The library's records are always accepted; the window bounds what they add to the overflow. */
#ifndef SVS__RANKS_OBJECT_BULK_H
#define SVS__RANKS_OBJECT_BULK_H

#include "ranks/channel/channel.h"
#include "ranks/object/named.h"

#define SVS__BULK_WINDOW 4u

typedef enum svs__bulk_kind {
    SVS__BULK_WRITE,
    SVS__BULK_ADD,
    SVS__BULK_READ,
    SVS__BULK_DATA,  /* answers a read */
    SVS__BULK_DONE,  /* answers a write, an addition, and an offer whose bytes have been moved */
    SVS__BULK_OFFER, /* of a write from memory to memory */
    SVS__BULK_ASK,   /* for a read from memory to memory */
    SVS__BULK_KINDS
} svs__bulk_kind;

typedef struct svs__bulk_record {
    uint64_t segment, offset; /* at the target */
    uint64_t place;           /* in the transfer */
    uint64_t transfer;        /* its number, at the rank that has begun it */
    uint32_t bytes, from;
    uint32_t kind, reserved;
} svs__bulk_record;

/* A rank's half of a part that goes from memory to memory. */
typedef struct svs__move {
    struct svs__move *next, **link;
    svs__bulk_record part;
    bool gives;
} svs__move;

struct svs_segment {
    svs_distributed *object;
    struct svs_segment *next;
    unsigned char *memory;
    size_t bytes;
};

typedef struct svs__transfer {
    svs__named named;
    svs_segment *segment;
    svs__bulk_kind kind;
    uint32_t rank;
    size_t offset, bytes;   /* at the target */
    size_t asked, answered; /* bytes */
    unsigned char *memory;  /* here */
    svs_counter *done;
    unsigned char *record; /* of a store: for the handler `then` */
    uint32_t record_bytes;
    uint16_t then;
    bool store, variable;
    bool direct;   /* from memory to memory */
    size_t giving; /* bytes that were given and have not been moved */
} svs__transfer;

/* Begins a transfer of at least one byte, or a store. @return SVS_OK (complete), SVS_WAIT,
 * SVS_E_NO_MEMORY. */
svs_status svs__transfer_begin(svs_ranks *ranks, const svs__transfer *given);
void svs__bulk_clean_up(svs_ranks *ranks);

/* ---- move.c ---- */

/* Gives the memory to a rank, or lets it be filled by one. Without memory for it the run fails. */
void svs__move_begin(svs_ranks *ranks, const svs__bulk_record *part, uint32_t with, void *memory,
                     bool gives);
/* Goes on with what was moved. @return whether there was any. */
bool svs__moves_serve(svs_ranks *ranks);
void svs__moves_clean_up(svs_ranks *ranks);
/* bulk.c: the half is complete, and its memory is the program's. */
void svs__bulk_moved(svs_ranks *ranks, const svs__bulk_record *part, bool gives);

/* The second entry of each table of handlers. */
extern const svs_handler svs__bulk_handler;

#endif
