/* The best possible width: a serial game that colours the instances of engine svs by their exact
 * sets, in the order of their arrival (first fit: each gets the lowest colour of no conflicting
 * instance). A colour is a set of instances that could run in parallel. So instances / colours is
 * the mean parallel width of a scheduler with perfect knowledge and the same order.
 *
 * It knows what each instance writes by the rules of the game, and nothing of the library. Two
 * phases, collect and aim, write nothing that another instance needs: they have one colour. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quakesquad/engine.h"

#define WORDS 64u /* of 64 colours each */

typedef struct row {
    uint64_t colours[WORDS];
} row;

typedef struct greedy {
    plan plan;
    row *rows, *taken; /* of each body and list: the colours of its writers; of an instance */
    size_t count;
    uint64_t instances, stages;
    uint32_t phase; /* colours of the phase */
    int colour;     /* of the instance; -1: not known yet */
} greedy;

static svs_status open_greedy(world *w, const settings *options, void **state) {
    const uint32_t *count = w->options.count;
    greedy *g = *state = calloc(1, sizeof *g);
    (void)options;
    if (!g || !plan_init(&g->plan, w)) return SVS_E_NO_MEMORY;
    g->count = (size_t)BOMB * world_cells(w) + count[CITIZEN] + count[TECH] + count[BOMB];
    g->rows = calloc(g->count + 1, sizeof *g->rows);
    g->taken = g->rows ? g->rows + g->count : NULL;
    return g->rows ? SVS_OK : SVS_E_NO_MEMORY;
}

/* Notes one write of an instance without a colour: the colours of the object are taken. */
static void writes(greedy *g, size_t what) {
    uint64_t *colours = g->rows[what].colours;
    if (g->colour >= 0) colours[g->colour / 64] |= UINT64_C(1) << g->colour % 64;
    else
        for (uint32_t i = 0; i < WORDS; i++) g->taken->colours[i] |= colours[i];
}

static void writes_list(greedy *g, const world *w, uint32_t kind, uint32_t cell) {
    writes(g, (size_t)kind * world_cells(w) + cell);
}

static void writes_body(greedy *g, const world *w, uint32_t kind, uint32_t id) {
    size_t at = (size_t)BOMB * world_cells(w) + id;
    for (uint32_t k = 0; k < kind; k++) at += w->options.count[k];
    writes(g, at);
}

static void find_colour(greedy *g) {
    uint32_t word = 0;
    while (word + 1 < WORDS && g->taken->colours[word] == UINT64_MAX) word++;
    g->colour = (int)(word * 64) + __builtin_ctzll(~g->taken->colours[word]);
    if ((uint32_t)g->colour >= g->phase) g->phase = (uint32_t)g->colour + 1;
    g->instances++;
}

static void begin_instance(greedy *g) {
    memset(g->taken, 0, sizeof *g->taken);
    g->colour = -1;
}

static void end_phase(greedy *g) {
    g->stages += g->phase;
    g->phase = 0;
    memset(g->rows, 0, g->count * sizeof *g->rows);
}

static void colour_blast(greedy *g, const world *w, const blast *it) {
    begin_instance(g);
    for (int pass = 0; pass < 2; pass++) {
        for (const target *t = it->first; t; t = t->next) writes_body(g, w, it->kind, t->body->id);
        if (!pass) find_colour(g);
    }
}

static void writes_of_step(greedy *g, const world *w, const step *it) {
    if (it->leaves || it->to != it->from) writes_list(g, w, it->kind, it->from);
    if (it->to != it->from) writes_list(g, w, it->kind, it->to);
    for (uint32_t i = 0; it->kind == TECH && i < it->bomb_cells; i++)
        for (const node *n = step_bombs(it, i)->first; n; n = n->next)
            if (rules_step_touches(it, n->place)) writes_body(g, w, BOMB, n->place->id);
}

static void colour_step(greedy *g, const world *w, const step *it) {
    begin_instance(g);
    if (it->place) writes_of_step(g, w, it);
    find_colour(g);
    if (it->place) writes_of_step(g, w, it);
}

static svs_status bombs(greedy *g, world *w) {
    svs_status status = SVS_OK;
    for (uint32_t bomb = 0; bomb < w->options.count[BOMB]; bomb++)
        for (int kind = CITIZEN; kind <= TECH && !status; kind++) {
            blast it;
            status = rules_collect(w, 0, bomb, kind, &it);
            if (!status && it.first) colour_blast(g, w, &it);
            if (!status) status = rules_blast(w, 0, &it);
        }
    end_phase(g);
    return status;
}

static svs_status frame_greedy(void *state, world *w) {
    greedy *g = state;
    const uint32_t *count = w->options.count;
    svs_status status = bombs(g, w);
    for (int kind = CITIZEN; kind <= TECH; kind++) {
        for (uint32_t id = 0; id < count[kind]; id++) rules_aim(w, kind, id, &g->plan);
        rules_make_room(w, kind, &g->plan);
    }
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t id = 0; id < count[kind] && !status; id++) {
            const step *it = &g->plan.steps[kind][id];
            colour_step(g, w, it);
            if (it->place) status = rules_step(w, 0, it);
        }
    end_phase(g);
    /* collect, aim, and the one instance that makes room */
    g->instances += (uint64_t)count[BOMB] + count[CITIZEN] + count[TECH] + 1;
    g->stages += 3;
    return status;
}

static void describe_greedy(void *state, char *text, size_t size) {
    const greedy *g = state;
    snprintf(text, size, " instances=%" PRIu64 " stages=%" PRIu64 " width=%.1f", g->instances,
             g->stages, g->stages ? (double)g->instances / (double)g->stages : 0.0);
}

static void close_greedy(void *state, world *w) {
    greedy *g = state;
    (void)w;
    plan_clean_up(&g->plan);
    free(g->rows);
    free(g);
}

extern const engine engine_greedy;
const engine engine_greedy = {"greedy", open_greedy, frame_greedy, describe_greedy, close_greedy};
