/* The stages of a window that was made: which of its colours it runs. */
#include <string.h>

#include "sched/domain/window/making.h"

/* A stage that is a tenth as wide as the first waits for company, with those behind it, unless
 * nothing more comes. */
static uint32_t narrowest(const svs__making *m) {
    bool more = m->placed == m->most || svs__load_relaxed(&m->ws->left_count) ||
                svs__domain_has_arrivals(m->domain);
    return more ? svs__window_width(m, 0) / 10 : 0;
}

/* The items of the colours behind the stages lead the next window. */
static void carry_over(svs__making *m) {
    svs__window *w = m->w;
    uint32_t carried = m->placed;
    void **to;
    for (uint32_t c = 0; c < w->stages; c++) carried -= w->count[c];
    if (!carried) return;
    to = svs__window_make_way(m->ws, carried);
    for (uint32_t c = w->stages; c < SVS__COLOURS; c++)
        for (void **from = w->items[c]; from < m->ends[c]; from++) {
            svs__window_uncount(m->ws, w, *from);
            *to++ = *from;
        }
    m->placed -= carried;
}

/* A narrow window: what its instances contend for is to blame. */
static void blame(const svs__making *m) {
    const svs__window *w = m->w;
    svs__set *set = &m->context->set;
    if (m->placed < 2 || m->placed >= 2 * w->stages) return;
    for (uint32_t c = 1; c < w->stages; c++)
        for (uint32_t i = 0; i < w->count[c]; i++) {
            const void *item = w->items[c][i];
            if (svs__instance_expand(m->context, svs__item_task(item), item)) continue;
            for (uint32_t k = 0; k < set->count; k++)
                if (svs__colours_contend(m->ws->table[set->elements[k].key >> m->shift]))
                    svs__domain_blame(m->domain, m->context, set->elements[k].key);
        }
}

void svs__window_make_stages(svs__making *m) {
    svs__window *w = m->w;
    uint32_t least = narrowest(m);
    w->stages = w->stage = 0;
    for (uint32_t c = 0;
         c < SVS__COLOURS && svs__window_width(m, c) && svs__window_width(m, c) >= least; c++)
        w->count[w->stages++] = svs__window_width(m, c);
    carry_over(m);
    blame(m);
}
