/* The state of a simulation, and the order in which its ranks run. */
#ifndef SVS_TRANSPORT_SIM_ORDER_H
#define SVS_TRANSPORT_SIM_ORDER_H

#include "base/random.h"
#include "transport/sim.h"
#include "worksteal/place.h"

typedef enum svs__sim_state {
    SVS__SIM_FRESH,
    SVS__SIM_READY,
    SVS__SIM_IDLE,
    SVS__SIM_ENDED
} svs__sim_state;

/* The buffers in flight from one rank to another. It is made when the first one is sent. */
typedef struct svs__sim_channel {
    svs__buffers buffers; /* copies of the buffers in flight */
    uint32_t from, count, sent, seen;
} svs__sim_channel;

/* The stack of a simulated rank; this struct is at the upper end of the stack's mapping. */
typedef struct svs__sim_stack {
    svs__place place;
    char *low;
    struct svs__sim_stack *next;
} svs__sim_stack;

typedef struct svs__sim_rank {
    svs_transport transport;
    struct svs__sim *sim;
    svs__sim_stack *stack;
    svs__sim_state state;
    bool dead, opened, closed;
    uint64_t steps, until;
    uint32_t in_flight;         /* buffers and departures that this rank has yet to receive */
    svs__sim_channel *channels; /* channels to this rank, ascending by sender */
    uint32_t channel_count, channel_room;
    uint32_t departures; /* departures of ranks that this rank has yet to receive */
    uint8_t *told;       /* for each rank, 1: this rank was told of its departure */
    svs__buffers sent;   /* buffers that this rank has sent and that are not completed */
    int result;
} svs__sim_rank;

/* A move from memory to memory (transport.T4). */
typedef struct svs__sim_move {
    struct svs__sim_move *next;
    uint32_t from, to;
    svs__move_kind kind;
    size_t bytes;
    const void *given; /* memory of the giver; NULL: give() was not called yet */
    void *taken;       /* memory of the taker; NULL: take() was not called yet */
    void *tickets[2];  /* tickets of the giver and of the taker */
    bool copied;       /* the taker has got its ticket, and the giver gets its own next */
} svs__sim_move;

typedef struct svs__sim {
    svs__sim_options options;
    svs_rank_program *program;
    void *argument;
    svs__random random;
    uint32_t rate; /* the standard chooser makes one of `rate` choices an unusual one, on average */
    uint64_t now;
    uint64_t arrived; /* number of buffers that have arrived */
    bool stuck;
    svs__place place;   /* place of the caller of svs__sim_run(), while a rank runs */
    const void *thread; /* identifies the thread of that caller, which alone runs the ranks */
    svs__sim_rank *current, *next;
    svs__sim_rank *ranks;
    uint32_t *list;       /* scratch array for the ranks that a chooser chooses from */
    svs__sim_move *moves; /* list of the moves in progress, in the order of their first halves */
} svs__sim;

/* The standard chooser. @param argument the simulation. */
svs__sim_choose svs__sim_choose_random;
uint32_t svs__sim_choose_one(svs__sim *sim, svs__sim_choice choice, const uint32_t *options,
                             uint32_t count, uint32_t usual);
bool svs__sim_chance(svs__sim *sim, svs__sim_choice choice);

/* Chooses the rank that runs next, and sets `next` to it; NULL: all ranks have ended. */
void svs__sim_choose_next(svs__sim *sim);
/* Lets the chooser run another rank before this one goes on. */
void svs__sim_turn(svs__sim_rank *rank);
/* Begins a step: each call of the transport calls it first. @return whether this rank is alive. */
bool svs__sim_step(svs__sim_rank *rank);

/* ---- sim_move.c ---- */

void svs__sim_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void svs__sim_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void *svs__sim_moved(void *self);
/* Whether svs__sim_moved() may return a ticket. */
bool svs__sim_may_move(const svs__sim_rank *rank);
void svs__sim_moves_drop(svs__sim *sim);

/* Ends a run that is stuck: all ranks are dead after this call (transport.S2). */
void svs__sim_get_stuck(svs__sim *sim, const char *why);

#endif
