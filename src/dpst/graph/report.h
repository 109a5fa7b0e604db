/* Verdicts on instances: found piece by piece (judge.c), counted, put into words, and reported.
 *
 *     svs__graph_judge_alone(&piece, &findings);
 *     for each entry that is not before it: svs__graph_judge_pair(&piece, entry, &findings);
 *     finding ---> count: is it the first of its kind? ---> words ---> options.found()
 *
 * The access alone: is it declared? With an earlier one that nothing orders: does an object keep
 * the two apart?
 *
 * Threads: the one that runs the instance, which judges under the lock of the piece's page, and
 * reports after it has released that. */
#ifndef SVS_DPST_GRAPH_REPORT_H
#define SVS_DPST_GRAPH_REPORT_H

#include "dpst/graph/page.h"

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
    /* an owner keeps the two instances apart, not something else that both declare */
    bool shared;
    svs__owner owner; /* a copy of the owner, if the bytes have one */
    /* whether a touch function made one of the accesses, and which */
    enum { SVS__TOUCH_NONE, SVS__TOUCH_NOW, SVS__TOUCH_BEFORE } touch;
    uint8_t mode; /* mode in which this instance has declared it */
    uint8_t other_mode;
    svs__access_entry other;
} svs__graph_finding;

/* Reports a finding of the instance that the thread runs. */
void svs__graph_report(svs__check_thread *self, const svs__graph_finding *finding,
                       const svs__touch *touch);

/* The index of the element that was accessed. */
static inline uint64_t svs__finding_index(const svs__graph_finding *f) {
    const svs__owner *owner = &f->owner;
    uint64_t elements = owner->stride != 0 ? (f->address - owner->begin) / owner->stride : 0;
    return owner->index + elements;
}

static inline const char *svs__instance_task(const svs__instance *instance) {
    return instance->run->names[instance->task];
}

/* ---- counts (report.c) ---- */

/* Counts a finding. @param guard what keeps the two instances apart, if the bytes have no owner;
 * NULL: it is not known. @return whether the finding is to be reported. */
bool svs__graph_count(const svs__graph_finding *f, const svs__instance *t,
                      const svs__declared *guard);
/* Was it counted before that the schedule orders these two instances, kept apart by what both have
 * declared? The thread `self` runs `t`, and `kind` is that of `u`. */
bool svs__graph_is_told(const svs__check_thread *self, const svs__instance *t,
                        const svs__instance *u, uint64_t kind);
void svs__graph_counts_reset(void);
/* Called in the child of a fork, as svs__graph_abandon(). */
void svs__graph_counts_abandon(void);
void svs__graph_counts_add(svs_check_summary *summary);
/* Counts an object or a run for which there is no memory: accesses to it, or in it, are not
 * judged. */
void svs__graph_lose(void);

/* ---- words (words.c) ---- */

#define SVS__GRAPH_TEXT 768

/* The name of an object or a range that was declared; NULL: it has none. */
const char *svs__graph_name_of(const svs__declared *declared);
/* Writes what the instances have declared, as far as there is room; `other` may be NULL. */
void svs__graph_tell_declared(const svs__instance *instance, const svs__instance *other,
                              char text[SVS__GRAPH_TEXT]);
/* Writes the change of the program that would cure the finding. */
void svs__graph_tell_cure(svs__instance *instance, const svs__graph_finding *f, bool write,
                          char text[SVS__GRAPH_TEXT]);

/* ---- verdicts (judge.c) ---- */

/* Bytes of one block of eight, all with the same owners. */
typedef struct svs__piece {
    svs__check_thread *self;
    const svs__instance *instance;
    svs__owner *owners[SVS__OWNERS];
    uint32_t owner_count;
    uintptr_t block;
    uint8_t bytes; /* bytes of the block, one bit each */
    bool linked;
    const svs__address_bytes
        /* for bytes without an owner: the stretch that is not declared sufficiently, or NULL */
        *stretch;
    uint8_t stretch_mode;  /* mode in which the stretch is declared */
    bool is_workers;       /* all bytes of the access so far are private to the running worker */
    svs__access_entry now; /* the access, as it will be remembered */
} svs__piece;

/* maximal number of findings in eight bytes; further ones are not reported */
#define SVS__FINDINGS 32u

typedef struct svs__findings {
    svs__graph_finding items[SVS__FINDINGS];
    uint32_t count;
} svs__findings;

/* The address of the first one of these bytes of the piece's block. */
static inline uintptr_t svs__piece_address(const svs__piece *p, uint8_t bytes) {
    return p->block + (uintptr_t)__builtin_ctz(bytes);
}

void svs__graph_judge_alone(const svs__piece *p, svs__findings *f);
/* May there be a finding of two accesses, at least one of which writes? */
bool svs__graph_may_be_told(const svs__piece *p, const svs__access_entry *e);
/* Judges the piece with such an entry, whose access is not before that of the piece. */
void svs__graph_judge_pair(const svs__piece *p, const svs__access_entry *e, svs__findings *f);

#endif
