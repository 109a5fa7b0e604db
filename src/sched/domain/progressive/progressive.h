/* The progressive algorithm (progressive.c). */
#ifndef SVS_SCHED_DOMAIN_PROGRESSIVE_PROGRESSIVE_H
#define SVS_SCHED_DOMAIN_PROGRESSIVE_PROGRESSIVE_H

#include "sched/domain/domain.h"

/* The state of a domain. The state of a pinned domain begins with it. */
typedef struct svs__progress {
    uint64_t reserver_epoch; /* the epoch before the last try of the reserver */
} svs__progress;

#endif
