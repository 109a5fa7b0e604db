#include "scan/points/points.h"
#include <stdlib.h>

/* A relation of a variable v2 that is a pointer: load(other, f, v2), store(v2, f, other),
 * field(other, f, v2). */
typedef struct relation {
    enum { RELATION_LOAD, RELATION_STORE, RELATION_FIELD } kind;
    points_id field, other;
} relation;

typedef struct variable {
    uint64_t *all, *done; /* bits of sites; done: those to which the rules have been applied */
    size_t words;
    SCAN_LIST(relation) relations;
    points_id *copies; /* the variables that include this one */
    size_t copy_count, copy_room;
    bool queued;
} variable;

typedef struct place {
    points_id root, part;
} place;

/* A map from two numbers to one. */
typedef struct pair_map {
    uint64_t *keys;
    points_id *values;
    size_t count, room;
} pair_map;

struct points {
    variable *variables;
    place *sites;
    points_id *queue;
    size_t variable_count, variable_room, site_count, site_room, queue_first, queue_count,
        queue_room;
    pair_map contents; /* contents by (site, field) */
    pair_map parts;    /* the sites h.f, by (h, f) */
    pair_map edges;    /* edges (v1, v2): v2 includes v1 */
};

static void *grown(void *old, size_t *room, size_t size) {
    size_t more = *room ? 2 * *room : 64;
    void *made = scan_take(scan_memory(), more * size);
    if (*room) memcpy(made, old, *room * size);
    *room = more;
    return made;
}

/* ---- the map ---- */

static size_t slot_of(const pair_map *map, uint64_t key) {
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (map->room - 1);
    while (map->keys[at] && map->keys[at] != key) at = (at + 1) & (map->room - 1);
    return at;
}

static void map_grow(pair_map *map) {
    pair_map old = *map;
    map->room = old.room ? 2 * old.room : 256;
    map->keys = scan_take(scan_memory(), map->room * sizeof *map->keys);
    map->values = scan_take(scan_memory(), map->room * sizeof *map->values);
    for (size_t i = 0; i < old.room; i++) {
        if (!old.keys[i]) continue;
        size_t at = slot_of(map, old.keys[i]);
        map->keys[at] = old.keys[i];
        map->values[at] = old.values[i];
    }
}

/* The slot for the value of (a, b); the value is 0 when the pair is new. a is not 0. */
static points_id *map_at(pair_map *map, points_id a, points_id b) {
    uint64_t key = (uint64_t)a << 32 | b;
    if (2 * map->count >= map->room) map_grow(map);
    size_t at = slot_of(map, key);
    map->count += !map->keys[at];
    map->keys[at] = key;
    return &map->values[at];
}

/* ---- variables and sites ---- */

points *points_new(void) {
    points *p = SCAN_NEW(points);
    (void)points_variable(p); /* number 0 means none */
    (void)points_site(p);
    return p;
}

points_id points_variable(points *p) {
    if (p->variable_count == p->variable_room)
        p->variables = grown(p->variables, &p->variable_room, sizeof *p->variables);
    return (points_id)p->variable_count++;
}

points_id points_site(points *p) {
    if (p->site_count == p->site_room) p->sites = grown(p->sites, &p->site_room, sizeof *p->sites);
    p->sites[p->site_count].root = (points_id)p->site_count;
    return (points_id)p->site_count++;
}

points_id points_root(const points *p, points_id site) { return p->sites[site].root; }
points_id points_part(const points *p, points_id site) { return p->sites[site].part; }

/* The site h.f. */
static points_id part_of(points *p, points_id h, points_id f) {
    points_id *known, made;
    if (!f || p->sites[h].part) return h;
    known = map_at(&p->parts, h, f);
    if (*known) return *known;
    made = *known = points_site(p);
    p->sites[made] = (place){h, f};
    return made;
}

points_id points_content(points *p, points_id h, points_id f) {
    points_id part = p->sites[h].part,
              *known = map_at(&p->contents, points_root(p, h), part ? part : f);
    if (!*known) *known = points_variable(p);
    return *known;
}

/* ---- relations ---- */

static void enqueue(points *p, points_id v) {
    if (p->variables[v].queued) return;
    p->variables[v].queued = true;
    if (p->queue_first > 64 && 2 * p->queue_first > p->queue_count) {
        p->queue_count -= p->queue_first;
        memmove(p->queue, p->queue + p->queue_first, p->queue_count * sizeof *p->queue);
        p->queue_first = 0;
    }
    if (p->queue_count == p->queue_room)
        p->queue = grown(p->queue, &p->queue_room, sizeof *p->queue);
    p->queue[p->queue_count++] = v;
}

/* Enlarges the sets of a variable to a power of two of words: variables that include each other
 * come to the same size. */
static void widen(variable *v, size_t wanted) {
    uint64_t *all, *done;
    size_t words = 1;
    if (wanted <= v->words) return;
    while (words < wanted) words *= 2;
    all = scan_take(scan_memory(), words * sizeof *all);
    done = scan_take(scan_memory(), words * sizeof *done);
    for (size_t i = 0; i < v->words; i++) all[i] = v->all[i], done[i] = v->done[i];
    v->all = all;
    v->done = done;
    v->words = words;
}

void points_malloc(points *p, points_id v, points_id h) { /* P1 */
    variable *to = &p->variables[v];
    widen(to, h / 64 + 1);
    if (to->all[h / 64] >> h % 64 & 1) return;
    to->all[h / 64] |= UINT64_C(1) << h % 64;
    enqueue(p, v);
}

/* Adds the sites of `from` to those of `to`. @param fresh only the sites to which no rule has been
 * applied. */
static void include(points *p, points_id to, points_id from, bool fresh) {
    variable *into = &p->variables[to];
    const variable *of = &p->variables[from];
    uint64_t more = 0;
    widen(into, of->words);
    for (size_t i = 0; i < of->words; i++) {
        uint64_t bits = (fresh ? of->all[i] & ~of->done[i] : of->all[i]) & ~into->all[i];
        into->all[i] |= bits;
        more |= bits;
    }
    if (more) enqueue(p, to);
}

void points_assign(points *p, points_id v1, points_id v2) { /* P2 */
    variable *from = &p->variables[v2];
    points_id *known;
    if (v1 == v2) return;
    known = map_at(&p->edges, v2, v1);
    if (*known) return;
    *known = 1;
    if (from->copy_count == from->copy_room)
        from->copies = grown(from->copies, &from->copy_room, sizeof *from->copies);
    from->copies[from->copy_count++] = v1;
    include(p, v1, v2, false);
}

static void apply(points *p, const relation *r, points_id h) {
    if (r->kind == RELATION_LOAD)
        points_assign(p, r->other, points_content(p, h, r->field)); /* P4 */
    if (r->kind == RELATION_STORE)
        points_assign(p, points_content(p, h, r->field), r->other);                     /* P3 */
    if (r->kind == RELATION_FIELD) points_malloc(p, r->other, part_of(p, h, r->field)); /* P5 */
}

static void relate(points *p, points_id pointer, const relation *r) {
    relation *kept = SCAN_NEW(relation);
    *kept = *r;
    SCAN_ADD(&p->variables[pointer].relations, kept);
    for (points_id h = 0; (h = points_next(p, pointer, h)) != 0;) apply(p, r, h);
}

void points_store(points *p, points_id v1, points_id f, points_id v2) {
    relate(p, v1, &(relation){RELATION_STORE, f, v2});
}
void points_load(points *p, points_id v1, points_id f, points_id v2) {
    relate(p, v2, &(relation){RELATION_LOAD, f, v1});
}
void points_field(points *p, points_id v1, points_id f, points_id v2) {
    relate(p, v2, &(relation){RELATION_FIELD, f, v1});
}

/* ---- the solution ---- */

/* Applies the rules to the sites of v that are new. A rule may add variables, so that their array
 * moves, and sites to v itself. */
static void step(points *p, points_id v) {
    size_t words = p->variables[v].words;
    uint64_t *fresh = malloc((words + 1) * sizeof *fresh);
    if (!fresh) scan_fail("out of memory: scan fewer files at once");
    for (size_t i = 0; i < p->variables[v].copy_count; i++)
        include(p, p->variables[v].copies[i], v, true);
    for (size_t i = 0; i < words; i++) {
        fresh[i] = p->variables[v].all[i] & ~p->variables[v].done[i];
        p->variables[v].done[i] |= fresh[i];
    }
    for (size_t k = 0; k < p->variables[v].relations.count; k++) {
        const relation r = *p->variables[v].relations.at[k];
        for (size_t i = 0; i < words; i++)
            for (uint64_t bits = fresh[i]; bits; bits &= bits - 1)
                apply(p, &r, (points_id)(i * 64 + (size_t)__builtin_ctzll(bits)));
    }
    free(fresh);
}

void points_solve(points *p) {
    while (p->queue_first < p->queue_count) {
        points_id v = p->queue[p->queue_first++];
        if (p->queue_first == p->queue_count) p->queue_first = p->queue_count = 0;
        p->variables[v].queued = false;
        step(p, v);
    }
}

points_id points_next(const points *p, points_id v, points_id site) {
    const variable *of = &p->variables[v];
    for (size_t at = (size_t)site + 1; at / 64 < of->words; at++) {
        uint64_t bits = of->all[at / 64] >> at % 64;
        if (bits) return (points_id)(at + (size_t)__builtin_ctzll(bits));
        at |= 63;
    }
    return 0;
}
