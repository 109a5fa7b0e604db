#include "options.h"

#include "engine.h"

#include <argp.h>

static const char *const quests[] = {"none", "centre", "quadrants", "moving", NULL};

#define NUMBER(member, min, max) OPTION_NUMBER(settings, member, min, max)

static const option_row rows[] = {
    {"engine", 0, "NAME", "Engine that runs the game (svs); an unknown name lists them", 1,
     OPTION_ENGINE(settings, engine)},
    {"threads", 0, "N", "Workers, 1 to 1024 (2)", 1, NUMBER(threads, 1, 1024)},
    {"frames", 0, "N", "Frames to play (200)", 1, NUMBER(frames, 1, 10000000)},
    {"settle", 0, "N",
     "Frames played serially before the first that counts, so that the crowd has found its ways "
     "(400)",
     1, NUMBER(settle, 0, 10000000)},
    {"citizens", 0, "N", "Citizens (2000)", 2, NUMBER(world.count[CITIZEN], 0, 1000000)},
    {"techs", 0, "N", "Techs (200)", 2, NUMBER(world.count[TECH], 0, 1000000)},
    {"bombs", 0, "N", "Bombs (100)", 2, NUMBER(world.count[BOMB], 0, 1000000)},
    {"walls", 0, "N", "Walls (200)", 2, NUMBER(world.walls, 0, 1000000)},
    {"size", 0, "UNITS", "Side of the world, 64 to 16384 (1024); a cell has 32", 2,
     NUMBER(world.size, 64, 16384)},
    {"quest", 0, "NAME", "none, centre, quadrants or moving: where the crowd is drawn to (none)", 2,
     OPTION_CHOICE(settings, world.quest, quests)},
    {"seed", 0, "N", "Seed of all that is random (1)", 2, NUMBER(world.seed, 0, UINT64_MAX)},
    {"check", 0, NULL, "Check the invariants after every frame, not only at the end", 3,
     OPTION_FLAG(settings, check)},
    {"svg", 0, "FILE", "Draw the last frame", 3, OPTION_TEXT(settings, svg)},
    OPTION_LOCK(settings, lock, 4),
    {"chunk-bombs", 0, "N", "Engines with loops: bombs per chunk (4)", 4,
     NUMBER(chunk_bombs, 1, 1000000)},
    {"chunk-steps", 0, "N", "Engines with loops: people per chunk (32)", 4,
     NUMBER(chunk_steps, 1, 1000000)},
    OPTION_ALGORITHM(settings, algorithm, 5),
    {"signature", 0, "BITS",
     "Engine svs: bits of a signature, a power of two from 64 to 4096 (512)", 5,
     NUMBER(objects.signature_bits, 64, 4096)},
    {"cells", 0, "BITS", "Engine svs: exact sets are compared in 2^BITS cells, 0 to 20 (16)", 5,
     NUMBER(objects.cell_bits, 0, 20)},
    {"neighbourhood", 0, "K", "Engine svs: internal nodes of a master, 0 to 4096 (8)", 5,
     NUMBER(objects.neighbourhood, 0, 4096)},
    {"examine", 0, "N", "Engine svs: objects visited to know a reach exactly (64)", 5,
     NUMBER(objects.examine_budget, 0, 1000000)},
    {"refresh", 0, "PERCENT",
     "Engine svs: removed links per 100 masters that trigger a refresh (100)", 5,
     NUMBER(objects.refresh_percent, 0, 1000000)},
    {"spin", 0, "US",
     "Engine svs: microseconds for which an idle worker searches for work before it sleeps (60)", 5,
     NUMBER(spin_us, 0, 1000000)},
    OPTION_END,
};

static void check_together(const struct argp_state *state, void *into) {
    settings *it = into;
    const svs_world_options *objects = &it->objects;
    it->lock = option_engine_lock(state, it->engine, it->lock);
    if (it->engine->methods == &engine_serial) it->threads = 1;
    if (objects->signature_bits & (objects->signature_bits - 1))
        argp_error(state, "--signature: '%u' is not a power of two", objects->signature_bits);
    if (objects->cell_bits && objects->signature_bits > 1u << objects->cell_bits)
        argp_error(state, "--cells %u: 2^%u cells are fewer than the %u bits of --signature",
                   objects->cell_bits, objects->cell_bits, objects->signature_bits);
}

void options_parse(settings *into, int argc, char **argv) {
    static const option_program program = {
        rows,
        NULL,
        "Bombs, walls, citizens that flee and techs that disarm, in a "
        "world of cells that keep linked lists: once serially, once "
        "with locks, once scheduled by the memory that each step "
        "may touch. All engines play the same game.",
        NULL,
        check_together,
        2};
    const settings defaults = {
        .world = {.count = {2000, 200, 100}, .walls = 200, .size = 1024, .seed = 1},
        .threads = 2,
        .frames = 200,
        .settle = 400,
        .lock = LOCKS_BEST,
        .chunk_bombs = 4,
        .chunk_steps = 32,
        .spin_us = 60, /* longer than what one worker does alone between two frames */
    };
    *into = defaults;
    into->engine = engine_named("svs");
    svs_world_options_init(&into->objects);
    /* Exact traversals decide nearly all conflicts of this game, so signatures may become staler
     * than usual. */
    into->objects.refresh_percent = 100;
    options_read(&program, argc, argv, into);
    into->world.workers = into->threads;
}
