/* Runs of graphs in a check: verdicts on what their instances touch (design: race check).
 *
 *     finish                the run, where the thread that waits for it has it
 *     |- instance           its body, with all that it spawns
 *     |  |- step, async ...
 *     |- instance
 *
 * Inside of an instance SPD3 judges; to it, instances of one run are one behind the other. What
 * stands between instances is judged here, by the graph's own order (memobj/watch.h, K1), and by
 * what they have declared:
 *
 *   undeclared  an instance touches a memory object that is not in its exact set, or writes one
 *               that it has declared to read. Its own objects are its own until it has ended or
 *               handed them off
 *   race        two accesses conflict, nothing orders their instances, and no object that covers
 *               the byte is in both sets with modes that conflict
 *   order       as above, but for that there is such an object: the scheduler keeps them apart, and
 *               chooses which is first
 *
 * X is before an instance u if X's task ends before u's opens, or X's iteration is an earlier one;
 * or if X is before what sent u, or in it and before the send (G1).
 *
 * What is remembered of a byte are accesses of which none is before another: readers too, and
 * writers of which several are in order. Of instances of one task that touch it alike two are
 * enough (G2): the tasks of a graph make no cycle, so that one of the two, at most, is among the
 * senders of whoever comes later.
 *
 * G1. `sends` of an instance grows with each of its sends; an access is before the send that was
 *     number k if it was made when `sends` was k at most, by a step that is not beside the send's.
 * G2. Two entries are alike when their tasks, iterations, kinds and declared modes are the same.
 * G3. Everything is forgotten when nothing else runs and an iteration ends: all is before what
 *     follows.
 *
 * operation     caller                     progress
 * access        who runs an instance       a spin lock for 4 KiB of memory
 * clear         any                        the same
 * own, disown   any                        the same, and one for all
 * reset         alone (G3)                 - */
#ifndef SVS_DPST_GRAPH_H
#define SVS_DPST_GRAPH_H

#include "dpst/checker.h"
#include "memobj/watch.h"

/* A run, also after it has ended. */
typedef struct svs__graph_run {
    svs__watched_run watched;
    svs__check *check;
    uint32_t count, row; /* tasks; words of a row of `after` */
    uint64_t *after;
    const char **names;
    char name[64];
    _Atomic(uint32_t) sequence; /* instances so far */
    bool ended;
    struct svs__graph_run *next;
} svs__graph_run;

/* What an instance has declared, in the order of (what, index). */
typedef struct svs__declared {
    const void *what;
    uint64_t index;
    uint8_t mode;  /* 1: to read, 2: to write */
    bool unplaced; /* an address or index, and nobody has said of which bytes */
    bool is_index; /* of the space `what` */
} svs__declared;

typedef struct svs__instance {
    svs__graph_run *run;
    uint64_t id; /* no other has ever had it */
    uint64_t order;
    uint32_t task, iteration, node;
    _Atomic(uint32_t) sends; /* G1 */
    const struct svs__instance *sender;
    uint32_t sent_at, sent_by; /* the sender's count, and step */
    bool everything;
    bool unknown; /* there was no memory for what it has declared */
    uint32_t count;
    svs__declared *declared;
    svs__lock set_lock;
    svs__set *set; /* while it runs */
    void *outer;
} svs__instance;

/* ---- who owns a byte (graph_owner.c) ---- */

enum {
    SVS__OWNER_OBJECT,
    SVS__OWNER_ADDRESS,
    SVS__OWNER_INDEX,
    SVS__OWNER_IMMUTABLE,
    SVS__OWNER_WORKER
};

typedef struct svs__owner {
    uintptr_t begin, end;
    const void *what;
    uint64_t index; /* of the first element */
    size_t stride;  /* bytes of an element; 0: it is one thing */
    uint32_t kind;
    _Atomic(bool) commutative;
    _Atomic(uint64_t) maker; /* the instance whose own it is, 0: nobody's */
    const svs_world *world;
    const svs_type *type;
    const char *name;
} svs__owner;

#define SVS__OWNERS 4u /* of one byte, at most; further ones are not seen */

/* An access that is remembered: bytes of eight. */
typedef struct svs__entry {
    struct svs__entry *next;
    const svs__instance *instance;
    const void *guess; /* without an owner: the nearest address below that was declared */
    const void *pc;
    uint32_t step, frame;
    uint32_t sends; /* the instance's, then */
    uint8_t bytes;
    uint8_t declared; /* two bits an owner: 0 not at all, 1 to read, 2 to write */
    bool write;
    bool everything; /* the instance's */
} svs__entry;

typedef struct svs__page {
    struct svs__page *next;
    uintptr_t number;
    svs__lock lock;
    uint32_t age;
    svs__owner **owners;
    uint32_t owner_count, owner_capacity;
    svs__entry *free;
    svs__entry *blocks[4096 / 8];
} svs__page;

bool svs__owners_init(void);
void svs__owners_clean_up(void);
/* The page with its lock held; `make`: it is made; NULL: there is none. */
svs__page *svs__page_lock(uintptr_t address, bool make);
/* Owners of `address` into `owners`, smallest first; `*end`: those of the bytes up to there are the
 * same. Under the page's lock. @return how many. */
uint32_t svs__page_owners(const svs__page *page, uintptr_t address, svs__owner **owners,
                          uintptr_t *end);
/* A copy of `owner` is made. @return false when there is no memory. */
bool svs__own(const svs__owner *owner);
/* Those of what begins, or has its header, at this address; all of a world or a space. */
void svs__disown(const void *what);
void svs__disown_all(const void *of);
/* Ranges that begin there and are no memory objects. */
void svs__disown_range(uintptr_t address);
void svs__owner_hand_off(const void *what);
/* @return whether there is an owner. */
bool svs__owners_commute(uintptr_t address);
/* Are the bytes known that this address stands for? */
bool svs__owners_know(const void *address);
/* Or those of a space's indices? */
bool svs__owners_know_space(const void *space);

/* ---- accesses (graph_access.c) ---- */

/* `linked`: by svs_set(). */
void svs__graph_access(svs__check_thread *self, uintptr_t address, size_t bytes, bool write,
                       const void *pc, bool linked);
void svs__graph_clear(uintptr_t address, size_t bytes);
bool svs__graph_before(const svs__entry *e, const svs__instance *u, uint32_t step);

/* ---- memory that is given back at once (graph_watch.c) ---- */
void *svs__graph_allocate(size_t bytes);
extern _Atomic(uint32_t) svs__graph_age; /* how often it was, from 1 */

/* ---- runs (graph_watch.c) ---- */

/* With the first check, and after the last; under the checker's lock. */
bool svs__graph_init(void);
void svs__graph_clean_up(void);
/* The check of a runtime begins: its objects are known from here on, as far as the library has
 * their memory. */
void svs__graph_begin(svs_runtime *runtime);
/* The tree was cut down. */
void svs__graph_notes_reset(void);

/* Which instance a node of the tree belongs to: told by who makes the node. */
void svs__graph_note(uint32_t node, svs__instance *instance);
svs__instance *svs__graph_noted(uint32_t node);

/* Is there a graph's run, or was there one? */
extern _Atomic(bool) svs__graph_used;
static inline bool svs__graph_is_used(void) {
    /* relaxed: it is set before a run's first instance begins, and never in one. */
    return svs__load_relaxed(&svs__graph_used);
}

/* Does the graph say whether the running step and the other one are ordered? */
static inline bool svs__graph_judges(const svs__check_thread *self, uint32_t other) {
    const svs__instance *instance = self->instance == NULL ? NULL : svs__graph_noted(other);
    return instance != NULL && instance != self->instance;
}

/* ---- reports (graph_report.c) ---- */

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
    svs__owner owner; /* a copy */
    uint8_t mode;     /* what this instance has declared of it */
    uint8_t other_mode;
    svs__entry other;
} svs__graph_finding;

void svs__graph_report(svs__check_thread *self, const svs__graph_finding *finding, bool write,
                       const void *pc);
/* Both accesses are one instance's. */
void svs__graph_name(const svs__instance *instance, svs_check_race *race);
void svs__graph_counts_reset(void);
void svs__graph_counts_add(svs_check_summary *summary);

#endif
