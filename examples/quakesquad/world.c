#include "world.h"

#include "common/random.h"
#include "lists.h"

#include <stdlib.h>
#include <string.h>

SVS_TYPE(target, svs, next, body)

uint64_t world_random(const world *w, uint64_t frame, uint64_t entity, dice which) {
    return random_hash(w->options.seed, frame << 8 | (uint64_t)which, entity);
}

static void *zeroed(size_t count, size_t size) {
    size_t bytes = (count * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes ? bytes : 64);
    if (memory) memset(memory, 0, bytes ? bytes : 64);
    return memory;
}

static bool allocate_kind(world *w, entity_kind kind) {
    uint32_t count = w->options.count[kind];
    w->lists[kind] = zeroed(world_cells(w), w->list_bytes);
    w->places[kind] = zeroed(count, sizeof(place));
    w->bodies[kind] = zeroed(count, sizeof(body));
    w->crowds[kind] = zeroed(world_cells(w), sizeof(uint32_t));
    return w->lists[kind] && w->places[kind] && w->bodies[kind] && w->crowds[kind];
}

static void empty_list(list *of, uint32_t nodes) {
    node *at = (node *)(void *)(of + 1);
    of->first = of->spare = NULL;
    while (nodes-- > 0) {
        at[nodes].next = of->spare;
        of->spare = &at[nodes];
    }
}

static void empty_lists(world *w, entity_kind kind) {
    for (uint32_t cell = 0; cell < world_cells(w); cell++)
        empty_list(world_list(w, kind, cell), w->crowd[kind]);
}

static void name_kind(world *w, entity_kind kind) {
    empty_lists(w, kind);
    for (uint32_t id = 0; id < w->options.count[kind]; id++) {
        place *p = &w->places[kind][id];
        body *b = &w->bodies[kind][id];
        p->kind = (uint8_t)kind;
        p->body = b;
        p->id = b->id = id;
    }
}

/* Half of the world's room must stay free, so that each entity finds a place and can move. */
static uint32_t crowd_for(const world *w, entity_kind kind, uint32_t least) {
    uint32_t needed = 2 * (w->options.count[kind] / world_cells(w) + 1);
    return needed > least ? needed : least;
}

svs_status world_target_new(world *w, uint32_t worker, target **made) {
    tally *own = &w->tallies[worker];
    target *t = own->spare;
    if (HAS_OBJECTS(w)) return SVS_NEW(w->objects, target, made);
    if (t) {
        own->spare = t->next;
    } else {
        if (!(t = calloc(1, sizeof *t))) return SVS_E_NO_MEMORY;
        t->made_before = own->made;
        own->made = t;
    }
    t->next = NULL;
    *made = t;
    return SVS_OK;
}

void world_target_free(world *w, uint32_t worker, target *gone) {
    if (HAS_OBJECTS(w)) {
        svs_status status = svs_object_free(&gone->svs);
        (void)status; /* a failure fails the body */
        return;
    }
    gone->next = w->tallies[worker].spare;
    w->tallies[worker].spare = gone;
}

world *world_new(const world_options *options) {
    world *w = calloc(1, sizeof *w);
    uint32_t nodes = 0;
    if (!w) return NULL;
    w->options = *options;
    w->edge = (int32_t)options->size * UNIT;
    w->side = (uint32_t)((w->edge + CELL_SIDE - 1) / CELL_SIDE);
    w->crowd[CITIZEN] = crowd_for(w, CITIZEN, 8);
    w->crowd[TECH] = crowd_for(w, TECH, 4);
    w->crowd[BOMB] = crowd_for(w, BOMB, 4);
    for (int kind = 0; kind < KINDS; kind++)
        if (w->crowd[kind] > nodes) nodes = w->crowd[kind];
    w->list_bytes = (sizeof(list) + nodes * sizeof(node) + 63) / 64 * 64;
    w->walls = zeroed(options->walls, sizeof(wall));
    w->tallies = zeroed(options->workers, sizeof(tally));
    if (!w->walls || !w->tallies) goto fail;
    for (int kind = 0; kind < KINDS; kind++)
        if (!allocate_kind(w, kind)) goto fail;
    for (int kind = 0; kind < KINDS; kind++) name_kind(w, kind);
    return w;
fail:
    world_free(w);
    return NULL;
}

void world_free(world *w) {
    if (!w) return;
    for (uint32_t worker = 0; w->tallies && worker < w->options.workers; worker++)
        for (target *t = w->tallies[worker].made, *before; t; t = before) {
            before = t->made_before;
            free(t);
        }
    for (int kind = 0; kind < KINDS; kind++) {
        free(w->lists[kind]);
        free(w->places[kind]);
        free(w->bodies[kind]);
        free(w->crowds[kind]);
    }
    free(w->walls);
    free(w->tallies);
    free(w);
}

static void build_wall(world *w, uint32_t index) {
    wall *it = &w->walls[index];
    uint64_t at = world_random(w, 0, index, DICE_WALL), to = world_random(w, 1, index, DICE_WALL);
    int32_t length = (32 + (int32_t)(to % 96)) * UNIT,
            slant = (int32_t)(to >> 8 & 63) * length / 64;
    it->x0 = (int32_t)(at % (uint32_t)w->edge);
    it->y0 = (int32_t)((at >> 32) % (uint32_t)w->edge);
    it->x1 = it->x0 + (to >> 16 & 1 ? length : slant);
    it->y1 = it->y0 + (to >> 16 & 1 ? slant : length) * (to >> 17 & 1 ? 1 : -1);
    it->left = it->x0 < it->x1 ? it->x0 : it->x1;
    it->right = it->x0 < it->x1 ? it->x1 : it->x0;
    it->top = it->y0 < it->y1 ? it->y0 : it->y1;
    it->bottom = it->y0 < it->y1 ? it->y1 : it->y0;
}

/* Puts an entity at a random position; if its cell is full, at the same offset in the next cell
 * with room. */
static svs_status put_somewhere(world *w, entity_kind kind, uint32_t id) {
    place *p = &w->places[kind][id];
    uint64_t entity = world_entity(kind, id);
    uint32_t cell;
    p->x = (int32_t)(world_random(w, w->frame, entity, DICE_X) % (uint32_t)w->edge);
    p->y = (int32_t)(world_random(w, w->frame, entity, DICE_Y) % (uint32_t)w->edge);
    while (w->crowds[kind][cell = world_cell(w, p->x, p->y)] >= w->crowd[kind]) {
        p->x += CELL_SIDE;
        if (p->x < w->edge) continue;
        p->x %= CELL_SIDE;
        p->y =
            (p->y + CELL_SIDE) / CELL_SIDE < (int32_t)w->side ? p->y + CELL_SIDE : p->y % CELL_SIDE;
        if (p->y >= w->edge) p->y %= CELL_SIDE;
    }
    w->crowds[kind][cell]++;
    p->listed = true;
    return world_enlist(world_list(w, kind, cell), p);
}

static svs_status begin_life(world *w, entity_kind kind, uint32_t id) {
    body *b = &w->bodies[kind][id];
    b->lives++;
    b->health = kind == BOMB ? 0 : FULL_HEALTH;
    b->state = ARMED;
    b->fuse =
        kind == BOMB
            ? 20 + (uint32_t)(world_random(w, w->frame, world_entity(kind, id), DICE_FUSE) % 80)
            : 0;
    return put_somewhere(w, kind, id);
}

svs_status world_populate(world *w) {
    svs_status status = SVS_OK;
    for (uint32_t index = 0; index < w->options.walls; index++) build_wall(w, index);
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
            status = begin_life(w, kind, id);
    return status;
}

svs_status world_relist(world *w) {
    svs_status status = SVS_OK;
    for (int kind = 0; kind < KINDS; kind++) {
        empty_lists(w, kind);
        for (uint32_t id = 0; id < w->options.count[kind] && !status; id++) {
            place *p = &w->places[kind][id];
            if (p->listed) status = world_enlist(world_list(w, kind, world_cell(w, p->x, p->y)), p);
        }
    }
    return status;
}

static void count_crowds(world *w, entity_kind kind) {
    memset(w->crowds[kind], 0, world_cells(w) * sizeof(uint32_t));
    for (uint32_t id = 0; id < w->options.count[kind]; id++) {
        const place *p = &w->places[kind][id];
        if (p->listed) w->crowds[kind][world_cell(w, p->x, p->y)]++;
    }
}

static svs_status tick_people(world *w, entity_kind kind) {
    svs_status status = SVS_OK;
    count_crowds(w, kind);
    for (uint32_t id = 0; id < w->options.count[kind] && !status; id++)
        if (!w->places[kind][id].listed) status = begin_life(w, kind, id);
    return status;
}

static svs_status tick_bombs(world *w) {
    svs_status status = SVS_OK;
    count_crowds(w, BOMB);
    for (uint32_t id = 0; id < w->options.count[BOMB] && !status; id++) {
        body *b = &w->bodies[BOMB][id];
        place *p = &w->places[BOMB][id];
        if (b->state != ARMED) {
            world_unlist(world_list(w, BOMB, world_cell(w, p->x, p->y)), p);
            status = begin_life(w, BOMB, id);
        } else if (--b->fuse == 0) {
            b->state = EXPLODING;
        }
    }
    return status;
}

svs_status world_tick(world *w) {
    svs_status status;
    w->frame++;
    status = tick_people(w, CITIZEN);
    if (!status) status = tick_people(w, TECH);
    if (!status) status = tick_bombs(w);
    return status;
}

static uint64_t blend(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

uint64_t world_checksum(const world *w) {
    uint64_t sum = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (uint32_t id = 0; id < w->options.count[kind]; id++) {
            const place *p = &w->places[kind][id];
            const body *b = &w->bodies[kind][id];
            uint64_t hash =
                blend(world_entity(kind, id) + 1, (uint64_t)p->x << 32 | (uint32_t)p->y);
            hash = blend(hash, (uint64_t)b->health << 32 | b->lives);
            hash = blend(hash, (uint64_t)b->state << 32 | b->fuse);
            sum += blend(hash, (uint64_t)b->disarmed << 1 | p->listed);
        }
    return sum;
}

tally world_tally(const world *w) {
    tally sum = {0};
    for (uint32_t worker = 0; worker < w->options.workers; worker++) {
        sum.dealt += w->tallies[worker].dealt;
        sum.left += w->tallies[worker].left;
        sum.disarmed += w->tallies[worker].disarmed;
        sum.sights += w->tallies[worker].sights;
    }
    return sum;
}

static uint32_t clamp_column(const world *w, int32_t position) {
    if (position < 0) return 0;
    return (uint32_t)(position / CELL_SIDE) < w->side ? (uint32_t)(position / CELL_SIDE)
                                                      : w->side - 1;
}

cell_range world_range_around(const world *w, int32_t x, int32_t y, int32_t radius) {
    cell_range range = {clamp_column(w, x - radius), clamp_column(w, y - radius),
                        clamp_column(w, x + radius), clamp_column(w, y + radius)};
    return range;
}
