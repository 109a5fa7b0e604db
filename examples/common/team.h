/* Teams: the threads that run the loops of an engine with locks, with the team's native lock. One
 * kind is the pool of parallel.h; the others belong to other libraries (bench/engines). */
#ifndef EXAMPLES_COMMON_TEAM_H
#define EXAMPLES_COMMON_TEAM_H

#include "common/native_lock.h"
#include "common/parallel.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct team_kind {
    const char *absent; /* why it cannot be had; NULL: it can */
    /* `threads` in all, the caller included. NULL: no memory or no thread to be had. */
    void *(*open)(unsigned threads);
    /* Runs a loop with the contract of parallel_for(). */
    void (*loop)(void *team, size_t count, size_t chunk, parallel_function *fn, void *argument);
    void (*close)(void *team); /* NULL is allowed */
    const native_lock *lock;   /* NULL: it brings none */
} team_kind;

extern const team_kind team_pthreads;

#if defined(__cplusplus)
}
#endif
#endif
