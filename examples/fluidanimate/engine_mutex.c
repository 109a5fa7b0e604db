/* A lock for each border cell: a cell that a visit to another block's cell may write. A visit holds
 * the locks of all the border cells that it writes, taken in the order of their numbers; a visit
 * inside a block takes none. PARSEC locks each particle of such cells for each sum: far more
 * often. */
#include <stdio.h>
#include <stdlib.h>

#include "common/padded_lock.h"
#include "common/parallel.h"
#include "simulation.h"

#define HELD_MAX 14
#define NO_LOCK UINT32_MAX

typedef struct mutex_engine {
    parallel_pool *pool;
    padded_lock *locks;
    uint32_t *lock_of; /* by cell: its lock, or NO_LOCK when it is inside of its block */
    uint32_t count;
} mutex_engine;

/* One block a thread, as in PARSEC, but cut along z alone: that has the fewest borders. */
static void choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z) {
    *x = 1;
    *z = sim->options.threads;
}

/* A cell is at a border when a neighbour is in another block. */
static bool at_border(const fluid *f, const fluid_block *b, uint32_t x, uint32_t z) {
    return (x == b->x0 && x > 0) || (x + 1 == b->x1 && x + 1 < f->nx) || (z == b->z0 && z > 0) ||
           (z + 1 == b->z1 && z + 1 < f->nz);
}

static void number_locks(const fluid *f, mutex_engine *state) {
    for (uint32_t b = 0; b < f->blocks; b++) {
        const fluid_block *block = &f->block[b];
        for (uint32_t z = block->z0; z < block->z1; z++)
            for (uint32_t y = 0; y < f->ny; y++)
                for (uint32_t x = block->x0; x < block->x1; x++)
                    state->lock_of[fluid_cell(f, x, y, z)] =
                        at_border(f, block, x, z) ? state->count++ : NO_LOCK;
    }
}

static const char *start(simulation *sim) {
    fluid *f = sim->what;
    mutex_engine *state = calloc(1, sizeof *state);
    sim->engine_state = state;
    if (!state) return "out of memory";
    state->lock_of = malloc(f->cells * sizeof *state->lock_of);
    if (!state->lock_of) return "out of memory";
    number_locks(f, state);
    lock_kind kind = sim->options.pthread_lock ? LOCK_PTHREAD : LOCK_SPIN;
    if (state->count) state->locks = padded_locks_new(state->count, kind);
    if (state->count && !state->locks) return "out of memory";
    state->pool = parallel_pool_new(sim->options.threads);
    return state->pool ? NULL : "the threads cannot be made";
}

/* The locks of what a visit to a cell writes: itself, and its neighbours of lower number. */
static uint32_t find_locks(const fluid *f, const mutex_engine *state, uint32_t x, uint32_t y,
                           uint32_t z, padded_lock *held[HELD_MAX]) {
    uint32_t cell = fluid_cell(f, x, y, z), count = 0;
    for (uint32_t k = z ? z - 1 : 0; k <= z; k++)
        for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < f->ny; j++)
            for (uint32_t i = x ? x - 1 : 0; i <= x + 1 && i < f->nx; i++) {
                uint32_t other = fluid_cell(f, i, j, k);
                if (other > cell || state->lock_of[other] == NO_LOCK) continue;
                if (f->first[other] == f->first[other + 1]) continue; /* nothing to write */
                held[count++] = &state->locks[state->lock_of[other]];
            }
    return count;
}

static void visit_locked(simulation *sim, uint32_t x, uint32_t y, uint32_t z, fluid_visit *visit) {
    fluid *f = sim->what;
    padded_lock *held[HELD_MAX];
    uint32_t cell = fluid_cell(f, x, y, z);
    if (f->first[cell] == f->first[cell + 1]) return;
    uint32_t count = find_locks(f, sim->engine_state, x, y, z, held);
    for (uint32_t i = 0; i < count; i++) padded_lock_acquire(held[i]);
    visit(f, x, y, z);
    for (uint32_t i = count; i-- > 0;) padded_lock_release(held[i]);
}

/* Whether a visit may write a cell at a border: two cells away, no neighbour is at it. */
static bool near_border(const fluid *f, const fluid_block *b, uint32_t x, uint32_t z) {
    return (x < b->x0 + 2 && b->x0 > 0) || (x + 2 >= b->x1 && b->x1 < f->nx) ||
           (z < b->z0 + 2 && b->z0 > 0) || (z + 1 >= b->z1 && b->z1 < f->nz);
}

static void visit_block(simulation *sim, uint32_t block, fluid_visit *visit) {
    fluid *f = sim->what;
    const fluid_block *b = &f->block[block];
    for (uint32_t z = b->z0; z < b->z1; z++)
        for (uint32_t y = 0; y < f->ny; y++)
            for (uint32_t x = b->x0; x < b->x1; x++) {
                if (near_border(f, b, x, z)) visit_locked(sim, x, y, z, visit);
                else visit(f, x, y, z);
            }
}

/* One pass over all blocks, of one of the two kinds. */
typedef struct loop {
    simulation *sim;
    fluid_pass *pass;   /* of a block alone, or NULL */
    fluid_visit *visit; /* of pairs */
} loop;

static void run_blocks(size_t begin, size_t end, unsigned worker, void *argument) {
    const loop *it = argument;
    (void)worker;
    for (size_t b = begin; b < end; b++) {
        if (it->pass) it->pass(it->sim->what, (uint32_t)b);
        else visit_block(it->sim, (uint32_t)b, it->visit);
    }
}

static const char *frame(simulation *sim) {
    const mutex_engine *state = sim->engine_state;
    loop loops[] = {{sim, fluid_gather, NULL},
                    {sim, NULL, fluid_cell_densities},
                    {sim, fluid_finish, NULL},
                    {sim, NULL, fluid_cell_forces},
                    {sim, fluid_advance, NULL}};
    fluid_number(sim->what);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        parallel_for(state->pool, sim->what->blocks, 1, run_blocks, &loops[i]);
    return NULL;
}

static void describe(simulation *sim, char *text, size_t size) {
    const mutex_engine *state = sim->engine_state;
    snprintf(text, size, " lock=%s locks=%u", sim->options.pthread_lock ? "pthread" : "spin",
             state->count);
}

static void stop(simulation *sim) {
    mutex_engine *state = sim->engine_state;
    if (!state) return;
    parallel_pool_free(state->pool);
    padded_locks_free(state->locks, state->count);
    free(state->lock_of);
    free(state);
}

const simulation_engine engine_mutex = {choose_blocks, start, frame, describe, stop};
