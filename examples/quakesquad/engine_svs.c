/* Engine svs: scheduled by footprints, without locks. Only the phases are ordered.
 *
 *   UpdateBombs ==sends==> BlastCitizens, BlastTechs
 *       ==> UpdatePeople ==sends==> MoveCitizens, MoveTechs
 *
 * ==> is an explicit dependency. The updates run independent work in parallel loops
 * (engine_svs_loop.c): the bombs' lists, the plan, and each entity's walk. They send work that may
 * conflict, which is scheduled by its footprint: blasts by the bodies that they may reach
 * (engine_svs_bombs.c), moves by the lists and bombs that they change (engine_svs_people.c). Each
 * instance processes several neighbouring entities (engine_svs_tiles.c). */
#include "engine_svs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <svs/check.h>
#ifdef QUAKESQUAD_JEMALLOC
#include "jemalloc_adapter.h"
#endif

SVS_TYPE(list, svs)
SVS_TYPE(body, svs)
SVS_TYPE(target, svs, next, body)

/* ---- the meter ---- */

void engine_meter_begin(svs_engine *e) {
    if (e->look) greedy_begin(e->meter);
}

void engine_meter_end(svs_engine *e) {
    if (!e->look) return;
    e->greedy_instances += greedy_instances(e->meter);
    e->greedy_colours += greedy_colours(e->meter);
}

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
    if (svs_object_free(&gone->svs)) return; /* which fails the body */
}

/* The race check ignores this: asyncs of one body on one worker run one after another, which the
 * check does not model. */
static svs_status target_unchecked(world *w, uint32_t worker, target **made) {
    svs_status status;
    svs_check_ignore_begin();
    status = world_target_new(w, worker, made);
    svs_check_ignore_end();
    return status;
}

/* The size of a list depends on the world; it is set in the type before the first use. */
static svs_type *list_type_of(const world *w, entity_kind kind) {
    static svs_type types[BOMB];
    if (!types[kind].name) types[kind] = list_type;
    if (!types[kind].index) types[kind].size = w->list_bytes[kind];
    return &types[kind];
}

static svs_status enter_lists(svs_engine *e, world *w, entity_kind kind) {
    svs_status status = SVS_OK;
    for (uint32_t cell = 0; cell < world_cells(w) && !status; cell++)
        status =
            svs_object_init(&world_list(w, kind, cell)->svs, e->objects, list_type_of(w, kind));
    return status;
}

/* Makes the nodes of the bombs' lists memory objects. */
static void link_targets(svs_engine *e, world *w) {
    w->linked = true;
    w->objects = e->objects;
    w->hooks.target_new = target_object;
    w->hooks.target_free = target_object_free;
}

static svs_status enter_objects(svs_engine *e, world *w) {
    svs_status status = SVS_OK;
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) status = enter_lists(e, w, kind);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
            status = svs_object_init(&w->bodies[kind][id].svs, e->objects, &body_type);
    return status;
}

/* ---- the graph ---- */

static svs_status add_consumer(svs_engine *e, const svs_task_type *type, svs_task *producer,
                               svs_task **consumer) {
    svs_status status = svs_graph_add_itemizer(e->graph, type, e, consumer);
    if (!status) status = svs_graph_add_flow(e->graph, producer, *consumer);
    if (!status) status = svs_graph_add_order(e->graph, producer, *consumer);
    return status;
}

svs_status engine_add_update(svs_engine *e, const svs_task_type *producer,
                             const svs_task_type *consumer, svs_task **made,
                             svs_task *consumers[BOMB]) {
    const update item = {e};
    svs_status status = svs_graph_add_transform(e->graph, producer, &item, e, made);
    for (int kind = CITIZEN; kind <= TECH && !status; kind++)
        status = add_consumer(e, consumer, *made, &consumers[kind]);
    if (!status) status = svs_graph_set_independent(e->graph, consumers[CITIZEN], consumers[TECH]);
    return status;
}

#define EXPLAIN_EVERY 16384u /* deferrals: explaining one costs as much as an instance */

static svs_status make_graph(svs_engine *e, const settings *options) {
    svs_graph_options graph_options;
    svs_task *blasts[BOMB];
    svs_status status;
    svs_graph_options_init(&graph_options);
    graph_options.name = "quakesquad";
    graph_options.algorithm = options->algorithm;
    graph_options.stage_conflicts = options->stage_conflicts;
    graph_options.explain_every = EXPLAIN_EVERY;
    status = svs_graph_new(e->objects, &graph_options, &e->graph);
    if (!status) status = bombs_add(e, blasts);
    if (!status) status = people_add(e, blasts);
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
    uint32_t everybody = count[CITIZEN] + count[TECH], lists = 2 * count[BOMB];
    if (options->check_width) e->meter = greedy_new(everybody > lists ? everybody : lists);
    return bombs_init(e) && people_init(e) && (e->meter || !options->check_width);
}

static svs_status open_svs(world *w, const settings *options, void **state) {
    svs_engine *e = calloc(1, sizeof *e);
    svs_status status;
    if (!e) return SVS_E_NO_MEMORY;
    *state = e;
    e->in = w;
    e->staged = options->algorithm == SVS_ALGORITHM_STAGED;
    e->chunk_bombs = options->chunk_bombs;
    e->chunk_steps = options->chunk_steps;
    if (!allocate(e, options)) return SVS_E_NO_MEMORY;
    status = start(e, options);
    /* For the race check: each worker uses its own counters and its own free list. */
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
        if (svs_graph_statistics_reset(e->graph)) return;
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
    if (svs_graph_free(e->graph) || svs_world_free(e->objects) || svs_runtime_free(e->runtime))
        fputs("quakesquad: the engine could not free its graph, world and runtime\n", stderr);
    greedy_free(e->meter);
    people_clean_up(e);
    bombs_clean_up(e);
    free(e);
}

const engine engine_svs = {"svs", open_svs, frame_svs, width_svs, counts_svs, close_svs};
