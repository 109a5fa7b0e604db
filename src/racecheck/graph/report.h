/* What was found of graphs' instances: counted, put into words, and reported.
 *
 *     finding ---> count: is it the first of its kind? ---> words ---> options.found()
 *
 * Threads: any. */
#ifndef SVS_RACECHECK_GRAPH_REPORT_H
#define SVS_RACECHECK_GRAPH_REPORT_H

#include "racecheck/graph/page.h"

enum {
    SVS__WHY_UNDECLARED,
    SVS__WHY_READ_ONLY,
    SVS__WHY_RAW_LINK,
    SVS__WHY_IMMUTABLE,
    SVS__WHY_WORKER
};

typedef struct svs__graph_finding {
    int verdict, why;
    uintptr_t address;
    size_t bytes;
    bool owned;
    bool shared;      /* an owner keeps the two apart, and not something else that both declare */
    svs__owner owner; /* a copy */
    uint8_t mode;     /* what this instance has declared of it */
    uint8_t other_mode;
    svs__entry other;
} svs__graph_finding;

/* By the instance that the thread runs. */
void svs__graph_report(svs__check_thread *self, const svs__graph_finding *finding,
                       const svs__touch *touch);

/* The index of the element that was touched. */
static inline uint64_t svs__finding_index(const svs__graph_finding *f) {
    const svs__owner *owner = &f->owner;
    uint64_t elements = owner->stride != 0 ? (f->address - owner->begin) / owner->stride : 0;
    return owner->index + elements;
}

static inline const char *svs__instance_task(const svs__instance *instance) {
    return instance->run->names[instance->task];
}

/* ---- counts (count.c) ---- */

/* @param guard what keeps the two apart, unless the bytes have an owner; NULL: it is not known.
 * @return whether it is to be reported. */
bool svs__graph_count(const svs__graph_finding *f, const svs__instance *t,
                      const svs__declared *guard);
void svs__graph_counts_reset(void);
/* In the child of a fork: as svs__graph_abandon(). */
void svs__graph_counts_abandon(void);
void svs__graph_counts_add(svs_check_summary *summary);
/* There is no memory for an object or a run: what is done to it, or in it, is not judged. */
void svs__graph_lose(void);

/* ---- words (words.c) ---- */

#define SVS__GRAPH_TEXT 768

/* The name of an object or a range that was declared; NULL: it has none. */
const char *svs__graph_name_of(const svs__declared *declared);
/* All that the instances have declared, as far as there is room; `other` may be NULL. */
void svs__graph_tell_declared(const svs__instance *instance, const svs__instance *other,
                              char text[SVS__GRAPH_TEXT]);
/* What to do about it. */
void svs__graph_tell_cure(svs__instance *instance, const svs__graph_finding *f, bool write,
                          char text[SVS__GRAPH_TEXT]);

#endif
