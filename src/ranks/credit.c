#include "ranks/credit.h"
#include "ranks/listed.h"

/* Batches and packets of credits for all buffers that the sender has credit for (ranks.B2,
 * ranks.B5). */
svs__arrivals *svs__arrivals_of(svs_ranks *ranks, uint32_t from) {
    svs__channel *channel = &ranks->channels[from];
    const svs_allocator *allocator = &ranks->options.allocator;
    svs__arrivals *made = channel->arrivals;
    if (made != NULL) return made;
    made = svs__allocate_zeroed(allocator, svs__arrivals_bytes(ranks), _Alignof(svs__arrivals));
    if (made == NULL) return NULL;
    channel->arrivals = made;
    for (uint32_t i = ranks->options.window; i-- != 0;) {
        made->batches[i].next = made->free;
        made->free = &made->batches[i];
    }
    return svs__buffers_fill(allocator, &ranks->credits, svs__credit_packets(ranks),
                             sizeof(svs__packet))
               ? made
               : NULL;
}

svs__batch *svs__batch_new(svs_ranks *ranks, uint32_t from) {
    svs__channel *channel = &ranks->channels[from];
    svs__batch *batch = channel->arrivals->free;
    SVS__ASSERT(batch != NULL && channel->held < ranks->options.window); /* ranks.B2 */
    channel->arrivals->free = batch->next;
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
    if (channel->unreturned == svs__credit_half(ranks)) {
        ranks->credits_due++;
        svs__listed_put(ranks, SVS__LISTED_DUE, batch->from);
    }
    batch->next = channel->arrivals->free;
    channel->arrivals->free = batch;
}
