#include "worksteal/seat.h"

enum { FREE, TAKEN, KEEPS };

static bool take(svs__worker *seat, uint32_t state) {
    /* relaxed is enough: the test only saves a write. */
    if (svs__load_relaxed(&seat->seated) != state) return false;
    /* [worksteal.K1] acquire: sees the worker as the last thread left it; pairs with
     * svs__seat_leave(). */
    return svs__cas_strong_acquire(&seat->seated, &state, TAKEN);
}

static svs__worker *take_any(svs_runtime *runtime, uint32_t state) {
    for (uint32_t i = 0; i < runtime->seats; i++)
        if (take(&runtime->workers[i], state)) return &runtime->workers[i];
    return NULL;
}

static void count_taken(svs_runtime *runtime) {
    /* relaxed: the compare-exchange decides */
    uint32_t wanted = svs__load_relaxed(&runtime->wanted);
    while (wanted != 0 && !svs__cas_weak_relaxed(&runtime->wanted, &wanted, wanted - 1)) {}
    /* release: a thread that sees this one seated no longer counts it as on its way; pairs with
     * svs__runtime_want_help(). */
    (void)svs__fetch_add_release(&runtime->seated, 1);
    /* [worksteal.K3] forbids: a thread makes work and loads `wanted` as it was, and the search that
     * follows this misses the work. */
    svs__fence_seq(&runtime->wanted);
}

svs__worker *svs__seat_take_kept(svs_runtime *runtime) {
    svs__worker *seat;
    /* [worksteal.K2] relaxed is enough: the caller has executed a fence, or takes the number as a
     * hint. */
    if (SVS__LIKELY(svs__load_relaxed(&runtime->kept) == 0)) return NULL;
    seat = take_any(runtime, KEEPS);
    if (seat == NULL) return NULL;
    (void)svs__fetch_sub_relaxed(&runtime->kept, 1); /* relaxed: `kept` is a hint */
    return seat;
}

svs__worker *svs__seat_take(svs_runtime *runtime) {
    svs__worker *seat = svs__seat_take_kept(runtime);
    if (seat == NULL) seat = take_any(runtime, FREE);
    if (seat != NULL) count_taken(runtime);
    return seat;
}

bool svs__seat_is_free(svs_runtime *runtime) {
    /* [worksteal.P2] relaxed is enough: the caller has executed the fence in prepare. */
    for (uint32_t i = 0; i < runtime->seats; i++)
        if (svs__load_relaxed(&runtime->workers[i].seated) != TAKEN) return true;
    return false;
}

/* Is there work, at any worker or in a job? */
static bool has_work(svs_runtime *runtime) {
    for (uint32_t i = 0; i < runtime->options.threads; i++)
        if (svs__deque_look(&runtime->workers[i].deque) != 0) return true;
    return svs__jobs_ready(&runtime->jobs, 0);
}

void svs__seat_put_back(svs__worker *seat) {
    svs_runtime *runtime = seat->runtime;
    bool keeps = seat->keeps != 0;
    SVS__ASSERT(svs__load_relaxed(&seat->seated) == TAKEN); /* worksteal.K1 */
    /* relaxed: the fences of the wake-ups */
    if (keeps) (void)svs__fetch_add_relaxed(&runtime->kept, 1);
    /* [worksteal.K1] release: pairs with take(). */
    svs__store_release(&seat->seated, keeps ? KEEPS : FREE);
    svs__parking_wake(&runtime->waiting, UINT32_MAX);    /* worksteal.R2 */
    svs__parking_wake(&runtime->parking, keeps ? 2 : 1); /* worksteal.R3, worksteal.K2 */
    if (runtime->options.help_wanted != NULL && (keeps || has_work(runtime)))
        svs__runtime_want_help(runtime, 1);
}

void svs__seat_leave(svs__worker *seat) {
    /* [worksteal.K3] relaxed is enough: the fences of the wake-ups follow. */
    (void)svs__fetch_sub_relaxed(&seat->runtime->seated, 1);
    svs__seat_put_back(seat);
}
