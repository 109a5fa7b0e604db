#include "engine.h"
#include "rules.h"

#include <stdlib.h>

static svs_status open_serial(world *w, const settings *options, void **state) {
    plan *p = calloc(1, sizeof *p);
    (void)options;
    *state = p;
    return p && plan_init(p, w) ? SVS_OK : SVS_E_NO_MEMORY;
}

static svs_status bombs(world *w) {
    svs_status status = SVS_OK;
    for (uint32_t bomb = 0; bomb < w->options.count[BOMB]; bomb++)
        for (int kind = CITIZEN; kind <= TECH && !status; kind++) {
            blast it;
            status = rules_collect(w, 0, bomb, kind, &it);
            if (!status) status = rules_blast(w, 0, &it);
        }
    return status;
}

static svs_status people(world *w, entity_kind kind, plan *p) {
    svs_status status = SVS_OK;
    for (uint32_t id = 0; id < w->options.count[kind]; id++) rules_aim(w, kind, id, p);
    rules_make_room(w, kind, p);
    for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
        if (p->steps[kind][id].place) status = rules_step(w, 0, &p->steps[kind][id]);
    return status;
}

static svs_status frame_serial(void *state, world *w) {
    svs_status status = bombs(w);
    if (!status) status = people(w, CITIZEN, state);
    if (!status) status = people(w, TECH, state);
    return status;
}

static void close_serial(void *state, world *w) {
    (void)w;
    if (state) plan_clean_up(state);
    free(state);
}

const engine engine_serial = {"serial", open_serial, frame_serial, NULL, close_serial};
