/* Admission of a few plain elements; the caller holds the lock (admission.h). */
#ifndef SVS_SCHED_ADMISSION_ELEMENTS_H
#define SVS_SCHED_ADMISSION_ELEMENTS_H

#include "sched/admission/admission.h"

/* svs__admission_try_elements() for a few elements, most of which conflict. */
static inline bool svs__admission_try_few(svs__admission *a, svs__hold *hold,
                                          const svs__element *elements, uint32_t count,
                                          svs__conflict *met) {
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, elements, count, hold, met);
    for (uint32_t i = 0; i < count; i++)
        if (svs__admission_cell_is_taken(a, elements[i])) {
            *met = (svs__conflict){elements[i].key, elements[i].mode, SVS__MET_CELL, false};
            return false;
        }
    svs__held_take_elements(a, hold, elements, count);
    return true;
}

#endif
