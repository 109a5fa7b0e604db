/* The rules scheduled by what they may touch: no lock, and no order but that of the phases.
 *
 *   UpdateBombs ==sends==> BlastCitizens, BlastTechs
 *       ==> UpdateCitizens ==> UpdateTechs ==> both: MoveCitizen, MoveTech
 *
 * ==> is an explicit order. UpdateBombs builds fresh lists, two for each bomb, and hands each
 * off. */
#include "engine.h"
#include "greedy.h"
#include "rules.h"

#include <stdlib.h>
#include <svs/check.h>
#include <svs/svs.h>
#ifdef QUAKESQUAD_JEMALLOC
#include "jemalloc_adapter.h"
#endif

SVS_TYPE(list, svs)
SVS_TYPE(place, svs)
SVS_TYPE(body, svs)
SVS_TYPE(target, svs, next, who)

typedef struct update_bombs {
    world *in;
} update_bombs;

typedef struct svs_engine {
    svs_runtime *runtime;
    svs_world *objects;
    svs_graph *graph;
    svs_task *blast[BOMB], *move[BOMB]; /* of citizens, of techs */
    blast *blasts;                      /* what a producer makes, before it sends */
    step *steps;
    greedy *meter;
    bool staged;
    bool look; /* the producers meter what they send in this frame */
    double greedy_instances, greedy_colours;
} svs_engine;

/* ---- blasts ---- */

/* The bodies that a list names. Where its nodes are objects, that is what its reach is for; else
 * nobody but the instance knows them. */
static void blast_touch(svs_footprint *f, const blast *it) {
    if (it->in->linked) {
        svs_writes_reach(f, &it->first->svs);
        return;
    }
    for (const target *t = it->first; t; t = t->next) svs_writes_object(f, &t->who->svs);
}

static svs_status blast_run(svs_context *x, blast *it) {
    return rules_blast(it->in, svs_context_worker(x), it);
}
SVS_TASK_NAMED(blast_citizens, blast, blast_run, blast_touch)
SVS_TASK_NAMED(blast_techs, blast, blast_run, blast_touch)

static svs_status meter_blast(svs_engine *e, const blast *it) {
    if (!e->look) return SVS_OK;
    blast_touch(greedy_footprint(e->meter), it);
    return greedy_add(e->meter);
}

static void meter_begin(svs_engine *e) {
    if (e->look) greedy_begin(e->meter);
}

static void meter_end(svs_engine *e) {
    if (!e->look) return;
    e->greedy_instances += greedy_instances(e->meter);
    e->greedy_colours += greedy_colours(e->meter);
}

/* Makes one list and lets go of it. */
static svs_status make_blast(svs_context *x, svs_engine *e, world *w, uint32_t bomb,
                             entity_kind kind, blast *it) {
    svs_status status = rules_collect(w, svs_context_worker(x), bomb, kind, it);
    if (status || !it->first) return status;
    status = meter_blast(e, it);
    return status || !w->linked ? status : svs_hand_off(x, &it->first->svs);
}

/* Makes the lists of one kind and sends them together. */
static svs_status make_blasts(svs_context *x, svs_engine *e, world *w, entity_kind kind) {
    uint32_t count = 0;
    svs_status status = SVS_OK;
    for (uint32_t bomb = 0; bomb < w->options.count[BOMB] && !status; bomb++) {
        status = make_blast(x, e, w, bomb, kind, &e->blasts[count]);
        if (!status && e->blasts[count].first) count++;
    }
    if (!status && count) status = blast_citizens_send(x, e->blast[kind], e->blasts, count);
    return status;
}

static svs_status update_bombs_run(svs_context *x, update_bombs *it) {
    svs_engine *e = svs_context_argument(x);
    svs_status status = SVS_OK;
    meter_begin(e);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = make_blasts(x, e, it->in, kind);
    meter_end(e);
    return status;
}

/* It reads nearly all lists and places. Nothing else is to be done meanwhile: it is as well to say
 * that it runs alone, and thousands of accesses need not be looked up. */
SVS_TASK_ALONE(update_bombs, update_bombs, update_bombs_run)

/* ---- steps ---- */

/* Where it stands, and the lists, when it goes into another cell or leaves the world. A tech may
 * lay its hand on bombs; that they are there, and where, is the same throughout a run. */
static void step_touch(svs_footprint *f, const step *it) {
    const world *w = it->in;
    svs_writes_object(f, &it->who->svs);
    if (it->to != it->from || it->leaves)
        svs_writes_object(f, &world_list(w, it->kind, it->from)->svs);
    if (it->to != it->from) svs_writes_object(f, &world_list(w, it->kind, it->to)->svs);
    if (it->kind != TECH) return;
    for (uint32_t i = 0; i < it->bomb_cells; i++)
        for (const node *n = step_bombs(it, i)->first; n; n = n->next)
            if (rules_step_touches(it, n->who)) svs_writes_object(f, &n->who->who->svs);
}

static svs_status step_run(svs_context *x, step *it) {
    return rules_step(it->in, svs_context_worker(x), it);
}
SVS_TASK_NAMED(move_citizen, step, step_run, step_touch)
SVS_TASK_NAMED(move_tech, step, step_run, step_touch)

typedef struct update_people {
    world *in;
    entity_kind kind;
} update_people;

static svs_status meter_steps(svs_engine *e, uint32_t count) {
    svs_status status = SVS_OK;
    meter_begin(e);
    for (uint32_t i = 0; i < count && e->look && !status; i++) {
        step_touch(greedy_footprint(e->meter), &e->steps[i]);
        status = greedy_add(e->meter);
    }
    meter_end(e);
    return status;
}

static svs_status update_people_run(svs_context *x, update_people *it) {
    svs_engine *e = svs_context_argument(x);
    uint32_t count = rules_plan(it->in, it->kind, e->steps);
    svs_status status = meter_steps(e, count);
    if (!status && count) status = move_citizen_send(x, e->move[it->kind], e->steps, count);
    return status;
}

/* It reads each place and body of its kind. Every step that it sends writes such a place, so that
 * nothing could run beside it. */
SVS_TASK_ALONE(update_citizens, update_people, update_people_run)
SVS_TASK_ALONE(update_techs, update_people, update_people_run)

/* ---- the world's objects ---- */

static svs_status target_object(world *w, uint32_t worker, target **made) {
    void *storage;
    svs_status status = svs_object_new(w->objects, &target_type, &storage);
    (void)worker;
    if (status) return status;
    *made = storage;
    (*made)->shape = SHAPE_TARGET;
    return SVS_OK;
}

static void target_object_free(world *w, uint32_t worker, target *gone) {
    (void)w, (void)worker;
    (void)svs_object_free(&gone->svs);
}

/* How large a list is depends on the world: its type says so, before its first use. */
static svs_type *list_type_of(const world *w, entity_kind kind) {
    static svs_type types[BOMB];
    if (!types[kind].name) types[kind] = list_type;
    if (!types[kind].index) types[kind].size = w->list_bytes[kind];
    return &types[kind];
}

static svs_status enter_people(svs_engine *e, world *w, entity_kind kind) {
    svs_status status = SVS_OK;
    for (uint32_t cell = 0; cell < world_cells(w) && !status; cell++)
        status =
            svs_object_init(&world_list(w, kind, cell)->svs, e->objects, list_type_of(w, kind));
    for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
        status = svs_object_init(&w->places[kind][id].svs, e->objects, &place_type);
    return status;
}

/* From here on the bombs' lists are made of memory objects. */
static void link_targets(svs_engine *e, world *w) {
    w->linked = true;
    w->objects = e->objects;
    w->hooks.target_new = target_object;
    w->hooks.target_free = target_object_free;
}

static svs_status enter_objects(svs_engine *e, world *w) {
    svs_status status = SVS_OK;
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) status = enter_people(e, w, kind);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
            status = svs_object_init(&w->bodies[kind][id].svs, e->objects, &body_type);
    return status;
}

/* ---- the graph ---- */

/* A producer's consumers begin when it has ended: stages are the wider the more there is to choose
 * from. */
static svs_status add_consumer(svs_engine *e, svs_task *producer, const svs_task_type *type,
                               svs_task **consumer) {
    svs_status status = svs_graph_add_itemizer(e->graph, type, e, consumer);
    if (!status) status = svs_graph_sends(e->graph, producer, *consumer);
    if (!status) status = svs_graph_order(e->graph, producer, *consumer);
    return status;
}

static svs_status add_bombs(svs_engine *e, world *w) {
    update_bombs item = {w};
    svs_task *update;
    svs_status status = svs_graph_add_transform(e->graph, &update_bombs_task, &item, e, &update);
    if (!status) status = add_consumer(e, update, &blast_citizens_task, &e->blast[CITIZEN]);
    if (!status) status = add_consumer(e, update, &blast_techs_task, &e->blast[TECH]);
    /* The lists of the one name citizens, those of the other techs. */
    if (!status) status = svs_graph_independent(e->graph, e->blast[CITIZEN], e->blast[TECH]);
    return status;
}

static svs_status add_people(svs_engine *e, world *w, entity_kind kind, svs_task **update) {
    update_people item = {w, kind};
    svs_status status = svs_graph_add_transform(
        e->graph, kind == CITIZEN ? &update_citizens_task : &update_techs_task, &item, e, update);
    if (!status)
        status = add_consumer(e, *update, kind == CITIZEN ? &move_citizen_task : &move_tech_task,
                              &e->move[kind]);
    return status;
}

/* Those who go from cell to cell wait for each other, a few in a row at most cells. While they do,
 * there should be others to fill their stages: so no stage takes all of these. */
static uint32_t stage_width(const world *w) {
    uint32_t part = w->options.count[CITIZEN] / 16;
    return part < 256 ? 256 : part;
}

static svs_status make_graph(svs_engine *e, world *w, const settings *options) {
    svs_graph_options graph_options;
    svs_task *people[BOMB];
    svs_status status;
    svs_graph_options_init(&graph_options);
    graph_options.name = "quakesquad";
    graph_options.algorithm = options->algorithm;
    graph_options.stage_conflicts = options->stage_conflicts;
    graph_options.stage_width = stage_width(w);
    graph_options.explain_every = 0; /* nobody asks here why an instance had to wait */
    status = svs_graph_new(e->objects, &graph_options, &e->graph);
    if (!status) status = add_bombs(e, w);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = add_people(e, w, kind, &people[kind]);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = svs_graph_order(e->graph, e->blast[kind], people[CITIZEN]);
    if (!status) status = svs_graph_order(e->graph, people[CITIZEN], people[TECH]);
    /* What techs do has nothing to do with citizens: both are planned, then both move. */
    if (!status) status = svs_graph_order(e->graph, people[TECH], e->move[CITIZEN]);
    if (!status) status = svs_graph_independent(e->graph, e->move[CITIZEN], e->move[TECH]);
    return status;
}

/* ---- the engine ---- */

static svs_status start(svs_engine *e, const settings *options) {
    svs_runtime_options runtime_options;
    svs_status status;
    svs_runtime_options_init(&runtime_options);
    runtime_options.threads = options->threads;
#ifdef QUAKESQUAD_JEMALLOC
    runtime_options.allocator = *svs_jemalloc_allocator();
#endif
    status = svs_runtime_new(&runtime_options, &e->runtime);
    if (!status) status = svs_runtime_start(e->runtime);
    if (!status) status = svs_world_new(e->runtime, &options->objects, &e->objects);
    return status;
}

static svs_status open_svs(world *w, const settings *options, void **state) {
    uint32_t citizens = w->options.count[CITIZEN], techs = w->options.count[TECH];
    uint32_t people = citizens > techs ? citizens : techs, blasts = 2 * w->options.count[BOMB];
    svs_engine *e = calloc(1, sizeof *e);
    svs_status status;
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->staged = options->algorithm == SVS_STAGED;
    e->steps = calloc(people + 1u, sizeof(step));
    if (options->check_width) e->meter = greedy_new(people > blasts ? people : blasts);
    e->blasts = calloc(w->options.count[BOMB] + 1u, sizeof(blast));
    if (!e->steps || !e->blasts || (options->check_width && !e->meter)) return SVS_E_NO_MEMORY;
    status = start(e, options);
    /* Under a race check: each worker counts in its own. */
    (void)svs_check_worker_range(w->tallies, sizeof(tally), w->options.workers, "tally");
    if (!status) status = enter_objects(e, w);
    if (options->reach) link_targets(e, w);
    if (!status) status = make_graph(e, w, options);
    return status;
}

static svs_status frame_svs(void *state, world *w, bool look) {
    svs_engine *e = state;
    (void)w;
    e->look = look;
    return svs_graph_run(e->graph, 1, NULL);
}

/* Staged: the instances that ran in stages, and the stages. Progressive has none: the most that ran
 * at once in each frame. */
static void width_svs(void *state, engine_width *width) {
    svs_engine *e = state;
    svs_graph_statistics graph;
    svs_world_statistics objects;
    if (svs_graph_statistics_get(e->graph, &graph) ||
        svs_world_statistics_get(e->objects, &objects))
        return;
    svs_graph_statistics_reset(e->graph);
    width->instances = (double)(e->staged ? graph.staged_instances : graph.running_max);
    width->stages = e->staged ? (double)graph.stages : 1;
    width->greedy_instances = e->greedy_instances;
    width->greedy_colours = e->greedy_colours;
    width->refreshes = objects.refreshes;
    e->greedy_instances = e->greedy_colours = 0;
}

static void close_svs(void *state, world *w) {
    svs_engine *e = state;
    (void)w;
    (void)svs_graph_free(e->graph);
    (void)svs_world_free(e->objects);
    (void)svs_runtime_free(e->runtime);
    greedy_free(e->meter);
    free(e->blasts);
    free(e->steps);
    free(e);
}

const engine engine_svs = {"svs", open_svs, frame_svs, width_svs, close_svs};
