/* The end of a check, and the end of the process where no handler of exit() runs: what was found
 * must be reported before (self.h). */
#include "base/sized.h"
#include "dpst/report/self.h"
#include "dpst/report/start.h"
#include <stdlib.h>
#include <unistd.h>

/* ---- checks ---- */

WRAP(svs_status, svs_check_stop_sized,
     (svs_runtime * runtime, svs_check_summary *summary, size_t size)) {
    svs_check_summary counted;
    svs_status status = svs__real_svs_check_stop_sized(runtime, &counted, sizeof counted);
    if (status != SVS_OK) return status;
    svs__check_stopped(runtime, &counted);
    if (summary != NULL) svs__output_put(summary, size, &counted, sizeof counted);
    return status;
}

/* ---- the process ---- */

/* The thread that is in exit(). A second thread in exit() would find no handlers left to call, and
 * would end the process while the first one is still reporting. */
static _Atomic(const void *) leaving;

void svs__check_exit_reset(void) {
    svs__store_relaxed(&leaving, NULL); /* relaxed is enough: there is no other thread */
}

WRAP(_Noreturn void, exit, (int status)) {
    const void *self = &svs__check_self, *first = NULL;
    /* relaxed is enough: nothing is passed on. A handler may call exit() itself. */
    while (!svs__cas_strong_relaxed(&leaving, &first, self) && first != self) {
        first = NULL;
        (void)pause();
    }
    svs__real_exit(status);
}

WRAP(_Noreturn void, abort, (void)) {
    (void)svs__check_report();
    svs__real_abort();
}

WRAP(_Noreturn void, __assert_fail,
     (const char *text, const char *file, unsigned line, const char *function)) {
    (void)svs__check_report();
    svs__real___assert_fail(text, file, line, function);
}

/* No handler runs here, but races still change the status. */
WRAP(_Noreturn void, _exit, (int status)) {
    int races = svs__check_report();
    svs__real__exit(races != 0 ? races : status);
}
