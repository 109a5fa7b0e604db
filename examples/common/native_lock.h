/* A lock that another library brings (oneTBB's spin mutex, OpenMP's lock), as four functions over
 * storage of the caller's. */
#ifndef EXAMPLES_COMMON_NATIVE_LOCK_H
#define EXAMPLES_COMMON_NATIVE_LOCK_H

#define NATIVE_LOCK_ROOM 40 /* bytes of storage, aligned to 8 */

typedef struct native_lock {
    const char *name;
    void (*init)(void *room);
    void (*clean_up)(void *room);
    void (*acquire)(void *room);
    void (*release)(void *room);
} native_lock;

#endif
