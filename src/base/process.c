#include "base/process.h"
#include "base/check.h"
#include <pthread.h>

/* Capacity of each list. A call that exceeds it fails a check: raise the capacity when a caller is
 * added. */
#define SLOTS 8

uint32_t svs__process_forks;

static svs__lock lists_lock; /* the first lock that a fork acquires */
static svs__lock *guarded[SLOTS];
static void (*called[SLOTS])(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void) {
    svs__lock_acquire(&lists_lock);
    for (int i = 0; i < SLOTS && guarded[i] != NULL; i++) svs__lock_acquire(guarded[i]);
}

static void after_fork(void) {
    for (int i = SLOTS; i-- > 0;)
        if (guarded[i] != NULL) svs__lock_release(guarded[i]);
    svs__lock_release(&lists_lock);
}

static void in_child(void) {
    svs__process_forks++;
    after_fork();
    for (int i = SLOTS; i-- > 0;)
        if (called[i] != NULL) called[i]();
}

static void begin(void) { (void)pthread_atfork(before_fork, after_fork, in_child); }

void svs__process_guard(svs__lock *lock) {
    int i = 0;
    (void)pthread_once(&once, begin);
    svs__lock_acquire(&lists_lock);
    while (i < SLOTS && guarded[i] != NULL && guarded[i] != lock) i++;
    SVS__CHECK(i < SLOTS);
    guarded[i] = lock;
    svs__lock_release(&lists_lock);
}

void svs__process_on_fork(void (*function)(void)) {
    int i = 0;
    (void)pthread_once(&once, begin);
    svs__lock_acquire(&lists_lock);
    while (i < SLOTS && called[i] != NULL && called[i] != function) i++;
    SVS__CHECK(i < SLOTS);
    called[i] = function;
    svs__lock_release(&lists_lock);
}
