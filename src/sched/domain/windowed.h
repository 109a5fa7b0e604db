/* The windowed algorithm (windowed.c). */
#ifndef SVS_SCHED_DOMAIN_WINDOWED_H
#define SVS_SCHED_DOMAIN_WINDOWED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__windowed, svs__in_order;

#endif
