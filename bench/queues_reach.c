/* Engine reach: the touch function of lesson 02. */
#include <svs/task.h>

#define TASK(item_, run_)                                                                          \
    static void item_##_touch(svs_footprint *f, const item_ *item);                                \
    SVS_TASK(item_, run_, item_##_touch)
#include "queues_tasks.h"

static void move_touch(svs_footprint *f, const move *m) {
    svs_writes_reach(f, &m->from->svs);
    svs_writes_reach(f, &m->to->svs);
}

const svs_task_type *queues_reach_type(void) { return &move_task; }
