/* Shared declarations of engine svs: the tasks of bombs and of people, tiles, and loops. */
#ifndef QUAKESQUAD_ENGINE_SVS_H
#define QUAKESQUAD_ENGINE_SVS_H

#include "engine.h"
#include "greedy.h"

#include <svs/svs.h>

typedef struct bombs bombs;
typedef struct people people;

typedef struct svs_engine {
    world *in;
    svs_runtime *runtime;
    svs_world *objects;
    svs_graph *graph;
    bombs *bombs;
    people *people;
    uint32_t chunk_bombs, chunk_steps;
    greedy *meter;
    bool staged;
    svs_graph_statistics seen;   /* when widths were last asked for */
    svs_graph_statistics before; /* progressive: of the frames before */
    bool look;                   /* the producers meter what they send in this frame */
    double greedy_instances, greedy_colours;
} svs_engine;

/* The item of the updates. */
typedef struct update {
    svs_engine *engine;
} update;

/* Add the tasks of each part. The tasks of people open after the blasts have ended. */
svs_status bombs_add(svs_engine *e, svs_task *consumers[BOMB]);
svs_status people_add(svs_engine *e, svs_task *const blasts[BOMB]);

/* @return false: no memory; clean up all the same. */
bool bombs_init(svs_engine *e);
bool people_init(svs_engine *e);
void bombs_clean_up(svs_engine *e);
void people_clean_up(svs_engine *e);

/* Adds a producer and its two consumers, one for citizens and one for techs. The consumers open
 * after the producer has ended, so that the domain selects among more instances. */
svs_status engine_add_update(svs_engine *e, const svs_task_type *producer,
                             const svs_task_type *consumer, svs_task **made,
                             svs_task *consumers[BOMB]);

/* Measure the width of the sent instances, in frames that are metered: begin, one footprint per
 * instance, end. */
void engine_meter_begin(svs_engine *e);
void engine_meter_end(svs_engine *e);

/* ---- engine_svs_tiles.c ---- */

/* Groups entities by location. Entities that change the same lists, or reach the same bodies, then
 * belong to one instance or to few. */
typedef struct tiles {
    uint32_t side, count; /* in a row; in the world */
    uint32_t *next;       /* by tile, while sorting: where the next one goes */
    uint32_t *cells;      /* of what is sorted */
    uint32_t *place;      /* likewise: where it belongs */
} tiles;

/* Allocates room for `most` entities. `it` must be zeroed. @return false: no memory; call
 * tiles_clean_up() also then. */
bool tiles_init(tiles *it, const world *w, uint32_t most);
void tiles_clean_up(tiles *it);

/* Computes the sorted positions of the first `count` cells. */
void tiles_sort(tiles *it, const world *w, uint32_t count);

/* ---- engine_svs_loop.c ---- */

typedef struct share share;
typedef void loop_body(svs_engine *e, uint32_t worker, uint32_t index);

/* A parallel loop with independent iterations. */
typedef struct loop {
    svs_engine *engine;
    loop_body *run;
    uint32_t workers;
    share *shares;
} loop;

/* Loops that run together. A worker runs its own share of each loop and then, unless `own` is set,
 * the remaining iterations of other shares. */
typedef struct loops {
    loop *of;
    uint32_t count;
    bool own;
} loops;

/* `it` must be zeroed. @return false: no memory; call loop_clean_up() also then. */
bool loop_init(loop *it, svs_engine *e, loop_body *run);
void loop_clean_up(loop *it);

/* Runs the iterations 0 .. end-1 and returns when all have ended. */
void loop_run(svs_async_context *async, loop *it, uint32_t end);

/* The same in three steps: loop_deal() divides the iterations, loops_call() spawns one helping
 * async per other worker, loops_help() runs iterations. All iterations have ended when one call of
 * loops_help() without `own` has returned and all asyncs have ended. */
void loop_deal(loop *it, uint32_t end);
void loops_call(const loops *all, svs_async_context *async);
void loops_help(const loops *all, uint32_t worker);

#endif
