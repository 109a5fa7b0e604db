#include "sched/domain/algorithm.h"

const svs__algorithm *svs__algorithm_of(svs_algorithm number) {
    switch ((int)number) {
#define SVS__ALGORITHM(number, algorithm)                                                          \
    case number:                                                                                   \
        return &(algorithm);
#include "sched/domain/algorithms.def"
#undef SVS__ALGORITHM
    default: return NULL;
    }
}
