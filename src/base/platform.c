#include "base/platform.h"
#include "base/check.h"
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && !defined(SVS__FUTEX_PORTABLE)
#include <linux/futex.h>
#include <sys/syscall.h>
#define FUTEX_SYSTEM 1
#endif

_Thread_local uint32_t svs__thread_number SVS__TLS_NEAR = UINT32_MAX;

uint32_t svs__thread_index(void) { return svs__thread_number; }
void svs__thread_index_set(uint32_t index) { svs__thread_number = index; }

/* A stack size that the system accepts: whole pages, and at least its minimum. */
static size_t stack_size(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    long smallest = sysconf(_SC_THREAD_STACK_MIN);
    if (smallest > 0 && bytes < (size_t)smallest) bytes = (size_t)smallest;
    return bytes > SIZE_MAX - page ? bytes : (bytes + page - 1) / page * page;
}

svs_status svs__thread_create(svs__thread *thread, void *(*run)(void *), void *argument,
                              size_t stack_bytes) {
    pthread_attr_t attributes;
    int failed;
    if (pthread_attr_init(&attributes) != 0) return SVS_E_THREAD;
    failed = stack_bytes != 0 && pthread_attr_setstacksize(&attributes, stack_size(stack_bytes));
    if (!failed) failed = pthread_create(&thread->handle, &attributes, run, argument);
    (void)pthread_attr_destroy(&attributes);
    return failed ? SVS_E_THREAD : SVS_OK;
}

void svs__thread_name(const char *name, uint32_t number) {
#if defined(__linux__)
    char text[16];
    (void)snprintf(text, sizeof text, "%s-%u", name, number);
    (void)pthread_setname_np(pthread_self(), text);
#else
    (void)name, (void)number;
#endif
}

void svs__thread_join(svs__thread *thread) { SVS__CHECK(pthread_join(thread->handle, NULL) == 0); }

#if defined(FUTEX_SYSTEM)

void svs__futex_wait(_Atomic(uint32_t) *word, uint32_t expected) {
    SVS__SHARED_ACCESS(word);
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void svs__futex_wake(_Atomic(uint32_t) *word, uint32_t count) {
    int most = count > INT_MAX ? INT_MAX : (int)count;
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

#else

/* One condition variable for all words: each wake-up wakes every sleeper, which the contract
 * permits. */
static pthread_mutex_t sleepers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleepers = PTHREAD_COND_INITIALIZER;

void svs__futex_wait(_Atomic(uint32_t) *word, uint32_t expected) {
    (void)pthread_mutex_lock(&sleepers_lock);
    /* relaxed: a waker acquires the lock after it has changed the word. So either the change is
     * visible here, or the wake-up comes after this thread has begun to wait. */
    if (svs__load_relaxed(word) == expected) (void)pthread_cond_wait(&sleepers, &sleepers_lock);
    (void)pthread_mutex_unlock(&sleepers_lock);
}

void svs__futex_wake(_Atomic(uint32_t) *word, uint32_t count) {
    (void)word;
    (void)count;
    (void)pthread_mutex_lock(&sleepers_lock);
    (void)pthread_cond_broadcast(&sleepers);
    (void)pthread_mutex_unlock(&sleepers_lock);
}

#endif

void *svs__stack_map(size_t bytes) {
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, guard + bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    if (mprotect(pages, guard, PROT_NONE) != 0) {
        (void)munmap(pages, guard + bytes);
        return NULL;
    }
    return pages + guard;
}

void svs__stack_unmap(void *low, size_t bytes) {
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    (void)munmap((char *)low - guard, guard + bytes);
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t svs__time_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t svs__thread_cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

uint32_t svs__cpus_online(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

uint32_t svs__cpu_count(void) {
#if defined(__linux__)
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 0)
        return (uint32_t)CPU_COUNT(&mine);
#endif
    return svs__cpus_online();
}
