#include "options.h"

#include "common/numbers.h"
#include "engine.h"

#include <argp.h>

enum {
    KEY_ENGINE = 256,
    KEY_THREADS,
    KEY_FRAMES,
    KEY_SETTLE,
    KEY_CITIZENS,
    KEY_TECHS,
    KEY_BOMBS,
    KEY_WALLS,
    KEY_SIZE,
    KEY_QUEST,
    KEY_SEED,
    KEY_SVG,
    KEY_CHECK,
    KEY_CHECK_WIDTH,
    KEY_LOCK,
    KEY_CHUNK_BOMBS,
    KEY_CHUNK_STEPS,
    KEY_ALGORITHM,
    KEY_REACH,
    KEY_SIGNATURE,
    KEY_CELLS,
    KEY_NEIGHBOURHOOD,
    KEY_EXAMINE,
    KEY_CONFLICTS,
    KEY_REFRESH,
    KEY_SPIN
};

static const struct argp_option descriptions[] = {
    {"engine", KEY_ENGINE, "NAME", 0, "Engine that runs the game (svs); an unknown name lists them",
     1},
    {"threads", KEY_THREADS, "N", 0, "Workers, 1 to 1024 (2)", 1},
    {"frames", KEY_FRAMES, "N", 0, "Frames to play (200)", 1},
    {"settle", KEY_SETTLE, "N", 0,
     "Frames played serially before the first that counts, so that the crowd has found its ways "
     "(400)",
     1},
    {"citizens", KEY_CITIZENS, "N", 0, "Citizens (2000)", 2},
    {"techs", KEY_TECHS, "N", 0, "Techs (200)", 2},
    {"bombs", KEY_BOMBS, "N", 0, "Bombs (100)", 2},
    {"walls", KEY_WALLS, "N", 0, "Walls (200)", 2},
    {"size", KEY_SIZE, "UNITS", 0, "Side of the world, 64 to 16384 (1024); a cell has 32", 2},
    {"quest", KEY_QUEST, "NAME", 0,
     "none, centre, quadrants or moving: where the crowd is drawn to (none)", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of all that is random (1)", 2},
    {"check", KEY_CHECK, NULL, 0, "Check the invariants after every frame, not only at the end", 3},
    {"svg", KEY_SVG, "FILE", 0, "Draw the last frame", 3},
    {"lock", KEY_LOCK, "FORM", 0,
     "Engines that lock: pthread, spin, striped, rw, or native, the lock of the library that runs "
     "the loops (the engine's fastest)",
     4},
    {"chunk-bombs", KEY_CHUNK_BOMBS, "N", 0, "Bombs per instance or chunk (4)", 4},
    {"chunk-steps", KEY_CHUNK_STEPS, "N", 0, "Steps per instance or chunk (32)", 4},
    {"algorithm", KEY_ALGORITHM, "NAME", 0, "Engine svs: staged or progressive (staged)", 5},
    {"reach", KEY_REACH, NULL, 0,
     "Engine svs: the bombs' lists are made of memory objects, and the library finds by their "
     "links which bodies a blast may touch, as in the thesis; without, a function of the game does",
     5},
    {"signature", KEY_SIGNATURE, "BITS", 0,
     "Engine svs: bits of a signature, a power of two from 64 to 4096 (512)", 5},
    {"cells", KEY_CELLS, "BITS", 0,
     "Engine svs: exact sets are compared in 2^BITS cells, 0 to 20 (16)", 5},
    {"neighbourhood", KEY_NEIGHBOURHOOD, "K", 0,
     "With --reach: internal nodes of a master, 0 to 4096 (8)", 5},
    {"examine", KEY_EXAMINE, "N", 0, "With --reach: objects visited to know a reach exactly (64)",
     5},
    {"conflicts", KEY_CONFLICTS, "N", 0,
     "Engine svs: conflicts in a row that end the search for a stage (64)", 5},
    {"refresh", KEY_REFRESH, "PERCENT", 0,
     "With --reach: removed links per 100 masters that trigger a refresh (100)", 5},
    {"spin", KEY_SPIN, "US", 0,
     "Engine svs: microseconds for which an idle worker searches for work before it sleeps "
     "(60)",
     5},
    {"check-width", KEY_CHECK_WIDTH, NULL, 0,
     "Engine svs: compare with greedy colouring of exact sets, every 50th frame", 5},
    {0}};

static const char *const quests[] = {"none", "centre", "quadrants", "moving", NULL};
static const char *const algorithms[] = {"staged", "progressive", NULL};

/* The options of the world. @return whether it was one. */
static bool parse_world(world_options *into, int key, const char *text,
                        const struct argp_state *state) {
    const uint32_t most = 1000000;
    switch (key) {
    case KEY_CITIZENS:
        into->count[CITIZEN] = (uint32_t)option_unsigned(state, "citizens", text, 0, most);
        return true;
    case KEY_TECHS:
        into->count[TECH] = (uint32_t)option_unsigned(state, "techs", text, 0, most);
        return true;
    case KEY_BOMBS:
        into->count[BOMB] = (uint32_t)option_unsigned(state, "bombs", text, 0, most);
        return true;
    case KEY_WALLS:
        into->walls = (uint32_t)option_unsigned(state, "walls", text, 0, most);
        return true;
    case KEY_SIZE:
        into->size = (uint32_t)option_unsigned(state, "size", text, 64, 16384);
        return true;
    case KEY_QUEST: into->quest = (quest)option_choice(state, "quest", text, quests); return true;
    case KEY_SEED: into->seed = option_unsigned(state, "seed", text, 0, UINT64_MAX); return true;
    default: return false;
    }
}

static bool parse_library(settings *into, int key, const char *text,
                          const struct argp_state *state) {
    svs_world_options *objects = &into->objects;
    switch (key) {
    case KEY_ALGORITHM:
        into->algorithm = option_choice(state, "algorithm", text, algorithms)
                              ? SVS_ALGORITHM_PROGRESSIVE
                              : SVS_ALGORITHM_STAGED;
        return true;
    case KEY_REACH: into->reach = true; return true;
    case KEY_SIGNATURE:
        objects->signature_bits = (uint32_t)option_unsigned(state, "signature", text, 64, 4096);
        if (objects->signature_bits & (objects->signature_bits - 1))
            argp_error(state, "--signature: '%s' is not a power of two", text);
        return true;
    case KEY_CELLS:
        objects->cell_bits = (uint32_t)option_unsigned(state, "cells", text, 0, 20);
        return true;
    case KEY_NEIGHBOURHOOD:
        objects->neighbourhood = (uint32_t)option_unsigned(state, "neighbourhood", text, 0, 4096);
        return true;
    case KEY_EXAMINE:
        objects->examine_budget = (uint32_t)option_unsigned(state, "examine", text, 0, 1000000);
        return true;
    case KEY_REFRESH:
        objects->refresh_percent = (uint32_t)option_unsigned(state, "refresh", text, 0, 1000000);
        return true;
    case KEY_SPIN:
        into->spin_us = (uint32_t)option_unsigned(state, "spin", text, 0, 1000000);
        return true;
    case KEY_CONFLICTS:
        into->stage_conflicts = (uint32_t)option_unsigned(state, "conflicts", text, 0, UINT32_MAX);
        return true;
    default: return false;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    settings *into = state->input;
    if (parse_world(&into->world, key, text, state) || parse_library(into, key, text, state))
        return 0;
    switch (key) {
    case KEY_ENGINE: into->engine = option_engine(state, text); return 0;
    case KEY_THREADS:
        into->threads = (uint32_t)option_unsigned(state, "threads", text, 1, 1024);
        return 0;
    case KEY_FRAMES:
        into->frames = (uint32_t)option_unsigned(state, "frames", text, 1, 10000000);
        return 0;
    case KEY_SETTLE:
        into->settle = (uint32_t)option_unsigned(state, "settle", text, 0, 10000000);
        return 0;
    case KEY_SVG: into->svg = text; return 0;
    case KEY_CHECK: into->check = true; return 0;
    case KEY_CHECK_WIDTH: into->check_width = true; return 0;
    case KEY_LOCK:
        into->lock = (lock_form)option_choice(state, "lock", text, lock_form_names);
        return 0;
    case KEY_CHUNK_BOMBS:
        into->chunk_bombs = (uint32_t)option_unsigned(state, "chunk-bombs", text, 1, 1000000);
        return 0;
    case KEY_CHUNK_STEPS:
        into->chunk_steps = (uint32_t)option_unsigned(state, "chunk-steps", text, 1, 1000000);
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", text); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void check_together(settings *it, const struct argp_state *state) {
    const svs_world_options *objects = &it->objects;
    it->lock = option_engine_lock(state, it->engine, it->lock);
    if (it->engine->methods == &engine_serial) it->threads = 1;
    if (objects->cell_bits && objects->signature_bits > 1u << objects->cell_bits)
        argp_error(state, "--cells %u: 2^%u cells are fewer than the %u bits of --signature",
                   objects->cell_bits, objects->cell_bits, objects->signature_bits);
}

static error_t parse_and_check(int key, char *text, struct argp_state *state) {
    if (key == ARGP_KEY_END) check_together(state->input, state);
    return parse(key, text, state);
}

void options_parse(settings *into, int argc, char **argv) {
    static const struct argp parser = {
        descriptions,
        parse_and_check,
        NULL,
        "Bombs, walls, citizens that flee and techs that disarm, in a "
        "world of cells that keep linked lists: once serially, once "
        "with locks, once scheduled by the memory that each step "
        "may touch. All engines play the same game.",
        NULL,
        NULL,
        NULL};
    const settings defaults = {
        .world = {.count = {2000, 200, 100}, .walls = 200, .size = 1024, .seed = 1},
        .threads = 2,
        .frames = 200,
        .settle = 400,
        .lock = LOCKS_BEST,
        .chunk_bombs = 4,
        .chunk_steps = 32,
        .spin_us = 60, /* longer than what one worker does alone between two frames */
        .algorithm = SVS_ALGORITHM_STAGED};
    svs_graph_options graph;
    *into = defaults;
    into->engine = engine_named("svs");
    svs_world_options_init(&into->objects);
    svs_graph_options_init(&graph);
    into->stage_conflicts = graph.stage_conflicts;
    /* Exact traversals decide nearly all conflicts of this game, so signatures may become staler
     * than usual. */
    into->objects.refresh_percent = 100;
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, into);
    into->world.workers = into->threads;
}
