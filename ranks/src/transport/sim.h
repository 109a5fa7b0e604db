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
 * A rank can be killed at a step, which is a call of its transport: that call and all later ones
 * report that the rank is dead, and the rank ends. The chooser decides how many of its buffers in
 * flight still arrive.
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
    SVS__SIM_DELAY,   /* 1: this receive finds nothing, although a buffer is in flight */
    SVS__SIM_REFUSE,  /* 1: a send is refused */
    SVS__SIM_KEEP,    /* 1: a sent buffer is not completed yet */
    SVS__SIM_TIME,    /* 1: time advances to the earliest limit of an idle rank */
    SVS__SIM_LOSE     /* number of the latest buffers of a dead rank that are lost */
} svs__sim_choice;

/* @param options the ranks to choose from (SVS__SIM_RANK, SVS__SIM_CHANNEL); NULL: the numbers 0 to
 * count - 1.
 * @param usual an index, or `count`. @return an index below `count`. */
typedef uint32_t svs__sim_choose(void *argument, svs__sim_choice choice, const uint32_t *options,
                                 uint32_t count, uint32_t usual);

typedef struct svs__sim_options {
    uint32_t count;
    uint64_t seed;           /* seed of the standard chooser */
    svs__sim_choose *choose; /* NULL: the standard chooser, which is random */
    void *argument;
    uint64_t steps_max; /* most steps of one rank; 0: 10 million */
    uint32_t kill;      /* the rank that is killed at its step `kill_step` */
    uint64_t kill_step; /* 1 or more; 0: no rank is killed */
    uint32_t kill_also; /* a second rank that is killed, at its step `kill_also_step` */
    uint64_t kill_also_step;
    uint64_t *steps; /* output: the number of steps of each rank; or NULL */
    /* number of the arriving buffer, from 1, in which one bit is inverted; 0: none */
    uint64_t flip;
    uint32_t flip_bit; /* number of this bit in the buffer, modulo the buffer's number of bits */
    bool quiet;        /* prints no message when the run is stuck */
} svs__sim_options;

/* @return 0, or the first result of a rank that is not 0; SVS_E_DEADLOCK: stuck (transport.S2);
 * SVS_E_NO_MEMORY: nothing was run. */
int svs__sim_run(const svs__sim_options *options, svs_rank_program *program, void *argument);

#endif
