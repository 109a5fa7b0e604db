/* Bulk transfers between memory and segments, in parts.
 *
 *   write, add   records of data ----> the target copies or adds ----> a record for each
 *   read         questions ----> the target sends records of data
 *
 * Some transports move data from memory to memory. Then a large transfer has large parts, and no
 * record contains its data:
 *
 *   write   give here, offer ----> the target takes. Moved there: done
 *   read    take here, ask ----> the target gives. Moved here: complete
 *
 * The rank that begins a part calls give or take, and then sends a record; the other rank does the
 * converse when it reads the record. So a part needs one trip, and the transport waits for the
 * second half. Records of a pair of ranks keep their order (ranks.P1), so each give is matched with
 * its take (transport.T4).
 *
 *   ranks.U1  Of one transfer, at most SVS__BULK_PARTS parts are in flight, and each byte is moved
 *             once.
 *   ranks.U2  A rank counts each give or take as a record, which is created by the call and run
 *             when the memory belongs to the program again. So a run does not end before
 *             (ranks.Q1), and a transfer is complete only after all that it has given was moved.
 *
 * Records of the library are always accepted; SVS__BULK_PARTS bounds what a transfer adds to the
 * overflow. */
#ifndef SVS__RANKS_OBJECT_BULK_H
#define SVS__RANKS_OBJECT_BULK_H

#include "ranks/channel/channel.h"
#include "ranks/object/named.h"

#define SVS__BULK_PARTS 4u

typedef enum svs__bulk_kind {
    SVS__BULK_WRITE,
    SVS__BULK_ADD,
    SVS__BULK_READ,
    SVS__BULK_DATA,  /* data that answers a read */
    SVS__BULK_DONE,  /* answers a write, an addition, and an offer whose bytes have been moved */
    SVS__BULK_OFFER, /* begins a part of a write from memory to memory */
    SVS__BULK_ASK,   /* begins a part of a read from memory to memory */
    SVS__BULK_KINDS
} svs__bulk_kind;

typedef struct svs__bulk_record {
    uint64_t segment, offset; /* id of the segment; offset in it, at the target */
    uint64_t place;           /* position of the part in the transfer, in bytes */
    uint64_t transfer;        /* number of the transfer, on the rank that has begun it */
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
    size_t offset, bytes;   /* range in the segment on `rank` */
    size_t asked, answered; /* bytes of parts that were begun, and that are complete */
    unsigned char *memory;  /* memory of the caller, on this rank */
    svs_counter *done;
    unsigned char *record; /* a store: the record for the handler `then` */
    uint32_t record_bytes;
    uint16_t then;
    bool store, variable;
    bool direct;   /* its parts are moved from memory to memory */
    size_t giving; /* bytes that were given and have not been moved */
} svs__transfer;

/* Begins a transfer of at least one byte, or a store. @return SVS_OK (complete), SVS_WAIT,
 * SVS_E_NO_MEMORY. */
svs_status svs__transfer_begin(svs_ranks *ranks, const svs__transfer *given);
void svs__bulk_clean_up(svs_ranks *ranks);

/* ---- move.c ---- */

/* Begins this rank's half of a move: gives the memory to rank `with`, or lets rank `with` fill it.
 * A lack of memory for the half ends the run. */
void svs__move_begin(svs_ranks *ranks, const svs__bulk_record *part, uint32_t with, void *memory,
                     bool gives);
/* Continues a transfer that is half complete. @return whether there was one. */
bool svs__moves_serve(svs_ranks *ranks);
void svs__moves_clean_up(svs_ranks *ranks);
/* In bulk.c: a half is complete, and its memory belongs to the program again. */
void svs__bulk_moved(svs_ranks *ranks, const svs__bulk_record *part, bool gives);

/* The second entry of each table of handlers. */
extern const svs_handler svs__bulk_handler;

#endif
