/* The format of records in a packet, and its parser.
 *
 *     packet: | header, 16 bytes | run | run | ...
 *     run:    | its header, 16 bytes | records without gaps | up to 7 bytes |
 *
 * A run is consecutive records of one handler, posted by code of one category. So its records are
 * an array, and the handler gets them in one call. Each run begins at a
 * multiple of 8. A record of variable size is a run of its own.
 *
 *   ranks.P3  A malformed record or packet (length, handler, rank, credit) ends the run; the
 *             message names its sender and its position. (not asserted: input; the parser is
 *             total) */
#ifndef SVS__RANKS_CHANNEL_RECORD_H
#define SVS__RANKS_CHANNEL_RECORD_H

#include "ranks/state.h"

typedef struct svs__run_view {
    const svs__handler_entry *entry;
    const unsigned char *records;
    uint32_t to, from;
    uint32_t count, bytes; /* number of records, and bytes of each */
    uint16_t handler, category;
    uint32_t next; /* offset of the next run */
} svs__run_view;

#define SVS__MIXED UINT32_MAX /* value of `to` in the header of a mixed run (mixed.h) */
#define SVS__TARGET_BYTES 2u  /* bytes of the target of each record in a mixed run */

/* Reads the run at position `at` of a packet of `bytes`. @return NULL, or why it is malformed. */
const char *svs__run_read(const svs__handlers *handlers, uint32_t ranks,
                          const unsigned char *packet, uint32_t bytes, uint32_t at,
                          svs__run_view *view);

/* Checks the header of a packet that arrived. @return NULL, or why it is malformed. */
const char *svs__packet_fault(const svs__buffer *buffer);

static inline uint32_t svs__aligned(uint32_t bytes) { return (bytes + 7) & ~7u; }

/* Makes room for a record at the end of the open buffer: in its last run if that has the same
 * handler, category, sender and target, else in a new run. @return the place to which the caller
 * writes the record. @return NULL: it does not fit. */
static inline unsigned char *svs__record_append(svs__channel *channel, uint16_t handler,
                                                uint16_t category, bool variable, uint32_t to,
                                                uint32_t from, uint32_t bytes) {
    svs__buffer *open = channel->open;
    svs__record_run *run = channel->run;
    uint32_t at;
    SVS__ASSERT(open != NULL);
    at = open->bytes;
    if (run == NULL || variable || run->handler != handler || run->category != category ||
        run->to != to || run->from != from) {
        at = svs__aligned(at);
        if ((uint64_t)at + sizeof *run + bytes > open->capacity) return NULL;
        run = (svs__record_run *)(void *)(open->data + at);
        *run = (svs__record_run){.handler = handler, .category = category, .to = to, .from = from};
        channel->run = variable ? NULL : run;
        at += (uint32_t)sizeof *run;
    } else if ((uint64_t)at + bytes > open->capacity) {
        return NULL;
    }
    run->count += variable ? bytes : 1;
    open->bytes = at + bytes;
    return open->data + at;
}

#endif
