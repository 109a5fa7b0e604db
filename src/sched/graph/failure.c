/* How a run fails or is cancelled. */
#include "sched/graph/failure.h"

#include <stdio.h>
#include <string.h>

#include "sched/graph/graph.h"
#include "worksteal/cancel.h"

/* Stops the run: no further instance begins. The caller holds the run's lock. */
static void stop(svs__run *run) {
    if (svs__env_cancelled(&run->env)) return;
    /* relaxed is enough: a worker that sees it late runs one more admitted instance. */
    svs__store_relaxed(&run->env.cancelled, 1);
    svs__runtime_cancel(run->graph->world->runtime, &run->job);
}

static void report_item(svs_report *report, const void *item) {
    const svs_task *task = svs__item_task(item);
    size_t size =
        task->type->item_size < sizeof report->item ? task->type->item_size : sizeof report->item;
    report->task = task->type->name;
    report->instance = svs__order_of(svs__item_seed(item));
    memcpy(report->item, item, size);
}

void svs__run_fail(const void *item, svs_status status, const char *text) {
    svs__run *run = &svs__item_task(item)->graph->run;
    svs_runtime *runtime = run->graph->world->runtime;
    if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
    svs__lock_acquire(&run->lock);
    if (!run->report.status) {
        run->report.status = status;
        report_item(&run->report, item);
        (void)snprintf(run->report.text, sizeof run->report.text, "task %s: %s (%d): %s",
                       run->report.task, text, (int)status, svs_status_text(status));
    }
    stop(run);
    svs__lock_release(&run->lock);
}

void svs__run_recall(svs__run *run) {
    svs__lock_acquire(&run->lock);
    if (svs__env_cancelled(&run->env)) svs__runtime_cancel(run->graph->world->runtime, &run->job);
    svs__lock_release(&run->lock);
}

svs_report svs__run_report(svs__run *run) {
    svs_report report;
    svs__lock_acquire(&run->lock); /* sched.T6 */
    report = run->report;
    svs__lock_release(&run->lock);
    return report;
}

bool svs__run_cancel(svs__run *run, svs_status status) {
    bool runs;
    svs__lock_acquire(&run->lock); /* sched.T6 */
    runs = !svs__run_is_done(run);
    if (runs && !run->report.status) {
        run->report.status = status;
        run->asked_to_end = true;
        (void)snprintf(run->report.text, sizeof run->report.text, "it was cancelled (%d): %s",
                       (int)status, svs_status_text(status));
    }
    if (runs) stop(run);
    svs__lock_release(&run->lock);
    return runs;
}
