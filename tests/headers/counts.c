/* Touch functions whose number of accesses is a constant, up to more than a generated loop colours:
 * no compiler warns about the loops at any level of optimization. */
#include <svs/svs.h>

/* Made by the program that uses it; here nothing runs. */
extern svs_space *cells;

#define TYPES(N)                                                                                   \
    typedef struct many_##N {                                                                      \
        uint32_t at[N];                                                                            \
    } many_##N;                                                                                    \
    static void each_##N##_touch(svs_footprint *f, const many_##N *item) {                         \
        for (int i = 0; i < N; i++) svs_writes_at(f, cells, item->at[i]);                          \
    }                                                                                              \
    static void span_##N##_touch(svs_footprint *f, const many_##N *item) {                         \
        svs_reads_span(f, cells, item->at[0], N);                                                  \
    }                                                                                              \
    static svs_status many_##N##_run(svs_context *x, many_##N *item) {                             \
        (void)x;                                                                                   \
        item->at[0]++;                                                                             \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK(each_##N, many_##N, many_##N##_run, each_##N##_touch)                                 \
    SVS_TASK(span_##N, many_##N, many_##N##_run, span_##N##_touch)                                 \
    extern const svs_task_type *const kept_##N[2];                                                 \
    const svs_task_type *const kept_##N[2] = {&each_##N##_task, &span_##N##_task};

TYPES(1)
TYPES(2)
TYPES(3)
TYPES(4)
TYPES(5)
TYPES(13)
TYPES(15)
TYPES(16)
TYPES(17)
TYPES(18)
TYPES(20)
TYPES(32)
TYPES(100)
