#include "engine.h"
#include "rules.h"

#include <stdlib.h>

static svs_status open_serial(world *w, const settings *options, void **state) {
    uint32_t citizens = w->options.count[CITIZEN], techs = w->options.count[TECH];
    (void)options;
    *state = calloc((citizens > techs ? citizens : techs) + 1u, sizeof(step));
    return *state ? SVS_OK : SVS_E_NO_MEMORY;
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

static svs_status people(world *w, entity_kind kind, step *steps) {
    uint32_t count = rules_plan(w, kind, steps);
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < count && !status; i++) status = rules_step(w, 0, &steps[i]);
    return status;
}

static svs_status frame_serial(void *state, world *w, bool look) {
    svs_status status = bombs(w);
    (void)look;
    if (!status) status = people(w, CITIZEN, state);
    if (!status) status = people(w, TECH, state);
    return status;
}

static void close_serial(void *state, world *w) {
    (void)w;
    free(state);
}

const engine engine_serial = {"serial", open_serial, frame_serial, NULL, close_serial};
