/* Transfers between segments, in parts: each is a record, and is answered by one.
 *
 *   write, add   parts of data ----> the target copies or adds ----> an answer for each
 *   read         questions ----> the target sends the data of each
 *
 *   ranks.U1  Of one transfer, at most SVS__BULK_WINDOW parts are under way, and each byte is moved
 *             once.
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
    SVS__BULK_DATA,
    SVS__BULK_DONE
} svs__bulk_kind;

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
} svs__transfer;

/* Begins a transfer of at least one byte, or a store. @return SVS_OK (complete), SVS_WAIT,
 * SVS_E_NO_MEMORY. */
svs_status svs__transfer_begin(svs_ranks *ranks, const svs__transfer *given);
void svs__bulk_clean_up(svs_ranks *ranks);

/* The second entry of each table of handlers. */
extern const svs_handler svs__bulk_handler;

#endif
