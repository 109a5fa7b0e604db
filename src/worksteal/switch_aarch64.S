/* svs__switch_call and svs__switch_to for aarch64, AAPCS64 (switch.h).
 *
 * The saved state, from the address in *from: x29 x30, x19 to x28, d8 to d15. */
#if defined(__aarch64__) && !defined(SVS_SWITCH_UCONTEXT)
    .macro save
    stp x29, x30, [sp, #-160]!
    .cfi_def_cfa_offset 160
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    stp x19, x20, [sp, #16]
    .cfi_rel_offset x19, 16
    .cfi_rel_offset x20, 24
    stp x21, x22, [sp, #32]
    .cfi_rel_offset x21, 32
    .cfi_rel_offset x22, 40
    stp x23, x24, [sp, #48]
    .cfi_rel_offset x23, 48
    .cfi_rel_offset x24, 56
    stp x25, x26, [sp, #64]
    .cfi_rel_offset x25, 64
    .cfi_rel_offset x26, 72
    stp x27, x28, [sp, #80]
    .cfi_rel_offset x27, 80
    .cfi_rel_offset x28, 88
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    .endm

    .macro restore
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    .cfi_def_cfa_offset 0
    .endm

    .text
    .p2align 4
    .globl svs__switch_call
    .hidden svs__switch_call
    .type svs__switch_call, %function
svs__switch_call:
    .cfi_startproc
    .cfi_signal_frame /* tells gdb that the caller's stack is another one, above or below */
    hint #34 /* bti c */
    save
    mov x19, sp /* callee-saved, so the called function preserves it */
    .cfi_def_cfa x19, 160
    mov sp, x1
    mov x0, x3
    blr x2
    mov sp, x19
    .cfi_def_cfa sp, 160
    mov w0, #0
    restore
    ret
    .cfi_endproc
    .size svs__switch_call, . - svs__switch_call

    .p2align 4
    .globl svs__switch_to
    .hidden svs__switch_to
    .type svs__switch_to, %function
svs__switch_to:
    .cfi_startproc
    hint #34
    save
    mov sp, x1
    mov w0, #1 /* for a switch_call that ends here */
    restore
    ret
    .cfi_endproc
    .size svs__switch_to, . - svs__switch_to
#endif

#if defined(__linux__)
    .section .note.GNU-stack, "", %progbits
#endif
