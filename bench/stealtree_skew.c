#include "stealtree_skew.h"

#include <math.h>
#include <stdlib.h>

/* Of all work, and of the range: the hump's; and how far it moves with each iteration. */
static const double HUMP_WORK = 0.85, HUMP_WIDTH = 0.03, HUMP_START = 0.2, HUMP_STEP = 0.001;

static uint32_t rounds_of(const skew *s, uint32_t leaf) {
    double at = (leaf + 0.5) / s->leaves, middle = HUMP_START + HUMP_STEP * s->iteration;
    double away = (at - middle) / HUMP_WIDTH;
    double hump = exp(-away * away) / (HUMP_WIDTH * sqrt(acos(-1)));
    double uneven = 0.5 + (leaf * UINT32_C(2654435761) >> 16) / 65536.0; /* neighbours differ */
    return (uint32_t)(s->mean_rounds * uneven * (1 - HUMP_WORK + HUMP_WORK * hump));
}

static uint64_t work(uint64_t value, uint32_t rounds) {
    for (uint32_t i = 0; i < rounds; i++)
        value = value * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return value;
}

typedef struct part {
    skew *skew;
    uint32_t begin, end;
    uint64_t *sum;
} part;

typedef struct halves {
    part part;
    uint64_t first, second;
} halves;

static void visit(svs_strand *strand, void *argument);

static void split(svs_strand *strand, void *argument) {
    halves *h = argument;
    uint32_t middle = h->part.begin + (h->part.end - h->part.begin) / 2;
    part first = {h->part.skew, h->part.begin, middle, &h->first};
    part second = {h->part.skew, middle, h->part.end, &h->second};
    svs_async(strand, visit, &first, sizeof first);
    visit(strand, &second);
}

static void visit(svs_strand *strand, void *argument) {
    part p = *(const part *)argument;
    halves h = {p, 0, 0};
    if (p.end - p.begin == 1) {
        uint64_t *value = &p.skew->values[p.begin];
        *value = work(*value, rounds_of(p.skew, p.begin));
        *p.sum = *value;
        return;
    }
    svs_finish(strand, split, &h);
    *p.sum = h.first + h.second;
}

#if defined(SVS_SERIAL_ELISION)
void skew_iterate_serially(svs_strand *strand, void *argument) {
#else
void skew_iterate(svs_strand *strand, void *argument) {
#endif
    skew *s = argument;
    part whole = {s, 0, s->leaves, &s->sum};
    visit(strand, &whole);
    s->iteration++;
}

#if !defined(SVS_SERIAL_ELISION)
skew *skew_new(uint32_t leaves, uint32_t mean_rounds) {
    skew *s = bench_allocate(1, sizeof *s);
    s->leaves = leaves;
    s->mean_rounds = mean_rounds;
    s->values = bench_allocate(leaves, sizeof *s->values);
    for (uint32_t i = 0; i < leaves; i++) s->values[i] = i;
    return s;
}

void skew_free(skew *s) {
    free(s->values);
    free(s);
}
#endif
