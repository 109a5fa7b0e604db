/* Engine scanned: without a touch function. */
#define TASK(item_, run_) SVS_TASK_SCANNED(item_, run_)
#include "queues_tasks.h"

const svs_task_type *queues_scanned_type(void) { return &move_task; }

#include SVS_SCANNED
