/* The oracle of memobj.R1: the test's own mirror of all links, and what each object reaches by a
 * traversal of the mirror.
 *
 * A thing is a node or, now and then, a box: a node with two nodes embedded as members, which take
 * the next two places of the mirror. */
#ifndef SVS_TESTS_PROPERTY_REACH_MODEL_H
#define SVS_TESTS_PROPERTY_REACH_MODEL_H

#include "../unit/face/support.h"

#include "memobj/reach/reach.h"
#include "memobj/reach/signature.h"
#include <svs/members.h>

#define MODEL_MAX 4096u
#define MODEL_LINKS 3u

typedef struct box {
    node first;
    struct node *a;
    node second;
    svs_object svs;
} box;
SVS_MEMBERS(box, {"first", offsetof(box, first), &node_type},
            {"second", offsetof(box, second), &node_type})
SVS_TYPE_MEMBERS(box, svs, a)

typedef struct model {
    svs_world *world;
    uint32_t words;
    uint32_t count;
    struct {
        svs_object *object;
        node *node; /* NULL for a box */
        box *box;
        int32_t link[MODEL_LINKS]; /* places, -1: NULL */
        uint32_t members;          /* the next places are members of this one */
        bool embedded;
        bool dead;
    } at[MODEL_MAX];
} model;

SUPPORT_UNUSED static uint64_t model_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

SUPPORT_UNUSED static uint32_t model_below(uint64_t *state, uint32_t n) {
    return (uint32_t)((model_random(state) >> 32) * n >> 32);
}

SUPPORT_UNUSED static void model_init(model *m, svs_world *world) {
    memset(m, 0, sizeof *m);
    m->world = world;
    m->words = world->words;
}

static uint32_t model_place(model *m, svs_object *object, node *as_node, box *as_box) {
    uint32_t i = m->count++;
    assert_true(i < MODEL_MAX);
    m->at[i].object = object;
    m->at[i].node = as_node;
    m->at[i].box = as_box;
    m->at[i].members = 0;
    m->at[i].embedded = m->at[i].dead = false;
    for (uint32_t k = 0; k < MODEL_LINKS; k++) m->at[i].link[k] = -1;
    return i;
}

SUPPORT_UNUSED static uint32_t model_node(model *m) {
    node *made = support_node(m->world);
    return model_place(m, &made->svs, made, NULL);
}

SUPPORT_UNUSED static uint32_t model_box(model *m) {
    void *storage = NULL;
    box *made;
    uint32_t i;
    support_ok(svs_object_new(m->world, &box_type, &storage));
    made = storage;
    i = model_place(m, &made->svs, NULL, made);
    m->at[i].members = 2;
    m->at[model_place(m, &made->first.svs, &made->first, NULL)].embedded = true;
    m->at[model_place(m, &made->second.svs, &made->second, NULL)].embedded = true;
    return i;
}

/* The library's half of a link; the thread that owns the parent calls it. Links lead to nodes. */
SUPPORT_UNUSED static svs_status model_assign(const model *m, uint32_t parent, uint32_t link,
                                              int32_t child) {
    node *to = child < 0 ? NULL : m->at[child].node;
    node *from = m->at[parent].node;
    if (!from) return svs_link(m->at[parent].box, a, to);
    if (link == 0) return svs_link(from, a, to);
    if (link == 1) return svs_link(from, b, to);
    return svs_link(from, c, to);
}

/* Both halves. */
SUPPORT_UNUSED static void model_link(model *m, uint32_t parent, uint32_t link, int32_t child) {
    support_ok(model_assign(m, parent, link, child));
    m->at[parent].link[m->at[parent].node ? link : 0] = child;
}

/* Frees a node that nothing leads to: unlinks it first. */
SUPPORT_UNUSED static void model_free(model *m, uint32_t i) {
    for (uint32_t k = 0; k < m->count; k++)
        for (uint32_t l = 0; l < MODEL_LINKS && !m->at[k].dead; l++)
            for (uint32_t e = i; e <= i + m->at[i].members; e++)
                if (m->at[k].link[l] == (int32_t)e) model_link(m, k, l, -1);
    support_ok(svs_object_free(m->at[i].object));
    for (uint32_t e = i; e <= i + m->at[i].members; e++) m->at[e].dead = true;
}

/* Frees a node that is no member, and makes another one in its place. */
SUPPORT_UNUSED static void model_renew(model *m, uint32_t i) {
    node *made;
    model_free(m, i);
    made = support_node(m->world);
    m->at[i].object = &made->svs;
    m->at[i].node = made;
    m->at[i].dead = false;
    for (uint32_t k = 0; k < MODEL_LINKS; k++) m->at[i].link[k] = -1;
}

/* Brute force: the bits of all that `from` reaches. `seen` is scratch of count bytes. */
static void model_reach(const model *m, uint32_t from, uint64_t *words, bool *seen) {
    static _Thread_local uint32_t stack[MODEL_MAX];
    uint32_t depth = 0;
    memset(seen, 0, m->count);
    memset(words, 0, m->words * sizeof *words);
    stack[depth++] = from;
    seen[from] = true;
    while (depth) {
        uint32_t i = stack[--depth];
        svs__signature_set(words, svs__object_bit(m->world, m->at[i].object));
        for (uint32_t k = 1; k <= m->at[i].members; k++)
            if (!seen[i + k]) {
                seen[i + k] = true;
                stack[depth++] = i + k;
            }
        for (uint32_t k = 0; k < MODEL_LINKS; k++) {
            int32_t to = m->at[i].link[k];
            if (to < 0 || seen[to]) continue;
            seen[to] = true;
            stack[depth++] = (uint32_t)to;
        }
    }
}

/* memobj.R1 of one object; `exact`: a master's signature is what it reaches, bit for bit. @return
 * whether it holds. */
SUPPORT_UNUSED static bool model_check_one(const model *m, uint32_t i, bool exact) {
    static _Thread_local bool seen[MODEL_MAX];
    uint64_t found[SVS__SIGNATURE_WORDS_MAX] = {0}, reached[SVS__SIGNATURE_WORDS_MAX];
    svs_object *object = m->at[i].object;
    if (m->at[i].dead) return true;
    model_reach(m, i, reached, seen);
    svs__reach_signature(object, found);
    for (uint32_t w = 0; w < m->words; w++) {
        bool same = exact && svs__object_is_master(object);
        if (same ? found[w] != reached[w] : (reached[w] & ~found[w]) != 0) {
            print_error("%s %u: word %u is %016llx, reached %016llx\n",
                        svs__object_is_master(object) ? "master" : "internal", i, w,
                        (unsigned long long)found[w], (unsigned long long)reached[w]);
            return false;
        }
    }
    return true;
}

SUPPORT_UNUSED static bool model_check(const model *m, bool exact) {
    for (uint32_t i = 0; i < m->count; i++)
        if (!model_check_one(m, i, exact)) return false;
    return true;
}

#endif
