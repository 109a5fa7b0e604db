/* The checker of trees. It knows a tree as text, and shares no code with the search. */
#include "phylogeny.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_NODES = 4 * SPECIES_MAX };

typedef struct parsed {
    const char *at;
    uint32_t nodes;
    uint32_t up[CHECK_NODES];
    uint32_t leaf_of[SPECIES_MAX]; /* 0: not yet found; the root is node 0 */
    const taxa *of;
    const char *wrong;
} parsed;

static char fault[200];

static void refuse(parsed *p, const char *why) {
    if (p->wrong == NULL) {
        (void)snprintf(fault, sizeof fault, "%s at \"%.30s\"", why, p->at);
        p->wrong = fault;
    }
}

/* ---- Newick ---- */

/* A label, quoted or not, into `name`. */
static void parse_label(parsed *p, char name[NAME_BYTES + 1]) {
    size_t length = 0;
    bool quoted = *p->at == '\'';
    if (quoted) p->at++;
    while (*p->at != '\0' && (quoted || strchr("(),:;", *p->at) == NULL)) {
        if (quoted && *p->at == '\'' && *++p->at != '\'') break;
        if (length < NAME_BYTES) name[length++] = *p->at;
        p->at++;
    }
    name[length] = '\0';
}

static void parse_leaf(parsed *p, uint32_t node) {
    char name[NAME_BYTES + 1];
    uint32_t s = 0;
    parse_label(p, name);
    while (s < p->of->count && strcmp(p->of->names[s], name) != 0) s++;
    if (s == p->of->count) refuse(p, "a leaf is no species");
    else if (p->leaf_of[s] != 0) refuse(p, "a species is there twice");
    else p->leaf_of[s] = node;
}

static void parse_node(parsed *p, uint32_t up) {
    uint32_t node = p->nodes++;
    if (node >= CHECK_NODES) {
        refuse(p, "there are too many nodes");
        return;
    }
    p->up[node] = up;
    if (*p->at != '(') {
        parse_leaf(p, node);
        return;
    }
    do {
        p->at++;
        parse_node(p, node);
    } while (p->wrong == NULL && *p->at == ',');
    if (*p->at != ')') refuse(p, "a ) is missing");
    else p->at++;
}

/* ---- states ---- */

static uint32_t depth(const parsed *p, uint32_t node) {
    uint32_t count = 0;
    for (; node != 0; node = p->up[node]) count++;
    return count;
}

/* Marks the path between two nodes with a state. @return false: another state is on it. */
static bool mark_path(const parsed *p, uint32_t one, uint32_t other, int *marks, int state) {
    uint32_t d = depth(p, one), e = depth(p, other);
    for (;;) {
        if (marks[one] != 0 && marks[one] != state) return false;
        if (marks[other] != 0 && marks[other] != state) return false;
        marks[one] = marks[other] = state;
        if (one == other) return true;
        if (d >= e) {
            if (d == e) other = p->up[other], e--;
            one = p->up[one], d--;
        } else {
            other = p->up[other], e--;
        }
    }
}

/* The states of a character span parts of the tree: paths from the first species of a state to each
 * other one. */
static bool is_convex(const parsed *p, const classes *states) {
    int marks[CHECK_NODES] = {0};
    for (int s = 0; s < STATES_MAX; s++) {
        uint32_t first = 0;
        for (uint32_t i = 0; i < p->of->count; i++) {
            if (!(states->of[s] >> i & 1)) continue;
            if (first == 0) first = p->leaf_of[i];
            if (!mark_path(p, first, p->leaf_of[i], marks, s + 1)) return false;
        }
    }
    return true;
}

const char *newick_check(const char *newick, const taxa *of, const bool *chosen) {
    parsed p = {.at = newick, .of = of};
    parse_node(&p, 0);
    if (p.wrong == NULL && strcmp(p.at, ";\n") != 0) refuse(&p, "the end is missing");
    for (uint32_t i = 0; i < of->count && p.wrong == NULL; i++)
        if (p.leaf_of[i] == 0) {
            (void)snprintf(fault, sizeof fault, "species %s is missing", of->names[i]);
            p.wrong = fault;
        }
    for (uint32_t c = 0; c < of->characters && p.wrong == NULL; c++)
        if (chosen[c] && !is_convex(&p, &of->states[c])) {
            (void)snprintf(fault, sizeof fault, "a state of character %u arises twice", c + 1);
            p.wrong = fault;
        }
    return p.wrong;
}
