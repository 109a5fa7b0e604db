/* Stack switches, the one operation that C cannot express.
 *
 *     svs__switch_call(&from->sp, top, run, argument);   // run(argument) on the stack below top
 *     svs__switch_to(&from->sp, to->sp);                 // resume `to`
 *
 * Both save the callee-saved registers on the current stack and store their address in `*from`.
 * switch_call returns false when `run` has returned, and true when a switch_to has resumed the
 * saved state; switch_to returns only when it is resumed. Either may return on another thread: what
 * belongs to the thread must be read again.
 *
 * In assembly for x86-64 and aarch64, by ucontext elsewhere (or with SVS_SWITCH_UCONTEXT). The
 * floating-point environment (rounding, traps) is the thread's, and is not switched. */
#ifndef SVS_WORKSTEAL_SWITCH_H
#define SVS_WORKSTEAL_SWITCH_H

#include <stdbool.h>
#include <svs/status.h>

/* @param top 16-aligned. */
SVS_API bool svs__switch_call(void **from, void *top, void (*run)(void *argument), void *argument);
SVS_API void svs__switch_to(void **from, void *to);

#endif
