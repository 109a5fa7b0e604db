/* The tasks of the engines svs and scanned: scheduled by footprints, without locks. Only the phases
 * are ordered.
 *
 *   collect ==sends==> blast ==> aim ==> make_room ==> step
 *
 * ==> is an explicit dependency. An instance of `collect` is one bomb's; it sends the lists of the
 * citizens and of the techs nearby. An instance of `blast` writes the bodies that its list reaches.
 * Instances of `aim` and `step` belong to one citizen or tech; a step writes the lists of the cells
 * that the entity leaves and enters, and the bombs that a tech may touch.
 *
 * The engine defines TASK(name, item), which makes a task type of the body name_run, and ENGINE and
 * ENGINE_NAME. */
#include "common/scheduled.h"
#include "engine.h"

#include <stdlib.h>
#include <svs/check.h>
#include <svs/scan.h>

SVS_TYPE(list, svs)
SVS_TYPE(body, svs)

/* For svs scan. The order of the tasks parts what others do with an entity's place and step. */
SVS_PARTS(list, first, spare)
SVS_PARTS(node, next)
SVS_PER_WORKER(tally)
SVS_PER_ITEM(place, step)

typedef struct quest_tasks quest_tasks;
/* The item of a bomb, a citizen or a tech. */
typedef struct entity {
    quest_tasks *engine;
    world *in;
    uint32_t id, kind;
} entity;

struct quest_tasks {
    scheduled all;
    plan plan;
    svs_task *collect, *blast, *aim, *make_room, *step;
    entity first[KINDS]; /* of each kind */
};

/* ---- bombs ---- */

static svs_status blast_run(svs_context *x, blast *it) {
    (void)x;
    return rules_blast(it->in, svs_worker_index(), it);
}
TASK(blast, blast)

static svs_status collect_run(svs_context *x, entity *it) {
    svs_status status = SVS_OK;
    for (int kind = CITIZEN; kind <= TECH && !status; kind++) {
        blast made;
        status = rules_collect(it->in, svs_worker_index(), it->id, kind, &made);
        if (!status && made.first) status = blast_send(x, it->engine->blast, &made, 1);
    }
    return status;
}
TASK(collect, entity)

/* ---- people ---- */

static svs_status aim_run(svs_context *x, entity *it) {
    (void)x;
    rules_aim(it->in, it->kind, it->id, &it->engine->plan);
    return SVS_OK;
}
TASK(aim, entity)

static svs_status step_run(svs_context *x, entity *it) {
    const step *s = SVS_STABLE(&it->engine->plan.steps[it->kind][it->id]);
    (void)x;
    return s->place ? rules_step(it->in, svs_worker_index(), s) : SVS_OK;
}
TASK(step, entity)

static svs_status make_room_run(svs_context *x, entity *it) {
    quest_tasks *e = it->engine;
    (void)x;
    for (int kind = CITIZEN; kind <= TECH; kind++) rules_make_room(it->in, kind, &e->plan);
    return SVS_OK;
}
SVS_TASK_ALONE(make_room, entity, make_room_run)

/* ---- the engine ---- */

static svs_status enter_objects(world *w) {
    svs_status status = SVS_OK;
    if (!list_type.index) list_type.size = w->list_bytes;
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t cell = 0; cell < world_cells(w) && !status; cell++)
            status = svs_object_init(&world_list(w, kind, cell)->svs, w->objects, &list_type);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
            status = svs_object_init(&w->bodies[kind][id].svs, w->objects, &body_type);
    return status;
}

static svs_status make_graph(quest_tasks *e) {
    svs_graph *g = e->all.graph;
    svs_status status = svs_graph_add_itemizer(g, &collect_task, NULL, &e->collect);
    if (!status) status = svs_graph_add_itemizer(g, &blast_task, NULL, &e->blast);
    if (!status) status = svs_graph_add_itemizer(g, &aim_task, NULL, &e->aim);
    if (!status)
        status = svs_graph_add_transform(g, &make_room_task, &e->first[0], NULL, &e->make_room);
    if (!status) status = svs_graph_add_itemizer(g, &step_task, NULL, &e->step);
    if (!status) status = svs_graph_add_flow(g, e->collect, e->blast);
    if (!status) status = svs_graph_add_order(g, e->collect, e->blast);
    if (!status) status = svs_graph_add_order(g, e->blast, e->aim);
    if (!status) status = svs_graph_add_order(g, e->aim, e->make_room);
    if (!status) status = svs_graph_add_order(g, e->make_room, e->step);
    return status;
}

static svs_status open_svs(world *w, const settings *options, void **state) {
    quest_tasks *e = *state = calloc(1, sizeof *e);
    scheduled_options with;
    if (!e || !plan_init(&e->plan, w)) return SVS_E_NO_MEMORY;
    scheduled_options_init(&with, "quakesquad", options->threads, options->algorithm);
    with.world = options->objects;
    with.runtime.spin_ns = (uint64_t)options->spin_us * 1000;
    svs_status status = scheduled_open(&e->all, &with);
    if (status) return status;
    w->objects = e->all.world;
    for (uint32_t kind = 0; kind < KINDS; kind++) e->first[kind] = (entity){e, w, 0, kind};
    /* For the race check: each worker has its own counters. */
    status = svs_check_worker_range(w->tallies, sizeof(tally), w->options.workers, "tally");
    if (!status) status = enter_objects(w);
    return status ? status : make_graph(e);
}

static void make_entities(void *items, uint32_t from, uint32_t count, void *argument) {
    const entity *first = argument;
    entity *made = items;
    for (uint32_t i = 0; i < count; i++)
        made[i] = (entity){first->engine, first->in, from + i, first->kind};
}

/* Adds an instance for each entity of a kind. */
static svs_status for_each(quest_tasks *e, svs_task *task, entity_kind kind) {
    uint32_t count = e->first[kind].in->options.count[kind];
    return svs_graph_generate(e->all.graph, task, make_entities, &e->first[kind], count,
                              sizeof(entity));
}

static svs_status frame_svs(void *state, world *w) {
    quest_tasks *e = state;
    svs_status status = for_each(e, e->collect, BOMB);
    (void)w;
    for (entity_kind kind = CITIZEN; kind <= TECH && !status; kind++) {
        status = for_each(e, e->aim, kind);
        if (!status) status = for_each(e, e->step, kind);
    }
    return status ? status : svs_graph_run(e->all.graph, 1, NULL);
}

static void describe_svs(void *state, char *text, size_t size) {
    scheduled_describe(state, text, size); /* its first member */
}

static void close_svs(void *state, world *w) {
    quest_tasks *e = state;
    (void)w;
    scheduled_close(&e->all);
    plan_clean_up(&e->plan);
    free(e);
}

const engine ENGINE = {ENGINE_NAME, open_svs, frame_svs, describe_svs, close_svs};
