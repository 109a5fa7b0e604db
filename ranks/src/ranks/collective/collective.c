#include "ranks/collective/collective.h"
#include "ranks/network.h"
#include "ranks/observe.h"
#include <string.h>

#define REFUSED_NS 1000u

svs_status svs__agree(svs_ranks *ranks, const void *mine, uint32_t bytes, svs__compare *compare) {
    if (svs__is_observed(ranks)) svs__observe_collective(ranks, SVS_COLLECTIVE_AGREE, "", true);
    svs__agree_begin(ranks, mine, bytes, compare);
    svs__serve_held(ranks);
    while (!svs__ending_is_decided(ranks) && !ranks->dead) {
        if (!svs__serve(ranks) && !svs__ending_is_decided(ranks) && !ranks->dead)
            ranks->type->idle(ranks->endpoint,
                              ranks->ready_count != 0 ? svs__now(ranks) + REFUSED_NS : SVS__NEVER,
                              ranks->options.spin_ns);
    }
    ranks->in_phase = false;
    if (svs__is_observed(ranks)) svs__observe_collective(ranks, SVS_COLLECTIVE_AGREE, "", false);
    if (ranks->dead)
        svs__verdict_set(&ranks->ending.verdict, SVS__VERDICT_LEFT, ranks->index, SVS_E_RANK,
                         SVS__LEFT_TEXT);
    if (ranks->ending.verdict.status == SVS_OK) return SVS_OK;
    ranks->over = true;
    memcpy(ranks->text, ranks->ending.verdict.text, sizeof ranks->text);
    return svs__refuse(&ranks->log, ranks->ending.verdict.status, "%s", ranks->text);
}
