/* A window that is open while it is made (sched.W15): other workers would wait for its maker. This
 * does not change its stages (sched.W9), so that hints may decide. Its candidates are of one task,
 * which the stage names. A candidate of another task, which a body has sent meanwhile, leads the
 * next window. */
#include "base/check.h"
#include "sched/domain/stage.h"
#include "sched/domain/window_light.h"
#include "sched/domain/window_making.h"

#if defined(SVS_EXPLORE)
#define LEAST 2u
#else
#define LEAST 512u /* that are worth opening a window while it is made */
#endif

/* Whether nothing but bodies reads the items: a trace, a race check or an explanation would. */
static bool are_bodies_alone(const svs__making *m) {
    const svs__domain_env *env = m->domain->env;
    return !env->seen.any && !env->watched && !m->ws->explains;
}

bool svs__window_may_open_early(const svs__making *m) {
    return m->domain->env->threads > 1 && !m->in_order && !m->walks && !m->old_count &&
           svs__domain_arrivals(m->domain) >= LEAST && !svs__load_relaxed(&m->domain->stage.left) &&
           !svs__window_is_light(m->domain) && are_bodies_alone(m);
}

void svs__window_offer_early(svs__making *m) {
    svs__domain *domain = m->domain;
    uint32_t width = svs__window_width(m, 0);
    if (m->offered) {
        if (width > m->offered) svs__stage_widen(&domain->stage, width - m->offered);
    } else {
        m->may_open = m->w->only && width && svs__window_open_early(domain, m->w, width);
        if (!m->may_open) return;
        svs__runtime_notify(domain->env->world->runtime, domain->env->threads - 1);
    }
    m->offered = width;
}
