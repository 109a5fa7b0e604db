#include "sched/admission.h"

#include <string.h>

#include "base/memory.h"

/* ---- memory ---- */

static size_t cells_of(const svs_world *world) { return (size_t)1 << world->options.cell_bits; }
static size_t bits_of(const svs_world *world) { return world->options.signature_bits; }

/* All tables in one block: the first of them, the cells, is its address. */
static size_t tables_bytes(const svs_world *world) {
    size_t cells = cells_of(world), bits = bits_of(world);
    return cells * sizeof(svs__cell) + 3 * bits * sizeof(uint32_t) + 6 * bits / 8;
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
    a->bit_reads = carve(&tables, bits * sizeof(uint32_t));
}

static void admission_release_all(svs_world *world) {
    svs__admission *a = world->gate;
    svs__release(world->allocator, a->cells, tables_bytes(world), 64);
    svs__release(world->allocator, a, sizeof *a, _Alignof(svs__admission));
    world->gate = NULL;
}

static svs__admission *admission_new(svs_world *world) {
    svs__admission *a = svs__allocate_zeroed(world->allocator, sizeof *a, _Alignof(svs__admission));
    char *tables = svs__allocate_zeroed(world->allocator, tables_bytes(world), 64);
    if (!a || !tables) {
        svs__release(world->allocator, a, sizeof *a, _Alignof(svs__admission));
        svs__release(world->allocator, tables, tables_bytes(world), 64);
        return NULL;
    }
    a->world = world;
    a->cell_shift = world->cell_shift;
    lay_out(a, tables);
    return a;
}

svs_status svs__admission_of(svs_world *world, svs__admission **admission) {
    svs__lock_acquire(&world->entry);
    if (!world->gate) {
        world->gate = admission_new(world);
        world->gate_release = world->gate ? admission_release_all : NULL;
    }
    *admission = world->gate;
    svs__lock_release(&world->entry);
    return *admission ? SVS_OK : SVS_E_NO_MEMORY;
}

svs_status svs__hold_make_room(svs__hold *hold, const svs_world *world, uint32_t elements) {
    void *grown = hold->elements;
    if (hold->count + elements <= hold->capacity) return SVS_OK;
    if (!svs__grow(world->allocator, &grown, &hold->capacity, hold->count + elements,
                   sizeof(svs__element)))
        return SVS_E_NO_MEMORY;
    hold->elements = grown;
    return SVS_OK;
}

svs_status svs__hold_reserve(svs__hold *hold, const svs__set *set) {
    const svs_allocator *allocator = set->world->allocator;
    size_t words = set->world->words;
    if (svs__hold_make_room(hold, set->world, set->count)) return SVS_E_NO_MEMORY;
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

/* ---- tests ---- */

/* Whether an element's bit is in one of a pair of signatures, by mode, in a way that conflicts. */
static bool bit_conflicts(const svs__admission *a, uint64_t *const signature[2], svs__element e) {
    uint32_t bit = svs__world_bit(a->world, e.key);
    return svs__signature_has(signature[SVS_WRITE], bit) ||
           (e.mode == SVS_WRITE && svs__signature_has(signature[SVS_READ], bit));
}

static bool no(svs__conflict *conflict, uint32_t key, uint32_t mode, svs__met met) {
    *conflict = (svs__conflict){key, mode, met, false};
    return false;
}

static bool elements_may(const svs__admission *a, const svs__element *elements, uint32_t count,
                         bool reserved, svs__conflict *conflict) {
    for (uint32_t i = 0; i < count; i++) {
        svs__element e = elements[i];
        if (svs__admission_cell_is_taken(a, e)) return no(conflict, e.key, e.mode, SVS__MET_CELL);
        if (bit_conflicts(a, a->signature, e)) return no(conflict, e.key, e.mode, SVS__MET_BIT);
        if (reserved && bit_conflicts(a, a->reserved, e))
            return no(conflict, e.key, e.mode, SVS__MET_RESERVED);
    }
    return true;
}

/* The first bit that two signatures share, as a key. */
static bool first_common(const svs_world *world, const uint64_t *a, const uint64_t *b,
                         uint32_t *key) {
    if (!svs__signature_overlap(a, b, world->words)) return false;
    for (uint32_t i = 0; i < world->words; i++)
        if (a[i] & b[i]) {
            uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(a[i] & b[i]);
            *key = bit << world->bit_shift;
            return true;
        }
    return false;
}

static bool signature_may(const svs__admission *a, const svs__set *set, bool reserved,
                          svs__conflict *conflict) {
    uint32_t key = 0;
    for (uint32_t mode = 0; mode < 2; mode++) {
        const uint64_t *mine = set->signature[mode];
        /* A write meets both of the other's, a read only its writes. */
        for (int other = SVS_WRITE; other >= (mode == SVS_WRITE ? SVS_READ : SVS_WRITE); other--) {
            if (first_common(a->world, mine, a->summary[other], &key) ||
                first_common(a->world, mine, a->signature[other], &key))
                return no(conflict, key, mode, SVS__MET_BIT);
            if (reserved && first_common(a->world, mine, a->reserved[other], &key))
                return no(conflict, key, mode, SVS__MET_RESERVED);
        }
    }
    return true;
}

static bool may(const svs__admission *a, const svs__set *set, const void *who,
                svs__conflict *conflict) {
    bool reserved = a->reserver && a->reserver != who;
#ifdef SVS_MUTANT_NO_CONFLICT_CHECK
    if (a) return true;
#endif
    if (set->everything && a->holders) return no(conflict, 0, SVS_WRITE, SVS__MET_ANYTHING);
    if (set->everything && reserved) return no(conflict, 0, SVS_WRITE, SVS__MET_RESERVED);
    return elements_may(a, set->elements, set->count, reserved, conflict) &&
           (!set->dense || signature_may(a, set, reserved, conflict));
}

/* ---- taking and giving back ---- */

static void count_bit(svs__admission *a, uint32_t key, uint32_t mode, uint32_t by) {
    uint32_t bit = svs__world_bit(a->world, key);
    if (!by) return;
    a->bit_elements[mode][bit] += by;
    svs__signature_set(a->summary[mode], bit);
}

static void uncount_bit(svs__admission *a, uint32_t key, uint32_t mode) {
    uint32_t bit = svs__world_bit(a->world, key);
    if (--a->bit_elements[mode][bit] == 0) a->summary[mode][bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

/* The first signature has come: what is held is counted by bit, and kept so from here on. */
static void count_bits(svs__admission *a) {
    size_t cells = cells_of(a->world);
    if (a->counts_bits) return;
    a->counts_bits = true;
    for (size_t cell = 0; cell < cells; cell++) {
        count_bit(a, (uint32_t)(cell << a->cell_shift), SVS_READ, a->cells[cell].reads);
        count_bit(a, (uint32_t)(cell << a->cell_shift), SVS_WRITE, a->cells[cell].claims);
    }
}

static uint32_t *taken_of(svs__cell *cell, uint32_t mode) {
    return mode == SVS_WRITE ? &cell->claims : &cell->reads;
}

static void take_element(svs__admission *a, svs__element e) {
    ++*taken_of(&a->cells[e.key >> a->cell_shift], e.mode);
    if (a->counts_bits) count_bit(a, e.key, e.mode, 1);
}

static void give_back_element(svs__admission *a, svs__element e) {
    --*taken_of(&a->cells[e.key >> a->cell_shift], e.mode);
    if (a->counts_bits) uncount_bit(a, e.key, e.mode);
}

static void keep_elements(svs__hold *hold, const svs__element *elements, uint32_t count) {
    if (count) memcpy(hold->elements + hold->count, elements, count * sizeof *elements);
    hold->count += count;
}

void svs__admission_take(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++) take_element(a, elements[i]);
    keep_elements(hold, elements, count);
}

static void give_back_elements(svs__admission *a, const svs__element *elements, uint32_t count) {
    svs__cell *cells = a->cells;
    uint32_t shift = a->cell_shift;
    if (a->counts_bits) {
        for (uint32_t i = 0; i < count; i++) give_back_element(a, elements[i]);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        --*taken_of(&cells[elements[i].key >> shift], elements[i].mode);
}

/* While cells decide: takes each as it is looked at. @return false, and nothing is taken, when it
 * met one that is: another's, or one that the same elements have taken twice. */
static bool take_free_cells(svs__admission *a, svs__hold *hold, const svs__element *elements,
                            uint32_t count) {
    svs__cell *cells = a->cells;
    uint32_t shift = a->cell_shift;
    for (uint32_t i = 0; i < count; i++) {
        svs__cell *cell = &cells[elements[i].key >> shift];
        if (svs__cell_is_taken(cell, elements[i].mode)) {
            give_back_elements(a, elements, i);
            return false;
        }
        ++*taken_of(cell, elements[i].mode);
    }
    keep_elements(hold, elements, count);
    return true;
}

/* The hold's bits of a read signature are counted once for the whole hold. */
static void take_signature(svs__admission *a, svs__hold *hold, const uint64_t *reads,
                           const uint64_t *writes) {
    if (!hold->dense) a->signatures++;
    for (uint32_t i = 0; i < a->world->words; i++) {
        uint64_t added = reads[i] & ~hold->signature[SVS_READ][i];
        hold->signature[SVS_READ][i] |= added;
        hold->signature[SVS_WRITE][i] |= writes[i];
        a->signature[SVS_READ][i] |= added;
        a->signature[SVS_WRITE][i] |= writes[i];
        for (; added; added &= added - 1) a->bit_reads[i * 64 + (uint32_t)__builtin_ctzll(added)]++;
    }
    hold->dense = true;
}

static void take_everything(svs__admission *a, svs__hold *hold) {
    uint64_t all[SVS__SIGNATURE_WORDS_MAX], none[SVS__SIGNATURE_WORDS_MAX] = {0};
    memset(all, 0xff, sizeof all);
    take_signature(a, hold, none, all);
}

static bool is_empty(const svs__hold *hold) { return !hold->count && !hold->dense; }

/* Under the lock, for what is tried next: whether an element needs no more than its cell. */
static void look_at_cells_only(svs__admission *a, const void *who) {
    bool reserved = a->reserver && a->reserver != who;
    a->cells_decide = !a->signatures && !reserved && !a->counts_bits;
#ifdef SVS_MUTANT_NO_CONFLICT_CHECK
    a->cells_decide = false;
#endif
}

static bool try_set(svs__admission *a, svs__hold *hold, const svs__set *set, const void *who,
                    svs__conflict *conflict) {
    bool plain = a->cells_decide && !set->dense && !set->everything;
    if (plain && take_free_cells(a, hold, set->elements, set->count)) return true;
    if (!may(a, set, who, conflict)) return false;
    svs__admission_take(a, hold, set->elements, set->count);
    if (set->everything) take_everything(a, hold);
    else if (set->dense)
        take_signature(a, hold, set->signature[SVS_READ], set->signature[SVS_WRITE]);
    return true;
}

#define FETCHED_MAX 128u /* more than that would not stay in a CPU's nearest memory */

void svs__admission_fetch(const svs__admission *a, const svs__set *set) {
    uint32_t count = set->count < FETCHED_MAX ? set->count : FETCHED_MAX;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&a->cells[set->elements[i].key >> a->cell_shift], 1);
}

bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set, const void *who,
                        uint64_t epoch, svs__conflict *conflict, bool *unchanged) {
    bool admitted, was_empty = is_empty(hold);
    svs__lock_acquire(&a->lock);
    look_at_cells_only(a, who);
    *unchanged = svs__load_relaxed(&a->epoch) == epoch;
    if (a->cells_decide && set->count == 1 && !set->dense && !set->everything) {
        svs__element e = set->elements[0];
        admitted = svs__admission_try_element(a, hold, e, who) ||
                   no(conflict, e.key, e.mode, SVS__MET_CELL);
    } else {
        if (set->dense) count_bits(a);
        admitted = try_set(a, hold, set, who, conflict);
    }
    if (admitted && was_empty && !is_empty(hold)) a->holders++;
    svs__lock_release(&a->lock);
    return admitted;
}

void svs__admission_begin(svs__admission *a, const svs__hold *hold) {
    svs__lock_acquire(&a->lock);
    if (is_empty(hold)) a->holders++;
    look_at_cells_only(a, hold);
}

void svs__admission_end(svs__admission *a, const svs__hold *hold) {
    if (is_empty(hold)) a->holders--;
    svs__lock_release(&a->lock);
}

bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *who, svs__conflict *conflict) {
    bool reserved = a->reserver && a->reserver != who;
    if (a->cells_decide && take_free_cells(a, hold, elements, count)) return true;
#ifdef SVS_MUTANT_NO_CONFLICT_CHECK
    reserved = false;
    if (a->holders == UINT32_MAX) /* never */
#endif
        if (!elements_may(a, elements, count, reserved, conflict)) return false;
    svs__admission_take(a, hold, elements, count);
    return true;
}

static void give_back_signature(svs__admission *a, svs__hold *hold) {
    for (uint32_t i = 0; i < a->world->words; i++) {
        uint64_t reads = hold->signature[SVS_READ][i];
        a->signature[SVS_WRITE][i] &= ~hold->signature[SVS_WRITE][i];
        for (; reads; reads &= reads - 1) {
            uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(reads);
            if (--a->bit_reads[bit] == 0) a->signature[SVS_READ][i] &= ~(UINT64_C(1) << bit % 64);
        }
    }
    memset(hold->signature[0], 0, (size_t)2 * a->world->words * sizeof(uint64_t));
    hold->dense = false;
    a->signatures--;
}

/* Ends a change that made something free. @return whether somebody waits for it. */
static bool freed(svs__admission *a) {
    bool awaited = a->blocked != 0; /* under the lock, as whoever waits has said so under it */
    /* release: who sees the new epoch sees the cells free (A4). */
    svs__store_release(&a->epoch, svs__load_relaxed(&a->epoch) + 1);
    svs__lock_release(&a->lock);
    return awaited;
}

void svs__admission_await(svs__admission *a, bool waits) {
    svs__lock_acquire(&a->lock);
    a->blocked += waits ? 1 : UINT32_MAX;
    svs__lock_release(&a->lock);
}

bool svs__admission_release(svs__admission *a, svs__hold *hold) {
    svs__lock_acquire(&a->lock);
    if (!is_empty(hold)) a->holders--;
    give_back_elements(a, hold->elements, hold->count);
    hold->count = 0;
    if (hold->dense) give_back_signature(a, hold);
    return freed(a);
}

void svs__admission_fresh(svs__admission *a, uint32_t key) {
    svs__lock_acquire(&a->lock);
    take_element(a, (svs__element){key, SVS_WRITE});
    a->holders++;
    svs__lock_release(&a->lock);
}

bool svs__admission_fresh_leave(svs__admission *a, uint32_t key) {
    svs__lock_acquire(&a->lock);
    give_back_element(a, (svs__element){key, SVS_WRITE});
    a->holders--;
    return freed(a);
}

bool svs__admission_reserve(svs__admission *a, const svs__set *set, const void *who) {
    bool mine;
    svs__lock_acquire(&a->lock);
    if (!a->reserver) {
        size_t bytes = a->world->words * sizeof(uint64_t);
        a->reserver = who;
        for (int mode = 0; mode < 2; mode++) {
            if (set->everything) memset(a->reserved[mode], mode == SVS_WRITE ? 0xff : 0, bytes);
            else if (set->dense) memcpy(a->reserved[mode], set->signature[mode], bytes);
            else memset(a->reserved[mode], 0, bytes);
        }
        for (uint32_t i = 0; i < set->count; i++)
            svs__signature_set(a->reserved[set->elements[i].mode],
                               svs__world_bit(a->world, set->elements[i].key));
    }
    mine = a->reserver == who;
    svs__lock_release(&a->lock);
    return mine;
}

bool svs__admission_unreserve(svs__admission *a, const void *who) {
    svs__lock_acquire(&a->lock);
    if (a->reserver == who) {
        a->reserver = NULL;
        return freed(a);
    }
    svs__lock_release(&a->lock);
    return false;
}

static bool is_gone(const svs__admission *a, const svs__conflict *conflict, const void *who) {
    svs__element e = {conflict->key, conflict->mode};
    switch (conflict->met) {
    case SVS__MET_CELL: return !svs__admission_cell_is_taken(a, e);
    case SVS__MET_BIT:
        return !bit_conflicts(a, a->signature, e) && !bit_conflicts(a, a->summary, e);
    case SVS__MET_ANYTHING: return !a->holders;
    case SVS__MET_RESERVED: return !a->reserver || a->reserver == who;
    default: return true;
    }
}

bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict, const void *who) {
    bool gone;
    svs__lock_acquire(&a->lock);
    gone = is_gone(a, conflict, who);
    svs__lock_release(&a->lock);
    return gone;
}

bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *who, svs__conflict *met) {
    bool may;
    svs__lock_acquire(&a->lock);
    may = elements_may(a, elements, count, a->reserver && a->reserver != who, met);
    svs__lock_release(&a->lock);
    return may;
}

static bool is_zero(const void *table, size_t bytes) {
    const unsigned char *byte = table;
    while (bytes && !*byte) byte++, bytes--;
    return !bytes;
}

bool svs__admission_is_empty(svs__admission *a) {
    size_t counts = bits_of(a->world) * sizeof(uint32_t), words = bits_of(a->world) / 8;
    bool empty;
    svs__lock_acquire(&a->lock);
    empty = !a->holders && !a->signatures && !a->reserver && is_zero(a->bit_reads, counts) &&
            is_zero(a->cells, cells_of(a->world) * sizeof(svs__cell));
    for (int mode = 0; mode < 2 && empty; mode++)
        empty = is_zero(a->bit_elements[mode], counts) && is_zero(a->summary[mode], words) &&
                is_zero(a->signature[mode], words);
    svs__lock_release(&a->lock);
    return empty;
}
