/* The settings of a task: functions that a program calls. */
#include <string.h>

#include "sched/graph/prepare.h"
#include "sched/graph/refusals.h"

svs_status svs_task_set_algorithm(svs_task *task, svs_algorithm algorithm) {
    static const char call[] = "svs_task_set_algorithm";
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!svs__is_algorithm(algorithm))
        return svs__graph_refuse(task->graph, call, SVS_E_INVALID,
                                 "an unknown algorithm: choose one of svs_algorithm");
    status = svs__graph_begin_change(task->graph, call);
    if (!status) svs__node_of(task)->algorithm = algorithm;
    return status;
}

svs_status svs_task_pin(svs_task *task, uint32_t worker) {
    static const char call[] = "svs_task_pin";
    const svs_runtime *runtime;
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    runtime = task->world->runtime;
    if (worker < SVS_THE_RUNNER && worker >= svs_runtime_threads(runtime))
        return svs__graph_refuse(task->graph, call, SVS_E_INVALID,
                                 "no worker has this number: pass 0 to the number of threads "
                                 "minus 1, or SVS_THE_RUNNER");
    if (worker < SVS_THE_RUNNER && runtime->options.external_threads)
        return svs__graph_refuse(task->graph, call, SVS_E_INVALID,
                                 "with external threads any thread may become that worker: pin it "
                                 "to SVS_THE_RUNNER");
    status = svs__graph_begin_change(task->graph, call);
    if (!status) task->pin = worker;
    return status;
}

svs_status svs_task_set_item(svs_task *task, const void *item) {
    static const char call[] = "svs_task_set_item";
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!item)
        return svs__graph_refuse(task->graph, call, SVS_E_NULL, "no item: pass the address of one");
    if (task->itemizer)
        return svs__graph_refuse(
            task->graph, call, SVS_E_INVALID,
            "the task is an itemizer, which has no item of its own: send it one");
    status = svs__graph_check_idle(task->graph, call);
    if (!status) memcpy(task->item, item, task->type->item_size);
    return status;
}

svs_status svs_task_set_dropped(svs_task *task, svs_dropped_function *dropped) {
    static const char call[] = "svs_task_set_dropped";
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!task->itemizer)
        return svs__graph_refuse(task->graph, call, SVS_E_INVALID,
                                 "the task is a transform, which keeps its item: name an itemizer");
    status = svs__graph_check_idle(task->graph, call);
    if (!status) task->dropped = dropped;
    return status;
}

svs_status svs_task_set_priority(svs_task *task, int32_t priority) {
    static const char call[] = "svs_task_set_priority";
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!task->itemizer)
        return svs__graph_refuse(task->graph, call, SVS_E_INVALID,
                                 "the task is a transform, which starts when its dependencies "
                                 "allow: name an itemizer");
    /* relaxed is enough for both: workers read them before each step. */
    svs__store_relaxed(&task->priority, priority);
    if (priority) svs__store_relaxed(&task->graph->run.env.prioritized, 1);
    return SVS_OK;
}
