#include "sched/domain/stage/admit.h"

/* Drops a record: the run is cancelled, or has just failed. */
static bool drop(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__item_drop(svs__record_item(record));
    svs__records_retire_of(context, svs__batch_of(record->item), 1);
    return true;
}

bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met) {
    if (svs__env_cancelled(domain->env)) return drop(domain, context, record);
    if (!svs__stage_make_room(domain, 1, 0)) {
        domain->env->reports->failed(svs__record_item(record), SVS_E_NO_MEMORY,
                                     "no memory for its stage");
        return drop(domain, context, record);
    }
    switch (svs__instance_admit(context, svs__record_item(record), &domain->stage.hold,
                                &domain->stage.hold, met)) {
    case SVS__BLOCKED: return false;
    case SVS__FAILED: return drop(domain, context, record);
    default: break;
    }
    svs__stage_enter(domain, record);
    return true;
}
