/* The windowed algorithm (window.h). */
#ifndef SVS_SCHED_DOMAIN_WINDOW_WINDOWED_H
#define SVS_SCHED_DOMAIN_WINDOW_WINDOWED_H

#include "sched/domain/domain.h"

extern const svs__algorithm svs__windowed, svs__in_order;

/* As svs__stage_run_some(), and measures the instances every now and then. */
bool svs__windowed_run_some(svs__domain *domain, svs_context *context);

#endif
