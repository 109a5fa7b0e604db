/* The memory of admission: its tables, and the arrays of holds. */
#include "sched/admission/memory.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/admission/entrant.h"

/* ---- tables ---- */

static size_t cells_of(const svs_world *world) { return (size_t)1 << world->cell_bits; }
static size_t bits_of(const svs_world *world) { return world->options.signature_bits; }

/* The size of the block that contains all tables. The cells are the first table, so the block has
 * their address. */
static size_t tables_bytes(const svs_world *world) {
    size_t cells = cells_of(world), bits = bits_of(world);
    return cells * sizeof(svs__cell) + 4 * bits * sizeof(uint32_t) + 6 * bits / 8;
}

static void *carve(char **from, size_t bytes) {
    void *piece = *from;
    *from += bytes;
    return piece;
}

static void lay_out(svs__admission *a, char *tables) {
    size_t cells = cells_of(a->world), bits = bits_of(a->world);
    a->cells = carve(&tables, cells * sizeof(svs__cell));
    for (int mode = 0; mode < 2; mode++) {
        a->summary[mode] = carve(&tables, bits / 8);
        a->signature[mode] = carve(&tables, bits / 8);
        a->reserved[mode] = carve(&tables, bits / 8);
    }
    a->bit_elements[0] = carve(&tables, bits * sizeof(uint32_t));
    a->bit_elements[1] = carve(&tables, bits * sizeof(uint32_t));
    a->bit_holds[0] = carve(&tables, bits * sizeof(uint32_t));
    a->bit_holds[1] = carve(&tables, bits * sizeof(uint32_t));
}

static void admission_free(svs__admission *a) {
    svs_world *world = a->world;
    svs__release(world->allocator, a->entrants, a->entrant_count * sizeof(svs__entrant),
                 SVS__CACHE_LINE);
    svs__release(world->allocator, a->cells, tables_bytes(world), 64);
    svs__release(world->allocator, a, sizeof *a, _Alignof(svs__admission));
}

static svs__admission *admission_new(svs_world *world) {
    svs__admission *a = svs__allocate_zeroed(world->allocator, sizeof *a, _Alignof(svs__admission));
    char *tables = svs__allocate_zeroed(world->allocator, tables_bytes(world), 64);
    uint32_t workers = svs_runtime_threads(world->runtime);
    svs__entrant *entrants =
        svs__allocate_zeroed(world->allocator, workers * sizeof(svs__entrant), SVS__CACHE_LINE);
    if (!a || !tables || !entrants) {
        svs__release(world->allocator, entrants, workers * sizeof(svs__entrant), SVS__CACHE_LINE);
        svs__release(world->allocator, a, sizeof *a, _Alignof(svs__admission));
        svs__release(world->allocator, tables, tables_bytes(world), 64);
        return NULL;
    }
    a->world = world;
    a->entrants = entrants;
    a->entrant_count = workers;
    a->cell_shift = world->cell_shift;
    lay_out(a, tables);
    return a;
}

/* [memobj.D3] Replaces the tables. Nothing is held, so that all tables are zero. Without memory the
 * old tables stay. */
static void admission_resize(svs__admission *a, uint32_t cell_bits) {
    svs_world *world = a->world;
    size_t bytes = tables_bytes(world);
    uint32_t before = world->cell_bits;
    void *old = a->cells, *tables;
    SVS__ASSERT(svs__admission_is_empty(a)); /* memobj.D3 */
    world->cell_bits = cell_bits;
    tables = svs__allocate_zeroed(world->allocator, tables_bytes(world), 64);
    if (!tables) {
        world->cell_bits = before;
        return;
    }
    a->cell_shift = world->cell_shift = 32 - cell_bits;
    lay_out(a, tables);
    svs__release(world->allocator, old, bytes, 64);
}

svs_status svs__admission_of(svs_world *world, svs__admission **admission) {
    svs__lock_acquire(&world->entry);
    if (!world->admission) {
        world->admission = admission_new(world);
        world->admission_release = admission_free;
        world->admission_resize = admission_resize;
    }
    *admission = world->admission;
    svs__lock_release(&world->entry);
    return *admission ? SVS_OK : SVS_E_NO_MEMORY;
}

static bool is_zero(const void *table, size_t bytes) {
    const unsigned char *byte = table;
    while (bytes && !*byte) byte++, bytes--;
    return !bytes;
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
bool svs__admission_is_empty(svs__admission *a) {
    size_t counts = bits_of(a->world) * sizeof(uint32_t), words = bits_of(a->world) / 8;
    bool empty;
    svs__admission_acquire(a);
    empty = !a->holds && !a->signatures && !a->line && !a->lease &&
            is_zero(a->cells, cells_of(a->world) * sizeof(svs__cell));
    for (int mode = 0; mode < 2 && empty; mode++)
        empty = is_zero(a->bit_elements[mode], counts) && is_zero(a->bit_holds[mode], counts) &&
                is_zero(a->summary[mode], words) && is_zero(a->signature[mode], words);
    svs__admission_let_go(a);
    return empty;
}
/* LCOV_EXCL_BR_STOP */

/* ---- holds ---- */

svs_status svs__hold_make_room(svs__hold *hold, const svs_world *world, uint32_t elements) {
    void *grown = hold->elements;
    if (elements <= hold->capacity - hold->count) return SVS_OK;
    if (elements > UINT32_MAX - hold->count) return SVS_E_LIMIT;
    if (!svs__grow(world->allocator, &grown, &hold->capacity, hold->count + elements,
                   sizeof(svs__element)))
        return SVS_E_NO_MEMORY;
    hold->elements = grown;
    return SVS_OK;
}

svs_status svs__hold_reserve(svs__hold *hold, const svs__set *set) {
    const svs_allocator *allocator = set->world->allocator;
    size_t words = set->world->words;
    svs_status status = svs__hold_make_room(hold, set->world, set->count);
    if (status) return status;
    if ((set->dense || set->everything) && !hold->signature[0]) {
        hold->signature[0] = svs__allocate_zeroed(allocator, 2 * words * sizeof(uint64_t), 64);
        if (!hold->signature[0]) return SVS_E_NO_MEMORY;
        hold->signature[1] = hold->signature[0] + words;
    }
    return SVS_OK;
}

void svs__hold_clean_up(svs__hold *hold, svs_world *world) {
    svs__release(world->allocator, hold->elements, hold->capacity * sizeof(svs__element),
                 _Alignof(max_align_t));
    svs__release(world->allocator, hold->signature[0], (size_t)2 * world->words * sizeof(uint64_t),
                 64);
    memset(hold, 0, sizeof *hold);
}
