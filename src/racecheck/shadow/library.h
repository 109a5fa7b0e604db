/* What libraries that are not instrumented do behind a step's back, and how a check is kept from
 * taking it for the program's.
 *
 * racecheck.X8. A thread-local variable of another library than the code that accesses it is that
 *     library's business: it has one for each thread because tasks of one thread may share it one
 *     after the other. So it is with errno, and with what std::call_once() hands on. A variable of
 *     the program's own may carry something from task to task, and is compared. Libraries are those
 *     that are loaded with the program. (not asserted: a policy about libraries)
 * racecheck.X9. While a check is on, no library takes the process for one of a single thread: with
 *     one worker it would be one, and code of headers would then count references without atomics,
 *     which another number of workers would not do. (not asserted: a property of the C library)
 *
 * Threads: any. */
#ifndef SVS_RACECHECK_SHADOW_LIBRARY_H
#define SVS_RACECHECK_SHADOW_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* By racecheck.X8: is this in a thread-local variable of the calling thread's, of another library
 * than the code at `pc`? */
bool svs__check_is_of_library(uintptr_t address, const void *pc);

/* By racecheck.X9: a check begins. */
void svs__libraries_expect_threads(void);

#endif
