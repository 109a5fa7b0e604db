#include "stealtree.h"

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

enum { SWEEPS = 16, FAN = 16 };

typedef struct part {
    skew *skew;
    uint32_t begin, end;
    uint64_t *sum;
} part;

typedef struct fan {
    part whole;
    uint32_t count;
    uint64_t sums[FAN];
} fan;

static void visit(svs_async_context *async, void *argument);

static void spread(svs_async_context *async, void *argument) {
    fan *f = argument;
    uint32_t leaves = f->whole.end - f->whole.begin;
    for (uint32_t i = 0; i < f->count; i++) {
        part one = {f->whole.skew, f->whole.begin + (uint32_t)((uint64_t)leaves * i / f->count),
                    f->whole.begin + (uint32_t)((uint64_t)leaves * (i + 1) / f->count),
                    &f->sums[i]};
        svs_async(async, visit, &one, sizeof one);
    }
}

static void visit(svs_async_context *async, void *argument) {
    part p = *(const part *)argument;
    uint32_t leaves = p.end - p.begin;
    fan f = {p, leaves < FAN ? leaves : FAN, {0}};
    uint64_t sum = 0;
    if (leaves == 1) {
        uint64_t *value = &p.skew->values[p.begin];
        *value = work(*value, rounds_of(p.skew, p.begin) / SWEEPS);
        *p.sum = *value;
        return;
    }
    svs_finish(async, spread, &f);
    for (uint32_t i = 0; i < f.count; i++) sum += f.sums[i];
    *p.sum = sum;
}

#if defined(SVS_SERIAL_ELISION)
void skew_iterate_serially(svs_async_context *async, void *argument) {
#else
void skew_iterate(svs_async_context *async, void *argument) {
#endif
    skew *s = argument;
    part whole = {s, 0, s->leaves, &s->sum};
    for (int i = 0; i < SWEEPS; i++) visit(async, &whole);
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
