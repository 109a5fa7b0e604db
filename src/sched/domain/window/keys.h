/* Computes the elements of up to SVS__KEYED candidates of a window per call, with the loop that
 * SVS_TASK generated or, without one, by calling the touch function (sched.W14). */
#ifndef SVS_SCHED_DOMAIN_WINDOW_KEYS_H
#define SVS_SCHED_DOMAIN_WINDOW_KEYS_H

#include "memobj/addresses.h"
#include "sched/domain/instance/context.h"

#define SVS__KEYED 128u          /* instances at once */
#define SVS__KEYED_ELEMENTS 512u /* of all of them; one element has the same layout in both forms */

_Static_assert(sizeof(svs__element) == sizeof(svs__key_element) &&
                   offsetof(svs__element, key) == offsetof(svs__key_element, key) &&
                   offsetof(svs__element, mode) == offsetof(svs__key_element, mode),
               "the loops of task types write elements");

typedef struct svs__keyed {
    uint32_t count;            /* instances */
    uint32_t odd;              /* of them are neither plain nor, if these are wanted, walked */
    uint32_t walked;           /* of them are walked */
    bool all_write;            /* all are plain, and each of their elements is written */
    uint32_t used;             /* elements of all of them */
    uint32_t ends[SVS__KEYED]; /* of the elements of each, or one of the numbers below */
    svs__element elements[SVS__KEYED_ELEMENTS];
} svs__keyed;

#define SVS__WALKED (UINT32_MAX - 1) /* of one that is walked, where these are not wanted */
#define SVS__ODD UINT32_MAX          /* of any other that is not plain */

/* What a loop of a task's type is handed: for elements from `next` on, before `end`. */
static inline svs__keys svs__keys_into(const svs__set *set, const svs_task *task,
                                       svs__key_element *next, svs__key_element *end) {
    uint32_t world = (uint32_t)set->world->index << 16;
    return (svs__keys){{NULL, 0, 0, SVS_OK, SVS__FOOTPRINT_KEYS, task->argument},
                       next,
                       end,
                       0,
                       {set->plain_types[0] | world, set->plain_types[1] | world},
                       SVS__ADDRESSES_ARE_KNOWN,
                       set->world,
                       NULL,
                       0,
                       0,
                       {0}};
}

/* Fills in the elements of items, which are of one task. `walked`: also of those that are walked.
 * @return of how many: at least one, and at most SVS__KEYED. */
uint32_t svs__window_keys(svs__keyed *keyed, svs_context *context, void *const *items,
                          uint32_t count, bool walked);

/* Looks at items of one task, by the loop of its type. @return whether all are plain; if there is
 * no such loop, that is not known. Then no access of them is refused until an object is freed. */
bool svs__window_are_plain(svs_context *context, void *const *items, uint32_t count);

/* Looks at one item, whether it is plain or not. The context's set is overwritten. */
svs__sight svs__window_look(svs_context *context, const void *item);

#endif
