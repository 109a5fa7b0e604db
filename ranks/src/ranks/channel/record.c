#include "ranks/channel/record.h"
#include <string.h>

const char *svs__packet_fault(const svs__buffer *buffer) {
    svs__packet packet;
    if (buffer->bytes < sizeof packet) return "the packet is shorter than its header";
    memcpy(&packet, buffer->data, sizeof packet);
    if (packet.bytes != buffer->bytes) return "the packet's length is wrong";
    if (packet.kind >= SVS__PACKET_KINDS) return "the packet's kind is unknown";
    return NULL;
}

const char *svs__run_read(const svs__handlers *handlers, uint32_t ranks,
                          const unsigned char *packet, uint32_t bytes, uint32_t at,
                          svs__run_view *view) {
    svs__record_run run;
    uint64_t length;
    bool variable;
    if (at % 8 != 0 || at > bytes || bytes - at < sizeof run) return "the header of a run is cut";
    memcpy(&run, packet + at, sizeof run);
    if (run.handler >= handlers->count) return "the handler is unknown";
    if ((run.to >= ranks && run.to != SVS__MIXED) || run.from >= ranks)
        return "the rank is unknown";
    view->entry = &handlers->entries[run.handler];
    if (view->entry->handler == NULL)
        return view->entry->structure == NULL ? "the handler is unknown"
                                              : "its structure was freed: complete its operations "
                                                "on all ranks before"; /* ranks.D3 */
    variable = view->entry->handler->bytes == 0;
    if (run.count == 0 && !variable) return "a run has no record";
    if (run.to == SVS__MIXED &&
        (variable || view->entry->handler->dispatch != SVS_DISPATCH_IN_PLACE))
        return "only records in place of a fixed size have several targets";
    length = variable ? run.count : (uint64_t)run.count * view->entry->handler->bytes;
    if (run.to == SVS__MIXED) length += (uint64_t)run.count * SVS__TARGET_BYTES;
    if (length > bytes - at - sizeof run) return "the records are longer than the packet";
    view->records = packet + at + sizeof run;
    view->count = variable ? 1 : run.count;
    view->bytes = variable ? run.count : view->entry->handler->bytes;
    view->handler = run.handler;
    view->category = run.category;
    view->to = run.to;
    view->from = run.from;
    view->next = svs__aligned(at + (uint32_t)sizeof run + (uint32_t)length);
    if (view->next > bytes) view->next = bytes;
    return NULL;
}
