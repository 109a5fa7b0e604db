/* svs__switch_call and svs__switch_to by ucontext, where there is no assembly for them (switch.h).
 * Slower: each switch changes the signal mask by a system call. */
typedef int svs__switch_ucontext_is_not_empty;
#if defined(SVS_SWITCH_UCONTEXT) || !(defined(__x86_64__) || defined(__aarch64__))
#include "base/check.h"
#include "worksteal/switch.h"
#include <stdint.h>
#include <ucontext.h>

/* `*from` points to one of these, on the stack that was left. */
typedef struct place {
    ucontext_t context;
    volatile bool resumed; /* continued by switch_to, not by the return of `run` */
} place;

typedef struct call {
    void (*run)(void *argument);
    void *argument;
} call;

static void begin(unsigned high, unsigned low) {
    call c = *(call *)((uintptr_t)high << 16 << 16 | low);
    c.run(c.argument);
}

bool svs__switch_call(void **from, void *top, void (*run)(void *argument), void *argument) {
    place here = {.resumed = false};
    call c = {run, argument};
    ucontext_t there;
    enum { BELOW_TOP = 16384 }; /* the part of the stack that makecontext is passed */
    SVS__CHECK(getcontext(&there) == 0);
    there.uc_stack.ss_sp = (char *)top - BELOW_TOP;
    there.uc_stack.ss_size = BELOW_TOP;
    there.uc_link = &here.context;
    makecontext(&there, (void (*)(void))begin, 2, (unsigned)((uintptr_t)&c >> 16 >> 16),
                (unsigned)(uintptr_t)&c);
    *from = &here;
    SVS__CHECK(swapcontext(&here.context, &there) == 0);
    return here.resumed;
}

void svs__switch_to(void **from, void *to) {
    place here = {.resumed = false};
    *from = &here;
    ((place *)to)->resumed = true;
    SVS__CHECK(swapcontext(&here.context, &((place *)to)->context) == 0);
}
#endif
