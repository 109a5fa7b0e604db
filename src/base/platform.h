/* The operating system's services: threads, futexes, the clock, the number of CPUs, stacks.
 *
 * All waits, sleeps, readings of the clock and thread creations of the library go through here.
 *
 * A waiter sleeps on a futex word while the word has a given value; a waker changes the word first
 * and wakes afterwards:
 *
 *     while (svs__load_acquire(&word) == 0) svs__futex_wait(&word, 0);
 *     svs__store_release(&word, 1); svs__futex_wake(&word, UINT32_MAX);
 *
 * A wait may return spuriously: always wait in a loop. A wake-up uses the address only and does not
 * access the word, which may have been freed by then.
 *
 * Threads: everything here may be called from any thread. */
#ifndef SVS_BASE_PLATFORM_H
#define SVS_BASE_PLATFORM_H

#include "base/atomic.h"
#include <pthread.h>
#include <sched.h>
#include <svs/status.h>

/* Least distance in bytes between two fields that different threads write. */
#define SVS__CACHE_LINE 64

/* An attribute of a thread-local variable that is read often: its address is found without a call.
 * The library has few and small thread-local variables, so that a process may load it at run time
 * (tests/embed/tls.cmake). */
#if defined(__GNUC__)
#define SVS__TLS_NEAR __attribute__((tls_model("initial-exec")))
#else
#define SVS__TLS_NEAR
#endif

typedef struct svs__thread {
    pthread_t handle;
} svs__thread;

/* Starts a thread. @param stack_bytes the size of its stack; 0: the system's default; values below
 * the system's minimum mean the minimum.
 * @return SVS_OK, SVS_E_THREAD. */
svs_status svs__thread_create(svs__thread *thread, void *(*run)(void *), void *argument,
                              size_t stack_bytes);
void svs__thread_join(svs__thread *thread);

/* Names the calling thread NAME-NUMBER for debuggers and profilers, where the system can. */
void svs__thread_name(const char *name, uint32_t number);

/* The calling thread's index among the workers of a runtime; SVS_NO_WORKER (UINT32_MAX) before it
 * is set. It is passed to the allocator. */
uint32_t svs__thread_index(void);
void svs__thread_index_set(uint32_t index);
/* A number that identifies the calling thread among the live threads; not 0. Inline, because each
 * assignment of a link outside of a body calls it. */
#if defined(SVS_EXPLORE)
uintptr_t svs__thread_id(void);
#else
/* the value of svs__thread_index() */
extern _Thread_local uint32_t svs__thread_number SVS__TLS_NEAR;
static inline uintptr_t svs__thread_id(void) { return (uintptr_t)&svs__thread_number; }
#endif

/* Sleeps if `*word` is `expected`, until woken. */
void svs__futex_wait(_Atomic(uint32_t) *word, uint32_t expected);
/* svs__futex_wait() for about `ns` nanoseconds at most (timed.c). */
void svs__futex_wait_for(_Atomic(uint32_t) *word, uint32_t expected, uint64_t ns);
/* Wakes at most `count` threads that sleep on `word`. */
void svs__futex_wake(_Atomic(uint32_t) *word, uint32_t count);

/* Maps memory for a stack: `bytes` bytes (whole pages) above a guard page, which faults when
 * touched. @return the lowest byte above the guard page, or NULL. */
void *svs__stack_map(size_t bytes);
void svs__stack_unmap(void *low, size_t bytes);

/* Nanoseconds of a monotonic clock. */
SVS_API uint64_t svs__time_ns(void);
/* CPU time of the calling thread, in nanoseconds. */
uint64_t svs__thread_cpu_ns(void);

/* The number of CPUs that the calling thread may use (at least 1), and the number that the machine
 * has. */
uint32_t svs__cpu_count(void);
uint32_t svs__cpus_online(void);

/* svs__relax() tells the CPU that this is a spin loop; svs__yield() lets another thread have the
 * CPU. */
#if defined(SVS_EXPLORE)
void svs__relax(void);
void svs__yield(void);
#else
static inline void svs__relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ __volatile__("yield" ::: "memory");
#endif
}
static inline void svs__yield(void) { (void)sched_yield(); }
#endif

#endif
