/* The parts of ranks/bench/multipol/phylogeny: files that are refused, and why; sets of characters
 * that are compatible, compared with a search of all trees; trees; stores. */
#include "multipol/phylogeny/phylogeny.h"
#include "case.h"
#include "scale.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

static const char *write_file(const char *text) {
    static char path[40];
    int file;
    (void)snprintf(path, sizeof path, "/tmp/svs-species-XXXXXX");
    file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    return path;
}

static taxa read_text(const char *text) {
    const char *path = write_file(text);
    taxa made;
    const char *failed = taxa_read(&made, path);
    (void)unlink(path);
    if (failed != NULL) fail_msg("%s", failed);
    return made;
}

/* The message without the name of the file. */
static void expect(const char *text, const char *message) {
    const char *path = write_file(text);
    taxa made;
    const char *failed = taxa_read(&made, path);
    (void)unlink(path);
    if (failed == NULL) fail_msg("is read, but it is not: %s", message);
    if (strcmp(strchr(failed, ':') + 1, message) != 0) fail_msg("says %s, not %s", failed, message);
}

TEST_CASE(species_are_read_from_interleaved_blocks) {
    taxa made =
        read_text(" 3 5 \nMouse     AC G\nHuman     tC-\nLemur's   UCG\n\n   \nAA\nC A\nGA\n");
    assert_true(made.count == 3 && made.characters == 5);
    assert_string_equal(made.names[2], "Lemur's");
    assert_int_equal(made.states[0].of[0], 1); /* A: Mouse; U and t are T */
    assert_int_equal(made.states[0].of[1], 6);
    assert_int_equal(made.states[1].of[0], 7);
    assert_int_equal(made.states[2].of[0], 5); /* G, and a gap */
    assert_int_equal(made.states[2].of[1], 2);
    assert_int_equal(made.states[3].of[2], 4);
    taxa_free(&made);
}

TEST_CASE(a_file_that_is_cut_or_malformed_is_refused_with_line_and_column) {
    expect("", "1: column 1: the number of species, 2 to 64, was expected");
    expect("x 3\n", "1: column 1: the number of species, 2 to 64, was expected");
    expect("65 3\n", "1: column 1: the number of species, 2 to 64, was expected");
    expect("3\n", "1: column 2: the number of characters, 1 to 4096, was expected");
    expect("3 0\n", "1: column 3: the number of characters, 1 to 4096, was expected");
    expect("3 99999999999999999999\n",
           "1: column 3: the number of characters, 1 to 4096, was expected");
    expect("3 4 5\n", "1: column 5: the end of the line was expected");
    expect("2 3\n", "2: column 1: the file ends, but a line of species 1 was expected");
    expect("2 3\nMouse\n", "2: column 6: a name of 10 columns, and states, were expected");
    expect("2 3\n          ACG\n", "2: column 1: the name of species 1 was expected");
    expect("2 3\nMou\001e     ACG\n", "2: column 4: a printing character was expected");
    expect("2 3\nMouse     ACX\n",
           "2: column 13: a state was expected: A, C, G, T, U, -, 0, 1, 2 or 3");
    expect("2 3\nMouse     ACGT\n", "2: column 14: the end of the line was expected");
    expect("2 3\nMouse     ACG\n",
           "3: column 1: the file ends, but a line of species 2 was expected");
    expect("2 3\nMouse     ACG\nMouse     ACG\n",
           "3: column 1: a name other than that of species 1 was expected");
    expect("2 3\nMouse     ACG\nHuman     AC\n",
           "3: column 13: 3 states of species 2 were expected in the lines to here, and not 2");
    expect("2 3\nMouse     AC\nHuman     ACG\n",
           "3: column 14: 2 states of species 2 were expected in the lines to here, and not 3");
    expect("2 3\nMouse     AC\nHuman     AC\n",
           "4: column 1: the file ends, but a line of species 1 was expected");
    expect("2 3\nMouse       \nHuman     ACG\n", "2: column 1: states of species 1 were expected");
    expect("2 3\nMouse     ACG\nHuman     ACG\n\nACG\n",
           "5: column 1: the end of the file was expected");
    expect("5 1\nMouse     A\nHuman     C\nLemur     G\nGibbon    T\nOrang     0\n",
           "6: column 11: one of the 4 states of character 1, ACGT, was expected");
}

TEST_CASE(a_file_that_is_not_there_is_named) {
    taxa made;
    assert_string_equal(taxa_read(&made, "/nowhere/a.phy"),
                        "/nowhere/a.phy:1: column 1: a file that can be opened was expected: No "
                        "such file or directory");
}

TEST_CASE(more_patterns_than_a_set_holds_are_refused) {
    taxa many;
    patterns all;
    taxa_generate(&many, 40, PATTERNS_MAX + 1, 4, 0, 1);
    assert_string_equal(patterns_new(&all, &many, false),
                        "at most 256 patterns of characters were expected");
    taxa_free(&many);
    taxa_generate(&many, 40, PATTERNS_MAX, 4, 0, 1);
    assert_null(patterns_new(&all, &many, false));
    assert_int_equal(all.count, PATTERNS_MAX);
    patterns_free(&all);
    taxa_free(&many);
}

TEST_CASE(characters_that_fit_any_tree_are_set_aside_and_equal_ones_merged) {
    taxa made = read_text("4 6\ns0        A0AACA\ns1        A1AACC\ns2        A1CCAG\n"
                          "s3        A1CCAA\n");
    patterns all;
    set both = {{3}};
    assert_null(patterns_new(&all, &made, true)); /* 1, 2 and 6 aside; 3, 4 and 5 are equal */
    assert_true(all.count == 1 && all.aside == 3 && all.weight[0] == 3);
    both.words[0] = 1;
    assert_int_equal(patterns_weight(&all, &both), 6);
    patterns_free(&all);
    assert_null(patterns_new(&all, &made, false));
    assert_true(all.count == 6 && all.aside == 0);
    patterns_free(&all);
    taxa_free(&made);
}

/* ---- the search of all trees ----
 *
 * A set of characters is compatible if all of them fit one binary tree with the species as leaves.
 * Trees are built by hanging one leaf after the other on each edge. A character with k states fits
 * a tree if its parsimony score by Fitch's algorithm is k - 1. */

enum { LEAVES = 6, TREE = 2 * LEAVES };

typedef struct small_tree {
    int left[TREE], right[TREE],
        nodes; /* leaves are 0 to LEAVES - 1, the root is the first after */
} small_tree;

typedef struct brute {
    const taxa *of;
    uint32_t fits[1000], count; /* of each tree, the characters that fit */
} brute;

static int fitch(const small_tree *t, int node, const classes *c, int *score) {
    int one, other;
    if (node < LEAVES) {
        for (int s = 0; s < STATES_MAX; s++)
            if (c->of[s] >> node & 1) return 1 << s;
        return 0;
    }
    one = fitch(t, t->left[node], c, score);
    other = fitch(t, t->right[node], c, score);
    *score += (one & other) == 0;
    return one & other ? one & other : one | other;
}

static void note_tree(const small_tree *t, brute *all) {
    uint32_t fits = 0;
    for (uint32_t c = 0; c < all->of->characters; c++) {
        int score = 0, states = 0;
        for (int s = 0; s < STATES_MAX; s++) states += all->of->states[c].of[s] != 0;
        (void)fitch(t, LEAVES, &all->of->states[c], &score);
        if (score == states - 1) fits |= 1u << c;
    }
    all->fits[all->count++] = fits;
}

/* Hangs `leaf` on each edge; the root has leaf 0 on its left. */
static void hang_leaf(const small_tree *t, int leaf, brute *all) {
    if (leaf == (int)all->of->count) {
        note_tree(t, all);
        return;
    }
    for (int node = LEAVES; node < t->nodes; node++)
        for (int side = node == LEAVES; side < 2; side++) {
            small_tree next = *t;
            int *edge = side == 0 ? &next.left[node] : &next.right[node];
            next.left[next.nodes] = *edge;
            next.right[next.nodes] = leaf;
            *edge = next.nodes++;
            hang_leaf(&next, leaf + 1, all);
        }
}

static bool brute_compatible(const brute *all, uint32_t chosen) {
    for (uint32_t i = 0; i < all->count; i++)
        if ((chosen & ~all->fits[i]) == 0) return true;
    return false;
}

static uint32_t brute_maximal(const brute *all, uint32_t characters, uint32_t *maximal) {
    uint32_t count = 0;
    for (uint32_t chosen = 0; chosen < 1u << characters; chosen++) {
        bool is = brute_compatible(all, chosen);
        for (uint32_t c = 0; c < characters && is; c++)
            is = chosen >> c & 1 || !brute_compatible(all, chosen | 1u << c);
        if (is) maximal[count++] = chosen;
    }
    return count;
}

/* The characters of a set of patterns. */
static uint32_t characters_of(const patterns *all, const set *of) {
    uint32_t chosen = 0;
    for (uint32_t c = 0; c < all->of->characters; c++)
        if (all->pattern_of[c] == PATTERNS_MAX || set_has(of, all->pattern_of[c]))
            chosen |= 1u << c;
    return chosen;
}

static void compare_results(const patterns *all, const results *made, const uint32_t *maximal,
                            uint32_t count) {
    assert_int_equal(made->count, count);
    for (uint32_t i = 0; i < count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < count; k++)
            found = found || characters_of(all, &made->maximal[k]) == maximal[i];
        assert_true(found);
    }
}

static void compare_tests(const patterns *all, const brute *expected) {
    for (uint32_t bits = 0; bits < 1u << all->count; bits++) {
        set chosen = {{bits}};
        bool is = brute_compatible(expected, characters_of(all, &chosen));
        tree made;
        assert_int_equal(compatible_states(all, &chosen, NULL), is);
        if (!all->two_states) continue;
        assert_int_equal(compatible_pairs(all, &chosen), is);
        assert_int_equal(compatible_binary(all, &chosen, &made), is);
    }
}

static void compare_with_brute_force(uint64_t seed, bool cure) {
    uint32_t maximal[64], count, states = 2 + seed % 3;
    brute expected = {0};
    small_tree first = {.nodes = LEAVES + 1};
    results plain = {0}, stored = {0};
    search_counts counts, more;
    taxa given;
    patterns all;
    taxa_generate(&given, 4 + seed % 3, 1 + seed % 6, states, (uint32_t)(seed * 7 % 100), seed);
    expected.of = &given;
    first.left[LEAVES] = 0;
    first.right[LEAVES] = 1;
    hang_leaf(&first, 2, &expected);
    assert_null(patterns_new(&all, &given, cure));
    compare_tests(&all, &expected);
    count = brute_maximal(&expected, given.characters, maximal);
    serial_plain(&all, &plain, &counts);
    serial_stores(&all, &stored, &more);
    compare_results(&all, &plain, maximal, count);
    assert_true(results_equal(&plain, &stored) && counts.successes == more.successes);
    assert_true(results_hash(&plain) == results_hash(&stored));
    if (results_check(&plain, &all) != NULL) fail_msg("%s", results_check(&plain, &all));
    results_free(&plain);
    results_free(&stored);
    patterns_free(&all);
    taxa_free(&given);
}

TEST_CASE(random_inputs_agree_with_a_search_of_all_trees) {
    uint64_t count = scaled_on_one_thread(2000, 100);
    for (uint64_t seed = 1; seed <= count; seed++) compare_with_brute_force(seed, seed / 18 % 2);
}

/* ---- more species ---- */

TEST_CASE(both_tests_agree_on_characters_of_two_states) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        taxa given;
        patterns all;
        uint64_t bits = seed;
        taxa_generate(&given, seed == 1 ? 64 : 20, 30, 2, 95, seed);
        assert_null(patterns_new(&all, &given, false));
        for (int i = 0; i < 100; i++) {
            set chosen = {{0}};
            tree made, other;
            for (uint32_t c = 0; c < all.count; c++) {
                bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
                if (bits >> 61 == 0) set_add(&chosen, c);
            }
            assert_int_equal(compatible_binary(&all, &chosen, &made),
                             compatible_pairs(&all, &chosen));
            assert_int_equal(compatible_states(&all, &chosen, &other),
                             compatible_pairs(&all, &chosen));
        }
        patterns_free(&all);
        taxa_free(&given);
    }
}

TEST_CASE(sixty_four_species_of_one_tree_have_it) {
    for (uint32_t states = 2; states <= 4; states++) {
        taxa given;
        patterns all;
        results made = {0};
        search_counts counts;
        set each;
        taxa_generate(&given, 64, 12, states, 100, 5);
        assert_null(patterns_new(&all, &given, true));
        each = set_of_all(all.count);
        assert_true(compatible(&all, &each, NULL));
        serial_stores(&all, &made, &counts);
        assert_true(made.count == 1 && made.largest == 12);
        if (results_check(&made, &all) != NULL) fail_msg("%s", results_check(&made, &all));
        results_free(&made);
        patterns_free(&all);
        taxa_free(&given);
    }
}

/* ---- trees ---- */

TEST_CASE(trees_that_are_wrong_are_refused_by_the_checker) {
    taxa four = read_text("4 3\na         AC0\nb         AC1\nc         CC0\nit's      CA1\n");
    const bool first[] = {true, false, false}, last[] = {false, false, true};
    const bool all[] = {true, true, true};
    assert_null(newick_check("((a,b),(c,'it''s'));\n", &four, first));
    assert_null(newick_check("(a,b,(c,'it''s'));\n", &four, first));
    assert_null(newick_check("(((a,c),b),'it''s');\n", &four, last));
    assert_string_equal(newick_check("((a,c),(b,'it''s'));\n", &four, first),
                        "a state of character 1 arises twice");
    assert_string_equal(newick_check("((a,b),(c,'it''s'));\n", &four, all),
                        "a state of character 3 arises twice");
    assert_string_equal(newick_check("(a,b,c,'it''s');\n", &four, all),
                        "a state of character 1 arises twice");
    assert_string_equal(newick_check("((a,b),c);\n", &four, first), "species it's is missing");
    assert_string_equal(newick_check("((a,b),(a,c));\n", &four, first),
                        "a species is there twice at \",c));\n\"");
    assert_string_equal(newick_check("((a,b),(c,d));\n", &four, first),
                        "a leaf is no species at \"));\n\"");
    assert_string_equal(newick_check("((a,b),(c,'it''s')", &four, first), "a ) is missing at \"\"");
    taxa_free(&four);
}

TEST_CASE(a_tree_is_written_as_newick_and_drawn) {
    taxa four = read_text("4 1\na         A\nb         A\nc         C\nit's <&   C\n");
    const bool chosen[] = {true};
    patterns all;
    set each;
    tree made;
    char *newick, *svg;
    assert_null(patterns_new(&all, &four, false));
    each = set_of_all(1);
    assert_true(compatible_binary(&all, &each, &made));
    newick = tree_newick(&made, &four);
    assert_string_equal(newick, "(('c','it''s <&'),'a','b');\n");
    assert_null(newick_check(newick, &four, chosen));
    svg = tree_svg(&made, &four, "1 of 1");
    assert_true(strncmp(svg, "<svg ", 5) == 0 && strstr(svg, ">1 of 1</text>") != NULL);
    assert_non_null(strstr(svg, ">it's &lt;&amp;</text>"));
    free(newick);
    free(svg);
    patterns_free(&all);
    taxa_free(&four);
}

/* ---- stores ---- */

TEST_CASE(stores_answer_as_lists_of_sets_do) {
    enum { SETS = 60 };
    for (uint64_t seed = 1; seed <= 30; seed++) {
        store s;
        set list[SETS];
        uint64_t bits = seed;
        store_init(&s);
        for (uint32_t i = 0; i < SETS; i++) {
            set one = {{0}};
            bool within = false, around = false;
            for (uint32_t k = 0; k < 12; k++) {
                bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
                if (bits >> 62 == 0) set_add(&one, k * 23);
            }
            for (uint32_t k = 0; k < i; k++) {
                within = within || set_within(&list[k], &one);
                around = around || set_within(&one, &list[k]);
            }
            assert_int_equal(store_has_within(&s, &one), within);
            assert_int_equal(store_has_around(&s, &one, UINT32_MAX), around);
            store_add(&s, &one);
            list[i] = one;
        }
        store_clean_up(&s);
    }
}

int main(void) { return run_cases(NULL, NULL); }
