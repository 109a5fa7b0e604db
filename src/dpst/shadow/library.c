/* Libraries that are not instrumented: their own variables, and how they count references.
 *
 * dpst.X8. A thread-local variable of another library than the code that accesses it belongs
 *     to that library, which has one for each thread because tasks of one thread may share it one
 *     after the other: errno, for example, and what std::call_once() hands on. A variable of the
 *     program's own may carry data from task to task, and is compared. Libraries are those that are
 *     loaded with the program. (not asserted: a policy about libraries)
 * dpst.X9. While a check is on, no library takes the process for a single-threaded one: with
 *     one worker it would be one, and inline code of headers would count references without
 *     atomics, unlike with more workers. (not asserted: a property of the C library) */
#include "base/modules.h"
#include "dpst/shadow/spd3.h"
#include <stddef.h>

/* ---- thread-local variables (dpst.X8) ---- */

/* Those that have been loaded with the program: of others, threads have the variables wherever
 * there is room. The loader is asked once, before main(). `variables` count from svs__check_self
 * on: alike in each thread. */
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

/* glibc 2.32 and later have it. */
extern char single_threaded __asm__("__libc_single_threaded") __attribute__((weak));

void svs__libraries_expect_threads(void) {
    if (&single_threaded != NULL) single_threaded = 0;
}
