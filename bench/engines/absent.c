/* Stand-ins for the libraries that were not found. */
#include "teams.h"

#ifndef BENCH_TBB
const team_kind team_tbb = {.absent =
                                "oneTBB was not found when this was built (Debian: libtbb-dev)"};
#endif
#ifndef BENCH_OPENMP
const team_kind team_openmp = {
    .absent = "the compiler that built this has no OpenMP (gcc has it; clang, Debian: libomp-dev)"};
#endif

/* Neither may be needed. */
typedef int absent_is_never_empty;
