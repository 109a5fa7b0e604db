#include "worksteal/runtime.h"
#include "worksteal/search.h"

static bool take_seat(svs_runtime *runtime) {
    uint32_t empty = 0;
    /* acquire: sees worker 0 as the last participant left it; pairs with the release in
     * leave_seat(). */
    return svs__cas_strong_acquire(&runtime->seat, &empty, 1);
}

static void leave_seat(svs_runtime *runtime) {
    svs__store_release(&runtime->seat, 0);
    svs__parking_wake(&runtime->waiting, UINT32_MAX); /* worksteal.R2 */
    svs__runtime_notify(runtime, 1);                  /* worksteal.R3 */
}

static void work_in_seat(svs_runtime *runtime, const svs__until *until) {
    svs__worker *before = svs__worker_self();
    svs__worker_become(&runtime->workers[0]);
    svs__place_of_thread(&runtime->workers[0].home);
    svs__worker_run(&runtime->workers[0], until);
    svs__stack_return_all(&runtime->stacks, &runtime->workers[0].stacks); /* worksteal.T3 */
    svs__worker_become(before);
}

void svs__runtime_participate(svs_runtime *runtime, bool (*done)(void *argument), void *argument) {
    svs__until until = {done, argument};
    while (!done(argument)) {
        uint32_t epoch;
        if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
        if (take_seat(runtime)) {
            work_in_seat(runtime, &until);
            leave_seat(runtime);
            return;
        }
        epoch = svs__parking_prepare(&runtime->waiting);
        /* [worksteal.P2] relaxed: after the fence in prepare. */
        if (done(argument) || svs__load_relaxed(&runtime->seat) == 0)
            svs__parking_cancel(&runtime->waiting);
        else svs__parking_commit(&runtime->waiting, epoch);
    }
}
