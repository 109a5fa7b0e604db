/* gcc's transactions: the rules compiled once more, with a transaction wherever another engine
 * guards by a lock. A line of sight reads only data that does not change meanwhile, so it stays
 * outside. */
#include "quakesquad/engine.h"

#undef LINK
#define LINK(w, parent, field, child) ((void)(w), (parent)->field = (child), SVS_OK)
#define GUARD_BODY(w, kind, id, statement)                                                         \
    do {                                                                                           \
        (void)(w);                                                                                 \
        __transaction_atomic { statement; }                                                        \
    } while (0)
#define GUARD_LISTS(w, kind, a, b, statement) GUARD_BODY(w, kind, a, statement)
#define rules_collect stm_collect
#define rules_blast stm_blast
#define rules_step stm_step
#define rules_step_touches stm_step_touches
#include "quakesquad/blast.c"
#include "quakesquad/step.c"

static const looped_rules rules = {stm_collect, stm_blast, stm_step};

static svs_status open_stm(world *w, const settings *options, void **state) {
    return looped_open(w, options, &rules, state);
}

extern const engine engine_stm;
const engine engine_stm = {"stm", open_stm, looped_frame, NULL, looped_close};
