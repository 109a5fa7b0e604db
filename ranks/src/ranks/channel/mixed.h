/* Mixed runs: records of one handler for several targets, which share a header on their first hop
 * over the grid (route.h).
 *
 *     open:  | header | run, to all | r1 r2 r3 --->          <--- t3 t2 t1 |   end of the buffer
 *     sent:  | header | run, to all | r1 r2 r3 | t3 t2 t1 |
 *
 * A target takes 2 bytes. When the run is closed, the targets move next to the records. So a record
 * costs 2 bytes more on its first hop, in place of a header of 16. At the relay, records for one
 * target join its open buffer under one header. So handlers get long runs.
 *
 * Only in-place handlers with records of a fixed size have mixed runs, because a backlog reads the
 * records of fibers where they are (backlog.h).
 *
 *   ranks.G1  `mixed` says that the last run of the open buffer is mixed, and open: its targets are
 *             at the end of the buffer. It is closed before the buffer is sent or queued, and
 *             before another run begins.
 *   ranks.G2  While a channel has a mixing lane, its open run is a mixed one of this handler, and
 *             records of fibers are accepted. It is closed where lanes are (ranks.B6). */
#ifndef SVS__RANKS_CHANNEL_MIXED_H
#define SVS__RANKS_CHANNEL_MIXED_H

#include "ranks/channel/record.h"
#include <string.h>

/* The place of the first target, at the end of the buffer. The others are at descending addresses
 * below it. */
static inline uint16_t *svs__targets(const svs__buffer *buffer) {
    return (uint16_t *)(void *)((unsigned char *)(uintptr_t)buffer->data +
                                (buffer->capacity & ~1u)) -
           1;
}

static inline void svs__mixed_close(svs__channel *channel) {
    svs__buffer *open = channel->open;
    uint32_t bytes, count;
    channel->mixing = NULL;
    if (!channel->mixed) return;
    SVS__ASSERT(open != NULL && channel->run != NULL);
    channel->mixed = false;
    count = channel->run->count;
    bytes = count * SVS__TARGET_BYTES;
    memmove(open->data + open->bytes, svs__targets(open) - (count - 1), bytes);
    open->bytes += bytes;
    channel->run = NULL;
}

/* Whether there is room for one more record and its target in the open mixed run. */
static inline bool svs__mixed_fits(const svs__buffer *open, uint32_t count, uint32_t bytes) {
    return (uint64_t)open->bytes + bytes + (uint64_t)(count + 1) * SVS__TARGET_BYTES <=
           (open->capacity & ~1u);
}

static inline void svs__mixed_put(svs__buffer *open, svs__record_run *run, uint32_t to,
                                  const void *record, uint32_t bytes) {
    if (bytes != 0) svs__record_copy(open->data + open->bytes, record, bytes);
    svs__targets(open)[-(ptrdiff_t)run->count] = (uint16_t)to;
    open->bytes += bytes;
    run->count++;
}

/* Appends a record to the open mixed run, or to a new one. @return false: it does not fit. */
static inline bool svs__mixed_append(svs__channel *channel, uint16_t handler, uint16_t category,
                                     uint32_t to, uint32_t from, const void *record,
                                     uint32_t bytes) {
    svs__buffer *open = channel->open;
    svs__record_run *run = channel->run;
    SVS__ASSERT(open != NULL);
    if (!channel->mixed || run->handler != handler || run->category != category) {
        svs__mixed_close(channel);
        if ((uint64_t)svs__aligned(open->bytes) + sizeof *run + bytes + SVS__TARGET_BYTES >
            (open->capacity & ~1u))
            return false;
        run = (svs__record_run *)(void *)(open->data + svs__aligned(open->bytes));
        *run = (svs__record_run){
            .handler = handler, .category = category, .to = SVS__MIXED, .from = from};
        open->bytes = svs__aligned(open->bytes) + (uint32_t)sizeof *run;
        channel->run = run;
        channel->mixed = true;
    } else if (!svs__mixed_fits(open, run->count, bytes)) {
        return false;
    }
    svs__mixed_put(open, run, to, record, bytes);
    return true;
}

/* The target of a record of a mixed run. */
static inline uint32_t svs__mixed_target(const svs__run_view *view, uint32_t record) {
    uint16_t to;
    memcpy(&to,
           view->records + (size_t)view->count * view->bytes +
               (size_t)(view->count - 1 - record) * SVS__TARGET_BYTES,
           sizeof to);
    return to;
}

#endif
