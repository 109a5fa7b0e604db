/* Engine scanned: the tasks of engine_tasks.h with touch functions that `svs scan` makes from the
 * bodies. Without the tool the tasks run alone. It has no --exact: the reads of neighbours are
 * relaxed, which a footprint need not have. */
#include <svs/scan.h>

#define ENGINE engine_scanned
#define TASK(name_, item_) SVS_TASK_SCANNED(name_, item_, name_##_run)
#include "engine_tasks.h"

static const svs_task_type *type_for(const annealing_options *options) {
    (void)options;
    return &swap_task;
}

static svs_status tell_check(const annealing *anneal, const svs_space *elements) {
    (void)elements;
    return svs_check_worker_range(anneal->tallies, sizeof *anneal->tallies, anneal->options.threads,
                                  "tally");
}

#include SVS_SCANNED
