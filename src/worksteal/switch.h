/* Switching stacks: the one thing that C cannot say (findings: work-first in a plain C library).
 *
 *     svs__switch_call(&from->sp, top, run, argument);   // run(argument) on the stack below top
 *     svs__switch_to(&from->sp, to->sp);                 // go on where `to` was left
 *
 * Both save what a function call must preserve on the current stack and leave its address in
 * `*from`. switch_call returns false when `run` has returned, and true when somebody has switched
 * to what it left; switch_to returns then, only. The second half may run on another thread:
 * whatever belongs to the thread must be read again.
 *
 * In assembly for x86-64 and aarch64, by ucontext elsewhere (or with SVS_SWITCH_UCONTEXT). The
 * floating-point environment (rounding, traps) is the thread's, and is not switched. */
#ifndef SVS_WORKSTEAL_SWITCH_H
#define SVS_WORKSTEAL_SWITCH_H

#include <stdbool.h>

/* @param top 16-aligned. */
bool svs__switch_call(void **from, void *top, void (*run)(void *argument), void *argument);
void svs__switch_to(void **from, void *to);

#endif
