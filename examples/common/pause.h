/* cpu_pause(): the processor's hint for a spin loop. */
#ifndef EXAMPLES_COMMON_PAUSE_H
#define EXAMPLES_COMMON_PAUSE_H

static inline void cpu_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield" ::: "memory");
#endif
}

#endif
