/* The state of a windowed domain: its windows, and what they leave over (window.h, ticket.h). */
#ifndef SVS_SCHED_DOMAIN_WINDOW_STATE_H
#define SVS_SCHED_DOMAIN_WINDOW_STATE_H

#include "sched/domain/domain.h"
#include "sched/domain/instance/contexts.h"
#include "sched/domain/queue/batches.h"
#include "sched/domain/window/light.h"

#if defined(SVS_EXPLORE) /* in the explorer, a few instances make several windows */
#define SVS__WINDOW_MAX 4u
#define SVS__WINDOW_MOST 5u
#define SVS__WINDOW_FIRST 4u
#define SVS__WINDOW_HALVED 3u
#define SVS__COLOUR_MAX 4u
#define SVS__WINDOW_AHEAD 1u
#define SVS__COLOURS 2u
#define SVS__LEFT_MAX 8u
#else
#define SVS__WINDOW_MAX 2048u  /* most instances of a window */
#define SVS__WINDOW_MOST 2304u /* most of one that takes all waiting items: no short one follows */
#define SVS__WINDOW_FIRST 64u  /* most instances of window 0, if more wait than a window takes */
#define SVS__WINDOW_HALVED 1536u /* if more than this, up to MOST, wait, two windows share them */
#define SVS__COLOUR_MAX 1024u    /* most instances of one colour, except the first colour */
#define SVS__WINDOW_AHEAD 512u   /* least number of candidates for a window while one is open */
#define SVS__COLOURS 24u
#define SVS__LEFT_MAX 256u /* number of candidates without a colour that completes a window */
#endif
#define SVS__WINDOWS 4u  /* most windows that are made and not opened; a power of two (sched.W2) */
#define SVS__TO_MAKE 16u /* most rows of generated items that the ticket leaves to be made */
#define SVS__WINDOW_TRIES 4u /* number of refusals until an instance waits among the deferred */

typedef struct svs__window_part { /* the instances of one batch in a window */
    svs__batch *batch;
    uint32_t count; /* number of instances that the window runs, and retires when it ends */
} svs__window_part;

typedef struct svs__row { /* adjacent arrivals among the candidates of a window */
    void *first;
    uint32_t count, to_make; /* 1 + the place in the window's to_make; 0: the items are made */
} svs__row;

typedef struct svs__window {
    void **items[SVS__COLOURS]; /* items of each colour, in the order of their arrival */
    uint32_t count[SVS__COLOURS];
    uint32_t stages, stage;  /* number of stages; the stage that runs, used only by the owner */
    svs__window_part *parts; /* array with an entry for each batch, or several */
    uint32_t part_count, part_at; /* `part_at`: the part that was found last */
    void **odd;                   /* candidates that are not plain (sched.W16) */
    uint32_t odd_count;
    /* set by the ticket, before the window is made: */
    uint32_t number; /* number of the window in its domain */
    svs__row *arrivals;
    uint32_t arrival_count;
    svs__generated to_make[SVS__TO_MAKE]; /* items that are not made yet (sched.I11) */
    uint32_t to_make_count;
    uint32_t candidates; /* number of its candidates, left over ones and arrivals */
    bool more;           /* other candidates wait */
    bool quiet;          /* its maker owns the stage (sched.W11, sched.W14) */
    bool may_walk;       /* sched.W14: walked candidates may have colours */
    bool takes_walks;    /* and get them; else the window ends before the first one */
    /* set by the maker: */
    uintptr_t freed;     /* sched.W6: the most recently freed object before the window was made */
    bool walks;          /* a candidate of the window was walked (sched.W14) */
    uint64_t assigned;   /* if `walks`: svs__world_assigned() before the window was made */
    uint32_t table_bits; /* log2 of the number of words that its colours need */
    uint16_t *read;      /* sched.W13: the places of words */
    svs_task *only;      /* the task of all instances; NULL: they are of several tasks */
    uint64_t begun_ns;   /* time at which the making began; 0: there is one worker */
    svs__way way;        /* in which it was opened; its time counts in `light` */
    svs__light *light;
    _Atomic(uint32_t) used; /* 1: from the ticket to the end of the window; 0: free */
} svs__window;

typedef struct svs__left { /* a list of items that are left over (ticket.h) */
    void **items;
    uint32_t count;
} svs__left;

typedef struct svs__told { /* what window n tells window n + SVS__WINDOWS (sched.W16) */
    bool walks, rests;     /* a candidate was walked; too many were not plain: windows rest */
    bool conflicts;        /* candidates have conflicted: it had several colours */
} svs__told;

/* A round of chunks (window/chunks.h). */
typedef struct svs__chunk svs__chunk;
typedef struct svs__chunks {
    svs__chunk *chunk;    /* array of SVS__CHUNKS chunks, made for the first round */
    uint32_t count, next; /* used only by the owner: number of chunks, and of the next to get */
    uint32_t round;       /* number of the round */
    bool shared;          /* other workers help with the round */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim; /* round << 32 | number of claimed chunks */
    _Atomic(uint64_t) width;                           /* round << 32 | number of chunks */
} svs__chunks;

/* The memory of windows, which a domain has from its first window until its tasks have ended. */
typedef struct svs__windows_memory {
    svs__block block;                      /* while no domain has it */
    svs__window *window[SVS__WINDOWS + 1]; /* NULL: not made yet */
    svs__chunk *chunks;                    /* while no domain has it: the chunks, or NULL */
    /* what window n has left over for window n + SVS__WINDOWS: by n modulo SVS__WINDOWS */
    svs__left left[SVS__WINDOWS];
    svs__left back; /* items that have returned or were given back: they lead the next window */
} svs__windows_memory;

/* The state of a windowed domain. */
typedef struct svs__windows {
    bool in_order; /* sched.W11 */
    /* guarded by the domain's lock, but for what a maker writes (sched.W2): */
    svs__windows_memory *memory;
    uint32_t gathered;            /* number of the last window that gathered (sched.W17) */
    svs__told told[SVS__WINDOWS]; /* by the number of the window, modulo SVS__WINDOWS */
    /* Workers without the lock may read stale values of these: */
    _Atomic(uint32_t) tickets;      /* number of tickets taken so far */
    _Atomic(uint32_t) second;       /* number of the last second half (sched.W19), or of the next */
    _Atomic(uint32_t) makers;       /* number of windows that are being made */
    _Atomic(uint32_t) rest;         /* number of stages to make before the next window */
    _Atomic(uint32_t) serial_rests; /* number of windows to make before the next serial run */
    _Atomic(uint32_t) walks;        /* sched.W14: 1: the next window takes walked candidates */
    _Atomic(uint32_t) left_count;   /* number of items left over in all lists */
    /* used only by the owner of the stage (sched.W3): */
    svs__window *open;
    bool lease_rests;           /* the next window has no lease: the last one was wanted back */
    _Atomic(uint32_t) unleased; /* number of windows without walked candidates; may be stale */
    bool waits; /* the next window waits for a release, counted in admission's `blocked` */
    _Atomic(uint32_t) is_cut;                            /* sched.W12: some bits of `cut` are set */
    _Atomic(uint64_t) cut[(SVS__WINDOW_MOST + 63) / 64]; /* instances given back, by place */
    svs__pace mixed;                    /* of windows with instances of several tasks */
    _Atomic(svs__pace *) pace;          /* of the instances that run, or ran last; may be stale */
    _Atomic(uint32_t) serial_runs_walk; /* 1: serial runs may run walked items; may be stale */
    /* [sched.W4] The windows that are made and not opened, by their numbers modulo SVS__WINDOWS:
     * the address, plus SVS__HAS_ODD (sched.W16); 0: it is not made yet, or was opened. */
    _Alignas(SVS__CACHE_LINE) _Atomic(uintptr_t) made[SVS__WINDOWS];
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) opened; /* number of the next window to open */
    _Atomic(uint32_t) walked;         /* 1: the open window is a walked one (sched.W14) */
    _Atomic(svs__record *) returned;  /* list of refused instances, the last one first (sched.W7) */
    _Atomic(uint64_t) wait_epoch;     /* at which a lease refused a window; UINT64_MAX: none did */
    _Atomic(uint32_t) stage_was_last; /* 1: the deferred instances have had their turn */
    _Atomic(uint32_t) runs_window;    /* 0: a stage of the staged kind, under the lock (sched.W2) */
    _Atomic(uint32_t) alone;   /* 1 + index of the worker that runs light stages alone; 0: none */
    _Atomic(uint32_t) maker;   /* 1 + index of the maker of the last window; 0: none */
    _Atomic(uint64_t) made_ns; /* time at which it made the last window */
    svs__chunks chunks;        /* sched.W15 */
} svs__windows;

#define SVS__HAS_ODD ((uintptr_t)1)

static inline svs__windows *svs__windows_of(const svs__domain *domain) { return domain->state; }

#endif
