/* Making and freeing the channels of a rank. */
#include "ranks/channel/channel.h"
#include "ranks/channel/credit.h"
#include "ranks/channel/route.h"
#include "ranks/collective/telling.h"

/* ranks.X2 */
static bool fill_reserves(svs_ranks *ranks) {
    uint32_t others = ranks->count - 1;
    return svs__buffers_fill(&ranks->options.allocator, &ranks->reserve, SVS__END_BUFFERS,
                             sizeof(svs__packet) + sizeof(svs__end)) &&
           svs__buffers_fill(&ranks->options.allocator, &ranks->tells,
                             others < SVS__TELLS_MAX ? others : SVS__TELLS_MAX,
                             sizeof(svs__packet) + offsetof(svs__end, verdict.text));
}

/* On a grid: computes the first hop to each rank, and marks the ranks that are hops to several. */
static bool fill_hops(svs_ranks *ranks) {
    if (ranks->columns == 0) return true;
    ranks->hops = svs__allocate(&ranks->options.allocator, ranks->count * sizeof *ranks->hops,
                                sizeof *ranks->hops);
    if (ranks->hops == NULL) return false;
    for (uint32_t i = 0; i < ranks->count; i++) {
        uint32_t hop = i == ranks->index ? i : svs__hop(ranks, i);
        ranks->hops[i] = (uint16_t)hop;
        if (hop != i) ranks->channels[hop].mixes = true;
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
    if (!fill_hops(ranks)) return SVS_E_NO_MEMORY;
    ranks->lanes.count = ranks->count;
    ranks->own.channel = &ranks->channels[ranks->index];
    ranks->own.lane = &ranks->lanes.of[ranks->index];
    for (uint32_t i = 0; i < ranks->count; i++) ranks->channels[i].free = ranks->options.credits;
    return fill_reserves(ranks) ? SVS_OK : SVS_E_NO_MEMORY;
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
        SVS__ASSERT(channel->ready.first == NULL);
        if (channel->open != NULL) svs__buffer_free(allocator, channel->open);
        free_all(ranks, &channel->queued);
        svs__release(allocator, channel->arrivals, svs__arrivals_bytes(ranks),
                     _Alignof(svs__arrivals));
    }
    if (ranks->own.spare != NULL) svs__buffer_free(allocator, ranks->own.spare);
    free_all(ranks, &ranks->pool);
    free_all(ranks, &ranks->reserve);
    free_all(ranks, &ranks->tells);
    free_all(ranks, &ranks->credits);
    svs__release(allocator, ranks->channels, ranks->count * sizeof *ranks->channels,
                 _Alignof(svs__channel));
    if (ranks->hops != NULL)
        svs__release(allocator, ranks->hops, ranks->count * sizeof *ranks->hops,
                     sizeof *ranks->hops);
    svs__release(allocator, ranks->dirty, ranks->count * sizeof *ranks->dirty, 16);
    svs__release(allocator, ranks->inner, ranks->count * sizeof *ranks->inner, 16);
    svs__release(allocator, ranks->lanes.of, ranks->count * sizeof *ranks->lanes.of, 16);
}
