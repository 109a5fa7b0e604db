/* Phylogeny (section 2.2.3.4 and figure 2.10 of Wen's thesis): which sets of characters have a
 * perfect phylogeny, a tree of the species in which each state of each character arises once.
 *
 *     character  1 2 3      1 and 2 have this tree:            1 and 3 have none:
 *     Mouse      0 0 0        Mouse --+     1     +-- Gibbon   0 0, 0 1, 1 0 and 1 1 all occur,
 *     Lemur      0 0 1                +-----------+ 2          so that one of them arises twice
 *     Gibbon     1 0 0        Lemur --+           +-- Human
 *     Human      1 1 1
 *
 * A set that has one is compatible, and so are its subsets. The programs find the maximal
 * compatible sets, and the largest of them.
 *
 * Characters that divide the species alike are one *pattern*, with their number as its weight. A
 * character is *informative* if two of its states, or more, have several species each; the others
 * fit any tree. They are set aside, and added to each result: in the search each of them would
 * double the number of compatible sets, as a second character of a pattern would. */
#ifndef BENCH_MULTIPOL_PHYLOGENY_H
#define BENCH_MULTIPOL_PHYLOGENY_H

#include "common.h"
#include "phylogeny_set.h"

enum { SPECIES_MAX = 64, STATES_MAX = 4, NAME_BYTES = 11, CHARACTERS_MAX = 4096 };

/* The species that have each state of a character: bit i is species i. */
typedef struct classes {
    uint64_t of[STATES_MAX];
} classes;

typedef struct taxa {
    uint32_t count, characters;
    char names[SPECIES_MAX][NAME_BYTES]; /* distinct */
    classes *states;                     /* of each character, in the order of first appearance */
} taxa;

/* ---- input: phylogeny_read.c ---- */

/* Reads an interleaved file of PHYLIP: the numbers of species and characters; then blocks with a
 * line for each species, whose first ten columns are its name in the first block. A state is one of
 * A C G T U - 0 1 2 3, where U is T. A character has at most four. .xz is unpacked.
 * @return NULL, or FILE:LINE and what is wrong, until the next call. */
const char *taxa_read(taxa *all, const char *path);
/* Random characters of at most `states` states: `percent` of their states follow one random tree,
 * so that many sets are compatible. */
void taxa_generate(taxa *all, uint32_t count, uint32_t characters, uint32_t states,
                   uint32_t percent, uint64_t seed);
void taxa_free(taxa *all);

/* ---- patterns: phylogeny_patterns.c ---- */

enum { CLUSTERS_EACH = (1 << (STATES_MAX - 1)) - 1 };

/* Species other than the first that are a union of classes of one pattern. */
typedef struct cluster {
    uint64_t species;
    set valid; /* patterns of which at most one state is in it and outside */
} cluster;

typedef struct patterns {
    const taxa *of;
    uint32_t count, aside;         /* patterns; characters that were set aside */
    bool two_states;               /* no pattern has more */
    classes states[PATTERNS_MAX];  /* of each pattern */
    uint32_t weight[PATTERNS_MAX]; /* its characters */
    uint32_t *pattern_of;          /* of each character; PATTERNS_MAX: it was set aside */
    set compatible[PATTERNS_MAX]; /* with two states: the patterns that pass the four-gamete test */
    cluster *clusters;            /* those of pattern i are first_cluster[i] and following */
    uint32_t first_cluster[PATTERNS_MAX + 1];
    signed char (
        *shared)[PATTERNS_MAX]; /* by cluster and pattern: the state in it and outside, or -1 */
} patterns;

/* @param cure 1: sets uninformative characters aside, and merges those that divide the species
 * alike; else each character is a pattern.
 * @return NULL, or what is wrong: more than PATTERNS_MAX. */
const char *patterns_new(patterns *all, const taxa *of, bool cure);
void patterns_free(patterns *all);

/* The characters of a set, with those that were set aside. */
uint32_t patterns_weight(const patterns *all, const set *chosen);

/* ---- trees ---- */

enum { NODES_MAX = 4 * SPECIES_MAX };

typedef struct tree {
    uint32_t count;             /* nodes; node 0 is the root, and parents come first */
    uint32_t parent[NODES_MAX]; /* of the root: itself */
    int32_t species[NODES_MAX]; /* at this leaf; -1: at none */
} tree;

/* Has the set a perfect phylogeny? @param made it, or NULL.
 * phylogeny_perfect.c: up to four states. phylogeny_binary.c: two states, pair by pair; and the
 * tree by Gusfield's algorithm. compatible() chooses between the two. */
bool compatible(const patterns *all, const set *chosen, tree *made);
bool compatible_states(const patterns *all, const set *chosen, tree *made);
bool compatible_pairs(const patterns *all, const set *chosen);
bool compatible_binary(const patterns *all, const set *chosen, tree *made);

uint32_t tree_add(tree *t, uint32_t parent, int32_t at); /* @return the node */

/* phylogeny_draw.c. @return a text of malloc(). */
char *tree_newick(const tree *t, const taxa *of);
char *tree_svg(const tree *t, const taxa *of, const char *title);

/* phylogeny_check.c shares no code with the search. It reads the tree from Newick: each species is
 * one leaf, and the parts of the tree that the states of a chosen character span do not meet.
 * @param chosen of each character, whether it is. @return NULL, or what is wrong. */
const char *newick_check(const char *newick, const taxa *of, const bool *chosen);

/* ---- stores: phylogeny_store.c ---- */

/* A trie of sets: a path lists the members of a set in order. */
typedef struct store {
    struct store_node *nodes;
    uint32_t count, capacity;
    uint64_t sets; /* that it has taken */
} store;

void store_init(store *s);
void store_clean_up(store *s);
void store_add(store *s, const set *added);
/* Does the store have a subset of `outer`? */
bool store_has_within(const store *s, const set *outer);
/* Does the store have a superset of `inner`? The search gives up, with the answer no, after it has
 * visited `steps` nodes. */
bool store_has_around(const store *s, const set *inner, uint32_t steps);
/* Calls `visit` with each set. @param longest 1: but not with the beginning of a longer one. */
void store_visit(const store *s, bool longest, void (*visit)(void *argument, const set *member),
                 void *argument);

/* ---- search: phylogeny_search.c ----
 *
 * The tree of all sets: the root is the empty one, and a child adds one pattern after the last one
 * of its parent. A task is a set. If it is compatible, its children are tasks. On one rank children
 * run in descending order of their patterns, so all parts of a set have been examined before it,
 * and each failure in the store is minimal: no part of it fails.
 *
 *   search.F1  Each set in `failures` is incompatible. So a set that has one as a part is not run.
 *   search.F2  When no task is left, each minimal failure is in the store of the rank that has run
 *              it. Then a set is compatible if no failure of any rank is a part of it.
 *   search.F3  A failure that is missing on a rank costs time, and changes no result. */

typedef struct search_counts {
    uint64_t tasks;     /* sets that were examined */
    uint64_t tests;     /* ... whose tree was looked for */
    uint64_t pruned;    /* ... with a part that is known to fail */
    uint64_t known;     /* ... that are parts of known successes */
    uint64_t successes; /* ... that are compatible */
} search_counts;

typedef struct search {
    const patterns *all;
    set fails_with[PATTERNS_MAX]; /* failures of two patterns, by each of them */
    uint32_t failed_pairs;        /* their number */
    store failures, successes;    /* the other failures; successes */
    search_counts counts;
} search;

void search_init(search *s, const patterns *all);
void search_clean_up(search *s);

/* Runs a task. @param child is called with each child, in ascending order. @return whether the set
 * has failed by a test: it is then in `failures`. */
bool search_task(search *s, const set *task, void (*child)(void *argument, const set *child),
                 void *argument);

/* Is a failure a part of the set? And adds a failure, unless it follows from another one.
 * @return whether it was added. */
bool search_fails(const search *s, const set *of);
bool search_add_failure(search *s, const set *failed);

/* When all failures of all ranks are here (F2): calls `visit` with each maximal set among the
 * successes of this rank; and the number of minimal failures. */
void search_visit_maximal(const search *s, void (*visit)(void *argument, const set *maximal),
                          void *argument);
uint64_t search_minimal_failures(const search *s);

/* ---- results ---- */

typedef struct results {
    set *maximal; /* in ascending order */
    uint64_t count, capacity;
    uint32_t largest; /* characters of the largest */
} results;

void results_add(void *of, const set *maximal);
void results_finish(results *of, const patterns *all); /* sorts; finds the largest */
bool results_equal(const results *one, const results *other);
uint64_t results_hash(const results *of);
void results_free(results *of);
/* Each set has a tree that the checker accepts, and no set that is larger by one pattern is
 * compatible. @return NULL, or what is wrong. */
const char *results_check(const results *of, const patterns *all);

/* One thread, phylogeny_serial.c: without stores, each set by its tests alone; and with them. */
void serial_plain(const patterns *all, results *made, search_counts *counts);
void serial_stores(const patterns *all, results *made, search_counts *counts);

#endif
