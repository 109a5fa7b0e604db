/* What rooms above attach to a rank: they are told when a run begins and when the rank is freed.
 *
 * An attached struct is the first member of what attaches it. All ranks attach the same, in the
 * same order, in collective calls outside of a run. */
#ifndef SVS__RANKS_ATTACHED_H
#define SVS__RANKS_ATTACHED_H

#include "ranks/failure.h"

typedef struct svs__attached {
    struct svs__attached *next;
    /* A run begins: split-phase calls may be made. @return SVS_OK, or what ends the run. */
    svs_status (*begin)(svs_ranks *ranks, struct svs__attached *attached);
    void (*release)(svs_ranks *ranks, struct svs__attached *attached);
} svs__attached;

/* In the order of attachment. */
static inline void svs__attach(svs_ranks *ranks, svs__attached *attached) {
    svs__attached **last = &ranks->attached;
    while (*last != NULL) last = &(*last)->next;
    attached->next = NULL;
    *last = attached;
}

static inline void svs__attached_begin(svs_ranks *ranks) {
    for (svs__attached *each = ranks->attached; each != NULL; each = each->next) {
        svs_status status = each->begin(ranks, each);
        if (status != SVS_OK && ranks->failed.status == SVS_OK)
            (void)svs__fail(ranks, status, "a structure cannot begin the run: %s",
                            svs_status_text(status));
    }
}

static inline void svs__attached_clean_up(svs_ranks *ranks) {
    while (ranks->attached != NULL) {
        svs__attached *first = ranks->attached;
        ranks->attached = first->next;
        first->release(ranks, first);
    }
}

#endif
