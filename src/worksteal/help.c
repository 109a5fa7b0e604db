/* Threads of the program that help, and the calls that ask for them (seat.h, worksteal.K3). */
#include "base/program.h"
#include "worksteal/search.h"
#include "worksteal/seat.h"

typedef struct help {
    svs_runtime *runtime;
    uint64_t begin, ns_max;
    bool begun; /* is_over() has been called: it returns true at its second call at the earliest */
} help;

static bool is_over(void *argument) {
    help *h = argument;
    bool begun = h->begun;
    h->begun = true;
    return begun && (svs__time_ns() - h->begin >= h->ns_max || svs__seat_is_needed(h->runtime));
}

void svs__runtime_want_help(svs_runtime *runtime, uint32_t count) {
    /* [worksteal.K3] comes after the caller's fence. acquire: pairs with the release when a seat is
     * taken. */
    uint32_t seated = svs__load_acquire(&runtime->seated);
    /* relaxed: the compare-exchange decides */
    uint32_t wanted = svs__load_relaxed(&runtime->wanted), more;
    do {
        uint32_t coming = seated + wanted;
        more = coming < runtime->seats ? runtime->seats - coming : 0;
        if (more > count) more = count;
        if (more == 0) return;
    } while (!svs__cas_weak_relaxed(&runtime->wanted, &wanted, wanted + more));
    runtime->options.help_wanted(more, runtime->options.help_argument);
}

static svs_status refuse(const svs_runtime *runtime, svs_status status) {
    return svs__refuse(runtime == NULL ? NULL : &runtime->log, status, "svs_help: %s",
                       runtime == NULL ? "the runtime is missing: pass one"
                       : status == SVS_E_NESTED
                           ? "called from a body that runs on the runtime: return from the body"
                           : svs_status_text(status));
}

/* Has the runtime a seat for the calling thread? A thread that was asked for is counted, so it
 * always gets one; it leaves the seat after a turn. */
static bool is_free(svs_runtime *runtime) {
    return runtime->options.help_wanted != NULL || !svs__seat_is_needed(runtime);
}

/* Takes a seat under the runtime's lock, so that no stop comes between the test and the seat
 * (worksteal.R1). */
static svs_status take(svs_runtime *runtime, svs__worker **seat) {
    svs_status status = SVS_OK;
    svs__lock_acquire(&runtime->lock);
    if (runtime->state == SVS__STARTED) *seat = is_free(runtime) ? svs__seat_take(runtime) : NULL;
    else status = runtime->state == SVS__NEW ? SVS_E_NOT_STARTED : SVS_E_STOPPED;
    svs__lock_release(&runtime->lock);
    return status;
}

svs_status svs_help(svs_runtime *runtime, uint64_t ns_max, bool *worked) {
    help h = {runtime, svs__time_ns(), ns_max, false};
    const svs__until until = {is_over, &h, true, SVS__NO_DEADLINE, NULL};
    svs__worker *seat = NULL;
    bool any = false;
    svs_status status;
    if (worked != NULL) *worked = false;
    if (runtime == NULL) return refuse(NULL, SVS_E_NULL);
    if (svs__runtime_is_forked(runtime)) return refuse(runtime, SVS_E_FORKED);
    if (svs__worker_is_within(runtime)) return refuse(runtime, SVS_E_NESTED);
    status = take(runtime, &seat);
    if (status) return refuse(runtime, status);
    if (seat == NULL) return SVS_OK;
    svs__program_leave();
    any = svs__worker_run_in(seat, &until);
    svs__program_enter();
    svs__seat_leave(seat);
    if (worked != NULL) *worked = any;
    return SVS_OK;
}
