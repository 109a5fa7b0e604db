/* What the files of the engine svs share: the bombs' tasks, the people's, tiles, and loops. */
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

/* The tasks of each part; the people's begin when the blasts have ended. */
svs_status bombs_add(svs_engine *e, svs_task *consumers[BOMB]);
svs_status people_add(svs_engine *e, svs_task *const blasts[BOMB]);

/* @return false: no memory; clean up all the same. */
bool bombs_init(svs_engine *e);
bool people_init(svs_engine *e);
void bombs_clean_up(svs_engine *e);
void people_clean_up(svs_engine *e);

/* A producer, and its consumers, of what concerns citizens and of what concerns techs. They begin
 * when it has ended: there is the more to choose from. */
svs_status engine_add_update(svs_engine *e, const svs_task_type *producer,
                             const svs_task_type *consumer, svs_task **made,
                             svs_task *consumers[BOMB]);

/* The width of what a consumer is sent, in a frame that is looked into: begin, a footprint for
 * each, end. */
void engine_meter_begin(svs_engine *e);
void engine_meter_end(svs_engine *e);

/* ---- engine_svs_tiles.c ---- */

/* What is near to each other together: those who change the same lists, or reach the same bodies,
 * then are in one instance, or in few. */
typedef struct tiles {
    uint32_t side, count; /* in a row; in the world */
    uint32_t *next;       /* by tile, while sorting: where the next one goes */
    uint32_t *cells;      /* of what is sorted */
    uint32_t *place;      /* likewise: where it belongs */
} tiles;

/* For `most` things. @return false: no memory; clean up all the same. Of zeros before. */
bool tiles_init(tiles *it, const world *w, uint32_t most);
void tiles_clean_up(tiles *it);

/* Finds the places of those in the first `count` cells. */
void tiles_sort(tiles *it, const world *w, uint32_t count);

/* ---- engine_svs_loop.c ---- */

typedef struct share share;
typedef void loop_body(svs_engine *e, uint32_t worker, uint32_t index);

/* A loop over what meets nothing. */
typedef struct loop {
    svs_engine *engine;
    loop_body *run;
    uint32_t workers;
    share *shares;
} loop;

/* Some that run together: who helps runs its own share of each, and then, unless its own is all
 * that is asked for, what is left of the others'. */
typedef struct loops {
    loop *of;
    uint32_t count;
    bool own;
} loops;

/* @return false: no memory; clean up all the same. Of zeros before. */
bool loop_init(loop *it, svs_engine *e, loop_body *run);
void loop_clean_up(loop *it);

/* From 0 to `end`; returns when all is done. */
void loop_run(svs_strand *strand, loop *it, uint32_t end);

/* The same in steps: dealt first; then each other worker is called, by an async that helps. All is
 * done when somebody has helped with more than its own, and all those asyncs have ended. */
void loop_deal(loop *it, uint32_t end);
void loops_call(const loops *all, svs_strand *strand);
void loops_help(const loops *all, uint32_t worker);

#endif
