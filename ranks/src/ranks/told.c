/* The function that is called at each event, for one observer or several (ranks.V4). */
#include "ranks/observe.h"
#include <string.h>

/* ---- no observer has a function for an event of fibers ---- */

static void no_created(const svs_observed_fiber *fiber, void *argument) {
    (void)fiber, (void)argument;
}
static void no_enabled(const svs_observed_fiber *fiber, svs_fiber by, void *argument) {
    (void)fiber, (void)by, (void)argument;
}
static void no_end(const svs_observed_fiber *fiber, bool continues, void *argument) {
    (void)fiber, (void)continues, (void)argument;
}

static void fill_events_of_fibers(svs_ranks_observer *told) {
    if (told->fiber_created == NULL) told->fiber_created = no_created;
    if (told->fiber_enabled == NULL) told->fiber_enabled = no_enabled;
    if (told->fiber_begins == NULL) told->fiber_begins = no_created;
    if (told->fiber_ends == NULL) told->fiber_ends = no_end;
}

/* ---- several observers: functions that call those of all; their argument is the rank ---- */

#define EACH(event, arguments)                                                                     \
    for (const svs__rank_observer *one = ((const svs_ranks *)ranks)->observers; one != NULL;       \
         one = one->next)                                                                          \
        if (one->told.event != NULL) one->told.event arguments

static void fiber_created(const svs_observed_fiber *fiber, void *ranks) {
    EACH(fiber_created, (fiber, one->told.argument));
}
static void fiber_enabled(const svs_observed_fiber *fiber, svs_fiber by, void *ranks) {
    EACH(fiber_enabled, (fiber, by, one->told.argument));
}
static void fiber_begins(const svs_observed_fiber *fiber, void *ranks) {
    EACH(fiber_begins, (fiber, one->told.argument));
}
static void fiber_ends(const svs_observed_fiber *fiber, bool continues, void *ranks) {
    EACH(fiber_ends, (fiber, continues, one->told.argument));
}
static void handler_begins(const svs_observed_records *records, void *ranks) {
    EACH(handler_begins, (records, one->told.argument));
}
static void handler_ends(const svs_observed_records *records, void *ranks) {
    EACH(handler_ends, (records, one->told.argument));
}
static void category_changed(uint16_t before, uint16_t now, void *ranks) {
    EACH(category_changed, (before, now, one->told.argument));
}
static void idle_begins(void *ranks) { EACH(idle_begins, (one->told.argument)); }
static void idle_ends(void *ranks) { EACH(idle_ends, (one->told.argument)); }
static void waits(const svs_observed_fiber *fiber, svs_wait_kind kind, void *ranks) {
    EACH(waits, (fiber, kind, one->told.argument));
}
static void packet_sent(uint32_t to, svs_packet_rule rule, uint32_t records, size_t bytes,
                        void *ranks) {
    EACH(packet_sent, (to, rule, records, bytes, one->told.argument));
}
static void packet_received(uint32_t from, uint32_t records, size_t bytes, void *ranks) {
    EACH(packet_received, (from, records, bytes, one->told.argument));
}
static void collective_begins(svs_collective_kind kind, const char *name, void *ranks) {
    EACH(collective_begins, (kind, name, one->told.argument));
}
static void collective_ends(svs_collective_kind kind, const char *name, void *ranks) {
    EACH(collective_ends, (kind, name, one->told.argument));
}
static void snapshot(svs_snapshot_step step, const char *name, void *ranks) {
    EACH(snapshot, (step, name, one->told.argument));
}

static const svs_ranks_observer all = {
    sizeof all,      fiber_created,     fiber_enabled,   fiber_begins, fiber_ends, handler_begins,
    handler_ends,    category_changed,  idle_begins,     idle_ends,    waits,      packet_sent,
    packet_received, collective_begins, collective_ends, snapshot,     NULL};

/* ---- the functions of an observer, as an array ---- */

#define FIRST offsetof(svs_ranks_observer, fiber_created)
#define EVENTS ((offsetof(svs_ranks_observer, argument) - FIRST) / sizeof(svs__event))

typedef void (*svs__event)(void);
static_assert(FIRST + EVENTS * sizeof(svs__event) == offsetof(svs_ranks_observer, argument),
              "events are pointers to functions");

static void read_events(svs__event *events, const svs_ranks_observer *of) {
    memcpy(events, (const unsigned char *)of + FIRST, EVENTS * sizeof *events);
}

/* Whether an observer has a function for the event. */
static bool has_function(const svs_ranks *ranks, size_t event) {
    for (const svs__rank_observer *one = ranks->observers; one != NULL; one = one->next) {
        svs__event events[EVENTS];
        read_events(events, &one->told);
        if (events[event] != NULL) return true;
    }
    return false;
}

void svs__told_update(svs_ranks *ranks) {
    const svs__rank_observer *first = ranks->observers;
    svs_ranks_observer *told = &ranks->told;
    svs__event events[EVENTS];
    *told = all;
    told->argument = ranks;
    if (first != NULL && first->next == NULL) *told = first->told;
    read_events(events, told);
    ranks->observed = false;
    for (size_t i = 0; i < EVENTS; i++) {
        if (has_function(ranks, i)) ranks->observed = true;
        else events[i] = NULL;
    }
    memcpy((unsigned char *)told + FIRST, events, sizeof events);
    if (ranks->observed) fill_events_of_fibers(told);
    SVS__ASSERT(!ranks->observed || first != NULL);               /* ranks.V4 */
    SVS__ASSERT(!ranks->observed || told->fiber_created != NULL); /* ranks.V4 */
}
