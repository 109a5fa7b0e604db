/* The rules scheduled by what they may touch: no lock, and no order but that of the phases.
 *
 *   UpdateBombs ==sends==> BlastCitizens, BlastTechs
 *       ==> UpdatePeople ==sends==> MoveCitizens, MoveTechs, Stay
 *
 * ==> is an explicit order. UpdateBombs builds fresh lists, two for each bomb, and hands each off.
 * What the two updates look up they look up in parallel, in asyncs of theirs; what they send is
 * scheduled by its footprint: a blast by the bodies that it may reach, a step by the place and the
 * lists that it changes. Steps within a cell change no list, and some of them together are a
 * Stay. */
#include "engine.h"
#include "greedy.h"
#include "rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <svs/async.h>
#include <svs/check.h>
#include <svs/svs.h>
#ifdef QUAKESQUAD_JEMALLOC
#include "jemalloc_adapter.h"
#endif

SVS_TYPE(list, svs)
SVS_TYPE(body, svs)
SVS_TYPE(target, svs, next, who)

/* A step that changes more than a place. */
typedef struct move {
    const step *step;
    const svs_space *places;
} move;

/* Steps of those who stay in their cells: of a plan's, from `first` on, those whose bits are
 * set. */
typedef struct stay {
    const step *first;
    const svs_space *places;
    uint64_t id; /* of the first */
    uint64_t who;
} stay;

typedef struct svs_engine {
    world *in;
    svs_runtime *runtime;
    svs_world *objects;
    svs_graph *graph;
    svs_task *blast[BOMB], *move[BOMB]; /* of citizens, of techs */
    svs_task *stay;
    /* what the updates make, before they send */
    blast *blasts;
    svs_status *collected; /* how the making of each blast ended */
    plan plan;
    move *moves;
    stay *stays;
    svs_space *places[BOMB]; /* by the number of who stands there */
    uint32_t chunk_bombs, chunk_steps;
    greedy *meter;
    bool staged;
    svs_graph_statistics seen;   /* when widths were last asked for */
    svs_graph_statistics before; /* progressive: of the frames before */
    bool look;                   /* the producers meter what they send in this frame */
    double greedy_instances, greedy_colours;
} svs_engine;

/* The item of both updates. */
typedef struct update {
    svs_engine *engine;
} update;

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

/* Some of the lists, numbered from the citizens' first to the techs' last. */
typedef struct some_lists {
    svs_engine *engine;
    uint32_t begin, end;
} some_lists;

static svs_status make_list(svs_engine *e, uint32_t worker, uint32_t i) {
    uint32_t bombs = e->in->options.count[BOMB];
    return e->collected[i] =
               rules_collect(e->in, worker, i % bombs, i < bombs ? CITIZEN : TECH, &e->blasts[i]);
}

static void make_some_lists(svs_strand *strand, void *argument) {
    const some_lists *it = argument;
    for (uint32_t i = it->begin; i < it->end; i++)
        (void)make_list(it->engine, svs_strand_worker(strand), i);
}

static void make_lists(svs_strand *strand, void *argument) {
    svs_engine *e = argument;
    uint32_t end = 2 * e->in->options.count[BOMB];
    for (uint32_t begin = 0; begin < end; begin += e->chunk_bombs) {
        some_lists some = {e, begin, end - begin < e->chunk_bombs ? end : begin + e->chunk_bombs};
        svs_async(strand, make_some_lists, &some, sizeof some);
    }
}

/* Where they are made of memory objects, it is the body that makes them, and lets go of each. */
static svs_status make_linked_lists(svs_context *x, svs_engine *e) {
    uint32_t worker = svs_context_worker(x);
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < 2 * e->in->options.count[BOMB] && !status; i++) {
        status = make_list(e, worker, i);
        if (!status && e->blasts[i].first) status = svs_hand_off(x, &e->blasts[i].first->svs);
    }
    return status;
}

/* Sends those that name somebody. */
static svs_status send_lists(svs_context *x, svs_engine *e, entity_kind kind) {
    uint32_t bombs = e->in->options.count[BOMB], count = 0;
    blast *lists = e->blasts + (kind == CITIZEN ? 0 : bombs);
    svs_status status = SVS_OK;
    for (uint32_t bomb = 0; bomb < bombs && !status; bomb++) {
        status = e->collected[&lists[bomb] - e->blasts];
        if (status || !lists[bomb].first) continue;
        lists[count] = lists[bomb];
        status = meter_blast(e, &lists[count++]);
    }
    if (!status && count) status = blast_citizens_send(x, e->blast[kind], lists, count);
    return status;
}

static svs_status update_bombs_run(svs_context *x, update *it) {
    svs_engine *e = it->engine;
    svs_status status = SVS_OK;
    meter_begin(e);
    if (e->in->linked) status = make_linked_lists(x, e);
    else svs_finish(svs_context_strand(x), make_lists, e);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) status = send_lists(x, e, kind);
    meter_end(e);
    return status;
}

/* It reads nearly all lists and places. Nothing else is to be done meanwhile: it is as well to say
 * that it runs alone, and thousands of accesses need not be looked up. */
SVS_TASK_ALONE(update_bombs, update, update_bombs_run)

/* ---- steps ---- */

static bool changes_lists(const step *it) { return it->to != it->from || it->leaves; }

/* The lists, when it goes into another cell or leaves the world, and the bombs that a tech may lay
 * its hand on: that they are there, and where, is the same throughout a run. */
static void touch_others(svs_footprint *f, const step *it) {
    const world *w = it->in;
    if (changes_lists(it)) svs_writes_object(f, &world_list(w, it->kind, it->from)->svs);
    if (it->to != it->from) svs_writes_object(f, &world_list(w, it->kind, it->to)->svs);
    if (it->kind != TECH) return;
    for (uint32_t i = 0; i < it->bomb_cells; i++)
        for (const node *n = step_bombs(it, i)->first; n; n = n->next)
            if (rules_step_touches(it, n->who)) svs_writes_object(f, &n->who->who->svs);
}

/* Where it stands, and what else there is. */
static void move_touch(svs_footprint *f, const move *it) {
    svs_writes_at(f, it->places, it->step->who->id);
    touch_others(f, it->step);
}

static svs_status move_run(svs_context *x, move *it) {
    const svs_engine *e = svs_context_argument(x);
    return rules_step(e->in, svs_context_worker(x), it->step);
}
SVS_TASK_NAMED(move_citizens, move, move_run, move_touch)
SVS_TASK_NAMED(move_techs, move, move_run, move_touch)

/* Those who stay have their places to themselves, whatever others do: the first one's stands for
 * them all, so that nobody has to look at each. */
static void stay_touch(svs_footprint *f, const stay *it) { svs_writes_at(f, it->places, it->id); }

static svs_status stay_run(svs_context *x, stay *it) {
    const svs_engine *e = svs_context_argument(x);
    uint32_t worker = svs_context_worker(x);
    svs_status status = SVS_OK;
    for (uint64_t who = it->who; who && !status; who &= who - 1)
        status = rules_step(e->in, worker, &it->first[__builtin_ctzll(who)]);
    return status;
}
SVS_TASK(stay, stay_run, stay_touch)

static svs_status send_moves(svs_context *x, svs_engine *e, entity_kind kind) {
    uint32_t count = 0;
    svs_status status = SVS_OK;
    meter_begin(e);
    for (uint32_t block = 0; block < plan_blocks(e->in, kind); block++) {
        const other_step *others = &e->plan.others[kind][(size_t)block * PLAN_BLOCK];
        for (uint32_t i = 0; i < e->plan.blocks[kind][block].others; i++)
            e->moves[count++] = (move){&e->plan.steps[kind][others[i].id], e->places[kind]};
    }
    for (uint32_t i = 0; i < count && e->look && !status; i++) {
        move_touch(greedy_footprint(e->meter), &e->moves[i]);
        status = greedy_add(e->meter);
    }
    meter_end(e);
    if (!status && count) status = move_citizens_send(x, e->move[kind], e->moves, count);
    return status;
}

/* Hands out those who stay in a block, some at a time. */
static stay *divide_block(svs_engine *e, entity_kind kind, uint32_t block, stay *to) {
    uint64_t left = e->plan.blocks[kind][block].stayers;
    while (left) {
        uint32_t first = (uint32_t)__builtin_ctzll(left), id = block * PLAN_BLOCK + first;
        *to = (stay){&e->plan.steps[kind][id], e->places[kind], id, left};
        for (uint32_t i = 0; i < e->chunk_steps && left; i++) left &= left - 1;
        to->who = (to->who & ~left) >> first;
        to++;
    }
    return to;
}

/* No two of them meet. */
static svs_status send_stays(svs_context *x, svs_engine *e) {
    stay *end = e->stays;
    size_t count;
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t block = 0; block < plan_blocks(e->in, kind); block++)
            end = divide_block(e, kind, block, end);
    count = (size_t)(end - e->stays);
    if (!count) return SVS_OK;
    if (e->look) {
        e->greedy_instances += (double)count;
        e->greedy_colours++;
    }
    return stay_send(x, e->stay, e->stays, (uint32_t)count);
}

typedef struct aim_block {
    svs_engine *engine;
    uint32_t block;
    entity_kind kind;
} aim_block;

static void aim(svs_strand *strand, void *argument) {
    const aim_block *it = argument;
    (void)strand;
    rules_aim(it->engine->in, it->kind, it->block, &it->engine->plan);
}

static void aim_all(svs_strand *strand, void *argument) {
    aim_block it = {argument, 0, CITIZEN};
    for (; it.kind <= TECH; it.kind++)
        for (it.block = 0; it.block < plan_blocks(it.engine->in, it.kind); it.block++)
            svs_async(strand, aim, &it, sizeof it);
}

static svs_status update_people_run(svs_context *x, update *it) {
    svs_engine *e = it->engine;
    svs_status status = SVS_OK;
    svs_finish(svs_context_strand(x), aim_all, e);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) {
        rules_make_room(e->in, kind, &e->plan);
        status = send_moves(x, e, kind);
    }
    return status ? status : send_stays(x, e);
}

/* It reads each place and body. Every step that it sends writes such a place, so that nothing could
 * run beside it. */
SVS_TASK_ALONE(update_people, update, update_people_run)

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

/* Asyncs of one body that run on one worker do so one after the other, which a check does not
 * know. */
static svs_status target_unchecked(world *w, uint32_t worker, target **made) {
    svs_status status;
    svs_check_ignore_begin();
    status = world_target_new(w, worker, made);
    svs_check_ignore_end();
    return status;
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
    if (!status)
        status = svs_space_new(e->objects, "places", w->options.count[kind] + 1u, &e->places[kind]);
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

static svs_status add_bombs(svs_engine *e, svs_task **made) {
    const update item = {e};
    svs_status status = svs_graph_add_transform(e->graph, &update_bombs_task, &item, e, made);
    if (!status) status = add_consumer(e, *made, &blast_citizens_task, &e->blast[CITIZEN]);
    if (!status) status = add_consumer(e, *made, &blast_techs_task, &e->blast[TECH]);
    /* The lists of the one name citizens, those of the other techs. */
    if (!status) status = svs_graph_independent(e->graph, e->blast[CITIZEN], e->blast[TECH]);
    return status;
}

static svs_status add_people(svs_engine *e, svs_task **made) {
    const update item = {e};
    svs_status status = svs_graph_add_transform(e->graph, &update_people_task, &item, e, made);
    if (!status) status = add_consumer(e, *made, &move_citizens_task, &e->move[CITIZEN]);
    if (!status) status = add_consumer(e, *made, &move_techs_task, &e->move[TECH]);
    if (!status) status = add_consumer(e, *made, &stay_task, &e->stay);
    /* What techs do has nothing to do with citizens, and those who stay with nobody. Their domain
     * is one of its own: it gives workers something to do while the others' stages are made. */
    if (!status) status = svs_graph_independent(e->graph, e->move[CITIZEN], e->move[TECH]);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = svs_graph_independent(e->graph, e->stay, e->move[kind]);
    return status;
}

#define EXPLAIN_EVERY 16384u /* deferrals: a look at one of them costs as much as an instance */

/* Those who go from cell to cell wait for each other, a few in a row at most cells. Of fewer that
 * are chosen to run together fewer have met. */
static uint32_t stage_width(const world *w) {
    uint32_t part = w->options.count[CITIZEN] / 16;
    return part < 64 ? 64 : part;
}

static svs_status make_graph(svs_engine *e, const settings *options) {
    svs_graph_options graph_options;
    svs_task *bombs, *people;
    svs_status status;
    svs_graph_options_init(&graph_options);
    graph_options.name = "quakesquad";
    graph_options.algorithm = options->algorithm;
    graph_options.stage_conflicts = options->stage_conflicts;
    graph_options.stage_width = stage_width(e->in);
    graph_options.explain_every = EXPLAIN_EVERY;
    status = svs_graph_new(e->objects, &graph_options, &e->graph);
    if (!status) status = add_bombs(e, &bombs);
    if (!status) status = add_people(e, &people);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = svs_graph_order(e->graph, e->blast[kind], people);
    return status;
}

/* ---- the engine ---- */

static svs_status start(svs_engine *e, const settings *options) {
    svs_runtime_options runtime_options;
    svs_status status;
    svs_runtime_options_init(&runtime_options);
    runtime_options.threads = options->threads;
    runtime_options.spin_us = options->spin_us;
#ifdef QUAKESQUAD_JEMALLOC
    runtime_options.allocator = *svs_jemalloc_allocator();
#endif
    status = svs_runtime_new(&runtime_options, &e->runtime);
    if (!status) status = svs_runtime_start(e->runtime);
    if (!status) status = svs_world_new(e->runtime, &options->objects, &e->objects);
    return status;
}

static bool allocate(svs_engine *e, const settings *options) {
    const uint32_t *count = e->in->options.count;
    uint32_t people = count[CITIZEN] > count[TECH] ? count[CITIZEN] : count[TECH],
             lists = 2 * count[BOMB];
    size_t everybody = (size_t)count[CITIZEN] + count[TECH];
    e->moves = calloc(people + 1u, sizeof *e->moves);
    e->stays = calloc(everybody + 1u, sizeof *e->stays);
    e->blasts = calloc(lists + 1u, sizeof *e->blasts);
    e->collected = calloc(lists + 1u, sizeof *e->collected);
    if (options->check_width) e->meter = greedy_new(people > lists ? people : lists);
    return plan_init(&e->plan, e->in) && e->moves && e->stays && e->blasts && e->collected &&
           (e->meter || !options->check_width);
}

static svs_status open_svs(world *w, const settings *options, void **state) {
    svs_engine *e = calloc(1, sizeof *e);
    svs_status status;
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->in = w;
    e->staged = options->algorithm == SVS_STAGED;
    e->chunk_bombs = options->chunk_bombs;
    e->chunk_steps = options->chunk_steps;
    if (!allocate(e, options)) return SVS_E_NO_MEMORY;
    status = start(e, options);
    /* Under a race check: each worker counts in its own, and takes from its own spares. */
    if (!svs_check_worker_range(w->tallies, sizeof(tally), w->options.workers, "tally"))
        w->hooks.target_new = target_unchecked;
    if (!status) status = enter_objects(e, w);
    if (options->reach) link_targets(e, w);
    if (!status) status = make_graph(e, options);
    return status;
}

static svs_status frame_svs(void *state, world *w, bool look) {
    svs_engine *e = state;
    (void)w;
    e->look = look;
    return svs_graph_run(e->graph, 1, NULL);
}

static void add_counts(svs_graph_statistics *to, const svs_graph_statistics *more) {
    to->instances += more->instances;
    to->stages += more->stages;
    to->deferrals += more->deferrals;
    to->deferrals_true += more->deferrals_true;
    to->deferrals_hash += more->deferrals_hash;
    to->deferrals_master += more->deferrals_master;
    to->deferrals_stale += more->deferrals_stale;
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
    if (e->staged) {
        width->instances = (double)(graph.staged_instances - e->seen.staged_instances);
        width->stages = (double)(graph.stages - e->seen.stages);
    } else {
        width->instances = (double)graph.running_max;
        width->stages = 1;
        add_counts(&e->before, &graph);
        svs_graph_statistics_reset(e->graph);
    }
    width->greedy_instances = e->greedy_instances;
    width->greedy_colours = e->greedy_colours;
    width->refreshes = objects.refreshes;
    e->seen = graph;
    e->greedy_instances = e->greedy_colours = 0;
}

static void counts_svs(void *state, FILE *out) {
    svs_engine *e = state;
    svs_graph_statistics graph;
    if (svs_graph_statistics_get(e->graph, &graph)) return;
    add_counts(&graph, &e->before);
    fprintf(out,
            " instances=%" PRIu64 " stages=%" PRIu64 " deferrals=%" PRIu64
            " deferrals_true=%" PRIu64 " deferrals_hash=%" PRIu64 " deferrals_master=%" PRIu64
            " deferrals_stale=%" PRIu64,
            graph.instances, graph.stages, graph.deferrals, graph.deferrals_true,
            graph.deferrals_hash, graph.deferrals_master, graph.deferrals_stale);
}

static void close_svs(void *state, world *w) {
    svs_engine *e = state;
    (void)w;
    (void)svs_graph_free(e->graph);
    for (int kind = 0; kind < BOMB; kind++) svs_space_free(e->places[kind]);
    (void)svs_world_free(e->objects);
    (void)svs_runtime_free(e->runtime);
    greedy_free(e->meter);
    plan_clean_up(&e->plan);
    free(e->collected);
    free(e->blasts);
    free(e->stays);
    free(e->moves);
    free(e);
}

const engine engine_svs = {"svs", open_svs, frame_svs, width_svs, counts_svs, close_svs};
