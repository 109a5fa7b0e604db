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

/* From one rank to another that it has sent to. */
typedef struct svs__sim_channel {
    svs__buffers buffers; /* copies, in flight */
    uint32_t from, count, sent, seen;
} svs__sim_channel;

/* At the upper end of its mapping. */
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
    uint32_t in_flight;         /* buffers and departures that this rank has not been told of */
    svs__sim_channel *channels; /* to this rank, ascending by sender */
    uint32_t channel_count, channel_room;
    uint32_t departures; /* that this rank has not been told of */
    uint8_t *told;       /* for each rank: of its departure */
    svs__buffers sent;   /* not completed */
    int result;
} svs__sim_rank;

/* Memory to memory (transport.T4). */
typedef struct svs__sim_move {
    struct svs__sim_move *next;
    uint32_t from, to;
    svs__move_kind kind;
    size_t bytes;
    const void *given; /* NULL: not given yet */
    void *taken;       /* NULL: not taken yet */
    void *tickets[2];  /* of the giver, of the taker */
    bool copied;       /* the taker has its ticket; the giver's is next */
} svs__sim_move;

typedef struct svs__sim {
    svs__sim_options options;
    svs__rank_program *program;
    void *argument;
    svs__random random;
    uint32_t rate; /* of the standard chooser: one in `rate` choices is unusual */
    uint64_t now;
    uint64_t arrived; /* buffers */
    bool stuck;
    svs__place place;   /* of the caller */
    const void *thread; /* ... which alone runs the ranks */
    svs__sim_rank *current, *next;
    svs__sim_rank *ranks;
    uint32_t *list;       /* room for candidates */
    svs__sim_move *moves; /* in their order */
} svs__sim;

/* The standard chooser. @param argument the simulation. */
svs__sim_choose svs__sim_choose_random;
uint32_t svs__sim_choose_one(svs__sim *sim, svs__sim_choice choice, const uint32_t *options,
                             uint32_t count, uint32_t usual);
bool svs__sim_chance(svs__sim *sim, svs__sim_choice choice);

/* Sets `next`: NULL when all ranks have ended. */
void svs__sim_choose_next(svs__sim *sim);
/* Another rank may run here. */
void svs__sim_turn(svs__sim_rank *rank);
/* Each call of the transport begins with it. @return whether this rank lives. */
bool svs__sim_step(svs__sim_rank *rank);

/* ---- sim_move.c ---- */

void svs__sim_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void svs__sim_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket);
void *svs__sim_moved(void *self);
/* Might svs__sim_moved() return a ticket? */
bool svs__sim_may_move(const svs__sim_rank *rank);
void svs__sim_moves_drop(svs__sim *sim);

/* All ranks are dead from now on (transport.S2). */
void svs__sim_get_stuck(svs__sim *sim, const char *why);

#endif
