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

/* @param top aligned to 16 bytes. */
bool svs__switch_call(void **from, void *top, void (*run)(void *argument), void *argument);
void svs__switch_to(void **from, void *to);

/* svs__switch_to() as inline code. After a switch by a call, the return addresses differ from the
 * last calls, so a processor predicts neither the return of svs__switch_to() nor that of its
 * caller; it does predict an inline jump. The saved state is the same, but in the caller's frame,
 * and the first register is the stack pointer. Registers that a caller saves anyway are left to the
 * compiler; here those exclude AVX-512 and x87 registers. (The unwind tables are the caller's: they
 * are wrong for the first and the last instruction.) */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(SVS_SWITCH_UCONTEXT) &&                   \
    !defined(__CET__) && !defined(__AVX512F__)
static inline __attribute__((always_inline)) void svs__switch_in_line(void **from, void *to) {
    void *saved[7]; /* r15 r14 r13 r12 rbx rbp, return address */
    void **state = saved;
    __asm__ volatile("movq %[state], (%[from])\n\t"
                     "movq %%rsp, 0(%[state])\n\t"
                     "movq %%rbx, 32(%[state])\n\t"
                     "movq %%rbp, 40(%[state])\n\t"
                     "leaq 1f(%%rip), %%rcx\n\t"
                     "movq %%rcx, 48(%[state])\n\t"
                     "movq 0(%[to]), %%r15\n\t"
                     "movq 8(%[to]), %%r14\n\t"
                     "movq 16(%[to]), %%r13\n\t"
                     "movq 24(%[to]), %%r12\n\t"
                     "movq 32(%[to]), %%rbx\n\t"
                     "movq 40(%[to]), %%rbp\n\t"
                     "movq 48(%[to]), %%rcx\n\t"
                     /* the result of a svs__switch_call() that this switch ends */
                     "movl $1, %%eax\n\t"
                     "leaq 56(%[to]), %%rsp\n\t"
                     "jmpq *%%rcx\n"
                     "1:\n\t"
                     "movq %%r15, %%rsp"
                     : [state] "+D"(state), [to] "+S"(to), [from] "+d"(from)
                     :
                     : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
                       "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                       "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
}
#else
#define svs__switch_in_line svs__switch_to
#endif

#endif
