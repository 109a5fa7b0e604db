#include "worksteal/meter.h"
#include "base/platform.h"

#define ROUNDS 32u
#define LOOKS 128u

/* The cost of one reading of the clock: the minimum of several means, as the thread may be
 * preempted during some. */
static uint64_t clock_cost(void) {
    uint64_t least = UINT64_MAX;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t begin = svs__time_ns(), cost;
        for (uint32_t i = 1; i < LOOKS; i++) (void)svs__time_ns();
        cost = (svs__time_ns() - begin) / LOOKS;
        least = least < cost ? least : cost;
    }
    return least;
}

/* Adds the time since the last reading to work and span. */
static void look(svs__meter *meter) {
    uint64_t now = svs__time_ns(), gone = now - meter->then;
    gone -= gone < meter->sum.clock_ns ? gone : meter->sum.clock_ns;
    meter->sum.work_ns += gone;
    meter->span += gone;
    meter->then = svs__time_ns();
}

void svs__meter_begin(svs__meter *meter) {
    meter->sum = (svs_measure){0, 0, 0, clock_cost()};
    meter->span = 0;
    meter->then = svs__time_ns();
}

void svs__meter_end(svs__meter *meter) {
    look(meter);
    meter->sum.span_ns = meter->span;
}

svs__slot *svs__meter_spawn(svs__meter *meter, svs_async_context *async, svs__slot *base) {
    uint64_t spawned;
    look(meter);
    meter->sum.asyncs++;
    if (async->head == base) { /* the first async of this finish, or since its last wait */
        base->ordinal = 0;
        async->head = base + 1;
    }
    spawned = meter->span;
    meter->slot.run(async, &meter->slot, async->head); /* copies the arguments first */
    look(meter);
    if (base->ordinal < meter->span) base->ordinal = meter->span;
    meter->span = spawned;
    return async->head;
}

void svs__meter_drain(svs__meter *meter, svs_async_context *async, svs__slot *base) {
    look(meter);
    if (meter->span < base->ordinal) meter->span = base->ordinal;
    async->head = base;
}
