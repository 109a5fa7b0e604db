#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"

/* The particles of `b` by cell, without those that have a partner. */
typedef struct search {
    const fluid *a, *b;
    uint32_t *head, *next;
    float tolerance;
} search;

static float apart(vec3 a, vec3 b) {
    return fmaxf(fabsf(a.x - b.x), fmaxf(fabsf(a.y - b.y), fabsf(a.z - b.z)));
}

static float velocities_apart(const search *s, uint32_t i, uint32_t j) {
    return fmaxf(apart(s->a->now.hv[i], s->b->now.hv[j]), apart(s->a->now.v[i], s->b->now.v[j]));
}

/* Finds the closest particle of a cell that is closer than *best. @return the link to it, or
 * `found`. */
static uint32_t *closest(const search *s, uint32_t i, uint32_t cell, float *best, uint32_t *found) {
    for (uint32_t *link = &s->head[cell]; *link != NO_PARTICLE; link = &s->next[*link]) {
        float distance =
            fmaxf(apart(s->a->now.p[i], s->b->now.p[*link]), velocities_apart(s, i, *link));
        if (!(distance <= *best)) continue;
        *best = distance;
        found = link;
    }
    return found;
}

/* Looks in all cells that a place within the tolerance may be in. */
static uint32_t find(const search *s, uint32_t i) {
    const vec3 p = s->a->now.p[i];
    const float t = s->tolerance;
    cell_at low = box_cell_at(s->b, (vec3){p.x - t, p.y - t, p.z - t});
    cell_at high = box_cell_at(s->b, (vec3){p.x + t, p.y + t, p.z + t});
    float best = t;
    uint32_t *link = NULL;
    for (uint32_t z = low.z; z <= high.z; z++)
        for (uint32_t y = low.y; y <= high.y; y++)
            for (uint32_t x = low.x; x <= high.x; x++)
                link = closest(s, i, fluid_cell(s->b, x, y, z), &best, link);
    if (!link) return NO_PARTICLE;
    uint32_t found = *link;
    *link = s->next[found];
    return found;
}

static void match_all(search *s, comparison *result) {
    for (uint32_t c = 0; c < s->b->cells; c++) s->head[c] = NO_PARTICLE;
    for (uint32_t j = s->b->count; j-- > 0;) {
        uint32_t cell = box_cell(s->b, s->b->now.p[j]);
        s->next[j] = s->head[cell];
        s->head[cell] = j;
    }
    for (uint32_t i = 0; i < s->a->count; i++) {
        uint32_t j = find(s, i);
        if (j == NO_PARTICLE) {
            result->unmatched++;
            continue;
        }
        result->place = fmaxf(result->place, apart(s->a->now.p[i], s->b->now.p[j]));
        result->velocity = fmaxf(result->velocity, velocities_apart(s, i, j));
    }
}

static bool same(const fluid *a, const fluid *b) {
    size_t bytes = a->count * sizeof(vec3);
    return !memcmp(a->now.p, b->now.p, bytes) && !memcmp(a->now.hv, b->now.hv, bytes) &&
           !memcmp(a->now.v, b->now.v, bytes);
}

const char *compare_fluids(const fluid *a, const fluid *b, float tolerance, comparison *result) {
    search s = {a, b, malloc(b->cells * sizeof(uint32_t)), malloc(b->count * sizeof(uint32_t)),
                tolerance};
    const char *wrong = s.head && s.next ? NULL : "out of memory";
    *result = (comparison){.identical = same(a, b)};
    if (!wrong) match_all(&s, result);
    free(s.head);
    free(s.next);
    return wrong;
}
