/* This rank's halves of parts that are moved from memory to memory: it gives or takes them. */
#include "ranks/channel/channel.h"
#include "ranks/object/bulk.h"

void svs__move_begin(svs_ranks *ranks, const svs__bulk_record *part, uint32_t with, void *memory,
                     bool gives) {
    svs__move *one = svs__allocate(&ranks->options.allocator, sizeof *one, _Alignof(svs__move));
    svs__move_kind kind;
    if (one == NULL) {
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a bulk transfer");
        return;
    }
    kind = part->kind == SVS__BULK_OFFER ? SVS__MOVE_OF_GIVER : SVS__MOVE_OF_TAKER;
    *one = (svs__move){ranks->moves, &ranks->moves, *part, gives};
    if (one->next != NULL) one->next->link = &one->next;
    ranks->moves = one;
    ranks->records_created++; /* ranks.U2 */
    if (!gives) {
        ranks->type->take(ranks->endpoint, with, memory, part->bytes, kind, one);
        return;
    }
    ranks->statistics.msg_sent++;
    ranks->statistics.byte_sent += part->bytes;
    ranks->type->give(ranks->endpoint, with, memory, part->bytes, kind, one);
}

static void free_move(svs_ranks *ranks, svs__move *one) {
    *one->link = one->next;
    if (one->next != NULL) one->next->link = one->link;
    svs__release(&ranks->options.allocator, one, sizeof *one, _Alignof(svs__move));
}

bool svs__moves_serve(svs_ranks *ranks) {
    svs__move *one = ranks->type->moved(ranks->endpoint);
    svs__bulk_record part;
    bool gives;
    if (one == NULL) return false;
    part = one->part;
    gives = one->gives;
    free_move(ranks, one);
    ranks->records_run++; /* ranks.U2 */
    svs__bulk_moved(ranks, &part, gives);
    return true;
}

void svs__moves_clean_up(svs_ranks *ranks) {
    while (ranks->moves != NULL) free_move(ranks, ranks->moves);
}
