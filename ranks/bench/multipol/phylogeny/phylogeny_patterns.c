/* Patterns of characters, and what the tests of sets need to know of them. */
#include "phylogeny.h"

#include <stdlib.h>
#include <string.h>

static bool is_informative(const classes *c) {
    uint32_t large = 0;
    for (int s = 0; s < STATES_MAX; s++) large += __builtin_popcountll(c->of[s]) > 1;
    return large > 1;
}

/* States are numbered by first appearance, so equal divisions have equal classes. */
static uint32_t find_pattern(const patterns *all, const classes *c) {
    for (uint32_t i = 0; i < all->count; i++)
        if (memcmp(&all->states[i], c, sizeof *c) == 0) return i;
    return all->count;
}

static const char *add_characters(patterns *all, bool cure) {
    for (uint32_t i = 0; i < all->of->characters; i++) {
        const classes *c = &all->of->states[i];
        uint32_t at = cure ? find_pattern(all, c) : all->count;
        all->pattern_of[i] = PATTERNS_MAX;
        if (cure && !is_informative(c)) {
            all->aside++;
            continue;
        }
        if (at == PATTERNS_MAX) return "at most 256 patterns of characters were expected";
        if (at == all->count) all->states[all->count++] = *c;
        if (c->of[2] != 0) all->two_states = false;
        all->pattern_of[i] = at;
        all->weight[at]++;
    }
    return NULL;
}

/* ---- pairs and clusters ---- */

/* The four-gamete test: two characters of two states are compatible unless all four pairs of states
 * occur. */
static bool pass(const classes *one, const classes *other) {
    return !((one->of[0] & other->of[0]) && (one->of[0] & other->of[1]) &&
             (one->of[1] & other->of[0]) && (one->of[1] & other->of[1]));
}

static void find_pairs(patterns *all) {
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < all->count; k++)
            if (pass(&all->states[i], &all->states[k])) set_add(&all->compatible[i], k);
}

/* Which states of which patterns are on both sides. */
static void compare(patterns *all, uint32_t at) {
    cluster *of = &all->clusters[at];
    for (uint32_t i = 0; i < all->count; i++) {
        int found = 0;
        all->shared[at][i] = -1;
        for (int s = 0; s < STATES_MAX; s++) {
            uint64_t has = all->states[i].of[s];
            if (!(has & of->species) || !(has & ~of->species)) continue;
            all->shared[at][i] = (signed char)s;
            found++;
        }
        if (found <= 1) set_add(&of->valid, i);
    }
}

/* All unions of some classes of each pattern, but for that of the first species, which has state 0:
 * trees are rooted there, and clusters lie below. */
static void find_clusters(patterns *all) {
    uint32_t made = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t states = 0;
        all->first_cluster[i] = made;
        while (states < STATES_MAX && all->states[i].of[states] != 0) states++;
        for (uint32_t which = 2; which < 1u << states; which += 2) {
            for (uint32_t s = 0; s < states; s++)
                if (which >> s & 1) all->clusters[made].species |= all->states[i].of[s];
            compare(all, made++);
        }
    }
    all->first_cluster[all->count] = made;
}

const char *patterns_new(patterns *all, const taxa *of, bool cure) {
    const char *failed;
    *all = (patterns){.of = of, .two_states = true};
    all->pattern_of = bench_allocate(of->characters, sizeof *all->pattern_of);
    failed = add_characters(all, cure);
    if (failed != NULL) {
        patterns_free(all);
        return failed;
    }
    all->clusters = bench_allocate((size_t)all->count * CLUSTERS_EACH + 1, sizeof *all->clusters);
    all->shared = bench_allocate((size_t)all->count * CLUSTERS_EACH + 1, sizeof *all->shared);
    find_clusters(all);
    find_pairs(all);
    return NULL;
}

void patterns_free(patterns *all) {
    free(all->pattern_of);
    free(all->clusters);
    free(all->shared);
    all->pattern_of = NULL;
    all->clusters = NULL;
    all->shared = NULL;
}

uint32_t patterns_weight(const patterns *all, const set *chosen) {
    uint32_t sum = all->aside;
    SET_EACH(i, chosen) sum += all->weight[i];
    return sum;
}
