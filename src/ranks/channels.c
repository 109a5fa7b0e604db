/* Making and freeing the channels of a rank. */
#include "ranks/channel.h"
#include "ranks/credit.h"

/* Buffers that need no memory later. @return false: no memory. */
static bool fill(svs_ranks *ranks, svs__buffers *list, uint32_t count, uint32_t bytes) {
    for (uint32_t i = 0; i < count; i++) {
        svs__buffer *buffer = svs__buffer_new(&ranks->options.allocator, bytes);
        if (buffer == NULL) return false;
        buffer->home = list;
        svs__buffers_put(list, buffer);
    }
    return true;
}

svs_status svs__channels_init(svs_ranks *ranks) {
    const svs_allocator *allocator = &ranks->options.allocator;
    ranks->channels = svs__allocate_zeroed(allocator, ranks->count * sizeof *ranks->channels,
                                           _Alignof(svs__channel));
    ranks->dirty = svs__allocate(allocator, ranks->count * sizeof *ranks->dirty, 16);
    ranks->inner = svs__allocate(allocator, ranks->count * sizeof *ranks->inner, 16);
    ranks->lanes.of = svs__allocate_zeroed(allocator, ranks->count * sizeof *ranks->lanes.of, 16);
    if (ranks->channels == NULL || ranks->dirty == NULL || ranks->inner == NULL ||
        ranks->lanes.of == NULL)
        return SVS_E_NO_MEMORY;
    ranks->lanes.count = ranks->count;
    ranks->own.channel = &ranks->channels[ranks->index];
    ranks->own.lane = &ranks->lanes.of[ranks->index];
    for (uint32_t i = 0; i < ranks->count; i++) ranks->channels[i].free = ranks->options.window;
    return fill(ranks, &ranks->reserve, 3 * ranks->count, SVS__RESERVE_BYTES) &&
                   fill(ranks, &ranks->credits, svs__credit_packets(ranks), sizeof(svs__packet))
               ? SVS_OK
               : SVS_E_NO_MEMORY;
}

static void free_all(svs_ranks *ranks, svs__buffers *list) {
    svs__buffer *buffer;
    while ((buffer = svs__buffers_take(list)) != NULL)
        svs__buffer_free(&ranks->options.allocator, buffer);
}

void svs__channels_clean_up(svs_ranks *ranks) {
    const svs_allocator *allocator = &ranks->options.allocator;
    for (uint32_t i = 0; ranks->channels != NULL && i < ranks->count; i++) {
        svs__channel *channel = &ranks->channels[i];
        SVS__ASSERT(channel->ready.first == NULL && channel->stalled.first == NULL);
        if (channel->open != NULL) svs__buffer_free(allocator, channel->open);
        free_all(ranks, &channel->queued);
        svs__release(allocator, channel->batches, ranks->options.window * sizeof(svs__batch),
                     _Alignof(svs__batch));
    }
    if (ranks->own.spare != NULL) svs__buffer_free(allocator, ranks->own.spare);
    free_all(ranks, &ranks->pool);
    free_all(ranks, &ranks->reserve);
    free_all(ranks, &ranks->credits);
    svs__release(allocator, ranks->channels, ranks->count * sizeof *ranks->channels,
                 _Alignof(svs__channel));
    svs__release(allocator, ranks->dirty, ranks->count * sizeof *ranks->dirty, 16);
    svs__release(allocator, ranks->inner, ranks->count * sizeof *ranks->inner, 16);
    svs__release(allocator, ranks->lanes.of, ranks->count * sizeof *ranks->lanes.of, 16);
}
