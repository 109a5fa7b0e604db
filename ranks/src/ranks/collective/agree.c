#include "ranks/collective/agree.h"

void svs__agree_begin(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare) {
    ranks->agreement = (svs__agreement){mine, bytes, compare};
    svs__ending_reset(ranks);
    svs__ending_vote(ranks);
}

void svs__agree_heard(svs_ranks *ranks, uint32_t from, const void *other, uint32_t bytes) {
    uint32_t child = svs__topology_child(&ranks->topology, from);
    svs__verdict verdict = {.kind = SVS__VERDICT_OK, .rank = from};
    const char *text = ranks->agreement.compare(ranks, other, bytes);
    if (child == SVS__CHILDREN_MAX) return;
    if (text != NULL) svs__verdict_set(&verdict, SVS__VERDICT_FAILED, from, SVS_E_DIFFERS, text);
    svs__ending_child_voted(ranks, child, &verdict);
}
