#include "ranks/agree.h"
#include <string.h>

/* Rank 0: each other rank was heard. */
static void decide(svs_ranks *ranks) {
    if (ranks->agreement.heard == ranks->count - 1)
        svs__ending_begin(ranks, &ranks->agreement.verdict);
}

void svs__agree_begin(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare) {
    svs__agreement *agreement = &ranks->agreement;
    memset(agreement, 0, sizeof *agreement);
    agreement->verdict.kind = SVS__VERDICT_OK;
    agreement->mine = mine;
    agreement->compare = compare;
    svs__ending_reset(ranks);
    if (ranks->index == 0) decide(ranks);
    else if (!svs__control_send(ranks, 0, SVS__PACKET_AGREE, mine, bytes, NULL))
        (void)svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a control packet");
}

void svs__agree_heard(svs_ranks *ranks, uint32_t from, const void *other, uint32_t bytes) {
    svs__agreement *agreement = &ranks->agreement;
    const char *text = agreement->compare(ranks, other, bytes);
    if (text != NULL && agreement->verdict.kind == SVS__VERDICT_OK)
        svs__verdict_set(&agreement->verdict, SVS__VERDICT_FAILED, from, SVS_E_DIFFERS, text);
    agreement->heard++;
    decide(ranks);
}
