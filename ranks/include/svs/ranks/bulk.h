/* Bulk transfers: blocks of memory of other ranks (section 3.3.2).
 *
 *     // on each rank
 *     svs_segment_new(ranks, "cells", 0, cells, sizeof cells, &segment, &mine->done);
 *     // when `done` is 1
 *     svs_bulk_read(segment, 2, 64 * sizeof *cells, here, 100 * sizeof *cells, &mine->done);
 *
 * A segment is a block of memory on each rank under one name; the sizes may differ. A transfer is
 * split-phase: it is complete when the counter is reached. It is divided into parts, and a few
 * parts are in flight at a time. Over MPI a read, write or store of 128 KB or more moves from
 * memory to memory, and is as fast as a message of MPI. The target's fibers may see a transfer half
 * done.
 *
 * The caller's memory must stay valid until the transfer is complete. If the run fails first, it
 * must stay valid until svs_ranks_free() has returned on both ranks.
 *
 * Bounds are checked at the target: a transfer beyond its segment ends the run. */
#ifndef SVS_RANKS_BULK_H
#define SVS_RANKS_BULK_H

#include <svs/ranks/distributed.h>
#include <svs/ranks/post.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_segment svs_segment;

/* Makes this rank's part of a segment. Name and completion are as for svs_distributed_new();
 * segments and objects share one set of names. The segment is freed with the rank; `mine` still
 * belongs to the caller. @return as svs_distributed_new(); SVS_E_NULL (no `mine`, unless `bytes` is
 * 0). */
SVS_NODISCARD SVS_API svs_status svs_segment_new(svs_ranks *ranks, const char *name,
                                                 uint64_t reserved, void *mine, size_t bytes,
                                                 svs_segment **segment, svs_counter *done);

/* Reads or writes `bytes` of the segment on `rank`. All transfers @return SVS_OK (complete),
 * SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_STATE (the segment's counter has not been
 * reached), SVS_E_INVALID (no such rank or handler), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_bulk_read(svs_segment *from, uint32_t rank, size_t offset,
                                               void *to, size_t bytes, svs_counter *done);
SVS_NODISCARD SVS_API svs_status svs_bulk_write(svs_segment *to, uint32_t rank, size_t offset,
                                                const void *from, size_t bytes, svs_counter *done);
/* Adds `count` doubles to those in the segment. `offset` is in bytes. */
SVS_NODISCARD SVS_API svs_status svs_bulk_add(svs_segment *to, uint32_t rank, size_t offset,
                                              const double *from, size_t count, svs_counter *done);
/* Writes, then posts a record to the target. The record's handler sees the whole write. The call is
 * complete when `from` may be used again. `record` is copied. */
SVS_NODISCARD SVS_API svs_status svs_bulk_store(svs_segment *to, uint32_t rank, size_t offset,
                                                const void *from, size_t bytes,
                                                svs_counter *reusable, const svs_handler *then,
                                                const void *record, size_t record_bytes);

SVS_END_DECLARATIONS
#endif
