/* Libraries without instrumentation: their variables, and their reference counts.
 *
 * dpst.X8. Accesses to a thread-local variable of another library than the accessing code are not
 *     compared. The library has one for each thread, and the tasks that a thread runs in turn may
 *     share it: errno, for example, and the variable by which std::call_once() passes its function.
 *     A thread-local variable of the program may carry data from task to task and is compared. The
 *     libraries considered are those loaded with the program. (not asserted: a policy about
 *     libraries)
 * dpst.X9. While a check is on, every library treats the process as multi-threaded. With one worker
 *     it would be single-threaded, and inline code of C++ headers would count references without
 *     atomics, unlike with several workers. (not asserted: a property of the C library) */
#include "base/modules.h"
#include "dpst/shadow/spd3.h"
#include <stddef.h>

/* ---- thread-local variables (dpst.X8) ---- */

/* Modules loaded with the program. Modules loaded later place their thread-local variables wherever
 * there is room. The loader is asked once, before main(). `variables` is an offset from
 * svs__check_self, which is the same in each thread. */
#define MODULES_MAX 64u
static svs__module modules[MODULES_MAX];
static uint32_t module_count;

__attribute__((constructor)) static void note_modules(void) {
    module_count = svs__modules_list(modules, MODULES_MAX);
    for (uint32_t i = 0; i < module_count; i++) modules[i].variables -= (uintptr_t)&svs__check_self;
}

bool svs__check_is_of_library(uintptr_t address, const void *pc) {
    uintptr_t at = address - (uintptr_t)&svs__check_self;
    for (uint32_t i = 0; i < module_count; i++) {
        const svs__module *m = &modules[i];
        if (at - m->variables < m->bytes) return (uintptr_t)pc - m->low >= m->high - m->low;
    }
    return false;
}

/* ---- counting (dpst.X9) ---- */

/* exists in glibc 2.32 and later */
extern char single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

void svs__libraries_expect_threads(void) {
    if (&single_threaded != NULL) single_threaded = 0;
}
