/* The memory of windows. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_MEMORY_H
#define SVS_SCHED_DOMAIN_WINDOW_MEMORY_H

#include "sched/domain/domain.h"

/* Gives the domain its windows. Their arrays are made with the first window.
 * @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__windows_new(svs__domain *domain);
void svs__windows_free(svs__domain *domain);

#endif
