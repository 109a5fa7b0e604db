#include "ranks/object/bulk.h"
#include "ranks/channel/route.h"
#include "ranks/object/tree.h"
#include <string.h>

/* Bytes of a part that is moved from memory to memory: a transport counts them by an int. */
#define DIRECT_PART ((size_t)1 << 30)

static size_t part_bytes(const svs_ranks *ranks, const svs__transfer *transfer) {
    size_t heads = sizeof(svs__packet) + sizeof(svs__record_run) + sizeof(svs__bulk_record);
    return transfer->direct ? DIRECT_PART : (ranks->capacity - heads) / 16 * 16;
}

static bool is_direct(const svs_ranks *ranks, const svs__transfer *transfer) {
    return ranks->type->direct_bytes != 0 && transfer->bytes >= ranks->type->direct_bytes &&
           transfer->kind != SVS__BULK_ADD && transfer->rank != ranks->index;
}

static svs_status put(svs_ranks *ranks, const svs__posted *posted) {
    uint32_t hop = posted->to == ranks->index ? posted->to : svs__hop(ranks, posted->to);
    if (svs__channel_put(ranks, hop, posted) == SVS__PUT) ranks->statistics.remote_op++;
    return ranks->failed.status;
}

/* Sends a record, with data or without. The data is copied once, into the buffer. */
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

/* Ends a store. In a store by records, all data is copied by now. The record of the program is sent
 * after the data. */
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

static uint32_t kind_of_parts(const svs__transfer *transfer) {
    if (!transfer->direct) return transfer->kind;
    return transfer->kind == SVS__BULK_READ ? SVS__BULK_ASK : SVS__BULK_OFFER;
}

/* Begins a part: asks for it, offers it, or sends its data. */
static svs_status begin_part(svs_ranks *ranks, svs__transfer *transfer, size_t most) {
    size_t left = transfer->bytes - transfer->asked;
    unsigned char *at = transfer->memory + transfer->asked;
    svs__bulk_record head = {.segment = transfer->segment->object->named.number,
                             .offset = transfer->offset + transfer->asked,
                             .place = transfer->asked,
                             .transfer = transfer->named.number,
                             .bytes = (uint32_t)(left < most ? left : most),
                             .from = ranks->index,
                             .kind = kind_of_parts(transfer)};
    bool has_data = !transfer->direct && transfer->kind != SVS__BULK_READ;
    transfer->asked += head.bytes;
    if (head.kind == SVS__BULK_OFFER) transfer->giving += head.bytes;
    if (transfer->direct)
        svs__move_begin(ranks, &head, transfer->rank, at, head.kind == SVS__BULK_OFFER);
    return send(ranks, transfer->rank, &head, has_data ? at : NULL);
}

static svs_status pump(svs_ranks *ranks, svs__transfer *transfer) {
    size_t part = part_bytes(ranks, transfer);
    svs_status status = SVS_OK;
    while (status == SVS_OK && transfer->asked < transfer->bytes &&
           transfer->asked - transfer->answered < SVS__BULK_PARTS * part) {
        status = begin_part(ranks, transfer, part);
        if (status == SVS_OK && transfer->store && !transfer->direct &&
            transfer->asked == transfer->bytes)
            status = end_store(ranks, transfer);
    }
    return status;
}

/* Continues a transfer after a part of it is complete: begins the next parts, or ends the
 * transfer. */
static void go_on(svs_ranks *ranks, svs__transfer *transfer) {
    SVS__ASSERT(transfer->answered <= transfer->asked); /* ranks.U1 */
    if (transfer->answered < transfer->bytes) {
        svs_ignore(pump(ranks, transfer)); /* a failure ends the run */
        return;
    }
    if (transfer->giving != 0) return; /* ranks.U2 */
    svs__named_remove(&ranks->transfers, &transfer->named);
    /* its status is ignored: a failure ends the run */
    if (transfer->store && transfer->direct) svs_ignore(end_store(ranks, transfer));
    else if (!transfer->store) svs_counter_add(ranks, transfer->done, 1); /* ranks.C2 */
    free_transfer(ranks, transfer);
}

static svs__transfer *find_transfer(const svs_ranks *ranks, uint64_t number) {
    return (svs__transfer *)(void *)svs__named_find(&ranks->transfers, number);
}

static void take_answer(svs_ranks *ranks, const svs__bulk_record *head, const unsigned char *data) {
    svs__transfer *transfer = find_transfer(ranks, head->transfer);
    if (transfer == NULL || head->from != transfer->rank || head->place > transfer->asked ||
        head->bytes > transfer->asked - head->place ||
        head->bytes > transfer->asked - transfer->answered) {
        (void)svs__fail(ranks, SVS_E_RECORD,
                        "rank %u answers a bulk transfer that is not in flight", head->from);
        return;
    }
    if (head->kind == SVS__BULK_DATA) memcpy(transfer->memory + head->place, data, head->bytes);
    transfer->answered += head->bytes;
    go_on(ranks, transfer);
}

static svs_status answer(svs_ranks *ranks, const svs__bulk_record *head, svs__bulk_kind kind,
                         const void *data) {
    svs__bulk_record back = *head;
    back.from = ranks->index;
    back.kind = kind;
    return send(ranks, head->from, &back, data);
}

void svs__bulk_moved(svs_ranks *ranks, const svs__bulk_record *part, bool gives) {
    svs__transfer *transfer;
    bool is_target = gives == (part->kind == SVS__BULK_ASK);
    if (is_target && !gives) svs_ignore(answer(ranks, part, SVS__BULK_DONE, NULL));
    if (is_target) return;
    transfer = find_transfer(ranks, part->transfer);
    SVS__ASSERT(transfer != NULL); /* ranks.U2 */
    if (gives) transfer->giving -= part->bytes;
    else transfer->answered += part->bytes;
    go_on(ranks, transfer);
}

void svs__bulk_clean_up(svs_ranks *ranks) {
    svs__named *one;
    svs__moves_clean_up(ranks);
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

static void refuse_range(svs_ranks *ranks, const svs__bulk_record *head,
                         const svs_segment *segment) {
    bool reads = head->kind == SVS__BULK_READ || head->kind == SVS__BULK_ASK;
    (void)svs__fail(
        ranks, SVS_E_INVALID, "rank %u %s bytes %llu to %llu of segment %s, which has %zu here",
        head->from, reads ? "reads" : "writes", (unsigned long long)head->offset,
        (unsigned long long)head->offset + head->bytes,
        segment == NULL ? "(none)" : segment->object->name, segment == NULL ? 0 : segment->bytes);
}

static void serve(svs_ranks *ranks, const svs__bulk_record *head, const unsigned char *data) {
    const svs_segment *segment = segment_of(ranks, head->segment);
    unsigned char *at;
    if (segment == NULL || head->offset > segment->bytes ||
        head->bytes > segment->bytes - head->offset) {
        refuse_range(ranks, head, segment);
        return;
    }
    at = segment->memory + head->offset;
    switch ((svs__bulk_kind)head->kind) {
    case SVS__BULK_READ: svs_ignore(answer(ranks, head, SVS__BULK_DATA, at)); return;
    case SVS__BULK_ASK: svs__move_begin(ranks, head, head->from, at, true); return;
    case SVS__BULK_OFFER: svs__move_begin(ranks, head, head->from, at, false); return;
    default:
        copy((svs__bulk_kind)head->kind, at, data, head->bytes);
        svs_ignore(answer(ranks, head, SVS__BULK_DONE, NULL));
    }
}

static bool has_data(const svs__bulk_record *head) {
    return head->kind == SVS__BULK_WRITE || head->kind == SVS__BULK_ADD ||
           head->kind == SVS__BULK_DATA;
}

/* @return whether the record is well-formed, and the transport supports its kind. */
static bool is_valid(const svs_ranks *ranks, const svs__bulk_record *head, uint32_t length) {
    return length == sizeof *head + (has_data(head) ? head->bytes : 0) &&
           head->kind < SVS__BULK_KINDS && head->from < ranks->count &&
           (head->kind != SVS__BULK_ADD || head->bytes % sizeof(double) == 0) &&
           (head->kind < SVS__BULK_OFFER || ranks->type->direct_bytes != 0);
}

static void take_record(svs_ranks *ranks, void *part, const void *records, uint32_t length) {
    const unsigned char *data = (const unsigned char *)records + sizeof(svs__bulk_record);
    svs__bulk_record head;
    (void)part;
    if (length >= sizeof head) memcpy(&head, records, sizeof head);
    if (length < sizeof head || !is_valid(ranks, &head, length))
        (void)svs__fail(ranks, SVS_E_RECORD, "a record of a bulk transfer is malformed");
    else if (head.kind == SVS__BULK_DATA || head.kind == SVS__BULK_DONE)
        take_answer(ranks, &head, data);
    else serve(ranks, &head, data);
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
    if (transfer->bytes == 0) { /* a store of 0 bytes only sends its record */
        status = end_store(ranks, transfer);
        free_transfer(ranks, transfer);
        return status;
    }
    transfer->direct = is_direct(ranks, transfer);
    transfer->named.number = ranks->transfer_count++;
    if (!svs__named_put(ranks, &ranks->transfers, &transfer->named)) {
        free_transfer(ranks, transfer);
        return SVS_E_NO_MEMORY;
    }
    status = pump(ranks, transfer);
    return status == SVS_OK ? SVS_WAIT : status;
}
