/* A lock for each border cell: a cell that a visit to another block's cell may write. A visit holds
 * the locks of all the border cells that it writes, taken in the order of their addresses; a visit
 * inside a block takes none. PARSEC locks each particle of such cells for each sum: far more often.
 * No pass has concurrent readers and writers of cells, so reader-writer locks are acquired for
 * writing. */
#include <stdio.h>
#include <stdlib.h>

#include "looped.h"

#define HELD_MAX 14
#define NO_LOCK UINT32_MAX

typedef struct mutex_engine {
    void *team;
    lock_table locks; /* locks by border cell */
    /* number of each cell among the border cells, or NO_LOCK for an inner cell */
    uint32_t *lock_of;
} mutex_engine;

/* @return how many border cells there are. */
static uint32_t number_locks(const fluid *f, uint32_t *lock_of) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < f->cells; c++) lock_of[c] = NO_LOCK;
    for (uint32_t b = 0; b < f->blocks; b++) {
        const fluid_block *block = &f->block[b];
        for (uint32_t z = block->z0; z < block->z1; z++)
            for (uint32_t y = 0; y < f->ny; y++)
                for (uint32_t x = block->x0; x < block->x1; x++)
                    if (looped_at_border(f, block, x, z)) lock_of[fluid_cell(f, x, y, z)] = count++;
    }
    return count;
}

static const char *start(simulation *sim) {
    fluid *f = sim->what;
    const simulation_options *options = &sim->options;
    const team_kind *kind = options->engine->team;
    mutex_engine *state = calloc(1, sizeof *state);
    sim->engine_state = state;
    if (!state) return "out of memory";
    state->lock_of = malloc(f->cells * sizeof *state->lock_of);
    if (!state->lock_of) return "out of memory";
    uint32_t count = number_locks(f, state->lock_of);
    if (!lock_table_init(&state->locks, count, options->lock, kind->lock)) return "out of memory";
    state->team = kind->open(options->threads);
    return state->team ? NULL : "the threads cannot be made";
}

/* Inserts a lock into a list sorted by address, unless it is in the list. @return how many there
 * are. */
static uint32_t hold(padded_lock *held[HELD_MAX], uint32_t count, padded_lock *lock) {
    uint32_t at = count;
    while (at > 0 && held[at - 1] > lock) at--;
    if (at > 0 && held[at - 1] == lock) return count;
    for (uint32_t i = count; i > at; i--) held[i] = held[i - 1];
    held[at] = lock;
    return count + 1;
}

/* The locks of the cells that a visit writes: the cell and its neighbours of lower number. */
static uint32_t find_locks(const fluid *f, const mutex_engine *state, uint32_t x, uint32_t y,
                           uint32_t z, padded_lock *held[HELD_MAX]) {
    uint32_t cell = fluid_cell(f, x, y, z), count = 0;
    for (uint32_t k = z ? z - 1 : 0; k <= z; k++)
        for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < f->ny; j++)
            for (uint32_t i = x ? x - 1 : 0; i <= x + 1 && i < f->nx; i++) {
                uint32_t other = fluid_cell(f, i, j, k);
                if (other > cell || state->lock_of[other] == NO_LOCK) continue;
                if (f->first[other] == f->first[other + 1]) continue; /* nothing to write */
                count = hold(held, count, lock_table_at(&state->locks, state->lock_of[other]));
            }
    return count;
}

static void visit_locked(simulation *sim, uint32_t x, uint32_t y, uint32_t z, pair_pass pass) {
    fluid *f = sim->what;
    padded_lock *held[HELD_MAX];
    uint32_t count = find_locks(f, sim->engine_state, x, y, z, held);
    for (uint32_t i = 0; i < count; i++) padded_lock_acquire(held[i]);
    if (pass == PAIRS_DENSITIES) fluid_cell_densities(f, x, y, z);
    else fluid_cell_forces(f, x, y, z);
    for (uint32_t i = count; i-- > 0;) padded_lock_release(held[i]);
}

static const char *frame(simulation *sim) {
    const mutex_engine *state = sim->engine_state;
    looped_frame(sim, state->team, visit_locked);
    return NULL;
}

static void describe(simulation *sim, char *text, size_t size) {
    const mutex_engine *state = sim->engine_state;
    snprintf(text, size, " lock=%s locks=%zu",
             engine_lock_name(sim->options.engine, sim->options.lock), state->locks.count);
}

static void stop(simulation *sim) {
    mutex_engine *state = sim->engine_state;
    if (!state) return;
    sim->options.engine->team->close(state->team);
    lock_table_clean_up(&state->locks);
    free(state->lock_of);
    free(state);
}

const simulation_engine engine_mutex = {looped_choose_blocks, start, frame, describe, stop};
