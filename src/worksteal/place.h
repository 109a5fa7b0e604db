/* A place: a stack to switch to, with the data about it that the sanitizers need.
 *
 *     svs__place_call(&mine, &other, top, run, argument);   // in run, first: svs__place_arrive()
 *     svs__place_switch(&mine, &other);
 *
 * AddressSanitizer needs the bounds of each stack and each switch, ThreadSanitizer a fiber object
 * for each stack; without them a place is a saved stack pointer. LeakSanitizer scans only the
 * stacks that threads are on when the process ends; all others are registered as its root regions,
 * so that memory that is reachable from them is no leak. */
#ifndef SVS_WORKSTEAL_PLACE_H
#define SVS_WORKSTEAL_PLACE_H

#include "base/program.h"
#include "worksteal/switch.h"

#if defined(__SANITIZE_ADDRESS__)
#define SVS__ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SVS__ADDRESS_SANITIZER 1
#endif
#endif
#if defined(SVS__ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
/* Are stacks reported to ThreadSanitizer, as its fibers? A library without ThreadSanitizer's
 * instrumentation reports them too, to the ThreadSanitizer of the program. */
#if defined(SVS__THREAD_SANITIZER)
#define SVS__PLACE_HAS_FIBER() true
#else
#define SVS__PLACE_HAS_FIBER() SVS__PROGRAM_IS_SANITIZED()
#endif

typedef struct svs__place {
    void *sp; /* saved stack pointer */
#if defined(SVS__ADDRESS_SANITIZER)
    const void *low;
    size_t bytes;
    void *fake; /* AddressSanitizer's fake stack for this one */
#endif
    /* ThreadSanitizer's fibers: `fiber` is the one that was left last, with which this place
     * continues; `own_fiber` is the one that was made for the place's stack. They differ where the
     * place was left from another stack: a rank under sim is left from the stack of one of its
     * threads. Every build has these fields: the sanitizer may be that of the program, and tests of
     * a race check are compiled with its instrumentation while the library is not. */
    void *fiber, *own_fiber;
    uint32_t abandoned; /* number of calls on this stack whose frames ThreadSanitizer still lists */
} svs__place;

/* Attaches the place to the calling thread's own stack; detaches it. */
void svs__place_of_thread(svs__place *place);
void svs__place_detach(svs__place *place);
/* Makes a place of a mapped stack: `bytes` bytes that begin at `low`. svs__place_clean_up() must be
 * called before the memory of the stack is released. */
void svs__place_init(svs__place *place, void *low, size_t bytes);
void svs__place_clean_up(svs__place *place);
/* Called after the function that svs__place_call() has called has left the stack by a switch, from
 * its own frame or from a callee's. The frames on the stack are abandoned, and the next call begins
 * on an empty stack. */
void svs__place_abandon(svs__place *place, void *low, size_t bytes);

static inline void svs__place_leaving(svs__place *from, svs__place *to, bool forever) {
    (void)from, (void)to, (void)forever;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(forever ? NULL : &from->fake, to->low, to->bytes);
#endif
    if (SVS__PLACE_HAS_FIBER()) {
        from->fiber = svs__program_fiber_self();
        if (to->fiber == NULL) to->fiber = to->own_fiber = svs__program_fiber_new();
        svs__program_fiber_switch(to->fiber);
    }
}

/* Called after a switch back to `place`. */
static inline void svs__place_back(svs__place *place) {
    (void)place;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(place->fake, NULL, NULL);
#endif
}

/* Called first by a function that runs on a new stack after svs__place_call(). */
static inline void svs__place_arrive(void) {
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}

/* Called last by that function, before it returns to `to`. (ThreadSanitizer attributes the return
 * itself to the called function's stack, so it is notified after the return.) */
static inline void svs__place_return(const svs__place *to) {
    (void)to;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(NULL, to->low, to->bytes);
#endif
}

static inline bool svs__place_call(svs__place *from, svs__place *to, void *top,
                                   void (*run)(void *argument), void *argument) {
    bool resumed;
    svs__place_leaving(from, to, false);
    resumed = svs__switch_call(&from->sp, top, run, argument);
    if (SVS__PLACE_HAS_FIBER() && !resumed) svs__program_fiber_switch(from->fiber);
    svs__place_back(from);
    return resumed;
}

static inline void svs__place_switch(svs__place *from, svs__place *to, bool forever) {
    svs__place_leaving(from, to, forever);
    svs__switch_to(&from->sp, to->sp);
    svs__place_back(from);
}

/* svs__place_switch() by an inline jump (switch.h). */
static inline void svs__place_jump(svs__place *from, svs__place *to) {
    svs__place_leaving(from, to, false);
    svs__switch_in_line(&from->sp, to->sp);
    svs__place_back(from);
}

#endif
