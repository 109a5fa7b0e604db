/* The choices of a run: the thread that goes on, and the stores that are held back, by one of
 *
 *     random      uniformly, with a rate of switches drawn for each run
 *     pct         priorities, changed at two points of the run: finds each bug of depth 3 with a
 *                 probability that has a lower bound (Burckhardt and others, ASPLOS 2010)
 *     exhaustive  all schedules with at most so many preemptions, held stores, and yields to
 *                 another thread than the next one, one after the other; choice 0 is to go on
 *     replay      the choices that are given: those of an exhaustive run
 *
 * The choices of a run follow from its seed alone, or from the list, so that it can be repeated. */
#ifndef SVS_TESTS_EXPLORE_STRATEGY_H
#define SVS_TESTS_EXPLORE_STRATEGY_H

#include "explore/machine.h"

typedef enum explore_strategy {
    EXPLORE_RANDOM,
    EXPLORE_PCT,
    EXPLORE_EXHAUSTIVE,
    EXPLORE_REPLAY
} explore_strategy;

/* Before the first of many runs. @param bound of exhaustive; `length`: steps of a run, for pct. */
void strategy_set(explore_strategy strategy, uint32_t bound, uint64_t length);
/* For replay: pairs "decision:choice", joined by commas. @return whether it was understood. */
bool strategy_read(const char *choices);
/* Before each run. */
void strategy_begin(uint64_t seed);
/* After it. @return false when there is no other schedule (exhaustive). */
bool strategy_end(void);
/* Identifies the choices of this run. */
uint64_t strategy_hash(void);
/* Prints the options that repeat the run. */
void strategy_print(uint64_t seed);

/* A thread is there now. */
void strategy_started(uint32_t thread);
/* The next thread. @param candidates bits of threads, not 0; `current` its index, in the candidates
 * when it can go on. */
uint32_t strategy_next(uint32_t candidates, uint32_t current);
/* Is this store held back? */
bool strategy_holds(void);
/* Something that happens by chance now and then, at most once in `rarity`. */
bool strategy_chance(uint32_t rarity);
/* A number below n by chance, 0 where all is chosen in turn. */
uint32_t strategy_below(uint32_t n);
/* The thread has spun: it is of less importance. */
void strategy_yielded(uint32_t thread);

#endif
