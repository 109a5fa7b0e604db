#include "ranks/channel/credit.h"
#include "ranks/channel/listed.h"

/* Allocates an svs__arrived for each buffer that the sender has credit for, and buffers for packets
 * that give these credits back (ranks.B2, ranks.B5). */
svs__arrivals *svs__arrivals_of(svs_ranks *ranks, uint32_t from) {
    svs__channel *channel = &ranks->channels[from];
    const svs_allocator *allocator = &ranks->options.allocator;
    svs__arrivals *made = channel->arrivals;
    if (made != NULL) return made;
    made = svs__allocate_zeroed(allocator, svs__arrivals_bytes(ranks), _Alignof(svs__arrivals));
    if (made == NULL) return NULL;
    channel->arrivals = made;
    for (uint32_t i = ranks->options.credits; i-- != 0;) {
        made->all[i].group.next = made->free;
        made->free = &made->all[i].group;
    }
    return svs__buffers_fill(allocator, &ranks->credits, svs__credit_packets(ranks),
                             sizeof(svs__packet))
               ? made
               : NULL;
}

svs__arrived *svs__arrived_new(svs_ranks *ranks, uint32_t from, svs__buffer *buffer) {
    svs__channel *channel = &ranks->channels[from];
    svs__fiber_group *group = channel->arrivals->free;
    SVS__ASSERT(group != NULL && channel->held < ranks->options.credits); /* ranks.B2 */
    channel->arrivals->free = group->next;
    *(svs__arrived *)(void *)group = (svs__arrived){.kept = buffer};
    group->done = svs__buffer_has_run;
    group->from = from;
    group->left = 1;
    channel->held++;
    return (svs__arrived *)(void *)group;
}

static void release(svs_ranks *ranks, const svs__arrived *arrived) {
    SVS__ASSERT(arrived->backlogs[0] == NULL && arrived->backlogs[1] == NULL); /* ranks.K1 */
    if (arrived->kept == NULL) return;
    if (arrived->copied) svs__buffers_put_back(&ranks->pool, arrived->kept);
    else ranks->type->release(ranks->endpoint, arrived->kept);
}

void svs__buffer_has_run(svs_ranks *ranks, svs__fiber_group *group) {
    svs__channel *channel = &ranks->channels[group->from];
    release(ranks, (const svs__arrived *)(const void *)group);
    SVS__ASSERT(channel->held != 0);
    channel->held--;
    channel->unreturned++;
    SVS__ASSERT(channel->held + channel->unreturned <= ranks->options.credits); /* ranks.B2 */
    if (channel->unreturned == svs__credit_half(ranks)) {
        ranks->credits_due++;
        svs__listed_put(ranks, SVS__LISTED_DUE, group->from);
    }
    group->next = channel->arrivals->free;
    channel->arrivals->free = group;
}
