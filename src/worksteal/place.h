/* A stack to run on, as the switches and the sanitizers know it.
 *
 *     svs__place_call(&mine, &other, top, run, argument);   // in run, first: svs__place_arrive()
 *     svs__place_switch(&mine, &other);
 *
 * AddressSanitizer wants to know the bounds of each stack and of each switch, ThreadSanitizer a
 * fiber for each stack; without them a place is a saved stack pointer. LeakSanitizer looks at the
 * stack that a thread is on at the process' end, and is told of all the others, so that what is
 * reached from them does not count as lost. */
#ifndef SVS_WORKSTEAL_PLACE_H
#define SVS_WORKSTEAL_PLACE_H

#include "base/atomic.h"
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
#if defined(SVS__THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

typedef struct svs__place {
    void *sp; /* where it was left */
#if defined(SVS__ADDRESS_SANITIZER)
    const void *low;
    size_t bytes;
    void *fake; /* its frames that AddressSanitizer keeps elsewhere */
#endif
    /* ThreadSanitizer's. In each build, since tests of a race check are compiled with its
     * instrumentation, and the library is not: both must agree on the layout. */
    void *fiber;
} svs__place;

/* The calling thread's own stack; nobody's any more. */
void svs__place_of_thread(svs__place *place);
void svs__place_of_nobody(svs__place *place);
/* A stack of ours, of `bytes` from `low`; clean_up before its memory goes. */
void svs__place_init(svs__place *place, void *low, size_t bytes);
void svs__place_clean_up(svs__place *place);
/* What ran there has been left for ever; the next call begins anew. */
void svs__place_abandon(svs__place *place, void *low, size_t bytes);

static inline void svs__place_leaving(svs__place *from, const svs__place *to, bool forever) {
    (void)from, (void)to, (void)forever;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(forever ? NULL : &from->fake, to->low, to->bytes);
#endif
#if defined(SVS__THREAD_SANITIZER)
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
}

/* The other side of a switch. */
static inline void svs__place_back(svs__place *place) {
    (void)place;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(place->fake, NULL, NULL);
#endif
}

/* The first thing on a stack after svs__place_call(). */
static inline void svs__place_arrive(void) {
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}

/* The last thing before what was called returns to `to`. (ThreadSanitizer counts the return itself
 * to the stack that is left, so it hears of the switch after.) */
static inline void svs__place_return(const svs__place *to) {
    (void)to;
#if defined(SVS__ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(NULL, to->low, to->bytes);
#endif
}

static inline bool svs__place_call(svs__place *from, const svs__place *to, void *top,
                                   void (*run)(void *argument), void *argument) {
    bool resumed;
    svs__place_leaving(from, to, false);
    resumed = svs__switch_call(&from->sp, top, run, argument);
#if defined(SVS__THREAD_SANITIZER)
    if (!resumed) __tsan_switch_to_fiber(from->fiber, 0);
#endif
    svs__place_back(from);
    return resumed;
}

static inline void svs__place_switch(svs__place *from, const svs__place *to, bool forever) {
    svs__place_leaving(from, to, forever);
    svs__switch_to(&from->sp, to->sp);
    svs__place_back(from);
}

#endif
