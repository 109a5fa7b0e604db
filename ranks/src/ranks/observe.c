#include "ranks/observe.h"
#include "base/sized.h"

/* ---- fibers ---- */

void svs_observed_fiber_get_sized(const svs_observed_fiber *fiber, svs_fiber_facts *facts,
                                  size_t size) {
    svs_fiber_facts all = {.fiber = {fiber->index, fiber->generation},
                           .function = fiber->function,
                           .bytes = fiber->bytes,
                           .from = fiber->of_handler ? fiber->from : 0,
                           .category = fiber->category,
                           .enabler = fiber->enabler,
                           .of_handler = fiber->of_handler,
                           .has_stack = fiber->threaded};
    svs__output_put(facts, size, &all, sizeof all);
}

void svs__observe_wait(const svs_ranks *ranks, const svs__fiber *slot, svs_wait_kind kind) {
    SVS__TELL(ranks, waits, (slot, kind, ranks->told.argument));
}

/* ---- the rank ---- */

void svs__observe_idle(const svs_ranks *ranks, bool begins) {
    if (begins) SVS__TELL(ranks, idle_begins, (ranks->told.argument));
    else SVS__TELL(ranks, idle_ends, (ranks->told.argument));
}

static uint32_t records_in(const svs_ranks *ranks, const svs__buffer *buffer) {
    uint32_t at = sizeof(svs__packet), count = 0;
    svs__run_view view;
    for (; at < buffer->bytes; at = view.next) {
        if (svs__run_read(&ranks->handlers, ranks->count, buffer->data, buffer->bytes, at, &view) !=
            NULL)
            return count; /* malformed: its receiver reports it (ranks.P3) */
        count += view.count;
    }
    return count;
}

static_assert(offsetof(svs_ranks_statistics, flushes_asked) ==
                  offsetof(svs_ranks_statistics, flushes_full) +
                      SVS_PACKET_ASKED * sizeof(uint64_t),
              "the rules are in the order of their counts");

void svs__observe_sent(const svs_ranks *ranks, uint32_t to, const svs__buffer *buffer,
                       const uint64_t *rule) {
    const uint64_t *counts = (const uint64_t *)&ranks->statistics;
    size_t first = offsetof(svs_ranks_statistics, flushes_full) / sizeof *counts;
    svs_packet_rule why =
        rule == NULL ? SVS_PACKET_CONTROL : (svs_packet_rule)((size_t)(rule - counts) - first);
    uint32_t records = 0;
    if (!SVS__IS_TOLD(ranks, packet_sent)) return; /* so that records are not counted in vain */
    if (rule != NULL) records = records_in(ranks, buffer);
    SVS__TELL(ranks, packet_sent, (to, why, records, buffer->bytes, ranks->told.argument));
}

void svs__observe_received(const svs_ranks *ranks, uint32_t from, const svs__buffer *buffer) {
    const svs__packet *packet = (const svs__packet *)(const void *)buffer->data;
    uint32_t records = 0;
    if (!SVS__IS_TOLD(ranks, packet_received)) return;
    if (packet->kind == SVS__PACKET_RECORDS) records = records_in(ranks, buffer);
    SVS__TELL(ranks, packet_received, (from, records, buffer->bytes, ranks->told.argument));
}

void svs__observe_collective(const svs_ranks *ranks, svs_collective_kind kind, const char *name,
                             bool begins) {
    if (begins) SVS__TELL(ranks, collective_begins, (kind, name, ranks->told.argument));
    else SVS__TELL(ranks, collective_ends, (kind, name, ranks->told.argument));
}

void svs__observe_snapshot(const svs_ranks *ranks, svs_snapshot_step step, const char *name) {
    SVS__TELL(ranks, snapshot, (step, name, ranks->told.argument));
}
