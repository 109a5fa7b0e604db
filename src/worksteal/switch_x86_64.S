/* svs__switch_call and svs__switch_to for x86-64, System V ABI (switch.h).
 *
 * The saved state, from the address in *from: r15 r14 r13 r12 rbx rbp, return address. The unwind
 * tables locate these at each instruction, on either stack. */
#if defined(__x86_64__) && !defined(SVS_SWITCH_UCONTEXT)
#if defined(__CET__)
#define LANDING endbr64
#else
#define LANDING
#endif

    .macro save
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    movq %rsp, (%rdi)
    .endm

    .macro restore
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    .endm

    .text
    .p2align 4
    .globl svs__switch_call
    .hidden svs__switch_call
    .type svs__switch_call, @function
svs__switch_call:
    .cfi_startproc
    .cfi_signal_frame /* tells gdb that the caller's stack is another one, above or below */
    LANDING
    save
    movq %rsp, %rbx /* callee-saved, so the called function preserves it */
    .cfi_def_cfa rbx, 56
    movq %rsi, %rsp
    movq %rcx, %rdi
    callq *%rdx
    movq %rbx, %rsp
    .cfi_def_cfa rsp, 56
    xorl %eax, %eax
    restore
    ret
    .cfi_endproc
    .size svs__switch_call, . - svs__switch_call

    .p2align 4
    .globl svs__switch_to
    .hidden svs__switch_to
    .type svs__switch_to, @function
svs__switch_to:
    .cfi_startproc
    LANDING
    save
    movq %rsi, %rsp
    movl $1, %eax /* for a switch_call that ends here */
    restore
    ret
    .cfi_endproc
    .size svs__switch_to, . - svs__switch_to
#endif

#if defined(__linux__)
    .section .note.GNU-stack, "", @progbits
#endif
