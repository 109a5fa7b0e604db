/* The library's synchronization, as a program's ThreadSanitizer has to see it.
 *
 * A program that is compiled with -fsanitize=thread links the library as it is packaged, without
 * instrumentation. The sanitizer then sees no synchronization of the library, but it sees the
 * program's accesses, and memory functions that the library calls. Therefore the library tells it
 * where a thread leaves the library for the program's code, and comes back:
 *
 *     svs__program_enter();    // what left the program before happens before this
 *     task->run(context, item);
 *     svs__program_leave();
 *
 * base.E1. A thread calls enter and leave in turn. Between leave and enter, accesses are the
 *     library's, and the sanitizer ignores them. (not asserted: the state is the sanitizer's;
 *     tests/tsan has programs that it must find correct)
 * base.E2. Two parts of the program that do not overlap in time are ordered, because each of them
 *     acquires and releases one variable. So the sanitizer reports no two instances that the
 *     library keeps apart; it reports instances that overlap and access the same bytes. The race
 *     check covers all schedules. (not asserted: as base.E1)
 *
 * Without the sanitizer the symbols are absent, and each call is a comparison and a branch. A
 * library that is built with the sanitizer shows its own synchronization: there, the calls do
 * nothing.
 *
 * Threads: any. */
#ifndef SVS_BASE_PROGRAM_H
#define SVS_BASE_PROGRAM_H

#include "base/atomic.h"
#include "base/check.h"
#include <svs/status.h>

#if defined(SVS__THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(SVS__THREAD_SANITIZER) || defined(SVS_EXPLORE) || !defined(__GNUC__)
#define SVS__PROGRAM_IS_UNSEEN 1
#define SVS__PROGRAM_IS_SANITIZED() false
#else
extern void svs__tsan_acquire(void *place) __asm__("__tsan_acquire") __attribute__((weak));
/* Does the process contain ThreadSanitizer? */
#define SVS__PROGRAM_IS_SANITIZED() SVS__UNLIKELY(svs__tsan_acquire != NULL)
#endif

SVS__COLD void svs__program_enter_slow(void);
SVS__COLD void svs__program_leave_slow(void);
SVS__COLD void svs__program_publish_slow(void);
SVS__COLD void svs__program_receive_slow(void);
SVS__COLD void svs__program_ignore_slow(bool begins);

static inline void svs__program_enter(void) {
    if (SVS__PROGRAM_IS_SANITIZED()) svs__program_enter_slow();
}

static inline void svs__program_leave(void) {
    if (SVS__PROGRAM_IS_SANITIZED()) svs__program_leave_slow();
}

/* SVS__PROGRAM_CALL(result =, f(x)) calls f(x) between enter and leave, at the cost of one
 * branch. */
#define SVS__PROGRAM_CALL(result, call)                                                            \
    do {                                                                                           \
        if (SVS__PROGRAM_IS_SANITIZED()) {                                                         \
            svs__program_enter_slow();                                                             \
            result call;                                                                           \
            svs__program_leave_slow();                                                             \
        } else result call;                                                                        \
    } while (0)

/* Called in the program's code: its accesses so far happen before those of threads that enter
 * later. */
static inline void svs__program_publish(void) {
    if (SVS__PROGRAM_IS_SANITIZED()) svs__program_publish_slow();
}

/* The accesses of threads that have left or published before happen before the caller's next
 * ones. */
static inline void svs__program_receive(void) {
    if (SVS__PROGRAM_IS_SANITIZED()) svs__program_receive_slow();
}

/* Begins or ends a section whose accesses are the library's own, and not the program's. Sections
 * nest. */
static inline void svs__program_ignore(bool begins) {
    if (SVS__PROGRAM_IS_SANITIZED()) svs__program_ignore_slow(begins);
}

/* The operations on the sanitizer's fibers (worksteal/place.h). An instrumented library calls the
 * sanitizer directly: a function of the library would begin on one fiber and end on another. */
#if defined(SVS__THREAD_SANITIZER)
#define svs__program_fiber_new() __tsan_create_fiber(0)
#define svs__program_fiber_self() __tsan_get_current_fiber()
#define svs__program_fiber_free(fiber) __tsan_destroy_fiber(fiber)
#define svs__program_fiber_switch(fiber) __tsan_switch_to_fiber((fiber), 0)
#else
void *svs__program_fiber_new(void);
void *svs__program_fiber_self(void);
void svs__program_fiber_free(void *fiber);
SVS__COLD void svs__program_fiber_switch(void *fiber);
#endif

#endif
