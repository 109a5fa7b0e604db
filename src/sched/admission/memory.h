/* The memory of admission: its tables, and the arrays of a hold. */
#ifndef SVS_SCHED_ADMISSION_MEMORY_H
#define SVS_SCHED_ADMISSION_MEMORY_H

#include "sched/admission/table.h"

/* Returns the admission of the world, which is made on first use. @return SVS_OK or
 * SVS_E_NO_MEMORY. */
svs_status svs__admission_of(svs_world *world, svs__admission **admission);

/* Makes room in `hold` for all of `set`, so that the try itself needs no memory. @return SVS_OK,
 * SVS_E_NO_MEMORY, or SVS_E_LIMIT: more than 2^32 elements in one hold. */
svs_status svs__hold_reserve(svs__hold *hold, const svs__set *set);
svs_status svs__hold_make_room(svs__hold *hold, const svs_world *world, uint32_t elements);
void svs__hold_clean_up(svs__hold *hold, svs_world *world);

/* Whether all tables are empty, as they are while no run is in the world (sched.A2). */
bool svs__admission_is_empty(svs__admission *a);

#endif
