/* Trials of the way in which instances go, by drawn figures (sched.W18). */
#include "sched/domain/window/light.h"
#include "explore/explore.h"

#define WINDOWS 40u

typedef struct figures {
    svs__light l;
    uint64_t passed_ns, tried_ns; /* in the preferred way; in trials */
} figures;

/* A window has ended. */
static void add(figures *f, uint64_t ns, uint32_t body_ns) {
    svs__way way = svs__light_is_alone(&f->l) ? SVS__ALONE : SVS__SHARED;
    bool tries = svs__load_relaxed(&f->l.tries);
    svs__light_add(&f->l, way, ns, 64, body_ns);
    *(tries ? &f->tried_ns : &f->passed_ns) += ns;
    if (tries || !svs__load_relaxed(&f->l.tries)) return;
    EXPLORE_CHECK(f->tried_ns * SVS__TRIAL_PART <= f->passed_ns);
    EXPLORE_CHECK(way == SVS__ALONE || body_ns * 64 <= f->l.cost[SVS__SHARED] * 5);
}

static void light(void) {
    static const uint64_t window_ns[] = {6400, 64000, 640000, 6400000};
    static const uint32_t bodies_ns[] = {10, 1000, UINT32_MAX / 64};
    figures f = {0};
    f.l.waits = explore_below(2) != 0;
    if (explore_below(2)) svs__light_begin(&f.l, SVS__ALONE);
    for (uint32_t i = 0; i < WINDOWS; i++)
        add(&f, window_ns[explore_below(4)], bodies_ns[explore_below(3)]);
}

const explore_scenario explore_light = {"light", light, 0, 500,
                                        "a trial that takes more than its part of the time"};
