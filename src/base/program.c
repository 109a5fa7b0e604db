#include "base/program.h"

#if defined(SVS__PROGRAM_IS_UNSEEN)

/* Never called, because SVS__PROGRAM_IS_SANITIZED() is false. */
void svs__program_enter_slow(void) {}
void svs__program_leave_slow(void) {}
void svs__program_publish_slow(void) {}
void svs__program_receive_slow(void) {}
void svs__program_ignore_slow(bool begins) { (void)begins; }

#if !defined(SVS__THREAD_SANITIZER)
void *svs__program_fiber_new(void) { return NULL; }
void *svs__program_fiber_self(void) { return NULL; }
void svs__program_fiber_free(void *fiber) { (void)fiber; }
void svs__program_fiber_switch(void *fiber) { (void)fiber; }
#endif

#else

#define OF_SANITIZER(name) __asm__("__tsan_" #name) __attribute__((weak))
void svs__tsan_release(void *place) OF_SANITIZER(release);
void svs__tsan_ignore_begin(void) OF_SANITIZER(ignore_thread_begin);
void svs__tsan_ignore_end(void) OF_SANITIZER(ignore_thread_end);
void *svs__tsan_fiber_new(unsigned flags) OF_SANITIZER(create_fiber);
void *svs__tsan_fiber_self(void) OF_SANITIZER(get_current_fiber);
void svs__tsan_fiber_free(void *fiber) OF_SANITIZER(destroy_fiber);
void svs__tsan_fiber_switch(void *fiber, unsigned flags) OF_SANITIZER(switch_to_fiber);

static char everything; /* the variable of base.E2: it stands for all memory */

void svs__program_ignore_slow(bool begins) {
    if (begins) svs__tsan_ignore_begin();
    else svs__tsan_ignore_end();
}

void svs__program_enter_slow(void) {
    svs__tsan_ignore_end();
    svs__tsan_acquire(&everything);
}

void svs__program_leave_slow(void) {
    svs__tsan_release(&everything);
    svs__tsan_ignore_begin();
}

void svs__program_publish_slow(void) { svs__tsan_release(&everything); }
void svs__program_receive_slow(void) { svs__tsan_acquire(&everything); }

void *svs__program_fiber_new(void) { return svs__tsan_fiber_new(0); }
void *svs__program_fiber_self(void) { return svs__tsan_fiber_self(); }
void svs__program_fiber_free(void *fiber) { svs__tsan_fiber_free(fiber); }
void svs__program_fiber_switch(void *fiber) { svs__tsan_fiber_switch(fiber, 0); }

#endif
