#include "common/padded_lock.h"

#include <stdint.h>
#include <stdlib.h>

void padded_lock_init(padded_lock *lock, lock_kind kind, const native_lock *native) {
    lock->kind = kind;
    switch (kind) {
    case LOCK_PTHREAD: pthread_mutex_init(&lock->as.mutex, NULL); return;
    case LOCK_SPIN: atomic_init(&lock->as.held, false); return;
    case LOCK_SHARED: atomic_init(&lock->as.holders, 0); return;
    case LOCK_NATIVE:
        lock->as.native.functions = native;
        native->init(lock->as.native.room);
        return;
    }
}

void padded_lock_clean_up(padded_lock *lock) {
    if (lock->kind == LOCK_PTHREAD) pthread_mutex_destroy(&lock->as.mutex);
    if (lock->kind == LOCK_NATIVE) lock->as.native.functions->clean_up(lock->as.native.room);
}

padded_lock *padded_locks_new(size_t count, lock_kind kind, const native_lock *native) {
    if (!count || count > SIZE_MAX / sizeof(padded_lock)) return NULL;
    padded_lock *locks = aligned_alloc(_Alignof(padded_lock), count * sizeof *locks);
    for (size_t i = 0; locks && i < count; i++) padded_lock_init(&locks[i], kind, native);
    return locks;
}

void padded_locks_free(padded_lock *locks, size_t count) {
    for (size_t i = 0; locks && i < count; i++) padded_lock_clean_up(&locks[i]);
    free(locks);
}
