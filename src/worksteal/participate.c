#include "base/program.h"
#include "worksteal/search.h"
#include "worksteal/seat.h"

/* A participant and its place in the line for seats (worksteal.K4). */
typedef struct participant {
    svs_runtime *runtime;
    const svs__until *until;
    bool counted; /* it is counted in `needed` */
    bool begun;   /* leaves() was called since the participant has a seat */
    bool done;    /* the participant's condition was true */
} participant;

static bool is_done(participant *p) {
    return p->done || (p->done = p->until->done(p->until->argument));
}

static bool needs(const participant *p) {
    return p->counted || (p->until->needs != NULL && p->until->needs(p->until->argument));
}

/* Is the participant to leave its seat? It leaves when its condition is true, or for a thread that
 * needs a seat, but only after a turn: a run may have work for it alone, which waits with short
 * limits would otherwise never reach. */
static bool leaves(void *argument) {
    participant *p = argument;
    bool begun = p->begun;
    p->begun = true;
    return begun && (is_done(p) || svs__seat_is_needed(p->runtime));
}

static void count_in(participant *p) {
    p->counted = true;
    (void)svs__fetch_add_relaxed(&p->runtime->needed, 1); /* relaxed: the fence of the wake-up */
    svs__parking_wake(&p->runtime->parking, UINT32_MAX);  /* wakes threads that sleep in seats */
}

/* Called when the participant has a seat, or needs none any more. */
static void count_out(participant *p) {
    if (!p->counted) return;
    p->counted = false;
    (void)svs__fetch_sub_relaxed(&p->runtime->needed, 1); /* relaxed: the fence of the wake-up */
    svs__parking_wake(&p->runtime->waiting, UINT32_MAX);  /* the others may take seats again */
}

static svs__worker *take_seat(participant *p) {
    svs__worker *seat =
        p->counted || !svs__seat_is_needed(p->runtime) ? svs__seat_take(p->runtime) : NULL;
    if (seat != NULL) count_out(p);
    return seat;
}

/* Works in a seat, if it gets one. @return whether it had a seat. */
static bool work(participant *p) {
    svs__worker *seat = take_seat(p);
    svs__until until = *p->until;
    if (seat == NULL) return false;
    p->begun = false;
    until.done = leaves;
    until.argument = p;
    (void)svs__worker_run_in(seat, &until);
    svs__seat_leave(seat);
    return true;
}

static bool may_take_seat(const participant *p) {
    return svs__seat_is_free(p->runtime) && (p->counted || !svs__seat_is_needed(p->runtime));
}

static void sleep_without_seat(participant *p) {
    svs__parking *waiting = &p->runtime->waiting;
    uint32_t epoch;
    if (!p->counted && needs(p)) count_in(p);
    epoch = svs__parking_prepare(waiting);
    if (is_done(p) || may_take_seat(p) || (!p->counted && needs(p))) svs__parking_cancel(waiting);
    else svs__sleep_until(waiting, epoch, p->until->deadline_ns);
}

void svs__runtime_participate_until(svs_runtime *runtime, const svs__until *until) {
    participant p = {runtime, until, false, false, false};
    svs__program_leave();
    while (!is_done(&p)) {
        if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
        if (!work(&p)) sleep_without_seat(&p);
    }
    count_out(&p);
    svs__program_enter();
}

void svs__runtime_participate(svs_runtime *runtime, bool (*done)(void *argument), void *argument) {
    svs__runtime_participate_until(runtime,
                                   &(svs__until){done, argument, false, SVS__NO_DEADLINE, NULL});
}
