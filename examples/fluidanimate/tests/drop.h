/* A fluid to test with: a cube of particles, jittered, that falls and swirls fast enough for many
 * of them to change their block in a frame. The header also has checks that any fluid passes after
 * a frame. */
#ifndef FLUIDANIMATE_TESTS_DROP_H
#define FLUIDANIMATE_TESTS_DROP_H

#include <stdlib.h>

#include "common/random.h"
#include "fluid.h"

static inline float drop_random(random_source *source, float most) {
    return (float)(2 * random_unit(source) - 1) * most;
}

/* side^3 particles. */
static inline const char *drop_make(fluid *f, float rest, uint32_t side, uint64_t seed) {
    random_source source = {seed};
    const char *wrong = fluid_init(f, rest, side * side * side);
    for (uint32_t i = 0; i < f->count && !wrong; i++) {
        float step = 1 / rest, low = -0.5f * step * (float)side;
        vec3 p = {low + step * (float)(i % side), low + step * (float)(i / side % side),
                  low + step * (float)(i / side / side)};
        f->now.p[i] =
            (vec3){p.x + drop_random(&source, 0.3f * step), p.y + drop_random(&source, 0.3f * step),
                   p.z + drop_random(&source, 0.3f * step)};
        f->now.v[i] = f->now.hv[i] = (vec3){-20 * p.z + drop_random(&source, 0.1f), -1,
                                            20 * p.x + drop_random(&source, 0.1f)};
    }
    return wrong;
}

/* Whether `order` names each particle of the frame before once, and no place is off. */
static inline bool drop_is_whole(const fluid *f) {
    bool *seen = calloc(f->count, sizeof *seen);
    bool good = seen && f->first[f->cells] == f->count;
    for (uint32_t i = 0; i < f->count && good; i++) {
        uint32_t from = f->order[i];
        vec3 p = f->now.p[i];
        good = from < f->count && !seen[from] && p.x > -1 && p.x < 1 && p.y > -1 && p.y < 1 &&
               p.z > -1 && p.z < 1;
        if (good) seen[from] = true;
    }
    free(seen);
    return good;
}

#endif
