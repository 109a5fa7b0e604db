/* Engine scanned: the tasks of engine_tasks.h with touch functions that `svs scan` makes from the
 * bodies. Without the tool the tasks run alone. */
#include "rules.h"

#include <svs/scan.h>

#define ENGINE engine_scanned
#define ENGINE_NAME "scanned"
#define TASK(name_, item_) SVS_TASK_SCANNED(name_, item_, name_##_run)
#include "engine_tasks.h"

#include SVS_SCANNED
