/* Internals of task types, for the macros of <svs/task.h> and the inline functions of
 * <svs/footprint.h>: loops over many instances, into which the compiler inlines a program's touch
 * and run functions. Do not use them directly: everything here may change with each minor version,
 * and a library ignores the loops of another SVS__LOOPS_VERSION.
 *
 * A loop over touch functions writes *elements*, the key and mode of each access, in place of
 * accesses. It hands its touch function a footprint with the capacity SVS__FOOTPRINT_KEYS, the
 * first part of a svs__keys. At an instance with an access that comes to more than one element, or
 * that is wrong, the loop stops, and the library calls the touch function once more, with an
 * ordinary footprint.
 *
 * Another loop gives the colours of a window (sched/domain/window/window.h) at once, if all
 * elements are indices and addresses. Keys of objects are in their headers: a short loop that does
 * nothing else reads many of these at once. */
#ifndef SVS_DETAIL_LOOPS_H
#define SVS_DETAIL_LOOPS_H

#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

#define SVS__LOOPS_VERSION 4u

/* Of a footprint that collects elements, finds their colours, or only looks whether each access is
 * one element; no array of accesses has these capacities, of which LOOK is the least. */
#define SVS__FOOTPRINT_KEYS UINT32_MAX
#define SVS__FOOTPRINT_COLOURS (UINT32_MAX - 1)
#define SVS__FOOTPRINT_LOOK (UINT32_MAX - 2)

typedef struct svs__key_element {
    uint32_t key;
    uint32_t mode;
} svs__key_element;

/* A word of a window's table has the window's number in 16 bits, the colours of readers, and those
 * of writers, in the low end. */
#define SVS__COLOUR_BITS 24

#define SVS__COLOURED 4u /* elements of an instance that gets its colour in a loop, at most */

/* What a loop that gives colours is handed, and what it knows of an instance. */
typedef struct svs__colouring {
    uint64_t *table;
    uint64_t number;
    uint64_t open;  /* colours that have room */
    void ***ends;   /* of the items of each colour so far */
    uint32_t shift; /* of a hash, to its word */
    uint32_t count; /* the instance's elements so far, */
    uint64_t used;  /* the colours that these must not get, */
    uint64_t *words[SVS__COLOURED];
    uint32_t modes[SVS__COLOURED];
} svs__colouring;

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
