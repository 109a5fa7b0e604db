/* The progressive algorithm (progressive.c). */
#ifndef SVS_SCHED_DOMAIN_PROGRESSIVE_PROGRESSIVE_H
#define SVS_SCHED_DOMAIN_PROGRESSIVE_PROGRESSIVE_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__progressive;

#endif
