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
    bool shared;      /* an owner keeps the two apart, and not something else that both declare */
    svs__owner owner; /* a copy */
    enum { SVS__TOUCH_NONE, SVS__TOUCH_NOW, SVS__TOUCH_BEFORE } touch; /* a touch function's */
    uint8_t mode; /* what this instance has declared of it */
    uint8_t other_mode;
    svs__access_entry other;
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

/* ---- counts (report.c) ---- */

/* @param guard what keeps the two apart, unless the bytes have an owner; NULL: it is not known.
 * @return whether it is to be reported. */
bool svs__graph_count(const svs__graph_finding *f, const svs__instance *t,
                      const svs__declared *guard);
/* Was an order of the two counted before, by what both have declared? `self` runs `t`, and `kind`
 * is that of `u`. */
bool svs__graph_is_told(const svs__check_thread *self, const svs__instance *t,
                        const svs__instance *u, uint64_t kind);
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
/* The change of the program that would cure it. */
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
    uint8_t bytes; /* one bit each */
    bool linked;
    const svs__address_bytes
        *stretch;          /* without an owner: of what is not declared enough, or NULL */
    uint8_t stretch_mode;  /* what is declared of it */
    bool is_workers;       /* all of the access so far is the running worker's own */
    svs__access_entry now; /* as it will be remembered */
} svs__piece;

#define SVS__FINDINGS 32u /* of eight bytes; further ones are not told */

typedef struct svs__findings {
    svs__graph_finding items[SVS__FINDINGS];
    uint32_t count;
} svs__findings;

/* The address of the first one of these bytes of the piece's block. */
static inline uintptr_t svs__piece_address(const svs__piece *p, uint8_t bytes) {
    return p->block + (uintptr_t)__builtin_ctz(bytes);
}

void svs__graph_judge_alone(const svs__piece *p, svs__findings *f);
/* Is there anything to find? At least one of the two writes. */
bool svs__graph_may_be_told(const svs__piece *p, const svs__access_entry *e);
/* Of such an entry, which is not before the access. */
void svs__graph_judge_pair(const svs__piece *p, const svs__access_entry *e, svs__findings *f);

#endif
