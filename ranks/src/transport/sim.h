/* Transport `sim`: all ranks take turns in one thread, and a chooser decides each order that the
 * machine interface leaves open. The same choices give the same run.
 *
 *     svs__sim_options options = {.count = 4, .seed = 17};
 *     result = svs__sim_run(&options, program, argument);
 *
 * A rank is a context with a stack of its own, which a later run uses again. It goes on until it
 * receives or idles; then the chooser picks the rank that runs next. A buffer is copied when it is
 * sent, and poisoned until its completion. Time is virtual: it advances when each rank is idle, or
 * when the chooser says so.
 *
 * A rank that is killed at a step (a call of its transport) finds itself dead from then on, and
 * ends. The chooser decides how many of its buffers in flight still arrive.
 *
 *   transport.S1  In a channel only the order is fixed: a buffer may arrive at any later receive.
 *                 (not asserted: a freedom of the chooser)
 *   transport.S2  If all ranks are idle for ever and nothing is in flight, or a rank takes more
 *                 than `steps_max` steps, the run is stuck: all ranks are dead, and the result is
 *                 SVS_E_DEADLOCK.
 *   transport.S3  A buffer keeps its poison from its send to its completion (transport.T2). */
#ifndef SVS_TRANSPORT_SIM_H
#define SVS_TRANSPORT_SIM_H

#include "transport/transport.h"

typedef enum svs__sim_choice {
    SVS__SIM_RANK,    /* the next rank; `usual`: the current one, if it can go on */
    SVS__SIM_CHANNEL, /* the channel from which the next buffer arrives */
    SVS__SIM_DELAY,   /* 1: nothing arrives yet, although something is in flight */
    SVS__SIM_REFUSE,  /* 1: a send is refused */
    SVS__SIM_KEEP,    /* 1: a sent buffer is not completed yet */
    SVS__SIM_TIME,    /* 1: time advances to the next limit of an idle rank */
    SVS__SIM_LOSE     /* so many of the last buffers of a dead rank are lost */
} svs__sim_choice;

/* @param options the numbers of the ranks (SVS__SIM_RANK, SVS__SIM_CHANNEL), or NULL: 0 .. count -
 * 1.
 * @param usual an index, or `count`. @return an index below `count`. */
typedef uint32_t svs__sim_choose(void *argument, svs__sim_choice choice, const uint32_t *options,
                                 uint32_t count, uint32_t usual);

typedef struct svs__sim_options {
    uint32_t count;
    uint64_t seed;           /* of the standard chooser */
    svs__sim_choose *choose; /* NULL: the standard one, which is random */
    void *argument;
    uint64_t steps_max; /* of one rank; 0: 10 million */
    uint32_t kill;      /* this rank is killed ... */
    uint64_t kill_step; /* ... at this step, from 1; 0: none is */
    uint32_t kill_also; /* and this one ... */
    uint64_t kill_also_step;
    uint64_t *steps;   /* out, if not NULL: steps of each rank */
    uint64_t flip;     /* in this buffer that arrives, from 1, one bit is wrong; 0: in none */
    uint32_t flip_bit; /* of all its bits, or of the first of a shorter one */
    bool quiet;        /* does not say that the run is stuck */
} svs__sim_options;

/* @return 0, or the first result of a rank that is not 0; SVS_E_DEADLOCK: stuck (transport.S2);
 * SVS_E_NO_MEMORY: nothing was run. */
int svs__sim_run(const svs__sim_options *options, svs__rank_program *program, void *argument);

#endif
