/* Computes the elements of up to SVS__KEYED candidates of a window per call, with the loop that
 * SVS_TASK generated or, without one, by calling the touch function (sched.W14). */
#ifndef SVS_SCHED_DOMAIN_WINDOW_KEYS_H
#define SVS_SCHED_DOMAIN_WINDOW_KEYS_H

#include "memobj/addresses.h"
#include "sched/domain/instance/context.h"

#define SVS__KEYED 128u /* the maximum number of instances that are computed at once */
/* the maximum number of their elements; svs__element and svs__key_element have the same layout */
#define SVS__KEYED_ELEMENTS 512u

_Static_assert(sizeof(svs__element) == sizeof(svs__key_element) &&
                   offsetof(svs__element, key) == offsetof(svs__key_element, key) &&
                   offsetof(svs__element, mode) == offsetof(svs__key_element, mode),
               "the loops of task types write elements");

typedef struct svs__keyed {
    uint32_t count; /* number of instances */
    /* number of instances that are not plain or, if walked ones are wanted as well, neither plain
     * nor walked */
    uint32_t odd;
    bool walks;                /* an instance is walked and was wanted */
    bool all_write;            /* none is odd, and each of their elements is written */
    uint32_t used;             /* number of elements of all instances */
    uint32_t ends[SVS__KEYED]; /* end of each instance's elements, or one of the numbers below */
    svs__element elements[SVS__KEYED_ELEMENTS];
} svs__keyed;

#define SVS__WALKED (UINT32_MAX - 1) /* end of a walked instance, if walked ones are not wanted */
#define SVS__ODD UINT32_MAX          /* end of any other instance that is not plain */

/* The argument for a loop of a task's type that stores elements at `next` and the places after it,
 * before `end`. */
static inline svs__keys svs__keys_into(const svs__set *set, const svs_task *task,
                                       svs__key_element *next, svs__key_element *end) {
    uint32_t world = (uint32_t)set->world->index << 16;
    return (svs__keys){{NULL, 0, 0, SVS_OK, SVS__FOOTPRINT_KEYS, task->argument},
                       next,
                       end,
                       0,
                       {set->plain_types[0] | world, set->plain_types[1] | world},
                       SVS__ADDRESSES_ARE_KNOWN,
                       0,
                       NULL,
                       set->world,
                       NULL,
                       0,
                       0,
                       {0}};
}

/* In a large world (svs__world_is_large), fetches the headers of the objects that some items name.
 * The items are of one task. */
void svs__window_fetch(svs_context *context, void *const *items, uint32_t count);

/* Computes the elements of items, which are of one task. `walked`: elements of walked instances are
 * wanted as well. @return the number of items that were handled: at least one, and at most
 * SVS__KEYED. */
uint32_t svs__window_keys(svs__keyed *keyed, svs_context *context, void *const *items,
                          uint32_t count, bool walked);

/* Judges items of one task, by the loop of its type. @return true: all are plain, so that none of
 * their accesses is refused until an object is freed; false: this is not so, or there is no such
 * loop. */
bool svs__window_are_plain(svs_context *context, void *const *items, uint32_t count);

/* Judges one item, which may be plain or not. The call overwrites the context's set. */
svs__sight svs__window_look(svs_context *context, const void *item);

#endif
