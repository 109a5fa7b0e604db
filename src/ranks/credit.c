#include "ranks/credit.h"

/* For all buffers that the sender has credit for (ranks.B2, ranks.B5). */
static bool make_batches(svs_ranks *ranks, svs__channel *channel) {
    uint32_t count = ranks->options.window;
    channel->batches = svs__allocate(&ranks->options.allocator, count * sizeof *channel->batches,
                                     _Alignof(svs__batch));
    if (channel->batches == NULL ||
        !svs__buffers_fill(&ranks->options.allocator, &ranks->credits, svs__credit_packets(ranks),
                           sizeof(svs__packet)))
        return false;
    for (uint32_t i = 0; i < count; i++)
        channel->batches[i].next = i + 1 == count ? NULL : &channel->batches[i + 1];
    channel->batches_free = channel->batches;
    return true;
}

svs__batch *svs__batch_new(svs_ranks *ranks, uint32_t from) {
    svs__channel *channel = &ranks->channels[from];
    svs__batch *batch;
    if (channel->batches == NULL && !make_batches(ranks, channel)) return NULL;
    batch = channel->batches_free;
    SVS__ASSERT(batch != NULL && channel->held < ranks->options.window); /* ranks.B2 */
    channel->batches_free = batch->next;
    batch->done = svs__buffer_has_run;
    batch->from = from;
    batch->left = 1;
    channel->held++;
    return batch;
}

void svs__buffer_has_run(svs_ranks *ranks, svs__batch *batch) {
    svs__channel *channel = &ranks->channels[batch->from];
    SVS__ASSERT(channel->held != 0);
    channel->held--;
    channel->unreturned++;
    SVS__ASSERT(channel->held + channel->unreturned <= ranks->options.window); /* ranks.B2 */
    if (channel->unreturned == svs__credit_half(ranks)) ranks->credits_due++;
    batch->next = channel->batches_free;
    channel->batches_free = batch;
}
