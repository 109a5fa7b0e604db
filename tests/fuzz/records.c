/* A target for libFuzzer: any bytes at all, as a packet of records, are malformed at some position,
 * or are runs that lie within the packet.
 *
 *     ninja fuzz_records && bin/fuzz_records -max_total_time=60 /tmp/found */
#include "ranks/channel/mixed.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const svs_handler placed = {"placed", SVS_DISPATCH_IN_PLACE, 3, NULL, NULL};
static const svs_handler variable = {"variable", SVS_DISPATCH_IN_PLACE, 0, NULL, NULL};
static const svs_handler small = {"small", SVS_DISPATCH_FIFO, 4, NULL, NULL};
static const svs_handler large = {"large", SVS_DISPATCH_FIFO, 1u << 24, NULL, NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    svs__handler_entry entries[] = {
        {.handler = &variable}, {.handler = &small}, {.handler = &large}, {.handler = &placed}};
    svs__handlers table = {.entries = entries, .count = 4};
    uint32_t at = sizeof(svs__packet), bytes = (uint32_t)size;
    svs__run_view view;
    svs__buffer *buffer;
    if (size > 1u << 20) return 0;
    buffer = svs__buffer_new(&svs__allocator_libc, bytes);
    memcpy(buffer->data, data, size);
    buffer->bytes = bytes;
    (void)svs__packet_fault(buffer);
    while (at < bytes && svs__run_read(&table, 3, buffer->data, bytes, at, &view) == NULL) {
        SVS__CHECK(view.next > at && view.next <= bytes && view.from < 3);
        SVS__CHECK(view.to < 3 || view.to == SVS__MIXED);
        for (uint32_t i = 0; view.to == SVS__MIXED && i < view.count; i++) {
            volatile uint32_t target = svs__mixed_target(&view, i); /* within the buffer */
            (void)target;
        }
        SVS__CHECK(view.records >= buffer->data + at);
        SVS__CHECK(view.records + (size_t)view.count * view.bytes <= buffer->data + bytes);
        at = view.next;
    }
    svs__buffer_free(&svs__allocator_libc, buffer);
    return 0;
}
