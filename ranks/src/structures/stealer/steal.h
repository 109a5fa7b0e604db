/* The protocol of steals between ranks. The protocol does not know what the stolen things are. A
 * thief that has too little asks victims, one at a time. What a victim gives arrives as one record,
 * the loot. The owner of the protocol is the part of a structure, whose first member is the
 * protocol.
 *
 *     look(): the owner has too little ----record "NAME.ask"----> give() there, in place
 *     take() <---record "NAME.loot"------------------------------/ | nothing to spare:
 *     next victim <---record "NAME.refusal"-----------------------/  \--> or a lifeline
 *     take() <---record "NAME.loot", as soon as there is something, share()---/
 *
 * When `tries` victims have refused, the thief asks its neighbours for a lifeline, each once until
 * its loot arrives, and asks no more. So a rank without work sends nothing, and the number of
 * requests is bounded without a clock.
 *
 *   structures.K8   A rank has at most one request in progress, and at most one lifeline at each
 *                   neighbour.
 *   structures.K9   What a victim gives is taken by the thief, once. Until then it belongs to a
 *                   mutation in progress: that of the request, or one of its own if it comes by a
 *                   lifeline. (not asserted: a statement about two ranks;
 *                   ranks/tests/structures/stealer.c compares)
 *   structures.K10  A thief that still has too little has asked: it has a request in progress, or
 *                   lifelines at all its neighbours.
 *
 * Requests and their answers are flushed, because a thief waits for them.
 *
 * Threads: as <svs/ranks/rank.h> says. */
#ifndef SVS_STRUCTURES_STEALER_STEAL_H
#define SVS_STRUCTURES_STEALER_STEAL_H

#include "base/random.h"
#include "structures/outbox.h"
#include "structures/stealer/network.h"

/* Functions of the owner, which the protocol calls. */
typedef struct svs__steal_owner {
    /* Takes things out for another rank, and packs them to `to`. @return their bytes, a multiple of
     * 8 and at most `room`; 0: there is nothing to spare. @param weight receives their weight in
     * the outbox, if they must wait there. */
    uint32_t (*give)(void *owner, void *to, uint32_t room, uint32_t *weight);
    /* Unpacks things that another rank has given, or if `back`, things that could not be sent. A
     * fault ends the run. */
    void (*take)(void *owner, const void *things, uint32_t bytes, bool back);
    bool (*has_too_little)(const void *owner);
} svs__steal_owner;

/* Positions of the handlers in the structure, after the owner's own handlers. */
enum { SVS__STEAL_ASK, SVS__STEAL_REFUSAL, SVS__STEAL_LOOT, SVS__STEAL_HANDLERS };
#define SVS__STEAL_NAME 40u

typedef struct svs__steal_loot {
    /* the victim's rank plus 1, if it comes by a lifeline; 0: it answers a request */
    uint32_t of_lifeline;
    uint32_t reserved;
    unsigned char things[];
} svs__steal_loot;

typedef struct svs__steal_lifeline {
    bool asked; /* this rank has asked the neighbour for it */
    bool given; /* the neighbour has asked this rank */
} svs__steal_lifeline;

typedef struct svs__steal {
    const svs__steal_owner *owner;
    svs_ranks *ranks;
    svs_structure *structure;
    const svs_handler *handlers[SVS__STEAL_HANDLERS];
    svs__outbox outbox; /* records that wait, also those of the owner */
    svs__network network;
    svs__steal_lifeline *lifelines; /* one for each neighbour */
    svs__steal_loot *loot;          /* room for the loot that is being packed */
    svs__random random;
    uint32_t room; /* bytes that fit into a loot */
    /* number of victims to ask before lifelines, and how many were asked */
    uint32_t tries, tried;
    uint32_t next; /* the neighbour that is asked next, if victims are not random */
    /* number of lifelines that this rank has given; where it looks for the next one to serve */
    uint32_t thieves, next_of;
    bool asking, by_random, off;
    uint64_t requests, refusals, lifelines_asked;
    char names[SVS__STEAL_HANDLERS][SVS__STEAL_NAME];
} svs__steal;

typedef struct svs__steal_options {
    const svs__steal_owner *owner;
    const char *name;
    svs_stealer_neighbour *neighbour; /* NULL: no steals */
    void *argument;
    uint32_t room;
    uint32_t random_tries; /* 0: each neighbour is tried */
    uint64_t seed;
} svs__steal_options;

/* @return SVS_OK, SVS_E_NO_MEMORY, SVS_E_INVALID with a text in `fault`. In each case the caller
 * calls svs__steal_clean_up() in the end. */
svs_status svs__steal_init(svs__steal *steal, svs_ranks *ranks, const svs__steal_options *options,
                           char *fault, size_t fault_bytes);
void svs__steal_clean_up(svs__steal *steal);
/* The first fills in the handlers of a structure that is to be made. The second is called when the
 * structure has been made; `first` is the position of the first of these handlers. */
void svs__steal_handlers(svs__steal *steal, svs_handler *handlers);
void svs__steal_begin(svs__steal *steal, svs_structure *structure, size_t first);

/* After termination: drops the requests that wait in the outbox. No other records wait there. */
void svs__steal_forget_requests(svs__steal *steal);

/* Called when the owner has too little: sends a request, or asks for lifelines. */
void svs__steal_ask(svs__steal *steal);
static inline void svs__steal_look(svs__steal *steal) {
    if (!steal->asking && !steal->off && steal->owner->has_too_little(steal)) svs__steal_ask(steal);
}

/* Called when the owner has more: gives to the thieves that wait by a lifeline. */
void svs__steal_give(svs__steal *steal);
static inline void svs__steal_share(svs__steal *steal) {
    if (SVS__UNLIKELY(steal->thieves != 0)) svs__steal_give(steal);
}

#endif
