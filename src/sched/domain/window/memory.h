/* The memory of windows. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_MEMORY_H
#define SVS_SCHED_DOMAIN_WINDOW_MEMORY_H

#include "sched/domain/domain.h"
#include "sched/domain/instance/contexts.h"

/* Gives the domain its windows. @return SVS_OK or SVS_E_NO_MEMORY. */
svs_status svs__windows_new(svs__domain *domain);

/* The arrays and the table of windows belong to a domain from its first window until its tasks have
 * ended (common.h). Before a run: those of domains that are in order, because stages of the staged
 * kind, which do without, keep no order (sched.W11). @return false: no memory. */
bool svs__windows_begin(svs__domain *domains, uint32_t count);

/* If the tasks of the domain have ended, gives its memory back, for the next domain of a chain. Not
 * if another worker uses the memory just now, nor that of a domain that is in order. */
void svs__windows_rest(svs__domain *domain);

/* After the run: gives all back. */
void svs__windows_give_back(svs__common *common, svs__domain *domains, uint32_t count);
void svs__windows_free(svs__domain *domain);

#endif
