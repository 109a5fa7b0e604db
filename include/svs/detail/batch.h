/* Internals of task types, for the macros of <svs/task.h> and the inline functions of
 * <svs/footprint.h>: loops over many instances, into which the compiler inlines a program's touch
 * and run functions. Do not use them directly: everything here may change with each minor version,
 * and a library ignores the loops of another SVS__BATCH_VERSION.
 *
 * A loop over touch functions writes *elements*, the key and mode of each access, in place of
 * accesses. It hands its touch function a footprint with the capacity SVS__FOOTPRINT_KEYS, the
 * first part of a svs__keys. At an instance with an access that comes to more than one element, or
 * that is wrong, the loop stops, and the library calls the touch function once more, with an
 * ordinary footprint. */
#ifndef SVS_DETAIL_BATCH_H
#define SVS_DETAIL_BATCH_H

#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

#define SVS__BATCH_VERSION 3u

/* Of a footprint that collects elements, or only looks whether each access is one; no array of
 * accesses has these capacities. */
#define SVS__FOOTPRINT_KEYS UINT32_MAX
#define SVS__FOOTPRINT_LOOK (UINT32_MAX - 1)

typedef struct svs__key_element {
    uint32_t key;
    uint32_t mode;
} svs__key_element;

/* `footprint.status` when a loop has stopped: */
#define SVS__KEYS_ODD 1  /* at an access that is not one element */
#define SVS__KEYS_FULL 2 /* as there is no room for the elements */

#define SVS__LOOP_AHEAD 4u /* items to fetch before they are run */

/* The begin of a context. */
typedef struct svs__loop_head {
    const void *item; /* of the instance that runs */
    uint32_t used;    /* not 0: the instance has done something that its end undoes */
    void *argument;   /* of its task, while one runs */
} svs__loop_head;

/* The library's part of a running loop; the pointers stay what they are. */
typedef struct svs__loop {
    uint32_t between;          /* bodies between two looks at the following, less 1: 2^n - 1 */
    const uint32_t *cancelled; /* not 0: no further instance begins */
    const uint64_t *attached;  /* more than one bit: the worker asks whether its turn is over */
} svs__loop;

#if defined(__GNUC__) && !defined(SVS_CHECKED) && !defined(SVS_EXPLORE) && !defined(SVS_SCAN)
#define SVS__HAS_BATCH 1
#define SVS__READ_NOW(from) __atomic_load_n((from), __ATOMIC_RELAXED)
#define SVS__FETCH(what) __builtin_prefetch(what)
/* The touch function becomes part of the loop: then the compiler knows the kind of footprint. */
#define SVS__WHOLE __attribute__((flatten))
#else
#define SVS__HAS_BATCH 0
#endif

SVS_END_DECLARATIONS
#endif
