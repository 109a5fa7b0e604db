/* Internals of task types, for the macros of <svs/task.h> and the inline functions of
 * <svs/footprint.h>: loops over many instances, into which the compiler inlines a program's touch
 * and run functions. Do not use them directly: everything here may change with each minor version,
 * and a library ignores the loops of another SVS__LOOPS_VERSION.
 *
 * A loop over touch functions writes *elements*, the key and mode of each access, in place of
 * accesses. It hands its touch function a footprint of the form SVS__FOOTPRINT_KEYS, the first
 * part of a svs__keys. The loop stops at an instance with an access that is invalid, or that
 * is more than one element. For that instance the library calls the touch function with an ordinary
 * footprint. While no link can change, a loop also follows links for one hop.
 *
 * A second loop chooses the colours of a window (sched/domain/window/window.h) directly. In a world
 * with more objects than a cache holds, another loop fetches objects into the caches: those of some
 * candidates before their colours are chosen, and while a body runs, those of the next one. */
#ifndef SVS_DETAIL_LOOPS_H
#define SVS_DETAIL_LOOPS_H

#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

#define SVS__LOOPS_VERSION 12u

/* Forms of a footprint of a loop: it collects elements, finds their colours, only checks that each
 * access is one element, or only fetches objects into the caches. The form of any other footprint,
 * an array of accesses, is 0. */
#define SVS__FOOTPRINT_KEYS 1u
#define SVS__FOOTPRINT_COLOURS 2u
#define SVS__FOOTPRINT_LOOK 3u
#define SVS__FOOTPRINT_FETCH 4u

typedef struct svs__key_element {
    uint32_t key;
    uint32_t mode;
} svs__key_element;

#define SVS__HEADER_FREED 4u /* in `reach`: the object was freed */

/* The links of the objects of a type. */
typedef struct svs__key_links {
    const ptrdiff_t *fields; /* offset of each link from the header of its own struct */
    const uint32_t *headers; /* offset of the header in the struct that it points to */
    uint32_t count;
} svs__key_links;

/* In place of a NULL object, so that a loop need not branch: it is never plain. */
static const svs_object svs__no_object = {0, UINT16_MAX, UINT16_MAX, 0};

/* A word of a window's table has the number of the window in its upper 16 bits, then a bit for each
 * colour of a reader, then a bit for each colour of a writer. */
#define SVS__COLOUR_BITS 24

/* the maximum number of elements of one mode of an instance that gets its colour in a loop */
#define SVS__COLOURED 16u

/* The input of a loop that chooses colours, and its state for one instance. */
typedef struct svs__colouring {
    uint64_t *table;
    uint64_t number;
    uint64_t open;  /* colours that have room */
    void ***ends;   /* ends of the items of each colour so far */
    uint32_t shift; /* shift from a hash to its word */

    uint64_t odd;                      /* not 0: some access of the instance is not one element */
    uint64_t count[2];                 /* its elements so far, by mode, */
    uint64_t used[2];                  /* the colours in their words, */
    uint64_t places[2][SVS__COLOURED]; /* and the places of these in the table */
} svs__colouring;

/* `footprint.status` when a loop has stopped: */
#define SVS__KEYS_ODD 1  /* the loop has stopped at an access that is not one element */
#define SVS__KEYS_FULL 2 /* the loop has stopped because there is no room for the elements */

#define SVS__LOOP_AHEAD 4u /* number of items that are prefetched before they run */

/* The first fields of a svs_context. */
typedef struct svs__loop_head {
    const void *item; /* the item of the running instance */
    uint32_t used;    /* not 0: the end of the instance has work to undo */
    void *argument;   /* the argument of the instance's task, while an instance runs */
} svs__loop_head;

/* The library's part of a running loop. The pointers do not change. */
typedef struct svs__loop {
    /* not 0: while a body runs, the objects of the next one are fetched; then `between` is 0 */
    uint32_t fetches;
    uint32_t between; /* the fields below are tested after each between + 1 bodies; 2^n - 1 */
    const uint32_t *cancelled; /* not 0: no further instance begins */
    const uint64_t *attached;  /* more than one bit: the worker asks whether its turn is over */
} svs__loop;

#if defined(__GNUC__) && !defined(SVS_CHECKED) && !defined(SVS_EXPLORE) && !defined(SVS_SCAN)
#define SVS__HAS_LOOPS 1
#define SVS__READ_NOW(from) __atomic_load_n((from), __ATOMIC_RELAXED)
#define SVS__FETCH(what) __builtin_prefetch(what)
/* Inlines the touch function into the loop, so that the kind of footprint is a constant there. */
#define SVS__WHOLE __attribute__((flatten))
#else
#define SVS__HAS_LOOPS 0
#endif

SVS_END_DECLARATIONS
#endif
