#include "ranks/object/bulk.h"
#include "ranks/channel/route.h"
#include "ranks/object/tree.h"
#include <string.h>

typedef struct svs__bulk_record {
    uint64_t segment, offset; /* at the target */
    uint64_t place;           /* in the transfer */
    uint64_t transfer;        /* its number, at the rank that has begun it */
    uint32_t bytes, from;
    uint32_t kind, reserved;
} svs__bulk_record;

static uint32_t part_bytes(const svs_ranks *ranks) {
    uint32_t heads =
        (uint32_t)(sizeof(svs__packet) + sizeof(svs__record_run) + sizeof(svs__bulk_record));
    return (ranks->capacity - heads) / 16 * 16;
}

static svs_status put(svs_ranks *ranks, const svs__posted *posted) {
    uint32_t hop = posted->to == ranks->index ? posted->to : svs__hop(ranks, posted->to);
    if (svs__channel_put(ranks, hop, posted) == SVS__PUT) ranks->statistics.remote_op++;
    return ranks->failed.status;
}

/* Sends a record with `bytes` of data, or without. The data is copied once, into the buffer. */
static svs_status send(svs_ranks *ranks, uint32_t to, const svs__bulk_record *head,
                       const void *data) {
    uint32_t more = data == NULL ? 0 : head->bytes;
    svs__posted posted = {.record = head,
                          .bytes = (uint32_t)sizeof *head + more,
                          .to = to,
                          .from = ranks->index,
                          .handler = SVS__BULK_HANDLER,
                          .category = ranks->category,
                          .variable = true,
                          .queues = true,
                          .rest = data,
                          .rest_bytes = more};
    return put(ranks, &posted);
}

/* ---- the rank that has begun the transfer ---- */

static void release_record(svs_ranks *ranks, const svs__transfer *transfer) {
    uint32_t bytes = transfer->record_bytes == 0 ? 1 : transfer->record_bytes;
    svs__release(&ranks->options.allocator, transfer->record, bytes, 16);
}

static void free_transfer(svs_ranks *ranks, svs__transfer *transfer) {
    release_record(ranks, transfer);
    svs__release(&ranks->options.allocator, transfer, sizeof *transfer, _Alignof(svs__transfer));
}

/* A store is complete when all is copied; its record goes behind the data. */
static svs_status end_store(svs_ranks *ranks, svs__transfer *transfer) {
    svs__posted posted = {.record = transfer->record,
                          .bytes = transfer->record_bytes,
                          .to = transfer->rank,
                          .from = ranks->index,
                          .handler = transfer->then,
                          .category = ranks->category,
                          .variable = transfer->variable,
                          .queues = true};
    svs_status status = put(ranks, &posted);
    svs_counter_add(ranks, transfer->done, 1); /* ranks.C2 */
    return status;
}

/* Asks for further parts, or sends them. */
static svs_status pump(svs_ranks *ranks, svs__transfer *transfer) {
    size_t part = part_bytes(ranks);
    svs_status status = SVS_OK;
    while (status == SVS_OK && transfer->asked < transfer->bytes &&
           transfer->asked - transfer->answered < SVS__BULK_WINDOW * part) {
        size_t left = transfer->bytes - transfer->asked;
        svs__bulk_record head = {.segment = transfer->segment->object->named.number,
                                 .offset = transfer->offset + transfer->asked,
                                 .place = transfer->asked,
                                 .transfer = transfer->named.number,
                                 .bytes = (uint32_t)(left < part ? left : part),
                                 .from = ranks->index,
                                 .kind = transfer->kind};
        const void *data =
            transfer->kind == SVS__BULK_READ ? NULL : transfer->memory + transfer->asked;
        transfer->asked += head.bytes;
        status = send(ranks, transfer->rank, &head, data);
        if (status == SVS_OK && transfer->store && transfer->asked == transfer->bytes)
            status = end_store(ranks, transfer);
    }
    return status;
}

static void take_answer(svs_ranks *ranks, const svs__bulk_record *head, const unsigned char *data) {
    svs__transfer *transfer =
        (svs__transfer *)(void *)svs__named_find(&ranks->transfers, head->transfer);
    if (transfer == NULL || head->from != transfer->rank || head->place > transfer->asked ||
        head->bytes > transfer->asked - head->place ||
        head->bytes > transfer->asked - transfer->answered) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "rank %u answers a bulk transfer that is not under way", head->from);
        return;
    }
    if (head->kind == SVS__BULK_DATA) memcpy(transfer->memory + head->place, data, head->bytes);
    transfer->answered += head->bytes;
    SVS__ASSERT(transfer->answered <= transfer->asked); /* ranks.U1 */
    if (transfer->answered < transfer->bytes) {
        svs_ignore(pump(ranks, transfer)); /* a failure ends the run */
        return;
    }
    svs__named_remove(&ranks->transfers, &transfer->named);
    if (!transfer->store) svs_counter_add(ranks, transfer->done, 1); /* ranks.C2 */
    free_transfer(ranks, transfer);
}

void svs__bulk_clean_up(svs_ranks *ranks) {
    svs__named *one;
    while ((one = svs__named_any(ranks, &ranks->transfers)) != NULL) {
        svs__named_remove(&ranks->transfers, one);
        free_transfer(ranks, (svs__transfer *)(void *)one);
    }
    while (ranks->segments != NULL) {
        svs_segment *segment = ranks->segments;
        ranks->segments = segment->next;
        svs__release(&ranks->options.allocator, segment, sizeof *segment, _Alignof(svs_segment));
    }
}

/* ---- the target ---- */

static void copy(svs__bulk_kind kind, unsigned char *into, const unsigned char *from,
                 uint32_t bytes) {
    double one, other;
    if (kind == SVS__BULK_WRITE) memcpy(into, from, bytes);
    for (uint32_t i = 0; kind == SVS__BULK_ADD && i < bytes; i += sizeof one) {
        memcpy(&one, into + i, sizeof one);
        memcpy(&other, from + i, sizeof other);
        one += other;
        memcpy(into + i, &one, sizeof one);
    }
}

static const svs_segment *segment_of(const svs_ranks *ranks, uint64_t id) {
    const svs_distributed *object = svs__object_find(ranks, id);
    return object == NULL ? NULL : object->segment;
}

static void serve(svs_ranks *ranks, const svs__bulk_record *head, const unsigned char *data) {
    const svs_segment *segment = segment_of(ranks, head->segment);
    svs__bulk_record answer = *head;
    unsigned char *at;
    if (segment == NULL || head->offset > segment->bytes ||
        head->bytes > segment->bytes - head->offset) {
        (void)svs__fail(
            ranks, SVS_E_INVALID, "rank %u %s bytes %llu to %llu of segment %s, which has %zu here",
            head->from, head->kind == SVS__BULK_READ ? "reads" : "writes",
            (unsigned long long)head->offset, (unsigned long long)head->offset + head->bytes,
            segment == NULL ? "(none)" : segment->object->name,
            segment == NULL ? 0 : segment->bytes);
        return;
    }
    at = segment->memory + head->offset;
    copy((svs__bulk_kind)head->kind, at, data, head->bytes);
    answer.from = ranks->index;
    answer.kind = head->kind == SVS__BULK_READ ? SVS__BULK_DATA : SVS__BULK_DONE;
    svs_ignore(send(ranks, head->from, &answer, head->kind == SVS__BULK_READ ? at : NULL));
}

static void take_record(svs_ranks *ranks, void *part, const void *records, uint32_t length) {
    svs__bulk_record head;
    uint32_t data;
    (void)part;
    if (length >= sizeof head) memcpy(&head, records, sizeof head);
    data = length < sizeof head || head.kind == SVS__BULK_READ || head.kind == SVS__BULK_DONE
               ? 0
               : head.bytes;
    if (length < sizeof head || length != sizeof head + data || head.kind > SVS__BULK_DONE ||
        head.from >= ranks->count ||
        (head.kind == SVS__BULK_ADD && head.bytes % sizeof(double) != 0))
        (void)svs__fail(ranks, SVS_E_RECORD, "a record of a bulk transfer is malformed");
    else if (head.kind == SVS__BULK_DATA || head.kind == SVS__BULK_DONE)
        take_answer(ranks, &head, (const unsigned char *)records + sizeof head);
    else serve(ranks, &head, (const unsigned char *)records + sizeof head);
}

const svs_handler svs__bulk_handler = {"svs: bulk transfers", SVS_DISPATCH_IN_PLACE, 0, NULL,
                                       take_record};

svs_status svs__transfer_begin(svs_ranks *ranks, const svs__transfer *given) {
    svs__transfer *transfer =
        svs__allocate(&ranks->options.allocator, sizeof *transfer, _Alignof(svs__transfer));
    svs_status status;
    if (transfer == NULL) {
        release_record(ranks, given);
        return SVS_E_NO_MEMORY;
    }
    *transfer = *given;
    if (transfer->bytes == 0) { /* a store of nothing: its record alone */
        status = end_store(ranks, transfer);
        free_transfer(ranks, transfer);
        return status;
    }
    transfer->named.number = ranks->transfer_count++;
    if (!svs__named_put(ranks, &ranks->transfers, &transfer->named)) {
        free_transfer(ranks, transfer);
        return SVS_E_NO_MEMORY;
    }
    status = pump(ranks, transfer);
    return status == SVS_OK ? SVS_WAIT : status;
}
