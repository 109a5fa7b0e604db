/* Stores: tries of sets. */
#include "phylogeny.h"

#include <stdlib.h>
#include <string.h>

/* Siblings ascend by member. `ends` says that a set ends here; `below` unites the members of all
 * sets that pass here, from this member on. */
typedef struct store_node {
    uint32_t child, sibling; /* 0: none */
    uint16_t member;
    bool ends;
    set below;
} store_node;

void store_init(store *s) {
    *s = (store){.capacity = 64, .count = 1};
    s->nodes = bench_allocate(s->capacity, sizeof *s->nodes);
}

void store_clean_up(store *s) { free(s->nodes); }

static uint32_t make_node(store *s, uint32_t member) {
    if (s->count == s->capacity) {
        s->nodes = realloc(s->nodes, 2 * (size_t)s->capacity * sizeof *s->nodes);
        if (s->nodes == NULL) bench_fail("no memory for a store");
        s->capacity *= 2;
    }
    s->nodes[s->count] = (store_node){.member = (uint16_t)member};
    return s->count++;
}

/* The child of this member, which is made if there is none. */
static uint32_t descend(store *s, uint32_t at, uint32_t member) {
    uint32_t before = 0, next = s->nodes[at].child, made;
    while (next != 0 && s->nodes[next].member < member) {
        before = next;
        next = s->nodes[next].sibling;
    }
    if (next != 0 && s->nodes[next].member == member) return next;
    made = make_node(s, member);
    s->nodes[made].sibling = next;
    if (before == 0) s->nodes[at].child = made;
    else s->nodes[before].sibling = made;
    return made;
}

void store_add(store *s, const set *added) {
    set rest = *added;
    uint32_t at = 0;
    SET_EACH(i, added) {
        at = descend(s, at, i);
        set_unite(&s->nodes[at].below, &rest);
        set_remove(&rest, i);
    }
    s->nodes[at].ends = true;
    s->sets++;
}

static bool within(const store *s, uint32_t at, const set *outer) {
    if (s->nodes[at].ends) return true;
    for (uint32_t next = s->nodes[at].child; next != 0; next = s->nodes[next].sibling)
        if (set_has(outer, s->nodes[next].member) && within(s, next, outer)) return true;
    return false;
}

bool store_has_within(const store *s, const set *outer) { return within(s, 0, outer); }

/* `need` is what is not yet found. */
static bool around(const store *s, uint32_t at, const set *need, uint32_t *steps) {
    uint32_t first = set_next(need, 0);
    if (first == PATTERNS_MAX) return true;
    for (uint32_t next = s->nodes[at].child; next != 0; next = s->nodes[next].sibling) {
        const store_node *node = &s->nodes[next];
        set rest = *need;
        if (node->member > first || *steps == 0) return false;
        --*steps;
        if (!set_within(need, &node->below)) continue;
        if (node->member == first) set_remove(&rest, first);
        if (around(s, next, &rest, steps)) return true;
    }
    return false;
}

bool store_has_around(const store *s, const set *inner, uint32_t steps) {
    return s->sets != 0 && around(s, 0, inner, &steps);
}

static void visit_below(const store *s, uint32_t at, set path, bool longest,
                        void (*visit)(void *argument, const set *member), void *argument) {
    const store_node *node = &s->nodes[at];
    if (at != 0) set_add(&path, node->member);
    if (node->ends && !(longest && node->child != 0)) visit(argument, &path);
    for (uint32_t next = node->child; next != 0; next = s->nodes[next].sibling)
        visit_below(s, next, path, longest, visit, argument);
}

void store_visit(const store *s, bool longest, void (*visit)(void *argument, const set *member),
                 void *argument) {
    visit_below(s, 0, (set){{0}}, longest, visit, argument);
}
