/* The public calls of bulk transfers: segments, and the kinds of transfers. */
#include "ranks/channel/handler.h"
#include "ranks/object/bulk.h"
#include "ranks/object/tree.h"
#include <string.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

svs_status svs_segment_new(svs_ranks *ranks, const char *name, uint64_t reserved, void *mine,
                           size_t bytes, svs_segment **segment, svs_counter *done) {
    svs_segment *made;
    svs_status status;
    if (ranks == NULL || segment == NULL || (mine == NULL && bytes != 0))
        return REFUSE(SVS_E_NULL,
                      "svs_segment_new: ranks, mine or segment is NULL: pass all of them");
    made = svs__allocate_zeroed(&ranks->options.allocator, sizeof *made, _Alignof(svs_segment));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->memory = mine;
    made->bytes = bytes;
    status = svs_distributed_new(ranks, name, reserved, made, &made->object, done);
    if (made->object == NULL) {
        svs__release(&ranks->options.allocator, made, sizeof *made, _Alignof(svs_segment));
        return status;
    }
    made->next = ranks->segments;
    ranks->segments = made;
    made->object->segment = made;
    *segment = made;
    return status;
}

static svs_status check(const svs_segment *segment, const svs__transfer *transfer) {
    const svs_ranks *ranks = segment == NULL ? NULL : segment->object->ranks;
    if (segment == NULL || transfer->done == NULL ||
        (transfer->memory == NULL && transfer->bytes != 0))
        return REFUSE(SVS_E_NULL,
                      "svs_bulk_...: segment, memory or counter is NULL: pass all of them");
    if (!ranks->in_run)
        return REFUSE(SVS_E_OUTSIDE, "svs_bulk_...: there is no run: begin transfers in a fiber");
    if (transfer->rank >= ranks->count)
        return REFUSE(SVS_E_INVALID, "svs_bulk_...: there is no rank %u: there are %u ranks",
                      transfer->rank, ranks->count);
    if (!segment->object->ready)
        return REFUSE(SVS_E_STATE, "svs_bulk_...: the segment is not made on all ranks yet: wait "
                                   "for the counter of svs_segment_new()");
    return SVS_OK;
}

static svs_status begin(svs_segment *segment, svs__transfer *transfer) {
    svs_status status = check(segment, transfer);
    if (status != SVS_OK) return status;
    transfer->segment = segment;
    if (transfer->bytes != 0) return svs__transfer_begin(segment->object->ranks, transfer);
    svs_counter_add(segment->object->ranks, transfer->done, 1); /* ranks.C2 */
    return SVS_OK;
}

svs_status svs_bulk_read(svs_segment *from, uint32_t rank, size_t offset, void *to, size_t bytes,
                         svs_counter *done) {
    svs__transfer transfer = {.kind = SVS__BULK_READ,
                              .rank = rank,
                              .offset = offset,
                              .bytes = bytes,
                              .memory = to,
                              .done = done};
    return begin(from, &transfer);
}

svs_status svs_bulk_write(svs_segment *to, uint32_t rank, size_t offset, const void *from,
                          size_t bytes, svs_counter *done) {
    svs__transfer transfer = {.kind = SVS__BULK_WRITE,
                              .rank = rank,
                              .offset = offset,
                              .bytes = bytes,
                              .memory = (unsigned char *)(uintptr_t)from,
                              .done = done};
    return begin(to, &transfer);
}

svs_status svs_bulk_add(svs_segment *to, uint32_t rank, size_t offset, const double *from,
                        size_t count, svs_counter *done) {
    svs__transfer transfer = {.kind = SVS__BULK_ADD,
                              .rank = rank,
                              .offset = offset,
                              .bytes = count * sizeof *from,
                              .memory = (unsigned char *)(uintptr_t)from,
                              .done = done};
    return begin(to, &transfer);
}

/* Copies the record that follows a store. @return SVS_OK, or why it is refused. */
static svs_status take_then(svs_ranks *ranks, svs__transfer *transfer, const svs_handler *then,
                            const void *record, size_t bytes) {
    uint32_t number = then == NULL ? ranks->handlers.count : svs__handler_find(ranks, then);
    if (number == ranks->handlers.count || (then->bytes != 0 && then->bytes != bytes) ||
        (record == NULL && bytes != 0) || bytes > SVS__HANDLER_BYTES_MAX)
        return REFUSE(SVS_E_INVALID, "svs_bulk_store: the handler was not added, or its record has "
                                     "another size: pass what svs_post() takes");
    transfer->then = (uint16_t)number;
    transfer->variable = then->bytes == 0;
    transfer->record_bytes = (uint32_t)bytes;
    transfer->record = svs__allocate(&ranks->options.allocator, bytes == 0 ? 1 : bytes, 16);
    if (transfer->record == NULL) return SVS_E_NO_MEMORY;
    if (bytes != 0) memcpy(transfer->record, record, bytes);
    return SVS_OK;
}

svs_status svs_bulk_store(svs_segment *to, uint32_t rank, size_t offset, const void *from,
                          size_t bytes, svs_counter *reusable, const svs_handler *then,
                          const void *record, size_t record_bytes) {
    svs__transfer transfer = {.kind = SVS__BULK_WRITE,
                              .rank = rank,
                              .offset = offset,
                              .bytes = bytes,
                              .memory = (unsigned char *)(uintptr_t)from,
                              .done = reusable,
                              .segment = to,
                              .store = true};
    svs_status status = check(to, &transfer);
    if (status == SVS_OK)
        status = take_then(to->object->ranks, &transfer, then, record, record_bytes);
    return status != SVS_OK ? status : svs__transfer_begin(to->object->ranks, &transfer);
}
