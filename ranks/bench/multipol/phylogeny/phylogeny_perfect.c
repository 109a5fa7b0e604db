/* Perfect phylogeny of characters with up to four states, in time polynomial in species and
 * characters: R. Agarwala and D. Fernández-Baca, A polynomial-time algorithm for the perfect
 * phylogeny problem when the number of character states is fixed, SIAM J. Computing 23 (1994), with
 * the classes of species around a vertex of S. Kannan and T. Warnow, A fast algorithm for the
 * computation and enumeration of perfect phylogenies, SIAM J. Computing 26 (1997).
 *
 * An edge of a perfect phylogeny cuts a cluster G of species off the others. At most one state of
 * each character is on both sides: it is that of both ends of the edge. If each character has such
 * a state, the ends are equal, and the edge is contracted. So some character has none, and G is a
 * union of its classes: with the root outside, there are at most 7 clusters for each character.
 *
 * G can be built if there is a vertex at its end of the edge that divides it. Let A be a cluster in
 * G that hangs from that vertex. Wherever the edge or that of A determines a state, the vertex has
 * it; in other characters it may have a state of its own, since another vertex with the rest of G
 * may hang from it. Two species of G with the same state, other than the vertex's, are in the same
 * part. These classes are the parts, each of which is a single species, or a smaller cluster that
 * has to be built. The root is the first species; its state is known for each character. */
#include "phylogeny.h"

#include <string.h>

enum { UNKNOWN, IMPOSSIBLE, BUILT };

enum { CLUSTERS_MAX = CLUSTERS_EACH * PATTERNS_MAX };

typedef struct candidate {
    uint64_t species;          /* one of each group of equal ones */
    const signed char *shared; /* by pattern */
    uint32_t part;             /* BUILT: the cluster that determines the vertex */
    int state;
} candidate;

typedef struct solver {
    const patterns *all;
    uint32_t count, characters, clusters;
    uint32_t pattern[PATTERNS_MAX];    /* of each chosen character */
    classes states[PATTERNS_MAX];      /* of one of each group of equal species */
    uint64_t first, same[SPECIES_MAX]; /* the first species of each group; the group of each */
    candidate of[CLUSTERS_MAX];
} solver;

/* A state for each chosen character; -1: one that no species has. */
typedef signed char vertex[PATTERNS_MAX];

static uint64_t bit(int i) { return UINT64_C(1) << i; }

/* ---- groups of equal species, and clusters ---- */

static void find_groups(solver *me) {
    uint64_t left = me->all->of->count == 64 ? ~UINT64_C(0) : bit((int)me->all->of->count) - 1;
    while (left != 0) {
        int one = __builtin_ctzll(left);
        uint64_t group = left;
        for (uint32_t c = 0; c < me->characters; c++)
            for (int s = 0; s < STATES_MAX; s++)
                if (me->states[c].of[s] & bit(one)) group &= me->states[c].of[s];
        me->first |= bit(one);
        me->same[one] = group;
        left &= ~group;
    }
    for (uint32_t c = 0; c < me->characters; c++)
        for (int s = 0; s < STATES_MAX; s++) me->states[c].of[s] &= me->first;
}

static void find_candidates(solver *me, const set *chosen) {
    for (uint32_t c = 0; c < me->characters; c++)
        for (uint32_t i = me->all->first_cluster[me->pattern[c]];
             i < me->all->first_cluster[me->pattern[c] + 1]; i++) {
            const cluster *one = &me->all->clusters[i];
            if (!set_within(chosen, &one->valid)) continue;
            me->of[me->clusters++] =
                (candidate){one->species & me->first, me->all->shared[i], 0, UNKNOWN};
        }
}

static candidate *find(solver *me, uint64_t species) {
    for (uint32_t i = 0; i < me->clusters; i++)
        if (me->of[i].species == species) return &me->of[i];
    return NULL;
}

/* ---- building ---- */

/* The part of `species` in which their first one is. */
static uint64_t part_of(const solver *me, uint64_t species, const vertex at) {
    uint64_t part = species & -species, before;
    do {
        before = part;
        for (uint32_t c = 0; c < me->characters; c++)
            for (int s = 0; s < STATES_MAX; s++)
                if (s != at[c] && (me->states[c].of[s] & part))
                    part |= me->states[c].of[s] & species;
    } while (part != before);
    return part;
}

/* @return false: the edges of the two determine different states. */
static bool make_vertex(const solver *me, const candidate *whole, const candidate *part,
                        vertex made) {
    for (uint32_t c = 0; c < me->characters; c++) {
        signed char one = whole->shared[me->pattern[c]], other = part->shared[me->pattern[c]];
        if (one >= 0 && other >= 0 && one != other) return false;
        made[c] = one >= 0 ? one : other;
    }
    return true;
}

static bool build(solver *me, uint64_t species);

static bool build_parts(solver *me, uint64_t species, const vertex at) {
    while (species != 0) {
        uint64_t part = part_of(me, species, at);
        if (!build(me, part)) return false;
        species &= ~part;
    }
    return true;
}

static bool build(solver *me, uint64_t species) {
    candidate *whole;
    vertex at;
    if ((species & (species - 1)) == 0) return true;
    whole = find(me, species);
    if (whole == NULL || whole->state == IMPOSSIBLE) return false;
    if (whole->state == BUILT) return true;
    for (uint32_t i = 0; i < me->clusters; i++) {
        const candidate *part = &me->of[i];
        if ((part->species & ~species) || part->species == species) continue;
        if (!make_vertex(me, whole, part, at) || !build_parts(me, species, at)) continue;
        whole->part = i;
        whole->state = BUILT;
        return true;
    }
    whole->state = IMPOSSIBLE;
    return false;
}

static void root_vertex(const solver *me, vertex made) {
    for (uint32_t c = 0; c < me->characters; c++)
        for (int s = 0; s < STATES_MAX; s++)
            if (me->states[c].of[s] & 1) made[c] = (signed char)s;
}

/* ---- the tree ---- */

static void hang_group(const solver *me, tree *made, uint32_t from, int one) {
    uint64_t group = me->same[one];
    if (group & (group - 1)) from = tree_add(made, from, -1);
    for (; group != 0; group &= group - 1) (void)tree_add(made, from, __builtin_ctzll(group));
}

static void hang(solver *me, tree *made, uint32_t from, uint64_t species, const vertex at) {
    while (species != 0) {
        uint64_t part = part_of(me, species, at);
        if ((part & (part - 1)) == 0) hang_group(me, made, from, __builtin_ctzll(part));
        else {
            const candidate *whole = find(me, part);
            vertex next;
            (void)make_vertex(me, whole, &me->of[whole->part], next);
            hang(me, made, tree_add(made, from, -1), part, next);
        }
        species &= ~part;
    }
}

uint32_t tree_add(tree *t, uint32_t parent, int32_t at) {
    if (t->count == NODES_MAX) bench_fail("a tree of more than %d nodes", NODES_MAX);
    t->parent[t->count] = parent;
    t->species[t->count] = at;
    return t->count++;
}

bool compatible_states(const patterns *all, const set *chosen, tree *made) {
    static _Thread_local solver me; /* 90 KB */
    vertex root;
    me.all = all;
    me.characters = me.clusters = 0;
    me.first = 0;
    SET_EACH(i, chosen) {
        me.pattern[me.characters] = i;
        me.states[me.characters++] = all->states[i];
    }
    find_groups(&me);
    find_candidates(&me, chosen);
    root_vertex(&me, root);
    if (!build_parts(&me, me.first & ~UINT64_C(1), root)) return false;
    if (made == NULL) return true;
    made->count = 0;
    (void)tree_add(made, 0, -1);
    hang_group(&me, made, 0, 0);
    hang(&me, made, 0, me.first & ~UINT64_C(1), root);
    return true;
}

bool compatible(const patterns *all, const set *chosen, tree *made) {
    if (!all->two_states) return compatible_states(all, chosen, made);
    return made == NULL ? compatible_pairs(all, chosen) : compatible_binary(all, chosen, made);
}
